//! In which language somebody is answered: as they chose with the switch, else as their browser asks.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use futures_util::Stream as _;
use futures_util::stream;
use maud::{Markup, html};
use wits_game::Lang;

use crate::fault::Fault;
use crate::pages::say;
use crate::routes::fields;
use crate::visitor::cookie;

/// The cookie that keeps the choice.
const NAME: &str = "wits-lang";

/// Everything that a request leads to speaks its language: the answer, streams that go on after it,
/// and, through [`crate::Engine`] and `blocking`, the work on other threads.
pub(crate) async fn speak(request: Request, next: Next) -> Response {
    let lang = of(request.headers());
    let mut answer = Box::pin(next.run(request));
    let mut response = poll_fn(|cx| lang.speak(|| answer.as_mut().poll(cx))).await;
    response.headers_mut().insert(
        header::CONTENT_LANGUAGE,
        HeaderValue::from_static(lang.code()),
    );
    let streams = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
    if streams {
        // A stream is drawn from after the answer has begun, when nothing is spoken any more.
        return response.map(|body| {
            let mut body = body.into_data_stream();
            Body::from_stream(stream::poll_fn(move |cx| {
                let next: Poll<Option<Result<Bytes, axum::Error>>> =
                    lang.speak(|| Pin::new(&mut body).poll_next(cx));
                next
            }))
        });
    }
    response
}

/// The language for somebody who sends these headers.
fn of(headers: &HeaderMap) -> Lang {
    let chosen = cookie(headers, NAME).and_then(Lang::of_code);
    let asked = || {
        headers
            .get(header::ACCEPT_LANGUAGE)
            .and_then(|value| value.to_str().ok())
            .and_then(best)
    };
    chosen.or_else(asked).unwrap_or_default()
}

/// The language that `Accept-Language` likes best among ours; of equals, the first named.
fn best(accept: &str) -> Option<Lang> {
    let mut best: Option<(f64, Lang)> = None;
    for part in accept.split(',') {
        let (code, rest) = part.split_once(';').unwrap_or((part, ""));
        let weight = match rest.trim().strip_prefix("q=") {
            Some(text) => text.trim().parse().unwrap_or(0.0),
            None => 1.0,
        };
        if let Some(lang) = Lang::of_code(code)
            && weight > best.map_or(0.0, |(most, _)| most)
        {
            best = Some((weight, lang));
        }
    }
    best.map(|(_, lang)| lang)
}

/// The switch in the header of every page: plain buttons, each in its own language.
pub(crate) fn switch() -> Markup {
    let spoken = Lang::spoken();
    html! {
        form.languages action="/language" method="post" aria-label=(say("language")) {
            @for lang in Lang::ALL {
                button type="submit" name="lang" value=(lang.code()) lang=(lang.code())
                    aria-pressed=(lang == spoken) {
                    span aria-hidden="true" { (lang.code()) }
                    span.sr-only { (lang.name()) }
                }
            }
        }
    }
}

/// `POST /language`: the page again, in the language that was chosen.
pub(crate) async fn choose(headers: HeaderMap, body: Bytes) -> Result<Response, Fault> {
    let fields = fields(&headers, &body).map_err(|f| f.for_reader(&headers))?;
    let asked = fields.get("lang").map_or("", String::as_str);
    let Some(lang) = Lang::of_code(asked) else {
        let why = crate::WORDS.say("language-unknown").with("text", asked);
        let hint = crate::WORDS.say("language-unknown-hint");
        let status = axum::http::StatusCode::UNPROCESSABLE_ENTITY;
        return Err(Fault::new(status, "language", why, hint).for_reader(&headers));
    };
    let mut response = Redirect::to(&page_before(&headers)).into_response();
    let text = format!(
        "{NAME}={}; Path=/; SameSite=Lax; Max-Age=31536000",
        lang.code()
    );
    let value = HeaderValue::try_from(text).expect("letters make a header");
    response.headers_mut().append(header::SET_COOKIE, value);
    Ok(response)
}

/// Where the button was pressed, if that was here; never an address elsewhere.
fn page_before(headers: &HeaderMap) -> String {
    let text = |name| {
        headers
            .get(name)
            .and_then(|value: &HeaderValue| value.to_str().ok())
    };
    let path = text(header::REFERER)
        .and_then(|referer| referer.split_once("://"))
        .and_then(|(_, rest)| rest.strip_prefix(text(header::HOST)?))
        .filter(|path| path.starts_with('/') && !path.starts_with("//") && !path.contains('\\'));
    path.unwrap_or("/").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_that_is_liked_best_is_taken() {
        for (accept, lang) in [
            ("pl", Some(Lang::Pl)),
            ("pl-PL,pl;q=0.9,en;q=0.8", Some(Lang::Pl)),
            ("de, en;q=0.5, cs;q=0.7", Some(Lang::Cs)),
            ("en, pl", Some(Lang::En)),
            ("de,fr;q=0.9,*;q=0.5", None),
            ("cs;q=0", None),
            ("pl;q=x, cs;q=0.1", Some(Lang::Cs)),
            ("", None),
        ] {
            assert_eq!(best(accept), lang, "{accept}");
        }
    }

    #[test]
    fn the_choice_goes_before_the_browser_and_english_is_the_rest() {
        let headers = |pairs: &[(header::HeaderName, &'static str)]| -> HeaderMap {
            let pair = |(name, value): &(header::HeaderName, &'static str)| {
                (name.clone(), HeaderValue::from_static(value))
            };
            pairs.iter().map(pair).collect()
        };
        let polish = (header::ACCEPT_LANGUAGE, "pl");
        assert_eq!(of(&headers(&[])), Lang::En);
        assert_eq!(of(&headers(std::slice::from_ref(&polish))), Lang::Pl);
        let chosen = (header::COOKIE, "wits=1; wits-lang=cs");
        assert_eq!(of(&headers(&[polish.clone(), chosen])), Lang::Cs);
        let odd = (header::COOKIE, "wits-lang=xx");
        assert_eq!(of(&headers(&[polish, odd])), Lang::Pl);
    }

    #[test]
    fn the_switch_leads_back_but_never_away() {
        for (referer, to) in [
            ("http://a.example/new/othello?x=1", "/new/othello?x=1"),
            ("http://a.example", "/"),
            ("http://b.example/x", "/"),
            ("http://a.example.evil/x", "/"),
            ("http://a.example//evil.example", "/"),
            ("nonsense", "/"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static("a.example"));
            headers.insert(header::REFERER, HeaderValue::from_static(referer));
            assert_eq!(page_before(&headers), to, "{referer}");
        }
    }
}
