//! Letters, tiles and the sets they come in.

mod letter;
mod parse;
mod set;
mod text;

pub use letter::{LONGEST, Letter, Tile, TooLong, Word};
pub use parse::BadTileSet;
pub use set::{Face, TileSet};
pub use text::BadText;
pub(crate) use text::composed;
