//! Looking ahead in games: minimax, alpha-beta, deepening, and playouts.
//!
//! | search | for | what it promises |
//! | --- | --- | --- |
//! | [`minimax`] | nothing hidden, one to four seats | the value of the whole tree to a depth |
//! | [`alphabeta`] | nothing hidden, two seats against each other | the same value and move, fewer positions |
//! | [`deepening`] | the same, under a clock | the same value depth by depth, an answer at any time |
//! | [`mcts`] | nothing hidden, one to four seats, no judge needed | the best move in the limit |
//! | [`ismcts`] | anything, also hidden hands and chance | a good move against what might be hidden |
//! | [`strategy`] | solved positions | no search: the tree that shows why a move is as good as any |
//!
//! A worth always belongs to one seat, the one to move at the root, and is never flipped from ply to
//! ply: who moves is asked of the game at each position, so passes and double turns come out right.
//!
//! **Chance.** A game only promises to *deal*, not to list what chance can do. The tree searches
//! therefore look at a fixed sample of deals ([`DEALS`] of them, with equal ones counted
//! together, from dice that are the same at every position), take the average, and never call it proved.
//!
//! **Out of budget.** Every search returns the best it knows when its [`Budget`](crate::Budget) ends, marked as not
//! `complete`; where the seat to move has options, the answer is always one of them.

mod alphabeta;
mod deepening;
mod ground;
mod ismcts;
mod mcts;
mod minimax;
mod playout;
mod strategy;
mod table;
mod teller;

use wits_game::{Game, Seat};

use crate::Worth;

pub use teller::grouped;

pub use alphabeta::alphabeta;
pub use deepening::{DeepeningOptions, Order, deepening};
pub use ground::{DEALS, MOST_DEPTH};
pub use ismcts::ismcts;
pub use mcts::{MctsOptions, mcts};
pub use minimax::minimax;
pub use strategy::{Oracle, StrategyOptions, strategy};

/// What a search of a game found.
#[derive(Clone, PartialEq, Debug)]
pub struct Found<M> {
    /// The move to make; none only where the seat to move has no options.
    pub best: Option<M>,
    /// What the position is worth for the seat to move.
    pub worth: Worth,
    /// What is expected to be played, starting with `best`.
    pub line: Vec<M>,
    /// The moves of the root that were looked at, in the game's order, each with its worth for the
    /// seat to move. Searches that cut know only bounds of the moves they refused: trust `best`.
    pub moves: Vec<(M, Worth)>,
    /// How many positions were looked at.
    pub nodes: u64,
    /// How deep it looked, in plies.
    pub depth: u32,
    /// Whether it did all that was asked before the budget ended.
    pub complete: bool,
}

impl<M> Found<M> {
    /// Nothing to choose: only what the position is worth.
    fn nothing(worth: Worth) -> Found<M> {
        Found {
            best: None,
            worth,
            line: Vec::new(),
            moves: Vec::new(),
            nodes: 1,
            depth: 0,
            complete: true,
        }
    }
}

/// What a position looks like to somebody who stops thinking there: the heuristic at the horizon.
///
/// In a game of two seats a search asks only for the seat it thinks for, and takes the worth for the other to be the
/// opposite. Ask the game who is to move if it matters.
pub trait Judge<G: Game>: Send + Sync {
    /// What an unfinished position is worth for a seat.
    fn judge(&self, game: &G, state: &G::State, seat: Seat) -> Worth;
}

/// The judge that knows nothing: every unfinished game looks like zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Payoffs;

impl<G: Game> Judge<G> for Payoffs {
    fn judge(&self, _game: &G, _state: &G::State, _seat: Seat) -> Worth {
        Worth::heuristic(0.0)
    }
}
