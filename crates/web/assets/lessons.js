/**
 * Lessons answer in place: after a click on a board, a guess or a moved slider the page is asked again,
 * and what is live on it is replaced. Guesses are remembered in this browser.
 * @module
 */

import "./board.js";
import "./lessons-story.js";
import { h } from "./dom.js";
import { word } from "./words.js";

const KEPT = "wits-guesses";
const main = document.querySelector("main");
let waiting = 0;
let asked = 0;

/** Asks the page again with a form as it stands, and perhaps something that was clicked. */
function again(form, fields = new FormData(form)) {
  return look(form, `${form.action}?${new URLSearchParams(fields)}`);
}

/** Puts what is live on another state of the page in place. */
async function look(form, address) {
  const number = ++asked;
  form.setAttribute("aria-busy", "true");
  try {
    const reply = await fetch(address, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    if (number !== asked) return;
    const [now, then] = [document, page].map((p) => [...p.querySelectorAll("[data-part]")]);
    if (!reply.ok || now.length !== then.length) {
      location.assign(address);
      return;
    }
    const focus = document.activeElement?.closest("[data-part]") && now.indexOf(document.activeElement.closest("[data-part]"));
    now.forEach((part, i) => part.replaceWith(document.adoptNode(then[i])));
    const said = document.querySelector(".guess-said");
    if (form.matches(".lesson-guess") && said) said.focus({ preventScroll: true });
    else if (typeof focus === "number") then[focus].querySelector("[tabindex='0'], button")?.focus({ preventScroll: true });
    bounds(page);
    remember();
    history.replaceState(null, "", address);
  } catch {
    location.assign(address);
  } finally {
    form.removeAttribute("aria-busy");
  }
}

/** A slider may have new bounds, such as the number of words that were typed. */
function bounds(page) {
  for (const field of page.querySelectorAll(".lesson-form input[type=range]")) {
    const mine = document.getElementById(field.id);
    if (!mine || mine.max === field.max) continue;
    mine.max = field.max;
    mine.value = field.value;
    show(mine);
  }
}

/** Shows the number of a slider beside it. */
function show(field) {
  const output = document.querySelector(`output[for="${field.id}"]`);
  if (output) output.value = field.value;
}

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    return {};
  }
}

/** The first guess at each question counts. */
function remember() {
  const said = document.querySelector(".guess-said");
  const lesson = said?.closest("form").dataset.lesson;
  const all = kept();
  if (!lesson || lesson in all) return;
  try {
    localStorage.setItem(KEPT, JSON.stringify({ ...all, [lesson]: said.dataset.right === "true" }));
  } catch {
    // Without a place to keep it the guess counts on this page only.
  }
}

main.addEventListener("input", (event) => {
  const form = event.target.closest(".lesson-form");
  if (!form) return;
  show(event.target);
  clearTimeout(waiting);
  if (event.target.type !== "text") waiting = setTimeout(() => again(form), 250);
});
main.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(waiting);
  again(event.target, new FormData(event.target, event.submitter));
});
main.addEventListener("move", (event) => {
  const form = event.target.closest("form");
  const fields = new FormData(form);
  fields.set("move", event.detail.text);
  again(form, fields);
});

main.addEventListener("click", (event) => {
  const link = event.target.closest(".lesson-guess a[href]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  look(link.closest("form"), link.getAttribute("href"));
});

remember();
const guesses = kept();
for (const card of document.querySelectorAll("[data-lesson-card]")) {
  const right = guesses[card.dataset.lessonCard];
  if (right !== undefined) card.append(h("p", { class: "muted" }, word(right ? "guessed-right" : "guessed-wrong")));
}
