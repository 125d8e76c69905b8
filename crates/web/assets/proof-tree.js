/**
 * A proof as a tree that grows to the right: goals are boxes, the goals that they need stand behind
 * them, and colour and mark say what became of each.
 * @module
 */

import { s } from "./dom.js";
import { grouped } from "./numbers.js";
import { alwaysOpen, layOut } from "./tree-layout.js";
import { View } from "./tree-view.js";
import { word } from "./words.js";

/** From one goal to the next, down and to the right. */
const ROW = 34;
const COLUMN = 236;
/** A box, and how many letters fit into it. */
const WIDE = 200;
const TALL = 26;
const LETTERS = 25;
/** So many goals are always unfolded. */
const SHOWN = 14;

export class ProofTree {
  #tree;
  #always;

  constructor(root, tree) {
    this.#tree = tree;
    this.#always = alwaysOpen(tree.root, SHOWN);
    this.svg = s("svg", { class: "tree proof-tree", role: "img", "aria-label": word("proof-label") });
    root.append(this.svg);
    this.view = new View(root, this.svg);
    this.svg.addEventListener("click", (event) => {
      const spot = event.target.closest("[data-open]");
      if (spot && !this.view.dragged) this.svg.dispatchEvent(new CustomEvent("seek", { detail: { index: Number(spot.dataset.open) }, bubbles: true }));
    });
    new ResizeObserver(() => this.again?.()).observe(root);
  }

  /**
   * @param {number} index the step
   * @param {any} current the goal at this step
   * @param {(node: any) => {mark: string, state: string, text: string}} told what became of a goal by then
   */
  show(index, current, told) {
    this.again = () => this.show(index, current, told);
    const tree = this.#tree;
    const places = layOut(tree, this.#always, current, index, ROW, COLUMN);
    const path = new Set(current.path());
    const [edges, marks] = [[], []];
    for (const spot of places.spots) {
      if (spot.node.openAt > index) continue;
      const { mark, state, text } = told(spot.node);
      if (spot.from) edges.push(edge(spot, path.has(spot.node) ? "edge on-path" : "edge"));
      const hidden = spot.folded ? tree.opened(spot.node, index) : 0;
      const [x, y] = [spot.y - WIDE / 2, spot.x];
      marks.push(
        s(
          "g",
          { class: ["goal-box", state, spot.node === current && "current"].filter(Boolean).join(" "), transform: `translate(${x} ${y})`, "data-open": spot.node.openAt },
          s("title", {}, text),
          s("rect", { class: "frame", y: -TALL / 2, width: WIDE, height: TALL, rx: 8 }),
          s("text", { class: "goal-mark", x: 12, dy: "0.36em" }, mark),
          s("text", { class: "goal-text", x: 24, dy: "0.36em" }, short(text)),
        ),
      );
      if (hidden) marks.push(s("text", { class: "more", x: x + WIDE + 16, y, dy: "0.36em" }, `+${grouped(hidden)}`));
    }
    for (const stub of places.stubs) {
      if (stub.more <= 0) continue;
      edges.push(edge(stub, "edge faint"));
      marks.push(s("text", { class: "more", x: stub.y - WIDE / 2 + 16, y: stub.x, dy: "0.36em" }, `+${grouped(stub.more)}`));
    }
    this.svg.replaceChildren(...edges, ...marks);
    this.view.fit(places.height, places.width, { x: places.here.y, y: places.here.x });
  }
}

/** From the right side of a goal to the left side of one that it needs. */
function edge({ x, y, from }, name) {
  const [left, right] = [from.y + WIDE / 2, y - WIDE / 2];
  const middle = (left + right) / 2;
  return s("path", { class: name, d: `M${left} ${from.x}C${middle} ${from.x} ${middle} ${x} ${right} ${x}` });
}

function short(text) {
  return text.length > LETTERS ? `${text.slice(0, LETTERS - 1)}…` : text;
}
