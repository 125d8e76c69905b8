//! Patterns of discs and what they are worth, by phase of the game.
//!
//! Forty-six patterns in eleven families: each edge with its two X squares, each corner as 3x3 and as 2x5 both ways,
//! each of the inner rows and columns, and the diagonals of four squares and more (after Buro's
//! Logistello, 1997). A position is worth the sum of the weights of what its patterns show. A pattern and its mirror
//! image share one weight, so the file holds about half as many weights as are looked up.

use std::sync::OnceLock;

use super::seen::{Seen, Side};
use crate::bits;

/// How many phases a game has: four discs make one.
pub const PHASES: usize = 15;
/// The number of squares in the pattern of each family.
const SQUARES: [u32; FAMILIES] = [10, 8, 8, 8, 9, 10, 8, 7, 6, 5, 4];
const FAMILIES: usize = 11;
/// How many patterns are looked up for one position.
pub const LOOKUPS: usize = 46;

/// Where each family's weights begin, and at the end how many weights a phase has.
const OFFSETS: [usize; FAMILIES + 1] = {
    let mut offsets = [0; FAMILIES + 1];
    let mut i = 0;
    while i < FAMILIES {
        offsets[i + 1] = offsets[i] + 3usize.pow(SQUARES[i]);
        i += 1;
    }
    offsets
};
/// How many weights a phase has: those of the patterns, and one for each number of discs.
pub const WEIGHTS: usize = OFFSETS[FAMILIES] + 65;

/// Where the weight of the number of discs is: who moves with so many squares left is worth something by itself, and
/// that swings from one move to the next.
#[inline]
pub const fn tempo(own: u64, other: u64) -> usize {
    OFFSETS[FAMILIES] + (own | other).count_ones() as usize
}

/// Ten bits read as digits of a number to the base of three.
static TERNARY: [u16; 1024] = {
    let mut ternary = [0; 1024];
    let mut i = 0;
    while i < 1024 {
        let (mut bit, mut power) = (0, 1u16);
        while bit < 10 {
            if i >> bit & 1 == 1 {
                ternary[i] += power;
            }
            power = power.wrapping_mul(3);
            bit += 1;
        }
        i += 1;
    }
    ternary
};

/// Where the squares of a family's pattern go when it is looked at in the mirror; itself where it has no mirror image.
fn mirror(family: usize) -> Vec<usize> {
    let squares = SQUARES[family] as usize;
    match family {
        0 => vec![7, 6, 5, 4, 3, 2, 1, 0, 9, 8],
        4 => vec![0, 3, 6, 1, 4, 7, 2, 5, 8],
        5 => (0..squares).collect(),
        _ => (0..squares).rev().collect(),
    }
}

/// Which weights are one and the same.
pub struct Folding {
    /// For every weight of a phase, the number of the one that stands for it.
    pub of: Vec<u32>,
    /// How many different ones there are.
    pub count: usize,
}

/// The folding of patterns onto their mirror images.
pub fn folding() -> &'static Folding {
    static FOLDING: OnceLock<Folding> = OnceLock::new();
    FOLDING.get_or_init(|| {
        let mut of = Vec::with_capacity(WEIGHTS);
        let mut count = 0;
        for family in 0..FAMILIES {
            let swaps = mirror(family).into_iter();
            let powers: Vec<usize> = swaps.map(|to| 3usize.pow(to as u32)).collect();
            for index in 0..OFFSETS[family + 1] - OFFSETS[family] {
                let mut image = 0;
                let mut rest = index;
                for power in &powers {
                    image += rest % 3 * power;
                    rest /= 3;
                }
                if image < index {
                    of.push(of[OFFSETS[family] + image]);
                } else {
                    of.push(count);
                    count += 1;
                }
            }
        }
        for _ in OFFSETS[FAMILIES]..WEIGHTS {
            of.push(count);
            count += 1;
        }
        Folding {
            of,
            count: count as usize,
        }
    })
}

