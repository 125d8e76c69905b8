//! The page of a game that is being played, and what it asks while tiles are being placed.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use serde_json::{Value, json};
use wits_game::{Eyes, Scene, Seat};
use wits_play::AnyEntry;
use wits_scrabble::{Challenge, report};

use super::state::{fixed, placed, rules, view};
use crate::pages::{AtTable, board, embedded, say};
use crate::rooms::to_ladder;
use crate::routes::{Wish, blocking, open};
use crate::snapshot::Place;
use crate::table::Table;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// The scripts of the page.
pub(super) const SCRIPTS: [&str; 3] = ["thread.js", "scrabble-game.js", "game.js"];

/// Words that the scripts need.
const WORDS_OF_BOARD: &[&str] = &[
    "scrabble-says-empty",
    "scrabble-says-centre",
    "scrabble-says-points",
    "scrabble-says-blank",
    "scrabble-says-yours",
    "scrabble-says-last",
    "scrabble-says-bad",
    "scrabble-says-anchor",
    "scrabble-says-fits",
    "scrabble-says-fits-none",
    "scrabble-preview-score",
    "scrabble-preview-word-bad",
    "scrabble-preview-lost",
    "scrabble-not-held",
    "scrabble-picked",
    "scrabble-exchange-pick",
    "scrabble-exchange-these",
    "scrabble-exchange",
    "scrabble-exchange-stop",
    "scrabble-unseen-count",
    "scrabble-in-bag",
    "scrabble-rack-tiles",
    "scrabble-race-waits",
    "scrabble-race-lost",
    "scrabble-accept",
    "scrabble-pass",
    "scrabble-board-label",
    "scrabble-larger",
    "scrabble-smaller",
];

/// The fixed things and the words of a board, as a block that scripts read.
pub(super) fn block(tiles: &wits_scrabble::TileSet) -> Markup {
    let mut value = fixed(tiles);
    let words: serde_json::Map<String, Value> = WORDS_OF_BOARD
        .iter()
        .map(|key| {
            let short = key.trim_start_matches("scrabble-").to_owned();
            (short, json!(WORDS.say(key).to_string()))
        })
        .collect();
    value["words"] = Value::Object(words);
    html! { script #scrabble-fixed type="application/json" { (embedded(&value)) } }
}

/// The page of a table, with its scripts.
pub(crate) fn page(
    at: &AtTable<'_>,
    table: &Table,
    title: &str,
    entry: Option<&dyn AnyEntry>,
) -> Option<(&'static [&'static str], Markup)> {
    let (id, state) = (at.id, at.state);
    let game = rules(table)?;
    let tiles = game.engine().tiles();
    let base = at.base();
    let scene: Scene = serde_json::from_value(state["scene"].clone()).unwrap_or_default();
    let mine = at.mine();
    let room = &state["room"];
    let over = room["over"] == true;
    let goal = entry.map(AtTable::goal).unwrap_or_default();
    let body = html! {
        main.game.scr-page #main data-id=(id) data-base=(base) data-room={ "/scrabble/game/" (id) } {
            (AtTable::head(title, &goal, entry))
            (block(tiles))
            (at.turn())
            div.table { div.stay {
                form.move.plain action={ (base) "/move" } method="post" {
                    input type="hidden" name="ply" value=(state["ply"]);
                    @if mine { input type="hidden" name="seat" value=(state["turn"]); }
                    scrabble-board data-board live[mine] lang=(tiles.language()) {
                        script.scene type="application/json" { (embedded(room)) }
                        (board(&scene))
                    }
                }
                div #preview role="status" {}
                p #message role="alert" {}
                div.scr-tools hidden {
                    div #rack lang=(tiles.language()) role="group" aria-label=(tiles.label("rack")) {}
                    div.row #tools {
                        button.button.primary type="button" #send disabled { (say("scrabble-send")) }
                        button.button type="button" #recall disabled { (say("scrabble-recall")) }
                        button.button type="button" #shuffle { (say("scrabble-shuffle")) }
                        button.button type="button" #exchange disabled { (say("scrabble-exchange")) }
                        button.button type="button" #pass disabled { (say("scrabble-pass")) }
                        button.button type="button" #challenge hidden { (say("scrabble-challenge")) }
                    }
                    p.muted.scr-how { (say("scrabble-how")) }
                }
                div.row {
                    button.button.quiet.small type="button" #zoom hidden aria-pressed="false" { (say("scrabble-larger")) }
                }
            } }
            div.side {
                (at.seats())
                p.scr-bag.muted #bag {}
                section.panel {
                    h2 { (say("scrabble-sheet")) }
                    div.scr-sheet tabindex="0" role="region" aria-label=(say("scrabble-sheet")) {
                        table.data.scr-rows {
                            thead { tr { @for key in ["scrabble-who", "scrabble-did", "scrabble-points", "scrabble-total"] { th scope="col" { (say(key)) } } } }
                            tbody #sheet {}
                        }
                    }
                }
                section.panel {
                    h2 { (say("scrabble-unseen")) }
                    p.muted #unseen-count {}
                    div #unseen lang=(tiles.language()) {}
                }
                section.panel #help hidden {
                    h2 { (say("scrabble-help")) }
                    p.muted { (say("scrabble-help-about")) }
                    (overlay())
                    p { button.button type="button" #think { (say("scrabble-think")) } }
                    (bars())
                }
                div.row {
                    form.resign action={ (base) "/resign" } method="post" {
                        button.button.quiet type="submit" disabled[state["can"]["resign"] != true] { (say("resign")) }
                    }
                    a.button.quiet href="/scrabble" { (say("new-game")) }
                }
                div.row #sheets hidden[!over] {
                    a.button href={ "/scrabble/game/" (id) "/gcg" } { (say("scrabble-gcg")) }
                    a.button.quiet href={ (base) "/record" } { (say("record")) }
                }
                form.move.row action={ (base) "/move" } method="post" {
                    input type="hidden" name="ply" value=(state["ply"]);
                    label for="typed" { (say("scrabble-type")) }
                    input #typed name="move" type="text" autocomplete="off" maxlength="200" required placeholder="8H WORD" lang=(tiles.language());
                    button.button type="submit" { (say("send")) }
                }
            }
            details.panel #thread hidden[!over] {
                summary { (say("scrabble-thread")) }
                p.muted { (say("scrabble-thread-none")) }
                ol #moves {}
                wits-thread {}
            }
            dialog #blank aria-labelledby="blank-title" {
                h2 #blank-title { (say("scrabble-blank")) }
                div.scr-letters lang=(tiles.language()) {
                    @for letter in tiles.letters() {
                        @let face = tiles.face(letter);
                        button.button type="button" data-face=(face.upper) { (face.upper) }
                    }
                }
                form method="dialog" { button.button.quiet { (say("scrabble-blank-cancel")) } }
            }
            p.muted { (say("invite")) " " a href="/scrabble" { (say("to-room")) } " " (to_ladder("scrabble", table.game.title())) " " (say("scrabble-trademark")) }
        }
    };
    Some((&SCRIPTS, body))
}

