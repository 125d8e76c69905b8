//! The rules as the house knows them.

use std::borrow::Cow;

use wits_game::{Dice, Eyes, Game, Illegal, Message, Outcome, Scene, Seat, Turn};

use crate::WORDS;
use crate::board::{Board, Paint};
use crate::scene;
use crate::terms::{Side, Terms};

/// The anti-van der Waerden game on agreed terms.
///
/// Maker wins as soon as some progression of `k` numbers has `k` different colours, whoever painted
/// them. Breaker wins as soon as no progression can become such a rainbow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rainbow {
    terms: Terms,
}

/// Longer lists of moves are thinned out: see [`Rainbow::options`](Game::options).
pub const MOST_OPTIONS: u64 = 100_000;

impl Rainbow {
    /// The game on these terms.
    pub const fn new(terms: Terms) -> Rainbow {
        Rainbow { terms }
    }

    /// What was agreed.
    pub const fn terms(&self) -> &Terms {
        &self.terms
    }

    fn read_paint(&self, text: &str) -> Result<Paint, Illegal> {
        let not_a_move = || {
            let why = WORDS.say("not-a-move").with("text", shown(text));
            why.with("n", self.terms.n()).with("c", self.terms.c())
        };
        let mut parts = text
            .split(['=', ' ', ',', '\t'])
            .filter(|part| !part.is_empty());
        let (Some(number), Some(colour), None) = (parts.next(), parts.next(), parts.next()) else {
            return Err(not_a_move().into());
        };
        let (Ok(number), Ok(colour)) = (number.parse::<u64>(), colour.parse::<u64>()) else {
            return Err(not_a_move().into());
        };
        let range = |key, value: u64, most: u64| {
            if (1..=most).contains(&value) {
                return Ok(());
            }
            Err(Illegal::new(
                WORDS.say(key).with("value", value).with("most", most),
            ))
        };
        range("number-range", number, self.terms.n().into())?;
        range("colour-range", colour, self.terms.c().into())?;
        Ok(Paint {
            number: number as u32,
            colour: colour as u16,
        })
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

/// Why the game is over.
fn why_over(board: &Board, winner: Side) -> Message {
    let k = board.terms().k();
    match board.rainbow() {
        Some(series) => WORDS
            .say("why-rainbow")
            .with("numbers", series.text(k))
            .with("k", k),
        None if u32::from(board.terms().c()) < k => WORDS
            .say("why-few-colours")
            .with("c", board.terms().c())
            .with("k", k),
        None => WORDS
            .say("why-spoiled")
            .with("k", k)
            .with("who", winner.name()),
    }
}

impl Game for Rainbow {
    const HIDDEN: bool = false;
    /// Boards of more than [`MOST_OPTIONS`] moves list only some of them.
    const COMPLETE: bool = false;
    type State = Board;
    type View = Board;
    type Move = Paint;

    fn seats(&self) -> u8 {
        2
    }

    fn seat_name(&self, seat: Seat) -> Message {
        Side::of(seat).name()
    }

    fn start(&self) -> Board {
        Board::new(self.terms)
    }

    fn turn(&self, board: &Board) -> Turn {
        match board.winner() {
            Some(winner) => Turn::Over(Outcome::win(winner.seat(), 2, why_over(board, winner))),
            None => Turn::Of(board.to_move().seat()),
        }
    }

    /// Every uncoloured number in every colour while that is at most [`MOST_OPTIONS`] moves; beyond that evenly
    /// spaced numbers and colours, about as many.
    fn options(&self, board: &Board) -> Vec<Paint> {
        if board.winner().is_some() {
            return Vec::new();
        }
        let all = u64::from(board.open()) * u64::from(self.terms.c());
        let every = all.div_ceil(MOST_OPTIONS).max(1);
        // Thin the colours first, but keep two dozen of them.
        let colour_step = every.min(u64::from(self.terms.c()).div_ceil(24)).max(1);
        let number_step = every.div_ceil(colour_step);
        let paint = |number| {
            let colours = board.palette().step_by(colour_step as usize);
            colours.map(move |colour| Paint { number, colour })
        };
        board
            .uncoloured()
            .step_by(number_step as usize)
            .flat_map(paint)
            .collect()
    }

    fn legal(&self, board: &Board, paint: &Paint) -> Result<(), Illegal> {
        if board.winner().is_some() {
            return Err(Illegal::say(&wits_game::WORDS, "over"));
        }
        match board.colour(paint.number) {
            None => Ok(()),
            Some(colour) => {
                let why = WORDS.say("coloured-twice").with("number", paint.number);
                Err(why.with("colour", colour).into())
            }
        }
    }

    fn play(&self, board: &mut Board, paint: &Paint) {
        board.paint(*paint);
    }

    fn read(&self, _board: &Board, text: &str) -> Result<Paint, Illegal> {
        self.read_paint(text)
    }

    fn write(&self, _board: &Board, paint: &Paint, _to: Eyes) -> String {
        format!("{}={}", paint.number, paint.colour)
    }

    fn view<'a>(&self, board: &'a Board, _eyes: Eyes) -> Cow<'a, Board> {
        Cow::Borrowed(board)
    }

    fn scene(&self, board: &Board) -> Scene {
        scene::scene(board)
    }

    /// Reads `7=3 9=1`: the coloured numbers, in any order; `-` is the empty board.
    fn position(&self, text: &str) -> Result<Board, Illegal> {
        let mut board = self.start();
        let text = text.trim();
        if text == "-" {
            return Ok(board);
        }
        if text.is_empty() {
            return Err(Illegal::say(&WORDS, "not-a-position"));
        }
        for part in text.split_whitespace() {
            let paint = self.read_paint(part)?;
            if let Some(colour) = board.colour(paint.number) {
                let why = WORDS.say("coloured-twice").with("number", paint.number);
                return Err(why.with("colour", colour).into());
            }
            board.paint(paint);
        }
        Ok(board)
    }

    fn notation(&self, board: &Board) -> Option<String> {
        let parts: Vec<String> = board
            .painted()
            .map(|p| format!("{}={}", p.number, p.colour))
            .collect();
        Some(if parts.is_empty() {
            "-".to_owned()
        } else {
            parts.join(" ")
        })
    }

    fn imagine(&self, board: &Board, _dice: &mut Dice) -> Board {
        board.clone()
    }
}
