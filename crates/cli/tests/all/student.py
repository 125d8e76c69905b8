"""One student of a class: student.py KIND LOG, then what wits_bot.py takes.

Every move that the server acknowledged is a line of LOG.
"""

import os
import sys
import time

import wits_bot
from alphabeta_bot import AlphaBetaBot
from random_bot import RandomBot


class Seats(wits_bot.Seats):
    """Writes down what was acknowledged."""

    def post(self, path, body):
        status, told = super().post(path, body)
        # A crash that is told again after a kill is acknowledged, too, and is no move.
        if status == 200 and "played" in told and "move" in body:
            log.write(f"{body['turn']} {body['move']}\n")
            log.flush()
        return status, told


class Crashing(RandomBot):
    """Trips over its second turn of a game."""

    def start(self, hello):
        self.turns = 0

    def choose(self, turn):
        self.turns += 1
        return turn.legal[0] if self.turns < 2 else turn.legal[self.turns // 0]


class Slow(RandomBot):
    """Sleeps through most of its time on every turn."""

    def start(self, hello):
        self.sleep = None

    def choose(self, turn):
        self.sleep = self.sleep or 0.6 * turn.clock_ms / 1000
        time.sleep(self.sleep)
        return super().choose(turn)


class Cheating(RandomBot):
    """Plays what the rules refuse."""

    def choose(self, turn):
        return "z9" if turn.turn > 1 else super().choose(turn)


class Silent(RandomBot):
    """Listens, and answers no turn."""

    def answer(self, line):
        return None if "legal" in line else super().answer(line)


class Vanishing(RandomBot):
    """Ends in its third game, and does not come back."""

    games = 0

    def start(self, hello):
        Vanishing.games += 1

    def choose(self, turn):
        if Vanishing.games > 2:
            os._exit(1)
        return super().choose(turn)


kind, path = sys.argv[1:3]
log = open(path, "a", encoding="utf-8")
wits_bot.Seats = Seats
bots = {
    "random": RandomBot,
    "greedy": lambda: AlphaBetaBot(1),
    "alphabeta": lambda: AlphaBetaBot(2),
    "crashing": Crashing,
    "slow": Slow,
    "cheating": Cheating,
    "silent": Silent,
    "vanishing": Vanishing,
}
bots[kind]().run()
