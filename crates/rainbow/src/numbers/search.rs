//! The most colours without a rainbow, by exhaustion.

use wits_search::Budget;

use super::sat;
use crate::series::{all_series, greatest_step};

/// Longer strips are left to the SAT solver: the cells to fill grow about threefold with each number, its conflicts more slowly.
const PLAIN: usize = 24;

/// The longest strip that the search takes: one bit for each colour.
pub const MOST_SEARCHED: u32 = 64;

/// The most colours of a strip without a rainbow, with a colouring that has them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Most {
    /// How many colours.
    pub colours: u32,
    /// A colouring with so many and no rainbow, colours named from 1 in order of appearance.
    pub witness: Vec<u32>,
    /// Cells that were filled to find it and to prove that there is no better; on longer strips conflicts of the SAT solver.
    pub nodes: u64,
}

/// Finds the most colours of `1..=n` without a rainbow of `k`, for `n` from 1 upwards.
///
/// Cells are filled from the left with colours in order of first appearance. A cell that ends a
/// progression whose other numbers all differ must repeat one of their colours: the masks of these
/// progressions, intersected, are the colours it may have. The lengths already solved bound the rest: a
/// strip's last `m` cells can show at most as many colours as a strip of length `m` does (Russian
/// dolls, Verfaillie, Lemaître and Schiex 1996). Strips of more than [`PLAIN`] numbers go to a SAT solver with the same bounds.
pub struct Search {
    k: u32,
    /// By length, from 0.
    solved: Vec<Most>,
}

impl Search {
    /// A search for rainbows of `k`.
    pub fn new(k: u32) -> Search {
        Search {
            k,
            solved: vec![Most {
                colours: 0,
                witness: Vec::new(),
                nodes: 0,
            }],
        }
    }

    /// The length of rainbows.
    pub const fn k(&self) -> u32 {
        self.k
    }

    /// The answer for `n`, solving every shorter length on the way; nothing if the budget ends first.
    /// What was solved is kept, so asking again goes on.
    ///
    /// # Panics
    /// When `n` is above [`MOST_SEARCHED`].
    pub fn most(&mut self, n: u32, budget: &Budget) -> Option<&Most> {
        assert!(n <= MOST_SEARCHED, "one bit for each colour");
        let mut spent = 0;
        while self.solved.len() <= n as usize {
            let next = self.next(budget, &mut spent)?;
            self.solved.push(next);
        }
        self.solved.get(n as usize)
    }

    /// The lengths solved so far.
    pub fn reached(&self) -> u32 {
        self.solved.len() as u32 - 1
    }

    /// Solves one length more than the longest so far.
    fn next(&self, budget: &Budget, spent: &mut u64) -> Option<Most> {
        let n = self.solved.len();
        if n > PLAIN {
            return self.next_by_sat(n, budget, spent);
        }
        let shorter = &self.solved[n - 1];
        // One cell more adds at most one colour.
        let goal = shorter.colours + 1;
        let mut fill = Fill {
            k: self.k as usize,
            n,
            cells: vec![0; n],
            bounds: (0..=n)
                .map(|m| self.solved.get(m).map_or(goal, |most| most.colours))
                .collect(),
            want: 1,
            best: Vec::new(),
            goal,
            nodes: 0,
            before: *spent,
            budget,
        };
        fill.fill(0, 0)?;
        *spent += fill.nodes;
        let names: Vec<u32> = fill.best.iter().map(|&c| u32::from(c) + 1).collect();
        Some(Most {
            colours: fill.want - 1,
            witness: names,
            nodes: fill.nodes,
        })
    }

