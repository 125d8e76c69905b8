//! Loading programs, asking queries, taking answers.

use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Serialize};

use crate::ask::Question;
use crate::atoms::known;
use crate::cell::*;
use crate::library::LIBRARY;
use crate::machine::*;
use crate::modes::Mode;
use crate::program::Program;
use crate::reader::{Desk, NamedVar, Reader};
use crate::run::Thrown;
use crate::syntax::{Place, SyntaxError};
use crate::trouble::Trouble;
use crate::writer::{Style, show};

/// The value of one variable of a query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    /// The variable's name in the query.
    pub name: String,
    /// Its value as `writeq` writes it; unbound variables are `_1`, `_2`, …
    pub value: String,
}

/// One solution of a query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Solution {
    /// The named variables in order of appearance.
    pub bindings: Vec<Binding>,
}

impl Solution {
    /// The value of a variable.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.bindings
            .iter()
            .find(|b| b.name == name)
            .map(|b| b.value.as_str())
    }
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// A solution; there may be more.
    Solution(Solution),
    /// No (more) solutions.
    Done,
    /// The person has to be asked; see [`Machine::answer`].
    Asked(Question),
    /// An error that nobody caught; no more solutions.
    Error(Trouble),
    /// The steps allowed are used up; the run can go on after [`Machine::refuel`].
    OutOfSteps,
    /// The memory allowed is used up; no more solutions.
    OutOfMemory,
    /// The program called `halt/1`.
    Halted(i64),
}

/// What loading a text came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loaded {
    /// Clauses added.
    pub clauses: usize,
    /// Errors; the rest of the text was loaded all the same.
    pub errors: Vec<Trouble>,
    /// Things that are legal but look wrong.
    pub warnings: Vec<Trouble>,
}

/// Stands in for the program while it is lent out.
static NOTHING: LazyLock<Arc<Program>> = LazyLock::new(Arc::default);

impl Default for Machine {
    fn default() -> Self {
        Machine::new()
    }
}

impl Machine {
    /// A machine with the library loaded.
    pub fn new() -> Machine {
        LIBRARY.clone()
    }

    // ---- Queries ----

    /// Forgets the current query.
    pub(crate) fn reset(&mut self) {
        self.clear_terms();
        self.resume = Resume::Idle;
        self.query.clear();
        self.query_text = None;
        self.asked = None;
        self.bags.clear();
        self.tables.abandon();
        self.streams.reset();
        self.pending.clear();
    }

    pub(crate) fn clear_terms(&mut self) {
        self.store.cells.truncate(1);
        self.store.trail.clear();
        self.store.changes.clear();
        self.store.globals.clear();
        self.store.hb = 0;
        self.choices.clear();
        self.cleanups = 0;
        self.saved.clear();
        self.log.clear();
        self.e = 0;
        self.stack[0] = STOP as u64;
        self.stack[1] = (FRAME as u64 + 1) << 32;
        self.stack[2] = u64::from(NOBODY);
        self.stack[FRAME] = 0;
    }

    /// Sets the machine to run a goal; `keep` is a term that must stay reachable.
    pub(crate) fn prepare(&mut self, goal: Cell, keep: Cell) {
        self.bury_later();
        self.kept_before = self.program_words + self.atoms.words();
        self.otherwise = 0;
        self.sweep_later();
        self.choices.clear();
        self.cleanups = 0;
        self.saved.clear();
        self.log.clear();
        self.e = 0;
        self.stack[0] = STOP as u64;
        self.stack[1] = (FRAME as u64 + 1) << 32;
        self.stack[2] = u64::from(NOBODY);
        self.stack[FRAME] = keep;
        self.cp = STOP;
        self.node = NOBODY;
        self.parent = NOBODY;
        self.pc = 0;
        self.fault = 0;
        self.sunk = 0;
        self.asked = None;
        self.store.hb = 0;
        self.store.trail.clear();
        self.store.changes.clear();
        self.push_choice(Kind::Bottom, 0, 0);
        self.regs[0] = goal;
        self.leave = None;
        let call = self.program.find(known::CALL, 1).unwrap_or(0);
        self.resume = Resume::Enter(call);
    }

