//! The transit room on the page: a map of our own, journeys, departure boards, reach, tours, and
//! the searches side by side.
//!
//! - `timetables`: the generated city, or the visitor's own packed timetable;
//!   `upload` checks what somebody brings, `house` holds the operator's;
//! - `asked`: what the forms say, and what is wrong with it;
//! - `desk`: the frame that all views share, with the map beside them;
//! - `journeys`, `board`, `reach`, `tour`, `search`: one view each;
//! - `rides`: journeys as cards, and as lines on the map.

mod asked;
mod board;
mod desk;
mod house;
mod journeys;
mod reach;
mod rides;
mod search;
mod timetables;
mod tour;
mod upload;

use std::time::Duration;

use axum::Router;
use axum::http::Uri;
use axum::response::Redirect;
use axum::routing::{get, post};

use self::desk::page_of;
pub(crate) use self::house::House;
pub(crate) use self::timetables::{QUERIES, city, complete, item, lent, ready};
use crate::sandbox::{Named, named};
use crate::{App, uploads};

/// What this room does in a sandbox.
pub(crate) fn tasks() -> Vec<Named> {
    vec![named::<upload::Validate>(), named::<upload::ReadLive>()]
}

/// How long a question to this room may hold a thinker.
const PATIENCE: Duration = Duration::from_secs(20);

/// The addresses of this room.
pub(crate) fn routes() -> Router<App> {
    let upload = uploads::taking(post(timetables::upload), timetables::LARGEST);
    let live = uploads::taking(post(timetables::live), timetables::LARGEST);
    Router::new()
        .route("/transit", page_of(journeys::view))
        .route("/transit/board", page_of(board::view))
        .route("/transit/reach", page_of(reach::view))
        .route("/transit/tour", page_of(tour::view))
        .route("/transit/tour/thread", get(thread))
        .route("/transit/search", page_of(search::view))
        .route("/transit/thread", get(thread))
        .route("/transit/map", get(timetables::map))
        .route("/transit/stops", get(timetables::stops))
        .route("/transit/feed", upload)
        .route("/transit/live", live)
        .route("/transit/feed/{name}", get(timetables::file))
        .route("/transit/feed/forget", post(timetables::forget))
}

/// `GET /transit/thread` and `/transit/tour/thread`, where threads were before verbs kept them.
async fn thread(uri: Uri) -> Redirect {
    let verb = match uri.path() {
        "/transit/thread" => "route",
        _ => "tour",
    };
    let query = uri.query().unwrap_or_default();
    let usual = if query.contains("at=") {
        ""
    } else {
        "&at=08:00"
    };
    Redirect::permanent(&format!("/desk/transit/{verb}?{query}{usual}&keep=thread"))
}