    /// One number more adds one colour at most, and may take some away: the longer strip has more progressions.
    fn next_by_sat(&self, n: usize, budget: &Budget, spent: &mut u64) -> Option<Most> {
        let k = self.k;
        let progressions: Vec<Vec<u32>> = all_series(n as u32, k)
            .map(|series| series.numbers(k).collect())
            .collect();
        let most: Vec<u32> = self.solved.iter().map(|most| most.colours).collect();
        let mut colours = most[n - 1] + 1;
        let mut nodes = 0;
        loop {
            let search = sat::colours(n, &progressions, colours as usize, &most, *spent, budget)?;
            *spent += sat::CELLS * search.conflicts;
            nodes += search.conflicts;
            if let Some(witness) = search.found {
                let colours = witness.iter().max().copied().unwrap_or(0);
                return Some(Most {
                    colours,
                    witness,
                    nodes,
                });
            }
            colours -= 1;
        }
    }
}

struct Fill<'a> {
    k: usize,
    n: usize,
    cells: Vec<u8>,
    /// By length: the most colours of a strip so long.
    bounds: Vec<u32>,
    /// Look for at least so many colours.
    want: u32,
    best: Vec<u8>,
    goal: u32,
    nodes: u64,
    before: u64,
    budget: &'a Budget,
}

impl Fill<'_> {
    /// Fills the cells from `at` on, with `used` colours so far. `None` when the budget ends.
    fn fill(&mut self, at: usize, used: u32) -> Option<()> {
        if self.want > self.goal || used + self.bounds[self.n - at] < self.want {
            return Some(());
        }
        if at == self.n {
            self.best.clone_from(&self.cells);
            self.want = used + 1;
            return Some(());
        }
        if self.budget.spent(self.before + self.nodes) {
            return None;
        }
        self.nodes += 1;
        let (allowed, free) = allowed(&self.cells, at, self.k, used);
        if self.hopeless(at, used) {
            return Some(());
        }
        // A fresh colour first: it leads to many colours soonest.
        if free {
            self.cells[at] = used as u8;
            self.fill(at + 1, used + 1)?;
        }
        let mut rest = allowed;
        while rest != 0 {
            self.cells[at] = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            self.fill(at + 1, used)?;
        }
        Some(())
    }

    /// Whether too few of the next cells can be fresh. A cell that ends a progression whose other numbers are
    /// filled and all differ must repeat one of them, and may be left with no colour at all; the cells behind those looked at show what a strip of their length can.
    fn hopeless(&self, at: usize, used: u32) -> bool {
        let mut fresh = 0;
        for next in at..self.n.min(at + LOOK_AHEAD) {
            let left = self.left(at, next);
            if left == 0 {
                return true;
            }
            fresh += u32::from(left == u64::MAX);
            if used + fresh + self.bounds[self.n - next - 1] < self.want {
                return true;
            }
        }
        false
    }

    /// The colours that the cells before `at` leave to cell `next`; all bits where they ask nothing of it.
    fn left(&self, at: usize, next: usize) -> u64 {
        let steps = next - at + 1..=greatest_step(next as u32 + 1, self.k as u32) as usize;
        steps.into_iter().fold(u64::MAX, |left, step| {
            let mask = (1..self.k).fold(0u64, |mask, i| mask | 1 << self.cells[next - i * step]);
            if mask.count_ones() as usize == self.k - 1 {
                left & mask
            } else {
                left
            }
        })
    }
}

/// How many cells ahead are looked at for forced ones.
const LOOK_AHEAD: usize = 8;

/// The colours that cell `at` may have after the cells before it, and whether a fresh one is among them.
pub(super) fn allowed(cells: &[u8], at: usize, k: usize, used: u32) -> (u64, bool) {
    let mut allowed = u64::MAX >> (64 - used.max(1)) & if used == 0 { 0 } else { u64::MAX };
    let mut free = true;
    for step in 1..=greatest_step(at as u32 + 1, k as u32) as usize {
        let mut mask = 0u64;
        for i in 1..k {
            mask |= 1 << cells[at - i * step];
        }
        if mask.count_ones() as usize == k - 1 {
            allowed &= mask;
            free = false;
            if allowed == 0 {
                break;
            }
        }
    }
    (allowed, free)
}
