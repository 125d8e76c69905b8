/**
 * Where the nodes of a tree lie, so that the current line is always in sight.
 *
 * A search opens far more nodes than a page has room for. So a few nodes near the root are always
 * unfolded, the line to the current node is unfolded, and everything else is folded into a wedge.
 * Room is kept for children that are not open yet: the tree grows without moving about.
 * @module
 */

/** How many children of one node are shown at once. */
const ABREAST = 30;
/** From one row to the next, where nodes are moves. */
export const ROW = 66;

/**
 * The nodes that are always unfolded: level by level, as many as have no more leaves than fit.
 * @param {any} root
 * @param {number} most
 */
export function alwaysOpen(root, most) {
  const open = new Set();
  let leaves = 1;
  let level = [root];
  while (level.length) {
    const next = [];
    for (const node of level) {
      const more = Math.min(node.children.length, ABREAST) + (node.cuts.steps.length ? 1 : 0) - 1;
      if (!node.children.length || leaves + more > most) continue;
      leaves += more;
      open.add(node);
      next.push(...node.children);
    }
    level = next;
  }
  return open;
}

/**
 * @typedef {{node: any, x: number, y: number, folded: boolean, from: {x: number, y: number} | null}} Spot
 * @typedef {{x: number, y: number, from: {x: number, y: number}, of: any, more?: number}} Stub
 * @param {any} tree
 * @param {Set<any>} always
 * @param {any} current the node in focus
 * @param {number} index the step
 * @param {number} slot the width of a leaf
 * @param {number} [tall] from one row to the next
 * @returns {{spots: Spot[], stubs: Stub[], cuts: Stub[], width: number, height: number, here: Spot}}
 */
export function layOut(tree, always, current, index, slot, tall = ROW) {
  const path = current.path();
  const onPath = new Set(path);
  const spots = [];
  const stubs = [];
  const cuts = [];
  let [right, deepest, here] = [0, 0, null];

  const leaf = (y) => {
    right += slot;
    deepest = Math.max(deepest, y);
    return right - slot / 2;
  };

  const place = (node, row) => {
    const y = row * tall + tall / 2 - 5;
    const isOpen = node.children.length > 0 && (always.has(node) || onPath.has(node));
    const spot = { node, x: 0, y, folded: !isOpen && node.children.length > 0, from: null };
    spots.push(spot);
    if (node === current) here = spot;
    deepest = Math.max(deepest, y);
    const below = [];
    if (isOpen) {
      const [first, last] = shown(node, onPath, tree.opened(node, index));
      if (first > 0) below.push(stub(stubs, node, leaf(y + tall), y + tall, first));
      for (const child of node.children.slice(first, last)) below.push(place(child, row + 1));
      const rest = tree.opened(node, index) - last;
      if (last < node.children.length) below.push(stub(stubs, node, leaf(y + tall), y + tall, Math.max(0, rest)));
      if (node.cuts.steps.length) below.push(stub(cuts, node, leaf(y + tall), y + tall, 0));
    } else if (node.cuts.steps.length && onPath.has(node)) {
      below.push(stub(cuts, node, leaf(y + tall), y + tall, 0));
    }
    spot.x = below.length ? (below[0].x + below.at(-1).x) / 2 : leaf(y);
    for (const one of below) one.from = spot;
    return spot;
  };

  place(tree.root, 0);
  return { spots, stubs, cuts, width: right, height: deepest + tall / 2 + 7, here: here ?? spots[0] };
}

function stub(list, of, x, y, more) {
  const one = { of, x, y, more, from: null };
  list.push(one);
  return one;
}

/** Which children of a crowded node are shown: those around the one on the line. */
function shown(node, onPath, opened) {
  const all = node.children.length;
  if (all <= ABREAST) return [0, all];
  let focus = node.children.findIndex((child) => onPath.has(child));
  if (focus < 0) focus = Math.max(0, opened - 1);
  // Windows move in leaps, so that the picture rests while the search goes through them.
  const first = Math.min(all - ABREAST, Math.max(0, Math.floor((focus - 4) / (ABREAST - 8)) * (ABREAST - 8)));
  return [first, first + ABREAST];
}