/// The switch for anchors and cross-checks.
pub(super) fn overlay() -> Markup {
    html! {
        div.field {
            label for="overlay" { (say("scrabble-overlay")) }
            select #overlay autocomplete="off" {
                option value="" selected { (say("scrabble-overlay-off")) }
                option value="across" { (say("scrabble-overlay-across")) }
                option value="down" { (say("scrabble-overlay-down")) }
            }
            small { (say("scrabble-overlay-about")) }
        }
    }
}

/// Where the bars of a simulation go.
pub(super) fn bars() -> Markup {
    html! {
        p.muted #race-note role="status" {}
        div.candidates #race {}
    }
}

/// The view of a visitor at a table of this room, and the seat they look from.
fn seen(
    app: &App,
    table: &Table,
    visitor: Visitor,
) -> Result<(wits_scrabble::Scrabble, wits_scrabble::Table, Eyes, bool), Fault> {
    let game = rules(table).ok_or_else(Fault::missing)?;
    let place = Place::of(app, table, visitor)?;
    let inside = table.lock();
    let eyes = place.eyes(table, &inside);
    let view = view(&*inside.table, eyes).ok_or_else(Fault::missing)?;
    let help = inside.table.turn().outcome().is_some() || place.alone(table);
    Ok((game, view, eyes, help))
}

/// The view of a visitor who may be helped: alone among machines, or when the game is over.
pub(super) fn helped(
    app: &App,
    table: &Table,
    visitor: Visitor,
) -> Result<(wits_scrabble::Scrabble, wits_scrabble::Table, Eyes), Fault> {
    let (game, view, eyes, help) = seen(app, table, visitor)?;
    if !help {
        let (why, hint) = (
            WORDS.say("scrabble-no-help"),
            WORDS.say("scrabble-no-help-hint"),
        );
        return Err(Fault::new(
            axum::http::StatusCode::FORBIDDEN,
            "no-help",
            why,
            hint,
        ));
    }
    Ok((game, view, eyes))
}

/// `POST /scrabble/game/ID/preview`: what these tiles would make, before they are sent.
pub(super) async fn preview(wish: Wish) -> Result<Response, Fault> {
    let fields = wish.fields()?;
    let table = open(&wish.app, &wish.name).await?;
    let value = blocking(move || {
        let (game, mut view, eyes, _) = seen(&wish.app, &table, wish.visitor)?;
        let Eyes::Seat(seat) = eyes else {
            return Err(Fault::forbidden());
        };
        // Whoever waits may try words on the board as it is.
        view.turn = Seat::index(seat) as u8;
        let text = fields.get("tiles").map_or("", String::as_str);
        let laid = placed(text, game.engine().tiles())
            .ok_or_else(|| Fault::unreadable("`tiles` is a list such as `112:A,113:b`"))?;
        let mut value = json!(game.preview(&view, &laid));
        // Where bad words can be laid, nobody is told beforehand which they are.
        if game.settings().challenge != Challenge::Void {
            for word in value["words"].as_array_mut().into_iter().flatten() {
                word["good"] = Value::Null;
            }
        }
        Ok(value)
    })
    .await?;
    Ok(Json(value).into_response())
}

/// `GET /scrabble/game/ID/checks`: anchors and cross-checks of the board as it lies.
pub(super) async fn checks(
    State(app): State<App>,
    Path(id): Path<String>,
    visitor: Visitor,
) -> Result<Response, Fault> {
    let table = open(&app, &id).await?;
    let value = blocking(move || {
        let (game, view, _) = helped(&app, &table, visitor)?;
        let field = game.engine().field(&view.board);
        Ok(json!(report::checks(&field, game.engine().tiles())))
    })
    .await?;
    Ok(Json(value).into_response())
}
