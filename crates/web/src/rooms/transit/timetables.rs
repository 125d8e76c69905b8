//! Whose timetable it is: the generated city, or one that the visitor brought.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use serde_json::json;
use wits_game::Seed;
use wits_play::{Budget, Shelf};
use wits_store::{Item, Over, Store};
use wits_transit::{Boldness, CityPlan, Date, Halt, Planner, Walking, generate, names, pack};

use super::PATIENCE;
use super::asked::{Asked, Wrong, lines_of};
use super::upload::{FEED, LIMITS, Validate};
use crate::own::Put;
use crate::routes::blocking;
use crate::sandbox::Order;
use crate::think::think;
use crate::told::told;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// The most bytes of a timetable that somebody brings.
pub(super) const LARGEST: usize = LIMITS.zipped as usize;
/// What brought timetables are called in the store.
const KIND: &str = "timetable";
/// How many planners of brought timetables are held at once.
const HELD: usize = 3;
/// Assumed speeds of the study, km/h.
pub(super) const SPEEDS: [f64; 14] = [
    5.0, 8.0, 10.0, 12.0, 15.0, 18.0, 20.0, 25.0, 30.0, 35.0, 40.0, 50.0, 60.0, 80.0,
];
/// Queries of the study.
pub(crate) const QUERIES: usize = 120;

/// A planner, and what was worked out for it.
#[derive(Debug)]
pub(crate) struct Desk {
    pub(crate) planner: Planner,
    /// Whether the timetable is the visitor's own.
    pub(super) own: bool,
    study: Arc<OnceLock<Vec<Boldness>>>,
}

impl Desk {
    fn new(planner: Planner, own: bool) -> Arc<Desk> {
        Arc::new(Desk {
            planner,
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
                planner,
                own,
                study,
            })
        };
        self.planner.ask(budget, ask).map_err(Wrong::Halt)
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

/// A desk that is held: the hash of its timetable, the day, the desk.
type Held = (String, Option<Date>, Arc<Desk>);

/// Timetables that are ready for questions.
#[derive(Debug, Default)]
pub(super) struct Timetables {
    /// Brought timetables and other days, the last used at the end: hash, day, desk.
    held: Mutex<Vec<Held>>,
}

impl Timetables {
    fn held(&self) -> MutexGuard<'_, Vec<Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The visitor's timetable on a day.
    pub(super) fn desk(
        &self,
        store: &Store,
        visitor: Visitor,
        date: Option<Date>,
        budget: &Budget,
    ) -> Result<Arc<Desk>, Wrong> {
        let failed = |e: wits_store::Error| Wrong::of(&WORDS.say("store").with("detail", told(e)));
        let own = own(store, visitor).map_err(failed)?;
        // A timetable keeps its address when it is replaced: what is held goes by the hash.
        let hash = match &own {
            Some(item) => store.blob_hash(KIND, &item.name).map_err(failed)?,
            None => None,
        };
        let name = own.map(|item| item.name).unwrap_or_default();
        if hash.is_none() && date.is_none() {
            return Ok(Arc::clone(city()));
        }
        let key = hash.clone().unwrap_or_default();
        let found = {
            let mut held = self.held();
            let at = held.iter().position(|h| h.0 == key && h.1 == date);
            at.map(|at| {
                let one = held.remove(at);
                held.push(one);
                Arc::clone(&held[held.len() - 1].2)
            })
        };
        if let Some(found) = found {
            return Ok(found);
        }
        let same = self
            .held()
            .iter()
            .find(|h| h.0 == key)
            .map(|h| Arc::clone(&h.2.planner.table));
        let table = match (same, &hash) {
            (Some(table), _) => table,
            (None, None) => Arc::clone(&city().planner.table),
            (None, Some(_)) => {
                let blob = store.blob(KIND, &name).map_err(failed)?;
                let bytes = blob.map(|b| b.bytes).unwrap_or_default();
                let read = pack::read_within(&bytes, LIMITS, budget);
                Arc::new(read.map_err(|e| Wrong::of(&e))?)
            }
        };
        let planner = Planner::within(table, Walking::Real, date, LIMITS, budget);
        let planner = planner.map_err(Wrong::no_service)?;
        let desk = Desk::new(planner, hash.is_some());
        let mut held = self.held();
        held.push((key, date, Arc::clone(&desk)));
        let extra = held.len().saturating_sub(HELD);
        held.drain(..extra);
        Ok(desk)
    }
}

/// The timetable that a visitor brought.
fn own(store: &Store, visitor: Visitor) -> wits_store::Result<Option<Item>> {
    let all = store.items(&visitor.text())?;
    Ok(all.into_iter().find(|item| item.kind == KIND))
}

/// A refusal in JSON or as a page.
pub(super) fn refused(wrong: &Wrong) -> Fault {
    let text = match wrong {
        Wrong::Sentence(text) => text.clone(),
        Wrong::Halt(halt) => told(halt),
        Wrong::Stop { typed, .. } => WORDS
            .say("transit-unknown")
            .with("typed", typed.clone())
            .to_string(),
    };
    let why = WORDS.say("transit-wrong").with("why", text);
    let (status, code) = match wrong {
        Wrong::Halt(Halt::Stopped) => (StatusCode::SERVICE_UNAVAILABLE, "time"),
        Wrong::Halt(halt) => (StatusCode::PAYLOAD_TOO_LARGE, halt.code()),
        _ => (StatusCode::UNPROCESSABLE_ENTITY, "transit"),
    };
    Fault::new(status, code, why, WORDS.say("transit-wrong-hint"))
}

/// Asks something of the visitor's timetable, on a thinker's thread.
pub(super) async fn ask<T: Send + 'static>(
    app: &App,
    tables: &Arc<Timetables>,
    visitor: Visitor,
    uri: &Uri,
    work: impl FnOnce(&Desk, &Asked) -> Result<T, Wrong> + Send + 'static,
) -> Result<T, Fault> {
    let asked = Asked::of(uri)?;
    let (store, tables) = (Arc::clone(&app.store), Arc::clone(tables));
    let answer = think(app, visitor, PATIENCE, move |budget| {
        let desk = tables.desk(&store, visitor, asked.date()?, budget)?;
        desk.within(budget, |desk| work(desk, &asked))?
    });
    answer.await?.map_err(|wrong| refused(&wrong))
}

/// `GET /transit/map`: the network, for the map.
pub(super) async fn map(
    State(app): State<App>,
    Extension(tables): Extension<Arc<Timetables>>,
    visitor: Visitor,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let text = ask(&app, &tables, visitor, &uri, |desk, _| {
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
    Extension(tables): Extension<Arc<Timetables>>,
    visitor: Visitor,
    uri: Uri,
) -> Result<Response, Fault> {
    let found = ask(&app, &tables, visitor, &uri, |desk, asked| {
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
        assert!(matches!(cut, Err(Wrong::Halt(Halt::Stopped))), "{cut:?}");
        assert!(desk.study.get().is_none());
        let whole = desk.within(&Budget::endless(), |desk| desk.study().len());
        assert!(
            matches!(whole, Ok(rows) if rows > SPEEDS.len()),
            "{whole:?}"
        );
        assert!(desk.study.get().is_some());
    }
}
