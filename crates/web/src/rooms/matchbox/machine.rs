//! The page of a machine: its wall, a hand for its beads, its school, its last game.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Extension, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use serde_json::json;
use wits_matchbox::{Machine, Scheme, svg};

use super::school::{self, Schools};
use super::shelf::{self, Bench, Deed, Kept, Name};
use super::wall::{self, Look, View};
use super::{back, field, lesson, refusal};
use crate::keep::{JSON, download};
use crate::pages::{frame, page, say};
use crate::routes::{Wish, blocking};
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// How somebody wants to look at a machine.
#[derive(Deserialize)]
pub(super) struct Asked {
    view: Option<String>,
    #[serde(rename = "move")]
    number: Option<String>,
}

/// `GET /matchbox/NAME`
pub(super) async fn show(
    State(app): State<App>,
    Extension(schools): Extension<Arc<Schools>>,
    Path(name): Path<String>,
    Query(asked): Query<Asked>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let look = Look {
        view: View::named(asked.view.as_deref().unwrap_or_default()),
        number: asked.number.and_then(|n| n.parse().ok()),
    };
    let work = blocking(move || {
        let name = Name::find(&app, visitor, &name)?;
        let kept = shelf::load(&app.store, &name)?;
        let bench = Bench::load(&app.store, &name, &kept.hash)?;
        let last = lesson::last_game(&app, &name, &kept.machine)?;
        let mut look = look.settled(&kept.machine);
        if look.view == View::Edit && !name.is_mine() {
            look.view = View::named("");
        }
        let title = name.to_string();
        let body = html! {
            main.matchbox-page #main data-base=(name.page()) data-hash=(kept.hash) {
                h1 { (title) }
                (summary(&kept.machine, look.view))
                p #message role="alert" {}
                (actions(&name, &kept.machine))
                (wall::tabs(&name, &kept.machine, look))
                @if look.view == View::Edit && name.is_mine() { (hand(&name, look, &bench)) }
                (wall::wall(&name, &kept.machine, look))
                h2 { (say("matchbox-train-title")) }
                @if name.is_taught() { (school::form(&name)) } @else { p.muted { (say("matchbox-not-yours")) } }
                (school::section(&name, schools.of(&name).as_deref()))
                (lesson::section(&name, last.as_ref()))
                h2 { (say("matchbox-more")) }
                (more(&name, &kept.machine))
            }
        };
        Ok(frame(&title, &["thread.js", "matchbox.js"], &body))
    });
    let markup = work.await.map_err(|f| f.for_reader(&headers))?;
    Ok(page(visitor, markup))
}

/// What it is, and how far it has come.
fn summary(machine: &Machine, view: View) -> Markup {
    let cabinet = machine.cabinet();
    let side = cabinet.subject().seat_name(cabinet.seat());
    let taught = machine.taught();
    html! {
        div #summary {
            p.lead {
                (WORDS.say("matchbox-summary")
                    .with("machine", machine.name()).with("side", side)
                    .with("game", super::game_called(cabinet.game())).with("boxes", cabinet.len())
                    .with("scheme", super::mirrors(&cabinet.scheme().to_string())))
            }
            dl.mb-facts {
                div { dt { (say("matchbox-beads")) } dd #total { (machine.total()) } }
                div { dt { (say("matchbox-empty")) } dd { (machine.empty_boxes()) } }
                div { dt { (say("matchbox-won")) } dd { (taught.wins) } }
                div { dt { (say("matchbox-drawn")) } dd { (taught.draws) } }
                div { dt { (say("matchbox-lost")) } dd { (taught.losses) } }
                @if view == View::Knows {
                    div { dt { (say("matchbox-bad-beads")) } dd { (machine.bad_beads()) } }
                }
            }
            @if view == View::Knows {
                p { (say(if never_beaten(machine) { "matchbox-perfect" } else { "matchbox-not-perfect" })) }
                p.muted { (say("matchbox-knows-lead")) }
            }
        }
    }
}

/// Whether no bead that can still be drawn loses against best play.
fn never_beaten(machine: &Machine) -> bool {
    let cabinet = machine.cabinet();
    let chart = school::chart(cabinet).ok();
    chart.is_some_and(|c| c.perfect(cabinet.seat(), machine.all_beads(), &mut Vec::new()))
}

