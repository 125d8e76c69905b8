/**
 * What the engine sees: the score of every legal move, on the board and in a table, as it gets
 * deeper. Used by the analysis board and by the page of a game.
 * @module
 */

import { h, say } from "./dom.js";

export class Scores {
  #panel;
  #board;
  #box;
  #events = null;
  /** The position that is looked at. */
  #text = null;
  #remarks = new Map();

  /**
   * @param {HTMLElement} panel the part of the page with the switch and the table
   * @param {HTMLElement} board the `<wits-board>`
   */
  constructor(panel, board) {
    [this.#panel, this.#board] = [panel, board];
    this.#box = panel.querySelector("#show-scores");
    this.#box.addEventListener("change", () => {
      const text = this.#text;
      this.#text = null;
      this.watch(text);
    });
    addEventListener("pagehide", () => this.#close());
  }

  /** Looks at a position, if the reader wants it; nothing is looked at without one. */
  watch(text) {
    if (text === this.#text) {
      this.#board.remark(this.#box.checked ? this.#remarks : new Map());
      return;
    }
    this.#close();
    this.#text = text;
    this.#remarks = new Map();
    this.#board.remark(this.#remarks);
    const note = this.#panel.querySelector("#score-note");
    const table = this.#panel.querySelector("#score-box");
    const rows = this.#panel.querySelector("#score-rows");
    if (!text || !this.#box.checked) {
      rows.replaceChildren();
      table.hidden = true;
      say(note, "");
      return;
    }
    say(note, note.dataset.waits);
    const own = this.#panel.dataset.for;
    const events = new EventSource(`/othello/scores?board=${encodeURIComponent(text)}${own ? `&for=${own}` : ""}`);
    this.#events = events;
    events.addEventListener("scores", (event) => {
      const told = JSON.parse(event.data);
      this.#remarks = new Map(told.moves.map((one) => [one.move, { text: one.short, label: `${one.text}, ${one.says}`, kind: `${one.sure}${one.best ? " best" : ""}` }]));
      this.#board.remark(this.#remarks);
      const most = Math.max(1, ...told.moves.map(({ discs }) => Math.abs(discs)));
      rows.replaceChildren(...told.moves.map((one) => row(one, most)));
      table.hidden = told.moves.length === 0;
      say(note, told.note);
    });
    events.addEventListener("done", () => this.#close());
    events.addEventListener("error", () => {
      say(note, note.dataset.lost);
      this.#close();
    });
  }

  #close() {
    this.#events?.close();
    this.#events = null;
  }
}

/** A move with its score, and the score as a bar that moves as the search gets deeper. */
function row(one, most) {
  const bar = h("span", { class: one.discs < 0 ? "oth-bar below" : "oth-bar", "aria-hidden": "true" });
  bar.style.width = `${Math.max(1, (Math.abs(one.discs) / most) * 100)}%`;
  return h(
    "tr",
    { class: one.best ? "best" : null, "data-move": one.move },
    h("td", {}, h("code", {}, one.move), one.best ? " ★" : ""),
    h("td", {}, one.text, bar),
    h("td", {}, h("span", { class: `oth-sure ${one.sure}`, title: one.says }, one.short_says)),
    h("td", { class: "move-text" }, one.line),
  );
}
