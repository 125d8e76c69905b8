//! The heuristics of the thesis this room follows, with its four parameters and its rule for blanks.
//!
//! In each turn, in this order:
//! - a play that spends a blank counts only from 30 points;
//! - below the minimum score the whole rack is exchanged, while the bag allows it;
//! - near the end (fewer than seven tiles in the bag, so nobody can exchange) the longest word, if it gives up at most
//!   `longest` points;
//! - a safe play, if it gives up at most `safe`: one after which no free premium for words touches the new tiles, so that the
//!   opponent cannot build on it there;
//! - a play with a tile on a premium for words, if it gives up at most `bonus`;
//! - otherwise the most points. A parameter of -1 switches its heuristic off.
//!
//! The thesis names the four and says nothing of their order; this is our reading.

use std::sync::atomic::{AtomicU64, Ordering};

use wits_play::{Choice, Desk, Player};

use super::sight::{Sight, decide};
use crate::board::{Board, PREMIUMS, SIDE};
use crate::generate::Found;
use crate::play::Play;
use crate::settings::RACK;
use crate::table::{Move, Scrabble, Table};

/// The least that a play with a blank must score.
const BLANK: i32 = 30;

/// The four parameters; -1 switches one off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thesis {
    /// The most points given up for the longest word near the end.
    pub longest: i32,
    /// Below this best score the whole rack is exchanged.
    pub exchange: i32,
    /// The most points given up for a safe play.
    pub safe: i32,
    /// The most points given up for a play on a premium.
    pub bonus: i32,
}

impl Default for Thesis {
    fn default() -> Thesis {
        Thesis {
            longest: 2,
            exchange: 6,
            safe: 1,
            bonus: 6,
        }
    }
}

/// Why a turn was played as it was: how often each heuristic decided, over all games of this process. The thesis says
/// that about half of all turns fall back to the most points; this counts it.
#[derive(Debug, Default)]
pub struct Fallbacks {
    turns: AtomicU64,
    greedy: AtomicU64,
}

/// The counts of all thesis players of this process.
pub static FALLBACKS: Fallbacks = Fallbacks {
    turns: AtomicU64::new(0),
    greedy: AtomicU64::new(0),
};

impl Fallbacks {
    /// How many turns there were, and how many of them took the most points.
    pub fn counts(&self) -> (u64, u64) {
        (
            self.turns.load(Ordering::Relaxed),
            self.greedy.load(Ordering::Relaxed),
        )
    }

    /// Counts from zero again.
    pub fn reset(&self) {
        self.turns.store(0, Ordering::Relaxed);
        self.greedy.store(0, Ordering::Relaxed);
    }
}

impl Thesis {
    /// What the heuristics choose among plays with their scores, and which of them decided.
    pub fn pick(
        &self,
        board: &Board,
        plays: &[(Play, i32)],
        bag: usize,
        may_swap: bool,
    ) -> (Option<(Play, i32)>, &'static str) {
        let spends = |play: &Play| {
            play.tiles
                .iter()
                .any(|&t| t != 0 && t & crate::PLAYED_BLANK != 0)
        };
        let allowed = |&&(play, score): &&(Play, i32)| score >= BLANK || !spends(&play);
        // Of equals the first in the order of plays, as everywhere.
        let best_of = |list: &mut dyn Iterator<Item = &(Play, i32)>| {
            list.copied()
                .max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0)))
        };
        let Some(best) = best_of(&mut plays.iter().filter(allowed)) else {
            // Only blanks make words: keep them if tiles can be exchanged, else play.
            let any = best_of(&mut plays.iter());
            return (any.filter(|_| !may_swap), "why-thesis-greedy");
        };
        if may_swap && best.1 < self.exchange {
            return (None, "why-thesis-exchange");
        }
        let within = |loss: i32| {
            plays
                .iter()
                .filter(allowed)
                .filter(move |(_, score)| loss >= 0 && best.1 - score <= loss)
        };
        if bag < RACK {
            let longest = within(self.longest)
                .max_by(|a, b| {
                    let size = |p: &(Play, i32)| (p.0.count(), p.1);
                    size(a).cmp(&size(b)).then(b.0.cmp(&a.0))
                })
                .copied();
            if let Some(found) = longest.filter(|found| found.0 != best.0) {
                return (Some(found), "why-thesis-longest");
            }
        }
        if let Some(found) = best_of(&mut within(self.safe).filter(|(p, _)| safe(board, p)))
            && found.0 != best.0
        {
            return (Some(found), "why-thesis-safe");
        }
        if let Some(found) = best_of(&mut within(self.bonus).filter(|(p, _)| on_premium(p)))
            && found.0 != best.0
        {
            return (Some(found), "why-thesis-bonus");
        }
        (Some(best), "why-thesis-greedy")
    }
}

/// Whether a tile lies on a premium for words.
fn on_premium(play: &Play) -> bool {
    play.laid().any(|(square, _)| PREMIUMS[square].word() > 1)
}

/// Whether no free triple word square can be reached over the new tiles: none lies beside one of them or at the ends
/// of the words that they make.
fn safe(board: &Board, play: &Play) -> bool {
    let mut after = *board;
    play.lay(&mut after);
    play.laid().all(|(square, _)| {
        crate::Direction::BOTH.iter().all(|&direction| {
            let (lane, at) = direction.lane(square);
            let (start, end) = after.run(direction, lane, at);
            let ends = [start.checked_sub(1), Some(end).filter(|&e| e < SIDE)];
            ends.into_iter().flatten().all(|at| {
                let beside = direction.square(lane, at);
                PREMIUMS[beside].word() < 3 || after.tile(beside) != 0
            })
        })
    })
}

impl Player<Scrabble> for Thesis {
    fn choose(&mut self, game: &Scrabble, view: &Table, desk: &mut Desk<'_, Move>) -> Choice<Move> {
        if let Some(mv) = Sight::reflex(game, view) {
            return decide(desk, mv, 0.0, "why-reflex");
        }
        let sight = Sight::new(game, view);
        let mut plays = Vec::new();
        game.engine().every(
            &sight.field,
            &sight.hand,
            game.settings().bingo,
            &mut |found: &Found<'_>| {
                plays.push((found.play(), found.score));
            },
        );
        let (found, why) = self.pick(&view.board, &plays, sight.bag, sight.may_swap);
        FALLBACKS.turns.fetch_add(1, Ordering::Relaxed);
        if why == "why-thesis-greedy" {
            FALLBACKS.greedy.fetch_add(1, Ordering::Relaxed);
        }
        match found {
            Some((play, score)) => decide(desk, Move::Play(play), f64::from(score), why),
            None if sight.may_swap => {
                decide(desk, Move::Exchange(sight.hand.tiles().to_vec()), 0.0, why)
            }
            None => decide(desk, Move::Pass, 0.0, "why-nothing"),
        }
    }

    fn lens(&self) -> &'static str {
        "candidates"
    }
}
