/**
 * The sheet for a new game shows only the settings of the players that are chosen.
 *
 * Without this script all of them are there, folded; with it, each seat has its own player's.
 * What is hidden is disabled as well, so that the form does not send settings of players who do
 * not play.
 * @module
 */

/** Shows the settings of the player chosen in this select, and hides those of the others. */
function follow(select) {
  const seat = select.name;
  for (const group of document.querySelectorAll("[data-for]")) {
    const [of, player] = split(group.dataset.for);
    if (of !== seat) continue;
    const shown = player === select.value;
    group.hidden = !shown;
    for (const field of group.querySelectorAll("input, select, textarea")) field.disabled = !shown;
  }
}

/** `seats.1:alphabeta` as its seat and its player. */
function split(key) {
  const colon = key.indexOf(":");
  return [key.slice(0, colon), key.slice(colon + 1)];
}

/** The seconds matter only where there is a clock. */
function clock(select) {
  const field = document.getElementById("seconds")?.closest(".field");
  if (field) field.hidden = select.value === "";
}

for (const select of document.querySelectorAll("select[data-seat]")) {
  select.addEventListener("change", () => follow(select));
  follow(select);
}

const clocks = document.getElementById("clock");
if (clocks) {
  clocks.addEventListener("change", () => clock(clocks));
  clock(clocks);
}

// A page that comes back from the browser's memory keeps its choices without firing a change.
addEventListener("pageshow", () => {
  for (const select of document.querySelectorAll("select[data-seat]")) follow(select);
  if (clocks) clock(clocks);
});
