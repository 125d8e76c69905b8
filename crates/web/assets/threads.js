/**
 * `<wits-threads>`: two or more threads side by side on one slider.
 *
 * They meet by their share of the way: halfway through one is shown beside halfway through the
 * other, however many steps each took. With the attribute `race` they meet after as many steps, so
 * that one sees who is done first; `at` says how far they are at first. With `autoplay` they begin as
 * soon as all are there, unless the reader wants nothing to move. With the attribute `file` it brings its own two players.
 * @module
 */

import { h, mayMove, say } from "./dom.js";
import { grouped } from "./numbers.js";
import "./thread.js";
import { word } from "./words.js";

/** How fine the common slider is: finer than any screen is wide. */
const PARTS = 10000;

export class WitsThreads extends HTMLElement {
  #slider = null;
  #place = null;
  #play = null;
  /** The timer while all play. */
  #running = 0;
  /** Set while we move the players, so that their own news does not move us again. */
  #leading = false;

  connectedCallback() {
    if (this.#slider) return;
    if (this.hasAttribute("file")) {
      const needed = 2 - this.querySelectorAll("wits-thread").length;
      for (let i = 0; i < needed; i += 1) this.append(h("wits-thread", { file: true }));
    }
    this.#slider = h("input", { type: "range", min: 0, max: PARTS, value: 0, "aria-label": word("all-threads"), oninput: () => this.#take() });
    this.#place = h("output", { class: "place" });
    this.#play = h("button", { type: "button", class: "button quiet", onclick: () => this.#toggle() }, word("play"));
    this.prepend(h("div", { class: "common", hidden: true }, h("span", { class: "muted" }, word("all")), this.#play, this.#slider, this.#place));
    this.addEventListener("opened", () => this.#ready());
    this.addEventListener("seek", (event) => {
      if (!this.#leading && event.target.localName === "wits-thread") this.#follow(event.target);
    });
    this.#ready();
  }

  get #players() {
    return [...this.querySelectorAll("wits-thread")].filter((player) => player.length > 0);
  }

  #ready() {
    this.querySelector(".common").hidden = this.#players.length < 2;
    if (this.#players.length > 1 && !this.#running) this.#lead(Number(this.getAttribute("at") ?? 0));
    const all = this.querySelectorAll("wits-thread").length === this.#players.length;
    if (all && this.#players.length > 1 && this.hasAttribute("autoplay") && mayMove()) {
      this.removeAttribute("autoplay");
      this.#lead(0);
      this.#toggle();
    }
  }

  /** A hand on the slider ends the playing. */
  #take() {
    if (this.#running) this.#toggle();
    this.#lead(Number(this.#slider.value) / PARTS);
  }

  /** The slider moves both. */
  #lead(share) {
    this.#leading = true;
    for (const player of this.#players) {
      if (this.hasAttribute("race")) player.index = Math.round(share * (this.#most - 1));
      else player.share = share;
    }
    this.#leading = false;
    this.#tell(share);
  }

  /** The steps of the longest thread. */
  get #most() {
    return Math.max(2, ...this.#players.map((player) => player.length));
  }

  /** From here to the end in about twelve seconds, or stop. */
  #toggle() {
    const stop = () => {
      cancelAnimationFrame(this.#running);
      this.#running = 0;
      say(this.#play, word("play"));
    };
    if (this.#running) return stop();
    say(this.#play, word("pause"));
    let share = Number(this.#slider.value) / PARTS;
    if (share >= 1) share = 0;
    let before = performance.now();
    const frame = (now) => {
      share = Math.min(1, share + (now - before) / 12000);
      before = now;
      this.#lead(share);
      if (share >= 1) stop();
      else this.#running = requestAnimationFrame(frame);
    };
    this.#running = requestAnimationFrame(frame);
  }

  disconnectedCallback() {
    cancelAnimationFrame(this.#running);
    this.#running = 0;
  }

  /** One player moved, by a button of its own: the other goes along. */
  #follow(leader) {
    const race = this.hasAttribute("race");
    const share = race ? leader.index / (this.#most - 1) : leader.share;
    this.#leading = true;
    for (const player of this.#players) {
      if (player === leader) continue;
      if (race) player.index = leader.index;
      else player.share = share;
    }
    this.#leading = false;
    this.#tell(share);
  }

  #tell(share) {
    this.#slider.value = Math.round(share * PARTS);
    const text = this.hasAttribute("race") ? grouped(Math.round(share * (this.#most - 1)) + 1) : `${Math.round(share * 100)}%`;
    this.#slider.setAttribute("aria-valuetext", text);
    say(this.#place, text);
  }
}

customElements.define("wits-threads", WitsThreads);
