//! Chance that can be repeated.

use std::fmt;
use std::str::FromStr;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

use crate::Seat;

/// Where all chance of a run comes from. Below 2^53, so that JSON keeps it exact.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
#[serde(try_from = "u64", into = "u64")]
pub struct Seed(u64);

/// A seed that JSON could not keep exact.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a seed; a seed is a whole number from 0 to {most}", most = Seed::MOST.0)]
pub struct SeedTooLarge(String);

impl Seed {
    /// The greatest seed.
    pub const MOST: Seed = Seed((1 << 53) - 1);

    /// A seed from any number: what is above 53 bits is dropped.
    pub const fn new(number: u64) -> Seed {
        Seed(number & Self::MOST.0)
    }

    /// The number.
    pub const fn number(self) -> u64 {
        self.0
    }

    /// The seed of the `n`-th of many runs that share this one: game, machine, life.
    ///
    /// Neighbouring runs get unrelated dice, and the same `n` always gives the same seed.
    pub fn nth(self, n: u64) -> Seed {
        Seed::new(Dice::keyed(self, u64::from_le_bytes(*b"nth-seed"), n).next())
    }
}

impl TryFrom<u64> for Seed {
    type Error = SeedTooLarge;

    fn try_from(number: u64) -> Result<Self, Self::Error> {
        if number <= Self::MOST.0 {
            Ok(Seed(number))
        } else {
            Err(SeedTooLarge(number.to_string()))
        }
    }
}

impl From<Seed> for u64 {
    fn from(seed: Seed) -> u64 {
        seed.0
    }
}

impl FromStr for Seed {
    type Err = SeedTooLarge;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number: u64 = text.parse().map_err(|_| SeedTooLarge(text.to_owned()))?;
        Seed::try_from(number)
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Which dice of a game are thrown: chance has its own, and so has every seat, so that
/// how long one player thinks never shifts what another draws.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stream {
    /// Tiles drawn, dice thrown: the table's own chance.
    Chance,
    /// The private dice of one seat.
    Seat(Seat),
    /// Dice for a hint or an analysis that is no part of the game.
    Aside,
}

