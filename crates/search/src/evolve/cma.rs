//! CMA-ES: a cloud of points that learns the shape of the hill it climbs.

use serde::{Deserialize, Serialize};
use wits_game::{Dice, Seed};

/// The state of a run: plain data that can be written to disk between generations.
///
/// Source: Hansen (2016), "The CMA evolution strategy: a tutorial", with its default parameters and
/// positive weights only. Points are drawn around a mean; the better half pulls the mean, the shape
/// of the cloud follows the steps that paid, and its size grows while steps agree.
///
/// # Invariant
/// The points of a generation depend on the state alone, so asking twice gives the same points.
///
/// # Complexity
/// O(n³) a generation for n numbers.
///
/// # Example
/// ```
/// use wits_game::Seed;
/// use wits_search::evolve::Cma;
/// let mut cma = Cma::new(vec![3.0, -2.0], vec![1.0, 1.0], 8, Seed::new(1));
/// for _ in 0..60 {
///     let worth: Vec<f64> = cma.ask().iter().map(|p| -(p[0] * p[0] + p[1] * p[1])).collect();
///     cma.tell(&worth);
/// }
/// assert!(cma.mean().iter().all(|x| x.abs() < 1e-3));
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Cma {
    /// How many generations there were.
    pub generation: u64,
    seed: Seed,
    size: usize,
    mean: Vec<f64>,
    /// What one unit means for each number.
    scale: Vec<f64>,
    sigma: f64,
    /// The shape, row by row.
    shape: Vec<f64>,
    path: Vec<f64>,
    path_sigma: Vec<f64>,
}

impl Cma {
    /// A run that starts around `mean`, with first steps of about `scale` in each number, and
    /// `size` points a generation.
    pub fn new(mean: Vec<f64>, scale: Vec<f64>, size: usize, seed: Seed) -> Cma {
        let n = mean.len();
        Cma {
            generation: 0,
            seed,
            size: size.max(4),
            mean,
            scale,
            sigma: 1.0,
            shape: unit(n),
            path: vec![0.0; n],
            path_sigma: vec![0.0; n],
        }
    }

    /// The usual number of points for so many numbers.
    pub fn usual_size(numbers: usize) -> usize {
        4 + (3.0 * libm::log(numbers.max(1) as f64)) as usize
    }

    /// The centre of the cloud: the present answer.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// How large steps are at present, in units of the first ones.
    pub fn sigma(&self) -> f64 {
        self.sigma
    }

    /// The draws of this generation before the cloud gives them its shape.
    fn draws(&self) -> Vec<Vec<f64>> {
        let mut dice = Dice::new(self.seed.nth(self.generation));
        let n = self.mean.len();
        (0..self.size)
            .map(|_| (0..n).map(|_| normal(&mut dice)).collect())
            .collect()
    }

    /// The points to be judged now.
    pub fn ask(&self) -> Vec<Vec<f64>> {
        let n = self.mean.len();
        let (axes, lengths) = eigen(&self.shape, n);
        let place = |z: &Vec<f64>| {
            let y = turn(&axes, &lengths, z, n);
            (0..n)
                .map(|i| self.mean[i] + self.scale[i] * self.sigma * y[i])
                .collect()
        };
        self.draws().iter().map(place).collect()
    }

