/**
 * The nodes of a small game's tree as boards.
 * @module
 */

import { s } from "./dom.js";
import { places } from "./board-layout.js";
import { drawToken } from "./board-token.js";

/** Boards with more cells than this are no nodes: their pieces would be specks. */
const MOST = 16;
/** How large a board is in the tree. */
export const SIDE = 60;

/** Whether a position can be a node. */
export function isSmall(scene) {
  return Boolean(scene?.layout?.board) && scene.cells.length <= MOST;
}

/** A small board around its own middle. */
export function smallBoard(scene) {
  const { boxes } = places({ ...scene, layout: { board: bare(scene.layout.board) } }, SIDE);
  const [wide, tall] = ["x", "y"].map((axis) => Math.max(...boxes.map((box) => box[axis] + (axis === "x" ? box.w : box.h))) + 4);
  const scale = SIDE / Math.max(wide, tall);
  const cells = scene.cells.map((cell, i) => {
    const { x, y, w, h } = boxes[i];
    const parts = [s("rect", { class: `field ${cell.tint ?? "plain"}`, x: 2 - w / 2, y: 2 - h / 2, width: w - 4, height: h - 4, rx: 6 })];
    if (cell.light) parts.push(s("rect", { class: `lamp ${cell.light}`, x: 6 - w / 2, y: 6 - h / 2, width: w - 12, height: h - 12, rx: 6 }));
    if (cell.token) parts.push(drawToken(cell.token));
    return s("g", { transform: `translate(${x + w / 2} ${y + h / 2})` }, ...parts);
  });
  return s("g", { class: "small-board", transform: `scale(${scale}) translate(${-wide / 2} ${-tall / 2})` }, ...cells);
}

/** A board without names at its edges. */
function bare({ columns, rows }) {
  return { columns: columns.map(() => ""), rows: rows.map(() => "") };
}
