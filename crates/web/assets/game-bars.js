/**
 * What a machine thinks of every move while it thinks: bars with the value so far, once it takes longer
 * than half a second.
 * @module
 */

import { Bars, ROW } from "./bars.js";
import { h } from "./dom.js";
import { grouped, number } from "./numbers.js";
import { word } from "./words.js";

/** How long a machine thinks before its bars are shown, in milliseconds. */
const PATIENCE = 500;
/** Screens with a column beside the board; as in the style sheet. */
const BESIDE = "(min-width: 821px)";
/** Bars in sight. */
const SHOWN = 12;
/** What bars beside a board may take of the screen, what is above and below them in pixels, and how few are too few. */
const SHARE = 0.45;
const FRAME = 64;
const FEW = 3;

export class LiveBars {
  #thought = null;
  #timer = 0;
  #shown = false;
  #bars = new Bars();
  #head = h("p", { class: "muted" });

  /**
   * Bars that the page puts where it wants them; or those of a game. Where there is a column beside the board they stand at
   * the foot of the screen over that column, in sight wherever the page stands, and move nothing; on a phone before the lines.
   */
  constructor(side = null, lines = null) {
    const afloat = side && window.matchMedia(BESIDE).matches;
    this.place = h("div", { class: afloat ? "live-bars afloat" : "live-bars", hidden: true, "aria-hidden": "true" }, this.#head, this.#bars.place);
    if (afloat) side.after(this.place);
    else lines?.before(this.place);
  }

  /** A machine begins to think; nothing changes if it does so already. */
  begin() {
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#shown = true;
      this.#draw();
    }, PATIENCE);
  }

  /** It has decided. */
  end() {
    clearTimeout(this.#timer);
    [this.#timer, this.#shown, this.#thought] = [0, false, null];
    this.place.hidden = true;
  }

  /** What it thinks now. */
  think(thought) {
    if (!(thought.roots?.length > 1)) return;
    // Bars slide to new places in one position; those of another begin anew.
    if (thought.about !== this.#thought?.about) this.#bars.show([]);
    this.#thought = thought;
    // A page that came late finds a machine that has been thinking for a while.
    if (thought.millis >= PATIENCE && this.#timer) this.#shown = true;
    this.#draw();
  }

  #draw() {
    const thought = this.#thought;
    this.place.hidden = !(thought && this.#shown);
    if (this.place.hidden) return;
    const bars = thought.roots.map(({ moves, worth }) => ({ key: moves[0], label: moves[0], value: number(worth.value), text: worth.text }));
    bars.sort((a, b) => (b.value ?? -Infinity) - (a.value ?? -Infinity));
    const facts = [word("live-moves", { n: grouped(bars.length) })];
    // Which position of a game, where a machine looks through all of them.
    if (thought.about) facts.unshift(thought.about);
    if (thought.depth) facts.push(word("plies-deep", { n: grouped(thought.depth) }));
    if (thought.nodes) facts.push(word("positions", { n: grouped(thought.nodes) }));
    this.#head.textContent = facts.join(" · ");
    this.#bars.show(bars.slice(0, this.#most()));
  }

  /** How many bars fit into sight. */
  #most() {
    if (!this.place.matches(".afloat")) return SHOWN;
    return Math.max(FEW, Math.min(SHOWN, Math.floor((window.innerHeight * SHARE - FRAME) / ROW)));
  }
}
