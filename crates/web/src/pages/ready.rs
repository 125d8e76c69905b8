//! A table that stands ready at the top of a room: the first move on its board begins the game.

use maud::{Markup, html};
use wits_game::{Eyes, Seat, Seed};
use wits_play::Spec;

use super::{board, embedded, machines, say, sentence};
use crate::{App, WORDS};

/// The scripts that a ready table needs.
pub(crate) const SCRIPTS: [&str; 2] = ["board.js", "ready.js"];

/// The start of a game with a person in the first seat; nothing where the house does not have the game.
pub(crate) fn ready(app: &App, game: &str, opponent: &str) -> Markup {
    let begin = || {
        let spec: Spec = game.parse().ok()?;
        let entry = app.catalog.entry(&spec.name).ok()?;
        let begun = app.catalog.game(&spec, &app.shelf).ok()?;
        let mut table = begun.begin(Seed::new(0), None);
        table.settle();
        Some((entry, begun.seat_name(Seat::FIRST), table.scene(Eyes::All)))
    };
    let Some((entry, side, scene)) = begin() else {
        return Markup::default();
    };
    let words = WORDS
        .say("ready-about")
        .with("side", side)
        .with("who", machines::called(opponent));
    html! {
        section.ready aria-label=(say("ready-title")) {
            wits-board live label=(say("ready-title")) {
                script.scene type="application/json" { (embedded(&serde_json::json!(scene))) }
                (board(&scene))
            }
            div {
                h2 { (say("ready-title")) }
                p { (sentence(&entry.about().to_string())) }
                p { (words) }
                p #ready-message role="alert" {}
                div.row {
                    form #ready action="/games" method="post" {
                        input type="hidden" name="game" value=(game);
                        input type="hidden" name="seats.1" value="human";
                        input type="hidden" name="seats.2" value=(opponent);
                        button.button.primary type="submit" { (say("begin")) }
                    }
                    a.button href={ "/new/" (entry.id()) } { (say("ready-other")) }
                }
                details.rules { summary { (say("rules")) } p { (entry.rules()) } }
            }
        }
    }
}
