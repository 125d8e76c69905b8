//! The mini-games as games of the house: notation and picture.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use wits_game::{
    Dice, Eyes, Game, Illegal, Light, Message, Outcome, Scene, Seat, Shape, Target, Token, Turn,
};

use super::rules::{End, Kind, Mini};
use crate::WORDS;
use crate::words::shown;

/// The cells that a move marks, bit by bit from the top left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cells(pub(super) u16);

fn through(mask: u16, map: &[u8; 16]) -> u16 {
    (0..16)
        .filter(|i| mask >> i & 1 == 1)
        .fold(0, |out, i| out | 1 << map[i])
}

impl Cells {
    pub(super) fn through(self, map: &[u8; 16]) -> Cells {
        Cells(through(self.0, map))
    }

    const fn first(self) -> usize {
        self.0.trailing_zeros() as usize
    }

    const fn last(self) -> usize {
        15 - self.0.leading_zeros() as usize
    }
}

/// A position: which cells are marked, by whom where that matters, and who moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Position {
    pub(super) marks: [u16; 2],
    pub(super) turn: u8,
}

impl Position {
    pub(super) fn new(marks: [u16; 2], seat: Seat) -> Position {
        Position {
            marks,
            turn: seat.index() as u8,
        }
    }

    pub(super) fn seat(self) -> Seat {
        if self.turn == 0 {
            Seat::FIRST
        } else {
            Seat::SECOND
        }
    }

    pub(super) fn through(self, map: &[u8; 16]) -> Position {
        Position {
            marks: self.marks.map(|mask| through(mask, map)),
            turn: self.turn,
        }
    }

    pub(super) fn after(self, game: &Mini, cells: Cells) -> Position {
        let mut next = self;
        let owner = if game.kind.sided() {
            usize::from(self.turn)
        } else {
            0
        };
        next.marks[owner] |= cells.0;
        next.turn = 1 - self.turn;
        next
    }
}

impl Mini {
    /// The name of a cell: the column as a letter, the row from the top.
    fn cell(&self, at: usize) -> String {
        let cols = usize::from(self.cols);
        format!("{}{}", char::from(b'a' + (at % cols) as u8), at / cols + 1)
    }

    fn text(&self, cells: Cells) -> String {
        let first = self.cell(cells.first());
        if cells.0.is_power_of_two() || self.kind == Kind::Chomp {
            return first;
        }
        format!("{first}-{}", self.cell(cells.last()))
    }

    fn token(&self, at: Position, cell: usize) -> Option<Token> {
        let marked = |i: usize| at.marks[i] >> cell & 1 == 1;
        let say = |key| WORDS.say(key).to_string();
        if self.kind.removes() {
            let there = !marked(0);
            let poison = self.kind == Kind::Chomp && cell == 0;
            return there.then(|| {
                if poison {
                    Token::new(Shape::Cross, "P", say("mini-poison"), 5)
                } else {
                    Token::new(Shape::Tile, "o", say("mini-piece"), 1)
                }
            });
        }
        match (self.kind, marked(0), marked(1)) {
            (Kind::Connect3, true, _) => Some(Token::new(Shape::Dark, "X", say("mini-dark"), 1)),
            (Kind::Connect3, _, true) => Some(Token::new(Shape::Light, "O", say("mini-light"), 5)),
            (Kind::Domineering, true, _) => {
                Some(Token::new(Shape::Tile, "#", say("mini-domino"), 1))
            }
            (Kind::Mnk, _, true) => Some(Token::new(Shape::Ring, "O", say("nought"), 5)),
            (_, true, _) => Some(Token::new(Shape::Cross, "X", say("cross"), 1)),
            _ => None,
        }
    }

    /// Why a game that is over ended as it did.
    fn reason(&self, at: Position, end: End) -> Message {
        let (mover, last) = (at.seat(), at.seat().other());
        let key = match (self.kind, end) {
            (_, End::Drawn) => "full",
            (Kind::Chomp, _) => "mini-ate",
            (Kind::Nim, _) => "mini-last-wins",
            (Kind::TacTix, _) => "mini-last-loses",
            (Kind::Domineering, _) => "mini-stuck",
            (Kind::Notakto, _) => "mini-completed",
            (Kind::Connect3, _) => "row",
            (Kind::Mnk, _) => "mini-line",
        };
        WORDS
            .say(key)
            .with("who", self.seat_name(last))
            .with("other", self.seat_name(mover))
            .with("line", self.line)
    }
}

impl Game for Mini {
    const HIDDEN: bool = false;
    type State = Position;
    type View = Position;
    type Move = Cells;

    fn seats(&self) -> u8 {
        2
    }

    fn seat_name(&self, seat: Seat) -> Message {
        WORDS.say(match (self.kind, seat == Seat::FIRST) {
            (Kind::Mnk, true) => "x",
            (Kind::Mnk, false) => "o",
            (_, true) => "mini-first",
            (_, false) => "mini-second",
        })
    }

    fn start(&self) -> Position {
        self.opening()
    }

