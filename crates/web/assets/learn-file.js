/**
 * The door of the learning desk: a file that is dropped or chosen is sent as it is. Without this
 * script a table can be pasted.
 * @module
 */

import { h, say } from "./dom.js";

const form = document.querySelector("#own");
if (form) start(form);

function start(form) {
  const { limit, large, drop, away } = form.dataset;
  const message = form.querySelector("#message");

  function refuse(text) {
    message.hidden = !text;
    say(message, text);
  }

  async function take(file) {
    if (!file) return;
    refuse("");
    if (file.size > Number(limit)) return refuse(large);
    const fields = new FormData(form);
    const query = new URLSearchParams({ name: file.name, names: fields.get("names"), na: fields.get("na"), text: fields.get("text") });
    const zone = form.querySelector(".drop");
    zone.setAttribute("aria-busy", "true");
    try {
      const reply = await fetch(`${form.getAttribute("action")}?${query}`, {
        method: "POST",
        headers: { Accept: "application/json", "Content-Type": "text/csv" },
        body: file,
      });
      const told = await reply.json();
      if (reply.ok) location.assign(told.page);
      else refuse(`${told.error.message}; ${told.error.hint}`);
    } catch {
      refuse(away);
    } finally {
      zone.removeAttribute("aria-busy");
    }
  }

  const field = h("input", { type: "file", id: "file", accept: ".csv,.tsv,.txt,.data,text/csv,text/plain" });
  const zone = h("label", { class: "drop" }, h("span", {}, drop), field);
  field.addEventListener("change", () => void take(field.files[0]));
  // A file may be dropped anywhere on the page.
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add("over");
  });
  document.addEventListener("dragleave", () => zone.classList.remove("over"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    void take(event.dataTransfer.files[0]);
  });
  message.after(zone);
}
