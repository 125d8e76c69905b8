//! For whose eyes something is written.

use serde::{Deserialize, Serialize};

use crate::Seat;

/// The reader of a move, a view or an event. What a reader may not know is left out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Eyes {
    /// Everything: the record on disk, and everybody once the game is over.
    All,
    /// What one seat may know.
    Seat(Seat),
    /// What a passer-by may know.
    Public,
}
