"""Play at the tables of wits: one file, standard library only.

    import random
    from wits_bot import Bot
    class Mine(Bot):
        def choose(self, turn):
            return random.choice(turn.legal)
    Mine().run()

`print` does no harm: the protocol keeps the real standard output, and what is
printed goes to standard error, where `wits` keeps the end of it.
"""

import json
import os
import random
import sys


class Turn:
    """What the seat to move is told. Every key of the line is an attribute."""

    def __init__(self, line):
        self.__dict__.update(line)

    def __getattr__(self, name):
        # A key that this house does not send.
        return None


class Answer:
    """A move with what the program thinks of it."""

    def __init__(self, move, say=None, lines=None):
        self.move, self.say, self.lines = move, say, lines or []

    def line(self, moves, value=None):
        """One more line of play; the first move is the one to be played now."""
        self.lines.append({"moves": list(moves), "value": value})
        return self


RESIGN = object()


class Bot:
    """A program that plays. Override `choose`; the rest is optional."""

    name = None
    version = "1"
    deterministic = False

    def start(self, hello):
        """A game begins: `hello` tells game, seat and seed. `self.dice` is seeded from it."""

    def choose(self, turn):
        """What to play: one of `turn.legal`, an `Answer`, or `RESIGN`."""
        raise NotImplementedError

    def over(self, end):
        """The game has ended; `end.payoffs` has what each seat gets."""

    def undo(self, to):
        """Moves were taken back until `to` of them stand."""

    def wrong(self, error):
        """The house did not take the last answer; `error["message"]` says why."""
        print(error.get("message"), file=sys.stderr)

    def answer(self, line):
        """The answer to one line of the house; nothing where none is due."""
        if "hello" in line:
            hello = Turn(line)
            self.dice = random.Random(hello.seed)
            self.start(hello)
            return {
                "name": self.name or type(self).__name__,
                "version": self.version,
                "deterministic": self.deterministic,
            }
        if "legal" in line:
            choice = self.choose(Turn(line))
            if choice is RESIGN:
                return {"turn": line["id"], "resign": True}
            if not isinstance(choice, Answer):
                choice = Answer(choice)
            reply = {"turn": line["id"], "move": choice.move}
            if choice.say:
                reply["say"] = choice.say
            if choice.lines:
                reply["lines"] = choice.lines
            return reply
        if "over" in line:
            self.over(Turn(line))
        elif "undo" in line:
            self.undo(line["undo"])
        elif "error" in line:
            self.wrong(line["error"])
        return None

    def run(self):
        """Plays until standard input ends."""
        out = os.fdopen(os.dup(1), "w", encoding="utf-8")
        sys.stdout = sys.stderr
        for text in sys.stdin:
            if not text.strip():
                continue
            reply = self.answer(json.loads(text))
            if reply is not None:
                out.write(json.dumps(reply) + "\n")
                out.flush()
