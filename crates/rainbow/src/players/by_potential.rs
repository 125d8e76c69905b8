//! Breaker by the potential argument: the heaviest number in his one colour.

use wits_play::{Choice, Desk, Player, Worth};
use wits_search::{Kind, Step, Watch};

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
    let root = WORDS
        .say("potential-root")
        .with("sum", format!("{:.4}", weights.sum));
    watch.step(|| {
        Step::new(Kind::Open, root.clone())
            .data("id", 0)
            .data("parent", serde_json::Value::Null)
            .data("move", serde_json::Value::Null)
    });
    for (id, number) in (1u64..).zip(board.uncoloured()) {
        let weight = carried(weights, number);
        watch.step(|| {
            let says = WORDS
                .say("potential-number")
                .with("number", number)
                .with("carried", format!("{weight:.4}"));
            Step::new(Kind::Open, says)
                .data("id", id)
                .data("parent", 0)
                .data("move", format!("{number}={}", paint.colour))
        });
        watch.step(|| {
            let says = WORDS
                .say("potential-number")
                .with("number", number)
                .with("carried", format!("{weight:.4}"));
            Step::new(Kind::Close, says)
                .data("id", id)
                .data("value", weight)
                .data("is", "estimate")
        });
    }
    let rest = u64::from(board.open()) * (u64::from(board.terms().c()) - 1);
    if rest > 0 {
        watch.step(|| {
            let says = WORDS
                .say("potential-cut")
                .with("rest", rest)
                .with("colour", paint.colour);
            Step::new(Kind::Cut, says).data("id", 0).data("rest", rest)
        });
    }
    watch.step(|| {
        Step::new(Kind::Choose, why(paint, weights))
            .data("answer", format!("{}={}", paint.number, paint.colour))
            .data("value", carried(weights, paint.number))
    });
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
