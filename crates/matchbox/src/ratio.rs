//! Fractions as large as they need to be.

use std::fmt;

use num_bigint::BigUint;
use num_integer::Integer;
use serde::{Serialize, Serializer};

/// A fraction of two whole numbers that are not negative, always in lowest terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ratio {
    top: BigUint,
    bottom: BigUint,
}

impl Ratio {
    /// A fraction. The lower number must not be zero.
    pub fn new(top: BigUint, bottom: BigUint) -> Ratio {
        assert!(bottom != BigUint::ZERO, "a fraction needs a lower number");
        let common = top.gcd(&bottom);
        Ratio {
            top: top / &common,
            bottom: bottom / common,
        }
    }

    /// A whole number.
    pub fn whole(n: u128) -> Ratio {
        Ratio {
            top: BigUint::from(n),
            bottom: BigUint::from(1u8),
        }
    }

    /// The upper number.
    pub fn top(&self) -> &BigUint {
        &self.top
    }

    /// The lower number.
    pub fn bottom(&self) -> &BigUint {
        &self.bottom
    }

    /// The weighted mean of fractions, plus something of the same weight: `(extra + sum of w x) / W`.
    pub fn blend(extra: u128, parts: &[(u128, &Ratio)], weight: u128) -> Ratio {
        let mut bottom = BigUint::from(1u8);
        for (_, part) in parts {
            bottom = bottom.lcm(&part.bottom);
        }
        let mut top = BigUint::from(extra) * &bottom;
        for (w, part) in parts {
            top += BigUint::from(*w) * &part.top * (&bottom / &part.bottom);
        }
        Ratio::new(top, bottom * BigUint::from(weight))
    }

    /// The nearest number that a machine word holds.
    pub fn approximate(&self) -> f64 {
        // Sixty-four bits of the quotient are more than the result keeps.
        let shift = self.bottom.bits() as i64 - self.top.bits() as i64 + 64;
        let quotient = if shift >= 0 {
            (&self.top << shift as u64) / &self.bottom
        } else {
            &self.top / (&self.bottom << shift.unsigned_abs())
        };
        let digits = quotient.iter_u64_digits().rev().fold(0.0, |n, digit| {
            n * 18_446_744_073_709_551_616.0 + digit as f64
        });
        libm::ldexp(digits, -shift as i32)
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Ratio) -> std::cmp::Ordering {
        (&self.top * &other.bottom).cmp(&(&other.top * &self.bottom))
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Ratio) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.bottom == BigUint::from(1u8) {
            self.top.fmt(f)
        } else {
            write!(f, "{}/{}", self.top, self.bottom)
        }
    }
}

impl Serialize for Ratio {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(a: u64, b: u64) -> Ratio {
        Ratio::new(a.into(), b.into())
    }

    #[test]
    fn lowest_terms_and_means() {
        assert_eq!(ratio(6, 4).to_string(), "3/2");
        assert_eq!(ratio(8, 4).to_string(), "2");
        // (1 + 2 * 3/2 + 3 * 1/3) / 4
        let blended = Ratio::blend(1, &[(2, &ratio(3, 2)), (3, &ratio(1, 3))], 4);
        assert_eq!(blended, ratio(5, 4));
        for (a, b) in [
            (1, 3),
            (0, 5),
            (22, 7),
            (1 << 60, 3),
            (3, 1 << 60),
            (u64::MAX, 1),
        ] {
            let exact = a as f64 / b as f64;
            assert!(
                (ratio(a, b).approximate() - exact).abs() <= exact * 1e-15,
                "{a}/{b}"
            );
        }
    }
}
