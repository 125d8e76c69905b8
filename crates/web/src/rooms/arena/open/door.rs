//! The page of an open tournament: its link, and who has joined.

use std::convert::Infallible;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State as Of};
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, KeepAlive};
use axum::response::{Response, Sse};
use axum::routing::{get as get_at, post};
use futures_util::stream::{Stream, unfold};
use maud::{Markup, html};
use serde_json::json;
use wits_game::{Figure, Seat};
use wits_play::Spec;
use wits_store::Id;

use super::{MOST, Open, State, address, change, drawn, enter, get, open, refused, sheets, start};
use crate::bots::{Bot, SIX_LINES, site};
use crate::pages::{back, frame, machines, page, say};
use crate::routes::{Wish, affordable_seat, blocking, fields};
use crate::table::bot_of;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// The store is looked at this often while somebody waits for others to join.
const LOOK: Duration = Duration::from_millis(500);
/// The longest a tournament waits for others, in minutes.
const LONGEST: i64 = 7 * 24 * 60;

pub(in crate::rooms::arena) fn routes() -> Router<App> {
    Router::new()
        .route("/arena/open", post(begin))
        .route("/arena/open/{id}", get_at(show))
        .route("/arena/open/{id}/join", post(join))
        .route("/arena/open/{id}/machine", post(machine))
        .route("/arena/open/{id}/start", post(start_now))
        .route("/arena/open/{id}/close", post(close))
        .route("/arena/open/{id}/remove", post(remove))
        .route("/arena/open/{id}/events", get_at(events))
        .merge(sheets::routes())
}

/// The form on the arena's page, and what is open now.
pub(in crate::rooms::arena) fn form(app: &App) -> Result<Markup, Fault> {
    let under_way = super::all(app)?;
    let duels = || app.catalog.entries().iter().filter(|e| e.seats().1 >= 2);
    Ok(html! {
        section #open {
            h2 { (say("open-title")) }
            p { (say("open-lead")) " " a href="/bots" { (say("bots-title")) } " · " a href="/lessons/tournament" { (say("bots-lesson")) } }
            @if !under_way.is_empty() {
                ul #opens { @for (id, one) in &under_way {
                    li { a href=(address(id)) { (one.title) } " " span.muted { (super::super::game_title(app, &one.game)) " · " (state(one.state)) } }
                } }
            }
            details.panel {
                summary { (say("open-new")) }
                form #open-order method="post" action="/arena/open" {
                    div.desk-fields {
                        div.field { label for="open-name" { (say("arena-name")) } input #open-name name="title" maxlength="60" required autocomplete="off"; }
                        div.field {
                            label for="open-game" { (say("arena-game")) }
                            select #open-game name="game" { @for one in duels() { option value=(one.id()) selected[one.id() == "othello"] { (one.title()) } } }
                        }
                        div.field {
                            label for="open-format" { (say("open-format")) }
                            select #open-format name="format" {
                                @for (value, key) in [("round-robin", "arena-format-round-robin"), ("swiss", "arena-format-swiss"), ("knockout", "arena-format-knockout")] {
                                    option value=(value) { (say(key)) }
                                }
                            }
                        }
                        div.field {
                            label for="open-games" { (say("arena-games")) }
                            input #open-games name="games" type="number" min="2" max="20" step="2" value="2";
                            small { (say("arena-games-about")) }
                        }
                        div.field {
                            label for="open-seconds" { (say("open-seconds")) }
                            input #open-seconds name="seconds" type="number" min="1" max="3600" value="30";
                            small { (say("open-seconds-about")) }
                        }
                        div.field {
                            label for="open-increment" { (say("open-increment")) }
                            input #open-increment name="increment" type="number" min="0" max="60" step="0.1" value="0";
                        }
                        div.field {
                            label for="open-minutes" { (say("open-minutes")) }
                            input #open-minutes name="minutes" type="number" min="0" max=(LONGEST) value="0";
                            small { (say("open-minutes-about")) }
                        }
                    }
                    button.button.primary type="submit" { (say("open-go")) }
                }
            }
        }
    })
}

fn state(state: State) -> String {
    say(match state {
        State::Joining => "open-state-joining",
        State::Playing => "open-state-playing",
        State::Over => "open-state-over",
        State::CalledOff => "open-state-off",
    })
}

/// A number of the form.
fn number<T: std::str::FromStr + PartialOrd + Copy>(
    text: &str,
    least: T,
    most: T,
) -> Result<T, Fault> {
    let read = text.trim().parse::<T>().ok();
    let read = read.filter(|n| *n >= least && *n <= most);
    read.ok_or_else(|| {
        let shown: String = text.chars().take(40).collect();
        crate::routes::not_a_number(&shown)
    })
}

