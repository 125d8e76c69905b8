/**
 * The board with lettered tiles: it draws, it is walked over by keyboard, and it tells what was
 * pressed. What may be laid is for others to decide.
 * @module
 */

import { h, mayMove } from "./dom.js";
import { fill } from "./words.js";

const SIDE = 15;

/** What does not change: letters, premiums, words. It stands in the page. */
export const fixed = JSON.parse(document.getElementById("scrabble-fixed")?.textContent ?? "{}");

/** A sentence of the page with its blanks filled in. */
export function words(key, args = {}) {
  return fill(fixed.words?.[key] ?? key, args);
}

/** What a tile is worth. */
export function worth(face) {
  return fixed.letters.find((letter) => letter.face === face)?.value ?? 0;
}

/** What players call a square. */
export function squareName(square) {
  return `${fixed.columns[square % SIDE]}${Math.floor(square / SIDE) + 1}`;
}

/**
 * The picture of a tile. What only repeats the label of its square is drawn by the stylesheet, so
 * that nobody hears it twice.
 * @param {string} face
 * @param {number} value
 * @param {string[]} marks classes
 */
export function tilePicture(face, value, marks = []) {
  const long = [...face].length > 1 ? "long" : "";
  return h("span", { class: ["scr-tile", long, ...marks].filter(Boolean).join(" "), "aria-hidden": "true" }, h("b", {}, face === "?" ? "\u00a0" : face), h("i", { "data-shown": value > 0 ? value : "" }));
}

export class ScrabbleBoard extends HTMLElement {
  #cells = [];
  #focus = 112;
  #shown = [];
  /** Called with a square that was clicked. */
  onpress = null;
  /** Called with a square and a key event that is not for walking; true where it was used. */
  onkey = null;
  live = false;
  /** What the server drew the page with. */
  first = null;
  /** Which way a typed word runs; nothing where nobody types. */
  heading = null;

