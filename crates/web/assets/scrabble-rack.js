/**
 * The tiles of a seat: in the rack, or laid on squares and not yet sent.
 *
 * Only the order and the squares are kept here; which tiles there are comes from the server.
 * @module
 */

import { worth } from "./scrabble-board.js";

/** @typedef {{id: number, face: string, square: number | null, as: string | null, out: boolean}} Held */

export class Rack {
  /** @type {Held[]} */
  tiles = [];
  #next = 0;
  /** Tiles in the order in which they were laid. */
  #laid = [];

  /** Takes over the faces that the server names; tiles that stay keep their places. */
  take(faces, free) {
    const left = [...faces];
    const stays = this.tiles.filter((tile) => {
      const at = left.indexOf(tile.face);
      if (at >= 0) left.splice(at, 1);
      return at >= 0;
    });
    this.tiles = [...stays, ...left.map((face) => ({ id: this.#next++, face, square: null, as: null, out: false }))];
    for (const tile of this.tiles) if (tile.square !== null && !free(tile.square)) this.recall(tile);
    this.#laid = this.#laid.filter((tile) => this.tiles.includes(tile));
  }

  get held() {
    return this.tiles.filter((tile) => tile.square === null);
  }

  get laid() {
    return this.tiles.filter((tile) => tile.square !== null);
  }

  at(square) {
    return this.tiles.find((tile) => tile.square === square) ?? null;
  }

  /** A tile in the rack that can be this letter: the letter itself, else a blank. */
  fit(face) {
    return this.held.find((tile) => tile.face === face) ?? this.held.find((tile) => tile.face === "?") ?? null;
  }

  place(tile, square, as = null) {
    const there = this.at(square);
    if (there && there !== tile) this.recall(there);
    tile.square = square;
    tile.as = tile.face === "?" ? as : null;
    this.#laid = [...this.#laid.filter((other) => other !== tile), tile];
  }

  recall(tile) {
    tile.square = null;
    tile.as = null;
    this.#laid = this.#laid.filter((other) => other !== tile);
  }

  recallAll() {
    for (const tile of [...this.laid]) this.recall(tile);
  }

  /** The tile that was laid last. */
  get newest() {
    return this.#laid.at(-1) ?? null;
  }

  shuffle() {
    for (let i = this.tiles.length - 1; i > 0; i -= 1) {
      const j = Math.floor(Math.random() * (i + 1));
      [this.tiles[i], this.tiles[j]] = [this.tiles[j], this.tiles[i]];
    }
  }

  /** Puts a tile before another in the rack. */
  order(tile, before) {
    if (tile === before) return;
    this.tiles = this.tiles.filter((other) => other !== tile);
    const at = before ? this.tiles.indexOf(before) : this.tiles.length;
    this.tiles.splice(at, 0, tile);
  }

  /** What lies on the board, for drawing. */
  picture() {
    return new Map(this.laid.map((tile) => [tile.square, { face: tile.as ?? tile.face, value: worth(tile.face), blank: tile.face === "?" }]));
  }
}
