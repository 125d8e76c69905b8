//! What all tree searches agree on: what the ends are worth, and what chance does.

use wits_game::{Dice, Game, Outcome, Seat, Seed};

use super::Judge;
use crate::{Budget, Proof, Worth};

/// How many deals stand for all that chance could do.
pub const DEALS: u64 = 16;

/// No search goes deeper than this, so that its stack is bounded.
pub const MOST_DEPTH: u32 = 512;

/// A game, a judge, and the seat that the search thinks for.
pub(super) struct Ground<'a, G: Game, J: ?Sized> {
    pub(super) game: &'a G,
    pub(super) judge: &'a J,
    pub(super) seat: Seat,
}

impl<G: Game, J: Judge<G> + ?Sized> Ground<'_, G, J> {
    /// What a finished game pays.
    pub(super) fn end(&self, outcome: &Outcome) -> Worth {
        Worth::exact(outcome.payoff(self.seat))
    }

    /// What the judge says at the horizon.
    pub(super) fn horizon(&self, state: &G::State) -> Worth {
        self.judge.judge(self.game, state, self.seat)
    }
}

/// A worth as a search with a window knows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    /// Its proof says on which side the worth of the whole tree to this depth lies: exactly here, at
    /// least or at most here.
    pub(super) worth: Worth,
    /// Whether every line that was looked at ran to the end of the game; if not, somebody judged.
    pub(super) ends: bool,
    /// Whether the table of known positions said so.
    pub(super) table: bool,
}

impl Value {
    /// A worth that was not cut: an end, a judgement, an average.
    pub(super) fn of(worth: Worth) -> Value {
        Value {
            ends: worth.proved(),
            worth: worth.known(Proof::Exact),
            table: false,
        }
    }

    /// The worth as it may be told: proved only where it is exact and nobody judged.
    pub(super) fn told(self) -> Worth {
        match self.worth.proof {
            Proof::Exact if !self.ends => self.worth.known(Proof::Estimate),
            _ => self.worth,
        }
    }

    /// The worth as it may be told outside a thread, where nothing else says that somebody judged.
    pub(super) fn sure(self) -> Worth {
        if self.ends {
            self.worth
        } else {
            self.worth.known(Proof::Estimate)
        }
    }
}

/// What the moves at one node come to so far.
///
/// # Invariant
/// Inside a window no move but the last one can be known only on its good side for the mover, for that
/// is when the rest is cut. So the side of the best move is the side of the node, until moves are skipped.
#[derive(Clone, Copy)]
pub(super) struct Gather {
    mine: bool,
    pub(super) best: Option<Worth>,
    ends: bool,
}

impl Gather {
    pub(super) fn new(mine: bool) -> Gather {
        Gather {
            mine,
            best: None,
            ends: true,
        }
    }

    /// Adds a move's value; whether it is the best so far.
    pub(super) fn add(&mut self, value: Value) -> bool {
        let worth = value.worth;
        self.ends &= value.ends;
        let Some(best) = &mut self.best else {
            self.best = Some(worth);
            return true;
        };
        let (better, bad) = if self.mine {
            (worth > *best, Proof::AtMost)
        } else {
            (worth < *best, Proof::AtLeast)
        };
        // Of two that are equal, the one that is known exactly says more.
        if better || (worth == *best && best.proof == bad) {
            *best = worth;
        }
        better
    }

    /// The value of the node, where some moves were skipped or none was.
    pub(super) fn value(self, skipped: bool) -> Option<Value> {
        let best = self.best?;
        let (good, bad) = if self.mine {
            (Proof::AtLeast, Proof::AtMost)
        } else {
            (Proof::AtMost, Proof::AtLeast)
        };
        let (proof, ends) = match best.proof {
            // Cannot be, by the invariant; if it were, nothing would be known.
            side if skipped && side == bad => (Proof::Estimate, false),
            _ if skipped => (good, self.ends),
            side => (side, self.ends),
        };
        Some(Value {
            worth: best.known(proof),
            ends,
            table: false,
        })
    }
}

/// The sample of deals that stands for chance at a position, each with how often it came.
///
/// The dice are the same at every position, so a position has one value however it is reached,
/// and two moves are compared under the same luck.
pub(super) fn deals<G: Game>(game: &G, state: &G::State) -> Vec<(G::Move, u32)> {
    let mut deals: Vec<(G::Move, u32)> = Vec::new();
    for n in 0..DEALS {
        let mut dice = Dice::new(Seed::new(n));
        let deal = game.deal(state, &mut dice);
        match deals.iter_mut().find(|(known, _)| *known == deal) {
            Some((_, times)) => *times += 1,
            None => deals.push((deal, 1)),
        }
    }
    deals
}

/// The average of worths by how often each came.
pub(super) fn average(worths: &[(Worth, u32)]) -> Worth {
    let times: u32 = worths.iter().map(|&(_, times)| times).sum();
    let sum: f64 = worths
        .iter()
        .map(|&(worth, times)| worth.number() * f64::from(times))
        .sum();
    Worth::mean(sum / f64::from(times.max(1)))
}

/// The depth to search: what was asked, inside what the budget and the stack allow, at least one ply.
pub(super) fn allowed_depth(asked: u32, budget: &Budget) -> u32 {
    let most = budget.limits().depth.unwrap_or(MOST_DEPTH).min(MOST_DEPTH);
    asked.min(most).max(1)
}

/// A position after one more move.
pub(super) fn after<G: Game>(game: &G, state: &G::State, mv: &G::Move) -> G::State {
    let mut next = state.clone();
    game.play(&mut next, mv);
    next
}
