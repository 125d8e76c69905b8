//! The ladder of a game.

use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::html;
use serde::Deserialize;
use wits_arena::Ladder;
use wits_arena::stats::Anchor;
use wits_play::Spec;

use super::table::whisker;
use crate::pages::{frame, page, say};
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
    let low = rows.iter().map(|r| r.rating.elo).fold(f64::MAX, f64::min) - 60.0;
    let high = rows.iter().map(|r| r.rating.elo).fold(f64::MIN, f64::max) + 60.0;
    let body = html! {
        main.arena-page #main {
            p { a href="/arena" { (say("arena-back")) } }
            h1 { (title) }
            // Every variant has a ladder of its own.
            p { code { (game.spec()) } }
            p.lead { (say("arena-ladders-lead")) }
            @if rows.is_empty() { p.muted { (say("arena-no-ladder")) } } @else {
                div.arena-scroll tabindex="0" role="region" aria-label=(title) {
                    table.data #ladder {
                        thead { tr {
                            th scope="col" { (say("arena-rank")) }
                            th.words scope="col" { (say("arena-player")) }
                            th scope="col" { (say("arena-rating")) }
                            th scope="col" { (say("arena-between")) }
                            th scope="col" { (say("games")) }
                            th scope="col" { (say("arena-score")) }
                        } }
                        tbody {
                            @for (place, row) in (1..).zip(&rows) {
                                tr {
                                    td { (place) }
                                    th.words scope="row" { (row.name) }
                                    td { strong { (format!("{:.0}", row.rating.elo)) } }
                                    td {
                                        (format!("{:.0} – {:.0}", row.rating.interval.0, row.rating.interval.1)) " "
                                        (whisker(row.rating.elo, row.rating.interval.0, row.rating.interval.1, low, high))
                                    }
                                    td { (row.games) }
                                    td { (format!("{:.1}%", 100.0 * row.score)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    };
    Ok(page(visitor, frame(&title, &[], &body)))
}
