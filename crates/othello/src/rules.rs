//! The rules of the game, as one value for each variant.

use std::borrow::Cow;

use wits_game::{Dice, Eyes, Game, Illegal, Message, Outcome, Scene, Seat, Turn};

use crate::{Position, Square, WORDS, bits, notation, scene};

/// What lies on the board before the first move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Start {
    /// Four discs crosswise, as in every tournament.
    #[default]
    Othello,
    /// Nothing: the first four discs go on the centre squares and flip nothing (moves -3 to 0).
    Reversi,
    /// Four discs in two parallel rows, Black's above.
    Parallel,
}

/// What happens to a side that cannot flank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum NoMove {
    /// It passes; when neither side can move the game is over.
    #[default]
    Pass,
    /// It loses at once.
    Lose,
    /// It puts a disc on any empty square and flips nothing.
    Free,
}

/// The rules of Othello: a board, a start, and what happens to a side without a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Othello {
    size: usize,
    start: Start,
    no_move: NoMove,
}

impl Default for Othello {
    fn default() -> Othello {
        Othello {
            size: 8,
            start: Start::default(),
            no_move: NoMove::default(),
        }
    }
}

impl Othello {
    /// A variant, if the board has 4, 6 or 8 rows.
    pub const fn new(size: usize, start: Start, no_move: NoMove) -> Option<Othello> {
        if matches!(size, 4 | 6 | 8) {
            Some(Othello {
                size,
                start,
                no_move,
            })
        } else {
            None
        }
    }

    /// Rows and columns of the board.
    pub const fn size(&self) -> usize {
        self.size
    }

    /// Whether these are the rules of tournaments, on the large board.
    pub const fn is_tournament(&self) -> bool {
        self.size == 8 && matches!(self.no_move, NoMove::Pass)
    }

    /// The squares of the board.
    pub const fn area(&self) -> u64 {
        bits::area(self.size)
    }

    /// The four squares in the middle.
    pub const fn centre(&self) -> u64 {
        let low = self.size / 2 - 1;
        0x0303 << (low * 8 + low)
    }

    /// The squares where the side to move may put a disc. None when the game is over; a side that
    /// must pass is never to move.
    pub const fn squares(&self, position: &Position) -> u64 {
        let empty = self.area() & !position.taken();
        if matches!(self.start, Start::Reversi) && position.taken().count_ones() < 4 {
            return empty & self.centre();
        }
        let flanking = position.moves() & self.area();
        if flanking == 0 && matches!(self.no_move, NoMove::Free) {
            empty
        } else {
            flanking
        }
    }

    const fn can_move(&self, position: &Position) -> bool {
        self.squares(position) != 0
    }

    /// The position after a legal move, forced passes made.
    pub const fn after(&self, position: &Position, square: Square) -> Position {
        let early = matches!(self.start, Start::Reversi) && position.taken().count_ones() < 4;
        let next = if early {
            let own = position.own() | square.bit();
            Position::of(position.other(), own, position.turn.other())
        } else {
            position.after(square)
        };
        if matches!(self.no_move, NoMove::Pass)
            && !self.can_move(&next)
            && self.can_move(&next.passed())
        {
            next.passed()
        } else {
            next
        }
    }

    /// Whether the side that moved before had to pass on the way to this position.
    pub fn passed_before(&self, before: &Position, after: &Position) -> bool {
        before.turn == after.turn && !matches!(self.turn(after), Turn::Over(_))
    }

    fn outcome(&self, position: &Position) -> Outcome {
        let (black, white) = position.score();
        let diff = black as i32 - white as i32;
        let score = format!("{black}-{white}");
        let stuck = self.no_move == NoMove::Lose && position.taken() != self.area();
        if stuck {
            let loser = position.turn;
            let more = if loser == Seat::FIRST { -diff } else { diff };
            let sign = if loser == Seat::FIRST { -1 } else { 1 };
            let payoff = sign * more.max(1);
            let why = WORDS
                .say("stuck")
                .with("who", name(loser))
                .with("score", score);
            return Outcome {
                payoffs: vec![payoff, -payoff],
                why,
            };
        }
        let key = match diff.signum() {
            1 => "black-wins",
            -1 => "white-wins",
            _ => "drawn",
        };
        let mut why = WORDS.say(key).with("score", score);
        if self.size == 8 && position.taken() != bits::ALL {
            let (black, white) = position.tournament_score();
            let tournament = format!("{black}-{white}");
            why = WORDS
                .say("with-empties")
                .with("how", why)
                .with("score", tournament);
        }
        Outcome {
            payoffs: vec![diff, -diff],
            why,
        }
    }
}

