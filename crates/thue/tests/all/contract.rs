//! Every game of this room keeps the laws of the house.

#[path = "../contract/threads.rs"]
mod threads;

use std::sync::Arc;

use wits_play::contract::{Laws, check_entry};
use wits_play::{AnyEntry, Shelf};

/// Random games of a thousand moves are long to check move by move, so there are fewer of them.
fn check(entry: &Arc<dyn AnyEntry>) {
    check_entry(
        &**entry,
        &Shelf::new(),
        &Laws {
            games: 6,
            ..Laws::default()
        },
    )
    .expect("the laws are kept");
}

#[test]
fn the_insertion_game() {
    check(&wits_thue::game::entry().erase());
}

#[test]
fn solitaire() {
    check(&wits_thue::game::solitaire_entry().erase());
}

#[test]
fn the_append_game() {
    check(&wits_thue::game::append::entry().erase());
}

#[test]
fn the_erase_repetition_game() {
    check(&wits_thue::game::erase::entry().erase());
}
