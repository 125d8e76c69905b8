//! Mini-games: seven small games on a board of at most sixteen cells, each solved exactly and learned by boxes.
//!
//! | game | a move | the end |
//! | --- | --- | --- |
//! | `chomp` | eat a square and everything below and to the right of it | who eats a1 loses |
//! | `nim` | take any number from one heap | who takes the last wins |
//! | `tactix` | take neighbours in one row or column (Piet Hein's game, in Gardner's column) | who takes the last loses |
//! | `domineering` | place a domino: the first upright, the second flat | who cannot move loses |
//! | `notakto` | mark a square, both with the same mark | who completes three in a row loses |
//! | `connect3` | drop a disc into a column | three in a row win |
//! | `mnk` | mark a cell, each side with its own mark | so many in a row win |
//!
//! In all of them a position is which cells are marked and who moves, a move marks some more, so no position comes back. The symmetries of
//! a game are found, not written down: of the turns and mirror images of its board those that keep its rules.

mod boxed;
mod entry;
mod game;
mod rules;
mod solved;

pub use entry::{chomp, connect3, domineering, mnk, nim, notakto, tactix};
pub use game::{Cells, Position};
pub use rules::{Kind, Mini, NoSuchBoard};
pub use solved::{Solved, boards};
