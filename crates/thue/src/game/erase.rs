//! The erase-repetition game: both append in turn, and the right half of any new square is erased.
//!
//! Can the word still grow? The thesis quotes eight symbols as enough; six are (Rosenfeld 2021).

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use wits_game::{Dice, Eyes, Game, Illegal, Message, Outcome, Scene, Seat, Turn};
use wits_play::{Entry, Param, SearchDefaults};

use super::append::{no_symbol, read_symbol, strip};
use crate::WORDS;
use crate::words::{Variant, Word, find};

/// The rules of the erase-repetition game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Erase {
    /// How many symbols there are.
    pub symbols: usize,
    /// How many symbols are appended in all, by both.
    pub moves: usize,
    /// Whether the Spoiler moves first.
    pub spoiler_first: bool,
}

/// The word so far and how many moves were made.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Growing {
    /// The word, always without a square.
    pub word: Word,
    /// How many symbols were appended.
    pub moves: u32,
    /// How many symbols the last move erased.
    pub erased: u32,
}

impl Game for Erase {
    const HIDDEN: bool = false;
    type State = Growing;
    type View = Growing;
    type Move = u8;

    fn seats(&self) -> u8 {
        2
    }

    fn seat_name(&self, seat: Seat) -> Message {
        WORDS.say(if seat == Seat::FIRST {
            "grower"
        } else {
            "spoiler"
        })
    }

    fn start(&self) -> Growing {
        Growing {
            word: Word::default(),
            moves: 0,
            erased: 0,
        }
    }

    fn turn(&self, growing: &Growing) -> Turn {
        if growing.moves as usize >= self.moves {
            let length = growing.word.len() as i32;
            let why = WORDS
                .say("over-grown")
                .with("length", length)
                .with("moves", self.moves);
            return Turn::Over(Outcome {
                payoffs: vec![length, -length],
                why,
            });
        }
        Turn::Of(if growing.moves.is_multiple_of(2) == self.spoiler_first {
            Seat::SECOND
        } else {
            Seat::FIRST
        })
    }

    fn options(&self, growing: &Growing) -> Vec<u8> {
        match self.turn(growing) {
            Turn::Of(_) => (0..self.symbols as u8).collect(),
            _ => Vec::new(),
        }
    }

    fn legal(&self, growing: &Growing, symbol: &u8) -> Result<(), Illegal> {
        if matches!(self.turn(growing), Turn::Over(_)) {
            return Err(Illegal::say(&wits_game::WORDS, "over"));
        }
        if usize::from(*symbol) < self.symbols {
            Ok(())
        } else {
            Err(no_symbol(&symbol.to_string(), self.symbols))
        }
    }

    fn play(&self, growing: &mut Growing, symbol: &u8) {
        growing.word.push(*symbol);
        growing.moves += 1;
        // A word without squares and one more letter ends in at most one square: of two, the longer
        // would hold a square before its end.
        let erased = find::at_end(&growing.word, Variant::Square).map_or(0, |square| square.period);
        growing.word.truncate(growing.word.len() - erased);
        growing.erased = erased as u32;
    }

    fn read(&self, _growing: &Growing, text: &str) -> Result<u8, Illegal> {
        read_symbol(text, self.symbols)
    }

    fn write(&self, _growing: &Growing, symbol: &u8, _to: Eyes) -> String {
        symbol.to_string()
    }

    fn view<'a>(&self, growing: &'a Growing, _eyes: Eyes) -> Cow<'a, Growing> {
        Cow::Borrowed(growing)
    }

    fn scene(&self, growing: &Growing) -> Scene {
        let over = matches!(self.turn(growing), Turn::Over(_));
        let caption = WORDS
            .say("caption-erase")
            .with("length", growing.word.len())
            .with("moves", growing.moves)
            .with("most", self.moves)
            .with("erased", growing.erased)
            .with("symbols", self.symbols);
        strip(
            &growing.word,
            None,
            if over { 0 } else { self.symbols },
            self.symbols,
            &caption,
        )
    }

    fn imagine(&self, growing: &Growing, _dice: &mut Dice) -> Growing {
        growing.clone()
    }
}

/// The erase-repetition game, as the catalog lists it.
pub fn entry() -> Entry<Erase> {
    let words = ["erase-title", "erase-about", "erase-rules"];
    Entry::new("thue-erase", &WORDS, words, |args, _| {
        Ok(Erase {
            symbols: args.int("symbols") as usize,
            moves: args.int("max_moves") as usize,
            spoiler_first: args.text("first") == "spoiler",
        })
    })
    .param(Param::int("symbols", 1, 64, 6, &WORDS, "param-symbols"))
    .param(Param::int(
        "max_moves",
        1,
        10_000,
        100,
        &WORDS,
        "param-max-moves",
    ))
    .param(Param::choice(
        "first",
        &["grower", "spoiler"],
        "spoiler",
        &WORDS,
        "param-first",
    ))
    .paired()
    .with_search(SearchDefaults::depth(4).positions(5_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_right_half_is_erased() {
        let game = Erase {
            symbols: 3,
            moves: 20,
            spoiler_first: true,
        };
        let mut growing = game.start();
        for symbol in [0, 1, 0, 1] {
            game.play(&mut growing, &symbol);
        }
        assert_eq!(
            (growing.word.to_string().as_str(), growing.erased),
            ("01", 2)
        );
        game.play(&mut growing, &1);
        assert_eq!(
            (growing.word.to_string().as_str(), growing.erased),
            ("01", 1)
        );
    }
}
