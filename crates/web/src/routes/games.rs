//! Games: putting up a table, sitting down, moving, asking.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use wits_game::{Eyes, Lang, Seat, Seed};
use wits_play::{PlayerCard, Record, Spec, TimeControl};
use wits_store::Id;

use super::wish::Wish;
use crate::fault::reads_pages;
use crate::keep::{LINES, download};
use crate::snapshot::{Place, pictured, snapshot};
use crate::table::Table;
use crate::tables::NewGame;
use crate::think::analyse;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// What a form or a JSON object says, as plain fields.
pub(crate) type Fields = BTreeMap<String, String>;

/// Reads a form or one flat JSON object; lists become `name.1`, `name.2`, ….
pub(crate) fn fields(headers: &HeaderMap, body: &Bytes) -> Result<Fields, Fault> {
    let kind = headers
        .get(header::CONTENT_TYPE)
        .and_then(|v| v.to_str().ok())
        .unwrap_or_default();
    if kind.starts_with("application/json") {
        let value: Value =
            serde_json::from_slice(body).map_err(|e| Fault::unreadable(e.to_string()))?;
        let Value::Object(map) = value else {
            return Err(Fault::unreadable(WORDS.say("js-file-object")));
        };
        let plain = |value: Value| match value {
            Value::String(text) => text,
            other => other.to_string(),
        };
        let mut out = Fields::new();
        for (key, value) in map {
            match value {
                Value::Array(list) => out.extend(
                    list.into_iter()
                        .enumerate()
                        .map(|(i, v)| (format!("{key}.{}", i + 1), plain(v))),
                ),
                Value::Null => {}
                value => {
                    out.insert(key, plain(value));
                }
            }
        }
        return Ok(out);
    }
    if kind.starts_with("application/x-www-form-urlencoded") || body.is_empty() {
        let pairs: Vec<(String, String)> = serde_urlencoded(body)?;
        return Ok(pairs.into_iter().collect());
    }
    Err(Fault::unreadable(
        WORDS.say("not-a-form").with("kind", kind),
    ))
}

fn serde_urlencoded(body: &Bytes) -> Result<Vec<(String, String)>, Fault> {
    use axum::extract::Query;
    let text = std::str::from_utf8(body).map_err(|e| Fault::unreadable(e.to_string()))?;
    let uri = format!("/?{text}")
        .parse()
        .map_err(|_| Fault::unreadable(WORDS.say("not-encoded")))?;
    let Query(pairs) = Query::try_from_uri(&uri).map_err(|e| Fault::unreadable(e.to_string()))?;
    Ok(pairs)
}

/// Runs something that waits for disk or locks away from the async threads.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Fault> + Send + 'static,
) -> Result<T, Fault> {
    let lang = Lang::spoken();
    let work = tokio::task::spawn_blocking(move || lang.speak(work));
    work.await.unwrap_or_else(|_| Err(Fault::breakdown()))
}

/// The table of an address.
pub(crate) async fn open(app: &App, id: &str) -> Result<Arc<Table>, Fault> {
    let id: Id = id.parse().map_err(|_| Fault::missing())?;
    let app = app.clone();
    blocking(move || app.table(id)).await
}

/// An answer for whoever asked: the page again, or JSON.
pub(crate) fn answer(headers: &HeaderMap, visitor: Visitor, to: &str, value: Value) -> Response {
    let mut response = if reads_pages(headers) {
        Redirect::to(to).into_response()
    } else {
        Json(value).into_response()
    };
    visitor.introduce(&mut response);
    response
}

