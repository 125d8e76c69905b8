//! Tables: the answers of a goal, and the goals that wait for more of them.
//!
//! A goal is evaluated once. A call of it that comes while it is being evaluated is suspended: what
//! was to be done after the call is kept as data and done for each answer (SLG resolution, Chen and
//! Warren 1996; continuations instead of a machine of its own after Desouter, van Dooren and
//! Schrijvers 2015). Goals that depend on each other form a group, which is complete when nothing
//! is left to be done for any of its suspended calls.

mod answers;
mod groups;

use std::collections::VecDeque;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub(crate) use self::answers::{Blocks, Index};
pub(crate) use self::groups::{Merged, Next};
use crate::atoms::QuickMap;
use crate::cell::Cell;
use crate::kept::Kept;
use crate::modes::Mode;
use crate::stored::Stored;
use crate::suspend::Shape;

/// How far the evaluation of a goal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Status {
    /// Being evaluated.
    Open,
    Complete,
    /// Given up: no call finds it any more, but proofs may still name its answers.
    Gone,
}

/// The best answers so far, for goals of which not every answer counts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Best {
    /// The variables of the goal that have a mode.
    pub(crate) modes: Vec<(usize, Mode)>,
    /// What the other variables were bound to.
    pub(crate) keys: Blocks,
    /// The answer that counts for each key.
    pub(crate) current: Vec<u32>,
    /// The key of each answer.
    of: Vec<u32>,
}

/// The table of one goal.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Table {
    key: Stored,
    /// How many variables the goal has.
    pub(crate) vars: usize,
    /// What they were bound to.
    pub(crate) answers: Blocks,
    #[serde(default)]
    pub(crate) best: Option<Box<Best>>,
    /// How each answer was found, where proofs are recorded.
    #[serde(default)]
    proofs: Vec<Option<Kept>>,
    /// Finds answers, or their keys.
    #[serde(skip)]
    pub(crate) index: Index,
    pub(crate) status: Status,
    /// Where it is on the stack while it is open.
    place: usize,
    consumers: Vec<u32>,
    /// Whether it had an answer when the trial began that is going on.
    definite: bool,
    /// How many of its answers are true, where the others are neither true nor false.
    sure: Option<usize>,
}

impl Table {
    /// Whether an answer counts; a better one may have come since.
    pub(crate) fn counts(&self, number: usize) -> bool {
        match &self.best {
            Some(b) => b.current[b.of[number] as usize] as usize == number,
            None => true,
        }
    }

    /// The first answer from a number on that counts.
    pub(crate) fn next(&self, from: usize) -> Option<usize> {
        (from..self.answers.len()).find(|&n| self.counts(n))
    }

    /// The first true answer from a number on that counts.
    pub(crate) fn next_sure(&self, from: usize) -> Option<usize> {
        self.next(from).filter(|&n| n < self.sure())
    }

    /// How many answers are true.
    pub(crate) fn sure(&self) -> usize {
        self.sure.unwrap_or(self.answers.len())
    }

    /// Whether it has answers that are neither true nor false.
    pub(crate) fn undefined(&self) -> bool {
        self.sure() < self.answers.len()
    }

    /// Adds an answer of a key; one that counts no more stays for the proofs that use it.
    pub(crate) fn put(&mut self, key: usize, answer: &[Cell]) {
        let number = self.answers.len() as u32;
        self.answers.push(answer);
        if let Some(b) = &mut self.best {
            b.of.push(key as u32);
            match b.current.get_mut(key) {
                Some(c) => *c = number,
                None => b.current.push(number),
            }
        }
    }

    fn words(&self) -> usize {
        let best = self.best.as_ref();
        let best = best.map_or(0, |b| b.keys.words() + b.current.len() + b.of.len());
        2 * self.key.0.len() + 32 + self.answers.words() + self.index.words() + best
    }

    fn rebuild(&mut self) {
        let of = self.best.as_ref().map_or(&self.answers, |b| &b.keys);
        self.index = Index::of(of);
    }
}

/// One environment of a suspended call.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Frame {
    /// Where to go on.
    pub(crate) cp: u32,
    pub(crate) size: u32,
    pub(crate) node: u32,
    /// The slots that are needed from there.
    pub(crate) slots: Arc<[u16]>,
}

/// What is to be done after a call.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Suspension {
    /// The table whose clause made the call.
    pub(crate) owner: u32,
    /// The cells of the variables of the call, of the owner's goal, of the frames, of the log.
    pub(crate) cells: Stored,
    pub(crate) vars: u32,
    pub(crate) owner_vars: u32,
    /// Environments, the innermost first.
    pub(crate) frames: Vec<Frame>,
    /// The part of the proof log that the owner's clause has written, and the record of the call.
    pub(crate) log: Box<[u64]>,
    /// Where that part began when it was taken.
    pub(crate) start: u32,
    pub(crate) record: u32,
    /// The watched goal it belongs to.
    pub(crate) watched: u32,
}

impl Suspension {
    fn words(&self) -> usize {
        self.cells.0.len() + 4 * self.frames.len() + self.log.len() + 16
    }
}

/// A suspended call and how far it has read its table.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Consumer {
    table: u32,
    next: u32,
    queued: bool,
    /// Waits for the table to have no answer.
    negative: bool,
    what: Arc<Suspension>,
}

/// Goals that may depend on each other: a part of the stack, from `start` to the next group.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Group {
    start: usize,
    /// The choice point of its first goal, and the bags that were open then.
    level: usize,
    bags: usize,
    /// Consumers that may have answers to read.
    queue: VecDeque<u32>,
    /// Negations that wait until their goal is known to have no answer.
    waiting: Vec<u32>,
    /// Negations that hold.
    awake: Vec<u32>,
    /// The tables before a trial, while it is going on.
    trial: Option<Box<Tables>>,
}

