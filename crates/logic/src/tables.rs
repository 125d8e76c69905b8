//! Tabling: answers of a goal are kept, and left recursion ends.
//!
//! Evaluation repeats a goal's clauses until nothing new is found. Goals that depend on each other
//! form a group; the oldest of them repeats for the whole group (the idea of Zhou and Sato's linear
//! tabling, 2003, in its simplest form).

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::machine::Machine;
use crate::program::Program;
use crate::run::{Flow, Res};
use crate::stored::Stored;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Status {
    /// Being evaluated, at this depth of the stack.
    Busy(usize),
    /// Evaluated, but part of a group whose leader is not done.
    Partial,
    Complete,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Table {
    key: Stored,
    answers: Vec<Stored>,
    status: Status,
    /// Lowest stack depth it depends on.
    low: usize,
    /// Changes seen when its current round began.
    seen: u64,
    /// The leader's round it was last evaluated in.
    round: u64,
}

/// All tables.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Table>", into = "Vec<Table>")]
pub(crate) struct Tables {
    list: Vec<Table>,
    by_key: HashMap<Stored, usize>,
    known: HashSet<(usize, Stored)>,
    stack: Vec<usize>,
    changes: u64,
    round: u64,
}

/// A machine saved in the middle of a table starts that table again.
impl From<Tables> for Vec<Table> {
    fn from(t: Tables) -> Self {
        t.list
    }
}

impl From<Vec<Table>> for Tables {
    fn from(list: Vec<Table>) -> Self {
        let by_key = list
            .iter()
            .enumerate()
            .map(|(i, t)| (t.key.clone(), i))
            .collect();
        let known = list
            .iter()
            .enumerate()
            .flat_map(|(i, t)| t.answers.iter().map(move |a| (i, a.clone())))
            .collect();
        let mut stack: Vec<(usize, usize)> = list
            .iter()
            .enumerate()
            .filter_map(|(i, t)| match t.status {
                Status::Busy(d) => Some((d, i)),
                _ => None,
            })
            .collect();
        stack.sort_unstable();
        let changes = list.iter().map(|t| t.seen).max().unwrap_or(0) + 1;
        let round = list.iter().map(|t| t.round).max().unwrap_or(0);
        Tables {
            list,
            by_key,
            known,
            stack: stack.into_iter().map(|s| s.1).collect(),
            changes,
            round,
        }
    }
}

impl Tables {
    pub(crate) fn cells(&self) -> usize {
        // Answers are kept twice: in order and for the test whether they are new.
        self.list
            .iter()
            .flat_map(|t| &t.answers)
            .map(|a| 2 * a.0.len())
            .sum()
    }

    /// How many evaluations are open.
    pub(crate) fn depth(&self) -> usize {
        self.stack.len()
    }

    /// An error left evaluations above a depth: forget what they found.
    pub(crate) fn abandon(&mut self, depth: usize) {
        if self.stack.len() <= depth {
            return;
        }
        self.stack.truncate(depth);
        let keep: Vec<Table> = std::mem::take(&mut self.list)
            .into_iter()
            .filter(|t| match t.status {
                Status::Busy(d) => d < depth,
                Status::Partial => false,
                Status::Complete => true,
            })
            .collect();
        let (changes, round) = (self.changes, self.round);
        *self = Tables::from(keep);
        self.changes = changes + 1;
        self.round = round;
    }

    pub(crate) fn clear(&mut self) {
        *self = Tables::default();
    }

    fn lower(&mut self, to: usize) {
        if let Some(&top) = self.stack.last() {
            let t = &mut self.list[top];
            t.low = t.low.min(to);
        }
    }

    fn enter(&mut self, key: Stored) -> (usize, bool) {
        let depth = self.stack.len();
        let id = match self.by_key.get(&key) {
            Some(&id) => id,
            None => {
                let id = self.list.len();
                self.by_key.insert(key.clone(), id);
                self.list.push(Table {
                    key,
                    answers: Vec::new(),
                    status: Status::Partial,
                    low: depth,
                    seen: 0,
                    round: u64::MAX,
                });
                id
            }
        };
        match self.list[id].status {
            Status::Complete => (id, false),
            Status::Busy(d) => {
                self.lower(d);
                (id, false)
            }
            Status::Partial if self.list[id].round == self.round && depth > 0 => {
                let low = self.list[id].low;
                self.lower(low);
                (id, false)
            }
            Status::Partial => {
                self.list[id].status = Status::Busy(depth);
                self.stack.push(id);
                (id, true)
            }
        }
    }

    fn begin_round(&mut self, id: usize) {
        let Status::Busy(depth) = self.list[id].status else {
            return;
        };
        if depth == 0 || self.list[id].low >= depth {
            self.round += 1;
        }
        let (changes, round) = (self.changes, self.round);
        let t = &mut self.list[id];
        t.low = depth;
        t.seen = changes;
        t.round = round;
    }

    fn add(&mut self, id: usize, answer: Stored) {
        if self.known.insert((id, answer.clone())) {
            self.list[id].answers.push(answer);
            self.changes += 1;
        }
    }

    /// The end of a round: whether the table needs no further one.
    fn end_round(&mut self, id: usize) -> bool {
        let Status::Busy(depth) = self.list[id].status else {
            return true;
        };
        let low = self.list[id].low;
        if low < depth {
            self.list[id].status = Status::Partial;
            self.list[id].round = self.round;
            self.stack.truncate(depth);
            self.lower(low);
            return true;
        }
        if self.changes != self.list[id].seen {
            return false;
        }
        self.stack.truncate(depth);
        self.list[id].status = Status::Complete;
        for t in &mut self.list {
            if t.status == Status::Partial && t.low >= depth {
                t.status = Status::Complete;
            }
        }
        true
    }
}

fn number(m: &Machine, reg: usize) -> usize {
    match m.store.look(m.regs[reg]) {
        crate::store::Look::Small(n) => n as usize,
        _ => 0,
    }
}

/// `'$table_enter'(Goal, Id, Fresh)`.
pub(crate) fn enter3(m: &mut Machine, _: &Program) -> Res {
    let limit = m.fuel.cells;
    let key = m.store.save(m.regs[0], limit).map_err(|e| m.too_big(e))?;
    let (id, fresh) = m.tables.enter(key);
    let word = m.atom(if fresh { "fresh" } else { "known" });
    let id = m.store.int(id as i64);
    Ok((m.store.unify(m.regs[1], id) && m.store.unify(m.regs[2], word)).into())
}

/// `'$table_round'(Id)`.
pub(crate) fn round1(m: &mut Machine, _: &Program) -> Res {
    let id = number(m, 0);
    m.tables.begin_round(id);
    Ok(Flow::Yes)
}

/// `'$table_add'(Id, Answer)`.
pub(crate) fn add2(m: &mut Machine, _: &Program) -> Res {
    let id = number(m, 0);
    let limit = m.fuel.cells;
    let answer = m.store.save(m.regs[1], limit).map_err(|e| m.too_big(e))?;
    m.tables.add(id, answer);
    Ok(Flow::Yes)
}

/// `'$table_done'(Id)`.
pub(crate) fn done1(m: &mut Machine, _: &Program) -> Res {
    let id = number(m, 0);
    Ok(m.tables.end_round(id).into())
}

/// `'$table_answers'(Id, List)`.
pub(crate) fn answers2(m: &mut Machine, _: &Program) -> Res {
    let id = number(m, 0);
    let blocks: Vec<Stored> = m.tables.list[id].answers.clone();
    let items: Vec<_> = blocks.iter().map(|b| m.store.load(&b.0)).collect();
    let list = m
        .store
        .list(&items, crate::cell::atom(crate::atoms::known::NIL));
    Ok(m.store.unify(m.regs[1], list).into())
}

/// `abolish_all_tables`.
pub(crate) fn abolish0(m: &mut Machine, _: &Program) -> Res {
    m.tables.clear();
    Ok(Flow::Yes)
}
