//! The lists of games and of rooms: adding one to the house is adding one line here.
#![forbid(unsafe_code)]

use wits_desk::Room;
use wits_play::Catalog;

/// Every game of the house, in the order the home page shows them.
pub fn all() -> Catalog {
    Catalog::new(vec![
        wits_matchbox::hexapawn::entry().erase(),
        wits_matchbox::tictactoe::entry().erase(),
        wits_othello::entry().erase(),
        wits_rainbow::entry().erase(),
        wits_scrabble::entry().erase(),
        wits_thue::game::entry().erase(),
        wits_thue::game::solitaire_entry().erase(),
        wits_thue::game::append::entry().erase(),
        wits_thue::game::erase::entry().erase(),
        wits_matchbox::mini::chomp().erase(),
        wits_matchbox::mini::nim().erase(),
        wits_matchbox::mini::tactix().erase(),
        wits_matchbox::mini::domineering().erase(),
        wits_matchbox::mini::notakto().erase(),
        wits_matchbox::mini::connect3().erase(),
    ])
}

/// Every room with verbs of its own, in the order help shows them.
pub fn rooms() -> Vec<Room> {
    vec![
        wits_learn::verbs::room(),
        wits_rainbow::verbs::room(),
        wits_scrabble::verbs::room(),
        wits_thue::verbs::room(),
        wits_transit::verbs::room(),
    ]
}
