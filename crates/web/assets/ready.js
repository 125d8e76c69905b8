/**
 * A table that stands ready in a room: a move on its board begins a game with that move.
 * @module
 */

import { word } from "./words.js";

const form = document.querySelector("#ready");
const board = document.querySelector(".ready wits-board");
if (form && board) board.addEventListener("move", (event) => void begin(event.detail.text));

async function begin(move) {
  board.live = false;
  const send = (to, fields) => fetch(to, { method: "POST", headers: { Accept: "application/json" }, body: new URLSearchParams(fields) });
  try {
    const reply = await send(form.getAttribute("action"), new FormData(form));
    const made = await reply.json();
    if (!reply.ok) throw new Error(`${made.error.message}; ${made.error.hint}`);
    // A move that the game does not take is said on its own page, where another can be made.
    await send(`${made.page}/move`, { ply: 0, seat: 1, move });
    location.assign(made.page);
  } catch (error) {
    board.live = true;
    document.querySelector("#ready-message").textContent = error.message || word("unreachable");
  }
}
