//! The glossary: the terms of all rooms in three languages, from one file.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use axum::Router;
use axum::response::Response;
use axum::routing::get;
use maud::html;
use wits_game::Lang;

use crate::pages::{frame, page, say};
use crate::visitor::Visitor;
use crate::{App, rooms};

const TEXT: &str = include_str!("../texts/glossary.txt");

/// A term: its anchor, its room, where to read more, and for each language its name and its meaning.
#[derive(Debug, Default)]
struct Term {
    anchor: &'static str,
    room: &'static str,
    see: Option<&'static str>,
    says: BTreeMap<Lang, (&'static str, &'static str)>,
}

/// Rooms in the order of the page, with the keys of their names.
const ROOMS: [(&str, &str); 10] = [
    ("search", "glossary-search"),
    ("matchbox", "matchbox-title"),
    ("othello", "othello-title"),
    ("scrabble", "scrabble-title"),
    ("thue", "thue-title"),
    ("rainbow", "rainbow-title"),
    ("transit", "transit-title"),
    ("expert", "expert-title"),
    ("learn", "learn-title"),
    ("arena", "arena-title"),
];

/// The address of the glossary.
pub(crate) fn routes() -> Router<App> {
    Router::new().route("/glossary", get(show))
}

/// Where the words of a game's room begin.
pub(crate) fn of_game(game: &str) -> String {
    let home = rooms::home_of(game)
        .unwrap_or_default()
        .trim_start_matches('/');
    let room = if game == "scrabble" { "scrabble" } else { home };
    if ROOMS.iter().any(|r| r.0 == room) {
        format!("/glossary#room-{room}")
    } else {
        "/glossary".to_owned()
    }
}

/// Reads the file: `[anchor]`, then `room`, `see`, and `en`, `pl`, `cs` with `name | meaning`.
fn terms() -> &'static [Term] {
    static TERMS: OnceLock<Vec<Term>> = OnceLock::new();
    TERMS.get_or_init(|| {
        let mut all: Vec<Term> = Vec::new();
        for line in TEXT
            .lines()
            .map(str::trim)
            .filter(|l| !l.is_empty() && !l.starts_with('#'))
        {
            if let Some(anchor) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                all.push(Term {
                    anchor,
                    ..Term::default()
                });
            } else if let (Some(term), Some((key, value))) =
                (all.last_mut(), line.split_once(" = "))
            {
                match (key, Lang::of_code(key)) {
                    ("room", _) => term.room = value,
                    ("see", _) => term.see = Some(value),
                    (_, Some(lang)) => {
                        let (name, meaning) = value.split_once('|').unwrap_or((value, ""));
                        term.says.insert(lang, (name.trim(), meaning.trim()));
                    }
                    _ => {}
                }
            }
        }
        all
    })
}

/// `GET /glossary`
async fn show(visitor: Visitor) -> Response {
    let spoken = Lang::spoken();
    let title = say("glossary");
    let others: Vec<Lang> = Lang::ALL.into_iter().filter(|l| *l != spoken).collect();
    let body = html! {
        main.doc.glossary #main {
            h1 { (title) }
            p.lead { (say("glossary-lead")) }
            p.glossary-rooms { @for (i, (room, key)) in ROOMS.iter().enumerate() { @if i > 0 { " · " } a href={ "#room-" (room) } { (say(key)) } } }
            @for (room, key) in ROOMS {
                section {
                    h2 id={ "room-" (room) } { (say(key)) }
                    dl {
                        @let own = terms().iter().filter(|t| t.room == room);
                        @for term in own {
                            @let (name, meaning) = term.says.get(&spoken).copied().unwrap_or_default();
                            dt id=(term.anchor) {
                                (name)
                                @for lang in &others {
                                    " " span.muted lang=(lang.code()) { (lang.code()) ": " (term.says.get(lang).map_or("", |s| s.0)) }
                                }
                            }
                            dd {
                                (meaning)
                                @if let Some(see) = term.see { " " a href=(see) { (say("glossary-see")) span.sr-only { ": " (name) } } }
                            }
                        }
                    }
                }
            }
        }
    };
    page(visitor, frame(&title, &[], &body))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_term_has_a_name_and_a_meaning_in_every_language() {
        let mut anchors = BTreeSet::new();
        for term in terms() {
            assert!(
                anchors.insert(term.anchor),
                "{} is there twice",
                term.anchor
            );
            assert!(
                ROOMS.iter().any(|r| r.0 == term.room),
                "{}: no room `{}`",
                term.anchor,
                term.room
            );
            for lang in Lang::ALL {
                let (name, meaning) = term.says.get(&lang).copied().unwrap_or_default();
                assert!(
                    !name.is_empty() && !meaning.is_empty(),
                    "{} in {}",
                    term.anchor,
                    lang.code()
                );
            }
        }
        assert!(anchors.len() >= 50, "{}", anchors.len());
    }

    #[test]
    fn every_room_has_terms() {
        for (room, _) in ROOMS {
            assert!(
                terms().iter().filter(|t| t.room == room).count() >= 3,
                "{room}"
            );
        }
    }
}
