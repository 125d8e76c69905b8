//! What all tree searches agree on: what the ends are worth, and what chance does.

use wits_game::{Dice, Game, Outcome, Seat, Seed};

use super::Judge;
use crate::{Budget, Worth};

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
