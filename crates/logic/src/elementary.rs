//! Exponentials, logarithms and powers that are rounded right.
//!
//! They are worked out with about a hundred bits, as the sum of two floats (Dekker, 1971), so that what
//! is left after rounding to one float is its nearest in all but the rarest cases, on every machine.

/// A number as the sum of two floats, the second far smaller.
#[derive(Clone, Copy)]
struct Pair(f64, f64);

/// The sum of two floats without any error.
fn sum(a: f64, b: f64) -> Pair {
    let s = a + b;
    let bb = s - a;
    Pair(s, (a - (s - bb)) + (b - bb))
}

/// The product of two floats without any error.
fn product(a: f64, b: f64) -> Pair {
    let p = a * b;
    Pair(p, libm::fma(a, b, -p))
}

impl Pair {
    fn plus(self, other: Pair) -> Pair {
        let s = sum(self.0, other.0);
        let t = sum(self.1, other.1);
        let s = sum(s.0, s.1 + t.0);
        sum(s.0, s.1 + t.1)
    }

    fn times(self, other: Pair) -> Pair {
        let p = product(self.0, other.0);
        sum(p.0, p.1 + (self.0 * other.1 + self.1 * other.0))
    }

    fn over(self, n: f64) -> Pair {
        let q = self.0 / n;
        let back = product(q, n);
        sum(q, (self.0 - back.0 - back.1 + self.1) / n)
    }

    fn scaled(self, by: i32) -> f64 {
        libm::ldexp(self.0 + self.1, by)
    }
}

/// The first 33 bits of the logarithm of 2, and the rest.
const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
/// Results between these are far from what a float cannot hold.
const TAME: f64 = 690.0;

/// `e` to the power of a number, with the power of two to multiply it by.
fn exponential(x: Pair) -> (Pair, i32) {
    let k = (x.0 / std::f64::consts::LN_2).round();
    let low = product(-k, LN2_LOW);
    let r = sum(x.0, -k * LN2_HIGH).plus(Pair(x.1, 0.0)).plus(low);
    // The series of a sixteenth of the rest, squared four times.
    let r = Pair(r.0 / 16.0, r.1 / 16.0);
    let mut e = Pair(1.0, 0.0);
    for n in (1..=16).rev() {
        e = e.times(r).over(f64::from(n)).plus(Pair(1.0, 0.0));
    }
    for _ in 0..4 {
        e = e.times(e);
    }
    (e, k as i32)
}

/// The logarithm of a number between `e^-TAME` and `e^TAME`, from an approximation by Newton's step.
fn logarithm(x: f64) -> Pair {
    let near = libm::log(x);
    let (e, k) = exponential(Pair(-near, 0.0));
    let e = Pair(libm::ldexp(e.0, k), libm::ldexp(e.1, k));
    let off = e.times(Pair(x, 0.0)).plus(Pair(-1.0, 0.0));
    sum(near, 0.0)
        .plus(off)
        .plus(Pair(-off.0 * off.0 / 2.0, 0.0))
}

/// `e` to the power of `x`.
pub(crate) fn exp(x: f64) -> f64 {
    if x.abs() > TAME || x.is_nan() {
        return libm::exp(x);
    }
    let (e, k) = exponential(Pair(x, 0.0));
    e.scaled(k)
}

/// The hyperbolic cosine.
pub(crate) fn cosh(x: f64) -> f64 {
    if x.abs() > 40.0 || x.is_nan() {
        return libm::cosh(x);
    }
    let half = |x| {
        let (e, k) = exponential(Pair(x, 0.0));
        Pair(libm::ldexp(e.0, k - 1), libm::ldexp(e.1, k - 1))
    };
    half(x).plus(half(-x)).scaled(0)
}

/// The natural logarithm.
pub(crate) fn log(x: f64) -> f64 {
    // The negated condition catches what is no number, too.
    if !(1e-290..=1e290).contains(&x) {
        return libm::log(x);
    }
    logarithm(x).scaled(0)
}

/// `x` to the power of `y`.
pub(crate) fn pow(x: f64, y: f64) -> f64 {
    if !(1e-290..=1e290).contains(&x) || !y.is_finite() {
        return libm::pow(x, y);
    }
    let power = logarithm(x).times(Pair(y, 0.0));
    if power.0.is_nan() || power.0.abs() > TAME {
        return libm::pow(x, y);
    }
    let (e, k) = exponential(power);
    e.scaled(k)
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "they are exact")]
mod tests {
    use super::*;

    /// Known to fifty digits; what is nearest was taken from them.
    #[test]
    fn known_values() {
        assert_eq!(exp(1.0), std::f64::consts::E);
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(-1.0), 0.367_879_441_171_442_33);
        assert_eq!(exp(10.0), 22_026.465_794_806_718);
        assert_eq!(log(2.0), std::f64::consts::LN_2);
        assert_eq!(log(10.0), std::f64::consts::LN_10);
        assert_eq!(log(std::f64::consts::E), 1.0);
        assert_eq!(cosh(1.0), 1.543_080_634_815_243_7);
        assert_eq!(pow(2.0, 0.5), std::f64::consts::SQRT_2);
        assert_eq!(pow(10.0, -2.0), 0.01);
        // Of the number that is nearest to 1.1.
        assert_eq!(pow(1.1, 10.0), 2.593_742_460_100_002_3);
    }

    /// Powers of small integers are exact.
    #[test]
    fn whole_powers() {
        for base in 2..30_i32 {
            let mut exact = 1.0_f64;
            let mut n = 0;
            while exact * f64::from(base) < 9e15 {
                assert_eq!(pow(f64::from(base), f64::from(n)), exact);
                exact *= f64::from(base);
                n += 1;
                if n > 12 {
                    break;
                }
            }
        }
    }
}
