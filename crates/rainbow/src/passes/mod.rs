//! The game in which Breaker may pass, and what it says about every longer board.
//!
//! Passing can only help Breaker, so a Maker who wins here also wins the game itself. He wins it on longer boards, too: he stays on
//! the first `n` numbers, and a move of Breaker beyond them is a pass. The same strategy answers every Breaker who begins, if
//! he may begin with a pass. So one search of a short board decides all boards from there on, whoever moves first.
//!
//! The other way round a pairing wins for Breaker here whatever the parity: he answers on the partner, and passes where there is
//! none. For `k = 3, 4, 5` the two arguments meet: Maker wins on the first board without a pairing.
//!
//! **Zones.** The strategy that beats a pass uses some progressions only. Their numbers are its *zone*. Any move of Breaker outside
//! the zone leaves that strategy as it is, so only moves inside it need an answer (the zone of a position with Breaker to move is then that of
//! the pass joined with those of the answers). On long boards zones keep the search as small as on short ones.
//!
//! **Colours.** Every number that is coloured inside the zone brings one colour at most, so as many colours as the longest line has moves
//! are enough ([`Outcome::colours`]). As in [`crate::exact`] Maker paints fresh and Breaker in a colour that is there.
//!
//! - [`Solver`] searches, on as many threads as wanted, and keeps what it proved;
//! - [`check`] believes nothing but Maker's moves: it plays them against every reply, with rules written again.

mod check;
mod position;
mod search;
mod table;

pub use check::{Checked, Fault, check};
pub use search::{Outcome, Solver};

use std::sync::OnceLock;

use wits_search::{Budget, Limits};

use crate::pairing;
use crate::terms::Side;

/// Positions that a forecast may look at here: below a second.
const FORECAST_NODES: u64 = 300_000;

/// A board on which Maker wins although Breaker may pass, where a short search shows one: then he wins on `1..=n` and on every longer
/// board with [`Outcome::colours`] colours or more, whoever moves first.
pub fn maker_wins(n: u32, k: u32, budget: &Budget) -> Option<Outcome> {
    /// For progressions of three, four and five.
    static FOUND: [OnceLock<Outcome>; 3] = [const { OnceLock::new() }; 3];
    // Rainbows of six take millions of positions.
    let found = FOUND.get(k.checked_sub(3)? as usize)?;
    let paired = |n: u32| {
        let found = pairing::find(n, k, &Budget::endless());
        found.pairing().is_some()
    };
    let first = (k..=u32::MAX).find(|&n| !paired(n))?;
    if n < first {
        return None;
    }
    if let Some(outcome) = found.get() {
        return Some(*outcome);
    }
    let budget = budget.within(Limits::nodes(FORECAST_NODES));
    let mut solver = Solver::sized(first, k, FORECAST_NODES as usize)?;
    let outcome = solver.solve(Side::Breaker, 1, &budget)?;
    let won = (outcome.winner == Side::Maker).then_some(outcome)?;
    Some(*found.get_or_init(|| won))
}
