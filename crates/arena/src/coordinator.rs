//! The coordinator: the only one who writes results down, and who knows what is left to play.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use wits_store::{Blob, Store};

use crate::stats::Anchor;
use crate::{ArenaError, Completed, Job, JobResult, Ledger, Plan, Table, Tournament, digest};

/// What is kept about a run besides its results.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The tournament.
    pub tournament: Tournament,
    /// When it was begun, in microseconds.
    pub begun: i64,
    /// The player whose rating is fixed, by name; the average of all if none is named.
    pub anchor: Option<String>,
    /// The rating of the anchor.
    pub anchor_rating: f64,
}

impl Header {
    /// Where the scale of ratings is held fast.
    pub fn scale(&self) -> Anchor {
        let place = self.anchor.as_ref().and_then(|name| {
            let players = &self.tournament.players;
            players.iter().position(|p| p.name == *name)
        });
        place.map_or(Anchor::Mean(self.anchor_rating), |p| {
            Anchor::Player(p, self.anchor_rating)
        })
    }
}

/// What became of results that were handed in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Accepted {
    /// Written down now.
    pub new: usize,
    /// Known already: a job may be played twice, but it counts once.
    pub known: usize,
    /// Not of this run.
    pub foreign: usize,
}

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Progress {
    /// Jobs whose results are in the store.
    pub done: u64,
    /// About how many jobs there are in all.
    pub total: u64,
    /// Games in those results.
    pub games: u64,
    /// Whether nothing is left to play.
    pub finished: bool,
}

/// The kind under which headers are kept.
const KIND: &str = "arena";

/// The key under which a kept result names who played it.
const WORKER: &str = "worker";

/// How many results are read at once.
const PAGE: u32 = 1000;

/// One run of a tournament over a store.
pub struct Coordinator<'s> {
    store: &'s Store,
    header: Header,
    run: String,
    results: BTreeMap<String, JobResult>,
    /// How many of the results each worker played.
    workers: BTreeMap<String, u64>,
}

/// The names of all runs in a store, with the time of their beginning.
pub fn runs(store: &Store) -> Result<Vec<(String, i64)>, ArenaError> {
    let all = store.blobs(KIND)?;
    Ok(all.into_iter().map(|blob| (blob.name, blob.at)).collect())
}

fn header(store: &Store, name: &str) -> Result<Option<Header>, ArenaError> {
    let Some(blob) = store.blob(KIND, name)? else {
        return Ok(None);
    };
    serde_json::from_slice(&blob.bytes)
        .map(Some)
        .map_err(|e| ArenaError::Bad {
            what: format!("what is kept about `{name}` cannot be read: {e}"),
            hint: "start it anew with `--anew`".to_owned(),
        })
}

