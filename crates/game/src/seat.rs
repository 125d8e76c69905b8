//! Who sits where.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A place at the table. People count seats from one; indices into lists count from zero.
///
/// ```
/// use wits_game::Seat;
/// let second: Seat = "2".parse().unwrap();
/// assert_eq!(second.index(), 1);
/// assert_eq!(second.to_string(), "2");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seat(u8);

impl Seat {
    /// The first seat: the one that a two-player game calls Black, X or Builder.
    pub const FIRST: Seat = Seat(0);
    /// The second seat.
    pub const SECOND: Seat = Seat(1);
    /// No table of ours is larger than this.
    pub const MOST: u8 = 4;

    /// The seat at a zero-based index, if a table can have it.
    pub fn at(index: usize) -> Option<Seat> {
        u8::try_from(index)
            .ok()
            .filter(|&i| i < Self::MOST)
            .map(Seat)
    }

    /// The zero-based index of this seat in lists such as payoffs.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// All seats of a table for `count` players, in order.
    pub fn all(count: u8) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator {
        (0..count.min(Self::MOST)).map(Seat)
    }

    /// The seat after this one at a table for `count`.
    pub const fn next(self, count: u8) -> Seat {
        Seat((self.0 + 1) % count)
    }

    /// The other seat of a two-player table.
    pub const fn other(self) -> Seat {
        Seat(1 - (self.0 & 1))
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

/// A seat number that no table has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a seat; seats are numbered from 1 to {most}", most = Seat::MOST)]
pub struct NoSuchSeat(String);

impl FromStr for Seat {
    type Err = NoSuchSeat;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse::<u8>() {
            Ok(n @ 1..=Self::MOST) => Ok(Seat(n - 1)),
            _ => Err(NoSuchSeat(text.to_owned())),
        }
    }
}

impl Serialize for Seat {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u8(self.0 + 1)
    }
}

impl<'de> Deserialize<'de> for Seat {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let number = u8::deserialize(from)?;
        number
            .to_string()
            .parse()
            .map_err(|e: NoSuchSeat| serde::de::Error::custom(e))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_json_count_from_one() {
        for seat in Seat::all(4) {
            assert_eq!(seat.to_string().parse::<Seat>().unwrap(), seat);
            let json = serde_json::to_string(&seat).unwrap();
            assert_eq!(json, seat.to_string());
            assert_eq!(serde_json::from_str::<Seat>(&json).unwrap(), seat);
        }
        for wrong in ["0", "5", "", "x", "-1", "256"] {
            assert!(wrong.parse::<Seat>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn seats_go_round() {
        assert_eq!(Seat::FIRST.next(3).next(3).next(3), Seat::FIRST);
        assert_eq!(Seat::FIRST.other(), Seat::SECOND);
        assert_eq!(Seat::SECOND.other(), Seat::FIRST);
    }
}
