//! The thesis's players as it programmed them, slow and plain: the twin that the fast ones are measured against.

use wits_game::Dice;

use super::scores::{Rules, best};
use crate::fits;

fn fitting(rules: Rules, word: &[u8], gap: usize) -> Vec<u8> {
    fits::symbols(fits::at_naive(word, gap, rules.symbols, rules.variant)).collect()
}

/// Adds the number of fitting symbols over all gaps, and so on for so many levels.
fn simulation(rules: Rules, word: &mut Vec<u8>, level: u32, score: &mut u128) {
    for gap in 0..=word.len() {
        let symbols = fitting(rules, word, gap);
        *score += symbols.len() as u128;
        if level > 1 {
            for symbol in symbols {
                word.insert(gap, symbol);
                simulation(rules, word, level - 1, score);
                word.remove(gap);
            }
        }
    }
}

/// The gap that the Builder of a level picks.
pub fn gap(rules: Rules, word: &[u8], level: u32, dice: &mut Dice) -> usize {
    let mut word = word.to_vec();
    if level == 0 {
        let (mut winner, mut fewest) = (0, rules.symbols);
        for gap in 0..=word.len() {
            let count = fitting(rules, &word, gap).len();
            if count <= fewest {
                (winner, fewest) = (gap, count);
            }
        }
        return winner;
    }
    let mut scores = vec![0u128; word.len() + 1];
    for (gap, score) in scores.iter_mut().enumerate() {
        for symbol in fitting(rules, &word, gap) {
            word.insert(gap, symbol);
            simulation(rules, &mut word, level, score);
            word.remove(gap);
        }
    }
    let ties = best(scores.iter().copied().enumerate(), false);
    *dice.pick(&ties).expect("a word has a gap")
}

/// The symbol that the Painter of a level picks, if any fits.
pub fn symbol(rules: Rules, word: &[u8], gap: usize, level: u32, dice: &mut Dice) -> Option<u8> {
    let symbols = fitting(rules, word, gap);
    if level == 0 {
        return symbols.first().copied();
    }
    let mut word = word.to_vec();
    let score = |&symbol: &u8| {
        let mut score = 0;
        word.insert(gap, symbol);
        simulation(rules, &mut word, level, &mut score);
        word.remove(gap);
        (symbol, score)
    };
    let scores: Vec<(u8, u128)> = symbols.iter().map(score).collect();
    dice.pick(&best(scores.iter().copied(), true)).copied()
}
