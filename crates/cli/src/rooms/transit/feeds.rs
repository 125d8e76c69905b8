//! What a timetable holds, and timetables made and packed.

use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use serde_json::json;
use wits_transit::{CityPlan, Unreadable, generate, names, pack};

use super::args::{CheckArgs, GenerateArgs, PackArgs, StopsArgs};
use super::feed::{self, open};
use super::yes;
use crate::Answer;
use crate::out::Out;
use crate::shelf::write_whole;

pub(super) fn stops(args: &StopsArgs, out: &Out) -> Result<Answer> {
    let (table, _) = args.feed.table()?;
    let found = match &args.name {
        Some(name) => names::find(&table, name, args.limit),
        None => table
            .names
            .iter()
            .take(args.limit)
            .flat_map(|name| names::find(&table, name, 1))
            .collect(),
    };
    out.tell(&json!({"stops": found, "names": table.names.len()}), || {
        let mut text = String::new();
        for one in &found {
            let _ = writeln!(text, "{}", one.name);
            for post in &one.posts {
                let at = post.lat.zip(post.lon);
                let at = at.map_or(String::new(), |(lat, lon)| format!("{lat:.5}, {lon:.5}"));
                let _ = writeln!(
                    text,
                    "  #{:<10} {at:<22} lines {}",
                    post.code,
                    post.lines.join(" ")
                );
            }
        }
        if table.names.len() > found.len() {
            let _ = writeln!(text, "{} of {} names", found.len(), table.names.len());
        }
        text
    })?;
    Ok(yes(!found.is_empty()))
}

pub(super) fn check(args: &CheckArgs, out: &Out) -> Result<Answer> {
    let read = feed::read(&args.feed, args.projection);
    let (table, diagnosis) = match read? {
        Ok((table, diagnosis)) => (Some(table), diagnosis),
        // A feed without a usable trip still says why, row by row.
        Err(Unreadable::Feed(wits_transit::BadFeed::Empty(diagnosis))) => (None, diagnosis),
        Err(other) => return Err(feed::unreadable(&args.feed, &other)),
    };
    let counts = table
        .as_ref()
        .map(|t| (t.stops.len(), t.lines.len(), t.trips.len()));
    let (stops, lines, trips) = counts.unwrap_or_default();
    let value = json!({
        "file": args.feed, "usable": table.is_some(), "rows": diagnosis.rows, "dropped": diagnosis.dropped(),
        "stops": stops, "lines": lines, "trips": trips, "findings": diagnosis.findings,
    });
    out.tell(&value, || {
        let head = format!(
            "{}: {} rows, {} dropped; {stops} stops, {lines} lines, {trips} trips\n",
            args.feed.display(),
            diagnosis.rows,
            diagnosis.dropped()
        );
        diagnosis.findings.iter().fold(head, |text, one| {
            let remedy = format!("{:?}", one.remedy).to_lowercase();
            text + &format!(
                "{}:{}: {} ({} rows {remedy}), such as `{}`\n",
                one.file, one.first_line, one.what, one.rows, one.example
            )
        })
    })?;
    Ok(yes(table.is_some()))
}

pub(super) fn make(args: &GenerateArgs, out: &Out) -> Result<Answer> {
    let plan = CityPlan {
        seed: args.seed.seed.unwrap_or(CityPlan::default().seed),
        size: args.size,
    };
    let begin = Instant::now();
    let table = generate(&plan);
    keep_packed(&table, &args.out, &begin, out)
}

pub(super) fn packed(args: &PackArgs, out: &Out) -> Result<Answer> {
    let begin = Instant::now();
    let (table, _) = open(&args.feed, args.projection)?;
    keep_packed(&table, &args.out, &begin, out)
}

fn keep_packed(
    table: &wits_transit::Timetable,
    path: &Path,
    begin: &Instant,
    out: &Out,
) -> Result<Answer> {
    let bytes = pack::write(table);
    write_whole(path, &bytes)?;
    let connections: usize = table
        .trips
        .iter()
        .map(|trip| table.stops_of(trip.pattern).len().saturating_sub(1))
        .sum();
    let value = json!({
        "file": path, "bytes": bytes.len(), "title": table.title, "stops": table.stops.len(), "lines": table.lines.len(),
        "trips": table.trips.len(), "connections": connections, "millis": begin.elapsed().as_millis() as u64,
    });
    out.tell(&value, || {
        format!(
            "{}: {} stops, {} lines, {} trips, {connections} hops in {} bytes",
            path.display(),
            table.stops.len(),
            table.lines.len(),
            table.trips.len(),
            bytes.len()
        )
    })?;
    Ok(Answer::Yes)
}