    /// Reads a term from a text onto the heap, with the variables that have names.
    pub(crate) fn parse_here(&mut self, text: &str) -> Result<(Cell, Vec<NamedVar>), SyntaxError> {
        // A new line first: the text may end in a comment.
        let full = format!("{text}\n .");
        let mut reader = Reader::new(&full, self.flags.quotes);
        let mut desk = Desk {
            store: &mut self.store,
            atoms: Arc::make_mut(&mut self.atoms),
            ops: &self.ops,
        };
        match reader.sentence(&mut desk)? {
            Some(s) => Ok((s.term, s.vars)),
            None => Err(SyntaxError {
                offset: 0,
                message: "there is nothing to read".to_owned(),
            }),
        }
    }

    /// Reads a query or other term; a full stop at the end may be left out.
    pub(crate) fn read_term(&mut self, text: &str) -> Result<(Cell, Vec<NamedVar>), Trouble> {
        let trimmed = text.trim_end();
        let body = match trimmed.strip_suffix('.') {
            Some(b) if !b.ends_with(crate::lexer::is_symbol) => b,
            _ => trimmed,
        };
        self.parse_here(body)
            .map_err(|e| Trouble::syntax(&e.message, Place::of("query", text, e.offset)))
    }

    /// Starts a query. Solutions come from [`Machine::solve`].
    pub fn query(&mut self, text: &str) -> Result<(), Trouble> {
        self.reset();
        let (goal, vars) = self.read_term(text)?;
        let cells: Vec<Cell> = vars.iter().map(|v| v.cell).collect();
        let keep = self.store.list(&cells, atom(known::NIL));
        let pair = self.compound_of(known::MINUS, &[goal, keep]);
        self.query = vars.into_iter().map(|v| v.name).collect();
        self.query_text = Some(text.into());
        self.prepare(goal, pair);
        Ok(())
    }

    /// Allows the run this much more.
    pub fn refuel(&mut self, fuel: Fuel) {
        self.spend_credit();
        self.pause_at = u64::MAX;
        self.fuel = Fuel {
            steps: self.steps.saturating_add(fuel.steps),
            cells: fuel.cells,
        };
    }

    /// Records what is needed for proofs from the next query on.
    pub fn record_proofs(&mut self, on: bool) {
        if on && !self.recording {
            // Answers found without proofs are found again.
            self.tables = crate::tables::Tables::default();
        }
        self.recording = on;
        self.collect_at = self.first_collection();
    }

    /// Collects unused terms and names at every call. That is slow, and changes no answer: it is there
    /// so that tests can show it.
    #[doc(hidden)]
    pub fn collect_always(&mut self) {
        self.eager = Some(false);
        self.spend_credit();
    }

    /// Runs to the next solution, question or end.
    pub fn solve(&mut self) -> Outcome {
        if let Some(q) = &self.asked {
            return Outcome::Asked(q.clone());
        }
        let why = self.drive();
        self.rest();
        match why {
            Leave::Solution => Outcome::Solution(self.solution()),
            Leave::Asked(q) => Outcome::Asked(q),
            Leave::Thrown(ball) => {
                self.resume = Resume::Idle;
                let trouble = self.explain(&ball);
                if trouble.term == "resource_error(memory)" {
                    return self.out_of_memory();
                }
                Outcome::Error(trouble)
            }
            Leave::Steps => Outcome::OutOfSteps,
            Leave::Memory => self.out_of_memory(),
            Leave::Halted(n) => Outcome::Halted(n),
            Leave::Failed | Leave::Change(_) | Leave::Collect | Leave::Cleanup => {
                self.resume = Resume::Idle;
                Outcome::Done
            }
        }
    }

