/**
 * What a machine thinks while it thinks: its best lines, how deep and how much it looked.
 * @module
 */

import { h } from "./dom.js";
import { grouped } from "./numbers.js";
import { word } from "./words.js";

/** Shows a thought in place of the last one. */
export function showLines(place, thought, state) {
  if (!place) return;
  const seat = state?.seats.find((one) => one.seat === thought.seat);
  const facts = [];
  if (seat) facts.push(seat.name);
  if (thought.depth) facts.push(word("plies-deep", { n: grouped(thought.depth) }));
  if (thought.nodes) facts.push(word("positions", { n: grouped(thought.nodes) }));
  if (thought.millis) facts.push(`${grouped(thought.millis)} ms`);
  const parts = [];
  if (thought.lines?.length) {
    parts.push(
      h(
        "ol",
        { class: "best-lines" },
        ...thought.lines.map((line) =>
          h("li", {}, h("span", { class: "worth" }, line.worth?.text ?? ""), " ", h("span", { class: "move-text" }, line.moves.join(" "))),
        ),
      ),
    );
  }
  if (thought.why) parts.push(h("p", {}, thought.why));
  if (facts.length) parts.push(h("p", { class: "muted" }, facts.join(" · ")));
  if (!parts.length) return;
  // The thoughts behind a hint may come after the hint itself; they must not wipe it away.
  const hint = thought.hint ? place.querySelector(".hint-line") : null;
  place.replaceChildren(...(hint ? [hint] : []), ...parts);
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
