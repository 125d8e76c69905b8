//! Any small game of the catalog as boxes see it: every position, every move, and the symmetries that were found in them.
//!
//! A game is walked through from its start by its rules alone: a position is what the game writes for it, a move what players write.
//! What looks the same in the graph is the same for boxes, whether it is a turn of a board, a strip read backwards or an exchange of
//! colours. So Rainbow on five numbers, Othello on a small board or words of six letters get boxes without anybody having told their
//! symmetries.

mod build;
mod everywhere;
mod game;
mod seat;
mod symmetry;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use wits_game::{Message, Seat, Turn};
use wits_play::AnyGame;

pub use build::{MOST_PLACES, NoGraph};
pub use everywhere::everywhere;

/// One position.
struct Place {
    /// As players write it.
    notation: String,
    turn: Turn,
    /// The moves, in the order of the game, and where they lead.
    options: Vec<(u16, u32)>,
}

impl Place {
    /// Where a move leads, if it is legal here.
    fn after(&self, mv: u16) -> Option<u32> {
        let found = self.options.iter().find(|(m, _)| *m == mv);
        found.map(|(_, to)| *to)
    }
}

/// A symmetry: where each position and each move goes.
struct Image {
    places: Vec<u32>,
    moves: Vec<u16>,
}

struct Inner {
    id: &'static str,
    spec: String,
    title: Message,
    names: [Message; 2],
    /// The start first; moves lead to positions that come later in no particular order, but never back.
    places: Vec<Place>,
    moves: Vec<String>,
    by_notation: HashMap<String, u32>,
    by_move: HashMap<String, u16>,
    /// The first leaves everything as it is.
    images: Vec<Image>,
    /// For each symmetry the one that undoes it.
    undone: Vec<usize>,
    game: Arc<dyn AnyGame>,
}

/// A small game of the catalog, whole. Copies share it.
#[derive(Clone)]
pub struct Graph(Arc<Inner>);

impl Graph {
    /// The entry of the catalog that it comes from.
    pub fn id(&self) -> &'static str {
        self.0.id
    }

    /// What people call the game.
    pub fn title(&self) -> Message {
        self.0.title.clone()
    }

    /// How many positions can come up.
    pub fn len(&self) -> usize {
        self.0.places.len()
    }

    /// A graph always holds the start.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// How many symmetries were found, the empty one included.
    pub fn images(&self) -> usize {
        self.0.images.len()
    }

    /// The number of a position as players write it, if it can come up.
    pub fn find(&self, notation: &str) -> Option<u32> {
        self.0.by_notation.get(notation).copied()
    }

    fn place(&self, at: u32) -> &Place {
        &self.0.places[at as usize]
    }

    fn name(&self, seat: Seat) -> Message {
        self.0.names[seat.index().min(1)].clone()
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Graph({}, {} positions, {} symmetries)",
            self.0.spec,
            self.len(),
            self.images()
        )
    }
}

impl PartialEq for Graph {
    /// The canonical spec says everything.
    fn eq(&self, other: &Graph) -> bool {
        self.0.spec == other.0.spec
    }
}

impl Eq for Graph {}
