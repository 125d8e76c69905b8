//! The matchbox room: small games, and machines made of boxes and beads that learn them.
//!
//! - [`tictactoe`]: the game MENACE learns, and the small game that proves the whole house;
//! - [`hexapawn`]: the game HER learns, with a solver;
//! - [`Cabinet`], [`Machine`], [`Teaching`]: boxes, beads, and how a machine is taught;
//! - [`Preset`], [`Subject`]: the machines people know by name, and the games they learn;
//! - [`Edit`], [`Bench`]: changing boxes by hand, with undo;
//! - [`Chart`]: a whole game as numbers, for training and exact analysis.
#![forbid(unsafe_code)]

pub mod boxed;
mod cabinet;
mod chart;
mod edit;
mod file;
pub mod hexapawn;
mod machine;
pub mod perfect;
pub mod player;
mod subject;
mod survey;
mod teaching;
pub mod tictactoe;
mod words;

pub use boxed::{Boxed, NoSuchScheme, Scheme, Twins};
pub use cabinet::{Cabinet, Label};
pub use chart::{Chart, NO_BOX, Node};
pub use edit::{BadEdit, Bench, Difference, Edit, OtherBoxes, differences};
pub use file::{BadMachine, FILE_VERSION, MOST_BEADS};
pub use machine::{Drawn, Machine, Taught};
pub use subject::{Boxes, MOST_POSITIONS, NoSuchMachine, NoSuchSubject, Preset, Subject};
pub use survey::{Stand, Survey, TooLarge};
pub use teaching::{Punish, Teaching, Verdict};

/// The words of this room.
pub static WORDS: wits_game::Book = wits_game::Book::new(
    "matchbox",
    &[(wits_game::Lang::En, include_str!("../texts/en.txt"))],
);
