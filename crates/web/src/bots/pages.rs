//! A visitor's bots, and the page of each.

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use axum::routing::{get, post};
use maud::{Markup, html};
use wits_bots::protocol::Card;
use wits_game::{Message, Seat};
use wits_play::{Spec, TimeControl};

use super::Bot;
use crate::pages::{back, frame, machines, page, say};
use crate::routes::{Wish, blocking, fields};
use crate::snapshot::{Place, result_of};
use crate::table::bot_of;
use crate::tables::NewGame;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// So many games of a bot are listed.
const GAMES: u32 = 30;

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/bots", get(list).post(make))
        .route("/bots/{id}", get(show))
        .route("/bots/{id}/token", post(renew))
        .route("/bots/{id}/withdraw", post(withdraw))
        .route("/bots/{id}/pause", post(pause))
        .route("/bots/{id}/delete", post(delete))
        .route("/bots/{id}/challenge", post(challenge))
}

/// What a program says of itself.
fn says(card: &Card) -> Message {
    match &card.version {
        Some(version) => WORDS.say("bots-says").with("version", version),
        None => WORDS.say("bots-says-name"),
    }
    .with("name", &card.name)
}

/// A bot as a link to its page.
pub(crate) fn to_bot(player: &str) -> Option<String> {
    let spec: Spec = player.parse().ok()?;
    Some(format!("/bots/{}", bot_of(&spec)?))
}

/// Where this server is, as the reader asked for it.
pub(crate) fn site(app: &App, headers: &HeaderMap) -> String {
    if let Some(proxy) = &app.config.proxy {
        return format!("https://{proxy}");
    }
    let host = headers.get(header::HOST).and_then(|v| v.to_str().ok());
    format!("http://{}", host.unwrap_or("127.0.0.1:8080"))
}

/// A bot of one's own in the list.
struct Listed {
    bot: Bot,
    here: bool,
}

/// `GET /bots`
async fn list(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let house = app.clone();
    let work = blocking(move || {
        let own = house.bots_of(visitor)?.into_iter().map(|bot| Listed {
            here: house.bots.is_here(&bot.id),
            bot,
        });
        let mut others = Vec::new();
        for id in house.bots.all_here() {
            others.extend(house.bot(&id)?.filter(|bot| !bot.is_of(visitor)));
        }
        others.sort_by(|a, b| (&a.name, &a.id).cmp(&(&b.name, &b.id)));
        Ok((own.collect::<Vec<_>>(), others))
    });
    let (own, others) = work.await.map_err(|f| f.for_reader(&headers))?;
    let title = say("bots-title");
    let body = html! {
        main.arena-page #main {
            h1 { (title) }
            p.lead { (say("bots-lead")) }
            form.row #make method="post" action="/bots" {
                label for="name" { (say("bots-name")) }
                input #name name="name" maxlength="40" required autocomplete="off";
                button.button.primary type="submit" { (say("bots-make")) }
            }
            section #own {
                h2 { (say("bots-own")) }
                @if own.is_empty() { p.muted { (say("bots-none")) } } @else {
                    ul { @for one in &own {
                        li { a href={ "/bots/" (one.bot.id) } { (one.bot.name) } " " span.muted { (state(&one.bot, one.here)) } }
                    } }
                }
            }
            section #here {
                h2 { (say("bots-here")) }
                @if others.is_empty() { p.muted { (say("bots-nobody")) } } @else {
                    ul { @for bot in &others { li { a href={ "/bots/" (bot.id) } { (bot.name) } } } }
                }
            }
            p { a href="/docs/bots" { (say("bots-manual")) } " · " a href="/arena#open" { (say("open-title")) } " · " a href="/lessons/tournament" { (say("bots-lesson")) } }
        }
    };
    Ok(page(visitor, frame(&title, &[], &body)))
}

