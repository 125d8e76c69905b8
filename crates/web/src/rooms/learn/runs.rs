//! Grids at work: each in a sandbox of its own, kept in the store, begun again after a kill.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use wits_desk::Progress;
use wits_learn::{Found, GridPlan, GridResult, GridWork, LearnError, Run, Score};
use wits_play::Shelf;
use wits_store::{Blob, Id, Over, Store};

use super::asked::Choice;
use super::files::{self, Desk, Label};
use super::work::{News, TABLE, WorkThrough, WorkedThrough};
use super::wrong;
use crate::app::now;
use crate::engine::Account;
use crate::own::Put;
use crate::routes::blocking;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS, sandbox};

/// Where runs lie in the store.
const KIND: &str = "learn-run";
/// How long a run may think in all.
pub(super) const BUDGET: Duration = Duration::from_mins(10);
/// So many runs of one visitor may be at work at a time.
const AT_ONCE: usize = 3;
/// So many runs are kept; the oldest goes first.
const KEPT: usize = 200;
/// So many runs are remembered for a visitor.
const LISTED: usize = 12;

/// What is to be run, in words that a file can keep.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Order {
    /// The table's name.
    pub(super) data: String,
    /// What people call it.
    pub(super) title: String,
    /// What is learned from and how rows are dealt.
    pub(super) choice: Choice,
    /// Imputers.
    pub(super) imputers: Vec<String>,
    /// Transformers or chains of them.
    pub(super) transformers: Vec<String>,
    /// Classifiers.
    pub(super) classifiers: Vec<String>,
    /// What counts.
    pub(super) score: Score,
    /// Whether the choice of the best is checked as well.
    pub(super) nested: bool,
    /// Whose run it is.
    pub(super) visitor: String,
}

impl Order {
    /// The grid that is meant.
    pub(super) fn plan(&self) -> Result<GridPlan, LearnError> {
        let mut plan = GridPlan::new(&self.imputers, &self.transformers, &self.classifiers)?;
        plan.validation = self.choice.validation();
        plan.score = self.score;
        plan.seed = self.choice.seed;
        Ok(plan)
    }
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum End {
    /// All of it is done.
    Done,
    /// Somebody stopped it.
    Stopped,
    /// It took too long.
    Budget,
    /// Something went wrong.
    Failed,
}

/// A run as the store keeps it: the order, and what was found once it has ended.
#[derive(Serialize, Deserialize)]
struct Kept {
    order: Order,
    end: Option<End>,
    why: Option<String>,
    run: Option<Run>,
}

/// A run as a visitor's list has it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Listed {
    /// Its name.
    pub(super) id: String,
    /// The table it is about.
    pub(super) title: String,
    /// How many pipelines, in words.
    pub(super) pipelines: String,
    /// When it was begun, in seconds since 1970.
    #[serde(default)]
    pub(super) at: i64,
    /// The class column.
    #[serde(default)]
    pub(super) target: String,
    /// The best mean score, once it is known.
    #[serde(default)]
    pub(super) best: Option<f64>,
}

/// A cell of the grid that is known: its place, its score, its interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Known(pub(super) usize, pub(super) f64, pub(super) [f64; 2]);

/// How far a run is.
#[derive(Default)]
pub(super) struct State {
    /// Cells in the order in which they became known.
    pub(super) cells: Vec<Known>,
    /// Fits done.
    pub(super) done: usize,
    /// Fits in all.
    pub(super) total: usize,
    /// Whether the choice of the best is being checked.
    pub(super) nested: bool,
    /// How it ended, if it has.
    pub(super) end: Option<End>,
    /// Why, where it went wrong.
    pub(super) why: Option<String>,
    /// What was found.
    pub(super) run: Option<Arc<Run>>,
    /// When the first fit of what is being done now began, and how many were done by then.
    since: Option<(Instant, usize)>,
}

impl State {
    /// Adds the cells of a leaderboard that were not told on the way: where a grid was stopped before
    /// one pipeline was through, it rests on the folds that were finished.
    fn fill_in(&mut self, result: &GridResult) {
        let told: BTreeSet<usize> = self.cells.iter().map(|known| known.0).collect();
        let lines = result.pipelines.iter();
        let fresh = lines.filter(|line| !told.contains(&line.place));
        let known = fresh.map(|line| Known(line.place, line.mean, line.interval));
        self.cells.extend(known);
    }

