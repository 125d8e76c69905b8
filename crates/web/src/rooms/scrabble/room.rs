//! Where to begin.

use axum::body::Bytes;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::json;
use wits_game::Seat;
use wits_play::{Spec, TimeControl};
use wits_scrabble::Standing;

use super::look::{board, lexicon_field};
use super::profiles::{self, Profile};
use super::{LEXICONS, bad, engine, sheet};
use crate::pages::{frame, page, say};
use crate::routes::{Fields, answer, blocking, fields, put_up};
use crate::tables::NewGame;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// Machines to play against: the spec, and what it is called here.
pub(super) const MACHINES: [(&str, &str); 9] = [
    ("level:level=1", "scrabble-machine-1"),
    ("level:level=2", "scrabble-machine-2"),
    ("level:level=3", "scrabble-machine-3"),
    ("level:level=4", "scrabble-machine-4"),
    ("level:level=5", "scrabble-machine-5"),
    ("sim:seconds=1", "scrabble-machine-sim"),
    ("leave", "scrabble-machine-leave"),
    ("greedy", "scrabble-machine-greedy"),
    ("thesis", "scrabble-machine-thesis"),
];

/// The clocks that a table may have: the value, the rule, and what it is called.
const CLOCKS: [(&str, TimeControl, &str); 5] = [
    ("none", TimeControl::None, "scrabble-clock-none"),
    (
        "m60",
        TimeControl::PerMove { ms: 60_000 },
        "scrabble-clock-m1",
    ),
    (
        "m120",
        TimeControl::PerMove { ms: 120_000 },
        "scrabble-clock-m2",
    ),
    (
        "g600",
        TimeControl::PerGame {
            ms: 600_000,
            increment_ms: 0,
        },
        "scrabble-clock-g10",
    ),
    (
        "g1500",
        TimeControl::PerGame {
            ms: 1_500_000,
            increment_ms: 0,
        },
        "scrabble-clock-g25",
    ),
];

/// What happens to words that are none, and what it is called.
const CHALLENGES: [(&str, &str); 5] = [
    ("void", "scrabble-challenge-void"),
    ("single", "scrabble-challenge-single"),
    ("double", "scrabble-challenge-double"),
    ("free", "scrabble-challenge-free"),
    ("off", "scrabble-challenge-off"),
];

/// A short game with a missed bingo, for a first look.
const EXAMPLE: &str = include_str!("example.gcg");

/// A position to look at while one chooses: a crossword on the board, and a rack that is worth a thought.
const FIRST: &str = "15/15/15/15/15/15/15/3SEARCH6/8I6/8N6/8TILE3/15/15/15/15 AEINRST/ 34/26 0";

/// Words that somebody asks about.
#[derive(Deserialize, Default)]
pub(super) struct Words {
    words: Option<String>,
    lexicon: Option<String>,
}

/// `GET /scrabble`
pub(super) async fn show(
    State(app): State<App>,
    Query(asked): Query<Words>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    room(&app, visitor, None, None, &asked)
        .await
        .map_err(|f| f.for_reader(&headers))
}

/// The room again, with what is wrong with a pasted game.
pub(super) async fn with_fault(
    app: &App,
    visitor: Visitor,
    fault: &Fault,
    text: &str,
) -> Result<Response, Fault> {
    room(app, visitor, Some(fault), Some(text), &Words::default()).await
}

