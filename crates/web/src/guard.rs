//! What every request must respect, and what every answer carries.

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::{App, Fault, WORDS};

/// Headers of every answer. Pages may load only what this server sends, and nothing may frame them.
pub(crate) const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "same-origin"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// Checks where a request comes from, and signs the answer.
pub(crate) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let refused = if !host_allowed(headers, &app) {
        Some(WORDS.say("wrong-host"))
    } else if changes(request.method()) && !same_origin(headers) {
        Some(WORDS.say("wrong-origin"))
    } else {
        None
    };
    let mut response = if let Some(why) = refused {
        let hint = WORDS.say("wrong-origin-hint");
        let fault = Fault::new(StatusCode::FORBIDDEN, "origin", why, hint);
        fault.for_reader(headers).into_response()
    } else {
        let reader = headers.clone();
        let response = next.run(request).await;
        in_our_words(response, &reader, app.config.body_limit)
    };
    for (name, value) in HEADERS {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    let cached = response.headers().contains_key(header::CACHE_CONTROL);
    if !cached {
        response
            .headers_mut()
            .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

/// Refusals that come from the layers beneath are bare; they get a sentence, too.
fn in_our_words(response: Response, headers: &HeaderMap, limit: usize) -> Response {
    let status = response.status();
    let kind = text(response.headers(), &header::CONTENT_TYPE).unwrap_or_default();
    let ours = kind.starts_with("application/json") || kind.starts_with("text/html");
    if ours || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let fault = match status {
        StatusCode::PAYLOAD_TOO_LARGE => {
            let why = WORDS.say("too-large").with("limit", limit);
            Fault::new(status, "too-large", why, WORDS.say("too-large-hint"))
        }
        StatusCode::NOT_FOUND => Fault::missing(),
        StatusCode::METHOD_NOT_ALLOWED => Fault::new(
            status,
            "method",
            WORDS.say("wrong-method"),
            WORDS.say("wrong-origin-hint"),
        ),
        StatusCode::SERVICE_UNAVAILABLE => {
            Fault::new(status, "busy", WORDS.say("busy"), WORDS.say("store-hint"))
        }
        _ => Fault {
            status,
            ..Fault::unreadable(status.canonical_reason().unwrap_or("it is refused"))
        },
    };
    fault.for_reader(headers).into_response()
}

fn changes(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|v| v.to_str().ok())
}

/// On loopback only loopback's own names are answered, so that a page elsewhere cannot point a
/// name of its own at this machine.
fn host_allowed(headers: &HeaderMap, app: &App) -> bool {
    if headers.get_all(header::HOST).iter().count() != 1 {
        return false;
    }
    if !app.config.listen.ip().is_loopback() {
        return true;
    }
    let Some(host) = text(headers, &header::HOST) else {
        return false;
    };
    let name = host
        .rsplit_once(':')
        .filter(|(_, port)| port.bytes().all(|b| b.is_ascii_digit()))
        .map_or(host, |(name, _)| name);
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    name == "localhost" || bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// A change must come from our own pages: the browser says so in `Origin`.
fn same_origin(headers: &HeaderMap) -> bool {
    let (Some(origin), Some(host)) = (text(headers, &header::ORIGIN), text(headers, &header::HOST))
    else {
        return false;
    };
    origin
        .split_once("://")
        .is_some_and(|(scheme, rest)| matches!(scheme, "http" | "https") && rest == host)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(k, v)| (HeaderName::from_static(k), HeaderValue::from_static(v)))
            .collect()
    }

    #[test]
    fn only_our_own_pages_change_things() {
        for (origin, host, ok) in [
            ("http://127.0.0.1:8080", "127.0.0.1:8080", true),
            ("https://wits.example", "wits.example", true),
            ("http://evil.example", "127.0.0.1:8080", false),
            ("http://127.0.0.1:9090", "127.0.0.1:8080", false),
            ("null", "127.0.0.1:8080", false),
            ("file://127.0.0.1:8080", "127.0.0.1:8080", false),
        ] {
            assert_eq!(
                same_origin(&headers(&[("origin", origin), ("host", host)])),
                ok,
                "{origin} {host}"
            );
        }
        assert!(
            !same_origin(&headers(&[("host", "127.0.0.1:8080")])),
            "a missing origin is foreign"
        );
    }
}
