//! Decisions that a clock ended: what is kept of them, so that their threads tell what happened in the game.
//!
//! A search under a clock looks as far as its time lasts, so thinking again would find something else. What the clock
//! said at each look is kept with the move; the thread is thought again with the same answers, and compared.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wits_game::{Eyes, Figure, Message};
use wits_play::{AnyMatch, Budget, Limits, Shelf, Thought};
use wits_search::{Backup, Kind, Looks, Thread};

use super::Table;
use crate::{App, Fault, WORDS, engine};

/// What is kept of a decision that a clock ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Timed {
    /// The moves before it: after an undo the same ply is another decision.
    before: String,
    /// How long it might take.
    time: Option<Duration>,
    looks: Looks,
    /// How many positions it had looked at when it last said anything.
    nodes: u64,
    /// What it took its move to be worth.
    value: Option<f64>,
}

impl Timed {
    /// What is to be kept of a decision that ended with such a thought; nothing where no clock decided anything.
    pub(super) fn of(
        table: &dyn AnyMatch,
        budget: &Budget,
        usual: Limits,
        (nodes, value): (u64, Option<f64>),
    ) -> Option<Timed> {
        let time = budget.limits().time;
        // Some machines plan by the time they have, whether or not it runs out.
        let looks = budget
            .looks()
            .filter(|looks| looks.decided() || time != usual.time)?;
        Some(Timed {
            before: moves(table),
            time,
            looks,
            nodes,
            value,
        })
    }

    /// How many positions a thought rests on, and what it takes its first move to be worth.
    pub(super) fn said(thought: &Thought<String>) -> (u64, Option<f64>) {
        let first = thought.lines.first();
        let value = first.and_then(|line| line.worth.json().as_f64());
        (thought.nodes, value)
    }

    /// The budget in which a decision is thought again: as it was, where that was kept.
    pub(super) fn again(timed: Option<&Timed>, usual: Limits, stop: Arc<AtomicBool>) -> Budget {
        match timed {
            None => engine::budget(usual, stop).noting(),
            Some(timed) => {
                let time = timed.time;
                let budget = engine::budget(Limits { time, ..usual }, stop);
                budget.repeating(timed.looks.clone())
            }
        }
    }
}

/// Says in the summary of a thread what it tells otherwise than the game: another move, or another value of it.
pub(super) fn compared(
    thread: Thread,
    (again, played): (&str, &str),
    timed: Option<&Timed>,
    budget: &Budget,
) -> Thread {
    let Some(differs) = difference(&thread, (again, played), timed, budget) else {
        return thread;
    };
    let mut header = thread.header;
    header.summary = format!("{differs} {}", header.summary);
    Thread::new(header, thread.steps, thread.footer)
}

fn difference(
    thread: &Thread,
    (again, played): (&str, &str),
    timed: Option<&Timed>,
    budget: &Budget,
) -> Option<Message> {
    if again != played {
        let says = WORDS.say("again-move").with("again", again);
        return Some(says.with("played", played));
    }
    let Some(timed) = timed else {
        // Nobody kept what the clock said in the game.
        let unknown = budget.looks().is_none_or(|looks| looks.decided());
        return unknown.then(|| WORDS.say("again-clock"));
    };
    let mut steps = thread.steps.iter();
    let choose = steps.rfind(|step| step.kind == Kind::Choose)?;
    // What a rule counts for its choice need not be what it says of it.
    let rule = choose.data.get("by").is_some_and(|by| by == "rule");
    if rule || !matches!(thread.header.backup, Backup::Max | Backup::Mean) {
        return None;
    }
    let now = choose.data.get("value").and_then(Value::as_f64)?;
    let then = timed.value.filter(|then| (then - now).abs() > 1e-9)?;
    let says = WORDS.say("again-value").with("played", played);
    let says = says.with("then", Figure::Signed(then, 2));
    let says = says.with("nodes", Figure::whole(timed.nodes));
    Some(says.with("now", Figure::Signed(now, 2)))
}

/// The moves of a match, as one short text.
fn moves(table: &dyn AnyMatch) -> String {
    let told = table.told(Eyes::All);
    let moves: Vec<&str> = told.iter().map(|told| told.text.as_str()).collect();
    Shelf::hash(moves.join(" ").as_bytes())
}

impl Table {
    /// Keeps what is needed to make a decision again.
    pub(super) fn keep_timed(&self, app: &App, ply: u32, timed: &Timed) {
        if let Ok(bytes) = serde_json::to_vec(timed) {
            let _ = app.put_item("thread", &format!("{}/clock/{ply}", self.id), &bytes);
        }
    }

    /// What was kept of the decision in a position of this game.
    pub(super) fn timed(&self, app: &App, table: &dyn AnyMatch) -> Result<Option<Timed>, Fault> {
        let name = format!("{}/clock/{}", self.id, table.ply());
        let kept = app.store.blob("thread", &name)?;
        let timed: Option<Timed> = kept.and_then(|blob| serde_json::from_slice(&blob.bytes).ok());
        Ok(timed.filter(|timed| timed.before == moves(table)))
    }
}
