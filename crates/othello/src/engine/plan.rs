//! How a budget is spread over a game, and from where on endings are in reach of it.
//!
//! What an ending costs is measured by `cargo run --release -p wits-othello --example measure endings`: each empty square
//! more than doubles it, and positions with many moves cost more than those with few.

use std::time::Duration;

use wits_search::{Budget, Limits};

use crate::Position;

/// So many positions of the solver take the time of one that is judged by patterns: budgets count them so.
pub(crate) const CHEAPER: u64 = 4;
/// Positions that the engine looks at in a second, on a slow machine.
const PER_SECOND: f64 = 4e6;
/// Without a limit, endings are played out from here on.
const ENDLESS: u32 = 24;
/// Who wins costs so much less than the score.
const OUTCOME: f64 = 6.0;
/// What playing out may cost in means of a move: the moves after it are solved already, and cost little.
const PLAYED_OUT: u64 = 3;

/// From how many empty squares on a position is played out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ends {
    /// For the score.
    pub exact: u32,
    /// For who wins.
    pub outcome: u32,
    /// For the score at once, without asking who wins before.
    pub first: u32,
}

impl Ends {
    /// For the score only, from so many empty squares on.
    pub const fn exact(exact: u32) -> Ends {
        Ends {
            exact,
            outcome: exact,
            first: exact,
        }
    }

    /// What is in reach of limits, for positions with as many moves as this one.
    pub fn within(position: &Position, limits: Limits) -> Ends {
        let by_time = limits.time.map(|t| (t.as_secs_f64() * PER_SECOND) as u64);
        let Some(nodes) = limits.nodes.into_iter().chain(by_time).min() else {
            return Ends::exact(ENDLESS);
        };
        // The rest is kept back for the look ahead and for bad luck.
        let solver = 0.6 * nodes.saturating_mul(CHEAPER) as f64;
        let reach = |nodes: f64| {
            let cheap = COSTS.iter().rev();
            let mut cheap = cheap.filter(|(empties, _)| cost(position, *empties) <= nodes);
            cheap.next().map_or(COSTS[0].0 - 1, |(empties, _)| *empties)
        };
        Ends {
            exact: reach(solver),
            outcome: reach(solver * OUTCOME),
            first: reach(solver / 4.0),
        }
    }
}

/// Positions that the solver looks at for the score of a usual position with so many empty squares (geometric means, measured
/// up to 19; from there on each square costs 2.25 times as many).
const COSTS: [(u32, f64); 21] = [
    (6, 70.0),
    (7, 170.0),
    (8, 390.0),
    (9, 1_000.0),
    (10, 2_100.0),
    (11, 4_600.0),
    (12, 9_100.0),
    (13, 19_000.0),
    (14, 37_000.0),
    (15, 64_000.0),
    (16, 125_000.0),
    (17, 250_000.0),
    (18, 520_000.0),
    (19, 1_200_000.0),
    (20, 2_700_000.0),
    (21, 6_000_000.0),
    (22, 13_500_000.0),
    (23, 30_000_000.0),
    (24, 68_000_000.0),
    (25, 150_000_000.0),
    (26, 340_000_000.0),
];
/// How the cost grows with the number of moves of both sides.
const BY_MOVES: f64 = 1.23;

/// What the solver probably looks at for a position with so many empty squares, if it has as many moves beyond
/// the usual as this one.
fn cost(position: &Position, empties: u32) -> f64 {
    let moves = position.moves().count_ones() + position.passed().moves().count_ones();
    let usual = 2.1 + 0.76 * f64::from(64 - position.taken().count_ones());
    let typical = COSTS.iter().find(|(e, _)| *e == empties);
    let typical = typical.map_or(f64::INFINITY, |(_, cost)| *cost);
    typical * (f64::from(moves.max(4)) / usual).powf(BY_MOVES)
}

/// What one move may cost if the moves of a game cost so much on the average: more where the game is
/// decided, and most where the end is in reach. It depends on the position alone, so that a decision can be repeated.
pub fn share(position: &Position, mean: u64) -> u64 {
    let empties = 64 - position.taken().count_ones();
    let most = mean.saturating_mul(PLAYED_OUT);
    if Ends::within(position, Limits::nodes(most)).outcome >= empties {
        return most;
    }
    let percent = match empties {
        45.. => 100,
        31..45 => 110,
        // In reach of the end a move counts most, and the last moves cost next to nothing.
        _ => 160,
    };
    mean.saturating_mul(percent) / 100
}

/// How many moves a side will probably still make.
pub fn moves_left(position: &Position) -> u32 {
    (64 - position.taken().count_ones()).div_ceil(2).max(1)
}

/// What a move may spend of a clock that must last to the end of the game: the last moves are solved before, and a
/// fiftieth is kept back for what the clock counts besides.
pub fn clock_share(position: &Position, left: Duration) -> Duration {
    let solved = 5;
    let moves = moves_left(position).saturating_sub(solved).max(2);
    (left / moves)
        .saturating_sub(left / 50)
        .max(Duration::from_millis(1))
}

/// The share of a budget for looking ahead, where the rest is for playing out.
pub(crate) fn ahead(budget: &Budget) -> Budget {
    let limits = budget.limits();
    budget.within(Limits {
        nodes: limits.nodes.map(|n| n / PLAYED_OUT),
        time: limits.time.map(|t| t / PLAYED_OUT as u32),
        depth: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_positions_reach_further_and_who_wins_further_than_the_score() {
        let position = crate::ffo::suite()[0].position;
        let mut before = Ends::exact(0);
        for nodes in [1_000, 10_000, 100_000, 1_000_000, 10_000_000] {
            let ends = Ends::within(&position, Limits::nodes(nodes));
            assert!(ends.first <= ends.exact && ends.exact <= ends.outcome);
            assert!(ends.exact > before.exact && ends.outcome > before.outcome);
            before = ends;
        }
        assert_eq!(Ends::within(&position, Limits::NONE).exact, ENDLESS);
    }

    #[test]
    fn a_clock_lasts_to_the_end_of_the_game() {
        let mut left = Duration::from_mins(1);
        let mut p = Position::START;
        while let Some(square) = crate::Square::first(p.moves()) {
            let share = clock_share(&p, left);
            assert!(share < left, "{left:?}");
            left -= share;
            p = p.played(square);
            if p.turn.index() == 1 && p.moves() != 0 {
                p = p.played(crate::Square::first(p.moves()).unwrap());
            }
        }
        assert!(left < Duration::from_secs(20), "{left:?} was not used");
    }

    #[test]
    fn a_game_costs_what_its_moves_may_cost_on_the_average() {
        // One side's moves of a game from the start; what is solved once is not paid for again.
        let mut dice = wits_game::Dice::new(wits_game::Seed::new(4));
        for mean in [2_000, 50_000, 1_000_000] {
            let mut sum = 0;
            let mut p = Position::START;
            while !p.over() {
                let share = share(&p, mean);
                if share < PLAYED_OUT * mean {
                    sum += share / 2;
                } else {
                    // Two squares fewer cost a fifth.
                    sum += share + share / 4;
                    break;
                }
                let open: Vec<_> = crate::Square::all(p.moves()).collect();
                let Some(&square) = dice.pick(&open) else {
                    break;
                };
                p = p.played(square);
            }
            assert!((20 * mean..=40 * mean).contains(&sum), "{mean}: {sum}");
        }
    }
}
