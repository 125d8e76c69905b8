//! `transit stops`: stops by name.

use std::sync::Arc;

use serde_json::json;
use wits_desk::{Answer, Block, Cell, Cost, Param, Served, Table, Verb};

use super::{feed, given, heads, whole, with_feed};
use crate::names;
use crate::planner::Planner;
use crate::thread::WORDS;

pub(super) fn verb() -> Verb {
    let name = Param::text("name", &WORDS, "param-name").positional();
    let own = [
        name.optional().shown_as("NAME"),
        Param::int("limit", 1, 1_000_000, 20, &WORDS, "param-limit"),
    ];
    Verb {
        id: "stops",
        about: WORDS.say("verb-stops"),
        params: with_feed(own),
        examples: &["wits transit stops swidnicka --feed city.zip"],
        served: Served::Everywhere,
        cost: Cost::READING,
        run: |args, shelf, work| {
            // Names need no day: a calendar without service has stops, too.
            let table = match shelf.made::<Planner>(feed::FEED) {
                Some(ready) => Arc::clone(&ready.table),
                None => Arc::new(feed::table(args, shelf, work)?),
            };
            let limit = args.int("limit") as usize;
            let found = match args.text_if("name") {
                Some(name) => names::find(&table, name, limit),
                None => names::first(&table, limit),
            };
            let all = table.names.len();
            let answer = Answer::yes(json!({"stops": found, "names": all}));
            let columns = heads(&["stop", "id", "north", "east", "lines"]);
            let mut rows = Table::new("stops", WORDS.say("title-stops"), columns);
            for one in &found {
                for (n, post) in one.posts.iter().enumerate() {
                    let degrees = |x: Option<f64>| x.map_or(Cell::Empty, |x| Cell::decimal(x, 5));
                    rows = rows.row(vec![
                        Cell::text(if n == 0 { &one.name } else { "" }),
                        Cell::text(format!("#{}", post.code)),
                        degrees(post.lat),
                        degrees(post.lon),
                        Cell::text(post.lines.join(" ")),
                    ]);
                }
            }
            let said = WORDS
                .say("names-of")
                .with("n", whole(found.len()))
                .with("all", whole(all));
            let answer = answer.with(Block::Table(rows)).say(said);
            Ok(given(answer, !found.is_empty()))
        },
    }
}
