//! The events of a run as steps of a thread.

use wits_search::{Kind, Step, Watch};

use crate::steps::{Event, Port};

/// The words of the engine.
pub static WORDS: wits_game::Book = wits_game::Book::new(
    "logic",
    &[
        (wits_game::Lang::En, include_str!("../texts/en.txt")),
        (wits_game::Lang::Pl, include_str!("../texts/pl.txt")),
        (wits_game::Lang::Cs, include_str!("../texts/cs.txt")),
    ],
);

/// Tells a watcher what happened. A goal opens with its call and closes with each exit and with
/// its failure; a redo opens it again.
pub fn follow(events: &[Event], watch: &mut impl Watch) {
    for e in events {
        watch.step(|| {
            let (kind, key) = match e.port {
                Port::Call => (Kind::Open, "call"),
                Port::Redo => (Kind::Open, "redo"),
                Port::Exit => (Kind::Close, "exit"),
                Port::Fail => (Kind::Close, "fail"),
                Port::Unify => (Kind::Visit, "unify"),
                Port::Ask => (Kind::Ask, "ask"),
                Port::Said => (Kind::Close, "answered"),
            };
            let mut says = WORDS.say(key).with("goal", e.goal.clone());
            if let Some((clause, of)) = e.clause {
                says = says
                    .with("clause", clause.to_string())
                    .with("clauses", of.to_string());
            }
            let said = e.bindings.first().filter(|_| e.port == Port::Said);
            if let Some((_, said)) = said {
                says = says.with("said", said.clone());
            }
            let mut step = Step::new(kind, says)
                .data("id", e.id)
                .data("goal", e.goal.clone())
                .data("choices", e.choices);
            step = match e.parent {
                0 => step.data("parent", serde_json::Value::Null),
                p => step.data("parent", p),
            };
            if let Some((_, said)) = said {
                step = step.data("outcome", said.clone());
            } else if !e.bindings.is_empty() {
                let map = e.bindings.iter();
                let map: serde_json::Map<_, _> = map
                    .map(|(name, value)| (name.clone(), value.clone().into()))
                    .collect();
                step = step.data("bindings", map);
            }
            if !e.open.is_empty() {
                step = step.data("open", e.open.clone());
            }
            match e.port {
                Port::Exit => step.data("outcome", "exit"),
                Port::Fail => step.data("outcome", "fail"),
                Port::Redo => step.data("again", true),
                Port::Unify => step
                    .data("node", e.id)
                    .data("clause", e.clause.map_or(0, |c| c.0)),
                Port::Ask => step.data("question", e.goal.clone()),
                Port::Call | Port::Said => step,
            }
        });
    }
}
