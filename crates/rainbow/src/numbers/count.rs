//! Counting colourings without a rainbow.

use serde::Serialize;
use wits_search::Budget;

use super::search::{MOST_SEARCHED, Search, allowed};
use crate::terms::{BadTerms, range};

/// How many colourings there are.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Counted {
    /// How many numbers.
    pub n: u32,
    /// How long a rainbow is.
    pub k: u32,
    /// Exactly how many colours.
    pub r: u32,
    /// Colourings without a rainbow, up to renaming the colours. A lower bound unless `complete`.
    pub count: u128,
    /// Whether all were counted before the budget ended.
    pub complete: bool,
    /// Cells that were filled.
    pub nodes: u64,
}

/// Counts the colourings of `1..=n` with exactly `r` colours and no rainbow of `k`, up to renaming.
///
/// With fewer than `k` colours none is a rainbow, and the count is a Stirling number of the second kind.
///
/// # Errors
/// When `k`, `n` or `r` is out of range; the error names it.
pub fn count(n: u32, k: u32, r: u32, budget: &Budget) -> Result<Counted, BadTerms> {
    range("n", n.into(), 2, MOST_SEARCHED.into())?;
    range("k", k.into(), 2, n.into())?;
    range("r", r.into(), 1, n.into())?;
    let mut counted = Counted {
        n,
        k,
        r,
        count: 0,
        complete: true,
        nodes: 0,
    };
    if r < k {
        counted.count = stirling(n, r);
        return Ok(counted);
    }
    let mut search = Search::new(k);
    // The shorter strips bound what the rest of a strip can show. Solving them is quick; where it is not, count without.
    let _ = search.most(n - 1, &budget.within(wits_search::Limits::nodes(2_000_000)));
    let reached = search.reached();
    let bounds = (0..=n)
        .map(|m| {
            let known = if m <= reached {
                search.most(m, budget).map(|most| most.colours)
            } else {
                None
            };
            known.unwrap_or(m)
        })
        .collect();
    let mut fill = Fill {
        n: n as usize,
        k: k as usize,
        r,
        cells: vec![0; n as usize],
        bounds,
        count: 0,
        nodes: 0,
        budget,
    };
    counted.complete = fill.fill(0, 0).is_some();
    counted.count = fill.count;
    counted.nodes = fill.nodes;
    Ok(counted)
}

/// In how many ways `n` things fall into `r` heaps.
fn stirling(n: u32, r: u32) -> u128 {
    let mut row = vec![0u128; r as usize + 1];
    row[0] = 1;
    for _ in 0..n {
        for heaps in (1..row.len()).rev() {
            row[heaps] = row[heaps]
                .saturating_mul(heaps as u128)
                .saturating_add(row[heaps - 1]);
        }
        row[0] = 0;
    }
    row[r as usize]
}

struct Fill<'a> {
    n: usize,
    k: usize,
    r: u32,
    cells: Vec<u8>,
    bounds: Vec<u32>,
    count: u128,
    nodes: u64,
    budget: &'a Budget,
}

impl Fill<'_> {
    fn fill(&mut self, at: usize, used: u32) -> Option<()> {
        if used + self.bounds[self.n - at] < self.r {
            return Some(());
        }
        if at == self.n {
            self.count += u128::from(used == self.r);
            return Some(());
        }
        if self.budget.spent(self.nodes) {
            return None;
        }
        self.nodes += 1;
        let (mut allowed, free) = allowed(&self.cells, at, self.k, used);
        while allowed != 0 {
            self.cells[at] = allowed.trailing_zeros() as u8;
            allowed &= allowed - 1;
            self.fill(at + 1, used)?;
        }
        if free && used < self.r {
            self.cells[at] = used as u8;
            self.fill(at + 1, used + 1)?;
        }
        Some(())
    }
}
