//! Who is asking: a random name in a cookie, made on the first visit.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;

use wits_store::Owner;

use crate::Fault;
use crate::engine::Account;
use crate::seal::{Seal, Signature, hex};

/// A browser that came by. Holding a seat means holding its token, which is this name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Visitor {
    /// The name.
    pub(crate) token: u128,
    /// Where the request came from.
    pub(crate) address: IpAddr,
    /// Whether it was made for this request and must be sent along.
    pub(crate) new: bool,
    /// Whether the request may start work: it came with our cookie, or from a form of ours.
    computes: bool,
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

    /// The address as quotas count it: the network of an IPv6 address, since one machine has a
    /// whole one to itself; empty where it is not known.
    pub(crate) fn network(self) -> String {
        match self.address.to_canonical() {
            ip if ip.is_unspecified() => String::new(),
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => {
                let [a, b, c, d, ..] = ip.segments();
                format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
            }
        }
    }

    /// Does something in the store as this visitor.
    pub(crate) fn owning<T>(self, deed: impl FnOnce(Owner<'_>) -> T) -> T {
        deed(Owner {
            token: &self.text(),
            address: &self.network(),
            back: !self.new,
        })
    }

    /// On whose account machines think.
    pub(crate) const fn account(self) -> Account {
        Account {
            address: self.address,
            visitor: self.token,
        }
    }

    /// Whether work may be started for this request. A browser sends our cookie from our own pages
    /// alone, so that no picture on a foreign page can start anything; without it the page offers
    /// to run what was asked.
    pub(crate) fn may_compute(self) -> Result<(), Fault> {
        if self.computes {
            Ok(())
        } else {
            Err(Fault::run())
        }
    }

    /// The same visitor with a form of ours, which has been checked.
    pub(crate) fn with_form(self) -> Visitor {
        Visitor {
            computes: true,
            ..self
        }
    }

    /// Tells a new visitor their name.
    pub(crate) fn introduce(self, response: &mut Response) {
        if self.new {
            response
                .headers_mut()
                .append(header::SET_COOKIE, self.cookie());
        }
    }

    /// The cookie to send: not for scripts, not for other sites.
    pub(crate) fn cookie(self) -> HeaderValue {
        let mut text = format!("{NAME}={}.{}", self.text(), hex(&self.signature));
        text += "; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000";
        if self.secure {
            text += "; Secure";
        }
        HeaderValue::try_from(text).expect("hexadecimal digits make a header")
    }

    /// The visitor that a request's cookie names, if the signature is ours.
    pub(crate) fn known(headers: &HeaderMap, seal: &Seal, address: IpAddr) -> Option<Visitor> {
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
            address,
            new: false,
            computes: true,
            signature: bytes,
            secure: false,
        })
    }

    /// The visitor of a token that this house gave to another browser, for this one to keep.
    pub(crate) fn known_by(self, token: u128, seal: &Seal, secure: bool) -> Visitor {
        Visitor {
            token,
            new: true,
            signature: seal.sign(token),
            secure,
            ..self
        }
    }

    /// Whose program sent a request: what it begins is theirs, from where it asks.
    pub(crate) fn standing_for(self, owner: &str) -> Result<Visitor, Fault> {
        let absent = Visitor::absent(owner).ok_or_else(Fault::forbidden)?;
        Ok(Visitor {
            address: self.address,
            ..absent
        })
    }

    /// A visitor who is not here: the house does something on their behalf.
    pub(crate) fn absent(owner: &str) -> Option<Visitor> {
        Some(Visitor {
            token: u128::from_str_radix(owner, 16).ok()?,
            address: IpAddr::from([0, 0, 0, 0]),
            new: false,
            computes: true,
            signature: Signature::default(),
            secure: false,
        })
    }

    /// The same request, counted for a program and not for a person.
    pub(crate) fn numbered(self, token: u128) -> Visitor {
        Visitor {
            token,
            new: false,
            ..self
        }
    }

    /// Somebody who was not here before.
    pub(crate) fn fresh(seal: &Seal, secure: bool, address: IpAddr) -> Result<Visitor, Fault> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|e| Fault::unreadable(e.to_string()))?;
        let token = u128::from_le_bytes(bytes);
        Ok(Visitor {
            token,
            address,
            new: true,
            computes: false,
            signature: seal.sign(token),
            secure,
        })
    }
}

/// Who was noted in the store lately: once an hour is enough.
#[derive(Debug, Default)]
pub(crate) struct Seen(Mutex<HashMap<u128, i64>>);

impl Seen {
    /// The most visitors that are remembered; one that is forgotten is noted once more.
    const MOST: usize = 10_000;
    /// How long a note holds, in microseconds.
    const HOLDS: i64 = 3_600_000_000;

    /// Whether a visitor is to be noted now.
    pub(crate) fn is_due(&self, token: u128, now: i64) -> bool {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.get(&token).is_some_and(|at| now - at < Seen::HOLDS) {
            return false;
        }
        if all.len() >= Seen::MOST {
            all.clear();
        }
        all.insert(token, now);
        true
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
