//! One position: the best plays, what fits where, and a simulation on demand.

use std::time::Duration;

use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::{Value, json};
use wits_game::Figure;
use wits_scrabble::files::cgp;
use wits_scrabble::lexicon::related;
use wits_scrabble::players::Step;
use wits_scrabble::report::{self, Listed};
use wits_scrabble::{BadStanding, EMPTY, Play, Standing};

use super::state::{drawn, faces, laid};
use super::table::{bars, block, overlay};
use super::{LEXICONS, bad, engine};
use crate::pages::{embedded, frame, page, say, written};
use crate::think::think;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// The longest position that is read: all 225 squares in brackets are shorter.
const LONGEST: usize = 3_000;
/// How many plays are listed.
const LISTED: usize = 15;
/// How long a list of plays may take.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);
/// What the page begins with.
const FIRST_RACK: &str = "AEINRS?";

/// The fields of the form.
#[derive(Clone, Default, Deserialize)]
pub(super) struct Asked {
    pub(super) lexicon: Option<String>,
    pub(super) position: Option<String>,
    pub(super) rack: Option<String>,
}

fn given(field: Option<&String>) -> Option<&str> {
    field.map(|t| t.trim()).filter(|t| !t.is_empty())
}

impl Asked {
    fn lexicon(&self) -> &str {
        let named = given(self.position.as_ref()).and_then(Standing::named);
        let ours = named.map(|name| related(name).map_or(name, |related| related.ours));
        given(self.lexicon.as_ref()).or(ours).unwrap_or("english")
    }

    /// The position that is asked about.
    pub(super) fn standing(&self) -> Result<Standing, Fault> {
        let position = given(self.position.as_ref());
        if position.is_some_and(|t| t.len() > LONGEST) {
            let why = WORDS.say("scrabble-too-long").with("most", LONGEST);
            return Err(bad("too-long", why));
        }
        let read = Standing::read(engine(self.lexicon())?, position, given(self.rack.as_ref()));
        read.map_err(|e| match e {
            BadStanding::NoRack => bad("no-rack", WORDS.say("scrabble-no-rack")),
            e => {
                let why = WORDS
                    .say("scrabble-bad-position")
                    .with("why", e.to_string());
                bad("bad-position", why)
            }
        })
    }
}

/// A play in the list, with what it lays.
pub(super) struct Shown {
    pub(super) listed: Listed,
    pub(super) play: Option<Play>,
}

/// The best plays of a position.
pub(super) fn best(standing: &Standing) -> Vec<Shown> {
    let tiles = standing.engine.tiles();
    let shown = |rated: &wits_scrabble::players::Rated| Shown {
        listed: report::listed(rated, &standing.hand, &standing.position.board, tiles),
        play: match rated.step {
            Step::Lay(play, _) => Some(play),
            _ => None,
        },
    };
    standing.rated(LISTED).iter().map(shown).collect()
}

/// `GET /scrabble/board`
pub(super) async fn show(
    State(app): State<App>,
    Query(asked): Query<Asked>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    // A wrong position is shown again beside what is wrong with it.
    let fresh = asked.position.is_none() && asked.rack.is_none();
    let question = if fresh {
        Asked {
            rack: Some(FIRST_RACK.to_owned()),
            ..asked.clone()
        }
    } else {
        asked.clone()
    };
    let read = think(&app, visitor, PATIENCE, move |_| {
        question.standing().map(|s| {
            let plays = best(&s);
            (s, plays)
        })
    });
    let read = read.await.map_err(|f| f.for_reader(&headers))?;
    let title = say("scrabble-position");
    let body = html! {
        main.game.scr-page #main {
            h1 { (title) }
            @match &read {
                Ok((standing, plays)) => {
                    div.table { div.stay { (board(standing, &[])) (form(&asked, Some(standing))) } }
                    div.side { (plays_panel(standing, plays, None)) (study(standing)) }
                }
                Err(fault) => {
                    div.table { div.stay { p.error role="alert" { (fault.message) ". " (fault.hint) "." } (form(&asked, None)) } }
                }
            }
            p.muted { a href="/scrabble" { (say("to-room")) } }
        }
    };
    Ok(page(visitor, frame(&title, &["scrabble-look.js"], &body)))
}

/// The board of a position with the tiles of the side to move; some squares lit.
pub(super) fn board(standing: &Standing, lit: &[usize]) -> Markup {
    let tiles = standing.engine.tiles();
    let field = standing.engine.field(&standing.position.board);
    let rack = standing
        .position
        .racks
        .first()
        .map_or(&[][..], Vec::as_slice);
    let value = json!({
        "board": drawn(&standing.position.board, tiles), "lit": lit,
        "rack": faces(rack, tiles), "checks": report::checks(&field, tiles),
    });
    html! {
        (block(tiles))
        scrabble-board lang=(tiles.language()) { script.scene type="application/json" { (embedded(&value)) } }
        div #rack.still lang=(tiles.language()) role="img" aria-label={ (tiles.label("rack")) ": " (faces(rack, tiles).join(" ")) } {}
    }
}

