/**
 * The tree that a thread tells of, with the steps at which each node was opened, valued and cut.
 *
 * Searches that go deep first open and close each node once; searches by playouts close a node
 * again and again with a better average. Both are the same here: a node has a history of values.
 * @module
 */

import { History, countUpTo } from "./history.js";
import { word } from "./words.js";

/** The two sides of a value, each with moves of its own to show it. */
const CLAIMS = { "at least": "claim-least", "at most": "claim-most" };

export class TreeNode {
  constructor(id, parent, label, openAt) {
    this.id = id;
    /** @type {TreeNode | null} */
    this.parent = parent;
    this.label = label;
    this.openAt = openAt;
    /** @type {TreeNode[]} in the order in which they were opened */
    this.children = [];
    /** @type {number[]} when each child was opened */
    this.childrenAt = [];
    /** What was known about its worth, and when. */
    this.values = new History();
    /** How many moves were skipped here, and when. */
    this.cuts = new History();
    this.depth = parent ? parent.depth + 1 : 0;
    this.window = null;
  }

  /** Whether it stands for a move, or groups the moves below it: a round of deepening, the start. */
  get isMove() {
    return this.label !== null;
  }

  /** The line from the root to here. */
  path() {
    const out = [];
    for (let node = this; node; node = node.parent) out.push(node);
    return out.reverse();
  }
}

/**
 * The nodes from one to a move below it: several looks at the same position may stand between, of which the last counts.
 * @returns {TreeNode[] | null}
 */
function towards(node, move, index) {
  const open = node.children.filter((child) => child.openAt <= index);
  const there = open.find((child) => child.label === move);
  if (there) return [there];
  for (const look of open.reverse()) {
    const way = look.isMove ? null : towards(look, move, index);
    if (way) return [look, ...way];
  }
  return null;
}

export class Tree {
  constructor(steps) {
    /** @type {Map<any, TreeNode>} */
    this.nodes = new Map();
    /** @type {TreeNode | null} */
    this.root = null;
    /** The node that each step is about. @type {TreeNode[]} */
    this.about = new Array(steps.length);
    /** The line that is best so far, as moves. */
    this.best = new History();
    let here = null;
    steps.forEach((step, i) => {
      here = this.#take(step, i) ?? here;
      this.about[i] = here;
    });
    this.root ??= new TreeNode(null, null, null, 0);
    for (let i = 0; i < this.about.length && !this.about[i]; i += 1) this.about[i] = this.root;
  }

  #take({ kind, data }, i) {
    if (kind === "open" && data.id !== undefined) return this.#open(data, i);
    if (kind === "improve" || kind === "choose") {
      const line = Array.isArray(data.line) ? data.line : data.answer ? [].concat(data.answer) : [];
      this.best.set(i, line.map(String));
      return this.root;
    }
    const node = this.nodes.get(data.id);
    if (!node) return null;
    if (kind === "close") {
      node.values.set(i, { value: data.value ?? null, best: Boolean(data.best), is: data.is ?? (data.proved ? "exact" : "estimate"), visits: data.visits ?? null, inside: data.inside ?? 0 });
    } else if (kind === "cut") {
      node.cuts.set(i, { rest: data.rest ?? 0, bound: data.bound ?? null });
    }
    return node;
  }

  #open(data, i) {
    let parent = this.nodes.get(data.parent) ?? null;
    // A room may number its nodes from a root that it never opens.
    if (!parent && this.root) parent = this.root;
    if (!parent && data.parent !== null && data.parent !== undefined) {
      parent = new TreeNode(data.parent, null, null, i);
      this.nodes.set(data.parent, parent);
      this.root = parent;
    }
    const label = data.move ?? data.label ?? data.goal ?? null;
    const node = new TreeNode(data.id, parent, label === null ? null : String(label), i);
    if (label === null && data.depth !== undefined) node.note = word("tree-deep", { n: data.depth });
    else if (label === null && data.period !== undefined) node.note = word("tree-period", { n: data.period });
    else if (label === null && Object.hasOwn(CLAIMS, data.claim)) node.note = word(CLAIMS[data.claim]);
    else if (label === null && parent && data.alpha !== undefined) node.note = word("tree-again");
    if (data.alpha !== undefined) node.window = [data.alpha, data.beta];
    this.nodes.set(data.id, node);
    this.root ??= node;
    if (parent) {
      parent.children.push(node);
      parent.childrenAt.push(i);
    }
    return node;
  }

  /** How many children of a node are open at a step. */
  opened(node, index) {
    return countUpTo(node.childrenAt, index);
  }

  /** The nodes of the best line at a step, under the latest round of deepening that knows it. */
  bestLine(index) {
    const line = this.best.at(index) ?? [];
    const out = new Set();
    if (!line.length || !this.root) return out;
    const starts = [this.root, ...this.root.children.filter((child) => !child.isMove && child.openAt <= index).reverse()];
    for (const start of starts) {
      let node = start;
      const found = [];
      for (const move of line) {
        const way = towards(node, move, index);
        if (!way) break;
        found.push(...way);
        node = way.at(-1);
      }
      if (found.length > out.size) {
        out.clear();
        if (start !== this.root) out.add(start);
        for (const one of found) out.add(one);
        if (found.filter((one) => one.isMove).length === line.length) break;
      }
    }
    if (out.size) out.add(this.root);
    return out;
  }
}
