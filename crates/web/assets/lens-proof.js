/**
 * The lens `proof`: the proof as a tree, then the goal at this step, what its variables are bound
 * to and how many choices are still open, and the goals line by line, with what became of each.
 *
 * Only the goals around the current one are in the page, and the line that leads to them; so a
 * proof of a hundred thousand goals is read like a short one.
 * @module
 */

import { h } from "./dom.js";
import { ProofTree } from "./proof-tree.js";
import { Tree } from "./tree-model.js";
import { countUpTo } from "./history.js";
import { grouped } from "./numbers.js";
import { word } from "./words.js";

/** Goals in sight before the current one, and after it. */
const BEFORE = 24;
const AFTER = 4;

export default class ProofLens {
  #tree = null;
  #goals = [];
  #opens = [];
  #steps = [];
  #facts = new Map();
  #picture = null;

  constructor(root) {
    this.picture = h("div", { class: "proof-picture" });
    root.append(this.picture);
    this.now = h("dl", { class: "proof-now" });
    root.append(this.now);
    this.list = h("ul", { class: "proof" });
    root.append(h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": word("goals") }, this.list));
    this.list.addEventListener("click", (event) => {
      const row = event.target.closest("[data-open]");
      if (row) root.dispatchEvent(new CustomEvent("seek", { detail: { index: Number(row.dataset.open) }, bubbles: true }));
    });
  }

  steps(all) {
    this.#steps = all;
    this.#tree = new Tree(all);
    this.#goals = [...this.#tree.nodes.values()].filter((node) => node.label !== null || node.parent || node.children.length === 0);
    this.#goals.sort((a, b) => a.openAt - b.openAt);
    this.#opens = this.#goals.map((node) => node.openAt);
    this.#goals.forEach((node, i) => this.#facts.set(node, i));
    this.#picture = new ProofTree(this.picture, this.#tree);
  }

  show(index) {
    const current = this.#tree.about[index] ?? this.#tree.root;
    const known = countUpTo(this.#opens, index);
    const at = this.#facts.get(current) ?? known - 1;
    const from = Math.max(0, Math.min(at, known - 1) - BEFORE);
    const to = Math.min(known, Math.max(at, 0) + AFTER + 1);
    const shown = this.#goals.slice(from, to);
    const above = shown.length ? shown[0].path().slice(0, -1).filter((node) => this.#facts.has(node) && this.#facts.get(node) < from) : [];
    const open = new Set(this.#steps[index]?.data.open ?? []);
    const rows = [...above, ...shown].map((node) => this.#row(node, node === current, index, open.has(node.id)));
    if (from > above.length) rows.splice(above.length, 0, h("li", { class: "muted" }, word("goals-before", { n: grouped(from - above.length) })));
    if (known > to) rows.push(h("li", { class: "muted" }, word("goals-after", { n: grouped(known - to) })));
    this.list.replaceChildren(...rows);
    this.#sum(index, current);
    this.#picture.show(index, current, (node) => {
      const { mark, state, text } = this.#became(node, index);
      return { mark, state, text };
    });
    this.list.querySelector("[aria-current]")?.scrollIntoView?.({ block: "nearest" });
  }

  /** The current goal, its bindings and the choice points in one place. */
  #sum(index, current) {
    const data = this.#steps[index]?.data ?? {};
    const row = (name, value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
    const rows = [row(word("goal"), h("code", {}, data.goal ?? current?.label ?? "–")), row(word("bindings"), h("code", {}, words(data.bindings) || "–"))];
    if (data.choices !== undefined) rows.push(row(word("choice-points"), grouped(data.choices)));
    this.now.replaceChildren(...rows);
  }

  /** What became of a goal by a step. */
  #became(node, index) {
    const closedAt = node.values.since(index);
    const close = closedAt >= 0 ? this.#steps[closedAt].data : null;
    const cut = node.cuts.at(index);
    const outcome = close ? (close.outcome ?? close.value ?? true) : null;
    const failed = [false, 0, "fail", "failed", "no"].includes(outcome);
    const state = cut ? "cut" : close ? (failed ? "failed" : "proved") : "open";
    const text = (close?.goal ?? node.label) ?? (node.parent ? (this.#steps[node.openAt]?.text ?? "") : word("question"));
    const bindings = words(close?.bindings ?? this.#steps[node.openAt]?.data.bindings);
    return { state, mark: { cut: "✂", failed: "✗", proved: "✓", open: "…" }[state], text, bindings };
  }

  #row(node, current, index, choice) {
    const { state, mark, bindings } = this.#became(node, index);
    const row = h(
      "li",
      { class: `goal ${state}`, "aria-current": current ? "step" : null, "data-open": node.openAt },
      h("span", { class: "mark", "aria-hidden": "true" }, mark),
      h("span", { class: "move-text" }, node.label ?? this.#steps[node.openAt]?.text ?? ""),
      h("span", { class: "sr-only" }, `, ${word(`goal-${state}`)}`),
      bindings ? h("span", { class: "muted bindings" }, bindings) : null,
      choice ? h("span", { class: "badge choice", title: word("choice-about") }, word("choice")) : null,
    );
    row.style.paddingInlineStart = `${Math.min(node.depth, 14) * 18 + 4}px`;
    return row;
  }
}

/** Bindings as people write them: `X = socrates, Y = 3`. */
function words(bindings) {
  if (!bindings) return "";
  if (typeof bindings === "string") return bindings;
  if (Array.isArray(bindings)) return bindings.map((one) => (Array.isArray(one) ? one.join(" = ") : String(one))).join(", ");
  return Object.entries(bindings).map(([name, value]) => `${name} = ${typeof value === "string" ? value : JSON.stringify(value)}`).join(", ");
}
