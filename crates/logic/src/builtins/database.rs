//! Clauses that come and go while the program runs, and what is known about predicates.

use std::collections::HashSet;
use std::sync::Arc;

use crate::atoms::known;
use crate::cell::*;
use crate::machine::{Change, Leave, Machine};
use crate::ops::Kind;
use crate::program::{Body, Program, Slot};
use crate::run::{Flow, Res, Thrown};
use crate::store::Look;

use super::control::MAX_ARITY;

pub(super) fn assertz(m: &mut Machine, _: &Program) -> Res {
    add(m, false)
}

pub(super) fn asserta(m: &mut Machine, _: &Program) -> Res {
    add(m, true)
}

fn add(m: &mut Machine, front: bool) -> Res {
    let clause = m.regs[0];
    let (head, body) = split(m, clause);
    let Some((name, arity)) = callable(m, head)? else {
        return Err(m.instantiation());
    };
    if matches!(m.store.look(body), Look::Small(_) | Look::Blob(_)) {
        return Err(m.type_error("callable", body));
    }
    if name == known::COMMA && arity == 2 {
        let pi = m.indicator(name, arity);
        return Err(m.permission_error("modify", "static_procedure", pi));
    }
    if arity > MAX_ARITY {
        return Err(m.representation_error("max_procedure_arity"));
    }
    // Rules with `=>` would be facts that nobody meant.
    if arity == 2 && m.atoms.name(name) == "=>" {
        return Err(m.existence_error("rule", clause));
    }
    check_body(m, body)?;
    Ok(Flow::Leave(Leave::Change(Change::Assert { clause, front })))
}

/// A body must be callable throughout, as far as it is known.
fn check_body(m: &mut Machine, body: Cell) -> Result<(), Thrown> {
    let mut stack = vec![body];
    // Each place once: a body may contain itself, or the same part many times.
    let mut seen = HashSet::new();
    while let Some(c) = stack.pop() {
        match m.store.look(c) {
            Look::Compound(f, a) => {
                let (n, arity) = m.atoms.functor_parts(f);
                let control = matches!(
                    n,
                    known::COMMA | known::SEMICOLON | known::ARROW | known::SOFT
                );
                if control && arity == 2 && seen.insert(a) {
                    stack.extend([m.store.cells[a + 1], m.store.cells[a]]);
                }
                if arity > MAX_ARITY {
                    return Err(m.representation_error("max_procedure_arity"));
                }
            }
            Look::Small(_) | Look::Blob(_) => return Err(m.type_error("callable", body)),
            _ => {}
        }
    }
    Ok(())
}

/// Head and body of a clause term.
pub(crate) fn split(m: &Machine, clause: Cell) -> (Cell, Cell) {
    if let Look::Compound(f, a) = m.store.look(clause)
        && m.atoms.functor_parts(f) == (known::NECK, 2)
    {
        return (strip(m, m.store.cells[a]), m.store.cells[a + 1]);
    }
    (strip(m, clause), atom(known::TRUE))
}

/// Removes a module in front of a term.
pub(crate) fn strip(m: &Machine, c: Cell) -> Cell {
    if let Look::Compound(f, a) = m.store.look(c)
        && m.atoms.functor_parts(f) == (known::COLON, 2)
    {
        return m.store.cells[a + 1];
    }
    c
}

fn callable(m: &mut Machine, c: Cell) -> Result<Option<(u32, usize)>, Thrown> {
    match m.callable(c) {
        Some(p) => Ok(Some(p)),
        None if m.test(0, c) => Ok(None),
        None => Err(m.type_error("callable", c)),
    }
}

