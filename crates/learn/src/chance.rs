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
