//! The nineteen classical heuristics, each exactly as published.
//!
//! A value is for Black, the maximising side: swapping colours negates it and the eight symmetries
//! keep it. The numbers come from Maggs (1979), Rosenbloom's Iago (1982), Sannidhanam and
//! Muthukaruppan (2004), Korman (2003) and a student's report that fitted the linear ones.

mod small;

use std::fmt;
use std::str::FromStr;

use crate::stable::stable;
use crate::{Position, bits};

pub(crate) use small::value as value_on;

macro_rules! heuristics {
    ($($(#[$doc:meta])* $name:ident = $id:literal,)*) => {
        /// One of the nineteen, or a linear mix of one's own.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Heuristic {
            $($(#[$doc])* $name,)*
            /// A mix that is linear in the move number, with weights of one's own.
            Own(Mix),
        }

        impl Heuristic {
            /// All that have a name of their own, in the order of their table.
            pub const ALL: [Heuristic; 19] = [$(Heuristic::$name,)*];

            /// Its name on the command line.
            pub const fn id(self) -> &'static str {
                match self {
                    $(Heuristic::$name => $id,)*
                    Heuristic::Own(_) => "linear",
                }
            }
        }
    };
}

heuristics! {
    /// Ratio of disc counts.
    MaximumDisc = "max-disc",
    /// Its negation.
    MinimumDisc = "min-disc",
    /// Weighted squares, Maggs 1979.
    WeightedMaggs = "w-maggs",
    /// Weighted squares, Sannidhanam and Muthukaruppan 2004.
    WeightedSannidhanam = "w-sannid",
    /// Weighted squares, Korman 2003.
    WeightedKorman = "w-korman",
    /// Corners owned.
    CornersOwned = "corn-own",
    /// Discs beside empty corners.
    CornerCloseness = "corn-close",
    /// Ratio of legal moves.
    CurrentMobility = "cur-mob",
    /// Ratio of frontiers.
    PotentialMobility = "pot-mob",
    /// Ratio of stable discs.
    Stability = "stab",
    /// Ratio of stable discs inside the border.
    InternalStability = "int-stab",
    /// Ratio of stable discs on the border.
    EdgeStability = "edge-stab",
    /// Korman's fixed mix.
    Korman = "korman",
    /// Rosenbloom's mix, which changes with the move number.
    Iago = "iago",
    /// A mix that is linear in the move number.
    Le051 = "le051",
    /// A mix that is linear in the move number.
    Le064 = "le064",
    /// A mix that is linear in the move number.
    Le148 = "le148",
    /// A mix that is linear in the move number.
    Le162 = "le162",
    /// A mix that is linear in the move number.
    Le215 = "le215",
}

impl fmt::Display for Heuristic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// A name that no heuristic has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not a heuristic; there are: {all}", all = names())]
pub struct NoSuchHeuristic(String);

fn names() -> String {
    Heuristic::ALL.map(Heuristic::id).join(", ")
}

impl FromStr for Heuristic {
    type Err = NoSuchHeuristic;

    fn from_str(text: &str) -> Result<Heuristic, NoSuchHeuristic> {
        let found = Heuristic::ALL.into_iter().find(|h| h.id() == text);
        found.ok_or_else(|| NoSuchHeuristic(text.chars().take(40).collect()))
    }
}

/// What is bigger, as a share of both, with the sign of who has it.
#[inline]
fn ratio(black: u32, white: u32) -> f64 {
    let both = f64::from(black + white);
    match black.cmp(&white) {
        std::cmp::Ordering::Greater => f64::from(black) / both,
        std::cmp::Ordering::Less => -(f64::from(white) / both),
        std::cmp::Ordering::Equal => 0.0,
    }
}

/// A matrix of square weights by groups of equal weight, with the sum of its positive weights.
#[derive(Debug)]
struct Weights {
    /// The weights of the discs in one row, for the four upper rows; the lower ones mirror them.
    rows: [[i16; 256]; 4],
    positive: i32,
    absolute: i32,
}

impl Weights {
    /// From the upper left quarter; the rest by symmetry.
    const fn new(quarter: [[i32; 4]; 4]) -> Weights {
        let mut rows = [[0; 256]; 4];
        let (mut positive, mut absolute) = (0, 0);
        let mut row = 0;
        while row < 4 {
            let mut column = 0;
            while column < 8 {
                let weight = quarter[row][if column < 4 { column } else { 7 - column }];
                // Each upper row stands for two.
                positive += if weight > 0 { 2 * weight } else { 0 };
                absolute += 2 * weight.abs();
                let mut set = 0;
                while set < 256 {
                    if set >> column & 1 == 1 {
                        rows[row][set] += weight as i16;
                    }
                    set += 1;
                }
                column += 1;
            }
            row += 1;
        }
        Weights {
            rows,
            positive,
            absolute,
        }
    }

    fn value(&self, black: u64, white: u64) -> f64 {
        let (b, w) = (black.to_le_bytes(), white.to_le_bytes());
        let mut sum = 0;
        for (row, weights) in self.rows.iter().enumerate() {
            let of = |set: u8| i32::from(weights[usize::from(set)]);
            sum += of(b[row]) + of(b[7 - row]) - of(w[row]) - of(w[7 - row]);
        }
        f64::from(sum) / f64::from(self.positive)
    }

    /// The greatest value a board can have.
    fn bound(&self) -> f64 {
        f64::from(self.absolute) / f64::from(self.positive)
    }
}

static MAGGS: Weights = Weights::new([
    [64, -30, 10, 5],
    [-30, -40, 2, 2],
    [10, 2, 5, 1],
    [5, 2, 1, 1],
]);
static SANNIDHANAM: Weights = Weights::new([
    [4, -3, 2, 2],
    [-3, -4, -1, -1],
    [2, -1, 1, 0],
    [2, -1, 0, 1],
]);
static KORMAN: Weights = Weights::new([
    [20, -3, 11, 8],
    [-3, -7, -4, 1],
    [11, -4, 2, 2],
    [8, 1, 2, -3],
]);

/// Korman's weights of corners owned, corner closeness, current mobility, discs, weighted squares,
/// potential mobility and stability.
const KORMAN_MIX: [f64; 7] = [802.0, 382.0, 79.0, 10.0, 26.0, 74.0, 100.0];
const KORMAN_SUM: f64 = 802.0 + 382.0 + 79.0 + 10.0 + 26.0 + 74.0 + 100.0;

/// Slope and base of the seven components of a linear mix: discs, corners owned, corner closeness,
/// current mobility, potential mobility, inner stability, edge stability.
type Linear = [(f64, f64); 7];

const LE051: Linear = [
    (-0.064, -0.065),
    (0.106, 0.746),
    (0.928, 0.101),
    (0.183, 0.183),
    (0.427, 1.047),
    (0.093, 0.897),
    (1.096, 0.707),
];
const LE064: Linear = [
    (-0.088, -1.444),
    (0.029, 0.857),
    (1.546, 1.019),
    (0.088, 0.985),
    (0.064, 0.307),
    (0.457, 0.013),
    (0.908, 0.133),
];
const LE148: Linear = [
    (-0.198, 0.553),
    (0.755, 0.602),
    (0.345, -1.263),
    (0.445, 0.253),
    (0.305, 0.659),
    (0.545, -0.061),
    (0.782, -0.200),
];
const LE162: Linear = [
    (-0.250, -1.468),
    (1.044, 0.828),
    (1.556, -1.389),
    (0.625, 0.700),
    (0.023, 0.347),
    (0.246, 0.053),
    (1.078, 0.325),
];
const LE215: Linear = [
    (-0.192, 0.677),
    (0.495, 0.147),
    (1.286, -0.197),
    (0.545, 0.307),
    (0.128, 0.666),
    (0.596, -0.502),
    (0.846, -0.485),
];

/// Weights of one's own for the seven components, in thousandths: slope and base of each, in the
/// order discs, corners owned, corner closeness, current mobility, potential mobility, inner
/// stability, edge stability.
///
/// Thousandths are what the published mixes are written in; whole numbers can be compared and hashed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Mix([(i32, i32); 7]);

impl Mix {
    /// How the parameters are called: slope and base of each component in turn.
    pub const NAMES: [&'static str; 14] = [
        "discs-m",
        "discs-b",
        "corners-m",
        "corners-b",
        "closeness-m",
        "closeness-b",
        "mobility-m",
        "mobility-b",
        "frontier-m",
        "frontier-b",
        "inner-m",
        "inner-b",
        "edge-m",
        "edge-b",
    ];

    /// A mix from its fourteen weights, rounded to thousandths.
    pub fn new(weights: [f64; 14]) -> Mix {
        let whole = |w: f64| (w * 1000.0).round().clamp(-1e6, 1e6) as i32;
        Mix(std::array::from_fn(|i| {
            (whole(weights[2 * i]), whole(weights[2 * i + 1]))
        }))
    }

    /// A positive scale changes no value, so thousandths need not be turned back.
    fn linear(&self) -> Linear {
        self.0.map(|(m, b)| (f64::from(m), f64::from(b)))
    }
}

fn discs(p: &Position) -> f64 {
    let (black, white) = p.score();
    ratio(black, white)
}

fn corners_owned(p: &Position) -> f64 {
    let owned = |set: u64| f64::from((set & bits::CORNERS).count_ones());
    (owned(p.black) - owned(p.white)) / 4.0
}

fn corner_closeness(p: &Position) -> f64 {
    let mut sum = 0;
    for (corner, beside) in [
        (1u64, 0x0000_0000_0000_0302u64),
        (1 << 7, 0x0000_0000_0000_c040),
        (1 << 56, 0x0203_0000_0000_0000),
        (1 << 63, 0x40c0_0000_0000_0000),
    ] {
        if p.taken() & corner == 0 {
            sum += (p.black & beside).count_ones() as i32 - (p.white & beside).count_ones() as i32;
        }
    }
    -0.125 * f64::from(sum)
}

/// The legal moves of both sides.
#[derive(Clone, Copy)]
pub(crate) struct Moves {
    pub(crate) black: u64,
    pub(crate) white: u64,
}

impl Moves {
    fn of(p: &Position) -> Moves {
        Moves {
            black: bits::moves(p.black, p.white),
            white: bits::moves(p.white, p.black),
        }
    }
}

fn current_mobility(moves: Moves) -> f64 {
    ratio(moves.black.count_ones(), moves.white.count_ones())
}

fn potential_mobility(p: &Position) -> f64 {
    let empty = !p.taken();
    let black = (bits::around(p.black) & empty).count_ones();
    let white = (bits::around(p.white) & empty).count_ones();
    -ratio(black, white)
}

/// Ratio of stable discs inside a mask.
fn stability(p: &Position, mask: u64) -> f64 {
    part(p, stable(p.black, p.white) & mask)
}

fn part(p: &Position, stable: u64) -> f64 {
    if stable == 0 {
        return 0.0;
    }
    ratio(
        (stable & p.black).count_ones(),
        (stable & p.white).count_ones(),
    )
}

fn linear(p: &Position, moves: Moves, mix: &Linear) -> f64 {
    let stable = stable(p.black, p.white);
    let n = f64::from(p.move_number());
    let values = [
        discs(p),
        corners_owned(p),
        corner_closeness(p),
        current_mobility(moves),
        potential_mobility(p),
        part(p, stable & !bits::BORDER),
        part(p, stable & bits::BORDER),
    ];
    mixed(n, &values, mix)
}

/// A linear mix of seven values after so many moves.
fn mixed(n: f64, values: &[f64; 7], mix: &Linear) -> f64 {
    let mut sum = 0.0;
    let mut size = 0.0;
    for ((slope, base), value) in mix.iter().zip(values) {
        let weight = slope * n + base;
        sum += weight * value;
        size += weight.abs();
    }
    // The sum of absolute weights: the plain sum may be near zero or negative and flip the sign.
    if size > 0.0 { sum / size } else { 0.0 }
}

impl Heuristic {
    /// What Black's position is worth.
    pub fn value(self, p: &Position) -> f64 {
        self.value_knowing(p, Moves::of(p))
    }

    /// The same where the legal moves of both sides are known already.
    #[inline]
    pub(crate) fn value_knowing(self, p: &Position, moves: Moves) -> f64 {
        match self {
            Heuristic::MaximumDisc => discs(p),
            Heuristic::MinimumDisc => -discs(p),
            Heuristic::WeightedMaggs => MAGGS.value(p.black, p.white),
            Heuristic::WeightedSannidhanam => SANNIDHANAM.value(p.black, p.white),
            Heuristic::WeightedKorman => KORMAN.value(p.black, p.white),
            Heuristic::CornersOwned => corners_owned(p),
            Heuristic::CornerCloseness => corner_closeness(p),
            Heuristic::CurrentMobility => current_mobility(moves),
            Heuristic::PotentialMobility => potential_mobility(p),
            Heuristic::Stability => stability(p, bits::ALL),
            Heuristic::InternalStability => stability(p, !bits::BORDER),
            Heuristic::EdgeStability => stability(p, bits::BORDER),
            Heuristic::Korman => korman(p, moves),
            Heuristic::Iago => iago(p, moves),
            Heuristic::Le051 => linear(p, moves, &LE051),
            Heuristic::Le064 => linear(p, moves, &LE064),
            Heuristic::Le148 => linear(p, moves, &LE148),
            Heuristic::Le162 => linear(p, moves, &LE162),
            Heuristic::Le215 => linear(p, moves, &LE215),
            Heuristic::Own(mix) => linear(p, moves, &mix.linear()),
        }
    }

    /// No position is worth more than this, or less than its negation.
    ///
    /// The weighted matrices are divided by their positive weights only, so they can leave [-1, 1],
    /// and corner closeness reaches 1.5.
    pub fn bound(self) -> f64 {
        match self {
            Heuristic::WeightedMaggs => MAGGS.bound(),
            Heuristic::WeightedSannidhanam => SANNIDHANAM.bound(),
            Heuristic::WeightedKorman => KORMAN.bound(),
            Heuristic::CornerCloseness
            | Heuristic::Le051
            | Heuristic::Le064
            | Heuristic::Le148
            | Heuristic::Le162
            | Heuristic::Le215
            | Heuristic::Own(_) => 1.5,
            // Korman's closeness part is 382 of 1473 and reaches 1.5; its squares reach 1.36.
            Heuristic::Korman => 1.2,
            _ => 1.0,
        }
    }
}

fn korman(p: &Position, moves: Moves) -> f64 {
    korman_of([
        corners_owned(p),
        corner_closeness(p),
        current_mobility(moves),
        discs(p),
        KORMAN.value(p.black, p.white),
        potential_mobility(p),
        stability(p, bits::ALL),
    ])
}

/// Korman's mix of corners, closeness, mobility, discs, squares, frontier and stability.
fn korman_of(parts: [f64; 7]) -> f64 {
    let mut sum = 0.0;
    for (weight, part) in KORMAN_MIX.iter().zip(parts) {
        sum += weight * part;
    }
    sum / KORMAN_SUM
}

fn iago(p: &Position, moves: Moves) -> f64 {
    let stable = stable(p.black, p.white);
    let parts = [
        part(p, stable & bits::BORDER),
        part(p, stable & !bits::BORDER),
        current_mobility(moves),
        potential_mobility(p),
    ];
    iago_of(f64::from(p.move_number()), parts)
}

/// Rosenbloom's mix of edge stability, inner stability, mobility and frontier after so many moves.
fn iago_of(n: f64, [edge, inner, moves, frontier]: [f64; 4]) -> f64 {
    let edges = 312.0 + 6.24 * n;
    let mobility = if n <= 25.0 { 50.0 + 2.0 * n } else { 75.0 + n };
    let sum = edges * edge + 36.0 * inner + mobility * moves + 99.0 * frontier;
    sum / (edges + 36.0 + mobility + 99.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mix_of_ones_own_is_the_published_one() {
        let weights = std::array::from_fn(|i| {
            let (m, b) = LE064[i / 2];
            if i % 2 == 0 { m } else { b }
        });
        let own = Heuristic::Own(Mix::new(weights));
        let game = crate::Othello::default();
        let mut p = wits_game::Game::start(&game);
        for text in ["f5", "d6", "c3", "d3", "c4"] {
            let square = wits_game::Game::read(&game, &p, text).unwrap();
            wits_game::Game::play(&game, &mut p, &square);
            let (a, b) = (own.value(&p), Heuristic::Le064.value(&p));
            assert!((a - b).abs() < 1e-12, "{a} {b}");
        }
        let nothing = Heuristic::Own(Mix::new([0.0; 14]));
        assert!(nothing.value(&p).abs() < 1e-12);
    }

    #[test]
    fn known_divisors_and_bounds() {
        assert_eq!(
            (MAGGS.positive, SANNIDHANAM.positive, KORMAN.positive),
            (440, 56, 264)
        );
        for (weights, bound) in [(&KORMAN, 1.36), (&MAGGS, 1.91), (&SANNIDHANAM, 2.0)] {
            assert!(
                (weights.bound() - bound).abs() < 0.01,
                "{}",
                weights.bound()
            );
        }
        assert_eq!(Heuristic::ALL.len(), 19);
        for h in Heuristic::ALL {
            assert_eq!(h.id().parse(), Ok(h));
        }
        assert!("corman".parse::<Heuristic>().is_err());
    }
}
