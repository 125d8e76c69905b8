// The rules of three games, as far as a small search needs them. A position has `mover` (0 or 1),
// `moves()`, `after(move)` and `value(seat)`; where `moves()` is empty the game is over.
"use strict";

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** The position that a turn shows; nothing for games that are not known here. */
function read(game, spec, notation) {
  const [board, turn] = notation.split(" ");
  if (game === "othello") return new Othello(board, "XO".indexOf(turn));
  if (game === "hexapawn") return new Hexapawn(board.split("/"), "wb".indexOf(turn));
  if (game === "thue" && spec.includes("variant=square")) {
    const [word, gap] = notation.split("@");
    const symbols = Number(/symbols=(\d+)/.exec(spec)[1]);
    // From the symbol 10 on, symbols are written with commas between.
    const letters = (word.includes(",") ? word.split(",") : [...word]).filter((c) => c !== "");
    return new Thue(letters.map(Number), gap === undefined ? null : Number(gap), symbols);
  }
  return undefined;
}

const count = (list, what) => list.filter((one) => one === what).length;

class Othello {
  constructor(board, mover) {
    Object.assign(this, { board, mover, size: Math.sqrt(board.length) });
  }

  flips(at, mover) {
    const found = [];
    if (this.board[at] !== "-") return found;
    const { board, size } = this;
    const inside = (x, y) => x >= 0 && y >= 0 && x < size && y < size;
    for (const [dx, dy] of [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]]) {
      const line = [];
      let [x, y] = [(at % size) + dx, Math.floor(at / size) + dy];
      for (; inside(x, y) && board[y * size + x] === "OX"[mover]; x += dx, y += dy) line.push(y * size + x);
      if (line.length > 0 && inside(x, y) && board[y * size + x] === "XO"[mover]) found.push(...line);
    }
    return found;
  }

  moves() {
    const all = [...this.board].map((_, at) => at).filter((at) => this.flips(at, this.mover).length > 0);
    return all.map((at) => LETTERS[at % this.size] + (Math.floor(at / this.size) + 1));
  }

  after(move) {
    const at = LETTERS.indexOf(move[0]) + (Number(move.slice(1)) - 1) * this.size;
    const board = [...this.board];
    for (const square of [...this.flips(at, this.mover), at]) board[square] = "XO"[this.mover];
    const next = new Othello(board.join(""), 1 - this.mover);
    // Who cannot move passes.
    return next.moves().length > 0 ? next : new Othello(next.board, this.mover);
  }

  value(seat) {
    const board = [...this.board];
    const discs = count(board, "XO"[seat]) - count(board, "OX"[seat]);
    const moves = this.moves().length;
    if (moves === 0) return 1000 * Math.sign(discs) + discs;
    const last = this.size - 1;
    const corners = [0, last, last * this.size, last * this.size + last].map((at) => board[at]);
    return 20 * (count(corners, "XO"[seat]) - count(corners, "OX"[seat])) + (this.mover === seat ? moves : -moves);
  }
}

class Hexapawn {
  constructor(rows, mover) {
    Object.assign(this, { rows, mover });
  }

  won() {
    if (this.rows[0].includes("W")) return 0;
    return this.rows.at(-1).includes("B") ? 1 : undefined;
  }

  moves() {
    const found = [];
    if (this.won() !== undefined) return found;
    const [own, other, step] = this.mover === 0 ? ["W", "B", -1] : ["B", "W", 1];
    const name = (x, y) => LETTERS[x] + (this.rows.length - y);
    this.rows.forEach((row, y) => [...row].forEach((pawn, x) => {
      if (pawn !== own) return;
      for (const side of [-1, 0, 1]) {
        if (this.rows[y + step][x + side] === (side === 0 ? "-" : other)) {
          found.push(name(x, y) + (side === 0 ? "-" : "x") + name(x + side, y + step));
        }
      }
    }));
    return found;
  }

  after(move) {
    const rows = this.rows.map((row) => [...row]);
    const place = (square) => [rows.length - Number(square.slice(1)), LETTERS.indexOf(square[0])];
    const [[y, x], [toY, toX]] = move.split(/[-x]/).map(place);
    rows[toY][toX] = rows[y][x];
    rows[y][x] = "-";
    return new Hexapawn(rows.map((row) => row.join("")), 1 - this.mover);
  }

  value(seat) {
    const won = this.won() ?? (this.moves().length === 0 ? 1 - this.mover : undefined);
    if (won !== undefined) return won === seat ? 1000 : -1000;
    const all = [...this.rows.join("")];
    const pawns = count(all, "W") - count(all, "B");
    return seat === 0 ? pawns : -pawns;
  }
}

/** The Builder (0) picks a gap of a word, the Painter (1) a symbol for it that makes no square. */
class Thue {
  constructor(word, gap, symbols) {
    Object.assign(this, { word, gap, symbols, mover: gap === null ? 0 : 1 });
  }

  fits(gap) {
    const all = [...Array(this.symbols).keys()];
    return all.filter((s) => !square([...this.word.slice(0, gap), s, ...this.word.slice(gap)], gap));
  }

  moves() {
    if (this.gap === null) return [...Array(this.word.length + 1).keys()].map(String);
    return this.fits(this.gap).map(String);
  }

  after(move) {
    if (this.gap === null) return new Thue(this.word, Number(move), this.symbols);
    return new Thue([...this.word.slice(0, this.gap), Number(move), ...this.word.slice(this.gap)], null, this.symbols);
  }

  value(seat) {
    const gaps = this.gap === null ? [...Array(this.word.length + 1).keys()] : [this.gap];
    const tightest = Math.min(...gaps.map((gap) => this.fits(gap).length));
    const painter = this.word.length + (tightest === 0 ? -1000 : 10 * tightest);
    return seat === 1 ? painter : -painter;
  }
}

/** Whether some square uu holds the letter at a place. */
function square(word, at) {
  for (let half = 1; half <= word.length / 2; half++) {
    const most = Math.min(at, word.length - 2 * half);
    for (let start = Math.max(0, at - 2 * half + 1); start <= most; start++) {
      let same = 0;
      while (same < half && word[start + same] === word[start + half + same]) same++;
      if (same === half) return true;
    }
  }
  return false;
}

module.exports = { read };
