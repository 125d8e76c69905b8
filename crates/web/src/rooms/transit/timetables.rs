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
use wits_store::{Item, Over, Store};
use wits_transit::{Boldness, CityPlan, Date, Planner, Walking, generate, names, pack, verbs};

use super::PATIENCE;
use super::asked::{Asked, Wrong, lines_of, sentence};
use super::upload::{FEED, LIMITS, Validate};
use crate::desk::Ready;
use crate::own::Put;
use crate::routes::blocking;
use crate::sandbox::Order;
use crate::think::think;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// The most bytes of a timetable that somebody brings.
pub(super) const LARGEST: usize = LIMITS.zipped as usize;
/// What brought timetables are called in the store.
const KIND: &str = "timetable";
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
    /// Whether the timetable is the visitor's own.
    pub(super) own: bool,
    study: Arc<OnceLock<Vec<Boldness>>>,
}

impl Desk {
    fn new(planner: Planner, own: bool) -> Arc<Desk> {
        Arc::new(Desk {
            planner: Arc::new(planner),
            own,
            study: Arc::default(),
        })
    }

    /// Asks something that must be answered within a budget.
    pub(super) fn within<T>(
        &self,
        budget: &Budget,
        work: impl FnOnce(&Desk) -> T,
    ) -> Result<T, Wrong> {
        let (own, study) = (self.own, Arc::clone(&self.study));
        let ask = |planner| {
            work(&Desk {
                planner: Arc::new(planner),
                own,
                study,
            })
        };
        let found = self.planner.ask(budget, ask);
        found.map_err(|halt| Wrong::Said(verbs::halted(&halt)))
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
        Desk::new(
            planner.expect("the generated city runs on working days"),
            false,
        )
    })
}

/// A desk that is held: the hash of its timetable, the way of walking, the day, the desk.
type Held = ((String, Walking, Option<Date>), Arc<Desk>);

/// Brought timetables and other days that are ready for questions, the last used at the end.
static HELD: Mutex<Vec<Held>> = Mutex::new(Vec::new());

fn held() -> MutexGuard<'static, Vec<Held>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A timetable on a day: one that somebody brought, or the generated city.
fn desk_of(
    store: &Store,
    name: Option<&str>,
    walking: Walking,
    date: Option<Date>,
    budget: &Budget,
) -> Result<Arc<Desk>, Wrong> {
    // A timetable keeps its address when it is replaced: what is held goes by the hash.
    let hash = version(store, name)?;
    if hash.is_empty() && date.is_none() && walking == Walking::Real {
        return Ok(Arc::clone(city()));
    }
    let key = (hash.clone(), walking, date);
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
        (None, None) => Arc::clone(&city().planner.table),
        (None, Some(name)) => {
            let blob = store.blob(KIND, name).map_err(Wrong::store)?;
            let bytes = blob.map(|b| b.bytes).unwrap_or_default();
            let read = pack::read_within(&bytes, LIMITS, budget);
            Arc::new(read.map_err(|e| Wrong::of(&e))?)
        }
    };
    let planner = Planner::within(table, walking, date, LIMITS, budget);
    let planner = planner.map_err(|e| Wrong::Said(verbs::unplanned(&e)))?;
    let desk = Desk::new(planner, !hash.is_empty());
    let mut held = held();
    held.push((key, Arc::clone(&desk)));
    let extra = held.len().saturating_sub(HELD_MOST);
    held.drain(..extra);
    Ok(desk)
}

/// The hash of a brought timetable; nothing for the generated city.
fn version(store: &Store, name: Option<&str>) -> Result<String, Wrong> {
    let hash = name.map(|name| store.blob_hash(KIND, name)).transpose();
    Ok(hash.map_err(Wrong::store)?.flatten().unwrap_or_default())
}

/// The visitor's timetable on a day.
pub(super) fn own_desk(
    store: &Store,
    visitor: Visitor,
    date: Option<Date>,
    budget: &Budget,
) -> Result<Arc<Desk>, Wrong> {
    let name = own(store, visitor).map_err(Wrong::store)?;
    let name = name.map(|item| item.name);
    desk_of(store, name.as_deref(), Walking::Real, date, budget)
}

