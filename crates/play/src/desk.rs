//! What a player has before them when it is their turn.

use wits_game::Dice;
use wits_search::{Budget, Recorder};

use crate::Thought;

/// What a player decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice<M> {
    /// Play this.
    Move(M),
    /// Give up.
    Resign,
}

/// The desk of a player for one decision: what it may spend, its dice, somebody who listens, and
/// perhaps a recorder that keeps every step.
pub struct Desk<'a, M> {
    /// What the decision may cost.
    pub budget: &'a Budget,
    /// The seat's own dice for this ply.
    pub dice: Dice,
    /// Somebody who listens to thoughts.
    pub tell: &'a mut (dyn FnMut(&Thought<M>) + Send),
    /// Where the steps go, if somebody wants to follow them.
    pub record: Option<&'a mut Recorder>,
}

impl<M> Desk<'_, M> {
    /// Says a thought, with the time it took so far.
    pub fn say(&mut self, thought: Thought<M>) {
        let millis = self.budget.elapsed().as_millis() as u64;
        (self.tell)(&Thought { millis, ..thought });
    }
}