/// The clauses from a place on (or those of now) that may match a head, with erased ones among them;
/// and the key of its first argument. `change` if they are looked for to be removed.
fn matching<'a>(
    m: &mut Machine,
    prog: &'a Program,
    head: Cell,
    place: Option<i64>,
    change: bool,
) -> Result<(&'a [Slot], u64), Thrown> {
    let Some((name, arity)) = callable(m, head)? else {
        return Err(m.instantiation());
    };
    let Some(p) = prog.find(name, arity) else {
        return Ok((&[], 0));
    };
    let pred = &prog.preds[p as usize];
    if pred.body != Body::Clauses || pred.library {
        let pi = m.indicator(name, arity);
        return Err(if change {
            m.permission_error("modify", "static_procedure", pi)
        } else {
            m.permission_error("access", "private_procedure", pi)
        });
    }
    let first = m.store.span(head).filter(|s| s.1 > 0);
    let key = first.map_or(0, |(a, _)| {
        crate::program::key_of(&m.store, m.store.cells[a])
    });
    let (slots, start) = if key != 0 && pred.slots.len() > crate::program::SHORT {
        (prog.bucket(pred, 0, key), 0)
    } else {
        (&pred.slots[..], pred.start)
    };
    let order = |s: &Slot| prog.clauses[s.id as usize].order;
    let from = place.map_or(start, |p| slots.partition_point(|s| order(s) < p));
    Ok((&slots[from..], key))
}

/// `'$clauses'(Head, Refs)`: the clauses that may match, as seen now.
pub(super) fn clauses(m: &mut Machine, prog: &Program) -> Res {
    let head = strip(m, m.regs[0]);
    let (slots, key) = matching(m, prog, head, None, false)?;
    let fits = |s: &&Slot| s.fits(key, 0) && prog.visible(s.id, prog.generation);
    let refs = slots.iter().filter(fits).map(|s| small(i64::from(s.id)));
    let items: Vec<Cell> = refs.collect();
    let list = m.store.list(&items, atom(known::NIL));
    Ok(m.store.unify(m.regs[1], list).into())
}

/// `'$retract'(Clause, Place, Generation)`: removes the clause if no other may match it, which is how
/// facts that stand for a state are used; otherwise tells where the library begins to try them.
pub(super) fn retract(m: &mut Machine, prog: &Program) -> Res {
    let (head, body) = split(m, m.regs[0]);
    let (slots, key) = matching(m, prog, head, None, true)?;
    let fits = |s: &&Slot| s.fits(key, 0) && prog.visible(s.id, prog.generation);
    let mut found = slots.iter().filter(fits).map(|s| s.id);
    let Some(id) = found.next() else {
        return Ok(Flow::No);
    };
    if found.next().is_some() {
        return begin(m, prog, id);
    }
    let kept = m.store.load(&prog.clauses[id as usize].term.0);
    let Look::Compound(_, a) = m.store.look(kept) else {
        return Ok(Flow::No);
    };
    let (its_head, its_body) = (m.store.cells[a], m.store.cells[a + 1]);
    if !(m.store.unify(head, its_head) && m.store.unify(body, its_body)) {
        return Ok(Flow::No);
    }
    Ok(Flow::Leave(Leave::Change(Change::Erase(id))))
}

/// `'$first_clause'(Head, Place, Generation)`: where to begin with the clauses that may match.
pub(super) fn first_clause(m: &mut Machine, prog: &Program) -> Res {
    let head = strip(m, m.regs[0]);
    let (slots, key) = matching(m, prog, head, None, false)?;
    let fits = |s: &&Slot| s.fits(key, 0) && prog.visible(s.id, prog.generation);
    match slots.iter().find(fits) {
        Some(s) => begin(m, prog, s.id),
        None => Ok(Flow::No),
    }
}

/// A place and a generation: the clauses from there on that are there now.
fn begin(m: &mut Machine, prog: &Program, id: u32) -> Res {
    let place = m.store.int(prog.clauses[id as usize].order);
    let generation = m.store.int(prog.generation as i64);
    Ok((m.store.unify(m.regs[1], place) && m.store.unify(m.regs[2], generation)).into())
}

