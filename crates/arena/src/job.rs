//! A job is one pairing, whole enough to be played anywhere; a result is what came of it.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wits_game::{Seat, Seed};
use wits_play::{Limits, TimeControl};

/// One pairing: some players on the same opening and seed, once in every seating.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Job {
    /// Its name: a hash of the run, the players and the place in the plan.
    pub id: String,
    /// The run it belongs to.
    pub run: String,
    /// The version of the program that plays it.
    pub version: String,
    /// Which round of the tournament, from 0.
    pub round: u32,
    /// Which pairing of these players in that round, from 0.
    pub index: u32,
    /// The players, as places in the tournament's list.
    pub players: Vec<usize>,
    /// Their specs.
    pub specs: Vec<String>,
    /// The game.
    pub game: String,
    /// The version of its rules.
    pub rules: u32,
    /// The games: for each seat, which of the job's players sits there.
    pub seatings: Vec<Vec<usize>>,
    /// How many times the games are played in sequence; more than once only where somebody learns.
    pub life: u32,
    /// Where all chance comes from.
    pub seed: Seed,
    /// What is played before the players sit down.
    pub opening: Opening,
    /// What is allowed.
    pub hall: Rules,
    /// How often a drawn game is played again.
    pub replays: u32,
    /// The names and hashes of what the players take from the shelf.
    pub shelf: BTreeMap<String, String>,
}

/// What is on the board before the players sit down.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Opening {
    /// A position as players write it, instead of the usual start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Moves as players write them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
    /// How many random moves follow.
    #[serde(default)]
    pub random_plies: u32,
}

/// The rules of the hall.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Rules {
    /// A machine looks at no more positions than this for a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// A machine looks no deeper than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// A machine is asked to answer within so many milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub think_ms: Option<u64>,
    /// The clocks: who oversteps loses.
    #[serde(default)]
    pub clock: TimeControl,
    /// A game ends undecided after this many moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_moves: Option<u32>,
    /// Who has not answered after so many milliseconds hangs, and loses.
    pub patience_ms: u64,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            nodes: None,
            depth: None,
            think_ms: None,
            clock: TimeControl::None,
            max_moves: None,
            patience_ms: 600_000,
        }
    }
}

impl Rules {
    /// What one decision may cost.
    pub fn limits(&self) -> Limits {
        Limits {
            nodes: self.nodes,
            depth: self.depth,
            time: self.think_ms.map(Duration::from_millis),
        }
    }

    /// Whether no clock decides anything.
    pub fn repeatable(&self) -> bool {
        self.think_ms.is_none() && self.clock == TimeControl::None
    }
}

/// What a player did that lost its game at once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FaultKind {
    /// It played what the rules refuse.
    Illegal,
    /// It broke down.
    Crash,
    /// It overstepped its time.
    Late,
    /// It did not answer at all.
    Hang,
    /// It went away.
    Disconnected,
    /// It said what nobody understands.
    Unreadable,
}

/// Who did what, in words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FaultNote {
    /// The seat.
    pub seat: Seat,
    /// What it did.
    pub kind: FaultKind,
    /// The details, if there are any.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

/// One game of a pairing. Lists are by seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameResult {
    /// Which of the job's players sat where.
    pub seating: Vec<usize>,
    /// What each seat got.
    pub payoffs: Vec<i32>,
    /// How many moves each made after the opening.
    pub moves: Vec<u32>,
    /// How long each thought.
    pub micros: Vec<u64>,
    /// How many positions each looked at.
    pub nodes: Vec<u64>,
    /// What a player did wrong, if that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultNote>,
    /// How often it was drawn before and played again.
    #[serde(default)]
    pub replayed: u32,
    /// A short hash of all moves: equal games have equal ones.
    pub line: String,
}

/// What came of a job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JobResult {
    /// The players, as places in the tournament's list.
    pub players: Vec<usize>,
    /// The round the job belongs to.
    pub round: u32,
    /// Its place among the pairings of these players.
    pub index: u32,
    /// The games, in the order of the seatings, again for every year of a life.
    pub games: Vec<GameResult>,
}

/// A result on its way to the coordinator.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Completed {
    /// The job.
    pub job: String,
    /// Who played it.
    pub worker: String,
    /// What came of it.
    pub result: JobResult,
}
