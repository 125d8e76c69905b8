//! The erase-repetition game: both append in turn, and the right half of any new square is erased.
//!
//! Can the word still grow? The thesis quotes eight symbols as enough; six are (Rosenfeld 2021).

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use wits_game::{Dice, Eyes, Game, Illegal, Message, Outcome, Scene, Seat, Turn};
use wits_play::{Entry, Param, SearchDefaults};

use super::append::{EMPTY, no_symbol, read_symbol, strip};
use super::insertion::shown;
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

    /// A position is its word, `-` before the first letter, how many symbols were appended, and how many of them the last one
    /// erased, if any: `01 4 2`.
    fn position(&self, text: &str) -> Result<Growing, Illegal> {
        let bad = |why: Message| -> Illegal {
            let what = WORDS.say("not-a-word").with("text", shown(text));
            what.with("why", why).into()
        };
        let form = || bad(WORDS.say("not-growing"));
        let parts: Vec<&str> = text.split_whitespace().collect();
        let (word, moves, erased) = match parts[..] {
            [word, moves] => (word, moves, "0"),
            [word, moves, erased] => (word, moves, erased),
            _ => return Err(form()),
        };
        let (Ok(moves), Ok(erased)) = (moves.parse::<u32>(), erased.parse::<usize>()) else {
            return Err(form());
        };
        let mut growing = self.start();
        if word == EMPTY {
            let begun = moves > 0 || erased > 0;
            return if begun { Err(form()) } else { Ok(growing) };
        }
        let word: Word = word
            .parse()
            .map_err(|why: crate::WordError| bad(Message::plain(why.to_string())))?;
        if let Some(symbol) = word
            .iter()
            .find(|&&symbol| usize::from(symbol) >= self.symbols)
        {
            return Err(no_symbol(&symbol.to_string(), self.symbols));
        }
        // What was erased stood at the end of the word, twice.
        let twice = word.len().checked_sub(erased).map(|from| &word[from..]);
        for symbol in word.iter().chain(twice.ok_or_else(form)?) {
            if growing.erased > 0 {
                return Err(form());
            }
            self.play(&mut growing, symbol);
        }
        // Symbols that were erased before: of a word that has grown beyond its first one, or was just erased, any number.
        let more = word.len() > 1 || erased > 0;
        let fits = growing.moves == moves || (more && growing.moves < moves);
        if growing.word != word || growing.erased as usize != erased || !fits {
            return Err(form());
        }
        if moves as usize > self.moves {
            return Err(bad(WORDS.say("too-many-moves").with("most", self.moves)));
        }
        growing.moves = moves;
        Ok(growing)
    }

    fn notation(&self, growing: &Growing) -> Option<String> {
        let (word, moves) = (growing.word.to_string(), growing.moves);
        let word = if growing.word.is_empty() {
            EMPTY
        } else {
            &word
        };
        Some(match growing.erased {
            0 => format!("{word} {moves}"),
            erased => format!("{word} {moves} {erased}"),
        })
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

    /// Every position that can come up is read back, and nothing else is one.
    #[test]
    fn positions_are_those_that_can_come_up() {
        use std::collections::HashSet;
        let game = Erase {
            symbols: 2,
            moves: 7,
            spoiler_first: true,
        };
        let mut reached = vec![game.start()];
        let mut at = 0;
        while at < reached.len() {
            for symbol in game.options(&reached[at]) {
                let mut next = reached[at].clone();
                game.play(&mut next, &symbol);
                if !reached.contains(&next) {
                    reached.push(next);
                }
            }
            at += 1;
        }
        let written = reached
            .iter()
            .map(|growing| game.notation(growing).unwrap());
        let written: HashSet<String> = written.collect();
        assert_eq!(written.len(), reached.len());
        let words = [
            "-", "0", "1", "01", "10", "010", "101", "00", "011", "0101", "02",
        ];
        let mut read = 0;
        for word in words {
            for moves in 0..9 {
                for erased in 0..4 {
                    let text = match erased {
                        0 => format!("{word} {moves}"),
                        erased => format!("{word} {moves} {erased}"),
                    };
                    let found = game.position(&text);
                    assert_eq!(
                        found.is_ok(),
                        written.contains(&text),
                        "`{text}`: {found:?}"
                    );
                    if let Ok(growing) = found {
                        assert_eq!(game.notation(&growing), Some(text));
                        assert!(reached.contains(&growing));
                        read += 1;
                    }
                }
            }
        }
        assert_eq!(read, reached.len());
        for bad in ["", "01", "01 x", "01 2 1 1", "- 1", "01 8"] {
            assert!(game.position(bad).is_err(), "{bad}");
        }
    }

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
