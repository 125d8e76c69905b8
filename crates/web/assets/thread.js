/**
 * `<wits-thread>`: follows a decision step by step, whatever machine made it.
 *
 * The thread comes from the attribute `src`, from the property `text`, or, with the attribute
 * `file`, from a file that the reader opens or drops. The sentence of each step is all that a
 * screen reader needs; the picture is drawn by a lens that the header names.
 *
 * Fires `seek` with `{index, share}` whenever another step is shown.
 * @module
 */

import { called, inWords, named } from "./called.js";
import { h, say } from "./dom.js";
import { grouped } from "./numbers.js";
import { ThreadBoard } from "./thread-board.js";
import { BrokenThread, readThread } from "./thread-file.js";
import { canOpen, openAgain } from "./thread-again.js";
import { guessing } from "./thread-guess.js";
import { deeds } from "./thread-keep.js";
import { Scenes } from "./thread-scenes.js";
import { whyNot } from "./thread-why-not.js";
import { word } from "./words.js";

/** Each lens is loaded when a thread first needs it. */
const LENSES = {
  tree: () => import("./lens-tree.js"),
  beads: () => import("./lens-beads.js"),
  candidates: () => import("./lens-candidates.js"),
  map: () => import("./lens-map.js"),
  proof: () => import("./lens-proof.js"),
  grid: () => import("./lens-grid.js"),
  board: () => import("./lens-board.js"),
};

/** Steps a second. */
const SPEEDS = [
  [1, word("speed-slow")],
  [4, word("speed-steady")],
  [20, word("speed-quick")],
  [100, word("speed-fast")],
  [1000, word("speed-very-fast")],
];

/** The icons of the buttons, so that they look the same with every font. */
const ICONS = {
  first: "M6 5v14M19 5 9 12l10 7z",
  back: "M17 5 7 12l10 7z",
  play: "M7 4v16l13-8z",
  pause: "M7 5h3v14H7zM14 5h3v14h-3z",
  on: "M7 5l10 7-10 7z",
  last: "M18 5v14M5 5l10 7-10 7z",
  cut: "M20 4 8.5 15.5M20 20 8.5 8.5M6 9a3 3 0 1 1 0-6 3 3 0 0 1 0 6zM6 21a3 3 0 1 1 0-6 3 3 0 0 1 0 6z",
  improve: "M4 18l6-7 4 4 6-9M15 6h5v5",
  choose: "M5 13l5 5L20 6",
};

export class WitsThread extends HTMLElement {
  static observedAttributes = ["src"];

  /** What is shown: all steps, or those that the decision rests on. */
  #thread = null;
  #lens = null;
  /** The moves of the root by depth, where a search went round by round. */
  #rounds = null;
  #index = 0;
  #playing = 0;
  #parts = {};
  /** Which loading is the latest: an earlier one that ends late must not win. */
  #turn = 0;

