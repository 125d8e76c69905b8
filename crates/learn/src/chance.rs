//! Chance that can be repeated: every random choice of the desk comes from a seed and a purpose.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// What a run of dice is for. Purposes do not share dice, so adding a draw to one of them never
/// shifts another.
#[derive(Clone, Copy, Debug)]
pub(crate) enum For {
    /// Which cells are removed.
    Missing,
    /// How rows are dealt into folds, and into a training and a test part.
    Split,
    /// What a classifier draws: bootstrap samples, features, thresholds.
    Fit,
    /// Resampling for intervals.
    Interval,
    /// Shuffling a column to see how much it mattered.
    Importance,
    /// Made-up data.
    Sample,
}

/// A run of dice (`ChaCha8`).
#[derive(Clone, Debug)]
pub(crate) struct Dice(ChaCha8Rng);

impl Dice {
    /// The `n`-th run of dice of this purpose.
    pub(crate) fn new(seed: u64, purpose: For, n: u64) -> Dice {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&(purpose as u64).to_le_bytes());
        key[16..24].copy_from_slice(&n.to_le_bytes());
        key[24..].copy_from_slice(b"learning");
        Dice(ChaCha8Rng::from_seed(key))
    }

    /// 64 random bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in `0..n`, each equally likely (Lemire 2019: multiply, reject the short end).
    pub(crate) fn below(&mut self, n: usize) -> usize {
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
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// A draw from the standard normal distribution (by inversion).
    pub(crate) fn gauss(&mut self) -> f64 {
        crate::distributions::normal_quantile(self.unit().max(1e-300))
    }

    /// Puts things in random order (Fisher and Yates, from the back).
    pub(crate) fn shuffle<T>(&mut self, things: &mut [T]) {
        for i in (1..things.len()).rev() {
            let j = self.below(i + 1);
            things.swap(i, j);
        }
    }
}
