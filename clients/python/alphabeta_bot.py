"""Alpha-beta for Othello, Thue and Hexapawn; in other games any legal move.

    python3 alphabeta_bot.py [DEPTH]
"""

import sys

import rules
from wits_bot import Answer, Bot

INFINITE = 1_000_000


def search(position, depth, alpha, beta, seat):
    """What a position is worth to a seat, and the line that shows it (Knuth and Moore 1975)."""
    moves = position.moves() if depth else []
    if not moves:
        return position.value(seat), []
    best = -INFINITE if position.mover == seat else INFINITE
    line = []
    for move in moves:
        value, rest = search(position.after(move), depth - 1, alpha, beta, seat)
        if position.mover == seat and value > best:
            best, line, alpha = value, [move] + rest, max(alpha, value)
        elif position.mover != seat and value < best:
            best, line, beta = value, [move] + rest, min(beta, value)
        if alpha >= beta:
            break
    return best, line


class AlphaBetaBot(Bot):
    deterministic = True

    def __init__(self, depth=3):
        self.depth = depth
        self.name = f"alpha-beta {depth} in Python"

    def start(self, hello):
        self.hello = hello

    def choose(self, turn):
        position = rules.read(self.hello.game, self.hello.spec, turn.notation or "")
        if position is None:
            return self.dice.choice(turn.legal)
        # Where nothing can be done the rules may still ask for a move.
        known = [move for move in turn.legal if move in position.moves()] or turn.legal
        if len(known) > 12:
            depth = min(self.depth, 2)
        else:
            depth = self.depth
        seat, lines = position.mover, []
        for move in known:
            if move not in position.moves():
                return Answer(move, say="nothing else is left")
            # Every move has its own value, so that the thread tells all of them.
            value, line = search(position.after(move), depth - 1, -INFINITE, INFINITE, seat)
            lines.append((value, [move] + line))
        best = max(value for value, _ in lines)
        value, line = next(found for found in lines if found[0] == best)
        answer = Answer(line[0], say=f"{line[0]} is worth {value}, {depth} moves deep")
        for value, line in sorted(lines, key=lambda found: -found[0]):
            answer.line(line, value)
        return answer


if __name__ == "__main__":
    AlphaBetaBot(int(sys.argv[1]) if sys.argv[1:] and sys.argv[1].isdigit() else 3).run()
