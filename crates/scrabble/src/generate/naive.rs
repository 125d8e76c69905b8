//! The slow twin of the generators: every word of the lexicon on every place, judged by the rules alone. It shares
//! nothing with them but the board, and is also the oldest method there is: the dictionary scan.

use crate::board::{Board, Direction, PLAYED_BLANK, SIDE, shown};
use crate::play::{Play, Values};
use crate::settings::RACK;
use crate::{Lexicon, Word};

use super::hand::Hand;

/// Every play with its points, in the order of [`Play`].
pub fn scan(
    board: &Board,
    lexicon: &Lexicon,
    values: &Values,
    bonus: i32,
    hand: &Hand,
) -> Vec<(Play, i32)> {
    let empty = board.is_empty();
    let mut found = Vec::new();
    for word in lexicon.words() {
        for direction in Direction::BOTH {
            for lane in 0..SIDE {
                for start in 0..(SIDE + 1).saturating_sub(word.len()) {
                    for play in fillings(board, &word, direction, lane, start, hand) {
                        let touches = if empty {
                            play.laid().any(|(s, _)| s == crate::board::CENTRE)
                        } else {
                            play.count() < word.len() || play.laid().any(|(s, _)| board.touched(s))
                        };
                        if touches
                            && word.len() > 1
                            && play
                                .words(board)
                                .iter()
                                .all(|w| lexicon.contains(&w.letters))
                        {
                            let score = play.score(board, values, RACK, bonus);
                            found.push((play, score));
                        }
                    }
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// All ways to lay a word at a place from the hand, blanks for some of its letters.
fn fillings(
    board: &Board,
    word: &Word,
    direction: Direction,
    lane: usize,
    start: usize,
    hand: &Hand,
) -> Vec<Play> {
    let end = start + word.len();
    let there = |at: usize| board.tile(direction.square(lane, at));
    if (start > 0 && there(start - 1) != 0) || (end < SIDE && there(end) != 0) {
        return Vec::new();
    }
    let mut wanted = Vec::new();
    for (at, letter) in (start..end).zip(word.iter()) {
        match there(at) {
            0 => wanted.push((direction.square(lane, at), letter.code())),
            tile if shown(tile) == letter.code() => {}
            _ => return Vec::new(),
        }
    }
    if wanted.is_empty() || wanted.len() > hand.tiles().len() {
        return Vec::new();
    }
    let mut plays = Vec::new();
    for blanks in 0..1_u32 << wanted.len() {
        if blanks.count_ones() > u32::from(hand.blanks()) {
            continue;
        }
        let laid: Vec<(usize, u8)> = wanted
            .iter()
            .enumerate()
            .map(|(i, &(square, letter))| {
                let blank = blanks >> i & 1 == 1;
                (square, if blank { letter | PLAYED_BLANK } else { letter })
            })
            .collect();
        let kinds = laid.iter().map(|&(_, t)| crate::board::in_hand(t));
        if hand.without(kinds).is_some()
            && let Some(play) = Play::of(board, &laid)
        {
            plays.push(play);
        }
    }
    plays
}
