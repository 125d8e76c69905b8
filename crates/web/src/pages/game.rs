//! The page of a game: the board, the moves, what the machine thinks, and its thread.

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, PreEscaped, html};
use serde_json::Value;
use wits_game::Scene;
use wits_play::AnyEntry;

use super::at_table::AtTable;
use super::board::board;
use super::{frame, page, say};
use crate::rooms::{beside, home_of, page_of, to_ladder};
use crate::routes::{blocking, open};
use crate::snapshot::{Place, snapshot};
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// `GET /games/ID`
pub(crate) async fn game(
    State(app): State<App>,
    Path(id): Path<String>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let table = open(&app, &id).await.map_err(|f| f.for_reader(&headers))?;
    table.look(&app, visitor);
    let (at, house) = (std::sync::Arc::clone(&table), app.clone());
    let state = blocking(move || Ok(snapshot(&at, &Place::of(&app, &at, visitor)?)))
        .await
        .map_err(|f| f.for_reader(&headers))?;
    let title = WORDS
        .say("game-title")
        .with("game", table.game.title())
        .to_string();
    let at = AtTable {
        id: &id,
        game: table.game.id(),
        state: &state,
    };
    let entry = house.catalog.entry(at.game).ok().map(|entry| &**entry);
    if let Some((scripts, body)) = page_of(&at, &table, &title, entry) {
        return Ok(page(visitor, frame(&title, scripts, &body)));
    }
    let mut scripts = vec!["board.js", "thread.js", "game.js"];
    scripts.extend(beside(at.game, &id).map(|(script, _)| script));
    let body = show(&at, &title, entry, &table.game.title());
    Ok(page(visitor, frame(&title, &scripts, &body)))
}

/// JSON that is safe inside a script block: no text can end the block.
pub(crate) fn embedded(value: &Value) -> PreEscaped<String> {
    PreEscaped(value.to_string().replace('<', "\\u003c"))
}

/// A game without a page of its own: the board and its tools, everything else beside it.
fn show(
    at: &AtTable<'_>,
    title: &str,
    entry: Option<&dyn AnyEntry>,
    seats: &wits_game::Message,
) -> Markup {
    let (base, state) = (at.base(), at.state);
    let scene: Scene = serde_json::from_value(state["scene"].clone()).unwrap_or_default();
    let goal = entry.map(AtTable::goal).unwrap_or_default();
    html! {
        main.game #main data-id=(at.id) data-base=(base) data-game=(at.game) {
            (AtTable::head(title, &goal, entry))
            (at.turn())
            div.table { div.stay {
                form.move.plain action={ (base) "/move" } method="post" {
                    input type="hidden" name="ply" value=(state["ply"]);
                    @if at.mine() { input type="hidden" name="seat" value=(state["turn"]); }
                    wits-board live[at.mine()] {
                        script.scene type="application/json" { (embedded(&state["scene"])) }
                        (board(&scene))
                    }
                }
                p #message role="alert" {}
                (at.controls(None))
            } }
            div.side {
                (at.seats())
                @if let Some((_, panel)) = beside(at.game, at.id) { (panel) }
                (at.thoughts())
            }
            (AtTable::thread())
            p.muted.game-foot {
                (say("invite"))
                @if let Some(room) = home_of(at.game) { " · " a href=(room) { (say("to-room")) } }
                " · " a href=(crate::glossary::of_game(at.game)) { (say("glossary-words")) }
                @if state["seats"].as_array().is_some_and(|seats| seats.len() > 1) { " · " (to_ladder(at.game, seats.clone())) }
            }
        }
    }
}
