//! The searches, one to a file.

pub mod bags;
mod book;
mod changes;
pub mod corridor;
pub mod csa;
pub mod expanded;
pub mod follow;
pub mod heuristic;
pub mod profile;
pub mod raptor;
pub mod sweep;
pub mod timedep;
pub mod tripbased;
pub mod walking;

pub use bags::{Bags, Way};
pub use changes::Changes;
pub use corridor::Corridor;
pub use csa::Scan;
pub use expanded::{Aim, Expanded, ExpandedSearch};
pub use follow::{Follow, Mirrored};
pub use heuristic::{Estimates, Heuristic, Unit};
pub use profile::{Chance, Profiles};
pub use raptor::Raptor;
pub use sweep::{Price, Stair, Sweep};
pub use timedep::TimeDependent;
pub use tripbased::TripBased;
pub use walking::WalkingRaptor;
