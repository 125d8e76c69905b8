//! The door of the arena: what can be started, and everything that was played.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Form;
use axum::extract::{Extension, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use maud::{Markup, html};
use serde::Deserialize;
use wits_arena::tune::{Tuner, tunings};
use wits_arena::{Coordinator, EntrantFile, File, Header, LimitsFile, runs};
use wits_game::{Figure, Message};
use wits_play::{ParamKind, PlayerCard, Spec};

use super::at_work::{self, AtWork};
use super::{address, encoded, game_title, title_of};
use crate::app::now;
use crate::pages::{back, frame, machines, page, say};
use crate::routes::{affordable, blocking, one_thread};
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// The most players of a tournament that is started here.
const MOST_PLAYERS: usize = 8;
/// The most games of every two players.
const MOST_GAMES: u32 = 200;

/// What a form asks for; everything as typed, so that slips get a sentence.
#[derive(Clone, Default)]
struct Order {
    game: String,
    /// Ticked ones, then those written in lines.
    players: Vec<String>,
    games: String,
    plies: String,
    seed: String,
}

impl Order {
    fn read(fields: Vec<(String, String)>) -> Order {
        let mut order = Order::default();
        for (name, value) in fields {
            match name.as_str() {
                "game" => order.game = value,
                "games" => order.games = value,
                "plies" => order.plies = value,
                "seed" => order.seed = value,
                "player" | "players" => {
                    let lines = value.lines().map(str::trim);
                    let lines = lines.filter(|line| !line.is_empty()).map(str::to_owned);
                    order.players.extend(lines);
                }
                _ => {}
            }
        }
        order
    }
}

/// For which game opponents are to be ticked.
#[derive(Deserialize, Default)]
pub(super) struct Of {
    #[serde(default)]
    game: String,
}

/// A tournament that one click starts: its words, game, players, games of every two.
const TRIES: &[(&str, &str, &str, &str, &str)] = &[
    (
        "arena-try-naive",
        "arena-try-naive-about",
        "othello",
        "corners-greedy\nfirst\nscore-greedy\nrandom",
        "100",
    ),
    (
        "arena-try-depth",
        "arena-try-depth-about",
        "othello",
        "alphabeta:depth=1\nalphabeta:depth=2\nalphabeta:depth=3",
        "40",
    ),
    (
        "arena-try-small",
        "arena-try-small-about",
        "tictactoe",
        "random\nmcts:nodes=100\nperfect",
        "60",
    ),
];

/// One tournament in the list.
struct Listed {
    name: String,
    title: String,
    game: String,
    players: usize,
    games: u64,
    done: u64,
    total: u64,
    finished: bool,
}

fn listed(app: &App) -> Result<Vec<Listed>, Fault> {
    let mut all = runs(&app.store)?;
    all.sort_by_key(|(_, begun)| std::cmp::Reverse(*begun));
    let mut list = Vec::new();
    for (name, _) in all.into_iter().take(50) {
        // What cannot be read is left out here; its own page says why.
        let Ok(coordinator) = Coordinator::open(&app.store, &name) else {
            continue;
        };
        let far = coordinator.progress();
        list.push(Listed {
            title: title_of(coordinator.tournament()),
            game: coordinator.tournament().game.clone(),
            players: coordinator.tournament().players.len(),
            games: far.games,
            done: far.done,
            total: far.total,
            finished: far.finished,
            name,
        });
    }
    Ok(list)
}

/// The variants of games that were played and are not the usual ones, with what the games are called.
fn variants(app: &App, list: &[Listed]) -> BTreeMap<String, Message> {
    let found = list.iter().filter_map(|run| {
        let spec: Spec = run.game.parse().ok()?;
        let usual = app
            .catalog
            .game(&Spec::named(&spec.name), &app.shelf)
            .ok()?;
        (usual.spec() != run.game).then(|| (run.game.clone(), usual.title()))
    });
    found.collect()
}

/// `GET /arena`
pub(super) async fn show(
    State(app): State<App>,
    Query(of): Query<Of>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let house = app.clone();
    let work = blocking(move || {
        let mut tuned = Vec::new();
        for name in tunings(&house.store)? {
            tuned.extend(Tuner::open(&house.store, &name).ok().flatten());
        }
        Ok((listed(&house)?, tuned, super::open::form(&house)?))
    });
    let (list, tuned, open) = work.await.map_err(|f| f.for_reader(&headers))?;
    let title = say("arena-title");
    let body = html! {
        main.arena-page #main {
            h1 { (title) }
            p.lead { (say("arena-lead")) }
            h2 { (say("arena-try")) }
            ul.cards { @for one in TRIES { li.panel { (try_one(one)) } } }
            (own(&app, &of.game))
            (open)
            section #runs { h2 { (say("arena-runs")) } (list_of(&app, &list)) }
            section #ladders {
                h2 { (say("arena-ladders")) }
                p { (say("arena-ladders-lead")) }
                p.row {
                    @for entry in app.catalog.entries().iter().filter(|e| e.seats().1 >= 2) {
                        a.button.quiet href={ "/arena/ladder?game=" (entry.id()) } { (entry.title()) }
                    }
                }
                ul { @for (spec, title) in variants(&app, &list) { li { a href={ "/arena/ladder?game=" (encoded(&spec)) } { (title) " " code { (spec) } } } } }
            }
            @if !tuned.is_empty() {
                section #tunings { h2 { (say("arena-tunings")) } @for tuner in &tuned { (tuning(tuner)) } }
            }
        }
    };
    Ok(page(visitor, frame(&title, &[], &body)))
}

