//! All machines: making, copying, taking in and throwing away.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use maud::{Markup, html};
use wits_game::Seat;
use wits_matchbox::{Machine, Preset, Scheme, Subject, Teaching};

use super::field;
use super::machine::file_field;
use super::school::Schools;
use super::shelf::{self, Head, Name};
use crate::own::kept;
use crate::pages::{frame, page, ready, say};
use crate::rooms::ladder_of;
use crate::routes::{Fields, Wish, blocking, fields};
use crate::told::told;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// The kinds of machines that people know by name, and what they are called here.
const KINDS: [(&str, &str); 4] = [
    ("her", "matchbox-kind-her"),
    ("him", "matchbox-kind-him"),
    ("menace", "matchbox-kind-menace"),
    ("menace2", "matchbox-kind-menace2"),
];
/// The other games that boxes learn, for either seat.
const GAMES: [&str; 6] = [
    "nim",
    "chomp",
    "tactix",
    "domineering",
    "notakto",
    "connect3",
];
/// Ways of teaching, and what they are called here.
const TEACHINGS: [(&str, &str); 4] = [
    ("", "matchbox-teach-usual"),
    ("punish-last", "matchbox-teach-punish"),
    ("reward", "matchbox-teach-reward"),
    ("menace", "matchbox-teach-menace"),
];

/// `GET /matchbox`
pub(super) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let house = app.clone();
    let work = blocking(move || shelf::all(&house, visitor));
    let machines = work.await.map_err(|f| f.for_reader(&headers))?;
    let title = say("matchbox-title");
    let body = html! {
        main #main {
            h1 { (title) }
            p.lead { (say("matchbox-lead")) }
            (ready(&app, "hexapawn", "matchbox"))
            p { (ladder_of(&app, "tictactoe")) " · " (ladder_of(&app, "hexapawn")) " · " a href="/docs/results" { (say("room-results")) } }
            @if machines.is_empty() {
                p { (say("matchbox-none")) }
            } @else {
                ul.cards { @for (name, head) in &machines { (card(name, head)) } }
            }
            (new_form())
            details.panel {
                summary { (say("matchbox-upload-title")) }
                p { (say("matchbox-upload-lead")) }
                form action="/matchbox" method="post" {
                    div.field {
                        label for="upload-name" { (say("matchbox-name")) }
                        input #upload-name name="name" type="text" required maxlength=(Name::LONGEST) pattern="[a-z0-9\\-]+" autocomplete="off";
                    }
                    (file_field("upload-file"))
                    button.button type="submit" { (say("matchbox-upload")) }
                }
            }
            ul {
                @for verb in wits_catalog::rooms().iter().filter(|room| room.id == "matchbox").flat_map(|room| &room.verbs) {
                    li { a href={ "/desk/matchbox/" (verb.id) } { (verb.about) } }
                }
                li { a href="/maxsum" { (say("maxsum-title")) } ": " (say("maxsum-about")) }
            }
        }
    };
    Ok(page(
        visitor,
        frame(&title, &["board.js", "ready.js", "matchbox.js"], &body),
    ))
}

fn card(name: &str, head: &Head) -> Markup {
    let subject = Subject::named(&head.game).ok();
    let side = subject.map(|s| s.seat_name(head.seat).to_string());
    let games = head.taught.wins + head.taught.draws + head.taught.losses;
    html! {
        li.card {
            a href={ "/matchbox/" (name) } {
                h2 { (name) }
                p {
                    (WORDS.say("matchbox-card").with("machine", head.name.as_str())
                        .with("side", side.unwrap_or_default()).with("game", super::game_called(&head.game)))
                }
                p {
                    (WORDS.say("matchbox-card-boxes").with("boxes", head.boxes())
                        .with("scheme", super::mirrors(&head.scheme)).with("games", games).with("losses", head.taught.losses))
                }
            }
        }
    }
}

