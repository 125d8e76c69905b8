//! The page of the room.

use axum::extract::{Query, State};
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use maud::{Markup, html};
use wits_thue::report::conventions;
use wits_thue::{Variant, Word};

use super::asked::{Asked, LONGEST, Subject};
use super::think::Thoughts;
use super::{lab, scores, think};
use crate::pages::{LATER, frame, page, part, ready, say};
use crate::routes::blocking;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// Generators with a name.
const MAKERS: [&str; 8] = [
    "thue-1912",
    "keranen",
    "dekking",
    "thue-1906",
    "thue-morse",
    "prouhet-3",
    "prouhet-5",
    "v-6",
];
/// Machines to play against: the spec, and what it is called here.
const MACHINES: [(&str, &str); 5] = [
    ("nested:level=1", "thue-machine-1"),
    ("greedy", "thue-machine-0"),
    ("nested:level=2", "thue-machine-2"),
    ("perfect", "thue-machine-perfect"),
    ("levels12", "thue-machine-12"),
];

/// A round that is over after a few moves: with five symbols it may go on to its limit.
const TABLE: &str = "thue:symbols=4";
/// How many symbols rounds of this room begin with.
const TABLE_SYMBOLS: usize = 4;

/// `GET /thue`
pub(super) async fn show(
    State(app): State<App>,
    Query(asked): Query<Asked>,
    visitor: Visitor,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let subject = asked.subject().map_err(|f| f.for_reader(&headers))?;
    let levels = asked.levels().map_err(|f| f.for_reader(&headers))?;
    let thoughts = think::thoughts(&app, visitor, &headers, &subject, levels)
        .await
        .map_err(|f| f.for_reader(&headers))?;
    let rules = subject.clone();
    let house = app.clone();
    let (best, offered) = blocking(move || {
        let best = scores::best(&house, &rules)?;
        Ok((best, scores::offered(&house, visitor)?))
    })
    .await
    .map_err(|f| f.for_reader(&headers))?;
    // Nothing stands where nobody thinks; a place where thoughts are to come.
    let (lab_part, times_part) = match &thoughts {
        Thoughts::None => (None, None),
        Thoughts::Later => (
            Some(part("thoughts-part", &uri, None)),
            levels.map(|_| part("times-part", &uri, None)),
        ),
        Thoughts::Here(here) => (
            Some(part(
                "thoughts-part",
                &uri,
                Some(&think::section(&subject, here)),
            )),
            here.round()
                .map(|round| part("times-part", &uri, Some(&think::times(round)))),
        ),
    };
    let title = say("thue-title");
    let body = html! {
        main #main {
            h1 { (title) }
            p.lead { (say("thue-lead")) }
            (ready(&app, TABLE, "nested:level=1"))
            p { (crate::rooms::ladder_of(&app, "thue")) " · " a href="/docs/results" { (say("room-results")) } }
            (play(&subject))
            (scores::section(&subject, &best, &offered))
            section #lab {
                h2 { (say("thue-lab")) }
                (word_form(&asked, &subject))
                (lab::section(&subject))
                @if let Some(shown) = &lab_part { (shown) }
                (maker_form(&asked))
            }
            section #times {
                h2 { (say("thue-times")) }
                p { (say("thue-times-about")) }
                (times_form(&subject, levels))
                @if let Some(shown) = &times_part { (shown) }
            }
            p.muted { (conventions()) }
        }
    };
    let scripts = ["board.js", "ready.js", "thread.js", "thue.js", LATER];
    Ok(page(visitor, frame(&title, &scripts, &body)))
}

fn symbols_field(id: &str, name: &str, value: usize) -> Markup {
    html! {
        div.field {
            label for=(id) { (say("thue-symbols")) }
            input id=(id) name=(name) type="number" min="1" max=(Word::MOST_SYMBOLS) value=(value) required;
        }
    }
}

fn variant_field(id: &str, name: &str, value: Variant) -> Markup {
    html! {
        div.field {
            label for=(id) { (say("thue-variant")) }
            select id=(id) name=(name) {
                @for variant in Variant::ALL {
                    option value=(variant) selected[variant == value] { (say(variant_key(variant))) }
                }
            }
        }
    }
}

pub(super) const fn variant_key(variant: Variant) -> &'static str {
    match variant {
        Variant::Square => "thue-square",
        Variant::Overlap => "thue-overlap",
        Variant::OverlapThesis => "thue-overlap-thesis",
        Variant::Cube => "thue-cube",
        Variant::AbelianSquare => "thue-abelian-square",
    }
}

