//! The machines: greedy, the thesis's heuristics, leaves, simulation, exact endings, levels.

pub mod before;
mod bout;
pub mod duel;
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
pub mod solver;
mod telling;
pub mod thesis;
pub mod trial;
pub mod wins;

pub use bout::{Bout, Rack, Step};
pub use klv::BadKlv;
pub use leaves::{BadLeaves, Leaves};
pub use level::Level;
pub use rating::{Rated, best_step, best_step_by, best_swap, candidates, greedy_step, kept_for};
pub use sight::{Sight, as_move};
pub use sim::{Sim, SimOptions, contenders};
pub use simple::{Greedy, Leave};
pub use solver::{Solution, Solver};
pub use thesis::Thesis;
pub use trial::{Trial, Tried, Yardsticks};
pub use wins::Wins;