/// `POST /games`
pub(super) async fn create(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Fault> {
    let work = || async {
        let fields = fields(&headers, &body)?;
        let new = new_game(&app, &fields)?;
        put_up(&app, new, visitor).await
    };
    let id = work().await.map_err(|f| f.for_reader(&headers))?;
    let to = format!("/games/{id}");
    let mut response = answer(&headers, visitor, &to, json!({"id": id, "page": to}));
    if !reads_pages(&headers) {
        *response.status_mut() = StatusCode::CREATED;
    }
    Ok(response)
}

/// A field that must be there is not.
pub(crate) fn lacking(name: &str) -> Fault {
    Fault::unreadable(WORDS.say("js-file-lacks").with("name", name))
}

/// A field should hold a number.
pub(crate) fn not_a_number(text: &str) -> Fault {
    Fault::unreadable(WORDS.say("not-a-number").with("text", text))
}

fn not_a_seat(text: &str) -> Fault {
    Fault::unreadable(WORDS.say("not-a-seat").with("text", text))
}

/// Puts up a table; whoever asked for it sits in the first person's seat.
pub(crate) async fn put_up(app: &App, new: NewGame, visitor: Visitor) -> Result<Id, Fault> {
    for seat in &new.players {
        affordable_seat(app, seat)?;
    }
    put_up_again(app, new, visitor).await
}

/// Refuses a machine that would cost more than a seat made on a page may ask for.
pub(crate) fn affordable_seat(app: &App, seat: &Spec) -> Result<(), Fault> {
    let (nodes, seconds) = app.config.seat;
    affordable(seat, &|key: &str| match key {
        "nodes" | "rollouts" | "positions" => Some(nodes as f64),
        "seconds" => Some(seconds),
        key => one_thread(key),
    })
}

/// The same for players who have played here: what a machine spends by default may be more than a page lets
/// people ask for.
async fn put_up_again(app: &App, new: NewGame, visitor: Visitor) -> Result<Id, Fault> {
    let house = app.clone();
    blocking(move || {
        let table = house.new_table(new, visitor)?;
        let first = Seat::all(table.game.seats()).find(|&s| table.person(s));
        if let Some(seat) = first {
            house
                .store
                .claim(table.id, seat.index() as u8, &visitor.text())?;
        }
        Ok(table.id)
    })
    .await
}

/// A search of a visitor has one thread: places are counted by searches, and threads of its own would take
/// the processor from everybody else's.
pub(crate) fn one_thread(key: &str) -> Option<f64> {
    (key == "threads").then_some(1.0)
}

/// Refuses a machine that would cost more than a page may ask for, one inside another too; `most` says how
/// large a parameter may be.
pub(crate) fn affordable(seat: &Spec, most: &dyn Fn(&str) -> Option<f64>) -> Result<(), Fault> {
    for (key, value) in &seat.args {
        let value = match value {
            wits_play::Value::Nested(inner) => {
                affordable(inner, most)?;
                continue;
            }
            wits_play::Value::Text(text) => text,
        };
        let Some(most) = most(key) else { continue };
        // What is no number is refused by the player itself.
        if value.parse::<f64>().is_ok_and(|asked| asked > most) {
            let why = WORDS
                .say("seat-too-dear")
                .with("key", key)
                .with("value", value)
                .with("player", &seat.name);
            let hint = WORDS.say("seat-too-dear-hint").with("most", most);
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            return Err(Fault::new(status, "too-dear", why, hint));
        }
    }
    Ok(())
}

/// A player with the settings that the form has for it, by `NAME.SETTING`.
fn with_settings<'a>(
    name: &str,
    cards: &[PlayerCard],
    setting: impl Fn(&str) -> Option<&'a str>,
) -> Result<Spec, Fault> {
    let mut spec: Spec = name.parse()?;
    if let Some(card) = cards.iter().find(|card| card.id == spec.name) {
        for param in &card.params {
            if let Some(value) = setting(&format!("{}.{}", card.id, param.name)) {
                spec = spec.with(param.name, value);
            }
        }
    }
    Ok(spec)
}

/// A person and an opponent at a table for two; `lot` leaves the side to chance.
fn against(side: Option<&str>, opponent: Spec) -> Result<Vec<Spec>, Fault> {
    let person = Spec::named("human");
    let first = match side {
        None | Some("1") => true,
        Some("2") => false,
        Some("lot") => Id::random()?
            .to_string()
            .bytes()
            .last()
            .is_some_and(|b| b % 2 == 0),
        Some(other) => return Err(not_a_seat(other)),
    };
    Ok(if first {
        vec![person, opponent]
    } else {
        vec![opponent, person]
    })
}

