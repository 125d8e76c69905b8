//! The standard order of terms, and structural equality.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use crate::atoms::{Atoms, known};
use crate::cell::*;
use crate::number::Num;
use crate::rational::{PATIENCE, Same};
use crate::store::{Look, Store};

fn rank(store: &Store, l: Look) -> u8 {
    match l {
        Look::Var(_) => 0,
        Look::Small(_) => 1,
        Look::Blob(at) if store.kind(at) != TEXT => 1,
        // Variables, numbers, strings, atoms, compound terms: strings stand before atoms.
        Look::Blob(_) => 3,
        Look::Atom(_) => 4,
        Look::Pair(_) | Look::Compound(..) => 5,
    }
}

/// Steps before pairs of compound terms are remembered.
fn patience(store: &Store) -> usize {
    store.cells.len().min(1 << 20) + PATIENCE
}

/// Compares two terms in the standard order. Cyclic terms are gone through from left to right, and
/// a pair that is met again is passed over.
pub(crate) fn compare(store: &Store, atoms: &Atoms, a: Cell, b: Cell) -> Ordering {
    let (a, b) = (store.deref(a), store.deref(b));
    match (tag(a), tag(b)) {
        (INT, INT) => return small_value(a).cmp(&small_value(b)),
        (ATM, ATM) => return atoms.name((a >> 3) as u32).cmp(atoms.name((b >> 3) as u32)),
        _ => {}
    }
    let mut work = vec![(a, b)];
    let patience = patience(store);
    let mut left = patience;
    let mut same: Option<Same> = None;
    let mut order = Ordering::Equal;
    while let Some((a, b)) = work.pop() {
        let (a, b) = (store.deref(a), store.deref(b));
        if a == b {
            continue;
        }
        if left > 0 {
            left -= 1;
        } else {
            store.tally.spend(8);
            if let (Some((p, _)), Some((q, _))) = (store.span(a), store.span(b))
                && !same.get_or_insert_default().join(p, q)
            {
                continue;
            }
        }
        let (x, y) = (store.look(a), store.look(b));
        order = rank(store, x)
            .cmp(&rank(store, y))
            .then_with(|| match (x, y) {
                (Look::Var(p), Look::Var(q)) => p.cmp(&q),
                (Look::Atom(p), Look::Atom(q)) => atoms.name(p).cmp(atoms.name(q)),
                (Look::Pair(p), Look::Pair(q)) => {
                    work.push((store.cells[p + 1], store.cells[q + 1]));
                    work.push((store.cells[p], store.cells[q]));
                    Ordering::Equal
                }
                (Look::Pair(_) | Look::Compound(..), _) => {
                    let (n, i, p) = shape(atoms, x);
                    let (m, j, q) = shape(atoms, y);
                    let order = n.cmp(&m).then_with(|| atoms.name(i).cmp(atoms.name(j)));
                    if order == Ordering::Equal {
                        for k in (0..n).rev() {
                            work.push((store.cells[p + k], store.cells[q + k]));
                        }
                    }
                    order
                }
                (Look::Blob(p), Look::Blob(q)) if store.kind(p) == TEXT => {
                    store.text_at(p).cmp(&store.text_at(q))
                }
                _ => match (store.number(a), store.number(b)) {
                    (Some(Num::Float(p)), Some(Num::Float(q))) if p == 0.0 && q == 0.0 => {
                        // The zeros differ in their signs.
                        q.is_sign_negative().cmp(&p.is_sign_negative())
                    }
                    (Some(p), Some(q)) => p.compare(&q).then_with(|| {
                        // By value; a float stands before the integer of the same value.
                        let float = |n: &Num| matches!(n, Num::Float(_));
                        float(&q).cmp(&float(&p))
                    }),
                    _ => Ordering::Equal,
                },
            });
        if order != Ordering::Equal {
            break;
        }
    }
    store.tally.spend(patience - left);
    order
}

fn shape(atoms: &Atoms, l: Look) -> (usize, u32, usize) {
    match l {
        Look::Compound(f, at) => {
            let (name, arity) = atoms.functor_parts(f);
            (arity, name, at)
        }
        Look::Pair(at) => (2, known::DOT, at),
        _ => (0, known::NIL, 0),
    }
}

/// Whether two terms are identical, without names.
pub(crate) fn identical(store: &Store, a: Cell, b: Cell) -> bool {
    let (a, b) = (store.deref(a), store.deref(b));
    if a == b || matches!(tag(a), REF | ATM | INT) || tag(a) != tag(b) {
        return a == b;
    }
    let mut work = vec![(a, b)];
    let patience = patience(store);
    let mut left = patience;
    let mut same: Option<Same> = None;
    let mut equal = true;
    while let Some((a, b)) = work.pop() {
        let (a, b) = (store.deref(a), store.deref(b));
        if a == b {
            continue;
        }
        if left > 0 {
            left -= 1;
        } else {
            store.tally.spend(8);
            if let (Some((p, _)), Some((q, _))) = (store.span(a), store.span(b))
                && !same.get_or_insert_default().join(p, q)
            {
                continue;
            }
        }
        match (store.look(a), store.look(b)) {
            (Look::Pair(p), Look::Pair(q)) => {
                work.push((store.cells[p + 1], store.cells[q + 1]));
                work.push((store.cells[p], store.cells[q]));
            }
            (Look::Compound(f, p), Look::Compound(g, q)) if f == g => {
                for k in (0..functor_arity(f)).rev() {
                    work.push((store.cells[p + k], store.cells[q + k]));
                }
            }
            (Look::Blob(p), Look::Blob(q)) if store.same_blob(p, q) => {}
            _ => {
                equal = false;
                break;
            }
        }
    }
    store.tally.spend(patience - left);
    equal
}

/// Whether two terms are equal but for the names of their variables. Pairs of compound terms that are
/// met again are passed over, so cyclic terms are compared by what they unfold to.
pub(crate) fn variant(store: &Store, a: Cell, b: Cell) -> bool {
    let mut work = vec![(a, b)];
    let (mut there, mut back) = (HashMap::new(), HashMap::new());
    let mut left = patience(store);
    let mut met = HashSet::new();
    while let Some((a, b)) = work.pop() {
        let (a, b) = (store.deref(a), store.deref(b));
        store.tally.spend(1);
        if left > 0 {
            left -= 1;
        } else if let (Some((p, _)), Some((q, _))) = (store.span(a), store.span(b)) {
            if store.tally.give_up(8) {
                return false;
            }
            if !met.insert((p, q)) {
                continue;
            }
        }
        match (store.look(a), store.look(b)) {
            (Look::Var(p), Look::Var(q)) => {
                if *there.entry(p).or_insert(q) != q || *back.entry(q).or_insert(p) != p {
                    return false;
                }
            }
            (Look::Pair(p), Look::Pair(q)) => {
                work.push((store.cells[p + 1], store.cells[q + 1]));
                work.push((store.cells[p], store.cells[q]));
            }
            (Look::Compound(f, p), Look::Compound(g, q)) if f == g => {
                for k in (0..functor_arity(f)).rev() {
                    work.push((store.cells[p + k], store.cells[q + k]));
                }
            }
            (Look::Blob(p), Look::Blob(q)) if store.same_blob(p, q) => {}
            (Look::Atom(_) | Look::Small(_), _) if a == b => {}
            _ => return false,
        }
    }
    true
}
