//! The analysis board: a game move by move, and everything that hangs on the position.

use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde_json::{Value, json};
use wits_game::{Eyes, Game, Light, Scene, Seat, Turn};
use wits_othello::{Heuristic, NoMove, Othello, Position, Square, Start};
use wits_play::Spec;

use super::asked::{Asked, Subject, plus};
use super::{bad, breakdown, export, score_table, think, toggle};
use crate::pages::{board, embedded, frame, page, say};
use crate::routes::open;
use crate::table::Table;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// `GET /othello/board`
pub(super) async fn show(
    Query(asked): Query<Asked>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let (subject, elsewhere) = asked.subject().map_err(|f| f.for_reader(&headers))?;
    if elsewhere {
        return Ok(Redirect::to(&subject.address(subject.ply)).into_response());
    }
    let title = say("othello-board-title");
    let scripts = ["board.js", "thread.js", "threads.js", "othello.js"];
    let body = body(&title, &subject);
    Ok(page(visitor, frame(&title, &scripts, &body)))
}

/// `GET /othello/game/ID`: the analysis board with a game that was played here.
pub(super) async fn of_game(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let table = open(&app, &id).await.map_err(|f| f.for_reader(&headers))?;
    let subject = played(&table).map_err(|f| f.for_reader(&headers))?;
    Ok(Redirect::to(&subject.address(subject.ply)).into_response())
}

/// Where a game of this room is looked through, if the analysis board knows its rules.
pub(crate) fn review_of(table: &Table) -> Option<String> {
    let spec: Spec = table.game.spec().parse().ok()?;
    let is = |name: &str, value: &str| spec.value(name).is_none_or(|v| v.to_string() == value);
    let known = is("size", "8") && is("nomove", "pass");
    known.then(|| format!("/othello/game/{}", table.id))
}

/// A game of this room, as it was played.
fn played(table: &Table) -> Result<Subject, Fault> {
    let spec: Spec = table.header.game.parse()?;
    if spec.name != "othello" {
        return Err(Fault::missing());
    }
    let value = |name: &str| spec.value(name).map(ToString::to_string);
    let size = value("size").and_then(|s| s.parse().ok()).unwrap_or(8);
    let start = match value("start").as_deref() {
        Some("reversi") => Start::Reversi,
        Some("parallel") => Start::Parallel,
        _ => Start::Othello,
    };
    let stuck = match value("nomove").as_deref() {
        Some("lose") => NoMove::Lose,
        Some("free") => NoMove::Free,
        _ => NoMove::Pass,
    };
    let game = Othello::new(size, start, stuck).ok_or_else(Fault::missing)?;
    let first = match &table.header.start {
        Some(text) => game.position(text)?,
        None => game.start(),
    };
    let told = table.lock().table.told(Eyes::All);
    let squares: Vec<Square> = told.iter().filter_map(|t| t.text.parse().ok()).collect();
    Subject::of_game(&game, first, &squares)
        .ok_or_else(|| bad("other-rules", WORDS.say("othello-other-rules")))
}

/// The picture of the position, the last move lit.
fn scene(subject: &Subject) -> Scene {
    let mut scene = Othello::default().scene(&subject.position());
    if let Some(last) = subject.last() {
        scene.cells[last.index()].light = Some(Light::Last);
    }
    scene
}

fn side(seat: Seat) -> String {
    say(if seat == Seat::FIRST {
        "othello-black"
    } else {
        "othello-white"
    })
}

/// Whose turn it is, or how it ended.
fn status(position: &Position) -> String {
    match Othello::default().turn(position) {
        Turn::Over(outcome) => outcome.why.to_string(),
        _ => WORDS
            .say("othello-to-move")
            .with("who", side(position.turn))
            .to_string(),
    }
}

