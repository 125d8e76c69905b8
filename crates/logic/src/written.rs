//! The program as it is written: its clauses as terms, for those who look it over.

use std::collections::BTreeMap;

use crate::machine::{Machine, Resume};
use crate::program::{Body, Pred, Program};
use crate::syntax::Place;
use crate::term::Term;

/// Open calls that are looked at to see what a run is busy with.
const OPEN_CALLS: usize = 200;

/// A clause of the program.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// Its head.
    pub head: Term,
    /// Its body; `true` for a fact.
    pub body: Term,
    /// Where it stands, if it was read from a text.
    pub place: Option<Place>,
}

/// Whose a predicate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// It has clauses in the program.
    Program,
    /// It may change while the program runs.
    Dynamic,
    /// It comes with the engine.
    Engine,
    /// Nobody defines it.
    Nobody,
}

impl Machine {
    /// The predicates of the program with their clauses, in the order in which they were first
    /// mentioned. Clauses that nest too deeply to be shown are left out.
    pub fn written(&self) -> Vec<((String, usize), Vec<Written>)> {
        let own =
            |p: &&Pred| p.body == Body::Clauses && !p.library && !self.is_inside(&self.program, p);
        let lines: Vec<Vec<usize>> = self
            .program
            .sources
            .iter()
            .map(|s| starts(&s.text))
            .collect();
        let place = |(source, start): (u32, u32)| {
            let (s, lines) = (
                self.program.sources.get(source as usize)?,
                lines.get(source as usize)?,
            );
            let line = lines.partition_point(|&l| l <= start as usize);
            let begin = *lines.get(line.checked_sub(1)?)?;
            let rest = s.text.get(begin..)?;
            let text = rest.lines().next().unwrap_or_default();
            let before = s.text.get(begin..start as usize)?;
            Some(Place {
                file: s.name.clone(),
                line,
                column: before.chars().count() + 1,
                text: text.to_owned(),
            })
        };
        let preds = self.program.preds.iter().filter(own);
        let all = preds.map(|p| {
            let name = self.atoms.name(p.name).to_owned();
            let clauses = self.clauses_of(p).into_iter();
            let clauses = clauses.map(|(head, body, source)| Written {
                head,
                body,
                place: source.and_then(place),
            });
            ((name, p.arity), clauses.collect())
        });
        all.filter(|(_, clauses): &(_, Vec<Written>)| !clauses.is_empty())
            .collect()
    }

    /// What a run that did not end was at: the predicate of the program, with the clause that most
    /// of its open calls stand in, if calls pile up.
    pub fn busy(&self) -> Option<(String, usize, Option<Place>)> {
        let program = &self.program;
        let own = |id: &u32| {
            let pred = &program.preds[program.clauses[*id as usize].pred as usize];
            !pred.library
        };
        let of = |id: u32| program.clauses[id as usize].pred;
        let (pred, clause) = match (self.resume, self.piled()) {
            // What was noted when the memory was given back.
            (Resume::Idle, _) => {
                let id = program.clause_at(self.fault).filter(own)?;
                (of(id), None)
            }
            (_, Some((id, n))) if n > 2 => (of(id), Some(id)),
            // Calls that follow each other: the one that was about to be made, or its caller.
            (Resume::Enter(p), _) if !program.preds[p as usize].library => (p, None),
            (Resume::At(pc), _) if program.clause_at(pc as usize).is_some_and(|id| own(&id)) => {
                (of(program.clause_at(pc as usize)?), None)
            }
            (_, last) => (of(last?.0), None),
        };
        let pred = &program.preds[pred as usize];
        let place = clause
            .and_then(|id| program.clauses[id as usize].source)
            .and_then(|(s, start)| {
                let source = program.sources.get(s as usize)?;
                Some(Place::of(&source.name, &source.text, start as usize))
            });
        Some((self.atoms.name(pred.name).to_owned(), pred.arity, place))
    }

