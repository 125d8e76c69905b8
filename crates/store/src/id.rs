//! Names of sessions.

use crate::{Error, Result};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{fmt, str::FromStr};

/// The name of a session: 128 random bits, written as 32 hexadecimal digits, so that a link to a
/// session cannot be guessed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(u128);

impl Id {
    /// A new id from the operating system's randomness.
    pub fn random() -> Result<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(Error::unavailable)?;
        Ok(Self(u128::from_be_bytes(bytes)))
    }

    /// The id with these bits, for callers with their own randomness.
    pub const fn from_bits(bits: u128) -> Self {
        Self(bits)
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Id({self})")
    }
}

/// The text is not an [`Id`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an id is 32 digits from 0 to 9 and a to f; copy the whole link")]
pub struct NotAnId;

impl FromStr for Id {
    type Err = NotAnId;

    /// Reads exactly what `Display` writes: one session has one name.
    fn from_str(text: &str) -> std::result::Result<Self, NotAnId> {
        let digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        if text.len() != 32 || !text.bytes().all(digit) {
            return Err(NotAnId);
        }
        u128::from_str_radix(text, 16)
            .map(Self)
            .map_err(|_| NotAnId)
    }
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        String::deserialize(from)?
            .parse()
            .map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes_and_nothing_else() {
        for bits in [0, 1, u128::MAX, 0x0123_4567_89ab_cdef] {
            let id = Id::from_bits(bits);
            assert_eq!(id.to_string().parse(), Ok(id));
            let json = serde_json::to_string(&id).unwrap();
            assert_eq!(serde_json::from_str::<Id>(&json).unwrap(), id);
        }
        let good = "0123456789abcdef0123456789abcdef";
        assert!(good.parse::<Id>().is_ok());
        for bad in [
            "",
            &good[1..],
            &format!("{good}0"),
            &good.to_uppercase(),
            "+".repeat(32).as_str(),
        ] {
            assert_eq!(bad.parse::<Id>(), Err(NotAnId), "{bad}");
        }
    }

    #[test]
    fn random_ids_differ() {
        assert_ne!(Id::random().unwrap(), Id::random().unwrap());
    }
}
