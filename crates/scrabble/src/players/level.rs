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
use crate::Letter;
use crate::generate::Found;
use crate::play::Play;
use crate::table::{Move, Scrabble, Table};

/// What a level knows and gives away.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Skill {
    /// The share of words of four letters that it knows; longer ones are known less.
    pub words: f64,
    /// The most points it gives away.
    pub loss: i32,
}

/// The levels from one to four; five plays with the whole lexicon and by leaves. Measured with `wits scrabble levels`.
pub const SKILLS: [Skill; 4] = [
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
    Skill {
        words: 1.0,
        loss: 0,
    },
];

/// A level.
#[derive(Clone, Debug)]
pub struct Level {
    skill: Option<Skill>,
    top: Leave,
}

impl Level {
    /// The level of a number from 1 to 5.
    pub fn new(level: u8, leaves: Arc<Leaves>) -> Level {
        let at = usize::from(level.clamp(1, 5)) - 1;
        Level::of(SKILLS.get(at).copied(), leaves)
    }

    /// A level with a skill of its own; nothing for the highest.
    pub fn of(skill: Option<Skill>, leaves: Arc<Leaves>) -> Level {
        Level {
            skill,
            top: Leave::new(leaves, 0),
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
            return self.top.choose(game, view, desk);
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