/// Ways to begin a game.
fn play(subject: &Subject) -> Markup {
    html! {
        section #play {
            h2 { (say("thue-play")) }
            div.thue-plays {
                form.panel.solitaire action="/games" method="post" {
                    h3 { (say("thue-solitaire")) }
                    p { (say("thue-solitaire-about")) }
                    input type="hidden" name="game" value="thue-solitaire";
                    input type="hidden" name="seats.1" value="human";
                    (symbols_field("s-symbols", "p.symbols", subject.symbols))
                    (variant_field("s-variant", "p.variant", subject.variant))
                    button.button.primary type="submit" { (say("thue-begin")) }
                }
                (round_form("build", "thue-build", "thue-build-about", 1))
                (round_form("paint", "thue-paint", "thue-paint-about", 2))
            }
            p.muted {
                (say("thue-other"))
                @for (game, key) in [("thue", "thue-other-all"), ("thue-append", "thue-other-append"), ("thue-erase", "thue-other-erase")] {
                    " " a href={ "/new/" (game) } { (say(key)) }
                }
            }
        }
    }
}

/// A round against a machine, the person in one of the two seats.
fn round_form(name: &str, title: &'static str, about: &'static str, person: u8) -> Markup {
    let machine = 3 - person;
    html! {
        form.panel.(name) action="/games" method="post" {
            h3 { (say(title)) }
            p { (say(about)) }
            input type="hidden" name="game" value="thue";
            input type="hidden" name={ "seats." (person) } value="human";
            div.field {
                label for={ (name) "-machine" } { (say("thue-machine")) }
                select id={ (name) "-machine" } name={ "seats." (machine) } {
                    // The scheme of twelve symbols knows how to paint only.
                    @for (spec, key) in MACHINES.into_iter().filter(|(spec, _)| machine == 2 || *spec != "levels12") {
                        option value=(spec) { (say(key)) }
                    }
                }
            }
            (symbols_field(&format!("{name}-symbols"), "p.symbols", TABLE_SYMBOLS))
            (variant_field(&format!("{name}-variant"), "p.variant", Variant::Square))
            button.button type="submit" { (say("thue-begin")) }
        }
    }
}

fn word_form(asked: &Asked, subject: &Subject) -> Markup {
    let typed = if asked.make.is_some() {
        None
    } else {
        asked.word.as_deref()
    };
    let shown = subject.word.to_string();
    html! {
        form.sheet.look action="/thue#lab" method="get" {
            div.field.wide {
                label for="word" { (say("thue-word")) }
                input #word name="word" type="text" required maxlength=(3 * LONGEST) autocomplete="off" spellcheck="false" value=(typed.unwrap_or(&shown));
                small { (WORDS.say("thue-word-about").with("most", LONGEST)) }
            }
            (symbols_field("symbols", "symbols", subject.symbols))
            (variant_field("variant", "variant", subject.variant))
            button.button.primary type="submit" { (say("thue-look")) }
        }
    }
}

fn maker_form(asked: &Asked) -> Markup {
    let make = asked.make.as_deref().unwrap_or("thue-1912");
    html! {
        h3 { (say("thue-make")) }
        form.sheet.make action="/thue#lab" method="get" {
            div.field {
                label for="make" { (say("thue-generator")) }
                input #make name="make" type="text" required maxlength="400" list="makers" autocomplete="off" value=(make);
                datalist #makers { @for name in MAKERS { option value=(name) {} } }
                small { (say("thue-generator-about")) }
            }
            div.field {
                label for="from" { (say("thue-from")) }
                input #from name="from" type="text" inputmode="numeric" maxlength="38" value=(asked.from.as_deref().unwrap_or("0"));
            }
            div.field {
                label for="count" { (say("thue-count")) }
                input #count name="count" type="number" min="1" max=(LONGEST) value=(asked.count.as_deref().unwrap_or("60"));
            }
            button.button type="submit" { (say("thue-make-it")) }
        }
    }
}

fn times_form(subject: &Subject, levels: Option<(u32, u32)>) -> Markup {
    let (builder, painter) = levels.unwrap_or((1, 1));
    let symbols = if levels.is_some() { subject.symbols } else { 5 };
    html! {
        form.row.times action="/thue#times" method="get" {
            @for (name, key, value) in [("builder", "thue-builder-level", builder), ("painter", "thue-painter-level", painter)] {
                label for=(name) { (say(key)) }
                select id=(name) name=(name) {
                    @for level in 0..=2 { option value=(level) selected[level == value] { (level) } }
                }
            }
            label for="t-symbols" { (say("thue-symbols")) }
            input #t-symbols name="symbols" type="number" min="1" max=(Word::MOST_SYMBOLS) value=(symbols);
            button.button type="submit" { (say("thue-measure")) }
        }
    }
}
