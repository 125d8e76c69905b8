/**
 * The transit room, kept alive.
 *
 * The server draws every page whole, and its forms work without this file. Here the map is drawn,
 * answers are put in place without loading the page anew, names are suggested while one types, and
 * stops can be clicked and dragged.
 * @module
 */

import { h, say } from "./dom.js";
import { TransitMap } from "./transit-map.js";
import { suggest } from "./transit-stops.js";
import { tourList } from "./transit-tour.js";
import { bringing } from "./transit-upload.js";

/** How long changes must rest before the server is asked. */
const REST_MS = 250;

const main = document.querySelector("main.transit");
if (main) start();

function start() {
  const words = JSON.parse(main.querySelector("script.words").textContent);
  const form = main.querySelector("form.tr-form");
  const card = main.querySelector("#stop-card");
  const map = new TransitMap(main.querySelector("#map"), words, (stop) => showStop(stop));
  main.transitMap = map;
  let [timer, asked] = [0, 0];

  const shown = () => {
    const block = main.querySelector("#answer script.shown");
    return block ? JSON.parse(block.textContent) : null;
  };
  const drawn = awaiting((status) => main.querySelector("#map").prepend(status));
  map.load(main.dataset.network).then(
    () => {
      drawn();
      map.show(shown());
      main.dataset.ready = "yes";
    },
    () => main.querySelector("#map").replaceChildren(h("p", { class: "error", role: "alert" }, words.failed)),
  );

  /** Asks the question of the form. */
  const ask = () => {
    const address = `${form.getAttribute("action")}?${new URLSearchParams([...new FormData(form)].filter(([, text]) => text !== ""))}`;
    return fetchAnswer(address);
  };

  /** Puts the answer to a question in place, and says how long it has taken so far. */
  async function fetchAnswer(address) {
    const turn = ++asked;
    main.classList.add("busy");
    const done = ticking(main.querySelector("#progress"), words.working);
    try {
      const reply = await fetch(address, { headers: { Accept: "text/html", Prefer: "wait" } });
      const page = new DOMParser().parseFromString(await reply.text(), "text/html");
      if (turn !== asked) return;
      for (const part of ["#lead", "#answer", "#wide", "nav.tabs"]) {
        const [old, fresh] = [main.querySelector(part), page.querySelector(part)];
        if (old && fresh) old.replaceChildren(...fresh.childNodes);
      }
      if (!page.querySelector("#answer")) main.querySelector("#answer").replaceChildren(...page.querySelectorAll("main > .error, main > p"));
      history.replaceState(null, "", address);
      map.show(shown());
      dress();
      later();
    } catch {
      if (turn === asked) main.querySelector("#answer").replaceChildren(h("p", { class: "error", role: "alert" }, words.failed));
    } finally {
      done();
      if (turn === asked) main.classList.remove("busy");
    }
  }

  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => form.checkValidity() && ask(), REST_MS);
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    ask();
  });
  if (form.classList.contains("tr-live")) form.addEventListener("input", (event) => event.target.matches("[data-stop]") || soon());
  main.addEventListener("input", (event) => {
    const slider = event.target;
    if (slider.type !== "range") return;
    const output = main.querySelector(`output[for="${slider.id}"]`);
    if (output) output.value = slider.value;
    if (slider.id === "bold") bold();
  });
  for (const input of form.querySelectorAll("[data-stop]:not(#via [data-stop])")) suggest(input, words, soon);
  const via = form.querySelector("#via");
  const tour = via ? tourList(via, words, soon) : null;
  form.querySelector(".tr-swap")?.addEventListener("click", () => {
    const [from, to] = [form.querySelector("#from"), form.querySelector("#to")];
    [from.value, to.value] = [to.value, from.value];
    soon();
  });

  for (const button of main.querySelectorAll("[data-zoom]")) {
    const act = { in: () => map.zoom(1.5), out: () => map.zoom(1 / 1.5), fit: () => map.fit() }[button.dataset.zoom];
    button.addEventListener("click", act);
  }
  form.querySelector(".tr-now")?.addEventListener("click", () => {
    const now = new Date();
    const two = (n) => String(n).padStart(2, "0");
    form.elements.at.value = `${two(now.getHours())}:${two(now.getMinutes())}`;
    const day = form.elements.date;
    const today = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
    // A feed that does not cover today keeps its day.
    if (day && (!day.min || day.min <= today) && (!day.max || today <= day.max)) day.value = today;
    if (form.checkValidity()) ask();
  });
  main.addEventListener("click", (event) => {
    const link = event.target.closest(".tr-more a");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      void tell(link);
      return;
    }
    const button = event.target.closest(".tr-show");
    if (!button) return;
    for (const one of main.querySelectorAll(".tr-show")) one.setAttribute("aria-pressed", String(one === button));
    map.choose(Number(button.closest("[data-journey]").dataset.journey));
    main.querySelector("#map").scrollIntoView({ block: "nearest" });
  });

  // Another line than those that are offered.
  main.addEventListener("submit", (event) => {
    const why = event.target.closest("form.tr-why");
    if (!why) return;
    event.preventDefault();
    const [label, line] = [why.querySelector("label").textContent.trim(), why.elements.line.value.trim()];
    const ask = h("a", { href: `${why.getAttribute("action")}?${new URLSearchParams(new FormData(why))}`, "data-ask": why.dataset.ask }, `${label} ${line}?`);
    void tell(ask, why.closest("article"));
  });

  /** Answers a question about a journey on its own card. */
  async function tell(link, card = link.closest("article")) {
    const place = card.querySelector(".tr-told");
    place.hidden = false;
    place.dataset.ask = link.dataset.ask;
    const status = h("p", { class: "muted", role: "status" });
    place.replaceChildren(h("h4", {}, link.textContent), status);
    say(status, words.working.replace("{seconds}", "0"));
    const done = ticking(status, words.working);
    try {
      const reply = await fetch(link.href, { headers: { Accept: "text/html", Prefer: "wait" } });
      const page = new DOMParser().parseFromString(await reply.text(), "text/html");
      const told = page.querySelector(".desk-answer") ?? page.querySelector("main");
      done();
      status.replaceWith(...brief(told, link.dataset.ask), h("p", {}, h("a", { href: link.href }, words.whole)));
    } catch {
      done();
      say(status, words.failed);
    }
  }

  /** What a verb answered, as a card has room for it: the verdict first, and nothing that the card has already. */
  function brief(told, ask) {
    for (const part of told.querySelectorAll("form, h1, nav, script")) part.remove();
    // Tables as files, and what else one may ask, are on the page of the verb.
    for (const link of told.querySelectorAll("a[href*='keep=']:not(.button)")) link.parentElement.remove();
    for (const link of told.querySelectorAll(".row > a.button")) link.remove();
    for (const part of told.querySelectorAll("[id]")) part.removeAttribute("id");
    for (const part of told.querySelectorAll("[role=status]")) part.removeAttribute("role");
    const says = [...told.children].filter((part) => part.localName === "p" && !part.querySelector("a"));
    // A proof ends with its verdict; its first line says which timetable it is about, as the page does.
    const verdict = ask === "prove" ? says.at(-1) : says[0];
    if (ask === "prove" && says.length > 1) says[0].remove();
    verdict?.remove();
    if (verdict) verdict.className = "tr-verdict";
    return [...(verdict ? [verdict] : []), ...told.childNodes];
  }

  /** What can be done with a stop that was clicked. */
  function showStop(stop) {
    card.hidden = !stop;
    if (!stop) return;
    const keep = () => Object.fromEntries(["at", "date", "feed", "live"].map((name) => [name, form.elements[name]?.value]).filter(([, value]) => value));
    const fill = (field, path) => () => {
      const input = form.querySelector(`#${field}`);
      card.hidden = true;
      if (!input || form.getAttribute("action") !== path) {
        if (!(input && field !== "stop")) {
          location.href = `${path}?${new URLSearchParams({ [field]: stop.name, ...keep() })}`;
          return;
        }
      }
      input.value = stop.name;
      soon();
    };
    const add = () => {
      card.hidden = true;
      const first = form.querySelector("#start");
      if (!tour) location.href = `/transit/tour?${new URLSearchParams({ start: stop.name, ...keep() })}`;
      else if (!first.value) first.value = stop.name;
      else tour.add(stop.name);
    };
    const button = (label, act, kind = "") => h("button", { type: "button", class: `button quiet small ${kind}`, onclick: act }, label);
    card.replaceChildren(
      h("p", {}, h("b", {}, stop.name)),
      h("p", { class: "tr-sum" }, ...stop.lines.slice(0, 14).map((line) => h("span", { class: `tr-line ${line.look}`, "data-colour": line.colour ?? null, "data-ink": line.ink ?? null }, line.name))),
      h(
        "p",
        { class: "row" },
        button(words.from, fill("from", "/transit"), "pick-from"),
        button(words.to, fill("to", "/transit"), "pick-to"),
        button(words.board, fill("stop", "/transit/board")),
        button(words.reach, fill("stop", "/transit/reach")),
        button(words.add, add),
        button(words.close, () => (card.hidden = true)),
      ),
    );
    paint(card);
  }

  /** The row of the table that the slider stands for. */
  function bold() {
    const slider = main.querySelector("#bold");
    const table = main.querySelector("#bold-rows");
    if (!slider || !table) return;
    const rows = [...table.tBodies[0].rows];
    const row = rows[Number(slider.value)];
    for (const one of rows) one.toggleAttribute("aria-current", one === row);
    const heads = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
    const parts = [...row.cells].slice(0, -1).map((cell, i) => h("span", {}, h("b", {}, cell.textContent), " ", h("span", { class: "muted" }, heads[i])));
    let says = main.querySelector("#bold-says");
    if (!says) {
      says = h("div", { id: "bold-says", "aria-live": "polite" });
      slider.parentElement.after(says);
    }
    says.replaceChildren(h("p", { class: "tr-facts" }, ...parts), h("p", {}, h("span", { class: "muted" }, `${heads.at(-1)}: `), ...[...row.cells[row.cells.length - 1].cloneNode(true).childNodes]));
    slider.setAttribute("aria-valuetext", `${row.cells[0].textContent} ${heads[0]}`);
  }

  /** Says how long something that is still to come has taken so far; gives what ends it. */
  function awaiting(put) {
    const status = h("p", { class: "muted tr-wait", role: "status", hidden: true });
    put(status);
    const done = ticking(status, words.working);
    return () => {
      done();
      status.remove();
    };
  }

  /** Parts of an answer that come by themselves and say nothing meanwhile: the plot of the day, the study. */
  function awaitParts() {
    for (const plot of main.querySelectorAll("img.tr-plot")) {
      if (plot.complete) continue;
      const done = awaiting((status) => plot.after(status));
      for (const end of ["load", "error"]) plot.addEventListener(end, done, { once: true });
    }
    for (const note of main.querySelectorAll("[data-later] > [role=status]")) awaiting((status) => note.after(status));
  }

  /** What comes with an answer and wants a hand. */
  function dress() {
    bold();
    paint(main);
    awaitParts();
    const fold = main.querySelector("details#thread");
    fold?.addEventListener("toggle", () => {
      const player = fold.querySelector("wits-thread");
      if (fold.open && !player.hasAttribute("src")) player.setAttribute("src", player.dataset.src);
    });
  }
  dress();
  // What comes later wants a hand, too.
  new MutationObserver(() => main.querySelector("#bold-says") || bold()).observe(main.querySelector("#wide"), { childList: true, subtree: true });

  /** Brings the parts of a fresh answer that come later. */
  function later() {
    for (const part of main.querySelectorAll("[data-later]")) {
      fetch(part.dataset.later, { headers: { Accept: "text/html", Prefer: "wait" } })
        .then((reply) => reply.text())
        .then((text) => {
          const fresh = new DOMParser().parseFromString(text, "text/html").getElementById(part.id);
          if (fresh && !fresh.dataset.later) part.replaceWith(document.adoptNode(fresh));
        })
        .catch(() => {});
    }
  }

  bringing(main, words, ticking);
}

/** Counts the seconds of something that takes longer than a moment; gives what ends it. */
function ticking(place, words) {
  const begin = performance.now();
  const timer = setInterval(() => {
    // What it stood beside has come, or was put aside.
    if (!place.isConnected) {
      clearInterval(timer);
      return;
    }
    place.hidden = false;
    say(place, words.replace("{seconds}", String(Math.floor((performance.now() - begin) / 1000))));
  }, 500);
  return () => {
    clearInterval(timer);
    if (place.id === "progress") place.hidden = true;
  };
}

/** Lines in the colours that the feed gives them. */
function paint(root) {
  for (const line of root.querySelectorAll("[data-colour]")) {
    line.style.background = line.dataset.colour;
    line.style.color = line.dataset.ink;
  }
}
