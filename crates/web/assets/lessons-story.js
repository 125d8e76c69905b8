/**
 * `<wits-story>`: positions one after the other on one board, each with its sentence: what you said,
 * the reply to it, and what follows. It plays by itself; a click on a sentence goes there.
 * @module
 */

import { h, mayMove } from "./dom.js";
import "./board.js";

/** How long a position stands. */
const PAUSE = 1100;

class WitsStory extends HTMLElement {
  #timer = 0;

  connectedCallback() {
    if (this.frames) return;
    this.frames = JSON.parse(this.querySelector("script.frames").textContent);
    this.board = this.querySelector("wits-board");
    // A page that was fetched is upgraded from the outside in.
    customElements.upgrade(this.board);
    this.says = [...this.querySelectorAll("ol.story li")];
    this.says.forEach((item, i) => {
      item.replaceChildren(h("button", { type: "button", onclick: () => this.#stop(i) }, item.textContent));
    });
    this.show(0);
    // Whoever wants no motion sees the reply at once, and steps from there.
    if (mayMove()) this.#next();
    else this.show(Math.min(Number(this.getAttribute("reply")), this.frames.length - 1));
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
  }

  /** Shows a position. */
  show(index) {
    this.index = index;
    const { scene, remarks } = this.frames[index];
    this.board.scene = scene;
    if (remarks) this.board.remark(new Map(Object.entries(remarks)));
    this.says.forEach((item, i) => {
      if (i === index) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    });
  }

  #stop(index) {
    clearTimeout(this.#timer);
    this.show(index);
  }

  #next() {
    this.#timer = setTimeout(() => {
      if (this.index + 1 >= this.frames.length) return;
      this.show(this.index + 1);
      this.#next();
    }, PAUSE);
  }
}

customElements.define("wits-story", WitsStory);
