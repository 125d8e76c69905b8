//! Anyone who can sit down.

use serde_json::Value;
use wits_game::{Game, Outcome, Seat};

use crate::{Choice, Desk, Line, Thought, WORDS, Worth};

/// Anyone who can sit down: a search, a box of beads, a rule of thumb.
///
/// A player is asked only when its seat is to move and has at least one option.
pub trait Player<G: Game>: Send {
    /// What to do, knowing only the view.
    fn choose(&mut self, game: &G, view: &G::View, desk: &mut Desk<'_, G::Move>)
    -> Choice<G::Move>;

    /// Whether this player wants to be taught after a game.
    fn learns(&self) -> bool {
        false
    }

    /// Called once after a game, with the seat's own views and choices only.
    fn learn(&mut self, game: &G, mine: &[Seen<G::View, G::Move>], outcome: &Outcome, seat: Seat) {
        let _ = (game, mine, outcome, seat);
    }

    /// What a learner keeps between games.
    fn memory(&self) -> Option<Value> {
        None
    }

    /// How the thread of this player's decisions is best drawn.
    fn lens(&self) -> &'static str {
        "tree"
    }
}

/// One decision of a seat: what it saw and what it did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen<V, M> {
    /// What the seat knew.
    pub view: V,
    /// What it played.
    pub choice: M,
}

/// Any legal move, each equally likely.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl<G: Game> Player<G> for Random {
    fn choose(
        &mut self,
        game: &G,
        view: &G::View,
        desk: &mut Desk<'_, G::Move>,
    ) -> Choice<G::Move> {
        let options = game.options(view);
        let Some(choice) = desk.dice.pick(&options).cloned() else {
            return Choice::Resign;
        };
        let line = Line {
            moves: vec![choice.clone()],
            worth: Worth::heuristic(0.0),
        };
        let why = WORDS.say("why-random").with("count", options.len());
        desk.say(Thought {
            lines: vec![line],
            nodes: 1,
            why: Some(why),
            ..Thought::default()
        });
        Choice::Move(choice)
    }

    fn lens(&self) -> &'static str {
        "candidates"
    }
}
