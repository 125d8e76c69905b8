"""Play at the tables of wits: one file, standard library only.

    import random
    from wits_bot import Bot
    class Mine(Bot):
        def choose(self, turn):
            return random.choice(turn.legal)
    Mine().run()

`wits` starts such a program itself: python3 mine.py. With a token it plays on a server, too:

    python3 mine.py --server URL --token TOKEN [--join LINK] [--play GAME]

`print` does no harm: the protocol keeps the real standard output, and what is
printed goes to standard error, where `wits` keeps the end of it.
"""

import argparse
import copy
import http.client
import json
import os
import random
import sys
import time
import traceback
import urllib.parse


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
        """Plays until standard input ends; on a server, where one is named, until somebody stops it."""
        parser = argparse.ArgumentParser(description="a program that plays at the tables of wits")
        parser.add_argument("--server", default=os.environ.get("WITS_SERVER"), help="where to play, such as http://127.0.0.1:8080")
        parser.add_argument("--token", default=os.environ.get("WITS_TOKEN"), help="what the page of the bot showed once")
        parser.add_argument("--join", metavar="LINK", help="the link of an open tournament")
        parser.add_argument("--play", metavar="GAME", help="one practice game, then leave")
        parser.add_argument("--opponent", default="random", help="who plays the practice game (random)")
        parser.add_argument("--seat", default="1", help="our seat in the practice game (1)")
        asked, _ = parser.parse_known_args()
        link = urllib.parse.urlsplit(asked.join or "")
        server = asked.server or (link.netloc and f"{link.scheme}://{link.netloc}")
        if server:
            if not asked.token:
                parser.error("a token is needed: --token, or WITS_TOKEN in the environment")
            return Seats(self, server, asked.token).run(asked)
        out = os.fdopen(os.dup(1), "w", encoding="utf-8")
        sys.stdout = sys.stderr
        for text in sys.stdin:
            if not text.strip():
                continue
            reply = self.answer(json.loads(text))
            if reply is not None:
                out.write(json.dumps(reply) + "\n")
                out.flush()


class Refused(Exception):
    """The server does not want this program."""


class Seats:
    """The tables of a bot on a server: turns come in one stream, answers are posted."""

    SILENCE = 15  # The server gives a sign of life every 5 s.

    def __init__(self, bot, server, token):
        self.bot, self.token = bot, token
        url = urllib.parse.urlsplit(server if "://" in server else "http://" + server)
        kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
        self.connect = lambda: kind(url.netloc, timeout=self.SILENCE)
        self.posts = None
        self.tables = {}  # For each table a bot of its own, and the last turn it answered.

    def run(self, asked):
        """Plays until somebody stops it; what is lost on the way is found again."""
        self.asked, self.practice, wait = asked, None, 0.2
        while True:
            try:
                for line in self.listen():
                    wait = 0.2
                    if self.hear(line):
                        return
            except Refused as why:
                sys.exit(f"{type(self.bot).__name__}: {why}")
            except (OSError, http.client.HTTPException) as why:
                print(f"no connection ({why}); trying again", file=sys.stderr)
            self.posts = None
            time.sleep(wait)
            wait = min(2 * wait, 2)

    def request(self, connection, method, path, body=None):
        """Sends a request; an answer that can be read."""
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        while True:
            connection.request(method, path, body and json.dumps(body), headers)
            response = connection.getresponse()
            if response.status != 429:
                return response
            response.read()
            time.sleep(float(response.headers.get("Retry-After", "1")))

    def post(self, path, body):
        """Posts something; the status and what was answered. To post it once more does no harm."""
        for kept in (self.posts, None):
            if kept is None:
                self.posts = self.connect()
            try:
                response = self.request(self.posts, "POST", path, body)
                text = response.read()
                break
            except (OSError, http.client.HTTPException):
                if kept is None:
                    raise
        if response.status >= 500:
            raise http.client.HTTPException(f"status {response.status}")
        told = json.loads(text)
        if response.status in (401, 403):
            raise Refused(message(told))
        return response.status, told

    def listen(self):
        """The lines of the stream, until it breaks off."""
        response = self.request(self.connect(), "GET", "/api/bot/stream")
        if response.status in (401, 403):
            raise Refused(message(json.loads(response.read())))
        if response.status != 200:
            raise http.client.HTTPException(f"status {response.status}")
        self.begin()
        for text in iter(response.readline, b""):
            if text.strip():
                yield json.loads(text)

    def begin(self):
        """What the command line asked for, once."""
        asked, join, play = self.asked, self.asked.join, self.asked.play
        if join:
            status, told = self.post("/api/bot/join", {"tournament": join})
            if status >= 400:
                raise Refused(message(told))
            print(f"joined {told.get('title')}: {told.get('page')}", file=sys.stderr)
            asked.join = None
        if play:
            game = {"game": play, "opponent": asked.opponent, "seat": asked.seat}
            status, told = self.post("/api/bot/play", game)
            if status >= 400:
                raise Refused(message(told))
            self.practice = told["id"]
            asked.play = None

    def hear(self, line):
        """Does what a line asks for; true when the practice game is over."""
        if "table" not in line:
            if "error" in line:
                raise Refused(message(line))
            return False
        table = line["table"]
        if "hello" in line and table in self.tables:
            return False  # The connection was lost; the bot of this table still knows its game.
        bot, turn, reply = self.tables.get(table) or (copy.deepcopy(self.bot), None, None)
        if line.get("id") is None or line["id"] != turn:
            reply = self.answer(bot, line)
        self.tables[table] = (bot, line.get("id"), reply)
        status = 422
        while reply is not None and status == 422:
            status, told = self.post("/api/bot/answer", reply)
            if status >= 400:
                bot.wrong({"message": message(told)})
            if status == 422:
                reply = None if "crash" in reply else self.answer(bot, line)
        if "over" in line:
            del self.tables[table]
            if table == self.practice:
                print(f"{line['why']}, payoffs {line.get('payoffs')}")
                return True
        return False

    def answer(self, bot, line):
        """What a bot answers; where it breaks down, what to tell its author."""
        try:
            return bot.answer(line)
        except Exception:
            why = traceback.format_exc()
            print(why, file=sys.stderr)
            return {"turn": line.get("id"), "crash": why}


def message(told):
    """What the server says against something, and what to do."""
    error = told.get("error", told)
    return "; ".join(filter(None, (error.get("message"), error.get("hint"))))
