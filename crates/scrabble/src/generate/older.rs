//! How programs of the 1970s and 1980s found their plays, as the thesis describes them: baselines to measure against.
//!
//! - Weinberger's: look at every word of the lexicon, drop it by quick tests on the whole board, try the rest everywhere;
//! - Turcan's: words by length, the longest first, until one fits;
//! - Shapiro's: a tree whose letters come in the order of their value, and the first play that scores enough.

use crate::board::{Direction, PLAYED_BLANK, SIDE, shown};
use crate::play::{Play, Values};
use crate::settings::RACK;
use crate::{Lexicon, Word};

use super::field::Field;
use super::hand::Hand;

/// An old method, with the lexicon laid out as it needs it.
pub struct Older {
    /// Words, the longest first.
    words: Vec<(Word, u64)>,
    /// Words by their letters in the order of value, dearest first.
    tree: Vec<(Vec<u8>, Word)>,
    values: Values,
}

/// What a search looks at: the board with its checks, the hand, the bonus.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// The board.
    pub field: &'a Field,
    /// The hand.
    pub hand: &'a Hand,
    /// What laying all tiles adds.
    pub bonus: i32,
}

impl Older {
    /// Lays out a lexicon.
    pub fn new(lexicon: &Lexicon) -> Older {
        let values = Values::new(lexicon.tiles());
        let mask = |word: &Word| word.iter().fold(0, |m, l| m | l.bit());
        let mut words: Vec<(Word, u64)> = lexicon.words().map(|w| (w, mask(&w))).collect();
        words.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then(a.0.cmp(&b.0)));
        let mut tree: Vec<(Vec<u8>, Word)> = words
            .iter()
            .map(|(word, _)| {
                let mut letters: Vec<u8> = word.iter().map(|l| l.code()).collect();
                letters.sort_by_key(|&l| (std::cmp::Reverse(values.of(l)), l));
                (letters, *word)
            })
            .collect();
        tree.sort_by(|a, b| {
            let key = |t: &[u8]| {
                t.iter()
                    .map(|&l| (std::cmp::Reverse(values.of(l)), l))
                    .collect::<Vec<_>>()
            };
            key(&a.0).cmp(&key(&b.0))
        });
        Older {
            words,
            tree,
            values,
        }
    }

    /// The best play by looking at every word (Weinberger).
    pub fn scan(&self, place: Place<'_>) -> Option<(Play, i32)> {
        let able = able(place);
        let fitting = self
            .words
            .iter()
            .filter(|(_, mask)| place.hand.blanks() > 0 || mask & !able == 0);
        let tried = fitting.filter_map(|(word, _)| self.best_of(place, word));
        tried.max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0)))
    }

    /// The best of the longest words that fit (Turcan).
    pub fn longest(&self, place: Place<'_>) -> Option<(Play, i32)> {
        let able = able(place);
        let mut found: Option<(Play, i32)> = None;
        let mut length = 0;
        for (word, mask) in &self.words {
            if found.is_some() && word.len() < length {
                break;
            }
            if place.hand.blanks() == 0 && mask & !able != 0 {
                continue;
            }
            if let Some(best) = self.best_of(place, word) {
                length = word.len();
                if found.is_none_or(|f| best.1 > f.1) {
                    found = Some(best);
                }
            }
        }
        found
    }

    /// The first play with at least so many points from the tree of values, or the best if none has (Shapiro).
    pub fn dearest(&self, place: Place<'_>, enough: i32) -> Option<(Play, i32)> {
        let able = able(place);
        let mut best: Option<(Play, i32)> = None;
        for (letters, word) in &self.tree {
            let known = |&l: &u8| able >> l & 1 == 1;
            if place.hand.blanks() == 0 && !letters.iter().all(known) {
                continue;
            }
            if let Some(found) = self.best_of(place, word) {
                if found.1 >= enough {
                    return Some(found);
                }
                if best.is_none_or(|b| found.1 > b.1) {
                    best = Some(found);
                }
            }
        }
        best
    }

    /// The best way to lay one word.
    fn best_of(&self, place: Place<'_>, word: &Word) -> Option<(Play, i32)> {
        let mut best: Option<(Play, i32)> = None;
        for direction in Direction::BOTH {
            for lane in 0..SIDE {
                for start in 0..(SIDE + 1).saturating_sub(word.len()) {
                    if let Some(play) = fit(place, word, direction, lane, start) {
                        let score =
                            play.score(place.field.board(), &self.values, RACK, place.bonus);
                        if best.is_none_or(|b| score > b.1) {
                            best = Some((play, score));
                        }
                    }
                }
            }
        }
        best
    }
}

/// The letters that the hand and the board have.
fn able(place: Place<'_>) -> u64 {
    let board = place.field.board().squares().iter();
    board.fold(place.hand.have, |mask, &b| mask | 1 << shown(b))
}

/// The word at a place, blanks where the hand has no such letter.
fn fit(
    place: Place<'_>,
    word: &Word,
    direction: Direction,
    lane: usize,
    start: usize,
) -> Option<Play> {
    let board = place.field.board();
    let end = start + word.len();
    let there = |at: usize| board.tile(direction.square(lane, at));
    if (start > 0 && there(start - 1) != 0) || (end < SIDE && there(end) != 0) {
        return None;
    }
    let mut hand = place.hand.clone();
    let mut laid = [(0, 0); RACK];
    let mut count = 0;
    let mut anchored = false;
    for (at, letter) in (start..end).zip(word.iter()) {
        let square = direction.square(lane, at);
        match board.tile(square) {
            0 => {
                if place.field.fit(direction, square) & letter.bit() == 0 || hand.size == 0 {
                    return None;
                }
                let kind = if hand.count(letter.code()) > 0 {
                    letter.code()
                } else {
                    0
                };
                if hand.count(kind) == 0 {
                    return None;
                }
                hand.take(kind);
                let blank = if kind == 0 { PLAYED_BLANK } else { 0 };
                laid[count] = (square, letter.code() | blank);
                count += 1;
                anchored |= place.field.anchor(square);
            }
            tile if shown(tile) == letter.code() => {}
            _ => return None,
        }
    }
    if count == 0 || !anchored {
        return None;
    }
    Play::of(board, &laid[..count])
}