/// A new game from the fields of the sheet, or from whole specs.
fn new_game(app: &App, fields: &Fields) -> Result<NewGame, Fault> {
    let text = |key: &str| fields.get(key).map(|v| v.trim()).filter(|v| !v.is_empty());
    let mut game: Spec = text("game").ok_or_else(|| lacking("game"))?.parse()?;
    let entry = app.catalog.entry(&game.name)?;
    for param in entry.params() {
        if let Some(value) = text(&format!("p.{}", param.name)) {
            game = game.with(param.name, value);
        }
    }
    let cards = entry.players();
    let mut players = Vec::new();
    for n in 1..=Seat::MOST {
        let Some(name) = text(&format!("seats.{n}")) else {
            continue;
        };
        players.push(with_settings(name, &cards, |key| {
            text(&format!("seats.{n}.{key}"))
        })?);
    }
    if let Some(id) = text("opponent") {
        players = against(
            text("side"),
            with_settings(id, &cards, |key| text(&format!("opponent.{key}")))?,
        )?;
    }
    let seed = text("seed")
        .map(str::parse::<Seed>)
        .transpose()
        .map_err(|e| Fault::unreadable(e.to_string()))?;
    let ms = || -> Result<u64, Fault> {
        let typed = text("seconds").unwrap_or("60");
        let seconds: f64 = typed.parse().map_err(|_| not_a_number(typed))?;
        if !(1.0..=86_400.0).contains(&seconds) {
            let why = WORDS.say("bad-seconds").with("text", typed);
            return Err(Fault::unreadable(why));
        }
        Ok((seconds * 1000.0) as u64)
    };
    let clock = match text("clock") {
        Some("move") => TimeControl::PerMove { ms: ms()? },
        Some("game") => TimeControl::PerGame {
            ms: ms()?,
            increment_ms: 0,
        },
        _ => TimeControl::None,
    };
    Ok(NewGame {
        game,
        players,
        seed,
        clock,
        position: text("position").map(str::to_owned),
        names: Vec::new(),
        first: None,
    })
}

/// `GET /games/ID/state`
pub(super) async fn state(
    State(app): State<App>,
    Path(id): Path<String>,
    visitor: Visitor,
) -> Result<Response, Fault> {
    let table = open(&app, &id).await?;
    table.look(&app, visitor);
    let value = blocking(move || Ok(snapshot(&table, &Place::of(&app, &table, visitor)?))).await?;
    Ok(Json(value).into_response())
}

/// The seat that a request speaks for; it must be the visitor's.
fn own_seat(fields: &Fields, place: &Place, table: &Table) -> Result<Seat, Fault> {
    let seat = if let Some(text) = fields.get("seat") {
        text.parse().map_err(|_| not_a_seat(text))?
    } else {
        let turn = table.lock().table.turn().seat();
        let mine = turn.filter(|s| place.seats.contains(s));
        mine.or_else(|| place.seats.first().copied())
            .ok_or_else(Fault::forbidden)?
    };
    if place.seats.contains(&seat) {
        Ok(seat)
    } else {
        Err(Fault::forbidden())
    }
}

/// Something a seat does, with the table as it is afterwards for an answer.
async fn act(
    wish: Wish,
    deed: impl FnOnce(&App, &Arc<Table>, &Place, &Fields) -> Result<Value, Fault> + Send + 'static,
) -> Result<Response, Fault> {
    let work = async {
        let fields = wish.fields()?;
        let table = open(&wish.app, &wish.name).await?;
        let (app, visitor) = (wish.app.clone(), wish.visitor);
        blocking(move || {
            let place = Place::of(&app, &table, visitor)?;
            let mut value = deed(&app, &table, &place, &fields)?;
            let place = Place::of(&app, &table, visitor)?;
            value["state"] = snapshot(&table, &place);
            // The machine answers after the snapshot, so that a page sees the move before the reply.
            table.look(&app, visitor);
            Ok(value)
        })
        .await
    };
    let value = work.await;
    wish.answer(value)
}

/// `POST /games/ID/move`
pub(super) async fn play(wish: Wish) -> Result<Response, Fault> {
    act(wish, |app, table, place, fields| {
        let seat = own_seat(fields, place, table)?;
        let ply = match fields.get("ply") {
            Some(text) => text.parse().map_err(|_| not_a_number(text))?,
            None => return Err(lacking("ply")),
        };
        let text = fields.get("move").ok_or_else(|| lacking("move"))?;
        let played = table.play(app, seat, ply, text)?;
        Ok(json!({ "played": played }))
    })
    .await
}

