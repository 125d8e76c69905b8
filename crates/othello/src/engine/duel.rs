//! Games between two ways of choosing moves, from random openings, each played both ways round.

use serde::Serialize;
use wits_game::{Dice, Seed};

use crate::{Position, Square};

/// A way of choosing a move in a position that has one.
pub type Chooser<'a> = dyn FnMut(&Position) -> Square + 'a;

/// What a duel came to, from the side of the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Score {
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
    /// The sum of the final differences of discs.
    pub discs: i32,
}

impl Score {
    /// How many games.
    pub const fn games(&self) -> u32 {
        self.won + self.drawn + self.lost
    }

    /// The share of points, a draw being half.
    pub fn share(&self) -> f64 {
        (f64::from(self.won) + f64::from(self.drawn) / 2.0) / f64::from(self.games().max(1))
    }

    /// Both together.
    #[must_use]
    pub const fn and(self, other: Score) -> Score {
        Score {
            won: self.won + other.won,
            drawn: self.drawn + other.drawn,
            lost: self.lost + other.lost,
            discs: self.discs + other.discs,
        }
    }
}

/// The position after so many random moves.
pub fn opening(seed: Seed, moves: u32) -> Position {
    let mut dice = Dice::new(seed);
    let mut p = Position::START;
    for _ in 0..moves {
        let open: Vec<Square> = Square::all(p.moves()).collect();
        let Some(&square) = dice.pick(&open) else {
            break;
        };
        p = p.played(square);
    }
    p
}

/// Two games from one opening, sides exchanged.
pub fn pair(start: &Position, a: &mut Chooser<'_>, b: &mut Chooser<'_>) -> Score {
    let mut score = Score::default();
    for a_first in [true, false] {
        let mut p = *start;
        while !p.over() {
            let square = if (p.turn == start.turn) == a_first {
                a(&p)
            } else {
                b(&p)
            };
            p = p.played(square);
        }
        let (black, white) = p.score();
        let diff = black as i32 - white as i32;
        let a_is_black = (start.turn.index() == 0) == a_first;
        let diff = if a_is_black { diff } else { -diff };
        match diff {
            1.. => score.won += 1,
            0 => score.drawn += 1,
            _ => score.lost += 1,
        }
        score.discs += diff;
    }
    score
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_chooser_on_both_sides_comes_out_even() {
        let first = |p: &Position| Square::first(p.moves()).expect("a move is there");
        for seed in 0..10 {
            let start = opening(Seed::new(seed), 8);
            let score = pair(&start, &mut { first }, &mut { first });
            assert_eq!((score.games(), score.discs), (2, 0));
            assert_eq!(score.won, score.lost);
        }
    }
}
