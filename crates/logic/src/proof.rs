//! Proof trees: which clause proved each goal, from which answers and tests.
//!
//! The machine only logs which clause each call chose. The tree is worked out from that when a
//! solution is there: each clause is laid over its goal, and the goals of its body are matched with
//! the calls logged under it, in the order in which they were called, so that what one goal found
//! out is known when the next one needs it.

use serde::{Deserialize, Serialize};

use crate::ask::Answer;
use crate::atoms::known;
use crate::cell::*;
use crate::kept::Why;
use crate::machine::Machine;
use crate::record::{BARE, BRANCH, BUILTIN, CALL};
use crate::store::Look;
use crate::syntax::Place;
use crate::term::Term;

/// What makes a goal true.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Because {
    /// A clause of the program: its position in the predicate from 0, and where it stands.
    Clause(usize, Option<Place>),
    /// A predicate of the library; goals of the program that it called are below it.
    Library,
    /// A builtin, a test or an assignment.
    Builtin,
    /// The person said so.
    Said(Answer),
    /// The goal inside has no proof.
    NoProof,
}

/// A goal with what makes it true.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// The goal as it was proved.
    pub goal: Term,
    /// Why it holds.
    pub because: Because,
    /// The goals of the clause's body, in order, by number.
    pub children: Vec<usize>,
}

/// The proof of one solution: nodes refer to each other by number.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Proof {
    /// All nodes; parents before children. A goal that a table answered can stand below several.
    pub nodes: Vec<Node>,
    /// The goals of the query.
    pub roots: Vec<usize>,
}

impl Proof {
    /// The tree as indented lines, one goal each. What is below a goal is told once.
    pub fn lines(&self) -> Vec<Line<'_>> {
        let mut out = Vec::new();
        let mut told = vec![false; self.nodes.len()];
        let mut stack: Vec<(usize, usize)> = self.roots.iter().rev().map(|&r| (0, r)).collect();
        while let Some((depth, n)) = stack.pop() {
            let Some(node) = self.nodes.get(n) else {
                continue;
            };
            let again = std::mem::replace(&mut told[n], true) && !node.children.is_empty();
            out.push(Line { depth, node, again });
            if !again {
                stack.extend(node.children.iter().rev().map(|&c| (depth + 1, c)));
            }
        }
        out
    }
}

/// One line of a proof.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line<'a> {
    /// How far it is indented.
    pub depth: usize,
    /// The goal and why it holds.
    pub node: &'a Node,
    /// Whether what is below it was told before.
    pub again: bool,
}

/// The records under one record, in order.
pub(crate) struct Below {
    children: std::collections::HashMap<u32, Vec<usize>>,
}

impl Below {
    pub(crate) fn of(&self, parent: u32) -> &[usize] {
        self.children.get(&parent).map_or(&[], Vec::as_slice)
    }
}

impl Machine {
    /// The proof of the current solution. Needs [`Machine::record_proofs`] before the query.
    /// `None` if nothing was recorded, a term nests too deeply to be shown, or there is too much.
    pub fn proof(&mut self) -> Option<Proof> {
        if self.log.is_empty() {
            return None;
        }
        self.apart(|m| {
            let below = m.below(0)?;
            let roots = m.shown(&below, crate::engine::NOBODY).into_iter();
            let mut grown = m.grow(&below, roots.map(|at| (at, None)).collect());
            m.unfold(&mut grown)?;
            m.finish(&grown)
        })
    }

    /// The records of the log from one on, by the record they are under.
    pub(crate) fn below(&self, from: usize) -> Option<Below> {
        // The tree takes some words for each record.
        if (self.log.len() - from) > self.room() / 8 {
            return None;
        }
        let mut below = Below {
            children: std::collections::HashMap::new(),
        };
        let mut at = from;
        while at < self.log.len() {
            let r = self.record(at);
            below.children.entry(r.parent).or_default().push(at);
            if matches!(r.kind, CALL | BARE) && r.id == crate::record::LARGEST {
                return None;
            }
            at += 1 + if r.kind == BRANCH { 0 } else { r.arity };
        }
        Some(below)
    }

