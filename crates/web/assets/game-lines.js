/**
 * What a machine thinks while it thinks: its best lines, how deep and how much it looked.
 * @module
 */

import { h } from "./dom.js";
import { fixed, grouped, number } from "./numbers.js";
import { word } from "./words.js";

/** Shows a thought in place of the last one. */
export function showLines(place, thought, state) {
  if (!place) return;
  const seat = state?.seats.find((one) => one.seat === thought.seat);
  const facts = [];
  if (seat) facts.push(word("lines-for", { name: seat.name }));
  if (thought.depth) facts.push(word("plies-deep", { n: grouped(thought.depth) }));
  if (thought.nodes) facts.push(word("positions", { n: grouped(thought.nodes) }));
  if (thought.millis) facts.push(`${grouped(thought.millis)} ms`);
  const parts = [];
  if (thought.lines?.length) {
    // The machine names the move that it plays first, and a careless one does not play its best.
    const chosen = thought.lines[0];
    const lines = [...thought.lines].sort((a, b) => number(b.worth?.value) - number(a.worth?.value));
    const row = (line) =>
      h(
        "li",
        { class: line === chosen ? "chosen" : null },
        h("span", { class: "worth" }, worth(line.worth, seat)),
        " ",
        h("span", { class: "move-text" }, line.moves.join(" ")),
        ...(line === chosen && lines[0] !== chosen ? [" ", h("span", { class: "badge" }, word("lines-chosen"))] : []),
      );
    parts.push(h("ol", { class: "best-lines" }, ...lines.map(row)));
  }
  if (thought.why) parts.push(h("p", {}, thought.why));
  if (facts.length) parts.push(h("p", { class: "muted" }, facts.join(" · ")));
  if (!parts.length) return;
  // The thoughts behind a hint may come after the hint itself; they must not wipe it away.
  const hint = thought.hint ? place.querySelector(".hint-line") : null;
  place.replaceChildren(...(hint ? [hint] : []), ...parts);
}

/** What a line is worth, as people say it: proved wins and losses in a word, estimates with one digit. */
function worth(worth, seat) {
  if (!worth) return "";
  const value = number(worth.value);
  if (!Number.isFinite(value)) return worth.text ?? "";
  const counted = (seat?.points ?? null) !== null;
  if (worth.proof === "exact" && !counted && Math.abs(value) <= 1) return word(["proved-loss", "proved-draw", "proved-win"][Math.sign(value) + 1]);
  if (worth.proof !== "estimate" || Number.isInteger(value)) return worth.text ?? "";
  const shown = fixed(value, 1);
  return value > 0 && Number(value.toFixed(1)) ? `+${shown}` : shown;
}

/** Shows a hint above the lines it came from. */
export function showHint(place, hint) {
  if (!place) return;
  place.querySelector(".hint-line")?.remove();
  const told = [...place.children].some((line) => line.textContent === hint.why);
  place.prepend(
    h("p", { class: "hint-line" }, h("span", { class: "badge" }, word("hint")), " ", h("b", { class: "move-text" }, hint.move), hint.why && !told ? ` – ${hint.why}` : ""),
  );
}