impl<'s> Coordinator<'s> {
    /// Begins a run, or goes on with it if it was begun. A tournament that differs from the one it
    /// was begun with is refused.
    pub fn begin(store: &'s Store, new: Header) -> Result<Coordinator<'s>, ArenaError> {
        let name = new.tournament.name.clone();
        if let Some(old) = header(store, &name)? {
            if old.tournament != new.tournament {
                let results = store.count_results(&old.tournament.id())?;
                if results > 0 {
                    return Err(ArenaError::Changed {
                        name,
                        what: old.tournament.difference(&new.tournament),
                        results,
                    });
                }
            }
            // What only changes how the table is shown may change between runs.
            let begun = if old.tournament == new.tournament {
                old.begun
            } else {
                new.begun
            };
            return Coordinator::with(store, Header { begun, ..new });
        }
        Coordinator::with(store, new)
    }

    /// Forgets what was kept under the name of this tournament, and begins.
    pub fn anew(store: &'s Store, new: Header) -> Result<Coordinator<'s>, ArenaError> {
        Coordinator::forget(store, &new.tournament.name)?;
        Coordinator::with(store, new)
    }

    /// Forgets a run with all its results, and says how many there were.
    pub fn forget(store: &Store, name: &str) -> Result<u64, ArenaError> {
        // A header that cannot be read cannot say which results were its own; they stay, unused.
        let results = match header(store, name) {
            Ok(Some(old)) => store.forget_results(&old.tournament.id())?,
            Ok(None) | Err(ArenaError::Bad { .. }) => 0,
            Err(e) => return Err(e),
        };
        store.delete_blob(KIND, name)?;
        Ok(results)
    }

    /// Opens a run that was begun.
    pub fn open(store: &'s Store, name: &str) -> Result<Coordinator<'s>, ArenaError> {
        let Some(header) = header(store, name)? else {
            return Err(ArenaError::Unknown {
                name: name.to_owned(),
                known: runs(store)?.into_iter().map(|(name, _)| name).collect(),
            });
        };
        let mut coordinator = Coordinator {
            store,
            run: header.tournament.id(),
            header,
            results: BTreeMap::new(),
            workers: BTreeMap::new(),
        };
        coordinator.reload()?;
        Ok(coordinator)
    }

    fn with(store: &'s Store, header: Header) -> Result<Coordinator<'s>, ArenaError> {
        let bytes = serde_json::to_vec(&header).expect("a header is plain data");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        store.put_blob(&Blob {
            kind: KIND.to_owned(),
            name: header.tournament.name.clone(),
            hash: digest(&text),
            bytes,
            at: header.begun,
        })?;
        let mut coordinator = Coordinator {
            store,
            run: header.tournament.id(),
            header,
            results: BTreeMap::new(),
            workers: BTreeMap::new(),
        };
        coordinator.reload()?;
        Ok(coordinator)
    }

    /// Reads all results from the store.
    pub fn reload(&mut self) -> Result<(), ArenaError> {
        let mut results = BTreeMap::new();
        let mut workers = BTreeMap::new();
        let mut after = String::new();
        loop {
            let page = self.store.results(&self.run, &after, PAGE)?;
            let Some(last) = page.last() else { break };
            after.clone_from(&last.job);
            for kept in page {
                if let Some(worker) = kept.body[WORKER].as_str() {
                    *workers.entry(worker.to_owned()).or_insert(0) += 1;
                }
                let result = serde_json::from_value(kept.body).map_err(|e| ArenaError::Bad {
                    what: format!("result `{}` cannot be read: {e}", kept.job),
                    hint: "start the run anew with `--anew`".to_owned(),
                })?;
                results.insert(kept.job, result);
            }
        }
        self.results = results;
        self.workers = workers;
        Ok(())
    }

    /// What the run is about.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The tournament.
    pub fn tournament(&self) -> &Tournament {
        &self.header.tournament
    }

    /// The id of the run.
    pub fn run_id(&self) -> &str {
        &self.run
    }

    /// How many of the results each worker played.
    pub fn workers(&self) -> &BTreeMap<String, u64> {
        &self.workers
    }

    /// The results in the order of the plan.
    pub fn ledger(&self) -> Ledger<'_> {
        Ledger::new(&self.header.tournament, self.results.values())
    }

    /// The table.
    pub fn table(&self) -> Table {
        Table::new(&self.ledger(), self.header.scale())
    }

    /// The jobs that can be played now, in order. When there are none, the run is finished.
    pub fn pending(&self) -> Vec<Job> {
        let plan = Plan::new(&self.header.tournament);
        let stage = plan.stage(&self.ledger());
        let open = |job: &Job| !self.results.contains_key(&job.id);
        stage.jobs.into_iter().filter(open).collect()
    }

    /// Fixes another player's rating; unknown names fix the average.
    pub fn set_anchor(&mut self, name: &str, rating: f64) {
        self.header.anchor = Some(name.to_owned());
        self.header.anchor_rating = rating;
    }

    /// About how many jobs there are in all.
    pub fn total(&self) -> u64 {
        let plan = Plan::new(&self.header.tournament);
        plan.total().max(self.done())
    }

    /// How far the run is.
    pub fn progress(&self) -> Progress {
        Progress {
            done: self.done(),
            total: self.total(),
            games: self.games(),
            finished: self.pending().is_empty(),
        }
    }

    /// Whether a job's result is in.
    pub fn has(&self, job: &str) -> bool {
        self.results.contains_key(job)
    }

    /// How many games the results have.
    pub fn games(&self) -> u64 {
        self.results.values().map(|r| r.games.len() as u64).sum()
    }

    /// Where results are kept.
    pub(crate) fn store(&self) -> &'s Store {
        self.store
    }

    /// How many results are in.
    pub fn done(&self) -> u64 {
        self.results.len() as u64
    }

    /// Takes results in any order, as often as they come, and writes each down once. When this
    /// returns, they are in the store; when it fails, none of them is.
    pub fn accept(&mut self, all: Vec<Completed>, at: i64) -> Result<Accepted, ArenaError> {
        let plan = Plan::new(&self.header.tournament);
        let mut accepted = Accepted::default();
        let mut fresh = BTreeMap::new();
        for Completed {
            job,
            worker,
            result,
        } in all
        {
            if !self.belongs(&plan, &job, &result) {
                accepted.foreign += 1;
            } else if self.results.contains_key(&job) || fresh.contains_key(&job) {
                accepted.known += 1;
            } else {
                fresh.insert(job, (worker, result));
            }
        }
        let row = |(job, (worker, result)): (&String, &(String, JobResult))| {
            let mut body = serde_json::to_value(result).expect("a result is plain data");
            body[WORKER] = worker.as_str().into();
            wits_store::JobResult {
                job: job.clone(),
                body,
            }
        };
        let rows: Vec<wits_store::JobResult> = fresh.iter().map(row).collect();
        let new = self.store.add_results(&self.run, &rows, at)?;
        accepted.new = fresh.len();
        if new == fresh.len() {
            for (job, (worker, result)) in fresh {
                *self.workers.entry(worker).or_insert(0) += 1;
                self.results.insert(job, result);
            }
        } else {
            // Somebody else wrote some of them first, and theirs stay.
            self.reload()?;
        }
        Ok(accepted)
    }

    /// Whether a result is one of this run and whole.
    fn belongs(&self, plan: &Plan<'_>, job: &str, result: &JobResult) -> bool {
        let t = &self.header.tournament;
        let seats = usize::from(t.seats);
        let whole = result.players.len() == seats
            && result.players.iter().all(|&p| p < t.players.len())
            && !result.games.is_empty()
            && result.games.iter().all(|game| {
                let lists = [
                    game.seating.len(),
                    game.payoffs.len(),
                    game.moves.len(),
                    game.micros.len(),
                    game.nodes.len(),
                ];
                lists.iter().all(|&len| len == seats) && game.seating.iter().all(|&p| p < seats)
            });
        whole && plan.job_id(result.round, &result.players, result.index) == job
    }
}
