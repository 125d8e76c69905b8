//! Five levels for people: a vocabulary that grows, and a loss of points that shrinks.
//!
//! Which words a level knows is fixed: each word has a number between zero and one from its letters, and a level knows it
//! when the number is below a share that falls with the word's length. So a level knows all words of the one below, and
//! never a word today that it does not know tomorrow. Among what it knows it lays any play whose points are within its loss of the best.

use std::sync::Arc;

use wits_play::{Choice, Desk, Player};

use super::leaves::Leaves;
use super::sight::{Sight, decide};
use super::simple::Leave;
use crate::generate::Found;
use crate::play::Play;
use crate::table::{Move, Scrabble, Table};
use crate::{Letter, TileSet};

/// What a level knows and gives away.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Skill {
    /// The share of words of four letters that it knows; longer ones are known less.
    pub words: f64,
    /// The most points it gives away.
    pub loss: i32,
}

/// The levels from one to three. Measured with `wits scrabble levels`.
pub const SKILLS: [Skill; 3] = [
    Skill {
        words: 0.65,
        loss: 5,
    },
    Skill {
        words: 0.74,
        loss: 4,
    },
    Skill {
        words: 0.87,
        loss: 2,
    },
];

/// A level.
#[derive(Clone, Debug)]
pub struct Level {
    skill: Option<Skill>,
    whole: Leave,
}

impl Level {
    /// The level of a number from 1 to 5. The two highest know every word; the fourth takes the most points, the fifth
    /// also keeps good tiles.
    pub fn new(level: u8, leaves: Arc<Leaves>, tiles: &TileSet) -> Level {
        let whole = if level < 5 {
            Arc::new(Leaves::nothing(tiles))
        } else {
            leaves
        };
        let at = usize::from(level.max(1)) - 1;
        Level {
            skill: SKILLS.get(at).copied(),
            whole: Leave::new(whole, 0),
        }
    }
}

/// Whether a vocabulary with this share has a word.
pub fn knows(words: f64, letters: &[Letter]) -> bool {
    if words >= 1.0 {
        return true;
    }
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for letter in letters {
        hash = (hash ^ u64::from(letter.code())).wrapping_mul(0x0100_0000_01b3);
    }
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^= hash >> 33;
    let number = (hash >> 11) as f64 / (1_u64 << 53) as f64;
    number < libm::pow(words, letters.len() as f64 / 4.0)
}

impl Player<Scrabble> for Level {
    fn choose(&mut self, game: &Scrabble, view: &Table, desk: &mut Desk<'_, Move>) -> Choice<Move> {
        let Some(skill) = self.skill else {
            return self.whole.choose(game, view, desk);
        };
        if let Some(mv) = Sight::reflex(game, view) {
            return decide(desk, mv, 0.0, "why-reflex");
        }
        let sight = Sight::new(game, view);
        let mut plays: Vec<(i32, Play)> = Vec::new();
        game.engine().every(
            &sight.field,
            &sight.hand,
            game.settings().bingo,
            &mut |found: &Found<'_>| {
                plays.push((found.score, found.play()));
            },
        );
        plays.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        let known = |play: &Play| {
            play.words(&view.board)
                .iter()
                .all(|word| knows(skill.words, &word.letters))
        };
        let mut choices: Vec<(i32, Play)> = Vec::new();
        for &(score, play) in &plays {
            if choices
                .first()
                .is_some_and(|(best, _)| best - score > skill.loss)
            {
                break;
            }
            if known(&play) {
                choices.push((score, play));
                if skill.loss == 0 {
                    break;
                }
            }
        }
        match desk.dice.pick(&choices).copied() {
            Some((score, play)) => decide(desk, Move::Play(play), f64::from(score), "why-level"),
            None if sight.may_swap => decide(
                desk,
                Move::Exchange(sight.hand.tiles().to_vec()),
                0.0,
                "why-nothing",
            ),
            None => decide(desk, Move::Pass, 0.0, "why-nothing"),
        }
    }

    fn lens(&self) -> &'static str {
        "candidates"
    }
}
