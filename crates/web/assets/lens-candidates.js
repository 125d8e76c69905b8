/**
 * The lens `candidates`: answers in a race, as bars that move when their values do.
 * @module
 */

import { Bars } from "./bars.js";
import { h } from "./dom.js";
import { History, Shelf } from "./history.js";
import { grouped, number } from "./numbers.js";
import { word } from "./words.js";

/** Bars in sight; the others are behind. */
const SHOWN = 12;

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
  /** By number, and by what they are called where they were told of before they had one. */
  #all = new Shelf((key) => new Candidate(key));
  #about = [];
  #chosen = new History();

  constructor(root) {
    this.bars = new Bars();
    this.rest = h("p", { class: "muted" });
    root.append(this.bars.place, this.rest);
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
    if ((kind === "improve" || kind === "choose") && named !== undefined && named !== null) return this.#called(named);
    if (data.id !== undefined && (kind !== "open" || named !== undefined)) {
      if (kind === "open" && (data.parent === null || named === null)) return null;
      return kind === "open" ? this.#open(data.id, named) : (this.#all.get(data.id) ?? null);
    }
    return named !== undefined && named !== null ? this.#called(named) : null;
  }

  #called(name) {
    for (const one of this.#all.values()) if (one.label === String(name)) return one;
    return this.#all.take(name);
  }

  /** A candidate that was told of by its name has a number from now on; another one of that name is another one. */
  #open(id, name) {
    const known = this.#all.get(name);
    if (!known || known.key !== name) return this.#all.take(id);
    known.key = id;
    this.#all.set(id, known);
    return known;
  }

  show(index) {
    const current = this.#about[index];
    const chosen = this.#chosen.at(index);
    const open = [];
    for (const one of new Set(this.#all.values())) {
      if (one.openAt <= index) open.push({ one, known: one.values.at(index) });
    }
    open.sort((a, b) => (b.known?.value ?? -Infinity) - (a.known?.value ?? -Infinity) || a.one.openAt - b.one.openAt);
    const shown = open.slice(0, SHOWN);
    // The one that the step is about is always in sight.
    const behind = current && open.findIndex(({ one }) => one === current);
    if (current && behind >= SHOWN) shown[SHOWN - 1] = open[behind];
    const bars = shown.map(({ one, known }) => ({
      key: one,
      label: one.label,
      value: known?.value ?? null,
      interval: known?.interval,
      names: [one === current && "current", one === chosen && "chosen", one.cutAt <= index && "cut"].filter(Boolean),
      mark: one.cutAt <= index ? " ✂" : "",
    }));
    this.bars.show(bars);
    this.rest.textContent = open.length > shown.length ? word("behind", { n: grouped(open.length - shown.length) }) : "";
  }
}
