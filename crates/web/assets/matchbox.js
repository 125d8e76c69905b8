/**
 * The matchbox room, kept alive.
 *
 * The server draws every page whole and works without this file. Here forms marked `data-part` are
 * sent in the background, and only what changed on the page they lead to is put in place; a machine
 * at school is looked at again and again; a machine that somebody plays elsewhere is, too.
 * @module
 */

import { h, say } from "./dom.js";
import { word } from "./words.js";

/** How often a course is looked at while it runs, and a machine while nothing happens here. */
const SCHOOL_MS = 500;
const IDLE_MS = 3000;

/** The parts of a machine's page that may change. */
const PARTS = ["summary", "hand", "school", "lesson"];

for (const area of document.querySelectorAll("textarea[data-file]")) addPicker(area);
const page = document.querySelector("main.matchbox-page");
if (page) start(page);

/** A file that is chosen fills the field with its text. */
function addPicker(area) {
  const label = word("choose-file", { field: area.labels[0]?.textContent ?? "" });
  const picker = h("input", { type: "file", accept: "application/json,.json", "aria-label": label });
  picker.addEventListener("change", async () => {
    const [file] = picker.files;
    if (file) area.value = await file.text();
  });
  area.before(picker);
}

function start(main) {
  const base = main.dataset.base;
  let busy = false;

  main.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!("part" in form.dataset)) return;
    event.preventDefault();
    if (busy) return;
    busy = true;
    const fields = new URLSearchParams(new FormData(form, event.submitter));
    const focus = event.submitter && placeOf(event.submitter);
    try {
      const reply = await fetch(form.action, { method: "POST", headers: { Accept: "text/html" }, body: fields });
      const next = await read(reply);
      refuse(reply.ok ? null : next);
      if (reply.ok) {
        show(next);
        focus?.();
      }
    } catch {
      say(main.querySelector("#message"), `${word("unreachable")}; ${word("unreachable-hint")}`);
    } finally {
      busy = false;
    }
  });

  /** Shows the sentence of a refusal in place. */
  function refuse(next) {
    const place = main.querySelector("#message");
    if (!place) return;
    const words = next?.querySelector(".error");
    place.textContent = words ? `${words.textContent}; ${words.nextElementSibling?.textContent ?? ""}` : "";
  }

  /** Puts in place what differs from the page as it is now. */
  function show(next) {
    const fresh = next.querySelector("main.matchbox-page");
    if (!fresh) return;
    if (fresh.dataset.hash) main.dataset.hash = fresh.dataset.hash;
    for (const id of PARTS) swap(id, fresh);
    for (const box of main.querySelectorAll(".mb-box")) {
      if (swap(box.id, fresh)) document.getElementById(box.id)?.classList.add("changed");
    }
    watch();
  }

  /** @returns {boolean} whether the part was another one before */
  function swap(id, fresh) {
    const [old, now] = [document.getElementById(id), fresh.querySelector(`#${CSS.escape(id)}`)];
    if (!old || !now) return false;
    const bare = old.cloneNode(true);
    bare.classList.remove("changed");
    if (!bare.classList.length) bare.removeAttribute("class");
    // The player of threads fills itself, so only where it comes from is compared.
    for (const player of bare.querySelectorAll("wits-thread")) player.replaceChildren();
    for (const fold of bare.querySelectorAll("details")) fold.open = false;
    if (bare.outerHTML === now.outerHTML) return false;
    const open = old.querySelector("details")?.open;
    const put = document.importNode(now, true);
    if (open && put.querySelector("details")) put.querySelector("details").open = true;
    old.replaceWith(put);
    return true;
  }

  let timer = 0;

  /** Looks again: soon while a course runs, now and then otherwise. */
  function watch() {
    clearTimeout(timer);
    const runs = () => document.getElementById("school")?.hasAttribute("data-running");
    timer = setTimeout(
      async () => {
        try {
          if (!busy && runs()) await look(`${base}/school`);
          // A course that has just ended has changed the beads, too.
          if (!busy && !document.hidden && main.dataset.hash && (await changed())) await look(location.href);
        } catch {
          // The server is away for a moment; the page shows what it knew.
        }
        watch();
      },
      runs() ? SCHOOL_MS : IDLE_MS,
    );
  }

  async function changed() {
    const reply = await fetch(`${base}/state`, { headers: { Accept: "application/json" } });
    return reply.ok && (await reply.json()).hash !== main.dataset.hash;
  }

  async function look(address) {
    const reply = await fetch(address, { headers: { Accept: "text/html" } });
    if (reply.ok && !busy) show(await read(reply));
  }

  watch();
}

async function read(reply) {
  return new DOMParser().parseFromString(await reply.text(), "text/html");
}

/** How to find a button again after its form was drawn anew, and to give it the focus. */
function placeOf(button) {
  const id = button.closest("[id]")?.id;
  const { name, value } = button;
  const form = button.form?.getAttribute("action");
  return () => {
    const place = id && document.getElementById(id);
    const buttons = [...(place?.querySelectorAll("button") ?? [])];
    const same = buttons.find((b) => b.name === name && b.value === value && b.form?.getAttribute("action") === form);
    // A button that can no longer be pressed gives the focus to its neighbour.
    const near = same?.disabled ? buttons.find((b) => !b.disabled && b.parentElement === same.parentElement) : same;
    (near ?? buttons.find((b) => !b.disabled))?.focus({ preventScroll: true });
  };
}
