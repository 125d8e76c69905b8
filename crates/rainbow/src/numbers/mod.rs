//! The anti-van der Waerden numbers: how many colours force a rainbow, however they are spread.
//!
//! aw(n, k) is the least `r` such that every colouring of `1..=n` with exactly `r` colours has a
//! rainbow progression of `k`; in other words one more than the most colours that avoid it. It is found
//! by [`aw`]: from the closed form where there is one, else by an exhaustive search, on longer strips by a
//! SAT solver (`sat`), that leaves a witness for aw - 1 colours and, by its end, a proof that aw colours have none.

mod aw;
mod check;
mod closed;
mod colouring;
mod count;
mod published;
pub(crate) mod sat;
mod search;
mod table;

pub use aw::{Aw, Method, aw};
pub use check::{Checked, check};
pub use closed::{aw_of_three, witness_of_three};
pub use colouring::{BadColouring, Colouring};
pub use count::{Counted, count};
pub use published::{Board, SOURCE, Value, published, values_published};
pub use search::{MOST_SEARCHED, Most, Search};
pub use table::{Row, Table};
