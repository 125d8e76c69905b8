//! Positions as pictures: a page has no rules of its own, so it asks for the boards it shows.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::json;
use wits_game::Eyes;
use wits_play::Spec;

use super::blocking;
use super::games::followable;
use crate::{App, Fault, WORDS};

/// The most positions at once.
const MOST: usize = 256;
/// The most moves of one line.
const LONGEST: usize = 256;

/// Lines of moves from a position of a game.
#[derive(Deserialize)]
pub(super) struct Wanted {
    /// The spec of the game.
    game: String,
    /// The position, as the game writes it, or the moves that led to it.
    #[serde(default)]
    subject: String,
    lines: Vec<Vec<String>>,
    /// The position before a ply of a game that is played here, instead.
    #[serde(default)]
    table: Option<(String, u32)>,
}

/// `POST /api/house/scene`: the position at the end of each line; `null` where a move is not legal, and
/// where a game with secrets cannot be set up from what one seat knows.
pub(super) async fn scenes(
    State(app): State<App>,
    Json(asked): Json<Wanted>,
) -> Result<Response, Fault> {
    let table = match &asked.table {
        Some((id, _)) => Some(followable(&app, id).await?),
        None => None,
    };
    let scenes = blocking(move || {
        let spec: Spec = asked.game.parse()?;
        let game = app.catalog.game(&spec, &app.shelf_for(&spec, &[])?)?;
        let too_long = asked.lines.iter().any(|line| line.len() > LONGEST);
        if asked.lines.len() > MOST || too_long {
            let why = WORDS.say("scene-many").with("most", MOST);
            let hint = WORDS.say("scene-many-hint");
            return Err(Fault::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "too-many",
                why,
                hint,
            ));
        }
        let start = match (&table, &asked.table) {
            (Some(table), Some((_, ply))) => Some(table.before(*ply)?.0),
            _ => wits_play::position(&*game, &asked.subject),
        };
        if start.is_none() && game.hidden() {
            // What one seat knows of a position sets up no position.
            return Ok(vec![None; asked.lines.len()]);
        }
        let Some(start) = start else {
            let why = WORDS.say("scene-subject");
            let hint = WORDS.say("scene-subject-hint").with("game", asked.game);
            return Err(Fault::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "position",
                why,
                hint,
            ));
        };
        // What was filled in for the other seats is nobody's business.
        let eyes = match start.turn().seat() {
            Some(seat) if game.hidden() => Eyes::Seat(seat),
            _ => Eyes::All,
        };
        // What is drawn after a move decided nothing, and is made up where the subject is what one seat knows: hands stay as
        // they were when the decision was made.
        let hands = game.hidden().then(|| start.scene(eyes).trays);
        let scene = |line: &Vec<String>| {
            let moves = line.iter().map(String::as_str);
            let mut scene = wits_play::after(start.copy(), moves)?.scene(eyes);
            if let Some(hands) = &hands {
                scene.trays.clone_from(hands);
            }
            Some(scene)
        };
        Ok(asked.lines.iter().map(scene).collect::<Vec<_>>())
    });
    Ok(Json(json!({"scenes": scenes.await?})).into_response())
}
