//! A tournament with everything checked and written out.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use wits_game::{Seat, Seed};
use wits_play::Comparison;

use crate::{Opening, Rules, digest};

/// Who takes part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Entrant {
    /// What tables call it: its spec as it was written, or a name that was given.
    pub name: String,
    /// Its spec as it was written.
    pub given: String,
    /// The canonical spec, all defaults written out.
    pub spec: String,
    /// The seats it can take.
    pub seats: Vec<Seat>,
    /// Whether it learns from game to game.
    pub learns: bool,
}

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "format")]
pub enum Format {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first so many meet all others.
    Gauntlet {
        /// How many.
        heroes: usize,
    },
    /// In every round, players with about equal points who have not met.
    Swiss {
        /// How many rounds.
        rounds: u32,
    },
    /// Who loses a match is out.
    Knockout,
}

/// Where games begin.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Openings {
    /// These, in turn; a pairing uses one of them in all its games.
    List(Vec<Opening>),
    /// So many random moves, drawn anew for every pairing.
    Random(u32),
}

/// What becomes of drawn games.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ties {
    /// Half a point each.
    Half,
    /// The point goes to who thought less.
    Time,
    /// The point goes to who has the greater Brightwell quotient over the whole tournament:
    /// `c` times the points of all opponents met, and half of all margins.
    Brightwell {
        /// How much an opponent's point counts.
        c: f64,
    },
    /// The game is played again, at most so often; then half a point each.
    Replay {
        /// At most so often.
        times: u32,
    },
}

/// What counts as one result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Compare {
    /// Every game by itself.
    Game,
    /// All games of a pairing together, by summed payoff.
    Pair,
}

impl From<Comparison> for Compare {
    fn from(comparison: Comparison) -> Compare {
        match comparison {
            Comparison::Game => Compare::Game,
            Comparison::Pair => Compare::Pair,
        }
    }
}

/// A tournament. Everything in here decides which games are played, so two runs with equal
/// tournaments play equal games, unless a clock decides.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tournament {
    /// The name its results are kept under.
    pub name: String,
    /// The canonical spec of the game.
    pub game: String,
    /// The version of the game's rules.
    pub rules: u32,
    /// How many sit at a table.
    pub seats: u8,
    /// What counts as one result.
    pub compare: Compare,
    /// Who takes part.
    pub players: Vec<Entrant>,
    /// Who meets whom.
    #[serde(flatten)]
    pub format: Format,
    /// How many pairings the same players have, in every round.
    pub pairings: u32,
    /// Whether a pairing has one game in every seating; otherwise it has one game, and seats
    /// alternate from pairing to pairing.
    pub paired: bool,
    /// Where games begin.
    pub openings: Openings,
    /// What is allowed.
    pub hall: Rules,
    /// What becomes of drawn games.
    pub ties: Ties,
    /// Where all chance comes from.
    pub seed: Seed,
    /// The names and hashes of what lies on the shelf.
    pub shelf: BTreeMap<String, String>,
    /// The version of the program.
    pub version: String,
}

impl Tournament {
    /// The id of the run: another tournament has another one.
    pub fn id(&self) -> String {
        let text = serde_json::to_string(self).expect("a tournament is plain data");
        digest(&text)
    }

    /// The ways in which these players can sit, each of them once; none where they cannot meet.
    /// The first is in the order of the list, if they can sit so.
    pub fn seatings(&self, players: &[usize]) -> Vec<Vec<usize>> {
        let mut found = Vec::new();
        let mut order: Vec<usize> = Vec::new();
        self.sit(players, &mut order, &mut found);
        found
    }

    fn sit(&self, players: &[usize], order: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
        let Some(seat) = Seat::at(order.len()).filter(|_| order.len() < players.len()) else {
            found.push(order.clone());
            return;
        };
        for (place, &player) in players.iter().enumerate() {
            if !order.contains(&place) && self.players[player].seats.contains(&seat) {
                order.push(place);
                self.sit(players, order, found);
                order.pop();
            }
        }
    }

    /// What differs between two tournaments of one name, in words.
    pub fn difference(&self, other: &Tournament) -> String {
        let mut what = Vec::new();
        let mut note = |differs: bool, word: &'static str| {
            if differs {
                what.push(word);
            }
        };
        note(self.version != other.version, "version of the program");
        note(self.game != other.game || self.rules != other.rules, "game");
        note(self.players != other.players, "list of players");
        note(self.format != other.format, "format");
        note(
            self.pairings != other.pairings || self.paired != other.paired,
            "number of games",
        );
        note(self.openings != other.openings, "choice of openings");
        note(self.hall != other.hall, "set of limits");
        note(self.ties != other.ties, "rule for draws");
        note(self.seed != other.seed, "seed");
        note(
            self.shelf != other.shelf,
            "content of the files that players use",
        );
        if what.is_empty() {
            "tournament".to_owned()
        } else {
            what.join(" and another ")
        }
    }
}
