/**
 * Where the cells of a scene lie: a board with names at its edges, or a strip that wraps.
 *
 * Lengths are SVG units. A board is scaled to the page, so its units are free; a strip wraps, so
 * its units are the pixels of the page.
 * @module
 */

/** A cell of a board, in units. */
const CELL = 64;
/** A row or column of a board that is only a gap. */
const NARROW = 24;
/** A cell of a strip: as large as a thumb needs, with room around it. */
const STRIP = 48;
/** So many times larger is a short strip drawn. */
const LARGER = 2;
/** How large a cell of a board gets, in pixels: the board is the largest thing on its page, and in sight at once where thumbs allow it. */
function largest(across, down) {
  const most = Math.max(across, down);
  return Math.max(across > 14 ? 0 : 44, Math.min(140, 640 / most, Math.max(76, 420 / most)));
}

/**
 * @typedef {{x: number, y: number, w: number, h: number}} Box
 * @typedef {{width: number, height: number, most: number | null, boxes: Box[], rows: number[][],
 *   names: {x: number, y: number, text: string}[], size: number}} Places
 */

/**
 * The places of all cells.
 * @param {any} scene
 * @param {number} room how many pixels a strip may be wide
 * @returns {Places}
 */
export function places(scene, room) {
  const board = scene.layout?.board;
  return board ? onBoard(scene.cells, board) : onStrip(scene.cells, room);
}

function onBoard(cells, { columns, rows }) {
  const across = Math.max(1, columns.length);
  const pixels = largest(across, rows.length);
  const named = columns.some(Boolean) || rows.some(Boolean);
  // Names are about as large as the page's text, and still readable when a phone scales them down.
  const size = Math.max((16 * CELL) / pixels, across * 2);
  const edge = named ? size * 1.5 : 4;
  const only = (list) => list.length > 0 && list.every((cell) => cell?.tint === "gap");
  const widths = columns.map((_, c) => (only(rows.map((__, r) => cells[r * across + c])) ? NARROW : CELL));
  const heights = rows.map((_, r) => (only(cells.slice(r * across, (r + 1) * across)) ? NARROW : CELL));
  const lefts = sums(edge, widths);
  const tops = sums(4, heights);
  const boxes = cells.map((_, i) => {
    const [r, c] = [Math.floor(i / across), i % across];
    return { x: lefts[c], y: tops[r], w: widths[c], h: heights[r] };
  });
  const below = tops[rows.length];
  const names = [];
  columns.forEach((text, c) => {
    if (text) names.push({ x: lefts[c] + widths[c] / 2, y: below + edge / 2 + 2, text });
  });
  rows.forEach((text, r) => {
    if (text) names.push({ x: edge / 2 - 2, y: tops[r] + heights[r] / 2, text });
  });
  const width = lefts[across] + 4;
  return {
    width,
    height: below + edge,
    most: (pixels * width) / CELL,
    boxes,
    rows: rows.map((_, r) => range(r * across, Math.min(cells.length, (r + 1) * across))),
    names,
    size,
  };
}

function onStrip(cells, room) {
  const boxes = [];
  const rows = [[]];
  let [x, y, widest] = [4, 4, STRIP];
  cells.forEach((cell, i) => {
    const w = isNarrow(cell) ? NARROW : STRIP;
    if (x + w > room - 4 && rows.at(-1).length > 0) {
      [x, y] = [4, y + STRIP + 8];
      rows.push([]);
    }
    boxes.push({ x, y, w, h: STRIP });
    rows.at(-1).push(i);
    x += w;
    widest = Math.max(widest, x);
  });
  // A short line is drawn larger, a long one wraps.
  const most = rows.length > 1 ? widest + 4 : Math.min(room, (widest + 4) * LARGER);
  return { width: widest + 4, height: y + STRIP + 4, most, boxes, rows, names: [], size: 14 };
}

/** A gap between cells; one where nothing fits any more says so in its note. */
export function isNarrow(cell) {
  return cell.tint === "gap" || (cell.tint === "dead" && !cell.token && Boolean(cell.note));
}

function sums(start, parts) {
  const out = [start];
  for (const part of parts) out.push(out.at(-1) + part);
  return out;
}

function range(from, to) {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
}