    /// Moves on: what the points of [`ask`](Self::ask) were worth, in their order; more is better.
    pub fn tell(&mut self, worth: &[f64]) {
        let n = self.mean.len();
        let dim = n as f64;
        let (axes, lengths) = eigen(&self.shape, n);
        let draws = self.draws();
        let mut order: Vec<usize> = (0..self.size.min(worth.len())).collect();
        order.sort_by(|&a, &b| worth[b].total_cmp(&worth[a]));
        let half = self.size / 2;
        let raw: Vec<f64> = (0..half)
            .map(|i| libm::log(f64::midpoint(self.size as f64, 1.0)) - libm::log((i + 1) as f64))
            .collect();
        let sum: f64 = raw.iter().sum();
        let weights: Vec<f64> = raw.iter().map(|w| w / sum).collect();
        let effective = 1.0 / weights.iter().map(|w| w * w).sum::<f64>();
        let steps: Vec<Vec<f64>> = order
            .iter()
            .take(half)
            .map(|&at| turn(&axes, &lengths, &draws[at], n))
            .collect();
        let pull: Vec<f64> = (0..n)
            .map(|i| weights.iter().zip(&steps).map(|(w, y)| w * y[i]).sum())
            .collect();
        // The tutorial's default learning rates.
        let c_sigma = (effective + 2.0) / (dim + effective + 5.0);
        let damp = 1.0 + 2.0 * (((effective - 1.0) / (dim + 1.0)).sqrt() - 1.0).max(0.0) + c_sigma;
        let c_path = (4.0 + effective / dim) / (dim + 4.0 + 2.0 * effective / dim);
        let c_one = 2.0 / ((dim + 1.3) * (dim + 1.3) + effective);
        let c_mu = (1.0 - c_one).min(
            2.0 * (effective - 2.0 + 1.0 / effective) / ((dim + 2.0) * (dim + 2.0) + effective),
        );
        let straight = unturn(&axes, &lengths, &pull, n);
        let gain = (c_sigma * (2.0 - c_sigma) * effective).sqrt();
        for (path, step) in self.path_sigma.iter_mut().zip(&straight) {
            *path = (1.0 - c_sigma) * *path + gain * step;
        }
        let length = self.path_sigma.iter().map(|p| p * p).sum::<f64>().sqrt();
        let expected = dim.sqrt() * (1.0 - 1.0 / (4.0 * dim) + 1.0 / (21.0 * dim * dim));
        let old = 1.0 - libm::pow(1.0 - c_sigma, 2.0 * (self.generation + 1) as f64);
        let steady = length / old.sqrt() < (1.4 + 2.0 / (dim + 1.0)) * expected;
        let stalled = if steady { 1.0 } else { 0.0 };
        let gain = (c_path * (2.0 - c_path) * effective).sqrt();
        for (path, step) in self.path.iter_mut().zip(&pull) {
            *path = (1.0 - c_path) * *path + stalled * gain * step;
        }
        let keep = 1.0 - c_one - c_mu + (1.0 - stalled) * c_one * c_path * (2.0 - c_path);
        for i in 0..n {
            for j in 0..n {
                let many: f64 = weights
                    .iter()
                    .zip(&steps)
                    .map(|(w, y)| w * y[i] * y[j])
                    .sum();
                let at = &mut self.shape[i * n + j];
                *at = keep * *at + c_one * self.path[i] * self.path[j] + c_mu * many;
            }
        }
        for ((mean, scale), pull) in self.mean.iter_mut().zip(&self.scale).zip(&pull) {
            *mean += scale * self.sigma * pull;
        }
        self.sigma *= libm::exp((c_sigma / damp * (length / expected - 1.0)).min(1.0));
        self.generation += 1;
    }
}

fn unit(n: usize) -> Vec<f64> {
    let mut matrix = vec![0.0; n * n];
    for i in 0..n {
        matrix[i * n + i] = 1.0;
    }
    matrix
}

/// A normal number (Box and Muller 1958).
pub(super) fn normal(dice: &mut Dice) -> f64 {
    let radius = (-2.0 * libm::log(1.0 - dice.unit())).sqrt();
    radius * libm::cos(std::f64::consts::TAU * dice.unit())
}

/// Gives a round draw the shape of the cloud.
fn turn(axes: &[f64], lengths: &[f64], z: &[f64], n: usize) -> Vec<f64> {
    (0..n)
        .map(|i| (0..n).map(|k| axes[i * n + k] * lengths[k] * z[k]).sum())
        .collect()
}

