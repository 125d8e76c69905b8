/**
 * The sheet of a grid: how many pipelines are ticked, and refusals in place.
 * @module
 */

import { say } from "./dom.js";
import { grouped } from "./numbers.js";
import { fill } from "./words.js";

const form = document.querySelector("#grid");
if (form) start(form);

function start(form) {
  const place = form.querySelector("#count");
  const message = form.querySelector("#message");

  /** How many methods of a kind: boxes ticked and lines written. */
  function chosen(name) {
    const lines = new FormData(form).getAll(name).flatMap((value) => value.split("\n"));
    return new Set(lines.map((line) => line.trim()).filter(Boolean)).size;
  }

  function count() {
    const fields = new FormData(form);
    const gaps = Number(form.dataset.gaps) > 0 || Number(fields.get("missing")) > 0;
    const imputers = chosen("imputer");
    const pipelines = (gaps ? imputers : Math.min(imputers, 1)) * chosen("transformer") * chosen("classifier");
    const folds = Number(fields.get("folds")) * Number(fields.get("repeats"));
    const fits = pipelines * folds * (fields.get("nested") ? 1 + Number(fields.get("folds")) : 1);
    const words = { pipelines, folds, fits };
    say(place, fill(form.dataset.count, Object.fromEntries(Object.entries(words).map(([name, n]) => [name, grouped(n)]))));
    place.classList.toggle("over", fits === 0 || fits > Number(form.dataset.fits));
  }

  form.addEventListener("input", count);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    message.hidden = true;
    const reply = await fetch(form.action, { method: "POST", headers: { Accept: "application/json" }, body: new URLSearchParams(new FormData(form)) });
    const told = await reply.json();
    if (reply.ok) return location.assign(told.page);
    message.hidden = false;
    say(message, `${told.error.message}; ${told.error.hint}`);
    message.scrollIntoView({ block: "center" });
  });
  count();
}
