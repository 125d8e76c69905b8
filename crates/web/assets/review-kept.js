/**
 * Lines that a reader tried on a page of analysis and wants to find again: kept in this browser, a list for every game.
 * @module
 */

import { h } from "./dom.js";
import { word } from "./words.js";

/** So many lines of one game are kept at most; the oldest goes first. */
const MOST = 20;

export class Kept {
  #main;
  #key;
  #list = h("ul", { class: "oth-links" });
  #panel = h("section", { class: "panel", id: "kept", hidden: true }, h("h2", {}, word("kept-lines")), this.#list);

  /** @param {HTMLElement} main the page of analysis */
  constructor(main) {
    this.#main = main;
    this.#key = `wits-kept:${main.dataset.address}`;
    main.querySelector(".side")?.append(this.#panel);
    this.#draw();
  }

  /** Another place is shown: its line can be kept from here. */
  ready() {
    const deeds = this.#main.querySelector("#deeds");
    if (!deeds || deeds.querySelector("#keep-line") || !this.#line().length) return;
    deeds.querySelector("h2")?.after(h("p", {}, h("button", { type: "button", class: "button", id: "keep-line", onclick: () => this.#keep() }, word("keep-line"))));
  }

  /** The moves up to the place that is shown. */
  #line() {
    const made = [...this.#main.querySelectorAll("#moves a.move-text")];
    return made.slice(0, Number(this.#main.dataset.ply)).map((move) => move.textContent.trim());
  }

  #all() {
    try {
      const kept = JSON.parse(localStorage.getItem(this.#key) ?? "[]");
      return Array.isArray(kept) ? kept.filter((one) => typeof one?.to === "string" && Array.isArray(one.line)) : [];
    } catch {
      return [];
    }
  }

  #put(all) {
    try {
      localStorage.setItem(this.#key, JSON.stringify(all.slice(-MOST)));
    } catch {
      // A browser that keeps nothing still shows the line that is open.
    }
    this.#draw();
  }

  #keep() {
    const { address, query, ply } = this.#main.dataset;
    const to = `${address}?${query ? `${query}&` : ""}ply=${ply}`;
    this.#put([...this.#all().filter((one) => one.to !== to), { to, line: this.#line() }]);
    this.#list.lastElementChild?.querySelector("a")?.focus();
  }

  #draw() {
    const all = this.#all();
    this.#panel.hidden = !all.length;
    const row = ({ to, line }) => {
      const drop = () => this.#put(this.#all().filter((one) => one.to !== to));
      const name = line.slice(-6).join(" ");
      const words = line.length > 6 ? `… ${name}` : name;
      return h(
        "li",
        {},
        h("a", { href: to, class: "move-text" }, `${line.length}. ${words}`),
        " ",
        h("button", { type: "button", class: "button quiet small", "aria-label": word("drop-line", { line: words }), onclick: drop }, "✕"),
      );
    };
    // Addresses come from this page alone; whatever else stands in the store is left out.
    this.#list.replaceChildren(...all.filter(({ to }) => to.startsWith(`${this.#main.dataset.address}?`)).map(row));
  }
}
