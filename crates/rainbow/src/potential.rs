//! The potential argument: Breaker needs one colour only where there are few progressions and they are long.
//!
//! Cut every progression into two halves. A Breaker who owns a number in each half, all in one colour, has spoiled it. That is the
//! hitting game of Erdős and Selfridge ("On a combinatorial game", 1973): let every half that he has not hit weigh `2^-m`, where
//! `m` of its numbers are uncoloured. A move of Maker doubles at most the weights through one number, and Breaker
//! removes the heaviest number's. So if the sum is below 1/2 with Maker to begin, or below 1 with Breaker, it is below 1 at
//! every turn of Breaker, and no half is ever lost: that would weigh 1 alone.

use serde::Serialize;

use crate::board::{Board, Paint};
use crate::series::{Series, all_series, series_count};
use crate::terms::{Side, Terms};

/// The sum of the argument on the empty board: `numerator / 2^power`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Potential {
    /// How many progressions there are.
    pub progressions: u64,
    /// How many halves: two for each.
    pub halves: u64,
    /// How many numbers the shorter halves have.
    pub half: u32,
    /// The numerator of the sum.
    pub numerator: u64,
    /// The sum is the numerator divided by two to this power.
    pub power: u32,
    /// The sum as a decimal number.
    pub sum: f64,
    /// What the sum must stay below: 1/2 if Maker moves first, 1 if Breaker does.
    pub bound: f64,
    /// Whether it does, and Breaker wins.
    pub decides: bool,
}

/// The argument for a game.
///
/// ```
/// use wits_rainbow::{Side, Terms, potential::potential};
/// let sum = potential(&Terms::new(300, 30, 200, Side::Maker).unwrap());
/// assert_eq!((sum.halves, sum.numerator, sum.power), (2810, 2810, 15));
/// assert!(sum.decides);
/// ```
pub fn potential(terms: &Terms) -> Potential {
    let progressions = series_count(terms.n(), terms.k());
    let half = terms.k() / 2;
    // Halves of odd progressions differ by one: 2^-h + 2^-(h+1) = 3 / 2^(h+1).
    let (numerator, power) = if terms.k().is_multiple_of(2) {
        (2 * progressions, half)
    } else {
        (3 * progressions, half + 1)
    };
    // Below 1/2 = 2^(power-1) / 2^power, or below 1; whole numbers, so that nothing is rounded.
    let exponent = power - u32::from(terms.first() == Side::Maker);
    Potential {
        progressions,
        halves: 2 * progressions,
        half,
        numerator,
        power,
        sum: numerator as f64 * (-f64::from(power)).exp2(),
        bound: if terms.first() == Side::Maker {
            0.5
        } else {
            1.0
        },
        decides: exponent >= 64 || numerator < 1 << exponent,
    }
}

/// The two halves of a progression of `k`, as ranges of its places.
fn halves(k: u32) -> [std::ops::Range<u32>; 2] {
    [0..k / 2, k / 2..k]
}

/// The weights of a position, seen by a Breaker who owns one colour.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    /// The sum over all halves of live progressions that are not hit.
    pub sum: f64,
    /// For each number in order, how much of the sum it carries; zero for coloured ones.
    pub carried: Vec<f64>,
}

impl Weights {
    /// More progressions than this are not weighed.
    pub const MOST: u64 = 20_000;

    /// Weighs a position; nothing where there are too many progressions.
    ///
    /// # Complexity
    /// O(k) for each progression.
    pub fn of(board: &Board, own: u16) -> Option<Weights> {
        let (n, k) = (board.terms().n(), board.terms().k());
        if series_count(n, k) > Self::MOST {
            return None;
        }
        let mut weights = Weights {
            sum: 0.0,
            carried: vec![0.0; n as usize],
        };
        for series in all_series(n, k).filter(|&series| board.missing(series).is_some()) {
            for places in halves(k) {
                weights.add(board, own, series, places);
            }
        }
        Some(weights)
    }

    fn add(&mut self, board: &Board, own: u16, series: Series, places: std::ops::Range<u32>) {
        let numbers = places.map(|i| series.start + i * series.step);
        if numbers.clone().any(|x| board.colour(x) == Some(own)) {
            return;
        }
        let open = numbers.filter(|&x| board.colour(x).is_none());
        let weight = (-(open.clone().count() as f64)).exp2();
        self.sum += weight;
        for x in open {
            self.carried[x as usize - 1] += weight;
        }
    }

    /// Whether Breaker wins by this sum, with this side to move. A move of Maker adds to it what the number carries, and
    /// that must leave it below 1; on the empty board a sum below 1/2 is enough, because no number carries more than the sum.
    pub fn decides(&self, turn: Side) -> bool {
        let added = match turn {
            Side::Maker => self.carried.iter().fold(0.0, |most, &w| f64::max(most, w)),
            Side::Breaker => 0.0,
        };
        self.sum + added < 1.0
    }

    /// The heaviest number, and the runner-up.
    pub fn heaviest(&self) -> (Option<u32>, Option<u32>) {
        let mut order: Vec<usize> = (0..self.carried.len())
            .filter(|&i| self.carried[i] > 0.0)
            .collect();
        order.sort_by(|&a, &b| self.carried[b].total_cmp(&self.carried[a]).then(a.cmp(&b)));
        let at = |i: usize| order.get(i).map(|&x| x as u32 + 1);
        (at(0), at(1))
    }
}

/// The colour that Breaker owns in a position: of those on the board the one with the least sum, else colour 1.
///
/// From the start this is colour 1 or the colour that Breaker played first; after other moves it is the best to own.
pub fn own_colour(board: &Board) -> u16 {
    let used = board.palette().filter(|&colour| board.used(colour) > 0);
    let weigh = |colour: u16| Weights::of(board, colour).map_or(f64::INFINITY, |w| w.sum);
    used.map(|colour| (colour, weigh(colour)))
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map_or(1, |(colour, _)| colour)
}

/// Breaker's move by the argument: the heaviest number in his colour. Nothing where he is not to move or nothing is left to weigh.
pub fn answer(board: &Board) -> Option<(Paint, Weights)> {
    if board.winner().is_some() || board.to_move() != Side::Breaker {
        return None;
    }
    let colour = own_colour(board);
    let weights = Weights::of(board, colour)?;
    let number = weights.heaviest().0?;
    Some((Paint { number, colour }, weights))
}
