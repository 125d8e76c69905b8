//! Small programs of the kinds that Prolog systems are compared by, each with the goal that is timed.

use std::fmt::Write as _;

use super::Task;

/// Programs and how much each has to do.
const PROGRAMS: [(&str, &str, u32); 7] = [
    ("meta-interpreter sorts", include_str!("meta.pl"), 400),
    (
        "sieve by assert and retract",
        include_str!("sieve.pl"),
        20_000,
    ),
    ("combinators reduced", include_str!("reducer.pl"), 16),
    ("tak", include_str!("tak.pl"), 8),
    ("queens", include_str!("queens.pl"), 8),
    ("zebra", include_str!("zebra.pl"), 40),
    ("derivatives", include_str!("derive.pl"), 5_000),
];

/// Mutual recursion to the left: 4,001 answers.
const MUTUAL: &str = ":- table even/1, odd/1.
even(0).
even(X) :- odd(Y), Y < 4000, X is Y+1.
odd(X) :- even(Y), Y < 4000, X is Y+1.
run :- abolish_all_tables, findall(X, even(X), L), length(L, 2001).
";

/// 20,000 goals, each of which calls the next.
const PING_PONG: &str = ":- table ping/1, pong/1.
ping(0).
ping(N) :- N > 0, M is N-1, pong(M).
pong(0).
pong(N) :- N > 0, M is N-1, ping(M).
run :- abolish_all_tables, ping(20000).
";

/// The cheapest ways between the points of a grid, by a table that keeps the minimum.
const CHEAPEST: &str = ":- table far(_,_,min).
far(X-Y, X-Y, 0).
far(A, B, C) :- far(A, Z, D), way(Z, B, E), C is D+E.
way(X-Y, X1-Y, C) :- X < 40, X1 is X+1, C is (X*7+Y*3) mod 5 + 1.
way(X-Y, X-Y1, C) :- Y < 40, Y1 is Y+1, C is (X*2+Y*5) mod 7 + 1.
run :- abolish_all_tables, far(0-0, 40-40, _).
";

/// Paths to the left on a chain of so many edges: n (n + 1) / 2 answers.
fn chain(edges: u32) -> String {
    let mut text = String::from(
        ":- table path/2.\npath(X, Y) :- path(X, Z), edge(Z, Y).\npath(X, Y) :- edge(X, Y).\n",
    );
    for n in 0..edges {
        let _ = writeln!(text, "edge({n}, {}).", n + 1);
    }
    text.push_str("run :- abolish_all_tables, ( path(_, _), fail ; true ).\n");
    text
}

/// All of them: a name and what is timed.
pub(super) fn tasks() -> Vec<(String, Task)> {
    let mut out = Vec::new();
    for (name, program, size) in PROGRAMS {
        let task = Task {
            program: program.to_owned(),
            goal: Some(format!("run({size})")),
        };
        out.push((name.to_owned(), task));
    }
    for (name, program) in [
        ("tables: paths on a chain of 800", chain(800)),
        ("tables: mutual recursion, 4,001 answers", MUTUAL.to_owned()),
        ("tables: ping-pong of 20,000", PING_PONG.to_owned()),
        (
            "tables: cheapest ways in a grid of 41 by 41",
            CHEAPEST.to_owned(),
        ),
    ] {
        let task = Task {
            program,
            goal: Some("run".to_owned()),
        };
        out.push((name.to_owned(), task));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use wits_logic::{Machine, Outcome};

    #[test]
    fn every_program_runs_to_its_end() {
        for (name, task) in tasks() {
            let mut m = Machine::new();
            let loaded = m.load("task.pl", &task.program);
            assert_eq!(loaded.errors, [], "{name}");
            let goal = task.goal.unwrap_or_default();
            // Small sizes will do.
            let goal = goal
                .replace("20000", "200")
                .replace("5000", "5")
                .replace("400", "4");
            assert_eq!(m.query(&goal), Ok(()), "{name}");
            assert!(matches!(m.solve(), Outcome::Solution(_)), "{name}");
        }
    }
}