async fn room(
    app: &App,
    visitor: Visitor,
    fault: Option<&Fault>,
    pasted: Option<&str>,
    asked: &Words,
) -> Result<Response, Fault> {
    let house = app.clone();
    let mine = blocking(move || profiles::kept(&house, visitor)).await?;
    let title = say("scrabble-title");
    let body = html! {
        main.scr-room #main {
            h1 { (title) }
            p.lead { (say("scrabble-lead")) }
            section.ready.scr-first #first {
                @if let Some(standing) = first() { div { (board(&standing, &[])) } }
                div {
                    h2 { (say("scrabble-first")) }
                    p { (say("scrabble-first-about")) }
                    div.row {
                        @for (name, title, lang) in LEXICONS {
                            form action="/scrabble/new" method="post" {
                                input type="hidden" name="lexicon" value=(name);
                                input type="hidden" name="seat.1" value="human";
                                input type="hidden" name="seat.2" value="level:level=2";
                                button.button.primary type="submit" lang=(lang) { (title) }
                            }
                        }
                    }
                    p { (say("scrabble-puzzle")) " " a href={ "/scrabble/board?" (puzzle()) } { (say("scrabble-puzzle-open")) } }
                }
            }
            div.scr-ways {
                (own_table(&mine))
                (players(&mine))
                section.panel #position {
                    h2 { (say("scrabble-position")) }
                    p { (say("scrabble-position-about")) }
                    form action="/scrabble/board" method="get" {
                        div.field {
                            label for="rack-asked" { (say("scrabble-ask-rack")) }
                            input #rack-asked name="rack" type="text" maxlength="40" autocomplete="off" spellcheck="false" value="AEINRS?" required;
                            small { (say("scrabble-ask-rack-about")) }
                        }
                        (lexicon_field("position-lexicon", "english"))
                        button.button.primary type="submit" { (say("scrabble-ask-button")) }
                    }
                }
                section.panel #words {
                    h2 { (say("scrabble-words")) }
                    form action="/scrabble#words" method="get" {
                        div.field {
                            label for="words-asked" { (say("scrabble-words-field")) }
                            input #words-asked name="words" type="text" maxlength="300" autocomplete="off" spellcheck="false" required value=[asked.words.as_deref()];
                        }
                        (lexicon_field("words-lexicon", asked.lexicon.as_deref().unwrap_or("english")))
                        button.button type="submit" { (say("scrabble-words-button")) }
                    }
                    (looked_up(asked)?)
                }
                section.panel #games {
                    h2 { (say("scrabble-look-at")) }
                    @if let Some(fault) = fault { p.error role="alert" { (fault.message) ". " (fault.hint) "." } }
                    form action="/scrabble/open" method="post" {
                        div.field {
                            label for="gcg" { (say("scrabble-gcg-field")) }
                            textarea #gcg name="gcg" rows="7" maxlength=(sheet::LONGEST) spellcheck="false" required { (pasted.unwrap_or(EXAMPLE)) }
                            small { (say("scrabble-gcg-about")) }
                        }
                        (lexicon_field("gcg-lexicon", "english"))
                        button.button.primary type="submit" { (say("scrabble-gcg-button")) }
                    }
                }
            }
            p.muted { (say("scrabble-more")) " " a href="/new/scrabble" { (say("scrabble-more-new")) } }
            p { (crate::rooms::ladder_of(app, "scrabble")) }
            p.muted { (say("scrabble-trademark")) }
        }
    };
    Ok(page(visitor, frame(&title, &["scrabble-look.js"], &body)))
}

/// The position at the top of the room.
fn first() -> Option<Standing> {
    Standing::read(engine("english").ok()?, Some(FIRST), None).ok()
}

/// What names it in an address.
fn puzzle() -> String {
    let mut out = form_urlencoded::Serializer::new(String::new());
    out.append_pair("position", FIRST)
        .append_pair("rack", "AEINRST")
        .append_pair("lexicon", "english")
        .finish()
}

/// Whether words are in a lexicon.
fn looked_up(asked: &Words) -> Result<Markup, Fault> {
    let Some(text) = asked
        .words
        .as_deref()
        .map(str::trim)
        .filter(|t| !t.is_empty())
    else {
        return Ok(html! {});
    };
    let name = asked.lexicon.as_deref().unwrap_or("english");
    let engine = engine(name)?;
    let found: Vec<(String, Option<bool>)> = text
        .split([' ', ',', ';'])
        .filter(|w| !w.is_empty())
        .take(20)
        .map(|word| {
            let shown: String = word.chars().take(40).collect();
            let read = engine.tiles().read_word(word).ok();
            (
                shown,
                read.map(|letters| engine.lexicon().contains(&letters)),
            )
        })
        .collect();
    Ok(html! {
        ul.scr-found role="status" {
            @for (word, good) in &found {
                li {
                    b { (word) } " "
                    @match good {
                        Some(true) => { span.scr-good { "✓ " (say("scrabble-word-yes")) } }
                        Some(false) => { span.scr-no { "✗ " (say("scrabble-word-no")) } }
                        None => { span.scr-no { (WORDS.say("scrabble-word-letters").with("lexicon", name)) } }
                    }
                }
            }
        }
    })
}

fn own_table(mine: &[Profile]) -> Markup {
    html! {
        section.panel #own {
            h2 { (say("scrabble-own")) }
            p { (say("scrabble-own-about")) }
            form action="/scrabble/new" method="post" {
                (lexicon_field("own-lexicon", "english"))
                @for seat in 1..=Seat::MOST { (seat_field(seat, mine)) }
                details {
                    summary { (say("scrabble-rules")) }
                    div.field {
                        label for="challenge-rule" { (say("scrabble-challenges")) }
                        select #challenge-rule name="challenge" { @for (value, key) in CHALLENGES { option value=(value) { (say(key)) } } }
                    }
                    div.field {
                        label for="clock-rule" { (say("clock")) }
                        select #clock-rule name="clock" { @for (value, _, key) in CLOCKS { option value=(value) { (say(key)) } } }
                        small { (say("scrabble-clock-about")) }
                    }
                    div.field {
                        label for="start-rule" { (say("scrabble-start")) }
                        select #start-rule name="start" {
                            option value="draw" { (say("scrabble-start-draw")) }
                            option value="seat" { (say("scrabble-start-seat")) }
                        }
                    }
                }
                button.button.primary type="submit" { (say("begin")) }
            }
        }
    }
}

