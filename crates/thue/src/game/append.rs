//! The append game: both players append in turn, and only one of them avoids squares.
//!
//! Squares of two letters do not count, or the Spoiler would win at once by repeating the last letter. Four symbols
//! are enough for the Avoider (Rosenfeld 2021); with three the Spoiler wins.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use wits_game::{
    Cell, Dice, Eyes, Game, Illegal, Layout, Light, Message, Outcome, Scene, Seat, Target, Turn,
};
use wits_play::{Entry, Param, SearchDefaults};

use super::insertion::shown;
use super::scene::{half, palette, token};
use crate::WORDS;
use crate::words::{Repetition, Variant, Word, find};

/// The rules of the append game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Append {
    /// How many symbols there are.
    pub symbols: usize,
    /// The Avoider wins once the word has so many symbols.
    pub goal: usize,
    /// Whether the Spoiler moves first.
    pub spoiler_first: bool,
}

/// The word so far, and the square of four or more letters that ended the game.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Tail {
    /// The word.
    pub word: Word,
    /// The square at its end.
    pub square: Option<Repetition>,
}

/// How the word before its first letter is written.
pub(super) const EMPTY: &str = "-";

/// The square of period two or more that the last letter closes.
fn square_at_end(word: &[u8]) -> Option<Repetition> {
    let n = word.len();
    (2..=n / 2)
        .find(|&p| find::is_at(word, Variant::Square, n - 2 * p, p))
        .map(|p| Repetition::new(Variant::Square, n - 2 * p, p))
}

impl Append {
    /// The seat that avoids squares.
    pub const AVOIDER: Seat = Seat::FIRST;

    fn mover(self, tail: &Tail) -> Seat {
        if tail.word.len().is_multiple_of(2) == self.spoiler_first {
            Seat::SECOND
        } else {
            Seat::FIRST
        }
    }
}

impl Game for Append {
    const HIDDEN: bool = false;
    type State = Tail;
    type View = Tail;
    type Move = u8;

    fn seats(&self) -> u8 {
        2
    }

    fn seat_name(&self, seat: Seat) -> Message {
        WORDS.say(if seat == Append::AVOIDER {
            "avoider"
        } else {
            "spoiler"
        })
    }

    fn start(&self) -> Tail {
        Tail {
            word: Word::default(),
            square: None,
        }
    }

    fn turn(&self, tail: &Tail) -> Turn {
        if let Some(square) = tail.square {
            let why = WORDS
                .say("over-square")
                .with("start", square.start)
                .with("period", square.period);
            return Turn::Over(Outcome::win(Seat::SECOND, 2, why));
        }
        if tail.word.len() >= self.goal {
            return Turn::Over(Outcome::win(
                Append::AVOIDER,
                2,
                WORDS.say("over-goal").with("goal", self.goal),
            ));
        }
        Turn::Of(self.mover(tail))
    }

    fn options(&self, tail: &Tail) -> Vec<u8> {
        match self.turn(tail) {
            Turn::Of(_) => (0..self.symbols as u8).collect(),
            _ => Vec::new(),
        }
    }

    fn legal(&self, tail: &Tail, symbol: &u8) -> Result<(), Illegal> {
        if matches!(self.turn(tail), Turn::Over(_)) {
            return Err(Illegal::say(&wits_game::WORDS, "over"));
        }
        if usize::from(*symbol) < self.symbols {
            Ok(())
        } else {
            Err(no_symbol(&symbol.to_string(), self.symbols))
        }
    }

    fn play(&self, tail: &mut Tail, symbol: &u8) {
        tail.word.push(*symbol);
        tail.square = square_at_end(&tail.word);
    }

    fn read(&self, _tail: &Tail, text: &str) -> Result<u8, Illegal> {
        read_symbol(text, self.symbols)
    }

    fn write(&self, _tail: &Tail, symbol: &u8, _to: Eyes) -> String {
        symbol.to_string()
    }

    fn view<'a>(&self, tail: &'a Tail, _eyes: Eyes) -> Cow<'a, Tail> {
        Cow::Borrowed(tail)
    }

    fn scene(&self, tail: &Tail) -> Scene {
        let over = matches!(self.turn(tail), Turn::Over(_));
        let caption = WORDS
            .say("caption-append")
            .with("length", tail.word.len())
            .with("goal", self.goal)
            .with("symbols", self.symbols);
        strip(
            &tail.word,
            tail.square,
            if over { 0 } else { self.symbols },
            self.symbols,
            &caption,
        )
    }

    /// A position is its word, `-` before the first letter.
    fn position(&self, text: &str) -> Result<Tail, Illegal> {
        let mut tail = self.start();
        if text.trim() == EMPTY {
            return Ok(tail);
        }
        let bad = |why: crate::WordError| -> Illegal {
            let why = why.to_string();
            let what = WORDS.say("not-a-word").with("text", shown(text));
            what.with("why", why).into()
        };
        let word: Word = text.parse().map_err(bad)?;
        for symbol in word.iter() {
            self.legal(&tail, symbol)?;
            self.play(&mut tail, symbol);
        }
        Ok(tail)
    }

    fn notation(&self, tail: &Tail) -> Option<String> {
        let empty = tail.word.is_empty();
        Some(if empty {
            EMPTY.to_owned()
        } else {
            tail.word.to_string()
        })
    }

    fn imagine(&self, tail: &Tail, _dice: &mut Dice) -> Tail {
        tail.clone()
    }
}

