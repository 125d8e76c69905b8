//! The machines that decide at first sight: the most points, or points and what is kept.

use std::sync::Arc;

use wits_play::{Choice, Desk, Player};

use super::leaves::Leaves;
use super::rating::best_swap;
use super::sight::{Sight, decide};
use crate::generate::NOTHING;
use crate::table::{Move, Scrabble, Table};

/// The most points. Without any play it exchanges everything, where it may.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Player<Scrabble> for Greedy {
    fn choose(&mut self, game: &Scrabble, view: &Table, desk: &mut Desk<'_, Move>) -> Choice<Move> {
        if let Some(mv) = Sight::reflex(game, view) {
            return decide(desk, mv, 0.0, "why-reflex");
        }
        let sight = Sight::new(game, view);
        let best = game
            .engine()
            .best(&sight.field, &sight.hand, game.settings().bingo, &NOTHING);
        match best {
            Some(best) => decide(
                desk,
                Move::Play(best.play),
                f64::from(best.score),
                "why-greedy",
            ),
            None if sight.may_swap => {
                let all = sight.hand.tiles().to_vec();
                decide(desk, Move::Exchange(all), 0.0, "why-nothing")
            }
            None => decide(desk, Move::Pass, 0.0, "why-nothing"),
        }
    }

    fn lens(&self) -> &'static str {
        "candidates"
    }
}

/// Points and what the tiles that stay in the hand are worth; once the bag is empty, the exact end of the game
/// as far as its budget goes.
#[derive(Clone, Debug)]
pub struct Leave {
    leaves: Arc<Leaves>,
    ending: u64,
}

impl Leave {
    /// A player with a table of leaves, and how many positions it looks at in an ending (none: points only).
    pub fn new(leaves: Arc<Leaves>, ending: u64) -> Leave {
        Leave { leaves, ending }
    }
}

impl Player<Scrabble> for Leave {
    fn choose(&mut self, game: &Scrabble, view: &Table, desk: &mut Desk<'_, Move>) -> Choice<Move> {
        if let Some(mv) = Sight::reflex(game, view) {
            return decide(desk, mv, 0.0, "why-reflex");
        }
        let sight = Sight::new(game, view);
        if self.ending > 0
            && let Some(choice) =
                super::ending::choose(&sight, self.ending, &desk.budget.clone(), desk)
        {
            return choice;
        }
        let kept = sight.kept(&self.leaves);
        let best = game
            .engine()
            .best(&sight.field, &sight.hand, game.settings().bingo, &kept);
        let swap = best_swap(&sight.hand, &kept).filter(|_| sight.may_swap);
        match (best, swap) {
            (Some(best), swap) if swap.is_none_or(|(_, worth)| worth <= best.worth) => {
                let worth = f64::from(best.worth) / 100.0;
                decide(desk, Move::Play(best.play), worth, "why-leave")
            }
            (_, Some((given, worth))) => {
                let mv = Move::Exchange(given.tiles().to_vec());
                decide(desk, mv, f64::from(worth) / 100.0, "why-leave")
            }
            _ => decide(desk, Move::Pass, 0.0, "why-nothing"),
        }
    }

    fn lens(&self) -> &'static str {
        "candidates"
    }
}
