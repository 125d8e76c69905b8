//! Tuning: turning the numbers in a player's spec until it plays better.
//!
//! A [`TuneFile`] is what people write, a [`Tuning`] the same with everything checked. A [`Tuner`] is
//! plain data that says which tournament is to be played next ([`Tuner::next`]) and takes its results
//! ([`Tuner::tell`]): generations of candidates, a test against the reference now and then, a play-off
//! of the five best, and at the end a match on fresh seeds. The tournaments are those of the arena, so
//! they run on threads or on many machines, and a run that was killed goes on in the middle of a generation.

mod file;
mod keep;
mod method;
mod tuner;

pub use file::{GeneFile, StopFile, TuneFile, ValidateFile};
pub use keep::tunings;
pub use method::Method;
pub use tuner::{Candidate, Generation, Outcome, Phase, Tuner};

use serde::{Deserialize, Serialize};
use wits_game::Seed;
use wits_play::Spec;

use crate::{Rules, digest};

/// One number that is turned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Gene {
    /// The parameter of the player.
    pub param: String,
    /// Whether it is a whole number.
    pub whole: bool,
    /// What the parameter allows.
    pub allowed: (f64, f64),
    /// Where the first candidates lie.
    pub range: (f64, f64),
    /// How far one change goes.
    pub step: f64,
    /// What the player has now.
    pub start: f64,
}

impl Gene {
    /// The nearest value that a spec can say.
    pub fn fit(&self, value: f64) -> f64 {
        let value = if value.is_finite() { value } else { self.start };
        let value = value.clamp(self.allowed.0, self.allowed.1);
        let fitted = if self.whole {
            value.round()
        } else {
            // Three digits after the point are what anybody reads, and more than games can tell.
            (value * 1000.0).round() / 1000.0
        };
        // Nobody writes -0.
        fitted + 0.0
    }
}

/// A tuning with everything checked and written out. It decides which games are played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tuning {
    /// The name its results are kept under.
    pub name: String,
    /// The canonical spec of the game.
    pub game: String,
    /// The player whose numbers are turned.
    pub player: String,
    /// The numbers.
    pub genes: Vec<Gene>,
    /// How.
    pub method: Method,
    /// How many generations at most.
    pub generations: u64,
    /// Whom candidates meet: nobody but each other if the list is empty.
    pub against: Vec<String>,
    /// How many rounds a generation has where candidates meet each other.
    pub rounds: u32,
    /// How many games the same two have.
    pub games: u32,
    /// How many random moves each pairing begins with.
    pub random_plies: u32,
    /// What is allowed.
    pub hall: Rules,
    /// The player that must be beaten.
    pub reference: String,
    /// When it ends before the last generation.
    pub stop: Option<StopFile>,
    /// The match at the end.
    pub validate: ValidateFile,
    /// Where all chance comes from.
    pub seed: Seed,
    /// The version of the program.
    pub version: String,
}

impl Tuning {
    /// The id of the run: another tuning has another one.
    pub fn id(&self) -> String {
        digest(&serde_json::to_string(self).expect("a tuning is plain data"))
    }

    /// The spec of a candidate.
    pub fn spec(&self, genome: &[f64]) -> Spec {
        let mut spec: Spec = self.player.parse().expect("checked when it was made");
        for (gene, &value) in self.genes.iter().zip(genome) {
            let text = gene.fit(value).to_string();
            match spec.args.iter_mut().find(|(key, _)| *key == gene.param) {
                Some((_, old)) => *old = wits_play::Value::Text(text),
                None => spec = spec.with(gene.param.clone(), text),
            }
        }
        spec
    }
}
