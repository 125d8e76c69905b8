//! Means, intervals and quantiles from whole numbers, so that the order of adding does not matter.

use serde::Serialize;

/// The sum of many whole numbers, with what a mean and its interval need.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sums {
    /// How many numbers.
    pub count: u64,
    /// Their sum.
    pub sum: u64,
    /// The sum of their squares.
    pub squares: u128,
    /// The least; nothing if there are none.
    pub min: Option<u64>,
    /// The greatest; nothing if there are none.
    pub max: Option<u64>,
}

impl Sums {
    /// One more number.
    pub fn add(&mut self, n: u64) {
        self.merge(&Sums {
            count: 1,
            sum: n,
            squares: u128::from(n) * u128::from(n),
            min: Some(n),
            max: Some(n),
        });
    }

    /// All numbers of another sum.
    pub fn merge(&mut self, other: &Sums) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
        self.min = self.min.into_iter().chain(other.min).min();
        self.max = self.max.into_iter().chain(other.max).max();
    }

    /// Mean, spread and the interval in which the true mean lies in 95 of 100 samples.
    pub fn summary(&self) -> Summary {
        let n = self.count as f64;
        if self.count == 0 {
            return Summary::default();
        }
        let mean = self.sum as f64 / n;
        let variance = if self.count < 2 {
            0.0
        } else {
            // In whole numbers as long as possible: (n * sum of squares - sum^2) / (n (n - 1)).
            let top =
                u128::from(self.count) * self.squares - u128::from(self.sum) * u128::from(self.sum);
            top as f64 / (n * (n - 1.0))
        };
        let half = 1.959_964 * libm::sqrt(variance / n);
        Summary {
            count: self.count,
            mean: Some(mean),
            sd: Some(libm::sqrt(variance)),
            interval: Some([mean - half, mean + half]),
            min: self.min,
            max: self.max,
        }
    }
}

/// A mean with its spread and interval; nothing where there was nothing to count.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Summary {
    /// How many numbers.
    pub count: u64,
    /// Their mean.
    pub mean: Option<f64>,
    /// Their standard deviation.
    pub sd: Option<f64>,
    /// The 95 % interval of the mean.
    pub interval: Option<[f64; 2]>,
    /// The least.
    pub min: Option<u64>,
    /// The greatest.
    pub max: Option<u64>,
}

/// A middle and the band around it that holds 80 of 100.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Band {
    /// One in ten is at or below this.
    pub low: f64,
    /// Half are at or below this.
    pub median: f64,
    /// Nine in ten are at or below this.
    pub high: f64,
}

impl Band {
    /// The band of a histogram whose bars stand at `0, step, 2 step, ...`.
    pub fn of(bars: &[u64], step: f64) -> Band {
        let total: u64 = bars.iter().sum();
        let at = |tenths: u64| {
            let rank = (total * tenths).div_ceil(10).max(1);
            let mut below = 0;
            let bar = bars.iter().position(|&bar| {
                below += bar;
                below >= rank
            });
            bar.unwrap_or(0) as f64 * step
        };
        Band {
            low: at(1),
            median: at(5),
            high: at(9),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries() {
        let mut sums = Sums::default();
        for n in [2, 4, 4, 4, 5, 5, 7, 9] {
            sums.add(n);
        }
        let summary = sums.summary();
        assert_eq!(
            (summary.mean, summary.min, summary.max),
            (Some(5.0), Some(2), Some(9))
        );
        assert!((summary.sd.unwrap() - libm::sqrt(32.0 / 7.0)).abs() < 1e-12);
        assert_eq!(Sums::default().summary(), Summary::default());
    }

    #[test]
    fn bands() {
        let mut bars = vec![0u64; 101];
        (1..=100).for_each(|i| bars[i] = 1);
        assert_eq!(
            Band::of(&bars, 0.5),
            Band {
                low: 5.0,
                median: 25.0,
                high: 45.0
            }
        );
        assert_eq!(
            Band::of(&[0, 0, 3], 1.0),
            Band {
                low: 2.0,
                median: 2.0,
                high: 2.0
            }
        );
    }
}
