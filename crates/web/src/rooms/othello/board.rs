//! The analysis board: a game move by move, and everything that hangs on the position.

use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use wits_game::{Eyes, Game, Light, Scene, Seat, Turn};
use wits_othello::{Heuristic, NoMove, Othello, Position, Square, Start};
use wits_play::Spec;

use super::asked::{Asked, Subject, plus};
use super::{bad, breakdown, export, score_table, think, toggle};
use crate::pages::course::{Course, Curve, Made};
use crate::pages::{frame, page, say};
use crate::routes::{blocking, open};
use crate::snapshot::Place;
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

/// `GET /othello/game/ID`: the analysis board with a game that was played here, from the side of whoever played it.
pub(super) async fn of_game(
    State(app): State<App>,
    Path(id): Path<String>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let work = async {
        let table = open(&app, &id).await?;
        let mut subject = played(&table)?;
        let place = blocking(move || Place::of(&app, &table, visitor)).await?;
        if let [own] = place.seats[..] {
            subject.own = own;
        }
        Ok(subject)
    };
    let subject = work.await.map_err(|f: Fault| f.for_reader(&headers))?;
    Ok(Redirect::to(&subject.address(subject.ply)).into_response())
}

/// Where a game of this room is looked through, if the analysis board knows its rules.
pub(crate) fn review_of(table: &Table) -> Option<String> {
    let spec: Spec = table.game.spec().parse().ok()?;
    if spec.name != "othello" {
        return None;
    }
    let is = |name: &str, value: &str| spec.value(name).is_none_or(|v| v.to_string() == value);
    let known = is("size", "8") && is("nomove", "pass");
    known.then(|| format!("/othello/game/{}", table.id))
}

/// A game of this room, as it was played.
pub(super) fn played(table: &Table) -> Result<Subject, Fault> {
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

pub(super) fn side(seat: Seat) -> String {
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
    let position = subject.position();
    let course = course(subject);
    html! {
        main.game.review.oth-page #main data-address=(course.address) data-query=(course.query()) data-board=(plus(&position).replace('+', " ")) data-ply=(subject.ply) data-most=(course.moves.len()) {
            header.game-head { h1 { (title) } }
            section.panel.turn-card aria-label=(say("turn-card")) {
                p #status aria-live="polite" { (status(&position)) }
                @if subject.guessed { p.muted #guessed { (say("othello-guessed")) } }
            }
            div.table { div.stay {
                (course.board(&scene(subject), &say("othello-board-label")))
                (course.steps())
            } }
            div.side {
                (course.graph(&curve(subject)))
                (course.moves())
                section.panel.oth-scores data-for=(if subject.own == Seat::FIRST { "X" } else { "O" }) {
                    h2 { (say("othello-scores")) }
                    (toggle(true))
                    (score_table(Some(subject.own)))
                }
                (deeds(subject))
            }
            (breakdown::section(&position))
            (thread(&position))
        }
    }
}

/// The game as pages of analysis show it; a pass is said, not counted.
fn course(subject: &Subject) -> Course {
    let replay = &subject.replay;
    let made = replay.moves.iter().enumerate().map(|(at, square)| {
        let (before, after) = (&replay.positions[at], &replay.positions[at + 1]);
        let passed = Othello::default().passed_before(before, after);
        let passes = || {
            WORDS
                .say("othello-passes")
                .with("who", side(before.turn.other()))
        };
        Made {
            who: side(before.turn),
            text: square.to_string(),
            note: passed.then(|| passes().to_string()),
        }
    });
    Course {
        address: "/othello/board".to_owned(),
        fields: subject.fields(),
        ply: subject.ply,
        moves: made.collect(),
    }
}

/// The curve of the game: discs on the board, and what the engine makes of it.
fn curve(subject: &Subject) -> Curve {
    let ahead = |p: &Position| {
        let (black, white) = p.score();
        let black = i64::from(black) - i64::from(white);
        if subject.own == Seat::FIRST {
            black
        } else {
            -black
        }
    };
    let who = side(subject.own);
    Curve {
        review: format!("/othello/review?{}", subject.game_query()),
        counted: Some((
            "othello-counted",
            subject.replay.positions.iter().map(ahead).collect(),
        )),
        axis: WORDS.say("othello-axis").with("who", &who).to_string(),
        about: WORDS
            .say("othello-curve-about")
            .with("who", &who)
            .to_string(),
        none: say("othello-no-mistakes"),
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
            h2 { (say("review-deeds")) }
            @if position.moves() != 0 {
                form action="/games" method="post" {
                    input type="hidden" name="game" value="othello";
                    input type="hidden" name="position" value=(text);
                    input type="hidden" name=(person) value="human";
                    input type="hidden" name=(machine) value="engine:level=5";
                    button.button type="submit" { (say("review-play-on")) }
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