    /// The clause of the program that most of the open calls stand in, and how many of them.
    pub(crate) fn piled(&self) -> Option<(u32, usize)> {
        let program = &self.program;
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        let (mut frame, mut cp) = (self.e, self.cp);
        for _ in 0..OPEN_CALLS {
            let id = program.clause_at(cp);
            let own = |id: &u32| {
                let pred = program.clauses[*id as usize].pred;
                !program.preds[pred as usize].library
            };
            if let Some(id) = id.filter(own) {
                *counts.entry(id).or_default() += 1;
            }
            if frame == 0 {
                break;
            }
            cp = self.stack[frame] as u32 as usize;
            frame = (self.stack[frame] >> 32) as usize;
        }
        counts.into_iter().max_by_key(|c| c.1)
    }

    /// The predicates that come with the engine, without its helpers: name and number of arguments.
    pub fn engine_predicates(&self) -> Vec<(String, usize)> {
        let own = self.program.preds.iter().filter(|p| p.library && p.defined);
        own.map(|p| (self.atoms.name(p.name).to_owned(), p.arity))
            .filter(|(name, _)| !name.starts_with('$'))
            .collect()
    }

    /// Whose a predicate is.
    pub fn owner(&self, name: &str, arity: usize) -> Owner {
        let found = self.atoms.find(name);
        let found = found.and_then(|n| self.program.find(n, arity));
        match found.map(|p| &self.program.preds[p as usize]) {
            Some(p) if p.body != Body::Clauses || p.library => Owner::Engine,
            Some(p) if p.dynamic => Owner::Dynamic,
            Some(p) if p.defined || p.tabled || !p.slots.is_empty() => Owner::Program,
            _ => Owner::Nobody,
        }
    }

    /// Where the clauses of a tabled predicate really are.
    pub(crate) fn inside(&self, pred: &Pred) -> Option<&Pred> {
        let name = format!("{} tabled", self.atoms.name(pred.name));
        let found = self.program.find(self.atoms.find(&name)?, pred.arity)?;
        pred.tabled.then(|| &self.program.preds[found as usize])
    }

    /// Whether a predicate only holds the clauses of a tabled one. While the machine runs, it lends
    /// its program out.
    pub(crate) fn is_inside(&self, program: &Program, pred: &Pred) -> bool {
        let outer = self.atoms.name(pred.name).strip_suffix(" tabled");
        let outer = outer.and_then(|n| program.find(self.atoms.find(n)?, pred.arity));
        outer.is_some_and(|p| program.preds[p as usize].tabled)
    }

    /// The clauses of a predicate, head and body and where they were read; those of a tabled one
    /// under its own name.
    pub(crate) fn clauses_of(&self, pred: &Pred) -> Vec<Clause> {
        let name = self.atoms.name(pred.name);
        let mut scratch = Machine::bare();
        scratch.atoms = self.atoms.clone();
        let mut out = Vec::new();
        for slot in &self.inside(pred).unwrap_or(pred).slots {
            let clause = &self.program.clauses[slot.id as usize];
            if clause.death != u64::MAX {
                continue;
            }
            scratch.store.cells.truncate(1);
            let whole = scratch.store.load(&clause.term.0);
            let Some(Term::Compound(_, parts)) = scratch.take_term(whole) else {
                continue;
            };
            let Ok([head, body]) = <[Term; 2]>::try_from(parts) else {
                continue;
            };
            let head = match head {
                Term::Compound(_, args) => Term::Compound(name.to_owned(), args),
                _ => Term::Atom(name.to_owned()),
            };
            out.push((head, body, clause.source));
        }
        out
    }
}

/// Head, body, and the text and place it was read from.
type Clause = (Term, Term, Option<(u32, u32)>);

/// Where the lines of a text begin.
fn starts(text: &str) -> Vec<usize> {
    let ends = text.match_indices('\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(ends).collect()
}
