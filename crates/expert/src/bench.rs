//! How fast the engine is, measured the same way everywhere.

use std::fmt::Write as _;

use serde::Serialize;
use wits_logic::{Machine, Outcome};

/// One measured figure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// What was measured.
    pub name: String,
    /// The value.
    pub value: f64,
    /// Its unit.
    pub unit: String,
}

/// Naive reverse of 30 elements: 496 calls a time.
pub const REVERSE: &str = "app([], L, L).
app([H|T], L, [H|R]) :- app(T, L, R).
nrev([], []).
nrev([H|T], R) :- nrev(T, RT), app(RT, [H], R).
bench(0, _) :- !.
bench(N, L) :- nrev(L, _), N1 is N-1, bench(N1, L).
run(N) :- numlist(1, 30, L), bench(N, L).
";

/// A tree of parts, four in each, with the goal that collects all that are below the root.
pub fn part_tree(parts: usize) -> String {
    let mut text = String::from("part(p0, null).\n");
    for i in 1..parts {
        let _ = writeln!(text, "part(p{i}, p{}).", (i - 1) / 4);
    }
    text.push_str("desc(P, D) :- part(C, P), ( D = C ; desc(C, D) ).\n");
    text.push_str("count(N) :- findall(D, desc(p0, D), L), length(L, N).\n");
    text
}

/// Runs all measurements; `now` gives seconds from any fixed start.
pub fn run(now: &mut dyn FnMut() -> f64) -> Vec<Figure> {
    let mut out = Vec::new();
    let mut tell = |name: &str, value: f64, unit: &str| {
        out.push(Figure {
            name: name.to_owned(),
            value,
            unit: unit.to_owned(),
        });
    };
    let mut plain = 0.0;
    for (name, proofs, times) in [
        ("naive reverse", false, 40_000),
        ("naive reverse with proofs recorded", true, 4_000),
    ] {
        let mut m = Machine::new();
        let loaded = m.load("reverse.pl", REVERSE);
        debug_assert!(loaded.errors.is_empty());
        m.record_proofs(proofs);
        let calls = 496.0 * f64::from(times);
        let seconds = time(&mut m, &format!("run({times})."), now);
        tell(name, calls / seconds / 1e6, "million calls/s");
        if proofs {
            tell(
                "slowdown by recording proofs",
                plain / (calls / seconds),
                "x",
            );
        } else {
            plain = calls / seconds;
        }
    }
    let text = part_tree(100_000);
    let mut m = Machine::new();
    let start = now();
    m.load("parts.pl", &text);
    tell("load 100,000 facts", now() - start, "s");
    tell(
        "all descendants in a tree of 100,000",
        time(&mut m, "count(N).", now) * 1e3,
        "ms",
    );
    tell("the same again", time(&mut m, "count(N).", now) * 1e3, "ms");
    out
}

fn time(m: &mut Machine, goal: &str, now: &mut dyn FnMut() -> f64) -> f64 {
    let start = now();
    if m.query(goal).is_err() || !matches!(m.solve(), Outcome::Solution(_)) {
        return f64::INFINITY;
    }
    (now() - start).max(1e-9)
}
