//! The semantic network as a picture needs it: where each part stands, and which are in question.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::Base;
use crate::choice::{agrees, candidates};
use crate::dialogue::{Session, Turn};
use crate::paths::{atoms, parts_of};

/// How much a part is in question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Light {
    /// Some way that is still open speaks of it.
    Possible,
    /// The problem or the advice speaks of it.
    Named,
}

/// Where a part stands: how deep, and in which row. Rows are in the order of the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// Index of the part in the base.
    pub part: usize,
    /// Index of the part it sits in.
    pub parent: Option<usize>,
    /// How many parts it sits in.
    pub depth: usize,
    /// The row, from 0; a part with parts in it stands in the middle of theirs.
    pub row: f64,
}

/// The tree of parts laid out, every part exactly once. Parts that sit in each other in a circle
/// stand on their own.
pub fn spots(base: &Base) -> Vec<Spot> {
    let index: BTreeMap<&str, usize> = (base.parts.iter().enumerate())
        .map(|(i, p)| (p.id.as_str(), i))
        .collect();
    let parent = |i: usize| {
        let name = base.parts[i].parent.as_deref()?;
        index.get(name).copied().filter(|&p| p != i)
    };
    let mut inside: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut roots = Vec::new();
    for i in 0..base.parts.len() {
        match parent(i) {
            Some(p) => inside.entry(p).or_default().push(i),
            None => roots.push(i),
        }
    }
    // A circle has no root: its first part becomes one.
    roots.extend(0..base.parts.len());
    let mut placed = vec![false; base.parts.len()];
    let mut out: Vec<Spot> = Vec::new();
    let mut rows = 0;
    for root in roots {
        let mut stack = vec![(root, None, 0)];
        while let Some((i, parent, depth)) = stack.pop() {
            if std::mem::replace(&mut placed[i], true) {
                continue;
            }
            let below = inside.get(&i).map_or(&[][..], Vec::as_slice);
            let leaf = below.iter().all(|&c| placed[c]);
            out.push(Spot {
                part: i,
                parent,
                depth,
                row: f64::from(rows),
            });
            rows += i32::from(leaf);
            stack.extend(below.iter().rev().map(|&c| (c, Some(i), depth + 1)));
        }
    }
    // Parents stand in the middle of what they hold; children come after parents in the list.
    let mut spans: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    for at in (0..out.len()).rev() {
        if let Some((first, last)) = spans.get(&out[at].part) {
            out[at].row = f64::midpoint(*first, *last);
        }
        let row = out[at].row;
        if let Some(p) = out[at].parent {
            let span = spans.entry(p).or_insert((row, row));
            *span = (span.0.min(row), span.1.max(row));
        }
    }
    out
}

/// The parts in question at this point of a conversation, by identifier.
pub fn lit(base: &Base, session: &Session, turn: &Turn) -> BTreeMap<String, Light> {
    let mut out = BTreeMap::new();
    let known = session.known();
    let open = |problem: &str, out: &mut BTreeMap<String, Light>| {
        for p in base.paths(problem) {
            if agrees(p, &known) {
                out.extend(p.parts.iter().map(|id| (id.clone(), Light::Possible)));
            }
        }
    };
    match turn {
        Turn::Question {
            problem: Some(problem),
            ..
        } => {
            open(problem, &mut out);
            name(base, problem, &mut out);
        }
        Turn::Question { .. } => {
            let (signs, _) = session.signs();
            let ranked = candidates(base, &signs, &session.tried);
            let best = ranked.first().map_or(0.0, |c| c.1);
            for (id, _) in ranked
                .iter()
                .filter(|c| !signs.is_empty() && c.1 > best * 0.2)
            {
                name(base, id, &mut out);
            }
            for light in out.values_mut() {
                *light = Light::Possible;
            }
        }
        Turn::Advice { problem, proof, .. } => {
            let named = parts_of(base, proof);
            out.extend(named.into_iter().map(|id| (id, Light::Named)));
            name(base, problem, &mut out);
        }
        Turn::Category(_) | Turn::Problem(_) | Turn::Solved(_) | Turn::Nothing(_) => {}
    }
    out
}

/// Lights the parts that a problem's own term names.
fn name(base: &Base, problem: &str, out: &mut BTreeMap<String, Light>) {
    let Ok(term) = base.machine.read_value(problem) else {
        return;
    };
    let mut words = BTreeSet::new();
    atoms(&term, &mut words);
    for part in base.parts.iter().filter(|p| words.contains(p.id.as_str())) {
        out.insert(part.id.clone(), Light::Named);
    }
}
