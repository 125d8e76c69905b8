/**
 * The map of the transit room, drawn from the timetable itself: stretches between stops, the stops,
 * and above them journeys, tours or what is within reach. Drag, scroll, pinch or use the keys.
 *
 * Thousands of stretches are drawn on a canvas, because elements would be too slow. What it shows is
 * said in words beside it.
 * @module
 */

import { cleanPen, colours } from "./colours.js";
import { h } from "./dom.js";
import { Labels, badge, drawLegs, drawReach, follow, marker } from "./transit-layers.js";

/** How near a click must be to a stop, in pixels. */
const NEAR = 16;
/** Pixels around the map within which stretches are drawn, too. */
const EDGE = 200;
/** With more stretches than this in sight they are drawn as simply as can be. */
const CROWD = 8000;
/** Square pixels for each stop that is drawn. */
const PER_STOP = 500;
/** Pixels that stay free around what is shown; on the right there are buttons. */
const [MARGIN, BUTTONS] = [24, 72];
/** Pixels a kilometre, at least and at most. */
const [SMALLEST, LARGEST] = [2, 2400];

const LOOK = {
  ink: "var(--ink)",
  soft: "var(--soft)",
  paper: "var(--panel)",
  line: "var(--strong-line)",
  accent: "var(--accent)",
  other: "var(--orange)",
  walk: "var(--soft)",
  tram: "var(--tr-tram)",
  rail: "var(--tr-rail)",
  bus: "var(--tr-bus)",
  onLine: "var(--tr-on)",
  band0: "var(--tr-band0)",
  band1: "var(--tr-band1)",
  band2: "var(--tr-band2)",
  band3: "var(--tr-band3)",
};

/** Three looks are enough for eyes. */
const LOOKS = { tram: "tram", metro: "tram", other: "tram", rail: "rail", ferry: "rail", bus: "bus" };

export class TransitMap {
  #canvas = h("canvas", {});
  #stops = [];
  /** Stops with service, those of most lines first. */
  #ranked = [];
  /** How many stops the last picture showed. */
  #drawn = 0;
  #names = [];
  #lines = [];
  #stretches = [];
  #frame = [-1, -1, 1, 1];
  #shown = { kind: "none" };
  #chosen = 0;
  #picked = null;
  #scale = 1;
  #middle = [0, 0];
  #hands = new Map();
  #dragged = 0;
  #waiting = 0;
  /** What the bar of the scale says. */
  #bar = "";