/// The bits of a falling diagonal, column by column.
#[inline]
const fn slant(set: u64, mask: u64) -> u64 {
    (set & mask).wrapping_mul(0x0101_0101_0101_0101) >> 56
}

/// Falling diagonals of 8, 7, 6, 5 and 4 squares that start in the top row.
const SLANTS: [u64; 5] = [
    0x8040_2010_0804_0201,
    0x0080_4020_1008_0402,
    0x0000_8040_2010_0804,
    0x0000_0080_4020_1008,
    0x0000_0000_8040_2010,
];

/// The board as seen from its four sides and in the mirror.
#[inline]
const fn images(set: u64) -> [u64; 8] {
    let (mirrored, across) = (bits::mirrored(set), bits::transposed(set));
    let across_mirrored = bits::mirrored(across);
    [
        set,
        mirrored,
        bits::upside_down(set),
        bits::upside_down(mirrored),
        across,
        across_mirrored,
        bits::upside_down(across),
        bits::upside_down(across_mirrored),
    ]
}

/// What the patterns of a position show: one index into the weights of its phase for each lookup.
#[inline]
pub fn lookups(own: u64, other: u64) -> [u32; LOOKUPS] {
    let mut all = [0; LOOKUPS];
    let mut at = 0;
    let mut put = |family: usize, mine: u64, theirs: u64| {
        let index = TERNARY[(mine & 1023) as usize] + 2 * TERNARY[(theirs & 1023) as usize];
        all[at] = (OFFSETS[family] + usize::from(index)) as u32;
        at += 1;
    };
    let (a, b) = (images(own), images(other));
    // Lines read the same from both ends, so one image for each side of the board is enough.
    for side in [0, 2, 4, 6] {
        let (a, b) = (a[side], b[side]);
        let edge = |s: u64| (s & 0xff) | (s >> 9 & 1) << 8 | (s >> 14 & 1) << 9;
        put(0, edge(a), edge(b));
        for row in 1..4 {
            put(row, a >> (8 * row) & 0xff, b >> (8 * row) & 0xff);
        }
    }
    for (corner, (a, b)) in a.into_iter().zip(b).enumerate() {
        if corner < 4 {
            let square = |s: u64| (s & 7) | (s >> 8 & 7) << 3 | (s >> 16 & 7) << 6;
            put(4, square(a), square(b));
        }
        let long = |s: u64| (s & 31) | (s >> 8 & 31) << 5;
        put(5, long(a), long(b));
    }
    for (side, least) in [(0, 0), (4, 1), (2, 0), (5, 1)] {
        for (i, mask) in SLANTS.iter().enumerate().skip(least) {
            let line = |s: u64| slant(s, *mask) >> i;
            put(6 + i, line(a[side]), line(b[side]));
        }
    }
    all
}

/// The phase of a position.
#[inline]
pub const fn phase(own: u64, other: u64) -> usize {
    let discs = (own | other).count_ones() as usize;
    let phase = discs.saturating_sub(4) / 4;
    if phase < PHASES { phase } else { PHASES - 1 }
}

