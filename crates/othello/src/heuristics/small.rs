//! The heuristics on boards of 4 and 6 rows: the same definitions, with the corners, borders and lines of that board.
//!
//! A square's weight is that of the square of the large board which lies as far from its corner. Mixes that change with the move
//! number see a short game as a long one: half of its moves count as thirty.

use super::{
    Heuristic, KORMAN, LE051, LE064, LE148, LE162, LE215, MAGGS, SANNIDHANAM, Weights, iago_of,
    korman_of, mixed, ratio,
};
use crate::stable::stable_on;
use crate::{Position, bits};

/// What is counted on a board of its own size.
struct Counts<'a> {
    p: &'a Position,
    size: usize,
    area: u64,
}

impl Counts<'_> {
    fn discs(&self) -> f64 {
        ratio(self.p.black.count_ones(), self.p.white.count_ones())
    }

    /// The corners, each with the three squares beside it.
    fn corners(&self) -> impl Iterator<Item = (u64, u64)> {
        let (area, last) = (self.area, self.size - 1);
        [0, last, 8 * last, 9 * last].into_iter().map(move |at| {
            let corner = 1 << at;
            (corner, bits::around(corner) & !corner & area)
        })
    }

    fn corners_owned(&self) -> f64 {
        let owned = |set: u64| {
            self.corners()
                .filter(|(corner, _)| set & corner != 0)
                .count()
        };
        (owned(self.p.black) as f64 - owned(self.p.white) as f64) / 4.0
    }

    fn corner_closeness(&self) -> f64 {
        let open = self
            .corners()
            .filter(|(corner, _)| self.p.taken() & corner == 0);
        let sum = open.map(|(_, beside)| {
            let count = |set: u64| f64::from((set & beside).count_ones());
            count(self.p.black) - count(self.p.white)
        });
        -0.125 * sum.sum::<f64>()
    }

    fn mobility(&self) -> f64 {
        let moves = |own, other| (bits::moves(own, other) & self.area).count_ones();
        ratio(
            moves(self.p.black, self.p.white),
            moves(self.p.white, self.p.black),
        )
    }

    fn frontier(&self) -> f64 {
        let empty = self.area & !self.p.taken();
        let beside = |set: u64| (bits::around(set) & empty).count_ones();
        -ratio(beside(self.p.black), beside(self.p.white))
    }

    /// Stable discs on the border, or inside it, or both.
    fn stable(&self, edge: bool, inner: bool) -> f64 {
        let last = self.size - 1;
        let mut stable = stable_on(self.size, self.p.black, self.p.white);
        let border = (0..64)
            .filter(|i| [i / 8, i % 8].into_iter().any(|n| n == 0 || n == last))
            .fold(0, |set, i| set | 1 << i);
        if !edge {
            stable &= !border;
        }
        if !inner {
            stable &= border;
        }
        ratio(
            (stable & self.p.black).count_ones(),
            (stable & self.p.white).count_ones(),
        )
    }

    fn weighted(&self, weights: &Weights) -> f64 {
        let last = self.size - 1;
        let (mut sum, mut positive) = (0, 0);
        for square in (0..64).filter(|i| self.area >> i & 1 == 1) {
            let near = |n: usize| n.min(last - n);
            let weight = i32::from(weights.rows[near(square / 8)][1 << near(square % 8)]);
            positive += weight.max(0);
            let colour = |set: u64| (set >> square & 1) as i32;
            sum += weight * (colour(self.p.black) - colour(self.p.white));
        }
        f64::from(sum) / f64::from(positive)
    }

    /// The number of moves made, on the scale of the large board.
    fn moment(&self) -> f64 {
        f64::from(self.p.move_number()) * 60.0 / f64::from(self.area.count_ones() - 4)
    }

    fn linear(&self, mix: &super::Linear) -> f64 {
        let values = [
            self.discs(),
            self.corners_owned(),
            self.corner_closeness(),
            self.mobility(),
            self.frontier(),
            self.stable(false, true),
            self.stable(true, false),
        ];
        mixed(self.moment(), &values, mix)
    }
}

