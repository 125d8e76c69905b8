/**
 * What lies above the network on the map of the transit room: journeys, tours, reach, and names.
 * @module
 */

/** Places text where there is room, and remembers where it is. */
export class Labels {
  #taken = [];

  constructor(pen, look, width, height) {
    Object.assign(this, { pen, look, width, height });
  }

  /** Reserves a box; false if something is there already. */
  take(left, top, wide, tall) {
    const hit = this.#taken.some(([l, t, w, h]) => left < l + w && l < left + wide && top < t + h && t < top + tall);
    if (!hit) this.#taken.push([left, top, wide, tall]);
    return !hit;
  }

  /** Writes a name beside a spot, if it fits. */
  place(text, [x, y], size, strong = false) {
    const { pen, look } = this;
    pen.font = `${strong ? "600 " : ""}${size}px system-ui, sans-serif`;
    const wide = pen.measureText(text).width;
    for (const [left, top] of [[x + 9, y - size / 2], [x - wide - 9, y - size / 2], [x - wide / 2, y + 9], [x - wide / 2, y - size - 10]]) {
      if (left < 2 || top < 2 || left + wide > this.width - 2 || top + size > this.height - 2) continue;
      if (!this.take(left - 2, top - 1, wide + 4, size + 2)) continue;
      pen.textBaseline = "top";
      pen.lineJoin = "round";
      pen.lineWidth = 4;
      pen.strokeStyle = look.paper;
      pen.strokeText(text, left, top);
      pen.fillStyle = look.ink;
      pen.fillText(text, left, top);
      pen.textBaseline = "alphabetic";
      return true;
    }
    return false;
  }
}

/** Follows a way given as kilometres east and north of each point in turn. */
export function follow(pen, at, way) {
  for (let i = 0; i < way.length; i += 2) {
    const spot = at({ x: way[i], y: way[i + 1] });
    if (i) pen.lineTo(...spot);
    else pen.moveTo(...spot);
  }
}

/** The rides and walks of a journey: `bold`, `faint`, or as the `other` order of a tour. */
export function drawLegs(pen, look, at, byId, legs, how, labels = null) {
  for (const leg of legs) {
    const stops = leg.stops.map(byId).filter((stop) => stop && stop.x !== null);
    if (stops.length < 2) continue;
    const trace = () => {
      pen.beginPath();
      if (leg.way) follow(pen, at, leg.way);
      else stops.forEach((stop, i) => (i ? pen.lineTo(...at(stop)) : pen.moveTo(...at(stop))));
    };
    pen.lineCap = pen.lineJoin = "round";
    const walk = leg.look === "walk";
    if (how === "bold") {
      trace();
      pen.setLineDash([]);
      pen.lineWidth = walk ? 7 : 9;
      pen.strokeStyle = look.paper;
      pen.stroke();
    }
    trace();
    pen.setLineDash(walk ? [1, 7] : how === "other" ? [10, 8] : []);
    pen.lineWidth = how === "bold" ? (walk ? 4 : 5.5) : how === "other" ? 3 : 3;
    pen.strokeStyle = how === "faint" ? look.line : how === "other" ? look.other : leg.colour ?? look[leg.look];
    pen.globalAlpha = how === "faint" ? 0.7 : 1;
    pen.stroke();
    pen.setLineDash([]);
    pen.globalAlpha = 1;
    if (how !== "bold") continue;
    for (const stop of [stops[0], stops.at(-1)]) {
      pen.beginPath();
      pen.arc(...at(stop), 5, 0, 7);
      pen.fillStyle = look.paper;
      pen.fill();
      pen.lineWidth = 2.5;
      pen.strokeStyle = look.ink;
      pen.stroke();
    }
    if (labels && !walk) {
      const spot = at(stops[Math.floor(stops.length / 2)]);
      badge(pen, look, spot, leg.line, leg.colour ?? look[leg.look], leg.ink ?? look.onLine, labels);
    }
  }
}

/** A small filled label. */
export function badge(pen, look, [x, y], text, fill, ink, labels = null) {
  pen.font = "700 13px system-ui, sans-serif";
  const wide = pen.measureText(text).width + 12;
  const [left, top] = [x - wide / 2, y - 10];
  labels?.take(left, top, wide, 20);
  pen.beginPath();
  pen.roundRect(left, top, wide, 20, 6);
  pen.fillStyle = fill;
  pen.fill();
  pen.lineWidth = 1.5;
  pen.strokeStyle = look.paper;
  pen.stroke();
  pen.fillStyle = ink;
  pen.textBaseline = "middle";
  pen.fillText(text, left + 6, y + 0.5);
  pen.textBaseline = "alphabetic";
}

/** A round mark with a letter or number, and the name beside it. */
export function marker(pen, look, [x, y], text, labels, name) {
  pen.font = "700 12px system-ui, sans-serif";
  const size = Math.max(11, pen.measureText(text).width / 2 + 6);
  labels.take(x - size, y - size, 2 * size, 2 * size);
  pen.beginPath();
  pen.arc(x, y, size, 0, 7);
  pen.fillStyle = look.ink;
  pen.fill();
  pen.lineWidth = 2;
  pen.strokeStyle = look.paper;
  pen.stroke();
  pen.fillStyle = look.paper;
  pen.textBaseline = "middle";
  pen.textAlign = "center";
  pen.fillText(text, x, y + 0.5);
  pen.textAlign = "start";
  pen.textBaseline = "alphabetic";
  if (name) labels.place(name, [x + (x < labels.width / 2 ? size - 8 : 8 - size), y], 13, true);
}

/** Kilometres somebody walks in a minute, straight: streets are longer than that. */
const WALK = 4.5 / 1.3 / 60;
/** Nobody walks further than this from a stop, on the map. */
const FARTHEST = 0.6;

/** How far one gets: around each stop as far as the minutes that are left allow. */
export function drawReach(pen, look, at, shown, byId, scale) {
  for (let band = shown.bands - 1; band >= 0; band -= 1) {
    const limit = (shown.within * (band + 1)) / shown.bands;
    pen.beginPath();
    for (const [id, minutes] of shown.reached) {
      const stop = byId(id);
      if (!stop || stop.x === null || minutes > limit) continue;
      const [x, y] = at(stop);
      const size = Math.max(4, Math.min(FARTHEST, (limit - minutes) * WALK + 0.05) * scale);
      pen.moveTo(x + size, y);
      pen.arc(x, y, size, 0, 7);
    }
    pen.fillStyle = look[`band${band}`];
    pen.globalAlpha = 0.75;
    pen.fill();
  }
  pen.globalAlpha = 1;
  pen.beginPath();
  for (const [id] of shown.reached) {
    const stop = byId(id);
    if (!stop || stop.x === null) continue;
    const [x, y] = at(stop);
    pen.moveTo(x + 2, y);
    pen.arc(x, y, 2, 0, 7);
  }
  pen.fillStyle = look.ink;
  pen.fill();
}