/// `POST /games/ID/undo`
pub(super) async fn undo(wish: Wish) -> Result<Response, Fault> {
    act(wish, |app, table, place, _| {
        if place.seats.is_empty() {
            return Err(Fault::forbidden());
        }
        if !place.alone(table) {
            return Err(Fault::new(
                StatusCode::CONFLICT,
                "not-alone",
                WORDS.say("not-alone"),
                WORDS.say("not-alone-hint"),
            ));
        }
        table.undo(app, &place.seats)?;
        Ok(json!({}))
    })
    .await
}

/// `POST /games/ID/resign`
pub(super) async fn resign(wish: Wish) -> Result<Response, Fault> {
    act(wish, |app, table, place, fields| {
        let seat = own_seat(fields, place, table)?;
        table.resign(app, seat)?;
        Ok(json!({}))
    })
    .await
}

/// `POST /games/ID/sit`
pub(super) async fn sit(wish: Wish) -> Result<Response, Fault> {
    let visitor = wish.visitor;
    act(wish, move |app, table, place, fields| {
        let text = fields.get("seat").map_or("", String::as_str);
        let seat: Seat = text.parse().map_err(|_| not_a_seat(text))?;
        if !table.person(seat) {
            return Err(Fault::forbidden());
        }
        let taken = !place.seats.contains(&seat)
            && !app
                .store
                .claim(table.id, seat.index() as u8, &visitor.text())?;
        if taken {
            return Err(Fault::new(
                StatusCode::CONFLICT,
                "taken",
                WORDS.say("taken"),
                WORDS.say("taken-hint"),
            ));
        }
        table.news.send_modify(|news| news.seatings += 1);
        Ok(json!({ "seat": seat }))
    })
    .await
}

/// `POST /games/ID/hint`
pub(super) async fn hint(wish: Wish) -> Result<Response, Fault> {
    let work = async {
        let fields = wish.fields()?;
        let table = open(&wish.app, &wish.name).await?;
        let (house, at, visitor) = (wish.app.clone(), Arc::clone(&table), wish.visitor);
        let seat =
            blocking(move || own_seat(&fields, &Place::of(&house, &at, visitor)?, &at)).await?;
        let house = wish.app.clone();
        analyse(&wish.app, visitor, move |stop| {
            table.hint(&house, seat, stop)
        })
        .await?
    };
    let said = work
        .await
        .map(|(text, why)| json!({"move": text, "why": why}));
    wish.answer(said)
}

/// `POST /games/ID/again`: the same game anew, with the same players; `swap` gives each the next one's seat.
pub(super) async fn again(wish: Wish) -> Result<Response, Fault> {
    let visitor = wish.visitor;
    let work = async {
        let fields = wish.fields()?;
        let table = open(&wish.app, &wish.name).await?;
        let mut players: Vec<Spec> = Vec::new();
        for player in &table.header.players {
            players.push(player.parse()?);
        }
        let mut names = wish.app.names(table.id)?;
        let swap = fields.contains_key("swap");
        // Where two games with exchanged seats are one match, the second round has the same seed.
        let over = table.lock().table.turn().outcome().is_some();
        let second = swap && over && table.paired() && table.first.is_none();
        if swap {
            players.rotate_left(1);
            if !names.is_empty() {
                names.rotate_left(1);
            }
        }
        let new = NewGame {
            game: table.header.game.parse()?,
            players,
            seed: second.then_some(table.header.seed),
            clock: table.header.clock,
            position: table.header.start.clone(),
            names,
            first: second.then_some(table.id),
        };
        put_up_again(&wish.app, new, visitor).await
    };
    let id = work.await.map_err(|f| f.for_reader(&wish.headers))?;
    let to = format!("/games/{id}");
    let value = json!({"id": id, "page": to});
    Ok(answer(&wish.headers, visitor, &to, value))
}

/// `POST /games/ID/delete`: away with a game of one's own; a seat beside other people is only given up.
pub(super) async fn delete(wish: Wish) -> Result<Response, Fault> {
    let visitor = wish.visitor;
    let work = async {
        let table = open(&wish.app, &wish.name).await?;
        let app = wish.app.clone();
        blocking(move || {
            let place = Place::of(&app, &table, visitor)?;
            if place.seats.is_empty() {
                return Err(Fault::forbidden());
            }
            if place.alone(&table) {
                app.store.delete(table.id)?;
                app.tables.forget(&[table.id]);
                return Ok(());
            }
            for seat in &place.seats {
                app.store.release(table.id, seat.index() as u8)?;
            }
            table.news.send_modify(|news| news.seatings += 1);
            Ok(())
        })
        .await
    };
    work.await.map_err(|f| f.for_reader(&wish.headers))?;
    Ok(answer(
        &wish.headers,
        visitor,
        "/games",
        json!({"page": "/games"}),
    ))
}

