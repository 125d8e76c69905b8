//! A word at a place, as text.

use crate::TileSet;
use crate::board::{Board, Place, SIDE, shown, square_name};
use crate::play::tile;

/// Why a written word does not lie on a board.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Misfit {
    /// A letter that the alphabet does not have, and its place in the word from 1.
    #[error("{why}")]
    Letter {
        /// Where in the word, from 1.
        place: usize,
        /// What the tile set says.
        why: String,
    },
    /// It runs off the board.
    #[error("`{word}` at {at} runs off the board; start it earlier or lay a shorter one")]
    TooLong {
        /// The word.
        word: String,
        /// Where it starts.
        at: String,
    },
    /// A point stands for a tile that does not lie there.
    #[error("no tile lies on {square}; write the letter that is laid there")]
    NoTile {
        /// The square.
        square: String,
    },
    /// Another tile lies there.
    #[error("`{there}` lies on {square}; write that letter there, or begin elsewhere")]
    OtherTile {
        /// The square.
        square: String,
        /// What lies there.
        there: String,
    },
}

/// The tiles that a written word lays, with their squares. Letters on the board may be written out, in round brackets,
/// or as points; small letters are blanks.
pub(crate) fn laid(
    tiles: &TileSet,
    board: &Board,
    place: Place,
    word: &str,
) -> Result<Vec<(usize, u8)>, Misfit> {
    let plain: String = word.chars().filter(|c| !matches!(c, '(' | ')')).collect();
    let placed = tiles.read_placed(&plain).map_err(|e| Misfit::Letter {
        place: e.place,
        why: e.to_string(),
    })?;
    if placed.len() > SIDE - place.start {
        return Err(Misfit::TooLong {
            word: word.chars().take(40).collect(),
            at: place.to_string(),
        });
    }
    let mut laid = Vec::new();
    for (at, here) in (place.start..).zip(placed) {
        let on = place.direction.square(place.lane, at);
        let square = square_name(on);
        match (board.tile(on), here) {
            (0, None) => return Err(Misfit::NoTile { square }),
            (0, Some(laying)) => laid.push((on, laying.byte())),
            (there, Some(said)) if shown(there) != shown(said.byte()) => {
                let there = tiles.write_tile(tile(there)).to_owned();
                return Err(Misfit::OtherTile { square, there });
            }
            _ => {}
        }
    }
    Ok(laid)
}
