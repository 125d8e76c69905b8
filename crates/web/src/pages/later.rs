//! Parts of a page that come when their turn does.

use axum::http::Uri;
use maud::{Markup, html};

use super::say;

/// The script that fetches them.
pub(crate) const LATER: &str = "later.js";

/// The address that has everything: the one that was asked for.
pub(crate) fn again(uri: &Uri) -> &str {
    uri.path_and_query().map_or("/", |path| path.as_str())
}

/// What stands where something is to come, with a way on for those without scripts.
pub(crate) fn later(uri: &Uri) -> Markup {
    html! { p.muted role="status" { (say("later")) " " a href=(again(uri)) { (say("later-again")) } } }
}

/// A part of the page: what it shows, or a place that is filled when the machines have time.
///
/// The script asks for the same page again, this time patiently, and puts the part with the same
/// name here.
pub(crate) fn part(id: &str, uri: &Uri, shown: Option<&Markup>) -> Markup {
    html! {
        @match shown {
            Some(shown) => div id=(id) { (shown) },
            None => div id=(id) data-later=(again(uri)) { (later(uri)) },
        }
    }
}
