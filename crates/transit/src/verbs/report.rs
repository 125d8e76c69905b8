//! `transit report`: every query and tour that the report prints, repeated.

use serde_json::json;
use wits_desk::{Answer, Block, Cell, Cost, Served, Table, Verb};

use super::{ask, day, feed_params, given, heads};
use crate::thread::WORDS;

pub(super) fn verb() -> Verb {
    Verb {
        id: "report",
        about: WORDS.say("verb-report"),
        params: feed_params(),
        examples: &["wits transit report --feed wroclaw.zip --walk report"],
        served: Served::Everywhere,
        cost: Cost::READING,
        run: |args, shelf, work| {
            ask(args, shelf, work, |planner| {
                let told = planner.report();
                let columns = heads(&["figure", "asked", "the-report", "ours"]);
                let table = Table::new("printed", WORDS.say("title-printed"), columns);
                let table = told.iter().fold(table, |table, one| {
                    let ours = Cell::text(&one.ours);
                    let asked = Cell::text(&one.asked);
                    table.row(vec![
                        Cell::text(one.figure),
                        asked,
                        Cell::text(one.report),
                        ours,
                    ])
                });
                let data = json!({"date": planner.date(), "printed": told});
                let answer = Answer::yes(data).say(day(planner));
                let found = told.iter().any(|one| one.ours_value.is_some());
                Ok(given(answer.with(Block::Table(table)), found))
            })
        },
    }
}
