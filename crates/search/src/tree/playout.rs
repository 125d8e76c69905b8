//! Games played to the end at random, and what they paid.

use wits_game::{Dice, Eyes, Game, Outcome, Seat, Turn};

use crate::Budget;

/// What each seat got.
pub(super) type Pay = [f64; Seat::MOST as usize];

pub(super) fn pay(outcome: &Outcome) -> Pay {
    let mut all = [0.0; Seat::MOST as usize];
    for (mine, &payoff) in all.iter_mut().zip(&outcome.payoffs) {
        *mine = f64::from(payoff);
    }
    all
}

/// How often a node was visited and what its seats got in all.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Tally {
    pub(super) visits: u64,
    totals: Pay,
}

impl Tally {
    pub(super) fn add(&mut self, pay: &Pay) {
        self.visits += 1;
        for (total, got) in self.totals.iter_mut().zip(pay) {
            *total += got;
        }
    }

    /// What the seat got on average; nothing where nobody has been.
    pub(super) fn mean(&self, seat: Seat) -> f64 {
        self.totals[seat.index()] / self.visits.max(1) as f64
    }
}

/// The least and greatest payoff seen, so that "how good" can be put between zero and one whatever
/// a game pays in.
pub(super) struct Range {
    low: f64,
    high: f64,
}

impl Range {
    pub(super) const UNKNOWN: Range = Range {
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
    };

    pub(super) fn widen(&mut self, pay: &[f64]) {
        for &got in pay {
            self.low = self.low.min(got);
            self.high = self.high.max(got);
        }
    }

    fn between(&self, number: f64) -> f64 {
        if self.high > self.low {
            (number - self.low) / (self.high - self.low)
        } else {
            0.5
        }
    }

    /// How promising a child is: what it paid the mover so far, and more the less it was tried
    /// (UCB1, Auer, Cesa-Bianchi and Fischer 2002).
    pub(super) fn promise(
        &self,
        child: &Tally,
        mover: Seat,
        chances: u64,
        exploration: f64,
    ) -> f64 {
        let tried = child.visits.max(1) as f64;
        let unknown = libm::sqrt(libm::log(chances.max(1) as f64) / tried);
        self.between(child.mean(mover)) + exploration * unknown
    }
}

/// Plays at random from a position. Counts positions in `nodes`; `None` when the budget ended on the way.
/// A game that is not over after `most` moves pays nobody anything.
pub(super) fn playout<G: Game>(
    game: &G,
    state: &mut G::State,
    most: u32,
    dice: &mut Dice,
    budget: &Budget,
    nodes: &mut u64,
) -> Option<Pay> {
    for _ in 0..most {
        let mv = match game.turn(state) {
            Turn::Over(outcome) => return Some(pay(&outcome)),
            Turn::Chance => game.deal(state, dice),
            Turn::Of(seat) => {
                let moves = game.options(&game.view(state, Eyes::Seat(seat)));
                match dice.pick(&moves) {
                    Some(mv) => mv.clone(),
                    None => break,
                }
            }
        };
        if budget.spent(*nodes) {
            return None;
        }
        *nodes += 1;
        game.play(state, &mv);
    }
    match game.turn(state) {
        Turn::Over(outcome) => Some(pay(&outcome)),
        _ => Some([0.0; Seat::MOST as usize]),
    }
}