    fn turn(&self, at: &Position) -> Turn {
        match self.end(*at) {
            Some(End::Won(seat)) => {
                Turn::Over(Outcome::win(seat, 2, self.reason(*at, End::Won(seat))))
            }
            Some(End::Drawn) => Turn::Over(Outcome::draw(2, self.reason(*at, End::Drawn))),
            None => Turn::Of(at.seat()),
        }
    }

    fn options(&self, at: &Position) -> Vec<Cells> {
        if self.end(*at).is_some() {
            return Vec::new();
        }
        self.moves(*at)
    }

    fn legal(&self, at: &Position, cells: &Cells) -> Result<(), Illegal> {
        if self.end(*at).is_some() {
            return Err(Illegal::say(&wits_game::WORDS, "over"));
        }
        let moves = self.moves(*at);
        if moves.contains(cells) {
            return Ok(());
        }
        let some: Vec<String> = moves.iter().take(6).map(|&m| self.text(m)).collect();
        let why = WORDS.say("mini-not-now").with("move", self.text(*cells));
        Err(why.with("some", some.join(", ")).into())
    }

    fn play(&self, at: &mut Position, cells: &Cells) {
        *at = at.after(self, *cells);
    }

    fn read(&self, at: &Position, text: &str) -> Result<Cells, Illegal> {
        let wanted = text.trim().to_ascii_lowercase();
        let named = |m: &Cells| self.text(*m) == wanted;
        let now = self.moves(*at).into_iter().find(named);
        // A move of the opening that is no longer possible is a move all the same: it is refused by name.
        let ever = || {
            self.moves(Position {
                turn: at.turn,
                ..self.opening()
            })
            .into_iter()
            .find(named)
        };
        let example = || {
            let first = self.moves(self.opening());
            self.text(first[first.len() - 1])
        };
        now.or_else(ever).ok_or_else(|| {
            let why = WORDS.say("mini-not-a-move").with("text", shown(text));
            why.with("example", example()).into()
        })
    }

    fn write(&self, _at: &Position, cells: &Cells, _to: Eyes) -> String {
        self.text(*cells)
    }

    fn view<'a>(&self, at: &'a Position, _eyes: Eyes) -> Cow<'a, Position> {
        Cow::Borrowed(at)
    }

    fn scene(&self, at: &Position) -> Scene {
        let mut scene = Scene::board(usize::from(self.cols), usize::from(self.rows), true);
        let row = |marks: u16| {
            self.lines()
                .iter()
                .filter(|&&l| marks & l == l)
                .fold(0, |all, l| all | l)
        };
        let lit = row(at.marks[0]) | row(at.marks[1]);
        for cell in 0..self.cells() {
            scene.cells[cell].token = self.token(*at, cell);
            if lit >> cell & 1 == 1 {
                scene.cells[cell].light = Some(Light::Win);
            }
        }
        let target = |cells: Cells| {
            let one = cells.0.is_power_of_two() || self.kind == Kind::Chomp;
            Target {
                path: if one {
                    vec![cells.first()]
                } else {
                    vec![cells.first(), cells.last()]
                },
                text: self.text(cells),
                label: String::new(),
            }
        };
        scene.targets = self.options(at).into_iter().map(target).collect();
        scene
    }

    fn position(&self, text: &str) -> Result<Position, Illegal> {
        let bad = || -> Illegal {
            let example = self.notation(&self.opening()).unwrap_or_default();
            WORDS
                .say("mini-not-a-position")
                .with("text", shown(text))
                .with("example", example)
                .into()
        };
        let (board, side) = text.trim().rsplit_once(' ').ok_or_else(bad)?;
        let letters: Vec<char> = board.chars().filter(|c| *c != '/').collect();
        let seat = match side {
            "1" => Seat::FIRST,
            "2" => Seat::SECOND,
            _ => return Err(bad()),
        };
        if letters.len() != self.cells() {
            return Err(bad());
        }
        let mut marks = [0u16; 2];
        for (i, letter) in letters.into_iter().enumerate() {
            match letter {
                'X' => marks[0] |= 1 << i,
                'O' if self.kind.sided() => marks[1] |= 1 << i,
                '.' => {}
                _ => return Err(bad()),
            }
        }
        if self.opening().marks[0] & !marks[0] != 0 {
            return Err(bad());
        }
        let [first, second] = marks.map(u16::count_ones);
        let ahead = u32::from(seat == Seat::SECOND);
        if self.kind.sided() && first != second + ahead {
            let why = WORDS.say("cannot-be").with("text", shown(text));
            return Err(why.with("why", WORDS.say("mini-counts-wrong")).into());
        }
        Ok(Position::new(marks, seat))
    }

    fn notation(&self, at: &Position) -> Option<String> {
        let mut out = String::with_capacity(24);
        for cell in 0..self.cells() {
            if cell > 0 && cell % usize::from(self.cols) == 0 {
                out.push('/');
            }
            out.push(match (at.marks[0] >> cell & 1, at.marks[1] >> cell & 1) {
                (1, _) => 'X',
                (_, 1) => 'O',
                _ => '.',
            });
        }
        out.push_str(if at.turn == 0 { " 1" } else { " 2" });
        Some(out)
    }

    fn imagine(&self, at: &Position, _dice: &mut Dice) -> Position {
        *at
    }
}