/// What Black's position is worth on a board of so many rows.
pub(crate) fn value(heuristic: Heuristic, size: usize, p: &Position) -> f64 {
    let area = bits::area(size);
    let counts = Counts { p, size, area };
    match heuristic {
        Heuristic::MaximumDisc => counts.discs(),
        Heuristic::MinimumDisc => -counts.discs(),
        Heuristic::WeightedMaggs => counts.weighted(&MAGGS),
        Heuristic::WeightedSannidhanam => counts.weighted(&SANNIDHANAM),
        Heuristic::WeightedKorman => counts.weighted(&KORMAN),
        Heuristic::CornersOwned => counts.corners_owned(),
        Heuristic::CornerCloseness => counts.corner_closeness(),
        Heuristic::CurrentMobility => counts.mobility(),
        Heuristic::PotentialMobility => counts.frontier(),
        Heuristic::Stability => counts.stable(true, true),
        Heuristic::InternalStability => counts.stable(false, true),
        Heuristic::EdgeStability => counts.stable(true, false),
        Heuristic::Korman => korman_of([
            counts.corners_owned(),
            counts.corner_closeness(),
            counts.mobility(),
            counts.discs(),
            counts.weighted(&KORMAN),
            counts.frontier(),
            counts.stable(true, true),
        ]),
        Heuristic::Iago => iago_of(
            counts.moment(),
            [
                counts.stable(true, false),
                counts.stable(false, true),
                counts.mobility(),
                counts.frontier(),
            ],
        ),
        Heuristic::Le051 => counts.linear(&LE051),
        Heuristic::Le064 => counts.linear(&LE064),
        Heuristic::Le148 => counts.linear(&LE148),
        Heuristic::Le162 => counts.linear(&LE162),
        Heuristic::Le215 => counts.linear(&LE215),
        Heuristic::Own(mix) => counts.linear(&mix.linear()),
    }
}

#[cfg(test)]
mod tests {
    use wits_game::{Dice, Seed};

    use super::*;

    #[test]
    fn on_the_large_board_nothing_changes() {
        let mut dice = Dice::new(Seed::new(11));
        for _ in 0..40 {
            let mut p = Position::START;
            while !p.over() {
                for h in Heuristic::ALL {
                    let (a, b) = (value(h, 8, &p), h.value(&p));
                    assert!((a - b).abs() < 1e-12, "{h}: {a} {b}");
                }
                let moves: Vec<_> = crate::Square::all(p.moves()).collect();
                let Some(&square) = dice.pick(&moves) else {
                    break;
                };
                p = p.played(square);
            }
        }
    }

    /// Squares of a board of so many rows with what stands there: 1 black, -1 white, 0 empty; nothing beyond it.
    fn at(p: &Position, size: i32, (r, c): (i32, i32)) -> Option<i32> {
        let inside = (0..size).contains(&r) && (0..size).contains(&c);
        let bit = |set: u64| (set >> (8 * r + c) & 1) as i32;
        inside.then(|| bit(p.black) - bit(p.white))
    }

    /// Whether a side may move to a square, by the rule.
    fn legal(p: &Position, size: i32, (r, c): (i32, i32), side: i32) -> bool {
        const WAYS: [(i32, i32); 8] = [
            (-1, -1),
            (-1, 0),
            (-1, 1),
            (0, -1),
            (0, 1),
            (1, -1),
            (1, 0),
            (1, 1),
        ];
        at(p, size, (r, c)) == Some(0)
            && WAYS.iter().any(|(dr, dc)| {
                let line = |k: i32| at(p, size, (r + k * dr, c + k * dc));
                let run = (1..size).take_while(|k| line(*k) == Some(-side)).count() as i32;
                run > 0 && line(run + 1) == Some(side)
            })
    }