  connectedCallback() {
    if (this.hasAttribute("file") && !this.#thread) this.#picker();
  }

  disconnectedCallback() {
    this.pause();
  }

  attributeChangedCallback(name, before, now) {
    if (name === "src" && now) this.#load(now);
  }

  /** The text of a thread file. */
  set text(text) {
    this.#open(text, ++this.#turn);
  }

  /** How many steps there are. */
  get length() {
    return this.#thread?.steps.length ?? 0;
  }

  /** The step that is shown, counted from zero. */
  get index() {
    return this.#index;
  }

  set index(index) {
    this.#go(index);
  }

  /** How far along the thread is, from 0 to 1; two threads side by side meet here. */
  get share() {
    return this.length > 1 ? this.#index / (this.length - 1) : 0;
  }

  set share(share) {
    this.#go(Math.round(share * Math.max(0, this.length - 1)));
  }

  async #load(src) {
    const turn = ++this.#turn;
    this.pause();
    const done = this.#waiting(turn);
    try {
      const reply = await fetch(src, { headers: { Accept: "application/jsonl, application/json" } });
      const text = await arriving(reply, done);
      if (turn !== this.#turn) return;
      if (!reply.ok) {
        const error = errorIn(text);
        this.#note(error ? `${error.message}; ${error.hint}` : `${word("answered", { status: reply.status })}; ${word("answered-hint")}`, "error");
        return;
      }
      await this.#open(text, turn);
    } catch {
      if (turn === this.#turn) this.#note(`${word("unreachable")}; ${word("unreachable-hint")}`, "error");
    } finally {
      done();
    }
  }

  /** Says how long the steps are awaited; gives what ends that, and says instead how many kilobytes are there. */
  #waiting(turn) {
    const begin = performance.now();
    const tell = () => turn === this.#turn && this.#note(word("thread-waiting", { seconds: Math.floor((performance.now() - begin) / 1000) }), "loading");
    tell();
    const timer = setInterval(tell, 500);
    return (bytes) => {
      clearInterval(timer);
      if (bytes && turn === this.#turn) this.#note(word("thread-arriving", { n: grouped(Math.round(bytes / 1000)) }), "loading");
    };
  }

  async #open(text, turn) {
    this.pause();
    this.#note("…", "loading");
    try {
      const thread = await readThread(text);
      if (turn !== this.#turn) return;
      if (thread.steps.length > MANY) {
        // What takes a moment to draw is said first, and drawn when its turn comes.
        this.#note(word("thread-drawing", { n: grouped(thread.steps.length) }), "loading");
        await painted();
        if (turn !== this.#turn) return;
      }
      thread.text = text;
      await this.#show(thread, turn);
      this.dispatchEvent(new CustomEvent("opened", { bubbles: true }));
    } catch (error) {
      if (turn !== this.#turn) return;
      if (!(error instanceof BrokenThread)) throw error;
      this.#note(word("thread-broken", { why: error.message }), "error");
      if (this.hasAttribute("file")) this.append(this.#drop());
    }
  }

  /** One line instead of a thread. */
  #note(text, kind) {
    this.#thread = null;
    this.#lens = null;
    const line = this.firstElementChild;
    if (kind === "loading" && this.childElementCount === 1 && line.matches("p.muted[role=status]")) {
      say(line, text);
      return;
    }
    this.replaceChildren(h("p", kind === "error" ? { class: "error", role: "alert" } : { class: "muted", role: "status" }, text));
  }

  /** Shows a thread, at first with the steps that its decision rests on; in a race every step counts. */
  async #show(whole, turn, trimmed = !this.closest("wits-threads")) {
    const { header, footer } = whole;
    const rests = resting(whole);
    const thread = trimmed && rests ? { ...whole, steps: rests } : whole;
    const stage = h("div", { class: "stage" });
    // Boards in the tree and beside it are asked for together.
    whole.scenes ??= new Scenes(header, this.getAttribute("src"));
    const lens = await makeLens(stage, whole, thread.steps);
    const rounds = await roundsOf(whole);
    if (turn !== this.#turn) return;
    this.#thread = thread;
    this.#lens = lens;
    this.#rounds = rounds;
    this.#index = 0;
    const parts = this.#controls();
    // What the recorder left out below a node is searched again where the reader wants it.
    parts.again = canOpen(whole) && lens.below ? h("div", { class: "again" }, h("button", { type: "button", class: "button quiet small", hidden: true, onclick: () => openAgain(whole, lens.below(this.#index), parts.again.lastChild) }), h("div")) : null;
    parts.board = ThreadBoard.of(whole.scenes, thread.steps, header);
    this.#parts = parts;
    const heading = named(inWords(header.title, header.by) || header.subject || word("thread"));
    // The spec itself is for whoever wants to repeat the decision.
    const spec = header.by?.includes(":") ? h("details", { class: "thread-spec muted" }, h("summary", {}, word("settings")), h("code", {}, header.by)) : null;
    const title = h("p", { class: "thread-title" }, h("b", {}, heading), " ", h("span", { class: "muted" }, header.by && !header.title ? called(header.by) : ""));
    const all = new Sentences(thread.steps, (index) => this.#go(index));
    // Made once, so that what the reader guessed stays when more is shown.
    whole.guess ??= this.closest("wits-threads") ? null : guessing(whole, { hide: () => this.#veil(whole, true), reveal: () => this.#veil(whole, false) });
    this.replaceChildren(
      h(
        "div",
        { class: whole.veiled ? "thread-player veiled" : "thread-player", role: "group", onkeydown: (event) => this.#key(event), "aria-label": `${word("thread")}: ${heading}` },
        title,
        spec,
        header.summary ? h("p", { class: "thread-summary" }, named(inWords(header.summary, header.by))) : null,
        whole.guess,
        h("div", { class: "thread-look" }, stage, parts.board?.place),
        parts.sentence,
        parts.bar,
        rounds?.place,
        parts.again,
        whyNot(this.getAttribute("src"), whole, parts.board),
        this.#trimming(whole, rests, trimmed),
        counts(footer),
        lens instanceof Sentences ? null : all.folded(),
        this.#deeds(whole, trimmed),
      ),
    );
    if (this.hasAttribute("file")) this.append(h("details", { class: "another" }, h("summary", {}, word("open-another")), this.#drop()));
    parts.all = all;
    stage.addEventListener("seek", (event) => {
      event.stopPropagation();
      this.pause();
      this.#go(event.detail.index);
    });
    this.#go(whole.veiled ? 0 : this.#opening());
  }

  /** How many steps are shown, and a click to the others. */
  #trimming(whole, rests, trimmed) {
    if (!rests) return null;
    const again = () => this.#show(whole, ++this.#turn, !trimmed);
    const [n, all] = [grouped(rests.length), grouped(whole.steps.length)];
    const [told, offer] = trimmed ? [word("trimmed", { n }), word("show-all", { n: all })] : [word("all-steps", { n: all }), word("show-trimmed", { n })];
    return h("p", { class: "trimming muted" }, `${told} `, h("button", { type: "button", class: "button quiet small", onclick: again }, offer));
  }

  /** Keeping and checking; made once, so that what was said stays when more is shown. */
  #deeds(whole, trimmed) {
    const found = (rests) => {
      if (resting(whole)) return;
      const marked = new Set(rests);
      for (const step of whole.steps) if (marked.has(step.at)) step.data.rests = true;
      if (trimmed && resting(whole)) this.#show(whole, ++this.#turn);
    };
    whole.deeds ??= deeds(whole.text, { kept: this.hasAttribute("kept"), own: this.hasAttribute("file"), found });
    return whole.deeds;
  }

  /** Hides everything that gives the decision away, or goes to it. The board shows the position that was decided about. */
  #veil(whole, on) {
    this.pause();
    whole.veiled = on;
    this.querySelector(".thread-player").classList.toggle("veiled", on);
    this.#go(on ? 0 : Math.max(0, this.#next("choose", -1)));
  }

  /** Where a reader begins: at the decision, where the whole tree, table or proof is there; a picture that grows on a map begins with its first step. */
  #opening() {
    if (this.#thread.header.lens === "proof") return Math.max(0, this.length - 1);
    return this.#thread.header.lens === "map" ? 0 : Math.max(0, this.#next("choose", -1));
  }

  /** The next step of a kind after a step, or -1. */
  #next(kind, after) {
    return this.#thread.steps.findIndex((step, i) => i > after && step.kind === kind);
  }

  /** Goes to the next step of a kind, from the last one to the first. */
  #leap(kind) {
    this.pause();
    const next = this.#next(kind, this.#index);
    this.#go(next < 0 ? this.#next(kind, -1) : next);
  }

  /** Arrows go step by step, `c`, `i` and `d` to the next cut, improvement and decision. */
  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, wits-board")) return;
    // A thread inside this one, and a decision that is still to be guessed, are left alone.
    if (event.target.closest(".thread-player") !== event.currentTarget || event.currentTarget.classList.contains("veiled")) return;
    const leaps = { c: "cut", i: "improve", d: "choose" };
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
    if (leaps[event.key] && this.#next(leaps[event.key], -1) >= 0) this.#leap(leaps[event.key]);
    else if (steps[event.key]) {
      this.pause();
      this.#go(this.#index + steps[event.key]);
    } else return;
    event.preventDefault();
  }

  /** Buttons to the next step of each kind that the thread has and that readers look for. */
  #leaps(button) {
    const kinds = [
      ["cut", "next-cut"],
      ["improve", "next-improvement"],
      ["choose", "decision"],
    ];
    return kinds.filter(([kind]) => this.#next(kind, -1) >= 0).map(([kind, name]) => button(kind, word(name), () => this.#leap(kind)));
  }

  #controls() {
    const most = Math.max(0, this.length - 1);
    const button = (icon, label, act) => h("button", { type: "button", class: "button quiet icon", "aria-label": label, title: label, onclick: act }, picture(icon));
    const play = button("play", word("play"), () => (this.#playing ? this.pause() : this.play()));
    const slider = h("input", { type: "range", min: 0, max: most, value: 0, step: 1, "aria-label": word("step"), oninput: (event) => this.#go(Number(event.target.value)) });
    const place = h("output", { class: "place" });
    const speed = h("select", { "aria-label": word("speed") }, ...SPEEDS.map(([rate, word]) => h("option", { value: rate, selected: rate === 4 }, word)));
    const step = (by) => () => {
      this.pause();
      this.#go(this.#index + by);
    };
    const bar = h(
      "div",
      { class: "controls" },
      h("div", { class: "buttons" }, button("first", word("first-step"), step(-Infinity)), button("back", word("step-back"), step(-1)), play, button("on", word("step-on"), step(1)), button("last", word("last-step"), step(Infinity)), ...this.#leaps(button)),
      slider,
      place,
      speed,
    );
    return { bar, play, slider, place, speed, sentence: h("p", { class: "sentence", "aria-live": "polite" }) };
  }

  /** Shows a step. */
  #go(to) {
    if (!this.#thread) return;
    const index = Math.max(0, Math.min(this.length - 1, to));
    this.#index = index;
    const step = this.#thread.steps[index];
    const { slider, place, sentence, all } = this.#parts;
    slider.value = index;
    slider.setAttribute("aria-valuetext", step ? word("step-of", { number: index + 1, all: this.length, text: named(step.text) }) : word("no-steps"));
    say(place, `${grouped(this.length ? index + 1 : 0)} / ${grouped(this.length)}`);
    say(sentence, step ? named(step.text) : word("no-steps"));
    sentence.dataset.kind = step?.kind ?? "";
    if (step) {
      this.#lens.show(index);
      this.#rounds?.show(step);
      this.#parts.board?.show(index);
      this.#offerAgain(index);
    }
    all?.show(index);
    this.dispatchEvent(new CustomEvent("seek", { detail: { index, share: this.share }, bubbles: true }));
  }

  /** Offers to search again what was left out below the node at this step. */
  #offerAgain(index) {
    const button = this.#parts.again?.firstChild;
    if (!button) return;
    const below = this.#lens.below(index);
    button.hidden = !below?.line.length;
    if (below) say(button, word("again", { line: below.line.join(" › "), n: grouped(below.state.inside) }));
  }

  /** Goes on by itself until the last step. */
  play() {
    if (!this.#thread || this.#playing) return;
    if (this.#index >= this.length - 1) this.#go(0);
    const { play, speed, sentence } = this.#parts;
    play.replaceChildren(picture("pause"));
    play.setAttribute("aria-label", word("pause"));
    play.title = word("pause");
    // A sentence a second can be listened to, hundreds cannot: the last one is read when it stops.
    sentence.setAttribute("aria-live", "off");
    let before = performance.now();
    let owed = 0;
    const frame = (now) => {
      owed += ((now - before) / 1000) * Number(speed.value);
      before = now;
      const whole = Math.floor(owed);
      if (whole > 0) {
        owed -= whole;
        this.#go(this.#index + whole);
      }
      if (this.#index >= this.length - 1) this.pause();
      else if (this.#playing) this.#playing = requestAnimationFrame(frame);
    };
    this.#playing = requestAnimationFrame(frame);
  }

  pause() {
    if (!this.#playing) return;
    cancelAnimationFrame(this.#playing);
    this.#playing = 0;
    const { play, sentence } = this.#parts;
    play.replaceChildren(picture("play"));
    play.setAttribute("aria-label", word("play"));
    play.title = word("play");
    sentence.setAttribute("aria-live", "polite");
  }

  /** The first thing that a page for files shows. */
  #picker() {
    this.replaceChildren(this.#drop());
  }

  #drop() {
    const take = async (file) => {
      if (file) this.text = await file.text();
    };
    const field = h("input", { type: "file", accept: ".thread,.jsonl,.json,.txt", onchange: (event) => take(event.target.files[0]) });
    const zone = h("label", { class: "drop" }, h("span", {}, word("drop")), field);
    zone.addEventListener("dragover", (event) => {
      event.preventDefault();
      zone.classList.add("over");
    });
    zone.addEventListener("dragleave", () => zone.classList.remove("over"));
    zone.addEventListener("drop", (event) => {
      event.preventDefault();
      zone.classList.remove("over");
      take(event.dataTransfer.files[0]);
    });
    return zone;
  }
}

/** The table of the root's moves, round by round; nothing where there is no round, or only one. */
async function roundsOf({ header, steps }) {
  if (steps.filter(({ kind, data }) => kind === "count" && data.moves && data.depth !== undefined).length < 2) return null;
  const { default: Grid } = await LENSES.grid();
  const stage = h("div", { class: "stage" });
  const grid = new Grid(stage, header);
  grid.steps(steps);
  const at = new Map(steps.map((step, i) => [step, i]));
  return { place: h("details", { class: "rounds", open: true }, h("summary", {}, word("rounds")), stage), show: (step) => grid.show(at.get(step) ?? 0) };
}

/** With more steps than this, reading and drawing them is not instant. */
const MANY = 1000;

let pictures = Promise.resolve();

/** Waits for the next picture; of several that wait each gets one of its own. */
function painted() {
  const next = (resume) => (document.hidden ? setTimeout(resume) : requestAnimationFrame(() => setTimeout(resume)));
  pictures = pictures.then(() => new Promise(next));
  return pictures;
}

/** The text of a reply, with news of its bytes as they come. */
async function arriving(reply, tell) {
  const [reader, decoder] = [reply.body.getReader(), new TextDecoder()];
  let [text, bytes] = ["", 0];
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += part.value.length;
    text += decoder.decode(part.value, { stream: true });
    tell(bytes);
  }
  return text + decoder.decode();
}

/** With fewer steps to fold away than this a thread is shown whole. */
const FOLDED = 10;

/**
 * The steps that the decision of a tree rests on; nothing where that is about all, where it is not known, and where averages
 * decided: those grow, and that is what a reader wants to see.
 */
function resting({ header, steps }) {
  if (header.lens !== "tree" || header.backup === "mean") return null;
  const rests = steps.filter(({ data }) => data.rests);
  return rests.length > 1 && steps.length - rests.length >= FOLDED ? rests : null;
}

/** The lens that the header names; where there is none, the sentences themselves. */
async function makeLens(stage, { header, scenes }, steps) {
  const load = Object.hasOwn(LENSES, header.lens) ? LENSES[header.lens] : null;
  if (load) {
    try {
      const { default: Lens } = await load();
      const lens = new Lens(stage, header, scenes);
      lens.steps(steps);
      return lens;
    } catch (error) {
      // A picture that cannot be drawn is no reason to keep the sentences back.
      console.error(error);
      stage.replaceChildren();
    }
  }
  const list = new Sentences(steps, (index) => stage.dispatchEvent(new CustomEvent("seek", { detail: { index }, bubbles: true })));
  stage.append(list.list);
  return list;
}

/** The sentences around the current step. Only a window of them is ever in the page. */
class Sentences {
  #steps;
  #seek;
  #fold = null;
  #index = 0;

  constructor(steps, seek) {
    this.#steps = steps;
    this.#seek = seek;
    this.list = h("ol", { class: "sentences" });
    this.list.addEventListener("click", (event) => {
      const row = event.target.closest("[data-step]");
      if (row) this.#seek(Number(row.dataset.step));
    });
  }

  /** The list behind a fold, drawn only while it is open. */
  folded() {
    this.#fold = h("details", { ontoggle: () => this.show(this.#index) }, h("summary", {}, word("sentences")), this.list);
    return this.#fold;
  }

  show(index) {
    this.#index = index;
    if (this.#fold && !this.#fold.open) return;
    const from = Math.max(0, index - 8);
    this.list.start = from + 1;
    this.list.replaceChildren(
      ...this.#steps
        .slice(from, index + 9)
        .map((step, i) => h("li", { "data-step": from + i, "aria-current": from + i === index ? "step" : null }, named(step.text))),
    );
  }
}

/** What a thread counts, in words; what begins also ends, so ends are not counted again. */
function counts(footer) {
  const parts = [];
  for (const [kind, count] of Object.entries(footer?.counts ?? {})) {
    const key = `counted-${kind}`;
    const text = word(key, { n: grouped(count) });
    if (text !== key) parts.push(text);
  }
  if (footer?.dropped) parts.push(word("left-out", { n: grouped(footer.dropped) }));
  if (footer?.result) parts.push(word("result", { result: footer.result }));
  return h("p", { class: "counts muted" }, named(parts.join(" · ")));
}

function picture(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

function errorIn(text) {
  try {
    return JSON.parse(text).error ?? null;
  } catch {
    return null;
  }
}

customElements.define("wits-thread", WitsThread);
