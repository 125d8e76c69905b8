//! The page of a game: the board, the moves, what the machine thinks, and its thread.

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, PreEscaped, html};
use serde_json::Value;
use wits_game::Scene;

use super::board::board;
use super::{frame, page, say};
use crate::rooms::{beside, home_of, page_of, to_ladder};
use crate::routes::{blocking, open};
use crate::snapshot::{Place, snapshot};
use crate::table::Table;
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
    table.wake(&app);
    let at = std::sync::Arc::clone(&table);
    let state = blocking(move || Ok(snapshot(&at, &Place::of(&app, &at, visitor)?)))
        .await
        .map_err(|f| f.for_reader(&headers))?;
    let title = WORDS
        .say("game-title")
        .with("game", table.game.title())
        .to_string();
    if let Some((scripts, body)) = page_of(&id, &table, &title, &state) {
        return Ok(page(visitor, frame(&title, scripts, &body)));
    }
    let mut scripts = vec!["board.js", "thread.js", "game.js"];
    scripts.extend(beside(table.game.id(), &id).map(|(script, _)| script));
    Ok(page(
        visitor,
        frame(&title, &scripts, &show(&id, &table, &title, &state)),
    ))
}

/// JSON that is safe inside a script block: no text can end the block.
pub(crate) fn embedded(value: &Value) -> PreEscaped<String> {
    PreEscaped(value.to_string().replace('<', "\\u003c"))
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

fn show(id: &str, table: &Table, title: &str, state: &Value) -> Markup {
    let game = table.game.id();
    let base = format!("/games/{id}");
    let scene: Scene = serde_json::from_value(state["scene"].clone()).unwrap_or_default();
    let can = |what: &str| state["can"][what] == true;
    let mine = state["turn"].is_number()
        && state["you"]
            .as_array()
            .is_some_and(|you| you.contains(&state["turn"]));
    html! {
        main.game #main data-id=(id) data-base=(base) {
            h1 { (title) }
            div.table {
                p #status aria-live="polite" { (text(state, "status")) }
                form.move.plain action={ (base) "/move" } method="post" {
                    input type="hidden" name="ply" value=(state["ply"]);
                    @if mine { input type="hidden" name="seat" value=(state["turn"]); }
                    wits-board live[mine] {
                        script.scene type="application/json" { (embedded(&state["scene"])) }
                        (board(&scene))
                    }
                }
                p #message role="alert" {}
            }
            div.side {
                section.panel aria-label=(say("seats")) {
                    ul #clocks {
                        @for seat in state["seats"].as_array().into_iter().flatten() {
                            li.to-move[seat["seat"] == state["turn"]] {
                                b { (text(seat, "name")) } " " span.muted { (text(seat, "player")) }
                                @if let Some(machine) = seat["boxes"].as_str() {
                                    " " a href=(machine) { (say("js-its-boxes")) }
                                }
                                @if seat["you"] == true { " " span.badge { (say("js-you")) } }
                                @if seat["free"] == true {
                                    form.sit action={ (base) "/sit" } method="post" {
                                        input type="hidden" name="seat" value=(seat["seat"]);
                                        p { (WORDS.say("js-free-seat").with("name", text(seat, "name"))) }
                                        button.button type="submit" { (say("js-sit")) }
                                    }
                                }
                            }
                        }
                    }
                }
                form.move.row action={ (base) "/move" } method="post" {
                    input type="hidden" name="ply" value=(state["ply"]);
                    label for="typed" { (say("type-move")) }
                    input #typed name="move" type="text" autocomplete="off" maxlength="4000" required;
                    button.button type="submit" { (say("send")) }
                }
                div.row {
                    @for (name, key) in [("undo", "undo"), ("hint", "hint"), ("resign", "resign")] {
                        form.(name) action={ (base) "/" (name) } method="post" {
                            button.button.quiet type="submit" disabled[!can(name)] { (say(key)) }
                        }
                    }
                    a.button.quiet href={ "/new/" (game) } { (say("new-game")) }
                    a.button.quiet href={ (base) "/record" } { (say("record")) }
                }
                @if let Some((_, panel)) = beside(game, id) { (panel) }
                section.panel {
                    h2 { (say("lines")) }
                    div #lines { p.muted { (say("lines-none")) } }
                }
                section.panel {
                    h2 { (say("moves")) }
                    ol #moves {
                        @for mv in state["moves"].as_array().into_iter().flatten() {
                            li { span.muted { (text(mv, "name")) } " " (text(mv, "move")) }
                        }
                    }
                }
            }
            details.panel #thread {
                summary { (say("thread")) }
                p.muted { (say("thread-none")) }
                wits-thread {}
            }
            p.muted {
                (say("invite"))
                @if let Some(room) = home_of(game) { " " a href=(room) { (say("to-room")) } }
                " " a href=(crate::glossary::of_game(game)) { (say("glossary-words")) }
                @if state["seats"].as_array().is_some_and(|seats| seats.len() > 1) { " " (to_ladder(game, table.game.title())) }
            }
        }
    }
}
