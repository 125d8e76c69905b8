//! SPSA: one small step in a random direction each way tells which way is up.

use serde::{Deserialize, Serialize};
use wits_game::{Dice, Seed};

/// How steps shrink: Spall's gains.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Gains {
    /// The size of the first moves, in units of the scale.
    pub step: f64,
    /// The size of the first trials, in units of the scale.
    pub trial: f64,
    /// How many rounds go by before moves begin to shrink in earnest.
    pub calm: f64,
}

impl Default for Gains {
    fn default() -> Self {
        Gains {
            step: 1.0,
            trial: 1.0,
            calm: 10.0,
        }
    }
}

/// The state of a run: plain data that can be written to disk between rounds.
///
/// Source: Spall (1992), simultaneous perturbation stochastic approximation, with his exponents
/// 0.602 and 0.101. Each round judges pairs of points on either side of the present one, all numbers
/// changed at once by a random sign, and moves along the difference. It needs few trials a round and
/// bears noise well, so it suits many parameters and games.
///
/// # Invariant
/// The points of a round depend on the state alone.
///
/// # Example
/// ```
/// use wits_game::Seed;
/// use wits_search::evolve::{Gains, Spsa};
/// let mut spsa = Spsa::new(vec![4.0, -3.0], vec![0.5, 0.5], 2, Gains::default(), Seed::new(2));
/// for _ in 0..500 {
///     let worth: Vec<f64> = spsa.ask().iter().map(|p| -(p[0] * p[0] + p[1] * p[1])).collect();
///     spsa.tell(&worth);
/// }
/// assert!(spsa.at().iter().all(|x| x.abs() < 0.05));
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Spsa {
    /// How many rounds there were.
    pub round: u64,
    seed: Seed,
    directions: usize,
    at: Vec<f64>,
    scale: Vec<f64>,
    gains: Gains,
}

impl Spsa {
    /// A run that starts at `at`; trials go about `scale` to either side, along so many directions
    /// a round.
    pub fn new(at: Vec<f64>, scale: Vec<f64>, directions: usize, gains: Gains, seed: Seed) -> Spsa {
        Spsa {
            round: 0,
            seed,
            directions: directions.max(1),
            at,
            scale,
            gains,
        }
    }

    /// The present answer.
    pub fn at(&self) -> &[f64] {
        &self.at
    }

    fn signs(&self) -> Vec<Vec<f64>> {
        let mut dice = Dice::new(self.seed.nth(self.round));
        let mut sign = || if dice.below(2) == 0 { -1.0 } else { 1.0 };
        (0..self.directions)
            .map(|_| self.at.iter().map(|_| sign()).collect())
            .collect()
    }

    fn trial(&self) -> f64 {
        self.gains.trial / libm::pow((self.round + 1) as f64, 0.101)
    }

    /// The points to be judged now: one on either side of the present one for every direction.
    pub fn ask(&self) -> Vec<Vec<f64>> {
        let far = self.trial();
        let mut points = Vec::new();
        for signs in self.signs() {
            for side in [1.0, -1.0] {
                let place = |i: usize| self.at[i] + side * far * self.scale[i] * signs[i];
                points.push((0..self.at.len()).map(place).collect());
            }
        }
        points
    }

    /// Moves on: what the points of [`ask`](Self::ask) were worth, in their order; more is better.
    pub fn tell(&mut self, worth: &[f64]) {
        let far = self.trial();
        let calm = self.gains.calm;
        let step = self.gains.step * libm::pow(calm + 1.0, 0.602)
            / libm::pow(self.round as f64 + 1.0 + calm, 0.602);
        let signs = self.signs();
        for i in 0..self.at.len() {
            let slope: f64 = signs
                .iter()
                .zip(worth.chunks(2))
                .map(|(s, pair)| match *pair {
                    [up, down] => (up - down) / (2.0 * far) * s[i],
                    _ => 0.0,
                })
                .sum();
            // No single round may throw the point further than a few trials.
            let reach = 4.0 * far;
            let mean = (step * slope / self.directions as f64).clamp(-reach, reach);
            self.at[i] += mean * self.scale[i];
        }
        self.round += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::cma::normal;
    use super::*;

    #[test]
    fn noise_does_not_keep_it_from_the_top() {
        let mut dice = Dice::new(Seed::new(9));
        let mut spsa = Spsa::new(
            vec![2.0; 6],
            vec![0.3; 6],
            4,
            Gains::default(),
            Seed::new(5),
        );
        for _ in 0..1500 {
            let worth: Vec<f64> = spsa
                .ask()
                .iter()
                .map(|p| {
                    let far: f64 = p.iter().map(|x| (x - 0.5) * (x - 0.5)).sum();
                    -far + 0.2 * normal(&mut dice)
                })
                .collect();
            spsa.tell(&worth);
        }
        assert!(
            spsa.at().iter().all(|x| (x - 0.5).abs() < 0.1),
            "{:?}",
            spsa.at()
        );
    }
}
