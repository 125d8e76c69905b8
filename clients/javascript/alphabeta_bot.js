// Alpha-beta for Othello, Thue and Hexapawn; in other games any legal move.
//
//   node alphabeta_bot.js [DEPTH]
"use strict";

const { Bot } = require("./wits_bot.js");
const rules = require("./rules.js");

/** What a position is worth to a seat, and the line that shows it (Knuth and Moore 1975). */
function search(position, depth, alpha, beta, seat) {
  const moves = depth > 0 ? position.moves() : [];
  if (moves.length === 0) return [position.value(seat), []];
  const ours = position.mover === seat;
  let best = [ours ? -Infinity : Infinity, []];
  for (const move of moves) {
    const [value, rest] = search(position.after(move), depth - 1, alpha, beta, seat);
    if (ours ? value > best[0] : value < best[0]) best = [value, [move, ...rest]];
    if (ours) alpha = Math.max(alpha, value);
    else beta = Math.min(beta, value);
    if (alpha >= beta) break;
  }
  return best;
}

class AlphaBetaBot extends Bot {
  deterministic = true;

  constructor(depth, name) {
    super();
    this.depth = depth;
    this.name = name ?? `alpha-beta ${depth} in JavaScript`;
  }

  start(hello) {
    this.hello = hello;
  }

  choose(turn) {
    const position = rules.read(this.hello.game, this.hello.spec, turn.notation ?? "");
    const known = position === undefined ? [] : position.moves().filter((move) => turn.legal.includes(move));
    if (known.length === 0) return turn.legal[Math.floor(this.dice() * turn.legal.length)];
    const depth = known.length > 12 ? Math.min(this.depth, 2) : this.depth;
    const lines = known.map((move) => {
      // Every move has its own value, so that the thread tells all of them.
      const [value, rest] = search(position.after(move), depth - 1, -Infinity, Infinity, position.mover);
      return { moves: [move, ...rest], value };
    });
    lines.sort((a, b) => b.value - a.value);
    const [best] = lines;
    return { move: best.moves[0], say: `${best.moves[0]} is worth ${best.value}, ${depth} moves deep`, lines };
  }
}

module.exports = { AlphaBetaBot };

if (require.main === module) new AlphaBetaBot(Number(process.argv[2] ?? 3)).run();
