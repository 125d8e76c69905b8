/**
 * The lens `board`: the position that a step looks at, where the step carries one.
 *
 * `data.scene` is a scene as games draw it; `data.board` is text.
 * @module
 */

import { h } from "./dom.js";
import { History } from "./history.js";
import "./board.js";
import { word } from "./words.js";

export default class BoardLens {
  #pictures = new History();
  #shown = null;

  constructor(root) {
    this.root = root;
    this.place = h("div", { class: "board-lens" }, h("p", { class: "muted" }, word("no-position")));
    root.append(this.place);
  }

  steps(all) {
    all.forEach(({ data }, i) => {
      if (data.scene || data.board !== undefined) this.#pictures.set(i, data.scene ?? data.board);
    });
  }

  show(index) {
    const picture = this.#pictures.at(index);
    if (picture === this.#shown) return;
    this.#shown = picture;
    if (picture === undefined) {
      this.place.replaceChildren(h("p", { class: "muted" }, word("no-position")));
    } else if (typeof picture === "object" && picture.cells) {
      let board = this.place.querySelector("wits-board");
      if (!board) {
        board = h("wits-board", { label: word("position-here") });
        this.place.replaceChildren(board);
      }
      board.scene = { ...picture, targets: [] };
    } else {
      const text = Array.isArray(picture) ? picture.join("\n") : String(picture);
      this.place.replaceChildren(h("pre", { class: "position" }, text));
    }
  }
}
