//! `transit generate` and `transit pack`: timetables made and packed into one small file.

use serde_json::json;
use wits_desk::{Answer, Args, Block, Cost, File, Param, Served, Verb, Work};
use wits_game::Seed;

use super::{feed, unreadable, whole};
use crate::city::{CityPlan, generate};
use crate::pack;
use crate::thread::WORDS;
use crate::timetable::Timetable;

fn out() -> Param {
    let out = Param::output("out", &WORDS, "param-out");
    out.required().short('o')
}

pub(super) fn generate_verb() -> Verb {
    let usual = CityPlan::default().seed.number() as i64;
    let seed = Param::int("seed", 0, i64::MAX, usual, &WORDS, "param-seed");
    Verb {
        id: "generate",
        about: WORDS.say("verb-generate"),
        params: vec![feed::size(), seed, out()],
        examples: &["wits transit generate --size 0.5 --seed 7 -o city.wits"],
        served: Served::Terminal,
        cost: Cost::QUICK,
        run: |args, _, work| {
            let plan = CityPlan {
                seed: Seed::new(args.int("seed") as u64),
                size: args.real("size"),
            };
            Ok(packed(&generate(&plan), args, work))
        },
    }
}

pub(super) fn pack_verb() -> Verb {
    let feed = Param::file(feed::FEED, &WORDS, "param-the-feed");
    let feed = feed.positional().folder().shown_as("FEED");
    Verb {
        id: "pack",
        about: WORDS.say("verb-pack"),
        params: vec![
            feed,
            out(),
            Param::flag("prepare", false, &WORDS, "param-prepare"),
            feed::projection(),
        ],
        examples: &[
            "wits transit pack city.zip -o city.wits",
            "wits transit pack country.zip -o country.wits --prepare",
        ],
        served: Served::Terminal,
        cost: Cost::QUICK,
        run: |args, shelf, work| {
            let read = feed::read(args, shelf, work)?;
            let name = args.text(feed::FEED);
            let (mut table, _) = read.map_err(|error| unreadable(name, &error))?;
            if args.flag("prepare") {
                table.prepare();
            }
            Ok(packed(&table, args, work))
        },
    }
}

fn packed(table: &Timetable, args: &Args, work: &Work<'_>) -> Answer {
    let (bytes, path) = (pack::write(table), args.text("out"));
    let (stops, lines, trips) = (table.stops.len(), table.lines.len(), table.trips.len());
    let connections = table.connections();
    let millis = (work.seconds() * 1e3) as u64;
    let answer = Answer::yes(json!({
        "file": path, "bytes": bytes.len(), "title": table.title, "stops": stops, "lines": lines,
        "trips": trips, "connections": connections, "millis": millis,
    }));
    let said = WORDS
        .say("packed")
        .with("file", path)
        .with("stops", whole(stops))
        .with("lines", whole(lines))
        .with("trips", whole(trips))
        .with("hops", whole(connections))
        .with("bytes", whole(bytes.len()));
    answer.say(said).with(Block::File(File {
        name: "out".to_owned(),
        file: "timetable.wits".to_owned(),
        title: WORDS.say("file-timetable"),
        mime: "application/octet-stream".to_owned(),
        bytes,
    }))
}