  /**
   * @param {HTMLElement} root
   * @param {{start: string, km: string, metres: string}} words what stands on it
   * @param {(stop: {name: string, lines: any[]} | null) => void} pick told when somebody clicks
   */
  constructor(root, words, pick) {
    this.root = root;
    this.words = words;
    this.pick = pick;
    root.replaceChildren(this.#canvas);
    new ResizeObserver(() => this.#soon()).observe(root);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#soon());
    root.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.#zoomAt(Math.exp(-event.deltaY / 400), this.#spot(event));
    }, { passive: false });
    root.addEventListener("pointerdown", (event) => this.#down(event));
    root.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel"]) root.addEventListener(end, (event) => this.#up(event));
    root.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Puts the network on the map. */
  async load(address) {
    const reply = await fetch(address, { headers: { Accept: "application/json" } });
    if (!reply.ok) throw new Error(String(reply.status));
    const network = await reply.json();
    this.#names = network.names;
    this.#lines = network.lines.map(([name, mode, colour, ink]) => ({ name, colour, ink, look: LOOKS[mode] ?? "bus" }));
    this.#stops = network.stops.map(([name, x, y, lines]) => ({ name, x, y, lines }));
    this.#ranked = this.#stops.filter((stop) => stop.x !== null && stop.lines.length).sort((a, b) => b.lines.length - a.lines.length);
    const busiest = Math.max(1, ...network.stretches.map((s) => s[3]));
    const ways = new Map(network.bends);
    this.#stretches = network.stretches
      .map(([a, b, mode, runs, line], i) => ({ way: ways.get(i), a: this.#stops[a], b: this.#stops[b], colour: this.#lines[line]?.colour, look: LOOKS[mode] ?? "bus", wide: 1 + (2.2 * Math.log1p(runs)) / Math.log1p(busiest) }))
      .filter(({ a, b }) => a.x !== null && b.x !== null);
    this.#frame = network.frame;
    this.fit();
  }

  /** Shows an answer above the network, and goes there. */
  show(shown) {
    this.#shown = shown ?? { kind: "none" };
    this.#chosen = 0;
    this.#goTo(this.#shownStops());
    this.#soon();
  }

  /** Shows one of several journeys before the others. */
  choose(index) {
    this.#chosen = index;
    this.#soon();
  }

  /** Everything at once. */
  fit() {
    const [west, south, east, north] = this.#frame;
    this.#goBox(west, south, east, north);
  }

  zoom(by) {
    this.#zoomAt(by, [this.root.clientWidth / 2, this.root.clientHeight / 2]);
  }

  /** Whether a network is there, and how far in one is; tests ask. */
  get state() {
    return { stops: this.#stops.length, scale: this.#scale, middle: [...this.#middle], kind: this.#shown.kind, drawn: this.#drawn, bar: this.#bar };
  }

  /** Where a stop of a name is on the screen. */
  place(name) {
    const index = this.#names.indexOf(name);
    const stop = this.#stops.find((s) => s.name === index && s.x !== null);
    return stop ? this.#at(stop) : null;
  }

  #shownStops() {
    const { kind, journeys = [], legs = [], stops = [], reached = [], from = [], to = [] } = this.#shown;
    const ids = [...from, ...to, ...stops];
    for (const journey of kind === "tour" ? legs : journeys) for (const leg of journey) ids.push(...leg.stops);
    for (const [stop] of reached) ids.push(stop);
    return ids.map((id) => this.#stops[id]).filter((stop) => stop && stop.x !== null);
  }

  #goTo(stops) {
    if (!stops.length) return;
    const [xs, ys] = [stops.map((s) => s.x), stops.map((s) => s.y)];
    const room = 0.4;
    this.#goBox(Math.min(...xs) - room, Math.min(...ys) - room, Math.max(...xs) + room, Math.max(...ys) + room);
  }

  #goBox(west, south, east, north) {
    const [wide, tall] = [this.root.clientWidth || 600, this.root.clientHeight || 400];
    const fits = Math.min((wide - MARGIN - BUTTONS) / Math.max(0.5, east - west), (tall - 2 * MARGIN) / Math.max(0.5, north - south));
    this.#scale = Math.min(LARGEST, Math.max(SMALLEST, fits));
    this.#middle = [(west + east + (BUTTONS - MARGIN) / this.#scale) / 2, (south + north) / 2];
    this.#soon();
  }

  #at({ x, y }) {
    return [this.root.clientWidth / 2 + (x - this.#middle[0]) * this.#scale, this.root.clientHeight / 2 - (y - this.#middle[1]) * this.#scale];
  }

  #spot(event) {
    const box = this.root.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  #zoomAt(by, [px, py]) {
    const scale = Math.min(LARGEST, Math.max(SMALLEST, this.#scale * by));
    const [dx, dy] = [px - this.root.clientWidth / 2, this.root.clientHeight / 2 - py];
    // What is under the hand stays under the hand.
    this.#middle = [this.#middle[0] + dx / this.#scale - dx / scale, this.#middle[1] + dy / this.#scale - dy / scale];
    this.#scale = scale;
    this.#soon();
  }

  #pan(dx, dy) {
    this.#middle = [this.#middle[0] - dx / this.#scale, this.#middle[1] + dy / this.#scale];
    this.#soon();
  }

  #down(event) {
    this.root.setPointerCapture(event.pointerId);
    this.#hands.set(event.pointerId, this.#spot(event));
    this.#dragged = 0;
  }

  #move(event) {
    const before = this.#hands.get(event.pointerId);
    if (!before) return;
    const now = this.#spot(event);
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    this.#dragged += Math.abs(dx) + Math.abs(dy);
    if (this.#hands.size === 1) this.#pan(dx, dy);
    else {
      const other = [...this.#hands].find(([id]) => id !== event.pointerId)[1];
      const apart = (a) => Math.hypot(a[0] - other[0], a[1] - other[1]) || 1;
      this.#zoomAt(apart(now) / apart(before), [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2]);
    }
    this.#hands.set(event.pointerId, now);
  }

  #up(event) {
    const there = this.#hands.delete(event.pointerId);
    if (there && event.type === "pointerup" && this.#dragged < 6) this.#click(this.#spot(event));
  }

  #click([px, py]) {
    let [best, nearest] = [NEAR, null];
    for (const stop of this.#stops) {
      if (stop.x === null) continue;
      const [x, y] = this.#at(stop);
      const far = Math.hypot(x - px, y - py);
      if (far < best) [best, nearest] = [far, stop];
    }
    this.#picked = nearest;
    this.#soon();
    if (!nearest) return this.pick(null);
    const posts = this.#stops.filter((s) => s.name === nearest.name);
    const lines = [...new Set(posts.flatMap((s) => s.lines))].map((i) => this.#lines[i]);
    return this.pick({ name: this.#names[nearest.name], lines });
  }

  #key(event) {
    const step = 60;
    const act = {
      ArrowLeft: () => this.#pan(step, 0),
      ArrowRight: () => this.#pan(-step, 0),
      ArrowUp: () => this.#pan(0, step),
      ArrowDown: () => this.#pan(0, -step),
      "+": () => this.zoom(1.4),
      "=": () => this.zoom(1.4),
      "-": () => this.zoom(1 / 1.4),
      0: () => this.fit(),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** Draws with the next frame, once. */
  #soon() {
    if (this.#waiting) return;
    this.#waiting = requestAnimationFrame(() => {
      this.#waiting = 0;
      this.#draw();
    });
  }

  #draw() {
    const [width, height] = [this.root.clientWidth, this.root.clientHeight];
    if (!width || !height) return;
    const pen = cleanPen(this.#canvas, width, height);
    const look = colours(this.root, LOOK);
    const at = (stop) => this.#at(stop);
    const busy = this.#shown.kind !== "none";
    this.#network(pen, look, busy, width, height);
    const labels = new Labels(pen, look, width, height);
    const byId = (id) => this.#stops[id];
    const { kind, journeys = [], legs = [], best = [], places = [], from = [], to = [] } = this.#shown;
    const ends = (ids) => ids.map(byId).filter((s) => s && s.x !== null);
    if (kind === "reach") drawReach(pen, look, at, this.#shown, byId, this.#scale);
    if (kind === "journeys") {
      journeys.forEach((legsOf, i) => i !== this.#chosen && drawLegs(pen, look, at, byId, legsOf, "faint"));
      const chosen = journeys[this.#chosen];
      if (chosen) drawLegs(pen, look, at, byId, chosen, "bold", labels);
    }
    if (kind === "tour") {
      for (const leg of best) drawLegs(pen, look, at, byId, leg, "other");
      for (const leg of legs) drawLegs(pen, look, at, byId, leg, "bold");
      places.forEach((posts, i) => {
        const [stop] = ends(posts);
        if (stop) marker(pen, look, at(stop), i ? String(i) : this.words.start, labels, this.#names[stop.name]);
      });
    }
    const marks = kind === "journeys" ? [["A", from], ["B", to]] : kind === "reach" ? [["A", from]] : kind === "stops" ? [["", this.#shown.stops]] : [];
    for (const [mark, ids] of marks) {
      const stops = ends(ids);
      const one = kind === "journeys" ? this.#endOf(mark, journeys[this.#chosen]) ?? stops[0] : stops[0];
      if (kind === "stops") stops.forEach((s) => marker(pen, look, at(s), "", labels, ""));
      if (one) marker(pen, look, at(one), mark, labels, this.#names[one.name]);
    }
    if (this.#picked) badge(pen, look, at(this.#picked), this.#names[this.#picked.name], look.ink, look.paper);
    this.#name(pen, labels, width, height);
    this.#scaleBar(pen, look, height);
  }

  /** The stop at which a journey really begins or ends. */
  #endOf(mark, legs) {
    if (!legs?.length) return null;
    const stop = mark === "A" ? legs[0].stops[0] : legs.at(-1).stops.at(-1);
    return this.#stops[stop]?.x === null ? null : this.#stops[stop];
  }

  #network(pen, look, faint, width, height) {
    const stretches = this.#inSight(width, height);
    // Thick lines with round ends take seconds where there are tens of thousands, and hide each other.
    const crowd = stretches.length > CROWD;
    const thick = crowd ? 2.8 : 2;
    pen.lineCap = crowd ? "butt" : "round";
    for (const kind of ["bus", "rail", "tram"]) {
      pen.strokeStyle = look[kind];
      pen.globalAlpha = faint ? 0.28 : kind === "bus" ? 0.55 : 0.8;
      pen.setLineDash(kind === "rail" ? [6, 4] : []);
      for (const thin of [true, false]) {
        pen.beginPath();
        pen.lineWidth = thin ? (crowd ? 1 : 1.2) : 2.6;
        for (const { a, b, way, colour, look: mine, wide } of stretches) {
          if (mine !== kind || colour || wide < thick !== thin) continue;
          follow(pen, (spot) => this.#at(spot), way ?? [a.x, a.y, b.x, b.y]);
        }
        pen.stroke();
      }
    }
    pen.setLineDash([]);
    // Lines that have a colour of their own, colour by colour.
    pen.globalAlpha = faint ? 0.28 : 0.8;
    for (const [colour, painted] of byColour(stretches)) {
      pen.strokeStyle = colour;
      for (const thin of [true, false]) {
        pen.beginPath();
        pen.lineWidth = thin ? (crowd ? 1 : 1.4) : 2.6;
        for (const { a, b, way, wide } of painted) if (wide < thick === thin) follow(pen, (spot) => this.#at(spot), way ?? [a.x, a.y, b.x, b.y]);
        pen.stroke();
      }
    }
    const size = Math.min(5, Math.max(1, this.#scale / 40));
    pen.globalAlpha = faint ? 0.5 : 1;
    pen.beginPath();
    // Where they would run together only those of most lines are drawn; the others come when one zooms in.
    let room = Math.floor((width * height) / PER_STOP);
    this.#drawn = 0;
    for (const stop of this.#ranked) {
      const [x, y] = this.#at(stop);
      if (x < -9 || y < -9 || x > width + 9 || y > height + 9) continue;
      if (room-- <= 0) break;
      this.#drawn += 1;
      const mine = stop.lines.length > 3 ? size * 1.5 : size;
      pen.moveTo(x + mine, y);
      pen.arc(x, y, mine, 0, 7);
    }
    pen.fillStyle = look.paper;
    pen.fill();
    pen.lineWidth = Math.max(0.8, size / 3);
    pen.strokeStyle = look.ink;
    pen.stroke();
    pen.globalAlpha = 1;
  }

  /** Stretches that may be seen; a way along streets leaves the straight line a little. */
  #inSight(width, height) {
    const [wide, tall] = [width, height].map((side) => (side / 2 + EDGE) / this.#scale);
    const [x, y] = this.#middle;
    const near = (one, other, middle, far) => Math.max(one, other) > middle - far && Math.min(one, other) < middle + far;
    return this.#stretches.filter(({ a, b }) => near(a.x, b.x, x, wide) && near(a.y, b.y, y, tall));
  }

  /** How long a kilometre is, or as many as fit. */
  #scaleBar(pen, look, height) {
    const rough = 120 / this.#scale;
    const unit = 10 ** Math.floor(Math.log10(rough));
    const km = [5, 2, 1].map((n) => n * unit).find((n) => n <= rough) ?? unit;
    const long = km * this.#scale;
    const [x, y] = [12, height - 14];
    this.#bar = km < 1 ? `${Math.round(km * 1000)} ${this.words.metres}` : `${km} ${this.words.km}`;
    for (const [colour, wide] of [[look.paper, 5], [look.ink, 2]]) {
      pen.strokeStyle = colour;
      pen.lineWidth = wide;
      pen.beginPath();
      pen.moveTo(x, y - 5);
      pen.lineTo(x, y);
      pen.lineTo(x + long, y);
      pen.lineTo(x + long, y - 5);
      pen.stroke();
    }
    pen.font = "12px system-ui, sans-serif";
    pen.lineWidth = 4;
    pen.strokeStyle = look.paper;
    pen.strokeText(this.#bar, x + 6, y - 6);
    pen.fillStyle = look.ink;
    pen.fillText(this.#bar, x + 6, y - 6);
  }

  /** Names of stops, the busiest first, as long as there is room. */
  #name(pen, labels, width, height) {
    const most = this.#scale > 160 ? 60 : this.#scale > 70 ? 30 : 12;
    const seen = new Set();
    const inside = this.#ranked
      .map((stop) => ({ stop, spot: this.#at(stop) }))
      .filter(({ spot: [x, y] }) => x > 0 && y > 0 && x < width && y < height);
    for (const { stop, spot } of inside) {
      if (seen.size >= most) break;
      if (seen.has(stop.name)) continue;
      if (labels.place(this.#names[stop.name], spot, 12)) seen.add(stop.name);
    }
  }
}

/** Stretches by the colour of their line, those that have one. */
function byColour(stretches) {
  const colours = new Map();
  for (const stretch of stretches) {
    if (!stretch.colour) continue;
    if (!colours.has(stretch.colour)) colours.set(stretch.colour, []);
    colours.get(stretch.colour).push(stretch);
  }
  return colours;
}
