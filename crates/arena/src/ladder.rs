//! The ladder of a game: everybody who ever played it in a tournament, on one scale.

use std::collections::BTreeMap;

use serde::Serialize;
use wits_store::Store;

use crate::stats::{self, Anchor, Points, Rating};
use crate::{ArenaError, Coordinator, runs};

/// Into how many stages a learner's life is divided: it is another player when it is old.
const STAGES: usize = 4;

/// Who stands on a ladder.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LadderRow {
    /// What tables call it: its spec, and the part of its life for a learner.
    pub name: String,
    /// The rating by maximum likelihood over all tournaments.
    pub rating: Rating,
    /// How many results count for it.
    pub games: u64,
    /// Its share of the points.
    pub score: f64,
}

/// Everybody who played one variant of a game.
#[derive(Clone, Debug, Default)]
pub struct Ladder {
    names: Vec<String>,
    results: Vec<(usize, usize, f64)>,
}

impl Ladder {
    /// The ladder of a variant, by its canonical spec, from all runs in a store. Runs that cannot
    /// be read are left out.
    pub fn of(store: &Store, game: &str) -> Result<Ladder, ArenaError> {
        let mut places = BTreeMap::new();
        let mut ladder = Ladder::default();
        for (name, _) in runs(store)? {
            let coordinator = match Coordinator::open(store, &name) {
                Ok(coordinator) => coordinator,
                Err(ArenaError::Bad { .. }) => continue,
                Err(error) => return Err(error),
            };
            if coordinator.tournament().game == game {
                ladder.add(&coordinator, &mut places);
            }
        }
        Ok(ladder)
    }

    fn add(&mut self, coordinator: &Coordinator<'_>, places: &mut BTreeMap<String, usize>) {
        let t = coordinator.tournament();
        let ledger = coordinator.ledger();
        for result in ledger.results() {
            let aged = ledger.aged_shares(result);
            let life = aged.last().map_or(1, |(year, _)| year + 1);
            let mut place = |player: usize, year: usize| {
                let entrant = &t.players[player];
                let name = if entrant.learns && life >= STAGES {
                    let stage = STAGES * year / life;
                    let (from, to) = (stage * life / STAGES, (stage + 1) * life / STAGES);
                    format!(
                        "{}, pairings {} to {to} of its life",
                        entrant.given,
                        from + 1
                    )
                } else {
                    entrant.given.clone()
                };
                *places.entry(name.clone()).or_insert_with(|| {
                    self.names.push(name);
                    self.names.len() - 1
                })
            };
            for (year, share) in aged {
                let (a, b) = (place(share.a, year), place(share.b, year));
                if a != b {
                    self.results.push((a, b, share.share));
                }
            }
        }
    }

    /// Whether nobody played.
    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }

    /// The place of a name, for an anchor.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|n| n == name)
    }

    /// The ladder, the best first.
    pub fn rows(&self, anchor: Anchor) -> Vec<LadderRow> {
        let n = self.names.len();
        let mut points = Points::new(n);
        let mut own = vec![(0.0, 0u64); n];
        for &(a, b, share) in &self.results {
            points.add(a, b, share);
            own[a] = (own[a].0 + share, own[a].1 + 1);
            own[b] = (own[b].0 + 1.0 - share, own[b].1 + 1);
        }
        let ratings = stats::rate(&points, anchor);
        let mut rows: Vec<LadderRow> = (0..n)
            .map(|p| LadderRow {
                name: self.names[p].clone(),
                rating: ratings.players[p],
                games: own[p].1,
                score: own[p].0 / own[p].1.max(1) as f64,
            })
            .collect();
        rows.sort_by(|a, b| {
            b.rating
                .elo
                .total_cmp(&a.rating.elo)
                .then_with(|| a.name.cmp(&b.name))
        });
        rows
    }
}
