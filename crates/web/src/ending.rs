//! How a game ended, said to whoever played it.

use wits_game::{Message, Outcome};
use wits_play::{AnyMatch, Event};

use crate::pages::sentence;
use crate::snapshot::Place;
use crate::table::Table;
use crate::{WORDS, rooms};

/// Reasons of the rules that name a side, and how they are said to somebody who won and to somebody who lost.
const OF_ONE_SIDE: [(&str, &str, &str); 13] = [
    ("game.resigned", "end-resigned-won", "you-resigned"),
    ("game.flagged", "end-flagged-won", "you-flagged"),
    ("matchbox.row", "end-row-won", "end-row-lost"),
    ("matchbox.across", "end-across-won", "end-across-lost"),
    ("matchbox.blocked", "end-blocked-won", "end-blocked-lost"),
    ("matchbox.mini-ate", "end-ate-won", "end-ate-lost"),
    (
        "matchbox.mini-last-wins",
        "end-last-wins-won",
        "end-last-wins-lost",
    ),
    (
        "matchbox.mini-last-loses",
        "end-last-loses-won",
        "end-last-loses-lost",
    ),
    ("matchbox.mini-stuck", "end-stuck-won", "end-stuck-lost"),
    (
        "matchbox.mini-completed",
        "end-completed-won",
        "end-completed-lost",
    ),
    (
        "othello.stuck",
        "end-cannot-move-won",
        "end-cannot-move-lost",
    ),
    ("rainbow.why-rainbow", "end-rainbow-won", "end-rainbow-lost"),
    ("rainbow.why-spoiled", "end-spoiled-won", "end-spoiled-lost"),
];

/// Why a game is over, as sentences for a visitor.
pub(crate) fn reason(
    table: &Table,
    position: &dyn AnyMatch,
    outcome: &Outcome,
    place: &Place,
) -> String {
    let to_one = given_up(position, place).or_else(|| of_one_side(outcome, place));
    to_one
        .map(|why| why.to_string())
        .or_else(|| rooms::ending(table, position, outcome, place))
        .unwrap_or_else(|| sentence(&outcome.why.to_string()))
}

/// How a visitor who holds one seat ended the game from outside its rules.
fn given_up(position: &dyn AnyMatch, place: &Place) -> Option<Message> {
    let [own] = place.seats[..] else {
        return None;
    };
    match position.events().last()? {
        Event::Resign { seat, fault: None } if *seat == own => Some(WORDS.say("you-resigned")),
        Event::Flag { seat, fault: None } if *seat == own => Some(WORDS.say("you-flagged")),
        _ => None,
    }
}

/// What one of two sides did, said to a visitor who holds one seat.
fn of_one_side(outcome: &Outcome, place: &Place) -> Option<Message> {
    let [own] = place.seats[..] else {
        return None;
    };
    let winner = outcome.winner().filter(|_| outcome.payoffs.len() == 2)?;
    let key = outcome.why.key();
    let &(_, won, lost) = OF_ONE_SIDE.iter().find(|(rule, ..)| *rule == key)?;
    let says = WORDS.say(if winner == own { won } else { lost });
    Some(says.with("why", outcome.why.clone()))
}
