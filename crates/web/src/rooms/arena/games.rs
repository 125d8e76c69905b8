//! The games of two players of a tournament. A result keeps no moves: a game is played again from its seed when
//! somebody opens it, and must come out as it did.

use axum::Form;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::{Value, json};
use wits_arena::{Coordinator, GameResult, Hall, Job, JobResult, Plan};
use wits_play::{Event, Record, Spec};
use wits_store::{Id, Then};

use super::{encoded, game_title, title_of};
use crate::pages::{back, frame, machines, page, say};
use crate::routes::blocking;
use crate::think::analyse;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// The address of the games of two players.
pub(super) fn address(run: &str, a: usize, b: usize) -> String {
    format!("/arena/run/games?name={}&a={a}&b={b}", encoded(run))
}

/// Whose games are asked for.
#[derive(Deserialize)]
pub(super) struct Of {
    name: String,
    a: usize,
    b: usize,
}

/// One game in the list.
struct Listed {
    round: u32,
    index: u32,
    number: usize,
    players: Vec<usize>,
    /// Who sat where.
    seats: Vec<String>,
    /// What the first of the two made of it.
    verdict: &'static str,
    moves: u32,
}

/// `GET /arena/run/games?name=NAME&a=A&b=B`
pub(super) async fn show(
    State(app): State<App>,
    Query(of): Query<Of>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let house = app.clone();
    let work = blocking(move || {
        let coordinator = Coordinator::open(&house.store, &of.name)?;
        let tournament = coordinator.tournament();
        let names = machines::apart(tournament.players.iter().map(|p| p.given.as_str()));
        let pair = (names.get(of.a).cloned(), names.get(of.b).cloned());
        let (Some(one), Some(other)) = pair else {
            return Err(Fault::missing());
        };
        let ledger = coordinator.ledger();
        let met = |r: &&JobResult| r.players.contains(&of.a) && r.players.contains(&of.b);
        let games = ledger.results().filter(met);
        let games: Vec<Listed> = games
            .flat_map(|result| listed(result, (of.a, of.b), &names))
            .collect();
        let heads = (
            title_of(tournament),
            game_title(&house, &tournament.game),
            seats_of(&house, &tournament.game),
        );
        Ok((of, heads, one, other, games))
    });
    let (of, (run, game, seats), one, other, games) =
        work.await.map_err(|f| f.for_reader(&headers))?;
    let title = WORDS
        .say("arena-games-of")
        .with("one", one)
        .with("other", other)
        .to_string();
    let body = html! {
        main.arena-page #main {
            p { a href=(super::address(&of.name)) { (run) } }
            h1 { (title) }
            p.lead { (game) ". " (say("arena-games-lead")) }
            @if games.is_empty() { p.muted { (say("arena-games-none")) } } @else { (list(&of.name, &seats, &games)) }
        }
    };
    Ok(page(visitor, frame(&title, &[], &body)))
}

fn listed(result: &JobResult, (a, _): (usize, usize), names: &[String]) -> Vec<Listed> {
    let games = result.games.iter().enumerate();
    let listed = games.map(|(number, game)| {
        let sits = |place: usize| result.players[game.seating[place]];
        let own = (0..game.seating.len()).find(|&seat| sits(seat) == a);
        Listed {
            round: result.round,
            index: result.index,
            number,
            players: result.players.clone(),
            seats: (0..game.seating.len())
                .map(|seat| names[sits(seat)].clone())
                .collect(),
            verdict: own.map_or("arena-game-drawn", |seat| verdict(game, seat)),
            moves: game.moves.iter().sum(),
        }
    });
    listed.collect()
}

/// How a game went for a seat.
fn verdict(game: &GameResult, seat: usize) -> &'static str {
    let most = game.payoffs.iter().max();
    let all_equal = game.payoffs.windows(2).all(|two| two[0] == two[1]);
    match game.payoffs.get(seat) {
        _ if all_equal => "arena-game-drawn",
        own if own == most => "arena-game-won",
        _ => "arena-game-lost",
    }
}

/// What the seats of a game are called.
fn seats_of(app: &App, spec: &str) -> Vec<String> {
    let made = spec.parse::<Spec>().ok();
    let made = made.and_then(|spec| app.catalog.game(&spec, &app.shelf).ok());
    made.map_or_else(Vec::new, |game| {
        let seats = wits_game::Seat::all(game.seats());
        seats.map(|seat| game.seat_name(seat).to_string()).collect()
    })
}

