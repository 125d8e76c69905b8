//! What went wrong, for people and for programs.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::atoms::known;
use crate::cell::{Cell, REF, tag};
use crate::machine::Machine;
use crate::program::Body;
use crate::store::Look;
use crate::stored::Stored;
use crate::syntax::Place;
use crate::writer::{Style, show};

/// An error with everything needed to find and mend it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{}{message}", place.as_ref().map(|p| format!("{p}: ")).unwrap_or_default())]
pub struct Trouble {
    /// The first argument of the ISO error term (or the whole ball), as `writeq` writes it.
    pub term: String,
    /// A sentence.
    pub message: String,
    /// Where in the source, if that is known.
    pub place: Option<Box<Place>>,
    /// What might help.
    pub hint: Option<String>,
}

impl Trouble {
    /// A trouble that has only a sentence.
    pub(crate) fn plain(message: &str) -> Trouble {
        Trouble {
            term: String::new(),
            message: message.to_owned(),
            place: None,
            hint: None,
        }
    }

    pub(crate) fn syntax(message: &str, place: Place) -> Trouble {
        Trouble {
            term: format!("syntax_error({})", crate::writer::quote_atom(message)),
            message: message.to_owned(),
            place: Some(Box::new(place)),
            hint: None,
        }
    }

    /// The place, the line and a pointer under it, then the message: for terminals.
    pub fn report(&self) -> String {
        let mut out = String::new();
        if let Some(p) = &self.place {
            let _ = writeln!(out, "{p}\n{}", p.pointer());
        }
        out.push_str(&self.message);
        if let Some(h) = &self.hint {
            let _ = write!(out, "\nhint: {h}");
        }
        out
    }
}

impl Machine {
    /// Explains an uncaught ball.
    pub(crate) fn explain(&mut self, ball: &Stored) -> Trouble {
        let c = self.store.load(&ball.0);
        let style = Style {
            longest: 2000,
            names: self.var_names(&[c]),
            ..Style::quoted()
        };
        let text = |m: &Self, c: Cell| show(&m.store, &m.atoms, &m.ops, &style, c);
        let mut term = text(self, c);
        let mut message = format!("uncaught exception `{term}`");
        let mut hint = None;
        if let Look::Compound(f, a) = self.store.look(c)
            && self.atoms.functor_parts(f) == (known::ERROR, 2)
        {
            let formal = self.store.cells[a];
            term = text(self, formal);
            (message, hint) = self.sentence(formal, &term);
        }
        let place = self.fault_place().map(Box::new);
        Trouble {
            term,
            message,
            place,
            hint,
        }
    }

    fn sentence(&mut self, formal: Cell, term: &str) -> (String, Option<String>) {
        let style = Style {
            longest: 200,
            ..Style::quoted()
        };
        let name = self.callable(formal).map(|(n, _)| self.atoms.shared(n));
        let args: Vec<String> = self
            .store
            .args(formal)
            .iter()
            .map(|&c| show(&self.store, &self.atoms, &self.ops, &style, c))
            .collect();
        let arg = |i: usize| args.get(i).cloned().unwrap_or_default();
        match name.as_deref() {
            Some("instantiation_error") => (
                "a value is needed here, but the variable has none yet".to_owned(),
                Some("put the goal that gives it a value before this one".to_owned()),
            ),
            Some("type_error") => {
                let culprit = self.store.args(formal).get(1).copied().unwrap_or(REF);
                if arg(0) == "evaluable" {
                    (
                        format!("`{}` is not a function that can be evaluated", arg(1)),
                        None,
                    )
                } else {
                    let _ = tag(culprit);
                    (format!("`{}` is not of type {}", arg(1), arg(0)), None)
                }
            }
            Some("existence_error") if arg(0) == "procedure" => {
                let hint = self.suggest(&arg(1));
                (format!("there is no predicate `{}`", arg(1)), hint)
            }
            Some("existence_error") if arg(0) == "rule" => (
                format!("rules with `=>` are not supported: `{}`", arg(1)),
                Some("write `Head :- Guard, !, Body`".to_owned()),
            ),
            Some("domain_error") => (format!("`{}` is not a valid {}", arg(1), arg(0)), None),
            Some("evaluation_error") => match arg(0).as_str() {
                "zero_divisor" => ("division by zero".to_owned(), None),
                "undefined" => ("the result is not defined".to_owned(), None),
                other => (format!("the calculation failed: {other}"), None),
            },
            Some("permission_error") if arg(1) == "incomplete_table" => (
                format!(
                    "`{}` is called inside a negation, a condition or a collection while it is \
                     still being evaluated: its answers are not all known there",
                    arg(2)
                ),
                Some("`tnot/1` denies tabled goals inside each other".to_owned()),
            ),
            Some("permission_error") if arg(0) == "table" => (
                format!("`{}` has clauses already, or is not yours to table", arg(2)),
                Some("put the `:- table` line before its first clause".to_owned()),
            ),
            Some("permission_error") if arg(0) == "tnot" => (
                format!(
                    "no permission to deny `{}` with tnot/1: it is not tabled",
                    arg(2)
                ),
                Some("table it, or use `\\+`".to_owned()),
            ),
            Some("undefined") => (
                format!(
                    "`{}` is neither true nor false: it depends on its own negation",
                    arg(0)
                ),
                None,
            ),
            Some("permission_error") => (
                format!(
                    "`{}` may not be changed: no permission to {} a {}",
                    arg(2),
                    arg(0),
                    arg(1)
                ),
                None,
            ),
            Some("resource_error") => (format!("out of {}", arg(0)), None),
            Some("syntax_error") => (format!("syntax error: {}", arg(0)), None),
            _ => (format!("error `{term}`"), None),
        }
    }

