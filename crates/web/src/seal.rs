//! Sessions are signed, so that nobody can make up a visitor's name, and a house may be open to
//! invited guests only.
//!
//! The key and the invitation lie in the store and nowhere else: they are never printed but for the
//! invitation itself, once, to whoever opens the house.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use wits_store::{Blob, Store};

/// What the store calls things that nobody may read.
const KIND: &str = "secret";

/// A signature: HMAC-SHA-256.
pub(crate) type Signature = [u8; 32];

/// Signs the names of visitors. It says nothing about itself, not even in a debugger's print.
pub(crate) struct Seal {
    key: [u8; 32],
    /// With an invitation, what was signed without it counts for nothing.
    guest: Option<String>,
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seal(..)")
    }
}

impl Seal {
    /// The seal of a store, made when there is none. Where the store cannot keep one, sessions last
    /// as long as the program.
    pub(crate) fn of(store: &Store, invite: Option<&str>) -> Seal {
        let key = secret(store, "session-key", false)
            .ok()
            .and_then(|bytes| bytes.try_into().ok())
            .unwrap_or_else(fresh);
        Seal {
            key,
            guest: invite.map(str::to_owned),
        }
    }

    fn mac(&self, token: u128) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key).expect("any length is a key");
        mac.update(b"wits visitor\0");
        mac.update(&token.to_be_bytes());
        mac.update(self.guest.as_deref().unwrap_or_default().as_bytes());
        mac
    }

    /// The signature of a visitor's name.
    pub(crate) fn sign(&self, token: u128) -> Signature {
        self.mac(token).finalize().into_bytes().into()
    }

    /// Whether a signature is ours, in a time that tells nothing.
    pub(crate) fn holds(&self, token: u128, signature: &Signature) -> bool {
        self.mac(token).verify_slice(signature).is_ok()
    }

    /// Whether somebody holds the invitation; both sides are hashed, so the time tells nothing.
    pub(crate) fn invites(&self, said: &str) -> bool {
        let Some(guest) = &self.guest else {
            return true;
        };
        let hash = |text: &str| {
            let mut mac = Hmac::<Sha256>::new_from_slice(&self.key).expect("any length is a key");
            mac.update(text.as_bytes());
            mac
        };
        let right: Signature = hash(guest).finalize().into_bytes().into();
        hash(said).verify_slice(&right).is_ok()
    }

    /// What a visitor holds who has shown the operator's secret.
    pub(crate) fn operator(&self, token: u128, secret: &str) -> Signature {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key).expect("any length is a key");
        mac.update(b"wits operator\0");
        mac.update(&token.to_be_bytes());
        mac.update(secret.as_bytes());
        mac.finalize().into_bytes().into()
    }

    /// What the store keeps of a one-time link, so that reading the store does not give the link.
    pub(crate) fn link(&self, secret: &str) -> String {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key).expect("any length is a key");
        mac.update(b"wits link\0");
        mac.update(secret.as_bytes());
        hex(&mac.finalize().into_bytes())
    }

    /// Whether only invited guests may come in.
    pub(crate) fn closed(&self) -> bool {
        self.guest.is_some()
    }
}

fn fresh() -> [u8; 32] {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    bytes
}

/// A secret of the store by name; `anew` replaces the one that is there.
fn secret(store: &Store, name: &str, anew: bool) -> wits_store::Result<Vec<u8>> {
    let blob = Blob {
        kind: KIND.to_owned(),
        name: name.to_owned(),
        bytes: fresh().to_vec(),
        hash: String::new(),
        at: crate::app::now(),
    };
    if anew {
        store.put_blob(&blob)?;
        return Ok(blob.bytes);
    }
    if let Some(kept) = store.blob(KIND, name)? {
        return Ok(kept.bytes);
    }
    // Two servers that open the same store at once agree on whose came first.
    store.swap_blob(&blob, None)?;
    Ok(store
        .blob(KIND, name)?
        .map_or(blob.bytes, |kept| kept.bytes))
}

/// The invitation of a store: the same one each time, or a new one that ends the old one and every
/// session that came in by it.
///
/// # Errors
/// When the store cannot be read or written.
pub fn invitation(store: &Store, anew: bool) -> wits_store::Result<String> {
    let bytes = secret(store, "invitation", anew)?;
    Ok(hex(&bytes[..bytes.len().min(16)]))
}

/// A secret that opens the operator's page, a new one each time.
pub fn operator_secret() -> String {
    hex(&fresh()[..16])
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_holds_for_one_name_one_store_and_one_invitation() {
        let (one, other) = (
            Store::memory().expect("memory"),
            Store::memory().expect("memory"),
        );
        let seal = Seal::of(&one, None);
        let signature = seal.sign(7);
        assert!(seal.holds(7, &signature));
        assert!(!seal.holds(8, &signature), "another name");
        assert!(
            !Seal::of(&other, None).holds(7, &signature),
            "another store"
        );
        assert!(
            Seal::of(&one, None).holds(7, &signature),
            "the same store later"
        );
        assert!(
            !Seal::of(&one, Some("a")).holds(7, &signature),
            "guests need the invitation"
        );
        assert_eq!(format!("{seal:?}"), "Seal(..)", "no secret is printed");
    }

    #[test]
    fn an_invitation_stays_until_a_new_one_is_made() {
        let store = Store::memory().expect("memory");
        let first = invitation(&store, false).expect("kept");
        assert_eq!(invitation(&store, false).expect("kept"), first);
        let second = invitation(&store, true).expect("kept");
        assert_ne!(first, second);
        let seal = Seal::of(&store, Some(&second));
        assert!(seal.invites(&second) && !seal.invites(&first) && !seal.invites(""));
    }
}
