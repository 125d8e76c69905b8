/**
 * What can be done with a whole thread: it is kept on the server under an address to share, and
 * replayed there with the rules alone.
 * @module
 */

import { h } from "./dom.js";
import { grouped } from "./numbers.js";
import { word } from "./words.js";

/** Sends a thread; gives the answer, or the sentence of a refusal as `{refusal}`. */
async function send(address, text) {
  try {
    const headers = { "Content-Type": "application/jsonl", Accept: "application/json" };
    const reply = await fetch(address, { method: "POST", headers, body: text });
    const value = await reply.json();
    return reply.ok ? value : { refusal: `${value.error.message}; ${value.error.hint}` };
  } catch {
    return { refusal: `${word("unreachable")}; ${word("unreachable-hint")}` };
  }
}

/** A button that keeps a thread and then says under which address. */
function keepButton(text) {
  const place = h("span", { role: "status" });
  const keep = async () => {
    button.disabled = true;
    const told = await send("/threads", text);
    button.disabled = false;
    if (told.refusal) return place.replaceChildren(h("span", { class: "error" }, told.refusal));
    const address = new URL(told.page, location.href).href;
    button.remove();
    place.replaceChildren(...[told.note ? `${told.note} ` : null, word("kept"), " ", h("a", { href: told.page }, address)].filter(Boolean));
  };
  const button = h("button", { type: "button", class: "button quiet small", onclick: keep }, word("keep"));
  return h("span", { class: "thread-keep" }, button, " ", place);
}

/** What the rules say of a thread, in one sentence; `found` hears which steps the decision rests on. */
function seal(text, { auto, found }) {
  const place = h("span", { role: "status", class: "muted" });
  const check = async () => {
    button.remove();
    place.textContent = word("checking");
    const told = await send("/api/house/check", text);
    if (told.rests) found(told.rests);
    if (told.refusal) place.textContent = told.refusal;
    else if (!told.rules) place.textContent = "";
    else if (!told.failed) place.textContent = word("seal", { checked: grouped(told.checked), trusted: grouped(told.trusted) });
    else {
      const [{ at, why }] = told.failures;
      place.className = "error";
      place.textContent = word("seal-broken", { failed: grouped(told.failed), at, why });
    }
  };
  const button = h("button", { type: "button", class: "button quiet small", onclick: check }, word("check"));
  if (auto) check();
  return h("span", { class: "thread-seal" }, auto ? null : button, place);
}

/** Threads shorter than this are replayed without being asked to. */
const SHORT = 150_000;

/**
 * The row under a thread.
 * @param {string} text the whole file
 * @param {{kept: boolean, own: boolean, found: (rests: number[]) => void}} how whether it is kept already, and whether the
 *   file is the reader's own: then it leaves the browser only when the reader says so
 */
export function deeds(text, { kept, own, found }) {
  const judged = seal(text, { auto: !own && text.length < SHORT, found });
  return h("div", { class: "row thread-deeds" }, kept ? null : keepButton(text), judged);
}
