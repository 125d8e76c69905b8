//! The sequential probability ratio test: play until it is clear, and no longer.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Counts, SCALE, expected};

/// What the two bounds of a test are measured in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Elo divided by how much results scatter: a test takes about equally long whether or not
    /// most games are drawn.
    #[default]
    Normalised,
    /// Plain Elo: the expected score follows the logistic function.
    Logistic,
}

impl FromStr for Model {
    type Err = String;

    fn from_str(text: &str) -> Result<Model, String> {
        match text {
            "normalised" | "normalized" => Ok(Model::Normalised),
            "logistic" => Ok(Model::Logistic),
            _ => Err("there are: normalised, logistic".to_owned()),
        }
    }
}

/// A test between two hypotheses: the difference in strength is `elo0`, or it is `elo1`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Sprt {
    /// The difference under the first hypothesis.
    pub elo0: f64,
    /// The difference under the second hypothesis.
    pub elo1: f64,
    /// How often a difference of `elo0` may be taken for `elo1`.
    pub alpha: f64,
    /// How often a difference of `elo1` may be taken for `elo0`.
    pub beta: f64,
    /// What the differences are measured in.
    pub model: Model,
}

/// Why a test cannot be made.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum BadBounds {
    /// The bounds are the wrong way round, equal or absurd.
    #[error(
        "elo0 = {0} and elo1 = {1} make no test; give elo0 below elo1, both from -1000 to 1000"
    )]
    Elo(f64, f64),
    /// The chances of error leave no room for a verdict.
    #[error("alpha = {0} and beta = {1} make no test; give each above 0 and below 0.5")]
    Errors(f64, f64),
}

/// What a test says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The difference is rather `elo0`.
    H0,
    /// The difference is rather `elo1`.
    H1,
    /// Not clear yet.
    Continue,
}

/// Where a test stands.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Test {
    /// The logarithm of the likelihood ratio.
    pub llr: f64,
    /// At or below this, `elo0` is accepted.
    pub lower: f64,
    /// At or above this, `elo1` is accepted.
    pub upper: f64,
    /// What that means.
    pub verdict: Verdict,
}

impl Sprt {
    /// A test with errors of 5% each, in normalised Elo.
    pub fn new(elo0: f64, elo1: f64) -> Sprt {
        Sprt {
            elo0,
            elo1,
            alpha: 0.05,
            beta: 0.05,
            model: Model::Normalised,
        }
    }

    /// Whether these bounds make a test.
    pub fn check(&self) -> Result<(), BadBounds> {
        let sane = |elo: f64| elo.is_finite() && elo.abs() <= 1000.0;
        if !(sane(self.elo0) && sane(self.elo1) && self.elo0 < self.elo1) {
            return Err(BadBounds::Elo(self.elo0, self.elo1));
        }
        let chance = |p: f64| p > 0.0 && p < 0.5;
        if !(chance(self.alpha) && chance(self.beta)) {
            return Err(BadBounds::Errors(self.alpha, self.beta));
        }
        Ok(())
    }

    /// Where the test stops (Wald 1945).
    pub fn stops(&self) -> (f64, f64) {
        let Sprt { alpha, beta, .. } = *self;
        (
            libm::log(beta / (1.0 - alpha)),
            libm::log((1.0 - beta) / alpha),
        )
    }

    /// Where the test stands after these results.
    ///
    /// The ratio is the generalised one: each hypothesis is represented by the distribution of
    /// results that it allows and that explains the counts best. Counts of zero are taken as 0.001,
    /// so that the best distribution exists.
    ///
    /// ```
    /// use wits_arena::stats::{Counts, Sprt, Verdict};
    /// let test = Sprt::new(0.0, 5.0).test(&Counts::Pairs([40, 400, 1200, 480, 60]));
    /// assert!((test.llr - 2.738_005).abs() < 1e-6 && test.verdict == Verdict::Continue);
    /// ```
    pub fn test(&self, counts: &Counts) -> Test {
        let (lower, upper) = self.stops();
        let llr = if counts.total() == 0 {
            0.0
        } else {
            self.llr(counts.list())
        };
        let verdict = if llr >= upper {
            Verdict::H1
        } else if llr <= lower {
            Verdict::H0
        } else {
            Verdict::Continue
        };
        Test {
            llr,
            lower,
            upper,
            verdict,
        }
    }

