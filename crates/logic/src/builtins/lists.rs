//! Sorting and measuring lists.

use std::cmp::Ordering;

use crate::atoms::known;
use crate::cell::*;
use crate::machine::Machine;
use crate::order::compare;
use crate::program::Program;
use crate::run::{Flow, Res, Thrown};
use crate::store::Look;

/// The items of a list argument, or the right error.
pub(super) fn items(m: &mut Machine, list: Cell) -> Result<Vec<Cell>, Thrown> {
    match m.store.items(list) {
        Some(v) => Ok(v),
        None => {
            let mut c = m.store.deref(list);
            while let Look::Pair(a) = m.store.look(c) {
                c = m.store.deref(m.store.cells[a + 1]);
            }
            if tag(c) == REF {
                Err(m.instantiation())
            } else {
                Err(m.type_error("list", list))
            }
        }
    }
}

fn finish(m: &mut Machine, items: &[Cell], out: usize) -> Res {
    let list = m.store.list(items, atom(known::NIL));
    Ok(m.store.unify(m.regs[out], list).into())
}

pub(super) fn msort2(m: &mut Machine, _: &Program) -> Res {
    let mut v = items(m, m.regs[0])?;
    v.sort_by(|a, b| compare(&m.store, &m.atoms, *a, *b));
    finish(m, &v, 1)
}

pub(super) fn sort2(m: &mut Machine, _: &Program) -> Res {
    let mut v = items(m, m.regs[0])?;
    v.sort_by(|a, b| compare(&m.store, &m.atoms, *a, *b));
    v.dedup_by(|a, b| compare(&m.store, &m.atoms, *a, *b) == Ordering::Equal);
    finish(m, &v, 1)
}

/// `sort(Key, Order, List, Sorted)`.
pub(super) fn sort4(m: &mut Machine, _: &Program) -> Res {
    let key = match m.store.look(m.regs[0]) {
        Look::Small(n) if n >= 0 => n as usize,
        Look::Var(_) => return Err(m.instantiation()),
        _ => return Err(m.type_error("integer", m.regs[0])),
    };
    let Look::Atom(order) = m.store.look(m.regs[1]) else {
        return Err(m.instantiation());
    };
    let order = m.atoms.shared(order);
    let (down, unique) = match &*order {
        "@<" => (false, true),
        "@=<" => (false, false),
        "@>" => (true, true),
        "@>=" => (true, false),
        _ => return Err(m.domain_error("order", m.regs[1])),
    };
    let v = items(m, m.regs[2])?;
    let mut keyed = Vec::with_capacity(v.len());
    for c in v {
        let k = if key == 0 {
            c
        } else {
            match m.store.args(c).get(key - 1) {
                Some(&k) => k,
                None => return Err(m.type_error("compound", c)),
            }
        };
        keyed.push((k, c));
    }
    let by = |a: &(Cell, Cell), b: &(Cell, Cell)| {
        let o = compare(&m.store, &m.atoms, a.0, b.0);
        if down { o.reverse() } else { o }
    };
    keyed.sort_by(by);
    if unique {
        keyed.dedup_by(|a, b| by(b, a) == Ordering::Equal);
    }
    let out: Vec<Cell> = keyed.into_iter().map(|p| p.1).collect();
    finish(m, &out, 3)
}

pub(super) fn keysort2(m: &mut Machine, _: &Program) -> Res {
    let v = items(m, m.regs[0])?;
    let mut keyed = Vec::with_capacity(v.len());
    for c in v {
        match m.store.look(c) {
            Look::Compound(f, a) if m.atoms.functor_parts(f) == (known::MINUS, 2) => {
                keyed.push((m.store.cells[a], c));
            }
            Look::Var(_) => return Err(m.instantiation()),
            _ => {
                let (a, b) = (m.store.var(), m.store.var());
                let _ = m.compound_of(known::MINUS, &[a, b]);
                return Err(m.type_error("pair", c));
            }
        }
    }
    keyed.sort_by(|a, b| compare(&m.store, &m.atoms, a.0, b.0));
    let out: Vec<Cell> = keyed.into_iter().map(|p| p.1).collect();
    finish(m, &out, 1)
}

/// `'$length'(List, N)`: fails for partial lists, which the library handles.
pub(super) fn length2(m: &mut Machine, _: &Program) -> Res {
    let mut n = 0i64;
    let mut c = m.store.deref(m.regs[0]);
    while tag(c) == LST {
        n += 1;
        c = m.store.deref(m.store.cells[addr(c) + 1]);
        if n as usize > m.store.cells.len() {
            return Ok(Flow::No);
        }
    }
    if c != atom(known::NIL) {
        return Ok(Flow::No);
    }
    let n = m.store.int(n);
    Ok(m.store.unify(m.regs[1], n).into())
}

/// Keeps the first of equal items.
pub(super) fn to_set2(m: &mut Machine, _: &Program) -> Res {
    let v = items(m, m.regs[0])?;
    let mut order: Vec<usize> = (0..v.len()).collect();
    order.sort_by(|&a, &b| compare(&m.store, &m.atoms, v[a], v[b]).then(a.cmp(&b)));
    order.dedup_by(|a, b| compare(&m.store, &m.atoms, v[*a], v[*b]) == Ordering::Equal);
    order.sort_unstable();
    let out: Vec<Cell> = order.into_iter().map(|i| v[i]).collect();
    finish(m, &out, 1)
}
