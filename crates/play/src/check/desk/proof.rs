//! Proofs: a goal is proved or fails after it was tried, by clauses in their order.

use std::collections::HashMap;

use wits_game::Message;
use wits_search::{Kind, Line};

use super::super::claim::Known;
use super::super::{name, text};
use super::Laws;
use crate::WORDS;

/// A goal that was tried.
struct Goal {
    predicate: String,
    /// The last clause that was taken for it.
    clause: u64,
}

/// A search for a proof.
#[derive(Default)]
pub(super) struct Proof {
    goals: HashMap<String, Goal>,
}

/// A goal without its arguments.
fn predicate(goal: &str) -> &str {
    goal.split('(').next().unwrap_or(goal)
}

impl Laws for Proof {
    fn step(&mut self, line: &Line) -> Result<Known, Message> {
        let says = |key: &'static str| WORDS.say(key).with("step", line.text.as_str());
        let (Some(id), Some(goal)) = (name(&line.data, "id"), text(&line.data, "goal")) else {
            return Ok(Known::Trusted);
        };
        if line.kind == Kind::Open {
            // A goal that is tried once more goes on with the clause after the last.
            self.goals.entry(id).or_insert_with(|| Goal {
                predicate: predicate(&goal).to_owned(),
                clause: 0,
            });
            return Ok(Known::Checked);
        }
        let Some(known) = self.goals.get_mut(&id) else {
            return Ok(Known::Trusted);
        };
        if known.predicate != predicate(&goal) {
            return Err(says("desk-goal"));
        }
        match line.kind {
            Kind::Visit => {
                let clause = line.data.get("clause").and_then(serde_json::Value::as_u64);
                if clause.is_some_and(|clause| clause <= known.clause) {
                    return Err(says("desk-clause"));
                }
                known.clause = clause.unwrap_or(known.clause);
                // The clause itself is in the base.
                Ok(Known::Trusted)
            }
            // That a closed goal follows from the goals below it needs the clause, too.
            _ => Ok(Known::Trusted),
        }
    }
}