fn new_form() -> Markup {
    html! {
        h2 { (say("matchbox-new")) }
        form.sheet.mb-gap action="/matchbox" method="post" {
            div.field {
                label for="name" { (say("matchbox-name")) }
                input #name name="name" type="text" required maxlength=(Name::LONGEST) pattern="[a-z0-9\\-]+" autocomplete="off" placeholder="her";
                small { (say("matchbox-name-about")) }
            }
            div.field {
                label for="kind" { (say("matchbox-kind")) }
                select #kind name="kind" {
                    @for (value, key) in KINDS { option value=(value) { (say(key)) } }
                    @for (value, words) in other_kinds() { option value=(value) { (words) } }
                }
            }
            details {
                summary { (say("matchbox-new-more")) }
                div.field {
                    label for="scheme" { (say("matchbox-scheme")) }
                    select #scheme name="scheme" {
                        option value="" { (say("matchbox-scheme-usual")) }
                        option value="none" { (say("matchbox-scheme-none")) }
                        option value="gardner" { (say("matchbox-scheme-gardner")) }
                        option value="full" { (say("matchbox-scheme-full")) }
                    }
                }
                div.field {
                    label for="teaching" { (say("matchbox-teaching")) }
                    select #teaching name="teaching" {
                        @for (value, key) in TEACHINGS { option value=(value) { (say(key)) } }
                    }
                }
            }
            button.button.primary type="submit" { (say("matchbox-create")) }
        }
    }
}

/// Machines for the mini-games: `nim/2` and how people call it.
fn other_kinds() -> Vec<(String, String)> {
    let named = |game: &str, seat: Seat| {
        let subject = Subject::named(game).ok()?;
        let says = WORDS
            .say("matchbox-kind-other")
            .with("game", subject.title())
            .with("side", subject.seat_name(seat));
        Some((format!("{game}/{seat}"), says.to_string()))
    };
    let seats = [Seat::FIRST, Seat::SECOND];
    GAMES
        .iter()
        .flat_map(|game| seats.map(|seat| named(game, seat)))
        .flatten()
        .collect()
}

/// The kind of machine that a form names: one of those with a name, or a seat of another game.
fn kind_named(text: &str) -> Result<Preset, Fault> {
    let other = || {
        let (game, seat) = text.split_once('/')?;
        let subject = Subject::named(game).ok()?;
        Some(Preset::of(subject, seat.parse().ok()?))
    };
    match other() {
        Some(preset) => Ok(preset),
        None => Preset::named(text).map_err(|e| unknown(told(e))),
    }
}

/// A word that is none of those a form offers.
fn unknown(what: String) -> Fault {
    Fault::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        "unknown-word",
        WORDS.say("matchbox-unknown").with("what", what),
        WORDS.say("matchbox-unknown-hint"),
    )
}

fn scheme_named(text: &str) -> Result<Scheme, Fault> {
    text.parse::<Scheme>().map_err(|e| unknown(told(e)))
}

/// The machine that the form of a new one describes.
fn described(fields: &Fields) -> Result<Machine, Fault> {
    let text = field(fields, "file");
    if fields.contains_key("file") {
        return Machine::read(text).map_err(|bad| shelf::not_a_machine(&bad));
    }
    let mut preset = kind_named(field(fields, "kind"))?;
    let scheme = field(fields, "scheme");
    if !scheme.is_empty() {
        preset = preset.with_scheme(scheme_named(scheme)?);
    }
    let preset = match field(fields, "teaching") {
        "" => preset,
        "punish-last" => preset.with_teaching(Teaching::punish_last()),
        "reward" => preset.with_teaching(Teaching::with_reward(1)),
        "menace" => preset.with_teaching(Teaching::menace()),
        other => {
            let shown: String = other.chars().take(60).collect();
            let what = WORDS.say("matchbox-unknown-teaching").with("text", shown);
            return Err(unknown(what.to_string()));
        }
    };
    preset.machine().map_err(|large| shelf::too_large(&large))
}

