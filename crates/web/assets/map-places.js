/**
 * Where places lie on the picture, as shares of its width and height (`u` and `v`, 0 to 1).
 * @module
 */

import { word } from "./words.js";

/**
 * Gives every place its `u` and `v`.
 * @param {any[]} places
 * @param {boolean} walk whether they are moves of a walk, in order
 * @param {number[] | null} [frame] west, south, east and north edge of a map that is larger than the places
 * @returns {{axis: string, ratio: number | null, spot?: Function}} what the horizontal axis means, and for a real map
 *   how many times it is as wide as high (it must not be stretched), and where other spots lie on it
 */
export function chartPlaces(places, walk, frame = null) {
  if (walk) {
    asCurve(places);
    return { axis: word("axis-moves"), ratio: null };
  }
  if (places.length && places.every((place) => place.x !== null)) {
    return { axis: "", ...onMap(places, frame) };
  }
  byCost(places);
  return { axis: word("axis-cost"), ratio: null };
}

/** Real coordinates, from edge to edge; larger y are further down here. */
function onMap(places, frame) {
  const [left, right] = frame ? [frame[0], frame[2]] : extent(places.map((place) => place.x));
  const [top, bottom] = frame ? [-frame[3], -frame[1]] : extent(places.map((place) => place.y));
  const [wide, tall] = [right - left || 1, bottom - top || 1];
  const spot = (x, y) => ({ u: (x - left) / wide, v: (y - top) / tall });
  for (const place of places) Object.assign(place, spot(place.x, place.y));
  return { ratio: wide / tall, spot };
}

/** One move after the other, and what the solution costs after it. */
function asCurve(places) {
  const [least, most] = extent(places.map((place) => place.cost));
  places.forEach((place, i) => {
    place.u = places.length > 1 ? i / (places.length - 1) : 0.5;
    place.v = 1 - (place.cost - least) / (most - least || 1);
  });
}

/** Cheaper places further left; places that cost about the same one above the other. */
function byCost(places) {
  const costs = places.map((place) => place.cost ?? 0);
  const [least, most] = extent(costs);
  const wide = most - least || 1;
  const columns = Math.min(120, Math.max(8, Math.ceil(Math.sqrt(places.length) * 2)));
  const stacks = new Map();
  places.forEach((place, i) => {
    place.u = (costs[i] - least) / wide;
    const column = Math.floor(place.u * (columns - 1));
    if (!stacks.has(column)) stacks.set(column, []);
    stacks.get(column).push(place);
  });
  const tallest = Math.max(...[...stacks.values()].map((stack) => stack.length));
  for (const stack of stacks.values()) {
    // Around the middle, not from the edge: the wave stays symmetric. Small stacks stay together.
    const step = Math.min(1 / stack.length, 2 / Math.max(4, tallest));
    stack.forEach((place, i) => {
      place.v = 0.5 + (i - (stack.length - 1) / 2) * step;
    });
  }
}

function extent(numbers) {
  let [low, high] = [Infinity, -Infinity];
  for (const n of numbers) {
    if (n < low) low = n;
    if (n > high) high = n;
  }
  return Number.isFinite(low) ? [low, high] : [0, 1];
}
