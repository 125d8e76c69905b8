//! Coming in by invitation.
//!
//! The invitation travels behind the `#` of the link, which browsers keep to themselves: it is in no
//! request line, no proxy's log and no referrer. A small script puts it into the form.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use maud::html;

use super::fields;
use crate::pages::{back, frame, page, say};
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// `GET /login`
pub(super) async fn show(mut visitor: Visitor) -> Response {
    // A name is given with the invitation only.
    visitor.new = false;
    let body = html! {
        main #main {
            h1 { (say("login-title")) }
            p { (say("login-lead")) }
            form method="post" action="/login" {
                p {
                    label for="invite" { (say("login-invite")) }
                    " "
                    input #invite name="invite" type="password" autocomplete="off" required maxlength="64";
                }
                p { button type="submit" { (say("login-enter")) } }
            }
        }
    };
    page(visitor, frame(&say("login-title"), &["login.js"], &body))
}

/// `POST /login`
pub(super) async fn enter(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Fault> {
    let read = || {
        let fields = fields(&headers, &body)?;
        let said = fields.get("invite").map_or("", |v| v.trim());
        if app.seal.invites(said) {
            return Ok(());
        }
        let (why, hint) = (WORDS.say("wrong-invite"), WORDS.say("not-invited-hint"));
        Err(Fault::new(StatusCode::UNAUTHORIZED, "invite", why, hint))
    };
    read().map_err(|f| f.for_reader(&headers))?;
    Ok(back(&headers, visitor, "/"))
}
