/**
 * A subtree that the recorder left out is searched again by the same machine, and must come to the
 * value that the thread has for it.
 * @module
 */

import { h } from "./dom.js";
import { number, signed } from "./numbers.js";
import { word } from "./words.js";

/** The machines whose searches come to the same value every time. */
const EXACT = /^(?:minimax|alphabeta|perfect)\b/u;

/** Whether the subtrees of a thread can be searched again. */
export function canOpen({ header }) {
  return Boolean(header.game) && header.backup === "max" && EXACT.test(header.by ?? "");
}

/**
 * Searches a node again and shows what comes of it.
 * @param {any} whole the thread
 * @param {{line: string[], state: {value: any, is: string}}} node the moves that lead to it, and what the thread says of it
 * @param {HTMLElement} place
 */
export async function openAgain({ header, scenes }, { line, state }, place) {
  place.replaceChildren(h("p", { class: "muted", role: "status" }, "…"));
  const body = JSON.stringify({ game: header.game, subject: header.subject, table: scenes?.table, line, by: header.by });
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  try {
    const reply = await fetch("/api/house/again", { method: "POST", headers, body });
    const text = await reply.text();
    if (!reply.ok) {
      const { error } = JSON.parse(text);
      place.replaceChildren(h("p", { class: "error", role: "alert" }, `${error.message}; ${error.hint}`));
      return;
    }
    const below = h("wits-thread");
    place.replaceChildren(h("p", { role: "status" }, compared(header, line, state, text)), below);
    below.text = text;
  } catch {
    place.replaceChildren(h("p", { class: "error", role: "alert" }, `${word("unreachable")}; ${word("unreachable-hint")}`));
  }
}

/** What was found, beside what the thread says. */
function compared(header, line, { value, is }, text) {
  const lines = text.trimEnd().split("\n").map((one) => JSON.parse(one));
  const choose = lines.findLast(({ kind }) => kind === "choose");
  // Values count for the seat that the thread is for; the other seat gains what it loses.
  const found = number(choose?.data.value);
  const own = found === null ? null : lines[0].for === header.for ? found : 0 - found;
  const told = number(value);
  const holds = own !== null && told !== null && { "at least": own >= told, "at most": own <= told }[is] !== false && (["at least", "at most"].includes(is) || own === told);
  const bound = { "at least": "≥ ", "at most": "≤ " }[is] ?? "";
  const key = choose?.data.is === "estimate" && is === "exact" ? "again-unfinished" : holds ? "again-same" : "again-other";
  return word(key, { line: line.join(" › "), found: own === null ? "–" : signed(own), told: `${bound}${signed(value)}` });
}
