//! What the engine sees: every move's score, remarks on a whole game, and the thread of a search.

use std::convert::Infallible;

use axum::extract::{Query, State};
use axum::http::{HeaderMap, header};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::Stream;
use serde::Deserialize;
use serde_json::{Value, json};
use wits_game::{Figure, Seat, Seed};
use wits_othello::engine::{Analysis, Idea};
use wits_othello::survey::{Remark, Review, Survey, discs, sure, sure_short, sure_word};
use wits_othello::{Heuristic, Othello, Position};
use wits_play::{AnyDesk, Choice, Recorder, Spec, Thought};
use wits_search::Limits;

use super::asked::{Asked, given, pasted, seat_of};
use super::bad;
use crate::pages::{say, written};
use crate::rooms::live::{Told, stream};
use crate::think::analyse;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// Which position.
#[derive(Deserialize)]
pub(super) struct Standing {
    board: Option<String>,
    /// For whom scores are shown; for whoever is to move where nobody is named.
    #[serde(rename = "for")]
    own: Option<String>,
}

/// The position that is asked for, a forced pass made.
fn position(asked: &Standing) -> Result<Position, Fault> {
    let text = given(asked.board.as_ref()).ok_or_else(|| crate::routes::lacking("board"))?;
    let subject = pasted(text, None)?;
    Ok(Othello::default().settled(&subject.position()))
}

