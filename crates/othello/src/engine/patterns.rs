//! Patterns of discs and what they are worth, by phase of the game.
//!
//! Forty-six patterns in eleven families: each edge with its two X squares, each corner as 3x3 and as 2x5 both ways,
//! each of the inner rows and columns, and the diagonals of four squares and more (after Buro's
//! Logistello, 1997). A position is worth the sum of the weights of what its patterns show.

use crate::bits;

/// How many phases a game has: five discs make one.
pub const PHASES: usize = 12;
/// The number of squares in the pattern of each family.
const SQUARES: [u32; 11] = [10, 8, 8, 8, 9, 10, 8, 7, 6, 5, 4];
/// How many patterns are looked up for one position.
pub const LOOKUPS: usize = 46;

/// Where each family's weights begin, and at the end how many weights a phase has.
const OFFSETS: [usize; 12] = {
    let mut offsets = [0; 12];
    let mut i = 0;
    while i < 11 {
        offsets[i + 1] = offsets[i] + 3usize.pow(SQUARES[i]);
        i += 1;
    }
    offsets
};
/// How many weights a phase has.
pub const WEIGHTS: usize = OFFSETS[11];

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

/// What the patterns of a position show: one index into the weights of its phase for each lookup.
pub fn lookups(own: u64, other: u64) -> [u32; LOOKUPS] {
    let mut all = [0; LOOKUPS];
    let mut at = 0;
    let mut put = |family: usize, mine: u64, theirs: u64| {
        let index = TERNARY[(mine & 1023) as usize] + 2 * TERNARY[(theirs & 1023) as usize];
        all[at] = (OFFSETS[family] + usize::from(index)) as u32;
        at += 1;
    };
    let mut image = (own, other);
    for turn in 0..4 {
        let (a, b) = image;
        let edge = |s: u64| (s & 0xff) | (s >> 9 & 1) << 8 | (s >> 14 & 1) << 9;
        put(0, edge(a), edge(b));
        for row in 1..4 {
            put(row, a >> (8 * row) & 0xff, b >> (8 * row) & 0xff);
        }
        let corner = |s: u64| (s & 7) | (s >> 8 & 7) << 3 | (s >> 16 & 7) << 6;
        put(4, corner(a), corner(b));
        let long = |s: u64| (s & 31) | (s >> 8 & 31) << 5;
        put(5, long(a), long(b));
        let (ta, tb) = (bits::transposed(a), bits::transposed(b));
        put(5, long(ta), long(tb));
        if turn < 2 {
            put(6, slant(a, SLANTS[0]), slant(b, SLANTS[0]));
        }
        for (i, mask) in SLANTS.iter().enumerate().skip(1) {
            put(6 + i, slant(a, *mask) >> i, slant(b, *mask) >> i);
        }
        // A quarter turn.
        image = (bits::mirrored(ta), bits::mirrored(tb));
    }
    all
}

/// The phase of a position.
pub const fn phase(own: u64, other: u64) -> usize {
    let discs = (own | other).count_ones() as usize;
    let phase = discs.saturating_sub(4) / 5;
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
}

const MAGIC: &[u8; 8] = b"witsoth1";

impl Patterns {
    /// Patterns from weights, phase by phase.
    pub fn new(weights: Vec<i16>) -> Option<Patterns> {
        (weights.len() == PHASES * WEIGHTS).then_some(Patterns { weights })
    }

    /// What a position is worth to the side to move, in hundredths of a disc.
    #[inline]
    pub fn value(&self, own: u64, other: u64) -> i32 {
        let phase = phase(own, other);
        let weights = &self.weights[phase * WEIGHTS..(phase + 1) * WEIGHTS];
        lookups(own, other)
            .iter()
            .map(|&i| i32::from(weights[i as usize]))
            .sum()
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
        for &weight in &self.weights {
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
        let mut weights = Vec::with_capacity(PHASES * WEIGHTS);
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
            if weights.len() > PHASES * WEIGHTS {
                return Err(BadWeights("too many"));
            }
        }
        Patterns::new(weights).ok_or(BadWeights("too few"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;

    #[test]
    fn turned_boards_show_the_same_patterns() {
        let p = Position {
            black: 0x0000_1c38_2c10_4800,
            white: 0x0000_0204_1008_0000,
            ..Position::START
        };
        // Long diagonals are read from one end, so a half turn reads them backwards.
        let shown = |p: &Position| {
            let mut all: Vec<u32> = lookups(p.black, p.white).to_vec();
            assert!(all.iter().all(|&i| (i as usize) < WEIGHTS));
            all.retain(|&i| !(OFFSETS[6]..OFFSETS[7]).contains(&(i as usize)));
            all.sort_unstable();
            all
        };
        assert_eq!(shown(&p).len(), LOOKUPS - 2);
        assert_eq!(shown(&p), shown(&p.turned(3)));
        assert_ne!(shown(&p), shown(&p.swapped()));
    }

    #[test]
    fn weights_survive_their_file() {
        let mut weights = vec![0i16; PHASES * WEIGHTS];
        for (i, w) in weights.iter_mut().enumerate().step_by(7) {
            *w = ((i * 31) % 1999) as i16 - 999;
        }
        let patterns = Patterns::new(weights).unwrap();
        assert!(Patterns::read(&patterns.write()).is_ok_and(|back| back == patterns));
        let bytes = patterns.write();
        assert!(Patterns::read(&bytes[..bytes.len() - 1]).is_err());
        assert!(Patterns::read(b"nonsense").is_err());
    }
}
