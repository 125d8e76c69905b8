//! Proofs: a goal is proved or fails after it was tried, by clauses in their order.

use std::collections::HashMap;

use wits_game::Message;
use wits_search::{Kind, Line, Thread};

use super::super::claim::Known;
use super::super::{name, text};
use super::Laws;
use crate::WORDS;

/// A goal that was tried.
struct Goal {
    predicate: String,
    /// The last clause that was taken for it.
    clause: u64,
    /// The goal that it belongs to.
    parent: Option<String>,
    /// Whether it is being proved.
    open: bool,
}

/// A search for a proof.
pub(super) struct Proof {
    goals: HashMap<String, Goal>,
    /// Nothing was left out of the thread.
    whole: bool,
    /// A person answered. Goals below an answer go on in the order of the questions.
    asked: bool,
    /// How many goals were tried, and how often one was proved or failed.
    tried: u64,
    proved: u64,
    failed: u64,
}

impl Proof {
    pub(super) fn new(thread: &Thread) -> Proof {
        let answered = |line: &Line| {
            let outcome = text(&line.data, "outcome");
            outcome.is_some_and(|outcome| !["exit", "fail"].contains(&outcome.as_str()))
        };
        Proof {
            goals: HashMap::new(),
            whole: thread.footer.dropped == 0,
            asked: thread.steps.iter().any(answered),
            tried: 0,
            proved: 0,
            failed: 0,
        }
    }
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
        let parent = name(&line.data, "parent");
        if line.kind == Kind::Open {
            self.tried += u64::from(!line.data.contains_key("again"));
            let above = parent.as_ref().map(|parent| self.goals.get(parent));
            let below = |goal: &Goal| goal.open || self.asked;
            if self.whole && above.is_some_and(|above| !above.is_some_and(below)) {
                return Err(says("desk-parent"));
            }
            // A goal that is tried once more goes on with the clause after the last.
            let known = self.goals.entry(id).or_insert_with(|| Goal {
                predicate: predicate(&goal).to_owned(),
                clause: 0,
                parent: parent.clone(),
                open: true,
            });
            known.open = true;
            return if known.parent == parent {
                Ok(Known::Checked)
            } else {
                Err(says("desk-parent"))
            };
        }
        let Some(known) = self.goals.get_mut(&id) else {
            return Ok(Known::Trusted);
        };
        if known.parent != parent {
            return Err(says("desk-parent"));
        }
        if line.kind == Kind::Close {
            known.open = false;
            match text(&line.data, "outcome").as_deref() {
                Some("fail") => self.failed += 1,
                Some("exit" | "yes") => self.proved += 1,
                _ => {}
            }
        }
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

    /// How many goals were tried, and how that ended.
    fn told(&self) -> Vec<f64> {
        [self.tried, self.proved, self.failed]
            .map(|n| n as f64)
            .to_vec()
    }
}
