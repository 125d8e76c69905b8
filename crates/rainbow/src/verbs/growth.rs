//! `rainbow growth`: how searches and strategies grow with the board.

use serde_json::{Value, json};
use wits_desk::{Answer, Block, Cell, Cost, Param, Refusal, Served, Table, Verb};
use wits_game::Figure;

use super::{decided, heads, keep, number, say};
use crate::exact::Solver;
use crate::forecast::{Reason, Solution, SolveOptions, solve_with};
use crate::{Side, Terms, WORDS};

/// Whoever moves first where pairings say nothing.
const OPEN: &str = "open";

pub(super) fn verb() -> Verb {
    let (most, longest) = (Solver::MOST_POSITIONS as i64, i64::from(Solver::LONGEST));
    let firsts = ["maker", "breaker", OPEN];
    Verb {
        id: "growth",
        about: say("verb-growth"),
        params: vec![
            number("k", "param-k", longest, "K"),
            Param::int("from", 2, longest, 2, &WORDS, "param-growth-from")
                .optional()
                .shown_as("N"),
            number("to", "param-to", longest, "N"),
            Param::choice("first", &firsts, OPEN, &WORDS, "param-growth-first").shown_as("SIDE"),
            Param::int(
                "positions",
                1,
                100_000_000_000,
                most,
                &WORDS,
                "param-positions",
            ),
        ],
        examples: &["wits rainbow growth --k 6 --from 16 --to 20"],
        served: Served::Everywhere,
        cost: Cost::ALONE,
        run: |args, _, work| {
            let (k, to) = (args.int("k") as u64, args.int("to") as u64);
            let from = args.int_if("from").map_or(k, |from| from as u64);
            if from < k || to < from {
                let why = say("bad-value").with("value", from).with("name", "from");
                let hint = say("bad-value-hint").with("name", "from");
                let hint = hint.with("least", k).with("most", to);
                return Err(Refusal::new("bad-value", why, hint));
            }
            let options = SolveOptions {
                threads: work.threads(),
                positions: keep::room(args, work),
                search: true,
            };
            let mut rows: Vec<Solution> = Vec::new();
            for n in from..=to {
                let first = match args.text("first") {
                    OPEN if n % 2 == 0 => Side::Breaker,
                    OPEN => Side::Maker,
                    side => side.parse()?,
                };
                let terms = Terms::new(n, k, n, first)?;
                // Only where there are too many progressions: the length is bounded already.
                let Some(mut solver) = Solver::sized(&terms, options.positions) else {
                    break;
                };
                let (seen, most) = (solver.counter(), Some(options.positions as u64));
                let found = work.counting(&seen, most, |budget| {
                    solve_with(&terms, Some(&mut solver), &options, budget)
                });
                rows.push(found);
                if !rows.last().is_some_and(solved) {
                    break;
                }
            }
            let all = rows.len() as u64 > to - from && rows.last().is_some_and(solved);
            let data = json!({"k": k, "rows": rows.iter().map(row).collect::<Vec<_>>()});
            let mut answer = Answer::yes(data).with(Block::Table(table(k, &rows)));
            if !all {
                let nodes = rows.last().filter(|last| !solved(last));
                let says = say("growth-open")
                    .with(
                        "n",
                        from + rows.iter().filter(|row| solved(row)).count() as u64,
                    )
                    .with("nodes", Figure::whole(nodes.map_or(0, |last| last.nodes)));
                answer = answer.say(says);
            }
            Ok(decided(answer, all))
        },
    }
}

/// Whether a search decided, not an argument.
fn solved(found: &Solution) -> bool {
    found.reason == Reason::Solved
}

fn row(found: &Solution) -> Value {
    json!({
        "n": found.terms.n(), "first": found.terms.first(), "nodes": found.nodes,
        "winner": found.winner.filter(|_| solved(found)),
        "strategy": found.proof.map(|proof| proof.positions),
    })
}

fn table(k: u64, rows: &[Solution]) -> Table {
    let keys = [
        "n",
        "growth-first",
        "growth-winner",
        "growth-nodes",
        "growth-strategy",
    ];
    let table = Table::new("growth", say("title-growth").with("k", k), heads(&keys));
    rows.iter().fold(table, |table, found| {
        let winner = found.winner.filter(|_| solved(found));
        table.row(vec![
            Cell::whole(found.terms.n()),
            Cell::Says(found.terms.first().name()),
            winner.map_or(Cell::Empty, |side| Cell::Says(side.name())),
            Cell::whole(found.nodes),
            found
                .proof
                .map_or(Cell::Empty, |proof| Cell::whole(proof.positions)),
        ])
    })
}
