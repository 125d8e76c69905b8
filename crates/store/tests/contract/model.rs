//! Any sequence of operations does the same on a store as on plain maps.

use crate::ground::Ground;
use crate::laws::{blob, id};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;
use std::collections::BTreeMap;
use wits_store::{Error, JobResult, Score, Store, Then, Which};

#[derive(Debug, Clone)]
enum Op {
    Create {
        n: u8,
        kind: bool,
        at: i64,
    },
    /// `off` is added to the number of the next event.
    Append {
        n: u8,
        off: i64,
        bodies: Vec<u8>,
        then: Then,
        at: i64,
    },
    Delete {
        n: u8,
    },
    Claim {
        n: u8,
        seat: u8,
        token: u8,
    },
    Release {
        n: u8,
        seat: u8,
    },
    Results {
        run: bool,
        jobs: Vec<(u8, u8)>,
    },
    Forget {
        run: bool,
    },
    Set {
        key: u8,
        value: Option<u8>,
    },
    Score {
        id: u8,
        points: i64,
        at: i64,
    },
    Swap {
        name: u8,
        was: Option<u8>,
        hash: u8,
    },
    Throw {
        name: u8,
    },
    Reopen,
}

fn op() -> impl Strategy<Value = Op> {
    let then = prop_oneof![Just(Then::AsBefore), Just(Then::Finished), Just(Then::Open)];
    let n = 0..3_u8;
    let at = 0..20_i64;
    prop_oneof![
        3 => (n.clone(), any::<bool>(), at.clone()).prop_map(|(n, kind, at)| Op::Create { n, kind, at }),
        8 => (n.clone(), -2..2_i64, prop::collection::vec(0..4_u8, 0..3), then, at.clone())
            .prop_map(|(n, off, bodies, then, at)| Op::Append { n, off: off.min(1), bodies, then, at }),
        1 => n.clone().prop_map(|n| Op::Delete { n }),
        2 => (n.clone(), 0..2_u8, 0..2_u8).prop_map(|(n, seat, token)| Op::Claim { n, seat, token }),
        1 => (n, 0..2_u8).prop_map(|(n, seat)| Op::Release { n, seat }),
        2 => (any::<bool>(), prop::collection::vec((0..6_u8, 0..9_u8), 0..4))
            .prop_map(|(run, jobs)| Op::Results { run, jobs }),
        1 => any::<bool>().prop_map(|run| Op::Forget { run }),
        1 => (0..2_u8, prop::option::of(0..9_u8)).prop_map(|(key, value)| Op::Set { key, value }),
        2 => (0..5_u8, -2..3_i64, at).prop_map(|(id, points, at)| Op::Score { id, points, at }),
        2 => (0..2_u8, prop::option::of(0..3_u8), 0..3_u8)
            .prop_map(|(name, was, hash)| Op::Swap { name, was, hash }),
        1 => (0..2_u8).prop_map(|name| Op::Throw { name }),
        1 => Just(Op::Reopen),
    ]
}

#[derive(Default, Clone)]
struct Game {
    kind: bool,
    created: i64,
    updated: i64,
    finished: bool,
    log: Vec<(u8, i64)>,
    seats: BTreeMap<u8, u8>,
}

#[derive(Default)]
struct Model {
    games: BTreeMap<u8, Game>,
    results: BTreeMap<u8, (bool, u8)>,
    settings: BTreeMap<u8, u8>,
    scores: BTreeMap<u8, (i64, i64)>,
    blobs: BTreeMap<u8, u8>,
}

const KINDS: [&str; 2] = ["dialogue", "game"];
const RUNS: [&str; 2] = ["cup", "league"];

/// What an operation answers, in words that both sides can say.
fn say<T: std::fmt::Debug>(answer: Result<T, Error>) -> String {
    match answer {
        Ok(value) => format!("{value:?}"),
        Err(Error::Taken { seq, body }) => format!("taken {seq} {body}"),
        Err(Error::Gap { seq, next }) => format!("gap {seq} {next}"),
        Err(Error::Missing { .. }) => "missing".into(),
        Err(Error::Exists { .. }) => "exists".into(),
        Err(other) => panic!("{other}"),
    }
}

impl Model {
    fn next(&self, n: u8) -> i64 {
        self.games.get(&n).map_or(0, |g| g.log.len() as i64)
    }

