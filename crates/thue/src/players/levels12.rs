//! The Painter that never loses with twelve symbols.
//!
//! Grytczuk, Szafruga and Zmarz (2013), after Kündgen and Pelsmajer (2008): give each element a level and a position. The
//! outside has level 0, the first symbol level 1 and position 0. Between neighbours of equal level a new level
//! begins at position 0; otherwise the deeper neighbour's row goes on, to the right of it or to the left. The symbol is a
//! pair: a letter of a four-letter word without squares and palindromes, by level, and a letter of a two-sided
//! three-letter word without squares, by position.

use wits_game::{Eyes, Game, Seat};
use wits_play::{Choice, Desk, Line, Player, Thought};
use wits_search::{Backup, Candidates, Watch, Worth};

use super::account::Account;
use super::nested::ask;
use super::scores::Purse;
use crate::WORDS;
use crate::game::{Insertion, Move, Position};
use crate::words::generators::{ternary, without_palindromes};
use crate::words::{Variant, stretches};

/// One element of the word: its level and its place in the row of that level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Element {
    /// How deep.
    pub level: u32,
    /// Where in its row.
    pub place: i32,
}

/// The rule that gives each new element its level and place.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scheme;

impl Scheme {
    /// How many symbols the scheme needs.
    pub const SYMBOLS: usize = 12;
    /// The first element.
    pub const FIRST: Element = Element { level: 1, place: 0 };

    /// The element between two neighbours; nothing stands for the outside.
    pub fn between(left: Option<Element>, right: Option<Element>) -> Element {
        let level = |element: Option<Element>| element.map_or(0, |e| e.level);
        match (left, right) {
            (_, Some(b)) if level(left) < b.level => Element {
                place: b.place - 1,
                ..b
            },
            (Some(a), _) if a.level > level(right) => Element {
                place: a.place + 1,
                ..a
            },
            _ => Element {
                level: level(left) + 1,
                place: 0,
            },
        }
    }

    /// The symbol of an element, shifted so that the first element is symbol 0, as the game starts.
    pub fn symbol(element: Element) -> u8 {
        let four = without_palindromes(u64::from(element.level) - 1);
        let three = ternary(i64::from(element.place));
        let first = 3 * without_palindromes(0) + ternary(0);
        (3 * four + three + Self::SYMBOLS as u8 - first) % Self::SYMBOLS as u8
    }

    fn four(symbol: u8) -> u8 {
        let first = 3 * without_palindromes(0) + ternary(0);
        (symbol + first) % Self::SYMBOLS as u8 / 3
    }

    fn three(symbol: u8) -> u8 {
        let first = 3 * without_palindromes(0) + ternary(0);
        (symbol + first) % Self::SYMBOLS as u8 % 3
    }

    /// The levels of a word that was painted by the scheme. Neighbouring levels differ by one at most, and three
    /// neighbouring letters of the four-letter word all differ, so each symbol tells its level.
    pub fn levels(word: &[u8]) -> Option<Vec<u32>> {
        let mut level = 0u32;
        let mut levels = Vec::with_capacity(word.len());
        for &symbol in word {
            let fits =
                |l: &u32| *l >= 1 && without_palindromes(u64::from(*l) - 1) == Self::four(symbol);
            level = [level.saturating_sub(1), level, level + 1]
                .into_iter()
                .find(fits)?;
            levels.push(level);
        }
        (levels.last() == Some(&1)).then_some(levels)
    }

    /// The symbol for a gap of a word that was painted by the scheme; nothing for any other word.
    pub fn paint(word: &[u8], gap: usize) -> Option<u8> {
        Self::place(word, gap).map(|(element, _)| Self::symbol(element))
    }

    /// The element for a gap of a word that was painted by the scheme, and the letters of its row so far.
    pub fn place(word: &[u8], gap: usize) -> Option<(Element, Vec<u8>)> {
        if word.iter().any(|&c| usize::from(c) >= Self::SYMBOLS) {
            return None;
        }
        let levels = Self::levels(word)?;
        let before = gap.checked_sub(1).map_or(0, |i| levels[i]);
        let after = levels.get(gap).copied().unwrap_or(0);
        if before == after {
            let element = Element {
                level: before + 1,
                place: 0,
            };
            return Some((element, Vec::new()));
        }
        // The row of the deeper neighbour: its level, up to the next shallower element.
        let level = before.max(after);
        let row: Vec<u8> = if before < after {
            let inside = (gap..word.len()).take_while(|&i| levels[i] >= level);
            inside
                .filter(|&i| levels[i] == level)
                .map(|i| Self::three(word[i]))
                .collect()
        } else {
            let inside = (0..gap).rev().take_while(|&i| levels[i] >= level);
            let mut row: Vec<u8> = inside
                .filter(|&i| levels[i] == level)
                .map(|i| Self::three(word[i]))
                .collect();
            row.reverse();
            row
        };
        // A row holds place 0, so it starts at most its own length to the left; where several
        // places would do, any goes on without a square.
        let length = row.len() as i64;
        let start = (1 - length..=0).find(|&s| {
            (s..)
                .zip(&row)
                .all(|(place, &three)| ternary(place) == three)
        })?;
        let place = if before < after {
            start - 1
        } else {
            start + length
        };
        let element = Element {
            level,
            place: place as i32,
        };
        Some((element, row))
    }
}

/// Paints by the scheme; where the game has fewer symbols, or the word is not of its making, as `nested:level=1`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Levels12;

