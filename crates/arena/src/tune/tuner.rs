//! The course of a tuning, as plain data.

use serde::{Deserialize, Serialize};
use wits_play::{Catalog, Shelf};

use super::Tuning;
use super::method::State;
use crate::stats::{Anchor, Counts, Verdict, superiority};
use crate::{ArenaError, EntrantFile, File, Ledger, Table, Tournament, digest};

/// A set of numbers and how good it was.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Candidate {
    /// A short hash of its spec.
    pub name: String,
    /// Its numbers, in the order of the genes.
    pub genome: Vec<f64>,
    /// Its spec.
    pub spec: String,
    /// Its rating; the reference, or the first opponent where there is a list of them, has 0.
    pub rating: f64,
    /// How far the rating may be off: one standard deviation.
    pub noise: f64,
}

/// What one generation came to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Generation {
    /// Its number, from 0.
    pub number: u64,
    /// The five best, the best first.
    pub best: Vec<Candidate>,
    /// The rating of the best less that of the middle one.
    pub lead: f64,
    /// How far ratings may be off, on average.
    pub noise: f64,
    /// How many games it took.
    pub games: u64,
}

/// What is to be played next.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// The candidates of a generation.
    Generation,
    /// The best against the reference, as far as it takes to be sure.
    Check,
    /// The best five and the method's own answer, on fresh seeds.
    PlayOff,
    /// The winner against the reference, on fresh seeds again.
    Validate,
    /// Nothing.
    Done,
}

/// The match at the end.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The winner.
    pub winner: Candidate,
    /// Its results against the reference on fresh seeds.
    pub counts: Counts,
    /// Its share of the points.
    pub score: f64,
    /// The 95% interval of that share.
    pub interval: (f64, f64),
    /// The likelihood that it is the stronger.
    pub superiority: f64,
    /// Whether it is better for sure: the whole interval lies above one half.
    pub better: bool,
}

/// A tuning on its way: plain data that can be written to disk after every tournament.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tuner {
    /// What is tuned.
    pub tuning: Tuning,
    /// What is to be played next.
    pub phase: Phase,
    /// The generations so far.
    pub history: Vec<Generation>,
    /// Whether the test said that it is enough.
    pub stopped_early: bool,
    /// The winner of the play-off.
    pub winner: Option<Candidate>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    state: State,
}

/// How many of the best are kept of every generation.
const BEST: usize = 5;

impl Tuner {
    /// A tuning that begins.
    pub fn new(tuning: Tuning) -> Tuner {
        Tuner {
            state: State::new(tuning.method, &tuning.genes, tuning.seed),
            tuning,
            phase: Phase::Generation,
            history: Vec::new(),
            stopped_early: false,
            winner: None,
            outcome: None,
        }
    }

    /// Lets it go on to another number of generations; one that was done goes on from its last.
    pub(super) fn extend_to(&mut self, generations: u64) {
        let more = generations > self.generation() && !self.stopped_early;
        self.tuning.generations = generations;
        if more && matches!(self.phase, Phase::PlayOff | Phase::Validate | Phase::Done) {
            self.phase = Phase::Generation;
            self.winner = None;
            self.outcome = None;
        }
    }

    /// The generation that is being played.
    pub fn generation(&self) -> u64 {
        self.history.len() as u64
    }

    fn candidate(&self, genome: &[f64]) -> Candidate {
        let fit = |(g, &v): (&super::Gene, &f64)| g.fit(v);
        let genome: Vec<f64> = self.tuning.genes.iter().zip(genome).map(fit).collect();
        let spec = self.tuning.spec(&genome).to_string();
        let mut name = digest(&spec);
        name.truncate(5);
        Candidate {
            name,
            genome,
            spec,
            rating: 0.0,
            noise: 0.0,
        }
    }

    /// The best that is known: the method's own answer, or the best of the last generation.
    pub fn best(&self) -> Option<Candidate> {
        match self.state.answer() {
            Some(answer) => Some(self.candidate(&answer)),
            None => self.history.last().and_then(|g| g.best.first().cloned()),
        }
    }

    /// Those who take part in the play-off.
    fn finalists(&self) -> Vec<Candidate> {
        let mut all: Vec<Candidate> = self
            .state
            .answer()
            .map(|a| self.candidate(&a))
            .into_iter()
            .collect();
        let last = self.history.last().map(|g| g.best.clone());
        for candidate in last.unwrap_or_default() {
            if !all.iter().any(|c| c.spec == candidate.spec) {
                all.push(candidate);
            }
        }
        all
    }

