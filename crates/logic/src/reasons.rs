//! Why a goal failed: the places where every way to prove it came to an end.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::engine::Outcome;
use crate::machine::{Fuel, Machine};
use crate::steps::Port;
use crate::thread::WORDS;
use crate::trouble::Trouble;

/// One place where a way to prove the goal ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// The goal that could not be proved.
    pub goal: String,
    /// The goals above it, the query's own goal first.
    pub path: Vec<String>,
    /// A sentence.
    pub text: String,
}

/// The reasons why a query has no solution; none if it has one. At most `most`, in the order the
/// search met them.
///
/// # Errors
/// When the query is not one, or throws.
pub fn reasons(machine: &Machine, query: &str, most: usize) -> Result<Vec<Reason>, Trouble> {
    let mut m = machine.clone();
    m.record_proofs(false);
    m.refuel(Fuel {
        steps: 200_000,
        cells: 16 << 20,
    });
    m.watch(200_000);
    m.query(query)?;
    match m.solve() {
        Outcome::Solution(_) => return Ok(Vec::new()),
        Outcome::Error(t) => return Err(t),
        _ => {}
    }
    let (events, _) = m.events();
    let mut goals: BTreeMap<u32, (&str, u32)> = BTreeMap::new();
    let mut exited: BTreeSet<u32> = BTreeSet::new();
    let mut parents: BTreeSet<u32> = BTreeSet::new();
    for e in &events {
        match e.port {
            Port::Call => {
                goals.insert(e.id, (&e.goal, e.parent));
                parents.insert(e.parent);
            }
            Port::Exit => {
                exited.insert(e.id);
            }
            _ => {}
        }
    }
    let mut out: Vec<Reason> = Vec::new();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for (id, (goal, parent)) in &goals {
        if parents.contains(id) && !exited.contains(id) {
            continue;
        }
        let key = if exited.contains(id) {
            "later"
        } else {
            "no-clause"
        };
        // A goal that was found and led on is only a reason if nothing after it was even called.
        let led_on = exited.contains(id)
            && goals
                .iter()
                .any(|(other, (_, p))| other > id && p == parent && *parent != 0);
        if led_on {
            continue;
        }
        let shown = hide_numbers(goal);
        if !seen.insert(format!("{key} {shown}")) {
            continue;
        }
        let mut path = Vec::new();
        let mut up = *parent;
        while let Some((g, p)) = goals.get(&up) {
            path.push(hide_numbers(g));
            up = *p;
        }
        path.reverse();
        let text = WORDS.say(key).with("goal", shown.clone()).to_string();
        out.push(Reason {
            goal: shown,
            path,
            text,
        });
        if out.len() == most {
            break;
        }
    }
    Ok(out)
}

/// `_123` says nothing to a person: `_`.
fn hide_numbers(goal: &str) -> String {
    let mut out = String::new();
    let mut chars = goal.chars().peekable();
    while let Some(c) = chars.next() {
        out.push(c);
        if c == '_' && !out[..out.len() - 1].ends_with(|c: char| c.is_alphanumeric()) {
            while chars.peek().is_some_and(char::is_ascii_digit) {
                chars.next();
            }
        }
    }
    out
}
