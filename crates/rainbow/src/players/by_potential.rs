//! Breaker by the potential argument: the heaviest number in his one colour.

use wits_play::{Choice, Desk, Player, Worth};
use wits_search::{Backup, Candidates, Watch};

use super::strong::{Pick, Strong};
use crate::WORDS;
use crate::board::{Board, Paint};
use crate::game::Rainbow;
use crate::potential::{Weights, answer};
use crate::terms::Side;

/// Colours the number that carries most of the sum; plays as [`Strong`] where there is nothing to weigh.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByPotential;

/// The sentence of a move.
fn why(paint: Paint, weights: &Weights) -> wits_game::Message {
    let key = if weights.decides(Side::Breaker) {
        "potential-holds"
    } else {
        "potential-tries"
    };
    WORDS
        .say(key)
        .with("number", paint.number)
        .with("colour", paint.colour)
        .with("sum", format!("{:.4}", weights.sum))
        .with("carried", format!("{:.4}", carried(weights, paint.number)))
}

fn carried(weights: &Weights, number: u32) -> f64 {
    weights.carried[number as usize - 1]
}

/// Tells the decision: what every number carries.
fn tell<W: Watch>(watch: &mut W, board: &Board, paint: Paint, weights: &Weights) {
    let label = |number: u32| format!("{number}={}", paint.colour);
    let mut told = Candidates::open(watch, Side::Breaker.name(), Backup::Max);
    for number in board.uncoloured() {
        let weight = carried(weights, number);
        let says = WORDS
            .say("potential-number")
            .with("number", number)
            .with("carried", format!("{weight:.4}"));
        told.candidate(
            &label(number),
            Some(Worth::heuristic(weight)),
            &[("carried", weight)],
            says,
        );
    }
    let rest = board.open() as usize * (usize::from(board.terms().c()) - 1);
    let cut = WORDS.say("potential-cut").with("rest", rest);
    told.skip(rest, cut.with("colour", paint.colour));
    let root = WORDS
        .say("potential-root")
        .with("sum", format!("{:.4}", weights.sum));
    let worth = Worth::heuristic(carried(weights, paint.number));
    told.choose(
        &label(paint.number),
        Some(worth),
        [root, why(paint, weights)],
    );
}

impl Player<Rainbow> for ByPotential {
    fn choose(&mut self, _: &Rainbow, board: &Board, desk: &mut Desk<'_, Paint>) -> Choice<Paint> {
        let Some((paint, weights)) = answer(board) else {
            return Strong::new(Strong::NODES).instead(board, desk, "potential-none");
        };
        if let Some(watch) = desk.record.take() {
            tell(watch, board, paint, &weights);
        }
        let sure = weights.decides(Side::Breaker);
        Pick {
            paint,
            worth: if sure {
                Worth::exact(1)
            } else {
                Worth::heuristic(-weights.sum.min(1.0))
            },
            nodes: 1,
            depth: 1,
            sure,
            why: why(paint, &weights),
        }
        .play(desk)
    }

    fn lens(&self) -> &'static str {
        "candidates"
    }
}