    /// The tournament to be played next; nothing when all is done.
    pub fn next(&self, catalog: &Catalog, shelf: &Shelf) -> Result<Option<Tournament>, ArenaError> {
        let t = &self.tuning;
        let number = self.generation();
        let entrant = |name: String, spec: &str| EntrantFile::Named {
            name,
            spec: spec.to_owned(),
        };
        let field = |all: &[Candidate]| -> Vec<EntrantFile> {
            all.iter()
                .enumerate()
                .map(|(i, c)| entrant(format!("{i} {}", c.name), &c.spec))
                .collect()
        };
        let reference = || entrant("reference".to_owned(), &t.reference);
        let mut file = File {
            game: t.game.clone(),
            games: Some(t.games),
            random_plies: Some(t.random_plies),
            ..File::default()
        };
        // Every tournament has seeds of its own, so nothing is judged on games it was chosen by.
        let (name, seed) = match self.phase {
            Phase::Done => return Ok(None),
            Phase::Generation => {
                let points = self.state.ask(t.method, &t.genes);
                let all: Vec<Candidate> = points.iter().map(|p| self.candidate(p)).collect();
                file.players = field(&all);
                if t.against.is_empty() {
                    // The reference plays along, so that ratings of all generations can be compared.
                    file.players.push(reference());
                    let rounds = t.rounds.min(all.len() as u32);
                    file.format = Some("swiss".to_owned());
                    file.rounds = Some(rounds);
                } else {
                    file.format = Some("gauntlet".to_owned());
                    file.heroes = Some(all.len());
                    let others = (0..).zip(&t.against);
                    file.players
                        .extend(others.map(|(i, spec)| entrant(format!("against {i}"), spec)));
                }
                (format!("generation-{number}"), number)
            }
            Phase::Check => {
                let best = self.best().map(|c| vec![c]).unwrap_or_default();
                file.players = field(&best);
                file.players.push(reference());
                file.games = t.stop.map(|s| s.games);
                (format!("check-{number}"), (1 << 32) + number)
            }
            Phase::PlayOff => {
                file.players = field(&self.finalists());
                file.players.push(reference());
                file.games = Some((t.validate.games / 4).next_multiple_of(2).max(2));
                ("play-off".to_owned(), 2 << 32)
            }
            Phase::Validate => {
                let winner: Vec<Candidate> = self.winner.clone().into_iter().collect();
                file.players = field(&winner);
                file.players.push(reference());
                file.games = Some(t.validate.games);
                ("validation".to_owned(), 3 << 32)
            }
        };
        file.name = Some(format!("{}/{name}", t.name));
        file.seed = Some(t.seed.nth(seed));
        let mut tournament = file.tournament(catalog, shelf)?;
        tournament.hall = t.hall.clone();
        Ok(Some(tournament))
    }

    /// Whether the tournament that is being played may end now, because it says enough.
    pub fn enough(&self, ledger: &Ledger<'_>) -> bool {
        let (Phase::Check, Some(stop)) = (&self.phase, &self.tuning.stop) else {
            return false;
        };
        let sprt = stop.sprt();
        ledger
            .growing(0, 1)
            .iter()
            .any(|counts| sprt.test(counts).verdict != Verdict::Continue)
    }

    /// Takes the results of the tournament that [`next`](Self::next) named, and goes on.
    pub fn tell(&mut self, ledger: &Ledger<'_>) {
        match self.phase {
            Phase::Generation => self.tell_generation(ledger),
            Phase::Check => {
                let sprt = self.tuning.stop.map(|s| s.sprt());
                let growing = ledger.growing(0, 1);
                let verdict = sprt.and_then(|sprt| {
                    let tests = growing.iter().map(|c| sprt.test(c).verdict);
                    tests.into_iter().find(|v| *v != Verdict::Continue)
                });
                self.stopped_early = verdict == Some(Verdict::H1);
                self.phase = if self.stopped_early {
                    Phase::PlayOff
                } else {
                    self.after_generation(false)
                };
            }
            Phase::PlayOff => {
                let finalists = self.finalists();
                let table = Table::new(ledger, Anchor::Player(finalists.len(), 0.0));
                let best = table.rows.iter().find(|r| r.player < finalists.len());
                self.winner = best.map(|row| Candidate {
                    rating: row.rating.elo,
                    noise: (row.rating.interval.1 - row.rating.elo) / crate::stats::Z95,
                    ..finalists[row.player].clone()
                });
                self.phase = Phase::Validate;
            }
            Phase::Validate => {
                let counts = ledger.counts(0, 1);
                let list = counts.list();
                let half = list.len() / 2;
                let (worse, better): (u64, u64) =
                    (list[..half].iter().sum(), list[half + 1..].iter().sum());
                let interval = counts.interval();
                self.outcome = self.winner.clone().map(|winner| Outcome {
                    winner,
                    counts,
                    score: counts.score(),
                    interval,
                    superiority: superiority(better, worse),
                    better: interval.0 > 0.5,
                });
                self.phase = Phase::Done;
            }
            Phase::Done => {}
        }
    }

    fn tell_generation(&mut self, ledger: &Ledger<'_>) {
        let points = self.state.ask(self.tuning.method, &self.tuning.genes);
        let table = Table::new(ledger, Anchor::Player(points.len(), 0.0));
        let mut all: Vec<Candidate> = Vec::new();
        let mut worth = Vec::new();
        for (at, point) in points.iter().enumerate() {
            let Some(row) = table.of(at) else { continue };
            worth.push(row.rating.elo);
            all.push(Candidate {
                rating: row.rating.elo,
                noise: (row.rating.interval.1 - row.rating.elo) / crate::stats::Z95,
                ..self.candidate(point)
            });
        }
        let noise = all.iter().map(|c| c.noise).sum::<f64>() / all.len().max(1) as f64;
        all.sort_by(|a, b| b.rating.total_cmp(&a.rating));
        let middle = all.get(all.len() / 2).map_or(0.0, |c| c.rating);
        let lead = all.first().map_or(0.0, |c| c.rating) - middle;
        all.truncate(BEST);
        self.history.push(Generation {
            number: self.history.len() as u64,
            best: all,
            lead,
            noise,
            games: table.games,
        });
        // Selection in proportion looks at how candidates differ, not at how strong all of them are.
        let mean = worth.iter().sum::<f64>() / worth.len().max(1) as f64;
        let worth: Vec<f64> = worth.iter().map(|w| w - mean).collect();
        self.state.tell(points, &worth);
        self.phase = self.after_generation(true);
    }

    /// What follows a generation; a check comes first where one is due.
    fn after_generation(&self, may_check: bool) -> Phase {
        let done = self.generation();
        let due = |every: u64| every > 0 && done.is_multiple_of(every);
        if may_check && self.tuning.stop.is_some_and(|s| due(s.every)) {
            Phase::Check
        } else if done >= self.tuning.generations {
            Phase::PlayOff
        } else {
            Phase::Generation
        }
    }
}
