//! Breaker by the potential argument: the heaviest number in his one colour.

use wits_game::Message;
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
fn why(paint: Paint, weights: &Weights) -> Message {
    if weights.decides(Side::Breaker) {
        said("potential-holds", paint, weights)
    } else {
        said("potential-tries", paint, weights)
    }
}

/// A sentence about a number and what it carries.
fn said(key: &'static str, paint: Paint, weights: &Weights) -> Message {
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
    let worth = Worth::heuristic(carried(weights, paint.number));
    let summary = summary(board, paint, weights);
    told.choose(&label(paint.number), Some(worth), summary);
}

/// What was weighed, which number carries most, and what the next one carries.
fn summary(board: &Board, paint: Paint, weights: &Weights) -> [Message; 3] {
    let others = board.uncoloured().filter(|&number| number != paint.number);
    let next = others.max_by(|&a, &b| carried(weights, a).total_cmp(&carried(weights, b)));
    let sum = format!("{:.4}", weights.sum);
    let decided = if weights.decides(Side::Breaker) {
        said("sum-potential-holds", paint, weights)
    } else {
        said("sum-potential-tries", paint, weights)
    };
    let last = match next {
        Some(number) => said("sum-potential-next", Paint { number, ..paint }, weights),
        None => WORDS.say("sum-look-alone"),
    };
    [WORDS.say("sum-potential").with("sum", sum), decided, last]
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
