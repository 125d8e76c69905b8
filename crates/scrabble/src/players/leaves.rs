//! What tiles are worth in the hand for the turns to come.
//!
//! The worth of a handful is a sum: each kind by how many of it there are, each pair of kinds that are both there, and
//! the balance of vowels and consonants. A few hundred numbers, learned from self-play by [`super::learn`].

use std::fmt::Write as _;
use std::sync::Arc;

use crate::TileSet;
use crate::generate::{Hand, Kept};
use crate::play::tile;

use super::klv::{BadKlv, Handfuls};

const KINDS: usize = 64;
/// More of a kind than this count as this many.
pub(crate) const MOST: usize = 4;
/// Vowels or consonants beyond this count as this many.
const BALANCE: usize = 7;

/// The worth of handfuls, in hundredths of a point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaves {
    vowels: u64,
    one: Box<[[i32; MOST + 1]; KINDS]>,
    pair: Box<[[i32; KINDS]; KINDS]>,
    balance: [[i32; BALANCE]; BALANCE],
    /// A worth for every handful, where a file brought them; the sum counts for nothing then.
    whole: Option<Arc<Handfuls>>,
}

/// A table of leaves that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "line {line} of the leave table: `{text}` is not understood; make a new table with `wits scrabble learn-leaves`"
)]
pub struct BadLeaves {
    /// The line, from 1.
    pub line: usize,
    /// What stands there.
    pub text: String,
}

/// A part of the sum.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Part {
    One(u8, u8),
    Pair(u8, u8),
    Balance(u8, u8),
}

impl Leaves {
    /// A table in which nothing is worth anything.
    pub fn nothing(tiles: &TileSet) -> Leaves {
        Leaves {
            vowels: tiles.vowels(),
            one: Box::new([[0; MOST + 1]; KINDS]),
            pair: Box::new([[0; KINDS]; KINDS]),
            balance: [[0; BALANCE]; BALANCE],
            whole: None,
        }
    }

    /// Reads a table with a worth for every handful (KLV2), as other crossword programs write them.
    pub fn read_klv(bytes: &[u8], tiles: &TileSet) -> Result<Leaves, BadKlv> {
        let mut leaves = Leaves::nothing(tiles);
        leaves.whole = Some(Arc::new(Handfuls::read(bytes, tiles.len())?));
        Ok(leaves)
    }

    /// The worth of a handful, in hundredths.
    pub fn worth(&self, kinds: &[u8]) -> i32 {
        if let Some(whole) = &self.whole {
            return whole.worth(kinds);
        }
        let mut sum = 0;
        self.parts(kinds, |part| sum += self.of(part));
        sum
    }

    fn of(&self, part: Part) -> i32 {
        match part {
            Part::One(kind, count) => self.one[usize::from(kind)][usize::from(count)],
            Part::Pair(a, b) => self.pair[usize::from(a)][usize::from(b)],
            Part::Balance(v, c) => self.balance[usize::from(v)][usize::from(c)],
        }
    }

    pub(crate) fn set(&mut self, part: Part, worth: i32) {
        match part {
            Part::One(kind, count) => self.one[usize::from(kind)][usize::from(count)] = worth,
            Part::Pair(a, b) => self.pair[usize::from(a)][usize::from(b)] = worth,
            Part::Balance(v, c) => self.balance[usize::from(v)][usize::from(c)] = worth,
        }
    }

    /// The parts that a handful in order consists of.
    pub(crate) fn parts(&self, kinds: &[u8], mut each: impl FnMut(Part)) {
        let (mut vowels, mut consonants) = (0, 0);
        let mut at = 0;
        let mut seen = [0_u8; 8];
        let mut different = 0;
        while at < kinds.len() {
            let kind = kinds[at] & 63;
            let mut end = at + 1;
            while end < kinds.len() && kinds[end] == kinds[at] {
                end += 1;
            }
            let count = end - at;
            each(Part::One(kind, count.min(MOST) as u8));
            for &other in &seen[..different] {
                each(Part::Pair(other, kind));
            }
            if different < seen.len() {
                seen[different] = kind;
                different += 1;
            }
            if kind != 0 {
                if self.vowels >> kind & 1 == 1 {
                    vowels += count;
                } else {
                    consonants += count;
                }
            }
            at = end;
        }
        let cap = |n: usize| n.min(BALANCE - 1) as u8;
        if vowels + consonants > 0 {
            each(Part::Balance(cap(vowels), cap(consonants)));
        }
    }

    /// The worth of everything that can be left of a hand, by its number.
    pub fn kept(&self, hand: &Hand) -> Kept {
        if let Some(whole) = &self.whole {
            return whole.kept(hand);
        }
        let mut sums = [0; 128];
        let mut kept = [0; 128];
        let tiles = hand.tiles();
        // The number of tiles of each handful that are vowels, in the low half, and consonants, in the high half.
        let mut sorts = [0_u8; 128];
        for (at, &tile) in tiles.iter().enumerate() {
            let kind = usize::from(tile) & (KINDS - 1);
            let sort = match kind {
                0 => 0,
                _ if self.vowels >> kind & 1 == 1 => 1,
                _ => 16,
            };
            let same = tiles.iter().position(|&t| t == tile).unwrap_or(at);
            let mut pairs = [0; 128];
            for mask in 0..1_usize << at {
                if mask > 0 {
                    // The handful without its first tile is known; the first tile's kind pairs once.
                    let first = mask.trailing_zeros() as usize;
                    let rest = mask & (mask - 1);
                    let again = rest != 0 && tiles[rest.trailing_zeros() as usize] == tiles[first];
                    let other = usize::from(tiles[first]) & (KINDS - 1);
                    let pair = if again || other == kind {
                        0
                    } else {
                        self.pair[other][kind]
                    };
                    pairs[mask] = pairs[rest] + pair;
                }
                let before = (mask >> same).count_ones() as usize;
                let one = &self.one[kind];
                let gain = if before == 0 {
                    one[1] + pairs[mask]
                } else {
                    one[(before + 1).min(MOST)] - one[before.min(MOST)]
                };
                let both = mask | 1 << at;
                sums[both] = sums[mask] + gain;
                sorts[both] = sorts[mask] + sort;
                let cap = |n: u8| usize::from(n).min(BALANCE - 1);
                let balance = if sorts[both] == 0 {
                    0
                } else {
                    self.balance[cap(sorts[both] & 15)][cap(sorts[both] >> 4)]
                };
                kept[both] = sums[both] + balance;
            }
        }
        kept
    }