/// A file of weights that cannot be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("these are no weights of patterns: {0}")]
pub struct BadWeights(&'static str);

/// Weights for every pattern in every phase, in hundredths of a disc.
#[derive(Clone, PartialEq, Eq)]
pub struct Patterns {
    weights: Vec<i16>,
    /// The same weights, found by digits that are written from the other side's view.
    turned: Vec<i16>,
}

/// Where the weights of each lookup begin.
static STARTS: [u32; LOOKUPS] = {
    let mut starts = [0; LOOKUPS];
    let (mut at, mut side) = (0, 0);
    while side < 4 {
        let mut family = 0;
        while family < 4 {
            starts[at] = OFFSETS[family] as u32;
            at += 1;
            family += 1;
        }
        side += 1;
    }
    let mut corner = 0;
    while corner < 8 {
        if corner < 4 {
            starts[at] = OFFSETS[4] as u32;
            at += 1;
        }
        starts[at] = OFFSETS[5] as u32;
        at += 1;
        corner += 1;
    }
    let mut turn = 0;
    while turn < 4 {
        let mut slant = turn % 2;
        while slant < 5 {
            starts[at] = OFFSETS[6 + slant] as u32;
            at += 1;
            slant += 1;
        }
        turn += 1;
    }
    starts
};

/// Digits with ones and twos exchanged.
fn exchanged(mut index: usize) -> usize {
    let (mut image, mut power) = (0, 1);
    while index > 0 {
        image += [0, 2, 1][index % 3] * power;
        power *= 3;
        index /= 3;
    }
    image
}

const MAGIC: &[u8; 8] = b"witsoth3";

impl Patterns {
    /// Patterns from folded weights, phase by phase.
    pub fn new(folded: &[i16]) -> Option<Patterns> {
        let folding = folding();
        if folded.len() != PHASES * folding.count {
            return None;
        }
        let unfolded = |phase: &[i16]| -> Vec<i16> {
            folding.of.iter().map(|&at| phase[at as usize]).collect()
        };
        let weights: Vec<i16> = folded.chunks(folding.count).flat_map(unfolded).collect();
        // What is no pattern is the same from both sides.
        let mut turned = weights.clone();
        for family in 0..FAMILIES {
            for index in 0..OFFSETS[family + 1] - OFFSETS[family] {
                let (from, to) = (OFFSETS[family] + index, OFFSETS[family] + exchanged(index));
                for phase in 0..PHASES {
                    turned[phase * WEIGHTS + to] = weights[phase * WEIGHTS + from];
                }
            }
        }
        Some(Patterns { weights, turned })
    }

    /// The folded weights, phase by phase.
    fn folded(&self) -> Vec<i16> {
        let folding = folding();
        let mut all = vec![0; PHASES * folding.count];
        for (phase, weights) in self.weights.chunks(WEIGHTS).enumerate() {
            for (weight, at) in weights.iter().zip(&folding.of) {
                all[phase * folding.count + *at as usize] = *weight;
            }
        }
        all
    }

    /// What a position is worth to the side to move, in hundredths of a disc.
    #[inline]
    pub fn value(&self, own: u64, other: u64) -> i32 {
        let phase = phase(own, other);
        let weights = &self.weights[phase * WEIGHTS..(phase + 1) * WEIGHTS];
        lookups(own, other)
            .iter()
            .map(|&i| i32::from(weights[i as usize]))
            .sum::<i32>()
            + i32::from(weights[tempo(own, other)])
    }

    /// What a position is worth to the side to move, from digits that were kept up to date.
    // Never compiled into the vector code: gathering 46 weights by vectors is slower than one by one (measured).
    #[inline(never)]
    pub fn value_seen(&self, own: u64, other: u64, seen: &Seen, side: Side) -> i32 {
        let weights = match side {
            Side::Ones => &self.weights,
            Side::Twos => &self.turned,
        };
        let phase = phase(own, other);
        let weights = &weights[phase * WEIGHTS..(phase + 1) * WEIGHTS];
        let mut sum = i32::from(weights[tempo(own, other)]);
        for (four, starts) in seen.words().iter().zip(STARTS.chunks(4)) {
            for (i, start) in starts.iter().enumerate() {
                let digits = (four >> (16 * i)) as u16;
                sum += i32::from(weights[*start as usize + usize::from(digits)]);
            }
        }
        sum
    }

    /// Writes the weights: runs of zeros and small numbers take one byte.
    pub fn write(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        let mut zeros = 0u32;
        let flush = |out: &mut Vec<u8>, zeros: &mut u32| {
            while *zeros > 0 {
                let run = (*zeros).min(64);
                out.push(192 + (run - 1) as u8);
                *zeros -= run;
            }
        };
        for weight in self.folded() {
            if weight == 0 {
                zeros += 1;
                continue;
            }
            flush(&mut out, &mut zeros);
            if (-64..64).contains(&weight) {
                out.push((weight + 64) as u8);
            } else {
                let high = (weight.clamp(-8192, 8191) + 8192) as u16;
                out.push(128 + (high >> 8) as u8);
                out.push(high as u8);
            }
        }
        flush(&mut out, &mut zeros);
        out
    }

    /// Reads what [`Patterns::write`] wrote.
    pub fn read(bytes: &[u8]) -> Result<Patterns, BadWeights> {
        let mut rest = bytes
            .strip_prefix(MAGIC)
            .ok_or(BadWeights("wrong first bytes"))?
            .iter();
        let most = PHASES * folding().count;
        let mut weights = Vec::with_capacity(most);
        while let Some(&byte) = rest.next() {
            match byte {
                0..128 => weights.push(i16::from(byte) - 64),
                128..192 => {
                    let low = rest.next().ok_or(BadWeights("cut short"))?;
                    let number = i16::from(byte - 128) << 8 | i16::from(*low);
                    weights.push(number - 8192);
                }
                192.. => weights.resize(weights.len() + usize::from(byte - 191), 0),
            }
            if weights.len() > most {
                return Err(BadWeights("too many"));
            }
        }
        Patterns::new(&weights).ok_or(BadWeights("too few"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Judgement;
    use super::*;
    use crate::Position;

    #[test]
    fn turned_boards_show_the_same_patterns() {
        let p = Position {
            black: 0x0000_1c38_2c10_4800,
            white: 0x0000_0204_1008_0000,
            ..Position::START
        };
        let shown = |p: &Position| {
            let folding = folding();
            let mut all: Vec<u32> = lookups(p.black, p.white)
                .iter()
                .map(|&i| folding.of[i as usize])
                .collect();
            all.sort_unstable();
            all
        };
        assert_eq!(shown(&p).len(), LOOKUPS);
        for how in 1..8 {
            assert_eq!(shown(&p), shown(&p.turned(how)));
        }
        assert_ne!(shown(&p), shown(&p.swapped()));
    }

    #[test]
    fn every_square_lies_in_patterns_of_every_kind() {
        // A disc anywhere changes what rows, columns and corners or diagonals show.
        let empty = lookups(0, 0);
        for square in 0..64 {
            let one = lookups(1 << square, 0);
            let changed = one.iter().zip(&empty).filter(|(a, b)| a != b).count();
            assert!((2..=8).contains(&changed), "{square}: {changed}");
        }
    }

    #[test]
    fn both_sides_read_the_same_digits() {
        let Judgement::Patterns(patterns) = Judgement::fitted() else {
            panic!("weights come with the crate")
        };
        let (a, b) = (0x0000_1c38_2c10_4800, 0x0000_0204_1008_0000);
        let seen = Seen::of(a, b);
        let read = |own, other, side| patterns.value_seen(own, other, &seen, side);
        assert_eq!(read(a, b, Side::Ones), patterns.value(a, b));
        assert_eq!(read(b, a, Side::Twos), patterns.value(b, a));
    }

    #[test]
    fn weights_survive_their_file() {
        let mut weights = vec![0i16; PHASES * folding().count];
        for (i, w) in weights.iter_mut().enumerate().step_by(7) {
            *w = ((i * 31) % 1999) as i16 - 999;
        }
        let patterns = Patterns::new(&weights).unwrap();
        assert!(Patterns::read(&patterns.write()).is_ok_and(|back| back == patterns));
        let bytes = patterns.write();
        assert!(Patterns::read(&bytes[..bytes.len() - 1]).is_err());
        assert!(Patterns::read(b"nonsense").is_err());
    }
}