fn body(title: &str, subject: &Subject) -> Markup {
    let scene = scene(subject);
    let position = subject.position();
    let query = subject.game_query();
    html! {
        main.game.oth-page #main data-address="/othello/board" data-query=(query) data-board=(plus(&position).replace('+', " ")) data-ply=(subject.ply) data-most=(subject.replay.moves.len()) {
            header.game-head { h1 { (title) } }
            section.panel.turn-card aria-label=(say("turn-card")) {
                p #status aria-live="polite" { (status(&position)) }
                @if subject.guessed { p.muted #guessed { (say("othello-guessed")) } }
            }
            div.table {
                form.plain action="/othello/board" method="get" {
                    @if let Some(from) = subject.from() { input type="hidden" name="from" value=(from); }
                    input type="hidden" name="moves" value=(subject.replay.transcript());
                    input type="hidden" name="ply" value=(subject.ply);
                    wits-board live label=(say("othello-board-label")) {
                        script.scene type="application/json" { (embedded(&serde_json::to_value(&scene).unwrap_or_default())) }
                        // Without scripts the squares are buttons of the form around.
                        (PlainMoves(&scene))
                    }
                }
                p #message role="alert" {}
                (steps(subject))
            }
            div.side {
                (graph(subject))
                (moves(subject))
                section.panel.oth-scores {
                    h2 { (say("othello-scores")) }
                    (toggle(true))
                    (score_table())
                }
                (deeds(subject))
            }
            (breakdown::section(&position))
            (thread(&position))
        }
    }
}

/// The plain board, whose buttons play by `play` here.
struct PlainMoves<'a>(&'a Scene);

impl maud::Render for PlainMoves<'_> {
    fn render(&self) -> Markup {
        let plain = board(self.0).into_string();
        maud::PreEscaped(plain.replace("name=\"move\"", "name=\"play\""))
    }
}

/// Going through the game.
fn steps(subject: &Subject) -> Markup {
    let (ply, most) = (subject.ply, subject.replay.moves.len());
    let (back, on) = (ply.saturating_sub(1), (ply + 1).min(most));
    html! {
        form.row.oth-steps action="/othello/board" method="get" {
            @if let Some(from) = subject.from() { input type="hidden" name="from" value=(from); }
            input type="hidden" name="moves" value=(subject.replay.transcript());
            @for (key, to, shape) in [("othello-first", 0, "M6 5v14M19 5 9 12l10 7z"), ("othello-back", back, "M17 5 7 12l10 7z")] {
                a.button.quiet.icon href=(subject.address(to)) data-ply=(to) aria-label=(say(key)) title=(say(key)) { svg viewBox="0 0 24 24" aria-hidden="true" { path d=(shape) {} } }
            }
            input #ply name="ply" type="range" min="0" max=(most) value=(ply) aria-label=(say("othello-move-number"));
            output for="ply" { (ply) " / " (most) }
            @for (key, to, shape) in [("othello-on", on, "M7 5l10 7-10 7z"), ("othello-last", most, "M18 5v14M5 5l10 7-10 7z")] {
                a.button.quiet.icon href=(subject.address(to)) data-ply=(to) aria-label=(say(key)) title=(say(key)) { svg viewBox="0 0 24 24" aria-hidden="true" { path d=(shape) {} } }
            }
            button.button.no-script type="submit" { (say("othello-show")) }
        }
    }
}

/// The moves of the game, each with its place; a pass is said, not counted.
fn moves(subject: &Subject) -> Markup {
    let replay = &subject.replay;
    html! {
        section.panel #played {
            h2 { (say("moves")) }
            @if replay.moves.is_empty() { p.muted { (say("othello-no-moves")) } }
            ol #moves tabindex="0" aria-label=(say("moves")) {
                @for (at, square) in replay.moves.iter().enumerate() {
                    @let before = &replay.positions[at];
                    li.current[at + 1 == subject.ply] {
                        span.muted.who { (side(before.turn)) } " "
                        a.move-text href=(subject.address(at + 1)) data-ply=(at + 1) aria-current=[(at + 1 == subject.ply).then_some("step")] { (square) }
                        span.oth-sign data-sign=(at) {}
                        @if Othello::default().passed_before(before, &replay.positions[at + 1]) {
                            " " span.muted { (WORDS.say("othello-passes").with("who", side(before.turn.other()))) }
                        }
                    }
                }
            }
        }
    }
}

