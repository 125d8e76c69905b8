/**
 * The lens `map`: places that a search reaches and settles, in order.
 *
 * Places with coordinates (`x` and `y`, or `lon` and `lat`) lie where they are. Places with names
 * only lie by what they cost: the cheaper, the further left, so that settling moves to the right
 * like a wave. A search that only walks from one solution to the next is drawn as the curve of its
 * cost. Tens of thousands of places are drawn on a canvas, because elements would be too slow.
 * @module
 */

import { cleanPen, colours } from "./colours.js";
import { h } from "./dom.js";
import { History, Shelf, countUpTo } from "./history.js";
import { number, plain } from "./numbers.js";
import { chartPlaces } from "./map-places.js";
import { word } from "./words.js";

/** With more places than this only dots are drawn, and square ones: a jump must not be felt. */
const CROWD = 4000;
/** What things are drawn in. */
const LOOK = { ink: "var(--ink)", muted: "var(--soft)", paper: "var(--panel)", line: "var(--line)", settled: "var(--blue)", frontier: "var(--orange)", way: "var(--accent)" };
/** The tallest the picture gets; on a phone it is less. */
const TALLEST = 380;

class Place {
  constructor(name) {
    this.name = name;
    this.label = null;
    this.reachedAt = Infinity;
    this.settledAt = Infinity;
    this.from = new History();
    this.x = null;
    this.y = null;
    this.cost = null;
  }
}

export default class MapLens {
  #places = new Shelf((name) => new Place(name));
  #all = [];
  #about = [];
  #answer = new History();
  #index = 0;
  #chart = { axis: "", ratio: null };
  /** What lies under everything: the edges of the map, its lines, and where the search wants to go. */
  #ground = { frame: null, strokes: [], goal: null };
  /** The drawn ground, and what it was drawn for. */
  #floor = { canvas: null, drawn: "" };
  /** Whether the steps are moves from one solution to the next, not places of a graph. */
  #walk = false;

  constructor(root) {
    this.root = root;
    this.canvas = h("canvas", { class: "map", role: "img", "aria-label": word("map-label") });
    this.legend = h(
      "p",
      { class: "legend muted" },
      ...[["settled", word("map-settled")], ["frontier", word("map-frontier")], ["way", word("map-way")]].map(([name, words]) => h("span", {}, h("span", { class: `key ${name}` }), ` ${words}`)),
    );
    this.counts = h("span", { class: "number" });
    this.legend.append(this.counts);
    root.append(this.canvas, this.legend);
    new ResizeObserver(() => this.show(this.#index)).observe(root);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.show(this.#index));
  }

  steps(all) {
    let here = null;
    this.#walk = all.some(({ kind, data }) => kind === "visit" && typeof data.from === "number" && typeof data.cost === "number" && typeof data.node === "string");
    all.forEach(({ kind, data }, i) => {
      if ((kind === "visit" || kind === "relax") && data.node !== undefined) here = this.#walk ? this.#move(data, i, here) : this.#take(kind, data, i);
      if (kind === "note" && Array.isArray(data.frame)) this.#ground = { frame: data.frame, strokes: data.network ?? [], goal: data.goal ?? null };
      if (kind === "choose" || kind === "improve") {
        const line = Array.isArray(data.answer) ? data.answer : Array.isArray(data.line) ? data.line : null;
        if (line) this.#answer.set(i, line.map(String));
      }
      this.#about[i] = here;
    });
    this.#all = [...this.#places.values()];
    this.#chart = chartPlaces(this.#all, this.#walk, this.#ground.frame);
    this.settled = this.#all.map((place) => place.settledAt).filter(Number.isFinite).sort((a, b) => a - b);
    this.reached = this.#all.map((place) => place.reachedAt).sort((a, b) => a - b);
  }

  #take(kind, data, i) {
    const place = this.#places.take(String(data.node));
    place.reachedAt = Math.min(place.reachedAt, i);
    if (kind === "visit") place.settledAt = Math.min(place.settledAt, i);
    if (data.from !== undefined && data.from !== null) place.from.set(i, String(data.from));
    if (data.label) place.label = String(data.label);
    const cost = number(data.cost);
    if (cost !== null) place.cost = place.cost === null ? cost : Math.min(place.cost, cost);
    const [x, y] = [number(data.x ?? data.lon), number(data.y ?? data.lat)];
    if (x !== null && y !== null) {
      place.x = x;
      // North is up, and so is a larger y.
      place.y = -y;
    }
    return place;
  }

  /** A move of a walk: always a new place, reached from the one before. */
  #move(data, i, before) {
    const place = this.#places.take(i);
    [place.name, place.reachedAt, place.settledAt, place.cost] = [String(data.node), i, i, data.cost];
    if (before) place.from.set(i, this.#key(before));
    return place;
  }

  #key(place) {
    return this.#walk ? place.reachedAt : place.name;
  }