/// A word without gaps, and a button for each symbol that can be appended.
pub(super) fn strip(
    word: &[u8],
    square: Option<Repetition>,
    buttons: usize,
    symbols: usize,
    caption: &Message,
) -> Scene {
    let cell = |(at, &symbol): (usize, &u8)| {
        let half = square.and_then(|square| half(square, at));
        let last = (at + 1 == word.len()).then_some(Light::Last);
        Cell {
            name: at.to_string(),
            token: Some(token(symbol)),
            tint: half.unwrap_or_default(),
            light: half.map(|_| Light::Wrong).or(last),
            note: String::new(),
        }
    };
    let button = |symbol: usize| Target {
        path: Vec::new(),
        text: symbol.to_string(),
        label: WORDS.say("button").with("symbol", symbol).to_string(),
    };
    Scene {
        layout: Layout::Strip,
        cells: word.iter().enumerate().map(cell).collect(),
        targets: (0..buttons).map(button).collect(),
        trays: vec![palette(symbols)],
        caption: caption.to_string(),
    }
}

/// Reads a symbol as players write it.
pub(super) fn read_symbol(text: &str, symbols: usize) -> Result<u8, Illegal> {
    let text = text.trim();
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    text.parse()
        .ok()
        .filter(|_| digits)
        .ok_or_else(|| no_symbol(&shown(text), symbols))
}

pub(super) fn no_symbol(text: &str, symbols: usize) -> Illegal {
    WORDS
        .say("no-symbol")
        .with("text", text)
        .with("most", symbols - 1)
        .into()
}

/// The append game, as the catalog lists it.
pub fn entry() -> Entry<Append> {
    let words = ["append-title", "append-about", "append-rules"];
    Entry::new("thue-append", &WORDS, words, |args, _| {
        Ok(Append {
            symbols: args.int("symbols") as usize,
            goal: args.int("goal") as usize,
            spoiler_first: args.text("first") == "spoiler",
        })
    })
    .param(Param::int("symbols", 1, 64, 4, &WORDS, "param-symbols"))
    .param(Param::int("goal", 1, 10_000, 100, &WORDS, "param-goal"))
    .param(Param::choice(
        "first",
        &["avoider", "spoiler"],
        "spoiler",
        &WORDS,
        "param-first",
    ))
    .paired()
    .with_search(SearchDefaults::depth(8).positions(1000))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the Spoiler can force a square before the word has `goal` letters.
    fn spoiler_wins(game: &Append, tail: &Tail, used: usize) -> bool {
        match game.turn(tail) {
            Turn::Over(outcome) => outcome.winner() == Some(Seat::SECOND),
            Turn::Of(seat) => {
                // Letters not used yet are all alike.
                let mut wins = (0..game.symbols.min(used + 1)).map(|c| {
                    let mut next = tail.clone();
                    game.play(&mut next, &(c as u8));
                    spoiler_wins(game, &next, used.max(c + 1))
                });
                if seat == Append::AVOIDER {
                    wins.all(|w| w)
                } else {
                    wins.any(|w| w)
                }
            }
            Turn::Chance => unreachable!("nothing is drawn"),
        }
    }

    #[test]
    fn a_word_that_goes_on_after_its_end_is_no_position() {
        let game = Append {
            symbols: 3,
            goal: 8,
            spoiler_first: true,
        };
        for good in ["-", "0", "0011", "0121", "0101"] {
            let tail = game.position(good).unwrap();
            assert_eq!(game.notation(&tail).as_deref(), Some(good));
        }
        assert_eq!(
            game.position("0101").unwrap().square.map(|s| s.period),
            Some(2)
        );
        for bad in ["", "01012", "013", "0 1 2", "--", "001200210"] {
            assert!(game.position(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn three_symbols_are_too_few() {
        for first in [true, false] {
            let game = |goal| Append {
                symbols: 3,
                goal,
                spoiler_first: first,
            };
            let lost = (1..=17).find(|&goal| spoiler_wins(&game(goal), &game(goal).start(), 0));
            assert!(lost.is_some(), "{first} {lost:?}");
        }
    }
}
