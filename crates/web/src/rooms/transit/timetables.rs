//! Whose timetable it is: the generated city, or one that the visitor brought.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use serde_json::json;
use wits_desk::{Args, Verb};
use wits_game::Seed;
use wits_play::{Budget, Shelf};
use wits_sandbox::Items;
use wits_store::{Item, Over, Store};
use wits_transit::realtime::Realtime;
use wits_transit::{
    Boldness, CityPlan, Date, NoService, Planner, Time, Walking, generate, names, pack, verbs,
};

use super::PATIENCE;
use super::asked::{Asked, Wrong, lines_of, sentence};
use super::house::{House, Shown};
use super::upload::{FEED, LIMITS, ReadLive, Validate};
use crate::desk::Ready;
use crate::own::Put;
use crate::pages::say;
use crate::routes::blocking;
use crate::sandbox::Order;
use crate::think::think;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// The most bytes of a timetable that somebody brings.
pub(super) const LARGEST: usize = LIMITS.zipped as usize;
/// What brought timetables are called in the store.
const KIND: &str = "timetable";
/// What is known of their trips today.
const LIVE: &str = super::upload::LIVE;
/// How many planners of brought timetables are held at once.
const HELD_MOST: usize = 3;
/// Assumed speeds of the study, km/h.
pub(super) const SPEEDS: [f64; 14] = [
    5.0, 8.0, 10.0, 12.0, 15.0, 18.0, 20.0, 25.0, 30.0, 35.0, 40.0, 50.0, 60.0, 80.0,
];
/// Queries of the study.
pub(crate) const QUERIES: usize = 120;

/// A planner, and what was worked out for it.
#[derive(Debug)]
pub(crate) struct Desk {
    pub(crate) planner: Arc<Planner>,
    study: Arc<OnceLock<Vec<Boldness>>>,
    pairs: Arc<OnceLock<Vec<(String, String)>>>,
}

impl Desk {
    fn new(planner: Planner) -> Arc<Desk> {
        Arc::new(Desk {
            planner: Arc::new(planner),
            study: Arc::default(),
            pairs: Arc::default(),
        })
    }

    /// Asks something that must be answered within a budget.
    pub(super) fn within<T>(
        &self,
        budget: &Budget,
        work: impl FnOnce(&Desk) -> T,
    ) -> Result<T, Wrong> {
        let (study, pairs) = (Arc::clone(&self.study), Arc::clone(&self.pairs));
        let ask = |planner| {
            work(&Desk {
                planner: Arc::new(planner),
                study,
                pairs,
            })
        };
        let found = self.planner.ask(budget, ask);
        found.map_err(|halt| Wrong::Said(verbs::halted(&halt)))
    }

    /// Journeys worth trying first, of usual length.
    pub(super) fn pairs(&self) -> Vec<(String, String)> {
        if let Some(known) = self.pairs.get() {
            return known.clone();
        }
        let pairs = self.planner.typical_pairs(Time::hm(8, 0), 3);
        if !self.planner.stopped() {
            let _ = self.pairs.set(pairs.clone());
        }
        pairs
    }

    /// How A* fares with assumed speeds, on a population of random queries.
    pub(crate) fn study(&self) -> Vec<Boldness> {
        if let Some(known) = self.study.get() {
            return known.clone();
        }
        let study = self.planner.speeds_on_stops(QUERIES, Seed::new(1), &SPEEDS);
        // Half a study is shown to nobody else.
        if !self.planner.stopped() {
            let _ = self.study.set(study.clone());
        }
        study
    }
}

/// The generated city: everybody's, and that of the lesson on A*.
pub(crate) fn city() -> &'static Arc<Desk> {
    static CITY: OnceLock<Arc<Desk>> = OnceLock::new();
    CITY.get_or_init(|| {
        let table = Arc::new(generate(&CityPlan::default()));
        let planner = Planner::new(table, Walking::Real, None);
        Desk::new(planner.expect("the generated city runs on working days"))
    })
}

/// What tells one desk from another: the hashes of its timetable and of what is known of its trips
/// today, the way of walking, the day.
type Key = (String, String, Walking, Option<Date>);

/// A desk that is held.
type Held = (Key, Arc<Desk>);

/// Which timetable is asked about: addresses of what somebody brought, or what the house shows.
#[derive(Clone, Default, Debug)]
struct Source {
    feed: Option<String>,
    live: Option<String>,
    house: Option<Shown>,
}

