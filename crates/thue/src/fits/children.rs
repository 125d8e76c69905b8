//! The totals of all words that are one symbol longer, from one pass.
//!
//! The nested players ask, for every gap and every symbol that fits there, how many symbols fit over all
//! gaps of the longer word. Instead of looking at each longer word, look once at the *two-hole squares* of
//! this one: squares that two more symbols would close, `x` in gap `i` and `y` in gap `j`. After `x` went into
//! gap `i`, symbol `y` is forbidden at `j` if a two-hole square says so, or if it was
//! forbidden before by a square that `x` does not break in two.
//!
//! **Carried over.** For a forbidden `(j, y)` all that matters is the rightmost start and the leftmost
//! end of the squares that forbid it: `x` to the left of `y` spares one of them if it goes in at or
//! before that start, `x` to the right if it goes in at or after that end.
//!
//! **Two-hole squares.** Let the square have period `p`, first hole `x`, second hole `y`. If the holes are
//! partners, the rest is a square of period `p-1`, which the word does not have; only `p = 1`
//! remains, two equal symbols side by side. Otherwise each hole has a letter as its partner, which names
//! its symbol, and the other `p-2` pairs lie on three segments of diagonals:
//!
//! | where the holes are | before | between (m pairs) | after |
//! | --- | --- | --- | --- |
//! | both in the left half | `p-2`, ends at `i` | `p-1` on `i..j` | `p`, from `j` |
//! | both in the right half | `p`, ends at `i-p` | `p-1` | `p-2`, from `j-p+2` |
//! | halves, partner of `y` left of `x` | `p-1`, ends at that partner | `p-2` | `p-1`, from `i` |
//! | halves, partner of `y` right of `x` | `p-1`, ends at `i` | `p` | `p-1`, after that partner |

use super::diagonals::{Echoes, Planes, Runs};
use super::{all, full, symbols as each, total};
use crate::words::Variant;

/// What fits into a word, and how much would fit into each word that is one symbol longer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Children {
    /// The symbols that fit into each gap.
    pub fits: Vec<u64>,
    totals: Vec<u64>,
    symbols: usize,
}

impl Children {
    /// How many symbols fit, over all gaps, once this symbol is in this gap. Meant for symbols that fit.
    pub fn total(&self, gap: usize, symbol: u8) -> u64 {
        self.totals[gap * self.symbols + usize::from(symbol)]
    }

    /// How many symbols fit now, over all gaps.
    pub fn here(&self) -> u64 {
        total(&self.fits)
    }
}

/// What fits into a word without repetition, and into all words that are one symbol longer.
pub fn children(word: &[u8], symbols: usize, variant: Variant) -> Children {
    // Marks of symbols are bytes, and there is one for each triple of gap, symbol and gap.
    const MOST_MARKS: usize = 1 << 26;
    let marks = (word.len() + 1) * (word.len() + 2) * symbols;
    if variant == Variant::Square && symbols <= 8 && marks <= MOST_MARKS {
        Pass::new(word, symbols).run()
    } else {
        one_by_one(word, symbols, variant)
    }
}

/// The plain way: look at each longer word.
fn one_by_one(word: &[u8], symbols: usize, variant: Variant) -> Children {
    let fits = all(word, symbols, variant);
    let mut totals = vec![0; fits.len() * symbols];
    let mut longer = word.to_vec();
    for (gap, &fit) in fits.iter().enumerate() {
        for symbol in each(fit) {
            longer.insert(gap, symbol);
            totals[gap * symbols + usize::from(symbol)] = total(&all(&longer, symbols, variant));
            longer.remove(gap);
        }
    }
    Children {
        fits,
        totals,
        symbols,
    }
}

struct Pass<'a> {
    word: &'a [u8],
    symbols: usize,
    fits: Vec<u64>,
    /// For each gap and symbol that does not fit: the rightmost start and the leftmost end of a square.
    start: Vec<i32>,
    end: Vec<i32>,
    /// For each gap and symbol put there: how many pairs became forbidden that were not before.
    fresh: Vec<u32>,
    /// Which pairs were counted: a byte of symbols for each triple of gap, symbol and gap.
    marks: Vec<u8>,
}

