// Play at the tables of wits: one file, Node's own modules only.
//
//   const { Bot } = require("./wits_bot.js");
//   new (class Mine extends Bot {
//     choose(turn) {
//       return turn.legal[Math.floor(this.dice() * turn.legal.length)];
//     }
//   })().run();
//
// `console.log` does no harm: what is printed goes to standard error.
"use strict";

const fs = require("node:fs");
const readline = require("node:readline");

const RESIGN = Symbol("resign");

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
function dice(seed) {
  let state = (seed ^ (seed / 4294967296)) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A program that plays. Override `choose`; the rest is optional. */
class Bot {
  name = undefined;
  version = "1";
  deterministic = false;

  /** A game begins: `hello` tells game, seat and seed; `this.dice` is seeded from it. */
  start(hello) {}

  /** What to play: one of `turn.legal`, or `{ move, say, lines: [{ moves, value }] }`, or `RESIGN`. */
  choose(turn) {
    throw new Error("choose(turn) is missing");
  }

  /** The game has ended; `end.payoffs` has what each seat gets. */
  over(end) {}

  /** Moves were taken back until `to` of them stand. */
  undo(to) {}

  /** The house did not take the last answer. */
  wrong(error) {
    console.error(error.message);
  }

  /** The answer to one line of the house; nothing where none is due. */
  answer(line) {
    if ("hello" in line) {
      this.dice = dice(line.seed);
      this.start(line);
      return { name: this.name ?? this.constructor.name, version: this.version, deterministic: this.deterministic };
    }
    if ("legal" in line) {
      const choice = this.choose(line);
      if (choice === RESIGN) return { turn: line.id, resign: true };
      return typeof choice === "string" ? { turn: line.id, move: choice } : { turn: line.id, ...choice };
    }
    if ("over" in line) this.over(line);
    else if ("undo" in line) this.undo(line.undo);
    else if ("error" in line) this.wrong(line.error);
    return undefined;
  }

  /** Plays until standard input ends. */
  run() {
    console.log = console.info = console.error;
    const lines = readline.createInterface({ input: process.stdin, terminal: false });
    lines.on("line", (text) => {
      if (text.trim() === "") return;
      const reply = this.answer(JSON.parse(text));
      if (reply !== undefined) fs.writeSync(1, JSON.stringify(reply) + "\n");
    });
  }
}

module.exports = { Bot, RESIGN };
