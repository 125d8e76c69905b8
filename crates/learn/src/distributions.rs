//! The normal, Student's t and F distributions, to about fourteen digits.

use std::f64::consts::{PI, SQRT_2};

/// The share of a standard normal distribution below `x`.
pub fn normal_share(x: f64) -> f64 {
    0.5 * libm::erfc(-x / SQRT_2)
}

/// The point below which a share `p` of a standard normal distribution lies.
///
/// A rough start (Abramowitz and Stegun 26.2.23), then Halley's steps on the complementary error
/// function, in the tail where it keeps its digits.
pub fn normal_quantile(p: f64) -> f64 {
    if p.is_nan() || p <= 0.0 {
        return f64::NEG_INFINITY;
    }
    if p >= 1.0 {
        return f64::INFINITY;
    }
    if p > 0.5 {
        return -lower_tail(1.0 - p);
    }
    lower_tail(p)
}

fn lower_tail(p: f64) -> f64 {
    let t = (-2.0 * libm::log(p)).sqrt();
    let top = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let bottom = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    let mut x = top / bottom - t;
    for _ in 0..4 {
        let density = libm::exp(-0.5 * x * x) / (2.0 * PI).sqrt();
        let step = (normal_share(x) - p) / density;
        x -= step / (1.0 + 0.5 * x * step);
    }
    x
}

#[expect(clippy::many_single_char_names, reason = "the letters of the formula")]
/// The regularised incomplete beta function (continued fraction by Lentz's method).
pub fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    // The fraction converges quickly on one side of the mean only; the other side is its mirror.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    let front = libm::exp(
        libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b)
            + a * libm::log(x)
            + b * libm::log1p(-x),
    ) / a;
    let tiny = 1e-300;
    let (mut c, mut d) = (1.0, 1.0 - (a + b) * x / (a + 1.0));
    if d.abs() < tiny {
        d = tiny;
    }
    d = 1.0 / d;
    let mut fraction = d;
    for m in 1..500 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            d = 1.0 + term * d;
            d = if d.abs() < tiny { 1.0 / tiny } else { 1.0 / d };
            c = 1.0 + term / c;
            if c.abs() < tiny {
                c = tiny;
            }
            change = d * c;
            fraction *= change;
        }
        if (change - 1.0).abs() < 1e-16 {
            break;
        }
    }
    front * fraction
}

/// The chance that Student's t with `freedom` degrees of freedom is at least as far from zero as
/// `t`, on either side.
pub fn t_two_sided(t: f64, freedom: f64) -> f64 {
    incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + t * t))
}

/// The `t` that is exceeded on either side with chance `1 - level` (0.95: the usual interval).
pub fn t_critical(level: f64, freedom: f64) -> f64 {
    let target = 1.0 - level;
    let (mut low, mut high) = (0.0, 1.0);
    while t_two_sided(high, freedom) > target && high < 1e8 {
        high *= 2.0;
    }
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if t_two_sided(middle, freedom) > target {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// The chance that an F ratio with these degrees of freedom is at least `f`.
pub fn f_above(f: f64, between: f64, within: f64) -> f64 {
    if f <= 0.0 {
        return 1.0;
    }
    incomplete_beta(within / 2.0, between / 2.0, within / (within + between * f))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_points() {
        assert!((normal_quantile(0.975) - 1.959_963_984_540_054).abs() < 1e-13);
        assert!((normal_quantile(1e-7) + 5.199_337_582_192_817).abs() < 1e-12);
        assert!((normal_quantile(0.5)).abs() < 1e-15);
        // Tables: t(4) at 95 % is 2.776445, F(2, 10) above 4.102821 is 5 %.
        assert!((t_critical(0.95, 4.0) - 2.776_445_105).abs() < 1e-8);
        assert!((f_above(4.102_821_015, 2.0, 10.0) - 0.05).abs() < 1e-9);
    }

    #[test]
    fn quantile_undoes_share() {
        for i in -50..=50 {
            let x = f64::from(i) / 10.0;
            let back = normal_quantile(normal_share(x));
            assert!((back - x).abs() < 1e-8 * (1.0 + x.abs()), "{x} {back}");
        }
    }
}