fn try_one(
    &(title, about, game, players, games): &(&'static str, &'static str, &str, &str, &str),
) -> Markup {
    html! {
        form.arena-try method="post" action="/arena" {
            h3 { (say(title)) }
            p.muted { (say(about)) }
            input type="hidden" name="game" value=(game);
            input type="hidden" name="players" value=(players);
            input type="hidden" name="games" value=(games);
            input type="hidden" name="plies" value=(if game == "othello" { "4" } else { "1" });
            button.button.primary type="submit" aria-label={ (say("arena-go")) ": " (say(title)) } { (say("arena-go")) }
        }
    }
}

/// A tournament of one's own: a game, and opponents to tick.
fn own(app: &App, wanted: &str) -> Markup {
    let (_, _, usual, ticked, games) = TRIES[0];
    let duels = || app.catalog.entries().iter().filter(|e| e.seats().1 >= 2);
    let Some(entry) = duels()
        .find(|e| e.id() == wanted)
        .or_else(|| duels().find(|e| e.id() == usual))
    else {
        return Markup::default();
    };
    html! {
        details.panel #own open[!wanted.is_empty()] {
            summary { (say("arena-own")) }
            p { (WORDS.say("arena-own-lead").with("players", MOST_PLAYERS).with("games", MOST_GAMES)) }
            form.row method="get" action="/arena#own" {
                label for="game" { (say("arena-game")) }
                select #game name="game" {
                    @for one in duels() { option value=(one.id()) selected[one.id() == entry.id()] { (one.title()) } }
                }
                button.button type="submit" { (say("arena-show-players")) }
            }
            form #order method="post" action="/arena" {
                input type="hidden" name="game" value=(entry.id());
                fieldset.entrants {
                    legend { (say("arena-tick")) }
                    @for card in entry.players().iter().filter(|card| can_enter(card)) { (entrant(card, ticked)) }
                }
                details {
                    summary { (say("more-deeds")) }
                    div.desk-fields {
                        div.field {
                            label for="games" { (say("arena-games")) }
                            input #games name="games" type="number" min="2" max=(MOST_GAMES) step="2" value=(games);
                            small { (say("arena-games-about")) }
                        }
                        div.field {
                            label for="plies" { (say("arena-plies")) }
                            input #plies name="plies" type="number" min="0" max="40" value=(if entry.id() == usual { "4" } else { "1" });
                            small { (say("arena-plies-about")) }
                        }
                        div.field {
                            label for="seed" { (say("arena-seed")) }
                            input #seed name="seed" type="number" min="0" value="1";
                        }
                        div.field {
                            label for="players" { (say("arena-players")) }
                            textarea #players name="players" rows="3" spellcheck="false" {}
                            small { (say("arena-players-about")) }
                        }
                    }
                }
                button.button.primary type="submit" { (say("arena-go")) }
            }
        }
    }
}

/// Whether a player can be ticked: machines that need nothing said about them.
fn can_enter(card: &PlayerCard) -> bool {
    card.id != "human" && !card.params.iter().any(|param| param.usage.required)
}

/// The setting by which people tell machines of a kind apart, with the values that can be ticked.
fn grades(card: &PlayerCard) -> Option<(&'static str, Vec<i64>)> {
    let of = |name: &str, most: i64| {
        let param = card.params.iter().find(|param| param.name == name)?;
        let ParamKind::Int { min, max } = param.kind else {
            return None;
        };
        Some((param.name, (min..=max.min(most)).collect::<Vec<_>>()))
    };
    of("level", 10).or_else(|| of("depth", 6))
}

/// One kind of machine, with a box to tick for each grade of it.
fn entrant(card: &PlayerCard, ticked: &str) -> Markup {
    let name = machines::title(card.id);
    let tick = |spec: String, words: Markup| {
        html! {
            label.choice {
                input type="checkbox" name="player" value=(spec) checked[ticked.lines().any(|line| line == spec)];
                " " (words)
            }
        }
    };
    html! {
        div.entrant {
            @match grades(card) {
                None => (tick(card.id.to_owned(), html! { (name) })),
                Some((key, values)) => {
                    span { b { (name) } " " span.muted { (say(if key == "depth" { "arena-grade-depth" } else { "arena-grade-level" })) } }
                    @for value in values {
                        (tick(format!("{}:{key}={value}", card.id), html! { span.sr-only { (name) " " } (value) }))
                    }
                }
            }
        }
    }
}

