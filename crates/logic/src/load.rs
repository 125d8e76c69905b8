//! Loading program texts and adding clauses.

use std::sync::Arc;

use crate::atoms::known;
use crate::builtins::database::split;
use crate::cell::*;
use crate::compile::{Refused, compile};
use crate::conditional::Branches;
use crate::engine::{Loaded, Outcome};
use crate::goals::BadBody;
use crate::machine::Machine;
use crate::program::{Body, Clause, Program, Source};
use crate::reader::{Desk, NamedVar, Reader};
use crate::run::Thrown;
use crate::store::Look;
use crate::stored::Stored;
use crate::syntax::Place;
use crate::tables::Tables;
use crate::trouble::Trouble;
use crate::writer::{Style, show};

impl Machine {
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
        // What tables hold may not follow from the new program.
        self.tables = Tables::default();
        let source = self.open_source(name, text);
        self.loading = Some(source);
        let mut out = Loaded::default();
        let mut reader = Reader::new(text, self.flags.quotes);
        let mut later: Vec<Stored> = Vec::new();
        let mut branches = Branches::default();
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
                    let place = || Box::new(Place::of(name, text, s.start));
                    match self.take_condition(s.term, &mut branches) {
                        Ok(false) if branches.active() => {}
                        Ok(_) => continue,
                        Err(mut t) => {
                            t.place = t.place.or_else(|| Some(place()));
                            out.errors.push(t);
                            continue;
                        }
                    }
                    let warnings = singles(&s.vars);
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
        if let Some(mut t) = branches.unfinished() {
            t.place = Some(Box::new(Place::of(name, text, text.trim_end().len())));
            out.errors.push(t);
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
        self.tables = Tables::default();
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
                let mut preds: Vec<u32> = Vec::new();
                for id in old {
                    program.erase(id);
                    preds.push(program.clauses[id as usize].pred);
                }
                preds.dedup();
                for pred in preds {
                    self.tidy(pred);
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
        if self.has_hook("term_expansion") {
            let out = self.store.var();
            let goal = self.compound("term_expansion", &[term, out]);
            if self.once(goal)? {
                let sentences = match self.store.items(out) {
                    Some(list) => list,
                    None => vec![self.store.deref(out)],
                };
                let mut added = false;
                for sentence in sentences {
                    let origin = Origin {
                        places: &[],
                        ..*origin
                    };
                    added |= self.take_expanded(sentence, &origin, later)?;
                }
                return Ok(added);
            }
        }
        self.take_expanded(term, origin, later)
    }

    /// Whether the program has clauses for a hook of two arguments.
    fn has_hook(&self, name: &str) -> bool {
        let pred = (self.atoms.find(name)).and_then(|n| self.program.find(n, 2));
        pred.is_some_and(|p| !self.program.preds[p as usize].slots.is_empty())
    }

    fn take_expanded(
        &mut self,
        term: Cell,
        origin: &Origin<'_>,
        later: &mut Vec<Stored>,
    ) -> Result<bool, Trouble> {
        if let Look::Compound(f, a) = self.store.look(term) {
            let arg = self.store.cells[a];
            match self.atoms.functor_parts(f) {
                (name, 2) if self.atoms.name(name) == "=>" => {
                    return Err(Trouble::plain(
                        "rules with `=>` are not supported; write `:-` and a cut",
                    ));
                }
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
                    let goal = self.compound_of(known::NECK, &[atom(known::TRUE), arg]);
                    let goal = self.with_goals_expanded(goal)?.map(|c| split(self, c).1);
                    self.directive(goal.unwrap_or(arg))?;
                    return Ok(false);
                }
                (known::DCG, 2) => {
                    let out = self.store.var();
                    let goal = self.compound("dcg_translate_rule", &[term, out]);
                    if !self.once(goal)? {
                        return Err(Trouble::plain("this grammar rule cannot be translated"));
                    }
                    let clause = self.store.deref(out);
                    let clause = self.with_goals_expanded(clause)?.unwrap_or(clause);
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
        match self.with_goals_expanded(term)? {
            Some(new) => {
                let origin = Origin {
                    places: &[],
                    ..*origin
                };
                self.add_clause(new, false, Some(&origin))?;
            }
            None => {
                self.add_clause(term, false, Some(origin))?;
            }
        }
        Ok(true)
    }

    /// A sentence whose goals `goal_expansion/2` of the program has replaced; nothing if none was.
    fn with_goals_expanded(&mut self, term: Cell) -> Result<Option<Cell>, Trouble> {
        if !self.has_hook("goal_expansion") {
            return Ok(None);
        }
        let out = self.store.var();
        let goal = self.compound("$expand_goals", &[term, out]);
        let done = self.once(goal)?;
        Ok(done.then(|| self.store.deref(out)))
    }

    fn directive(&mut self, goal: Cell) -> Result<(), Trouble> {
        let text = show(&self.store, &self.atoms, &self.ops, &Style::quoted(), goal);
        match self.once(goal) {
            Ok(true) => Ok(()),
            Ok(false) => Err(Trouble::plain(&format!("the directive `{text}` failed"))),
            Err(t) => Err(t),
        }
    }

    /// Runs a goal already on the heap for its first solution; the heap stays.
    pub(crate) fn once(&mut self, goal: Cell) -> Result<bool, Trouble> {
        self.prepare(goal, goal);
        match self.solve() {
            Outcome::Solution(_) => Ok(true),
            Outcome::Done | Outcome::Halted(_) => Ok(false),
            Outcome::Error(t) => Err(t),
            Outcome::Asked(_) => Err(Trouble::plain("a directive cannot ask questions")),
            Outcome::OutOfSteps => Err(Trouble::plain("out of steps")),
            Outcome::OutOfMemory => Err(Trouble::plain("out of memory")),
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
                let Ok(ball) = self.store.save(t.0, self.fuel.cells) else {
                    return Err(Trouble::plain("the clause is too large"));
                };
                let mut trouble = self.explain(&ball);
                trouble.place = None;
                Err(trouble)
            }
        }
    }

    pub(crate) fn try_add(
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
        let users = (self.loading).is_none_or(|s| !program.sources[s as usize].name.is_empty());
        if entry.body != Body::Clauses
            || (arity == 2 && matches!(name, known::COMMA | known::SEMICOLON | known::ARROW))
            || (users && program.is_standard(pred, &self.atoms))
        {
            let pi = self.indicator(name, arity);
            return Err(self.permission_error("modify", "static_procedure", pi));
        }
        if entry.library && users {
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
        if self.store.is_cyclic(head) || self.store.is_cyclic(body) {
            return Err(self.representation_error("cyclic_term"));
        }
        let body = self.with_calls(body, 0).unwrap_or(body);
        let whole = self.compound_of(known::NECK, &[head, body]);
        // Code and templates are about as large as the term.
        let limit = self.room() / 2;
        let stored = self.store.save(whole, limit).map_err(|e| self.too_big(e))?;
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
        let control = |id: u32| matches!(program.preds[id as usize].body, Body::Control(_));
        let plain = (compiled.code.iter()).all(|i| !i.op.calls() || !control(i.c));
        program.preds[pred as usize].plain &= plain;
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
}

impl Machine {
    /// A body with `call(X)` for each variable X that is a goal (ISO 13211-1, 7.6.2); nothing if
    /// there is none.
    pub(crate) fn with_calls(&mut self, body: Cell, depth: usize) -> Option<Cell> {
        let (f, name) = match self.store.look(body) {
            Look::Var(_) => return Some(self.compound_of(known::CALL, &[body])),
            Look::Compound(f, _) => match self.atoms.functor_parts(f) {
                (name @ (known::COMMA | known::SEMICOLON | known::ARROW | known::SOFT), 2) => {
                    (f, name)
                }
                _ => return None,
            },
            _ => return None,
        };
        // Such a body is refused later.
        if depth > 300 {
            return None;
        }
        // Along the right side, which is the long one.
        let (mut goals, mut last) = (Vec::new(), body);
        while let Look::Compound(g, a) = self.store.look(last)
            && g == f
        {
            goals.push(self.store.cells[a]);
            last = self.store.cells[a + 1];
        }
        goals.push(last);
        let mut changed = false;
        for goal in &mut goals {
            if let Some(new) = self.with_calls(*goal, depth + 1) {
                *goal = new;
                changed = true;
            }
        }
        let end = goals.pop().filter(|_| changed)?;
        Some((goals.into_iter().rev()).fold(end, |end, goal| self.compound_of(name, &[goal, end])))
    }
}

/// Where a clause was read.
#[derive(Clone, Copy)]
pub(crate) struct Origin<'a> {
    source: u32,
    start: usize,
    places: &'a [(usize, usize)],
}

/// The user defines a predicate of the library: the name now means the user's, while library code
/// keeps calling its own.
pub(crate) fn override_library(program: &mut Program, old: u32) -> u32 {
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
            if i.op.calls() && i.c == old {
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