/// Takes the shape away, leaving directions as they are.
fn unturn(axes: &[f64], lengths: &[f64], y: &[f64], n: usize) -> Vec<f64> {
    let along: Vec<f64> = (0..n)
        .map(|k| (0..n).map(|i| axes[i * n + k] * y[i]).sum::<f64>() / lengths[k])
        .collect();
    (0..n)
        .map(|i| (0..n).map(|k| axes[i * n + k] * along[k]).sum())
        .collect()
}

/// Turns two values into each other by an angle, given by its cosine and sine.
fn rotate(values: &mut [f64], (one, other): (usize, usize), (cos, sin): (f64, f64)) {
    let (left, right) = (values[one], values[other]);
    values[one] = cos * left - sin * right;
    values[other] = sin * left + cos * right;
}

/// The axes of a symmetric matrix, column by column, and the square roots of their weights, by
/// Jacobi's rotations (1846): each makes one entry beside the diagonal vanish.
fn eigen(matrix: &[f64], n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut left = matrix.to_vec();
    let mut axes = unit(n);
    for _ in 0..60 {
        let beside = (0..n * n).filter(|at| at / n != at % n);
        if beside.map(|at| left[at] * left[at]).sum::<f64>() < 1e-24 {
            break;
        }
        for row in 0..n {
            for column in row + 1..n {
                let entry = left[row * n + column];
                if entry == 0.0 {
                    continue;
                }
                let gap = (left[column * n + column] - left[row * n + row]) / (2.0 * entry);
                let side = if gap < 0.0 { -1.0 } else { 1.0 };
                let tangent = side / (gap.abs() + (gap * gap + 1.0).sqrt());
                let cos = 1.0 / (tangent * tangent + 1.0).sqrt();
                let angle = (cos, tangent * cos);
                for k in 0..n {
                    rotate(&mut left, (k * n + row, k * n + column), angle);
                }
                for k in 0..n {
                    rotate(&mut left, (row * n + k, column * n + k), angle);
                    rotate(&mut axes, (k * n + row, k * n + column), angle);
                }
            }
        }
    }
    let lengths = (0..n).map(|i| left[i * n + i].max(1e-20).sqrt());
    let lengths = lengths.collect();
    (axes, lengths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_rebuild_the_matrix() {
        let n = 3;
        let matrix = [4.0, 1.0, 0.5, 1.0, 3.0, -0.2, 0.5, -0.2, 1.0];
        let (axes, lengths) = eigen(&matrix, n);
        for i in 0..n {
            for j in 0..n {
                let value: f64 = (0..n)
                    .map(|k| axes[i * n + k] * lengths[k] * lengths[k] * axes[j * n + k])
                    .sum();
                assert!((value - matrix[i * n + j]).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn a_long_bent_valley_is_walked_to_its_end() {
        // Rosenbrock's valley: the lowest point is at (1, 1, 1, 1).
        let worth = |p: &Vec<f64>| {
            let pit = |w: &[f64]| {
                let (a, b) = (w[1] - w[0] * w[0], 1.0 - w[0]);
                100.0 * a * a + b * b
            };
            -p.windows(2).map(pit).sum::<f64>()
        };
        let mut cma = Cma::new(
            vec![-1.0; 4],
            vec![0.5; 4],
            Cma::usual_size(4),
            Seed::new(3),
        );
        for _ in 0..400 {
            let all: Vec<f64> = cma.ask().iter().map(worth).collect();
            assert_eq!(cma.ask().len(), all.len());
            cma.tell(&all);
        }
        assert!(
            cma.mean().iter().all(|x| (x - 1.0).abs() < 1e-4),
            "{:?}",
            cma.mean()
        );
        // A run that was written down goes on the same way.
        let text = serde_json::to_string(&cma).unwrap();
        let again: Cma = serde_json::from_str(&text).unwrap();
        assert_eq!(again.ask().len(), cma.ask().len());
    }
}
