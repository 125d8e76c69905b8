//! The power transform of Yeo and Johnson (2000), evaluated so that no digits are lost.
//!
//! The textbook formula raises `1 + x` to a power and subtracts one. For a column such as Glass's
//! refractive index the best power is about -30, all results agree in their first thirteen
//! digits, and half of the distinct values fall together. What follows is standardised anyway, so
//! shift and scale are free: with `u = ln(1 + x)` and a reference `r` (the mean of `u`),
//! `(exp(l (u - r)) - 1) / l` is the same column up to shift and scale, and keeps its digits.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use crate::expo::{LANES, expm1};
use crate::matrix::Matrix;
use crate::numbers::mean;

/// One power per column, then mean 0 and standard deviation 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Power {
    /// The columns.
    pub columns: Vec<PowerColumn>,
}

/// The transform of one column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PowerColumn {
    /// The power (lambda) of greatest likelihood.
    pub power: f64,
    /// Every training value was negative: the column is turned round, and back afterwards.
    pub mirrored: bool,
    /// The reference in the logarithm.
    pub reference: f64,
    /// Mean before scaling.
    pub centre: f64,
    /// Standard deviation before scaling; one where a column does not vary.
    pub width: f64,
}

impl Power {
    /// Finds the powers of training rows, until somebody raises the flag.
    pub fn fit(x: &Matrix, stop: &AtomicBool) -> Power {
        let columns = x.by_columns();
        let columns = columns.chunks_exact(x.rows().max(1)).map(|column| {
            if stop.load(Ordering::Relaxed) {
                return PowerColumn::fit(&column[..1.min(column.len())]);
            }
            PowerColumn::fit(column)
        });
        Power {
            columns: columns.collect(),
        }
    }

    /// Transforms rows.
    pub fn apply(&self, x: &Matrix) -> Matrix {
        super::by_column(x, |j, column| self.columns[j].apply_all(column))
    }
}

impl PowerColumn {
    fn fit(values: &[f64]) -> PowerColumn {
        let mirrored = values.iter().all(|&v| v < 0.0);
        let sign = if mirrored { -1.0 } else { 1.0 };
        let mut logs = Logs::default();
        for &v in values {
            let v = sign * v;
            if v >= 0.0 {
                logs.above.push(libm::log1p(v));
            } else {
                logs.below.push(libm::log1p(-v));
            }
        }
        let reference = if logs.below.is_empty() {
            mean(&logs.above)
        } else {
            0.0
        };
        logs.above.iter_mut().for_each(|u| *u -= reference);
        let sum = logs.above.iter().sum::<f64>() - logs.below.iter().sum::<f64>();
        let all = sum + reference * logs.above.len() as f64;
        let constant = values.iter().all(|v| v.total_cmp(&values[0]).is_eq());
        let mut shaped = Vec::with_capacity(values.len());
        let power = if constant {
            1.0
        } else {
            climb(|power| {
                logs.shape(power, &mut shaped);
                let (_, variance) = spread(&shaped);
                let wide = libm::log(variance) + 2.0 * power * reference;
                let l = -0.5 * shaped.len() as f64 * wide + (power - 1.0) * all;
                if l.is_finite() { l } else { f64::NEG_INFINITY }
            })
        };
        logs.shape(power, &mut shaped);
        let (centre, variance) = spread(&shaped);
        let width = if variance > 0.0 && !constant {
            variance.sqrt()
        } else {
            1.0
        };
        PowerColumn {
            power,
            mirrored,
            reference,
            centre,
            width,
        }
    }

    /// The power as the textbook counts it (a mirrored column counts from the other end).
    pub fn lambda(&self) -> f64 {
        if self.mirrored {
            2.0 - self.power
        } else {
            self.power
        }
    }