/// `POST /arena/open`
async fn begin(
    Of(app): Of<App>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Fault> {
    let work = async {
        let fields = fields(&headers, &body)?;
        blocking(move || {
            let text = |key: &str, usual: &'static str| {
                fields.get(key).map_or(usual, String::as_str).to_owned()
            };
            let title = text("title", "");
            let title: String = title.split_whitespace().collect::<Vec<_>>().join(" ");
            let plain = !title.is_empty() && !title.chars().any(char::is_control);
            if !plain || title.chars().count() > 60 {
                let (why, hint) = (WORDS.say("open-name"), WORDS.say("bot-name-hint"));
                let status = StatusCode::UNPROCESSABLE_ENTITY;
                return Err(Fault::new(status, "name", why, hint));
            }
            let spec: Spec = text("game", "othello").parse()?;
            let game = app.catalog.game(&spec, &app.shelf)?;
            if game.seats() < 2 {
                return Err(refused("alone", "open-alone", "open-alone-hint"));
            }
            let format = text("format", "round-robin");
            if !["round-robin", "swiss", "knockout"].contains(&format.as_str()) {
                let why = WORDS.say("open-format-unknown").with("format", format);
                return Err(Fault::unreadable(why));
            }
            if format != "round-robin" && game.seats() != 2 {
                return Err(refused(
                    "format",
                    "open-format-duel",
                    "open-format-duel-hint",
                ));
            }
            let minutes: i64 = number(&text("minutes", "0"), 0, LONGEST)?;
            let seconds: f64 = number(&text("seconds", "30"), 0.1, 3600.0)?;
            let secret = crate::bots::secret()?;
            let new = Open {
                title,
                game: game.spec().to_owned(),
                format,
                games: number(&text("games", "2"), 1, 20)?,
                seconds,
                increment: number(&text("increment", "0"), 0.0, 60.0)?,
                until: (minutes > 0).then(|| app.now() + minutes * 60_000_000),
                seed: match fields.get("seed") {
                    Some(text) => number(text, 0, u64::MAX)?,
                    None => drawn(&secret, "openings").number(),
                },
                secret,
                owner: String::new(),
                entrants: Vec::new(),
                state: State::Joining,
                run: None,
                begun: app.now(),
            };
            open(&app, new, visitor)
        })
        .await
    };
    let id = work.await.map_err(|f| f.for_reader(&headers))?;
    Ok(back(&headers, visitor, &address(&id)))
}

/// How an open tournament stands: what changes while somebody looks on.
fn standing(app: &App, id: &str, one: &Open, visitor: Visitor) -> Markup {
    let mine = one.owner == visitor.text();
    let named = machines::apart(one.entrants.iter().map(|e| e.spec.as_str()));
    html! {
        p #state role="status" {
            (state(one.state)) ". "
            (WORDS.say("open-entered").with("n", one.entrants.len()))
            @if let (State::Joining, Some(until)) = (one.state, one.until) {
                " " (WORDS.say("open-starts").with("seconds", ((until - app.now()) / 1_000_000).max(0)))
            }
        }
        @if let Some(run) = &one.run { p { a.button.primary #to-run href=(super::super::address(run)) { (say("open-to-table")) } } }
        ol #entrants { @for (at, (entered, name)) in one.entrants.iter().zip(&named).enumerate() {
            @let bot = entered.spec.parse::<Spec>().ok().and_then(|spec| bot_of(&spec));
            li {
                @if let Some(bot) = &bot { a href={ "/bots/" (bot) } { (name) } } @else { (name) }
                @if bot.as_ref().is_some_and(|bot| app.bots.is_here(bot)) { " · " (say("bots-state-here")) }
                @if one.state == State::Joining && (mine || entered.owner.as_deref() == Some(visitor.text().as_str())) {
                    " " form.inline method="post" action={ (address(id)) "/remove" } {
                        input type="hidden" name="at" value=(at);
                        input type="hidden" name="spec" value=(entered.spec);
                        button.button.quiet.small type="submit" { (say("open-remove")) span.sr-only { ": " (name) } }
                    }
                }
            }
        } }
    }
}