/// `GET /games/ID/at/PLY`: the board as it stood after so many moves.
pub(super) async fn at(
    State(app): State<App>,
    Path((id, ply)): Path<(String, u32)>,
) -> Result<Response, Fault> {
    let table = followable(&app, &id).await?;
    let value = blocking(move || {
        let earlier = table.at(ply)?;
        let mut scene = earlier.scene(Eyes::All);
        scene.targets.clear();
        let scene = pictured(scene, &table.last_of(earlier.as_ref()));
        Ok(
            json!({"ply": earlier.ply(), "scene": scene, "points": earlier.points(), "position": earlier.notation()}),
        )
    });
    Ok(Json(value.await?).into_response())
}

/// `GET /games/ID/record`
pub(super) async fn record(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let table = open(&app, &id).await.map_err(|f| f.for_reader(&headers))?;
    let inside = table.lock();
    let over = inside.table.turn().outcome().is_some();
    if table.game.hidden() && !over {
        let (why, hint) = (WORDS.say("not-yet"), WORDS.say("not-yet-hint"));
        return Err(Fault::new(StatusCode::FORBIDDEN, "not-yet", why, hint).for_reader(&headers));
    }
    let record = Record {
        header: table.header.clone(),
        events: inside.table.events().to_vec(),
        cut: false,
    };
    let name = format!("{}-{}.record", table.game.id(), &id[..8]);
    Ok(download(LINES, &name, record.text()))
}

/// A game whose machines' decisions can be followed: one without secrets, or that is over.
pub(crate) async fn followable(app: &App, id: &str) -> Result<Arc<Table>, Fault> {
    let table = open(app, id).await?;
    let secret = table.game.hidden() && table.lock().table.turn().outcome().is_none();
    if secret {
        let (why, hint) = (WORDS.say("not-yet"), WORDS.say("not-yet-hint"));
        return Err(Fault::new(StatusCode::FORBIDDEN, "not-yet", why, hint));
    }
    Ok(table)
}

/// A move that a machine did not make.
#[derive(Deserialize)]
pub(super) struct Other {
    #[serde(rename = "move")]
    mv: String,
}

/// `POST /games/ID/why-not/PLY`: why a machine did not play another move.
pub(super) async fn why_not(
    State(app): State<App>,
    Path((id, ply)): Path<(String, u32)>,
    visitor: Visitor,
    Json(other): Json<Other>,
) -> Result<Response, Fault> {
    let table = followable(&app, &id).await?;
    let house = app.clone();
    let answer = analyse(&app, visitor, move |stop| {
        table.why_not(&house, (ply, &other.mv), stop)
    });
    let (answer, on) = answer.await??;
    let mut told = json!(answer);
    told["on"] = json!(on);
    Ok(Json(told).into_response())
}

/// `POST /games/ID/forbid/PLY`: what the machine does where a move is forbidden, as a thread.
pub(super) async fn forbid(
    State(app): State<App>,
    Path((id, ply)): Path<(String, u32)>,
    visitor: Visitor,
    Json(other): Json<Other>,
) -> Result<Response, Fault> {
    let table = followable(&app, &id).await?;
    let house = app.clone();
    let thread = analyse(&app, visitor, move |stop| {
        table.forbid(&house, (ply, &other.mv), stop)
    });
    Ok(([(header::CONTENT_TYPE, LINES)], thread.await??).into_response())
}

/// `GET /games/ID/thread/PLY`
pub(super) async fn thread(
    State(app): State<App>,
    Path((id, ply)): Path<(String, u32)>,
    visitor: Visitor,
) -> Result<Response, Fault> {
    let table = followable(&app, &id).await?;
    let house = app.clone();
    let text = analyse(&app, visitor, move |stop| table.thread(&house, ply, stop)).await??;
    Ok(([(header::CONTENT_TYPE, LINES)], text).into_response())
}
