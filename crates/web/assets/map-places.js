/**
 * Where places lie on the picture, as shares of its width and height (`u` and `v`, 0 to 1).
 * @module
 */

/**
 * Gives every place its `u` and `v`.
 * @param {any[]} places
 * @param {boolean} walk whether they are moves of a walk, in order
 * @returns {string} what the horizontal axis means, or nothing for a real map
 */
export function chartPlaces(places, walk) {
  if (walk) {
    asCurve(places);
    return "moves made; the lower, the cheaper";
  }
  if (places.length && places.every((place) => place.x !== null)) {
    onMap(places);
    return "";
  }
  byCost(places);
  return "cost from the start";
}

/** Real coordinates, with the same scale both ways on a picture that is about 2.2 times as wide as high. */
function onMap(places) {
  const [left, right] = extent(places.map((place) => place.x));
  const [top, bottom] = extent(places.map((place) => place.y));
  const scale = Math.max((right - left) / 2.2, bottom - top) || 1;
  for (const place of places) {
    place.u = 0.5 + (place.x - (left + right) / 2) / (2.2 * scale);
    place.v = 0.5 + (place.y - (top + bottom) / 2) / scale;
  }
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
