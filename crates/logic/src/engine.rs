//! Loading programs, asking queries, taking answers.

use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Serialize};

use crate::ask::Question;
use crate::atoms::known;
use crate::builtins::TABLE;
use crate::cell::*;
use crate::compile::{Refused, compile};
use crate::goals::BadBody;
use crate::machine::*;
use crate::program::{Body, Clause, Program, Source};
use crate::reader::{Desk, NamedVar, Reader};
use crate::run::Thrown;
use crate::store::Look;
use crate::stored::Stored;
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

/// The library, loaded once.
static LIBRARY: LazyLock<Machine> = LazyLock::new(|| {
    let mut m = Machine::bare();
    let atoms = Arc::make_mut(&mut m.atoms);
    let program = Arc::make_mut(&mut m.program);
    for (i, b) in TABLE.iter().enumerate() {
        let name = atoms.intern(b.name);
        let p = program.pred(name, b.arity);
        let pred = &mut program.preds[p as usize];
        pred.body = if b.control {
            Body::Control(i as u16)
        } else {
            Body::Builtin(i as u16)
        };
        pred.defined = true;
        pred.library = true;
    }
    let loaded = m.load("", include_str!("library.pl"));
    debug_assert!(loaded.errors.is_empty(), "{:?}", loaded.errors);
    let program = Arc::make_mut(&mut m.program);
    for p in &mut program.preds {
        p.library = true;
    }
    // Library code calls by name; predicates it mentions but nobody defines stay unknown.
    m
});

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

    // ---- Loading ----

    /// Loads a program text; the first error is the result's error.
    pub fn consult(&mut self, name: &str, text: &str) -> Result<Loaded, Trouble> {
        let loaded = self.load(name, text);
        match loaded.errors.first() {
            Some(e) => Err(e.clone()),
            None => Ok(loaded),
        }
    }

    /// Loads a program text, reading on after errors. A text loaded before under the same name
    /// is replaced.
    pub fn load(&mut self, name: &str, text: &str) -> Loaded {
        self.reset();
        let source = self.open_source(name, text);
        self.loading = Some(source);
        let mut out = Loaded::default();
        let mut reader = Reader::new(text, self.flags.quotes);
        let mut later: Vec<Stored> = Vec::new();
        loop {
            self.clear_terms();
            reader.set_quotes(self.flags.quotes);
            let mut desk = Desk {
                store: &mut self.store,
                atoms: Arc::make_mut(&mut self.atoms),
                ops: &self.ops,
            };
            match reader.sentence(&mut desk) {
                Ok(None) => break,
                Ok(Some(s)) => {
                    let warnings = singles(&s.vars);
                    let place = || Place::of(name, text, s.start);
                    if !warnings.is_empty() && !name.is_empty() {
                        out.warnings.push(Trouble {
                            term: "singleton_variables".to_owned(),
                            message: format!(
                                "variables that occur only once: {}",
                                warnings.join(", ")
                            ),
                            place: Some(place()),
                            hint: Some("start the name with `_` if that is meant".to_owned()),
                        });
                    }
                    let origin = Origin {
                        source,
                        start: s.start,
                        places: &s.places,
                    };
                    match self.take_sentence(s.term, &origin, &mut later) {
                        Ok(added) => out.clauses += usize::from(added),
                        Err(mut t) => {
                            t.place = t.place.or_else(|| Some(place()));
                            out.errors.push(t);
                        }
                    }
                }
                Err(e) => {
                    out.errors
                        .push(Trouble::syntax(&e.message, Place::of(name, text, e.offset)));
                    reader.recover(&e);
                }
            }
        }
        for goal in later {
            self.clear_terms();
            let c = self.store.load(&goal.0);
            if let Err(t) = self.directive(c) {
                out.errors.push(t);
            }
        }
        self.loading = None;
        self.reset();
        out
    }

    fn open_source(&mut self, name: &str, text: &str) -> u32 {
        let program = Arc::make_mut(&mut self.program);
        let fresh = Source {
            name: name.to_owned(),
            text: text.into(),
        };
        match program.sources.iter().position(|s| s.name == name) {
            Some(i) => {
                program.sources[i] = fresh;
                let old: Vec<u32> = program
                    .clauses
                    .iter()
                    .enumerate()
                    .filter(|(_, c)| {
                        c.death == u64::MAX && c.source.is_some_and(|s| s.0 == i as u32)
                    })
                    .map(|(id, _)| id as u32)
                    .collect();
                for id in old {
                    program.erase(id);
                }
                i as u32
            }
            None => {
                program.sources.push(fresh);
                program.sources.len() as u32 - 1
            }
        }
    }

    /// A clause, a grammar rule or a directive. Says whether a clause was added.
    fn take_sentence(
        &mut self,
        term: Cell,
        origin: &Origin<'_>,
        later: &mut Vec<Stored>,
    ) -> Result<bool, Trouble> {
        if let Look::Compound(f, a) = self.store.look(term) {
            let arg = self.store.cells[a];
            match self.atoms.functor_parts(f) {
                (known::NECK | known::QUERY, 1) => {
                    if let Look::Compound(g, b) = self.store.look(arg)
                        && self.atoms.name(self.atoms.functor_parts(g).0) == "initialization"
                    {
                        let goal = self.store.cells[b];
                        if let Ok(kept) = self.store.save(goal, self.fuel.cells) {
                            later.push(kept);
                        }
                        return Ok(false);
                    }
                    self.directive(arg)?;
                    return Ok(false);
                }
                (known::DCG, 2) => {
                    let out = self.store.var();
                    let goal = self.compound("dcg_translate_rule", &[term, out]);
                    if !self.once(goal)? {
                        return Err(self.plain_trouble("this grammar rule cannot be translated"));
                    }
                    let clause = self.store.deref(out);
                    let no_places = Origin {
                        places: &[],
                        ..*origin
                    };
                    self.add_clause(clause, false, Some(&no_places))?;
                    return Ok(true);
                }
                _ => {}
            }
        }
        self.add_clause(term, false, Some(origin))?;
        Ok(true)
    }

    pub(crate) fn plain_trouble(&self, message: &str) -> Trouble {
        Trouble {
            term: String::new(),
            message: message.to_owned(),
            place: None,
            hint: None,
        }
    }

    fn directive(&mut self, goal: Cell) -> Result<(), Trouble> {
        let text = show(&self.store, &self.atoms, &self.ops, &Style::quoted(), goal);
        match self.once(goal) {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.plain_trouble(&format!("the directive `{text}` failed"))),
            Err(t) => Err(t),
        }
    }

    /// Runs a goal already on the heap for its first solution; the heap stays.
    pub(crate) fn once(&mut self, goal: Cell) -> Result<bool, Trouble> {
        self.prepare(goal, goal);
        match self.next() {
            Outcome::Solution(_) => Ok(true),
            Outcome::Done | Outcome::Halted(_) => Ok(false),
            Outcome::Error(t) => Err(t),
            Outcome::Asked(_) => Err(self.plain_trouble("a directive cannot ask questions")),
            Outcome::OutOfSteps => Err(self.plain_trouble("out of steps")),
            Outcome::OutOfMemory => Err(self.plain_trouble("out of memory")),
        }
    }

    /// Adds a clause from the heap.
    pub(crate) fn add_clause(
        &mut self,
        term: Cell,
        front: bool,
        origin: Option<&Origin<'_>>,
    ) -> Result<u32, Trouble> {
        match self.try_add(term, front, origin) {
            Ok(id) => Ok(id),
            Err(t) => {
                let ball = match self.store.save(t.0, self.fuel.cells) {
                    Ok(b) => b,
                    Err(_) => return Err(self.plain_trouble("the clause is too large")),
                };
                let mut trouble = self.explain(&ball);
                trouble.place = None;
                Err(trouble)
            }
        }
    }

    fn try_add(
        &mut self,
        term: Cell,
        front: bool,
        origin: Option<&Origin<'_>>,
    ) -> Result<u32, Thrown> {
        let (mut head, body) = split(self, term);
        let Some((name, arity)) = self.callable(head) else {
            return Err(if self.test(0, head) {
                self.instantiation()
            } else {
                self.type_error("callable", head)
            });
        };
        let program = Arc::make_mut(&mut self.program);
        let mut pred = program.pred(name, arity);
        let entry = &program.preds[pred as usize];
        if entry.body != Body::Clauses
            || (arity == 2 && matches!(name, known::COMMA | known::SEMICOLON | known::ARROW))
        {
            let pi = self.indicator(name, arity);
            return Err(self.permission_error("modify", "static_procedure", pi));
        }
        if entry.library
            && self
                .loading
                .is_none_or(|s| !program.sources[s as usize].name.is_empty())
        {
            pred = override_library(program, pred);
        }
        if origin.is_none() {
            let p = &mut program.preds[pred as usize];
            p.changed = true;
            if !p.defined {
                p.dynamic = true;
            }
        }
        if program.preds[pred as usize].tabled {
            let args = self.store.args(head);
            let inner = format!("{} tabled", self.atoms.name(name));
            let inner = self.intern(&inner);
            head = if args.is_empty() {
                atom(inner)
            } else {
                self.compound_of(inner, &args)
            };
            pred = Arc::make_mut(&mut self.program).pred(inner, arity);
        }
        let whole = self.compound_of(known::NECK, &[head, body]);
        let stored = self
            .store
            .save(whole, self.fuel.cells)
            .map_err(|e| self.too_big(e))?;
        let key = self
            .store
            .args(head)
            .first()
            .map_or(0, |&a| crate::program::key_of(&self.store, a));
        let body = self.store.deref(body);
        let program = Arc::make_mut(&mut self.program);
        let places = origin.map_or(&[][..], |o| o.places);
        let atoms = Arc::make_mut(&mut self.atoms);
        let compiled = match compile(&self.store, atoms, program, head, body, places) {
            Ok(c) => c,
            Err(Refused::Body(BadBody::NotCallable)) => {
                return Err(self.type_error("callable", body));
            }
            Err(_) => return Err(self.resource_error("clause_size")),
        };
        let clause = Clause {
            pred,
            code: 0,
            len: 0,
            birth: 0,
            death: u64::MAX,
            order: 0,
            term: stored,
            source: origin.map(|o| (o.source, o.start as u32)),
            spots: compiled.spots.into_boxed_slice(),
        };
        Ok(program.add(clause, &compiled.code, key, front))
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
        self.tables.abandon(0);
    }

    fn clear_terms(&mut self) {
        self.store.cells.truncate(1);
        self.store.trail.clear();
        self.store.hb = 0;
        self.choices.clear();
        self.saved.clear();
        self.log.clear();
        self.e = 0;
        self.stack[0] = STOP as u64;
        self.stack[1] = (FRAME as u64 + 1) << 32;
        self.stack[2] = u64::from(NOBODY);
        self.stack[FRAME] = 0;
    }

    /// Sets the machine to run a goal; `keep` is a term that must stay reachable.
    fn prepare(&mut self, goal: Cell, keep: Cell) {
        self.choices.clear();
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
        self.asked = None;
        self.store.hb = 0;
        self.store.trail.clear();
        self.push_choice(Kind::Bottom, 0, 0);
        self.regs[0] = goal;
        self.leave = None;
        let call = self.program.find(known::CALL, 1).unwrap_or(0);
        self.resume = Resume::Enter(call);
    }

    /// Reads a term from a text onto the heap, with the variables that have names.
    pub(crate) fn parse_here(&mut self, text: &str) -> Result<(Cell, Vec<NamedVar>), SyntaxError> {
        let full = format!("{text} .");
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

    /// Starts a query. Solutions come from [`Machine::next`].
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
        self.steps += u64::from(self.granted - self.credit);
        self.granted = 0;
        self.credit = 0;
        self.fuel = Fuel {
            steps: self.steps.saturating_add(fuel.steps),
            cells: fuel.cells,
        };
    }

    /// Records what is needed for proofs from the next query on.
    pub fn record_proofs(&mut self, on: bool) {
        self.recording = on;
    }

    /// Runs to the next solution, question or end.
    pub fn next(&mut self) -> Outcome {
        if let Some(q) = &self.asked {
            return Outcome::Asked(q.clone());
        }
        match self.drive() {
            Leave::Solution => Outcome::Solution(self.solution()),
            Leave::Asked(q) => Outcome::Asked(q),
            Leave::Thrown(ball) => {
                self.resume = Resume::Idle;
                Outcome::Error(self.explain(&ball))
            }
            Leave::Steps => Outcome::OutOfSteps,
            Leave::Memory => {
                self.resume = Resume::Idle;
                self.reset();
                self.store.cells.shrink_to(1 << 16);
                self.stack.truncate(1 << 16);
                Outcome::OutOfMemory
            }
            Leave::Halted(n) => Outcome::Halted(n),
            Leave::Failed | Leave::Change(_) | Leave::Collect => {
                self.resume = Resume::Idle;
                Outcome::Done
            }
        }
    }

    /// Runs, making changes to the program and collecting in between.
    fn drive(&mut self) -> Leave {
        loop {
            let program = std::mem::take(&mut self.program);
            let why = if self.recording {
                self.run::<true>(&program)
            } else {
                self.run::<false>(&program)
            };
            self.program = program;
            match why {
                Leave::Change(change) => {
                    if let Err(t) = self.change(change) {
                        // Thrown where the builtin was called.
                        let program = std::mem::take(&mut self.program);
                        let at = self.throw::<false>(&program, t, self.pc);
                        self.program = program;
                        self.resume = match self.leave.take() {
                            Some(why) => return why,
                            None => Resume::At(at as u32),
                        };
                    }
                }
                Leave::Collect => {
                    let mut program = std::mem::take(&mut self.program);
                    self.program = program.clone();
                    let shared = Arc::strong_count(&program) > 2;
                    if shared || program.graves.is_empty() {
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
                    if self.cells_used() > self.fuel.cells {
                        return Leave::Memory;
                    }
                }
                other => return other,
            }
        }
    }

    fn change(&mut self, change: Change) -> Result<(), Thrown> {
        match change {
            Change::Assert { clause, front } => {
                self.try_add(clause, front, None)?;
            }
            Change::Erase(id) => {
                Arc::make_mut(&mut self.program).erase(id);
            }
            Change::Abolish(pred) => {
                let program = Arc::make_mut(&mut self.program);
                let ids: Vec<u32> = program.preds[pred as usize]
                    .slots
                    .iter()
                    .map(|s| s.id)
                    .collect();
                for id in ids {
                    program.erase(id);
                }
            }
            Change::Dynamic(name, arity) => {
                let program = Arc::make_mut(&mut self.program);
                let mut p = program.pred(name, arity);
                if program.preds[p as usize].library {
                    p = override_library(program, p);
                }
                program.preds[p as usize].dynamic = true;
                program.preds[p as usize].changed = true;
            }
            Change::Discontiguous(name, arity) => {
                let program = Arc::make_mut(&mut self.program);
                let p = program.pred(name, arity);
                program.preds[p as usize].discontiguous = true;
            }
            Change::Table(name, arity) => self.make_tabled(name, arity)?,
        }
        Ok(())
    }

    /// `p(X) :- '$tabled'(p(X), 'p tabled'(X))`, and clauses of p go to `'p tabled'`.
    fn make_tabled(&mut self, name: u32, arity: usize) -> Result<(), Thrown> {
        let p = Arc::make_mut(&mut self.program).pred(name, arity);
        if self.program.preds[p as usize].tabled {
            return Ok(());
        }
        let args: Vec<Cell> = (0..arity).map(|_| self.store.var()).collect();
        let inner = format!("{} tabled", self.atoms.name(name));
        let inner = self.intern(&inner);
        let build = |m: &mut Self, n: u32| {
            if args.is_empty() {
                atom(n)
            } else {
                m.compound_of(n, &args)
            }
        };
        let (outer, inner_goal) = (build(self, name), build(self, inner));
        let body = self.compound("$tabled", &[outer, inner_goal]);
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

/// Where a clause was read.
#[derive(Clone, Copy)]
pub(crate) struct Origin<'a> {
    source: u32,
    start: usize,
    places: &'a [(usize, usize)],
}

/// Head and body of a clause term.
fn split(m: &Machine, clause: Cell) -> (Cell, Cell) {
    let strip = |c: Cell| match m.store.look(c) {
        Look::Compound(f, a) if m.atoms.functor_parts(f) == (known::COLON, 2) => {
            m.store.cells[a + 1]
        }
        _ => c,
    };
    if let Look::Compound(f, a) = m.store.look(clause)
        && m.atoms.functor_parts(f) == (known::NECK, 2)
    {
        return (strip(m.store.cells[a]), m.store.cells[a + 1]);
    }
    (strip(clause), atom(known::TRUE))
}

/// The user defines a predicate of the library: the name now means the user's, while library code
/// keeps calling its own.
fn override_library(program: &mut Program, old: u32) -> u32 {
    let (name, arity) = {
        let p = &program.preds[old as usize];
        (p.name, p.arity)
    };
    program.by_name.remove(&(name, arity as u32));
    let new = program.pred(name, arity);
    let user: Vec<(u32, u32)> = program
        .clauses
        .iter()
        .filter(|c| !program.preds[c.pred as usize].library)
        .map(|c| (c.code, c.len))
        .collect();
    for (code, len) in user {
        for i in &mut program.code[code as usize..(code + len) as usize] {
            if matches!(i.op, crate::code::Op::Call | crate::code::Op::Execute) && i.c == old {
                i.c = new;
            }
        }
    }
    new
}

fn singles(vars: &[NamedVar]) -> Vec<String> {
    vars.iter()
        .filter(|v| v.count == 1 && !v.name.starts_with('_'))
        .map(|v| v.name.clone())
        .collect()
}
