//! The games that are played with words.

pub mod append;
pub mod erase;
mod insertion;
mod judge;
mod position;
mod scene;

pub use insertion::{Insertion, Move, entry, solitaire_entry};
pub use judge::RoomToPaint;
pub use position::{Phase, Position};
