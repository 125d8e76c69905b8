/**
 * A simulation as it runs: one bar for every candidate, the best on top.
 * @module
 */

import { h, say } from "./dom.js";
import { words } from "./scrabble-board.js";
import { fixed } from "./numbers.js";

const ROW = 36;

export class Race {
  #note = document.getElementById("race-note");
  #place = document.getElementById("race");
  #events = null;
  #rows = new Map();

  constructor() {
    addEventListener("pagehide", () => this.stop());
  }

  /** Ends what runs and forgets it. */
  clear() {
    this.stop();
    this.#rows.clear();
    this.#place.replaceChildren();
    this.#place.style.height = "";
    say(this.#note, "");
  }

  stop() {
    this.#events?.close();
    this.#events = null;
  }

  /** Begins a race at an address. */
  start(address) {
    this.clear();
    say(this.#note, words("race-waits"));
    const events = new EventSource(address);
    this.#events = events;
    events.addEventListener("bars", (event) => this.#show(JSON.parse(event.data)));
    events.addEventListener("done", () => this.stop());
    events.addEventListener("error", () => {
      say(this.#note, words("race-lost"));
      this.stop();
    });
  }

  #show({ bars, note }) {
    say(this.#note, note);
    const values = bars.flatMap((bar) => [bar.mean - 2 * bar.error, bar.mean + 2 * bar.error]);
    const [low, high] = [Math.min(0, ...values), Math.max(1, ...values)];
    const share = (x) => ((x - low) / (high - low)) * 100;
    bars.forEach((bar, place) => {
      let row = this.#rows.get(bar.id);
      if (!row) {
        row = h("div", {}, h("span", { class: "move-text" }), h("span", { class: "track" }, h("span", { class: "bar" }), h("span", { class: "whisker" })), h("span", { class: "number" }));
        this.#rows.set(bar.id, row);
        this.#place.append(row);
      }
      row.className = ["candidate", bar.best && "chosen", bar.dropped && "cut"].filter(Boolean).join(" ");
      row.style.transform = `translateY(${place * ROW}px)`;
      const [label, track, value] = row.children;
      label.textContent = bar.move;
      label.title = bar.move;
      value.textContent = `${fixed(bar.mean, 1)}${bar.dropped ? " ✂" : ""}`;
      const [fill, whisker] = track.children;
      const [zero, end] = [share(0), share(bar.mean)];
      fill.style.left = `${Math.min(zero, end)}%`;
      fill.style.width = `${Math.abs(end - zero)}%`;
      fill.classList.toggle("below", bar.mean < 0);
      whisker.style.left = `${share(bar.mean - 2 * bar.error)}%`;
      whisker.style.width = `${Math.max(0.5, share(bar.mean + 2 * bar.error) - share(bar.mean - 2 * bar.error))}%`;
    });
    this.#place.style.height = `${bars.length * ROW}px`;
  }
}