impl Source {
    fn new(house: &House, feed: Option<&str>, live: Option<&str>) -> Source {
        Source {
            feed: feed.map(str::to_owned),
            live: live.map(str::to_owned),
            house: house.shown().filter(|_| feed.is_none()),
        }
    }
}

/// Brought timetables and other days that are ready for questions, the last used at the end.
static HELD: Mutex<Vec<Held>> = Mutex::new(Vec::new());

fn held() -> MutexGuard<'static, Vec<Held>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A timetable on a day: one that somebody brought, or the generated city.
fn desk_of(
    store: &Store,
    source: &Source,
    walking: Walking,
    date: Option<Date>,
    budget: &Budget,
) -> Result<Arc<Desk>, Wrong> {
    let name = source.feed.as_deref();
    // A timetable keeps its address when it is replaced: what is held goes by the hash.
    let hash = match &source.house {
        Some(shown) => shown.name(),
        None => version(store, KIND, name)?,
    };
    if name.is_some() && hash.is_empty() {
        return Err(Wrong::Gone);
    }
    let live = version(store, LIVE, source.live.as_deref())?;
    if hash.is_empty() && date.is_none() && walking == Walking::Real {
        return Ok(Arc::clone(city()));
    }
    let key = (hash.clone(), live, walking, date);
    let same = {
        let mut held = held();
        if let Some(at) = held.iter().position(|h| h.0 == key) {
            let one = held.remove(at);
            let found = Arc::clone(&one.1);
            held.push(one);
            return Ok(found);
        }
        let same = held.iter().find(|h| h.0.0 == hash);
        same.map(|h| Arc::clone(&h.1.planner.table))
    };
    let table = match (same, name) {
        (Some(table), _) => table,
        (None, None) => match &source.house {
            Some(shown) => Arc::clone(&shown.table),
            None => Arc::clone(&city().planner.table),
        },
        (None, Some(name)) => {
            let blob = store.blob(KIND, name).map_err(Wrong::store)?;
            let bytes = blob.map(|b| b.bytes).unwrap_or_default();
            let read = pack::read_within(&bytes, LIMITS, budget);
            Arc::new(read.map_err(|e| Wrong::of(&e))?)
        }
    };
    let live = match &source.live {
        Some(name) => store.blob(LIVE, name).map_err(Wrong::store)?,
        None => None,
    };
    // What is known of another timetable's trips says nothing about these.
    let live = live.and_then(|blob| Realtime::kept(&blob.bytes, &table));
    let live = source
        .house
        .as_ref()
        .map_or(live.map(Arc::new), |shown| Some(Arc::clone(&shown.live)));
    let planned = Arc::clone(&table);
    let planner = match live {
        Some(live) => Planner::live(planned, walking, date, &live, LIMITS, budget),
        None => Planner::within(planned, walking, date, LIMITS, budget),
    };
    let planner = planner.map_err(|error| {
        let said = verbs::unplanned(&error);
        match error {
            NoService::Day { date, .. } => Wrong::Day {
                said,
                nearest: table.calendar.nearest(date, &table.trips_per_service()),
            },
            _ => Wrong::Said(said),
        }
    })?;
    let desk = Desk::new(planner);
    let mut held = held();
    held.push((key, Arc::clone(&desk)));
    let extra = held.len().saturating_sub(HELD_MOST);
    held.drain(..extra);
    Ok(desk)
}

/// The hash of something brought; nothing where there is none.
fn version(store: &Store, kind: &str, name: Option<&str>) -> Result<String, Wrong> {
    let hash = name.map(|name| store.blob_hash(kind, name)).transpose();
    Ok(hash.map_err(Wrong::store)?.flatten().unwrap_or_default())
}

/// The question with the addresses of the visitor's own timetable and of what is known of its
/// trips, unless it names another; and whether the timetable is the visitor's own.
pub(super) fn sourced(
    store: &Store,
    visitor: Visitor,
    asked: &Asked,
) -> Result<(Asked, bool), Wrong> {
    let mut asked = asked.clone();
    let own = owned(store, visitor, KIND).map_err(Wrong::store)?;
    let given = asked.given("feed").map(str::to_owned);
    let mine = own
        .as_ref()
        .is_some_and(|o| given.as_ref().is_none_or(|g| *g == o.name));
    if let Some(own) = own.filter(|_| given.is_none()) {
        asked = asked.with("feed", &own.name);
    }
    if mine && asked.given("live").is_none() {
        let live = owned(store, visitor, LIVE).map_err(Wrong::store)?;
        asked = live.map_or(asked.clone(), |live| asked.with("live", &live.name));
    }
    Ok((asked, mine))
}

