/**
 * A seat at a table: tiles are laid by dragging, by tapping or by typing, shown with their score
 * before they are sent, and taken back when they are not wanted. The stream, the clocks and the
 * sending belong to the page of every game; this file follows the same states.
 * @module
 */

import { h, say } from "./dom.js";
import { fixed, squareName, tilePicture, words, worth } from "./scrabble-board.js";
import { Drag } from "./scrabble-drag.js";
import { Race } from "./scrabble-race.js";
import { Rack } from "./scrabble-rack.js";
import { showBag, showHands, showSheet, showUnseen } from "./scrabble-side.js";

/** How long to wait for another tile before asking what the tiles make. */
const PAUSE_MS = 60;

const main = document.querySelector("main.scr-page[data-base]");
if (main) sit(main);

function sit(page) {
  const find = (what) => page.querySelector(what);
  const board = find("scrabble-board");
  const place = find("#rack");
  const rack = new Rack();
  const race = new Race();
  const overlay = find("#overlay");
  let room = board.first;
  /** The tile in hand. */
  let picked = null;
  let exchanging = false;
  /** What the server says of the tiles that are laid, and for which tiles. */
  let preview = null;
  let asked = "";
  let timer = 0;
  let checks = new Map();
  let checked = "";

  const free = (square) => !room.board[square];
  const face = (tile) => tile.as ?? tile.face;

  function draw() {
    const bad = new Set((preview?.words ?? []).filter((word) => word.good === false).flatMap((word) => word.squares));
    board.show({ ...room, placed: rack.picture(), bad, checks, way: overlay.value });
    drawRack();
    const { can } = room;
    const laid = rack.laid.length > 0;
    find("#send").disabled = !laid || !can.lay;
    find("#recall").disabled = !laid && !exchanging;
    find("#recall").textContent = exchanging ? words("exchange-stop") : find("#recall").dataset.words;
    const out = rack.tiles.filter((tile) => tile.out).length;
    find("#exchange").disabled = !can.exchange || (exchanging && out === 0);
    find("#exchange").textContent = exchanging && out ? words("exchange-these", { count: out }) : words("exchange");
    find("#pass").disabled = !can.pass;
    find("#pass").textContent = can.accept ? words("accept") : words("pass");
    find("#challenge").hidden = !can.challenge;
    find(".scr-tools").hidden = room.rack === null || room.over;
    find("#help").hidden = !can.help || room.over;
    find("#think").disabled = !can.pass;
    find("#after").hidden = !room.over;
  }

  function drawRack() {
    const focused = document.activeElement?.dataset?.tile;
    const shown = rack.tiles.filter((tile) => tile.square === null);
    place.replaceChildren(
      ...shown.map((tile) => {
        const spoken = tile.face === "?" ? words("says-blank") : `${tile.face}, ${words("says-points", { value: worth(tile.face) })}`;
        const on = exchanging ? tile.out : tile === picked;
        const button = h("button", { type: "button", class: "scr-held", "data-tile": tile.id, "aria-label": spoken, "aria-pressed": on ? "true" : "false" });
        button.append(tilePicture(tile.face, worth(tile.face), tile.face === "?" ? ["blank"] : []));
        return button;
      }),
    );
    if (focused !== undefined) place.querySelector(`[data-tile="${focused}"]`)?.focus();
  }

  const byId = (id) => rack.tiles.find((tile) => String(tile.id) === id) ?? null;

  /** Asks what the tiles make; the answer to an older question is dropped. */
  async function look() {
    clearTimeout(timer);
    const laid = rack.laid.map((tile) => `${tile.square}:${tile.as ? fixed.letters.find((l) => l.face === tile.as).small : tile.face}`).join(",");
    asked = laid;
    if (!laid) {
      preview = null;
      tell();
      return;
    }
    try {
      const reply = await fetch(`${page.dataset.room}/preview`, { method: "POST", headers: { Accept: "application/json" }, body: new URLSearchParams({ tiles: laid }) });
      const value = await reply.json();
      if (asked !== laid) return;
      preview = reply.ok ? value : null;
      if (!reply.ok) say(find("#preview"), value?.error?.message ?? words("preview-lost"));
      else tell();
    } catch {
      if (asked === laid) say(find("#preview"), words("preview-lost"));
    }
    draw();
  }

  function tell() {
    const line = find("#preview");
    const made = (preview?.words ?? []).map((word) => (word.good === false ? words("preview-word-bad", { word: word.text }) : word.text));
    const sentence = preview ? (preview.score !== null && preview.refused !== "rule" ? words("preview-score", { score: preview.score, words: made.join(", ") }) : "") : "";
    const why = preview?.why ? `${sentence ? " – " : ""}${preview.why}` : "";
    line.className = preview?.refused ? `refused ${preview.refused}` : preview ? "fine" : "";
    say(line, sentence + why);
  }

  /** After a tile came or went. */
  function changed() {
    say(find("#message"), "");
    preview = null;
    draw();
    clearTimeout(timer);
    timer = setTimeout(look, PAUSE_MS);
  }

  function pick(tile) {
    picked = picked === tile ? null : tile;
    if (picked) say(find("#preview"), words("picked", { letter: picked.face === "?" ? words("says-blank") : picked.face }));
    draw();
  }

  /** Lays a tile; a blank is asked what it stands for. */
  async function lay(tile, square, as = null) {
    if (!free(square)) return;
    const letter = tile.face === "?" ? (as ?? (tile.as || (await stands()))) : null;
    picked = null;
    if (tile.face === "?" && !letter) {
      rack.recall(tile);
      changed();
      return;
    }
    rack.place(tile, square, letter);
    changed();
  }

  /** Asks what a blank stands for. @returns {Promise<string | null>} */
  function stands() {
    const dialog = find("#blank");
    return new Promise((tell_) => {
      let letter = null;
      const choose = (chosen) => {
        letter = chosen;
        dialog.close();
      };
      dialog.onclick = (event) => {
        const chosen = event.target.closest("[data-face]")?.dataset.face;
        if (chosen) choose(chosen);
      };
      dialog.onkeydown = (event) => {
        const chosen = letterOf(event.key);
        if (chosen) choose(chosen);
      };
      dialog.onclose = () => tell_(letter);
      dialog.showModal();
    });
  }

  /** The letter that a key is. */
  function letterOf(key) {
    const big = key.toLocaleUpperCase(fixed.lang);
    return fixed.letters.find((letter) => letter.face === big || letter.small === key)?.face ?? null;
  }

  /** The next square on the way that is not covered; nothing at the edge. */
  function next(square, way, back = false) {
    const step = (way === "down" ? 15 : 1) * (back ? -1 : 1);
    for (let at = square + step; at >= 0 && at < 225; at += step) {
      if (way !== "down" && Math.floor(at / 15) !== Math.floor(square / 15)) return null;
      if (free(at) && !rack.at(at)) return at;
    }
    return null;
  }

  /** A key on the board. @returns {boolean} whether it was used */
  function typed(square, event) {
    if (room.rack === null || exchanging) return false;
    const way = board.heading ?? "across";
    if (event.key === "Enter") {
      if (picked) lay(picked, square);
      else if (rack.laid.length) send();
      return true;
    }
    if (event.key === " ") {
      board.head(way === "across" && board.heading ? "down" : "across");
      return true;
    }
    if (event.key === "Escape") {
      recall();
      return true;
    }
    if (event.key === "Backspace" || event.key === "Delete") {
      const tile = rack.at(square) ?? rack.newest;
      if (!tile) return true;
      board.go(tile.square);
      rack.recall(tile);
      changed();
      return true;
    }
    if ([...event.key].length !== 1) return false;
    if (joined(event.key)) return true;
    const letter = letterOf(event.key);
    if (!letter) return false;
    board.head(way);
    const to = free(square) && !rack.at(square) ? square : next(square, way);
    const tile = event.shiftKey ? (rack.held.find((one) => one.face === "?") ?? rack.fit(letter)) : rack.fit(letter);
    if (to === null) return true;
    if (!tile) {
      say(find("#preview"), words("not-held", { letter }));
      return true;
    }
    lay(tile, to, letter);
    const on = next(to, way);
    if (on !== null) board.go(on);
    return true;
  }

  /** Two keys that are one letter: the tile that the first laid is taken back for it. */
  function joined(key) {
    const last = rack.newest;
    if (!last) return false;
    const both = letterOf(face(last) + key);
    if (!both) return false;
    const square = last.square;
    const as = last.as;
    rack.recall(last);
    const tile = rack.fit(both);
    if (!tile) {
      rack.place(last, square, as);
      return false;
    }
    lay(tile, square, both);
    return true;
  }

  function recall() {
    rack.recallAll();
    stopExchange();
    picked = null;
    changed();
  }

  function stopExchange() {
    exchanging = false;
    for (const tile of rack.tiles) tile.out = false;
  }

  const play = (text) => board.dispatchEvent(new CustomEvent("move", { detail: { text }, bubbles: true }));

  async function send() {
    await look();
    if (!preview) return;
    if (preview.move && preview.refused !== "rule") play(preview.move);
    else refuse(preview.why);
  }

  function refuse(why) {
    const line = find("#message");
    const text = String(why ?? "");
    line.replaceChildren(h("b", {}, `${text.charAt(0).toUpperCase()}${text.slice(1)}.`));
  }

  function exchange() {
    const out = rack.tiles.filter((tile) => tile.out);
    if (exchanging && out.length) {
      const text = out.map((tile) => ([...tile.face].length > 1 ? `[${tile.face}]` : tile.face)).join("");
      stopExchange();
      play(`exchange ${text}`);
      return;
    }
    recall();
    exchanging = true;
    say(find("#preview"), words("exchange-pick"));
    draw();
  }

  place.addEventListener("click", (event) => {
    const tile = byId(event.target.closest("[data-tile]")?.dataset.tile);
    if (!tile) return;
    if (exchanging) {
      tile.out = !tile.out;
      draw();
    } else pick(tile);
  });
  board.onpress = (square) => {
    if (room.rack === null || room.over || exchanging) return;
    const there = rack.at(square);
    if (picked) lay(picked, square);
    else if (there) {
      rack.recall(there);
      changed();
    } else if (free(square)) board.head(board.heading === "across" ? "down" : "across");
  };
  board.onkey = typed;
  new Drag(page, {
    tile: (element) => {
      const held = element.closest("#rack [data-tile]");
      if (held) return byId(held.dataset.tile);
      const cell = element.closest("scrabble-board [data-square]");
      return cell ? rack.at(Number(cell.dataset.square)) : null;
    },
    picture: (tile) => tilePicture(face(tile), worth(tile.face), ["own", "flying"]),
    may: () => room.rack !== null && !room.over && !exchanging,
    onto: (tile, element) => {
      const cell = element?.closest("scrabble-board [data-square]");
      if (cell) {
        lay(tile, Number(cell.dataset.square));
        return;
      }
      rack.recall(tile);
      const before = byId(element?.closest("#rack [data-tile]")?.dataset.tile);
      if (element?.closest("#rack")) rack.order(tile, before);
      changed();
    },
  });
  find("#send").addEventListener("click", send);
  find("#recall").dataset.words = find("#recall").textContent;
  find("#recall").addEventListener("click", recall);
  find("#shuffle").addEventListener("click", () => {
    rack.shuffle();
    draw();
  });
  find("#exchange").addEventListener("click", exchange);
  find("#pass").addEventListener("click", () => play("pass"));
  find("#challenge").addEventListener("click", () => play("challenge"));
  find("#think").addEventListener("click", () => race.start(`${page.dataset.room}/hint`));
  const zoom = find("#zoom");
  zoom.hidden = false;
  zoom.addEventListener("click", () => {
    const large = board.classList.toggle("large");
    zoom.setAttribute("aria-pressed", String(large));
    zoom.textContent = words(large ? "smaller" : "larger");
    if (large) board.querySelector(`[data-square="${board.focused}"]`)?.scrollIntoView({ block: "nearest", inline: "center" });
  });

  /** Anchors and cross-checks of the board as it lies. */
  async function fetchChecks() {
    if (!overlay.value) {
      draw();
      return;
    }
    const key = JSON.stringify(room.board);
    if (key !== checked) {
      const reply = await fetch(`${page.dataset.room}/checks`, { headers: { Accept: "application/json" } });
      if (!reply.ok) return;
      checks = new Map((await reply.json()).map((check) => [check.square, check]));
      checked = key;
    }
    draw();
  }
  overlay.addEventListener("change", fetchChecks);
  board.addEventListener("focusin", (event) => {
    const square = Number(event.target.closest("[data-square]")?.dataset.square);
    const fit = overlay.value ? checks.get(square)?.[overlay.value] : null;
    if (fit) say(find("#race-note"), `${squareName(square)}: ${fit.length ? words("says-fits", { letters: fit.join(" ") }) : words("says-fits-none")}`);
  });

  /** A new state of the table. */
  function take(next) {
    const moved = !room || JSON.stringify(room.board) !== JSON.stringify(next.room.board) || room.can.pass !== next.room.can.pass;
    room = next.room;
    if (room.rack) rack.take(room.rack, free);
    if (moved) {
      race.clear();
      if (!room.can.exchange) stopExchange();
    }
    draw();
    showSheet(find("#sheet"), room, next.seats);
    showUnseen(find("#unseen"), find("#unseen-count"), room, words);
    showHands(find("#clocks"), room, words);
    showBag(find("#bag"), room, words);
    if (overlay.value) fetchChecks();
    if (rack.laid.length) look();
    else if (moved && !exchanging) say(find("#preview"), "");
  }
  page.addEventListener("state", (event) => {
    if (event.detail.room) take(event.detail);
  });
  if (room?.rack) rack.take(room.rack, free);
  draw();
}
