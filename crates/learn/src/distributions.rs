//! The normal, Student's t and F distributions, to about fourteen digits.

use std::f64::consts::SQRT_2;

/// The share of a standard normal distribution below `x`.
pub fn normal_share(x: f64) -> f64 {
    0.5 * libm::erfc(-x / SQRT_2)
}

/// The point below which a share `p` of a standard normal distribution lies.
///
/// Rational approximations to about sixteen digits (Wichura 1988, algorithm AS 241).
pub fn normal_quantile(p: f64) -> f64 {
    if p.is_nan() || p <= 0.0 {
        return f64::NEG_INFINITY;
    }
    if p >= 1.0 {
        return f64::INFINITY;
    }
    let from_middle = p - 0.5;
    if from_middle.abs() <= 0.425 {
        let r = 0.180_625 - from_middle * from_middle;
        return from_middle * ratio(r, &MIDDLE);
    }
    let tail = if p > 0.5 { 1.0 - p } else { p };
    let r = (-libm::log(tail)).sqrt();
    let x = if r <= 5.0 {
        ratio(r - 1.6, &TAIL)
    } else {
        ratio(r - 5.0, &FAR)
    };
    x.copysign(from_middle)
}

/// The quotient of two polynomials, lowest powers first.
fn ratio(x: f64, [top, bottom]: &[[f64; 8]; 2]) -> f64 {
    let value = |of: &[f64; 8]| of.iter().rev().fold(0.0, |sum, c| sum * x + c);
    value(top) / value(bottom)
}

/// Wichura's coefficients.
const MIDDLE: [[f64; 8]; 2] = [
    [
        3.387_132_872_796_366_5,
        133.141_667_891_784_38,
        1_971.590_950_306_551_3,
        13_731.693_765_509_46,
        45_921.953_931_549_87,
        67_265.770_927_008_7,
        33_430.575_583_588_13,
        2_509.080_928_730_122_7,
    ],
    [
        1.0,
        42.313_330_701_600_91,
        687.187_007_492_057_9,
        5_394.196_021_424_751,
        21_213.794_301_586_597,
        39_307.895_800_092_71,
        28_729.085_735_721_943,
        5_226.495_278_852_854,
    ],
];
const TAIL: [[f64; 8]; 2] = [
    [
        1.423_437_110_749_683_5,
        4.630_337_846_156_546,
        5.769_497_221_460_691,
        3.647_848_324_763_204_5,
        1.270_458_252_452_368_4,
        0.241_780_725_177_450_6,
        0.022_723_844_989_269_184,
        7.745_450_142_783_414e-4,
    ],
    [
        1.0,
        2.053_191_626_637_759,
        1.676_384_830_183_803_8,
        0.689_767_334_985_1,
        0.148_103_976_427_480_08,
        0.015_198_666_563_616_457,
        5.475_938_084_995_345e-4,
        1.050_750_071_644_416_9e-9,
    ],
];
const FAR: [[f64; 8]; 2] = [
    [
        6.657_904_643_501_103,
        5.463_784_911_164_114,
        1.784_826_539_917_291_3,
        0.296_560_571_828_504_87,
        0.026_532_189_526_576_124,
        0.001_242_660_947_388_078_4,
        2.711_555_568_743_487_6e-5,
        2.010_334_399_292_288_1e-7,
    ],
    [
        1.0,
        0.599_832_206_555_888,
        0.136_929_880_922_735_8,
        0.014_875_361_290_850_615,
        7.868_691_311_456_133e-4,
        1.846_318_317_510_054_8e-5,
        1.421_511_758_316_446e-7,
        2.044_263_103_389_939_8e-15,
    ],
];

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
