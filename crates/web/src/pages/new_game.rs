//! The sheet for a new game, made from the same documentation as the help of the command line.

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, html};
use wits_arena::Ladder;
use wits_arena::stats::Anchor;
use wits_desk::Param;
use wits_game::{Figure, Message, Seat};
use wits_play::{AnyGame, ParamKind, PlayerCard, Spec};

use super::{AtTable, frame, machines, page, say, sentence};
use crate::desk::field;
use crate::routes::blocking;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// `GET /new/GAME`
pub(crate) async fn new_game(
    State(app): State<App>,
    Path(name): Path<String>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let entry = app
        .catalog
        .entry(&name)
        .map_err(|_| Fault::missing().for_reader(&headers))?;
    let game = entry
        .game(&Spec::named(entry.id()), &app.shelf)
        .map_err(|e| Fault::from(e).for_reader(&headers))?;
    let cards = entry.players();
    let title = WORDS
        .say("new-title")
        .with("game", entry.title())
        .to_string();
    let ratings = ratings(&app, game.spec()).await;
    let body = html! {
        main #main {
            (AtTable::head(&title, &AtTable::goal(&**entry), Some(&**entry)))
            form.new-game.stack action="/games" method="post" {
                input type="hidden" name="game" value=(entry.id());
                @if game.seats() == 2 {
                    (sides(&*game))
                    (opponents(&*game, &cards, &ratings))
                }
                @if !entry.params().is_empty() {
                    details.panel open[game.seats() != 2] {
                        summary { (say("settings")) }
                        div.desk-fields { @for param in entry.params() { (labelled(&format!("p.{}", param.name), param)) } }
                    }
                }
                (clock_and_start())
                button.button.primary type="submit" { (say("begin")) }
            }
            @if game.seats() > 1 {
                details.panel.seat-by-seat {
                    summary { (say("seat-by-seat")) }
                    p.muted { (say("seat-by-seat-about")) }
                    form.sheet.stack action="/games" method="post" {
                        input type="hidden" name="game" value=(entry.id());
                        @for seat in Seat::all(entry.seats().1) {
                            (seat_field(seat, &game.seat_name(seat).to_string(), &game.opponent(seat).name, &cards, seat.index() < usize::from(game.seats())))
                        }
                        @if !entry.params().is_empty() {
                            details {
                                summary { (say("settings")) }
                                @for param in entry.params() { (labelled(&format!("p.{}", param.name), param)) }
                            }
                        }
                        button.button type="submit" { (say("begin")) }
                    }
                }
            }
            @if entry.seats().1 >= 2 { p { (crate::rooms::to_ladder(entry.id(), entry.title())) } }
        }
    };
    Ok(page(visitor, frame(&title, &["new-game.js"], &body)))
}

/// How strong each player is, by its spec: what the ladder of this house says, and before anybody played, what was
/// measured for the cards.
async fn ratings(app: &App, game: &str) -> Ratings {
    let rows = ladder(app, game).await;
    if !rows.is_empty() {
        let scale = "opponent-scale-ladder";
        return Ratings { rows, scale };
    }
    let id = game.split(':').next().unwrap_or(game);
    let own = measured().filter(|line| line.0 == id);
    Ratings {
        rows: own.map(|line| (line.1.to_owned(), line.2)).collect(),
        scale: "opponent-scale-cards",
    }
}

/// Ratings by spec, and the words that say what they are measured by.
struct Ratings {
    rows: Vec<(String, f64)>,
    scale: &'static str,
}

/// Ratings from the tournaments `tournaments/cards-GAME.toml`: game, player, rating.
fn measured() -> impl Iterator<Item = (&'static str, &'static str, f64)> {
    let lines = include_str!("strengths.txt").lines();
    lines
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            Some((words.next()?, words.next()?, words.next()?.parse().ok()?))
        })
}

