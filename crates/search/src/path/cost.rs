//! What a way costs.

use std::cmp::Ordering;
use std::fmt::Display;

use serde_json::Value;

/// Something that adds up along a way and is never negative: seconds, metres, moves.
pub trait Cost: Copy + Ord + Display {
    /// What staying costs.
    const NOTHING: Self;

    /// Both together.
    fn plus(self, other: Self) -> Self;

    /// For the thread.
    fn json(self) -> Value;
}

macro_rules! whole {
    ($($t:ty),*) => { $(impl Cost for $t {
        const NOTHING: Self = 0;

        fn plus(self, other: Self) -> Self {
            self.saturating_add(other)
        }

        fn json(self) -> Value {
            Value::from(self)
        }
    })* };
}
whole!(u8, u16, u32, u64);

/// A length that is not a whole number.
#[derive(Clone, Copy, Debug, Default)]
pub struct Length(f64);

impl Length {
    /// A length, unless the number is negative or not a number.
    pub fn new(number: f64) -> Option<Length> {
        (number >= 0.0).then_some(Length(number + 0.0))
    }

    /// The number.
    pub const fn number(self) -> f64 {
        self.0
    }
}

impl PartialEq for Length {
    fn eq(&self, other: &Length) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Length {}

impl PartialOrd for Length {
    fn partial_cmp(&self, other: &Length) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Length {
    fn cmp(&self, other: &Length) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Display for Length {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.2}", self.0)
    }
}

impl Cost for Length {
    const NOTHING: Length = Length(0.0);

    fn plus(self, other: Length) -> Length {
        Length(self.0 + other.0)
    }

    fn json(self) -> Value {
        crate::Worth::heuristic(self.0).json()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_is_never_negative() {
        assert_eq!(Length::new(-1.0), None);
        assert_eq!(Length::new(f64::NAN), None);
        assert_eq!(Length::new(-0.0), Some(Length::NOTHING));
        let sum = Length::new(0.5).unwrap().plus(Length::new(1.0).unwrap());
        assert_eq!(sum.to_string(), "1.50");
        assert_eq!(250_u8.plus(10), 255);
    }
}