    /// Gives back what the run took.
    fn out_of_memory(&mut self) -> Outcome {
        let entered = match self.resume {
            Resume::Enter(p) => self.program.preds[p as usize].slots.first().map(|s| s.id),
            Resume::At(pc) => self.program.clause_at(pc as usize),
            _ => None,
        };
        let busy = self.piled().filter(|b| b.1 > 2).map(|b| b.0).or(entered);
        self.fault = busy.map_or(0, |id| self.program.clauses[id as usize].code as usize);
        self.sunk = self.depth(1 << 20);
        self.resume = Resume::Idle;
        self.reset();
        self.store.cells.shrink_to(1 << 16);
        self.stack.truncate(1 << 16);
        self.stack.shrink_to(1 << 16);
        self.store.work = Vec::new();
        self.log.shrink_to(1 << 16);
        self.choices.shrink_to(1 << 12);
        self.saved.shrink_to(1 << 12);
        self.store.trail.shrink_to(1 << 12);
        Outcome::OutOfMemory
    }

    /// Runs, making changes to the program and collecting in between.
    pub(crate) fn drive(&mut self) -> Leave {
        loop {
            if !self.pending.is_empty()
                && let Some(why) = self.run_cleanups()
            {
                return why;
            }
            self.program_words = self.program.words();
            self.renew();
            let program = std::mem::replace(&mut self.program, NOTHING.clone());
            let why = if self.recording {
                self.run::<true>(&program)
            } else {
                self.run::<false>(&program)
            };
            self.program = program;
            match why {
                Leave::Change(change) => {
                    if let Err(t) = self.change(&change) {
                        // Thrown where the builtin was called.
                        let program = std::mem::replace(&mut self.program, NOTHING.clone());
                        let at = self.throw::<false>(&program, t, self.pc);
                        self.program = program;
                        self.resume = match self.leave.take() {
                            Some(why) => return why,
                            None => Resume::At(at as u32),
                        };
                    }
                }
                Leave::Cleanup => {}
                Leave::Collect if self.cleaning => return Leave::Memory,
                Leave::Collect => {
                    let mut program = std::mem::take(&mut self.program);
                    self.program = program.clone();
                    let shared = Arc::strong_count(&program) > 2;
                    if shared || self.recording || program.graves.is_empty() {
                        self.collect(None);
                        self.program = program;
                    } else {
                        self.program = Arc::new(Program {
                            preds: program.preds.clone(),
                            ..Program::default()
                        });
                        self.collect(Arc::get_mut(&mut program));
                        self.program = program;
                    }
                    if self.many_names()
                        || self.eager.is_some()
                        || self.words_used() > self.fuel.cells
                    {
                        self.sweep_names();
                    }
                    self.bury_later();
                    if self.words_used() > self.fuel.cells {
                        return Leave::Memory;
                    }
                }
                other => {
                    // An error that nobody caught leaves its cleanups behind.
                    if !self.pending.is_empty()
                        && let Some(why) = self.run_cleanups()
                    {
                        return why;
                    }
                    return other;
                }
            }
        }
    }

