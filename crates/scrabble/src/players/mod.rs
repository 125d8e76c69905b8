//! The machines: greedy, the thesis's heuristics, leaves, simulation, exact endings, levels.

pub mod before;
mod bout;
pub mod ending;
mod klv;
pub mod learn;
mod leaves;
pub mod level;
mod race;
mod rating;
mod sight;
pub mod sim;
mod simple;
mod telling;
pub mod thesis;

pub use bout::{Bout, Rack, Step};
pub use klv::BadKlv;
pub use leaves::{BadLeaves, Leaves};
pub use level::Level;
pub use rating::{Rated, best_step, best_swap, candidates, greedy_step, kept_for};
pub use sight::{Sight, as_move};
pub use sim::{Sim, SimOptions};
pub use simple::{Greedy, Leave};
pub use thesis::Thesis;