/// What can be done with the position and the game.
fn deeds(subject: &Subject) -> Markup {
    let position = subject.position();
    let text = plus(&position).replace('+', " ");
    let (person, machine) = if position.turn == Seat::FIRST {
        ("seats.1", "seats.2")
    } else {
        ("seats.2", "seats.1")
    };
    html! {
        section.panel #deeds {
            h2 { (say("othello-deeds")) }
            @if position.moves() != 0 {
                form action="/games" method="post" {
                    input type="hidden" name="game" value="othello";
                    input type="hidden" name="position" value=(text);
                    input type="hidden" name=(person) value="human";
                    input type="hidden" name=(machine) value="engine:level=5";
                    button.button type="submit" { (say("othello-play-on")) }
                }
            }
            ul.oth-links {
                @for (file, key) in export::FILES {
                    li { a href=(export::address(subject, file)) download={ "othello-" (file) } { (say(key)) } }
                }
                li { a href={ "/othello/setup?text=" (plus(&position)) } { (say("othello-change")) } }
                li { a href="/othello" { (say("othello-other-game")) } }
            }
        }
    }
}

/// The curve of the game and what the engine remarks on its moves.
fn graph(subject: &Subject) -> Markup {
    let replay = &subject.replay;
    let discs: Vec<Value> = replay
        .positions
        .iter()
        .map(|p| {
            let (b, w) = p.score();
            json!(i64::from(b) - i64::from(w))
        })
        .collect();
    let names: Vec<String> = replay.moves.iter().map(ToString::to_string).collect();
    let words = json!({
        "move": say("othello-move-number"), "discs": say("othello-axis"), "counted": say("othello-counted"),
        "engine": say("othello-engine-curve"), "none": say("othello-no-mistakes"),
        "stopped": say("othello-stopped"), "lost": say("othello-scores-lost"), "curve": say("othello-curve"),
    });
    html! {
        section.panel #graph data-review={ "/othello/review?" (subject.game_query()) } {
            h2 { (say("othello-curve")) }
            @if replay.moves.is_empty() {
                p.muted { (say("othello-curve-empty")) }
            } @else {
                script #curve-data type="application/json" { (embedded(&json!({"discs": discs, "moves": names, "words": words}))) }
                p.muted { (say("othello-curve-about")) }
                figure #curve {}
                p.no-script { (say("othello-needs-script")) }
                div.row {
                    button.button.primary #analyse type="button" { (say("othello-analyse")) }
                    button.button.quiet #stop type="button" hidden { (say("othello-stop")) }
                    progress #review-bar max=(replay.moves.len()) value="0" hidden aria-label=(say("othello-analyse")) {}
                    span.muted #review-note role="status" {}
                }
                ol #marks aria-label=(say("othello-marks")) {}
                details #numbers {
                    summary { (say("othello-numbers")) }
                    div.row {
                        button.button.quiet #save-svg type="button" { (say("othello-save-svg")) }
                        button.button.quiet #save-csv type="button" { (say("othello-save-csv")) }
                    }
                    div.mb-scroll.oth-scroll tabindex="0" role="region" aria-label=(say("othello-numbers")) {
                        table.data {
                            thead { tr { @for key in ["othello-move-number", "othello-move", "othello-counted", "othello-engine-curve", "othello-best", "othello-sure"] { th scope="col" { (say(key)) } } } }
                            tbody #number-rows {
                                @for (at, name) in names.iter().enumerate() {
                                    tr data-row=(at) { td { (at + 1) } td { code { (name) } } td { (discs[at + 1]) } td {} td {} td {} }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The classical search on this position, step by step.
fn thread(position: &Position) -> Markup {
    html! {
        details.panel #thread {
            summary { (say("othello-thread")) }
            @if position.moves() == 0 {
                p.muted { (say("othello-over")) }
            } @else {
                p.muted { (say("othello-thread-about")) }
                form.row.oth-follow action="/othello/thread" method="get" {
                    input type="hidden" name="board" value=(plus(position).replace('+', " "));
                    label for="method" { (say("othello-method")) }
                    select #method name="method" {
                        @for (value, key) in [("alphabeta", "othello-alphabeta"), ("minimax", "othello-minimax"), ("both", "othello-both")] {
                            option value=(value) { (say(key)) }
                        }
                    }
                    label for="eval" { (say("othello-heuristic")) }
                    select #eval name="eval" {
                        @for h in Heuristic::ALL { option value=(h.id()) selected[h == Heuristic::Korman] { (h.id()) } }
                    }
                    label for="depth" { (say("othello-depth")) }
                    select #depth name="depth" {
                        @for d in 1..=think::DEEPEST { option value=(d) selected[d == 3] { (d) } }
                    }
                    button.button type="submit" { (say("othello-follow")) }
                }
                div #threads {}
            }
        }
    }
}
