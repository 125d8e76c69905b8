//! Tabling: answers of a goal are kept, and left recursion ends.
//!
//! Evaluation repeats a goal's clauses until nothing new is found. Goals that depend on each other
//! form a group; the oldest of them repeats for the whole group (the idea of Zhou and Sato's linear
//! tabling, 2003, in its simplest form).

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::kept::Kept;
use crate::machine::{Change, Leave, Machine};
use crate::program::Program;
use crate::run::{Flow, Res};
use crate::stored::Stored;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Status {
    /// To be evaluated, for the first time or again.
    Fresh,
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
    /// How each answer was found, where proofs are recorded.
    #[serde(default)]
    proofs: Vec<Option<Kept>>,
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
    /// Words that answers and proofs take.
    words: usize,
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
        let rounds = list.iter().map(|t| t.round).filter(|r| *r != u64::MAX);
        let round = rounds.max().unwrap_or(0);
        let words = list.iter().map(Table::words).sum();
        Tables {
            list,
            by_key,
            known,
            stack: stack.into_iter().map(|s| s.1).collect(),
            changes,
            round,
            words,
        }
    }
}

impl Table {
    /// Words that answers and proofs take; answers are kept twice: in order and for the test
    /// whether they are new.
    fn words(&self) -> usize {
        let proofs = self.proofs.iter().flatten().map(Kept::words);
        self.answers.iter().map(|a| 2 * a.0.len()).sum::<usize>() + proofs.sum::<usize>()
    }
}

impl Tables {
    pub(crate) fn cells(&self) -> usize {
        self.words
    }

    /// Whether there are no tables.
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many evaluations are open.
    pub(crate) fn depth(&self) -> usize {
        self.stack.len()
    }

    /// An error left evaluations above a depth: they have to be done again. Tables keep their
    /// numbers, because evaluations and proofs go on with theirs, and answers stay, because proofs
    /// may need them; between queries what was not finished is forgotten.
    pub(crate) fn abandon(&mut self, depth: usize) {
        if self.stack.len() <= depth {
            return;
        }
        self.stack.truncate(depth);
        for t in &mut self.list {
            let done = match t.status {
                Status::Busy(d) => d < depth,
                Status::Fresh | Status::Complete => true,
                Status::Partial => false,
            };
            if !done {
                t.status = Status::Fresh;
                if depth == 0 {
                    t.answers.clear();
                    t.proofs.clear();
                }
            }
        }
        if depth == 0 {
            let (changes, round) = (self.changes, self.round);
            *self = Tables::from(std::mem::take(&mut self.list));
            self.changes = changes;
            self.round = round;
        }
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
                    proofs: Vec::new(),
                    status: Status::Fresh,
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
            Status::Fresh | Status::Partial => {
                self.list[id].status = Status::Busy(depth);
                self.stack.push(id);
                (id, true)
            }
        }
    }

    fn begin_round(&mut self, id: usize) {
        let Some(&Status::Busy(depth)) = self.list.get(id).map(|t| &t.status) else {
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

    /// Adds an answer; whether it is new.
    fn add(&mut self, id: usize, answer: Stored) -> bool {
        // All tables may have been abolished meanwhile.
        let new = id < self.list.len() && self.known.insert((id, answer.clone()));
        if new {
            self.words += 2 * answer.0.len();
            self.list[id].answers.push(answer);
            self.changes += 1;
        }
        new
    }

    /// Keeps the proof of the last answer of a table.
    pub(crate) fn keep(&mut self, id: usize, proof: Option<Kept>) {
        self.words += proof.as_ref().map_or(0, Kept::words);
        if let Some(t) = self.list.get_mut(id) {
            t.proofs.resize(t.answers.len().saturating_sub(1), None);
            t.proofs.push(proof);
        }
    }

    /// An answer by its number, with its proof.
    pub(crate) fn answer(&self, id: usize, number: usize) -> Option<(&Stored, Option<&Kept>)> {
        let t = self.list.get(id)?;
        let proof = t.proofs.get(number).and_then(Option::as_ref);
        Some((t.answers.get(number)?, proof))
    }

    /// The end of a round: whether the table needs no further one.
    fn end_round(&mut self, id: usize) -> bool {
        let Some(&Status::Busy(depth)) = self.list.get(id).map(|t| &t.status) else {
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
    let limit = m.room();
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
    let limit = m.room();
    let answer = m.store.save(m.regs[1], limit).map_err(|e| m.too_big(e))?;
    let new = m.tables.add(id, answer);
    if new && m.recording {
        // A proof can only be read where the whole program is at hand.
        return Ok(Flow::Leave(Leave::Change(Change::Keep(id))));
    }
    Ok(Flow::Yes)
}

/// `'$table_done'(Id)`.
pub(crate) fn done1(m: &mut Machine, _: &Program) -> Res {
    let id = number(m, 0);
    Ok(m.tables.end_round(id).into())
}

/// `'$table_answers'(Id, List)`: items are `a(Number, Answer)`.
pub(crate) fn answers2(m: &mut Machine, _: &Program) -> Res {
    let id = number(m, 0);
    let table = m.tables.list.get(id);
    let blocks: Vec<Stored> = table.map_or_else(Vec::new, |t| t.answers.clone());
    let name = m.intern("a");
    let mut items = Vec::with_capacity(blocks.len());
    for (n, block) in blocks.iter().enumerate() {
        let (n, answer) = (m.store.int(n as i64), m.store.load(&block.0));
        items.push(m.compound_of(name, &[n, answer]));
    }
    let list = m
        .store
        .list(&items, crate::cell::atom(crate::atoms::known::NIL));
    Ok(m.store.unify(m.regs[1], list).into())
}

/// `'$table_used'(Id, Number)`: does nothing; the log then tells which answer a proof rests on.
pub(crate) fn used2(_: &mut Machine, _: &Program) -> Res {
    Ok(Flow::Yes)
}

/// `abolish_all_tables`.
pub(crate) fn abolish0(m: &mut Machine, _: &Program) -> Res {
    m.tables.clear();
    Ok(Flow::Yes)
}
