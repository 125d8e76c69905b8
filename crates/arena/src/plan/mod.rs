//! The plan: which jobs a tournament has, given what was played so far.

mod knockout;
mod swiss;

pub(crate) use knockout::standing as knockout_standing;
pub(crate) use swiss::byes;

use crate::{Format, Job, Ledger, Opening, Openings, Ties, Tournament, digest};

/// The plan of a tournament. It is a function of the tournament and of the results so far, so
/// nothing about it needs to be kept.
pub struct Plan<'a> {
    tournament: &'a Tournament,
    run: String,
}

/// The jobs that are known so far.
#[derive(Clone, PartialEq, Debug)]
pub struct Stage {
    /// All jobs whose players are known, played or not, in order.
    pub jobs: Vec<Job>,
    /// Whether these are all jobs of the tournament.
    pub last: bool,
}

impl<'a> Plan<'a> {
    /// The plan of a tournament.
    pub fn new(tournament: &'a Tournament) -> Plan<'a> {
        Plan {
            run: tournament.id(),
            tournament,
        }
    }

    /// The groups of players who can meet, in order.
    pub fn meetings(&self) -> Vec<Vec<usize>> {
        let seats = usize::from(self.tournament.seats);
        let mut groups = Vec::new();
        combine(
            self.tournament.players.len(),
            seats,
            &mut Vec::new(),
            &mut groups,
        );
        let wanted = |group: &Vec<usize>| match self.tournament.format {
            Format::Gauntlet { heroes } => group.iter().filter(|&&p| p < heroes).count() == 1,
            _ => true,
        };
        groups.retain(|g| wanted(g) && !self.tournament.seatings(g).is_empty());
        groups
    }

    /// About how many jobs there will be in all.
    pub fn total(&self) -> u64 {
        let t = self.tournament;
        let n = t.players.len() as u64;
        let matches = match t.format {
            Format::RoundRobin | Format::Gauntlet { .. } => {
                return self
                    .meetings()
                    .iter()
                    .map(|group| u64::from(self.pairings(group)))
                    .sum();
            }
            Format::Swiss { rounds } => u64::from(rounds) * (n / 2),
            Format::Knockout => n - 1,
        };
        matches * u64::from(t.pairings)
    }

    /// The jobs that are known, given the results so far.
    pub fn stage(&self, ledger: &Ledger<'_>) -> Stage {
        match self.tournament.format {
            Format::RoundRobin | Format::Gauntlet { .. } => {
                let meetings = self.meetings();
                let most = meetings.iter().map(|g| self.pairings(g)).max().unwrap_or(0);
                let mut jobs = Vec::new();
                // Pairing by pairing, so that an unfinished table is an even one.
                for index in 0..most {
                    for group in meetings.iter().filter(|g| index < self.pairings(g)) {
                        jobs.push(self.job(0, group, index));
                    }
                }
                Stage { jobs, last: true }
            }
            Format::Swiss { rounds } => swiss::stage(self, ledger, rounds),
            Format::Knockout => knockout::stage(self, ledger),
        }
    }

    /// How many jobs a group has: one where somebody learns, for a life cannot be cut.
    fn pairings(&self, group: &[usize]) -> u32 {
        if self.learns(group) {
            1
        } else {
            self.tournament.pairings
        }
    }

    fn learns(&self, group: &[usize]) -> bool {
        group.iter().any(|&p| self.tournament.players[p].learns)
    }

    /// The name of a job.
    pub fn job_id(&self, round: u32, players: &[usize], index: u32) -> String {
        digest(&format!("{} {round} {players:?} {index}", self.run))
    }

    /// One pairing.
    pub fn job(&self, round: u32, players: &[usize], index: u32) -> Job {
        let t = self.tournament;
        let mut seatings = t.seatings(players);
        if !t.paired && seatings.len() > 1 {
            seatings = vec![seatings.swap_remove(index as usize % seatings.len())];
        }
        // Everybody meets everybody on the same openings and dice.
        let seed = t.seed.nth(u64::from(round) << 32 | u64::from(index));
        let opening = match &t.openings {
            Openings::Random(plies) => Opening {
                random_plies: *plies,
                ..Opening::default()
            },
            Openings::List(list) => list[index as usize % list.len()].clone(),
        };
        Job {
            id: self.job_id(round, players, index),
            run: self.run.clone(),
            version: t.version.clone(),
            round,
            index,
            players: players.to_vec(),
            specs: players.iter().map(|&p| t.players[p].spec.clone()).collect(),
            game: t.game.clone(),
            rules: t.rules,
            seatings,
            life: if self.learns(players) { t.pairings } else { 1 },
            seed,
            opening,
            hall: t.hall.clone(),
            replays: match t.ties {
                Ties::Replay { times } => times,
                _ => 0,
            },
            shelf: t.shelf.clone(),
        }
    }

    /// The tournament.
    pub fn tournament(&self) -> &'a Tournament {
        self.tournament
    }
}

fn combine(n: usize, size: usize, group: &mut Vec<usize>, groups: &mut Vec<Vec<usize>>) {
    if group.len() == size {
        groups.push(group.clone());
        return;
    }
    for next in group.last().map_or(0, |last| last + 1)..n {
        group.push(next);
        combine(n, size, group, groups);
        group.pop();
    }
}