    fn apply_all(&self, values: &mut [f64]) {
        let sign = if self.mirrored { -1.0 } else { 1.0 };
        // Most values are on the side that training saw: all are raised as if they were there.
        let logs = values
            .iter()
            .map(|&v| libm::log1p(v.abs()) - self.reference);
        let logs: Vec<f64> = logs.collect();
        let mut above = vec![0.0; values.len()];
        raise_all(&logs, self.power, &mut above);
        for ((v, u), above) in values.iter_mut().zip(&logs).zip(above) {
            *v = if sign * *v >= 0.0 {
                above
            } else {
                self.below(u + self.reference)
            };
            // Far outside the training range a large power overflows; the result stays a number.
            *v = sign * ((*v - self.centre) / self.width).clamp(-1e12, 1e12);
        }
    }

    /// What stands for a value below zero, of which training may have seen none.
    fn below(&self, u: f64) -> f64 {
        let below = -raised(u, 2.0 - self.power);
        (below - raised(self.reference, self.power)) / libm::exp(self.power * self.reference)
    }
}

/// `ln(1 + |x|)` of a column's values: those from zero up less the reference, those below zero.
#[derive(Default)]
struct Logs {
    above: Vec<f64>,
    below: Vec<f64>,
}

impl Logs {
    /// The transform up to shift and scale. Values below zero come with reference zero.
    fn shape(&self, power: f64, out: &mut Vec<f64>) {
        out.resize(self.above.len() + self.below.len(), 0.0);
        let (above, below) = out.split_at_mut(self.above.len());
        raise_all(&self.above, power, above);
        raise_all(&self.below, 2.0 - power, below);
        for v in below.iter_mut() {
            *v = -*v;
        }
    }
}

/// `(exp(power * u) - 1) / power` of many, and `u` at power zero.
#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"), dispatcher = "direct")]
fn raise_all(logs: &[f64], power: f64, out: &mut [f64]) {
    if power.abs() < 1e-300 {
        out.copy_from_slice(logs);
        return;
    }
    for (out, logs) in out.chunks_mut(LANES).zip(logs.chunks(LANES)) {
        let mut block = [0.0; LANES];
        block[..logs.len()].copy_from_slice(logs);
        let block = expm1(&block.map(|u| power * u)).map(|e| e / power);
        out.copy_from_slice(&block[..logs.len()]);
    }
}

/// The same of one.
fn raised(u: f64, power: f64) -> f64 {
    let mut out = [0.0];
    raise_all(&[u], power, &mut out);
    out[0]
}

/// Mean and population variance in two passes, by eight sums side by side.
#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"), dispatcher = "direct")]
fn spread(values: &[f64]) -> (f64, f64) {
    let n = values.len().max(1) as f64;
    let parts = values.chunks_exact(8);
    let rest = parts.remainder();
    let mut sums = [0.0; 8];
    for part in parts.clone() {
        for (sum, v) in sums.iter_mut().zip(part) {
            *sum += v;
        }
    }
    let centre = (sums.iter().sum::<f64>() + rest.iter().sum::<f64>()) / n;
    sums = [0.0; 8];
    for part in parts {
        for (sum, v) in sums.iter_mut().zip(part) {
            *sum += (v - centre) * (v - centre);
        }
    }
    let rest: f64 = rest.iter().map(|v| (v - centre) * (v - centre)).sum();
    (centre, (sums.iter().sum::<f64>() + rest) / n)
}

/// The place of the maximum of a function with one peak: walk uphill in doubling steps, then
/// Brent's method.
fn climb(mut f: impl FnMut(f64) -> f64) -> f64 {
    let (start, mut step) = (1.0, 0.5);
    let here = f(start);
    if f(start + step) <= here {
        step = -step;
    }
    let (mut back, mut at, mut best) = (start - step, start, here);
    loop {
        let next = at + step;
        let value = f(next);
        if value <= best || next.abs() > 1e6 {
            return peak(f, back.min(next), (at, best), back.max(next));
        }
        (back, at, best) = (at, next, value);
        step *= 2.0;
    }
}

