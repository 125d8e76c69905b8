//! The room's page: play, explore, check.

use axum::extract::{Query, State};
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use maud::html;
use serde::Deserialize;

use super::{PATIENCE, Wrong, given, numbers, sheet};
use crate::pages::{LATER, frame, page, part, ready, say};
use crate::think::soon;
use crate::visitor::Visitor;
use crate::{App, Fault};

/// What the forms of the page say; everything as typed, so that slips get a sentence.
#[derive(Clone, Default, Deserialize)]
pub(super) struct Asked {
    pub(super) n: Option<String>,
    pub(super) k: Option<String>,
    pub(super) c: Option<String>,
    pub(super) first: Option<String>,
    pub(super) side: Option<String>,
    #[serde(rename = "aw-n")]
    pub(super) aw_n: Option<String>,
    #[serde(rename = "aw-k")]
    pub(super) aw_k: Option<String>,
    pub(super) colouring: Option<String>,
    #[serde(rename = "check-k")]
    pub(super) check_k: Option<String>,
}

/// `GET /rainbow`
pub(super) async fn show(
    State(app): State<App>,
    Query(asked): Query<Asked>,
    visitor: Visitor,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let question = asked.clone();
    let work = soon(&app, visitor, &headers, PATIENCE, move |budget| {
        (
            sheet::Sheet::of(&question, budget),
            numbers::explore(&question, budget),
            numbers::check_colouring(&question),
        )
    });
    let thought = work.await.map_err(|f| f.for_reader(&headers))?;
    // What was asked for and is not here yet has a place where it will be.
    let (sheet, explored, checked) = match &thought {
        Some((sheet, explored, checked)) => (
            Some(sheet.as_ref().map_or_else(Wrong::show, sheet::Sheet::show)),
            explored
                .as_ref()
                .map(|found| Some(numbers::explored(found))),
            checked.as_ref().map(|found| Some(numbers::checked(found))),
        ),
        None => (
            None,
            given(asked.aw_n.as_ref()).map(|_| None),
            given(asked.colouring.as_ref()).map(|_| None),
        ),
    };
    let title = say("rainbow-title");
    let body = html! {
        main.rainbow-page #main {
            h1 { (title) }
            p.lead { (say("rainbow-lead")) }
            (ready(&app, "rainbow:n=9,k=3,c=5,first=maker", "hint:level=2"))
            (super::table::palette(5))
            p { (crate::rooms::ladder_of(&app, "rainbow")) " · " a href="/docs/results" { (say("room-results")) } }
            section {
                h2 { (say("rainbow-play")) }
                (sheet::form(&asked))
                div #decided aria-live="polite" {
                    (part("sheet-part", &uri, sheet.as_ref()))
                }
            }
            section #numbers {
                h2 { (say("rainbow-explore")) }
                p { (say("rainbow-explore-lead")) }
                (numbers::explore_form(&asked))
                @if let Some(shown) = &explored { (part("explored-part", &uri, shown.as_ref())) }
            }
            section #check {
                h2 { (say("rainbow-check")) }
                p { (say("rainbow-check-lead")) }
                (numbers::check_form(&asked))
                @if let Some(shown) = &checked { (part("checked-part", &uri, shown.as_ref())) }
            }
        }
    };
    Ok(page(
        visitor,
        frame(
            &title,
            &["board.js", "ready.js", "rainbow.js", LATER],
            &body,
        ),
    ))
}