    /// Works on the heap and leaves it as it was.
    pub(crate) fn apart<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let heap = self.store.cells.len();
        let trail = self.store.trail.len();
        let hb = std::mem::replace(&mut self.store.hb, usize::MAX);
        let out = work(self);
        self.store.hb = hb;
        self.undo_to(trail, heap);
        out
    }

    fn undo_to(&mut self, trail: usize, heap: usize) {
        // Bindings above the old heap top vanish with it.
        while self.store.trail.len() > trail {
            if let Some(at) = self.store.trail.pop()
                && (at as usize) < heap
            {
                self.store.cells[at as usize] = make(REF, at as usize);
            }
        }
        self.store.cells.truncate(heap);
    }

    /// The tree under some records, with the goals of those that have none. Answers of tables are
    /// left as they are.
    pub(crate) fn grow(&mut self, below: &Below, roots: Vec<(usize, Option<Cell>)>) -> Grown {
        let mut proof = Grown::default();
        let root = |(at, goal)| Work::Call {
            at,
            goal,
            parent: None,
        };
        let mut work: Vec<Work> = roots.into_iter().rev().map(root).collect();
        while let Some(next) = work.pop() {
            match next {
                Work::Call { at, goal, parent } => {
                    let goal = goal.unwrap_or_else(|| self.record_goal(at));
                    self.begin_node(below, at, goal, parent, &mut proof, &mut work);
                }
                Work::Body(mut body) => {
                    if let Some(goal) = body.goals.pop() {
                        let parent = body.node;
                        let found = self.take_goal(below, goal, &mut body, &mut proof);
                        work.push(Work::Body(body));
                        work.extend(found.into_iter().rev().map(|(at, goal)| Work::Call {
                            at,
                            goal,
                            parent: Some(parent),
                        }));
                    }
                }
            }
        }
        proof
    }

    /// The finished tree; only now everything is bound.
    fn finish(&self, grown: &Grown) -> Option<Proof> {
        let order = grown.order();
        let mut number = vec![usize::MAX; grown.nodes.len()];
        for (n, &at) in order.iter().enumerate() {
            number[at] = n;
        }
        let mut nodes = Vec::with_capacity(order.len());
        // Goals are told in full, and a long list may be part of many of them.
        let mut left = self.room();
        for &at in &order {
            let node = &grown.nodes[at];
            let because = match &node.why {
                Why::Clause(id) => {
                    let (position, place) = self.clause_position(*id)?;
                    Because::Clause(position, place)
                }
                Why::Library => Because::Library,
                Why::Builtin => Because::Builtin,
                Why::Said(answer) => Because::Said(answer.clone()),
                Why::NoProof => Because::NoProof,
                Why::Answer(..) => return None,
            };
            nodes.push(Node {
                goal: self.take_part(node.goal, &mut left)?,
                because,
                children: node.children.iter().map(|&c| number[c]).collect(),
            });
        }
        Some(Proof {
            nodes,
            roots: grown.roots.iter().map(|&r| number[r]).collect(),
        })
    }

    /// A node for a call, and what is to be done for the goals below it.
    fn begin_node(
        &mut self,
        below: &Below,
        at: usize,
        goal: Cell,
        parent: Option<usize>,
        proof: &mut Grown,
        work: &mut Vec<Work>,
    ) {
        let r = self.record(at);
        if r.kind == BUILTIN {
            let why = match crate::builtins::TABLE[r.id as usize].name {
                "tnot" => Why::NoProof,
                _ => self.said(at).map_or(Why::Builtin, Why::Said),
            };
            proof.add(goal, why, parent);
        } else if self.record_pred(r).library {
            let n = proof.add(goal, Why::Library, parent);
            work.extend(calls(self.inside_library(below, at), Some(n)));
        } else if let Some((table, number)) = self.answer_used(below, at) {
            if let Some(answer) = self.load_answer(table as usize, number as usize) {
                self.store.unify(answer, goal);
            }
            proof.add(goal, Why::Answer(table, number), parent);
        } else {
            let n = proof.add(goal, Why::Clause(r.id), parent);
            work.extend(self.lay_over(below, at, goal, n).map(Work::Body));
        }
    }

    /// The answer that a call of a tabled predicate took from its table.
    fn answer_used(&self, below: &Below, at: usize) -> Option<(u32, u32)> {
        if !self.record_pred(self.record(at)).tabled {
            return None;
        }
        let used = below.of(at as u32).iter().find(|&&r| {
            let r = self.record(r);
            r.kind == BUILTIN && crate::builtins::TABLE[r.id as usize].name == "$table_used"
        })?;
        let number = |c: Cell| match self.store.look(c) {
            Look::Small(n) => u32::try_from(n).ok(),
            _ => None,
        };
        Some((number(self.log[used + 1])?, number(self.log[used + 2])?))
    }

    /// The goal of a record.
    fn record_goal(&mut self, at: usize) -> Cell {
        let r = self.record(at);
        let name = if r.kind == BUILTIN {
            self.intern(crate::builtins::TABLE[r.id as usize].name)
        } else {
            self.record_pred(r).name
        };
        let args = self.record_args(at);
        if args.is_empty() {
            atom(name)
        } else {
            self.compound_of(name, &args)
        }
    }

    /// Whether a record only helps the library (`$and` and the like).
    fn is_helper(&self, at: usize) -> bool {
        let r = self.record(at);
        match r.kind {
            BUILTIN => crate::builtins::TABLE[r.id as usize].name.starts_with('$'),
            CALL => self.atoms.name(self.record_pred(r).name).starts_with('$'),
            BARE => false,
            _ => true,
        }
    }

    /// The records under a parent that are worth showing; helpers are replaced by what is
    /// under them.
    fn shown(&self, below: &Below, parent: u32) -> Vec<usize> {
        let mut out = Vec::new();
        let mut stack: Vec<usize> = below.of(parent).iter().rev().copied().collect();
        while let Some(at) = stack.pop() {
            if self.is_helper(at) {
                if self.record(at).kind == CALL {
                    stack.extend(below.of(at as u32).iter().rev());
                }
            } else {
                out.push(at);
            }
        }
        out
    }

    /// The goals of the program that a predicate of the library called, and what a person was asked
    /// on the way. How the library does its own work is no part of a proof: a list that it goes
    /// along would be told once for every item.
    fn inside_library(&mut self, below: &Below, at: usize) -> Vec<usize> {
        let mut out = Vec::new();
        let mut stack: Vec<usize> = below.of(at as u32).iter().rev().copied().collect();
        while let Some(at) = stack.pop() {
            let r = self.record(at);
            match r.kind {
                CALL | BARE if self.record_pred(r).library => {
                    stack.extend(below.of(at as u32).iter().rev());
                }
                CALL | BARE => out.push(at),
                BUILTIN if self.said(at).is_some() => out.push(at),
                _ => {}
            }
        }
        out
    }

    /// Which clause of its predicate a clause is, and where it stands.
    fn clause_position(&self, id: u32) -> Option<(usize, Option<Place>)> {
        let clause = self.program.clauses.get(id as usize)?;
        let pred = &self.program.preds[clause.pred as usize];
        let position = pred
            .slots
            .iter()
            .filter(|s| self.program.clauses[s.id as usize].death == u64::MAX)
            .position(|s| s.id == id)
            .unwrap_or(0);
        let place = clause.source.and_then(|(source, start)| {
            let s = self.program.sources.get(source as usize)?;
            Some(Place::of(&s.name, &s.text, start as usize))
        });
        Some((position, place))
    }

    /// The answer behind an `ask` record.
    fn said(&mut self, at: usize) -> Option<Answer> {
        let r = self.record(at);
        let name = crate::builtins::TABLE[r.id as usize].name;
        if !matches!(name, "ask" | "choose" | "number") || r.kind != BUILTIN || r.arity == 0 {
            return None;
        }
        let limit = self.room();
        let key = self.store.save(self.log[at + 1], limit).ok()?;
        if name == "number" && r.arity != 2 {
            return None;
        }
        self.answers
            .iter()
            .find(|(k, _)| *k == key)
            .map(|(_, a)| a.clone())
    }

    /// Lays a clause over its goal; its body is to be matched with the records under it.
    fn lay_over(&mut self, below: &Below, at: usize, goal: Cell, node: usize) -> Option<Laid> {
        let clause = self.record(at).id;
        let block = self.program.clauses[clause as usize].term.clone();
        let whole = self.store.load(&block.0);
        let [head, body] = self.store.args(whole)[..] else {
            return None;
        };
        // Argument by argument: the clauses of a tabled predicate have another name.
        let pairs = self.store.args(head).into_iter();
        for (formal, actual) in pairs.zip(self.store.args(goal)) {
            self.store.unify(formal, actual);
        }
        Some(Laid {
            node,
            goals: vec![body],
            records: below.of(at as u32).to_vec().into_iter().peekable(),
        })
    }

    /// Takes the next goal of a body: gives the calls it was, with their goals where the records
    /// have none.
    fn take_goal(
        &mut self,
        below: &Below,
        c: Cell,
        body: &mut Laid,
        proof: &mut Grown,
    ) -> Vec<(usize, Option<Cell>)> {
        let (name, args) = match self.store.look(c) {
            Look::Atom(known::TRUE | known::CUT) => return Vec::new(),
            Look::Atom(n) => (n, Vec::new()),
            Look::Compound(f, _) => (self.atoms.functor_parts(f).0, self.store.args(c)),
            _ => (known::CALL, vec![c]),
        };
        let stack = &mut body.goals;
        match (name, &args[..]) {
            (known::COMMA, &[a, b]) => {
                stack.push(b);
                stack.push(a);
                return Vec::new();
            }
            (known::SEMICOLON | known::BAR | known::ARROW | known::SOFT, &[a, b]) => {
                let branch = body.records.next().map_or(0, |r| self.record(r).id);
                let (cond, other) = if matches!(name, known::ARROW | known::SOFT) {
                    (Some((a, b)), atom(known::FAIL))
                } else {
                    (self.condition(a), b)
                };
                match (branch, cond) {
                    (0, Some((c, t))) => {
                        stack.push(t);
                        stack.push(c);
                    }
                    (0, None) => stack.push(a),
                    _ => stack.push(other),
                }
                return Vec::new();
            }
            (known::NOT, _) if args.len() == 1 => {
                proof.add(c, Why::NoProof, Some(body.node));
                return Vec::new();
            }
            _ => {}
        }
        let recorded = body.records.peek().is_some_and(|&r| {
            let rec = self.record(r);
            rec.kind == BUILTIN
                && crate::builtins::TABLE[rec.id as usize].name == self.atoms.name(name)
        });
        if self.is_inline(name, args.len()) && !recorded {
            // Done again, for variables that occur nowhere else.
            match (self.atoms.name(name), &args[..]) {
                ("=", &[a, b]) => {
                    self.store.unify(a, b);
                }
                ("is", &[x, e]) => {
                    if let Ok(v) = self.eval_cell(e) {
                        self.store.unify(x, v);
                    }
                }
                _ => {}
            }
            proof.add(c, Why::Builtin, Some(body.node));
            return Vec::new();
        }
        let Some(r) = body.records.next() else {
            return Vec::new();
        };
        if self.record(r).kind == BARE {
            return vec![(r, Some(c))];
        }
        let called = self.record_goal(r);
        if name != known::CALL {
            // Both are the same goal: what the call found out flows into the clause.
            self.store.unify(c, called);
        }
        if self.is_helper(r) {
            let inner = self.shown(below, r as u32).into_iter();
            inner.map(|r| (r, None)).collect()
        } else {
            vec![(r, None)]
        }
    }

    /// `C -> T` or `C *-> T` taken apart.
    fn condition(&self, c: Cell) -> Option<(Cell, Cell)> {
        match self.store.look(c) {
            Look::Compound(f, a) => match self.atoms.functor_parts(f) {
                (known::ARROW | known::SOFT, 2) => {
                    Some((self.store.cells[a], self.store.cells[a + 1]))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn is_inline(&self, name: u32, arity: usize) -> bool {
        let text = self.atoms.name(name);
        match arity {
            1 => crate::code::TESTS.contains(&text),
            2 => {
                matches!(text, "=" | "is")
                    || crate::code::COMPARISONS.contains(&text)
                    || crate::code::ORDERS.contains(&text)
            }
            _ => false,
        }
    }
}

/// Something to be done for the tree.
enum Work {
    /// A node for a record; the goal where the record has none.
    Call {
        at: usize,
        goal: Option<Cell>,
        parent: Option<usize>,
    },
    /// The rest of a clause's body.
    Body(Laid),
}

/// A clause laid over its goal.
struct Laid {
    node: usize,
    /// Goals still to be taken, the next one last.
    goals: Vec<Cell>,
    records: std::iter::Peekable<std::vec::IntoIter<usize>>,
}

/// Records as nodes to be made, the first to be popped first.
fn calls(records: Vec<usize>, parent: Option<usize>) -> impl Iterator<Item = Work> {
    records.into_iter().rev().map(move |at| Work::Call {
        at,
        goal: None,
        parent,
    })
}

/// A tree whose goals are still on the heap.
#[derive(Default)]
pub(crate) struct Grown {
    pub(crate) nodes: Vec<GrownNode>,
    pub(crate) roots: Vec<usize>,
}

pub(crate) struct GrownNode {
    pub(crate) goal: Cell,
    pub(crate) why: Why,
    pub(crate) children: Vec<usize>,
}

impl Grown {
    fn add(&mut self, goal: Cell, why: Why, parent: Option<usize>) -> usize {
        let n = self.nodes.len();
        match parent {
            Some(p) => self.nodes[p].children.push(n),
            None => self.roots.push(n),
        }
        self.nodes.push(GrownNode {
            goal,
            why,
            children: Vec::new(),
        });
        n
    }

    /// The nodes that are used, each before those below it, and otherwise as they are read.
    fn order(&self) -> Vec<usize> {
        let mut met = vec![false; self.nodes.len()];
        let mut out = Vec::with_capacity(self.nodes.len());
        // A node is done when everything below it is; going from right to left and turning the
        // list round puts each before what is below it.
        let mut stack: Vec<(usize, bool)> = self.roots.iter().map(|&r| (r, false)).collect();
        while let Some((at, done)) = stack.pop() {
            if done {
                out.push(at);
            } else if !std::mem::replace(&mut met[at], true) {
                stack.push((at, true));
                stack.extend(self.nodes[at].children.iter().map(|&c| (c, false)));
            }
        }
        out.reverse();
        out
    }
}
