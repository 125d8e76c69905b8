//! What a position will probably end like: where to look first for the proof.

use crate::bits;
use crate::endgame::final_score;
use crate::engine::patterns::Patterns;
use crate::engine::{DISC, Judgement};
use std::sync::Arc;

/// How many moves ahead it looks.
const AHEAD: u32 = 4;

/// The fitted patterns, where the crate has them.
pub(super) fn patterns() -> Option<Arc<Patterns>> {
    match Judgement::fitted() {
        Judgement::Patterns(patterns) => Some(patterns),
        Judgement::Counts => None,
    }
}

/// The likely score for the side to move on the large board: an even number.
pub(super) fn guess(patterns: &Patterns, own: u64, other: u64) -> i32 {
    let worth = look(patterns, own, other, AHEAD, (-64 * DISC, 64 * DISC), false);
    2 * (worth / (2 * DISC)).clamp(-32, 32)
}

fn look(
    patterns: &Patterns,
    own: u64,
    other: u64,
    depth: u32,
    (alpha, beta): (i32, i32),
    passed: bool,
) -> i32 {
    let mut open = bits::moves(own, other);
    if open == 0 && passed {
        return DISC * final_score(own, other, 64);
    }
    if open == 0 {
        return -look(patterns, other, own, depth, (-beta, -alpha), true);
    }
    if depth == 0 {
        return patterns.value(own, other);
    }
    let mut best = -65 * DISC;
    while open != 0 && best < beta {
        let square = open.trailing_zeros() as usize;
        open &= open - 1;
        let flips = bits::flips(square, own, other);
        let (next, mine) = (other & !flips, own | flips | 1 << square);
        let window = (-beta, -alpha.max(best));
        best = best.max(-look(patterns, next, mine, depth - 1, window, false));
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ffo::suite;

    #[test]
    fn guesses_lie_near_the_known_scores() {
        let patterns = patterns().expect("weights come with the crate");
        let misses: Vec<i32> = suite()
            .iter()
            .map(|p| (guess(&patterns, p.position.own(), p.position.other()) - p.score()).abs())
            .collect();
        // These positions were picked because they are hard.
        assert!(misses.iter().all(|m| m % 2 == 0), "{misses:?}");
        assert!(
            misses.iter().sum::<i32>() <= 10 * misses.len() as i32,
            "{misses:?}"
        );
    }
}
