/**
 * The position at the top of the first page, thought about while one reads: the rounds of a thread of the
 * gallery, replayed. The server does nothing for it.
 * @module
 */

import { mayMove } from "./dom.js";
import { fill } from "./words.js";
import { fixed, grouped } from "./numbers.js";

const ROUND_MS = 1400;
const REST_MS = 5000;

const board = document.querySelector("#hero");
if (board) start(board);

async function start(place) {
  const says = document.querySelector("#hero-says");
  const reply = await fetch(place.dataset.thread).catch(() => null);
  if (!reply?.ok) return;
  const steps = (await reply.text()).trim().split("\n").map((line) => JSON.parse(line));
  const rounds = steps.filter((step) => step.kind === "count" && step.data.moves?.length > 1);
  if (!rounds.length) return;
  const show = ({ data }) => {
    const best = data.moves.reduce((a, b) => (b.is === "estimate" && b.value > a.value ? b : a));
    place.remark(new Map(data.moves.map((move) => [move.move, remark(move, move === best)])));
    says.textContent = fill(says.dataset.says, { n: grouped(data.depth), move: best.move, value: signed(best.value), discs: Math.abs(best.value) });
  };
  if (!mayMove()) {
    show(rounds.at(-1));
    return;
  }
  let at = 0;
  const next = () => {
    if (!document.hidden) show(rounds[at]);
    const last = at === rounds.length - 1;
    at = last ? 0 : at + 1;
    setTimeout(next, last ? REST_MS : ROUND_MS);
  };
  next();
}

/** What is written on a cell: a value, or the bound that was enough to turn the move down. */
function remark(move, best) {
  const bound = move.is === "at most" ? "≤" : move.is === "at least" ? "≥" : "";
  const text = `${bound}${signed(move.value)}`;
  return { text, label: text, kind: best ? "best" : "other" };
}

/** What rounds to zero has no sign. */
function signed(value) {
  const tenths = Math.round(value * 10);
  const sign = tenths < 0 ? "−" : tenths > 0 ? "+" : "";
  return sign + fixed(Math.abs(tenths) / 10, 1);
}
