//! Tic-tac-toe: rules, notation, picture, symmetries and entry.

mod boxed;
mod entry;
mod rules;

pub use entry::entry;
pub use rules::{Board, ROWS, Square, TicTacToe};
