//! What programs ask of the house, each request with its token.

use std::time::{Duration, Instant};

use axum::Json;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::{Value, json};
use wits_bots::protocol::{Card, Reply};
use wits_play::{Fault as Slip, Spec, TimeControl};

use super::{ANSWERS, Bot, DEEDS, too_often};
use crate::metrics::METRICS;
use crate::rate::Rate;
use crate::rooms::enter;
use crate::routes::{Fields, blocking, fields};
use crate::table::{Taken, turn_of};
use crate::tables::NewGame;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// The longest tail of a program's own complaint that is kept, in bytes.
const TAIL: usize = 4_096;

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/api/bot", get(who))
        .route("/api/bot/answer", post(answer))
        .route("/api/bot/join", post(join))
        .route("/api/bot/play", post(play))
        .route("/clients/{name}", get(client))
}

/// Why a request of a program is not served.
pub(crate) enum Declined {
    /// Too many of them came with this token: which limit, and how long to wait.
    TooOften(Rate, Duration),
    /// Anything else.
    Fault(Fault),
}

impl From<Fault> for Declined {
    fn from(fault: Fault) -> Declined {
        Declined::Fault(fault)
    }
}

impl IntoResponse for Declined {
    fn into_response(self) -> Response {
        match self {
            Declined::Fault(fault) => fault.into_response(),
            Declined::TooOften(rate, wait) => {
                let mut response = too_often(rate, wait).into_response();
                let seconds = HeaderValue::from(wait.as_secs() + 1);
                response.headers_mut().insert(header::RETRY_AFTER, seconds);
                response
            }
        }
    }
}

/// `GET /api/bot`: who a token is.
async fn who(State(app): State<App>, headers: HeaderMap) -> Result<Response, Fault> {
    let bot = blocking(move || {
        let bot = app.bot_of_token(&headers)?;
        let here = app.bots.is_here(&bot.id);
        Ok(
            json!({"name": bot.name, "id": bot.id, "page": format!("/bots/{}", bot.id), "paused": bot.paused, "here": here}),
        )
    });
    Ok(Json(bot.await?).into_response())
}

/// `POST /api/bot/answer`: one line of the protocol.
async fn answer(
    State(app): State<App>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Declined> {
    let began = Instant::now();
    let (house, limits) = (app.clone(), app);
    let work = blocking(move || {
        let bot = house.bot_of_token(&headers)?;
        if let Err(wait) = limits.bots.answers.take(bot.id.clone(), began) {
            return Ok(Err(wait));
        }
        taken(&house, &bot, &body).map(Ok)
    });
    let taken = work.await?;
    METRICS.answered(began.elapsed());
    match taken {
        Ok(value) => Ok(Json(value).into_response()),
        Err(wait) => Err(Declined::TooOften(ANSWERS, wait)),
    }
}

/// What became of a line.
fn taken(app: &App, bot: &Bot, body: &Bytes) -> Result<Value, Fault> {
    let unreadable = |why: String| {
        Fault::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "unreadable",
            wits_game::Message::plain(crate::told::told(why)),
            WORDS.say("bot-unreadable-hint"),
        )
    };
    let Ok(text) = std::str::from_utf8(body) else {
        let why = wits_bots::WORDS.say("line-not-text").to_string();
        return Err(unreadable(why));
    };
    let value: Value = serde_json::from_str(text).unwrap_or(Value::Null);
    let turn = value["turn"].as_str().and_then(turn_of);
    if let (Some((id, events)), Some(crash)) = (turn, value["crash"].as_str()) {
        let from = crash.len().saturating_sub(TAIL);
        let from = (from..crash.len()).find(|&at| crash.is_char_boundary(at));
        let slip = Slip::Crash(crash[from.unwrap_or(0)..].to_owned());
        let fault = app.table(id)?.slipped(app, &bot.id, events, slip);
        return fault.map_or_else(|| Ok(json!({"played": false})), Err);
    }
    let reply = match Reply::read(text) {
        Ok(reply) => reply,
        Err(why) => {
            if let Ok(card) = Card::read(text) {
                app.bots.keep_card(&bot.id, card);
                return Ok(json!({"named": true}));
            }
            let slip = wits_bots::unreadable(text, &why);
            if let Some((id, events)) = turn
                && let Some(fault) = app.table(id)?.slipped(app, &bot.id, events, slip.clone())
            {
                return Err(fault);
            }
            return Err(unreadable(slip.why().to_owned()));
        }
    };
    let Some((id, events)) = turn else {
        return Err(unreadable(WORDS.say("bot-which-turn").to_string()));
    };
    let table = app.table(id)?;
    let taken = table.answer_bot(app, &bot.id, events, (&reply, text))?;
    Ok(json!({"played": taken == Taken::Played}))
}