    fn change(&mut self, change: &Change) -> Result<(), Thrown> {
        match *change {
            Change::Assert { clause, front } => {
                self.added = self.try_add(clause, front, None)?;
            }
            Change::Erase(id) => {
                let program = Arc::make_mut(&mut self.program);
                program.erase(id);
                let pred = program.clauses[id as usize].pred;
                self.tidy(pred);
            }
            Change::Clear(pred) | Change::Abolish(pred) => {
                let program = Arc::make_mut(&mut self.program);
                let ids: Vec<u32> = program.preds[pred as usize]
                    .slots
                    .iter()
                    .map(|s| s.id)
                    .collect();
                for id in ids {
                    program.erase(id);
                }
                if matches!(change, Change::Abolish(_)) {
                    // ISO 13211-1, 8.9.4: there is no such procedure any more.
                    let gone = &mut program.preds[pred as usize];
                    (gone.dynamic, gone.defined, gone.discontiguous) = (false, false, false);
                    program.generation += 1;
                }
                self.tidy(pred);
            }
            Change::Dynamic(name, arity) => {
                let program = Arc::make_mut(&mut self.program);
                let mut p = program.pred(name, arity);
                if program.preds[p as usize].library {
                    p = crate::load::override_library(program, p);
                }
                program.preds[p as usize].dynamic = true;
                program.preds[p as usize].changed = true;
                program.generation += 1;
            }
            Change::Discontiguous(name, arity) => {
                let program = Arc::make_mut(&mut self.program);
                let p = program.pred(name, arity);
                let pred = &mut program.preds[p as usize];
                pred.discontiguous = true;
                // It fails while it has no clauses.
                pred.defined = true;
                program.generation += 1;
            }
            Change::Table(name, arity, ref modes) => self.make_tabled(name, arity, modes)?,
            Change::Keep(table, log) => self.keep_proof(table, log),
        }
        Ok(())
    }

    /// `p(X) :- '$tabled'(p(X), 'p tabled')`, and clauses of p go to `'p tabled'`.
    fn make_tabled(&mut self, name: u32, arity: usize, modes: &[Mode]) -> Result<(), Thrown> {
        let program = Arc::make_mut(&mut self.program);
        let mut p = program.pred(name, arity);
        if program.preds[p as usize].library {
            p = crate::load::override_library(program, p);
        }
        program.preds[p as usize].modes = modes.to_vec();
        if self.program.preds[p as usize].tabled {
            return Ok(());
        }
        let args: Vec<Cell> = (0..arity).map(|_| self.store.var()).collect();
        let inner = format!("{} tabled", self.atoms.name(name));
        let inner = self.intern(&inner);
        let outer = match args[..] {
            [] => atom(name),
            _ => self.compound_of(name, &args),
        };
        let body = self.compound("$tabled", &[outer, atom(inner)]);
        let clause = self.compound_of(known::NECK, &[outer, body]);
        self.try_add(clause, false, None)?;
        let program = Arc::make_mut(&mut self.program);
        let hidden = program.pred(inner, arity);
        program.preds[hidden as usize].dynamic = true;
        let p = program.pred(name, arity);
        program.preds[p as usize].tabled = true;
        Ok(())
    }

    // ---- Answers ----

    /// The query's goal and its variables, as they are now.
    pub(crate) fn query_cells(&self) -> (Cell, Vec<Cell>) {
        let args = self.store.args(self.stack[FRAME]);
        match args[..] {
            [goal, vars] => (goal, self.store.items(vars).unwrap_or_default()),
            _ => (atom(known::TRUE), Vec::new()),
        }
    }

    fn solution(&mut self) -> Solution {
        if self.query.is_empty() {
            return Solution {
                bindings: Vec::new(),
            };
        }
        let (_, cells) = self.query_cells();
        let shown: Vec<Cell> = self
            .query
            .iter()
            .zip(&cells)
            .filter(|(name, _)| !name.starts_with('_'))
            .map(|(_, &c)| c)
            .collect();
        let style = Style {
            names: self.var_names(&shown),
            longest: 1 << 20,
            ..Style::quoted()
        };
        let bindings = self
            .query
            .iter()
            .zip(&cells)
            .filter(|(name, _)| !name.starts_with('_'))
            .map(|(name, &c)| Binding {
                name: name.clone(),
                value: show(&self.store, &self.atoms, &self.ops, &style, c),
            })
            .collect();
        Solution { bindings }
    }

    /// What was written since the last time this was asked.
    pub fn take_output(&mut self) -> String {
        std::mem::take(&mut self.output)
    }
}

/// The proof record of a query that is nobody's child.
pub(crate) const NOBODY: u32 = u32::MAX;
