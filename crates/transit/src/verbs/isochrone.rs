//! `transit isochrone`: where one can be within so many minutes.

use wits_desk::{Answer, Block, Cell, Cost, Param, Served, Table, Verb};

use super::{ask, at_param, day, heads, place, proof, time, whole, with_feed};
use crate::proof::Proof;
use crate::reach::Isochrone;
use crate::thread::WORDS;

pub(super) fn verb() -> Verb {
    let own = [
        Param::text("stop", &WORDS, "param-stop")
            .positional()
            .shown_as("STOP"),
        at_param(),
        Param::int("minutes", 0, 2880, 30, &WORDS, "param-minutes")
            .required()
            .shown_as("M"),
        Param::int("window", 0, 1440, 0, &WORDS, "param-window").shown_as("M"),
    ];
    Verb {
        id: "isochrone",
        about: WORDS.say("verb-isochrone"),
        params: with_feed(own.into_iter().chain(proof::params())),
        examples: &[
            "wits transit isochrone Rynek --feed city.zip --at 8:00 --minutes 20",
            "wits transit isochrone Rynek --feed city.zip --at 8:00 --minutes 20 --certify --certificate reach.json",
        ],
        served: Served::Everywhere,
        cost: Cost::READING,
        run: |args, shelf, work| {
            ask(args, shelf, work, |planner| {
                let (from, at) = (place(planner, args.text("stop"))?, time(args)?);
                let (minutes, window) = (args.int("minutes") as i32, args.int("window") as i32);
                let (told, proof) = if proof::wanted(args)? {
                    let (told, proof) = planner.prove_isochrone(&from, at, minutes, window);
                    (told, Some(Proof::Departures(proof)))
                } else {
                    (planner.isochrone(&from, at, minutes, window), None)
                };
                let said = WORDS
                    .say("reached")
                    .with("n", whole(told.reached.len()))
                    .with("all", whole(told.stops))
                    .with("minutes", whole(minutes));
                let answer = Answer::of(&told).say(day(planner)).say(said);
                let answer = answer.with(Block::Table(isochrone_table(&told, window > 0)));
                Ok(proof::checked(planner, args, answer, proof.as_ref()))
            })
        },
    }
}

/// Stops within reach, nearest first; over a window with the best and the worst departure.
pub fn isochrone_table(told: &Isochrone, window: bool) -> Table {
    let columns = &["stop", "min", "best", "worst"][..if window { 4 } else { 2 }];
    let table = Table::new("reached", WORDS.say("title-reached"), heads(columns));
    told.reached.iter().fold(table, |table, one| {
        let mut row = vec![Cell::text(&one.stop), Cell::whole(one.minutes)];
        if window {
            row.push(Cell::whole(one.best));
            row.push(one.worst.map_or(Cell::Empty, Cell::whole));
        }
        table.row(row)
    })
}