    #[test]
    fn on_small_boards_each_count_is_what_its_definition_says() {
        let mut dice = Dice::new(Seed::new(12));
        for (size, rows) in [(4, 4_usize), (6, 6)] {
            for _ in 0..300 {
                let game = crate::Othello::new(rows, crate::Start::Othello, crate::NoMove::Pass);
                let game = game.expect("4 and 6 rows are there");
                let mut p = wits_game::Game::start(&game);
                for _ in 0..dice.below(rows * rows - 4) {
                    let moves = wits_game::Game::options(&game, &p);
                    let Some(square) = dice.pick(&moves) else {
                        break;
                    };
                    wits_game::Game::play(&game, &mut p, square);
                }
                let squares: Vec<(i32, i32)> = (0..size)
                    .flat_map(|r| (0..size).map(move |c| (r, c)))
                    .collect();
                let share = |a: usize, b: usize| ratio(a as u32, b as u32);
                let is = |h: Heuristic, known: f64| {
                    let found = h.on(&game, &p);
                    assert!(
                        (found - known).abs() < 1e-12,
                        "{size} {h}: {found}, {known}"
                    );
                };
                let moves = |side| {
                    squares
                        .iter()
                        .filter(|s| legal(&p, size, **s, side))
                        .count()
                };
                is(Heuristic::CurrentMobility, share(moves(1), moves(-1)));
                let colour = |s: &(i32, i32)| at(&p, size, *s).unwrap_or(0);
                let discs = |side| squares.iter().filter(|s| colour(s) == side).count();
                is(Heuristic::MaximumDisc, share(discs(1), discs(-1)));
                let beside = |s: &(i32, i32), t: &(i32, i32)| {
                    s != t && (s.0 - t.0).abs() <= 1 && (s.1 - t.1).abs() <= 1
                };
                let frontier = |side| {
                    let empty = squares.iter().filter(|s| colour(s) == 0);
                    let near =
                        |s: &&(i32, i32)| squares.iter().any(|t| beside(s, t) && colour(t) == side);
                    empty.filter(near).count()
                };
                is(
                    Heuristic::PotentialMobility,
                    -share(frontier(1), frontier(-1)),
                );
                let last = size - 1;
                let corners = [(0, 0), (0, last), (last, 0), (last, last)];
                let owned: i32 = corners.iter().map(colour).sum();
                is(Heuristic::CornersOwned, f64::from(owned) / 4.0);
                let open = corners.iter().filter(|s| colour(s) == 0);
                let close: i32 = open
                    .map(|s| {
                        squares
                            .iter()
                            .filter(|t| beside(s, t))
                            .map(colour)
                            .sum::<i32>()
                    })
                    .sum();
                is(Heuristic::CornerCloseness, -0.125 * f64::from(close));
                // Maggs' corner of the large board, as far as the board reaches.
                let maggs = [[64, -30, 10], [-30, -40, 2], [10, 2, 5]];
                let near = |n: i32| n.min(last - n) as usize;
                let weight = |s: &(i32, i32)| maggs[near(s.0)][near(s.1)];
                let sum: i32 = squares.iter().map(|s| weight(s) * colour(s)).sum();
                let positive: i32 = squares.iter().map(|s| weight(s).max(0)).sum();
                is(
                    Heuristic::WeightedMaggs,
                    f64::from(sum) / f64::from(positive),
                );
            }
        }
    }

    #[test]
    fn small_boards_keep_heuristics_apart_and_mirror_them() {
        let game = crate::Othello::new(6, crate::Start::Othello, crate::NoMove::Pass);
        let game = game.expect("six rows are there");
        let mut dice = Dice::new(Seed::new(13));
        let mut seen = std::collections::HashMap::new();
        for n in 0..20 {
            let mut p = wits_game::Game::start(&game);
            // Late enough for discs to be stable that do not stand on an edge.
            for _ in 0..16 + n {
                let moves = wits_game::Game::options(&game, &p);
                let Some(square) = dice.pick(&moves) else {
                    break;
                };
                wits_game::Game::play(&game, &mut p, square);
            }
            for h in Heuristic::ALL {
                let value = h.on(&game, &p);
                assert!((h.on(&game, &p.swapped()) + value).abs() < 1e-12, "{h}");
                let values: &mut Vec<u64> = seen.entry(h).or_default();
                values.push(value.to_bits());
            }
        }
        for (n, a) in Heuristic::ALL.iter().enumerate() {
            for b in &Heuristic::ALL[n + 1..] {
                assert_ne!(seen[a], seen[b], "{a} and {b} are the same");
            }
        }
    }
}