/// What can be done with it at once.
fn actions(name: &Name, machine: &Machine) -> Markup {
    let cabinet = machine.cabinet();
    let player = format!("matchbox:file={},learn={}", name.key(), name.is_taught());
    html! {
        div.row {
            form.play action="/games" method="post" {
                input type="hidden" name="game" value=(cabinet.game());
                input type="hidden" name={ "seats." (cabinet.seat()) } value=(player);
                input type="hidden" name={ "seats." (cabinet.seat().other()) } value="human";
                button.button.primary type="submit" { (say("matchbox-play")) }
            }
            a.button href={ (name.page()) "/labels" } { (say("matchbox-labels")) }
            a.button href={ (name.page()) "/file" } { (say("matchbox-download")) }
        }
    }
}

/// Undo, redo, and all boxes as they were at first.
fn hand(name: &Name, look: Look, bench: &Bench) -> Markup {
    let number = look.number.map_or(String::new(), |n| n.to_string());
    html! {
        div.row #hand {
            @for (deed, key, can) in [("undo", "undo", bench.can_undo()), ("redo", "matchbox-redo", bench.can_redo()), ("reset", "matchbox-reset", true)] {
                form.(deed) action={ (name.page()) "/" (deed) } method="post" data-part {
                    input type="hidden" name="look" value=(number);
                    button.button.quiet type="submit" disabled[!can] { (say(key)) }
                }
            }
        }
    }
}

/// Copies, other schemes, another file, the end.
fn more(name: &Name, machine: &Machine) -> Markup {
    let others = [Scheme::None, Scheme::Gardner, Scheme::Full]
        .into_iter()
        .filter(|s| *s != machine.cabinet().scheme());
    let longest = Name::LONGEST;
    html! {
        details.panel {
            summary { (say("matchbox-clone")) }
            form action={ (name.page()) "/clone" } method="post" {
                div.field {
                    label for="clone-as" { (say("matchbox-name")) }
                    input #clone-as name="as" type="text" required maxlength=(longest) pattern="[a-z0-9\\-]+" autocomplete="off";
                }
                button.button type="submit" { (say("matchbox-clone")) }
            }
        }
        details.panel {
            summary { (say("matchbox-scheme-title")) }
            p { (say("matchbox-scheme-lead")) }
            form action={ (name.page()) "/scheme" } method="post" {
                div.field {
                    label for="other-scheme" { (say("matchbox-scheme")) }
                    select #other-scheme name="scheme" {
                        @for scheme in others { option { (scheme.to_string()) } }
                    }
                }
                div.field {
                    label for="scheme-as" { (say("matchbox-name")) }
                    input #scheme-as name="as" type="text" required maxlength=(longest) pattern="[a-z0-9\\-]+" autocomplete="off";
                }
                button.button type="submit" { (say("matchbox-create")) }
            }
        }
        @if name.is_mine() { (of_owner(name)) }
    }
}

/// What only its owner does with it.
fn of_owner(name: &Name) -> Markup {
    html! {
        details.panel {
            summary { (say("matchbox-share-title")) }
            p { (say("matchbox-link-lead")) " " a href={ "/matchbox/" (name.key()) } { "/matchbox/" (name.key()) } }
            p { (say(if name.is_shared() { "matchbox-shared" } else { "matchbox-share-lead" })) }
            form action={ (name.page()) "/share" } method="post" {
                input type="hidden" name="shared" value=(if name.is_shared() { "no" } else { "yes" });
                button.button type="submit" { (say(if name.is_shared() { "matchbox-unshare" } else { "matchbox-share" })) }
            }
        }
        details.panel {
            summary { (say("matchbox-replace-title")) }
            p { (say("matchbox-replace-lead")) }
            form action={ (name.page()) "/replace" } method="post" {
                (file_field("replace-file"))
                button.button type="submit" { (say("matchbox-replace")) }
            }
        }
        details.panel {
            summary { (say("matchbox-delete")) }
            p { (say("matchbox-delete-lead")) }
            form action={ (name.page()) "/delete" } method="post" {
                button.button type="submit" { (say("matchbox-delete")) }
            }
        }
    }
}

/// A field for the text of a machine's file; the page's script adds a picker that fills it.
pub(super) fn file_field(id: &str) -> Markup {
    html! {
        div.field.wide {
            label for=(id) { (say("matchbox-file")) }
            textarea id=(id) name="file" rows="6" required spellcheck="false" data-file {}
            small { (say("matchbox-file-about")) }
        }
    }
}

/// `GET /matchbox/NAME/state`: whether it has changed.
pub(super) async fn state(
    State(app): State<App>,
    Path(name): Path<String>,
    visitor: Visitor,
) -> Result<Response, Fault> {
    let find = move || shelf::hash(&app.store, &Name::find(&app, visitor, &name)?);
    let hash = blocking(find).await?;
    Ok(Json(json!({ "hash": hash })).into_response())
}

