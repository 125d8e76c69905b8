/**
 * The position that a step looks at, drawn as the game draws it.
 * @module
 */

import { h, say } from "./dom.js";
import "./board.js";
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

  /** The board of a thread; nothing for a thread that tells of no game. */
  static of(scenes, steps) {
    if (!scenes.game || !steps.some(({ data }) => data.move ?? data.answer)) return null;
    return new ThreadBoard(scenes, steps);
  }

  constructor(scenes, steps) {
    this.#scenes = scenes;
    this.#lines = linesOf(steps);
    this.board = h("wits-board", { label: word("position-here") });
    this.line = h("figcaption", { class: "muted" });
    this.place = h("figure", { class: "thread-board", hidden: true }, this.board, this.line);
  }

  show(index) {
    this.#index = index;
    const line = this.#lines[index];
    if (!this.#scenes.has(line)) this.#ask();
    else if (line !== this.#shown) this.#draw(line);
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

/** The moves that lead to what each step is about. */
function linesOf(steps) {
  const known = new Map();
  let here = "[]";
  return steps.map(({ kind, data }) => {
    if (kind === "open" && data.id !== undefined) {
      const before = JSON.parse(known.get(data.parent) ?? "[]");
      here = JSON.stringify(data.move === undefined || data.move === null ? before : [...before, String(data.move)]);
      known.set(data.id, here);
    } else if (kind === "choose" || kind === "improve") {
      const line = Array.isArray(data.line) ? data.line : [].concat(data.answer ?? []);
      if (line.length) here = JSON.stringify(line.map(String).slice(0, kind === "choose" ? 1 : line.length));
    } else if (known.has(data.id)) {
      here = known.get(data.id);
    }
    return here;
  });
}
