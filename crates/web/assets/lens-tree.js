/**
 * The lens `tree`: a search as a tree that grows, with its values, its line and what it cut off.
 * @module
 */

import { h, s } from "./dom.js";
import { grouped, signed } from "./numbers.js";
import { Tree } from "./tree-model.js";
import { SIDE, isSmall, smallBoard } from "./tree-boards.js";
import { ROW, alwaysOpen, layOut } from "./tree-layout.js";
import { View } from "./tree-view.js";
import { word } from "./words.js";

const LONGEST = 10;
/** From one row to the next, where nodes are boards. */
const BOARDS = 132;
/** The same where nodes count trial games. */
const TRIALS = ROW + 16;

export default class TreeLens {
  #tree = null;
  #always = new Set();
  #most = 0;
  #slot = 48;
  /** The most letters of a mean with its trial games. */
  #wordy = 0;
  #index = 0;

  /** Whether nodes are boards. */
  #boards = false;
  #asking = false;

  constructor(root, header, scenes) {
    this.scenes = scenes?.game ? scenes : null;
    // Averages have no window.
    this.windows = header?.backup !== "mean";
    this.crumbs = h("p", { class: "crumbs" });
    this.svg = s("svg", { class: "tree", role: "img", "aria-label": word("tree-label") });
    root.append(this.crumbs, this.svg);
    this.view = new View(root, this.svg);
    this.svg.addEventListener("click", (event) => {
      const spot = event.target.closest("[data-open]");
      if (spot && !this.view.dragged) {
        this.svg.dispatchEvent(new CustomEvent("seek", { detail: { index: Number(spot.dataset.open) }, bubbles: true }));
      }
    });
    // The stage has no size before it is in the page, and another one when the page is turned.
    this.root = root;
    new ResizeObserver(() => this.#tree && this.show(this.#index)).observe(root);
  }

  steps(all) {
    this.#tree = new Tree(all);
    let longest = 2;
    for (const node of this.#tree.nodes.values()) {
      const last = node.values.values.at(-1);
      const value = last ? Math.max(worth(last).length, last.visits ? grouped(last.visits).length + 1 : 0) * 0.92 : 0;
      if (last?.visits) this.#wordy = Math.max(this.#wordy, worth(last).length + grouped(last.visits).length + 2);
      longest = Math.max(longest, Math.min(LONGEST, Math.max((node.label ?? node.note ?? "").length, value)));
    }
    this.#slot = Math.max(46, Math.ceil(longest * 8 + 16));
    this.#look();
  }

  /** Looks at the first position: in a small game the nodes are boards. */
  async #look() {
    await this.scenes?.ask(["[]"]);
    if (!isSmall(this.scenes?.get("[]"))) return;
    this.#boards = true;
    this.#slot = Math.max(this.#slot, SIDE + 20, Math.ceil(this.#wordy * 7.3 + 12));
    this.#most = 0;
    this.show(this.#index);
  }

  /** Asks for the boards that are in sight: one question at a time. */
  async #ask(lines) {
    if (this.#asking || !lines.length) return;
    this.#asking = true;
    await this.scenes.ask(lines);
    this.#asking = false;
    this.show(this.#index);
  }

  /** The moves that lead to a node, as the text of a list. */
  #line(node) {
    node.line ??= JSON.stringify(node.path().filter((one) => one.isMove).map((one) => one.label));
    return node.line;
  }

  /** What is always unfolded is as much as the page is wide. */
  #unfold() {
    const most = Math.max(6, Math.floor((this.root.clientWidth || 640) / this.#slot / 0.85));
    if (most === this.#most) return;
    this.#most = most;
    this.#always = alwaysOpen(this.#tree.root, most);
  }

  show(index) {
    this.#index = index;
    this.#unfold();
    const tree = this.#tree;
    const current = tree.about[index] ?? tree.root;
    const places = layOut(tree, this.#always, current, index, this.#slot, this.#boards ? BOARDS : this.windows ? ROW : TRIALS);
    const line = tree.bestLine(index);
    const path = new Set(current.path());
    const [edges, marks, wanted] = [[], [], []];
    const reach = this.#boards ? SIDE / 2 + 22 : 12;
    const opens = (node) => node.openAt <= index;

    for (const spot of places.spots) {
      const { node } = spot;
      if (!opens(node)) continue;
      const state = node.values.at(index);
      const isBoard = this.#boards && (node.isMove || !node.parent);
      if (isBoard && !this.scenes.has(this.#line(node))) wanted.push(this.#line(node));
      const scene = isBoard ? this.scenes.get(this.#line(node)) : null;
      spot.reach = scene ? reach : state?.visits ? 19 : 12;
      if (spot.from) edges.push(edge(spot, ["edge", path.has(node) && "on-path", line.has(node) && "lit", state?.best && "best"]));
      // What is folded away here, and what the recorder left out of the file.
      const isLeaf = spot.folded || !node.children.length;
      if (isLeaf && (state?.inside || tree.opened(node, index))) marks.push(wedge(spot));
      if (isLeaf && state?.inside) marks.push(s("text", { class: "more", x: spot.x, y: spot.y + spot.reach + 27, dy: "0.36em" }, `+${grouped(state.inside)}`));
      marks.push(this.#node(spot, state, { current: node === current, onPath: path.has(node), lit: line.has(node), scene }));
    }
    for (const stub of places.stubs) {
      if (stub.more > 0) {
        edges.push(edge(stub, ["edge", "faint"]));
        marks.push(s("text", { class: "more", x: stub.x, y: stub.y, dy: "0.36em" }, `+${grouped(stub.more)}`));
      }
    }
    for (const stub of places.cuts) {
      const cut = stub.of.cuts.at(index);
      if (!cut || !opens(stub.of)) continue;
      edges.push(edge(stub, ["edge", "cut"]));
      marks.push(
        s(
          "g",
          { class: "cut-mark", transform: `translate(${stub.x} ${stub.y})` },
          s("title", {}, word("tree-cut", { n: grouped(cut.rest) })),
          s("rect", { x: -this.#slot / 2 + 3, y: -13, width: this.#slot - 6, height: 26, rx: 13 }),
          s("text", { dy: "0.36em" }, `✂ ${grouped(cut.rest)}`),
        ),
      );
    }
    this.svg.replaceChildren(...edges, ...marks);
    this.view.fit(places.width, places.height, places.here, places.spots.filter(({ node }) => line.has(node)));
    this.#tell(current);
    if (this.#boards) this.#ask(wanted);
  }

  /** What the recorder left out below the node at this step: the moves that lead there, and what the thread says of it. */
  below(index) {
    const node = this.#tree.about[index];
    const state = node?.values.at(index);
    return node && state?.inside ? { line: node.path().filter((one) => one.isMove).map((one) => one.label), state } : null;
  }

  #node(spot, state, { current, onPath, lit, scene }) {
    const { node, x, y } = spot;
    const label = node.label ?? node.note ?? (node.parent ? "·" : word("start"));
    const value = state ? worth(state) : "";
    const wide = Math.max(this.#slot - 6, short(label).length * 8 + 12);
    // Trial games stand below their mean; a node that is a board has one row for both.
    const games = state?.visits ? `×${grouped(state.visits)}` : "";
    const half = scene ? SIDE / 2 + 20 : games ? 25 : value ? 18 : 14;
    const below = state?.visits ? word("tree-games", { n: grouped(state.visits) }) : state?.inside ? word("tree-inside", { n: grouped(state.inside) }) : "";
    const group = s(
      "g",
      {
        class: ["node", current && "current", onPath && "on-path", lit && "lit", state ? "closed" : "open", state?.best && "best"].filter(Boolean).join(" "),
        transform: `translate(${x} ${y})`,
        "data-open": node.openAt,
      },
      s("title", {}, [label, value, state?.is === "exact" ? word("goal-proved") : "", below].filter(Boolean).join(", ")),
      s("rect", { class: "frame", x: -wide / 2, y: -half, width: wide, height: 2 * half, rx: 9 }),
      s("text", { class: "label", y: scene ? 12 - half : games ? -13 : value ? -6 : 0, dy: "0.36em" }, short(label)),
    );
    if (scene) group.append(smallBoard(scene));
    if (value) group.append(s("text", { class: "value", y: scene ? half - 11 : games ? 1 : 9, dy: "0.36em" }, scene && games ? `${value} ${games}` : value));
    if (games && !scene) group.append(s("text", { class: "value games", y: 14, dy: "0.36em" }, games));
    return group;
  }

  /** The line in words, and the window that the node was searched with. */
  #tell(current) {
    const words = current.path().map((node) => node.label ?? node.note ?? (node.parent ? null : word("start"))).filter(Boolean);
    const text = words.length > 9 ? [word("start"), "…", ...words.slice(-7)] : words;
    const parts = [h("span", {}, text.join(" › "))];
    if (current.window && this.windows) parts.push(h("span", { class: "muted" }, ` ${word("window", { low: signed(current.window[0]), high: signed(current.window[1]) })}`));
    this.crumbs.replaceChildren(...parts);
  }
}

/** What a node is worth: a tick where that is proved, a sign where it is a bound. */
function worth({ value, is }) {
  const sign = { "at least": "≥ ", "at most": "≤ " }[is] ?? "";
  return sign + signed(value) + (is === "exact" ? "✓" : "");
}

function edge(spot, names) {
  const { x, y, from } = spot;
  const middle = (from.y + y) / 2;
  const [top, end] = [from.y + (from.reach ?? 12), y - (spot.reach ?? 12)];
  return s("path", { class: names.filter(Boolean).join(" "), d: `M${from.x} ${top}C${from.x} ${middle} ${x} ${middle} ${x} ${end}` });
}

/** What is folded away below a node. */
function wedge({ x, y, reach }) {
  return s("path", { class: "wedge", d: `M${x} ${y + reach}l11 20h-22Z` });
}

function short(label) {
  return label.length > LONGEST ? `${label.slice(0, LONGEST - 1)}…` : label;
}