fn list(run: &str, seats: &[String], games: &[Listed]) -> Markup {
    html! {
        div.arena-scroll tabindex="0" role="region" aria-label=(say("games")) {
            table.data #games {
                thead { tr {
                    th scope="col" { (say("arena-game-number")) }
                    @for seat in seats { th.words scope="col" { (seat) } }
                    th.words scope="col" { (say("arena-score")) }
                    th scope="col" { (say("moves")) }
                    td {}
                } }
                tbody { @for (at, game) in (1..).zip(games) {
                    tr {
                        td { (at) }
                        @for who in &game.seats { td.words { (who) } }
                        td.words { (say(game.verdict)) }
                        td { (game.moves) }
                        td {
                            form method="post" action="/arena/run/game" {
                                input type="hidden" name="name" value=(run);
                                input type="hidden" name="round" value=(game.round);
                                input type="hidden" name="index" value=(game.index);
                                input type="hidden" name="players" value=(game.players.iter().map(usize::to_string).collect::<Vec<_>>().join(" "));
                                input type="hidden" name="number" value=(game.number);
                                button.button.quiet.small type="submit" { (say("arena-open-game")) span.sr-only { " " (at) } }
                            }
                        }
                    }
                } }
            }
        }
    }
}

/// Which game of a run is meant.
#[derive(Clone, Deserialize)]
pub(super) struct Wanted {
    name: String,
    round: u32,
    index: u32,
    players: String,
    number: usize,
}

/// `POST /arena/run/game`: the game as a table of its own, to be stepped through, reviewed and followed.
pub(super) async fn open(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    Form(wanted): Form<Wanted>,
) -> Result<Response, Fault> {
    let work = async {
        let (house, asked) = (app.clone(), wanted);
        let (key, job, result, seen) = blocking(move || find(&house, &asked)).await?;
        if let Some(id) = seen {
            return Ok(id);
        }
        let house = app.clone();
        let played = analyse(&app, visitor, move |stop| {
            let hall = Hall::new(house.catalog.clone(), house.shelf.clone());
            hall.again(&job, key.1, stop).map(|played| (key, played))
        });
        let (key, (again, record)) = played.await?.map_err(wits_arena::ArenaError::from)?;
        let same = again.line == result.line && again.payoffs == result.payoffs;
        let record = record.filter(|_| same).ok_or_else(not_the_same)?;
        let house = app.clone();
        blocking(move || keep(&house, visitor, &key, &again, &record)).await
    };
    let id = work.await.map_err(|f: Fault| f.for_reader(&headers))?;
    Ok(back(&headers, visitor, &format!("/games/{id}")))
}

fn not_the_same() -> Fault {
    let (why, hint) = (
        WORDS.say("arena-game-other"),
        WORDS.say("arena-game-other-hint"),
    );
    Fault::new(StatusCode::CONFLICT, "another-game", why, hint)
}

/// The job of a game and which of its games is meant.
type Key = (String, usize);

/// What was played, how it came out, and the table where somebody has opened it before.
fn find(app: &App, wanted: &Wanted) -> Result<(Key, Job, GameResult, Option<Id>), Fault> {
    let coordinator = Coordinator::open(&app.store, &wanted.name)?;
    let players = wanted.players.split_whitespace().map(str::parse);
    let players: Vec<usize> = players
        .collect::<Result<_, _>>()
        .map_err(|_| Fault::missing())?;
    let ledger = coordinator.ledger();
    let result = ledger
        .results()
        .find(|r| (r.round, r.index, &r.players) == (wanted.round, wanted.index, &players));
    let game = result.and_then(|result| result.games.get(wanted.number));
    let game = game.ok_or_else(Fault::missing)?.clone();
    let job = Plan::new(coordinator.tournament()).job(wanted.round, &players, wanted.index);
    let key = (job.id.clone(), wanted.number);
    let kept = app
        .store
        .blob("arena-game", &format!("{}/{}", key.0, key.1))?;
    let seen = kept.and_then(|blob| std::str::from_utf8(&blob.bytes).ok()?.parse().ok());
    let seen = seen.filter(|&id| app.table(id).is_ok());
    Ok((key, job, game, seen))
}

/// Keeps a game that was played again as a table at which nobody sits.
fn keep(
    app: &App,
    visitor: Visitor,
    key: &Key,
    again: &GameResult,
    record: &Record,
) -> Result<Id, Fault> {
    let id = Id::random()?;
    app.begin_session(visitor, id, "game", &json!(record.header))?;
    let events: Vec<Value> = record.events.iter().map(|event| json!(event)).collect();
    let written = app
        .store
        .append_all(id, 0, &events, Then::Finished, app.now());
    written.map_err(Fault::from)?;
    // The machines decided nothing before they sat down.
    let moves = record.events.iter().filter_map(|event| match event {
        Event::Move { ply, .. } => Some(*ply),
        _ => None,
    });
    let moves: Vec<u32> = moves.collect();
    let own: u32 = again.moves.iter().sum();
    let opened = moves.get(moves.len().saturating_sub(own as usize));
    let opened = opened.copied().unwrap_or_default();
    app.put_item("opened", &id.to_string(), opened.to_string().as_bytes())?;
    app.put_item(
        "arena-game",
        &format!("{}/{}", key.0, key.1),
        id.to_string().as_bytes(),
    )?;
    Ok(id)
}
