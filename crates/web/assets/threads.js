/**
 * `<wits-threads>`: two threads side by side on one slider.
 *
 * They meet by their share of the way: halfway through one is shown beside halfway through the
 * other, however many steps each took. With the attribute `file` it brings its own two players.
 * @module
 */

import { h, say } from "./dom.js";
import "./thread.js";

/** How fine the common slider is: finer than any screen is wide. */
const PARTS = 10000;

export class WitsThreads extends HTMLElement {
  #slider = null;
  #place = null;
  /** Set while we move the players, so that their own news does not move us again. */
  #leading = false;

  connectedCallback() {
    if (this.#slider) return;
    if (this.hasAttribute("file")) {
      const needed = 2 - this.querySelectorAll("wits-thread").length;
      for (let i = 0; i < needed; i += 1) this.append(h("wits-thread", { file: true }));
    }
    this.#slider = h("input", { type: "range", min: 0, max: PARTS, value: 0, "aria-label": "Both threads", oninput: () => this.#lead(Number(this.#slider.value) / PARTS) });
    this.#place = h("output", { class: "place" });
    this.prepend(h("div", { class: "common", hidden: true }, h("span", { class: "muted" }, "Both"), this.#slider, this.#place));
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
    if (this.#players.length > 1) this.#lead(0);
  }

  /** The slider moves both. */
  #lead(share) {
    this.#leading = true;
    for (const player of this.#players) player.share = share;
    this.#leading = false;
    this.#tell(share);
  }

  /** One player moved, by a button of its own: the other goes along. */
  #follow(leader) {
    const share = leader.share;
    this.#leading = true;
    for (const player of this.#players) if (player !== leader) player.share = share;
    this.#leading = false;
    this.#tell(share);
  }

  #tell(share) {
    this.#slider.value = Math.round(share * PARTS);
    const text = `${Math.round(share * 100)}%`;
    this.#slider.setAttribute("aria-valuetext", text);
    say(this.#place, text);
  }
}

customElements.define("wits-threads", WitsThreads);
