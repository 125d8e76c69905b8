//! Chance that can be repeated: every random choice of the desk comes from a seed and a purpose.

pub(crate) use wits_game::Dice;
use wits_game::Seed;

/// What a run of dice is for. Purposes do not share dice, so adding a draw to one of them never
/// shifts another.
#[derive(Clone, Copy, Debug)]
pub(crate) enum For {
    /// Which cells are removed.
    Missing,
    /// How rows are dealt into folds, and into a training and a test part.
    Split,
    /// The seed of a fold's classifier.
    Fold,
    /// What a classifier draws: bootstrap samples, features, thresholds.
    Fit,
    /// Resampling for intervals.
    Interval,
    /// Shuffling a column to see how much it mattered.
    Importance,
    /// Made-up data, or a choice of rows.
    Sample,
}

/// The `n`-th run of dice of this purpose.
pub(crate) fn dice(seed: u64, purpose: For, n: u64) -> Dice {
    Dice::new(Seed::new(seed).nth((purpose as u64) << 48 | n))
}

/// A draw from the standard normal distribution (by inversion).
pub(crate) fn gauss(dice: &mut Dice) -> f64 {
    crate::distributions::normal_quantile(dice.unit().max(1e-300))
}

/// How many of `n` independent trials succeed: by inversion where few are expected, by Hörmann's
/// transformed rejection (1993, algorithm BTRS) where many are.
#[expect(clippy::many_single_char_names, reason = "the letters of the formula")]
pub(crate) fn binomial(dice: &mut Dice, n: usize, p: f64) -> usize {
    if p > 0.5 {
        return n - binomial(dice, n, 1.0 - p);
    }
    if p <= 0.0 || n == 0 {
        return 0;
    }
    let (trials, q) = (n as f64, 1.0 - p);
    if trials * p < 10.0 {
        let odds = p / q;
        let (mut left, mut chance) = (dice.unit(), libm::pow(q, trials));
        for k in 0..n {
            if left <= chance {
                return k;
            }
            left -= chance;
            chance *= (trials - k as f64) / (k as f64 + 1.0) * odds;
        }
        return n;
    }
    let wide = (trials * p * q).sqrt();
    let b = 1.15 + 2.53 * wide;
    let a = -0.0873 + 0.0248 * b + 0.01 * p;
    let alpha = (2.83 + 5.1 / b) * wide;
    let mode = ((trials + 1.0) * p).floor();
    let ways = |k: f64| libm::lgamma(k + 1.0) + libm::lgamma(trials - k + 1.0);
    loop {
        let (v, u) = (dice.unit(), dice.unit() - 0.5);
        let edge = 0.5 - u.abs();
        let k = ((2.0 * a / edge + b) * u + trials * p + 0.5).floor();
        if edge >= 0.07 && v <= 0.92 - 4.2 / b {
            return k as usize;
        }
        if (0.0..=trials).contains(&k) {
            let height = libm::log(v * alpha / (a / (edge * edge) + b));
            if height <= ways(mode) - ways(k) + (k - mode) * libm::log(p / q) {
                return k as usize;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chi-square of 20,000 draws against the exact probabilities.
    #[test]
    fn binomial_draws_follow_the_distribution() {
        for (n, p) in [(7, 0.3), (40, 0.1), (60, 0.4), (5000, 0.013), (300, 0.97)] {
            let mut dice = dice(3, For::Interval, n as u64);
            let mut seen = vec![0u32; n + 1];
            let draws = 20_000;
            (0..draws).for_each(|_| seen[binomial(&mut dice, n, p)] += 1);
            let ln = |k: usize| libm::lgamma(k as f64 + 1.0);
            let (mut chi, mut cells, mut rest, mut rest_seen) = (0.0, 0, 0.0, 0u32);
            for (k, &seen) in seen.iter().enumerate() {
                let log = ln(n) - ln(k) - ln(n - k)
                    + k as f64 * libm::log(p)
                    + (n - k) as f64 * libm::log1p(-p);
                let expected = f64::from(draws) * libm::exp(log);
                if expected < 5.0 {
                    rest += expected;
                    rest_seen += seen;
                } else {
                    chi += (f64::from(seen) - expected).powi(2) / expected;
                    cells += 1;
                }
            }
            chi += (f64::from(rest_seen) - rest).powi(2) / rest.max(1.0);
            // Five standard deviations above the mean of a chi-square distribution.
            let free = f64::from(cells);
            assert!(
                chi < free + 5.0 * (2.0 * free).sqrt() + 5.0,
                "{n} {p}: {chi} of {free}"
            );
        }
    }
}