/// All tables.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "SavedTables", into = "SavedTables")]
pub(crate) struct Tables {
    list: Vec<Table>,
    by_key: QuickMap<Stored, u32>,
    /// The goals that are being evaluated, each called by the ones before it.
    stack: Vec<u32>,
    groups: Vec<Group>,
    consumers: Vec<Option<Consumer>>,
    free: Vec<u32>,
    /// Words that answers, proofs and suspended calls take.
    words: usize,
    /// A block that is being made.
    pub(crate) scratch: Vec<Cell>,
    /// What can happen after a return to an address.
    pub(crate) shapes: QuickMap<u32, Shape>,
}

/// What of the tables is stored: indexes are built again.
#[derive(Serialize, Deserialize)]
struct SavedTables {
    list: Vec<Table>,
    stack: Vec<u32>,
    groups: Vec<Group>,
    consumers: Vec<Option<Consumer>>,
    free: Vec<u32>,
    words: usize,
}

impl From<Tables> for SavedTables {
    fn from(t: Tables) -> Self {
        SavedTables {
            list: t.list,
            stack: t.stack,
            groups: t.groups,
            consumers: t.consumers,
            free: t.free,
            words: t.words,
        }
    }
}

impl From<SavedTables> for Tables {
    fn from(mut t: SavedTables) -> Self {
        t.list.iter_mut().for_each(Table::rebuild);
        let known = t.list.iter().enumerate();
        let known = known.filter(|(_, t)| t.status != Status::Gone);
        Tables {
            by_key: known.map(|(i, t)| (t.key.clone(), i as u32)).collect(),
            list: t.list,
            stack: t.stack,
            groups: t.groups,
            consumers: t.consumers,
            free: t.free,
            words: t.words,
            scratch: Vec::new(),
            shapes: QuickMap::default(),
        }
    }
}

impl Tables {
    /// Words of memory.
    pub(crate) fn cells(&self) -> usize {
        let before = |g: &Group| g.trial.as_ref().map_or(0, |t| t.cells());
        self.words + self.groups.iter().map(before).sum::<usize>()
    }

    /// Whether there are no tables.
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether some goal is being evaluated.
    pub(crate) fn is_busy(&self) -> bool {
        !self.stack.is_empty()
    }

    pub(crate) fn get(&self, id: u32) -> Option<&Table> {
        self.list.get(id as usize)
    }

    /// The table of a goal.
    pub(crate) fn find(&self, key: &[Cell]) -> Option<u32> {
        self.by_key.get(key).copied()
    }

    /// An answer by its number, with its proof.
    pub(crate) fn answer(&self, id: usize, number: usize) -> Option<(&[Cell], Option<&Kept>)> {
        let t = self.list.get(id).filter(|t| number < t.answers.len())?;
        let proof = t.proofs.get(number).and_then(Option::as_ref);
        Some((t.answers.get(number), proof))
    }

    /// The goal of a table, its variables in the order of the cells of an answer.
    pub(crate) fn goal(&self, id: usize) -> Option<&Stored> {
        self.list.get(id).map(|t| &t.key)
    }

    /// Keeps the proof of the last answer of a table.
    pub(crate) fn keep(&mut self, id: usize, proof: Option<Kept>) {
        self.words += proof.as_ref().map_or(0, Kept::words);
        if let Some(t) = self.list.get_mut(id) {
            t.proofs.resize(t.answers.len().saturating_sub(1), None);
            t.proofs.push(proof);
        }
    }

    /// Changes an open table, counts what it takes and wakes those who wait if there is an answer
    /// more.
    pub(crate) fn change<T>(&mut self, id: u32, work: impl FnOnce(&mut Table) -> T) -> T {
        let t = &mut self.list[id as usize];
        let (before, count) = (t.words(), t.answers.len());
        let out = work(t);
        self.words += t.words() - before;
        if t.answers.len() > count {
            self.wake(id);
        }
        out
    }

    /// Forgets the tables that are complete, except for those whose answers somebody still reads.
    pub(crate) fn abolish(&mut self, in_use: impl Fn(u32) -> bool) {
        if self.stack.is_empty() && !(0..self.list.len() as u32).any(&in_use) {
            *self = Tables::default();
            return;
        }
        for id in 0..self.list.len() as u32 {
            if self.list[id as usize].status == Status::Complete {
                self.forget(id, in_use(id));
            }
        }
    }

    /// No call finds a table any more; its answers stay where they may still be read.
    fn forget(&mut self, id: u32, keep_answers: bool) {
        let t = &mut self.list[id as usize];
        if self.by_key.get(&t.key) == Some(&id) {
            self.by_key.remove(&t.key);
        }
        t.status = Status::Gone;
        if !keep_answers {
            let proofs: usize = t.proofs.iter().flatten().map(Kept::words).sum();
            self.words -= t.words() + proofs;
            t.key = Stored(Box::new([]));
            t.answers = Blocks::default();
            t.index = Index::default();
            t.best = None;
            t.proofs = Vec::new();
            self.words += t.words();
        }
    }

    /// The addresses at which suspended calls go on: that code is in use.
    pub(crate) fn addresses(&self) -> impl Iterator<Item = u32> + '_ {
        let all = self.consumers.iter().flatten();
        all.flat_map(|c| c.what.frames.iter().map(|f| f.cp))
    }
}
