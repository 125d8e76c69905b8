//! The rooms, and in each a first thing to try that one click starts.

use maud::{Markup, html};
use wits_game::Lang;

use super::{pictures, say, sentence};
use crate::App;

/// What a click does.
pub(super) enum Click {
    /// Opens an address.
    Open(&'static str),
    /// Sends a form: where to, and its fields.
    Send(&'static str, &'static [(&'static str, &'static str)]),
}

/// A room on the first page.
pub(super) struct Room {
    /// Its address.
    pub(super) to: &'static str,
    /// The key of its name.
    pub(super) title: &'static str,
    /// The key of the sentence about it.
    about: &'static str,
    /// The key of what the button says.
    says: &'static str,
    click: Click,
    /// A game without which there is nothing to try.
    game: Option<&'static str>,
}

/// Every room, in the order of the first page: tables first, then desks.
pub(super) const ROOMS: &[Room] = &[
    Room {
        to: "/matchbox",
        title: "matchbox-title",
        about: "matchbox-about",
        says: "try-matchbox",
        // Whoever starts loses, and the machine starts: it can be beaten.
        click: Click::Send(
            "/games",
            &[
                ("game", "hexapawn"),
                ("seats.1", "perfect"),
                ("seats.2", "human"),
            ],
        ),
        game: Some("hexapawn"),
    },
    Room {
        to: "/othello",
        title: "othello-title",
        about: "othello-about",
        says: "try-othello",
        // The machine begins, so its first decision can be followed at once.
        click: Click::Send(
            "/games",
            &[
                ("game", "othello"),
                ("seats.1", "engine:level=2,book=false"),
                ("seats.2", "human"),
            ],
        ),
        game: Some("othello"),
    },
    Room {
        to: "/scrabble",
        title: "scrabble-title",
        about: "scrabble-about",
        says: "try-scrabble",
        click: Click::Send(
            "/games",
            &[
                ("game", "scrabble"),
                ("seats.1", "human"),
                ("seats.2", "level:level=1"),
            ],
        ),
        game: Some("scrabble"),
    },
    Room {
        to: "/thue",
        title: "thue-title",
        about: "thue-about",
        says: "try-thue",
        click: Click::Send(
            "/games",
            &[
                ("game", "thue:symbols=4"),
                ("seats.1", "nested:level=1"),
                ("seats.2", "human"),
            ],
        ),
        game: Some("thue"),
    },
    Room {
        to: "/rainbow",
        title: "rainbow-title",
        about: "rainbow-about",
        says: "try-rainbow",
        click: Click::Send(
            "/games",
            &[
                ("game", "rainbow:n=9,k=3,c=5,first=maker"),
                ("seats.1", "human"),
                ("seats.2", "hint:level=0"),
            ],
        ),
        game: Some("rainbow"),
    },
    Room {
        to: "/transit",
        title: "transit-title",
        about: "transit-about",
        says: "try-transit",
        click: Click::Open(
            "/transit/search?from=most%20Wilsk%C3%A9&to=pl.%20Brzozna&at=07%3A47&speed=5",
        ),
        game: None,
    },
    Room {
        to: "/expert",
        title: "expert-title",
        about: "expert-about",
        says: "try-expert",
        click: Click::Send("/expert/talk", &[("base", "printer")]),
        game: None,
    },
    Room {
        to: "/learn",
        title: "learn-title",
        about: "learn-about",
        says: "try-learn",
        click: Click::Send(
            "/learn/data/glass/grid",
            &[
                ("imputer", "median"),
                ("transformer", "passthrough"),
                ("transformer", "standard"),
                ("transformer", "quantile"),
                ("classifier", "naive-bayes"),
                ("classifier", "knn:k=3"),
                ("classifier", "tree"),
                ("classifier", "random-forest"),
            ],
        ),
        game: None,
    },
    Room {
        to: "/arena",
        title: "arena-title",
        about: "arena-about",
        says: "try-arena",
        click: Click::Send(
            "/arena",
            &[
                ("game", "othello"),
                ("players", "corners-greedy\nfirst\nscore-greedy\nrandom"),
                ("games", "100"),
                ("plies", "4"),
            ],
        ),
        game: Some("othello"),
    },
];

/// The words that somebody plays with who reads the page in the language that is spoken.
fn lexicon() -> &'static str {
    match Lang::spoken() {
        Lang::En => "english",
        Lang::Pl => "polish",
        Lang::Cs => "czech",
    }
}

impl Room {
    /// Whether this house has what the button starts.
    fn can(&self, app: &App) -> bool {
        let has = |id: &str| app.catalog.entries().iter().any(|e| e.id() == id);
        self.game.is_none_or(has)
    }

    /// The button that starts something.
    pub(super) fn button(&self, kind: &str) -> Markup {
        html! {
            @match &self.click {
                Click::Open(to) => a class=(kind) href=(to) { (say(self.says)) },
                Click::Send(to, fields) => form action=(to) method="post" {
                    @for (name, value) in *fields {
                        @if let ("game", "scrabble") = (*name, *value) {
                            input type="hidden" name="game" value={ "scrabble:lexicon=" (lexicon()) };
                        } @else {
                            input type="hidden" name=(name) value=(value);
                        }
                    }
                    button class=(kind) type="submit" { (say(self.says)) }
                },
            }
        }
    }

    /// The room with its picture and its button.
    pub(super) fn card(&self, app: &App) -> Markup {
        html! {
            li.card.room {
                (pictures::of_room(app, self.to))
                div.room-words {
                    h2 { a href=(self.to) { (say(self.title)) } }
                    p { (sentence(&say(self.about))) }
                    div.room-deeds {
                        @if self.can(app) { (self.button("try")) }
                        a.room-open href=(self.to) { (say("open-room")) span.sr-only { ": " (say(self.title)) } }
                    }
                }
            }
        }
    }
}
