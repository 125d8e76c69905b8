/**
 * The scratchpad: answers as they come, colours in the program, an address to share.
 *
 * The page works as a plain form without this file.
 * @module
 */

import { h } from "./dom.js";

const main = document.querySelector("#main");
const form = document.querySelector("#scratch");
const program = document.querySelector("#program");
const goal = document.querySelector("#goal");
const lines = document.querySelector(".expert-lines");
const colours = document.querySelector(".scratch-colours");
const list = document.querySelector(".scratch-answers");
const end = document.querySelector("#end");
const [next, all, stop, share] = ["next", "all", "stop", "share"].map((id) => document.getElementById(id));

/* The program: line numbers, the line of an error, colours. */

/** What is told apart by colour, in the order in which it is tried. */
const TOKENS = [
  ["comment", /%[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/],
  ["text", /"(?:[^"\\]|\\.|"")*"?|`(?:[^`\\]|\\.)*`?/],
  ["quoted", /'(?:[^'\\]|\\.|'')*'?/],
  ["variable", /[\p{Lu}_][\p{L}\p{N}_]*/u],
  ["number", /0'(?:\\.|.)|0[xob][0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/],
  ["atom", /\p{Ll}[\p{L}\p{N}_]*/u],
  ["neck", /:-|-->|\?-/],
];
const TOKEN = new RegExp(TOKENS.map(([name, one]) => `(?<${name}>${one.source})`).join("|"), "gu");

function colour() {
  const text = program.value;
  const parts = [];
  let at = 0;
  for (const found of text.matchAll(TOKEN)) {
    if (found.index > at) parts.push(text.slice(at, found.index));
    const [name] = Object.entries(found.groups).find(([, value]) => value !== undefined);
    parts.push(name === "atom" ? found[0] : h("span", { class: `token-${name}` }, found[0]));
    at = found.index + found[0].length;
  }
  // A last line that is empty still has its height.
  colours.replaceChildren(...parts, `${text.slice(at)}\n`);
}

function number(wrong = []) {
  const count = program.value.split("\n").length;
  while (lines.childElementCount > count) lines.lastElementChild.remove();
  while (lines.childElementCount < count) lines.append(h("li", {}, String(lines.childElementCount + 1)));
  for (const [n, line] of [...lines.children].entries()) line.className = wrong.includes(n + 1) ? "wrong" : "";
}

function follow() {
  lines.scrollTop = program.scrollTop;
  colours.scrollTop = program.scrollTop;
  colours.scrollLeft = program.scrollLeft;
}

program.addEventListener("input", () => {
  number();
  colour();
  follow();
});
program.addEventListener("scroll", follow);
number((lines.dataset.wrong ?? "").split(" ").map(Number));
colour();
follow();

/* The query. */

let running = null;

/** Reads an event stream that answers a POST. */
async function* events(reply) {
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const field = (name) => block.split("\n").find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      if (field("event")) yield [field("event"), JSON.parse(field("data") ?? "null")];
    }
  }
}

/** The server has escaped what people wrote. */
function fragment(html) {
  return [...new DOMParser().parseFromString(html, "text/html").body.childNodes];
}

function buttons(more) {
  stop.hidden = !running;
  next.hidden = all.hidden = !!running || !more;
}

/** What the program was answered so far, and the answer that a button gives. */
function answers(button) {
  const value = (name) => end.querySelector(`[name=${name}]`)?.value ?? "";
  if (button?.name === "reply") {
    return { said: value("said"), question: value("question"), line: value("line"), reply: button.value };
  }
  return button ? {} : { said: value("said"), reply: "again" };
}

/** Sends the program and the query with what else is wanted. */
function post(wanted, signal) {
  const body = new URLSearchParams({ program: program.value, goal: goal.value, ...wanted });
  return fetch(form.action, { method: "POST", headers: { Accept: "text/event-stream" }, body, signal });
}

/** One more answer. */
function show(html) {
  list.append(...fragment(html));
  for (const field of list.querySelectorAll(".scratch-why-not[hidden]")) field.hidden = false;
}

async function ask(count, skip, said) {
  running?.abort();
  running = new AbortController();
  const mine = running;
  if (!skip) list.replaceChildren();
  end.replaceChildren();
  number();
  buttons(false);
  let more = false;
  try {
    const reply = await post({ skip, count, ...said }, mine.signal);
    for await (const [name, data] of events(reply)) {
      if (name === "answer") show(data);
      if (name === "end") {
        end.replaceChildren(...fragment(data.html));
        end.querySelector("[name=line], [name=reply]")?.focus();
        more = data.more;
        if (data.lines.length) number(data.lines);
      }
    }
  } catch (error) {
    const stopped = error.name === "AbortError";
    if (running === mine) end.textContent = stopped ? main.dataset.stopped : main.dataset.offline;
    more = stopped && list.childElementCount > 0;
  }
  if (running === mine) {
    running = null;
    buttons(more);
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const reply = event.submitter?.name === "reply";
  ask(1, reply ? list.childElementCount : 0, answers(event.submitter ?? form));
});
// A line that is typed is meant for the button beside it.
end.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.name === "line") {
    event.preventDefault();
    event.stopPropagation();
    form.requestSubmit(end.querySelector("[name=reply]"));
  }
});
next.addEventListener("click", () => ask(1, list.childElementCount, answers()));
all.addEventListener("click", () => ask(500, list.childElementCount, answers()));
stop.addEventListener("click", () => running?.abort());
form.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    form.requestSubmit();
  }
});

/* Why an answer is not another one. */

async function whyNot(field) {
  const told = field.querySelector("[aria-live]");
  const wanted = field.querySelector("input").value;
  // Below `true` the whole query stands in the field.
  const asked = "whole" in field.dataset ? { goal: wanted, why: "true" } : { why: wanted };
  try {
    const reply = await post({ said: end.querySelector("[name=said]")?.value ?? "", reply: "again", ...asked });
    for await (const [name, data] of events(reply)) if (name === "end") told.replaceChildren(...fragment(data.html));
  } catch {
    told.textContent = main.dataset.offline;
  }
}

list.addEventListener("click", (event) => {
  const field = event.target.closest(".scratch-why-not");
  if (field && event.target.closest("button")) whyNot(field);
});
list.addEventListener("keydown", (event) => {
  const field = event.target.closest(".scratch-why-not");
  if (field && event.key === "Enter") {
    event.preventDefault();
    event.stopPropagation();
    whyNot(field);
  }
});
list.addEventListener("toggle", (event) => {
  const field = event.target.closest(".scratch-why-not");
  const input = field?.querySelector("input");
  if (field && "whole" in field.dataset && !input.value) input.value = goal.value;
}, true);
for (const field of list.querySelectorAll(".scratch-why-not")) field.hidden = false;

/* An address that fills the page in; nothing is run by opening it. */

share.hidden = false;
share.addEventListener("click", async () => {
  const query = new URLSearchParams({ program: program.value, goal: goal.value });
  const address = `${location.origin}${location.pathname}?${query}`;
  history.replaceState(null, "", address);
  await navigator.clipboard?.writeText(address).catch(() => {});
  share.textContent = share.dataset.done;
});