/// How a bot is, in a word.
fn state(bot: &Bot, here: bool) -> String {
    let key = match (bot.open, bot.paused, here) {
        (false, _, _) => "bots-state-closed",
        (_, true, _) => "bots-state-paused",
        (_, _, true) => "bots-state-here",
        _ => "bots-state-away",
    };
    say(key)
}

/// `POST /bots`: the only page that ever shows the token.
async fn make(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Fault> {
    let asked = fields(&headers, &body).map_err(|f| f.for_reader(&headers))?;
    let name = asked.get("name").cloned().unwrap_or_default();
    let house = app.clone();
    let work = blocking(move || house.make_bot(visitor, &name));
    let (bot, token) = work.await.map_err(|f| f.for_reader(&headers))?;
    Ok(shown(&app, &headers, visitor, &bot, &token))
}

/// A new token: on a page for people, as JSON for scripts.
fn shown(app: &App, headers: &HeaderMap, visitor: Visitor, bot: &Bot, token: &str) -> Response {
    if !crate::fault::reads_pages(headers) {
        let value = serde_json::json!({"id": bot.id, "name": bot.name, "token": token, "page": format!("/bots/{}", bot.id)});
        return crate::routes::answer(headers, visitor, "/bots", value);
    }
    let site = site(app, headers);
    let title = WORDS.say("bots-made").with("name", &bot.name).to_string();
    let body = html! {
        main.arena-page #main {
            h1 { (title) }
            p.lead { (say("bots-token-once")) }
            p { code #token { (token) } }
            h2 { (say("bots-first-game")) }
            p { (say("bots-first-game-about")) }
            pre { code #commands {
                "curl -O " (site) "/clients/wits_bot.py\n"
                "curl -O " (site) "/clients/random_bot.py\n"
                "WITS_TOKEN=" (token) " python3 random_bot.py --server " (site) " --play othello\n"
            } }
            h2 { (say("bots-six-lines")) }
            pre { code { (SIX_LINES) } }
            p { (say("bots-six-lines-about")) " " a href="/docs/bots" { (say("bots-manual")) } }
            p { a.button href={ "/bots/" (bot.id) } { (say("bots-to-page")) } }
        }
    };
    page(visitor, frame(&title, &[], &body))
}

/// A bot to copy.
pub(crate) const SIX_LINES: &str = "import random
from wits_bot import Bot
class Mine(Bot):
    def choose(self, turn):
        return random.choice(turn.legal)
Mine().run()
";

/// A game of a bot, as its page lists it.
struct Game {
    id: wits_store::Id,
    title: String,
    others: Vec<String>,
    finished: bool,
    result: String,
    rated: bool,
    slip: Option<(String, String)>,
}

/// `GET /bots/ID`
async fn show(
    State(app): State<App>,
    Path(id): Path<String>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let house = app.clone();
    let work = blocking(move || {
        let bot = house.bot(&id)?.ok_or_else(Fault::missing)?;
        let games = games(&house, &bot, visitor)?;
        Ok((bot, games))
    });
    let (bot, games) = work.await.map_err(|f| f.for_reader(&headers))?;
    let (own, here) = (bot.is_of(visitor), app.bots.is_here(&bot.id));
    let card = app.bots.card(&bot.id);
    let name = bot.name.clone();
    let body = html! {
        main.arena-page #main {
            p { a href="/bots" { (say("bots-back")) } }
            h1 { (WORDS.say("machine-bot").with("name", &bot.name)) }
            p.lead #state { (state(&bot, here))
                @if let Some(card) = &card { ". " (says(card)) }
            }
            @if own { (deeds(&bot)) }
            (challenge_form(&app, &bot, here))
            section #games {
                h2 { (say("games")) }
                @if games.is_empty() { p.muted { (say("bots-no-games")) } } @else { (list_of(&games)) }
            }
        }
    };
    Ok(page(visitor, frame(&name, &[], &body)))
}

