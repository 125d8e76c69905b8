//! Small tournaments on the engine's threads: a pairing at a time, so that moves of people go first.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use wits_arena::{Completed, Coordinator, Hall, Refused};
use wits_play::{Budget, Limits};
use wits_store::Store;

use crate::app::now;
use crate::engine::{self, Account, Job, Urgency};
use crate::visitor::Visitor;
use crate::without::without;
use crate::{App, Fault, WORDS};

/// How long one slice holds a thinker.
const SLICE: Duration = Duration::from_millis(400);
/// How long a tournament may be played before somebody must ask for more.
const BUDGET: Duration = Duration::from_mins(5);

/// A tournament that is being played here.
struct Playing {
    stop: Arc<AtomicBool>,
    /// Who asked for it first.
    owner: Option<String>,
    /// Who asked for it now.
    visitor: u128,
    /// Where that came from.
    network: String,
}

/// Where the store keeps who asked for a tournament first.
fn owner_key(name: &str) -> String {
    format!("arena-owner/{name}")
}

/// Who asked for a tournament first, where that was a visitor.
fn owner(store: &Store, name: &str) -> Result<Option<String>, Fault> {
    let kept = store.setting(&owner_key(name))?;
    Ok(kept.and_then(|value| Some(value.as_str()?.to_owned())))
}

/// Keeps who asked for a tournament first.
pub(super) fn claim(store: &Store, name: &str, visitor: Visitor) -> Result<(), Fault> {
    Ok(store.set(&owner_key(name), &visitor.text().into())?)
}

/// The tournaments that are being played here, by name.
#[derive(Default)]
pub(super) struct AtWork(Mutex<BTreeMap<String, Playing>>);

impl AtWork {
    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Playing>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether somebody plays it here.
    pub(super) fn plays(&self, name: &str) -> bool {
        self.lock().contains_key(name)
    }

    /// Whether this visitor may end it: who asked for it first, and who asked for it now.
    pub(super) fn belongs(&self, name: &str, visitor: Visitor) -> bool {
        let all = self.lock();
        all.get(name).is_some_and(|p| {
            p.visitor == visitor.token || p.owner.as_deref() == Some(visitor.text().as_str())
        })
    }

    /// Ends it after the pairing that is being played.
    pub(super) fn stop(&self, name: &str) {
        if let Some(playing) = self.lock().remove(name) {
            playing.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Takes a run off the list that has ended, unless somebody has begun it again meanwhile.
    fn ended(&self, name: &str, stop: &Arc<AtomicBool>) {
        let mut all = self.lock();
        if all.get(name).is_some_and(|p| Arc::ptr_eq(&p.stop, stop)) {
            all.remove(name);
        }
    }

    /// Plays what is left of a run.
    pub(super) fn start(
        self: &Arc<Self>,
        app: &App,
        name: &str,
        visitor: Visitor,
    ) -> Result<(), Fault> {
        app.gate.admit()?;
        app.has_room()?;
        let stop = Arc::<AtomicBool>::default();
        let (owner, network) = (owner(&app.store, name)?, visitor.network());
        {
            let mut all = self.lock();
            if all.contains_key(name) {
                return Ok(());
            }
            let quotas = &app.config.quotas;
            let mine = all.values().filter(|p| p.visitor == visitor.token);
            let here = all.values().filter(|p| p.network == network);
            let (mine, here) = (mine.count(), here.count());
            let taken = if mine >= quotas.visitor_tournaments {
                Some(("arena-busy-mine", mine))
            } else if here >= quotas.address_tournaments {
                Some(("arena-busy-address", here))
            } else if all.len() >= quotas.tournaments {
                Some(("arena-busy", all.len()))
            } else {
                None
            };
            if let Some((key, count)) = taken {
                return Err(Fault::new(
                    StatusCode::SERVICE_UNAVAILABLE,
                    "busy",
                    WORDS.say(key).with("count", count),
                    WORDS.say("arena-busy-hint"),
                ));
            }
            let playing = Playing {
                stop: Arc::clone(&stop),
                owner,
                visitor: visitor.token,
                network,
            };
            all.insert(name.to_owned(), playing);
        }
        let work = Work {
            app: app.clone(),
            among: Arc::clone(self),
            hall: Hall::new(app.catalog.clone(), app.shelf.clone()),
            name: name.to_owned(),
            account: visitor.account(),
            stop,
            budget: Budget::start(Limits::time(BUDGET)),
        };
        app.engine.put(work.job());
        Ok(())
    }
}

/// One tournament on its way.
struct Work {
    app: App,
    among: Arc<AtWork>,
    hall: Hall,
    name: String,
    account: Account,
    stop: Arc<AtomicBool>,
    budget: Budget,
}

impl Work {
    fn job(self) -> Job {
        Job {
            account: self.account,
            urgency: Urgency::Analysis,
            stop: Arc::clone(&self.stop),
            work: Box::new(move || {
                let more = self.slice().unwrap_or(false);
                if more && !self.budget.late() {
                    Some(self.job())
                } else {
                    self.among.ended(&self.name, &self.stop);
                    None
                }
            }),
        }
    }

    /// Plays for a moment; false when nothing is left.
    fn slice(&self) -> Result<bool, wits_arena::ArenaError> {
        let store = Arc::clone(&self.app.store);
        let mut coordinator = Coordinator::open(&store, &self.name)?;
        let slice = Budget::start(Limits::time(SLICE));
        // A pairing may take longer than a slice; its players let others through.
        let gate = engine::gate().filter(|_| !without("tournaments-yield"));
        let hall = match gate {
            Some(gate) => self.hall.at_gate(gate),
            None => self.hall.clone(),
        };
        let mut done = Vec::new();
        let mut left = false;
        for job in coordinator.pending() {
            if slice.late() || self.stop.load(Ordering::Relaxed) {
                left = true;
                break;
            }
            match hall.play(&job, &self.stop) {
                Ok(result) => done.push(Completed {
                    job: job.id,
                    worker: "wits serve".to_owned(),
                    result,
                }),
                Err(Refused::Stopped) => break,
                Err(refused) => return Err(refused.into()),
            }
        }
        let stopped = self.stop.load(Ordering::Relaxed);
        coordinator.accept(done, now())?;
        // A round that is over may open the next one.
        Ok(!stopped && (left || !coordinator.pending().is_empty()))
    }
}