/// A run of dice, derived from a seed, a stream and a ply: there is nothing to save, so hints,
/// watching and killing the process cannot shift it.
///
/// ```
/// use wits_game::{Dice, Seed, Stream};
/// let mut dice = Dice::at(Seed::new(7), Stream::Chance, 0);
/// let mut again = Dice::at(Seed::new(7), Stream::Chance, 0);
/// assert_eq!(dice.below(6), again.below(6));
/// ```
#[derive(Clone, Debug)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// The dice of one stream at one ply.
    pub fn at(seed: Seed, stream: Stream, ply: u32) -> Dice {
        let stream = match stream {
            Stream::Chance => 0,
            Stream::Seat(seat) => 1 + seat.index() as u64,
            Stream::Aside => u64::MAX,
        };
        Dice::keyed(seed, stream, u64::from(ply))
    }

    /// Dice that belong to no game: a training run, a generator, a sample.
    pub fn new(seed: Seed) -> Dice {
        Dice::keyed(seed, u64::from_le_bytes(*b"alone..."), 0)
    }

    fn keyed(seed: Seed, stream: u64, ply: u64) -> Dice {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.0.to_le_bytes());
        key[8..16].copy_from_slice(&stream.to_le_bytes());
        key[16..24].copy_from_slice(&ply.to_le_bytes());
        key[24..].copy_from_slice(b"wits dic");
        Dice(ChaCha8Rng::from_seed(key))
    }

    /// 64 random bits.
    #[expect(
        clippy::should_implement_trait,
        reason = "dice never run out, so they are no iterator"
    )]
    pub fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in `0..n`, each equally likely (Lemire 2019: multiply, reject the short end).
    ///
    /// # Panics
    /// When `n` is zero: there is nothing to choose from.
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "a choice needs at least one thing to choose from");
        let n = n as u64;
        let least = n.wrapping_neg() % n;
        loop {
            let wide = u128::from(self.next()) * u128::from(n);
            if wide as u64 >= least {
                return (wide >> 64) as usize;
            }
        }
    }

    /// A number in `0.0..1.0` with 53 random bits.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// One of the things, or nothing if there are none.
    pub fn pick<'a, T>(&mut self, things: &'a [T]) -> Option<&'a T> {
        if things.is_empty() {
            None
        } else {
            things.get(self.below(things.len()))
        }
    }

    /// An index chosen in proportion to its weight, or nothing if all weights are zero.
    pub fn weighted(&mut self, weights: &[u64]) -> Option<usize> {
        let total: u64 = weights.iter().sum();
        if total == 0 {
            return None;
        }
        let mut ticket = self.below(total as usize) as u64;
        weights.iter().position(|&w| {
            let hit = ticket < w;
            ticket = ticket.saturating_sub(w);
            hit
        })
    }

    /// Puts things in random order (Fisher and Yates, from the back).
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for i in (1..things.len()).rev() {
            let j = self.below(i + 1);
            things.swap(i, j);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// These numbers are the promise that a seed means the same game for ever.
    #[test]
    fn golden() {
        let mut dice = Dice::at(Seed::new(7), Stream::Chance, 3);
        let throws: Vec<usize> = (0..12).map(|_| dice.below(6)).collect();
        let mut deck: Vec<u8> = (0..10).collect();
        Dice::at(Seed::new(7), Stream::Seat(Seat::SECOND), 0).shuffle(&mut deck);
        let nth: Vec<u64> = (0..3).map(|n| Seed::new(1).nth(n).number()).collect();
        assert_eq!(throws, [1, 3, 0, 3, 2, 5, 5, 3, 3, 1, 2, 1]);
        assert_eq!(deck, [7, 3, 4, 6, 2, 8, 5, 1, 0, 9]);
        assert_eq!(
            nth,
            [
                6_000_147_080_891_679,
                8_812_361_530_549_986,
                5_930_542_695_129_729
            ]
        );
    }

    #[test]
    fn streams_and_plies_are_independent() {
        let first = |stream, ply| Dice::at(Seed::new(1), stream, ply).next();
        let all = [
            first(Stream::Chance, 0),
            first(Stream::Chance, 1),
            first(Stream::Seat(Seat::FIRST), 0),
            first(Stream::Seat(Seat::SECOND), 0),
            first(Stream::Aside, 0),
        ];
        for (i, a) in all.iter().enumerate() {
            assert!(!all[..i].contains(a));
        }
    }

    #[test]
    fn below_is_even_and_shuffles_reach_every_order() {
        let mut dice = Dice::new(Seed::new(5));
        let mut seen = [0u32; 7];
        for _ in 0..70_000 {
            seen[dice.below(7)] += 1;
        }
        // Chi-square with 6 degrees of freedom: 22.5 is passed once in a thousand.
        let chi: f64 = seen
            .iter()
            .map(|&c| (f64::from(c) - 10_000.0).powi(2) / 10_000.0)
            .sum();
        assert!(chi < 22.5, "{seen:?}");
        let mut orders = std::collections::BTreeSet::new();
        for _ in 0..500 {
            let mut three = [0, 1, 2];
            dice.shuffle(&mut three);
            orders.insert(three);
        }
        assert_eq!(orders.len(), 6);
    }

    #[test]
    fn weights_are_kept() {
        let mut dice = Dice::new(Seed::new(2));
        assert_eq!(dice.weighted(&[0, 0]), None);
        let mut seen = [0u32; 3];
        for _ in 0..6_000 {
            seen[dice.weighted(&[1, 0, 2]).unwrap()] += 1;
        }
        assert_eq!(seen[1], 0);
        assert!((1_800..2_200).contains(&seen[0]), "{seen:?}");
    }

    #[test]
    fn seeds_that_json_would_bend_are_refused() {
        assert!(Seed::try_from(1 << 53).is_err());
        assert!("9007199254740992".parse::<Seed>().is_err());
        assert!("-1".parse::<Seed>().is_err());
        assert_eq!("9007199254740991".parse::<Seed>().unwrap(), Seed::MOST);
    }
}