#[expect(clippy::many_single_char_names, reason = "the letters of the formula")]
/// The peak between two ends, from a point inside that is higher than both: a parabola through
/// three points where that gains, a golden section where it does not (Brent 1973).
fn peak(mut f: impl FnMut(f64) -> f64, mut low: f64, inside: (f64, f64), mut high: f64) -> f64 {
    let golden = (3.0 - 5f64.sqrt()) / 2.0;
    let (mut best, mut second, mut third) = (inside, inside, inside);
    let (mut step, mut before): (f64, f64) = (0.0, 0.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        let near = 1e-9 * (1.0 + best.0.abs());
        if (best.0 - middle).abs() <= 2.0 * near - 0.5 * (high - low) {
            break;
        }
        let (p, q) = {
            let r = (best.0 - second.0) * (best.1 - third.1);
            let s = (best.0 - third.0) * (best.1 - second.1);
            let (p, q) = (
                (best.0 - third.0) * s - (best.0 - second.0) * r,
                2.0 * (s - r),
            );
            if q > 0.0 { (-p, q) } else { (p, -q) }
        };
        let trusted = before.abs() > near
            && p.abs() < (0.5 * q * before).abs()
            && p > q * (low - best.0)
            && p < q * (high - best.0);
        if trusted {
            (before, step) = (step, p / q);
            let at = best.0 + step;
            if at - low < 2.0 * near || high - at < 2.0 * near {
                step = near.copysign(middle - best.0);
            }
        } else {
            before = if best.0 < middle {
                high - best.0
            } else {
                low - best.0
            };
            step = golden * before;
        }
        let at = best.0
            + if step.abs() >= near {
                step
            } else {
                near.copysign(step)
            };
        let found = (at, f(at));
        if found.1 >= best.1 {
            if at < best.0 {
                high = best.0;
            } else {
                low = best.0;
            }
            (third, second, best) = (second, best, found);
        } else {
            if at < best.0 {
                low = at;
            } else {
                high = at;
            }
            if found.1 >= second.1 || second.0.total_cmp(&best.0).is_eq() {
                (third, second) = (second, found);
            } else if found.1 >= third.1
                || third.0.total_cmp(&best.0).is_eq()
                || third.0.total_cmp(&second.0).is_eq()
            {
                third = found;
            }
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_digits_are_lost_far_from_one() {
        // Like a refractive index: narrow, far from zero, best power far below zero.
        let values: Vec<f64> = (0..200)
            .map(|i| {
                1.511 + 0.0001 * f64::from(i % 50) + 0.00001 * f64::from(i) * f64::from(i) / 40.0
            })
            .collect();
        let column = PowerColumn::fit(&values);
        let mut out = values.clone();
        column.apply_all(&mut out);
        out.sort_by(f64::total_cmp);
        out.dedup_by(|a, b| a.to_bits() == b.to_bits());
        let mut distinct = values.clone();
        distinct.sort_by(f64::total_cmp);
        distinct.dedup_by(|a, b| a.to_bits() == b.to_bits());
        assert_eq!(out.len(), distinct.len());
    }

    #[test]
    fn constant_negative_and_mixed_columns() {
        for values in [
            vec![2.0; 5],
            vec![-3.0, -1.0, -0.5, -9.0],
            vec![-2.0, 0.0, 1.0, 5.0],
        ] {
            let column = PowerColumn::fit(&values);
            let mut out = values.clone();
            column.apply_all(&mut out);
            assert!(out.iter().all(|v| v.is_finite()), "{values:?} {out:?}");
            assert!(mean(&out).abs() < 1e-9);
            let mut far = [1e9, -1e9];
            column.apply_all(&mut far);
            assert!(far.iter().all(|v| v.is_finite()), "{far:?}");
        }
    }

    #[test]
    fn the_peak_of_a_known_curve() {
        for place in [-31.7, -0.2, 0.0, 1.0, 2.6, 400.0] {
            let found =
                climb(|x: f64| -libm::cosh((x - place) / 50.0) - 0.01 * (x - place).powi(2));
            assert!(
                (found - place).abs() < 1e-6 * (1.0 + place.abs()),
                "{place} {found}"
            );
        }
    }
}
