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
            let partial = m
                .store
                .walk_list(list)
                .is_some_and(|(_, end)| tag(end) == REF);
            if partial {
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

/// Sorts by the standard order of keys; equal keys stay in their order. Runs that are in order
/// already are merged, two neighbours at a time. The order of cyclic terms need not be transitive,
/// which the sorts of the standard library do not put up with.
fn sort_by_key<T: Copy>(
    m: &mut Machine,
    mut v: Vec<T>,
    key: impl Fn(T) -> Cell,
    down: bool,
) -> Result<Vec<T>, Thrown> {
    let after = |m: &mut Machine, a: T, b: T| -> Result<bool, Thrown> {
        let order = compare(&m.store, &m.atoms, key(a), key(b));
        m.store.tally.spend(4);
        m.go_on()?;
        Ok(order
            == if down {
                Ordering::Less
            } else {
                Ordering::Greater
            })
    };
    let mut ends = Vec::new();
    for i in 1..v.len() {
        if after(m, v[i - 1], v[i])? {
            ends.push(i);
        }
    }
    ends.push(v.len());
    let mut other = Vec::with_capacity(v.len());
    while ends.len() > 1 {
        other.clear();
        let mut merged = Vec::with_capacity(ends.len() / 2 + 1);
        let mut start = 0;
        for pair in ends.chunks(2) {
            let (middle, end) = (pair[0], *pair.last().unwrap_or(&pair[0]));
            let (mut i, mut j) = (start, middle);
            while i < middle && j < end {
                if after(m, v[i], v[j])? {
                    other.push(v[j]);
                    j += 1;
                } else {
                    other.push(v[i]);
                    i += 1;
                }
            }
            other.extend_from_slice(&v[i..middle]);
            other.extend_from_slice(&v[j..end]);
            merged.push(end);
            start = end;
        }
        std::mem::swap(&mut v, &mut other);
        ends = merged;
    }
    Ok(v)
}

/// Keeps the first of neighbours with equal keys.
fn unique<T: Copy>(m: &mut Machine, v: Vec<T>, key: impl Fn(T) -> Cell) -> Result<Vec<T>, Thrown> {
    let mut out: Vec<T> = Vec::with_capacity(v.len());
    for x in v {
        let again = out
            .last()
            .is_some_and(|&y| compare(&m.store, &m.atoms, key(y), key(x)) == Ordering::Equal);
        m.store.tally.spend(4);
        m.go_on()?;
        if !again {
            out.push(x);
        }
    }
    Ok(out)
}

pub(super) fn msort2(m: &mut Machine, _: &Program) -> Res {
    let v = items(m, m.regs[0])?;
    let v = sort_by_key(m, v, |c| c, false)?;
    finish(m, &v, 1)
}

pub(super) fn sort2(m: &mut Machine, _: &Program) -> Res {
    let v = items(m, m.regs[0])?;
    let v = sort_by_key(m, v, |c| c, false)?;
    let v = unique(m, v, |c| c)?;
    finish(m, &v, 1)
}

/// `sort(Key, Order, List, Sorted)`.
pub(super) fn sort4(m: &mut Machine, _: &Program) -> Res {
    // The key is the whole item, one of its arguments, or what a path of arguments leads to.
    let path = match m.store.look(m.regs[0]) {
        Look::Small(0) => Vec::new(),
        Look::Small(_) | Look::Var(_) => vec![m.regs[0]],
        _ => match m.store.items(m.regs[0]) {
            Some(path) if !path.is_empty() => path,
            _ => return Err(m.type_error("sort_key", m.regs[0])),
        },
    };
    for &step in &path {
        match m.store.look(step) {
            Look::Small(n) if n > 0 => {}
            Look::Small(_) => return Err(m.domain_error("not_less_than_one", step)),
            Look::Var(_) => return Err(m.instantiation()),
            _ => return Err(m.type_error("sort_key", m.regs[0])),
        }
    }
    let order = match m.store.look(m.regs[1]) {
        Look::Atom(order) => order,
        Look::Var(_) => return Err(m.instantiation()),
        _ => return Err(m.type_error("atom", m.regs[1])),
    };
    let order = m.atoms.shared(order);
    let (down, once) = match &*order {
        "@<" => (false, true),
        "@=<" => (false, false),
        "@>" => (true, true),
        "@>=" => (true, false),
        _ => return Err(m.domain_error("order", m.regs[1])),
    };
    let v = items(m, m.regs[2])?;
    let mut keyed = Vec::with_capacity(v.len());
    for c in v {
        let mut key = c;
        for &step in &path {
            key = part(m, key, step)?;
        }
        keyed.push((key, c));
    }
    let mut keyed = sort_by_key(m, keyed, |p| p.0, down)?;
    if once {
        keyed = unique(m, keyed, |p| p.0)?;
    }
    let out: Vec<Cell> = keyed.into_iter().map(|p| p.1).collect();
    finish(m, &out, 3)
}

/// The argument of a term at a place.
fn part(m: &mut Machine, c: Cell, place: Cell) -> Result<Cell, Thrown> {
    let (Some((a, n)), Look::Small(at)) = (m.store.span(c), m.store.look(place)) else {
        return Err(match m.store.look(c) {
            Look::Var(_) => m.instantiation(),
            _ => m.type_error("compound", c),
        });
    };
    if at as usize > n {
        let what = m.atom("argument");
        let missing = m.compound("existence_error", &[what, place, c]);
        return Err(m.error(missing));
    }
    Ok(m.store.cells[a + at as usize - 1])
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
            _ => return Err(m.type_error("pair", c)),
        }
    }
    let keyed = sort_by_key(m, keyed, |p| p.0, false)?;
    let out: Vec<Cell> = keyed.into_iter().map(|p| p.1).collect();
    finish(m, &out, 1)
}

/// `'$length'(List, N)`: fails for partial lists, which the library handles.
pub(super) fn length2(m: &mut Machine, _: &Program) -> Res {
    match m.store.walk_list(m.regs[0]) {
        None => Err(m.type_error("list", m.regs[0])),
        Some((n, end)) if end == atom(known::NIL) => {
            let n = m.store.int(n as i64);
            Ok(m.store.unify(m.regs[1], n).into())
        }
        Some(_) => Ok(Flow::No),
    }
}

/// Keeps the first of equal items.
pub(super) fn to_set2(m: &mut Machine, _: &Program) -> Res {
    let v = items(m, m.regs[0])?;
    let numbered: Vec<(usize, Cell)> = v.into_iter().enumerate().collect();
    let sorted = sort_by_key(m, numbered, |p| p.1, false)?;
    let mut kept = unique(m, sorted, |p| p.1)?;
    kept.sort_unstable_by_key(|p| p.0);
    let out: Vec<Cell> = kept.into_iter().map(|p| p.1).collect();
    finish(m, &out, 1)
}

/// `'$skip'(List, Tail, Length)`: what follows the pairs of a list and how many there are; the tail of
/// a list that never ends is one of its pairs.
pub(super) fn skip3(m: &mut Machine, _: &Program) -> Res {
    let (n, tail) = match m.store.walk_list(m.regs[0]) {
        Some(end) => end,
        None => (1, m.regs[0]),
    };
    let n = m.store.int(n as i64);
    Ok((m.store.unify(m.regs[1], tail) && m.store.unify(m.regs[2], n)).into())
}
