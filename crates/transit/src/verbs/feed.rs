//! What most verbs take: a timetable, a day and a way of walking.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use wits_desk::{Args, Param, Refusal, Shelf, Work, unread};

use super::{refusal, unplanned, unreadable, word};
use crate::archive::Archive;
use crate::city::{CityPlan, generate};
use crate::diagnosis::Diagnosis;
use crate::feed::{Unreadable, read_feed_within};
use crate::geo::Projection;
use crate::gtfs;
use crate::limits::{FeedLimits, Halt, Quantity};
use crate::planner::Planner;
use crate::realtime::{self, Realtime};
use crate::thread::WORDS;
use crate::timetable::Timetable;

/// The parameter that names a timetable; under the same name a shelf may hold its [`Planner`].
pub(super) const FEED: &str = "feed";

/// The parameter that names a realtime feed.
pub(super) const REALTIME: &str = "realtime";

/// On a shelf: the timetable that is meant where none is named. No file has such a name.
pub const LENT: &str = "\0feed";

/// On a shelf: what is known of the trips of [`LENT`], kept as JSON.
pub const LENT_LIVE: &str = "\0realtime";

/// A timetable, a day and a way of walking.
pub fn params() -> Vec<Param> {
    vec![
        Param::file(FEED, &WORDS, "param-feed")
            .shown_as("FILE")
            .folder(),
        size(),
        Param::text("date", &WORDS, "param-date").shown_as("DATE"),
        Param::choice(
            "walk",
            &["real", "report", "none"],
            "real",
            &WORDS,
            "param-walk",
        )
        .shown_as("MODEL"),
        projection(),
        Param::file(REALTIME, &WORDS, "param-realtime").shown_as("FILE"),
    ]
}

pub(super) fn size() -> Param {
    Param::real("size", 0.02, 1000.0, 1.0, &WORDS, "param-size").shown_as("SIZE")
}

pub(super) fn projection() -> Param {
    let words = ["ellipsoid", "sphere"];
    Param::choice(
        "projection",
        &words,
        "ellipsoid",
        &WORDS,
        "param-projection",
    )
    .shown_as("HOW")
}

/// What is wrong with a feed and can be lived with, beside its timetable.
type Reading = Result<(Timetable, Diagnosis), Unreadable>;

/// The name of the timetable on the shelf, if one was named or is lent.
fn named<'a>(args: &'a Args, shelf: &Shelf) -> Option<&'a str> {
    let lent = || (shelf.has(LENT) && !args.given("size")).then_some(LENT);
    args.text_if(FEED).or_else(lent)
}

/// Reads a feed: a file, or a folder of GTFS files.
pub(super) fn read(args: &Args, shelf: &Shelf, work: &Work<'_>) -> Result<Reading, Refusal> {
    let name = named(args, shelf).unwrap_or_default();
    let title = Path::new(name).file_stem().unwrap_or_default();
    let title = title.to_string_lossy();
    let projection = match args.text("projection") {
        "sphere" => Projection::Sphere,
        _ => Projection::Ellipsoid,
    };
    let (limits, budget) = (FeedLimits::TERMINAL, work.budget());
    let text = |file: &&str| {
        let path = Path::new(file);
        path.parent() == Some(Path::new(name)) && path.extension().is_some_and(|e| e == "txt")
    };
    let texts: Vec<&str> = shelf.names().filter(text).collect();
    if !shelf.has(name) && !texts.is_empty() {
        let files = texts
            .into_iter()
            .map(|file| Ok((file.to_owned(), shelf.open(file)?)));
        let files: Vec<(String, Box<dyn Read + '_>)> = files.collect::<Result<_, Refusal>>()?;
        let read = gtfs::read(Archive::readers(files), &title, projection, limits, budget);
        return Ok(read.map_err(Unreadable::from));
    }
    let most = limits.zipped;
    let mut bytes = Vec::new();
    let mut file = shelf.open(name)?.take(most + 1);
    file.read_to_end(&mut bytes).map_err(|e| unread(name, &e))?;
    if bytes.len() as u64 > most {
        let what = Quantity::Zipped;
        return Ok(Err(Halt::TooLarge { what, most }.into()));
    }
    let cores = rayon::current_num_threads();
    let read = read_feed_within(&bytes, &title, projection, cores, limits, budget);
    Ok(read)
}

/// The timetable that was named or lent, or the generated city.
pub fn table(args: &Args, shelf: &Shelf, work: &Work<'_>) -> Result<Timetable, Refusal> {
    if named(args, shelf).is_none() {
        let size = args.real("size");
        return Ok(generate(&CityPlan {
            size,
            ..CityPlan::default()
        }));
    }
    if args.given("size") {
        return Err(not_both("size", FEED));
    }
    let read = read(args, shelf, work)?;
    let (table, _) = read.map_err(|error| unreadable(args.text(FEED), &error))?;
    Ok(table)
}

/// The timetable on its day: the one that the house keeps ready, or a fresh one.
pub fn planner(args: &Args, shelf: &Shelf, work: &Work<'_>) -> Result<Arc<Planner>, Refusal> {
    if let Some(ready) = shelf.made(FEED) {
        return Ok(ready);
    }
    let walking = word(args.text("walk"))?;
    let date = args.text_if("date").map(word).transpose()?;
    let table = Arc::new(table(args, shelf, work)?);
    let (limits, budget) = (FeedLimits::TERMINAL, work.budget());
    let made = match realtime_of(args, shelf, &table)? {
        Some(live) => Planner::live(table, walking, date, &live, limits, budget),
        None => Planner::within(table, walking, date, limits, budget),
    };
    made.map(Arc::new).map_err(|error| unplanned(&error))
}

/// The realtime feed that was named or lent, read beside its timetable.
fn realtime_of(args: &Args, shelf: &Shelf, table: &Timetable) -> Result<Option<Realtime>, Refusal> {
    let name = match args.text_if(REALTIME) {
        Some(_) if !args.given(FEED) => return Err(needs(REALTIME, FEED)),
        Some(name) => name,
        None if named(args, shelf) == Some(LENT) && shelf.has(LENT_LIVE) => LENT_LIVE,
        None => return Ok(None),
    };
    let mut bytes = Vec::new();
    let mut file = shelf.open(name)?.take(realtime::LARGEST as u64 + 1);
    file.read_to_end(&mut bytes).map_err(|e| unread(name, &e))?;
    // What a page read before it keeps as JSON.
    if bytes.starts_with(b"{") {
        let why = WORDS.say("not-of-this-feed").with("name", name);
        let kept = Realtime::kept(&bytes, table);
        return kept.ok_or_else(|| refusal("bad-realtime", &why)).map(Some);
    }
    let read = realtime::read(&bytes, table);
    read.map(Some)
        .map_err(|e| refusal("bad-realtime", &format!("`{name}`: {e}")))
}

/// A parameter that only makes sense with another.
pub(super) fn needs(name: &'static str, other: &'static str) -> Refusal {
    let why = WORDS
        .say("only-with")
        .with("name", name)
        .with("other", other);
    refusal("bad-value", &why)
}

/// Two parameters of which only one makes sense.
pub(super) fn not_both(one: &'static str, other: &'static str) -> Refusal {
    let why = WORDS.say("not-both").with("one", one).with("other", other);
    refusal("bad-value", &why)
}
