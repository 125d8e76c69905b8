//! What the learning desk does in a sandbox: reading a table, and working through a grid.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::json;
use wits_desk::{Progress as Told, Work};
use wits_learn::verbs::in_time;
use wits_learn::{
    Control, Dataset, Found, GridResult, GridWork, HeldOut, LearnError, Nested, NestedWork, Run,
    with_threads,
};
use wits_sandbox::{Caps, Items};

use super::files::{Label, Opened, check_size, parts};
use super::runs::{BUDGET, End, Known, Order};
use super::wrong;
use crate::Fault;
use crate::sandbox::{Class, Task};

/// The item that a table travels in.
pub(super) const TABLE: &str = "table";

/// A table that somebody brought: whether it can be read.
#[derive(Serialize, Deserialize)]
pub(super) struct CheckTable(pub(super) Label);

impl Task for CheckTable {
    const ROOM: &'static str = "learn";
    const VERB: &'static str = "table";
    const CAPS: Caps = Caps::new(320, Duration::from_secs(15));
    const CLASS: Class = Class::Dear;
    type Output = ();

    fn run(self, items: &mut Items, _: &mut Work<'_>) -> Result<(), Fault> {
        let bytes = items.remove(TABLE).unwrap_or_default();
        check_size(&self.0.table(&bytes)?)
    }
}

/// A grid over a table.
#[derive(Serialize, Deserialize)]
pub(super) struct WorkThrough {
    pub(super) order: Order,
    pub(super) label: Label,
}

/// What came of a grid, however it ended.
#[derive(Serialize, Deserialize)]
pub(super) struct WorkedThrough {
    pub(super) end: End,
    pub(super) why: Option<String>,
    pub(super) run: Option<Run>,
}

/// What became known on the way.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct News {
    pub(super) cells: Vec<Known>,
    /// Whether the choice of the best is being checked.
    pub(super) nested: bool,
}

impl Task for WorkThrough {
    const ROOM: &'static str = "learn";
    const VERB: &'static str = "grid";
    const CAPS: Caps = Caps::new(320, BUDGET);
    const CLASS: Class = Class::Long;
    type Output = WorkedThrough;

    fn run(self, items: &mut Items, work: &mut Work<'_>) -> Result<WorkedThrough, Fault> {
        let bytes = items.remove(TABLE).unwrap_or_default();
        let opened = Opened {
            name: self.order.data.clone(),
            table: self.label.table(&bytes)?,
            title: self.label.title,
        };
        let (data, held) = parts(&opened, &self.order.choice)?;
        drop(opened);
        let plan = self.order.plan().map_err(|e| wrong(&e))?;
        let grid = GridWork::new(data.clone(), plan).map_err(|e| wrong(&e))?;
        // Fits look at a flag that outlives them; a sandbox has one job, and few grids run without.
        let stop: &'static AtomicBool = Box::leak(Box::new(work.budget().flag()));
        let grid = grid.with_stop(stop);
        let mut worker = Worker {
            data: &data,
            held: held.as_ref(),
            nested: self.order.nested,
            stop,
            stage: Stage::Grid(Box::new(grid)),
        };
        // One thread: a grid must not take all cores from the games.
        let budget = work.budget().clone();
        let ended = in_time(&budget, || with_threads(1, || worker.through(work)));
        let ended = ended.map_err(|e| wrong(&e))?;
        let (end, why) = match ended {
            Ok(end) => (end, None),
            Err(error) => (End::Failed, Some(error.to_string())),
        };
        let seconds = work.budget().elapsed().as_secs_f64();
        let run = worker.found(seconds);
        Ok(WorkedThrough { end, why, run })
    }
}

/// What a run is at.
enum Stage {
    /// The grid itself.
    Grid(Box<GridWork>),
    /// The check of its best.
    Nested(Box<GridResult>, Box<NestedWork>),
    /// Both are done.
    Found(Box<GridResult>, Option<Nested>),
    /// Nothing is left.
    Over,
}

struct Worker<'a> {
    data: &'a Dataset,
    /// Rows that were kept aside.
    held: Option<&'a Dataset>,
    nested: bool,
    /// Raised by whoever stops it, and when the time is up.
    stop: &'static AtomicBool,
    stage: Stage,
}

impl Worker<'_> {
    /// All fits, as long as nobody stops it and there is time.
    fn through(&mut self, work: &mut Work<'_>) -> Result<End, LearnError> {
        loop {
            // Time that is up raises the flag as well.
            if work.budget().late() {
                return Ok(End::Budget);
            }
            if work.budget().stopped() {
                return Ok(End::Stopped);
            }
            if !self.step(work)? {
                return Ok(End::Done);
            }
        }
    }

    /// One fit; whether there is more to do. What the flag cuts short is not done.
    fn step(&mut self, work: &mut Work<'_>) -> Result<bool, LearnError> {
        let stop = self.stop;
        let mut tell = |done: usize, total: usize, news: News| {
            work.tell(Told {
                done: done as u64,
                total: Some(total as u64),
                news: json!(news),
            });
        };
        match &mut self.stage {
            Stage::Grid(grid) => {
                if let Some(progress) = grid.step() {
                    let cells = progress.cell.iter();
                    let cells = cells.map(|c| Known(c.place, c.value, c.interval)).collect();
                    let news = News {
                        cells,
                        nested: false,
                    };
                    tell(progress.done, progress.total, news);
                    return Ok(true);
                }
                if stop.load(Ordering::Relaxed) {
                    return Ok(true);
                }
                let (mut result, plan) = (Box::new(grid.finish()?), grid.plan().clone());
                if let Some(held) = self.held {
                    let best = result.pipelines[result.best].pipeline().parse()?;
                    let (quiet, seed) = (Control::quiet(), plan.seed);
                    let control = Control { stop, ..quiet };
                    match HeldOut::check(self.data, held, &best, seed, &control) {
                        Err(LearnError::Stopped) => return Ok(true),
                        found => result.holdout = Some(found?),
                    }
                }
                if !self.nested {
                    self.stage = Stage::Found(result, None);
                    return Ok(false);
                }
                let outer = plan.validation;
                let nested = NestedWork::new(self.data.clone(), plan, outer)?;
                let nested = nested.with_stop(stop);
                self.stage = Stage::Nested(result, Box::new(nested));
                Ok(true)
            }
            Stage::Nested(_, nested) => {
                if let Some(progress) = nested.step()? {
                    let news = News {
                        nested: true,
                        ..News::default()
                    };
                    tell(progress.done, progress.total, news);
                    return Ok(true);
                }
                if stop.load(Ordering::Relaxed) {
                    return Ok(true);
                }
                if let Stage::Nested(result, work) = mem::replace(&mut self.stage, Stage::Over) {
                    self.stage = Stage::Found(result, Some(work.finish()));
                }
                Ok(false)
            }
            Stage::Found(..) | Stage::Over => Ok(false),
        }
    }

    /// What was found so far.
    fn found(self, seconds: f64) -> Option<Run> {
        let found = match self.stage {
            Stage::Grid(work) => work.finish().ok().map(|result| (Box::new(result), None)),
            Stage::Nested(result, _) => Some((result, None)),
            Stage::Found(result, nested) => Some((result, nested)),
            Stage::Over => None,
        };
        found.map(|(mut result, nested)| {
            result.seconds = Some(seconds);
            Run::new(self.data, Found::Grid { result, nested })
        })
    }
}
