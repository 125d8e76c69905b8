//! The sheet for a new game, made from the same documentation as the help of the command line.

use std::ops::RangeInclusive;

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
                        div.desk-fields { @for param in entry.params() { (labelled(&format!("p.{}", param.name), param, usual(entry.id(), param))) } }
                    }
                }
                (clock_and_start())
                div.begin { button.button.primary type="submit" { (say("begin")) } }
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
                                @for param in entry.params() { (labelled(&format!("p.{}", param.name), param, usual(entry.id(), param))) }
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
        let scale = &["opponent-scale-ladder"];
        return Ratings { rows, scale };
    }
    let id = game.split(':').next().unwrap_or(game);
    let own = measured().filter(|line| line.0 == id);
    Ratings {
        rows: own.map(|line| (line.1.to_owned(), line.2)).collect(),
        scale: match id {
            "rainbow" => &["opponent-scale-cards", "opponent-scale-sides"],
            "thue" => &["opponent-scale-cards", "opponent-scale-thue"],
            _ => &["opponent-scale-cards"],
        },
    }
}

/// Ratings by spec, and the sentences that say what they are measured by.
struct Ratings {
    rows: Vec<(String, f64)>,
    scale: &'static [&'static str],
}

/// What a setting of a game has at first on the sheet, where that is not the default of its specs: a round
/// of the Thue game with five symbols may go on to its limit of 1000 moves.
fn usual(game: &str, param: &Param) -> Option<&'static str> {
    (game == "thue" && param.name == "symbols").then_some("4")
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
            @if !ratings.rows.is_empty() {
                p.muted { @for key in ratings.scale { (say(key)) " " } }
            }
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
                                @for param in &main { (main_setting(game, card, param, ratings)) }
                                @if !more.is_empty() {
                                    details {
                                        summary { (say("more-deeds")) span.sr-only { ": " (machines::title(card.id)) } }
                                        @for param in &more { (labelled(&format!("opponent.{}.{}", card.id, param.name), param, None)) }
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

/// A setting that says how strong a machine is, called as people call it: a choice of levels, each with what it does
/// and how strong it was measured, or a number. An engine of ten levels begins at one that can be beaten.
fn main_setting(game: &dyn AnyGame, card: &PlayerCard, param: &Param, ratings: &Ratings) -> Markup {
    let key = format!("opponent.{}.{}", card.id, param.name);
    let ParamKind::Int { min, max } = param.kind else {
        return labelled(&key, param, None);
    };
    let gentle = card.id == "engine" && param.name == "level";
    let value = if gentle {
        Some("3")
    } else {
        param.default.as_deref()
    };
    let levels = if param.name == "level" {
        levels(game.id(), card.id, min..=max, ratings)
    } else {
        None
    };
    html! {
        div.field {
            label for=(key) { (say(if param.name == "depth" { "setting-depth" } else { "setting-level" })) }
            @if let Some(levels) = levels {
                select id=(key) name=(key) {
                    @for (n, does) in levels { option value=(n) selected[value == Some(n.as_str())] { (does) } }
                }
            } @else {
                input id=(key) name=(key) type="number" min=(min) max=(max) step="1" value=[value];
                small { (sentence(&param.about.to_string())) }
            }
        }
    }
}

/// The levels of a machine with what it does at each; nothing where the house has no words for them.
fn levels(
    game: &str,
    id: &str,
    range: RangeInclusive<i64>,
    ratings: &Ratings,
) -> Option<Vec<(String, String)>> {
    let mut all = Vec::new();
    // Levels without an end are a number.
    for n in range.take(MOST_LEVELS) {
        let spec = format!("{id}:level={n}");
        let does = match machines::grade(game, &spec) {
            Some(does) => does,
            None if id == "engine" => WORDS.say("grade-engine-full"),
            None => return None,
        };
        let rated = ratings.rows.iter().find(|(name, _)| *name == spec);
        let message = match rated {
            Some((_, elo)) => WORDS
                .say("opponent-level-rated")
                .with("rating", Figure::Decimal(elo.round(), 0)),
            None => WORDS.say("opponent-level"),
        };
        all.push((
            n.to_string(),
            message.with("n", n).with("does", does).to_string(),
        ));
    }
    Some(all)
}

/// The most levels that are listed with words.
const MOST_LEVELS: usize = 10;

/// The settings by which people choose how strong a machine is.
const MAIN: [&str; 2] = ["level", "depth"];

/// How strong a machine is over the settings in which it was measured; where it was not, why there is no figure.
fn rating(id: &str, ratings: &Ratings) -> Option<Message> {
    match id {
        "matchbox" => return Some(WORDS.say("opponent-rating-learned")),
        "levels12" => return Some(WORDS.say("opponent-rating-twelve")),
        _ => {}
    }
    let of = |name: &str| name.split(':').next() == Some(id);
    let own = ratings.rows.iter().filter(|(name, _)| of(name));
    let range = own.fold(None, |range: Option<(f64, f64)>, (_, elo)| {
        let (low, high) = range.unwrap_or((*elo, *elo));
        Some((low.min(*elo), high.max(*elo)))
    });
    let Some((low, high)) = range else {
        return (id != "human").then(|| WORDS.say("opponent-rating-none"));
    };
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
fn labelled(key: &str, param: &Param, given: Option<&str>) -> Markup {
    html! { div.labelled { (field(key, param, given)) } }
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
