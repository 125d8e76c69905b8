//! Groups of goals that depend on each other: when there is something left to do for them, when they
//! are complete, and what follows for negations inside them.
//!
//! The goals on the stack call each other from the bottom to the top. A call of an open goal further
//! down therefore closes a circle through all goals above it, and their groups become one. A group is
//! complete when each suspended call in it has read every answer.
//!
//! A negation of a goal of its own group waits. When only such negations are left, the well-founded
//! model is found by alternating fixpoints (Van Gelder 1989): a trial lets all of them hold and gives
//! everything that is possible; a goal that is not even possible is false, the tables go back to what
//! they were, and its negations hold. What is possible and never becomes true is undefined.

use super::{Consumer, Group, Status, Suspension, Table, Tables};
use crate::kept::Kept;
use crate::modes::Mode;
use crate::stored::Stored;
use std::collections::VecDeque;
use std::sync::Arc;

/// What is to be done next for a group.
#[derive(Debug)]
pub(crate) enum Next {
    /// A suspended call takes this answer of this table.
    Answer(Arc<Suspension>, u32, usize),
    /// A negation holds.
    Holds(Arc<Suspension>, u32),
    Complete,
}

/// What came of a call that closes a circle.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Merged {
    Done,
    /// A trial rested on a group being closed: everything since is void. Go back to this choice
    /// point, with so many bags.
    Void(usize, usize),
}

impl Tables {
    /// A table for a goal that is called for the first time; `level` is the number of its choice
    /// point.
    pub(crate) fn open(
        &mut self,
        key: Stored,
        vars: usize,
        modes: Vec<(usize, Mode)>,
        level: usize,
        bags: usize,
    ) -> u32 {
        let id = self.list.len() as u32;
        self.by_key.insert(key.clone(), id);
        let best = (!modes.is_empty()).then(|| {
            Box::new(super::Best {
                modes,
                ..super::Best::default()
            })
        });
        self.list.push(Table {
            key,
            vars,
            answers: super::Blocks::default(),
            best,
            proofs: Vec::new(),
            index: super::Index::default(),
            status: Status::Open,
            place: self.stack.len(),
            consumers: Vec::new(),
            definite: false,
            sure: None,
        });
        self.words += self.list[id as usize].words();
        self.groups.push(Group {
            start: self.stack.len(),
            level,
            bags,
            queue: VecDeque::new(),
            waiting: Vec::new(),
            awake: Vec::new(),
            trial: None,
        });
        self.stack.push(id);
        id
    }

    /// Whether a goal speaks for the group on top.
    pub(crate) fn leads(&self, id: u32) -> bool {
        let first = self.groups.last().map(|g| self.stack[g.start]);
        first == Some(id)
    }

    /// An open goal is called again: everything above it on the stack belongs to its group.
    pub(crate) fn merge(&mut self, id: u32) -> Merged {
        let place = self.list[id as usize].place;
        let above = self.groups.partition_point(|g| g.start <= place);
        let tried = self.groups[above..].iter().position(|g| g.trial.is_some());
        if let Some(n) = tried {
            let g = &mut self.groups[above + n];
            let void = Merged::Void(g.level, g.bags);
            if let Some(before) = g.trial.take() {
                *self = *before;
            }
            self.join(above);
            return void;
        }
        self.join(above);
        Merged::Done
    }

    /// Makes the groups from a number on part of the one below.
    fn join(&mut self, above: usize) {
        for g in self.groups.split_off(above) {
            if let Some(into) = self.groups.last_mut() {
                into.queue.extend(g.queue);
                into.waiting.extend(g.waiting);
                into.awake.extend(g.awake);
            }
        }
    }

    /// Suspends a call of an open goal; one of a negation waits for the goal to have no answer. A call
    /// of a goal that is undefined goes on only in trials: what it leads to is undefined, too.
    pub(crate) fn suspend(&mut self, id: u32, what: Suspension, negative: bool) {
        let t = &self.list[id as usize];
        let trial = self.groups.last().is_some_and(|g| g.trial.is_some());
        let waits = negative || (t.undefined() && !trial);
        let next = if t.undefined() { t.sure() as u32 } else { 0 };
        self.words += what.words();
        let consumer = Consumer {
            table: id,
            next,
            queued: !waits,
            negative,
            what: Arc::new(what),
        };
        let n = match self.free.pop() {
            Some(n) => {
                self.consumers[n as usize] = Some(consumer);
                n
            }
            None => {
                self.consumers.push(Some(consumer));
                self.consumers.len() as u32 - 1
            }
        };
        self.list[id as usize].consumers.push(n);
        if let Some(g) = self.groups.last_mut() {
            if waits {
                g.waiting.push(n);
            } else {
                g.queue.push_back(n);
            }
        }
    }

    /// A table has one answer more.
    pub(super) fn wake(&mut self, id: u32) {
        let Some(g) = self.groups.last_mut() else {
            return;
        };
        for &n in &self.list[id as usize].consumers {
            if let Some(c) = &mut self.consumers[n as usize]
                && !c.negative
                && !std::mem::replace(&mut c.queued, true)
            {
                g.queue.push_back(n);
            }
        }
    }

    /// During a trial: whether the negation of an open goal is taken to hold.
    pub(crate) fn tried(&self, id: u32) -> Option<bool> {
        let trial = self.groups.last().is_some_and(|g| g.trial.is_some());
        let t = &self.list[id as usize];
        trial.then(|| match t.status {
            Status::Complete => t.sure() == 0,
            _ => !t.definite,
        })
    }

