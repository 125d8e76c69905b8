//! One round between two nested players, with what each decision cost: the thesis's experiment.

use std::time::Duration;

use serde::Serialize;
use wits_game::{Dice, Game, Seat, Seed, Stream};
use wits_search::{Budget, Limits};

use super::nested::ask;
use super::scores::Purse;
use crate::game::{Insertion, Move, Phase, Position};

/// One decision of a round.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Decision {
    /// How long the word was.
    pub length: usize,
    /// Whether the Builder decided.
    pub builder: bool,
    /// The gap or the symbol.
    pub choice: u32,
    /// How many symbols fit into the chosen gap.
    pub fits: u32,
    /// How many positions were simulated.
    pub simulated: u64,
    /// How long it took.
    pub seconds: f64,
}

/// A round and how it ended.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Round {
    /// The level of the Builder.
    pub builder: u32,
    /// The level of the Painter.
    pub painter: u32,
    /// Where its chance came from.
    pub seed: Seed,
    /// The last position.
    pub last: Position,
    /// The thesis's count of moves: the length at the end, with the initial and the fatal symbol.
    pub moves: usize,
    /// Whether it came to its end; else a thinker took too long or the limit was reached.
    pub finished: bool,
    /// Whether a thinker took longer than allowed.
    pub aborted: bool,
    /// Every decision.
    pub decisions: Vec<Decision>,
}

/// Plays a round of the insertion game between nested players; a decision that takes longer than `think` ends it.
///
/// The dice are those of a match with the same seed, so the same round can be played and watched elsewhere.
pub fn play_round(
    game: &Insertion,
    builder: u32,
    painter: u32,
    seed: Seed,
    think: Option<Duration>,
) -> Round {
    let mut position = game.start();
    let mut decisions = Vec::new();
    let mut aborted = false;
    while !position.over() {
        let building = position.phase == Phase::Build;
        let (seat, level) = if building {
            (Seat::FIRST, builder)
        } else {
            (Seat::SECOND, painter)
        };
        let mut dice = Dice::at(seed, Stream::Seat(seat), decisions.len() as u32);
        let budget = Budget::start(think.map_or(Limits::NONE, Limits::time));
        let mut purse = Purse::new(&budget);
        let Some((mv, _)) = ask(game, &position, level, &mut dice, &mut purse) else {
            break;
        };
        aborted = budget.late();
        if aborted {
            break;
        }
        let seconds = budget.elapsed().as_secs_f64();
        let (length, simulated) = (position.word.len(), purse.nodes);
        game.play(&mut position, &mv);
        let choice = match mv {
            Move::Gap(gap) => gap,
            Move::Symbol(symbol) => u32::from(symbol),
        };
        let fits = match position.phase {
            Phase::Paint(gap) => game.fits(&position.word, gap as usize).count_ones(),
            Phase::Stuck(_) => 0,
            _ => decisions.last().map_or(0, |d: &Decision| d.fits),
        };
        decisions.push(Decision {
            length,
            builder: building,
            choice,
            fits,
            simulated,
            seconds,
        });
    }
    let finished = matches!(position.phase, Phase::Stuck(_) | Phase::Repeated(_));
    Round {
        builder,
        painter,
        seed,
        moves: position.thesis_moves(),
        finished,
        aborted,
        decisions,
        last: position,
    }
}
