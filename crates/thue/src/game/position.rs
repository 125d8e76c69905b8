//! A position of the insertion game.

use serde::{Deserialize, Serialize};

use crate::words::{Repetition, Word};

/// A word and what is to be done with it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Position {
    /// The word.
    pub word: Word,
    /// What happens next.
    pub phase: Phase,
}

/// What happens next in the insertion game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// A gap is to be picked.
    Build,
    /// A symbol is to be picked for this gap.
    Paint(u32),
    /// Over: no symbol fits into the gap that was picked.
    Stuck(u32),
    /// Over: this repetition was painted.
    Repeated(Repetition),
    /// Over: the limit of moves is reached.
    Full,
}

impl Position {
    /// How many symbols were painted without a repetition: the Painter's points.
    pub fn points(&self) -> usize {
        let fatal = usize::from(matches!(self.phase, Phase::Repeated(_)));
        self.word.len().saturating_sub(1 + fatal)
    }

    /// The gap that waits for a symbol.
    pub fn gap(&self) -> Option<usize> {
        match self.phase {
            Phase::Paint(gap) | Phase::Stuck(gap) => Some(gap as usize),
            _ => None,
        }
    }

    /// Whether the game is over.
    pub fn over(&self) -> bool {
        !matches!(self.phase, Phase::Build | Phase::Paint(_))
    }

    /// The thesis's count of moves: the length of the word at the end, with the fatal symbol, which is
    /// counted also where it was not played.
    pub fn thesis_moves(&self) -> usize {
        self.word.len() + usize::from(matches!(self.phase, Phase::Stuck(_)))
    }
}
