//! The matchbox room: small games, and machines made of boxes and beads that learn them.
//!
//! - [`tictactoe`]: the game MENACE learns, and the small game that proves the whole house;
//! - [`hexapawn`]: the game HER learns, with a solver;
//! - [`mini`]: six more small games, among them Nim and Chomp;
//! - [`graph`]: any other small game of the catalog, with the symmetries found in it;
//! - [`Cabinet`], [`Machine`], [`Teaching`]: boxes, beads, and how a machine is taught;
//! - [`Preset`], [`Subject`]: the machines people know by name, and the games they learn;
//! - [`Edit`], [`Bench`]: changing boxes by hand, with undo;
//! - [`Chart`]: a whole game as numbers, for training and exact analysis.
#![forbid(unsafe_code)]

pub mod boxed;
mod cabinet;
mod chance;
mod chart;
mod compare;
mod edit;
mod exact;
mod file;
pub mod graph;
pub mod growth;
pub mod hexapawn;
mod learner;
mod life;
mod machine;
pub mod maxsum;
pub mod mini;
mod opponent;
pub mod perfect;
pub mod player;
mod ratio;
mod stats;
mod subject;
mod survey;
pub mod svg;
mod teaching;
mod telling;
pub mod tictactoe;
mod train;
pub mod verbs;
mod words;

pub use boxed::{Boxed, NoSuchScheme, Scheme, Twins};
pub use cabinet::{Cabinet, Label};
pub use chance::{Chances, chances};
pub use chart::{Chart, NO_BOX, Node};
pub use compare::{Comparison, Row, compare, compare_learners, usual_opponents, usual_teachings};
pub use edit::{BadEdit, Bench, Difference, Edit, OtherBoxes, differences};
pub use exact::{Exact, Expectation, Losses, MOST_LOSING, NotExact, Rival};
pub use file::{BadMachine, FILE_VERSION, MOST_BEADS};
pub use graph::{Graph, NoGraph};
pub use learner::{Learning, Method, NoSuchMethod};
pub use machine::{Drawn, Machine, Taught};
pub use opponent::{NoSuchOpponent, Opponent};
pub use ratio::Ratio;
pub use stats::{Band, Summary, Sums};
pub use subject::{Boxes, MOST_POSITIONS, NoSuchMachine, NoSuchSubject, Preset, Subject};
pub use survey::{Stand, Survey, TooLarge};
pub use teaching::{Punish, Teaching, Verdict};
pub use train::{Course, Point, Trained, school, train};

/// The words of this room.
pub static WORDS: wits_game::Book = wits_game::Book::new(
    "matchbox",
    &[
        (wits_game::Lang::En, include_str!("../texts/en.txt")),
        (wits_game::Lang::Pl, include_str!("../texts/pl.txt")),
        (wits_game::Lang::Cs, include_str!("../texts/cs.txt")),
    ],
);
