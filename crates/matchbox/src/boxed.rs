//! What a game must tell before boxes can be labelled for it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use wits_game::Game;

use crate::subject::Subject;

/// A game that boxes can learn: positions can be compared, turned and mirrored.
///
/// Symmetries are numbered from zero, which is to leave everything as it is.
pub trait Boxed: Game<State: Copy + Ord, Move: Copy + Ord> {
    /// Whether a box is made for a position with only one move. MENACE has none for its last move.
    const FORCED: bool;

    /// The game as what machines learn.
    fn subject(&self) -> Subject;

    /// The canonical spec of the game: what a machine's file names.
    fn spec(&self) -> String;

    /// The position that a view shows.
    fn board(&self, view: &Self::View) -> Self::State;

    /// How many symmetries the board has, the empty one included.
    fn symmetries(&self) -> usize;

    /// A position turned or mirrored.
    fn turned(&self, how: usize, state: &Self::State) -> Self::State;

    /// A move turned or mirrored.
    fn turned_move(&self, how: usize, mv: Self::Move) -> Self::Move;

    /// The symmetry that undoes another.
    fn undone(&self, how: usize) -> usize;

    /// An upper bound for the number of positions.
    fn at_most(&self) -> u128;

    /// The least of all images of a position, and the symmetry that leads there.
    fn canonical(&self, state: &Self::State) -> (Self::State, usize) {
        (0..self.symmetries())
            .map(|how| (self.turned(how, state), how))
            .min()
            .expect("the empty symmetry is always there")
    }

    /// The symmetries that leave a position as it is.
    fn stabiliser(&self, state: &Self::State) -> Vec<usize> {
        (0..self.symmetries())
            .filter(|&how| self.turned(how, state) == *state)
            .collect()
    }

    /// The first of all moves that are the same by a symmetry of the position.
    fn first_twin(
        &self,
        stabiliser: &[usize],
        options: &[Self::Move],
        mv: Self::Move,
    ) -> Self::Move {
        let twin = |other: &Self::Move| {
            stabiliser
                .iter()
                .any(|&how| self.turned_move(how, *other) == mv)
        };
        options.iter().copied().find(twin).unwrap_or(mv)
    }

    /// The moves of a position without those that a symmetry of the position makes superfluous.
    fn without_twins(&self, state: &Self::State, options: &[Self::Move]) -> Vec<Self::Move> {
        let same = self.stabiliser(state);
        options
            .iter()
            .copied()
            .filter(|&mv| self.first_twin(&same, options, mv) == mv)
            .collect()
    }
}

/// How far mirror images and turned boards share a box.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scheme {
    /// Every position has its own box.
    None,
    /// From a symmetric position only one of two mirrored moves is followed, on both sides; other
    /// positions are not merged. This is how Gardner drew his 24 boxes.
    Gardner,
    /// All images of a position share one box.
    Full,
}

/// Whether a box holds beads for moves that a symmetry of its position makes the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Twins {
    /// One colour for all moves that are the same by symmetry.
    Merge,
    /// A colour for every legal move.
    Keep,
}

/// A word that names no scheme.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not a scheme; there are: none, gardner, full")]
pub struct NoSuchScheme(String);

impl FromStr for Scheme {
    type Err = NoSuchScheme;

    fn from_str(text: &str) -> Result<Scheme, NoSuchScheme> {
        match text {
            "none" => Ok(Scheme::None),
            "gardner" => Ok(Scheme::Gardner),
            "full" => Ok(Scheme::Full),
            _ => Err(NoSuchScheme(crate::words::shown(text))),
        }
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Scheme::None => "none",
            Scheme::Gardner => "gardner",
            Scheme::Full => "full",
        })
    }
}
