//! Cyclic terms as text: `@(S_1,[S_1=f(S_1)])`, as SWI-Prolog writes them.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::atoms::Atoms;
use crate::cell::*;
use crate::ops::Ops;
use crate::store::{Look, Store};
use crate::writer::{Style, write_term};

/// Cells that the parts of a cyclic term may take; what is larger is cut off.
const MOST: usize = 1 << 16;

/// A cyclic term as text.
pub(crate) fn untied(store: &Store, atoms: &Atoms, ops: &Ops, style: &Style, term: Cell) -> String {
    let knots = store.knots(term);
    let mut scratch = Store::default();
    let mut names = HashMap::new();
    let mut vars: HashMap<usize, Cell> = HashMap::new();
    for (n, &knot) in knots.iter().enumerate() {
        let v = scratch.var();
        names.insert(addr(v), format!("S_{}", n + 1));
        if let Some((at, _)) = store.span(knot) {
            vars.insert(at, v);
        }
    }
    let whole = copy(store, &mut scratch, &mut vars, term, false);
    let parts: Vec<Cell> = knots
        .iter()
        .map(|&knot| copy(store, &mut scratch, &mut vars, knot, true))
        .collect();
    for (&at, &v) in &vars {
        if let (Some(name), Look::Var(new)) = (style.names.get(&at), scratch.look(v)) {
            names.entry(new).or_insert_with(|| name.clone());
        }
    }
    let style = Style {
        names,
        ..style.clone()
    };
    let mut out = String::from("@(");
    let put = |out: &mut String, c| write_term(out, &scratch, atoms, ops, &style, c);
    put(&mut out, whole);
    out.push_str(",[");
    for (n, &part) in parts.iter().enumerate() {
        let comma = if n > 0 { "," } else { "" };
        let _ = write!(out, "{comma}S_{}=", n + 1);
        put(&mut out, part);
    }
    out.push_str("])");
    out
}

/// Copies a term as a tree; variables and the terms in `vars` become variables. `inside` does so
/// only below the term itself.
fn copy(
    store: &Store,
    scratch: &mut Store,
    vars: &mut HashMap<usize, Cell>,
    term: Cell,
    inside: bool,
) -> Cell {
    let top = scratch.var();
    let mut work = vec![(term, addr(top))];
    let mut first = inside;
    while let Some((c, to)) = work.pop() {
        let c = store.deref(c);
        let whole = std::mem::take(&mut first);
        scratch.cells[to] = match store.look(c) {
            Look::Var(at) => *vars.entry(at).or_insert_with(|| scratch.var()),
            Look::Blob(at) => {
                let new = scratch.cells.len();
                let block = &store.cells[at..=at + blob_words(store.cells[at])];
                scratch.cells.extend_from_slice(block);
                make(BLB, new)
            }
            Look::Pair(at) | Look::Compound(_, at) => match vars.get(&at) {
                Some(&v) if !whole => v,
                _ if scratch.cells.len() > MOST => atom(crate::atoms::known::ELLIPSIS),
                _ => {
                    let new = scratch.cells.len();
                    let n = store.span(c).map_or(0, |(_, n)| n);
                    let functor = (tag(c) == STR).then(|| store.cells[at - 1]);
                    scratch.cells.extend(functor);
                    let args = scratch.cells.len();
                    scratch.cells.extend((args..args + n).map(|a| make(REF, a)));
                    work.extend((0..n).rev().map(|i| (store.cells[at + i], args + i)));
                    make(tag(c), new)
                }
            },
            _ => c,
        };
    }
    scratch.cells[addr(top)]
}
