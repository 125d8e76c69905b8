/**
 * The expert room, kept alive: answers without a new page, keys for every button, a base that is
 * checked while it is written.
 *
 * The server draws every page whole, and all of it works as plain forms without this file.
 * @module
 */

import { h } from "./dom.js";

/** How long typing must rest before the base is checked. */
const REST_MS = 700;

const main = document.querySelector("#main");

/** Threads are fetched when somebody wants to see them. */
document.addEventListener(
  "toggle",
  (event) => {
    if (!event.target.open) return;
    for (const thread of event.target.querySelectorAll(":scope > wits-thread[data-src]:not([src])")) {
      thread.setAttribute("src", thread.dataset.src);
    }
  },
  true,
);

/** Brings the parts in question into sight where the picture is larger than its frame. */
function light() {
  for (const frame of document.querySelectorAll(".expert-scroll")) {
    const part = frame.querySelector(".named, .possible");
    if (!part) continue;
    const [inner, outer] = [part.getBoundingClientRect(), frame.getBoundingClientRect()];
    frame.scrollLeft += inner.right > outer.right ? inner.right - outer.right + 16 : 0;
    frame.scrollTop += inner.bottom > outer.bottom ? inner.bottom - outer.bottom + 16 : 0;
  }
}
light();

/* A conversation */

function message(text) {
  const place = document.querySelector("#message");
  if (place) place.textContent = text;
}

/** Says something, and shows the page as it is then; the question is read out. */
async function tell(form, button) {
  const body = new URLSearchParams(new FormData(form, button));
  const open = [...main.querySelectorAll("details[id][open]")].map((fold) => fold.id);
  for (const other of main.querySelectorAll(".expert-say button")) other.disabled = true;
  try {
    const reply = await fetch(form.action, { method: "POST", headers: { Accept: "text/html" }, body });
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    if (reply.ok) {
      main.replaceChildren(...page.querySelector("#main").childNodes);
      main.className = page.querySelector("#main").className;
      document.title = page.title;
      for (const id of open) main.querySelector(`details#${CSS.escape(id)}`)?.setAttribute("open", "");
      light();
      main.querySelector("#question h1, h1")?.focus({ preventScroll: true });
      main.scrollIntoView({ block: "start" });
      return;
    }
    message([...page.querySelectorAll("#main p")].slice(0, 2).map((p) => p.textContent).join("; "));
  } catch {
    message(document.querySelector("#message")?.dataset.offline ?? "");
  }
  for (const other of main.querySelectorAll(".expert-say button")) other.disabled = false;
}

if (main?.classList.contains("expert-talk")) {
  main.addEventListener("submit", (event) => {
    if (!event.target.matches(".expert-say")) return;
    event.preventDefault();
    tell(event.target, event.submitter);
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.closest("input, textarea, select, wits-thread")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : "";
    const place = key && main.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`);
    if (!place) return;
    event.preventDefault();
    place.click();
  });
}

/* The editor */

const text = document.querySelector(".expert-code textarea");
if (text) edit(text);

function edit(area) {
  const form = area.form;
  const lines = document.querySelector(".expert-lines");
  let timer = 0;
  let asked = 0;

  /** Numbers beside the lines; those with a finding are marked. */
  function number() {
    const count = area.value.split("\n").length;
    while (lines.childElementCount > count) lines.lastElementChild.remove();
    while (lines.childElementCount < count) lines.append(h("li", {}, String(lines.childElementCount + 1)));
    for (const line of lines.querySelectorAll(".wrong, .doubt")) line.className = "";
    for (const finding of document.querySelectorAll(".expert-findings [data-line]")) {
      const line = lines.children[Number(finding.dataset.line) - 1];
      if (line && line.className !== "wrong") line.className = finding.classList.contains("wrong") ? "wrong" : "doubt";
    }
    follow();
  }

  function follow() {
    lines.scrollTop = area.scrollTop;
  }

  async function check(scroll) {
    const turn = ++asked;
    const body = new URLSearchParams(new FormData(form));
    try {
      const reply = await fetch("/expert/check", { method: "POST", headers: { Accept: "text/html" }, body });
      const page = new DOMParser().parseFromString(await reply.text(), "text/html");
      if (turn !== asked) return;
      const [old, fresh] = [document.querySelector("#results"), page.querySelector("#results")];
      message(fresh ? "" : [...page.querySelectorAll("#main p")].slice(0, 2).map((p) => p.textContent).join("; "));
      if (fresh) {
        // What was opened stays open.
        const open = [...old.querySelectorAll("details")].map((fold) => fold.open);
        fresh.querySelectorAll("details").forEach((fold, i) => (fold.open = open[i] ?? fold.open));
        old.replaceChildren(...fresh.childNodes);
      }
      number();
      if (scroll) document.querySelector(scroll)?.scrollIntoView({ block: "start" });
    } catch {
      if (turn === asked) message(area.dataset.failed);
    }
  }

  area.addEventListener("scroll", follow);
  area.addEventListener("input", () => {
    number();
    clearTimeout(timer);
    timer = setTimeout(check, REST_MS);
  });
  form.addEventListener("submit", (event) => {
    const to = event.submitter?.getAttribute("formaction");
    if (!to) return;
    event.preventDefault();
    clearTimeout(timer);
    check(to.includes("#") ? to.slice(to.indexOf("#")) : "#findings");
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-goto]");
    if (!link) return;
    event.preventDefault();
    const before = area.value.split("\n").slice(0, Number(link.dataset.goto) - 1);
    const at = before.reduce((sum, line) => sum + line.length + 1, 0) + Number(link.dataset.column ?? 1) - 1;
    area.focus();
    area.setSelectionRange(at, at);
    area.scrollTop = Math.max(0, (before.length - 4) * parseFloat(getComputedStyle(area).lineHeight));
    area.scrollIntoView({ block: "nearest" });
    follow();
  });
  number();
}