  show(index) {
    this.#index = index;
    const width = this.root.clientWidth;
    if (!width || !this.#all.length) return;
    const height = Math.round(Math.min(TALLEST, Math.max(240, width * 0.6)));
    const pen = cleanPen(this.canvas, width, height);
    const look = colours(this.root, LOOK);
    const at = this.#frame(width, height);
    this.#axes(pen, look, width, height);
    this.#strokes(pen, look, at, width, height);

    const settled = countUpTo(this.settled, index);
    const reached = countUpTo(this.reached, index);
    const crowded = this.#all.length > CROWD;
    if (!crowded) this.#edges(pen, look, at, index);
    // Dots that touch show nothing: the more there are, the smaller they get.
    const size = this.#walk ? 2 : Math.min(4.5, Math.max(0.9, Math.sqrt((width * height) / this.#all.length) * 0.15));
    for (const isSettled of [true, false]) {
      const dots = this.#all.filter((place) => place.reachedAt <= index && place.settledAt <= index === isSettled);
      const colour = isSettled ? look.settled : look.frontier;
      if (crowded) squares(pen, dots, at, size, colour);
      else circles(pen, dots, at, size, colour, isSettled ? colour : look.paper);
    }
    this.#target(pen, look, at);
    this.#way(pen, look, at, index);
    for (const part of this.legend.children) if (part !== this.counts) part.hidden = this.#walk;
    this.counts.textContent = this.#walk ? word("map-moves", { n: plain(reached) }) : word("map-counts", { settled: plain(settled), waiting: plain(reached - settled) });
  }

  /** The lines of the map, which lie still: drawn once for each size and colour. */
  #strokes(pen, look, at, width, height) {
    const { spot } = this.#chart;
    const { strokes } = this.#ground;
    if (!spot || !strokes.length) return;
    const drawn = `${width} ${height} ${this.canvas.width} ${look.line}`;
    if (this.#floor.drawn !== drawn) {
      const canvas = h("canvas", {});
      const floor = cleanPen(canvas, width, height);
      floor.lineWidth = 1;
      floor.strokeStyle = look.line;
      floor.beginPath();
      for (let i = 0; i + 3 < strokes.length; i += 4) {
        floor.moveTo(...at(spot(strokes[i], -strokes[i + 1])));
        floor.lineTo(...at(spot(strokes[i + 2], -strokes[i + 3])));
      }
      floor.stroke();
      this.#floor = { canvas, drawn };
    }
    pen.drawImage(this.#floor.canvas, 0, 0, width, height);
  }

  /** The place that is looked for, above everything that was reached. */
  #target(pen, look, at) {
    const { spot } = this.#chart;
    const { goal } = this.#ground;
    if (!spot || !goal || goal.x === null) return;
    const [x, y] = at(spot(goal.x, -goal.y));
    pen.lineWidth = 2.5;
    pen.strokeStyle = look.ink;
    pen.strokeRect(x - 6, y - 6, 12, 12);
    this.#name(pen, look, goal.label, x, y);
  }

