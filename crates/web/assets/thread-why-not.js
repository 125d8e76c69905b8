/**
 * *Why not that one?* A reader points at another move; the machine that decided answers by its own
 * means, in a sentence and on the board.
 * @module
 */

import { h } from "./dom.js";
import { word } from "./words.js";

/** The question under the thread of a move in a game; nothing for other threads. */
export function whyNot(src, { steps, footer }, board) {
  const address = /^\/games\/[^/]+\/thread\/\d+$/u.test(src ?? "") && src.replace("/thread/", "/why-not/");
  const moves = address ? others(steps, footer?.result) : [];
  if (!moves.length) return null;
  const choice = h("select", { "aria-label": word("why-not-move") }, ...moves.map((move) => h("option", {}, move)));
  const answer = h("p", { class: "why-not-answer", role: "status" });
  const ask = async (event) => {
    event.preventDefault();
    answer.textContent = "…";
    try {
      const headers = { "Content-Type": "application/json", Accept: "application/json" };
      const reply = await fetch(address, { method: "POST", headers, body: JSON.stringify({ move: choice.value }) });
      const told = await reply.json();
      answer.textContent = reply.ok ? told.text : `${told.error.message}; ${told.error.hint}`;
      if (reply.ok) board?.showLine(told.line);
    } catch {
      answer.textContent = `${word("unreachable")}; ${word("unreachable-hint")}`;
    }
  };
  return h("form", { class: "why-not row", onsubmit: ask }, h("span", {}, word("why-not")), choice, h("button", { type: "submit", class: "button quiet" }, word("why-not-ask")), answer);
}

/** The moves at the root that were not chosen. */
function others(steps, chosen) {
  const roots = new Set();
  const moves = new Set();
  for (const { kind, data } of steps) {
    if (kind !== "open" || data.id === undefined) continue;
    // Rounds of deepening stand between the root and its moves.
    const isMove = data.move !== undefined && data.move !== null;
    if (!isMove && (data.parent === undefined || data.parent === null || roots.has(data.parent))) roots.add(data.id);
    else if (isMove && roots.has(data.parent)) moves.add(String(data.move));
  }
  moves.delete(chosen);
  return [...moves];
}
