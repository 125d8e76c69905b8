//! The machines that decide at first sight: the most points, or points and what is kept.

use std::sync::Arc;

use wits_play::{Choice, Desk, Player};

use super::leaves::Leaves;
use super::rating::best_swap;
use super::sight::{Sight, answer, decide};
use super::telling::{Places, Search, points};
use crate::generate::{Best, Kept, Method, NOTHING};
use crate::table::{Move, Scrabble, Table};

/// The most points. Without any play it exchanges everything, where it may.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Player<Scrabble> for Greedy {
    fn choose(&mut self, game: &Scrabble, view: &Table, desk: &mut Desk<'_, Move>) -> Choice<Move> {
        if let Some(choice) = answer(game, view, desk) {
            return choice;
        }
        let sight = Sight::new(game, view);
        let mut places = Places::default();
        let best = best(&sight, &NOTHING, 0, desk.record.is_some(), &mut places);
        let all = || Move::Exchange(sight.hand.tiles().to_vec());
        let (mv, worth, why) = match best {
            Some(best) => (Move::Play(best.play), best.worth, "why-greedy"),
            None if sight.may_swap => (all(), 0, "why-nothing"),
            None => (Move::Pass, 0, "why-nothing"),
        };
        if let Some(watch) = desk.record.take() {
            let search = Search {
                sight: &sight,
                places,
                swap: None,
                chosen: (mv.clone(), worth),
            };
            search.tell(watch);
        }
        decide(desk, mv, points(worth), why)
    }

    fn lens(&self) -> &'static str {
        "candidates"
    }
}

/// The best play by points and leaves. Who watches gets the places, too; the play is the same.
fn best(
    sight: &Sight<'_>,
    kept: &Kept,
    exposed: u64,
    watched: bool,
    places: &mut Places,
) -> Option<Best> {
    let engine = sight.game.engine();
    let bonus = sight.game.settings().bingo;
    if watched {
        // The way to the best play is part of a thread, and must not depend on how far the structures
        // are that are built in the background.
        let _ = engine.warm();
        engine.hunt(
            Method::Shadow,
            &sight.field,
            &sight.hand,
            bonus,
            kept,
            exposed,
            places,
        )
    } else {
        let method = Method::Shadow;
        engine.hunt(method, &sight.field, &sight.hand, bonus, kept, exposed, ())
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
        if let Some(choice) = answer(game, view, desk) {
            return choice;
        }
        let sight = Sight::new(game, view);
        if self.ending > 0
            && let Some(choice) =
                super::ending::choose(&sight, self.ending, &desk.budget.clone(), desk)
        {
            return choice;
        }
        let kept = sight.kept(&self.leaves);
        let mut places = Places::default();
        let exposed = game.engine().exposed(&sight.field);
        let best = best(&sight, &kept, exposed, desk.record.is_some(), &mut places);
        let swap = best_swap(&sight.hand, &kept).filter(|_| sight.may_swap);
        let swap = swap.map(|(given, worth)| (Move::Exchange(given.tiles().to_vec()), worth));
        let (mv, worth, why) = match (best, &swap) {
            (Some(best), swap) if swap.as_ref().is_none_or(|(_, worth)| *worth <= best.worth) => {
                (Move::Play(best.play), best.worth, "why-leave")
            }
            (_, Some((given, worth))) => (given.clone(), *worth, "why-leave"),
            _ => (Move::Pass, 0, "why-nothing"),
        };
        if let Some(watch) = desk.record.take() {
            let search = Search {
                sight: &sight,
                places,
                swap,
                chosen: (mv.clone(), worth),
            };
            search.tell(watch);
        }
        decide(desk, mv, points(worth), why)
    }

    fn lens(&self) -> &'static str {
        "candidates"
    }
}
