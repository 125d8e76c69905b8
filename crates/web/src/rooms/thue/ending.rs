//! How a round ended, in words for whoever played it.

use wits_game::{Eyes, Message, Outcome};
use wits_play::{AnyMatch, Remark, Slip};

use crate::WORDS;
use crate::pages::sentence;
use crate::snapshot::Place;
use crate::table::{Table, doubled};

/// Why a game of words is over, and how far the Painter came; nothing where the rules say it well enough.
pub(crate) fn ending(
    table: &Table,
    position: &dyn AnyMatch,
    outcome: &Outcome,
    place: &Place,
) -> Option<String> {
    let why = match outcome.why.key().as_str() {
        "thue.over-repeated" | "thue.over-square" => match doubled(&position.scene(Eyes::All)) {
            Some(block) => WORDS.say("thue-end-doubled").with("block", block),
            None => WORDS.say("thue-end-repeated"),
        },
        "thue.over-stuck" => WORDS.say("thue-end-stuck"),
        _ => return None,
    };
    let painted = painted(table, outcome, place).map(|message| format!(" {message}"));
    Some(sentence(&why.to_string()) + &painted.unwrap_or_default())
}

/// How many symbols were painted before, where that is what counts.
fn painted(table: &Table, outcome: &Outcome, place: &Place) -> Option<Message> {
    let painter = match table.game.id() {
        "thue" => 1,
        "thue-solitaire" => 0,
        _ => return None,
    };
    let own = matches!(place.seats[..], [seat] if seat.index() == painter);
    let key = if own {
        "thue-end-painted-you"
    } else {
        "thue-end-painted"
    };
    let points = outcome.payoffs.get(painter)?;
    Some(WORDS.say(key).with("n", *points))
}

/// What a review says of a move of a round that is scored: how many symbols it costs the Painter or leaves to them.
pub(crate) fn remark(remark: &Remark) -> Option<Message> {
    let (best, played) = remark.worth.filter(|_| remark.slip > Slip::None)?;
    // What the Painter gains the Builder loses: the sign says who moved.
    let key = if best > 0.0 || played > 0.0 {
        "thue-remark-painter"
    } else {
        "thue-remark-builder"
    };
    let count = |value: f64| value.abs().round() as i64;
    let says = WORDS.say(key).with("move", &remark.played);
    let says = says
        .with("best", &remark.best)
        .with("best_n", count(best))
        .with("n", count(played));
    Some(says)
}
