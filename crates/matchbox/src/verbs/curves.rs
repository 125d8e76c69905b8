//! `matchbox curves`: the learning curves of beads and of every other way to learn, with bands.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use serde_json::json;
use wits_desk::{
    Answer, Args, Block, Cell, Cost, Param, Picture, Refusal, Run, Served, Table, Verb, Work,
};
use wits_game::{Figure, Message};

use super::{Find, chart, fresh, heads, kind_params, say};
use crate::learner::{Learning, Method};
use crate::svg::learning_curve;
use crate::train::{Course, Trained, train};
use crate::{Opponent, WORDS};

/// Every way to learn, one after the other.
const ALL: &str = "all";

pub(super) fn verb(run: Run) -> Verb {
    let mut ways = vec![ALL];
    ways.extend(Method::ALL.map(Method::name));
    let opponent = Param::text("opponent", &WORDS, "param-opponent");
    let mut params = kind_params();
    params.extend([
        Param {
            default: Some("random".to_owned()),
            ..opponent
        }
        .shown_as("O")
        .offering(&["random", "perfect", "punishing", "skilled:0.5"]),
        Param::choice("learner", &ways, ALL, &WORDS, "param-learner").shown_as("L"),
        Param::int("machines", 1, 1_000_000, 200, &WORDS, "param-machines-each").shown_as("N"),
        Param::int("games", 1, 1_000_000, 200, &WORDS, "param-games").shown_as("G"),
        Param::seed(&WORDS, "param-seed"),
    ]);
    Verb {
        id: "curves",
        about: say("verb-curves"),
        params,
        examples: &[
            "wits matchbox curves --machine her --opponent perfect --seed 1",
            "wits matchbox curves --game nim --learner q --machines 500 --seed 1",
        ],
        served: Served::Everywhere,
        cost: Cost::LONG,
        run,
    }
}

/// Sends copies of a machine to the same school, once for each way to learn.
///
/// # Errors
/// A machine that cannot be built, or an opponent that there is not.
pub fn curves(args: &Args, work: &mut Work<'_>, find: Find) -> Result<Answer, Refusal> {
    let machine = fresh(args, find)?;
    let opponent = args.text("opponent").parse::<Opponent>();
    let opponent = opponent.map_err(|unknown| {
        let why = Message::plain(unknown.to_string());
        Refusal::new("unknown-opponent", why, say("opponent-hint"))
    })?;
    let chart = chart(&machine)?;
    let wanted = args.text("learner");
    let ways: Vec<Method> = Method::ALL
        .into_iter()
        .filter(|way| wanted == ALL || wanted == way.name())
        .collect();
    let (machines, games) = (args.int("machines") as u64, args.int("games") as u32);
    let seed = args.seed();
    let (done, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let threads = work.threads();
    let total = machines * ways.len() as u64;
    let found: Vec<Trained> = work.counting(&done, Some(total), |budget| {
        let course = |way: Method| Course {
            threads,
            learning: Learning::new(way),
            ..Course::new(machines, games, seed)
        };
        let school = |(at, &way): (usize, &Method)| {
            let before = at as u64 * machines;
            let report = |machines: u64| {
                done.fetch_max(before + machines, Ordering::Relaxed);
                if budget.stopped() || budget.late() {
                    stop.store(true, Ordering::Relaxed);
                }
            };
            train(&chart, &machine, &opponent, &course(way), &report, &stop)
        };
        let all = ways.iter().enumerate().map(school);
        all.take_while(|trained| !trained.stopped).collect()
    });
    let title = say("curves")
        .with("machine", machine.name())
        .with("opponent", opponent.to_string())
        .with("machines", Figure::whole(machines))
        .with("games", Figure::whole(games));
    let keys = [
        "learner",
        "score-at-end",
        "eighty",
        "became-perfect",
        "games-to-perfect",
        "interval",
    ];
    let mut table = Table::new("learners", title, heads(&keys));
    for one in &found {
        let mut cells = vec![Cell::text(one.learner.name())];
        match one.curve.last() {
            Some(end) => cells.extend([
                Cell::share(end.score.median),
                Cell::shares([end.score.low, end.score.high]),
            ]),
            None => cells.extend([Cell::Empty, Cell::Empty]),
        }
        cells.push(Cell::share(one.perfect as f64 / one.machines.max(1) as f64));
        cells.extend(super::compare::mean(&one.games_to_perfect));
        table = table.row(cells);
    }
    let mut answer = Answer::yes(json!({
        "machine": machine.name(), "game": machine.cabinet().game(), "seed": seed.number(),
        "learners": found, "seconds": work.seconds(),
    }));
    answer = answer.with(Block::Table(table)).say(say("only-perfect"));
    if found.len() < ways.len() {
        answer = answer.say(say("compare-stopped"));
    }
    for one in &found {
        let name = one.learner.name();
        answer = answer.with(Block::Picture(Picture {
            name: name.to_owned(),
            title: say("curve-of").with("learner", name),
            svg: learning_curve(one),
        }));
    }
    Ok(answer)
}
