//! Who is asking: a random name in a cookie, made on the first visit.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};

use crate::Fault;

/// A browser that came by. Holding a seat means holding its token, which is this name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Visitor {
    /// The name.
    pub(crate) token: u128,
    /// Whether it was made for this request and must be sent along.
    pub(crate) new: bool,
}

const NAME: &str = "wits";

impl Visitor {
    /// The name as the store keeps it.
    pub(crate) fn text(self) -> String {
        format!("{:032x}", self.token)
    }

    /// The cookie to send: not for scripts, not for other sites.
    pub(crate) fn cookie(self) -> HeaderValue {
        let text = format!(
            "{NAME}={}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000",
            self.text()
        );
        HeaderValue::try_from(text).expect("hexadecimal digits make a header")
    }

    fn known(headers: &HeaderMap) -> Option<u128> {
        let value = cookie(headers, NAME).filter(|value| value.len() == 32)?;
        u128::from_str_radix(value, 16).ok()
    }
}

/// The value of a cookie.
pub(crate) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|v| v.to_str().ok())
        .flat_map(|v| v.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(named, _)| *named == name)
        .map(|(_, value)| value)
}

impl<S: Send + Sync> FromRequestParts<S> for Visitor {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Visitor, Fault> {
        if let Some(token) = Visitor::known(&parts.headers) {
            return Ok(Visitor { token, new: false });
        }
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|e| Fault::unreadable(e.to_string()))?;
        Ok(Visitor {
            token: u128::from_le_bytes(bytes),
            new: true,
        })
    }
}
