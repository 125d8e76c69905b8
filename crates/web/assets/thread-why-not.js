/**
 * *Why not that one?* A reader points at another move; the machine that decided answers by its own
 * means, in a sentence and on the board. The conversation goes on: the reader tries the move against
 * the machine, or forbids one and sees what it does instead.
 * @module
 */

import { h } from "./dom.js";
import { word } from "./words.js";

const JSON_ONLY = { "Content-Type": "application/json", Accept: "application/json" };

/** Sends a question; the reply, or the sentence of a refusal as `{refusal}`. */
async function post(address, value) {
  try {
    const reply = await fetch(address, { method: "POST", headers: JSON_ONLY, body: JSON.stringify(value) });
    if (reply.ok) return { reply };
    const { error } = await reply.json();
    return { refusal: `${error.message}; ${error.hint}` };
  } catch {
    return { refusal: `${word("unreachable")}; ${word("unreachable-hint")}` };
  }
}

/** The questions under the thread of a move in a game; nothing for other threads. */
export function whyNot(src, whole, board) {
  const { steps, footer, text } = whole;
  const [, game, ply] = /^(\/games\/[^/]+)\/thread\/(\d+)$/u.exec(src ?? "") ?? [];
  const moves = game ? others(steps, footer?.result) : [];
  const choice = game ? chooser(whole, moves) : null;
  if (!choice) return null;
  const answer = h("p", { class: "why-not-answer", role: "status" });
  const on = h("span", {});
  const ask = async (event) => {
    event.preventDefault();
    answer.textContent = "…";
    on.replaceChildren();
    const { reply, refusal } = await post(`${game}/why-not/${ply}`, { move: choice.value });
    const told = await reply?.json();
    answer.textContent = refusal ?? told.text;
    if (!told) return;
    board?.showLine(told.line);
    if (told.on) on.replaceChildren(tryIt(told.on, told.move));
  };
  const beside = h("div", { class: "forbidden" });
  const forbid = async () => {
    beside.replaceChildren(h("p", { class: "muted", role: "status" }, "…"));
    const { reply, refusal } = await post(`${game}/forbid/${ply}`, { move: footer.result });
    if (refusal) beside.replaceChildren(h("p", { class: "error", role: "alert" }, refusal));
    else showBoth(beside, text, await reply.text());
  };
  const send = choice.asks ? null : h("button", { type: "submit", class: "button quiet" }, word("why-not-ask"));
  return h(
    "div",
    {},
    h("form", { class: "why-not row", onsubmit: ask }, h("span", {}, word("why-not")), choice, send, on, h("button", { type: "button", class: "button quiet", onclick: forbid }, word("forbid", { move: footer.result })), answer),
    beside,
  );
}

/** Up to so many moves are buttons, and a click asks; more are a list. */
const BUTTONS = 12;

/** A button for every move; the one that was asked about last is the value. */
function buttons(label, moves) {
  const all = moves.map((move) => h("button", { type: "submit", class: "button quiet small", "aria-pressed": "false", onclick: () => choose(move) }, move));
  const place = h("span", { class: "row guess-options", role: "group", "aria-label": label }, ...all);
  const choose = (move) => {
    place.value = move;
    all.forEach((button, i) => button.setAttribute("aria-pressed", String(moves[i] === move)));
  };
  place.value = moves[0];
  place.asks = true;
  return place;
}

/**
 * What the reader points at a move with: a button for each, a list of many, or, where the thread passes over some, a field
 * that takes any. Nothing where there was only one.
 */
function chooser({ steps, footer, scenes }, moves) {
  const label = word("why-not-move");
  if (!passesOver(steps)) {
    if (!moves.length) return null;
    return moves.length > BUTTONS ? h("select", { "aria-label": label }, ...moves.map((move) => h("option", {}, move))) : buttons(label, moves);
  }
  const known = h("datalist", { id: `moves-${(lists += 1)}` }, ...moves.map((move) => h("option", { value: move })));
  // The board knows the moves that the thread does not show.
  scenes.ask(["[]"]).then(() => {
    const told = new Set([...moves, footer.result]);
    const more = (scenes.get("[]")?.targets ?? []).map(({ text }) => text).filter((text) => text && !told.has(text));
    known.append(...[...new Set(more)].map((move) => h("option", { value: move })));
  });
  const field = h("input", { list: known.id, required: true, autocomplete: "off", "aria-label": label, placeholder: label, value: moves[0] ?? "" });
  // The text of a field that is filled is all that its list offers, so it is emptied where somebody means to choose.
  field.addEventListener("focus", () => field.select());
  const place = h("span", {}, field, known);
  Object.defineProperty(place, "value", { get: () => field.value });
  return place;
}

/** How many lists of moves there are in the page, for their names. */
let lists = 0;

/** Whether moves at the root were skipped. */
function passesOver(steps) {
  const root = steps.find(({ kind, data }) => kind === "open" && (data.parent === undefined || data.parent === null));
  return steps.some(({ kind, data }) => kind === "cut" && data.rest > 0 && data.id === root?.data.id);
}

/** A button that begins a game after a move, against the machine. */
function tryIt({ game, position, seats }, move) {
  const begin = async () => {
    const { reply, refusal } = await post("/games", { game, position, seats });
    if (reply) location.href = (await reply.json()).page;
    else button.replaceWith(h("span", { class: "error" }, refusal));
  };
  const button = h("button", { type: "button", class: "button quiet", onclick: begin }, word("try-it", { move }));
  return button;
}

/** The decision and the one without the forbidden move, on one slider. */
async function showBoth(place, first, second) {
  await import("./threads.js");
  const both = h("wits-threads", { at: 1 }, h("wits-thread"), h("wits-thread"));
  place.replaceChildren(both);
  [first, second].forEach((text, i) => (both.querySelectorAll("wits-thread")[i].text = text));
}

/** The moves at the root that were not chosen. */
function others(steps, chosen) {
  const moves = rootMoves(steps);
  moves.delete(chosen);
  return [...moves.keys()];
}

/** The moves at the root, each with the last value that the thread gives it. */
export function rootMoves(steps) {
  const roots = new Set();
  const names = new Map();
  const moves = new Map();
  for (const { kind, data } of steps) {
    if (kind === "open" && data.id !== undefined) {
      // Rounds of deepening stand between the root and its moves.
      const isMove = data.move !== undefined && data.move !== null;
      if (!isMove && (data.parent === undefined || data.parent === null || roots.has(data.parent))) roots.add(data.id);
      else if (isMove && roots.has(data.parent)) {
        names.set(data.id, String(data.move));
        if (!moves.has(String(data.move))) moves.set(String(data.move), null);
      }
    } else if (kind === "close" && names.has(data.id) && data.value !== undefined && data.value !== null) {
      moves.set(names.get(data.id), { value: data.value, is: data.is });
    }
  }
  return moves;
}
