/**
 * The position that a step looks at, drawn as the game draws it.
 * @module
 */

import { h, say } from "./dom.js";
import "./board.js";
import { History, Shelf } from "./history.js";
import { grouped, number, signed } from "./numbers.js";
import { BATCH } from "./thread-scenes.js";
import { word } from "./words.js";

/** How many steps before the current one are asked for, too. */
const BEHIND = 32;

export class ThreadBoard {
  #scenes;
  /** The line that each step looks at, as the text of a list of moves. */
  #lines = [];
  #index = 0;
  #asking = false;
  #shown = null;
  #trials = null;

  /** The board of a thread; nothing for a thread that tells of no game. */
  static of(scenes, steps, header) {
    if (!scenes.game || !steps.some(({ data }) => data.move ?? data.answer)) return null;
    return new ThreadBoard(scenes, steps, header);
  }

  constructor(scenes, steps, header) {
    this.#scenes = scenes;
    const isMean = header.backup === "mean";
    this.#lines = linesOf(steps, isMean);
    // Where averages decide, the board shows how the trial games were spread.
    this.#trials = isMean ? trialsOf(steps, this.#lines) : null;
    this.board = h("wits-board", { label: word("position-here") });
    this.line = h("figcaption", { class: "muted" });
    this.place = h("figure", { class: "thread-board", hidden: true }, this.board, this.line);
  }

  show(index) {
    this.#index = index;
    const line = this.#lines[index];
    if (!this.#scenes.has(line)) this.#ask();
    else {
      if (line !== this.#shown) this.#draw(line);
      this.#weigh(line);
    }
  }

  /** Shows a line of moves until the next step. */
  async showLine(line) {
    const key = JSON.stringify(line);
    await this.#scenes.ask([key]);
    this.#draw(key);
  }

  #draw(line) {
    const scene = this.#scenes.get(line);
    this.#shown = line;
    this.place.hidden = !scene;
    if (scene) this.board.scene = { ...scene, targets: [] };
    say(this.line, JSON.parse(line).join(" › ") || word("start"));
  }

  /** Draws what the trial games made of each move: size is visits, colour the mean, a ring where the two disagree. */
  #weigh(line) {
    const moves = this.#trials?.get(line);
    const scene = this.#scenes.get(line);
    if (!moves || !scene) return;
    const known = [...moves].map(([move, values]) => ({ move, ...values.at(this.#index) })).filter(({ visits }) => visits);
    this.board.remark(weights(known, scene));
  }

  /** Asks for the positions around the current step: one question at a time. */
  async #ask() {
    if (this.#asking) return;
    this.#asking = true;
    const wanted = new Set([this.#lines[this.#index]]);
    for (let i = Math.max(0, this.#index - BEHIND); i < this.#lines.length && wanted.size < BATCH; i += 1) {
      if (!this.#scenes.has(this.#lines[i])) wanted.add(this.#lines[i]);
    }
    await this.#scenes.ask([...wanted]);
    this.#asking = false;
    this.show(this.#index);
  }
}

/** The moves that lead to what each step is about; where trial games decided, they are about the position itself. */
function linesOf(steps, isMean) {
  const known = new Map();
  let here = "[]";
  return steps.map(({ kind, data }) => {
    if (kind === "open" && data.id !== undefined) {
      const before = JSON.parse(known.get(data.parent) ?? "[]");
      here = JSON.stringify(data.move === undefined || data.move === null ? before : [...before, String(data.move)]);
      known.set(data.id, here);
    } else if (isMean && (kind === "choose" || kind === "improve" || kind === "count")) {
      here = "[]";
    } else if (kind === "choose" || kind === "improve") {
      const line = Array.isArray(data.line) ? data.line : [].concat(data.answer ?? []);
      if (line.length) here = JSON.stringify(line.map(String).slice(0, kind === "choose" ? 1 : line.length));
    } else if (known.has(data.id)) {
      here = known.get(data.id);
    }
    return here;
  });
}

/** What is known of the moves after each line: by the move, its visits and its mean over time. */
function trialsOf(steps, lines) {
  const trials = new Shelf(() => new Shelf(() => new History()));
  const root = trials.take("[]");
  const before = new Map();
  steps.forEach(({ kind, data }, i) => {
    if (kind === "open" && data.id !== undefined && data.move) before.set(data.id, [JSON.stringify(JSON.parse(lines[i]).slice(0, -1)), String(data.move)]);
    const moves = kind === "count" && Array.isArray(data.moves) ? data.moves : [];
    for (const { move, value, visits } of moves) root.take(String(move)).set(i, { value: number(value), visits });
    if (kind === "close" && data.visits && before.has(data.id)) {
      const [line, move] = before.get(data.id);
      trials.take(line).take(move).set(i, { value: number(data.value), visits: data.visits });
    }
  });
  return trials;
}

/** Moves with visits and means as remarks on the cells where they end. */
function weights(known, scene) {
  const remarks = new Map();
  if (!known.length) return remarks;
  const most = Math.max(...known.map(({ visits }) => visits));
  const means = known.map(({ value }) => value);
  const [low, high] = [Math.min(...means), Math.max(...means)];
  // A ring marks the best mean where another move was tried more often.
  const disagree = !known.some(({ visits, value }) => visits === most && value === high);
  for (const { move, value, visits } of known) {
    const cell = scene.cells[scene.targets.find(({ text }) => text === move)?.path.at(-1)];
    const there = cell && remarks.get(cell.name);
    if (!cell || (there && there.visits >= visits)) continue;
    const label = word("board-trials", { move, n: grouped(visits), value: signed(value) });
    remarks.set(cell.name, { text: signed(Math.round(value * 100) / 100), label, kind: "trials", visits, disc: Math.sqrt(visits / most), tone: high > low ? (value - low) / (high - low) : 1, ring: disagree && value === high });
  }
  return remarks;
}
