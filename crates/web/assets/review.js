/**
 * A page of analysis, kept alive.
 *
 * The server draws the page for any place in any game and works without this file. Here moves and
 * steps change only what is different, pieces move, and a machine looks through the whole game.
 * @module
 */

import { h, say } from "./dom.js";
import { LiveBars } from "./game-bars.js";
import { whenKey } from "./game-keys.js";
import { Kept } from "./review-kept.js";
import { curve, save } from "./review-chart.js";

/** The end of the address of a page that is to look through its game at once. */
const ARRIVED = "#looking";

/**
 * @param {HTMLElement} main
 * @param {{parts?: string[], ready?: (board: HTMLElement) => void}} room what else of the page hangs on the position,
 *   and what is done when one is shown
 */
export function review(main, room = {}) {
  const board = main.querySelector("wits-board");
  const find = (what) => main.querySelector(what);
  const name = main.dataset.address.split("/")[1];
  /** What the machine said of the moves of the game on the board. */
  let remarks = new Map();
  let looking = null;
  /** What it thinks of the position that it looks at now. */
  const bars = new LiveBars();
  const kept = new Kept(main);
  /** Only the last place asked for is shown. */
  let asked = 0;

  const address = (ply, more = "") => `${main.dataset.address}?${main.dataset.query ? `${main.dataset.query}&` : ""}ply=${ply}${more}`;
  const data = () => JSON.parse(find("#curve-data")?.textContent ?? "null");

  /** Shows another place or another game, with only what changed drawn anew. */
  async function go(to, push = true) {
    const mine = ++asked;
    let reply;
    try {
      reply = await fetch(to, { headers: { Accept: "text/html" } });
    } catch {
      location.assign(to);
      return;
    }
    const text = await reply.text();
    if (mine !== asked) return;
    const next = new DOMParser().parseFromString(text, "text/html");
    if (!reply.ok || !next.querySelector("main.review")) {
      find("#message").replaceChildren(...(next.querySelector(".error")?.childNodes ?? []));
      return;
    }
    find("#message").replaceChildren();
    if (push) history.pushState(null, "", reply.url);
    show(next.querySelector("main.review"));
  }

  function show(next) {
    const same = next.dataset.query === main.dataset.query;
    for (const [key, value] of Object.entries(next.dataset)) main.dataset[key] = value;
    say(find("#status"), next.querySelector("#status").textContent);
    board.scene = JSON.parse(next.querySelector("script.scene").textContent);
    const held = main.querySelector("#moves")?.contains(document.activeElement) ? document.activeElement.dataset.ply : null;
    const opened = [...main.querySelectorAll("details[open][id]")].map((part) => part.id);
    const parts = ["#played", "#deeds", ...(room.parts ?? []), ...(same ? [] : ["#graph"])];
    for (const part of parts) find(part).replaceWith(document.adoptNode(next.querySelector(part)));
    for (const id of opened) find(`#${id}`)?.setAttribute("open", "");
    if (held) find(`#moves [data-ply="${held}"]`)?.focus();
    stepping(next);
    if (!same) {
      looking?.close();
      looking = null;
      bars.end();
      remarks = new Map();
    }
    ready();
  }

  /** The slider stays the same element: somebody may be dragging it. */
  function stepping(next) {
    const [old, fresh] = [find(".review-steps"), next.querySelector(".review-steps")];
    const slider = old.querySelector("input[type=range]");
    slider.max = fresh.querySelector("input[type=range]").max;
    slider.value = main.dataset.ply;
    say(old.querySelector("output"), fresh.querySelector("output").textContent);
    const links = [...fresh.querySelectorAll("a")];
    old.querySelectorAll("a").forEach((link, i) => {
      link.href = links[i].getAttribute("href");
      link.dataset.ply = links[i].dataset.ply;
    });
  }

  /** Everything that hangs on the position just shown. */
  function ready() {
    room.ready?.(board);
    const current = find("#moves li.current");
    const list = find("#moves");
    if (current && list) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
    signs();
    draw();
    better();
    kept.ready();
  }

  /** The move that the machine would have played here, where the one that was played lost something. */
  function better() {
    const remark = remarks.get(Number(main.dataset.ply));
    if (remark?.sign && remark.best) board.point(remark.best);
  }

  function draw() {
    const figure = find("#curve");
    if (figure) figure.replaceChildren(curve(data(), remarks, Number(main.dataset.ply)));
  }

  function signs() {
    for (const place of main.querySelectorAll("[data-sign]")) {
      const remark = remarks.get(Number(place.dataset.sign));
      say(place, remark?.sign ?? "");
      place.title = remark?.text ?? "";
      place.classList.toggle("decisive", Boolean(remark?.decisive));
    }
    for (const row of main.querySelectorAll("#number-rows tr")) {
      const remark = remarks.get(Number(row.dataset.row));
      if (!remark) continue;
      say(row.querySelector(".worth"), remark.worth);
      say(row.querySelector(".best"), remark.best);
      say(row.querySelector(".sure"), remark.sure_says);
    }
    const bad = [...remarks.values()].filter((remark) => remark.sign).sort((a, b) => a.ply - b.ply);
    find("#marks")?.replaceChildren(
      ...bad.map((remark) =>
        h(
          "li",
          { class: remark.decisive ? "decisive" : null },
          h("a", { href: address(remark.ply), "data-ply": remark.ply }, `${remark.ply + 1}. ${remark.move}${remark.sign}`),
          ` ${remark.text}`,
        ),
      ),
    );
  }

  function analyse() {
    const [begin, stop, bar, note] = ["#analyse", "#stop", "#review-bar", "#review-note"].map(find);
    const words = data().words;
    remarks = new Map();
    [begin.disabled, stop.hidden, bar.hidden, bar.value] = [true, false, false, 0];
    find("#marks").before(bars.place);
    bars.begin();
    looking = new EventSource(find("#graph").dataset.review);
    const end = (text) => {
      looking?.close();
      looking = null;
      bars.end();
      [begin.disabled, stop.hidden, bar.hidden] = [false, true, true];
      if (text) say(note, text);
    };
    looking.addEventListener("remark", (event) => {
      const remark = JSON.parse(event.data);
      if (remark.ply !== undefined) remarks.set(remark.ply, remark);
      bar.value = remarks.size;
      say(note, remark.note);
      signs();
      draw();
    });
    looking.addEventListener("thought", (event) => bars.think(JSON.parse(event.data)));
    looking.addEventListener("done", () => end([...remarks.values()].some((r) => r.sign) ? null : words.none));
    looking.addEventListener("error", () => end(words.lost));
    stop.onclick = () => {
      end(words.stopped);
      begin.focus();
    };
    stop.focus();
  }

  function csv() {
    const rows = [...main.querySelectorAll("#numbers thead tr, #number-rows tr")];
    const text = rows.map((row) => [...row.cells].map((cell) => `"${cell.textContent.replaceAll('"', '""')}"`).join(","));
    save(`${name}-curve.csv`, "text/csv", `${text.join("\n")}\n`);
  }

  board.addEventListener("move", (event) => void go(address(main.dataset.ply, `&play=${encodeURIComponent(event.detail.text)}`)));
  main.addEventListener("click", (event) => {
    const place = event.target.closest("a[data-ply], rect[data-ply]");
    if (place && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      void go(address(place.dataset.ply));
    }
    const id = event.target.closest("button")?.id;
    if (id === "analyse") analyse();
    if (id === "save-svg") save(`${name}-curve.svg`, "image/svg+xml", new XMLSerializer().serializeToString(find("#curve svg")));
    if (id === "save-csv") csv();
  });
  main.addEventListener("input", (event) => {
    if (event.target.id === "ply") void go(address(event.target.value));
  });
  const step = (by) => {
    const to = Math.max(0, Math.min(Number(main.dataset.most), Number(main.dataset.ply) + by));
    if (to !== Number(main.dataset.ply)) void go(address(to));
  };
  whenKey({ ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => step(-Infinity), End: () => step(Infinity) });
  addEventListener("popstate", () => void go(location.href, false));
  addEventListener("pagehide", () => looking?.close());
  ready();
  // Whoever comes from the end of a game wants to know where it turned.
  if (location.hash === ARRIVED && find("#analyse")) {
    history.replaceState(null, "", `${location.pathname}${location.search}`);
    analyse();
  }
}
