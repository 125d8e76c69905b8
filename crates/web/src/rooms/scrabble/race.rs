//! Simulations as they run: every candidate is a bar that moves.

use std::convert::Infallible;
use std::time::{Duration, Instant};

use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Sse;
use axum::response::sse::Event;
use futures_util::stream::Stream;
use serde_json::{Value, json};
use wits_game::{Dice, Eyes, Seed};
use wits_scrabble::players::trial::Trial;
use wits_scrabble::players::{Sight, SimOptions, Yardsticks, contenders};
use wits_scrabble::{Scrabble, Table as View, house, report};

use super::look::Asked;
use super::{bad, table};
use crate::rooms::live::{Told, stream};
use crate::routes::{blocking, open};
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// How long one slice of work may hold a thinker, and how many draws are enough for anybody.
const SLICE: Duration = Duration::from_millis(200);
const DRAWS: u64 = 1_500;
/// How many candidates race.
const RACERS: usize = 12;

/// `GET /scrabble/simulate`
pub(super) async fn of_position(
    State(app): State<App>,
    Query(asked): Query<Asked>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Fault> {
    let standing = blocking(move || asked.standing())
        .await
        .map_err(|f| f.for_reader(&headers))?;
    let (game, view) = standing.table();
    race(&app, visitor, game, view)
}

/// `GET /scrabble/game/ID/hint`: the own candidates in a game, from what the own seat knows.
pub(super) async fn of_game(
    State(app): State<App>,
    Path(id): Path<String>,
    visitor: Visitor,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Fault> {
    let table = open(&app, &id).await?;
    let house = app.clone();
    let (game, view) = blocking(move || {
        let (game, view, eyes) = table::helped(&house, &table, visitor)?;
        if eyes != Eyes::Seat(view.seat()) {
            return Err(bad("turn", WORDS.say("no-hint")));
        }
        Ok((game, view))
    })
    .await?;
    race(&app, visitor, game, view)
}

fn race(
    app: &App,
    visitor: Visitor,
    game: Scrabble,
    view: View,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>> + use<>>, Fault> {
    let leaves = house::leaves(game.engine().tiles());
    let wins = house::wins(game.engine().tiles());
    let options = SimOptions {
        rollouts: 0,
        ..SimOptions::default()
    };
    let mut dice = Dice::new(Seed::new(1));
    let mut trial: Option<Trial> = None;
    stream(app, visitor, move |budget| {
        let began = Instant::now();
        let sight = Sight::new(&game, &view);
        let first = trial.is_none();
        let trial = trial.get_or_insert_with(|| {
            let rated = contenders(&sight, &leaves, RACERS);
            Trial::new(&sight, &rated, &mut dice)
        });
        let by = Yardsticks {
            leaves: &leaves,
            wins: &wins,
        };
        let late = |_| budget.stopped() || began.elapsed() >= SLICE;
        let over = |trial: &Trial| trial.settled(&options) || trial.rounds() >= DRAWS;
        // The bars are on their way before the first draw.
        while !first && !over(trial) && !late(0) {
            trial.batch(&sight, by, &options, &late);
        }
        Told {
            event: "bars",
            data: told(&game, &view, trial, over(trial)),
            over: over(trial),
        }
    })
}

fn told(game: &Scrabble, view: &View, trial: &Trial, over: bool) -> Value {
    let tiles = game.engine().tiles();
    let best = trial.leader();
    let mut order: Vec<usize> = (0..trial.tried.len()).collect();
    order.sort_by(|&a, &b| {
        let (x, y) = (&trial.tried[a], &trial.tried[b]);
        let behind = |at: usize| (Some(at) != best, trial.tried[at].dropped);
        behind(a).cmp(&behind(b)).then(y.aim().total_cmp(&x.aim()))
    });
    let bars: Vec<Value> = order
        .iter()
        .map(|&at| {
            let t = &trial.tried[at];
            json!({"id": at, "move": report::text(&t.rated.step, &view.board, tiles), "score": t.rated.score,
                "leave": f64::from(t.rated.worth - 100 * t.rated.score) / 100.0, "mean": t.mean, "error": t.error,
                "win": t.win.map(|(win, _)| win), "win_error": t.win.map(|(_, error)| error),
                "count": t.count, "dropped": t.dropped, "best": Some(at) == best})
        })
        .collect();
    let key = match (bars.is_empty(), over) {
        (true, _) => "scrabble-race-none",
        (_, true) => "scrabble-race-done",
        _ => "scrabble-race-runs",
    };
    let name = best.map(|at| report::text(&trial.tried[at].rated.step, &view.board, tiles));
    let note = WORDS
        .say(key)
        .with("draws", trial.rounds())
        .with("left", trial.alive())
        .with("move", name.unwrap_or_default());
    json!({"draws": trial.rounds(), "bars": bars, "note": note.to_string()})
}