    fn llr(&self, counts: &[u64]) -> f64 {
        let seen = Seen::new(counts);
        let under = |elo: f64| match self.model {
            Model::Logistic => seen.with_mean(expected(elo)),
            Model::Normalised => {
                // Elo per game: a pair of games scatters less by the square root of two.
                let games = (counts.len() - 1) as f64 / 2.0;
                seen.with_strength(elo / (2.0 * SCALE) * games.sqrt())
            }
        };
        let (zero, one) = (under(self.elo0), under(self.elo1));
        let sum: f64 = (0..counts.len())
            .map(|i| seen.share[i] * libm::log(one[i] / zero[i]))
            .sum();
        sum * seen.total
    }
}

/// Results as points with the share of each.
struct Seen {
    points: Vec<f64>,
    share: Vec<f64>,
    total: f64,
}

impl Seen {
    fn new(counts: &[u64]) -> Seen {
        let filled: Vec<f64> = counts
            .iter()
            .map(|&n| if n == 0 { 1e-3 } else { n as f64 })
            .collect();
        let total: f64 = filled.iter().sum();
        let most = (counts.len() - 1) as f64;
        Seen {
            points: (0..counts.len()).map(|i| i as f64 / most).collect(),
            share: filled.iter().map(|n| n / total).collect(),
            total,
        }
    }

    /// The likeliest distribution in which `off` averages to zero, by Lagrange's multiplier: it is
    /// the seen one divided by `1 + x·off`, with the one x that fits.
    fn balanced(&self, off: &[f64]) -> Vec<f64> {
        let (least, most) = off.iter().fold((f64::MAX, f64::MIN), |(least, most), &o| {
            (least.min(o), most.max(o))
        });
        if least >= 0.0 || most <= 0.0 {
            return self.share.clone();
        }
        let (mut low, mut high) = (-1.0 / most, -1.0 / least);
        let mut x = 0.0;
        for _ in 0..200 {
            x = f64::midpoint(low, high);
            let lean: f64 = off
                .iter()
                .zip(&self.share)
                .map(|(o, p)| p * o / (1.0 + x * o))
                .sum();
            if lean > 0.0 {
                low = x;
            } else {
                high = x;
            }
        }
        off.iter()
            .zip(&self.share)
            .map(|(o, p)| p / (1.0 + x * o))
            .collect()
    }

    /// The likeliest distribution with this average.
    fn with_mean(&self, mean: f64) -> Vec<f64> {
        let off: Vec<f64> = self.points.iter().map(|a| a - mean).collect();
        self.balanced(&off)
    }

    /// The likeliest distribution whose average lies this many of its own standard deviations above
    /// one half: the condition is made linear at the present guess and solved again until it stands.
    fn with_strength(&self, strength: f64) -> Vec<f64> {
        let n = self.points.len();
        let mut guess = vec![1.0 / n as f64; n];
        for _ in 0..100 {
            let mean: f64 = self.points.iter().zip(&guess).map(|(a, p)| a * p).sum();
            let variance: f64 = self
                .points
                .iter()
                .zip(&guess)
                .map(|(a, p)| (a - mean) * (a - mean) * p)
                .sum();
            let off: Vec<f64> = self
                .points
                .iter()
                .map(|a| {
                    let sigma = variance.sqrt();
                    let far = (a - mean) * (a - mean) / variance;
                    a - 0.5 - strength * sigma * (1.0 + far) / 2.0
                })
                .collect();
            let next = self.balanced(&off);
            let moved = next
                .iter()
                .zip(&guess)
                .map(|(a, b)| (a - b).abs())
                .fold(0.0, f64::max);
            guess = next;
            if moved < 1e-14 {
                break;
            }
        }
        guess
    }
}
