/**
 * The page of a game of Othello: the scores of all moves beside it, if the reader asks.
 * @module
 */

import { Scores } from "./othello-scores.js";

const main = document.querySelector("main.game");
const panel = main?.querySelector(".oth-scores");
if (panel) start(panel);

function start(place) {
  const scores = new Scores(place, main.querySelector("wits-board"));
  main.addEventListener("state", (event) => {
    const state = event.detail;
    const text = position(state);
    place.hidden = text === undefined;
    scores.watch(text ?? null);
  });
}

/** The position as text; null when the game is over, undefined where the engine does not know the rules. */
function position(state) {
  const board = (state.position ?? "").split(" ")[0];
  const discs = board.replace(/-/g, "").length;
  if (board.length !== 64 || discs < 4 || /nomove=(lose|free)/.test(state.spec)) return undefined;
  return state.over || state.turn === null ? null : state.position;
}
