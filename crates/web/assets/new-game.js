/**
 * The sheet for a new game shows only the settings of the players that are chosen, and only those opponents
 * that can take the other side.
 *
 * What is hidden is disabled as well, so that the form does not send settings of players who do not play.
 * @module
 */

/** Shows or hides a part of the form with everything in it. */
function toggle(part, shown) {
  part.hidden = !shown;
  for (const field of part.querySelectorAll("input, select, textarea")) field.disabled = !shown;
}

/** Shows the settings of the player chosen in this select, and hides those of the others. */
function follow(select) {
  for (const group of document.querySelectorAll("[data-for]")) {
    const [of, player] = split(group.dataset.for);
    if (of === select.name) toggle(group, player === select.value);
  }
}

/** `seats.1:alphabeta` as its seat and its player. */
function split(key) {
  const colon = key.indexOf(":");
  return [key.slice(0, colon), key.slice(colon + 1)];
}

/** The opponents who can sit where the person does not, and the settings of the chosen one. */
function opponents() {
  const side = document.querySelector("input[name=side]:checked")?.value;
  const cards = [...document.querySelectorAll(".opponent")];
  for (const card of cards) {
    const seats = card.dataset.seats.split(" ");
    const fits = side === "lot" ? seats.length > 1 : seats.some((seat) => seat !== side);
    card.hidden = !fits;
    if (!fits) card.querySelector("input[name=opponent]").checked = false;
  }
  const shown = cards.filter((card) => !card.hidden);
  const chosen = shown.find((card) => card.querySelector("input[name=opponent]").checked) ?? shown[1] ?? shown[0];
  if (chosen) chosen.querySelector("input[name=opponent]").checked = true;
  for (const card of cards) {
    card.classList.toggle("chosen", card === chosen);
    const settings = card.querySelector(".opponent-settings");
    if (settings) toggle(settings, card === chosen);
  }
}

/** The seconds matter only where there is a clock. */
function clock(select) {
  const field = document.getElementById("seconds")?.closest(".field");
  if (field) field.hidden = select.value === "";
}

const clocks = document.getElementById("clock");
const selects = document.querySelectorAll("select[data-seat]");

function all() {
  for (const select of selects) follow(select);
  if (clocks) clock(clocks);
  opponents();
}

for (const select of selects) select.addEventListener("change", () => follow(select));
clocks?.addEventListener("change", () => clock(clocks));
document.querySelector("form.new-game")?.addEventListener("change", opponents);
all();
// A page that comes back from the browser's memory keeps its choices without firing a change.
addEventListener("pageshow", all);