/// `'$next_clause'(Head, Place, Generation, Ref, More)`: the first clause from a place on that was
/// there at a generation and may match; and the place of the next one, or `[]`.
pub(super) fn next_clause(m: &mut Machine, prog: &Program) -> Res {
    let head = strip(m, m.regs[0]);
    let (Look::Small(place), Look::Small(generation)) =
        (m.store.look(m.regs[1]), m.store.look(m.regs[2]))
    else {
        return Err(m.instantiation());
    };
    let (slots, key) = matching(m, prog, head, Some(place), false)?;
    let there = |s: &&Slot| s.fits(key, 0) && prog.visible(s.id, generation as u64);
    let mut found = slots.iter().filter(there);
    let Some(first) = found.next() else {
        return Ok(Flow::No);
    };
    let more = match found.next() {
        Some(s) => m.store.int(prog.clauses[s.id as usize].order),
        None => atom(known::NIL),
    };
    let id = small(i64::from(first.id));
    Ok((m.store.unify(m.regs[3], id) && m.store.unify(m.regs[4], more)).into())
}

/// `'$retract_each'(Head)`: removes all clauses at once if every one of them matches; fails if they
/// have to be tried.
pub(super) fn retract_each(m: &mut Machine, prog: &Program) -> Res {
    let head = m.regs[0];
    matching(m, prog, head, None, true)?;
    let args = m.store.args(head);
    let open = args.iter().all(|&a| m.test(0, a)) && m.store.vars(head).len() == args.len();
    let pred = (m.callable(head)).and_then(|(name, arity)| prog.find(name, arity));
    Ok(match pred {
        Some(p) if open => Flow::Leave(Leave::Change(Change::Clear(p))),
        _ => Flow::No,
    })
}

/// `'$clause_at'(Ref, Birth)`: the clause is still there, or when it came. Numbers of erased clauses
/// are used again, so a reference that a program keeps has both.
pub(super) fn clause_at(m: &mut Machine, prog: &Program) -> Res {
    let Look::Small(id) = m.store.look(m.regs[0]) else {
        return Err(m.type_error("db_reference", m.regs[0]));
    };
    match prog.clauses.get(id as usize) {
        Some(c) if c.death == u64::MAX => {
            let birth = m.store.int(c.birth as i64);
            Ok(m.store.unify(m.regs[1], birth).into())
        }
        _ => Ok(Flow::No),
    }
}

/// `'$added'(Ref)`: the clause that was added last.
pub(super) fn added(m: &mut Machine, _: &Program) -> Res {
    let id = small(i64::from(m.added));
    Ok(m.store.unify(m.regs[0], id).into())
}

/// `'$clause'(Ref, Head, Body)`.
pub(super) fn clause(m: &mut Machine, prog: &Program) -> Res {
    let Look::Small(id) = m.store.look(m.regs[0]) else {
        return Err(m.instantiation());
    };
    let Some(clause) = prog.clauses.get(id as usize) else {
        return Ok(Flow::No);
    };
    // A clause that was erased since the goal began still counts for it, until its space is used
    // for another (then its term is no clause).
    let head = strip(m, m.regs[1]);
    let c = m.store.load(&clause.term.0);
    let [its_head, its_body] = m.store.args(c)[..] else {
        return Ok(Flow::No);
    };
    Ok((m.store.unify(head, its_head) && m.store.unify(m.regs[2], its_body)).into())
}

pub(super) fn erase(m: &mut Machine, prog: &Program) -> Res {
    let Look::Small(id) = m.store.look(m.regs[0]) else {
        return Err(m.instantiation());
    };
    let Some(clause) = prog.clauses.get(id as usize) else {
        return Ok(Flow::No);
    };
    if clause.death != u64::MAX {
        return Ok(Flow::Yes);
    }
    Ok(Flow::Leave(Leave::Change(Change::Erase(id as u32))))
}

