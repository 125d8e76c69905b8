//! The game solved: who wins under perfect play, by which move, and how large the proof is.
//!
//! [`Solver`] answers for boards of up to [`Solver::MOST_NUMBERS`] numbers, inside a budget. It rests
//! on five facts, each small enough to check by hand:
//!
//! 1. **Only live series matter.** A painted number in no live series may have any colour; an uncoloured
//!    one is a place to pass. Colours that are left only on such numbers are as good as never used.
//! 2. **Of passes only the parity matters.** Whoever wins with some passes also wins with two more: the
//!    opponent's extra pass is answered by the other one.
//! 3. **With colours to spare, Maker paints fresh and Breaker never does.** Call a colouring finer than another if equal
//!    colours in it are equal in the other, too. Every reply of Breaker in the finer one can be copied in the coarser one, and a
//!    rainbow in the coarser is one in the finer, so finer is never worse for Maker.
//! 4. **A Breaker who wins with unlimited colours wins with any number of them,** because by 3 that win never
//!    needs a second fresh colour.
//!
//! 5. **A pairing wins.** With Maker to move and every live series containing a pair of uncoloured numbers, Breaker answers on the partner;
//!    the numbers left must be even in number (see [`crate::pairing`]).
//!
//! Positions are remembered up to renaming the colours and reading the strip backwards.

mod check;
mod lines;
mod node;
mod paired;
mod proof;
mod reason;
mod solver;
mod table;

pub use check::{Checked, Fault};
pub(crate) use lines::ones;
pub use proof::ProofSize;
pub(crate) use reason::Reason;
pub use solver::{Solved, Solver};
