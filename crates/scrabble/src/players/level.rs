//! Five levels for people: a vocabulary that grows, and a loss of points that shrinks.
//!
//! Which words a level knows is fixed: each word has a number between zero and one from its letters, and a level knows it
//! when the number is below a share that falls with the word's length. So a level knows all words of the one below, and
//! never a word today that it does not know tomorrow. Among what it knows it lays any play whose points are within its loss of the best.

use std::sync::Arc;

use wits_play::{Choice, Desk, Player};
use wits_search::{Backup, Kind, Step, Watch};

use super::leaves::Leaves;
use super::sight::{Sight, answer, decide};
use super::simple::Leave;
use super::telling::Account;
use crate::generate::Found;
use crate::play::{Made, Play};
use crate::table::{Move, Scrabble, Table};
use crate::{Letter, TileSet, WORDS};

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

impl Skill {
    /// Tells what the level saw: plays by their points, those with a word that it does not know, and the draw.
    fn tell<W: Watch>(
        &self,
        watch: &mut W,
        sight: &Sight<'_>,
        seen: &[(i32, Play, Option<Made>)],
        choices: &[(i32, Play)],
        mv: &Move,
    ) {
        let mut account = Account::open(watch, (sight.game, sight.view), Backup::None);
        let tiles = sight.game.engine().tiles();
        for (score, play, unknown) in seen {
            // What was drawn is listed in any case.
            let laid = Move::Play(*play);
            if !account.room() && laid != *mv {
                continue;
            }
            let numbers = [("score", f64::from(*score))];
            let (worth, says) = match unknown {
                Some(word) => {
                    let text = tiles.write_word(&word.letters);
                    (None, WORDS.say("told-unknown").with("word", text))
                }
                None => (
                    Some(100 * score),
                    WORDS.say("told-score").with("worth", *score),
                ),
            };
            account.candidate(&laid, worth, &numbers, says.with("score", *score));
        }
        let best = choices.first().map_or(0, |(best, _)| *best);
        let loss = self.loss;
        if choices.is_empty() {
            account.candidate(mv, Some(0), &[], WORDS.say("told-nothing-known"));
        } else {
            account.told.note(
                WORDS
                    .say("told-level-loss")
                    .with("best", best)
                    .with("loss", loss)
                    .with("count", choices.len()),
            );
        }
        let equals: Vec<String> = choices
            .iter()
            .map(|(_, play)| account.label(&Move::Play(*play)))
            .collect();
        let label = account.label(mv);
        if equals.len() > 1 {
            account.told.step(|| {
                let says = WORDS.say("told-level-draw").with("count", equals.len());
                Step::new(Kind::Draw, says.with("move", label.as_str()))
                    .data("id", 0)
                    .data("among", equals)
                    .data("drawn", label.as_str())
            });
        }
        let unknown = seen.iter().filter(|(_, _, word)| word.is_some()).count();
        let did = WORDS.say("sum-level").with("count", seen.len());
        let decided = match choices {
            [] => WORDS.say("sum-level-nothing"),
            [_] => WORDS.say("sum-level-best").with("best", best),
            _ => WORDS
                .say("sum-level-draw")
                .with("count", choices.len())
                .with("loss", loss),
        };
        let score = choices.iter().find(|(_, play)| Move::Play(*play) == *mv);
        let score = score.map_or(0, |(score, _)| *score);
        let says = [
            did.with("unknown", unknown),
            decided.with("move", label).with("score", score),
        ];
        let rest = WORDS.say("told-level-rest").with("least", best - loss);
        account.choose(mv, Some(100 * score), rest, says);
    }
}

impl Player<Scrabble> for Level {
    fn choose(&mut self, game: &Scrabble, view: &Table, desk: &mut Desk<'_, Move>) -> Choice<Move> {
        let Some(skill) = self.skill else {
            return self.whole.choose(game, view, desk);
        };
        if let Some(choice) = answer(game, view, desk) {
            return choice;
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
        let unknown = |play: &Play| {
            let made = play.words(&view.board);
            let mut words = made.into_iter();
            words.find(|word| !knows(skill.words, &word.letters))
        };
        let mut choices: Vec<(i32, Play)> = Vec::new();
        // Everything it looked at, with the first word that it does not know.
        let mut seen: Vec<(i32, Play, Option<Made>)> = Vec::new();
        for &(score, play) in &plays {
            if choices
                .first()
                .is_some_and(|(best, _)| best - score > skill.loss)
            {
                break;
            }
            let unknown = unknown(&play);
            if unknown.is_none() {
                choices.push((score, play));
            }
            if desk.record.is_some() {
                seen.push((score, play, unknown));
            }
            if skill.loss == 0 && !choices.is_empty() {
                break;
            }
        }
        let picked = desk.dice.pick(&choices).copied();
        let (mv, score, why) = match picked {
            Some((score, play)) => (Move::Play(play), score, "why-level"),
            None if sight.may_swap => {
                let all = sight.hand.tiles().to_vec();
                (Move::Exchange(all), 0, "why-nothing")
            }
            None => (Move::Pass, 0, "why-nothing"),
        };
        if let Some(watch) = desk.record.take() {
            skill.tell(watch, &sight, &seen, &choices, &mv);
        }
        decide(desk, mv, f64::from(score), why)
    }

    fn lens(&self) -> &'static str {
        "candidates"
    }
}
