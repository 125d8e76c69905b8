/**
 * The part of a large picture that is in sight: fits, follows, and lets the reader pan and zoom.
 * @module
 */

import { h } from "./dom.js";
import { word } from "./words.js";

/** Text in the tree is no smaller than this share of its size, unless the reader zooms out. */
const SMALLEST = 0.85;
/** The tallest the picture gets, as a share of the window, so that the controls stay in sight. */
const TALLEST = 0.6;
/** A spot that is this share of the room away from its middle is well inside. */
const INSIDE = 0.36;

export class View {
  /** How far the reader has zoomed, on top of what fits. */
  #zoom = 1;
  #pan = { x: 0, y: 0 };
  #centre = null;
  #last = null;
  /** Whether the pointer that is going up has been moving the picture. */
  dragged = false;

  constructor(stage, svg) {
    this.stage = stage;
    this.svg = svg;
    const button = (label, text, act) => h("button", { type: "button", class: "button quiet icon", "aria-label": label, title: label, onclick: act }, text);
    stage.append(
      h(
        "div",
        { class: "zoom" },
        button(word("zoom-out"), "−", () => this.#by(1 / 1.3)),
        button(word("zoom-in"), "+", () => this.#by(1.3)),
        button(word("fit"), "⤢", () => this.#reset()),
      ),
    );
    this.#drag();
    svg.addEventListener("wheel", (event) => {
      // A plain wheel scrolls the page; pinching and Ctrl zoom.
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.#by(Math.exp(-event.deltaY / 200));
    }, { passive: false });
  }

  /** Shows a picture of this size so that a spot is in sight, and as much of a line as there is room for beside it. */
  fit(width, height, here, line = []) {
    this.#last = [width, height, here, line];
    const room = this.stage.clientWidth || 640;
    const scale = Math.max(SMALLEST, Math.min(1, room / width)) * this.#zoom;
    const tall = Math.min(Math.max(260, innerHeight * TALLEST), Math.max(150, height * Math.min(1, scale)));
    const [w, hgt] = [room / scale, tall / scale];
    const across = [here, ...line].map((spot) => spot.x);
    const x = follow(this.#centre?.x, here.x, across, w, width) + this.#pan.x;
    const y = follow(this.#centre?.y, here.y, [here.y], hgt, height) + this.#pan.y;
    this.#centre = { x: x - this.#pan.x, y: y - this.#pan.y };
    this.svg.style.height = `${Math.round(tall)}px`;
    this.svg.setAttribute("viewBox", `${x - w / 2} ${y - hgt / 2} ${w} ${hgt}`);
    this.scale = scale;
  }

  #again() {
    if (this.#last) this.fit(...this.#last);
  }

  #by(factor) {
    this.#zoom = Math.min(4, Math.max(0.15, this.#zoom * factor));
    this.#again();
  }

  #reset() {
    this.#zoom = 1;
    this.#pan = { x: 0, y: 0 };
    this.#centre = null;
    this.#again();
  }

  #drag() {
    let from = null;
    this.svg.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      from = { x: event.clientX, y: event.clientY, pan: { ...this.#pan } };
      this.dragged = false;
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (!from) return;
      const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
      if (!this.dragged && Math.hypot(dx, dy) < 5) return;
      if (!this.dragged) this.svg.setPointerCapture(event.pointerId);
      this.dragged = true;
      this.#pan = { x: from.pan.x - dx / this.scale, y: from.pan.y - dy / this.scale };
      this.#again();
    });
    for (const end of ["pointerup", "pointercancel"]) this.svg.addEventListener(end, () => (from = null));
  }
}

/**
 * The middle of the window along one axis: the whole picture where it fits; else where it was, as
 * long as all that is to be seen stays well inside; else between them, with the spot well inside.
 */
function follow(before, spot, seen, room, size) {
  if (size <= room) return size / 2;
  const far = room * INSIDE;
  const [least, most] = [Math.min(...seen), Math.max(...seen)];
  const rests = before !== undefined && before - least < far && most - before < far;
  const middle = rests ? before : Math.min(spot + far, Math.max(spot - far, (least + most) / 2));
  return Math.min(size - room / 2, Math.max(room / 2, middle));
}
