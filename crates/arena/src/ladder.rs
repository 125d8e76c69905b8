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
    /// Which group of linked players it belongs to, counted from zero.
    pub group: usize,
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

    /// The ladder, the best first. Players whom no chain of games links stand in groups of their own, the
    /// largest first: nothing says how a player of one compares with one of another.
    pub fn rows(&self, anchor: Anchor) -> Vec<LadderRow> {
        let mut own = vec![(0.0, 0u64); self.names.len()];
        for &(a, b, share) in &self.results {
            own[a] = (own[a].0 + share, own[a].1 + 1);
            own[b] = (own[b].0 + 1.0 - share, own[b].1 + 1);
        }
        let mut rows = Vec::new();
        for (group, members) in self.groups().iter().enumerate() {
            let place = |player: usize| members.iter().position(|&m| m == player);
            let mut points = Points::new(members.len());
            for &(a, b, share) in &self.results {
                if let (Some(a), Some(b)) = (place(a), place(b)) {
                    points.add(a, b, share);
                }
            }
            let anchor = match anchor {
                // An anchor holds where it stands; every other group has a mean of its own.
                Anchor::Player(player, elo) => {
                    place(player).map_or(Anchor::Mean(elo), |at| Anchor::Player(at, elo))
                }
                mean @ Anchor::Mean(_) => mean,
            };
            let ratings = stats::rate(&points, anchor);
            let row = |(at, &player): (usize, &usize)| LadderRow {
                name: self.names[player].clone(),
                rating: ratings.players[at],
                games: own[player].1,
                score: own[player].0 / own[player].1.max(1) as f64,
                group,
            };
            let mut of_group: Vec<LadderRow> = members.iter().enumerate().map(row).collect();
            of_group.sort_by(|a, b| {
                let higher = b.rating.elo.total_cmp(&a.rating.elo);
                higher.then_with(|| a.name.cmp(&b.name))
            });
            rows.extend(of_group);
        }
        rows
    }

    /// The players by groups that games link, the largest group first.
    fn groups(&self) -> Vec<Vec<usize>> {
        let mut group: Vec<usize> = (0..self.names.len()).collect();
        for &(a, b, _) in &self.results {
            let (keep, drop) = (group[a].min(group[b]), group[a].max(group[b]));
            if keep != drop {
                group
                    .iter_mut()
                    .filter(|g| **g == drop)
                    .for_each(|g| *g = keep);
            }
        }
        let mut groups = BTreeMap::<usize, Vec<usize>>::new();
        for (player, group) in group.into_iter().enumerate() {
            groups.entry(group).or_default().push(player);
        }
        let mut groups: Vec<Vec<usize>> = groups.into_values().collect();
        groups.sort_by_key(|members| std::cmp::Reverse(members.len()));
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_who_never_met_are_not_put_on_one_scale() {
        let names = ["a", "b", "c", "d", "e"].map(str::to_owned).to_vec();
        // a, b and c are linked through b; d and e met only each other.
        let results = vec![
            (0, 1, 1.0),
            (0, 1, 0.5),
            (1, 2, 0.75),
            (3, 4, 1.0),
            (4, 3, 1.0),
        ];
        let ladder = Ladder { names, results };
        let rows = ladder.rows(Anchor::Mean(1000.0));
        let groups: Vec<(usize, &str)> = rows.iter().map(|r| (r.group, r.name.as_str())).collect();
        assert_eq!(groups, [(0, "a"), (0, "b"), (0, "c"), (1, "d"), (1, "e")]);
        let mean = |group: usize| {
            let of: Vec<f64> = rows
                .iter()
                .filter(|r| r.group == group)
                .map(|r| r.rating.elo)
                .collect();
            of.iter().sum::<f64>() / of.len() as f64
        };
        assert!((mean(0) - 1000.0).abs() < 1e-6 && (mean(1) - 1000.0).abs() < 1e-6);
        let anchored = ladder.rows(Anchor::Player(3, 1200.0));
        let d = anchored.iter().find(|r| r.name == "d").unwrap();
        assert!((d.rating.elo - 1200.0).abs() < 1e-6);
    }
}