    fn act(&mut self, op: &Op) -> String {
        match op {
            Op::Create { n, .. } if self.games.contains_key(n) => "exists".into(),
            Op::Create { n, kind, at } => {
                let game = Game {
                    kind: *kind,
                    created: *at,
                    updated: *at,
                    ..Game::default()
                };
                self.games.insert(*n, game);
                "()".into()
            }
            Op::Append {
                n,
                off,
                bodies,
                then,
                at,
            } => {
                let next = self.next(*n);
                let seq = (next + off).max(0);
                let Some(game) = self.games.get_mut(n) else {
                    return "missing".into();
                };
                if seq < next {
                    return format!("taken {seq} {}", game.log[seq as usize].0);
                } else if seq > next {
                    return format!("gap {seq} {next}");
                }
                game.log.extend(bodies.iter().map(|b| (*b, *at)));
                game.updated = game.updated.max(*at);
                game.finished = match then {
                    Then::AsBefore => game.finished,
                    Then::Finished => true,
                    Then::Open => false,
                };
                "()".into()
            }
            Op::Delete { n } => self.games.remove(n).map_or("missing", |_| "()").into(),
            Op::Claim { n, seat, token } => match self.games.get_mut(n) {
                Some(game) => (game.seats.entry(*seat).or_insert(*token) == token).to_string(),
                None => "missing".into(),
            },
            Op::Release { n, seat } => {
                let game = self.games.get_mut(n);
                game.is_some_and(|g| g.seats.remove(seat).is_some())
                    .to_string()
            }
            Op::Results { run, jobs } => {
                let before = self.results.len();
                for (job, body) in jobs {
                    self.results.entry(*job).or_insert((*run, *body));
                }
                (self.results.len() - before).to_string()
            }
            Op::Forget { run } => {
                let before = self.results.len();
                self.results.retain(|_, (r, _)| r != run);
                (before - self.results.len()).to_string()
            }
            Op::Set {
                key,
                value: Some(value),
            } => {
                self.settings.insert(*key, *value);
                "()".into()
            }
            Op::Set { key, value: None } => self.settings.remove(key).is_some().to_string(),
            Op::Score { id, points, at } => {
                let new = !self.scores.contains_key(id);
                self.scores.entry(*id).or_insert((*points, *at));
                new.to_string()
            }
            Op::Swap { name, was, hash } => {
                let fits = self.blobs.get(name) == was.as_ref();
                if fits {
                    self.blobs.insert(*name, *hash);
                }
                fits.to_string()
            }
            Op::Throw { name } => self.blobs.remove(name).is_some().to_string(),
            Op::Reopen => String::new(),
        }
    }

    /// Everything that can be asked is answered as the model would.
    fn compare(&self, store: &Store) {
        let mut order: Vec<_> = self.games.iter().collect();
        order.sort_by_key(|(n, g)| std::cmp::Reverse((g.updated, **n)));
        for (kind, finished) in [(None, None), (Some(false), Some(true)), (Some(true), None)] {
            let which = Which {
                kind: kind.map(|k| KINDS[usize::from(k)]),
                finished,
            };
            let wanted: Vec<_> = order
                .iter()
                .filter(|(_, g)| kind.is_none_or(|k| g.kind == k))
                .filter(|(_, g)| finished.is_none_or(|f| g.finished == f))
                .map(|(n, g)| {
                    (
                        id(**n),
                        g.created,
                        g.updated,
                        g.finished,
                        g.log.len() as u64,
                    )
                })
                .collect();
            let listed = store.recent(which, None, 99).unwrap();
            let listed: Vec<_> = listed
                .iter()
                .map(|s| (s.id, s.created, s.updated, s.finished, s.events))
                .collect();
            assert_eq!(listed, wanted);
            assert_eq!(store.count(which).unwrap(), wanted.len() as u64);
        }
        for (n, game) in &self.games {
            let (session, events) = store.load(id(*n), 0).unwrap();
            assert_eq!(session.kind, KINDS[usize::from(game.kind)]);
            let log: Vec<_> = events.iter().map(|e| (e.body.clone(), e.at)).collect();
            let wanted: Vec<_> = game.log.iter().map(|(b, at)| (json!(b), *at)).collect();
            assert_eq!(log, wanted);
            assert_eq!(
                store.held(id(*n)).unwrap(),
                game.seats.keys().copied().collect::<Vec<_>>()
            );
        }
        for run in [false, true] {
            let mine = self.results.iter().filter(|(_, (r, _))| *r == run);
            let wanted: Vec<_> = mine
                .map(|(job, (_, body))| JobResult {
                    job: job.to_string(),
                    body: json!(body),
                })
                .collect();
            assert_eq!(
                store.results(RUNS[usize::from(run)], "", 99).unwrap(),
                wanted
            );
        }
        for key in 0..2 {
            let wanted = self.settings.get(&key).map(|v| json!(v));
            assert_eq!(store.setting(&key.to_string()).unwrap(), wanted);
        }
        let mut wanted: Vec<_> = self
            .scores
            .iter()
            .map(|(id, (p, at))| (-p, *at, *id))
            .collect();
        wanted.sort_unstable();
        let top = store.top("room", "board", 99).unwrap();
        let top: Vec<_> = top
            .iter()
            .map(|s| (-s.points, s.at, s.id.parse().unwrap()))
            .collect();
        assert_eq!(top, wanted);
        let blobs = store.blobs("beads").unwrap();
        let blobs: Vec<_> = blobs.into_iter().map(|b| (b.name, b.hash)).collect();
        let wanted = self
            .blobs
            .iter()
            .map(|(n, h)| (n.to_string(), h.to_string()));
        assert_eq!(blobs, wanted.collect::<Vec<_>>());
    }
}

