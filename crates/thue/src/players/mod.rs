//! Who plays the insertion game.

mod account;
mod levels12;
pub mod naive;
mod nested;
mod perfect;
mod round;
pub mod scores;

pub use levels12::{Element, Levels12, Scheme};
pub use nested::{Nested, ask};
pub use perfect::Perfect;
pub use round::{Decision, Round, play_round};
