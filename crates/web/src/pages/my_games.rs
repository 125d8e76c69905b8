//! My games: those that go on and those that are over, of one visitor.

use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, html};
use serde::Deserialize;
use wits_game::{Message, Seat};
use wits_play::{Header, Spec};
use wits_store::{Id, Session};

use super::{frame, machines, page, say};
use crate::routes::{blocking, day};
use crate::snapshot::{Place, result_of};
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// So many games are looked for, and so many shown at once.
const FOUND: u32 = 500;
const SHOWN: usize = 60;

/// One game of a visitor, as a list shows it.
pub(crate) struct Listed {
    pub(crate) id: Id,
    game: String,
    title: Message,
    /// Whom the visitor plays.
    others: Vec<String>,
    finished: bool,
    /// How a finished game went for the visitor.
    result: Option<(&'static str, String)>,
    moves: u64,
    updated: i64,
}

/// The games of a visitor, the newest first; results are looked up for those that are `shown`.
pub(crate) fn listed(
    app: &App,
    visitor: Visitor,
    keep: impl Fn(&str, bool) -> bool,
    shown: usize,
) -> Result<Vec<Listed>, Fault> {
    let sessions = app.store.sessions_of(&visitor.text(), FOUND)?;
    let games = sessions.into_iter().filter(|one| one.kind == "game");
    let mut out = Vec::new();
    for session in games {
        let Some((header, spec)) = header_of(&session) else {
            continue;
        };
        let Ok(entry) = app.catalog.entry(&spec.name) else {
            continue;
        };
        if !keep(entry.id(), session.finished) {
            continue;
        }
        let own = app.store.seats(session.id, &visitor.text())?;
        let others = Seat::all(header.players.len() as u8)
            .zip(&header.players)
            .filter(|(seat, _)| !own.contains(&(seat.index() as u8)))
            .map(|(_, player)| machines::called(player))
            .collect();
        let result = if session.finished {
            let table = app.table(session.id)?;
            Some(result_of(&table, &Place::of(app, &table, visitor)?))
        } else {
            None
        };
        out.push(Listed {
            id: session.id,
            game: entry.id().to_owned(),
            title: entry.title(),
            others,
            finished: session.finished,
            result,
            moves: session.events,
            updated: session.updated,
        });
        if out.len() >= shown {
            break;
        }
    }
    Ok(out)
}

fn header_of(session: &Session) -> Option<(Header, Spec)> {
    let header: Header = serde_json::from_value(session.header.clone()).ok()?;
    let spec = header.game.parse().ok()?;
    Some((header, spec))
}

/// Which games are asked for.
#[derive(Deserialize, Default)]
pub(crate) struct Filter {
    #[serde(default)]
    game: String,
    #[serde(default)]
    state: String,
}

/// `GET /games`
pub(crate) async fn my_games(
    State(app): State<App>,
    Query(filter): Query<Filter>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let house = app.clone();
    let work = blocking(move || {
        let wanted = |game: &str, finished: bool| {
            (filter.game.is_empty() || filter.game == game)
                && match filter.state.as_str() {
                    "running" => !finished,
                    "finished" => finished,
                    _ => true,
                }
        };
        Ok((listed(&house, visitor, wanted, SHOWN)?, filter))
    });
    let (games, filter) = work.await.map_err(|f| f.for_reader(&headers))?;
    let title = say("my-games");
    let states = [
        ("", "games-all"),
        ("running", "games-running"),
        ("finished", "games-finished"),
    ];
    let body = html! {
        main #main {
            h1 { (title) }
            form.row.games-filter action="/games" method="get" {
                label for="state" { (say("games-show")) }
                select #state name="state" {
                    @for (value, key) in states { option value=(value) selected[filter.state == value] { (say(key)) } }
                }
                label.sr-only for="game" { (say("games-of")) }
                select #game name="game" {
                    option value="" { (say("games-every")) }
                    @for entry in app.catalog.entries() {
                        option value=(entry.id()) selected[filter.game == entry.id()] { (entry.title()) }
                    }
                }
                button.button type="submit" { (say("games-go")) }
            }
            (list(&games))
        }
    };
    Ok(page(visitor, frame(&title, &[], &body)))
}

/// A list of games with what can be done with each.
pub(crate) fn list(games: &[Listed]) -> Markup {
    if games.is_empty() {
        return html! { p.muted { (say("recent-none")) } };
    }
    html! {
        ul.games {
            @for game in games {
                @let to = format!("/games/{}", game.id);
                li data-verdict=[game.result.as_ref().map(|(verdict, _)| *verdict)] {
                    a.games-to href=(to) {
                        b { (game.title) }
                        @if !game.others.is_empty() { " " span { (WORDS.say("games-against").with("who", game.others.join(", "))) } }
                    }
                    span.games-result {
                        @match &game.result {
                            Some((_, text)) => (text),
                            None => (WORDS.say("moves-count").with("count", game.moves)),
                        }
                    }
                    span.muted { (day(game.updated)) }
                    span.row {
                        @if game.finished {
                            a.button.quiet.small href=(to) { (say("games-replay")) }
                            form action={ (to) "/again" } method="post" { button.button.quiet.small type="submit" { (say("rematch")) } }
                        } @else {
                            a.button.quiet.small href=(to) { (say("games-continue")) }
                        }
                        @if game.finished || game.game != "scrabble" { a.button.quiet.small href={ (to) "/record" } { (say("games-download")) } }
                        form action={ (to) "/delete" } method="post" { button.button.quiet.small type="submit" { (say("mine-delete")) } }
                    }
                }
            }
        }
    }
}
