/**
 * Single keys on the page of a game, and the dialog that explains them.
 * @module
 */

import { h } from "./dom.js";

const KEYS = [
  ["arrows", "move on the board"],
  ["Enter", "play, or choose a piece"],
  ["Escape", "let go of the piece"],
  ["u", "undo"],
  ["h", "hint"],
  ["?", "show these keys"],
];

/** Whether the reader is typing, so that letters are letters. */
function typing(target) {
  return target instanceof Element && Boolean(target.closest("input, textarea, select, [contenteditable], dialog[open]"));
}

/** Calls a function when its key is pressed anywhere on the page. @param {Record<string, () => void>} doing */
export function whenKey(doing) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    const deed = doing[event.key];
    if (!deed || typing(event.target) || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    deed();
  });
}

/** Shows the keys. */
export function showKeys() {
  let dialog = document.querySelector("dialog.keys");
  if (!dialog) {
    dialog = h(
      "dialog",
      { class: "keys", "aria-labelledby": "keys-title" },
      h("h2", { id: "keys-title" }, "Keys"),
      h("dl", {}, ...KEYS.map(([key, means]) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, means)))),
      h("form", { method: "dialog" }, h("button", { class: "button primary" }, "Close")),
    );
    document.body.append(dialog);
  }
  dialog.showModal();
}