  #name(pen, look, text, x, y) {
    pen.font = "600 13px system-ui, sans-serif";
    const wide = pen.measureText(text).width;
    const left = Math.min(Math.max(4, x - wide / 2), this.canvas.clientWidth - wide - 4);
    const top = y < 30 ? y + 22 : y - 12;
    pen.lineWidth = 4;
    pen.strokeStyle = look.paper;
    pen.strokeText(text, left, top);
    pen.fillStyle = look.ink;
    pen.fillText(text, left, top);
  }

  /** How each place was reached. */
  #edges(pen, look, at, index) {
    pen.lineWidth = 1;
    pen.strokeStyle = look.line;
    pen.beginPath();
    for (const place of this.#all) {
      const from = place.reachedAt <= index ? this.#places.get(place.from.at(index)) : null;
      if (!from || from === place) continue;
      pen.moveTo(...at(from));
      pen.lineTo(...at(place));
    }
    pen.stroke();
  }

  /** From a place to its pixels. A real map keeps its proportions. */
  #frame(width, height) {
    const pad = 24;
    let [wide, tall] = [width - 2 * pad, height - (this.#chart.axis ? 56 : 2 * pad)];
    const { ratio } = this.#chart;
    const [left, top] = [pad, pad];
    if (!ratio) return (place) => [left + place.u * wide, top + place.v * tall];
    const [roomWide, roomTall] = [wide, tall];
    if (wide / tall > ratio) wide = tall * ratio;
    else tall = wide / ratio;
    const [x, y] = [left + (roomWide - wide) / 2, top + (roomTall - tall) / 2];
    return (place) => [x + place.u * wide, y + place.v * tall];
  }

  /** The way to the current place, or the answer once there is one. */
  #way(pen, look, at, index) {
    const answer = this.#answer.at(index);
    const current = this.#about[index];
    let line = answer?.map((name) => this.#places.get(name)).filter(Boolean) ?? [];
    if (line.length < 2 && current && !this.#walk) line = this.#back(current, index);
    if (line.length > 1) {
      pen.beginPath();
      line.forEach((place, i) => (i ? pen.lineTo(...at(place)) : pen.moveTo(...at(place))));
      pen.lineWidth = 3;
      pen.strokeStyle = look.way;
      pen.stroke();
    }
    const ends = [line[0], current ?? line.at(-1)].filter(Boolean);
    for (const place of new Set(ends)) {
      const [x, y] = at(place);
      pen.beginPath();
      pen.arc(x, y, 6, 0, 7);
      pen.fillStyle = place === current ? look.way : look.ink;
      pen.fill();
      this.#name(pen, look, place.label ?? place.name, x, y);
    }
  }

  #back(place, index) {
    const line = [place];
    const seen = new Set(line);
    for (let one = this.#places.get(place.from.at(index)); one && !seen.has(one); one = this.#places.get(one.from.at(index))) {
      seen.add(one);
      line.push(one);
    }
    return line.reverse();
  }

  #axes(pen, look, width, height) {
    if (!this.#chart.axis) return;
    pen.font = "12px system-ui, sans-serif";
    pen.fillStyle = look.muted;
    pen.fillText(this.#chart.axis, 22, height - 8);
    const words = "→";
    pen.fillText(words, width - 22 - pen.measureText(words).width, height - 8);
  }
}

/** All circles in one path: each by itself would be many times slower. */
function circles(pen, dots, at, size, edge, fill) {
  pen.beginPath();
  for (const dot of dots) {
    const [x, y] = at(dot);
    pen.moveTo(x + size, y);
    pen.arc(x, y, size, 0, 7);
  }
  pen.fillStyle = fill;
  pen.fill();
  pen.lineWidth = 1.6;
  pen.strokeStyle = edge;
  pen.stroke();
}

function squares(pen, dots, at, size, fill) {
  pen.fillStyle = fill;
  for (const dot of dots) {
    const [x, y] = at(dot);
    pen.fillRect(x - size, y - size, 2 * size, 2 * size);
  }
}
