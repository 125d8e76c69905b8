//! Tic-tac-toe: rules, notation, picture and entry.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use wits_game::{
    Dice, Eyes, Game, Illegal, Light, Message, Outcome, Scene, Seat, Shape, Target, Token, Turn,
};

use crate::WORDS;
use crate::words::shown;

/// The rules of tic-tac-toe. There is only one variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TicTacToe;

/// One of the nine squares, row by row from the top left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u8);

impl Square {
    /// All nine, in order.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..9).map(Square)
    }

    /// The number of the square, row by row from the top left.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The square of that number, if there is one.
    pub fn at(index: usize) -> Option<Square> {
        (index < 9).then_some(Square(index as u8))
    }

    const fn bit(self) -> u16 {
        1 << self.0
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.0 % 3), self.0 / 3 + 1)
    }
}

impl FromStr for Square {
    type Err = Illegal;

    fn from_str(text: &str) -> Result<Square, Illegal> {
        let name = text.trim().to_ascii_lowercase();
        Square::all()
            .find(|square| square.to_string() == name)
            .ok_or_else(|| WORDS.say("not-a-square").with("text", shown(text)).into())
    }
}

/// The eight rows of three, as masks over the squares.
pub const ROWS: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

const FULL: u16 = 0b111_111_111;

/// A position: which squares each side holds.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
pub struct Board {
    pub(super) marks: [u16; 2],
}

impl Board {
    /// The squares a side holds, as a mask.
    pub const fn marks(&self, seat: Seat) -> u16 {
        self.marks[seat.index()]
    }

    /// Who holds a square.
    pub fn mark(&self, square: Square) -> Option<Seat> {
        Seat::all(2).find(|seat| self.marks(*seat) & square.bit() != 0)
    }

    /// The side to move, were the game not over.
    pub const fn to_move(&self) -> Seat {
        if self.marks[0].count_ones() == self.marks[1].count_ones() {
            Seat::FIRST
        } else {
            Seat::SECOND
        }
    }

    /// The squares of a finished row, as a mask; zero while there is none.
    pub fn row(&self, seat: Seat) -> u16 {
        ROWS.iter()
            .filter(|&&row| self.marks(seat) & row == row)
            .fold(0, |all, row| all | row)
    }

    /// The empty squares, in order.
    pub fn empty(&self) -> impl Iterator<Item = Square> {
        let taken = self.marks[0] | self.marks[1];
        Square::all().filter(move |square| taken & square.bit() == 0)
    }
}

/// The mark of a seat.
fn name(seat: Seat) -> Message {
    WORDS.say(if seat == Seat::FIRST { "x" } else { "o" })
}

impl Game for TicTacToe {
    const HIDDEN: bool = false;
    type State = Board;
    type View = Board;
    type Move = Square;

    fn seats(&self) -> u8 {
        2
    }

    fn seat_name(&self, seat: Seat) -> Message {
        name(seat)
    }

    fn start(&self) -> Board {
        Board::default()
    }

    fn turn(&self, board: &Board) -> Turn {
        if let Some(winner) = Seat::all(2).find(|&seat| board.row(seat) != 0) {
            let why = WORDS.say("row").with("who", name(winner));
            return Turn::Over(Outcome::win(winner, 2, why));
        }
        if board.marks[0] | board.marks[1] == FULL {
            return Turn::Over(Outcome::draw(2, WORDS.say("full")));
        }
        Turn::Of(board.to_move())
    }

    fn options(&self, board: &Board) -> Vec<Square> {
        match self.turn(board) {
            Turn::Of(_) => board.empty().collect(),
            _ => Vec::new(),
        }
    }

    fn legal(&self, board: &Board, square: &Square) -> Result<(), Illegal> {
        if matches!(self.turn(board), Turn::Over(_)) {
            return Err(Illegal::say(&wits_game::WORDS, "over"));
        }
        match board.mark(*square) {
            None => Ok(()),
            Some(seat) => {
                let why = WORDS.say("taken").with("square", square.to_string());
                Err(why.with("mark", name(seat)).into())
            }
        }
    }

    fn play(&self, board: &mut Board, square: &Square) {
        board.marks[board.to_move().index()] |= square.bit();
    }

    fn read(&self, _board: &Board, text: &str) -> Result<Square, Illegal> {
        text.parse()
    }

    fn write(&self, _board: &Board, square: &Square, _to: Eyes) -> String {
        square.to_string()
    }