/// What the owner can do.
fn deeds(bot: &Bot) -> Markup {
    let deed = |to: &str, key: &'static str| {
        html! { form method="post" action={ "/bots/" (bot.id) "/" (to) } { button.button.quiet type="submit" { (say(key)) } } }
    };
    html! {
        div.row #deeds {
            (deed("pause", if bot.paused { "bots-go-on" } else { "bots-pause" }))
            (deed("token", "bots-renew"))
            @if bot.open { (deed("withdraw", "bots-withdraw")) }
            (deed("delete", "bots-delete"))
        }
        p.muted { (say("bots-deeds-about")) }
    }
}

/// A game against the bot.
fn challenge_form(app: &App, bot: &Bot, here: bool) -> Markup {
    if !here || bot.paused {
        return html! { p.muted #away { (say("bots-away")) } };
    }
    html! {
        form.row #challenge method="post" action={ "/bots/" (bot.id) "/challenge" } {
            label for="game" { (say("arena-game")) }
            select #game name="game" {
                @for entry in app.catalog.entries().iter().filter(|e| e.seats().1 >= 2) {
                    option value=(entry.id()) selected[entry.id() == "othello"] { (entry.title()) }
                }
            }
            label for="side" { (say("you-play")) }
            select #side name="side" {
                option value="1" { (say("bots-side-first")) }
                option value="2" { (say("bots-side-second")) }
            }
            button.button.primary type="submit" { (say("bots-challenge")) }
        }
    }
}

fn list_of(games: &[Game]) -> Markup {
    html! {
        div.arena-scroll tabindex="0" role="region" aria-label=(say("games")) {
            table.data {
                thead { tr {
                    th.words scope="col" { (say("arena-game")) }
                    th.words scope="col" { (say("bots-against")) }
                    th.words scope="col" { (say("arena-score")) }
                    th.words scope="col" { (say("bots-slip")) }
                } }
                tbody { @for game in games { tr {
                    th.words scope="row" { a href={ "/games/" (game.id) } { (game.title) } @if game.rated { " · " (say("bots-rated")) } }
                    td.words { (game.others.join(", ")) }
                    td.words { @if game.finished { (game.result) } @else { (say("bots-running")) } }
                    td.words {
                        @if let Some((fault, why)) = &game.slip {
                            strong { (fault) }
                            @if !why.is_empty() { details { summary { (say("bots-slip-more")) } pre { (why) } } }
                        }
                    }
                } } }
            }
        }
    }
}

/// The last games of a bot; what it did wrong is for its owner, but for the word.
fn games(app: &App, bot: &Bot, visitor: Visitor) -> Result<Vec<Game>, Fault> {
    let own = bot.is_of(visitor);
    let mut all = Vec::new();
    for session in app.store.sessions_of(&bot.id, GAMES)? {
        let Ok(table) = app.table(session.id) else {
            continue;
        };
        let seats: Vec<Seat> = Seat::all(table.game.seats()).collect();
        let mine = seats.iter().find(|&&s| table.bot(s) == Some(&bot.id));
        let Some(&mine) = mine else { continue };
        let others = seats.iter().filter(|&&s| s != mine);
        let others = others.map(|s| machines::called(&table.header.players[s.index()]));
        let slip = table.slip_of(app, mine)?;
        let place = Place {
            seats: vec![mine],
            held: vec![mine],
        };
        all.push(Game {
            id: session.id,
            title: table.game.title().to_string(),
            others: others.collect(),
            finished: session.finished,
            result: if session.finished {
                result_of(&table, &place).1
            } else {
                String::new()
            },
            rated: table.rated.is_some(),
            slip: slip.map(|kept| {
                (
                    fault_word(&kept.fault),
                    if own { kept.why } else { String::new() },
                )
            }),
        });
    }
    Ok(all)
}