  connectedCallback() {
    if (this.#cells.length) return;
    const grid = h("div", { role: "grid", class: "scr-grid", "aria-label": words("board-label") });
    grid.append(
      h("div", { class: "scr-line scr-columns", "aria-hidden": "true" }, h("span"), ...fixed.columns.map((name) => h("span", { class: "scr-edge" }, name))),
    );
    for (let r = 0; r < SIDE; r += 1) {
      const line = h("div", { role: "row", class: "scr-line" }, h("span", { class: "scr-edge", "aria-hidden": "true" }, r + 1));
      for (let c = 0; c < SIDE; c += 1) {
        const square = r * SIDE + c;
        const cell = h("div", { role: "gridcell", "data-square": square, tabindex: square === this.#focus ? "0" : "-1" });
        this.#cells.push(cell);
        line.append(cell);
      }
      grid.append(line);
    }
    grid.addEventListener("click", (event) => {
      const cell = event.target.closest("[data-square]");
      if (!cell) return;
      this.go(Number(cell.dataset.square));
      this.onpress?.(Number(cell.dataset.square));
    });
    grid.addEventListener("keydown", (event) => this.#key(event));
    const first = this.querySelector("script.scene");
    this.first = first ? JSON.parse(first.textContent) : null;
    this.replaceChildren(h("div", { class: "scr-scroll" }, grid));
    if (this.first) this.show(this.first);
  }

  /** The page of a game gives every board its scene; this one draws the room's own state. */
  set scene(_) {}
  point() {}

  get focused() {
    return this.#focus;
  }

  /** Moves the cursor, and the focus where it is on the board already or asked for. */
  go(square, refocus = true) {
    this.#cells[this.#focus]?.setAttribute("tabindex", "-1");
    this.#focus = square;
    this.#cells[square]?.setAttribute("tabindex", "0");
    if (refocus) this.#cells[square]?.focus();
    this.#arrow();
  }

  /** Shows which way a typed word runs. */
  head(way) {
    this.heading = way;
    this.#arrow();
  }

  #arrow() {
    this.#cells.forEach((cell, square) => {
      const here = square === this.#focus && this.heading;
      cell.classList.toggle("across", here === "across");
      cell.classList.toggle("down", here === "down");
    });
  }

  /**
   * Draws what changed.
   * @param {{board: any[], lit?: number[], back?: boolean, placed?: Map<number, any>, bad?: Set<number>,
   *   checks?: Map<number, any>, way?: string}} state
   */
  show({ board, lit = [], back = false, placed = new Map(), bad = new Set(), checks, way = "" }) {
    const last = new Set(lit);
    board.forEach((tile, square) => {
      const own = placed.get(square);
      const check = tile || own || !way ? null : (checks.get(square) ?? null);
      const key = JSON.stringify([tile, own, last.has(square) && (back ? "back" : "last"), bad.has(square), check, way]);
      if (this.#shown[square] === key) return;
      const fresh = tile && this.#shown[square] !== undefined && !JSON.parse(this.#shown[square])[0];
      this.#shown[square] = key;
      this.#draw(square, { tile, own, check, way, last: last.has(square), back, bad: bad.has(square), fresh });
    });
  }

  #draw(square, { tile, own, check, way, last, back, bad, fresh }) {
    const cell = this.#cells[square];
    const [kind, short, says] = fixed.premiums[square];
    const centre = square === 112;
    const parts = [];
    const spoken = [squareName(square)];
    const [face, value, blank] = tile ?? (own ? [own.face, own.value, own.blank] : []);
    if (face) {
      parts.push(tilePicture(face, value, [blank && "blank", own && "own", bad && "bad", last && "last"].filter(Boolean)));
      spoken.push(face, blank ? words("says-blank") : words("says-points", { value }));
      if (own) spoken.push(words("says-yours"));
      if (last && !back) spoken.push(words("says-last"));
      if (bad) spoken.push(words("says-bad"));
      if (fresh && mayMove()) parts[0].animate([{ transform: "scale(0.6)", opacity: 0 }, { transform: "none", opacity: 1 }], { duration: 160 });
    } else {
      spoken.push(words("says-empty"));
      if (centre) spoken.push(words("says-centre"));
      if (says) spoken.push(says);
      if (!check) parts.push(h("span", { class: "scr-premium", "aria-hidden": "true", "data-shown": centre ? "★" : short }));
    }
    if (check) {
      const fit = check[way];
      if (check.anchor) {
        parts.push(h("span", { class: "scr-anchor", "aria-hidden": "true" }));
        spoken.push(words("says-anchor"));
      }
      if (fit) {
        parts.push(h("span", { class: "scr-fit", "aria-hidden": "true", "data-shown": fit.length === 0 ? "×" : fit.length <= 3 ? fit.join("") : fit.length }));
        spoken.push(fit.length ? words("says-fits", { letters: fit.join(" ") }) : words("says-fits-none"));
      }
    }
    cell.className = ["scr-cell", kind, check && "checked", last && back && !face && "gone"].filter(Boolean).join(" ");
    cell.setAttribute("aria-label", spoken.join(", "));
    cell.title = check?.[way] ? `${squareName(square)}: ${check[way].join(" ") || "×"}` : "";
    cell.replaceChildren(...parts);
    this.#arrow();
  }

  #key(event) {
    if ((event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph")) return;
    const [r, c] = [Math.floor(this.#focus / SIDE), this.#focus % SIDE];
    const to = {
      ArrowLeft: () => [r, c - 1],
      ArrowRight: () => [r, c + 1],
      ArrowUp: () => [r - 1, c],
      ArrowDown: () => [r + 1, c],
      Home: () => [r, 0],
      End: () => [r, SIDE - 1],
    }[event.key];
    if (to) {
      event.preventDefault();
      const [row, column] = to().map((x) => Math.max(0, Math.min(SIDE - 1, x)));
      this.go(row * SIDE + column);
      return;
    }
    if (this.onkey?.(this.#focus, event)) event.preventDefault();
  }
}

if (fixed.letters) customElements.define("scrabble-board", ScrabbleBoard);