impl Player<Insertion> for Levels12 {
    fn choose(
        &mut self,
        game: &Insertion,
        position: &Position,
        desk: &mut Desk<'_, Move>,
    ) -> Choice<Move> {
        let Some(gap) = position.gap() else {
            return Choice::Resign;
        };
        let able = game.symbols >= Scheme::SYMBOLS && game.variant != Variant::AbelianSquare;
        let fit = game.fits(&position.word, gap);
        let placed = able
            .then(|| Scheme::place(&position.word, gap))
            .flatten()
            .filter(|&(element, _)| fit >> Scheme::symbol(element) & 1 == 1);
        let (mv, key) = if let Some((element, row)) = placed {
            if let Some(watch) = desk.record.take() {
                tell(game, position, (element, &row), watch);
            }
            (Move::Symbol(Scheme::symbol(element)), "why-levels")
        } else {
            let mut dice = desk.dice.clone();
            let asked = ask(game, position, 1, &mut dice, &mut Purse::new(desk.budget));
            let Some((mv, scores)) = asked else {
                return Choice::Resign;
            };
            let key = if able {
                "why-not-its-word"
            } else {
                "why-too-few-symbols"
            };
            if let Some(watch) = desk.record.take() {
                let text = game.write(position, &mv, Eyes::All);
                let account = Account {
                    game,
                    position,
                    level: 1,
                    mv,
                    scores: &scores,
                    instead: Some(WORDS.say(key).with("move", text)),
                };
                account.tell(watch);
            }
            (mv, key)
        };
        let Move::Symbol(symbol) = mv else {
            return Choice::Resign;
        };
        let line = Line {
            moves: vec![mv],
            worth: Worth::heuristic(0.0),
        };
        let why = WORDS.say(key).with("move", symbol);
        desk.say(Thought {
            lines: vec![line],
            nodes: 1,
            why: Some(why),
            ..Thought::default()
        });
        Choice::Move(mv)
    }

    fn lens(&self) -> &'static str {
        "candidates"
    }
}

/// Tells where the scheme puts the new element, and what it makes of each symbol.
fn tell<W: Watch>(
    game: &Insertion,
    position: &Position,
    (element, row): (Element, &[u8]),
    watch: &mut W,
) {
    let symbol = Scheme::symbol(element);
    let gap = position.gap().unwrap_or(0);
    let painter = game.seat_name(Seat::SECOND);
    let mut told = Candidates::open(watch, painter, Backup::None);
    let levels = Scheme::levels(&position.word).unwrap_or_default();
    let written: Vec<String> = levels.iter().map(ToString::to_string).collect();
    told.note(WORDS.say("levels-word").with("levels", written.join(" ")));
    let row: Vec<String> = row.iter().map(ToString::to_string).collect();
    let key = if row.is_empty() {
        "levels-begins"
    } else {
        "levels-goes-on"
    };
    let place = WORDS
        .say(key)
        .with("level", element.level)
        .with("place", element.place)
        .with("row", row.join(" "));
    told.note(place.clone());
    let letters = WORDS
        .say("levels-letters")
        .with("four", without_palindromes(u64::from(element.level) - 1))
        .with("three", ternary(i64::from(element.place)))
        .with("move", symbol);
    told.note(letters);
    let fit = game.fits(&position.word, gap);
    for other in 0..game.symbols as u8 {
        let key = match fit >> other & 1 == 1 {
            true if other == symbol => "levels-symbol",
            true => "levels-other",
            false => "told-repeats",
        };
        let mut says = WORDS.say(key).with("move", other).with("symbol", symbol);
        let longer = position.word.with(gap, other);
        if let Some(found) = stretches::first(&longer, game.variant) {
            says = says.with("start", found.start).with("period", found.period);
        }
        told.candidate(&other.to_string(), None, &[], says);
    }
    let summary = [
        WORDS
            .say("sum-levels")
            .with("word", position.word.to_string()),
        WORDS.say("sum-place").with("place", place),
        WORDS.say("sum-scheme").with("count", fit.count_ones()),
    ];
    told.choose(
        &symbol.to_string(),
        None,
        summary.map(|says| says.with("move", symbol)),
    );
}

#[cfg(test)]
mod tests {
    use wits_game::{Dice, Seed};

    use super::*;

    /// What is read from the word is what was written, and no square ever appears.
    #[test]
    fn the_word_tells_its_levels() {
        for seed in 0..6 {
            let mut dice = Dice::new(Seed::new(seed));
            let mut elements = vec![Scheme::FIRST];
            let mut word = vec![0u8];
            for step in 0..500 {
                let gap = match seed {
                    0 => 0,
                    1 => word.len(),
                    2 => step / 2 % (word.len() + 1),
                    _ => dice.below(word.len() + 1),
                };
                let element = Scheme::between(
                    gap.checked_sub(1).map(|i| elements[i]),
                    elements.get(gap).copied(),
                );
                elements.insert(gap, element);
                let read = Scheme::paint(&word, gap);
                word.insert(gap, Scheme::symbol(element));
                let levels: Vec<u32> = elements.iter().map(|e| e.level).collect();
                assert_eq!(Scheme::levels(&word), Some(levels));
                // Another place with the same row may be read, so the symbol may differ from the scheme's own.
                let mut other = word.clone();
                other[gap] = read.expect("the word is of the scheme's making");
                assert!(
                    stretches::square_free(&word) && stretches::square_free(&other),
                    "{word:?}"
                );
            }
        }
    }
}