/// A timetable that a question names by its address.
pub(crate) fn item(app: &App, name: &str) -> Result<crate::desk::Item, Fault> {
    let blob = app.store.blob(KIND, name)?.ok_or_else(Fault::missing)?;
    Ok(crate::desk::Item {
        bytes: blob.bytes,
        args: Vec::new(),
    })
}

/// Where a question names no timetable, it is about the visitor's own.
pub(crate) fn complete(
    app: &App,
    visitor: Visitor,
    verb: &Verb,
    pairs: &mut Vec<(String, String)>,
) -> Result<(), Fault> {
    let said = pairs
        .iter()
        .any(|(name, _)| name == "feed" || name == "size");
    if !said && verb.param("feed").is_some() {
        let own = own(&app.store, visitor)?;
        pairs.extend(own.map(|item| ("feed".to_owned(), item.name)));
    }
    Ok(())
}

/// The planner of a question's timetable. What reads feeds or makes proofs, which may take much
/// memory, is left to a sandbox.
pub(crate) fn ready(app: &App, args: &Args) -> Result<Option<Ready>, Fault> {
    let confined = matches!(args.of(), "transit check" | "transit verify");
    if confined || args.given("size") || args.given("certify") {
        return Ok(None);
    }
    let name = args.text_if("feed").map(str::to_owned);
    let version = version(&app.store, name.as_deref()).map_err(|wrong| refused(&wrong))?;
    if name.is_some() && version.is_empty() {
        return Err(Fault::missing());
    }
    let walking = verbs::word(args.text("walk"))?;
    let date = args.text_if("date").map(verbs::word).transpose()?;
    let store = Arc::clone(&app.store);
    let shelf = move |budget: &Budget| {
        let desk = desk_of(&store, name.as_deref(), walking, date, budget);
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

/// The timetable that a visitor brought.
fn own(store: &Store, visitor: Visitor) -> wits_store::Result<Option<Item>> {
    let all = store.items(&visitor.text())?;
    Ok(all.into_iter().find(|item| item.kind == KIND))
}

/// A refusal in JSON or as a page.
pub(super) fn refused(wrong: &Wrong) -> Fault {
    let (text, code) = match wrong {
        Wrong::Said(refusal) => (sentence(refusal), refusal.code.clone()),
        Wrong::Stop { typed, .. } => {
            let unknown = WORDS.say("transit-unknown").with("typed", typed.clone());
            (unknown.to_string(), "unknown-stop".into())
        }
    };
    let (status, code) = match &*code {
        "stopped" => (StatusCode::SERVICE_UNAVAILABLE, "time".into()),
        "memory" | "too-large" => (StatusCode::PAYLOAD_TOO_LARGE, code),
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
    let store = Arc::clone(&app.store);
    let answer = think(app, visitor, PATIENCE, move |budget| {
        let desk = own_desk(&store, visitor, asked.date()?, budget)?;
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
    let order = Order::new(Validate { title }).with(FEED, body.to_vec());
    let (brought, mut items) = app.confined_with(visitor.account(), order).await?;
    let bytes = items.remove(FEED).unwrap_or_default();
    let shown: String = brought.title.chars().take(80).collect();
    let kept = blocking(move || {
        let old = own(&app.store, visitor)?.map(|item| item.name);
        let put = Put {
            kind: KIND,
            name: old.as_deref(),
            title: &shown,
            bytes,
            over: Over::Anything,
        };
        app.keep(visitor, put)
    });
    let gone = kept.await?.gone;
    let [stops, lines, trips] = brought.size;
    let mut response = Json(json!({
        "title": brought.title, "stops": stops, "lines": lines, "trips": trips,
        "findings": brought.findings, "gone": gone,
    }))
    .into_response();
    visitor.introduce(&mut response);
    Ok(response)
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
        if let Some(item) = own(&app.store, visitor)? {
            app.store.discard(&item.name, &visitor.text())?;
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
            false,
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