/// `GET /arena/open/ID`
async fn show(
    Of(app): Of<App>,
    Path(id): Path<String>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let (house, wanted) = (app.clone(), id.clone());
    let work = blocking(move || {
        let one = get(&house, &wanted)?;
        let own = house.bots_of(visitor)?;
        Ok((one, own))
    });
    let (one, own) = work.await.map_err(|f| f.for_reader(&headers))?;
    let joining = one.state == State::Joining;
    let mine = one.owner == visitor.text();
    let link = format!("{}{}", site(&app, &headers), address(&id));
    let line = line(&app, &one);
    let body = html! {
        main.arena-page #main {
            p { a href="/arena#open" { (say("arena-back")) } }
            h1 { (one.title) }
            p.lead { (line) }
            p { (say("open-link")) " " code #link { (link) } }
            @if joining && mine {
                div.row #deeds {
                    form method="post" action={ (address(&id)) "/start" } { button.button.primary type="submit" { (say("open-start")) } }
                    form method="post" action={ (address(&id)) "/close" } { button.button.quiet type="submit" { (say("open-close")) } }
                    (machine_form(&app, &id, &one))
                }
            }
            p.error #away role="alert" hidden { (say("arena-away")) }
            div #live data-events={ (address(&id)) "/events" } data-running[joining] { (standing(&app, &id, &one, visitor)) }
            @if joining { (how_to_join(&app, &headers, &id, &link, &own)) }
        }
    };
    Ok(page(visitor, frame(&one.title, &["arena.js"], &body)))
}

/// What is played, on one line.
fn line(app: &App, one: &Open) -> String {
    let format = match one.format.as_str() {
        "swiss" => "arena-format-swiss",
        "knockout" => "arena-format-knockout",
        _ => "arena-format-round-robin",
    };
    let line = WORDS
        .say("open-line")
        .with("game", super::super::game_title(app, &one.game));
    line.with("format", WORDS.say(format))
        .with("games", one.games)
        .with("seconds", Figure::Decimal(one.seconds, 1))
        .with("increment", Figure::Decimal(one.increment, 1))
        .to_string()
}

/// Machines of the house that may be entered as a measure.
fn machine_form(app: &App, id: &str, one: &Open) -> Markup {
    let spec = one.game.parse::<Spec>();
    let entry = spec
        .ok()
        .and_then(|spec| app.catalog.entry(&spec.name).ok());
    let cards = entry.map(|entry| entry.players()).unwrap_or_default();
    let plain = cards
        .iter()
        .filter(|card| card.id != "human" && !card.params.iter().any(|param| param.usage.required));
    html! {
        form.row method="post" action={ (address(id)) "/machine" } {
            label for="machine" { (say("open-machine")) }
            select #machine name="player" { @for card in plain { option value=(card.id) { (machines::title(card.id)) } } }
            button.button type="submit" { (say("open-machine-add")) }
        }
    }
}

/// The ways to join.
fn how_to_join(app: &App, headers: &HeaderMap, id: &str, link: &str, own: &[Bot]) -> Markup {
    let site = site(app, headers);
    html! {
        section #join {
            h2 { (say("open-join")) }
            @if own.is_empty() {
                p { (say("open-join-none")) " " a.button href="/bots" { (say("bots-make")) } }
            } @else {
                form.row method="post" action={ (address(id)) "/join" } {
                    label for="bot" { (say("open-join-bot")) }
                    select #bot name="bot" { @for bot in own { option value=(bot.id) { (bot.name) } } }
                    button.button.primary type="submit" { (say("open-join-go")) }
                }
            }
            p { (say("open-join-program")) }
            pre { code {
                "curl -O " (site) "/clients/wits_bot.py\n"
                "WITS_TOKEN=… python3 mine.py --server " (site) " --join " (link) "\n"
            } }
            p { (say("bots-six-lines")) }
            pre { code { (SIX_LINES) } }
        }
    }
}

/// `POST /arena/open/ID/join`: a bot of one's own.
async fn join(wish: Wish) -> Result<Response, Fault> {
    deed(wish, |app, id, visitor, fields| {
        let bot = fields.get("bot").map_or("", String::as_str);
        let bot = app.bot(bot)?.ok_or_else(Fault::missing)?;
        if bot.owner != visitor.text() {
            return Err(crate::own::not_yours());
        }
        enter(app, id, &bot).map(drop)
    })
    .await
}

/// Something with an open tournament, and its page again.
async fn deed(
    wish: Wish,
    deed: impl FnOnce(&App, &str, Visitor, &crate::routes::Fields) -> Result<(), Fault> + Send + 'static,
) -> Result<Response, Fault> {
    let work = async {
        let fields = wish.fields()?;
        let (app, id, visitor) = (wish.app.clone(), wish.name.clone(), wish.visitor);
        blocking(move || deed(&app, &id, visitor, &fields)).await
    };
    work.await.map_err(|f| f.for_reader(&wish.headers))?;
    Ok(back(&wish.headers, wish.visitor, &address(&wish.name)))
}

/// Only who opened it may do that.
fn owned(app: &App, id: &str, visitor: Visitor) -> Result<(), Fault> {
    if get(app, id)?.owner == visitor.text() {
        Ok(())
    } else {
        Err(crate::own::not_yours())
    }
}

