//! The Swiss system: in every round, players with about equal points who have not met.

use super::{Plan, Stage};
use crate::Ledger;

/// One round: who meets whom, and who sits out.
struct Round {
    pairs: Vec<[usize; 2]>,
    bye: Option<usize>,
}

pub(super) fn stage(plan: &Plan<'_>, ledger: &Ledger<'_>, rounds: u32) -> Stage {
    let mut jobs = Vec::new();
    let (known, last) = replay(plan, ledger, rounds);
    for (number, round) in (0..).zip(&known) {
        for index in 0..plan.tournament().pairings {
            for pair in &round.pairs {
                if index < plan.pairings(pair) {
                    jobs.push(plan.job(number, pair, index));
                }
            }
        }
    }
    Stage { jobs, last }
}

/// How often each player sat out; such a round counts as won.
pub(crate) fn byes(plan: &Plan<'_>, ledger: &Ledger<'_>, rounds: u32) -> Vec<u32> {
    let mut byes = vec![0; plan.tournament().players.len()];
    for round in replay(plan, ledger, rounds).0 {
        if let Some(player) = round.bye {
            byes[player] += 1;
        }
    }
    byes
}

/// All rounds up to the first that is not finished, and whether there are no more to come.
fn replay(plan: &Plan<'_>, ledger: &Ledger<'_>, rounds: u32) -> (Vec<Round>, bool) {
    let n = plan.tournament().players.len();
    let mut points = vec![0.0; n];
    let mut met = vec![false; n * n];
    let mut sat_out = vec![0u32; n];
    let mut known = Vec::new();
    for number in 0..rounds {
        let round = draw(plan, &points, &met, &sat_out);
        let done = round
            .pairs
            .iter()
            .all(|pair| (0..plan.pairings(pair)).all(|index| ledger.has(number, pair, index)));
        for &[a, b] in &round.pairs {
            met[a * n + b] = true;
            met[b * n + a] = true;
            let share = ledger.share(Some(number), a, b);
            points[a] += share;
            points[b] += 1.0 - share;
        }
        if let Some(player) = round.bye {
            points[player] += 1.0;
            sat_out[player] += 1;
        }
        known.push(round);
        if !done {
            return (known, number + 1 == rounds);
        }
    }
    (known, true)
}

fn draw(plan: &Plan<'_>, points: &[f64], met: &[bool], sat_out: &[u32]) -> Round {
    let n = points.len();
    let mut order: Vec<usize> = (0..n).collect();
    // A stable sort: of equals, the one who was entered first.
    order.sort_by(|&a, &b| points[b].total_cmp(&points[a]));
    // Of those who sat out least often, the last sits out, or the one before where only that
    // leaves new pairs.
    let least = sat_out.iter().min().copied().unwrap_or(0);
    let candidates: Vec<Option<usize>> = if n % 2 == 1 {
        let low = order.iter().rev().filter(|&&p| sat_out[p] == least);
        low.map(|&p| Some(p)).collect()
    } else {
        vec![None]
    };
    let can = |a: usize, b: usize| !plan.tournament().seatings(&[a.min(b), a.max(b)]).is_empty();
    for allow_again in [false, true] {
        let fits = |a: usize, b: usize| can(a, b) && (allow_again || !met[a * n + b]);
        for &bye in &candidates {
            let left: Vec<usize> = order.iter().copied().filter(|&p| Some(p) != bye).collect();
            let mut pairs = Vec::new();
            let mut tries = 20_000;
            if pair_up(&left, &fits, &mut pairs, &mut tries) {
                return Round { pairs, bye };
            }
        }
    }
    // Bound seats may leave some without anybody to meet: those who can, play.
    let bye = candidates.first().copied().flatten();
    let mut pairs = Vec::new();
    let mut left: Vec<usize> = order.into_iter().filter(|&p| Some(p) != bye).collect();
    while !left.is_empty() {
        let one = left.remove(0);
        if let Some(at) = left.iter().position(|&other| can(one, other)) {
            let other = left.remove(at);
            pairs.push([one.min(other), one.max(other)]);
        }
    }
    Round { pairs, bye }
}

/// Pairs the first with the nearest who fits, and steps back where that leads nowhere.
fn pair_up(
    left: &[usize],
    fits: &dyn Fn(usize, usize) -> bool,
    pairs: &mut Vec<[usize; 2]>,
    tries: &mut u32,
) -> bool {
    let Some((&one, others)) = left.split_first() else {
        return true;
    };
    for (at, &other) in others.iter().enumerate() {
        if *tries == 0 {
            return false;
        }
        *tries -= 1;
        if !fits(one, other) {
            continue;
        }
        pairs.push([one.min(other), one.max(other)]);
        let mut rest = others.to_vec();
        rest.remove(at);
        if pair_up(&rest, fits, pairs, tries) {
            return true;
        }
        pairs.pop();
    }
    false
}
