/**
 * Bringing a timetable of one's own: chosen, or dropped anywhere on the page; and what was found in it.
 * @module
 */

import { h, say } from "./dom.js";

/** Where what was found waits while the page is loaded anew. */
const KEPT = "transit-diagnosis";

/**
 * Lets somebody bring a timetable, or a realtime feed of the one they brought.
 * @param {HTMLElement} main
 * @param {Record<string, string>} words
 * @param {(place: HTMLElement, words: string) => () => void} ticking counts seconds, and gives what ends it
 */
export function bringing(main, words, ticking) {
  const input = main.querySelector("#feed");
  const message = main.querySelector("#upload-message");
  show(main, words);

  async function bring(file) {
    const live = /\.(pb|bin)$/i.test(file.name);
    message.hidden = false;
    say(message, words.reading.replace("{file}", file.name).replace("{seconds}", "0"));
    const done = ticking(message, words.reading.replace("{file}", file.name));
    try {
      const address = live ? "/transit/live" : `/transit/feed?name=${encodeURIComponent(file.name)}`;
      const reply = await fetch(address, { method: "POST", headers: { Accept: "application/json", "Content-Type": "application/octet-stream" }, body: file });
      const answer = await reply.json();
      done();
      if (!reply.ok) return say(message, answer.error.message);
      sessionStorage.setItem(KEPT, JSON.stringify(answer));
      if (live) location.reload();
      else location.href = `/transit?feed=${encodeURIComponent(answer.feed)}`;
    } catch {
      done();
      say(message, words.failed);
    }
    return undefined;
  }

  input?.addEventListener("change", () => input.files[0] && void bring(input.files[0]));
  const files = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  main.addEventListener("dragover", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    main.classList.add("dropping");
    message.hidden = false;
    say(message, words.drop);
  });
  main.addEventListener("dragleave", (event) => {
    if (main.contains(event.relatedTarget)) return;
    main.classList.remove("dropping");
    message.hidden = true;
  });
  main.addEventListener("drop", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    main.classList.remove("dropping");
    if (event.dataTransfer.files[0]) void bring(event.dataTransfer.files[0]);
  });
}

/** What was found in the timetable that was just brought. */
function show(main, words) {
  const kept = sessionStorage.getItem(KEPT);
  if (!kept) return;
  sessionStorage.removeItem(KEPT);
  const place = main.querySelector("#diagnosis");
  const answer = JSON.parse(kept);
  place.hidden = false;
  place.replaceChildren(h("p", { role: "status" }, answer.said));
  const findings = answer.findings ?? [];
  if (!findings.length) return;
  const head = ["file", "row", "what", "rows", "example"].map((name) => h("th", { scope: "col" }, words[name]));
  // A finding about a file as a whole has no line.
  const row = (one) => h("tr", {}, ...[one.file, one.first_line || "", one.what, one.rows, one.example].map((text) => h("td", { class: "tr-text" }, String(text))));
  place.append(h("div", { class: "tr-scroll", tabindex: 0, role: "region", "aria-label": words.what }, h("table", { class: "data" }, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...findings.map(row)))));
}
