//! How fast the engine is, measured the same way everywhere, beside a peer where there is one.

mod classics;

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
    pub unit: &'static str,
    /// What the peer came to in the same run.
    pub baseline: Option<f64>,
    /// How many times better than the peer; above one is better.
    pub ratio: Option<f64>,
}

/// Something to be timed, for us and for a peer.
#[derive(Clone, Debug)]
pub struct Task {
    /// The program.
    pub program: String,
    /// The goal to be timed; nothing to time the loading.
    pub goal: Option<String>,
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

/// Times a reversal of 30 elements is done, and runs of which the best counts: what else a machine
/// does only ever adds.
const TIMES: u32 = 8_000;
const RUNS: u32 = 5;

/// Runs all measurements. `now` gives seconds from any fixed start; `peer` times a task elsewhere
/// (the best of so many runs, in seconds), or gives nothing where there is no peer.
pub fn run(
    now: &mut dyn FnMut() -> f64,
    peer: &mut dyn FnMut(&Task, u32) -> Option<f64>,
) -> Vec<Figure> {
    let mut out = Vec::new();
    let mut tell = |name: &str, value: f64, unit, baseline: Option<f64>, more_is_better| {
        let ratio = baseline.map(|b| if more_is_better { value / b } else { b / value });
        out.push(Figure {
            name: name.to_owned(),
            value,
            unit,
            baseline,
            ratio,
        });
    };
    let reverse = Task {
        program: REVERSE.to_owned(),
        goal: Some(format!("run({TIMES})")),
    };
    let calls = 496.0 * f64::from(TIMES) / 1e6;
    // In turn, so that both see the same weather.
    let (mut plain, mut proved) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..RUNS {
        plain = plain.min(solved(&reverse, false, now));
        proved = proved.min(solved(&reverse, true, now));
    }
    let theirs = peer(&reverse, RUNS).map(|seconds| calls / seconds);
    let unit = "million calls/s";
    tell("naive reverse", calls / plain, unit, theirs, true);
    let own = Some(calls / plain);
    let name = "naive reverse with proofs recorded (baseline: without)";
    tell(name, calls / proved, unit, own, true);
    tell(
        "slowdown by recording proofs",
        proved / plain,
        "x",
        None,
        false,
    );
    let load = Task {
        program: part_tree(100_000),
        goal: None,
    };
    let mut seconds = f64::INFINITY;
    for _ in 0..3 {
        let mut m = Machine::new();
        let start = now();
        m.load("parts.pl", &load.program);
        seconds = seconds.min(now() - start);
    }
    let theirs = peer(&load, 3);
    tell("load 100,000 facts", seconds, "s", theirs, false);
    let descend = Task {
        goal: Some("count(_)".to_owned()),
        ..load
    };
    let mut m = Machine::new();
    m.load("parts.pl", &descend.program);
    let mut once = || time(&mut m, "count(_)", now) * 1e3;
    let first = once();
    let again = (1..RUNS).map(|_| once()).fold(f64::INFINITY, f64::min);
    let theirs = peer(&descend, RUNS).map(|seconds| seconds * 1e3);
    let name = "all descendants in a tree of 100,000, the first time (indexes are built)";
    tell(name, first, "ms", None, false);
    let name = "all descendants in a tree of 100,000, best of the next four";
    tell(name, again, "ms", theirs, false);
    let (early, late) = loop_memory();
    let name = "memory of a loop after 100 million calls (baseline: after 1 million)";
    tell(name, late, "kB", Some(early), false);
    for (name, task) in classics::tasks() {
        let runs = (0..RUNS).map(|_| solved(&task, false, now) * 1e3);
        let ours = runs.fold(f64::INFINITY, f64::min);
        let theirs = peer(&task, RUNS).map(|seconds| seconds * 1e3);
        tell(&name, ours, "ms", theirs, false);
    }
    out
}

/// A loop that makes terms, names and clauses and leaves them behind.
const LOOP: &str = ":- dynamic last/1.
last(0).
loop(N) :- M is N+1, length(L, 3), L = [M|_], keep(M, L), loop(M).
keep(M, L) :- M mod 1000 =:= 0, !, atom_concat(name_, M, A), retract(last(_)), assertz(last(A-L)).
keep(_, _).
";

/// The most memory that a loop has in use in its first million calls and at any time in its first
/// hundred million, in kilobytes.
fn loop_memory() -> (f64, f64) {
    let mut m = Machine::new();
    m.load("loop.pl", LOOP);
    if m.query("loop(0).").is_err() {
        return (f64::INFINITY, f64::INFINITY);
    }
    let (mut early, mut late) = (0, 0);
    while m.steps() < 100_000_000 {
        m.pause_after(100_000);
        if !matches!(m.solve(), Outcome::OutOfSteps) {
            return (f64::INFINITY, f64::INFINITY);
        }
        late = late.max(m.words_used());
        if m.steps() <= 1_000_000 {
            early = late;
        }
    }
    (early as f64 / 128.0, late as f64 / 128.0)
}

/// Seconds that a task takes in a fresh machine.
fn solved(task: &Task, proofs: bool, now: &mut dyn FnMut() -> f64) -> f64 {
    let mut m = Machine::new();
    m.load("task.pl", &task.program);
    m.record_proofs(proofs);
    time(&mut m, task.goal.as_deref().unwrap_or("true"), now)
}

fn time(m: &mut Machine, goal: &str, now: &mut dyn FnMut() -> f64) -> f64 {
    let start = now();
    if m.query(goal).is_err() || !matches!(m.solve(), Outcome::Solution(_)) {
        return f64::INFINITY;
    }
    (now() - start).max(1e-9)
}
