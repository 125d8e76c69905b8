/**
 * Suggestions for stops while one types: with or without diacritics, and with typos.
 * @module
 */

import { h } from "./dom.js";

/** How long typing must rest before the server is asked. */
const REST_MS = 120;

let count = 0;

/**
 * Turns a field into one with suggestions.
 * @param {HTMLInputElement} input
 * @param {Record<string, string>} words
 * @param {() => void} [chosen] told when a suggestion is taken
 */
export function suggest(input, words, chosen = () => {}) {
  if (input.hasAttribute("role")) return;
  const id = `suggestions-${++count}`;
  const list = h("ul", { id, class: "tr-suggestions", role: "listbox", "aria-label": words.suggestions, hidden: true });
  const says = h("span", { class: "sr-only", role: "status" });
  for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": id })) input.setAttribute(name, value);
  input.after(list, says);
  let [timer, asked, at] = [0, 0, -1];

  const close = () => {
    list.hidden = true;
    at = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const light = (to) => {
    at = (to + list.children.length) % list.children.length;
    [...list.children].forEach((row, i) => row.setAttribute("aria-selected", String(i === at)));
    input.setAttribute("aria-activedescendant", list.children[at].id);
    list.children[at].scrollIntoView({ block: "nearest" });
  };
  const take = (row) => {
    input.value = row.dataset.name;
    close();
    chosen();
  };

  async function ask() {
    const turn = ++asked;
    const typed = input.value.trim();
    if (!typed) return close();
    try {
      const feed = document.querySelector("main.transit")?.dataset.feed;
      const reply = await fetch(`/transit/stops?q=${encodeURIComponent(typed)}${feed ? `&feed=${encodeURIComponent(feed)}` : ""}`, { headers: { Accept: "application/json" } });
      const { stops = [] } = await reply.json();
      if (turn !== asked || document.activeElement !== input) return;
      const rows = stops.map((stop, i) =>
        h("li", { id: `${id}-${i}`, role: "option", "aria-selected": "false", "data-name": stop.name }, h("b", {}, stop.name), " ", h("span", { class: "muted" }, stop.lines.slice(0, 12).join(" "))),
      );
      list.replaceChildren(...rows);
      list.hidden = !rows.length;
      input.setAttribute("aria-expanded", String(rows.length > 0));
      says.textContent = rows.length ? "" : words.noStops;
      at = -1;
    } catch {
      close();
    }
  }

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, REST_MS);
  });
  input.addEventListener("keydown", (event) => {
    const open = !list.hidden && list.children.length > 0;
    if (event.key === "ArrowDown" && !open) ask();
    else if (event.key === "ArrowDown" && open) light(at + 1);
    else if (event.key === "ArrowUp" && open) light(at < 0 ? list.children.length - 1 : at - 1);
    else if (event.key === "Enter" && open && at >= 0) take(list.children[at]);
    else if (event.key === "Escape" && open) close();
    else return;
    event.preventDefault();
  });
  // Before the field loses its focus, which would close the list.
  list.addEventListener("pointerdown", (event) => {
    const row = event.target.closest("[data-name]");
    event.preventDefault();
    if (row) take(row);
  });
  input.addEventListener("blur", () => {
    asked += 1;
    close();
  });
}
