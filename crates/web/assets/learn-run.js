/**
 * A grid that fills while one looks: cells come over one stream of events. Once it is over, the
 * leaderboard is fetched and put in place.
 * @module
 */

import { h, say } from "./dom.js";
import { fixed, grouped } from "./numbers.js";
import { fill } from "./words.js";

const live = document.querySelector("#live");
if (live && "running" in live.dataset) follow(live);

function follow(live) {
  const { base } = live.dataset;
  const table = live.querySelector("#cells");
  const columns = [...table.tHead.rows[0].cells].slice(1).map((cell) => cell.textContent);
  const rows = [...table.tBodies[0].rows];
  /** The value of each cell that is known, by its place. */
  const known = new Map();
  rows.forEach((row, r) =>
    [...row.cells].slice(1).forEach((cell, c) => {
      if ("value" in cell.dataset) known.set(r * columns.length + c, Number(cell.dataset.value));
    }),
  );
  let best = -1;
  const cellAt = (at) => rows[Math.floor(at / columns.length)].cells[1 + (at % columns.length)];

  function take({ done, total, nested, left, cells }) {
    const bar = live.querySelector("#bar");
    if (bar) {
      bar.max = total;
      bar.value = done;
    }
    for (const fresh of table.querySelectorAll(".fresh")) fresh.classList.remove("fresh");
    for (const [at, value, [low, high]] of cells) {
      known.set(at, value);
      const cell = cellAt(at);
      cell.className = "known fresh";
      cell.dataset.value = value;
      cell.replaceChildren(fixed(value, 3), h("small", {}, ` ${fixed(low, 2)} – ${fixed(high, 2)}`));
    }
    if (cells.length) rank();
    const words = { done: grouped(done), total: grouped(total) };
    say(live.querySelector("#status"), fill(nested ? live.dataset.nested : live.dataset.progress, words));
    live.querySelector("#left").textContent = left == null ? "" : fill(live.dataset.left, { seconds: grouped(left) });
  }

  /** Shades all cells anew on one scale and marks the best. */
  function rank() {
    const values = [...known.values()];
    const [low, high] = [Math.min(...values), Math.max(...values)];
    let top = -1;
    for (const [at, value] of known) {
      if (top < 0 && value === high) top = at;
      cellAt(at).dataset.shade = high > low ? Math.round((9 * (value - low)) / (high - low)) : 9;
    }
    live.querySelector("#scale").textContent = fill(live.dataset.scale, { low: fixed(low, 3), high: fixed(high, 3) });
    if (top === best) return;
    if (best >= 0) cellAt(best).classList.remove("best");
    best = top;
    const cell = cellAt(best);
    cell.classList.add("best");
    const row = cell.parentElement.cells[0].textContent;
    const pipeline = `${row} + ${columns[best % columns.length]}`;
    say(live.querySelector("#so-far"), fill(live.dataset.best, { pipeline, mean: fixed(high, 3) }));
  }

  async function finish() {
    const reply = await fetch(base, { headers: { Accept: "text/html" } });
    const next = new DOMParser().parseFromString(await reply.text(), "text/html");
    for (const id of ["live", "result"]) {
      const fresh = next.getElementById(id);
      if (fresh) document.getElementById(id).replaceWith(document.importNode(fresh, true));
    }
  }

  const events = new EventSource(`${base}/events`);
  events.addEventListener("cells", (event) => take(JSON.parse(event.data)));
  events.addEventListener("over", (event) => {
    events.close();
    take(JSON.parse(event.data));
    void finish();
  });
  events.addEventListener("error", () => say(live.querySelector("#so-far"), live.dataset.away));
  live.querySelector("#stop")?.addEventListener("submit", (event) => {
    event.preventDefault();
    event.submitter.disabled = true;
    void fetch(event.target.action, { method: "POST", headers: { Accept: "application/json" } });
  });
}
