//! Knockout: who loses a match is out.

use super::{Plan, Stage};
use crate::{Job, Ledger};

/// How many pairings more a drawn match may have before the better seeded goes on.
const EXTRA: u32 = 10;

/// A bracket that is played as far as it is known.
struct Bracket {
    jobs: Vec<Job>,
    last: bool,
    /// For every player, the round in which it lost, or one more than the last for the winner.
    reached: Vec<u32>,
}

pub(super) fn stage(plan: &Plan<'_>, ledger: &Ledger<'_>) -> Stage {
    let Bracket { jobs, last, .. } = bracket(plan, ledger);
    Stage { jobs, last }
}

/// How far each player came.
pub(crate) fn standing(plan: &Plan<'_>, ledger: &Ledger<'_>) -> Vec<u32> {
    bracket(plan, ledger).reached
}

fn bracket(plan: &Plan<'_>, ledger: &Ledger<'_>) -> Bracket {
    let n = plan.tournament().players.len();
    let mut jobs = Vec::new();
    let mut reached = vec![0; n];
    let mut slots: Vec<Option<usize>> = seeding(n.next_power_of_two())
        .into_iter()
        .map(|place| (place < n).then_some(place))
        .collect();
    let mut round = 0;
    while slots.len() > 1 {
        let mut next = Vec::new();
        let mut open = false;
        for pair in slots.chunks(2) {
            let winner = match *pair {
                [Some(a), Some(b)] => {
                    let winner = meet(plan, ledger, round, [a.min(b), a.max(b)], &mut jobs);
                    open |= winner.is_none();
                    winner
                }
                [one, other] => one.or(other),
                _ => None,
            };
            next.push(winner);
        }
        if open {
            return Bracket {
                jobs,
                last: false,
                reached,
            };
        }
        round += 1;
        for &winner in next.iter().flatten() {
            reached[winner] = round;
        }
        slots = next;
    }
    Bracket {
        jobs,
        last: true,
        reached,
    }
}

/// Adds the jobs of one match, and says who won if that is known.
fn meet(
    plan: &Plan<'_>,
    ledger: &Ledger<'_>,
    round: u32,
    pair: [usize; 2],
    jobs: &mut Vec<Job>,
) -> Option<usize> {
    let [a, b] = pair;
    if plan.tournament().seatings(&pair).is_empty() {
        return Some(a);
    }
    let usual = plan.pairings(&pair);
    for index in 0..usual {
        jobs.push(plan.job(round, &pair, index));
    }
    let mut played = usual;
    if !(0..usual).all(|index| ledger.has(round, &pair, index)) {
        return None;
    }
    loop {
        let share = ledger.share_of_first(round, a, b, played);
        if share > 0.5 {
            return Some(a);
        } else if share < 0.5 {
            return Some(b);
        } else if played >= usual + EXTRA || plan.learns(&pair) {
            return Some(a);
        }
        jobs.push(plan.job(round, &pair, played));
        if !ledger.has(round, &pair, played) {
            return None;
        }
        played += 1;
    }
}

/// The usual order of a bracket: the best two can meet only at the end.
fn seeding(size: usize) -> Vec<usize> {
    let mut order = vec![0];
    while order.len() < size {
        let double = 2 * order.len();
        order = order.iter().flat_map(|&s| [s, double - 1 - s]).collect();
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bracket_of_eight_is_the_usual_one() {
        assert_eq!(seeding(8), [0, 7, 3, 4, 1, 6, 2, 5]);
        assert_eq!(seeding(1), [0]);
    }
}
