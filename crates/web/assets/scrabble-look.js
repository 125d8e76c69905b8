/**
 * The page of a position: plays shown on the board, anchors and cross-checks, a simulation.
 * @module
 */

import { say } from "./dom.js";
import { squareName, tilePicture, words, worth } from "./scrabble-board.js";
import { Race } from "./scrabble-race.js";

const board = document.querySelector("scrabble-board");
const study = document.getElementById("study");

if (board) {
  document.getElementById("rack")?.append(...board.first.rack.map((face) => tilePicture(face, worth(face), face === "?" ? ["blank"] : [])));
}

if (board && study) {
  const value = board.first;
  const checks = new Map(value.checks.map((check) => [check.square, check]));
  let placed = new Map();
  const overlay = document.getElementById("overlay");
  const race = new Race();
  const show = () => board.show({ ...value, placed, checks, way: overlay.value });
  overlay.addEventListener("change", show);
  document.getElementById("plays")?.addEventListener("click", (event) => {
    const button = event.target.closest("[data-laid]");
    if (!button) return;
    const again = button.getAttribute("aria-pressed") === "true";
    for (const other of document.querySelectorAll("#plays [aria-pressed]")) other.removeAttribute("aria-pressed");
    placed = new Map();
    if (!again) {
      button.setAttribute("aria-pressed", "true");
      placed = new Map(JSON.parse(button.dataset.laid).map(([square, face, points, blank]) => [square, { face, value: points, blank }]));
    }
    show();
  });
  // What fits on a square is said where the cursor stands.
  board.addEventListener("focusin", (event) => {
    const square = Number(event.target.closest("[data-square]")?.dataset.square);
    const check = overlay.value ? checks.get(square) : null;
    const fit = check?.[overlay.value];
    say(document.getElementById("check"), fit ? `${squareName(square)}: ${fit.length ? words("says-fits", { letters: fit.join(" ") }) : words("says-fits-none")}` : "");
  });
  document.getElementById("think").addEventListener("click", () => {
    const asked = new URLSearchParams({ lexicon: study.dataset.lexicon, position: study.dataset.position });
    race.start(`/scrabble/simulate?${asked}`);
  });
}
