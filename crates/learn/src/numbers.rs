//! Small statistics of one column: mean, spread, quantiles.

/// The arithmetic mean; zero of nothing.
pub fn mean(values: &[f64]) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    values.iter().sum::<f64>() / values.len() as f64
}

/// Mean and population variance in two passes, so that a large mean costs no digits.
pub fn mean_and_variance(values: &[f64]) -> (f64, f64) {
    let centre = mean(values);
    let variance = mean_of(values, |v| (v - centre) * (v - centre));
    (centre, variance)
}

fn mean_of(values: &[f64], f: impl Fn(f64) -> f64) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    values.iter().map(|&v| f(v)).sum::<f64>() / values.len() as f64
}

/// The standard deviation that divides by n (what a leaderboard shows).
pub fn population_sd(values: &[f64]) -> f64 {
    mean_and_variance(values).1.sqrt()
}

/// The standard deviation that divides by n - 1 (what `describe` shows); zero for fewer than two.
pub fn sample_sd(values: &[f64]) -> f64 {
    let n = values.len();
    if n < 2 {
        return 0.0;
    }
    (mean_and_variance(values).1 * n as f64 / (n - 1) as f64).sqrt()
}

/// Sorts a copy in ascending order.
pub fn sorted(values: &[f64]) -> Vec<f64> {
    if values.len() >= MANY {
        return by_digits(values);
    }
    let mut copy = values.to_vec();
    copy.sort_unstable_by(f64::total_cmp);
    copy
}

/// From so many values on, digits beat comparisons.
const MANY: usize = 2_000;

/// Sorts by the eight bytes of each value, the last first (Seward 1954).
fn by_digits(values: &[f64]) -> Vec<f64> {
    // With the sign turned round, and every bit of a negative, numbers lie in the order of
    // `total_cmp` as whole numbers do.
    let key = |v: &f64| {
        let bits = v.to_bits();
        bits ^ ((bits as i64 >> 63) as u64 | 1 << 63)
    };
    let value = |key: u64| {
        let signs = (!key as i64 >> 63) as u64 | 1 << 63;
        f64::from_bits(key ^ signs)
    };
    let mut keys: Vec<u64> = values.iter().map(key).collect();
    let mut counts = vec![[0u32; 256]; 8];
    for key in &keys {
        for (digit, counts) in counts.iter_mut().enumerate() {
            counts[(key >> (8 * digit)) as usize & 255] += 1;
        }
    }
    let mut other = vec![0; keys.len()];
    for (digit, counts) in counts.iter_mut().enumerate() {
        // A digit that all values share changes nothing.
        if counts.iter().any(|&n| n as usize == keys.len()) {
            continue;
        }
        let mut from = 0;
        for n in counts.iter_mut() {
            from += std::mem::replace(n, from);
        }
        for &key in &keys {
            let place = &mut counts[(key >> (8 * digit)) as usize & 255];
            other[*place as usize] = key;
            *place += 1;
        }
        std::mem::swap(&mut keys, &mut other);
    }
    keys.into_iter().map(value).collect()
}

/// The quantile at `share` (0 to 1) of ascending values, linear between neighbours.
///
/// Interpolates from the nearer neighbour, so that a quantile of equal values is that value and
/// rounding agrees with what `NumPy` gives.
pub fn quantile(ascending: &[f64], share: f64) -> f64 {
    let last = ascending.len() - 1;
    let place = share.clamp(0.0, 1.0) * last as f64;
    let low = (place.floor() as usize).min(last);
    let high = (low + 1).min(last);
    let t = place - low as f64;
    let (a, b) = (ascending[low], ascending[high]);
    let gap = b - a;
    if t >= 0.5 {
        b - gap * (1.0 - t)
    } else {
        a + gap * t
    }
}

/// The quantiles at ascending shares, by choosing the few values that they need; the values are
/// put into another order.
pub fn quantiles<const N: usize>(values: &mut [f64], shares: [f64; N]) -> [f64; N] {
    let last = values.len() - 1;
    let mut from = 0;
    shares.map(|share| {
        let place = share.clamp(0.0, 1.0) * last as f64;
        let low = (place.floor() as usize).min(last);
        if from <= low {
            values[from..].select_nth_unstable_by(low - from, f64::total_cmp);
            from = low + 1;
        }
        let next = values[from..].iter().copied().fold(f64::INFINITY, f64::min);
        let high = if low < last { next } else { values[low] };
        quantile(&[values[low], high], place - low as f64)
    })
}