    /// Predicates with a similar name, or the same name and another number of arguments.
    fn suggest(&self, indicator: &str) -> Option<String> {
        let (name, arity) = indicator.rsplit_once('/')?;
        let arity: usize = arity.parse().ok()?;
        let mut found: Vec<(usize, String)> = Vec::new();
        for p in &self.program.preds {
            if p.body == Body::Clauses && !p.defined && !p.dynamic {
                continue;
            }
            let other = self.atoms.name(p.name);
            if other.starts_with('$') {
                continue;
            }
            let d = distance(name, other);
            if d <= 2 && d < name.chars().count() && (d > 0 || p.arity != arity) {
                let far = d * 2 + usize::from(p.arity != arity);
                found.push((
                    far,
                    format!("{}/{}", crate::writer::quote_atom(other), p.arity),
                ));
            }
        }
        found.sort();
        found.truncate(3);
        if found.is_empty() {
            return None;
        }
        let list: Vec<String> = found.into_iter().map(|f| format!("`{}`", f.1)).collect();
        Some(format!("did you mean {}?", list.join(" or ")))
    }

    /// Where the last error came from: the goal's place, or that of the nearest caller in a
    /// loaded text.
    fn fault_place(&self) -> Option<Place> {
        let mut pcs = vec![self.fault];
        let (mut cp, mut f) = (self.cp, self.e);
        for _ in 0..64 {
            pcs.push(cp.saturating_sub(1));
            if f == 0 || f + 1 >= self.stack.len() {
                break;
            }
            cp = self.stack[f] as u32 as usize;
            f = (self.stack[f] >> 32) as usize;
        }
        for pc in pcs {
            let Some(id) = self.program.clause_at(pc) else {
                continue;
            };
            let clause = &self.program.clauses[id as usize];
            let Some((source, start)) = clause.source else {
                continue;
            };
            let Some(source) = self.program.sources.get(source as usize) else {
                continue;
            };
            if source.name.is_empty() {
                continue;
            }
            let offset = pc as u32 - clause.code;
            let spot = clause
                .spots
                .iter()
                .rev()
                .find(|s| s.0 <= offset)
                .map_or(start, |s| s.1);
            return Some(Place::of(&source.name, &source.text, spot as usize));
        }
        self.query_text.as_ref().map(|t| Place::of("query", t, 0))
    }

    /// `_1`, `_2`, … for the unbound variables of some terms, in order of appearance.
    pub(crate) fn var_names(&self, terms: &[Cell]) -> std::collections::HashMap<usize, String> {
        let mut names = std::collections::HashMap::new();
        for &t in terms {
            self.store.each_var(t, &mut |at| {
                let n = names.len() + 1;
                names.entry(at).or_insert_with(|| format!("_{n}"));
            });
        }
        names
    }
}

/// Edit distance, for suggestions.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cost = (corner + usize::from(x != *y))
                .min(row[j] + 1)
                .min(row[j + 1] + 1);
            corner = row[j + 1];
            row[j + 1] = cost;
        }
    }
    row[b.len()]
}