/// The bot of a token that wants more than to answer, which it may not want often.
pub(super) async fn deed(app: &App, headers: &HeaderMap) -> Result<Bot, Declined> {
    let (house, shown) = (app.clone(), headers.clone());
    let bot = blocking(move || house.bot_of_token(&shown)).await?;
    let admitted = app.bots.deeds.take(bot.id.clone(), Instant::now());
    admitted.map_err(|wait| Declined::TooOften(DEEDS, wait))?;
    Ok(bot)
}

/// `POST /api/bot/join`: `{"tournament": LINK}`.
async fn join(
    State(app): State<App>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Declined> {
    let fields = fields(&headers, &body)?;
    let bot = deed(&app, &headers).await?;
    let work = blocking(move || {
        let link = fields.get("tournament").map_or("", String::as_str);
        let path = link.split(['?', '#']).next().unwrap_or_default();
        let link = path.trim_end_matches('/');
        let id = link.rsplit('/').next().unwrap_or_default().to_owned();
        enter(&app, &id, &bot)
    });
    Ok(Json(work.await?).into_response())
}

/// `POST /api/bot/play`: `{"game": SPEC, "opponent": SPEC, "seat": 1}`, a practice game against a machine of ours.
async fn play(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Declined> {
    let fields = fields(&headers, &body)?;
    let bot = deed(&app, &headers).await?;
    let work = blocking(move || {
        let id = practise(&app, &bot, &fields, visitor)?;
        Ok(json!({"id": id.to_string(), "page": format!("/games/{id}")}))
    });
    let mut response = Json(work.await?).into_response();
    *response.status_mut() = StatusCode::CREATED;
    Ok(response)
}

fn practise(
    app: &App,
    bot: &Bot,
    fields: &Fields,
    visitor: Visitor,
) -> Result<wits_store::Id, Fault> {
    let text = |key: &str| fields.get(key).map(String::as_str);
    let game: Spec = text("game").unwrap_or("othello").parse()?;
    let made = app.catalog.game(&game, &app.shelf)?;
    let opponent: Spec = match text("opponent") {
        Some(text) => text.parse()?,
        None => Spec::named("random"),
    };
    if matches!(opponent.name.as_str(), "human" | "bot") {
        let why = WORDS.say("bot-opponent");
        let hint = WORDS.say("bot-opponent-hint");
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        return Err(Fault::new(status, "opponent", why, hint));
    }
    crate::routes::affordable_seat(app, &opponent)?;
    let seats = usize::from(made.seats());
    let seat = match text("seat") {
        None => 1,
        Some(text) => text
            .parse::<usize>()
            .ok()
            .filter(|n| (1..=seats).contains(n))
            .ok_or_else(|| crate::routes::not_a_number(text))?,
    };
    let mut players = vec![opponent; seats];
    players[seat - 1] = bot.spec();
    let new = NewGame {
        game,
        players,
        seed: None,
        clock: TimeControl::None,
        position: None,
        names: Vec::new(),
        first: None,
    };
    let owner = visitor.standing_for(&bot.owner)?;
    Ok(app.new_table(new, owner)?.id)
}

/// The clients and the schema of their lines, so that a first game needs nothing but this server.
const CLIENTS: [(&str, &str); 11] = [
    (
        "bots.schema.json",
        include_str!("../../../../docs/bots.schema.json"),
    ),
    (
        "wits_bot.py",
        include_str!("../../../../clients/python/wits_bot.py"),
    ),
    (
        "random_bot.py",
        include_str!("../../../../clients/python/random_bot.py"),
    ),
    (
        "greedy_bot.py",
        include_str!("../../../../clients/python/greedy_bot.py"),
    ),
    (
        "alphabeta_bot.py",
        include_str!("../../../../clients/python/alphabeta_bot.py"),
    ),
    (
        "rules.py",
        include_str!("../../../../clients/python/rules.py"),
    ),
    (
        "wits_bot.js",
        include_str!("../../../../clients/javascript/wits_bot.js"),
    ),
    (
        "random_bot.js",
        include_str!("../../../../clients/javascript/random_bot.js"),
    ),
    (
        "greedy_bot.js",
        include_str!("../../../../clients/javascript/greedy_bot.js"),
    ),
    (
        "alphabeta_bot.js",
        include_str!("../../../../clients/javascript/alphabeta_bot.js"),
    ),
    (
        "rules.js",
        include_str!("../../../../clients/javascript/rules.js"),
    ),
];

/// `GET /clients/NAME`
async fn client(Path(name): Path<String>, headers: HeaderMap) -> Result<Response, Fault> {
    let found = CLIENTS.iter().find(|(file, _)| *file == name);
    let (_, text) = found.ok_or_else(|| Fault::missing().for_reader(&headers))?;
    let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    Ok((kind, *text).into_response())
}
