/**
 * Who sits where, and how much time they have.
 * @module
 */

import { h } from "./dom.js";
import { clock } from "./numbers.js";
import { word } from "./words.js";

export class Clocks {
  #list;
  #base;
  #shown = "";
  #state = null;
  #since = 0;

  constructor(list, base) {
    this.#list = list;
    this.#base = base;
    // The server's clock is the one that counts; between its states ours goes on counting down.
    setInterval(() => this.#tick(), 200);
  }

  show(state) {
    this.#state = state;
    this.#since = performance.now();
    if (!this.#list) return;
    // The list is only rebuilt when somebody sat down or the turn went on, so that focus stays.
    const key = JSON.stringify([state.turn, state.seats.map((seat) => ({ ...seat, clock_ms: seat.clock_ms !== null }))]);
    if (key !== this.#shown) {
      this.#shown = key;
      this.#list.replaceChildren(...state.seats.map((seat) => this.#row(seat, state)));
    }
    this.#tick();
  }

  #row(seat, state) {
    const toMove = seat.seat === state.turn;
    const who = h("div", { class: "seat-who" }, h("b", {}, seat.you ? word("you") : seat.who));
    if (seat.about) who.append(h("span", { class: "muted" }, seat.about));
    if (seat.boxes) who.append(h("a", { href: seat.boxes }, word("its-boxes")));
    const row = h("li", { class: toMove ? "to-move" : null, "data-seat": seat.seat }, h("span", { class: "seat-side" }, seat.name), who);
    if (seat.points !== null && seat.points !== undefined) row.append(h("span", { class: "seat-points" }, seat.points));
    if (seat.clock_ms !== null && seat.clock_ms !== undefined) row.append(" ", h("span", { class: "clock", "data-seat": seat.seat }));
    if (seat.free) {
      row.append(
        h(
          "form",
          { class: "sit", action: `${this.#base}/sit`, method: "post" },
          h("input", { type: "hidden", name: "seat", value: seat.seat }),
          h("p", { class: "muted" }, word("free-seat", { name: seat.name })),
          h("button", { class: "button", type: "submit" }, word("sit")),
        ),
      );
    }
    return row;
  }

  #tick() {
    const state = this.#state;
    if (!state || !this.#list) return;
    for (const place of this.#list.querySelectorAll(".clock")) {
      const seat = state.seats.find((one) => String(one.seat) === place.dataset.seat);
      if (!seat) continue;
      const runs = seat.seat === state.turn && !state.over;
      const left = seat.clock_ms - (runs ? performance.now() - this.#since : 0);
      const text = clock(left);
      if (place.textContent !== text) place.textContent = text;
      place.classList.toggle("low", left < 10000);
    }
  }
}
