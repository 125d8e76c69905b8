"""The rules of three games, as far as a small search needs them.

A position has `mover` (0 or 1), `moves()`, `after(move)` and `value(seat)`; where
`moves()` is empty the game is over.
"""


def read(game, spec, notation):
    """The position that a turn shows."""
    params = dict(p.split("=") for p in spec.partition(":")[2].split(",") if "=" in p)
    if game == "othello":
        board, _, turn = notation.rpartition(" ")
        return Othello(board, "XO".index(turn))
    if game == "hexapawn":
        board, _, turn = notation.rpartition(" ")
        return Hexapawn(board.split("/"), "wb".index(turn))
    if game == "thue" and params.get("variant") == "square":
        word, _, gap = notation.partition("@")
        # From the symbol 10 on, symbols are written with commas between.
        letters = [int(c) for c in (word.split(",") if "," in word else word) if c]
        return Thue(letters, int(gap) if gap else None, int(params["symbols"]))
    return None


class Othello:
    def __init__(self, board, mover):
        self.board, self.mover = board, mover
        self.size = int(len(board) ** 0.5)

    def name(self, at):
        return "abcdefgh"[at % self.size] + str(at // self.size + 1)

    def flips(self, at, mover):
        if self.board[at] != "-":
            return []
        mine, theirs = "XO"[mover], "OX"[mover]
        found, size = [], self.size
        for dx, dy in ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)):
            x, y, line = at % size + dx, at // size + dy, []
            while 0 <= x < size and 0 <= y < size and self.board[y * size + x] == theirs:
                line.append(y * size + x)
                x, y = x + dx, y + dy
            if line and 0 <= x < size and 0 <= y < size and self.board[y * size + x] == mine:
                found += line
        return found

    def moves(self):
        return [self.name(at) for at in range(len(self.board)) if self.flips(at, self.mover)]

    def after(self, move):
        at = "abcdefgh".index(move[0]) + (int(move[1:]) - 1) * self.size
        board = list(self.board)
        for square in self.flips(at, self.mover) + [at]:
            board[square] = "XO"[self.mover]
        following = Othello("".join(board), 1 - self.mover)
        # Who cannot move passes.
        return following if following.moves() else Othello(following.board, self.mover)

    def value(self, seat):
        mine, theirs, last = "XO"[seat], "OX"[seat], self.size - 1
        discs = self.board.count(mine) - self.board.count(theirs)
        if not self.moves():
            return 1000 * (discs > 0) - 1000 * (discs < 0) + discs
        corners = [self.board[at] for at in (0, last, last * self.size, last * self.size + last)]
        mobile = len(self.moves()) * (1 if self.mover == seat else -1)
        return 20 * (corners.count(mine) - corners.count(theirs)) + mobile


class Hexapawn:
    """Rows from the top; White's pawns are `W` and go up, Black's are `B` and go down."""

    def __init__(self, rows, mover):
        self.rows, self.mover = rows, mover

    def won(self):
        """Who reached the far side."""
        return 0 if "W" in self.rows[0] else 1 if "B" in self.rows[-1] else None

    def moves(self):
        if self.won() is not None:
            return []
        found, last = [], len(self.rows)
        own, other, step = (("W", "B", -1), ("B", "W", 1))[self.mover]
        for y, row in enumerate(self.rows):
            for x, pawn in enumerate(row):
                if pawn != own:
                    continue
                to = self.rows[y + step]
                here = "abcdefghijklmnopqrstuvwxyz"[x] + str(last - y)
                for side in (-1, 0, 1):
                    if 0 <= x + side < len(row) and to[x + side] == (other if side else "-"):
                        there = "abcdefghijklmnopqrstuvwxyz"[x + side] + str(last - y - step)
                        found.append(here + ("x" if side else "-") + there)
        return found

    def after(self, move):
        start, end = move.replace("x", "-").split("-")
        rows = [list(row) for row in self.rows]
        place = lambda square: (len(rows) - int(square[1:]), ord(square[0]) - ord("a"))
        (y, x), (to_y, to_x) = place(start), place(end)
        rows[to_y][to_x], rows[y][x] = rows[y][x], "-"
        return Hexapawn(["".join(row) for row in rows], 1 - self.mover)

    def value(self, seat):
        won = self.won()
        if won is None and not self.moves():
            won = 1 - self.mover
        if won is not None:
            return 1000 if won == seat else -1000
        pawns = sum(row.count("W") - row.count("B") for row in self.rows)
        return pawns if seat == 0 else -pawns


class Thue:
    """The Builder (0) picks a gap of a word, the Painter (1) a symbol for it that makes no square."""

    def __init__(self, word, gap, symbols):
        self.word, self.gap, self.symbols = word, gap, symbols
        self.mover = 0 if gap is None else 1

    def fits(self, gap):
        """The symbols that make no square in a gap."""
        return [s for s in range(self.symbols) if not square(self.word[:gap] + [s] + self.word[gap:], gap)]

    def moves(self):
        if self.gap is None:
            return [str(gap) for gap in range(len(self.word) + 1)]
        return [str(symbol) for symbol in self.fits(self.gap)]

    def after(self, move):
        if self.gap is None:
            return Thue(self.word, int(move), self.symbols)
        word = self.word[: self.gap] + [int(move)] + self.word[self.gap :]
        return Thue(word, None, self.symbols)

    def value(self, seat):
        gaps = [self.gap] if self.gap is not None else range(len(self.word) + 1)
        tightest = min(len(self.fits(gap)) for gap in gaps)
        painter = len(self.word) + 10 * tightest if tightest else len(self.word) - 1000
        return painter if seat == 1 else -painter


def square(word, at):
    """Whether some square uu holds the letter at a place."""
    for half in range(1, len(word) // 2 + 1):
        for start in range(max(0, at - 2 * half + 1), min(at, len(word) - 2 * half) + 1):
            if word[start : start + half] == word[start + half : start + 2 * half]:
                return True
    return False
