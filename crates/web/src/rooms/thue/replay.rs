//! A game of insertion again, move by move.

use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, html};
use serde::Deserialize;
use wits_game::{Eyes, Game};
use wits_play::Spec;
use wits_thue::game::{Insertion, Phase, Position};
use wits_thue::report;

use super::lab::{Under, tiles};
use super::scores::rules;
use crate::pages::{frame, page, say};
use crate::routes::open;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// Which moment is wanted.
#[derive(Deserialize)]
pub(super) struct Moment {
    ply: Option<usize>,
}

/// The rules of a game of insertion, for two or for one; nothing for another game.
fn insertion(spec: &Spec) -> Option<Insertion> {
    let alone = match spec.name.as_str() {
        "thue" => false,
        "thue-solitaire" => true,
        _ => return None,
    };
    let (symbols, variant) = rules(spec)?;
    let max_moves = spec.value("max_moves")?.to_string().parse().ok()?;
    Some(Insertion {
        variant,
        symbols,
        max_moves,
        alone,
    })
}

/// The position after so many moves.
fn after(game: &Insertion, start: Option<&str>, moves: &[String]) -> Option<Position> {
    let mut position = match start {
        Some(text) => game.position(text).ok()?,
        None => game.start(),
    };
    for text in moves {
        let mv = game.read(&position, text).ok()?;
        game.play(&mut position, &mv);
    }
    Some(position)
}

/// `GET /thue/replay/ID`
pub(super) async fn show(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(moment): Query<Moment>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let missing = || Fault::missing().for_reader(&headers);
    let table = open(&app, &id).await.map_err(|f| f.for_reader(&headers))?;
    let spec: Spec = table.header.game.parse().map_err(|_| missing())?;
    let game = insertion(&spec).ok_or_else(missing)?;
    let told = table.lock().table.told(Eyes::All);
    let moves: Vec<String> = told.into_iter().map(|told| told.text).collect();
    let ply = moment.ply.unwrap_or(moves.len()).min(moves.len());
    let start = table.header.start.as_deref();
    let position = after(&game, start, &moves[..ply]).ok_or_else(missing)?;
    let title = WORDS
        .say("thue-replay-title")
        .with("game", table.game.title())
        .to_string();
    let base = format!("/thue/replay/{id}");
    let body = html! {
        main #main {
            h1 { (title) }
            form.row.thue-replay action=(base) method="get" {
                a.button.quiet href={ (base) "?ply=" (ply.saturating_sub(1)) } rel="prev" { (say("thue-back")) }
                label for="ply" { (say("thue-move")) }
                input #ply name="ply" type="range" min="0" max=(moves.len()) value=(ply);
                output for="ply" { (ply) " / " (moves.len()) }
                a.button.quiet href={ (base) "?ply=" ((ply + 1).min(moves.len())) } rel="next" { (say("thue-on")) }
                button.button.no-script type="submit" { (say("thue-show")) }
            }
            div #moment { (picture(&game, &position)) }
            p { a href={ "/games/" (id) } { (say("thue-to-game")) } " · " a href="/thue" { (say("thue-title")) } }
        }
    };
    Ok(page(visitor, frame(&title, &["thue.js"], &body)))
}

fn picture(game: &Insertion, position: &Position) -> Markup {
    let found = match position.phase {
        Phase::Repeated(found) => Some(found),
        _ => None,
    };
    let gaps = report::gaps(&position.word, game.symbols, game.variant).ok();
    let under = gaps.as_ref().map_or(Under::Nothing, Under::Count);
    html! {
        (tiles(&position.word, found, position.gap(), under))
        p role="status" {
            (WORDS.say("thue-replay-length").with("length", position.word.len()).with("points", position.points()))
            @if let Some(r) = found { " " (WORDS.say("thue-replay-found").with("start", r.start).with("period", r.period)) }
            @if let Phase::Stuck(gap) = position.phase { " " (WORDS.say("thue-gap-dead").with("gap", gap)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_played_again() {
        let text = "thue-solitaire:symbols=3,variant=square,max_moves=200";
        let game = insertion(&text.parse().unwrap()).unwrap();
        assert!(game.alone);
        let moves: Vec<String> = ["1", "1", "2", "1"].map(str::to_owned).to_vec();
        let word = |n: usize| after(&game, None, &moves[..n]).unwrap().word.to_string();
        assert_eq!([word(0), word(2), word(4)], ["0", "01", "011"]);
        assert!(after(&game, None, &moves).unwrap().over());
        assert!(insertion(&"tictactoe".parse().unwrap()).is_none());
    }
}