fn seat_field(seat: u8, mine: &[Profile]) -> Markup {
    let id = format!("seat.{seat}");
    let chosen = match seat {
        1 => "human",
        2 => "level:level=3",
        _ => "",
    };
    html! {
        div.field {
            label for=(id) { (WORDS.say("scrabble-seat").with("seat", seat)) }
            select id=(id) name=(id) {
                @if seat > 1 { option value="" selected[chosen.is_empty()] { (say("scrabble-nobody")) } }
                option value="human" selected[chosen == "human"] { @if seat == 1 { (say("scrabble-you")) } @else { (say("person")) } }
                @if !mine.is_empty() {
                    optgroup label=(say("scrabble-profiles")) {
                        @for (n, profile) in mine.iter().enumerate() { option value={ "profile:" (n) } { (profile.name) } }
                    }
                }
                optgroup label=(say("scrabble-machines")) {
                    @for (spec, key) in MACHINES { option value=(spec) selected[spec == chosen] { (say(key)) } }
                }
            }
        }
    }
}

/// What a player of a list is, in words.
fn called(player: &str) -> String {
    let machine = MACHINES.iter().find(|(spec, _)| *spec == player);
    machine.map_or_else(|| say("person"), |(_, key)| say(key))
}

fn players(mine: &[Profile]) -> Markup {
    html! {
        section.panel #players {
            h2 { (say("scrabble-profiles")) }
            @if mine.is_empty() { p { (say("scrabble-profiles-none")) } }
            ul.scr-profiles {
                @for profile in mine {
                    li {
                        b { (profile.name) } " " span.muted { (called(&profile.player)) }
                        form action="/scrabble/players" method="post" {
                            input type="hidden" name="name" value=(profile.name);
                            button.button.quiet.small type="submit" name="remove" value="yes" aria-label=(WORDS.say("scrabble-profile-remove").with("name", &profile.name)) { "✕" }
                        }
                    }
                }
            }
            form action="/scrabble/players" method="post" {
                div.field {
                    label for="profile-name" { (say("scrabble-profile-name")) }
                    input #profile-name name="name" type="text" required maxlength=(profiles::LONGEST) autocomplete="off";
                }
                div.field {
                    label for="profile-player" { (say("scrabble-profile-kind")) }
                    select #profile-player name="player" {
                        option value="human" { (say("person")) }
                        @for (spec, key) in MACHINES { option value=(spec) { (say(key)) } }
                    }
                }
                button.button type="submit" { (say("scrabble-profile-add")) }
            }
        }
    }
}

/// `POST /scrabble/new`
pub(super) async fn begin(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Fault> {
    let work = async {
        let fields = fields(&headers, &body)?;
        let house = app.clone();
        let mine = blocking(move || profiles::kept(&house, visitor)).await?;
        put_up(&app, asked_for(&fields, &mine)?, visitor).await
    };
    let id = work.await.map_err(|f| f.for_reader(&headers))?;
    let to = format!("/games/{id}");
    Ok(answer(
        &headers,
        visitor,
        &to,
        json!({"id": id, "page": to}),
    ))
}

/// The table that a form asks for.
fn asked_for(fields: &Fields, mine: &[Profile]) -> Result<NewGame, Fault> {
    let text = |key: &str| fields.get(key).map(|v| v.trim()).filter(|v| !v.is_empty());
    let lexicon = text("lexicon").unwrap_or("english");
    if !LEXICONS.iter().any(|(name, _, _)| *name == lexicon) {
        let why = WORDS.say("scrabble-bad-language").with("lexicon", lexicon);
        return Err(bad("bad-language", why));
    }
    let (mut players, mut names): (Vec<Spec>, Vec<String>) = (Vec::new(), Vec::new());
    for seat in 1..=Seat::MOST {
        let Some(choice) = text(&format!("seat.{seat}")) else {
            continue;
        };
        let saved = choice
            .strip_prefix("profile:")
            .and_then(|n| mine.get(n.parse::<usize>().ok()?));
        let (player, name) = match saved {
            Some(profile) => (profile.player.clone(), profile.name.clone()),
            None if choice == "human" => (choice.to_owned(), String::new()),
            // At the table what the list adds after the name would only take room.
            None => {
                let long = called(choice);
                let short = long.split([':', ',']).next().unwrap_or_default();
                (choice.to_owned(), short.to_owned())
            }
        };
        let known = player == "human" || MACHINES.iter().any(|(spec, _)| *spec == player);
        if !known {
            let shown: String = choice.chars().take(40).collect();
            let why = WORDS.say("scrabble-bad-player").with("player", shown);
            return Err(bad("bad-player", why));
        }
        players.push(player.parse()?);
        names.push(name);
    }
    if players.is_empty() {
        return Err(bad("no-players", WORDS.say("scrabble-no-players")));
    }
    let clock = CLOCKS
        .iter()
        .find(|c| Some(c.0) == text("clock"))
        .map_or(TimeControl::None, |c| c.1);
    let mut game = Spec::named("scrabble")
        .with("lexicon", lexicon)
        .with("seats", players.len().to_string());
    if matches!(clock, TimeControl::PerGame { .. }) {
        game = game.with("late", "minutes");
    }
    for key in ["challenge", "start"] {
        if let Some(value) = text(key) {
            game = game.with(key, value);
        }
    }
    Ok(NewGame {
        game,
        players,
        seed: text("seed").and_then(|s| s.parse().ok()),
        clock,
        position: None,
        names,
        first: None,
    })
}
