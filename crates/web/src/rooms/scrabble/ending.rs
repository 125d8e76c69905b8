//! How a game of words ended, said to whoever played it.

use wits_game::{Eyes, Seat};
use wits_play::AnyMatch;
use wits_scrabble::table::Phase;

use super::state::view;
use crate::WORDS;
use crate::pages::sentence;
use crate::snapshot::Place;
use crate::table::Table;

/// Who laid the last tile, by name; nothing where the rules say it well enough.
pub(crate) fn ending(table: &Table, position: &dyn AnyMatch, place: &Place) -> Option<String> {
    let Phase::Out(seat) = view(position, Eyes::All)?.phase else {
        return None;
    };
    let seat = Seat::at(usize::from(seat))?;
    let says = match place.seats[..] {
        [own] if own == seat => WORDS.say("scrabble-end-out-you"),
        _ => WORDS.say("scrabble-end-out").with("who", table.name(seat)),
    };
    Some(sentence(&says.to_string()))
}
