//! The exact solver of the insertion game: who wins, how fast, and the proof.
//!
//! The value of a game is the number of picks the Builder needs, the fatal one counted. It is found by asking
//! for each depth whether the Builder can force the end within so many picks. Positions that are
//! the same up to renaming symbols and reading backwards are looked at once (`table`); a won game comes with a
//! strategy that can be checked by a program that shares no code with this search (`certificate`, `verify`).
//! A depth that is not enough comes with the Painter's answers, in pieces (`refutation`, `check`).

mod certificate;
mod check;
mod holes;
mod lanes;
mod refutation;
mod search;
mod small;
mod table;
mod verify;

pub use certificate::{BadCertificate, Certificate};
pub use check::{PieceVerdict, Proof, check_piece, complete};
pub use refutation::{Piece, refutation};
pub use search::{Depth, Solver, SolverError, Value};
pub use table::BadTable;
pub use verify::{Verdict, verify};

/// The largest alphabet that the exact search takes.
pub const MOST_SYMBOLS: usize = small::Small::MOST_SYMBOLS;
