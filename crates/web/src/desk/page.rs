//! Pages that are made from a verb's description.

use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use maud::html;
use wits_desk::Served;

use super::ask::{Question, ROOMS};
use super::{blocks, form, keep};
use crate::pages::{frame, page, say};
use crate::visitor::Visitor;
use crate::{App, Fault};

/// `GET /desk`: everything that can be asked.
pub(super) async fn list(visitor: Visitor) -> Response {
    let title = say("desk-title");
    let body = html! {
        main #main {
            h1 { (title) }
            p.lead { (say("desk-lead")) }
            @for room in ROOMS.iter() {
                section.panel {
                    h2 { (room.about) }
                    dl {
                        @for verb in room.verbs.iter().filter(|verb| verb.served == Served::Everywhere) {
                            dt { a href={ "/desk/" (room.id) "/" (verb.path()) } { (room.id) " " (verb.id) } }
                            dd { (verb.about) }
                        }
                    }
                }
            }
            p { (say("desk-api")) " " a href="/api" { "/api" } }
        }
    };
    page(visitor, frame(&title, &[], &body))
}

/// `GET /desk/ROOM/VERB`: the form; the answer too where everything needed is given; with `keep` a
/// part of the answer.
pub(super) async fn show(
    State(app): State<App>,
    Path((room, verb)): Path<(String, String)>,
    Query(mut pairs): Query<Vec<(String, String)>>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let at = pairs.iter().position(|(name, _)| name == "keep");
    let part = at.map(|at| pairs.remove(at).1);
    pairs.retain(|(_, value)| !value.trim().is_empty());
    let question = Question::to(&room, &verb, pairs).map_err(|f| f.for_reader(&headers))?;
    let given = |name| question.value(name).is_some();
    let needed = question.verb.params.iter().filter(|p| p.usage.required);
    let whole = needed.map(|p| p.name).all(given);
    let asked = question.clone().with_outputs(part.as_deref());
    let answer = if whole {
        Some(asked.ask(&app, visitor).await)
    } else {
        None
    };
    if let Some(name) = part {
        let answer = answer.unwrap_or_else(|| Err(Fault::missing()));
        let answer = answer.map_err(|f| f.for_reader(&headers))?;
        return keep(&answer.blocks, &name);
    }
    let answer = match answer {
        // The guard offers to run it.
        Some(Err(fault)) if fault.code == "run" => return Err(fault.for_reader(&headers)),
        answer => answer,
    };
    let title = question.verb.about.to_string();
    let body = html! {
        main #main {
            p { a href="/desk" { (say("desk-title")) } }
            h1 { (title) }
            (form::form(&question))
            @match &answer {
                None => {},
                Some(Ok(answer)) => section.desk-answer { (blocks(&answer.blocks, &|part| question.address(&[("keep", part)]))) },
                Some(Err(fault)) => p.error role="alert" { (fault.message) "; " (fault.hint) },
            }
        }
    };
    let mut response = page(visitor, frame(&title, &[], &body));
    if let Some(Err(fault)) = answer {
        *response.status_mut() = fault.status;
    }
    Ok(response.into_response())
}
