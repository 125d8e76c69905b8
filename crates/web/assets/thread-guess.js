/**
 * *Which would you take?* The reader guesses before the machine's decision is shown; the guess is
 * compared with it, and how often the two agreed is kept in this browser.
 * @module
 */

import { h } from "./dom.js";
import { signed } from "./numbers.js";
import { rootMoves } from "./thread-why-not.js";
import { word } from "./words.js";

const KEPT = "wits-guesses";
/** More moves than this are a list to choose from. */
const BUTTONS = 12;

/** How often the reader guessed, and how often the machine took the same. */
function kept() {
  try {
    const { right = 0, all = 0 } = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    return { right, all };
  } catch {
    return { right: 0, all: 0 };
  }
}

function keep(score) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(score));
  } catch {
    // Where nothing may be kept, the comparison is still shown.
  }
}

/**
 * The offer to guess; nothing where there is nothing to choose from.
 * @param {any} whole the thread
 * @param {{hide: () => void, reveal: () => void}} player hides what gives the answer away, and shows the decision
 */
export function guessing({ header, steps, footer }, player) {
  const moves = header.game ? rootMoves(steps) : new Map();
  const chosen = footer?.result;
  if (moves.size < 2 || !moves.has(chosen)) return null;
  const place = h("div", { class: "guess row", role: "status" });
  const told = (move) => {
    const score = kept();
    score.all += 1;
    if (move === chosen) score.right += 1;
    keep(score);
    const worth = (one) => (moves.get(one) ? signed(moves.get(one).value) : word("guess-unweighed"));
    const key = move === chosen ? "guess-same" : "guess-other";
    const text = word(key, { move, chosen, value: worth(move), best: worth(chosen) });
    place.replaceChildren(h("span", {}, text), h("span", { class: "muted" }, word("guess-score", score)));
    player.reveal();
  };
  const ask = () => {
    player.hide();
    const names = [...moves.keys()].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
    const options =
      names.length <= BUTTONS
        ? names.map((move) => h("button", { type: "button", class: "button quiet small", onclick: () => told(move) }, move))
        : [h("select", { "aria-label": word("guess-ask"), onchange: (event) => event.target.value && told(event.target.value) }, h("option", { value: "" }, "–"), ...names.map((move) => h("option", {}, move)))];
    place.replaceChildren(h("span", {}, word("guess-ask")), ...options);
    place.querySelector("button, select")?.focus();
  };
  place.append(h("button", { type: "button", class: "button quiet small", onclick: ask }, word("guess")));
  return place;
}
