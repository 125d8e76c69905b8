//! Offering to run what an address asks for: a GET starts no work for somebody whose browser did
//! not send our cookie, so that a foreign page cannot start any.

use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};

use super::{frame, say};
use crate::routes::{fields, lacking};
use crate::visitor::Visitor;
use crate::{Fault, WORDS};

/// The page that shows the question and asks whether to run it.
pub(crate) fn offer(uri: &Uri) -> Markup {
    let query = uri.query().unwrap_or_default();
    let asked: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes())
        .into_owned()
        .collect();
    let to = uri.path_and_query().map_or("/", |all| all.as_str());
    let title = say("run-title");
    let body = html! {
        main #main {
            h1 { (title) }
            p { (say("run-lead")) }
            dl.run-question {
                dt { (say("run-address")) }
                dd { code { (uri.path()) } }
                @for (name, value) in &asked {
                    dt { (name) }
                    dd { code { (value) } }
                }
            }
            form method="post" action="/run" {
                input type="hidden" name="to" value=(to);
                button.button.primary type="submit" { (say("run-button")) }
            }
        }
    };
    frame(&title, &[], &body)
}

/// `POST /run`: goes on to the address, now with our cookie.
pub(crate) async fn run(
    visitor: Visitor,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Fault> {
    let read = || {
        let mut fields = fields(&headers, &body)?;
        let to = fields.remove("to").ok_or_else(|| lacking("to"))?;
        // An address of ours and nobody else's: `//name` would lead elsewhere.
        let ours = to.starts_with('/') && !to.starts_with("//") && !to.contains(['\\', '\n', '\r']);
        ours.then_some(to).ok_or_else(|| {
            let (why, hint) = (WORDS.say("run-elsewhere"), WORDS.say("wrong-origin-hint"));
            Fault::new(StatusCode::UNPROCESSABLE_ENTITY, "elsewhere", why, hint)
        })
    };
    let to = read().map_err(|f| f.for_reader(&headers))?;
    let mut response = Redirect::to(&to).into_response();
    visitor.introduce(&mut response);
    Ok(response)
}
