/**
 * The rainbow room, kept alive.
 *
 * The server draws the room's page whole and works without this file. Here what is decided follows
 * the terms as they are typed, sliders show their level, a new game opens in this room, and a game
 * that ends shows its rainbow as arcs.
 * @module
 */

import { drawToken } from "./board-token.js";
import { h, s } from "./dom.js";
import { fill, word } from "./words.js";

/** How long typing must rest before the server is asked. */
const REST_MS = 300;

document.addEventListener("input", (event) => {
  const slider = event.target;
  if (slider.type === "range" && slider.id) {
    const shown = document.querySelector(`output[for="${slider.id}"]`);
    if (shown) shown.value = slider.value;
  }
});

const terms = document.querySelector("form#terms");
if (terms) startSheet(terms);
const palette = document.querySelector("#palette");
if (palette) document.addEventListener("choices", (event) => offerColours(event.target, event.detail, palette.dataset));
const figure = document.querySelector("#picture");
if (figure) startGame(figure);

/** What is decided follows the form. */
function startSheet(form) {
  let timer = 0;
  let asked = 0;

  async function ask() {
    const turn = ++asked;
    const query = new URLSearchParams(new FormData(form));
    try {
      const reply = await fetch(`/rainbow?${query}`, { headers: { Accept: "text/html", Prefer: "wait" } });
      const next = new DOMParser().parseFromString(await reply.text(), "text/html").querySelector("#decided");
      if (turn !== asked || !next) return;
      const level = document.querySelector("#level")?.value;
      document.querySelector("#decided").replaceChildren(...next.childNodes);
      const slider = document.querySelector("#level");
      if (slider && level !== undefined) {
        slider.value = level;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
      }
    } catch {
      // The button still asks in the plain way.
    }
  }

  form.addEventListener("input", () => {
    clearTimeout(timer);
    // A game on the old terms must not be started meanwhile.
    for (const button of document.querySelectorAll("#start button")) button.disabled = true;
    timer = setTimeout(ask, REST_MS);
  });

  // A game that is started here opens with the hints of this room.
  document.querySelector("#decided").addEventListener("submit", async (event) => {
    event.preventDefault();
    const start = event.target;
    const body = new URLSearchParams(new FormData(start));
    try {
      const reply = await fetch(start.action, { method: "POST", headers: { Accept: "application/json" }, body });
      const value = await reply.json();
      if (reply.ok) location.assign(value.page);
      else refuse(start, `${value.error.message}: ${value.error.hint}`);
    } catch {
      refuse(start, `${word("unreachable")}; ${word("unreachable-hint")}`);
    }
  });
}

function refuse(form, text) {
  form.querySelector(".error")?.remove();
  form.append(h("p", { class: "error", role: "alert" }, text));
}

/** More colours than this are found by typing. */
const IN_SIGHT = 24;

/** The colours for a number as swatches: each is the colour it names, with its number. */
function offerColours(board, { cell, place }, { colours, find, label, paint }) {
  const all = Array.from({ length: Number(colours) }, (_, i) => String(i + 1));
  const button = (colour) =>
    h(
      "button",
      { type: "button", class: "swatch", "data-move": `${cell}=${colour}`, "aria-label": fill(label, { colour }), onclick: () => board.choose(`${cell}=${colour}`) },
      s("svg", { viewBox: "-26 -26 52 54", "aria-hidden": "true" }, drawToken({ glyph: colour, label: "", shape: "tile", colour: Number(colour) })),
    );
  const list = h("div", { class: "rb-colours", role: "group" });
  const show = (text) => list.replaceChildren(...all.filter((colour) => colour.includes(text)).map(button));
  show("");
  for (const old of place.querySelectorAll("[data-move], p")) old.remove();
  place.prepend(h("p", {}, fill(paint, { cell })), list);
  if (all.length <= IN_SIGHT) {
    list.querySelector("button")?.focus();
    return;
  }
  const field = h("input", { type: "search", inputmode: "numeric", autocomplete: "off", "aria-label": find, placeholder: find });
  field.addEventListener("input", () => show(field.value.trim()));
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const typed = field.value.trim();
    const first = all.includes(typed) ? typed : all.find((colour) => colour.includes(typed));
    if (first) board.choose(`${cell}=${first}`);
  });
  list.before(field);
  field.focus();
}

/** The rainbow as arcs once the game is over; level 0 says that it gives no hint. */
function startGame(place) {
  const status = document.querySelector("#status");
  async function draw() {
    const over = status.classList.contains("over");
    place.hidden = !over;
    if (!over) return;
    const reply = await fetch(place.dataset.src);
    if (!reply.ok) return;
    const picture = new DOMParser().parseFromString(await reply.text(), "image/svg+xml").documentElement;
    place.querySelector(".rb-scroll").replaceChildren(document.importNode(picture, true));
  }
  new MutationObserver(draw).observe(status, { attributes: true, attributeFilter: ["class"] });
  const form = document.querySelector("form.hint");
  form?.addEventListener("submit", () => {
    if (form.level.value !== "0") return;
    const words = word("no-hint");
    document.querySelector("#lines")?.replaceChildren(h("p", {}, words));
  });
}
