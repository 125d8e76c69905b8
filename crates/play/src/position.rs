//! A position, from the text that names it.

use wits_game::Seed;

use crate::{AnyGame, AnyMatch};

/// A match that begins in a position: as the game writes positions, or as the moves that lead there. Where the text
/// leaves open what a seat does not know, chance fills it in.
pub fn position(game: &dyn AnyGame, text: &str) -> Option<Box<dyn AnyMatch>> {
    let seed = Seed::new(0);
    let begun = game.begin_from(text, seed, None);
    let begun = begun
        .ok()
        .or_else(|| after(game.begin(seed, None), text.split_whitespace()));
    begun.map(|mut table| {
        table.settle();
        table
    })
}

/// A match after some more moves; nothing where one of them is not legal.
pub fn after<'a>(
    mut table: Box<dyn AnyMatch>,
    moves: impl IntoIterator<Item = &'a str>,
) -> Option<Box<dyn AnyMatch>> {
    for text in moves {
        table.settle();
        let seat = table.turn().seat()?;
        table.play(seat, text, None).ok()?;
    }
    Some(table)
}