/// The predicates named by `a/1, b/2` or a list of such.
fn indicators(m: &mut Machine, c: Cell) -> Result<Vec<(u32, usize)>, Thrown> {
    let mut out = Vec::new();
    let mut stack = vec![c];
    while let Some(c) = stack.pop() {
        match m.store.look(c) {
            Look::Atom(known::NIL) => {}
            Look::Pair(a) => {
                stack.push(m.store.cells[a + 1]);
                stack.push(m.store.cells[a]);
            }
            Look::Compound(f, a) => {
                let (x, y) = (
                    m.store.cells[a],
                    m.store.cells[a + functor_arity(f).min(2) - 1],
                );
                match m.atoms.functor_parts(f) {
                    (known::COMMA, 2) => {
                        stack.push(y);
                        stack.push(x);
                    }
                    (known::COLON, 2) => stack.push(y),
                    (known::SLASH, 2) => match (m.store.look(x), m.store.look(y)) {
                        (Look::Atom(n), Look::Small(arity)) if arity >= 0 => {
                            out.push((n, arity as usize));
                        }
                        (Look::Var(_), _) | (_, Look::Var(_)) => return Err(m.instantiation()),
                        (Look::Atom(_), Look::Small(_)) => {
                            return Err(m.domain_error("not_less_than_zero", y));
                        }
                        (Look::Atom(_), _) => return Err(m.type_error("integer", y)),
                        _ => return Err(m.type_error("atom", x)),
                    },
                    _ => return Err(m.type_error("predicate_indicator", c)),
                }
            }
            Look::Var(_) => return Err(m.instantiation()),
            _ => return Err(m.type_error("predicate_indicator", c)),
        }
    }
    Ok(out)
}

/// `'$declare'(What, Indicator)` for one predicate.
pub(super) fn declare(m: &mut Machine, prog: &Program) -> Res {
    let Look::Atom(what) = m.store.look(m.regs[0]) else {
        return Err(m.instantiation());
    };
    let list = indicators(m, m.regs[1])?;
    let what = m.atoms.shared(what);
    let [(name, arity)] = list[..] else {
        return Err(m.type_error("predicate_indicator", m.regs[1]));
    };
    if let Some(p) = prog.find(name, arity)
        && (prog.preds[p as usize].body != Body::Clauses || prog.is_standard(p, &m.atoms))
    {
        let pi = m.indicator(name, arity);
        return Err(m.permission_error("modify", "static_procedure", pi));
    }
    let change = match &*what {
        "dynamic" => Change::Dynamic(name, arity),
        _ => Change::Discontiguous(name, arity),
    };
    Ok(Flow::Leave(Leave::Change(change)))
}

pub(super) fn abolish(m: &mut Machine, prog: &Program) -> Res {
    let list = indicators(m, m.regs[0])?;
    let ([(name, arity)], false) = (&list[..], m.test(9, m.regs[0])) else {
        return Err(m.type_error("predicate_indicator", m.regs[0]));
    };
    let (name, arity) = (*name, *arity);
    let known = prog.find(name, arity);
    if let Some(p) = known.map(|p| &prog.preds[p as usize])
        && (p.body != Body::Clauses || p.library || (p.defined && !p.dynamic))
    {
        let pi = m.indicator(name, arity);
        return Err(m.permission_error("modify", "static_procedure", pi));
    }
    match known {
        Some(p) => Ok(Flow::Leave(Leave::Change(Change::Abolish(p)))),
        None => Ok(Flow::Yes),
    }
}

/// `'$predicates'(List)`: the user's predicates that have clauses, as `Name/Arity`.
pub(super) fn predicates(m: &mut Machine, prog: &Program) -> Res {
    let mut items = Vec::new();
    for p in &prog.preds {
        let live = p.slots.iter().any(|s| prog.visible(s.id, prog.generation));
        if p.body == Body::Clauses && !p.library && (live || p.dynamic) {
            items.push(m.indicator(p.name, p.arity));
        }
    }
    let list = m.store.list(&items, atom(known::NIL));
    Ok(m.store.unify(m.regs[0], list).into())
}

