//! Conformance: tables of goals and the answers that ISO 13211-1 or common practice asks for.
//!
//! The tables are text files (`conformance/*.txt`), one case a line: a goal, ` ==> `, an outcome.
//! An outcome lists the solutions, `X = 1, Y = b | X = 2, Y = c`, or says `yes`, `no`,
//! `throws type_error(integer,a)` or `throws ball b`; `writes "…"` behind it is what the goal
//! prints. A line that begins with `- ` is a case that is known not to be supported.

use serde::Serialize;

use crate::engine::Outcome;
use crate::machine::{Fuel, Machine};
use crate::writer::quote_text;

/// A table: its name and its text.
const TABLES: &[(&str, &str)] = &[
    ("control", include_str!("../conformance/control.txt")),
    ("unify", include_str!("../conformance/unify.txt")),
    ("types", include_str!("../conformance/types.txt")),
    ("order", include_str!("../conformance/order.txt")),
    ("terms", include_str!("../conformance/terms.txt")),
    ("arithmetic", include_str!("../conformance/arithmetic.txt")),
    ("atoms", include_str!("../conformance/atoms.txt")),
    ("strings", include_str!("../conformance/strings.txt")),
    ("lists", include_str!("../conformance/lists.txt")),
    ("collect", include_str!("../conformance/collect.txt")),
    ("database", include_str!("../conformance/database.txt")),
    ("read", include_str!("../conformance/read.txt")),
    ("write", include_str!("../conformance/write.txt")),
    ("streams", include_str!("../conformance/streams.txt")),
    ("flags", include_str!("../conformance/flags.txt")),
    ("standard", include_str!("../conformance/standard.txt")),
];

/// Solutions shown of one goal.
const MOST: usize = 12;

/// What a goal may cost.
const FUEL: Fuel = Fuel {
    steps: 1_000_000,
    cells: 4 << 20,
};

/// One line of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// The table's name.
    pub category: &'static str,
    /// Line in the table, counted from 1.
    pub line: usize,
    /// The goal, without its full stop.
    pub goal: &'static str,
    /// What it should come to.
    pub expected: &'static str,
    /// Whether it is known not to be supported.
    pub unsupported: bool,
}

/// What one table came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its cases, those not supported included.
    pub cases: usize,
    /// Cases with the expected outcome.
    pub passed: usize,
    /// Cases known not to be supported.
    pub unsupported: usize,
}

/// A case and what was found instead of what is expected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The table's name.
    pub table: String,
    /// Line in the table.
    pub line: usize,
    /// The goal.
    pub goal: String,
    /// What it should come to.
    pub expected: String,
    /// What it comes to.
    pub found: String,
}

/// What all tables came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// All cases.
    pub cases: usize,
    /// Cases with the expected outcome.
    pub passed: usize,
    /// One entry a table.
    pub tables: Vec<Table>,
    /// Cases that should come to what is expected and do not.
    pub differences: Vec<Difference>,
    /// Cases that are known not to be supported.
    pub unsupported: Vec<Difference>,
}

/// Runs all cases.
pub fn report() -> Report {
    let mut report = Report::default();
    for case in cases() {
        if report.tables.last().is_none_or(|t| t.name != case.category) {
            report.tables.push(Table {
                name: case.category.to_owned(),
                cases: 0,
                passed: 0,
                unsupported: 0,
            });
        }
        let Some(table) = report.tables.last_mut() else {
            continue;
        };
        let found = outcome(case.goal);
        let good = found == case.expected;
        table.cases += 1;
        table.passed += usize::from(good);
        table.unsupported += usize::from(case.unsupported);
        report.cases += 1;
        report.passed += usize::from(good);
        if good && !case.unsupported {
            continue;
        }
        let difference = Difference {
            table: case.category.to_owned(),
            line: case.line,
            goal: case.goal.to_owned(),
            expected: case.expected.to_owned(),
            found,
        };
        if case.unsupported && !good {
            report.unsupported.push(difference);
        } else {
            report.differences.push(difference);
        }
    }
    report
}

/// All cases, table by table.
pub fn cases() -> impl Iterator<Item = Case> {
    TABLES
        .iter()
        .flat_map(|(category, text)| read(category, text))
}

fn read(category: &'static str, text: &'static str) -> impl Iterator<Item = Case> {
    let lines = text.lines().enumerate();
    lines.filter_map(move |(n, line)| {
        let (unsupported, line) = match line.strip_prefix("- ") {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let (goal, expected) = line.split_once(" ==> ")?;
        (!line.starts_with('#')).then_some(Case {
            category,
            line: n + 1,
            goal,
            expected,
            unsupported,
        })
    })
}

/// What a goal comes to in a new machine, as the tables write it.
pub fn outcome(goal: &str) -> String {
    outcome_on(Machine::new(), goal)
}

/// What a goal comes to in a machine that was prepared for it.
pub fn outcome_on(mut m: Machine, goal: &str) -> String {
    m.refuel(FUEL);
    m.end_input();
    if m.query(goal).is_err() {
        return "throws syntax_error".to_owned();
    }
    let mut parts = Vec::new();
    loop {
        match m.solve() {
            Outcome::Solution(s) => {
                let pairs = s.bindings.iter();
                let pairs: Vec<String> =
                    pairs.map(|b| format!("{} = {}", b.name, b.value)).collect();
                parts.push(match pairs.len() {
                    0 => "yes".to_owned(),
                    _ => pairs.join(", "),
                });
                if parts.len() < MOST {
                    continue;
                }
            }
            Outcome::Done if parts.is_empty() => parts.push("no".to_owned()),
            Outcome::Done => {}
            Outcome::Error(t) => parts.push(thrown(&t.term, &t.message)),
            Outcome::Asked(_) => parts.push("asks".to_owned()),
            Outcome::Halted(n) => parts.push(format!("halts with {n}")),
            Outcome::OutOfSteps => parts.push("runs out of steps".to_owned()),
            Outcome::OutOfMemory => parts.push("runs out of memory".to_owned()),
        }
        break;
    }
    let found = parts.join(" | ");
    match m.take_output() {
        written if written.is_empty() => found,
        written => format!("{found} writes {}", quote_text(&written, '"')),
    }
}

fn thrown(term: &str, message: &str) -> String {
    if term.starts_with("syntax_error(") {
        "throws syntax_error".to_owned()
    } else if message.starts_with("uncaught exception") {
        format!("throws ball {term}")
    } else {
        format!("throws {term}")
    }
}
