//! The standard order of terms, and structural equality.

use std::cmp::Ordering;

use crate::atoms::{Atoms, known};
use crate::cell::*;
use crate::number::Num;
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

/// Steps after which two terms are taken for equal: only cyclic terms need more.
fn patience(store: &Store) -> usize {
    16 * store.cells.len() + (1 << 22)
}

/// Compares two terms in the standard order.
pub(crate) fn compare(store: &Store, atoms: &Atoms, a: Cell, b: Cell) -> Ordering {
    let mut work = vec![(a, b)];
    let mut left = patience(store);
    while let Some((a, b)) = work.pop() {
        let (a, b) = (store.deref(a), store.deref(b));
        if a == b || left == 0 {
            continue;
        }
        left -= 1;
        let (x, y) = (store.look(a), store.look(b));
        let order = rank(store, x).cmp(&rank(store, y));
        if order != Ordering::Equal {
            return order;
        }
        let order = match (x, y) {
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
                (Some(p), Some(q)) => p.compare(&q).then_with(|| {
                    // By value; a float stands before the integer of the same value.
                    let float = |n: &Num| matches!(n, Num::Float(_));
                    float(&q).cmp(&float(&p))
                }),
                _ => Ordering::Equal,
            },
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    Ordering::Equal
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
    let mut work = vec![(a, b)];
    let mut left = patience(store);
    while let Some((a, b)) = work.pop() {
        let (a, b) = (store.deref(a), store.deref(b));
        if a == b || left == 0 {
            continue;
        }
        left -= 1;
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
            _ => return false,
        }
    }
    true
}