/// What players call a seat.
pub(crate) fn name(seat: Seat) -> Message {
    WORDS.say(if seat == Seat::FIRST {
        "black"
    } else {
        "white"
    })
}

impl Game for Othello {
    const HIDDEN: bool = false;
    type State = Position;
    type View = Position;
    type Move = Square;

    fn seats(&self) -> u8 {
        2
    }

    fn seat_name(&self, seat: Seat) -> Message {
        name(seat)
    }

    fn start(&self) -> Position {
        let low = self.size / 2 - 1;
        let at = |row: usize, column: usize| 1u64 << ((low + row) * 8 + low + column);
        let (black, white) = match self.start {
            Start::Othello => (at(0, 1) | at(1, 0), at(0, 0) | at(1, 1)),
            Start::Parallel => (at(0, 0) | at(0, 1), at(1, 0) | at(1, 1)),
            Start::Reversi => (0, 0),
        };
        Position {
            black,
            white,
            turn: Seat::FIRST,
        }
    }

    fn turn(&self, position: &Position) -> Turn {
        if self.can_move(position) {
            return Turn::Of(position.turn);
        }
        // A position read from text may have the wrong side to move: it passes.
        if self.no_move == NoMove::Pass && self.can_move(&position.passed()) {
            return Turn::Of(position.turn.other());
        }
        Turn::Over(self.outcome(position))
    }

    fn options(&self, position: &Position) -> Vec<Square> {
        Square::all(self.squares(&self.settled(position))).collect()
    }

    fn legal(&self, position: &Position, square: &Square) -> Result<(), Illegal> {
        let position = self.settled(position);
        let open = self.squares(&position);
        if open & square.bit() != 0 {
            return Ok(());
        }
        let text = square.to_string();
        if self.area() & square.bit() == 0 {
            let last = Square::of(self.size - 1, self.size - 1).map(|s| s.to_string());
            let why = WORDS.say("off-board").with("square", text);
            return Err(why.with("last", last.unwrap_or_default()).into());
        }
        if open == 0 {
            return Err(Illegal::say(&wits_game::WORDS, "over"));
        }
        if let Some(seat) = position.disc(*square) {
            return Err(WORDS
                .say("taken")
                .with("square", text)
                .with("who", name(seat))
                .into());
        }
        let list: Vec<String> = Square::all(open).map(|s| s.to_string()).collect();
        let why = WORDS.say("flips-nothing").with("square", text);
        let why = why.with("who", name(position.turn));
        Err(why.with("all", list.join(" ")).into())
    }

    fn play(&self, position: &mut Position, square: &Square) {
        *position = self.after(&self.settled(position), *square);
    }

    fn read(&self, _position: &Position, text: &str) -> Result<Square, Illegal> {
        text.parse::<Square>().map_err(|_| {
            let last = Square::of(self.size - 1, self.size - 1).map(|s| s.to_string());
            let why = WORDS.say("not-a-square").with("text", shown(text));
            why.with("last", last.unwrap_or_default()).into()
        })
    }

    fn write(&self, _position: &Position, square: &Square, _to: Eyes) -> String {
        square.to_string()
    }

    fn view<'a>(&self, position: &'a Position, _eyes: Eyes) -> Cow<'a, Position> {
        Cow::Borrowed(position)
    }

    fn scene(&self, position: &Position) -> Scene {
        scene::scene(self, position)
    }

    fn position(&self, text: &str) -> Result<Position, Illegal> {
        notation::read_position(self, text)
    }

    fn notation(&self, position: &Position) -> Option<String> {
        Some(notation::write_position(self, position))
    }

    fn points(&self, position: &Position) -> Option<Vec<i32>> {
        let (black, white) = position.score();
        Some(vec![black as i32, white as i32])
    }

    fn imagine(&self, position: &Position, _dice: &mut Dice) -> Position {
        *position
    }
}

impl Othello {
    /// The same position with a forced pass made, for positions that come from outside.
    pub const fn settled(&self, position: &Position) -> Position {
        if matches!(self.no_move, NoMove::Pass)
            && !self.can_move(position)
            && self.can_move(&position.passed())
        {
            position.passed()
        } else {
            *position
        }
    }
}

/// At most a line of what somebody typed, for a message.
pub(crate) fn shown(text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        format!("{short}…")
    } else {
        short
    }
}
