//! Looking for rainbows in a colouring.

use serde::Serialize;

use super::colouring::Colouring;
use crate::series::{Series, all_series};
use crate::terms::{BadTerms, range};

/// What was found in a colouring.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Checked {
    /// How many numbers.
    pub n: u32,
    /// How long a rainbow is.
    pub k: u32,
    /// How many different colours.
    pub colours: u32,
    /// How many numbers have none.
    pub uncoloured: u32,
    /// Whether there is no rainbow.
    pub free: bool,
    /// How many rainbows there are.
    pub count: u64,
    /// The rainbows, by step and start; the first so many that were asked for.
    pub rainbows: Vec<Series>,
    /// The longest rainbow progression of any length: the first by step and start.
    pub longest: Longest,
}

/// A longest rainbow progression.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Longest {
    /// How many numbers it has; 1 where no two numbers differ, 0 where nothing is coloured.
    pub length: u32,
    /// The distance of neighbours; 1 for a single number.
    pub step: u32,
    /// Its least number.
    pub start: u32,
}

/// Finds every rainbow progression of `k`, and a longest one of any length.
///
/// # Complexity
/// O(n^2 / k) progressions, each looked at until a colour repeats; the longest one by moving windows along
/// each residue of each step, O(n^2) in all.
///
/// # Errors
/// When `k` is below 2 or above the number of cells.
pub fn check(colouring: &Colouring, k: u32, most: usize) -> Result<Checked, BadTerms> {
    let cells = colouring.colours();
    let n = cells.len() as u32;
    range("k", k.into(), 2, n.into())?;
    let mut seen = Stamps::new(cells);
    let mut count = 0;
    let mut rainbows = Vec::new();
    for series in all_series(n, k) {
        if seen.differ(series.numbers(k).map(|x| cells[x as usize - 1])) {
            count += 1;
            if rainbows.len() < most {
                rainbows.push(series);
            }
        }
    }
    let mut palette: Vec<u16> = cells.iter().copied().filter(|&c| c != 0).collect();
    let coloured = palette.len() as u32;
    palette.sort_unstable();
    palette.dedup();
    Ok(Checked {
        n,
        k,
        colours: palette.len() as u32,
        uncoloured: n - coloured,
        free: count == 0,
        count,
        rainbows,
        longest: longest(cells),
    })
}

/// Tells whether colours differ, without clearing anything in between.
struct Stamps {
    stamps: Vec<u64>,
    now: u64,
}

impl Stamps {
    fn new(cells: &[u16]) -> Stamps {
        let most = cells.iter().max().copied().unwrap_or(0);
        Stamps {
            stamps: vec![0; usize::from(most) + 1],
            now: 0,
        }
    }

    fn differ(&mut self, colours: impl Iterator<Item = u16>) -> bool {
        self.now += 1;
        for colour in colours {
            let stamp = &mut self.stamps[usize::from(colour)];
            if colour == 0 || *stamp == self.now {
                return false;
            }
            *stamp = self.now;
        }
        true
    }
}

/// The longest progression of different colours. For each step and residue a window moves along whose colours
/// differ: its right end goes on, its left end jumps behind the last number of the same colour.
fn longest(cells: &[u16]) -> Longest {
    let n = cells.len();
    let mut best = Longest {
        length: 0,
        step: 1,
        start: 1,
    };
    let mut last: Vec<usize> = Vec::new();
    let most = cells.iter().max().copied().unwrap_or(0);
    for step in 1..n.max(2) {
        // A progression of this step has at most so many numbers.
        if ((n - 1) / step + 1) as u32 <= best.length {
            break;
        }
        for residue in 0..step.min(n) {
            last.clear();
            last.resize(usize::from(most) + 1, usize::MAX);
            let mut left = 0;
            for (place, at) in (residue..n).step_by(step).enumerate() {
                let colour = usize::from(cells[at]);
                if colour == 0 {
                    left = place + 1;
                    continue;
                }
                if last[colour] != usize::MAX && last[colour] >= left {
                    left = last[colour] + 1;
                }
                last[colour] = place;
                let length = (place + 1 - left) as u32;
                if length > best.length {
                    let start = (residue + left * step) as u32 + 1;
                    best = Longest {
                        length,
                        step: step as u32,
                        start,
                    };
                }
            }
        }
    }
    best
}