/// The timetable that a question names, on a day.
pub(super) fn asked_desk(
    store: &Store,
    house: &House,
    asked: &Asked,
    date: Option<Date>,
    budget: &Budget,
) -> Result<Arc<Desk>, Wrong> {
    let source = Source::new(house, asked.given("feed"), asked.given("live"));
    desk_of(store, &source, Walking::Real, date, budget)
}

/// A timetable that a question names by its address.
pub(crate) fn item(app: &App, name: &str) -> Result<crate::desk::Item, Fault> {
    let kept = match app.store.blob(KIND, name)? {
        Some(blob) => Some(blob),
        None => app.store.blob(LIVE, name)?,
    };
    let blob = kept.ok_or_else(Fault::missing)?;
    Ok(crate::desk::Item {
        bytes: blob.bytes,
        args: Vec::new(),
    })
}

/// Whether a question is about a timetable and names none.
fn open(verb: &Verb, pairs: &[(String, String)]) -> bool {
    let named = |(name, _): &(String, String)| name == "feed" || name == "size";
    verb.param("feed").is_some() && !pairs.iter().any(named)
}

/// Where a question names no timetable, it is about the visitor's own.
pub(crate) fn complete(
    app: &App,
    visitor: Visitor,
    verb: &Verb,
    pairs: &mut Vec<(String, String)>,
) -> Result<(), Fault> {
    if open(verb, pairs) {
        let own = owned(&app.store, visitor, KIND)?;
        pairs.extend(own.map(|item| ("feed".to_owned(), item.name)));
    }
    Ok(())
}

/// Where a question names no timetable, it is about what the house shows, in a sandbox, too.
pub(crate) fn lent(app: &App, verb: &Verb, pairs: &[(String, String)]) -> Items {
    let shown = app.house.shown().filter(|_| open(verb, pairs));
    shown.map(|shown| shown.lent()).unwrap_or_default()
}

/// The planner of a question's timetable. What reads feeds or makes proofs, which may take much
/// memory, is left to a sandbox.
pub(crate) fn ready(app: &App, args: &Args) -> Result<Option<Ready>, Fault> {
    let confined = matches!(args.of(), "transit check" | "transit verify");
    if confined || args.given("size") || args.given("certify") {
        return Ok(None);
    }
    let name = args.text_if("feed").map(str::to_owned);
    let live = args.text_if("realtime").map(str::to_owned);
    // What is known of some trips says nothing without their timetable, and the verb refuses it.
    if name.is_none() && live.is_some() {
        return Ok(None);
    }
    let of = |kind, name: &Option<String>| {
        let found = version(&app.store, kind, name.as_deref());
        found.map_err(|wrong| refused(&wrong))
    };
    let (version, known) = (of(KIND, &name)?, of(LIVE, &live)?);
    if name.is_some() && version.is_empty() || live.is_some() && known.is_empty() {
        return Err(Fault::missing());
    }
    let source = Source::new(&app.house, name.as_deref(), live.as_deref());
    let shown = source.house.as_ref().map(Shown::name);
    let version = version + &known + &shown.unwrap_or_default();
    let walking = verbs::word(args.text("walk"))?;
    let date = args.text_if("date").map(verbs::word).transpose()?;
    let store = Arc::clone(&app.store);
    let shelf = move |budget: &Budget| {
        let desk = desk_of(&store, &source, walking, date, budget);
        let desk = desk.map_err(|wrong| refused(&wrong))?;
        let mut shelf = Shelf::new();
        shelf.put_made("feed", Arc::clone(&desk.planner));
        Ok(shelf)
    };
    Ok(Some(Ready {
        version,
        shelf: Box::new(shelf),
    }))
}

/// The timetable that a visitor brought, or what they brought about its trips.
fn owned(store: &Store, visitor: Visitor, kind: &str) -> wits_store::Result<Option<Item>> {
    let all = store.items(&visitor.text())?;
    Ok(all.into_iter().find(|item| item.kind == kind))
}

/// A refusal in JSON or as a page.
pub(super) fn refused(wrong: &Wrong) -> Fault {
    let (text, code) = match wrong {
        Wrong::Said(refusal) | Wrong::Day { said: refusal, .. } => {
            (sentence(refusal), refusal.code.clone())
        }
        Wrong::Gone => (say("transit-gone"), "missing".into()),
        Wrong::Stop { typed, .. } => {
            let unknown = WORDS.say("transit-unknown").with("typed", typed.clone());
            (unknown.to_string(), "unknown-stop".into())
        }
    };
    let (status, code) = match &*code {
        "stopped" => (StatusCode::SERVICE_UNAVAILABLE, "time".into()),
        "memory" | "too-large" => (StatusCode::PAYLOAD_TOO_LARGE, code),
        "missing" => (StatusCode::NOT_FOUND, code),
        _ => (StatusCode::UNPROCESSABLE_ENTITY, code),
    };
    let why = WORDS.say("transit-wrong").with("why", text);
    Fault::new(status, code, why, WORDS.say("transit-wrong-hint"))
}

