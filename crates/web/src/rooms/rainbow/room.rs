//! The room's page: play, explore, check.

use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::html;
use serde::Deserialize;

use super::{numbers, sheet, think};
use crate::pages::{frame, page, say};
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
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let question = asked.clone();
    let work = think(&app, visitor, move |budget| {
        (
            sheet::Sheet::of(&question, budget),
            numbers::explore(&question, budget),
            numbers::check_colouring(&question),
        )
    });
    let (sheet, explored, checked) = work.await.map_err(|f| f.for_reader(&headers))?;
    let title = say("rainbow-title");
    let body = html! {
        main.rainbow-page #main {
            h1 { (title) }
            p.lead { (say("rainbow-lead")) }
            p { (crate::rooms::to_ladder("rainbow")) }
            section {
                h2 { (say("rainbow-play")) }
                (sheet::form(&asked))
                div #decided aria-live="polite" {
                    @match &sheet {
                        Ok(sheet) => (sheet.show()),
                        Err(wrong) => (wrong.show()),
                    }
                }
            }
            section #numbers {
                h2 { (say("rainbow-explore")) }
                p { (say("rainbow-explore-lead")) }
                (numbers::explore_form(&asked))
                @if let Some(explored) = &explored { (numbers::explored(explored)) }
            }
            section #check {
                h2 { (say("rainbow-check")) }
                p { (say("rainbow-check-lead")) }
                (numbers::check_form(&asked))
                @if let Some(checked) = &checked { (numbers::checked(checked)) }
            }
        }
    };
    Ok(page(visitor, frame(&title, &["rainbow.js"], &body)))
}