impl<'a> Pass<'a> {
    fn new(word: &'a [u8], symbols: usize) -> Pass<'a> {
        let n = word.len();
        let pairs = (n + 1) * symbols;
        Pass {
            word,
            symbols,
            fits: vec![full(symbols); n + 1],
            start: vec![-1; pairs],
            end: vec![i32::MAX; pairs],
            fresh: vec![0; pairs],
            marks: vec![0; pairs * (n + 2)],
        }
    }

    fn run(mut self) -> Children {
        let n = self.word.len();
        let planes = Planes::new(self.word);
        let mut runs: [Runs; 3] = Default::default();
        let mut work = Vec::new();
        // Periods that can close a square with one symbol come first: what is carried over must be
        // known before fresh pairs are counted.
        let echoes = Echoes::new(self.word);
        let mut alive = Vec::new();
        let mut measured = usize::MAX;
        for p in 1..=n / 2 + 1 {
            let third = (p.max(2) - 2).div_ceil(3);
            let may = |d: usize, least: usize| echoes.may_have(d, least);
            if !(may(p - 1, third) || may(p, third) || (p >= 2 && may(p - 2, third))) {
                continue;
            }
            alive.push(p);
            let half = (p - 1).div_ceil(2);
            if !may(p - 1, half) && !may(p, half) {
                continue;
            }
            let [_, near, far] = &mut runs;
            std::mem::swap(near, far);
            if measured != p - 1 {
                planes.agree(p - 1, &mut work);
                near.measure(&work, n);
            }
            planes.agree(p, &mut work);
            far.measure(&work, n);
            measured = p;
            self.one_hole(p, &runs[1], &runs[2]);
        }
        for gap in 0..=n {
            for symbol in 0..self.symbols as u8 {
                self.count(gap, symbol, gap, symbol);
            }
        }
        let mut known = [usize::MAX; 3];
        for p in alive.into_iter().filter(|&p| p >= 2) {
            // Runs of the diagonals p-2, p-1 and p, kept from the period before where they were measured.
            while known[0] != p - 2 && known.contains(&(p - 2)) {
                known.rotate_left(1);
                runs.rotate_left(1);
            }
            for (slot, d) in (p - 2..=p).enumerate() {
                if known[slot] != d {
                    planes.agree(d, &mut work);
                    runs[slot].measure(&work, n);
                    known[slot] = d;
                }
            }
            self.two_holes(p, &runs);
        }
        self.finish()
    }

    fn one_hole(&mut self, p: usize, near: &Runs, far: &Runs) {
        let n = self.word.len();
        let need = p - 1;
        for gap in 0..=n {
            if gap + p <= n {
                let (left, right) = (
                    (near.before[gap] as usize).min(need),
                    far.after[gap] as usize,
                );
                if left + right >= need {
                    let start = gap - (need - right.min(need));
                    self.forbid(gap, self.word[gap + p - 1], start, gap - left + 2 * p - 1);
                }
            }
            if gap >= p {
                let (left, right) = (
                    far.before[gap - p] as usize,
                    (near.after[gap - p + 1] as usize).min(need),
                );
                if left + right >= need {
                    let end = gap + (need - left.min(need));
                    self.forbid(gap, self.word[gap - p], gap + right - (2 * p - 1), end);
                }
            }
        }
    }

    fn forbid(&mut self, gap: usize, symbol: u8, start: usize, end: usize) {
        self.fits[gap] &= !(1 << symbol);
        let at = gap * self.symbols + usize::from(symbol);
        self.start[at] = self.start[at].max(start as i32);
        self.end[at] = self.end[at].min(end as i32);
    }

    fn two_holes(&mut self, p: usize, [back, near, far]: &[Runs; 3]) {
        let n = self.word.len();
        let need = p - 2;
        let enough = |left: u32, right: u32, m: usize| left as usize + right as usize + m >= need;
        for i in 0..=n {
            if i + p <= n + 1 {
                // Both holes in the left half.
                for m in 0..=(near.after[i] as usize).min(need) {
                    let j = i + m;
                    if j + p > n {
                        break;
                    }
                    if i + p >= 2 && enough(back.before[i], far.after[j], m) {
                        self.count(i, self.word[i + p - 2], j, self.word[j + p - 1]);
                    }
                }
                // In different halves, the partner q of the second hole left of the first hole.
                if i >= 1 {
                    for m in 0..=(back.before[i] as usize).min(need).min(i - 1) {
                        let q = i - 1 - m;
                        let j = q + p - 1;
                        if j <= n && enough(near.before[q], near.after[i], m) {
                            self.count(i, self.word[i + p - 2], j, self.word[q]);
                        }
                    }
                }
            }
            if i + p <= n {
                // In different halves, the partner q of the second hole right of the first hole.
                for m in 0..=(far.after[i] as usize).min(need) {
                    let q = i + m;
                    if q + p > n {
                        break;
                    }
                    if enough(near.before[i], near.after[q + 1], m) {
                        self.count(i, self.word[i + p - 1], q + p, self.word[q]);
                    }
                }
            }
            if i >= p {
                // Both holes in the right half.
                let from = i - p;
                for m in 0..=(near.after[from + 1] as usize).min(need) {
                    let j = i + m;
                    if j > n {
                        break;
                    }
                    if enough(far.before[from], back.after[from + m + 2], m) {
                        self.count(i, self.word[from], j, self.word[j + 1 - p]);
                    }
                }
            }
        }
    }

    /// A two-hole square: `x` in gap `i`, and to its right `y` in gap `j`.
    fn count(&mut self, i: usize, x: u8, j: usize, y: u8) {
        let (first, second) = (
            i * self.symbols + usize::from(x),
            j * self.symbols + usize::from(y),
        );
        let row = self.word.len() + 2;
        if self.fits[i] & 1 << x != 0 && self.start[second] < i as i32 {
            let mark = &mut self.marks[first * row + j + 1];
            self.fresh[first] += u32::from(*mark & 1 << y == 0);
            *mark |= 1 << y;
        }
        if self.fits[j] & 1 << y != 0 && self.end[first] > j as i32 {
            let mark = &mut self.marks[second * row + i];
            self.fresh[second] += u32::from(*mark & 1 << x == 0);
            *mark |= 1 << x;
        }
    }

    fn finish(self) -> Children {
        let n = self.word.len();
        // How many forbidden pairs survive a symbol in gap i, on its right and on its left.
        let mut right = vec![0u32; n + 3];
        let mut left = vec![0u32; n + 3];
        for (&start, &end) in self.start.iter().zip(&self.end) {
            if start >= 0 {
                right[start as usize] += 1;
                left[end as usize] += 1;
            }
        }
        for i in (0..n).rev() {
            right[i] += right[i + 1];
        }
        for i in 1..=n {
            left[i] += left[i - 1];
        }
        let most = ((n + 2) * self.symbols) as u64;
        let total = |at: usize| {
            let gap = at / self.symbols;
            most - u64::from(right[gap] + left[gap]) - u64::from(self.fresh[at])
        };
        let totals = (0..self.fresh.len()).map(|at| {
            if self.fits[at / self.symbols] >> (at % self.symbols) & 1 == 1 {
                total(at)
            } else {
                0
            }
        });
        Children {
            totals: totals.collect(),
            fits: self.fits,
            symbols: self.symbols,
        }
    }
}
