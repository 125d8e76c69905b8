//! `transit check`: what is wrong with a feed, file by file and line by line.

use serde_json::json;
use wits_desk::{Answer, Block, Cell, Cost, Param, Served, Table, Verb};

use super::{feed, given, heads, unreadable, whole};
use crate::diagnosis::Remedy;
use crate::feed::Unreadable;
use crate::gtfs::BadFeed;
use crate::thread::WORDS;

pub(super) fn verb() -> Verb {
    let feed = Param::file(feed::FEED, &WORDS, "param-the-feed");
    Verb {
        id: "check",
        about: WORDS.say("verb-check"),
        params: vec![
            feed.positional().folder().shown_as("FEED"),
            feed::projection(),
        ],
        examples: &["wits transit check city.zip"],
        served: Served::Everywhere,
        cost: Cost::READING,
        run: |args, shelf, work| {
            let name = args.text(feed::FEED);
            let (table, diagnosis) = match feed::read(args, shelf, work)? {
                Ok((table, diagnosis)) => (Some(table), diagnosis),
                // A feed without a usable trip still says why, row by row.
                Err(Unreadable::Feed(BadFeed::Empty(diagnosis))) => (None, diagnosis),
                Err(other) => return Err(unreadable(name, &other)),
            };
            let counts = table.as_ref();
            let counts = counts.map(|t| (t.stops.len(), t.lines.len(), t.trips.len()));
            let (stops, lines, trips) = counts.unwrap_or_default();
            let answer = Answer::yes(json!({
                "file": name, "usable": table.is_some(), "rows": diagnosis.rows, "dropped": diagnosis.dropped(),
                "stops": stops, "lines": lines, "trips": trips, "findings": diagnosis.findings,
            }));
            let said = WORDS
                .say("checked")
                .with("file", name)
                .with("rows", whole(diagnosis.rows))
                .with("dropped", whole(diagnosis.dropped()))
                .with("stops", whole(stops))
                .with("lines", whole(lines))
                .with("trips", whole(trips));
            let mut answer = answer.say(said);
            if !diagnosis.findings.is_empty() {
                let columns = ["file", "first-line", "what", "rows", "remedy", "example"];
                let findings = Table::new("findings", WORDS.say("title-findings"), heads(&columns));
                let findings = diagnosis.findings.iter().fold(findings, |table, one| {
                    let remedy = match one.remedy {
                        Remedy::Repaired => "repaired",
                        Remedy::Dropped => "dropped",
                        Remedy::Noted => "noted",
                    };
                    table.row(vec![
                        Cell::text(&one.file),
                        Cell::whole(one.first_line),
                        Cell::text(&one.what),
                        Cell::whole(one.rows),
                        Cell::Says(WORDS.say(remedy)),
                        Cell::text(&one.example),
                    ])
                });
                answer = answer.with(Block::Table(findings));
            }
            Ok(given(answer, table.is_some()))
        },
    }
}
