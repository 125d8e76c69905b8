/**
 * What stands beside the board: scores, the sheet, and the tiles that nobody has shown yet.
 * @module
 */

import { h, say } from "./dom.js";

/** The score sheet; the newest turn is in sight. */
export function showSheet(place, room, seats) {
  const key = JSON.stringify(room.sheet);
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  place.replaceChildren(
    ...room.sheet.map((row) => {
      const points = `${row.points >= 0 ? "+" : "−"}${Math.abs(row.points)}`;
      const name = seats.find((seat) => seat.seat === row.seat)?.name ?? row.seat;
      return h("tr", { "data-seat": row.seat }, h("td", {}, name), h("td", { class: "move-text" }, row.text), h("td", {}, points), h("td", {}, row.total));
    }),
  );
  const box = place.closest(".scr-sheet");
  box.scrollTop = box.scrollHeight;
}

/** The tiles that this seat has not seen, by letter. */
export function showUnseen(place, line, room, words) {
  const all = room.unseen.reduce((sum, [, count]) => sum + count, 0);
  say(line, words("unseen-count", { unseen: all }));
  const key = JSON.stringify(room.unseen);
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  place.replaceChildren(
    ...room.unseen.map(([face, count]) => h("span", { class: count ? "scr-left" : "scr-left none" }, h("b", {}, face), ` ${count}`)),
  );
}

/** Each player's tiles, beside the points. */
export function showHands(list, room, words) {
  [...list.children].forEach((row, i) => {
    let held = row.querySelector(".scr-tiles");
    if (!held) {
      held = h("span", { class: "scr-tiles muted" });
      row.append(" ", held);
    }
    const one = room.racks[i];
    say(held, one ? (one.tiles ?? words("rack-tiles", { count: one.count })) : "");
  });
}

/** How many tiles the bag holds. */
export function showBag(line, room, words) {
  say(line, room.over ? "" : words("in-bag", { bag: room.bag }));
}