/// Asks something of the visitor's timetable, on a thinker's thread.
pub(super) async fn ask<T: Send + 'static>(
    app: &App,
    visitor: Visitor,
    uri: &Uri,
    work: impl FnOnce(&Desk, &Asked) -> Result<T, Wrong> + Send + 'static,
) -> Result<T, Fault> {
    let asked = Asked::of(uri)?;
    let (store, house) = (Arc::clone(&app.store), Arc::clone(&app.house));
    let answer = think(app, visitor, PATIENCE, move |budget| {
        let (asked, _) = sourced(&store, visitor, &asked)?;
        let desk = asked_desk(&store, &house, &asked, asked.date()?, budget)?;
        desk.within(budget, |desk| work(desk, &asked))?
    });
    answer.await?.map_err(|wrong| refused(&wrong))
}

/// `GET /transit/map`: the network, for the map.
pub(super) async fn map(
    State(app): State<App>,
    visitor: Visitor,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let text = ask(&app, visitor, &uri, |desk, _| {
        Ok(serde_json::to_string(&desk.planner.network()).unwrap_or_default())
    })
    .await?;
    let tag = format!("\"{}\"", Shelf::hash(text.as_bytes()));
    let head = [
        (
            header::CONTENT_TYPE,
            "application/json; charset=utf-8".to_owned(),
        ),
        (header::CACHE_CONTROL, "private, no-cache".to_owned()),
        (header::ETAG, tag.clone()),
    ];
    let kept = headers
        .get(header::IF_NONE_MATCH)
        .is_some_and(|v| v.as_bytes() == tag.as_bytes());
    if kept {
        return Ok((StatusCode::NOT_MODIFIED, head).into_response());
    }
    Ok((head, text).into_response())
}

/// `GET /transit/stops?q=…`: names that fit what is being typed.
pub(super) async fn stops(
    State(app): State<App>,
    visitor: Visitor,
    uri: Uri,
) -> Result<Response, Fault> {
    let found = ask(&app, visitor, &uri, |desk, asked| {
        let typed = asked.given("q").unwrap_or_default();
        let found = names::find(&desk.planner.table, typed, 8);
        let rows = found.iter().map(|one| {
            let posts: Vec<u32> = one.posts.iter().map(|p| p.stop).collect();
            json!({"name": one.name, "lines": lines_of(one), "posts": posts})
        });
        Ok(json!({"stops": rows.collect::<Vec<_>>()}))
    })
    .await?;
    Ok(Json(found).into_response())
}

/// `POST /transit/feed`: a timetable becomes the visitor's own.
pub(super) async fn upload(
    State(app): State<App>,
    visitor: Visitor,
    uri: Uri,
    body: Bytes,
) -> Result<Response, Fault> {
    let asked = Asked::of(&uri)?;
    let name = asked.given("name").unwrap_or_default();
    let title = name.trim_end_matches(".zip").to_owned();
    let order = Order::new(Validate { title }).with(FEED, Vec::from(body));
    let (brought, mut items) = app.confined_with(visitor.account(), order).await?;
    let bytes = items.remove(FEED).unwrap_or_default();
    let shown: String = brought.title.chars().take(80).collect();
    let kept = blocking(move || {
        let old = owned(&app.store, visitor, KIND)?.map(|item| item.name);
        // What was known of another timetable's trips is no use for these.
        if let Some(live) = owned(&app.store, visitor, LIVE)? {
            app.store.discard(&live.name, &visitor.text())?;
        }
        // A link stands for one timetable: another one gets another address, and the old link says
        // that it leads nowhere. The same one keeps its links.
        let hash = Shelf::hash(&bytes);
        let same = match &old {
            Some(old) => app.store.blob(KIND, old)?.is_some_and(|b| b.hash == hash),
            None => false,
        };
        let put = Put {
            kind: KIND,
            name: old.as_deref().filter(|_| same),
            title: &shown,
            bytes,
            over: Over::Anything,
        };
        let kept = app.keep(visitor, put)?;
        if let Some(old) = old.filter(|_| !same) {
            app.store.discard(&old, &visitor.text())?;
        }
        Ok(kept)
    });
    let kept = kept.await?;
    let (gone, [stops, lines, trips]) = (kept.gone, brought.size);
    // A packed timetable has no rows.
    let read = match brought.rows {
        0 => WORDS.say("transit-read-packed"),
        rows => WORDS.say("transit-read").with("rows", rows),
    };
    let read = read
        .with("title", brought.title.clone())
        .with("stops", stops as u64)
        .with("lines", lines as u64)
        .with("trips", trips as u64);
    let faults = brought.findings.as_array().map_or(0, Vec::len);
    let verdict = match faults {
        0 => WORDS.say("transit-clean"),
        _ => WORDS.say("transit-faults").with("count", faults as u64),
    };
    let mut response = Json(json!({
        "feed": kept.name, "rows": brought.rows, "title": brought.title, "stops": stops, "lines": lines, "trips": trips,
        "findings": brought.findings, "gone": gone, "said": format!("{read} {verdict}"),
    }))
    .into_response();
    visitor.introduce(&mut response);
    Ok(response)
}

