//! A position put together by hand, and whether it can come up in play.

use std::time::Duration;

use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, html};
use serde::Deserialize;
use wits_game::{Game, Scene, Seat, Target};
use wits_othello::notation::grid;
use wits_othello::reach::{Answer, Reachable, reachable};
use wits_othello::{Othello, Position, Square};
use wits_search::Limits;

use super::asked::{Subject, given, pasted, variant};
use crate::pages::{board, embedded, frame, page, say};
use crate::think::analyse;
use crate::visitor::Visitor;
use crate::{App, Fault};

/// How long the question whether a board can come up in play may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// What the form asks for.
#[derive(Clone, Default, Deserialize)]
pub(super) struct Asked {
    text: Option<String>,
    side: Option<String>,
    start: Option<String>,
    ask: Option<String>,
}

/// `GET /othello/setup`
pub(super) async fn show(
    State(app): State<App>,
    Query(asked): Query<Asked>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let text = given(asked.text.as_ref());
    // A wrong board is shown again beside what is wrong with it: nobody should type it twice.
    let read = text
        .map(|t| pasted(t, given(asked.side.as_ref())))
        .transpose();
    let (subject, fault) = match read {
        Ok(subject) => (
            subject.unwrap_or_else(|| Subject::standing(Position::START, false)),
            None,
        ),
        Err(fault) => (Subject::standing(Position::START, false), Some(fault)),
    };
    let position = subject.position();
    let start = given(asked.start.as_ref()).unwrap_or("othello");
    let game = variant(start);
    let answer = if given(asked.ask.as_ref()).is_some() && fault.is_none() {
        let either = subject.guessed;
        let work = move |stop: &std::sync::Arc<std::sync::atomic::AtomicBool>| {
            let budget = crate::engine::budget(Limits::time(PATIENCE), std::sync::Arc::clone(stop));
            reachable(&game, &position, either, &budget)
        };
        let answer = analyse(&app, visitor, work).await;
        Some(answer.map_err(|f| f.for_reader(&headers))?)
    } else {
        None
    };
    let title = say("othello-setup-title");
    let shown = fault.as_ref().and(text);
    let body = html! {
        main.game.oth-page #main {
            h1 { (title) }
            div.table { div.stay {
                p.lead { (say("othello-setup-lead")) }
                fieldset.oth-brush.row #brush hidden {
                    legend { (say("othello-brush")) }
                    @for (value, key) in [("X", "othello-black"), ("O", "othello-white"), ("-", "othello-empty")] {
                        label { input type="radio" name="brush" value=(value) checked[value == "X"]; " " (say(key)) }
                    }
                    button.button.quiet type="button" data-board=(grid(8, &Position::START)) { (say("othello-to-start")) }
                    button.button.quiet type="button" data-board=(".".repeat(64)) { (say("othello-to-empty")) }
                }
                wits-board #editor live label=(say("othello-board-label")) data-black=(say("othello-black-disc")) data-white=(say("othello-white-disc")) {
                    script.scene type="application/json" { (embedded(&serde_json::to_value(editable(&position)).unwrap_or_default())) }
                    (board(&Scene { targets: Vec::new(), ..editable(&position) }))
                }
            } }
            div.side {
                @if let Some(fault) = &fault { p.error role="alert" { (fault.message) " – " (fault.hint) } }
                @if let Some(answer) = &answer { (told(&game, answer)) }
                (form(&asked, &subject, shown, start))
            }
        }
    };
    let scripts = ["board.js", "othello-setup.js"];
    Ok(page(visitor, frame(&title, &scripts, &body)))
}

/// The board with every square a target.
fn editable(position: &Position) -> Scene {
    let mut scene = Othello::default().scene(position);
    scene.targets = Square::all(u64::MAX)
        .map(|square| Target {
            path: vec![square.index()],
            text: square.to_string(),
            label: String::new(),
        })
        .collect();
    scene.caption = String::new();
    scene
}

fn form(asked: &Asked, subject: &Subject, typed: Option<&str>, start: &str) -> Markup {
    let side = match (given(asked.side.as_ref()), subject.guessed) {
        (Some(side), _) => side,
        // On a fresh board nobody has said anything yet, and the next click changes the parity.
        _ if asked.text.is_none() => "",
        (None, true) => "",
        (None, false) if subject.position().turn == Seat::FIRST => "X",
        (None, false) => "O",
    };
    let rows = grid(8, &subject.position());
    html! {
        form.panel.oth-setup action="/othello/setup" method="get" {
            div.field {
                label for="text" { (say("othello-board-text")) }
                textarea #text name="text" rows="8" maxlength="2000" spellcheck="false" required { (typed.unwrap_or(&rows)) }
                small { (say("othello-board-text-about")) }
            }
            div.field {
                label for="side" { (say("othello-side")) }
                select #side name="side" {
                    @for (value, key) in [("", "othello-side-guess"), ("X", "othello-black"), ("O", "othello-white")] {
                        option value=(value) selected[value == side] { (say(key)) }
                    }
                }
            }
            div.field {
                label for="start" { (say("othello-start")) }
                select #start name="start" {
                    @for (value, key) in [("othello", "othello-start-othello"), ("reversi", "othello-start-reversi"), ("parallel", "othello-start-parallel")] {
                        option value=(value) selected[value == start] { (say(key)) }
                    }
                }
            }
            div.row {
                button.button.primary type="submit" name="ask" value="reach" { (say("othello-ask-reach")) }
                button.button type="submit" formaction="/othello/board" { (say("othello-look")) }
            }
            p.muted { (say("othello-reach-about")) }
        }
    }
}

/// The answer, with the game that shows it or the reason.
fn told(game: &Othello, answer: &Answer) -> Markup {
    let key = match answer.reachable {
        Reachable::Yes => "othello-reach-yes",
        Reachable::No => "othello-reach-no",
        Reachable::Unknown => "othello-reach-unknown",
    };
    let squares: Vec<Square> = answer
        .game
        .as_deref()
        .unwrap_or_default()
        .as_bytes()
        .chunks(2)
        .filter_map(|pair| std::str::from_utf8(pair).ok()?.parse().ok())
        .collect();
    let witness = answer
        .game
        .as_ref()
        .and_then(|_| Subject::of_game(game, game.start(), &squares));
    html! {
        section.panel #reach role="status" data-answer=(key) {
            h2 { (say(key)) }
            p { (answer.reason) }
            @if let Some(witness) = witness {
                @if let Some(text) = answer.game.as_ref().filter(|t| !t.is_empty()) { p.move-text { (text) } }
                p { a.button.primary href=(witness.address(0)) { (say("othello-witness")) } }
            }
        }
    }
}