fn list_of(app: &App, list: &[Listed]) -> Markup {
    if list.is_empty() {
        return html! { p.muted { (say("arena-none")) } };
    }
    html! {
        div.arena-scroll tabindex="0" role="region" aria-label=(say("arena-runs")) {
            table.data {
                thead { tr {
                    th.words scope="col" { (say("arena-name")) }
                    th.words scope="col" { (say("arena-game")) }
                    th scope="col" { (say("arena-how-many")) }
                    th scope="col" { (say("games")) }
                    th.words scope="col" { (say("arena-state")) }
                } }
                tbody {
                    @for run in list {
                        tr {
                            th.words scope="row" { a href=(address(&run.name)) { (run.title) } }
                            td.words { (game_title(app, &run.game)) }
                            td { (run.players) }
                            td { (run.games) }
                            td.words {
                                @if run.finished { (say("arena-finished")) }
                                @else { (WORDS.say("arena-far").with("done", run.done).with("total", run.total)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn tuning(tuner: &Tuner) -> Markup {
    let best = |g: &wits_arena::tune::Generation| g.best.first().map_or(0.0, |c| c.rating);
    let last = tuner.history.last().map_or(0.0, best);
    let name = &tuner.tuning.name;
    html! {
        div.panel {
            p { (WORDS.say("arena-tuning").with("name", name).with("count", tuner.history.len()).with("rating", Figure::Signed(last, 0))) }
            (super::tuning::chart(tuner))
            p { a href=(super::tuning::address(name, "")) aria-label={ (say("arena-tuning-open")) ": " (name) } { (say("arena-tuning-open")) } }
        }
    }
}

/// `POST /arena`
pub(super) async fn begin(
    State(app): State<App>,
    Extension(at_work): Extension<Arc<AtWork>>,
    visitor: Visitor,
    headers: HeaderMap,
    Form(fields): Form<Vec<(String, String)>>,
) -> Result<Response, Fault> {
    let order = Order::read(fields);
    let work = blocking(move || {
        let name = keep(&app, &order, visitor)?;
        at_work.start(&app, &name, visitor)?;
        Ok(name)
    });
    let name = work.await.map_err(|f| f.for_reader(&headers))?;
    Ok(back(&headers, visitor, &address(&name)))
}

/// Checks an order and writes the tournament down, not a game of it played.
fn keep(app: &App, order: &Order, visitor: Visitor) -> Result<String, Fault> {
    app.gate.admit()?;
    app.has_room()?;
    let players = &order.players;
    // What cannot be read is refused below, by its line.
    for spec in players.iter().filter_map(|text| text.parse().ok()) {
        affordable(&spec, &one_thread)?;
    }
    let number = |text: &str, usual: u32| match text.trim() {
        "" => Ok(usual),
        text => text.parse::<u32>().map_err(|_| {
            let shown: String = text.chars().take(40).collect();
            crate::routes::not_a_number(&shown)
        }),
    };
    let games = number(&order.games, 40)?;
    if players.len() > MOST_PLAYERS || games > MOST_GAMES {
        let why = WORDS
            .say("arena-too-large")
            .with("players", players.len())
            .with("games", games);
        let hint = WORDS
            .say("arena-too-large-hint")
            .with("most-players", MOST_PLAYERS)
            .with("most-games", MOST_GAMES);
        return Err(Fault::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "too-large",
            why,
            hint,
        ));
    }
    let spec: Spec = order.game.parse()?;
    let file = File {
        game: order.game.clone(),
        players: players
            .iter()
            .map(|text| EntrantFile::Spec(text.clone()))
            .collect(),
        games: Some(games),
        random_plies: Some(number(&order.plies, 4)?),
        seed: Some(wits_game::Seed::new(u64::from(number(&order.seed, 1)?))),
        limits: Some(LimitsFile {
            // Nobody may hold a thinker for long.
            think: Some(0.5),
            patience: Some(10.0),
            ..LimitsFile::default()
        }),
        ..File::default()
    };
    let mut tournament = file.tournament(&app.catalog, &app.shelf)?;
    // The same order is the same tournament: it is not played again, but shown.
    tournament.name = String::new();
    tournament.name = format!("{}-{}", spec.name, &tournament.id()[..8]);
    let name = tournament.name.clone();
    let header = Header {
        tournament,
        begun: now(),
        anchor: None,
        anchor_rating: 1000.0,
    };
    let known = Coordinator::open(&app.store, &name).is_ok();
    Coordinator::begin(&app.store, header)?;
    if !known {
        at_work::claim(&app.store, &name, visitor)?;
    }
    Ok(name)
}
