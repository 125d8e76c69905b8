//! What every request must respect, and what every answer carries.

use std::net::IpAddr;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::fault::OfferToRun;
use crate::rate::Asked;
use crate::server::Peer;
use crate::uploads::{BodyLimit, Receiving};
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS, pages};

/// Where a request was made, by browsers that say so (over TLS and on this machine).
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Whether bots ask there, which are known by their tokens.
fn is_for_bots(path: &str) -> bool {
    let rest = path.strip_prefix("/api/bot");
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

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

/// Checks where a request comes from and who asks, and signs the answer.
pub(crate) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let reader = request.headers().clone();
    let uri = request.uri().clone();
    let changing = changes(request.method());
    let mut response = match admit(&app, request) {
        Ok(request) => {
            let response = next.run(request).await;
            if response.extensions().get::<OfferToRun>().is_some() {
                pages::offer(&uri).into_response()
            } else {
                let own = response.extensions().get::<BodyLimit>();
                let limit = own.map_or(app.config.body_limit, |own| own.0);
                in_our_words(response, &reader, limit)
            }
        }
        Err(refused) => {
            let mut response = refused.fault.for_reader(&reader).into_response();
            if let Some(seconds) = refused.wait {
                response
                    .headers_mut()
                    .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
            }
            response
        }
    };
    for (name, value) in HEADERS {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    if !changing && from_elsewhere(&reader) {
        // The browser kept our cookie to itself: this may be somebody whom we know, and a new name
        // would take the place of theirs.
        response.headers_mut().remove(header::SET_COOKIE);
    }
    let cached = response.headers().contains_key(header::CACHE_CONTROL);
    if !cached {
        response
            .headers_mut()
            .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

/// Why a request goes no further, and when it may come again.
struct Refused {
    fault: Box<Fault>,
    wait: Option<u64>,
}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Refused {
        Refused {
            fault: Box::new(fault),
            wait: None,
        }
    }
}

/// A request that may go on, with its visitor.
fn admit(app: &App, mut request: Request) -> Result<Request, Refused> {
    let headers = request.headers();
    let refuse =
        |status, code, key, hint| Fault::new(status, code, WORDS.say(key), WORDS.say(hint));
    if !host_allowed(headers, app) {
        let (key, hint) = ("wrong-host", "wrong-origin-hint");
        return Err(refuse(StatusCode::FORBIDDEN, "origin", key, hint).into());
    }
    let script = is_script(&request);
    if changes(request.method()) && !script && !same_origin(headers) {
        let (key, hint) = ("wrong-origin", "wrong-origin-hint");
        return Err(refuse(StatusCode::FORBIDDEN, "origin", key, hint).into());
    }
    let long = request
        .uri()
        .path_and_query()
        .map_or(0, |whole| whole.as_str().len());
    if long > app.config.url_limit {
        let why = WORDS.say("long-url").with("limit", app.config.url_limit);
        let hint = WORDS.say("long-url-hint");
        return Err(Fault::new(StatusCode::URI_TOO_LONG, "long-url", why, hint).into());
    }
    let bytes: usize = headers
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len())
        .sum();
    if bytes > app.config.head_limit {
        let why = WORDS
            .say("long-headers")
            .with("limit", app.config.head_limit);
        let (status, hint) = (
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            WORDS.say("long-url-hint"),
        );
        return Err(Fault::new(status, "long-headers", why, hint).into());
    }
    let from = asker(app, &request);
    let known = Visitor::known(headers, &app.seal, from);
    let path = request.uri().path();
    let login = path == "/login";
    let asked = Asked {
        from,
        session: known.map(|v| v.token),
        changes: changes(request.method()),
        login: login && changes(request.method()),
        token: is_for_bots(path) && app.bots.trusts(headers),
    };
    if let Err(wait) = app.counter.admit(asked, Instant::now()) {
        let (key, hint) = ("too-often", "too-often-hint");
        return Err(Refused {
            fault: refuse(StatusCode::TOO_MANY_REQUESTS, "too-often", key, hint).into(),
            wait: Some(wait.as_secs() + 1),
        });
    }
    // What the page of the invitation needs is in every copy of the program, and who looks after
    // the server need not be a guest.
    // Programs show a token that a guest made.
    let open = login || is_for_bots(path) || path == "/health" || path.starts_with("/assets/");
    let invited = known.is_some() || script && bears_invitation(headers, app);
    if app.seal.closed() && !invited && !open {
        let (key, hint) = ("not-invited", "not-invited-hint");
        return Err(refuse(StatusCode::UNAUTHORIZED, "invite", key, hint).into());
    }
    let visitor = match known {
        Some(visitor) => visitor,
        None => Visitor::fresh(&app.seal, app.config.proxy.is_some(), from)?,
    };
    let visitor = if changes(request.method()) {
        visitor.with_form()
    } else {
        visitor
    };
    note(app, visitor);
    request.extensions_mut().insert(visitor);
    let receiving = Receiving(std::sync::Arc::clone(&app.receiving));
    request.extensions_mut().insert(receiving);
    Ok(request)
}

/// Notes that a visitor came back, so that their things stay.
fn note(app: &App, visitor: Visitor) {
    let now = app.now();
    if !visitor.new && app.seen.is_due(visitor.token, now) {
        let store = std::sync::Arc::clone(&app.store);
        // A note that is lost is made again in an hour.
        tokio::task::spawn_blocking(move || store.see(&visitor.text(), now));
    }
}

/// Whose request it is: the other end of the connection, or whom our own proxy names last.
pub(crate) fn asker(app: &App, request: &Request) -> IpAddr {
    let peer = request
        .extensions()
        .get::<Peer>()
        .map_or(IpAddr::from([0, 0, 0, 0]), |peer| peer.0);
    if app.config.proxy.is_none() || !peer.is_loopback() {
        return peer;
    }
    let named = request.headers().get_all("x-forwarded-for");
    let last = named.iter().next_back().and_then(|v| v.to_str().ok());
    last.and_then(|all| all.rsplit(',').next()?.trim().parse().ok())
        .unwrap_or(peer)
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
        StatusCode::PAYLOAD_TOO_LARGE => too_large(limit),
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

/// A body is larger than it may be.
pub(crate) fn too_large(most: usize) -> Fault {
    let most = if most < 1 << 20 {
        format!("{} KiB", most >> 10)
    } else {
        format!("{} MiB", most >> 20)
    };
    let why = WORDS.say("too-large").with("limit", most);
    let hint = WORDS.say("too-large-hint");
    Fault::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", why, hint)
}

fn changes(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|v| v.to_str().ok())
}

/// A header that must be there once: of two, nobody knows which one the next in line would take.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut all = headers.get_all(name).iter();
    let first = all.next()?.to_str().ok()?;
    all.next().is_none().then_some(first)
}

