/**
 * What a machine thinks of every move while it thinks: bars with the value so far, once it takes longer
 * than half a second.
 * @module
 */

import { Bars } from "./bars.js";
import { h } from "./dom.js";
import { grouped, number } from "./numbers.js";
import { word } from "./words.js";

/** How long a machine thinks before its bars are shown, in milliseconds. */
const PATIENCE = 500;
/** Bars in sight. */
const SHOWN = 12;

export class LiveBars {
  #thought = null;
  #timer = 0;
  #shown = false;
  #bars = new Bars();
  #head = h("p", { class: "muted" });

  /** Bars that appear in front of an element. */
  constructor(before) {
    this.place = h("div", { class: "live-bars", hidden: true, "aria-hidden": "true" }, this.#head, this.#bars.place);
    before?.before(this.place);
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
    this.#bars.show(bars.slice(0, SHOWN));
  }
}
