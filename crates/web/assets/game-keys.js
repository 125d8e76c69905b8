/**
 * Single keys on the page of a game, and the dialog that explains them.
 * @module
 */

import { h } from "./dom.js";
import { word } from "./words.js";

const KEYS = [
  [word("key-arrows"), word("key-move")],
  ["Enter", word("key-play")],
  ["Escape", word("key-cancel")],
  ["← →", word("key-replay")],
  ["u", word("key-undo")],
  ["h", word("key-hint")],
  ["?", word("key-keys")],
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
    // On a board the arrows go from cell to cell.
    const onBoard = event.key.length > 1 && event.target instanceof Element && event.target.closest("wits-board, [data-board], wits-thread, [role=grid]");
    if (!deed || onBoard || typing(event.target) || document.querySelector("dialog[open]")) return;
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
      h("h2", { id: "keys-title" }, word("keys")),
      h("dl", {}, ...KEYS.map(([key, means]) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, means)))),
      h("form", { method: "dialog" }, h("button", { class: "button primary" }, word("close"))),
    );
    document.body.append(dialog);
  }
  dialog.showModal();
}