/// Whether a request was made by a page that is not ours, as far as the browser says so.
fn from_elsewhere(headers: &HeaderMap) -> bool {
    if let Some(site) = text(headers, &SEC_FETCH_SITE) {
        return matches!(site, "cross-site" | "same-site");
    }
    let host = text(headers, &header::HOST).unwrap_or_default();
    let referrer = text(headers, &header::REFERER).and_then(|r| r.split_once("://"));
    referrer.is_some_and(|(_, rest)| rest.split('/').next() != Some(host))
}

/// Only names that are ours are answered, so that a page elsewhere cannot point a name of its own
/// at this machine (DNS rebinding). An address in numbers is nobody's name: on loopback loopback's
/// own, elsewhere any.
fn host_allowed(headers: &HeaderMap, app: &App) -> bool {
    let Some(host) = only(headers, &header::HOST) else {
        return false;
    };
    if app.config.proxy.as_deref() == Some(host) {
        return true;
    }
    let name = host
        .rsplit_once(':')
        .filter(|(_, port)| port.bytes().all(|b| b.is_ascii_digit()))
        .map_or(host, |(name, _)| name);
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    let abroad = !app.config.listen.ip().is_loopback();
    name == "localhost"
        || app
            .config
            .hosts
            .iter()
            .any(|ours| ours.eq_ignore_ascii_case(name))
        || bare
            .parse::<IpAddr>()
            .is_ok_and(|ip| abroad || ip.is_loopback())
}

/// Whether a request comes from a program and not from a page: browsers send `Origin` with every
/// POST, pages elsewhere cannot send JSON without being asked first, and a program has no cookie of
/// ours that anybody could use.
fn is_script(request: &Request) -> bool {
    let headers = request.headers();
    let json = text(headers, &header::CONTENT_TYPE).is_some_and(|kind| {
        let kind = kind.split(';').next().unwrap_or_default().trim();
        kind.eq_ignore_ascii_case("application/json")
    });
    let bare = [header::ORIGIN, SEC_FETCH_SITE, header::COOKIE];
    request.method() == Method::POST
        && request.uri().path().starts_with("/api/")
        && json
        && bare.iter().all(|name| !headers.contains_key(name))
}

/// Whether a program shows the invitation: `Authorization: Bearer INVITATION`.
fn bears_invitation(headers: &HeaderMap, app: &App) -> bool {
    let shown = only(headers, &header::AUTHORIZATION).and_then(|h| h.strip_prefix("Bearer "));
    shown.is_some_and(|invitation| app.seal.invites(invitation.trim()))
}

/// A change must come from our own pages: the browser says so in `Origin`.
fn same_origin(headers: &HeaderMap) -> bool {
    let ends = (only(headers, &header::ORIGIN), only(headers, &header::HOST));
    let (Some(origin), Some(host)) = ends else {
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
        let mut two = headers(&[
            ("origin", "http://127.0.0.1:8080"),
            ("host", "127.0.0.1:8080"),
        ]);
        assert!(same_origin(&two));
        two.append("origin", HeaderValue::from_static("http://evil.example"));
        assert!(!same_origin(&two), "two origins are none");
    }

    #[test]
    fn requests_of_other_pages_are_told_apart() {
        for (header, value, elsewhere) in [
            ("sec-fetch-site", "cross-site", true),
            ("sec-fetch-site", "none", false),
            ("sec-fetch-site", "same-origin", false),
            ("referer", "http://evil.example/x", true),
            ("referer", "http://127.0.0.1:8080/x", false),
            ("accept", "text/html", false),
        ] {
            let headers = headers(&[("host", "127.0.0.1:8080"), (header, value)]);
            assert_eq!(from_elsewhere(&headers), elsewhere, "{header} {value}");
        }
    }
}
