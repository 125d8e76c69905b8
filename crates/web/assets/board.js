/**
 * `<wits-board>`: a scene as a picture that can be played on.
 *
 * It knows no game. A scene says what lies where and which clicks mean which move; the board draws
 * it, collects clicks or keys until they mean one move, and fires `move` with the move's text.
 *
 * The scene comes from a child `<script type="application/json" class="scene">` or from the
 * property `scene`. The attribute `live` lets the reader play.
 * @module
 */

import { h, mayMove, s } from "./dom.js";
import { isNarrow, places } from "./board-layout.js";
import { drawToken } from "./board-token.js";
import { word } from "./words.js";

const LIGHTS = { last: word("light-last"), win: word("light-win"), wrong: word("light-wrong"), look: word("light-look") };

export class WitsBoard extends HTMLElement {
  static observedAttributes = ["live"];

  #scene = null;
  #places = null;
  /** The cell that keys act on. */
  #focus = 0;
  /** The cells clicked so far, of a move that takes several. */
  #picked = [];
  /** What keys, clicks and the screen reader meet: one element for each cell, without any text. */
  #cells = [];
  /** What the eye meets, underneath. */
  #pictures = [];
  #watcher = null;
  /** The button that was pressed last: its successor gets the focus when it is there again. */
  #pressed = null;
  /** The cells that a hint points to. */
  #hinted = new Set();
  /** Remarks on cells, by the cells' names. */
  #remarks = new Map();
  /** The cells on which the last move changed something without being played there. */
  #changed = new Set();

  connectedCallback() {
    if (!this.#scene) {
      const script = this.querySelector("script.scene");
      if (script) this.#take(JSON.parse(script.textContent));
    }
    // A strip wraps anew when its room changes; a board only scales.
    this.#watcher ??= new ResizeObserver(() => this.#rewrap());
    this.#watcher.observe(this);
  }

  disconnectedCallback() {
    this.#watcher?.disconnect();
  }

