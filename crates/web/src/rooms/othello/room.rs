//! Where to begin.

use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};

use super::asked::LONGEST;
use crate::pages::{READY, frame, page, ready, say};
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// Games worth a look: the words that say why, and the moves.
const GAMES: [(&str, &str); 4] = [
    (
        "othello-game-perfect",
        "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1f7e2g3h4f1e1f2g1b1f8g8b3h3b2h5b7a3a4a1a2c1h2h1g2b8a8g7h8h7h6",
    ),
    ("othello-game-short", "e6f4e3f6g5d6e7f5c5"),
    (
        "othello-game-draw",
        "f5f4c3f6g7f7f3h7f8b2h6e7h8e3d7g3f2f1a1c5",
    ),
    (
        "othello-game-passes",
        "f5d6c4g5d7c7h5d8b8b7b6a7b5a6a5b4b3c6e8f8c8a8e7a4b2a2c2d2d1e2f2c5c3a1a3e6d3f6f7f1g2h2e3f4b1g1c1e1g8g7f3h1h3h4h6",
    ),
];

/// Machines to play against: the spec, and what it is called here.
const MACHINES: [(&str, &str); 8] = [
    ("engine:level=1", "othello-machine-1"),
    ("engine:level=3", "othello-machine-3"),
    ("engine:level=5", "othello-machine-5"),
    ("engine:level=7", "othello-machine-7"),
    ("engine:level=10", "othello-machine-10"),
    ("alphabeta:depth=4,eval=korman", "othello-machine-korman"),
    ("score-greedy", "othello-machine-greedy"),
    ("corners-greedy", "othello-machine-corners"),
];

/// `GET /othello`
pub(super) async fn show(State(app): State<App>, visitor: Visitor) -> Result<Response, Fault> {
    let title = say("othello-title");
    let body = html! {
        main.oth-room #main {
            h1 { (title) }
            p.lead { (say("othello-lead")) }
            (ready(&app, "othello", "engine:level=2"))
            p { (crate::rooms::ladder_of(&app, "othello")) }
            div.oth-ways {
                (play())
                section.panel #games {
                    h2 { (say("othello-look-at")) }
                    p { (say("othello-look-at-about")) }
                    ul.oth-links {
                        @for (key, moves) in GAMES {
                            li { a href={ "/othello/board?moves=" (moves) "&ply=0" } { (say(key)) } }
                        }
                        li { a href="/othello/board" { (say("othello-from-start")) } }
                    }
                }
                section.panel #paste {
                    h2 { (say("othello-paste")) }
                    form action="/othello/board" method="get" {
                        div.field {
                            label for="text" { (say("othello-paste-text")) }
                            textarea #text name="text" rows="4" required maxlength=(LONGEST) spellcheck="false" placeholder="f5d6c3d3c4…" {}
                            small { (say("othello-paste-about")) }
                        }
                        button.button.primary type="submit" { (say("othello-look")) }
                    }
                }
                section.panel #make {
                    h2 { (say("othello-setup-title")) }
                    p { (say("othello-setup-about")) }
                    p { a.button href="/othello/setup" { (say("othello-setup-open")) } }
                }
            }
            p.muted { (WORDS.say("othello-more")) " " a href="/new/othello" { (say("othello-more-new")) } }
        }
    };
    Ok(page(visitor, frame(&title, &READY, &body)))
}

/// A game against a machine.
fn play() -> Markup {
    html! {
        section.panel #play {
            h2 { (say("othello-play")) }
            p { (say("othello-play-about")) }
            form action="/games" method="post" {
                input type="hidden" name="game" value="othello";
                input type="hidden" name="seats.1" value="human";
                div.field {
                    label for="machine" { (say("othello-machine")) }
                    select #machine name="seats.2" {
                        @for (spec, key) in MACHINES { option value=(spec) selected[spec == "engine:level=3"] { (say(key)) } }
                    }
                }
                button.button.primary type="submit" { (say("othello-begin")) }
            }
        }
    }
}