/// The list of plays; the one that was made is marked.
pub(super) fn plays_panel(standing: &Standing, plays: &[Shown], made: Option<&Shown>) -> Markup {
    let tiles = standing.engine.tiles();
    let data = |play: Option<&Play>| -> Option<String> {
        play.map(|p| Value::from(laid(p, tiles)).to_string())
    };
    let same = |shown: &Shown| made.is_some_and(|m| m.listed.text == shown.listed.text);
    // What was done stands in the list, too, however far it is behind.
    let behind = made.filter(|_| !plays.iter().any(same));
    html! {
        section.panel {
            h2 { (say("scrabble-best")) }
            p.muted { (say("scrabble-best-about")) }
            div.scr-sheet tabindex="0" role="region" aria-label=(say("scrabble-best")) {
                table.data.scr-best {
                    thead { tr { @for key in ["scrabble-move", "scrabble-points", "scrabble-leave", "scrabble-equity"] { th scope="col" { (say(key)) } } } }
                    tbody #plays {
                        @for shown in plays.iter().chain(behind) {
                            @let l = &shown.listed;
                            tr.made[same(shown)] {
                                td {
                                    @if let Some(laid) = data(shown.play.as_ref()) {
                                        button.scr-play type="button" data-laid=(laid) { (l.text) }
                                    } @else { span.move-text { (l.text) } }
                                }
                                td { (l.score) } td.move-text { (l.leave) } td { (written(Figure::Decimal(l.equity, 1))) }
                            }
                        }
                    }
                }
            }
            @if plays.is_empty() { p { (say("scrabble-race-none")) } }
        }
    }
}

/// The overlay and the simulation.
pub(super) fn study(standing: &Standing) -> Markup {
    let tiles = standing.engine.tiles();
    let position = cgp::write(&standing.position, tiles);
    html! {
        section.panel #study data-lexicon=(standing.engine.lexicon().name()) data-position=(position) {
            h2 { (say("scrabble-study")) }
            (overlay())
            p #check role="status" {}
            p.muted { (say("scrabble-race-about")) }
            p { button.button type="button" #think { (say("scrabble-think")) } }
            (bars())
            details { summary { (say("scrabble-cgp")) } p.scr-cgp { code { (position) } } }
        }
    }
}

/// The form for another position.
pub(super) fn form(asked: &Asked, standing: Option<&Standing>) -> Markup {
    let lexicon = standing.map_or(asked.lexicon(), |s| s.engine.lexicon().name());
    let written = standing.map(|s| {
        let mut bare = s.position.clone();
        bare.racks.iter_mut().for_each(Vec::clear);
        cgp::write(&bare, s.engine.tiles())
    });
    let rack = standing.map(|s| {
        let own = s.position.racks.first().map_or(&[][..], Vec::as_slice);
        report::rack_text(own, s.engine.tiles())
    });
    let position = written.or_else(|| asked.position.clone());
    html! {
        form.panel action="/scrabble/board" method="get" {
            h2 { (say("scrabble-ask")) }
            div.scr-pair {
                div.field {
                    label for="ask-rack" { (say("scrabble-ask-rack")) }
                    input #ask-rack name="rack" type="text" maxlength="40" autocomplete="off" spellcheck="false" value=(rack.or_else(|| asked.rack.clone()).unwrap_or_else(|| FIRST_RACK.to_owned()));
                    small { (say("scrabble-ask-rack-about")) }
                }
                (lexicon_field("ask-lexicon", lexicon))
            }
            div.field {
                label for="ask-position" { (say("scrabble-ask-position")) }
                textarea #ask-position name="position" rows="3" maxlength=(LONGEST) spellcheck="false" { (position.as_deref().unwrap_or(EMPTY)) }
                small { (say("scrabble-ask-position-about")) }
            }
            button.button.primary type="submit" { (say("scrabble-ask-button")) }
        }
    }
}

/// The choice of a lexicon.
pub(super) fn lexicon_field(id: &str, chosen: &str) -> Markup {
    html! {
        div.field {
            label for=(id) { (say("scrabble-language")) }
            select id=(id) name="lexicon" {
                @for (name, title, lang) in LEXICONS { option value=(name) lang=(lang) selected[name == chosen] { (title) } }
            }
        }
    }
}