/// What the ladder of a game says of each player, by its spec.
async fn ladder(app: &App, game: &str) -> Vec<(String, f64)> {
    let (store, game) = (std::sync::Arc::clone(&app.store), game.to_owned());
    let read = blocking(move || {
        let rows = Ladder::of(&store, &game)?.rows(Anchor::Mean(1000.0));
        Ok(rows
            .into_iter()
            .map(|row| (row.name, row.rating.elo))
            .collect())
    });
    read.await.unwrap_or_default()
}

/// Which side the person plays.
fn sides(game: &dyn AnyGame) -> Markup {
    html! {
        fieldset.sides {
            legend { (say("you-play")) }
            @for seat in Seat::all(game.seats()) {
                label.choice {
                    input type="radio" name="side" value=(seat) checked[seat == Seat::FIRST] required;
                    " " (game.seat_name(seat))
                }
            }
            label.choice { input type="radio" name="side" value="lot"; " " (say("side-lot")) }
        }
    }
}

/// Whom the person plays: a card for every machine with a sentence about it, its strength where it was measured,
/// and its first setting; the others are folded.
fn opponents(game: &dyn AnyGame, cards: &[PlayerCard], ratings: &Ratings) -> Markup {
    // Where there is a machine made for people, it is the one they meet first, at a level that can be beaten.
    let kind = |name: &str| cards.iter().any(|card| card.id == name);
    let usual = match game.opponent(Seat::SECOND).name {
        _ if kind("engine") => "engine".to_owned(),
        other => other,
    };
    // Whoever is met first stands first; the others follow as the game lists them.
    let (first, others): (Vec<_>, Vec<_>) = cards.iter().partition(|card| card.id == usual);
    let roles = |card: &PlayerCard| {
        let seats = Seat::all(game.seats()).filter(|&seat| card.roles.allow(seat));
        seats
            .map(|seat| seat.to_string())
            .collect::<Vec<_>>()
            .join(" ")
    };
    html! {
        fieldset.opponents {
            legend { (say("opponent")) }
            @if !ratings.rows.is_empty() { p.muted { (say(ratings.scale)) } }
            div.opponent-cards {
                @for card in first.into_iter().chain(others) {
                    @let person = card.id == "human";
                    @let (main, more): (Vec<&Param>, Vec<&Param>) = card.params.iter().partition(|param| MAIN.contains(&param.name));
                    div.opponent data-seats=(roles(card)) {
                        label {
                            input type="radio" name="opponent" value=(card.id) checked[card.id == usual] required;
                            span.opponent-words {
                                b { @if person { (say("opponent-person")) } @else { (machines::title(card.id)) } }
                                span { @if person { (say("opponent-person-about")) } @else { (sentence(&card.about.to_string())) } }
                                @if let Some(rated) = rating(card.id, ratings) { span.badge { (rated) } }
                            }
                        }
                        @if !person && !card.params.is_empty() {
                            div.opponent-settings {
                                @for param in &main { (main_setting(card, param)) }
                                @if !more.is_empty() {
                                    details {
                                        summary { (say("more-deeds")) span.sr-only { ": " (machines::title(card.id)) } }
                                        @for param in &more { (labelled(&format!("opponent.{}.{}", card.id, param.name), param)) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A setting that says how strong a machine is, called as people call it; an engine of ten levels begins at one that
/// can be beaten.
fn main_setting(card: &PlayerCard, param: &Param) -> Markup {
    let key = format!("opponent.{}.{}", card.id, param.name);
    let ParamKind::Int { min, max } = param.kind else {
        return labelled(&key, param);
    };
    let gentle = card.id == "engine" && param.name == "level";
    let value = if gentle {
        Some("3")
    } else {
        param.default.as_deref()
    };
    html! {
        div.field {
            label for=(key) { (say(if param.name == "depth" { "setting-depth" } else { "setting-level" })) }
            input id=(key) name=(key) type="number" min=(min) max=(max) step="1" value=[value];
            small { (sentence(&param.about.to_string())) }
        }
    }
}

/// The settings by which people choose how strong a machine is.
const MAIN: [&str; 2] = ["level", "depth"];

/// How strong a machine is over the settings in which it was measured.
fn rating(id: &str, ratings: &Ratings) -> Option<Message> {
    let of = |name: &str| name.split(':').next() == Some(id);
    let own = ratings.rows.iter().filter(|(name, _)| of(name));
    let (low, high) = own.fold(None, |range: Option<(f64, f64)>, (_, elo)| {
        let (low, high) = range.unwrap_or((*elo, *elo));
        Some((low.min(*elo), high.max(*elo)))
    })?;
    let figure = |elo: f64| Figure::Decimal(elo.round(), 0);
    let message = if figure(low) == figure(high) {
        WORDS.say("opponent-rating").with("rating", figure(high))
    } else {
        let range = WORDS.say("opponent-ratings");
        range.with("low", figure(low)).with("high", figure(high))
    };
    Some(message)
}

/// A field whose label says what it is for, not what specs call it.
fn labelled(key: &str, param: &Param) -> Markup {
    html! { div.labelled { (field(key, param, None)) } }
}

/// A clock, a seed and a position, which most games need not have.
fn clock_and_start() -> Markup {
    html! {
        details.panel {
            summary { (say("clock")) ", " (say("seed")) ", " (say("position")) }
            div.desk-fields {
                div.field {
                    label for="clock" { (say("clock")) }
                    select #clock name="clock" {
                        option value="" { (say("clock-none")) }
                        option value="move" { (say("clock-move")) }
                        option value="game" { (say("clock-game")) }
                    }
                }
                div.field {
                    label for="seconds" { (say("clock-seconds")) }
                    input #seconds name="seconds" type="number" min="1" max="86400" value="60";
                }
                div.field {
                    label for="seed" { (say("seed")) }
                    input #seed name="seed" type="number" min="0" max="9007199254740991";
                    small { (say("seed-about")) }
                }
                div.field {
                    label for="position" { (say("position")) }
                    input #position name="position" type="text" maxlength="4000";
                    small { (say("position-about")) }
                }
            }
        }
    }
}

/// Who sits in a seat, with the parameters of everyone who could.
fn seat_field(
    seat: Seat,
    name: &str,
    opponent: &str,
    cards: &[PlayerCard],
    needed: bool,
) -> Markup {
    let key = format!("seats.{seat}");
    let chosen = if seat == Seat::FIRST {
        "human"
    } else {
        opponent
    };
    html! {
        div.field {
            label for=(key) { (WORDS.say("seat-of").with("name", name)) }
            select id=(key) name=(key) data-seat=(seat) {
                @if !needed { option value="" selected { "–" } }
                @for card in cards.iter().filter(|card| card.roles.allow(seat)) {
                    option value=(card.id) selected[needed && card.id == chosen] title=(card.about) {
                        @if card.id == "human" { (say("person")) } @else { (machines::title(card.id)) }
                    }
                }
            }
        }
        @for card in cards.iter().filter(|card| card.roles.allow(seat) && !card.params.is_empty()) {
            details.params data-for={ (key) ":" (card.id) } {
                summary { (machines::title(card.id)) ": " (say("more")) }
                p.muted { (card.about) }
                @for param in &card.params { (field(&format!("{key}.{}.{}", card.id, param.name), param, None)) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wits_play::Shelf;

    #[test]
    fn every_measured_machine_plays_its_game() {
        let catalog = wits_catalog::all();
        for (game, player, rating) in measured() {
            let entry = catalog.entry(game).expect("a game of the house");
            assert!((0.0..4000.0).contains(&rating), "{game} {player}");
            let table = entry.game(&Spec::named(game), &Shelf::new());
            let spec: Spec = player.parse().expect("a spec");
            let table = table.expect("the usual game");
            let seats = Seat::all(table.seats());
            let sits = seats
                .into_iter()
                .any(|seat| table.player(&spec, seat, &Shelf::new()).is_ok());
            assert!(sits, "{game} {player}");
        }
    }
}
