//! Everything that can come up on a small board, counted.

use std::collections::HashMap;

use wits_search::Budget;

use super::solver::{Lane, Sides};
use super::{Board, Hexapawn};

/// What a full count found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Positions that can come up, finished ones too, mirror images and exchanged sides counted once.
    pub positions: u64,
    /// Complete games from here; nothing if there are more than 2^128.
    pub games: Option<u128>,
    /// Whether the side to move wins.
    pub wins: bool,
    /// Plies to the end if the winner hurries and the loser holds out.
    pub distance: u32,
    /// Plies of the longest game.
    pub longest: u32,
}

#[derive(Clone, Copy)]
struct Known {
    games: Option<u128>,
    wins: bool,
    distance: u32,
    longest: u32,
}

/// Counts all games from a position. Gives up, with nothing, at more than `most` positions or when
/// the stop flag is raised.
pub fn count(game: Hexapawn, board: &Board, most: u64, budget: &Budget) -> Option<Counts> {
    let lane = Lane::new(game);
    let mut known = HashMap::new();
    let root = lane.canonical(lane.sides(board));
    let found = walk(&lane, root, most, budget, &mut known)?;
    Some(Counts {
        positions: known.len() as u64,
        games: found.games,
        wins: found.wins,
        distance: found.distance,
        longest: found.longest,
    })
}

fn walk(
    lane: &Lane,
    sides: Sides,
    most: u64,
    budget: &Budget,
    known: &mut HashMap<Sides, Known>,
) -> Option<Known> {
    if let Some(found) = known.get(&sides) {
        return Some(*found);
    }
    if known.len() as u64 >= most || budget.stopped() {
        return None;
    }
    // Only a finished game has no next position here: `over` also reports wins in one step.
    let mut next = Vec::new();
    if sides.them & lane.game.row(0) == 0 {
        lane.next(sides, |child| {
            next.push(lane.canonical(child));
            false
        });
    }
    let mut here = Known {
        games: Some(0),
        wins: false,
        distance: 0,
        longest: 0,
    };
    if next.is_empty() {
        here.games = Some(1);
    }
    let (mut quickest, mut slowest) = (None::<u32>, 0);
    for child in next {
        let then = walk(lane, child, most, budget, known)?;
        here.games = here
            .games
            .zip(then.games)
            .and_then(|(a, b)| a.checked_add(b));
        here.longest = here.longest.max(then.longest + 1);
        if then.wins {
            slowest = slowest.max(then.distance + 1);
        } else {
            here.wins = true;
            quickest = Some(quickest.map_or(then.distance + 1, |q| q.min(then.distance + 1)));
        }
    }
    here.distance = quickest.unwrap_or(slowest);
    known.insert(sides, here);
    Some(here)
}

/// All ways to put at most one pawn per column's worth of each side on the board, for each side to
/// move: an upper bound for what an exhaustive search could meet.
pub fn placements(rows: u8, cols: u8) -> u128 {
    let squares = u128::from(rows) * u128::from(cols);
    let choose = |n: u128, k: u128| (0..k).fold(1u128, |c, i| c * (n - i) / (i + 1));
    let pawns = u128::from(cols);
    let ways = (0..=pawns.min(squares)).map(|w| {
        let rest = squares - w;
        let black: u128 = (0..=pawns.min(rest)).map(|b| choose(rest, b)).sum();
        choose(squares, w).saturating_mul(black)
    });
    ways.fold(0u128, u128::saturating_add).saturating_mul(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placements_of_a_board_of_three_squares() {
        // One column: none, one or two pawns of different sides; 1 + 3 + 3 + 6 ways, two sides to move.
        assert_eq!(placements(3, 1), 26);
    }
}