/// `POST /arena/open/ID/machine`: a machine of the house as a measure.
async fn machine(wish: Wish) -> Result<Response, Fault> {
    deed(wish, |app, id, visitor, fields| {
        owned(app, id, visitor)?;
        let spec: Spec = fields.get("player").map_or("", String::as_str).parse()?;
        affordable_seat(app, &spec)?;
        let one = get(app, id)?;
        let game = app.catalog.game(&one.game.parse()?, &app.shelf)?;
        // Who cannot sit down is found out now, and not when everybody waits.
        for seat in Seat::all(game.seats()) {
            game.player(&spec, seat, &app.shelf)?;
        }
        let spec = spec.to_string();
        change(app, id, |one| {
            if one.state != State::Joining {
                return Err(refused("started", "open-started", "open-started-hint"));
            }
            let known = one.entrants.iter().any(|e| e.spec == spec);
            if !known && one.entrants.len() < MOST {
                one.entrants.push(super::Entered {
                    spec: spec.clone(),
                    owner: None,
                });
            }
            Ok(())
        })
    })
    .await
}

/// `POST /arena/open/ID/start`
async fn start_now(wish: Wish) -> Result<Response, Fault> {
    deed(wish, |app, id, visitor, _| {
        owned(app, id, visitor)?;
        start(app, id).map(drop)
    })
    .await
}

/// `POST /arena/open/ID/close`
async fn close(wish: Wish) -> Result<Response, Fault> {
    deed(wish, |app, id, visitor, _| {
        owned(app, id, visitor)?;
        change(app, id, |one| {
            if one.state != State::Joining {
                return Err(refused("started", "open-started", "open-started-hint"));
            }
            one.state = State::CalledOff;
            Ok(())
        })
    })
    .await
}

/// `POST /arena/open/ID/remove`: whoever opened it removes anybody, everybody their own bots.
async fn remove(wish: Wish) -> Result<Response, Fault> {
    deed(wish, |app, id, visitor, fields| {
        let at: usize = number(fields.get("at").map_or("", String::as_str), 0, MOST)?;
        let spec = fields.get("spec").cloned().unwrap_or_default();
        change(app, id, |one| {
            if one.state != State::Joining {
                return Err(refused("started", "open-started", "open-started-hint"));
            }
            let entered = one.entrants.get(at).filter(|e| e.spec == spec);
            let entered = entered.ok_or_else(Fault::missing)?;
            if one.owner != visitor.text()
                && entered.owner.as_deref() != Some(visitor.text().as_str())
            {
                return Err(crate::own::not_yours());
            }
            one.entrants.remove(at);
            Ok(())
        })
    })
    .await
}

/// One page that waits.
struct Listener {
    app: App,
    id: String,
    visitor: Visitor,
    told: Option<String>,
    over: bool,
    _place: crate::streams::StreamPlace,
}

impl Listener {
    async fn next(&mut self) -> Option<Event> {
        if self.over {
            return None;
        }
        loop {
            if self.told.is_some() {
                tokio::time::sleep(LOOK).await;
            }
            let (app, id, visitor) = (self.app.clone(), self.id.clone(), self.visitor);
            let look = blocking(move || {
                let one = get(&app, &id)?;
                let html = standing(&app, &id, &one, visitor).into_string();
                Ok((html, one.entrants.len(), one.state != State::Joining))
            });
            let (html, results, over) = look.await.ok()?;
            if self.told.as_ref() != Some(&html) {
                self.told = Some(html.clone());
                self.over = over;
                let data = json!({"html": html, "results": results, "over": over});
                return Event::default().event("table").json_data(data).ok();
            }
        }
    }
}

/// `GET /arena/open/ID/events`
async fn events(
    Of(app): Of<App>,
    Path(id): Path<String>,
    visitor: Visitor,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Fault> {
    let place = app.streams.place(visitor)?;
    let listener = Listener {
        app,
        id,
        visitor,
        told: None,
        over: false,
        _place: place,
    };
    let events = unfold(listener, |mut listener| async move {
        let event = listener.next().await?;
        Some((Ok(event), listener))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))))
}

/// The games of a run that are played now, each to be followed.
pub(in crate::rooms::arena) fn playing(app: &App, run: &str) -> Markup {
    let games = app.opens.playing(run);
    if games.is_empty() {
        return Markup::default();
    }
    let one = |id: Id| {
        let table = app.table(id).ok()?;
        let players = table.header.players.iter();
        let names: Vec<String> = players.map(|player| machines::called(player)).collect();
        let moves = table.lock().table.ply();
        let line = WORDS
            .say("open-game-now")
            .with("players", names.join(" – "));
        Some(html! { li { a href={ "/games/" (id) } { (line.with("moves", moves)) } } })
    };
    html! {
        section #now {
            h2 { (say("open-now")) }
            ul { @for id in games { @if let Some(line) = one(id) { (line) } } }
        }
    }
}
