/**
 * The boxes of a bead machine beside the board: each one it opened in this game, the bead it drew, and, after
 * the end, the beads that the lesson takes away or adds.
 * @module
 */

import { h } from "./dom.js";
import { drawBox } from "./lens-beads.js";
import { word } from "./words.js";

export class Boxes {
  #base;
  #place = h("div", { class: "beads" });
  #panel = h("section", { class: "panel game-boxes", hidden: true, "aria-live": "polite" }, h("h2", {}, word("opened-boxes")), this.#place);
  /** The boxes in the order in which they were opened, by ply. */
  #opened = new Map();
  #taught = false;

  /** Boxes that appear after an element. */
  constructor(after, base) {
    this.#base = base;
    after?.after(this.#panel);
  }

  /** A new state: boxes that were opened since, and the lesson once the game is over. */
  async show(state) {
    const machine = state.seats.find((seat) => seat.player.split(":")[0] === "matchbox");
    if (!machine) return;
    const own = state.moves.filter((move) => move.seat === machine.seat && move.thread);
    for (const ply of [...this.#opened.keys()]) if (!own.some((move) => move.ply === ply)) this.#opened.delete(ply);
    for (const { ply } of own) {
      if (this.#opened.has(ply)) continue;
      this.#opened.set(ply, null);
      // The thread of a later decision begins with the draws before it.
      const step = (await steps(`${this.#base}/thread/${ply}`)).findLast(({ kind }) => kind === "draw");
      if (step) this.#opened.set(ply, { ...step.data, drawn: true });
    }
    if (state.over && machine.boxes && !this.#taught && /\blearn=true\b/.test(machine.player)) {
      this.#taught = true;
      for (const { kind, data } of await steps(`${machine.boxes}/thread`)) if (kind === "teach") this.#teach(data);
    }
    this.#draw();
  }

  #teach(data) {
    const box = [...this.#opened.values()].find((one) => one && one.box === data.box);
    if (!box) return;
    box.drawn = false;
    box.change = data.change ?? 0;
    box.bead = String(data.bead);
    box.beads = { ...box.beads, [box.bead]: data.left ?? Math.max(0, (box.beads[box.bead] ?? 0) + box.change) };
  }

  #draw() {
    const boxes = [...this.#opened.values()].filter(Boolean);
    this.#panel.hidden = !boxes.length;
    this.#place.replaceChildren(
      ...boxes.map((box, i) => {
        const beads = Object.entries(box.beads).map(([bead, count]) => ({ bead, count }));
        const what = { touched: String(box.bead), change: box.change ?? 0, drawn: box.drawn, large: i === boxes.length - 1 };
        return drawBox({ id: box.box, position: box.position }, beads, what);
      }),
    );
  }
}

/** The steps of a thread; none where it cannot be had. */
async function steps(address) {
  const reply = await fetch(address).catch(() => null);
  if (!reply?.ok) return [];
  const lines = (await reply.text()).trim().split("\n");
  return lines.map((line) => JSON.parse(line)).filter((step) => step.kind);
}