/// `POST /transit/live`: a realtime feed of the visitor's own timetable.
pub(super) async fn live(
    State(app): State<App>,
    visitor: Visitor,
    body: Bytes,
) -> Result<Response, Fault> {
    let store = Arc::clone(&app.store);
    let table = blocking(move || {
        let own = owned(&store, visitor, KIND)?;
        let blob = own.map(|own| store.blob(KIND, &own.name)).transpose()?;
        Ok(blob.flatten().map(|blob| blob.bytes))
    });
    let Some(table) = table.await? else {
        return Err(refused(&Wrong::of(&WORDS.say("transit-live-alone"))));
    };
    let order = Order::new(ReadLive {})
        .with(FEED, table)
        .with(LIVE, Vec::from(body));
    let (count, mut items) = app.confined_with(visitor.account(), order).await?;
    let bytes = items.remove(LIVE).unwrap_or_default();
    let kept = blocking(move || {
        let old = owned(&app.store, visitor, LIVE)?.map(|item| item.name);
        let put = Put {
            kind: LIVE,
            name: old.as_deref(),
            title: LIVE,
            bytes,
            over: Over::Anything,
        };
        app.keep(visitor, put)
    });
    kept.await?;
    let said = WORDS
        .say("transit-live-read")
        .with("updated", count.updated as u64)
        .with("moved", count.moved as u64)
        .with("cancelled", count.cancelled as u64)
        .with("unknown", (count.unknown + count.added) as u64);
    Ok(Json(json!({"count": count, "said": said.to_string()})).into_response())
}

/// `GET /transit/feed/ADDRESS`: a timetable that somebody brought, as a file for whoever knows its
/// address.
pub(super) async fn file(
    State(app): State<App>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let work = blocking(move || {
        let blob = app.store.blob(KIND, &name)?;
        Ok(blob.ok_or_else(Fault::missing)?.bytes)
    });
    let bytes = work.await.map_err(|f| f.for_reader(&headers))?;
    let head = [
        (header::CONTENT_TYPE, "application/octet-stream"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"timetable.wits\"",
        ),
    ];
    Ok((head, bytes).into_response())
}

/// `POST /transit/feed/forget`: back to the generated city.
pub(super) async fn forget(State(app): State<App>, visitor: Visitor) -> Result<Response, Fault> {
    let forget = move || {
        for kind in [KIND, LIVE] {
            if let Some(item) = owned(&app.store, visitor, kind)? {
                app.store.discard(&item.name, &visitor.text())?;
            }
        }
        Ok(())
    };
    blocking(forget).await?;
    Ok(Redirect::to("/transit").into_response())
}

#[cfg(test)]
mod tests {
    use super::*;
    use wits_play::Limits;

    #[test]
    fn half_a_study_is_shown_to_nobody() {
        let desk = Desk::new(
            Planner::new(Arc::clone(&city().planner.table), Walking::Real, None).unwrap(),
        );
        let budget = Budget::start(Limits::NONE);
        budget.stop();
        let cut = desk.within(&budget, |desk| desk.study().len());
        assert!(
            matches!(&cut, Err(Wrong::Said(said)) if said.code == "stopped"),
            "{cut:?}"
        );
        assert!(desk.study.get().is_none());
        let whole = desk.within(&Budget::endless(), |desk| desk.study().len());
        assert!(
            matches!(whole, Ok(rows) if rows > SPEEDS.len()),
            "{whole:?}"
        );
        assert!(desk.study.get().is_some());
    }
}