/// The word for a fault.
pub(crate) fn fault_word(fault: &str) -> String {
    say(match fault {
        "illegal" => "bot-fault-illegal",
        "late" => "bot-fault-late",
        "silent" => "bot-fault-silent",
        "disconnected" => "bot-fault-disconnected",
        "unreadable" => "bot-fault-unreadable",
        _ => "bot-fault-crashed",
    })
}

/// `POST /bots/ID/token`
async fn renew(wish: Wish) -> Result<Response, Fault> {
    let (app, id, visitor) = (wish.app.clone(), wish.name.clone(), wish.visitor);
    let work = blocking(move || {
        let token = app.new_token(&id, visitor)?;
        Ok((app.own_bot(&id, visitor)?, token))
    });
    let (bot, token) = work.await.map_err(|f| f.for_reader(&wish.headers))?;
    Ok(shown(&wish.app, &wish.headers, visitor, &bot, &token))
}

/// Something that the owner does with a bot.
async fn owned(
    wish: Wish,
    to: &str,
    deed: impl FnOnce(&App, &str, Visitor) -> Result<(), Fault> + Send + 'static,
) -> Result<Response, Fault> {
    let (app, id, visitor) = (wish.app.clone(), wish.name.clone(), wish.visitor);
    let work = blocking(move || deed(&app, &id, visitor));
    work.await.map_err(|f| f.for_reader(&wish.headers))?;
    Ok(back(&wish.headers, visitor, to))
}

/// `POST /bots/ID/withdraw`: whoever has the token is out at once.
async fn withdraw(wish: Wish) -> Result<Response, Fault> {
    let to = format!("/bots/{}", wish.name);
    owned(wish, &to, |app, id, visitor| {
        app.change_bot(id, visitor, |kept| kept.token = None)
    })
    .await
}

/// `POST /bots/ID/pause`: no new games, or again.
async fn pause(wish: Wish) -> Result<Response, Fault> {
    let to = format!("/bots/{}", wish.name);
    owned(wish, &to, |app, id, visitor| {
        app.change_bot(id, visitor, |kept| kept.paused = !kept.paused)
    })
    .await
}

/// `POST /bots/ID/delete`
async fn delete(wish: Wish) -> Result<Response, Fault> {
    owned(wish, "/bots", |app, id, visitor| {
        app.own_bot(id, visitor)?;
        app.store.discard(id, &visitor.text())?;
        app.bots.forget(id);
        Ok(())
    })
    .await
}

/// `POST /bots/ID/challenge`: a game against a bot that is here.
async fn challenge(wish: Wish) -> Result<Response, Fault> {
    let work = async {
        let asked = wish.fields()?;
        let (app, id, visitor) = (wish.app.clone(), wish.name.clone(), wish.visitor);
        blocking(move || {
            let bot = app.bot(&id)?.ok_or_else(Fault::missing)?;
            if bot.paused || !app.bots.is_here(&bot.id) {
                let (why, hint) = (WORDS.say("bots-away"), WORDS.say("bots-away-hint"));
                return Err(Fault::new(StatusCode::CONFLICT, "away", why, hint));
            }
            let game: Spec = asked
                .get("game")
                .map_or("othello", String::as_str)
                .parse()?;
            let made = app.catalog.game(&game, &app.shelf)?;
            let mut players = vec![bot.spec(); usize::from(made.seats())];
            let own = usize::from(asked.get("side").is_some_and(|side| side == "2"));
            if let Some(seat) = players.get_mut(own) {
                *seat = Spec::named("human");
            }
            let new = NewGame {
                game,
                players,
                seed: None,
                clock: TimeControl::None,
                position: None,
                names: Vec::new(),
                first: None,
            };
            let table = app.new_table(new, visitor)?;
            app.store.claim(table.id, own as u8, &visitor.text())?;
            Ok(table.id)
        })
        .await
    };
    let id = work.await.map_err(|f| f.for_reader(&wish.headers))?;
    Ok(back(&wish.headers, wish.visitor, &format!("/games/{id}")))
}