    /// Writes the table: `one A 2 -130`, `pair Q U 690`, `balance 3 0 -220`; what is zero is left out.
    pub fn write(&self, tiles: &TileSet) -> String {
        let mut text = String::new();
        let name = |kind: usize| tiles.write_tile(tile(kind as u8)).to_owned();
        let kinds = tiles.len() + 1;
        for kind in 0..kinds {
            for (count, &worth) in self.one[kind].iter().enumerate().filter(|(_, w)| **w != 0) {
                let _ = writeln!(text, "one {} {count} {worth}", name(kind));
            }
        }
        for a in 0..kinds {
            for b in a + 1..kinds {
                if self.pair[a][b] != 0 {
                    let _ = writeln!(text, "pair {} {} {}", name(a), name(b), self.pair[a][b]);
                }
            }
        }
        for (v, row) in self.balance.iter().enumerate() {
            for (c, &worth) in row.iter().enumerate().filter(|(_, w)| **w != 0) {
                let _ = writeln!(text, "balance {v} {c} {worth}");
            }
        }
        text
    }

    /// Reads a table that [`Leaves::write`] wrote. Lines that begin with `#` are for the reader.
    pub fn read(text: &str, tiles: &TileSet) -> Result<Leaves, BadLeaves> {
        let mut leaves = Leaves::nothing(tiles);
        for (at, row) in text.lines().enumerate() {
            let row = row.trim();
            if row.is_empty() || row.starts_with('#') {
                continue;
            }
            let part = read_part(row, tiles).ok_or_else(|| BadLeaves {
                line: at + 1,
                text: row.chars().take(40).collect(),
            })?;
            leaves.set(part.0, part.1);
        }
        Ok(leaves)
    }
}

fn read_part(row: &str, tiles: &TileSet) -> Option<(Part, i32)> {
    let words: Vec<&str> = row.split_whitespace().collect();
    let [what, a, b, worth] = words[..] else {
        return None;
    };
    let kind = |text: &str| match tiles.read_rack(text).ok()?[..] {
        [tile] => Some(tile.byte()),
        _ => None,
    };
    let small =
        |text: &str, most: usize| text.parse().ok().filter(|&n: &u8| usize::from(n) <= most);
    let part = match what {
        "one" => Part::One(kind(a)?, small(b, MOST)?),
        "pair" => Part::Pair(kind(a)?, kind(b)?),
        "balance" => Part::Balance(small(a, BALANCE - 1)?, small(b, BALANCE - 1)?),
        _ => return None,
    };
    Some((part, worth.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_written_and_read() {
        for tiles in TileSet::shipped() {
            let mut leaves = Leaves::nothing(tiles);
            leaves.set(Part::One(0, 1), 2_500);
            leaves.set(Part::Pair(1, 5), -30);
            leaves.set(Part::Balance(3, 0), -220);
            let text = leaves.write(tiles);
            assert_eq!(Leaves::read(&text, tiles), Ok(leaves.clone()));
            let hand = Hand::new(&[5, 0, 1]);
            let kept = leaves.kept(&hand);
            assert_eq!(kept[usize::from(hand.left)], leaves.worth(&[0, 1, 5]));
            assert_eq!(kept[0], 0);
            // Numbers that differ everywhere: the table of a hand is the worth of each handful.
            for a in 0..9 {
                for n in 1..=4 {
                    leaves.set(Part::One(a, n), i32::from(a) * 1_000 + i32::from(n) * 77);
                    leaves.set(Part::Balance(n, a % 7), i32::from(a) * 13 - i32::from(n));
                }
                for b in a + 1..9 {
                    leaves.set(Part::Pair(a, b), i32::from(a * 9 + b) * 31);
                }
            }
            for rack in [
                [0, 0, 1, 5, 5, 5, 8],
                [1, 1, 2, 2, 3, 3, 3],
                [2, 2, 2, 2, 2, 7, 8],
            ] {
                let hand = Hand::new(&rack);
                for (left, &worth) in leaves.kept(&hand).iter().enumerate() {
                    let held: Vec<u8> = hand.kept(left as u8).collect();
                    assert_eq!(worth, leaves.worth(&held), "{held:?}");
                }
            }
        }
        let english = TileSet::english();
        assert_eq!(english.vowels().count_ones(), 5);
        assert_eq!(TileSet::polish().vowels().count_ones(), 9);
        let error = Leaves::read("one A 1 5\nhalf B", &english).unwrap_err();
        assert_eq!(error.line, 2);
    }
}