    fn view<'a>(&self, board: &'a Board, _eyes: Eyes) -> Cow<'a, Board> {
        Cow::Borrowed(board)
    }

    fn scene(&self, board: &Board) -> Scene {
        let mut scene = Scene::board(3, 3, true);
        for square in Square::all() {
            let cell = &mut scene.cells[square.index()];
            if let Some(seat) = board.mark(square) {
                cell.token = Some(token(seat));
                if board.row(seat) & square.bit() != 0 {
                    cell.light = Some(Light::Win);
                }
            }
        }
        scene.targets = self
            .options(board)
            .into_iter()
            .map(|square| Target {
                path: vec![square.index()],
                text: square.to_string(),
                label: String::new(),
            })
            .collect();
        scene
    }

    fn position(&self, text: &str) -> Result<Board, Illegal> {
        read_board(text)
    }

    fn notation(&self, board: &Board) -> Option<String> {
        let mut out = String::with_capacity(11);
        for square in Square::all() {
            if square.index() > 0 && square.index().is_multiple_of(3) {
                out.push('/');
            }
            out.push(match board.mark(square) {
                Some(Seat::FIRST) => 'X',
                Some(_) => 'O',
                None => '-',
            });
        }
        Some(out)
    }

    fn imagine(&self, board: &Board, _dice: &mut Dice) -> Board {
        *board
    }
}

fn token(seat: Seat) -> Token {
    if seat == Seat::FIRST {
        Token::new(Shape::Cross, "X", WORDS.say("cross").to_string(), 1)
    } else {
        Token::new(Shape::Ring, "O", WORDS.say("nought").to_string(), 5)
    }
}

/// Reads `X-O/-X-/---`, and refuses what cannot come up in play.
fn read_board(text: &str) -> Result<Board, Illegal> {
    let letters: Vec<char> = text
        .trim()
        .chars()
        .filter(|c| *c != '/' && !c.is_whitespace())
        .collect();
    let mut board = Board::default();
    if letters.len() != 9 {
        return Err(WORDS.say("not-a-board").with("text", shown(text)).into());
    }
    for (square, letter) in Square::all().zip(letters) {
        match letter {
            'X' | 'x' => board.marks[0] |= square.bit(),
            'O' | 'o' | '0' => board.marks[1] |= square.bit(),
            '-' | '.' | '_' => {}
            _ => return Err(WORDS.say("not-a-board").with("text", shown(text)).into()),
        }
    }
    let cannot = |why| {
        Err(WORDS
            .say("cannot-be")
            .with("text", shown(text))
            .with("why", WORDS.say(why))
            .into())
    };
    let (x, o) = (board.marks[0].count_ones(), board.marks[1].count_ones());
    if x != o && x != o + 1 {
        return cannot("counts-wrong");
    }
    match (board.row(Seat::FIRST) != 0, board.row(Seat::SECOND) != 0) {
        (true, true) => cannot("both-won"),
        (true, false) if x == o => cannot("won-late"),
        (false, true) if x != o => cannot("won-late"),
        _ => Ok(board),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::boxed::Boxed;

    fn count(board: Board, seen: &mut HashSet<Board>) -> u64 {
        seen.insert(board);
        let options = TicTacToe.options(&board);
        if options.is_empty() {
            return 1;
        }
        let play = |square: &Square| {
            let mut next = board;
            TicTacToe.play(&mut next, square);
            next
        };
        options.iter().map(|square| count(play(square), seen)).sum()
    }

    /// The counts everybody knows: games, positions, positions up to symmetry.
    #[test]
    fn known_counts() {
        let mut seen = HashSet::new();
        assert_eq!(count(Board::default(), &mut seen), 255_168);
        assert_eq!(seen.len(), 5_478);
        let classes: HashSet<Board> = seen.iter().map(|b| TicTacToe.canonical(b).0).collect();
        assert_eq!(classes.len(), 765);
        for board in &seen {
            let text = TicTacToe.notation(board).unwrap();
            assert_eq!(TicTacToe.position(&text).as_ref(), Ok(board), "{text}");
        }
    }

    #[test]
    fn refusals_name_the_rule() {
        let board = read_board("X--/-O-/---").unwrap();
        let refuse = |text: &str| {
            let read = TicTacToe
                .read(&board, text)
                .and_then(|m| TicTacToe.legal(&board, &m));
            read.unwrap_err().to_string()
        };
        assert_eq!(
            refuse("a1"),
            "`a1` is already taken by X; choose an empty square"
        );
        assert_eq!(refuse("d4"), "`d4` is not a square; squares are a1 to c3");
        for (text, says) in [
            ("XX-/---/---", "X moves first"),
            ("XXX/OOO/---", "both sides"),
            ("XXX/OO-/O--", "after the game was won"),
            ("XX", "is not a board"),
            ("XQ-/---/---", "is not a board"),
        ] {
            let error = read_board(text).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
