/**
 * The lens `candidates`: answers in a race, as bars that move when their values do.
 * @module
 */

import { h } from "./dom.js";
import { History, Shelf } from "./history.js";
import { grouped, number, plain } from "./numbers.js";
import { word } from "./words.js";

/** Bars in sight; the others are behind. */
const SHOWN = 12;
const ROW = 36;

class Candidate {
  constructor(key) {
    this.key = key;
    this.label = String(key);
    this.values = new History();
    this.openAt = Infinity;
    this.cutAt = Infinity;
  }
}

export default class CandidatesLens {
  #all = new Shelf((key) => new Candidate(key));
  #about = [];
  #chosen = new History();
  #rows = new Map();

  constructor(root) {
    this.place = h("div", { class: "candidates" });
    this.rest = h("p", { class: "muted" });
    root.append(this.place, this.rest);
  }

  steps(all) {
    all.forEach(({ kind, data }, i) => {
      const one = this.#find(kind, data);
      if (one) {
        one.openAt = Math.min(one.openAt, i);
        const label = data.label ?? data.move;
        if (label !== undefined && label !== null) one.label = String(label);
        if (kind === "cut") one.cutAt = i;
        const value = number(data.value ?? data.cost);
        if (value !== null && kind !== "choose") one.values.set(i, { value, interval: Array.isArray(data.interval) ? data.interval : null });
        if (kind === "choose" || kind === "improve") this.#chosen.set(i, one);
      }
      this.#about[i] = one ?? this.#about[i - 1] ?? null;
    });
  }

  /** Which candidate a step is about: by its number, or by what it is called. */
  #find(kind, data) {
    if (kind === "count" || kind === "note" || kind === "ask" || kind === "answer") return null;
    const named = data.move ?? data.label ?? (Array.isArray(data.line) ? data.line[0] : null) ?? (Array.isArray(data.answer) ? data.answer.join(" ") : data.answer);
    // An improvement at the root is about the answer it names, not about the root.
    if ((kind === "improve" || kind === "choose") && named !== undefined && named !== null) {
      for (const one of this.#all.values()) if (one.label === String(named)) return one;
      return this.#all.take(named);
    }
    if (data.id !== undefined && (kind !== "open" || named !== undefined)) {
      if (kind === "open" && (data.parent === null || named === null)) return null;
      return kind === "open" ? this.#all.take(data.id) : (this.#all.get(data.id) ?? null);
    }
    return named !== undefined && named !== null ? this.#all.take(named) : null;
  }

  show(index) {
    const current = this.#about[index];
    const chosen = this.#chosen.at(index);
    const open = [];
    for (const one of this.#all.values()) {
      if (one.openAt <= index) open.push({ one, known: one.values.at(index) });
    }
    open.sort((a, b) => (b.known?.value ?? -Infinity) - (a.known?.value ?? -Infinity) || a.one.openAt - b.one.openAt);
    const shown = open.slice(0, SHOWN);
    // The one that the step is about is always in sight.
    const behind = current && open.findIndex(({ one }) => one === current);
    if (current && behind >= SHOWN) shown[SHOWN - 1] = open[behind];
    const [low, high] = extent(shown);
    const places = shown.every(({ known }) => !known || Number.isInteger(known.value)) ? 0 : high - low > 100 ? 1 : high - low > 1 ? 2 : 3;
    const seen = new Set();
    shown.forEach(({ one, known }, place) => {
      seen.add(one);
      const row = this.#row(one);
      row.style.transform = `translateY(${place * ROW}px)`;
      row.className = ["candidate", one === current && "current", one === chosen && "chosen", one.cutAt <= index && "cut"].filter(Boolean).join(" ");
      this.#fill(row, one, known, { low, high, places, index });
    });
    for (const [one, row] of this.#rows) {
      if (!seen.has(one)) {
        row.remove();
        this.#rows.delete(one);
      }
    }
    this.place.style.height = `${Math.max(1, shown.length) * ROW}px`;
    this.rest.textContent = open.length > shown.length ? word("behind", { n: grouped(open.length - shown.length) }) : "";
  }

  #row(one) {
    let row = this.#rows.get(one);
    if (!row) {
      row = h("div", {}, h("span", { class: "move-text" }), h("span", { class: "track" }, h("span", { class: "bar" }), h("span", { class: "whisker" })), h("span", { class: "number" }));
      this.#rows.set(one, row);
      this.place.append(row);
    }
    return row;
  }

  #fill(row, one, known, { low, high, places, index }) {
    const [label, track, value] = row.children;
    const [bar, whisker] = track.children;
    label.textContent = one.label;
    label.title = one.label;
    const cut = one.cutAt <= index ? " ✂" : "";
    value.textContent = known ? `${Number.isFinite(known.value) ? known.value.toFixed(places).replace("-", "−") : plain(known.value)}${cut}` : `…${cut}`;
    const share = (x) => ((Math.min(high, Math.max(low, x)) - low) / (high - low)) * 100;
    const zero = share(0);
    const end = known ? share(known.value) : zero;
    bar.style.left = `${Math.min(zero, end)}%`;
    bar.style.width = `${Math.abs(end - zero)}%`;
    bar.classList.toggle("below", Boolean(known && known.value < 0));
    whisker.hidden = !known?.interval;
    if (known?.interval) {
      const [from, to] = known.interval.map((x) => share(number(x) ?? 0));
      whisker.style.left = `${from}%`;
      whisker.style.width = `${Math.max(0.5, to - from)}%`;
    }
  }
}

/** From the least to the most of what is shown, with zero among them. */
function extent(shown) {
  let [low, high] = [0, 0];
  for (const { known } of shown) {
    if (!known) continue;
    const [from, to] = known.interval?.map((x) => number(x) ?? 0) ?? [known.value, known.value];
    if (Number.isFinite(from)) low = Math.min(low, from, known.value);
    if (Number.isFinite(to)) high = Math.max(high, to, Number.isFinite(known.value) ? known.value : 0);
  }
  return low === high ? [0, 1] : [low, high];
}
