//! `matchbox compare`: ways to teach, or to learn, by the strength of the opponent.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use wits_desk::{Answer, Args, Block, Cell, Cost, Param, Refusal, Run, Served, Table, Verb, Work};
use wits_game::Figure;

use super::{Find, chart, fresh, heads, kind_params, say};
use crate::compare::{self, compare_learners, usual_opponents, usual_teachings};
use crate::stats::Summary;
use crate::train::Course;
use crate::{Method, WORDS};

pub(super) fn verb(run: Run) -> Verb {
    let mut params = kind_params();
    params.extend([
        Param::flag("learners", false, &WORDS, "param-learners"),
        Param::int("machines", 1, 100_000_000, 1000, &WORDS, "param-machines").shown_as("N"),
        Param::int("games", 1, 1_000_000, 300, &WORDS, "param-games").shown_as("G"),
        Param::int("first", 1, 1_000_000, 20, &WORDS, "param-first-games").shown_as("G"),
        Param::seed(&WORDS, "param-seed"),
    ]);
    Verb {
        id: "compare",
        about: say("verb-compare"),
        params,
        examples: &[
            "wits matchbox compare --machine her --machines 2000 --games 300 --seed 1",
            "wits matchbox compare --machine her --learners --machines 500 --games 300 --seed 1",
        ],
        served: Served::Everywhere,
        cost: Cost::LONG,
        run,
    }
}

/// Sends a machine to school in several ways, against opponents from clumsy to perfect.
///
/// # Errors
/// A machine that cannot be built.
pub fn compare(args: &Args, work: &mut Work<'_>, find: Find) -> Result<Answer, Refusal> {
    let machine = fresh(args, find)?;
    let chart = chart(&machine)?;
    let seed = args.seed();
    let machines = args.int("machines") as u64;
    let course = Course {
        threads: work.threads(),
        first: args.int("first") as u32,
        ..Course::new(machines, args.int("games") as u32, seed)
    };
    let (rules, opponents) = (usual_teachings(machine.teaching()), usual_opponents());
    let learners = args.flag("learners");
    let ways = if learners {
        Method::ALL.len()
    } else {
        rules.len()
    };
    let total = machines * (ways * opponents.len()) as u64;
    let (done, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let found = work.counting(&done, Some(total), |budget| {
        let report = |machines: u64| {
            done.fetch_max(machines, Ordering::Relaxed);
            if budget.stopped() || budget.late() {
                stop.store(true, Ordering::Relaxed);
            }
        };
        if learners {
            return compare_learners(&chart, &machine, &opponents, &course, &report, &stop);
        }
        compare::compare(
            &chart, &machine, &rules, &opponents, &course, &report, &stop,
        )
    });
    let mut answer = Answer::of(&found);
    answer.data["seed"] = seed.number().into();
    answer.data["seconds"] = work.seconds().into();
    let title = say("comparison")
        .with("machine", found.machine.as_str())
        .with("machines", Figure::whole(found.machines))
        .with("games", Figure::whole(found.games));
    let mut columns = heads(&["opponent", "teaching"]);
    columns.push(say("lost-of-first").with("first", found.first));
    columns.extend(heads(&[
        "interval",
        "became-perfect",
        "games-to-perfect",
        "interval",
        "losses-to-perfect",
        "interval",
    ]));
    let mut table = Table::new("rows", title, columns);
    for row in &found.rows {
        let mut cells = vec![Cell::text(&row.opponent), Cell::text(&row.teaching)];
        cells.extend(mean(&row.first_losses));
        cells.push(Cell::share(row.perfect));
        cells.extend(mean(&row.games_to_perfect));
        cells.extend(mean(&row.losses_to_perfect));
        table = table.row(cells);
    }
    answer = answer.with(Block::Table(table)).say(say("only-perfect"));
    if found.stopped {
        answer = answer.say(say("compare-stopped"));
    }
    Ok(answer)
}

pub(super) fn mean(summary: &Summary) -> [Cell; 2] {
    match (summary.mean, summary.interval) {
        (Some(mean), Some([low, high])) => [
            Cell::decimal(mean, 2),
            Cell::Span(Figure::Decimal(low, 2), Figure::Decimal(high, 2)),
        ],
        _ => [Cell::Empty, Cell::Empty],
    }
}
