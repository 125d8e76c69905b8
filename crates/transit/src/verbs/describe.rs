//! `transit describe`: what is in a timetable.

use wits_desk::{Answer, Block, Cell, Cost, Served, Table, Verb};
use wits_game::Figure;

use super::{ask, day, feed_params, heads, whole};
use crate::describe::Description;
use crate::thread::WORDS;

pub(super) fn verb() -> Verb {
    let mut params = feed_params();
    let feed = params.remove(0);
    params.insert(0, feed.placed().shown_as("FEED"));
    Verb {
        id: "describe",
        about: WORDS.say("verb-describe"),
        params,
        examples: &["wits transit describe city.zip --date 2024-04-22"],
        served: Served::Everywhere,
        cost: Cost::READING,
        run: |args, shelf, work| {
            ask(args, shelf, work, |planner| {
                let told = planner.describe();
                let mut answer = Answer::of(&told).say(day(planner));
                answer.blocks.extend(blocks(&told));
                Ok(answer)
            })
        },
    }
}

/// The report's analysis of its data.
fn blocks(told: &Description) -> Vec<Block> {
    let shape = WORDS
        .say("timetable-shape")
        .with("stops", whole(told.stops))
        .with("names", whole(told.names))
        .with("lines", whole(told.lines))
        .with("trips", whole(told.trips));
    let hops = WORDS
        .say("hops")
        .with("hops", whole(told.connections))
        .with("today", whole(told.connections_of_day))
        .with("instant", whole(told.instant_hops))
        .with("unserved", whole(told.stops_without_service));
    let mut says = vec![shape, hops];
    says.extend(told.most_parallel.as_ref().map(|pair| {
        let says = WORDS.say("most-hops").with("from", &pair.from);
        says.with("to", &pair.to)
            .with("n", whole(pair.value as i64))
    }));
    says.extend(told.night_gap.map(|(from, to)| {
        let says = WORDS.say("night-gap").with("from", from.to_string());
        says.with("to", to.to_string())
    }));
    says.extend(told.farthest.as_ref().map(|pair| {
        let says = WORDS.say("farthest").with("one", &pair.from);
        says.with("other", &pair.to)
            .with("km", Figure::Decimal(pair.value, 2))
    }));
    says.extend(told.fastest.as_ref().map(|hop| {
        let says = WORDS.say("fastest").with("line", &hop.line);
        says.with("from", &hop.from)
            .with("to", &hop.to)
            .with("kmh", Figure::Decimal(hop.kmh, 0))
    }));
    let mut blocks: Vec<Block> = says.into_iter().map(Block::Says).collect();
    let columns = heads(&["name", "stops", "metres"]);
    let names = Table::new("names", WORDS.say("title-names"), columns);
    let names = told.widest_names.iter().fold(names, |table, one| {
        let metres = Cell::decimal(one.metres, 0);
        table.row(vec![Cell::text(&one.name), Cell::whole(one.stops), metres])
    });
    let twice = Table::new("twice", WORDS.say("title-twice"), heads(&["line", "name"]));
    let lines = told.lines_through_one_name_twice.iter().take(10);
    let twice = lines.fold(twice, |table, (line, name)| {
        table.row(vec![Cell::text(line), Cell::text(name)])
    });
    let full = [names, twice].into_iter().filter(|t| !t.rows.is_empty());
    blocks.extend(full.map(Block::Table));
    blocks
}
