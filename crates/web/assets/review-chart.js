/**
 * The course of a game as a curve: what the board shows, where it counts, and what a machine says.
 *
 * Colours are attributes, so that the saved picture has them; the stylesheet replaces them on the page.
 * @module
 */

import { s } from "./dom.js";
import { signed } from "./numbers.js";

const [WIDE, HIGH, LEFT, RIGHT, TOP, LOW] = [720, 300, 52, 16, 34, 44];

/**
 * Draws the curve.
 * @param {{counted: number[] | null, moves: string[], words: Record<string, string>}} data
 * @param {Map<number, any>} remarks by the number of moves before
 * @param {number} ply the place in the game
 */
export function curve(data, remarks, ply) {
  const last = data.moves.length;
  const told = values(remarks, last);
  const counted = data.counted ?? [];
  const reach = scale(Math.max(0, ...counted.map(Math.abs), ...told.map((point) => Math.abs(point.value))));
  const x = (n) => LEFT + (n / Math.max(1, last)) * (WIDE - LEFT - RIGHT);
  const y = (v) => TOP + (1 - (Math.max(-reach, Math.min(reach, v)) + reach) / (2 * reach)) * (HIGH - TOP - LOW);
  const svg = s("svg", { xmlns: "http://www.w3.org/2000/svg", class: "review-curve", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": data.words.curve, "font-family": "system-ui, sans-serif", "font-size": 12 });
  for (let v = -reach; v <= reach; v += reach / 2) {
    svg.append(
      s("path", { class: v === 0 ? "zero" : "line", d: `M${LEFT} ${y(v)}H${WIDE - RIGHT}`, stroke: v === 0 ? "#5a5d64" : "#ddd8cc" }),
      s("text", { x: LEFT - 6, y: y(v) + 4, "text-anchor": "end" }, signed(v)),
    );
  }
  const step = last > 20 ? 10 : last > 10 ? 5 : 1;
  for (let n = 0; n <= last; n += step) svg.append(s("text", { x: x(n), y: HIGH - LOW + 18, "text-anchor": "middle" }, String(n)));
  svg.append(
    s("text", { x: (WIDE + LEFT) / 2, y: HIGH - 6, "text-anchor": "middle" }, data.words.move),
    s("text", { transform: `translate(14 ${(HIGH - LOW + TOP) / 2}) rotate(-90)`, "text-anchor": "middle" }, data.words.axis),
    s("path", { class: "here", d: `M${x(ply)} ${TOP}V${HIGH - LOW}`, stroke: "#0f766e", "stroke-width": 2 }),
    s("polyline", { class: "counted", points: counted.map((v, n) => `${x(n)},${y(v)}`).join(" "), fill: "none", stroke: "#8b877c", "stroke-width": 1.5, "stroke-dasharray": "5 4" }),
  );
  for (const run of runs(told)) {
    svg.append(s("polyline", { class: "engine", points: run.map((point) => `${x(point.ply)},${y(point.value)}`).join(" "), fill: "none", stroke: "#0072b2", "stroke-width": 2 }));
  }
  for (const point of told) {
    svg.append(s("circle", { class: `point ${point.sure}`, cx: x(point.ply), cy: y(point.value), r: 3, stroke: "#0072b2", fill: point.sure === "exact" ? "#0072b2" : "#fbfaf7" }));
  }
  for (const [at, remark] of remarks) {
    if (!remark.sign || remark.value === null) continue;
    const below = remark.best_value > remark.value;
    const [cx, cy] = [x(at + 1), y(remark.value)];
    svg.append(
      s("path", { class: "mark", d: below ? `M${cx} ${cy + 5}l5 9h-10z` : `M${cx} ${cy - 5}l5 -9h-10z`, fill: "#b3261e" }),
      s("text", { class: "mark", x: cx, y: below ? cy + 26 : cy - 17, "text-anchor": "middle", fill: "#b3261e" }, remark.sign),
    );
  }
  // One wide place for each move: a curve is hard to hit.
  const wide = (WIDE - LEFT - RIGHT) / Math.max(1, last);
  for (let n = 0; n <= last; n += 1) {
    svg.append(s("rect", { class: "place", "data-ply": n, x: x(n) - wide / 2, y: TOP, width: wide, height: HIGH - TOP - LOW, fill: "transparent" }));
  }
  return svg;
}

/** A round number that is no less than the largest value: 1, 2, 4, 8, 16, then sixteens. */
function scale(most) {
  if (most > 16) return Math.ceil(most / 16) * 16;
  return 2 ** Math.ceil(Math.log2(Math.max(1, most)));
}

/** What the machine says of each position: before each move, and after the last. */
function values(remarks, last) {
  const told = [...remarks.values()].filter((r) => r.best_value !== null).map((r) => ({ ply: r.ply, value: r.best_value, sure: r.sure }));
  const end = remarks.get(last - 1);
  if (end && end.value !== null) told.push({ ply: last, value: end.value, sure: end.sure });
  return told.sort((a, b) => a.ply - b.ply);
}

/** Stretches without a hole. */
function runs(points) {
  const out = [];
  for (const point of points) {
    if (out.length && out.at(-1).at(-1).ply === point.ply - 1) out.at(-1).push(point);
    else out.push([point]);
  }
  return out;
}

/** Hands a text to the reader as a file. */
export function save(name, kind, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: kind }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
