/**
 * What a thing was worth at any step.
 *
 * A lens must show step 40,000 as quickly as step 4. So it never replays steps: when a thread is
 * opened it writes down, for each thing, at which steps it changed, and finds the state at a step
 * by bisection. Going back costs the same as going on.
 * @module
 */

/** How many entries of an ascending list are at most `limit`. */
export function countUpTo(ascending, limit) {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The values of one thing, by the step from which they hold. */
export class History {
  constructor() {
    /** @type {number[]} */
    this.steps = [];
    /** @type {any[]} */
    this.values = [];
  }

  /** From this step on, it is this value. Steps come in order. */
  set(step, value) {
    this.steps.push(step);
    this.values.push(value);
  }

  /** The value at a step, or `undefined` before the first. */
  at(step) {
    const count = countUpTo(this.steps, step);
    return count ? this.values[count - 1] : undefined;
  }

  /** The step from which the value at `step` holds, or -1. */
  since(step) {
    const count = countUpTo(this.steps, step);
    return count ? this.steps[count - 1] : -1;
  }
}

/** A map that makes a fresh entry where there is none. */
export class Shelf extends Map {
  /** @param {(key: any) => any} make */
  constructor(make) {
    super();
    this.make = make;
  }

  take(key) {
    let value = this.get(key);
    if (value === undefined) {
      value = this.make(key);
      this.set(key, value);
    }
    return value;
  }
}
