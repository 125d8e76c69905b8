//! Moves with what they are worth at first sight: points and what is kept.

use super::bout::{Bout, Rack, Step};
use super::leaves::Leaves;
use crate::generate::{Field, Found, Hand, Kept, Method, NOTHING, placing};
use crate::play::Values;

/// The best step at first sight, and its worth in hundredths: laying a word or, where it may, exchanging.
pub fn best_step(bout: &Bout<'_>, leaves: &Leaves) -> (Step, i32) {
    best_step_by(Method::Shadow, bout, leaves)
}

/// The same, found in one way.
pub fn best_step_by(method: Method, bout: &Bout<'_>, leaves: &Leaves) -> (Step, i32) {
    let hand = bout.hand();
    let others = bout.held_by_others();
    let values = bout.engine.values();
    let kept = kept_for(leaves, &hand, bout.bag.len(), values, others);
    let best = bout
        .engine
        .best_placed_by(method, &bout.field, &hand, bout.settings.bingo, &kept);
    let mut choice = best.map_or((Step::Pass, 0), |best| (best.into(), best.worth));
    if bout.may_swap()
        && let Some((given, worth)) = best_swap(&hand, &kept)
        && (best.is_none() || worth > choice.1)
    {
        choice = (Step::Swap(given), worth);
    }
    choice
}

/// The most points; without any play everything is exchanged, where that is allowed.
pub fn greedy_step(bout: &Bout<'_>) -> Step {
    let hand = bout.hand();
    let best = bout
        .engine
        .best(&bout.field, &hand, bout.settings.bingo, &NOTHING);
    match best {
        Some(best) => best.into(),
        None if bout.may_swap() => Step::Swap(Rack::new(hand.tiles())),
        None => Step::Pass,
    }
}

/// The worth of what is kept. Once the bag is empty nothing is drawn to it any more: what is kept may be lost, and who keeps
/// nothing gets twice what the others hold (`others`, in points).
pub fn kept_for(leaves: &Leaves, hand: &Hand, bag: usize, values: &Values, others: i32) -> Kept {
    if bag > 0 {
        leaves.kept(hand)
    } else {
        outgoing(hand, values, others)
    }
}

/// The worth of what is kept once the bag is empty.
pub(super) fn outgoing(hand: &Hand, values: &Values, others: i32) -> Kept {
    let mut kept = NOTHING;
    kept[0] = 200 * others;
    for left in 1..=hand.left {
        let held: i32 = hand.kept(left).map(|t| values.of(t)).sum();
        kept[usize::from(left)] = -100 * held;
    }
    kept
}

/// The exchange that keeps the most, and its worth.
pub fn best_swap(hand: &Hand, kept: &Kept) -> Option<(Rack, i32)> {
    let all = hand.left;
    let best = (0..all).max_by_key(|&left| (kept[usize::from(left)], std::cmp::Reverse(left)))?;
    let given: Vec<u8> = hand.kept(all & !best).collect();
    Some((Rack::new(&given), kept[usize::from(best)]))
}

/// A move with its worth at first sight.
#[derive(Clone, Copy, Debug)]
pub struct Rated {
    /// The move.
    pub step: Step,
    /// Its points.
    pub score: i32,
    /// Points and what is kept, in hundredths.
    pub worth: i32,
}

/// The best plays and exchanges at first sight, the best first; at most so many.
pub fn candidates(
    engine: &crate::generate::Engine,
    field: &Field,
    hand: &Hand,
    bonus: i32,
    kept: &Kept,
    swaps: bool,
    most: usize,
) -> Vec<Rated> {
    let mut rated = Vec::new();
    let exposed = engine.exposed(field);
    engine.every(field, hand, bonus, &mut |found: &Found<'_>| {
        let worth = found.score * 100 + kept[usize::from(found.left)] - placing(found, exposed);
        rated.push((worth, found.score, found.play()));
    });
    rated.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.2.cmp(&b.2)));
    rated.truncate(most);
    let mut list: Vec<Rated> = rated
        .into_iter()
        .map(|(worth, score, play)| Rated {
            step: Step::Lay(play, score),
            score,
            worth,
        })
        .collect();
    if swaps {
        let mut all: Vec<(i32, u8)> = (0..hand.left)
            .map(|left| (kept[usize::from(left)], left))
            .collect();
        all.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut seen = std::collections::BTreeSet::new();
        for (worth, left) in all {
            let given: Vec<u8> = hand.kept(hand.left & !left).collect();
            if seen.insert(given.clone()) {
                list.push(Rated {
                    step: Step::Swap(Rack::new(&given)),
                    score: 0,
                    worth,
                });
            }
            if seen.len() >= 3.min(most) {
                break;
            }
        }
        list.sort_by_key(|r| std::cmp::Reverse(r.worth));
        list.truncate(most);
    }
    list
}