/// Does something that takes the visitor to another page; what went to make room is said.
async fn go(
    visitor: Visitor,
    headers: HeaderMap,
    work: impl FnOnce() -> Result<(String, Vec<String>), Fault> + Send + 'static,
) -> Result<Response, Fault> {
    let work = blocking(work).await;
    let (to, gone) = work.map_err(|f| f.for_reader(&headers))?;
    Ok(kept(&headers, visitor, &to, &gone))
}

/// The same with a machine, as a form says.
async fn change(
    wish: Wish,
    deed: impl FnOnce(&App, Visitor, Name, &Fields) -> Result<(Name, Vec<String>), Fault>
    + Send
    + 'static,
) -> Result<Response, Fault> {
    go(wish.visitor, wish.headers.clone(), move || {
        let name = Name::find(&wish.app, wish.visitor, &wish.name)?;
        let (name, gone) = deed(&wish.app, wish.visitor, name, &wish.fields()?)?;
        Ok((name.page(), gone))
    })
    .await
}

/// `POST /matchbox`: a new machine, fresh or from a file.
pub(super) async fn create(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Fault> {
    go(visitor, headers.clone(), move || {
        let fields = fields(&headers, &body)?;
        let title = Name::of_form(field(&fields, "name"))?;
        let (name, gone) = shelf::put_new(&app, visitor, &title, &described(&fields)?)?;
        Ok((name.page(), gone))
    })
    .await
}

/// `POST /matchbox/NAME/clone`
pub(super) async fn clone(wish: Wish) -> Result<Response, Fault> {
    change(wish, |app, visitor, name, fields| {
        let kept = shelf::load(&app.store, &name)?;
        let twin = Name::of_form(field(fields, "as"))?;
        shelf::put_new(app, visitor, &twin, &kept.machine)
    })
    .await
}

/// `POST /matchbox/NAME/scheme`: a new machine of the same kind with other boxes. What the old one
/// knows cannot be carried over, because boxes and colours differ.
pub(super) async fn scheme(wish: Wish) -> Result<Response, Fault> {
    change(wish, |app, visitor, name, fields| {
        let kept = shelf::load(&app.store, &name)?;
        let cabinet = kept.machine.cabinet();
        let fresh = Preset::of(cabinet.subject().clone(), cabinet.seat())
            .with_scheme(scheme_named(field(fields, "scheme"))?)
            .with_teaching(kept.machine.teaching().clone())
            .machine()
            .map_err(|large| shelf::too_large(&large))?;
        let other = Name::of_form(field(fields, "as"))?;
        let fresh = fresh.called(kept.machine.name());
        shelf::put_new(app, visitor, &other, &fresh)
    })
    .await
}

/// `POST /matchbox/NAME/replace`: another file for the same game in its place.
pub(super) async fn replace(wish: Wish) -> Result<Response, Fault> {
    change(wish, |app, _, name, fields| {
        let name = name.mine()?;
        let kept = shelf::load(&app.store, &name)?;
        let machine = Machine::read_for(field(fields, "file"), kept.machine.cabinet().game())
            .map_err(|bad| shelf::not_a_machine(&bad))?;
        shelf::put(&app.store, &name, &machine, &kept.hash)?
            .ok_or_else(shelf::changed_meanwhile)?;
        Ok((name, Vec::new()))
    })
    .await
}

/// `POST /matchbox/NAME/delete`
pub(super) async fn delete(
    State(app): State<App>,
    Extension(schools): Extension<Arc<Schools>>,
    Path(name): Path<String>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    go(visitor, headers, move || {
        let name = Name::find(&app, visitor, &name)?.mine()?;
        shelf::delete(&app, visitor, &name)?;
        schools.forget(&name);
        Ok(("/matchbox".to_owned(), Vec::new()))
    })
    .await
}

/// `POST /matchbox/NAME/share`: others may teach it, or no longer.
pub(super) async fn share(wish: Wish) -> Result<Response, Fault> {
    change(wish, |app, visitor, name, fields| {
        let name = name.mine()?;
        let shared = field(fields, "shared") == "yes";
        shelf::share(app, visitor, &name, shared)?;
        Ok((name, Vec::new()))
    })
    .await
}
