//! `transit profile`: all departures of a day that are worth knowing.

use wits_desk::{Answer, Block, Cell, Cost, Picture, Served, Table, Verb};

use super::{ask, day, ends, given, heads, place, proof, whole, with_feed};
use crate::plot::Plot;
use crate::proof::Proof;
use crate::reach::{DayProfile, Departure};
use crate::thread::WORDS;

pub(super) fn verb() -> Verb {
    Verb {
        id: "profile",
        about: WORDS.say("verb-profile"),
        params: with_feed(ends().into_iter().chain(proof::params())),
        examples: &[
            "wits transit profile Rynek Zoo --feed city.zip",
            "wits transit profile Rynek Zoo --feed city.zip --certify --certificate day.json",
        ],
        served: Served::Everywhere,
        cost: Cost::READING,
        run: |args, shelf, work| {
            ask(args, shelf, work, |planner| {
                let from = place(planner, args.text("from"))?;
                let to = place(planner, args.text("to"))?;
                let (told, proof) = if proof::wanted(args)? {
                    let (told, proof) = planner.prove_profile(&from, &to);
                    (told, Some(Proof::Departures(proof)))
                } else {
                    (planner.profile(&from, &to), None)
                };
                let mut answer = Answer::of(&told).say(day(planner));
                if let Some(minutes) = told.on_foot {
                    answer = answer.say(WORDS.say("on-foot").with("n", whole(minutes)));
                }
                let columns = ["departs", "arrives", "min", "transfers"];
                let table = Table::new("departures", WORDS.say("title-day"), heads(&columns));
                let table = told.departures.iter().fold(table, |table, one| {
                    table.row(vec![
                        Cell::text(one.departure.to_string()),
                        Cell::text(one.arrival.to_string()),
                        Cell::whole(one.minutes),
                        Cell::whole(one.transfers),
                    ])
                });
                let found = !told.departures.is_empty() || told.on_foot.is_some();
                let plot = Block::Picture(plot(&told));
                let answer = given(answer.with(plot).with(Block::Table(table)), found);
                Ok(proof::checked(planner, args, answer, proof.as_ref()))
            })
        },
    }
}

/// When one leaves, and how long it takes then.
fn plot(told: &DayProfile) -> Picture {
    let hour = |seconds: i32| f64::from(seconds) / 3600.0;
    let dot = |d: &Departure| (hour(d.departure.0), f64::from(d.minutes), String::new());
    Plot {
        name: "plot",
        title: WORDS.say("title-day-plot"),
        axes: [WORDS.say("departs"), WORDS.say("min")],
        across: (0.0, 24.0),
        ticks: (3.0, &|hour| format!("{hour:02.0}:00")),
        dots: told.departures.iter().map(dot).collect(),
        joined: false,
    }
    .picture()
}
