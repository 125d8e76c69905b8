//! A subtree that a recorder left out, searched again: a long thought keeps only a sketch, and a reader opens the rest.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use wits_play::{AnyDesk, Choice, Limits, Recorder, Spec, Thought, Value};

use super::games::followable;
use crate::engine;
use crate::keep::LINES;
use crate::think::analyse;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// How long a subtree is searched, whatever its machine may spend.
const PATIENCE: Duration = Duration::from_secs(2);
/// How many of its steps are kept.
const STEPS: usize = 2_000;

/// A node of a thread.
#[derive(Deserialize)]
pub(super) struct Node {
    /// The spec of the game.
    game: String,
    /// The position that the thread begins with.
    #[serde(default)]
    subject: String,
    /// The position before a ply of a game that is played here, instead.
    #[serde(default)]
    table: Option<(String, u32)>,
    /// The moves from there to the node.
    line: Vec<String>,
    /// The machine that searched.
    by: String,
}

/// The machine with as many moves less to look ahead as were made; nothing where none is left.
fn shallower(mut by: Spec, moves: usize) -> Option<Spec> {
    let depth = by.args.iter_mut().find(|(key, _)| key == "depth");
    if let Some((_, value)) = depth {
        let Value::Text(depth) = &*value else {
            return None;
        };
        let left = depth.parse::<usize>().ok()?.checked_sub(moves)?;
        if left == 0 {
            return None;
        }
        *value = Value::Text(left.to_string());
    }
    Some(by)
}

/// `POST /api/house/again`: the thread of a subtree, searched by the same machine from there on.
pub(super) async fn again(
    State(app): State<App>,
    visitor: Visitor,
    Json(node): Json<Node>,
) -> Result<Response, Fault> {
    let table = match &node.table {
        Some((id, _)) => Some(followable(&app, id).await?),
        None => None,
    };
    let house = app.clone();
    let work = analyse(&app, visitor, move |stop| -> Result<String, Fault> {
        let spec: Spec = node.game.parse()?;
        let by: Spec = node.by.parse()?;
        super::affordable(&by, &super::one_thread)?;
        let shelf = house.shelf_for(&spec, std::slice::from_ref(&by))?;
        let game = house.catalog.game(&spec, &shelf)?;
        let start = match (&table, &node.table) {
            (Some(table), Some((_, ply))) => Some(table.before(*ply)?.0),
            _ => wits_play::position(&*game, &node.subject),
        };
        let moves = node.line.iter().map(String::as_str);
        let there = start.and_then(|start| wits_play::after(start, moves));
        let there = there.and_then(|table| Some((table.turn().seat()?, table)));
        let (Some((seat, there)), Some(by)) = (there, shallower(by, node.line.len())) else {
            let (why, hint) = (WORDS.say("again-nothing"), WORDS.say("again-nothing-hint"));
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            return Err(Fault::new(status, "nothing-below", why, hint));
        };
        let mut machine = game.player(&by, seat, &shelf)?;
        let budget = engine::budget(Limits::time(PATIENCE), std::sync::Arc::clone(stop));
        let mut recorder = Recorder::new(STEPS);
        let desk = AnyDesk {
            budget: &budget,
            dice: there.dice(seat),
            tell: &mut |_: &Thought<String>| {},
            record: Some(&mut recorder),
        };
        let result = match machine.choose(there.as_ref(), desk) {
            Choice::Move(text) => text,
            Choice::Resign => "resign".to_owned(),
        };
        let seed = wits_game::Seed::new(0);
        let thread = machine.thread(recorder, &*game, there.as_ref(), seed, &result);
        Ok(thread.text())
    });
    Ok(([(header::CONTENT_TYPE, LINES)], work.await??).into_response())
}
