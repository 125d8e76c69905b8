//! The list of games: adding a game to the house is adding one line here.
#![forbid(unsafe_code)]

use wits_play::Catalog;

/// Every game of the house, in the order the home page shows them.
pub fn all() -> Catalog {
    Catalog::new(vec![wits_matchbox::tictactoe::entry().erase()])
}
