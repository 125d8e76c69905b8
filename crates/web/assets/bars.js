/**
 * Bars that move: things with a value, the best first, each sliding to its place when the values change.
 * @module
 */

import { h } from "./dom.js";
import { fixed, number, plain } from "./numbers.js";

/** From one bar to the next, in pixels. */
export const ROW = 36;

/**
 * @typedef {{key: any, label: string, value: number | null, interval?: number[] | null, names?: string[], mark?: string, text?: string}} Bar
 */
export class Bars {
  #rows = new Map();

  constructor() {
    this.place = h("div", { class: "candidates" });
  }

  /** Shows bars in this order. @param {Bar[]} bars */
  show(bars) {
    const [low, high] = extent(bars);
    const whole = bars.every(({ value }) => value === null || Number.isInteger(value));
    const places = whole ? 0 : high - low > 100 ? 1 : high - low > 1 ? 2 : 3;
    const seen = new Set();
    bars.forEach((bar, place) => {
      seen.add(bar.key);
      const row = this.#row(bar.key);
      row.style.transform = `translateY(${place * ROW}px)`;
      row.className = ["candidate", ...(bar.names ?? [])].join(" ");
      fill(row, bar, { low, high, places });
    });
    for (const [key, row] of this.#rows) {
      if (!seen.has(key)) {
        row.remove();
        this.#rows.delete(key);
      }
    }
    this.place.style.height = `${Math.max(1, bars.length) * ROW}px`;
  }

  #row(key) {
    let row = this.#rows.get(key);
    if (!row) {
      row = h("div", {}, h("span", { class: "move-text" }), h("span", { class: "track" }, h("span", { class: "bar" }), h("span", { class: "whisker" })), h("span", { class: "number" }));
      this.#rows.set(key, row);
      this.place.append(row);
    }
    return row;
  }
}

function fill(row, bar, { low, high, places }) {
  const [label, track, told] = row.children;
  const [line, whisker] = track.children;
  const { value, interval } = bar;
  label.textContent = bar.label;
  label.title = bar.label;
  const text = bar.text ?? (value === null ? "…" : Number.isFinite(value) ? fixed(value, places) : plain(value));
  told.textContent = `${text}${bar.mark ?? ""}`;
  const share = (x) => ((Math.min(high, Math.max(low, x)) - low) / (high - low)) * 100;
  const zero = share(0);
  const end = value === null ? zero : share(value);
  line.style.left = `${Math.min(zero, end)}%`;
  line.style.width = `${Math.abs(end - zero)}%`;
  line.classList.toggle("below", value !== null && value < 0);
  whisker.hidden = !interval;
  if (interval) {
    const [from, to] = interval.map((x) => share(number(x) ?? 0));
    whisker.style.left = `${from}%`;
    whisker.style.width = `${Math.max(0.5, to - from)}%`;
  }
}

/** From the least to the most of what is shown, with zero among them. */
function extent(bars) {
  let [low, high] = [0, 0];
  for (const { value, interval } of bars) {
    if (value === null) continue;
    const [from, to] = interval?.map((x) => number(x) ?? 0) ?? [value, value];
    if (Number.isFinite(from)) low = Math.min(low, from, value);
    if (Number.isFinite(to)) high = Math.max(high, to, Number.isFinite(value) ? value : 0);
  }
  return low === high ? [0, 1] : [low, high];
}
