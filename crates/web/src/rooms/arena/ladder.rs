//! The ladder of a game.

use std::collections::BTreeMap;

use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, html};
use serde::Deserialize;
use wits_arena::stats::Anchor;
use wits_arena::{Ladder, LadderRow};
use wits_game::Figure;
use wits_play::Spec;

use super::table::{elo, whisker};
use crate::bots::to_bot;
use crate::pages::{frame, machines, page, say, written};
use crate::routes::blocking;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// Which game is meant.
#[derive(Deserialize)]
pub(super) struct Of {
    game: String,
}

/// `GET /arena/ladder?game=GAME`
pub(super) async fn show(
    State(app): State<App>,
    Query(Of { game }): Query<Of>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let work = blocking(move || {
        let spec: Spec = game.parse()?;
        let game = app.catalog.game(&spec, &app.shelf)?;
        let ladder = Ladder::of(&app.store, game.spec())?;
        Ok((game, ladder.rows(Anchor::Mean(1000.0))))
    });
    let (game, rows) = work.await.map_err(|f| f.for_reader(&headers))?;
    let title = WORDS
        .say("arena-ladder-title")
        .with("game", game.title())
        .to_string();
    let names = machines::apart(rows.iter().map(|row| row.name.as_str()));
    let groups: Vec<&[LadderRow]> = rows.chunk_by(|a, b| a.group == b.group).collect();
    let names = rows.iter().map(|row| row.name.clone()).zip(names).collect();
    let low = rows.iter().map(|r| r.rating.elo).fold(f64::MAX, f64::min) - 60.0;
    let high = rows.iter().map(|r| r.rating.elo).fold(f64::MIN, f64::max) + 60.0;
    let body = html! {
        main.arena-page #main {
            p { a href="/arena" { (say("arena-back")) } }
            h1 { (title) }
            p.lead { (say("arena-ladders-lead")) }
            // Every variant has a ladder of its own.
            details.muted { summary { (say("arena-variant")) } p { code { (game.spec()) } } }
            @if rows.is_empty() { p.muted { (say("arena-no-ladder")) } }
            @if groups.len() > 1 { (apart(game.id(), &groups)) }
            @if let [group] = groups[..] { (table(&title, group, &names, low, high)) } @else {
                @for (nth, group) in groups.iter().enumerate() {
                    @let heading = WORDS.say("arena-group").with("number", nth + 1).to_string();
                    h2 { (heading) }
                    (table(&heading, group, &names, low, high))
                }
            }
        }
    };
    Ok(page(visitor, frame(&title, &[], &body)))
}

/// Why there are several groups, and the games that would link them: the best of each meet.
fn apart(game: &str, groups: &[&[LadderRow]]) -> Markup {
    let best: Vec<&str> = groups
        .iter()
        .filter_map(|group| Some(group.first()?.name.as_str()))
        .collect();
    html! {
        div.panel {
            p { (say("arena-groups")) }
            form method="post" action="/arena" {
                input type="hidden" name="game" value=(game);
                input type="hidden" name="players" value=(best.join("\n"));
                input type="hidden" name="games" value="40";
                input type="hidden" name="plies" value="4";
                button.button.primary type="submit" { (say("arena-link")) }
            }
        }
    }
}

/// The players of one group.
fn table(
    title: &str,
    rows: &[LadderRow],
    names: &BTreeMap<String, String>,
    low: f64,
    high: f64,
) -> Markup {
    html! {
        div.arena-scroll tabindex="0" role="region" aria-label=(title) {
            table.data.ladder {
                thead { tr {
                    th scope="col" { (say("arena-rank")) }
                    th.words scope="col" { (say("arena-player")) }
                    th scope="col" { (say("arena-rating")) }
                    th scope="col" { (say("arena-between")) }
                    th scope="col" { (say("games")) }
                    th scope="col" { (say("arena-score")) }
                } }
                tbody {
                    @for (place, row) in (1..).zip(rows) {
                        tr {
                            td { (place) }
                            th.words scope="row" title=(row.name) {
                                @let name = names.get(&row.name).unwrap_or(&row.name);
                                @if let Some(bot) = to_bot(&row.name) { a href=(bot) { (name) } } @else { (name) }
                            }
                            td { strong { (elo(row.rating.elo)) } }
                            td {
                                (elo(row.rating.interval.0)) " – " (elo(row.rating.interval.1)) " "
                                (whisker(row.rating.elo, row.rating.interval.0, row.rating.interval.1, low, high))
                            }
                            td { (row.games) }
                            td { (written(Figure::share(row.score))) }
                        }
                    }
                }
            }
        }
    }
}
