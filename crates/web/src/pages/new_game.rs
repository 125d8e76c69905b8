//! The sheet for a new game, made from the same documentation as the help of the command line.

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, html};
use wits_game::Seat;
use wits_play::{PlayerCard, Spec};

use super::{frame, page, say};
use crate::desk::field;
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
    let body = html! {
        main #main {
            h1 { (title) }
            p.lead { (say("new-lead")) }
            details.panel { summary { (say("rules")) } p { (entry.rules()) } }
            @if entry.seats().1 >= 2 { p { (crate::rooms::to_ladder(entry.id(), entry.title())) } }
            form.sheet.stack action="/games" method="post" {
                input type="hidden" name="game" value=(entry.id());
                @for seat in Seat::all(entry.seats().1) {
                    (seat_field(seat, &game.seat_name(seat).to_string(), &game.opponent(seat).name, &cards, seat.index() < usize::from(game.seats())))
                }
                @if !entry.params().is_empty() {
                    fieldset {
                        legend { (say("settings")) }
                        @for param in entry.params() { (field(&format!("p.{}", param.name), param, None)) }
                    }
                }
                details {
                    summary { (say("clock")) ", " (say("seed")) ", " (say("position")) }
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
                button.button.primary type="submit" { (say("begin")) }
            }
        }
    };
    Ok(page(visitor, frame(&title, &["new-game.js"], &body)))
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
                        @if card.id == "human" { (say("person")) } @else { (card.id) }
                    }
                }
            }
        }
        @for card in cards.iter().filter(|card| card.roles.allow(seat) && !card.params.is_empty()) {
            details.params data-for={ (key) ":" (card.id) } {
                summary { (card.id) ": " (say("more")) }
                p.muted { (card.about) }
                @for param in &card.params { (field(&format!("{key}.{}.{}", card.id, param.name), param, None)) }
            }
        }
    }
}