fn act(store: &Store, op: &Op, next: i64) -> String {
    match op {
        Op::Create { n, kind, at } => {
            say(store.create(id(*n), KINDS[usize::from(*kind)], &json!({}), *at))
        }
        Op::Append {
            n,
            off,
            bodies,
            then,
            at,
        } => {
            let bodies: Vec<_> = bodies.iter().map(|b| json!(b)).collect();
            say(store.append_all(id(*n), (next + off).max(0) as u64, &bodies, *then, *at))
        }
        Op::Delete { n } => say(store.delete(id(*n))),
        Op::Claim { n, seat, token } => say(store.claim(id(*n), *seat, &token.to_string())),
        Op::Release { n, seat } => say(store.release(id(*n), *seat)),
        Op::Results { run, jobs } => {
            let result = |(j, b): &(u8, u8)| JobResult {
                job: j.to_string(),
                body: json!(b),
            };
            let jobs: Vec<_> = jobs.iter().map(result).collect();
            say(store.add_results(RUNS[usize::from(*run)], &jobs, 0))
        }
        Op::Forget { run } => say(store.forget_results(RUNS[usize::from(*run)])),
        Op::Set {
            key,
            value: Some(v),
        } => say(store.set(&key.to_string(), &json!(v))),
        Op::Set { key, value: None } => say(store.unset(&key.to_string())),
        Op::Score { id, points, at } => {
            let (room, board, name) = ("room".into(), "board".into(), "Eve".into());
            let (id, points, at, detail) = (id.to_string(), *points, *at, json!({}));
            say(store.add_score(&Score {
                id,
                room,
                board,
                name,
                points,
                at,
                detail,
            }))
        }
        Op::Swap { name, was, hash } => {
            let was = was.map(|h| h.to_string());
            let item = blob(&name.to_string(), &[*hash], &hash.to_string());
            say(store.swap_blob(&item, was.as_deref()))
        }
        Op::Throw { name } => say(store.delete_blob("beads", &name.to_string())),
        Op::Reopen => String::new(),
    }
}

pub(crate) fn check(fresh: impl Fn() -> Ground, cases: u32) {
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    let run = TestRunner::new(config).run(&prop::collection::vec(op(), 1..60), |ops| {
        let ground = fresh();
        let (mut store, mut model) = (ground.open(), Model::default());
        for op in &ops {
            if matches!(op, Op::Reopen) && ground.place.is_some() {
                store = ground.open();
            }
            let next = if let Op::Append { n, .. } = op {
                model.next(*n)
            } else {
                0
            };
            assert_eq!(act(&store, op, next), model.act(op), "{op:?}");
        }
        model.compare(&store);
        Ok(())
    });
    run.unwrap();
}
