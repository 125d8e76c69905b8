/**
 * The position that a step looks at, drawn as the game draws it.
 *
 * A page has no rules of its own: positions come from the server, many at once, and are kept.
 * @module
 */

import { h, say } from "./dom.js";
import "./board.js";
import { word } from "./words.js";

/** How many positions are asked for at once. */
const BATCH = 256;
/** How many steps before the current one are asked for, too. */
const BEHIND = 32;

export class ThreadBoard {
  /** What to say, by line: a scene, `null` where there is none, nothing while it is not known. */
  #scenes = new Map();
  /** The line that each step looks at, as the text of a list of moves. */
  #lines = [];
  #index = 0;
  #asking = false;
  #shown = null;

  /** The board of a thread; nothing for a thread that tells of no game. */
  static of({ game, subject }, steps) {
    if (!game || !steps.some(({ data }) => data.move ?? data.answer)) return null;
    return new ThreadBoard(game, subject, steps);
  }

  constructor(game, subject, steps) {
    this.game = game;
    this.subject = subject;
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
    if (!this.#scenes.has(key)) await this.#fetch([key]);
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
    await this.#fetch([...wanted]);
    this.#asking = false;
    this.show(this.#index);
  }

  async #fetch(lines) {
    const body = JSON.stringify({ game: this.game, subject: this.subject, lines: lines.map((line) => JSON.parse(line)) });
    let scenes = [];
    try {
      const reply = await fetch("/api/house/scene", { method: "POST", headers: { "Content-Type": "application/json" }, body });
      if (reply.ok) ({ scenes } = await reply.json());
    } catch {
      // Without a server there are sentences and a tree, and no boards.
    }
    lines.forEach((line, i) => this.#scenes.set(line, scenes[i] ?? null));
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
