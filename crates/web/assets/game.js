/**
 * The page of a game, kept alive.
 *
 * The server draws the page once; from then on it sends states and thoughts, and this file shows
 * them. It decides nothing about the game: what may be done stands in the last state, and what the
 * server refuses is shown in its own words.
 * @module
 */

import { h, mayMove, say } from "./dom.js";
import { showKeys, whenKey } from "./game-keys.js";
import { Clocks } from "./game-clocks.js";
import { LiveBars } from "./game-bars.js";
import { Boxes } from "./game-boxes.js";
import { showHint, showLines } from "./game-lines.js";
import { Replay } from "./game-replay.js";
import { knock, setSound, soundOn } from "./sound.js";
import { word } from "./words.js";

/** How long to wait before asking again after the server closed the stream for good. */
const RETRY_MS = 3000;

/** How long a move stands before the reply to it is shown. */
const PAUSE_MS = 350;

const page = document.querySelector("main.game");
if (page) start(page);

function start(main) {
  const base = main.dataset.base;
  const board = main.querySelector("wits-board, [data-board]");
  const find = (what) => main.querySelector(what);
  const clocks = new Clocks(find("#clocks"), base);
  const bars = new LiveBars(find(".side"), find("#lines"));
  const boxes = new Boxes(find(".seats"), base);
  const told = h("p", { class: "sr-only", "aria-live": "polite" });
  const link = h("p", { class: "muted", role: "status" });
  main.append(told, link);
  const pageTitle = document.title;
  /** The last state, or null until the first has come. */
  let state = null;
  /** Whether a request of ours is on its way. */
  let waiting = false;
  /** The ply whose thread is open. */
  let followed = null;
  /** When the last move was shown, and the states that wait for their turn. */
  let shownAt = -Infinity;
  let queue = [];
  let timer = 0;
  const replay = new Replay(base, (scene, ply) => {
    board.scene = scene ?? state.scene;
    board.live = !scene && mine() && !waiting;
    main.classList.toggle("away", Boolean(scene));
    const moves = [...main.querySelectorAll("#moves li")];
    moves.forEach((row, i) => row.classList.toggle("shown", i === (ply ?? moves.length) - 1));
  });

  const mine = () => Boolean(state && !state.over && state.turn !== null && state.you.includes(state.turn));

  function refuse(error) {
    const place = find("#message");
    if (!place) return;
    place.replaceChildren();
    if (!error) return;
    place.append(h("b", {}, sentence(error.message)), error.hint ? ` ${sentence(error.hint)}` : "");
  }

  /** Shows a state, unless a later one is already shown: a move is seen before the reply to it comes. */
  function show(next, own = false) {
    if (state && next.seq < state.seq) return;
    // The answer to a move of ours comes with that move alone; the reply may have overtaken it.
    if (waiting && !own) {
      queue.push(next);
      return;
    }
    const moved = state && next.moves.length > state.moves.length;
    const wait = moved && mayMove() ? shownAt + PAUSE_MS - performance.now() : 0;
    if (!own && (queue.length || wait > 0)) {
      queue.push(next);
      timer ||= setTimeout(unqueue, Math.max(0, wait));
      return;
    }
    put(next);
  }

  function unqueue() {
    timer = 0;
    const [next, ...rest] = queue;
    queue = [];
    if (next) put(next);
    for (const one of rest) show(one);
  }

  function put(next) {
    if (state && next.seq < state.seq) return;
    const before = state;
    state = next;
    replay.follow(next);
    if (before && next.moves.length > before.moves.length) {
      shownAt = performance.now();
      knock(!next.you.includes(next.moves.at(-1)?.seat));
    }
    if (before && next.seq !== before.seq) refuse(null);
    if (!replay.away) {
      board.scene = next.scene;
      main.classList.remove("away");
    }
    board.live = mine() && !waiting && !replay.away;
    const status = find("#status");
    say(status, next.status);
    say(find("#said"), next.said);
    ended(next);
    turned(next);
    status?.classList.toggle("thinking", Boolean(next.thinking));
    if (next.thinking) bars.begin();
    else bars.end();
    status?.classList.toggle("over", Boolean(next.over));
    document.title = mine() ? `● ${pageTitle}` : pageTitle;
    clocks.show(next);
    showMoves(before, next);
    boxes.show(next);
    for (const form of main.querySelectorAll("form.move")) fill(form, next);
    for (const name of ["undo", "hint", "resign"]) {
      const button = find(`form.${name} button`);
      if (button) button.disabled = !next.can?.[name];
    }
    // Out of turn the field stays open: whoever types ahead keeps the focus and gets a sentence.
    const typed = find("#typed");
    if (typed) typed.disabled = Boolean(next.over) || !next.you.length;
    const send = typed?.form?.querySelector("button");
    if (send) send.disabled = typed.disabled;
    // What a room adds to this page follows the same state.
    main.dispatchEvent(new CustomEvent("state", { detail: next }));
  }

  /** At the end: how it went for the reader, and what to do next. */
  function ended(next) {
    const card = find(".turn-card");
    if (!card) return;
    card.dataset.verdict = next.over?.verdict ?? "";
    const after = find("#after");
    if (after) after.hidden = !next.over;
    const review = find("#review");
    if (review) {
      review.hidden = !next.review;
      // A page of analysis then looks through the game at once.
      if (next.review) review.href = `${next.review}#looking`;
    }
    const last = find("#follow-last");
    if (last) last.hidden = !next.over || !next.moves.some((move) => move.thread);
  }

  /** Where the game turned: looked for once, at the end. What it says later has its line from the start. */
  function turned(next) {
    const place = find("#turned");
    if (!place) return;
    place.hidden = !next.turning;
    if (!next.turning || place.dataset.asked) return;
    place.dataset.asked = "yes";
    place.textContent = word("turning-looks");
    const events = new EventSource(next.turning);
    let text = "";
    const end = () => {
      events.close();
      say(place, text);
    };
    events.addEventListener("turned", (event) => {
      text = JSON.parse(event.data).text ?? "";
    });
    events.addEventListener("done", end);
    events.addEventListener("error", end);
    addEventListener("pagehide", () => events.close(), { once: true });
  }

  /** Gives a move form the ply and the seat that it is for. */
  function fill(form, next) {
    const put = (name, value) => {
      let field = form.querySelector(`input[type=hidden][name=${name}]`);
      if (!field) {
        field = h("input", { type: "hidden", name });
        form.append(field);
      }
      field.value = value ?? "";
      field.disabled = value === null || value === undefined;
    };
    put("ply", next.ply);
    put("seat", next.you.includes(next.turn) ? next.turn : null);
  }

  function showMoves(before, next) {
    const list = find("#moves");
    if (!list || (before && JSON.stringify(before.moves) === JSON.stringify(next.moves))) return;
    const rows = next.moves.map((move, i) => {
      const text = next.can?.replay
        ? h("button", { type: "button", class: "move-text to-move-text", "data-count": i + 1 }, move.move)
        : h("span", { class: "move-text" }, move.move);
      const parts = [h("span", { class: "muted who" }, move.name ?? word("chance")), " ", text];
      if (move.thread) {
        const words = word("thread-of", { number: i + 1, move: move.move });
        parts.push(" ", h("button", { type: "button", class: "button quiet small", "aria-label": words, "data-ply": move.ply, "aria-current": followed === String(move.ply) ? "true" : null }, word("thread")));
      }
      return h("li", { class: i === next.moves.length - 1 ? "shown" : null }, ...parts);
    });
    list.replaceChildren(...rows);
    list.scrollTop = list.scrollHeight;
    // What scrolls must be reachable by keyboard.
    if (list.scrollHeight > list.clientHeight + 1) {
      list.tabIndex = 0;
      list.setAttribute("aria-label", word("moves"));
    }
    const known = before ? before.moves.length : next.moves.length;
    const fresh = next.moves.slice(known).filter((move) => !next.you.includes(move.seat));
    if (fresh.length) say(told, fresh.map((move) => `${move.name ?? word("chance")}: ${move.move}`).join(", "));
  }

  /** Opens the thread of a move in the player below. */
  function follow(ply) {
    const fold = find("#thread");
    const player = fold?.querySelector("wits-thread");
    if (!player) return;
    fold.hidden = false;
    fold.open = true;
    followed = ply;
    for (const button of main.querySelectorAll("[data-ply]")) {
      if (button.dataset.ply === ply) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    const empty = fold.querySelector(":scope > p.muted");
    if (empty) empty.hidden = true;
    player.setAttribute("src", `${base}/thread/${ply}`);
    fold.scrollIntoView({ block: "nearest" });
    fold.querySelector("summary")?.focus({ preventScroll: true });
  }

  /** Sends something and shows what came of it. @returns {Promise<any>} the reply, or null if refused */
  async function send(address, fields) {
    if (waiting) return null;
    waiting = true;
    board.live = false;
    main.setAttribute("aria-busy", "true");
    refuse(null);
    try {
      const reply = await fetch(address, {
        method: "POST",
        headers: { Accept: "application/json" },
        body: new URLSearchParams(fields),
      });
      const value = await reply.json().catch(() => null);
      if (!reply.ok || !value) {
        refuse(value?.error ?? { message: word("answered", { status: reply.status }), hint: word("answered-hint") });
        return null;
      }
      if (value.state) show(value.state, true);
      return value;
    } catch {
      refuse({ message: word("unreachable"), hint: word("unreachable-hint") });
      return null;
    } finally {
      waiting = false;
      main.removeAttribute("aria-busy");
      board.live = mine() && !replay.away;
      if (queue.length) timer ||= setTimeout(unqueue, mayMove() ? PAUSE_MS : 0);
    }
  }

  /** What a move form would send, with another move in it. */
  function play(text) {
    const form = find("form.move");
    const fields = form ? new FormData(form) : new FormData();
    fields.set("move", text);
    send(form?.getAttribute("action") ?? `${base}/move`, fields);
  }

  async function submitted(event) {
    const form = event.target.closest("form");
    const action = form?.getAttribute("action");
    // A new game is another page.
    if (!action || form.method !== "post" || action.endsWith("/again")) return;
    event.preventDefault();
    if (form.matches(".resign") && !sure(form.querySelector("button"))) return;
    if (form.matches(".hint")) bars.begin();
    const value = await send(action, new FormData(form, event.submitter));
    if (form.matches(".hint")) bars.end();
    if (!value) return;
    if (form.matches(".move")) form.querySelector("#typed")?.form?.reset();
    if (form.matches(".hint") && value.move) {
      showHint(find("#lines"), value);
      board.point(value.move);
      say(told, `${word("hint")}: ${value.move}`);
    }
  }

  main.addEventListener("move", (event) => play(event.detail.text));
  main.addEventListener("submit", submitted);
  find("#moves")?.addEventListener("click", (event) => {
    const button = event.target.closest("[data-ply]");
    if (button) follow(button.dataset.ply);
    const move = event.target.closest("[data-count]");
    if (move) replay.go(Number(move.dataset.count));
  });
  find("#follow-last")?.addEventListener("click", () => {
    const last = state?.moves.findLast((move) => move.thread);
    if (last) follow(String(last.ply));
  });
  const steps = find("#steps");
  if (steps) {
    steps.hidden = false;
    steps.addEventListener("click", (event) => {
      const button = event.target.closest("[data-step]");
      if (button) replay.step(button.dataset.step);
    });
  }

  const press = (name) => {
    const button = find(`form.${name} button`);
    if (button && !button.disabled) button.form.requestSubmit(button);
  };
  whenKey({
    u: () => press("undo"),
    h: () => press("hint"),
    "?": showKeys,
    ArrowLeft: () => replay.step("back"),
    ArrowRight: () => replay.step("on"),
    Home: () => replay.step("first"),
    End: () => replay.step("last"),
  });
  const row = find("#deeds") ?? find("form.undo")?.parentElement;
  const sound = h("button", { type: "button", class: "button quiet", "aria-pressed": String(soundOn()) }, word("sound"));
  sound.addEventListener("click", () => {
    setSound(!soundOn());
    sound.setAttribute("aria-pressed", String(soundOn()));
  });
  row?.append(h("button", { type: "button", class: "button quiet", onclick: showKeys, "aria-keyshortcuts": "?" }, word("keys")), sound);

  /** One stream for everything live; the browser reconnects by itself and says what it saw last. */
  function listen() {
    const events = new EventSource(`${base}/events`);
    events.addEventListener("open", () => say(link, ""));
    events.addEventListener("state", (event) => show(JSON.parse(event.data)));
    events.addEventListener("thought", (event) => {
      const thought = JSON.parse(event.data);
      bars.think(thought);
      showLines(find("#lines"), thought, state);
    });
    events.addEventListener("error", () => {
      say(link, word("lost"));
      if (events.readyState === EventSource.CLOSED) setTimeout(listen, RETRY_MS);
    });
    addEventListener("pagehide", () => events.close(), { once: true });
  }
  listen();
  // A page from the browser's memory has a closed stream; the newest state is one request away.
  addEventListener("pageshow", (event) => {
    if (event.persisted) listen();
  });
}

/** A resignation cannot be taken back, so it is asked for twice. */
function sure(button) {
  if (!button || button.dataset.sure) return true;
  const words = button.textContent;
  button.dataset.sure = "yes";
  button.textContent = word("really-resign");
  setTimeout(() => {
    delete button.dataset.sure;
    button.textContent = words;
  }, 4000);
  return false;
}

/** Messages come in lower case without a full stop; on the page they are sentences. */
function sentence(text) {
  const words = String(text ?? "").trim();
  if (!words) return "";
  const first = words[0].toUpperCase() + words.slice(1);
  return /[.!?…]$/.test(first) ? first : `${first}.`;
}
