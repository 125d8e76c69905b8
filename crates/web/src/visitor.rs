//! Who is asking: a random name in a cookie, made on the first visit.

use std::fmt::Write as _;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};

use crate::Fault;
use crate::seal::{Seal, Signature};

/// A browser that came by. Holding a seat means holding its token, which is this name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Visitor {
    /// The name.
    pub(crate) token: u128,
    /// Whether it was made for this request and must be sent along.
    pub(crate) new: bool,
    /// Nobody can make up a name: it counts with our signature only.
    signature: Signature,
    /// Whether the cookie may travel over TLS only.
    secure: bool,
}

const NAME: &str = "wits";

impl Visitor {
    /// The name as the store keeps it.
    pub(crate) fn text(self) -> String {
        format!("{:032x}", self.token)
    }

    /// The cookie to send: not for scripts, not for other sites.
    pub(crate) fn cookie(self) -> HeaderValue {
        let mut text = format!("{NAME}={}.", self.text());
        for byte in self.signature {
            let _ = write!(text, "{byte:02x}");
        }
        text += "; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000";
        if self.secure {
            text += "; Secure";
        }
        HeaderValue::try_from(text).expect("hexadecimal digits make a header")
    }

    /// The visitor that a request's cookie names, if the signature is ours.
    pub(crate) fn known(headers: &HeaderMap, seal: &Seal) -> Option<Visitor> {
        let (name, signature) = cookie(headers, NAME)?.split_once('.')?;
        if name.len() != 32 || signature.len() != 64 {
            return None;
        }
        let token = u128::from_str_radix(name, 16).ok()?;
        let mut bytes = Signature::default();
        for (byte, digits) in bytes.iter_mut().zip(signature.as_bytes().chunks(2)) {
            *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
        }
        seal.holds(token, &bytes).then_some(Visitor {
            token,
            new: false,
            signature: bytes,
            secure: false,
        })
    }

    /// Somebody who was not here before.
    pub(crate) fn fresh(seal: &Seal, secure: bool) -> Result<Visitor, Fault> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|e| Fault::unreadable(e.to_string()))?;
        let token = u128::from_le_bytes(bytes);
        Ok(Visitor {
            token,
            new: true,
            signature: seal.sign(token),
            secure,
        })
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

    /// The guard has looked at the cookie already.
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Visitor, Fault> {
        parts
            .extensions
            .get::<Visitor>()
            .copied()
            .ok_or_else(Fault::forbidden)
    }
}
