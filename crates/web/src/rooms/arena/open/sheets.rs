//! What is left of a tournament for a spreadsheet: its table, and all its games.

use axum::Router;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use serde::Deserialize;
use wits_arena::{Coordinator, FaultKind, GameResult, JobResult, Plan};

use super::lead::game_id;
use crate::keep::{CSV, csv_line, download};
use crate::pages::machines;
use crate::routes::blocking;
use crate::{App, Fault};

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/arena/run/csv", get(table_csv))
        .route("/arena/run/games.csv", get(games_csv))
}

/// Which run is meant.
#[derive(Deserialize)]
struct Named {
    name: String,
}

/// `GET /arena/run/csv?name=NAME`: the table.
async fn table_csv(
    State(app): State<App>,
    Query(Named { name }): Query<Named>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let work = blocking(move || {
        let coordinator = Coordinator::open(&app.store, &name)?;
        let table = coordinator.table();
        let mut text = csv_line([
            "place",
            "name",
            "player",
            "points",
            "games",
            "won",
            "drawn",
            "lost",
            "rating",
            "illegal",
            "crashed",
            "late",
            "silent",
            "disconnected",
            "unreadable",
        ]);
        let names = machines::apart(table.rows.iter().map(|row| row.name.as_str()));
        for ((place, row), name) in (1..).zip(&table.rows).zip(&names) {
            let f = row.faults;
            let counts = [
                f.illegal,
                f.crash,
                f.late,
                f.hang,
                f.disconnected,
                f.unreadable,
            ];
            let mut cells = vec![
                place.to_string(),
                name.clone(),
                row.spec.clone(),
                row.points.to_string(),
                row.games.to_string(),
                row.wins.to_string(),
                row.draws.to_string(),
                row.losses.to_string(),
                format!("{:.0}", row.rating.elo),
            ];
            cells.extend(counts.map(|n| n.to_string()));
            text += &csv_line(&cells);
        }
        Ok(text)
    });
    let text = work.await.map_err(|f| f.for_reader(&headers))?;
    Ok(download(CSV, "table.csv", text))
}

/// `GET /arena/run/games.csv?name=NAME`: every game.
async fn games_csv(
    State(app): State<App>,
    Query(Named { name }): Query<Named>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let work = blocking(move || {
        let coordinator = Coordinator::open(&app.store, &name)?;
        let t = coordinator.tournament();
        let names = machines::apart(t.players.iter().map(|p| p.given.as_str()));
        let (ledger, plan) = (coordinator.ledger(), Plan::new(t));
        let first = ledger.results().find_map(|result| result.games.first());
        let seats = first.map_or(2, |game| game.seating.len());
        let mut heads = vec!["round".to_owned(), "game".to_owned()];
        heads.extend((1..=seats).map(|seat| format!("seat {seat}")));
        heads.extend((1..=seats).map(|seat| format!("payoff {seat}")));
        heads.extend(["moves", "fault", "by", "page"].map(str::to_owned));
        let mut text = csv_line(heads);
        // Only the games of an open tournament are kept as they were played.
        let kept = super::of_run(&app, &name)?.is_some();
        let mut at = 0;
        for result in ledger.results() {
            let job = plan.job_id(result.round, &result.players, result.index);
            for (number, game) in result.games.iter().enumerate() {
                at += 1;
                let page = kept.then(|| format!("/games/{}", game_id(&job, number)));
                let cells = cells(at, result, game, &names);
                text += &csv_line(cells.into_iter().chain([page.unwrap_or_default()]));
            }
        }
        Ok(text)
    });
    let text = work.await.map_err(|f| f.for_reader(&headers))?;
    Ok(download(CSV, "games.csv", text))
}

fn cells(at: u32, result: &JobResult, game: &GameResult, names: &[String]) -> Vec<String> {
    let who = |seat: usize| {
        let place = game.seating.get(seat).map(|&place| result.players[place]);
        place
            .and_then(|p| names.get(p).cloned())
            .unwrap_or_default()
    };
    let fault = game.fault.as_ref();
    let mut cells = vec![(result.round + 1).to_string(), at.to_string()];
    cells.extend((0..game.seating.len()).map(who));
    cells.extend(game.payoffs.iter().map(ToString::to_string));
    cells.extend([
        game.moves.iter().sum::<u32>().to_string(),
        fault.map_or("", |f| fault_name(f.kind)).to_owned(),
        fault.map(|f| who(f.seat.index())).unwrap_or_default(),
    ]);
    cells
}

/// The word for a fault, as the head of the table has it.
fn fault_name(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Illegal => "illegal",
        FaultKind::Crash => "crashed",
        FaultKind::Late => "late",
        FaultKind::Hang => "silent",
        FaultKind::Disconnected => "disconnected",
        FaultKind::Unreadable => "unreadable",
    }
}