/// `GET /othello/scores`: every legal move, deeper and deeper.
pub(super) async fn scores(
    State(app): State<App>,
    Query(asked): Query<Standing>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Fault> {
    let position = position(&asked).map_err(|f| f.for_reader(&headers))?;
    let mut survey = Survey::new(&position);
    let own = given(asked.own.as_ref()).and_then(seat_of);
    let sign = if own.is_none_or(|own| own == position.turn) {
        1.0
    } else {
        -1.0
    };
    stream(&app, visitor, move |budget| {
        survey.slice(budget);
        Told {
            event: "scores",
            data: scored(survey.known(), survey.over(), sign),
            over: survey.over(),
        }
    })
}

fn scored(known: &Analysis, over: bool, sign: f64) -> Value {
    let best = known.ideas.first().map_or(0.0, |idea| idea.discs);
    let row = |idea: &Idea| {
        let names: Vec<String> = idea.line.iter().map(ToString::to_string).collect();
        let says = sure(idea.known, known.depth).to_string();
        let shown = sign * idea.discs + 0.0;
        json!({
            "move": names.first(), "line": names.join(" "), "discs": shown,
            "text": written(discs(shown)), "short": written(Figure::Signed(shown, 0)),
            "sure": sure_word(idea.known), "short_says": sure_short(idea.known), "says": says, "best": idea.discs >= best,
        })
    };
    let rows: Vec<Value> = known.ideas.iter().map(row).collect();
    let key = match (rows.is_empty(), over) {
        (true, _) => "othello-scores-none",
        (_, true) => "othello-scores-done",
        _ => "othello-scores-deeper",
    };
    let note = WORDS
        .say(key)
        .with("depth", known.depth)
        .with("nodes", Figure::whole(known.nodes));
    json!({"moves": rows, "depth": known.depth, "nodes": known.nodes, "note": note.to_string()})
}

/// `GET /othello/review`: a remark on every move of a game, from the last one on.
pub(super) async fn review(
    State(app): State<App>,
    Query(asked): Query<Asked>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Fault> {
    let (subject, _) = asked.subject().map_err(|f| f.for_reader(&headers))?;
    let turns: Vec<Seat> = subject.replay.positions.iter().map(|p| p.turn).collect();
    let own = subject.own;
    let all = subject.replay.moves.len();
    let mut review = Review::new(subject.replay);
    stream(&app, visitor, move |budget| {
        let remark = review.step(budget);
        let done = all - review.left();
        let note = WORDS.say("review-done").with("done", done);
        let note = note.with("all", all).to_string();
        let mut data = remark.map_or_else(|| json!({}), |r| remarked(&r, turns[r.ply] == own));
        data["note"] = json!(note);
        Told {
            event: "remark",
            data,
            over: review.left() == 0 || budget.stopped(),
        }
    })
}

/// A remark as the page reads it; worths are for the side that looks on, whose own move it may be.
fn remarked(remark: &Remark, own: bool) -> Value {
    let sign = if own { 1.0 } else { -1.0 };
    let name = |idea: &Idea| idea.line.first().map(ToString::to_string);
    json!({
        "ply": remark.ply, "move": name(&remark.played), "best": name(&remark.best),
        "value": sign * remark.played.discs, "best_value": sign * remark.best.discs,
        "sign": remark.mark().sign(), "decisive": remark.decisive(),
        "sure": sure_word(remark.played.known), "text": remark.says().to_string(),
        "worth": written(discs(sign * remark.played.discs)), "sure_says": sure(remark.played.known, remark.depth).to_string(),
    })
}

/// How a decision is to be followed.
#[derive(Deserialize)]
pub(super) struct Followed {
    board: Option<String>,
    method: Option<String>,
    eval: Option<String>,
    depth: Option<String>,
}

/// The deepest search that is followed on the page.
pub(super) const DEEPEST: u32 = 6;
/// How many positions it may visit, and how many of its steps are kept.
const POSITIONS: u64 = 3_000_000;
const STEPS: usize = 20_000;

/// `GET /othello/thread`: minimax or alpha-beta on a position, step by step.
pub(super) async fn thread(
    State(app): State<App>,
    Query(asked): Query<Followed>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let ready = || -> Result<(Position, Spec), Fault> {
        let board = Standing {
            board: asked.board.clone(),
            own: None,
        };
        let position = position(&board)?;
        let eval = given(asked.eval.as_ref()).unwrap_or("korman");
        let eval: Heuristic = eval.parse().map_err(|e| {
            bad(
                "bad-eval",
                WORDS.say("othello-bad-eval").with("why", format!("{e}")),
            )
        })?;
        let depth = given(asked.depth.as_ref()).unwrap_or("3");
        let within = |d: &u32| (1..=DEEPEST).contains(d);
        let depth: u32 = depth.parse().ok().filter(within).ok_or_else(|| {
            let shown: String = depth.chars().take(40).collect();
            let why = WORDS.say("othello-bad-depth").with("text", shown);
            bad("bad-depth", why.with("most", DEEPEST))
        })?;
        let method = match given(asked.method.as_ref()) {
            Some("minimax") => "minimax",
            _ => "alphabeta",
        };
        Ok((
            position,
            format!("{method}:depth={depth},eval={eval}").parse()?,
        ))
    };
    let (position, spec) = ready().map_err(|f| f.for_reader(&headers))?;
    if position.moves() == 0 {
        return Err(bad("over", WORDS.say("othello-over")).for_reader(&headers));
    }
    let house = app.clone();
    let work = move |stop: &std::sync::Arc<std::sync::atomic::AtomicBool>| {
        let game = house.catalog.game(&Spec::named("othello"), &house.shelf)?;
        let text = super::asked::plus(&position).replace('+', " ");
        let table = game.begin_from(&text, Seed::new(0), None)?;
        let mut player = game.player(&spec, position.turn, &house.shelf)?;
        let limits = house.config.thinking.and(Limits::nodes(POSITIONS));
        let budget = crate::engine::budget(limits, std::sync::Arc::clone(stop));
        let mut recorder = Recorder::new(STEPS);
        let mut tell = |_: &Thought<String>| {};
        let desk = AnyDesk {
            budget: &budget,
            dice: table.dice(position.turn),
            tell: &mut tell,
            record: Some(&mut recorder),
        };
        let result = match player.choose(table.as_ref(), desk) {
            Choice::Move(text) => text,
            Choice::Resign => say("resign"),
        };
        let thread = player.thread(recorder, &*game, table.as_ref(), Seed::new(0), &result);
        Ok(thread.text())
    };
    let text = analyse(&app, visitor, work)
        .await
        .and_then(|thread| thread)
        .map_err(|f| f.for_reader(&headers))?;
    let kind = [(header::CONTENT_TYPE, "application/jsonl; charset=utf-8")];
    Ok((kind, text).into_response())
}
