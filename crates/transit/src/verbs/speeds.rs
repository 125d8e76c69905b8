//! `transit speeds`: how often A* goes wrong and how much work it saves, by its heuristic.

use serde_json::json;
use wits_desk::{Answer, Block, Cell, Cost, Param, Picture, Refusal, Served, Table, Verb};

use super::{ask, day, heads, refusal, whole, with_feed};
use crate::algo::Heuristic;
use crate::ask::{Algorithm, Graph};
use crate::plot::Plot;
use crate::study::{Boldness, with_threads};
use crate::thread::WORDS;

pub(super) fn verb() -> Verb {
    let own = [
        Param::int("queries", 1, 10_000_000, 100, &WORDS, "param-queries"),
        Param::text("speeds", &WORDS, "param-speeds")
            .shown_as("KMH,...")
            .offering(&["10,15,20,25,30,40,60,80"]),
        Param::seed(&WORDS, "param-seed"),
    ];
    Verb {
        id: "speeds",
        about: WORDS.say("verb-speeds"),
        params: with_feed(own),
        examples: &["wits transit speeds --feed city.zip --queries 200 --seed 1"],
        served: Served::Everywhere,
        cost: Cost::LONG,
        run: |args, shelf, work| {
            let speeds = args.text_if("speeds").unwrap_or("10,15,20,25,30,40,60,80");
            let speeds: Vec<f64> = speeds.split(',').map(kmh).collect::<Result<_, _>>()?;
            let seed = args.seed();
            let queries = args.int("queries") as usize;
            ask(args, shelf, work, |planner| {
                let study = || planner.speeds(queries, seed, &speeds);
                let told = with_threads(work.threads(), study);
                let mut answer = Answer::of(&told).say(day(planner));
                answer.data["seed"] = json!(seed);
                let said = WORDS.say("asked-queries").with("n", whole(told.queries));
                let answer = answer.say(said);
                let time = table("speeds", "title-by-time", &["minutes-lost"], &told.speeds);
                let heads = &["vehicles-more", "minutes-later"];
                let vehicles = table("transfers", "title-by-vehicles", heads, &told.transfers);
                let curve = Block::Picture(boldness_plot(&told.speeds));
                let answer = answer.with(curve).with(Block::Table(time));
                Ok(answer.with(Block::Table(vehicles)))
            })
        },
    }
}

fn kmh(text: &str) -> Result<f64, Refusal> {
    let speed = text.trim().parse().ok();
    let speed = speed.filter(|speed: &f64| *speed > 0.0 && speed.is_finite());
    speed.ok_or_else(|| refusal("bad-value", &WORDS.say("bad-speed").with("text", text)))
}

fn table(name: &str, title: &'static str, lost: &[&'static str], rows: &[Boldness]) -> Table {
    let columns = [&["heuristic", "wrong"], lost, &["settled", "work"]].concat();
    let table = Table::new(name, WORDS.say(title), heads(&columns));
    rows.iter().fold(table, |table, row| {
        let name = Algorithm::Astar(Graph::Expanded, row.heuristic).to_string();
        let mut cells = vec![Cell::text(name), Cell::share(row.wrong)];
        let means = [row.mean_excess, row.mean_late].into_iter();
        cells.extend(means.take(lost.len()).map(|x| Cell::decimal(x + 0.0, 2)));
        cells.extend([Cell::decimal(row.settled, 0), Cell::share(row.work)]);
        table.row(cells)
    })
}

/// How often A* is wrong against how much work it does, speed by speed.
pub fn boldness_plot(rows: &[Boldness]) -> Picture {
    let dot = |row: &Boldness| {
        let label = match row.heuristic {
            Heuristic::Speed { kmh } => format!("{kmh}"),
            _ => String::new(),
        };
        (100.0 * row.work, 100.0 * row.wrong, label)
    };
    let speeds = rows
        .iter()
        .filter(|r| matches!(r.heuristic, Heuristic::Speed { .. }));
    let mut dots: Vec<(f64, f64, String)> = speeds.map(dot).collect();
    dots.sort_by(|a, b| a.0.total_cmp(&b.0));
    Plot {
        name: "curve",
        title: WORDS.say("title-curve"),
        axes: [WORDS.say("axis-work"), WORDS.say("axis-wrong")],
        across: (0.0, 100.0),
        ticks: (20.0, &|share| format!("{share:.0} %")),
        dots,
        joined: true,
    }
    .picture()
}
