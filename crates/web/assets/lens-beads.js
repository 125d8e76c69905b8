/**
 * The lens `beads`: matchboxes, the beads in them, the bead that is drawn and what teaching changes.
 * @module
 */

import { h, s } from "./dom.js";
import { History, Shelf } from "./history.js";
import { grouped } from "./numbers.js";
import { drawToken } from "./board-token.js";
import { word } from "./words.js";

/** Beads of one move that are drawn one by one; the rest is a number. */
const DRAWN = 20;
/** Boxes in sight beside the current one. */
const BESIDE = 11;

class Box {
  constructor(id) {
    this.id = id;
    this.position = "";
    /** How many beads each move has, and since when. */
    this.beads = new Shelf(() => new History());
    this.firstAt = Infinity;
  }
}

export default class BeadsLens {
  #steps = [];
  #boxes = new Shelf((id) => new Box(id));
  /** The box that each step is about. */
  #about = [];

  constructor(root) {
    this.place = h("div", { class: "beads" });
    root.append(this.place);
  }

  steps(all) {
    this.#steps = all;
    let here = null;
    all.forEach(({ kind, data }, i) => {
      if ((kind === "draw" || kind === "teach") && data.box !== undefined && data.box !== null) {
        here = this.#boxes.take(data.box);
        here.firstAt = Math.min(here.firstAt, i);
        if (data.position) here.position = String(data.position);
        this.#count(here, data, i);
      }
      this.#about[i] = here;
    });
  }

  #count(box, data, i) {
    for (const [bead, count] of Object.entries(data.beads ?? {})) {
      const history = box.beads.take(bead);
      if (history.at(i) !== count) history.set(i, count);
    }
    if (data.bead === undefined || data.bead === null) return;
    const history = box.beads.take(String(data.bead));
    const before = history.at(i);
    if (data.left !== undefined) {
      // The first step that names a bead tells what was there before it, too.
      if (before === undefined && data.change !== undefined) history.set(box.firstAt, data.left - data.change);
      history.set(i, data.left);
    } else if (data.change) {
      history.set(i, Math.max(0, (before ?? 0) + data.change));
    }
  }

  show(index) {
    const current = this.#about[index];
    const step = this.#steps[index];
    const known = [...this.#boxes.values()].filter((box) => box.firstAt <= index);
    const others = known.filter((box) => box !== current);
    this.place.replaceChildren(
      current ? this.#box(current, index, step, true) : h("p", { class: "muted" }, word("no-box")),
      ...others.slice(-BESIDE).map((box) => this.#box(box, index, null, false)),
    );
    if (others.length > BESIDE) this.place.append(h("p", { class: "muted" }, word("more-boxes", { n: grouped(others.length - BESIDE) })));
  }

  #box(box, index, step, large) {
    const touched = step && (step.kind === "draw" || step.kind === "teach") ? String(step.data.bead) : null;
    const change = step?.kind === "teach" ? (step.data.change ?? 0) : 0;
    const beads = [...box.beads].map(([bead, history]) => ({ bead, count: history.at(index) ?? 0 }));
    return drawBox(box, beads, { touched, change, drawn: step?.kind === "draw", large });
  }
}

/**
 * One box: its position, its beads move by move, and what happened to one of them.
 * @param {{id: number | string, position: string}} box
 * @param {{bead: string, count: number}[]} beads
 * @param {{touched?: string | null, change?: number, drawn?: boolean, large?: boolean}} what
 */
export function drawBox(box, beads, { touched = null, change = 0, drawn = false, large = false }) {
  const rows = beads.map(({ bead, count }, i) => {
    const isTouched = bead === touched;
    const sign = isTouched && change ? (change > 0 ? ` +${change}` : ` −${-change}`) : "";
    return h(
      "li",
      { class: isTouched ? "touched" : null },
      h("span", { class: "move-text" }, bead),
      row(count, beadColour(bead, i, box.position), isTouched && drawn),
      h("span", { class: "number" }, grouped(count), sign ? h("b", {}, sign) : null),
    );
  });
  return h(
    "section",
    { class: large ? "matchbox current" : "matchbox", "aria-label": word("box", { box: boxName(box.id) }) },
    h("p", { class: "box-name" }, word("box", { box: boxName(box.id) })),
    box.position ? drawPosition(box.position) : null,
    h("ul", {}, ...rows),
  );
}

/** Boxes are numbered from zero in the file and from one on the shelf. */
function boxName(id) {
  return typeof id === "number" ? id + 1 : id;
}

/** Beads in a row; the one that is drawn is lifted out. */
function row(count, colour, drawn) {
  const shown = Math.min(count, DRAWN);
  const rest = count > shown ? `+${grouped(count - shown)}` : "";
  const width = Math.max(1, shown) * 13 + 4 + (rest ? 44 : 0);
  const svg = s("svg", { class: `bead-row bc${colour}`, viewBox: `0 0 ${width} 24`, width, height: 24, "aria-hidden": "true" });
  for (let i = 0; i < shown; i += 1) {
    const lifted = drawn && i === shown - 1;
    svg.append(s("circle", { class: lifted ? "bead lifted" : "bead", cx: i * 13 + 8, cy: lifted ? 8 : 15, r: 5.5 }));
  }
  if (rest) svg.append(s("text", { x: shown * 13 + 6, y: 15, dy: "0.36em" }, rest));
  return svg;
}

/** How many colours beads have; the stylesheet has one for each. */
const COLOURS = 9;

/**
 * The colour of a bead, as on the wall and on printed labels: the square decides where a move is a single square,
 * otherwise the order of the moves.
 */
function beadColour(bead, nth, position) {
  const square = /^([a-z])(\d+)$/.exec(bead);
  const columns = rowsOf(position)?.[0].length;
  const index = square && columns ? (Number(square[2]) - 1) * columns + square[1].charCodeAt(0) - 97 : nth;
  return index % COLOURS;
}

/** A position with slashes as rows, one of n² signs as a square; nothing where it is neither. */
function rowsOf(position) {
  const board = String(position).split(" ")[0];
  if (board.includes("/")) return board.split("/");
  const side = Math.sqrt(board.length);
  if (!Number.isInteger(side) || side < 2) return null;
  return Array.from({ length: side }, (_, r) => board.slice(r * side, (r + 1) * side));
}

/** What lies on a square, by the sign that positions have for it. */
const PIECES = {
  W: { shape: "pawn", colour: 0 },
  B: { shape: "pawn", colour: 1 },
  X: { shape: "cross", colour: 1 },
  O: { shape: "ring", colour: 5 },
};

/** The position of a box as a small board; where it has no rows, as it is written. */
function drawPosition(position) {
  const words = word("position", { position });
  const rows = rowsOf(position);
  if (!rows) return h("pre", { class: "position", "aria-label": words }, position);
  const [wide, high] = [Math.max(...rows.map((row) => row.length)), rows.length];
  const svg = s("svg", { class: "position", viewBox: `0 0 ${wide * 64} ${high * 64}`, width: wide * 22, height: high * 22, role: "img", "aria-label": words });
  rows.forEach((signs, r) => {
    [...signs].forEach((sign, c) => {
      svg.append(s("rect", { class: (r + c) % 2 ? "field plain" : "field shade", x: c * 64 + 1, y: r * 64 + 1, width: 62, height: 62 }));
      if (sign === "-" || sign === ".") return;
      const token = PIECES[sign] ?? { shape: "tile", colour: 1 };
      svg.append(s("g", { transform: `translate(${c * 64 + 32} ${r * 64 + 32})` }, drawToken({ glyph: sign, label: "", ...token })));
    });
  });
  return svg;
}
