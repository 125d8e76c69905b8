//! Every predicate of the engine on arguments nobody meant it for: an answer, an error or a limit.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use wits_logic::{Fuel, Machine, Outcome};

/// Steps and words (2 MB) of one goal.
const FUEL: Fuel = Fuel {
    steps: 20_000,
    cells: 1 << 18,
};

/// Terms, some of them cyclic; `$` stands for a number that makes the variables of each different.
const TERMS: &[&str] = &[
    "_",
    "A$",
    "a",
    "[]",
    "foo",
    "'hello world'",
    "0",
    "1",
    "-1",
    "3",
    "7",
    "255",
    "1000000",
    "1.5",
    "-0.0",
    "inf",
    "100000000000000000000",
    "\"text\"",
    "\"\"",
    "'.'",
    "(:-)",
    "f(x)",
    "f(_)",
    "f(A$,B$,A$)",
    "a-1",
    "[a-1,b-2]",
    "[a]",
    "[a,b,c]",
    "[1,2,3]",
    "[97,98]",
    "[H$|T$]",
    "[a|b]",
    "(a,b)",
    "(a:-b)",
    "(a->b;c)",
    "{x}",
    "foo/1",
    "a:b",
    "1+2",
    "1+a",
    "X^foo(X)",
    "[X]>>foo(X)",
    "atom(R$)",
    "succ",
    "@<",
    "true",
    "fail",
    "member(X,[1,2])",
    "throw(oops)",
    "Cf",
    "Cl",
    "Cg",
    "Ce",
    "f(Cf,Cl)",
    "[Cf,Cl|x]",
    "[Cl]",
    "Cf-Cl",
    "Long",
    "f(Long)",
    "Big",
    "Atom",
    "Deep",
    "Open",
];

/// Binds the variables that stand for cyclic, long and large terms.
const BEFORE: &str = "Cf = f(Cf), Cl = [a|Cl], Cg = (true,Cg), Ce = 1+Ce, numlist(1,300,Long), \
    Big is 7**3000, atomic_list_concat(Long,Atom), foldl([_,S,s(S)]>>true,Long,z,Deep), \
    length(Open0,50), append(Open0,_,Open)";

/// What a run may cost beyond its limits: the last step before they were looked at.
const OVER: u64 = 200_000;

/// What one goal may make the process grow, in KB: twice its memory, and the pages that the allocator
/// takes at a time.
const GROWTH: u64 = 2 * (FUEL.cells as u64 * 8 / 1024) + 2048;

#[test]
fn every_predicate_ends_on_any_arguments() {
    let engine = Machine::new();
    let mut random = 0x2545_f491_4f6c_dd1du64;
    let mut next = |n: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % n as u64) as usize
    };
    let (mut ends, mut most) = ([0usize; 5], 0);
    for (name, arity) in engine.engine_predicates() {
        let before = fresh_peak();
        for round in 0..24 {
            let args: Vec<String> = (0..arity)
                .map(|i| TERMS[next(TERMS.len())].replace('$', &i.to_string()))
                .collect();
            let quoted = engine.write_value(&wits_logic::Term::Atom(name.clone()));
            let call = if args.is_empty() {
                quoted
            } else {
                format!("{quoted}({})", args.join(","))
            };
            let goal = format!("{BEFORE}, {call}");
            let mut m = engine.clone();
            m.record_proofs(round % 8 == 7);
            m.refuel(FUEL);
            let limit = m.steps() + FUEL.steps;
            if m.query(&goal).is_err() {
                continue;
            }
            for _ in 0..3 {
                let outcome = m.solve();
                assert!(
                    m.steps() < limit + OVER,
                    "{call}: {} steps",
                    m.steps() - limit
                );
                assert!(
                    m.cells_used() < 2 * FUEL.cells,
                    "{call}: {} words",
                    m.cells_used()
                );
                let end = match outcome {
                    Outcome::Solution(_) => {
                        m.proof();
                        0
                    }
                    Outcome::Done | Outcome::Halted(_) | Outcome::Asked(_) => 1,
                    Outcome::Error(_) => 2,
                    Outcome::OutOfSteps => 3,
                    Outcome::OutOfMemory => 4,
                };
                ends[end] += 1;
                if end > 0 {
                    break;
                }
            }
        }
        // Goals give their memory back, so the peak is that of one of them.
        if let (Some(before), Some(after)) = (before, peak()) {
            let grown = after.saturating_sub(before);
            assert!(grown < GROWTH, "{name}/{arity}: {grown} KB");
            most = most.max(grown);
        }
    }
    // The arguments are worth something only if they lead everywhere.
    assert!(ends[..4].iter().all(|&n| n > 5), "{ends:?}");
    println!(
        "at most {most} KB for a goal that is allowed {} KB",
        FUEL.cells * 8 / 1024
    );
}

/// Begins to count the peak anew; gives what the process has now, in KB.
fn fresh_peak() -> Option<u64> {
    std::fs::write("/proc/self/clear_refs", "5").ok()?;
    peak()
}

/// Most memory that the process had since the count began, in KB, where the system tells.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