    /// What is to be done next for the group on top.
    pub(crate) fn next(&mut self) -> Next {
        loop {
            let Some(g) = self.groups.last_mut() else {
                return Next::Complete;
            };
            if let Some(&n) = g.queue.front() {
                let Some(c) = &mut self.consumers[n as usize] else {
                    g.queue.pop_front();
                    continue;
                };
                let t = &self.list[c.table as usize];
                match t.next(c.next as usize) {
                    Some(answer) => {
                        c.next = answer as u32 + 1;
                        return Next::Answer(c.what.clone(), c.table, answer);
                    }
                    None => {
                        c.queued = false;
                        g.queue.pop_front();
                        continue;
                    }
                }
            }
            if let Some(n) = g.awake.pop() {
                match &self.consumers[n as usize] {
                    Some(c) => return Next::Holds(c.what.clone(), c.table),
                    None => continue,
                }
            }
            if let Some(before) = g.trial.take() {
                if !self.end_trial(*before) {
                    return Next::Complete;
                }
                continue;
            }
            let (list, consumers) = (&self.list, &self.consumers);
            let open = |n: &u32| {
                let c = consumers[*n as usize].as_ref();
                c.is_some_and(|c| !c.negative || list[c.table as usize].sure() == 0)
            };
            g.waiting.retain(open);
            if g.waiting.is_empty() {
                return Next::Complete;
            }
            self.begin_trial();
        }
    }

    fn begin_trial(&mut self) {
        let before = Box::new(self.clone());
        let Some(g) = self.groups.last_mut() else {
            return;
        };
        for n in std::mem::take(&mut g.waiting) {
            match &mut self.consumers[n as usize] {
                Some(c) if !c.negative => {
                    c.queued = true;
                    g.queue.push_back(n);
                }
                _ => g.awake.push(n),
            }
        }
        g.trial = Some(before);
        for &id in &self.stack[g.start..] {
            let t = &mut self.list[id as usize];
            t.definite = t.answers.len() > 0;
        }
    }

    /// Goes back to before a trial; negations of what turned out impossible hold. If there are none,
    /// the group is as complete as it can be: whether there is more to do.
    fn end_trial(&mut self, before: Tables) -> bool {
        let possible = std::mem::replace(self, before);
        let Some(g) = self.groups.last_mut() else {
            return false;
        };
        let consumers = &self.consumers;
        let (out, still): (Vec<u32>, Vec<u32>) = g.waiting.iter().partition(|n| {
            let c = consumers[**n as usize].as_ref();
            let impossible = |t: u32| possible.list[t as usize].answers.len() == 0;
            c.is_some_and(|c| c.negative && impossible(c.table))
        });
        g.waiting = still;
        g.awake = out;
        if !g.awake.is_empty() {
            return true;
        }
        for &id in &self.stack[g.start..] {
            let sure = self.list[id as usize].answers.len();
            let then = &possible.list[id as usize];
            for n in sure..then.answers.len() {
                if let Some(b) = &mut self.list[id as usize].best {
                    // Which of them would be the best is not known either.
                    b.of.push(0);
                }
                let t = &mut self.list[id as usize];
                self.words += then.answers.get(n).len() + 1;
                t.answers.push(then.answers.get(n));
            }
            self.list[id as usize].sure = Some(sure);
        }
        false
    }

    /// The group on top is complete.
    pub(crate) fn complete(&mut self) {
        let Some(g) = self.groups.pop() else { return };
        // Those that waited for an undefined goal outside the group.
        for n in g.waiting {
            if let Some(c) = self.consumers[n as usize].take() {
                self.words -= c.what.words();
                self.free.push(n);
                self.list[c.table as usize].consumers.retain(|m| *m != n);
            }
        }
        for id in self.stack.split_off(g.start) {
            self.release(id);
            let t = &mut self.list[id as usize];
            if t.status == Status::Open {
                t.status = Status::Complete;
            }
        }
    }

    /// Drops the suspended calls of a goal.
    fn release(&mut self, id: u32) {
        for n in std::mem::take(&mut self.list[id as usize].consumers) {
            if let Some(c) = self.consumers[n as usize].take() {
                self.words -= c.what.words();
                self.free.push(n);
            }
        }
    }

    /// An error ended the evaluation of a goal: it is done again when it is called again. Calls of
    /// its group that wait for it have what it has found so far.
    pub(crate) fn abort(&mut self, id: u32) {
        if !self.leads(id) {
            if (id as usize) < self.list.len() {
                self.forget(id, true);
            }
            return;
        }
        if let Some(g) = self.groups.pop() {
            for id in self.stack.split_off(g.start) {
                self.release(id);
                self.forget(id, false);
            }
        }
    }

    /// A run is over: what was not finished is forgotten.
    pub(crate) fn abandon(&mut self) {
        while let Some(g) = self.groups.last() {
            let id = self.stack[g.start];
            self.abort(id);
        }
        while self
            .list
            .pop_if(|t| t.status == Status::Gone)
            .is_some_and(|t| {
                let proofs: usize = t.proofs.iter().flatten().map(Kept::words).sum();
                self.words -= t.words() + proofs;
                true
            })
        {}
    }
}
