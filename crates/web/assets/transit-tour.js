/**
 * The list of stops of a tour: dragged with a hand, or moved with buttons.
 * @module
 */

import { h, say } from "./dom.js";
import { suggest } from "./transit-stops.js";
import { fill } from "./words.js";

/**
 * @param {HTMLOListElement} list the stops, the last row for a new one
 * @param {Record<string, string>} words
 * @param {() => void} changed told when the order or the stops changed
 * @returns {{add: (name: string) => void}}
 */
export function tourList(list, words, changed) {
  const fresh = list.querySelector(".tr-new input");
  const status = document.querySelector("#moved");
  let held = null;

  const stops = () => [...list.querySelectorAll("li:not(.tr-new)")];
  const renumber = () =>
    stops().forEach((row, i, all) => {
      row.querySelector("input").setAttribute("aria-label", `${i + 1}`);
      row.querySelector(".up").disabled = i === 0;
      row.querySelector(".down").disabled = i === all.length - 1;
    });
  const told = (row) => {
    const number = stops().indexOf(row) + 1;
    say(status, fill(words.moved, { stop: row.querySelector("input").value, number }));
  };
  const move = (row, by) => {
    const all = stops();
    const to = all.indexOf(row) + by;
    if (to < 0 || to >= all.length) return;
    if (by < 0) all[to].before(row);
    else all[to].after(row);
    renumber();
    told(row);
    const button = row.querySelector(by < 0 ? ".up" : ".down");
    (button.disabled ? row.querySelector(by < 0 ? ".down" : ".up") : button).focus();
    changed();
  };

  function dress(row) {
    const input = row.querySelector("input");
    const button = (kind, label, text, act) => h("button", { type: "button", class: `button quiet icon small ${kind}`, "aria-label": label, title: label, onclick: act }, text);
    input.before(h("span", { class: "tr-grip", "aria-hidden": "true", title: words.drag }, "⠿"));
    row.append(
      button("up", words.up, "↑", () => move(row, -1)),
      button("down", words.down, "↓", () => move(row, 1)),
      button("remove", words.remove, "✕", () => {
        row.remove();
        renumber();
        fresh.focus();
        changed();
      }),
    );
    suggest(input, words, changed);
    row.addEventListener("dragstart", (event) => {
      held = row;
      row.classList.add("held");
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", input.value);
    });
    row.addEventListener("dragend", () => {
      row.classList.remove("held");
      if (!held) return;
      held = null;
      renumber();
      told(row);
      changed();
    });
  }

  list.addEventListener("dragover", (event) => {
    const over = event.target.closest("li:not(.tr-new)");
    if (!held) return;
    event.preventDefault();
    if (!over || over === held) return;
    const box = over.getBoundingClientRect();
    if (event.clientY < box.top + box.height / 2) over.before(held);
    else over.after(held);
  });
  list.addEventListener("drop", (event) => event.preventDefault());

  function add(name) {
    const row = h("li", { draggable: "true" }, h("input", { name: "via", type: "text", "data-stop": true, autocomplete: "off", maxlength: 200 }));
    row.querySelector("input").value = name;
    list.querySelector(".tr-new").before(row);
    dress(row);
    renumber();
    changed();
  }

  const settle = () => {
    const name = fresh.value.trim();
    if (!name) return;
    fresh.value = "";
    add(name);
  };
  suggest(fresh, words, settle);
  fresh.addEventListener("change", settle);
  stops().forEach(dress);
  renumber();
  return { add };
}
