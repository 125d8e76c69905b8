//! The anti-van der Waerden number, with how it is known.

use serde::Serialize;
use wits_search::Budget;

use super::closed::{aw_of_three, witness_of_three};
use super::search::{MOST_SEARCHED, Search};
use crate::terms::{BadTerms, range};

/// How a number is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// By exhaustion: a witness below, and no colouring at it.
    Search,
    /// From a closed form.
    Formula,
    /// Only bounds are known.
    Bound,
}

/// An anti-van der Waerden number.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Aw {
    /// How many numbers.
    pub n: u64,
    /// How long a rainbow is.
    pub k: u64,
    /// The number; nothing where only bounds are known.
    pub aw: Option<u64>,
    /// It is at least this.
    pub at_least: u64,
    /// It is at most this.
    pub at_most: u64,
    /// A colouring with `at_least - 1` colours and no rainbow; nothing on strips too long to write.
    pub witness: Option<Vec<u32>>,
    /// How it is known.
    pub method: Method,
    /// Cells filled by the search, on longer strips conflicts of the SAT solver; those for shorter strips included.
    pub nodes: u64,
}

/// Longer witnesses are not written.
const MOST_WITNESS: u64 = 1_000_000;

/// Finds aw(n, k), or bounds of it if the budget ends first.
///
/// | case | how |
/// | --- | --- |
/// | `k = 2` | 2: two colours anywhere are a rainbow of two |
/// | `n <= 2k - 2` | `n`: only step 1 fits, and all its progressions share two numbers, which get one colour |
/// | `k = 3` | the closed form |
/// | else | search up to [`MOST_SEARCHED`] numbers; beyond, bounds from the longest strip solved |
///
/// With `exhaust` the closed forms are left aside where the search can reach, so that they can be checked.
///
/// # Errors
/// When `n` is below 2 or `k` is not from 2 to `n`.
pub fn aw(n: u64, k: u64, exhaust: bool, budget: &Budget) -> Result<Aw, BadTerms> {
    range("n", n, 2, 1_000_000_000_000_000_000)?;
    range("k", k, 2, n)?;
    let formula = |aw: u64, witness: &dyn Fn() -> Option<Vec<u32>>| Aw {
        n,
        k,
        aw: Some(aw),
        at_least: aw,
        at_most: aw,
        witness: if n <= MOST_WITNESS { witness() } else { None },
        method: Method::Formula,
        nodes: 0,
    };
    if !(exhaust && n <= u64::from(MOST_SEARCHED)) {
        if k == 2 {
            return Ok(formula(2, &|| Some(vec![1; n as usize])));
        }
        if n <= 2 * k - 2 {
            return Ok(formula(n, &|| Some(one_pair(n as u32, k as u32))));
        }
        if k == 3
            && let Some(aw) = aw_of_three(n)
        {
            return Ok(formula(aw.into(), &|| witness_of_three(n as u32)));
        }
    }
    let mut search = Search::new(k as u32);
    let reach = n.min(MOST_SEARCHED.into()) as u32;
    let solved = search.most(reach, budget).is_some() && n == u64::from(reach);
    let reached = search.reached();
    Ok(from_search(&mut search, n, reached, solved))
}

/// All different but two numbers that every window of `k` holds.
fn one_pair(n: u32, k: u32) -> Vec<u32> {
    (1..=n)
        .map(|x| if x > k { x - 1 } else { x.min(k - 1) })
        .collect()
}

/// The number from a search that has solved `reached` lengths, `n` among them or not.
pub(super) fn from_search(search: &mut Search, n: u64, reached: u32, solved: bool) -> Aw {
    let k = u64::from(search.k());
    let mut nodes = 0;
    let mut colours = 0;
    let mut witness = Vec::new();
    for length in 0..=reached {
        if let Some(most) = search.most(length, &Budget::endless()) {
            nodes += most.nodes;
            if length == reached {
                colours = u64::from(most.colours);
                witness.clone_from(&most.witness);
            }
        }
    }
    let at_least = colours + 1;
    if solved {
        let (aw, witness) = (Some(at_least), Some(witness));
        return Aw {
            n,
            k,
            aw,
            at_least,
            at_most: at_least,
            witness,
            method: Method::Search,
            nodes,
        };
    }
    // Every number more adds at most one colour; and fewer than k colours have no rainbow.
    let at_most = (at_least + (n - u64::from(reached))).min(n).max(k);
    Aw {
        n,
        k,
        aw: None,
        at_least: k,
        at_most,
        witness: None,
        method: Method::Bound,
        nodes,
    }
}