/// `'$property'(Head, Properties)`.
pub(super) fn property(m: &mut Machine, prog: &Program) -> Res {
    let head = strip(m, m.regs[0]);
    let Some((name, arity)) = callable(m, head)? else {
        return Err(m.instantiation());
    };
    let Some(p) = prog.find(name, arity) else {
        return Ok(Flow::No);
    };
    let pred = &prog.preds[p as usize];
    let mut items = Vec::new();
    if pred.body == Body::Clauses {
        if !pred.defined && !pred.dynamic {
            return Ok(Flow::No);
        }
        let n = pred
            .slots
            .iter()
            .filter(|s| prog.visible(s.id, prog.generation))
            .count();
        let n = small(n as i64);
        items.push(m.compound("number_of_clauses", &[n]));
        items.push(m.atom(if pred.dynamic { "dynamic" } else { "static" }));
        if prog.is_standard(p, &m.atoms) {
            items.push(m.atom("built_in"));
        }
        if pred.tabled {
            items.push(m.atom("tabled"));
        }
    } else {
        items.push(m.atom("built_in"));
        items.push(m.atom("static"));
    }
    items.push(m.atom("defined"));
    items.push(m.atom("visible"));
    let list = m.store.list(&items, atom(known::NIL));
    Ok(m.store.unify(m.regs[1], list).into())
}

pub(super) fn operators(m: &mut Machine, _: &Program) -> Res {
    let all: Vec<(String, u16, Kind)> = m.ops.all().map(|(n, p, k)| (n.to_owned(), p, k)).collect();
    let mut items = Vec::new();
    for (name, priority, kind) in all {
        let (k, n) = (m.atom(kind.name()), m.atom(&name));
        items.push(m.compound("op", &[small(i64::from(priority)), k, n]));
    }
    let list = m.store.list(&items, atom(known::NIL));
    Ok(m.store.unify(m.regs[0], list).into())
}

pub(super) fn op(m: &mut Machine, _: &Program) -> Res {
    let priority = match m.store.look(m.regs[0]) {
        Look::Small(n @ 0..=1200) => n as u16,
        Look::Small(_) => return Err(m.domain_error("operator_priority", m.regs[0])),
        Look::Var(_) => return Err(m.instantiation()),
        _ => return Err(m.type_error("integer", m.regs[0])),
    };
    let kind = match m.store.look(m.regs[1]) {
        Look::Atom(n) => match Kind::read(m.atoms.name(n)) {
            Some(k) => k,
            None => return Err(m.domain_error("operator_specifier", m.regs[1])),
        },
        Look::Var(_) => return Err(m.instantiation()),
        _ => return Err(m.type_error("atom", m.regs[1])),
    };
    let names = match m.store.look(m.regs[2]) {
        Look::Pair(_) => super::lists::items(m, m.regs[2])?,
        Look::Atom(_) => vec![m.regs[2]],
        Look::Var(_) => return Err(m.instantiation()),
        _ => return Err(m.type_error("list", m.regs[2])),
    };
    // All names are looked at before any of them changes.
    let mut changed = Vec::new();
    for c in names {
        let n = match m.store.look(c) {
            Look::Atom(n) => n,
            Look::Var(_) => return Err(m.instantiation()),
            _ => return Err(m.type_error("atom", c)),
        };
        let name = m.atoms.shared(n);
        let roles = m.ops.roles(&name);
        let infix = matches!(kind, Kind::Xfx | Kind::Xfy | Kind::Yfx);
        let postfix = matches!(kind, Kind::Xf | Kind::Yf);
        let bar = priority == 0 || (infix && priority > 1000);
        if n == known::COMMA {
            return Err(m.permission_error("modify", "operator", c));
        }
        if (n == known::BAR && !bar)
            || n == known::CURLY
            || (priority > 0 && infix && roles.postfix.is_some())
            || (priority > 0 && postfix && roles.infix.is_some())
        {
            return Err(m.permission_error("create", "operator", c));
        }
        changed.push(name);
    }
    for name in changed {
        Arc::make_mut(&mut m.ops).set(&name, priority, kind);
    }
    Ok(Flow::Yes)
}
