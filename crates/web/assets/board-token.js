/**
 * What lies on a cell, drawn around its own middle in a square of 64 units.
 *
 * Colours come from the stylesheet by class (`c0` … `c7`, the Okabe-Ito eight), so that light and
 * dark pages each have their own. A shape, a glyph or an outline always says the same as the colour.
 * @module
 */

import { s } from "./dom.js";

/** The class of a data colour. */
export function colourClass(index) {
  return `c${(Number(index) || 0) % 8}`;
}

const DRAWN = {
  cross: () => [
    s("path", { class: "halo", d: "M-16-16 16 16M16-16-16 16" }),
    s("path", { class: "stroke", d: "M-16-16 16 16M16-16-16 16" }),
  ],
  ring: () => [s("circle", { class: "halo", r: 17 }), s("circle", { class: "stroke", r: 17 })],
  dark: () => disc("disc-dark"),
  light: () => disc("disc-light"),
  pawn: () => [
    s("path", { class: "under", d: PAWN, transform: "translate(0 3)" }),
    s("path", { class: "fill", d: PAWN }),
    s("rect", { class: "fill", x: -9.5, y: -7, width: 19, height: 5.5, rx: 2.7 }),
    s("circle", { class: "fill", cy: -15, r: 10 }),
  ],
  tile: (token) => [
    s("rect", { class: "under", x: -24, y: -21, width: 48, height: 48, rx: 9 }),
    s("rect", { class: "fill", x: -24, y: -24, width: 48, height: 48, rx: 9 }),
    ...pattern(Math.floor((Number(token.colour) || 0) / 8)),
    ...(token.colour && PLAIN.has(token.glyph) ? grain() : [glyph(token, "on-fill", 26)]),
  ],
  text: (token) => [
    glyph(token, "bare", 30),
    s("rect", { class: "fill", x: -14, y: 19, width: 28, height: 5, rx: 2.5 }),
  ],
};

/** Signs that the terminal needs for pieces that are all alike; a picture shows the piece. A blank tile has no colour. */
const PLAIN = new Set(["o", "#"]);

/** What makes a plain piece look like wood: a lighter top. */
function grain() {
  return [s("rect", { class: "grain", x: -17, y: -17, width: 34, height: 30, rx: 6 })];
}

const PAWN = "M-16 25v-6C-9 13-6 6-5.5-3h11C6 6 9 13 16 19v6Z";

/**
 * What tells tiles of one colour apart, after the eight colours are used up: stripes in four directions, three
 * widths, drawn through or dashed. With the colours that is two hundred different tiles.
 */
function pattern(round) {
  if (round < 1) return [];
  const kind = (round - 1) % 24;
  const [turn, gap, dashed] = [(kind % 4) * 45, [9, 14, 21][Math.floor(kind / 4) % 3], kind >= 12];
  const lines = [];
  for (let at = -36 + gap / 2; at < 36; at += gap) lines.push(`M-36 ${at}H36`);
  return [
    s(
      "g",
      { class: "tile-pattern", "clip-path": "inset(0 round 9px)" },
      s("rect", { x: -24, y: -24, width: 48, height: 48, fill: "none" }),
      s("path", { d: lines.join(""), transform: `rotate(${turn})`, "stroke-dasharray": dashed ? "6 5" : null }),
    ),
    s("circle", { class: "tile-ground", r: 13 }),
  ];
}

function disc(name) {
  return [
    s("circle", { class: "under", r: 24, cy: 3 }),
    s("circle", { class: name, r: 24 }),
    s("path", { class: `${name}-shine`, d: "M-15-8A17 17 0 0 1-3-17" }),
  ];
}

function glyph(token, name, size) {
  const long = [...token.glyph].length;
  return s(
    "text",
    { class: `glyph ${name}`, "font-size": long > 2 ? size * 0.62 : long > 1 ? size * 0.8 : size, dy: "0.36em" },
    token.glyph,
  );
}

/**
 * The picture of a token.
 * @param {{glyph: string, label: string, shape: string, colour: number}} token
 */
export function drawToken(token) {
  const draw = DRAWN[token.shape] ?? DRAWN.text;
  return s("g", { class: `token ${token.shape} ${colourClass(token.colour)}` }, ...draw(token));
}