/// The quantile as the inverse of the step-shaped distribution function, averaged where it jumps
/// (Hyndman and Fan's second definition): always a value of the data, or the middle of two.
pub fn step_quantile(ascending: &[f64], share: f64) -> f64 {
    let n = ascending.len();
    let place = share.clamp(0.0, 1.0) * n as f64;
    let whole = place.floor();
    let at = |i: f64| ascending[(i.max(1.0) as usize).min(n) - 1];
    if place > whole {
        at(whole + 1.0)
    } else {
        0.5 * (at(whole) + at(whole + 1.0))
    }
}

/// `n` evenly spaced numbers from 0 to 1, both included.
pub fn evenly(n: usize) -> Vec<f64> {
    if n < 2 {
        return vec![0.0; n];
    }
    let step = 1.0 / (n - 1) as f64;
    let mut points: Vec<f64> = (0..n).map(|i| i as f64 * step).collect();
    points[n - 1] = 1.0;
    points
}

/// The place of the largest value, the first of equals; zero of nothing.
pub fn place_of_max(values: &[f64]) -> usize {
    let mut best = 0;
    for (i, &v) in values.iter().enumerate() {
        if v > values[best] {
            best = i;
        }
    }
    best
}

/// Pearson's correlation of two columns of equal length; `None` where one is constant.
pub fn correlation(a: &[f64], b: &[f64]) -> Option<f64> {
    let ((ma, va), (mb, vb)) = (mean_and_variance(a), mean_and_variance(b));
    if va <= 0.0 || vb <= 0.0 {
        return None;
    }
    let together = a
        .iter()
        .zip(b)
        .map(|(x, y)| (x - ma) * (y - mb))
        .sum::<f64>()
        / a.len() as f64;
    Some(together / (va.sqrt() * vb.sqrt()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_and_comparisons_sort_alike() {
        let mut dice = crate::chance::dice(5, crate::chance::For::Sample, 9);
        let mut values: Vec<f64> = (0..5_000).map(|_| 8.0 * dice.unit() - 4.0).collect();
        values.extend([0.0, -0.0, 1e300, -1e300, 5e-324, -5e-324, 1.0, 1.0]);
        values.extend([f64::INFINITY, f64::NEG_INFINITY]);
        let mut plain = values.clone();
        plain.sort_unstable_by(f64::total_cmp);
        let bits = |v: &[f64]| v.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&by_digits(&values)), bits(&plain));
        assert_eq!(bits(&by_digits(&[3.5; 40])), bits(&[3.5; 40]));
    }

    #[test]
    fn quantiles_by_both_definitions() {
        let v = [1.0, 2.0, 3.0, 4.0];
        assert!((quantile(&v, 0.5) - 2.5).abs() < 1e-15);
        assert!((quantile(&v, 1.0 / 3.0) - 2.0).abs() < 1e-15);
        assert!((step_quantile(&v, 0.5) - 2.5).abs() < 1e-15);
        assert!((step_quantile(&v, 0.3) - 2.0).abs() < 1e-15);
        assert!((step_quantile(&v, 0.0) - 1.0).abs() < 1e-15);
        assert!((step_quantile(&v, 1.0) - 4.0).abs() < 1e-15);
    }

    #[test]
    fn chosen_quantiles_equal_those_of_sorted_values() {
        for n in 1..40u32 {
            let mut values: Vec<f64> = (0..n).map(|i| f64::from(i * 7919 % 31)).collect();
            let ascending = sorted(&values);
            let shares = [0.0, 0.1, 0.25, 0.5, 0.5, 0.75, 1.0];
            let found = quantiles(&mut values, shares);
            for (f, s) in found.iter().zip(shares) {
                assert!((f - quantile(&ascending, s)).abs() < 1e-12, "{n} {s}");
            }
        }
    }

    #[test]
    fn a_quantile_of_equal_values_is_that_value() {
        let v = [0.1; 7];
        for i in 0..=10 {
            assert_eq!(
                quantile(&v, f64::from(i) / 10.0).to_bits(),
                0.1f64.to_bits()
            );
        }
    }

    #[test]
    fn spread() {
        assert!((population_sd(&[1.0, 3.0]) - 1.0).abs() < 1e-15);
        assert!((sample_sd(&[1.0, 3.0]) - 2f64.sqrt()).abs() < 1e-15);
        assert!(correlation(&[1.0, 1.0], &[1.0, 2.0]).is_none());
    }
}