async fn kept(
    app: App,
    visitor: Visitor,
    name: String,
    headers: &HeaderMap,
) -> Result<(Name, Kept), Fault> {
    let work = blocking(move || {
        let name = Name::find(&app, visitor, &name)?;
        let kept = shelf::load(&app.store, &name)?;
        Ok((name, kept))
    });
    work.await.map_err(|f| f.for_reader(headers))
}

/// `GET /matchbox/NAME/file`: the machine as a file.
pub(super) async fn file(
    State(app): State<App>,
    Path(name): Path<String>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let (name, kept) = kept(app, visitor, name, &headers).await?;
    let text = kept.machine.to_text();
    Ok(download(JSON, &format!("{name}.json"), text))
}

/// `GET /matchbox/NAME/labels`: pages to print.
pub(super) async fn labels(
    State(app): State<App>,
    Path(name): Path<String>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let (name, kept) = kept(app, visitor, name, &headers).await?;
    let pages = svg::labels(&kept.machine);
    let title = WORDS
        .say("matchbox-labels-title")
        .with("name", name.text())
        .to_string();
    let body = html! {
        main #main {
            div.no-print {
                h1 { (title) }
                p.lead { (say("matchbox-labels-lead")) }
                p {
                    a.button href=(name.page()) { (say("matchbox-back")) }
                    @for n in 1..=pages.len() {
                        " " a.button.quiet href={ (name.page()) "/labels/" (n) ".svg" } download={ (name) "-" (n) ".svg" } { (WORDS.say("matchbox-labels-page").with("page", n)) }
                    }
                }
            }
            // The library escapes every text it draws.
            @for picture in &pages { div.mb-sheet { (PreEscaped(picture)) } }
        }
    };
    Ok(page(visitor, frame(&title, &[], &body)))
}

/// `GET /matchbox/NAME/labels/N.svg`: one of them as a picture.
pub(super) async fn label_page(
    State(app): State<App>,
    Path((name, number)): Path<(String, String)>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let (_, kept) = kept(app, visitor, name, &headers).await?;
    let picture = number
        .strip_suffix(".svg")
        .and_then(|n| n.parse::<usize>().ok()?.checked_sub(1))
        .and_then(|n| svg::labels(&kept.machine).into_iter().nth(n))
        .ok_or_else(|| Fault::missing().for_reader(&headers))?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], picture).into_response())
}

/// Does something by hand and shows the boxes again: `POST /matchbox/NAME/reset`, `undo` and `redo`,
/// and what [`bead`] makes of its form.
pub(super) async fn handle(wish: Wish, deed: Deed) -> Result<Response, Fault> {
    let at = match &deed {
        Deed::Beads { at, .. } => format!("#box-{}", at.saturating_add(1)),
        _ => "#hand".to_owned(),
    };
    let work = async {
        let number = field(&wish.fields()?, "look").parse().ok();
        let (app, name, visitor) = (wish.app.clone(), wish.name.clone(), wish.visitor);
        let name = blocking(move || {
            let name = Name::find(&app, visitor, &name)?.mine()?;
            shelf::handle(&app, visitor, &name, &deed)?;
            Ok(name)
        });
        let look = Look {
            view: View::Edit,
            number,
        };
        Ok(look.address(&name.await?) + &at)
    };
    let to = work.await.map_err(|f: Fault| f.for_reader(&wish.headers))?;
    Ok(back(&wish.headers, wish.visitor, &to))
}

/// `POST /matchbox/NAME/bead`
pub(super) async fn bead(wish: Wish) -> Result<Response, Fault> {
    let fields = wish.fields().map_err(|f| f.for_reader(&wish.headers))?;
    let number = |key: &str| field(&fields, key).parse::<usize>().ok();
    let bead = match (number("add"), number("take")) {
        (Some(bead), None) => Some((bead, 1)),
        (None, Some(bead)) => Some((bead, -1)),
        _ => None,
    };
    let (Some(at), Some((bead, change))) = (number("box"), bead) else {
        let fault = refusal(
            StatusCode::UNPROCESSABLE_ENTITY,
            "bad-edit",
            "matchbox-bad-bead",
            "matchbox-bad-edit-hint",
        );
        return Err(fault.for_reader(&wish.headers));
    };
    handle(wish, Deed::Beads { at, bead, change }).await
}