  attributeChangedCallback() {
    if (this.#scene) this.#cancel(false);
  }

  get scene() {
    return this.#scene;
  }

  set scene(scene) {
    this.#take(scene);
  }

  get live() {
    return this.hasAttribute("live");
  }

  set live(live) {
    this.toggleAttribute("live", Boolean(live));
  }

  /** Points to a move, until the next scene. */
  point(text) {
    const target = this.#scene?.targets.find((one) => one.text === text);
    this.#hinted = new Set(target?.path ?? []);
    if (this.#scene) this.#mark();
  }

  /**
   * Writes remarks on empty cells, until the next scene or the next remarks. A remark with a `disc` is a disc of that size
   * (0 to 1) and of a colour by its `tone` (0 to 1), also around what lies on a cell; a `ring` stands out.
   * @param {Map<string, {text: string, label: string, kind: string, disc?: number, tone?: number, ring?: boolean}>} remarks by the
   *   names of cells
   */
  remark(remarks) {
    const touched = new Set([...this.#remarks.keys(), ...remarks.keys()]);
    this.#remarks = remarks;
    if (!this.#scene) return;
    this.#scene.cells.forEach((cell, i) => {
      if (touched.has(cell.name)) this.#fill(i);
    });
    this.#mark();
  }

  /** Takes a new scene; where the layout is the same, only what changed is drawn anew. */
  #take(scene) {
    const before = this.#scene;
    const next = { cells: [], targets: [], trays: [], caption: "", ...scene };
    this.#scene = next;
    this.#picked = [];
    this.#hinted.clear();
    const remarked = new Set(this.#remarks.keys());
    this.#remarks = new Map();
    const [was, now] = [this.#changed, new Set(next.changed ?? [])];
    this.#changed = now;
    const same =
      before &&
      this.#places &&
      before.cells.length === next.cells.length &&
      JSON.stringify(before.layout) === JSON.stringify(next.layout) &&
      before.cells.every((cell, i) => isNarrow(cell) === isNarrow(next.cells[i]));
    if (!same) {
      this.#build();
      return;
    }
    const had = before.cells.map((cell) => cell.token ?? null);
    next.cells.forEach((cell, i) => {
      const marked = was.has(i) !== now.has(i);
      if (marked || remarked.has(cell.name) || JSON.stringify(cell) !== JSON.stringify(before.cells[i])) this.#fill(i);
    });
    if (mayMove()) this.#animate(had);
    this.#mark();
    this.#beside();
  }

  /** Draws everything: the frame, the cells, what lies beside. */
  #build() {
    const scene = this.#scene;
    const hadFocus = this.contains(document.activeElement);
    this.#places = places(scene, this.clientWidth || 640);
    const { width, height, most, boxes, rows, names, size } = this.#places;
    const isBoard = Boolean(scene.layout?.board);
    const svg = s("svg", {
      class: isBoard ? "board" : "board strip",
      viewBox: `0 0 ${width} ${height}`,
      role: "grid",
      "aria-label": this.getAttribute("label") ?? word("board"),
      onclick: (event) => this.#clicked(event),
      onkeydown: (event) => this.#key(event),
    });
    if (most) svg.style.maxWidth = `${Math.round(most)}px`;
    if (isBoard && boxes.length) {
      const [first, last] = [boxes[0], boxes.at(-1)];
      const [w, hgt] = [last.x + last.w - first.x, last.y + last.h - first.y];
      svg.append(s("rect", { class: "ground", x: first.x - 3, y: first.y - 3, width: w + 6, height: hgt + 6, rx: 10 }));
    }
    const under = s("g", { "aria-hidden": "true" });
    svg.append(under);
    for (const { x, y, text } of names) under.append(s("text", { class: "edge", x, y, dy: "0.36em", "font-size": size }, text));
    [this.#cells, this.#pictures] = [[], []];
    for (const row of rows) {
      const line = s("g", { role: "row" });
      for (const i of row) {
        const { x, y, w, h: tall } = boxes[i];
        const transform = `translate(${x + w / 2} ${y + tall / 2})`;
        this.#pictures[i] = s("g", { transform });
        this.#cells[i] = s("g", { role: "gridcell", "data-cell": i, transform });
        under.append(this.#pictures[i]);
        line.append(this.#cells[i]);
      }
      svg.append(line);
    }
    this.replaceChildren(svg, h("div", { class: "choices", hidden: true }), h("div", { class: "beside" }));
    this.#focus = Math.min(this.#focus, Math.max(0, scene.cells.length - 1));
    scene.cells.forEach((_, i) => this.#fill(i));
    this.#mark();
    this.#beside();
    if (hadFocus) this.#cells[this.#focus]?.focus();
  }

  #rewrap() {
    if (!this.#scene || this.#scene.layout?.board || !this.#places) return;
    const { width, height } = places(this.#scene, this.clientWidth);
    if (width !== this.#places.width || height !== this.#places.height) this.#build();
  }

  /** Draws one cell. */
  #fill(i) {
    const cell = this.#scene.cells[i];
    const { w, h: tall } = this.#places.boxes[i];
    const isStrip = !this.#scene.layout?.board;
    const inset = isStrip || w < 40 ? 2 : 1;
    const scale = Math.min(1, tall / 64, isNarrow(cell) ? 1 : w / 64);
    const area = { x: inset - w / 2, y: inset - tall / 2, width: w - 2 * inset, height: tall - 2 * inset, rx: isStrip ? 8 : 6 };
    const parts = [s("rect", { class: `field ${cell.tint ?? "plain"}`, ...area })];
    if (this.#changed.has(i)) parts.push(s("rect", { class: "changed", ...area }));
    if (cell.light && !(cell.light === "last" && ["dark", "light"].includes(cell.token?.shape)))
      parts.push(s("rect", { class: `lamp ${cell.light}`, x: 4 - w / 2, y: 4 - tall / 2, width: w - 8, height: tall - 8, rx: 6 }));
    if (isStrip && !cell.token && !isNarrow(cell)) {
      parts.push(s("text", { class: "cell-name", dy: "0.36em", "font-size": 15 }, cell.name));
    }
    if (cell.token) {
      const token = drawToken(cell.token);
      if (scale < 1) parts.push(s("g", { transform: `scale(${scale})` }, token));
      else parts.push(token);
      // On a disc the mark of the last move is a ring of its own.
      if (cell.light === "last" && ["dark", "light"].includes(cell.token.shape)) parts.push(s("circle", { class: "last-ring", r: 9 * scale }));
      if (isStrip) parts.push(s("text", { class: "cell-note", y: tall / 2 + 4, dy: "0.3em", "font-size": 10 }, cell.name));
    }
    // A premium that is covered counts no more.
    const covered = cell.token && ["first", "second", "third", "fourth"].includes(cell.tint);
    const note = (covered ? "" : cell.note) || (isNarrow(cell) && /^\W+$/.test(cell.name) ? cell.name : "");
    if (note) {
      const spot = isNarrow(cell) ? { x: 0, y: tall / 2 - 9, "font-size": 12 } : cell.token ? { x: w / 2 - 10, y: 12 - tall / 2, "font-size": 12 } : { "font-size": 18 };
      parts.push(s("text", { class: "cell-note", ...spot, dy: "0.36em" }, note));
    }
    const remark = this.#remark(cell);
    if (remark?.disc !== undefined) parts.splice(1, 0, ...disc(remark, Math.min(w, tall)));
    if (remark?.text && !cell.token) parts.push(s("text", { class: `remark ${remark.kind}`, dy: "0.36em", "font-size": Math.min(20, (1.2 * w) / Math.max(3, remark.text.length)) }, remark.text));
    this.#pictures[i].replaceChildren(...parts);
    const spot = cell.token || remark ? null : s("circle", { class: "spot", r: isNarrow(cell) ? 4 : 7 });
    this.#cells[i].replaceChildren(s("rect", { class: "reach", ...area }), ...(spot ? [spot] : []));
  }

  /** The remark on a cell; words are for empty ones only. */
  #remark(cell) {
    const remark = this.#remarks.get(cell.name);
    return cell.token && remark?.disc === undefined ? undefined : remark;
  }

  /** Targets that the clicks so far can still become. */
  #open() {
    if (!this.live) return [];
    return this.#scene.targets.filter(
      (target) => target.path.length > 0 && this.#picked.every((cell, step) => target.path[step] === cell),
    );
  }

  /** Shows which cells can be played, and tells them to the screen reader. */
  #mark() {
    const step = this.#picked.length;
    const next = new Set(this.#open().map((target) => target.path[step]));
    this.#scene.cells.forEach((cell, i) => {
      const element = this.#cells[i];
      const picked = this.#picked.includes(i);
      const playable = next.has(i);
      element.setAttribute("class", ["cell", isNarrow(cell) && "narrow", cell.token && "holds", this.#hinted.has(i) && "hinted", picked && "picked", playable && "playable"].filter(Boolean).join(" "));
      const words = [cell.name, cell.token ? cell.token.label : word("empty")];
      if (cell.note) words.push(cell.note);
      if (cell.light) words.push(LIGHTS[cell.light] ?? cell.light);
      if (this.#changed.has(i)) words.push(word("light-changed"));
      const remark = this.#remark(cell);
      if (remark) words.push(remark.label);
      if (this.#hinted.has(i)) words.push(word("hint"));
      if (picked) words.push(word("chosen"));
      if (playable) words.push(word("playable"));
      element.setAttribute("aria-label", words.join(", "));
      element.setAttribute("tabindex", i === this.#focus ? "0" : "-1");
      if (picked) element.setAttribute("aria-selected", "true");
      else element.removeAttribute("aria-selected");
    });
    this.#choices();
  }

  /** Where one click could mean several moves, they are offered by name. */
  #choices() {
    const step = this.#picked.length;
    const done = step > 0 ? this.#open().filter((target) => target.path.length === step) : [];
    const place = this.querySelector(".choices");
    place.hidden = done.length === 0;
    place.replaceChildren();
    if (!done.length) return;
    const cell = this.#scene.cells[this.#picked.at(-1)];
    place.append(h("p", { class: "muted" }, `${cell.name}:`));
    for (const target of done) place.append(this.#button(target));
    const cancel = h("button", { type: "button", class: "button quiet", onclick: () => this.#cancel(true) }, word("cancel"));
    place.append(cancel);
    place.onkeydown = (event) => {
      if (event.key === "Escape") this.#cancel(true);
    };
    // A room may know more moves for this cell than the scene lists.
    this.dispatchEvent(new CustomEvent("choices", { detail: { cell: cell.name, place }, bubbles: true }));
  }

  /** Plays a move that somebody chose beside the board. */
  choose(text) {
    this.#send(text);
  }

  /** A move that is a button; one that lays a piece shows the piece. */
  #button(target) {
    const token = this.#tokens().find((one) => one.glyph === target.text);
    const words = target.label || target.text;
    const send = { type: "button", "data-move": target.text, onclick: () => this.#send(target.text) };
    if (!token) return h("button", { class: "button", ...send }, words);
    const picture = s("svg", { viewBox: "-28 -28 56 60", "aria-hidden": "true" }, drawToken(token));
    const more = target.label.replace(token.glyph, "").trim();
    return h("button", { class: "swatch", "aria-label": words, ...send }, picture, ...(more ? [h("small", {}, more)] : []));
  }

  /** What lies beside the board. */
  #tokens() {
    return (this.#scene.trays ?? []).flatMap((tray) => tray.tokens);
  }

  /** Buttons, trays and the caption under the board. */
  #beside() {
    const { targets, trays, caption } = this.#scene;
    const place = this.querySelector(".beside");
    const buttons = this.live ? targets.filter((target) => target.path.length === 0) : [];
    const parts = [];
    if (buttons.length) {
      parts.push(h("div", { class: "row targets", role: "group", "aria-label": word("targets") }, ...buttons.map((b) => this.#button(b))));
    }
    const offered = new Set(buttons.map((button) => button.text));
    for (const tray of trays ?? []) {
      // What can be pressed need not lie there once more.
      if (tray.tokens.length && tray.tokens.every((token) => offered.has(token.glyph))) continue;
      const words = tray.tokens.map((token) => token.label).join(", ") || word("empty");
      const width = Math.max(1, tray.tokens.length) * 60;
      const picture = s(
        "svg",
        { class: "tray", viewBox: `0 0 ${width} 60`, role: "img", "aria-label": `${tray.title}: ${words}` },
        ...tray.tokens.map((token, i) => s("g", { transform: `translate(${i * 60 + 30} 30)` }, drawToken(token))),
      );
      picture.style.maxWidth = `${width * 0.6}px`;
      parts.push(h("figure", { class: "tray-box" }, h("figcaption", { class: "muted" }, tray.title), picture));
    }
    if (caption) parts.push(h("p", { class: "caption" }, caption));
    place.replaceChildren(...parts);
    if (this.#pressed !== null && buttons.length && document.activeElement === document.body) {
      const same = [...place.querySelectorAll("[data-move]")];
      (same.find((button) => button.dataset.move === this.#pressed) ?? same[0]).focus();
      this.#pressed = null;
    }
  }

  #clicked(event) {
    const cell = event.target.closest("[data-cell]");
    if (cell) this.#pick(Number(cell.dataset.cell));
  }

  /** One more cell of a move. A click that fits nothing begins anew. */
  #pick(i) {
    this.#moveFocus(i);
    if (!this.live) return;
    if (this.#picked.length && this.#picked.at(-1) === i) {
      this.#cancel(true);
      return;
    }
    this.#picked.push(i);
    let open = this.#open();
    if (!open.length) {
      this.#picked = [i];
      open = this.#open();
      if (!open.length) this.#picked = [];
    }
    if (open.length === 1 && open[0].path.length === this.#picked.length) {
      this.#picked = [];
      this.#mark();
      this.#send(open[0].text);
      return;
    }
    this.#mark();
    this.querySelector(".choices button")?.focus();
  }

  #cancel(refocus) {
    this.#picked = [];
    this.#mark();
    this.#beside();
    if (refocus) this.#cells[this.#focus]?.focus();
  }

  #send(text) {
    // Buttons vanish with the move; the focus must not vanish with them.
    if (this.querySelector(".choices").contains(document.activeElement)) this.#cells[this.#focus]?.focus();
    this.#pressed = this.querySelector(".targets")?.contains(document.activeElement) ? text : null;
    this.#picked = [];
    this.#mark();
    this.dispatchEvent(new CustomEvent("move", { detail: { text }, bubbles: true }));
  }

  #moveFocus(i) {
    this.#cells[this.#focus]?.setAttribute("tabindex", "-1");
    this.#focus = i;
    this.#cells[i]?.setAttribute("tabindex", "0");
    this.#cells[i]?.focus({ preventScroll: false });
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { rows } = this.#places;
    const row = rows.findIndex((cells) => cells.includes(this.#focus));
    const column = rows[row]?.indexOf(this.#focus) ?? 0;
    const inRow = (r, c) => rows[r]?.[Math.max(0, Math.min(c, rows[r].length - 1))];
    const goes = {
      ArrowLeft: () => inRow(row, column - 1),
      ArrowRight: () => (column + 1 < rows[row].length ? inRow(row, column + 1) : undefined),
      ArrowUp: () => inRow(row - 1, column),
      ArrowDown: () => inRow(row + 1, column),
      Home: () => inRow(row, 0),
      End: () => inRow(row, Infinity),
    };
    if (goes[event.key]) {
      event.preventDefault();
      const to = goes[event.key]();
      if (to !== undefined) this.#moveFocus(to);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#pick(this.#focus);
    } else if (event.key === "Escape" && this.#picked.length) {
      event.preventDefault();
      this.#cancel(true);
    }
  }

  /** Shows what changed: pieces slide from where the same piece vanished, flip, or appear. */
  #animate(had) {
    const now = this.#scene.cells.map((cell) => cell.token ?? null);
    const same = (a, b) => a && b && a.glyph === b.glyph && a.shape === b.shape && a.colour === b.colour;
    const left = [];
    now.forEach((token, i) => {
      if (had[i] && !same(had[i], token)) left.push(i);
    });
    const still = { duration: 180, easing: "ease-out" };
    now.forEach((token, i) => {
      if (!token || same(had[i], token)) return;
      const picture = this.#pictures[i].querySelector(".token");
      const from = left.findIndex((j) => j !== i && same(had[j], token));
      if (from >= 0) {
        const [old] = left.splice(from, 1);
        const [a, b] = [this.#places.boxes[old], this.#places.boxes[i]];
        // What slides goes over the cells that it passes.
        this.#pictures[i].parentNode.append(this.#pictures[i]);
        picture.animate([{ transform: `translate(${a.x - b.x}px, ${a.y - b.y}px)` }, { transform: "none" }], still);
      } else if (had[i]) {
        this.#pictures[i].querySelector(".field")?.animate([{ filter: "brightness(1.5)" }, { filter: "none" }], { duration: 900, easing: "ease-in" });
        picture.animate([{ transform: "scaleX(0.05)" }, { transform: "none" }], still);
      } else {
        picture.animate([{ transform: "scale(0.5)", opacity: 0 }, { transform: "none", opacity: 1 }], still);
      }
    });
  }
}

/** A disc as large as its share, in the colour of its tone. */
function disc({ disc: share, tone, ring }, side) {
  const r = side * (0.12 + 0.34 * share);
  const circle = s("circle", { class: "weight", r });
  circle.style.setProperty("--tone", `${Math.round(100 * tone)}%`);
  return ring ? [circle, s("circle", { class: "weight-ring", r: r + 3 })] : [circle];
}

customElements.define("wits-board", WitsBoard);
