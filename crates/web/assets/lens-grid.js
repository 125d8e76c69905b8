/**
 * The lens `grid`: a table whose cells fill in as they become known.
 * @module
 */

import { apart } from "./called.js";
import { h } from "./dom.js";
import { History, Shelf } from "./history.js";
import { fixed, grouped, number, plain } from "./numbers.js";
import { word } from "./words.js";

const MOST_ROWS = 40;
const MOST_COLUMNS = 16;
/** The line under the largest number, in pixels: no cell is narrower. */
const LONGEST = 60;

export default class GridLens {
  #rows = new Set();
  #columns = new Set();
  #cells = new Shelf(() => new History());
  #about = [];
  #low = Infinity;
  #high = -Infinity;
  #whole = true;

  constructor(root, header) {
    this.header = header;
    this.place = h("div", { class: "grid-lens", tabindex: "0", role: "region", "aria-label": word("table") });
    root.append(this.place);
  }

  steps(all) {
    let here = null;
    all.forEach(({ kind, data }, i) => {
      if (kind === "cell" && data.row !== undefined && data.column !== undefined) here = this.#take(i, String(data.row), String(data.column), data);
      // A round of a search ends with the value of every move of the root.
      if (isRound(kind, data)) for (const one of data.moves) here = this.#take(i, String(one.move), String(data.depth), one);
      // A decision is about what was chosen, not about the cell before it.
      if (kind === "choose" && data.answer !== undefined) here = this.#named(String(data.answer)) ?? here;
      this.#about[i] = here;
    });
  }

  /** The cell or the row that an answer names. */
  #named(answer) {
    for (const row of this.#rows) {
      if (row === answer) return { row, column: null };
      for (const column of this.#columns) if (`${row} + ${column}` === answer) return { row, column };
    }
    return null;
  }

  #take(i, row, column, data) {
    this.#rows.add(row);
    this.#columns.add(column);
    this.#cells.take(`${row}\u0000${column}`).set(i, data);
    const value = number(data.value);
    if (value !== null && Number.isFinite(value)) {
      if (!Number.isInteger(value)) this.#whole = false;
      [this.#low, this.#high] = [Math.min(this.#low, value), Math.max(this.#high, value)];
    }
    return { row, column };
  }

  show(index) {
    const here = this.#about[index];
    const [rows, hiddenRows] = near([...this.#rows], here?.row, MOST_ROWS);
    const [columns, hiddenColumns] = near([...this.#columns], here?.column, MOST_COLUMNS);
    const [rowNames, columnNames] = [apart(rows), apart(columns)];
    const table = h(
      "table",
      { class: "data grid" },
      h("thead", {}, h("tr", {}, h("td", {}), ...columnNames.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, ...rows.map((row, i) => h("tr", {}, h("th", { scope: "row" }, rowNames[i]), ...columns.map((column) => this.#cell(row, column, here, index))))),
    );
    const hidden = [hiddenRows && word("rows", { n: grouped(hiddenRows) }), hiddenColumns && word("columns", { n: grouped(hiddenColumns) })].filter(Boolean);
    this.place.replaceChildren(table);
    if (hidden.length) this.place.append(h("p", { class: "muted" }, word("out-of-sight", { what: hidden.join(", ") })));
  }

  /** All numbers with as many places, so that they stand under each other. */
  #write(value) {
    return this.#whole || !Number.isFinite(value) ? plain(value) : fixed(value, this.#high - this.#low > 1 ? 2 : 3);
  }

  #cell(row, column, here, index) {
    const data = this.#cells.get(`${row}\u0000${column}`)?.at(index);
    const current = here && here.row === row && (here.column === column || here.column === null);
    if (!data) return h("td", { class: current ? "current" : null });
    const value = number(data.value);
    const bound = { "at most": "≤\u00a0", "at least": "≥\u00a0" }[data.is] ?? "";
    const cell = h("td", { class: current ? "known current" : "known" }, value === null ? String(data.value ?? "") : bound + this.#write(value));
    if (Array.isArray(data.interval)) cell.append(h("small", { class: "muted" }, ` ${data.interval.map((x) => this.#write(number(x) ?? 0)).join(" – ")}`));
    if (value !== null && this.#high > this.#low) {
      // The longer the line under the number, the larger it is: a second reading of the same thing.
      const bar = h("span", { class: "level", "aria-hidden": "true" });
      // In pixels: columns of different width have one scale.
      bar.style.width = `${Math.max(2, ((value - this.#low) / (this.#high - this.#low)) * LONGEST)}px`;
      cell.append(bar);
    }
    return cell;
  }
}

/** Whether a step ends a round of a search and says what every move of the root is worth by then. */
export function isRound(kind, data) {
  return kind === "count" && Array.isArray(data.moves) && data.depth !== undefined;
}

/** As many names as fit around the current one, and how many do not. */
function near(names, current, most) {
  if (names.length <= most) return [names, 0];
  const at = Math.max(0, names.indexOf(current));
  const from = Math.min(names.length - most, Math.max(0, at - (most >> 1)));
  return [names.slice(from, from + most), names.length - most];
}
