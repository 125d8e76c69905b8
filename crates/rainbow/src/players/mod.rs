//! Who can sit down: the document's five strategies and five hints, an exact player, a strong one,
//! and two for Breaker that follow an argument.

mod account;
mod by_pairing;
mod by_potential;
mod hints;
mod levels;
mod live;
mod perfect;
mod rule;
mod said;
mod sketch;
mod solved;
mod strong;

pub use by_pairing::ByPairing;
pub use by_potential::ByPotential;
pub use hints::{HINTS, Hint};
pub use levels::{LEVELS, Level};
pub use perfect::Perfect;
pub use said::Advice;
pub use strong::Strong;
