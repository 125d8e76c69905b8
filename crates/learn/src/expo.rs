//! Exponentials of many numbers at once.
//!
//! The usual reduction `exp(x) = 2^k exp(r)` with `r` within half of `ln 2`, and Taylor's
//! polynomial for `exp(r) - 1`. No table, no branch and no fused product: eight numbers at a time
//! become vector instructions, and the results have the same bits on every CPU.

use std::f64::consts::LOG2_E;

/// Adding it rounds to a whole number, which then stands in the low bits.
const ROUND: f64 = 6_755_399_441_055_744.0;
/// `ln 2` in two parts: the first has so few bits that its multiples are exact.
const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
/// Below this the result would not be a normal number: it is taken as zero.
const LEAST: f64 = -708.0;
const MOST: f64 = 709.0;

/// Numbers that are worked on together.
pub(crate) const LANES: usize = 8;
/// So many numbers.
pub(crate) type Lanes = [f64; LANES];

/// 1/2!, 1/3!, ...: the first term left out is below 2e-18.
const TERMS: [f64; 12] = [
    1.0 / 2.0,
    1.0 / 6.0,
    1.0 / 24.0,
    1.0 / 120.0,
    1.0 / 720.0,
    1.0 / 5_040.0,
    1.0 / 40_320.0,
    1.0 / 362_880.0,
    1.0 / 3_628_800.0,
    1.0 / 39_916_800.0,
    1.0 / 479_001_600.0,
    1.0 / 6_227_020_800.0,
];

/// One operation on every lane; written out so that it becomes vector instructions.
macro_rules! lanes {
    ($l:ident => $value:expr) => {{
        let mut out = [0.0; LANES];
        for $l in 0..LANES {
            out[$l] = $value;
        }
        out
    }};
}

/// `2^k` and `exp(r) - 1`.
#[inline(always)]
#[allow(
    clippy::inline_always,
    reason = "it takes the vector instructions of its caller"
)]
#[allow(
    clippy::needless_range_loop,
    reason = "every operation runs over the same lanes"
)]
fn parts(x: &Lanes) -> (Lanes, Lanes) {
    let x = lanes!(l => if x[l] > LEAST { x[l] } else { LEAST });
    let x = lanes!(l => if x[l] < MOST { x[l] } else { MOST });
    let shifted = lanes!(l => x[l] * LOG2_E + ROUND);
    let k = lanes!(l => shifted[l] - ROUND);
    let r = lanes!(l => (x[l] - k[l] * LN_2_HIGH) - k[l] * LN_2_LOW);
    let mut sum = [TERMS[11]; LANES];
    for t in TERMS[..11].iter().rev() {
        sum = lanes!(l => sum[l] * r[l] + t);
    }
    let scale = lanes!(l => f64::from_bits((shifted[l].to_bits() << 52).wrapping_add(1023 << 52)));
    (scale, lanes!(l => r[l] + r[l] * r[l] * sum[l]))
}

/// `exp(x)`, zero below -708; good to about one unit in the last place.
#[inline(always)]
#[allow(
    clippy::inline_always,
    reason = "it takes the vector instructions of its caller"
)]
#[allow(
    clippy::needless_range_loop,
    reason = "every operation runs over the same lanes"
)]
pub(crate) fn exp(x: &Lanes) -> Lanes {
    let (scale, less_one) = parts(x);
    let value = lanes!(l => scale[l] + scale[l] * less_one[l]);
    lanes!(l => if x[l] < LEAST { 0.0 } else { value[l] })
}

/// `exp(x) - 1` without loss near zero.
#[inline(always)]
#[allow(
    clippy::inline_always,
    reason = "it takes the vector instructions of its caller"
)]
#[allow(
    clippy::needless_range_loop,
    reason = "every operation runs over the same lanes"
)]
pub(crate) fn expm1(x: &Lanes) -> Lanes {
    let (scale, less_one) = parts(x);
    lanes!(l => scale[l] * less_one[l] + (scale[l] - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_library() {
        assert!((LN_2_HIGH + LN_2_LOW - std::f64::consts::LN_2).abs() < 1e-16);
        let exp = |x: f64| super::exp(&[x; LANES])[3];
        let expm1 = |x: f64| super::expm1(&[x; LANES])[7];
        for i in -70_000..70_000 {
            let x = f64::from(i) * 0.0101;
            let close = |a: f64, b: f64| (a - b).abs() <= 4.0 * f64::EPSILON * b.abs() + 1e-307;
            assert!(close(exp(x), libm::exp(x)), "exp {x}");
            assert!(close(expm1(x), libm::expm1(x)), "expm1 {x}");
            let small = x * 1e-9;
            assert!(close(expm1(small), libm::expm1(small)), "expm1 {small}");
        }
        assert!(exp(-1e9).abs() < f64::MIN_POSITIVE && exp(f64::NEG_INFINITY).abs() < 1e-300);
    }
}