    /// About how many seconds are left, once some of the work is done.
    pub(super) fn left(&self) -> Option<u64> {
        if self.end.is_some() {
            return None;
        }
        let (since, before) = self.since?;
        let done = self.done.checked_sub(before).filter(|&done| done > 0)?;
        let each = since.elapsed().as_secs_f64() / done as f64;
        Some((each * self.total.saturating_sub(self.done) as f64).ceil() as u64)
    }
}

/// A run.
pub(super) struct Live {
    /// Its name.
    pub(super) id: Id,
    /// What was ordered.
    pub(super) order: Order,
    /// The grid as it is worked through.
    pub(super) plan: GridPlan,
    stop: Arc<AtomicBool>,
    state: Mutex<State>,
    /// Rings whenever there is something new.
    pub(super) news: watch::Sender<()>,
}

impl Live {
    /// How far it is, held still while it is looked at.
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        // Nothing inside is ever half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The leaderboard, once there is one.
    pub(super) fn result(&self) -> Option<(Arc<Run>, Box<GridResult>)> {
        let run = self.state().run.clone()?;
        match &run.found {
            Found::Grid { result, .. } => {
                let result = result.clone();
                Some((run, result))
            }
            _ => None,
        }
    }

    /// Asks it to end; what is known so far is kept.
    pub(super) fn halt(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// All runs that were looked at since the server began.
#[derive(Default)]
pub(super) struct Runs(Mutex<BTreeMap<Id, Arc<Live>>>);

impl Runs {
    fn all(&self) -> MutexGuard<'_, BTreeMap<Id, Arc<Live>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a run.
    pub(super) fn begin(
        &self,
        app: &App,
        desk: &Desk,
        order: Order,
        visitor: Visitor,
    ) -> Result<Id, Fault> {
        let running =
            |live: &&Arc<Live>| live.order.visitor == order.visitor && live.state().end.is_none();
        if self.all().values().filter(running).count() >= AT_ONCE {
            let why = WORDS.say("learn-busy").with("most", AT_ONCE);
            let hint = WORDS.say("learn-busy-hint");
            return Err(Fault::new(StatusCode::CONFLICT, "busy", why, hint));
        }
        let work = prepare(app, desk, &order)?;
        let id = Id::random()?;
        let kept = Kept {
            order,
            end: None,
            why: None,
            run: None,
        };
        // The order is kept before anything is done, so that a kill does not lose it.
        let put = Put {
            kind: KIND,
            name: Some(&id.to_string()),
            title: &kept.order.title,
            bytes: serde_json::to_vec(&kept).map_err(|e| Fault::unreadable(e.to_string()))?,
            over: Over::Anything,
        };
        app.keep(visitor, put)?;
        self.start(app, id, kept.order, work, visitor.account())?;
        Ok(id)
    }

    fn start(
        &self,
        app: &App,
        id: Id,
        order: Order,
        prepared: Prepared,
        account: Account,
    ) -> Result<Arc<Live>, Fault> {
        let live = Arc::new(Live {
            id,
            plan: prepared.plan,
            order,
            stop: Arc::default(),
            state: Mutex::new(State {
                total: prepared.total,
                ..State::default()
            }),
            news: watch::Sender::new(()),
        });
        self.enter(&live);
        list(&app.store, &live, &prepared.target, None)?;
        let (label, table) = prepared.file;
        tokio::spawn(work(app.clone(), Arc::clone(&live), account, label, table));
        Ok(live)
    }

    fn enter(&self, live: &Arc<Live>) {
        let mut all = self.all();
        if all.len() >= KEPT {
            let over = all.iter().find(|(_, l)| l.state().end.is_some());
            if let Some(id) = over.map(|(id, _)| *id) {
                all.remove(&id);
            }
        }
        all.insert(live.id, Arc::clone(live));
    }

    /// The run of an address. One that a kill cut short begins again: its seed gives the same
    /// numbers.
    pub(super) fn open(&self, app: &App, desk: &Desk, id: &str) -> Result<Arc<Live>, Fault> {
        let id: Id = id.parse().map_err(|_| Fault::missing())?;
        if let Some(live) = self.all().get(&id) {
            return Ok(Arc::clone(live));
        }
        let blob = app.store.blob(KIND, &id.to_string())?;
        let blob = blob.ok_or_else(Fault::missing)?;
        let kept: Kept =
            serde_json::from_slice(&blob.bytes).map_err(|e| Fault::unreadable(e.to_string()))?;
        if kept.end.is_none() {
            let work = prepare(app, desk, &kept.order)?;
            let visitor = u128::from_str_radix(&kept.order.visitor, 16).unwrap_or(0);
            return self.start(app, id, kept.order, work, Account::of(visitor));
        }
        let mut plan = kept.order.plan().map_err(|e| wrong(&e))?;
        if kept.run.as_ref().is_some_and(|run| run.missing == 0) {
            plan.imputers.truncate(1);
        }
        let mut state = State {
            end: kept.end,
            why: kept.why,
            ..State::default()
        };
        if let Some(run) = kept.run {
            if let Found::Grid { result, .. } = &run.found {
                state.fill_in(result);
            }
            state.run = Some(Arc::new(run));
        }
        let live = Arc::new(Live {
            id,
            order: kept.order,
            plan,
            stop: Arc::new(AtomicBool::new(true)),
            state: Mutex::new(state),
            news: watch::Sender::new(()),
        });
        self.enter(&live);
        Ok(live)
    }
}

/// An order that can be run: the grid, how many fits it has, and the file it is about.
struct Prepared {
    plan: GridPlan,
    total: usize,
    /// The class column.
    target: String,
    file: (Label, Vec<u8>),
}

/// Looks over an order; what cannot be run is refused here.
fn prepare(app: &App, desk: &Desk, order: &Order) -> Result<Prepared, Fault> {
    let opened = desk.open(&app.store, &order.data)?;
    let data = desk.choose(&opened, &order.choice)?;
    let plan = order.plan().map_err(|e| wrong(&e))?;
    let work = GridWork::new((*data).clone(), plan).map_err(|e| wrong(&e))?;
    Ok(Prepared {
        plan: work.plan().clone(),
        total: work.total(),
        target: data.schema.target.clone(),
        file: files::bytes(&app.store, &order.data)?,
    })
}

/// Puts a run in place of what is kept of it; one that was thrown away meanwhile stays away.
fn put(store: &Store, id: Id, kept: &Kept) -> Result<(), Fault> {
    if !store.has_blob(KIND, &id.to_string())? {
        return Ok(());
    }
    let bytes = serde_json::to_vec(kept).map_err(|e| Fault::unreadable(e.to_string()))?;
    Ok(store.put_blob(&Blob {
        kind: KIND.to_owned(),
        name: id.to_string(),
        hash: Shelf::hash(&bytes),
        bytes,
        at: now(),
    })?)
}

fn list_name(visitor: &str) -> String {
    format!("learn-runs-{visitor}")
}

/// Puts a run at the top of its visitor's list, or what was found into its line.
fn list(store: &Store, live: &Live, target: &str, best: Option<f64>) -> Result<(), Fault> {
    let name = list_name(&live.order.visitor);
    let mut all = listed(store, &name)?;
    let id = live.id.to_string();
    if let Some(known) = all.iter_mut().find(|run| run.id == id && best.is_some()) {
        known.best = best;
        let value = serde_json::to_value(all).map_err(|e| Fault::unreadable(e.to_string()))?;
        return Ok(store.set(&name, &value)?);
    }
    all.retain(|run| run.id != id);
    let count = WORDS.say("learn-pipelines").with("count", live.plan.len());
    all.insert(
        0,
        Listed {
            id,
            title: live.order.title.clone(),
            pipelines: count.to_string(),
            at: now(),
            target: target.to_owned(),
            best,
        },
    );
    all.truncate(LISTED);
    let value = serde_json::to_value(all).map_err(|e| Fault::unreadable(e.to_string()))?;
    Ok(store.set(&name, &value)?)
}

fn listed(store: &Store, name: &str) -> Result<Vec<Listed>, Fault> {
    let kept = store.setting(name)?;
    Ok(kept
        .and_then(|v| serde_json::from_value(v).ok())
        .unwrap_or_default())
}

/// The last runs of a visitor.
pub(super) fn of_visitor(store: &Store, visitor: Visitor) -> Result<Vec<Listed>, Fault> {
    listed(store, &list_name(&visitor.text()))
}

impl Live {
    /// Takes in what became known.
    fn note(&self, progress: Progress) {
        let news: News = serde_json::from_value(progress.news).unwrap_or_default();
        let mut state = self.state();
        let done = progress.done as usize;
        // The check of the winner counts its own fits.
        if state.since.is_none() || state.nested != news.nested {
            state.since = Some((Instant::now(), done));
        }
        state.done = done;
        state.total = progress.total.unwrap_or(0) as usize;
        state.nested = news.nested;
        state.cells.extend(news.cells);
        drop(state);
        self.news.send_replace(());
    }

    /// Keeps what was found, however it ended.
    fn close(&self, store: &Store, worked: WorkedThrough) {
        let kept = Kept {
            order: self.order.clone(),
            end: Some(worked.end),
            why: worked.why,
            run: worked.run,
        };
        let mut saved = put(store, self.id, &kept);
        if let Some(Found::Grid { result, .. }) = kept.run.as_ref().map(|run| &run.found) {
            let best = result.pipelines[result.best].mean;
            saved = saved.and(list(store, self, "", Some(best)));
        }
        let mut state = self.state();
        if let Some(Found::Grid { result, .. }) = kept.run.as_ref().map(|run| &run.found) {
            state.fill_in(result);
        }
        state.why = kept.why;
        if let Err(fault) = saved {
            state.why = Some(fault.message.to_string());
        }
        state.run = kept.run.map(Arc::new);
        state.end = Some(worked.end);
        drop(state);
        self.news.send_replace(());
    }
}

/// Works through a grid in a sandbox and keeps what comes of it.
async fn work(app: App, live: Arc<Live>, account: Account, label: Label, table: Vec<u8>) {
    let listener = Arc::clone(&live);
    let task = WorkThrough {
        order: live.order.clone(),
        label,
    };
    let order = sandbox::Order {
        tell: Box::new(move |progress| listener.note(progress)),
        stop: Arc::clone(&live.stop),
        ..sandbox::Order::new(task).with(TABLE, table)
    };
    let worked = app.confined_with(account, order).await;
    let worked = worked.map_or_else(|fault| failed(&fault), |(worked, _)| worked);
    let store = Arc::clone(&app.store);
    let _ = blocking(move || {
        live.close(&store, worked);
        Ok(())
    })
    .await;
}

/// How a grid ended that a sandbox could not bring to its end.
fn failed(fault: &Fault) -> WorkedThrough {
    let end = match &*fault.code {
        "stopped" => End::Stopped,
        "time" => End::Budget,
        _ => End::Failed,
    };
    WorkedThrough {
        end,
        why: Some(fault.message.to_string()),
        run: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A grid that was stopped shows what its leaderboard rests on, once each, and has no time left.
    #[test]
    fn what_was_finished_fills_the_cells_of_a_stopped_grid() {
        let data = wits_learn::bench::glass();
        let plan = GridPlan::new(&["mean"], &["passthrough"], &["knn:k=3", "naive-bayes"]);
        let found = wits_learn::grid(&data, &plan.unwrap(), &wits_learn::Control::quiet());
        let found = found.unwrap();
        let first = found.pipelines.iter().find(|line| line.place == 1).unwrap();
        let mut state = State {
            cells: vec![Known(1, first.mean, first.interval)],
            done: 3,
            total: 10,
            since: Some((Instant::now(), 0)),
            ..State::default()
        };
        assert!(state.left().is_some());
        state.fill_in(&found);
        let places: Vec<usize> = state.cells.iter().map(|known| known.0).collect();
        assert_eq!(places, [1, 0]);
        state.end = Some(End::Stopped);
        assert_eq!(state.left(), None);
    }
}
