//! How good predictions are, with intervals.

use serde::{Deserialize, Serialize};

use crate::chance::{Dice, For, binomial, dice};
use crate::distributions::normal_quantile;
use crate::numbers::{mean_and_variance, quantile, sorted};

/// Resamples for the intervals that have no formula.
const RESAMPLES: usize = 1000;

/// Up to this many rows a resample draws them one by one; beyond, it draws the confusion matrix as
/// a whole, which has the same distribution and does not take longer for more rows.
const ROW_BY_ROW: usize = 5000;

/// What a leaderboard is ordered by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Score {
    /// The share of right answers.
    #[default]
    Accuracy,
    /// The mean over classes of the share of right answers.
    BalancedAccuracy,
    /// The mean over classes of F1.
    MacroF1,
}

impl Score {
    /// The score of predictions.
    pub fn of(self, truth: &[u32], predicted: &[u32], classes: usize) -> f64 {
        if self == Score::Accuracy {
            let right = truth.iter().zip(predicted).filter(|(a, b)| a == b).count();
            right as f64 / truth.len().max(1) as f64
        } else {
            let table = Table::new(truth, predicted, classes);
            if self == Score::MacroF1 {
                table.macro_f1()
            } else {
                table.balanced()
            }
        }
    }
}

/// A value with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The value.
    pub value: f64,
    /// Its 95 % interval.
    pub interval: [f64; 2],
}

/// How one class fares.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassScore {
    /// The class.
    pub class: String,
    /// Rows of this class.
    pub support: usize,
    /// The share of rows called so that are so.
    pub precision: Measured,
    /// The share of rows that are so that were called so.
    pub recall: Measured,
    /// The harmonic mean of the two.
    pub f1: Measured,
}

/// Precision, recall and F1 over all classes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Average {
    /// Mean precision.
    pub precision: Measured,
    /// Mean recall.
    pub recall: Measured,
    /// Mean F1.
    pub f1: Measured,
}

/// Everything measured about a set of predictions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// How many rows.
    pub rows: usize,
    /// The share of right answers (Wilson's interval).
    pub accuracy: Measured,
    /// The mean recall of the classes.
    pub balanced_accuracy: Measured,
    /// Agreement beyond chance (Cohen).
    pub kappa: Measured,
    /// Matthews' correlation for several classes.
    pub mcc: Measured,
    /// The mean of minus the logarithm of the probability given to the truth; `null` where the
    /// classifier gives no probabilities.
    pub log_loss: Option<Measured>,
    /// Class by class.
    pub classes: Vec<ClassScore>,
    /// Every class counts the same.
    #[serde(rename = "macro")]
    pub plain: Average,
    /// Every row counts the same.
    pub weighted: Average,
    /// Rows: truth; columns: prediction.
    pub confusion: Vec<Vec<usize>>,
}

/// Measures predictions. `shares` are the probabilities, where there are any.
pub fn measure(
    truth: &[u32],
    predicted: &[u32],
    shares: Option<&[Vec<f64>]>,
    classes: &[String],
    seed: u64,
) -> Scores {
    let k = classes.len();
    let whole = Table::new(truth, predicted, k);
    let n = truth.len();
    let losses: Option<Vec<f64>> = shares.map(|shares| {
        shares
            .iter()
            .zip(truth)
            .map(|(p, &t)| -libm::log(p[t as usize].clamp(1e-15, 1.0)))
            .collect()
    });
    // One set of resamples serves every figure without a formula.
    let mut dice = dice(seed, For::Interval, 0);
    let mut drawn: Vec<Vec<f64>> = vec![Vec::with_capacity(RESAMPLES); 9 + k];
    for _ in 0..if n > 0 { RESAMPLES } else { 0 } {
        let mut table = Table {
            cells: vec![0; k * k],
            k,
        };
        let mut loss = 0.0;
        if n > ROW_BY_ROW {
            whole.redraw(&mut dice, &mut table);
        } else {
            for _ in 0..n {
                let i = dice.below(n);
                table.cells[truth[i] as usize * k + predicted[i] as usize] += 1;
                loss += losses.as_ref().map_or(0.0, |l| l[i]);
            }
        }
        let averages = table.averages();
        let mut figures = vec![
            table.balanced(),
            table.kappa(),
            table.mcc(),
            loss / n as f64,
        ];
        figures.truncate(4);
        figures.extend(averages.0.iter().skip(2).copied());
        figures.extend(averages.1);
        figures.push(averages.0[0]);
        figures.extend((0..k).map(|c| table.f1(c)));
        figures
            .into_iter()
            .zip(&mut drawn)
            .for_each(|(f, list)| list.push(f));
    }
    let spread = |at: usize| -> [f64; 2] {
        if drawn[at].is_empty() {
            return [0.0, 1.0];
        }
        let ascending = sorted(&drawn[at]);
        [quantile(&ascending, 0.025), quantile(&ascending, 0.975)]
    };
    let drawn_value = |value: f64, at: usize| Measured {
        value,
        interval: spread(at),
    };
    let (plain, weighted) = whole.averages();
    let right: usize = (0..k).map(|c| whole.at(c, c)).sum();
    Scores {
        rows: n,
        accuracy: share(right, n),
        balanced_accuracy: drawn_value(whole.balanced(), 0),
        kappa: drawn_value(whole.kappa(), 1),
        mcc: drawn_value(whole.mcc(), 2),
        log_loss: losses.map(|l| {
            if n <= ROW_BY_ROW {
                return drawn_value(l.iter().sum::<f64>() / n.max(1) as f64, 3);
            }
            // The mean of so many is as good as normal.
            let (value, variance) = mean_and_variance(&l);
            let half = normal_quantile(0.975) * (variance / n as f64).sqrt();
            Measured {
                value,
                interval: [(value - half).max(0.0), value + half],
            }
        }),
        classes: (0..k)
            .map(|c| ClassScore {
                class: classes[c].clone(),
                support: whole.truth(c),
                precision: share(whole.at(c, c), whole.called(c)),
                recall: share(whole.at(c, c), whole.truth(c)),
                f1: drawn_value(whole.f1(c), 9 + c),
            })
            .collect(),
        plain: Average {
            precision: drawn_value(plain[0], 8),
            recall: drawn_value(plain[1], 0),
            f1: drawn_value(plain[2], 4),
        },
        weighted: Average {
            precision: drawn_value(weighted[0], 5),
            recall: drawn_value(weighted[1], 6),
            f1: drawn_value(weighted[2], 7),
        },
        confusion: (0..k)
            .map(|t| (0..k).map(|p| whole.at(t, p)).collect())
            .collect(),
    }
}

/// A share with Wilson's interval (1927).
pub fn share(hits: usize, of: usize) -> Measured {
    if of == 0 {
        return Measured {
            value: 0.0,
            interval: [0.0, 1.0],
        };
    }
    wilson(hits as f64 / of as f64, of)
}

/// A share of so many, with Wilson's 95 % interval.
pub(crate) fn wilson(share: f64, of: usize) -> Measured {
    let (n, p) = (of as f64, share);
    let z = normal_quantile(0.975);
    let centre = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    Measured {
        value: p,
        // It holds the share, whatever rounding did.
        interval: [
            (centre - half).max(0.0).min(p),
            (centre + half).min(1.0).max(p),
        ],
    }
}

/// A confusion matrix: truth by row, prediction by column.
struct Table {
    cells: Vec<usize>,
    k: usize,
}

impl Table {
    fn new(truth: &[u32], predicted: &[u32], k: usize) -> Table {
        let mut cells = vec![0; k * k];
        for (&t, &p) in truth.iter().zip(predicted) {
            cells[t as usize * k + p as usize] += 1;
        }
        Table { cells, k }
    }

    /// As many rows as there are here, each from a random one of these cells: one binomial draw a
    /// cell, from the rows that are left and the share it has of the cells that are left.
    fn redraw(&self, dice: &mut Dice, out: &mut Table) {
        let mut rows: usize = self.cells.iter().sum();
        let mut weight = rows;
        for (cell, &count) in out.cells.iter_mut().zip(&self.cells) {
            *cell = if count == weight {
                rows
            } else {
                binomial(dice, rows, count as f64 / weight as f64)
            };
            rows -= *cell;
            weight -= count;
            if weight == 0 {
                break;
            }
        }
    }

    fn at(&self, truth: usize, called: usize) -> usize {
        self.cells[truth * self.k + called]
    }

    fn truth(&self, class: usize) -> usize {
        (0..self.k).map(|p| self.at(class, p)).sum()
    }

    fn called(&self, class: usize) -> usize {
        (0..self.k).map(|t| self.at(t, class)).sum()
    }

    fn all(&self) -> f64 {
        self.cells.iter().sum::<usize>() as f64
    }

    fn precision(&self, c: usize) -> f64 {
        ratio(self.at(c, c), self.called(c))
    }

    fn recall(&self, c: usize) -> f64 {
        ratio(self.at(c, c), self.truth(c))
    }

    fn f1(&self, c: usize) -> f64 {
        ratio(2 * self.at(c, c), self.called(c) + self.truth(c))
    }

    /// Classes that occur in truth or prediction.
    fn present(&self) -> Vec<usize> {
        (0..self.k)
            .filter(|&c| self.truth(c) + self.called(c) > 0)
            .collect()
    }

    fn balanced(&self) -> f64 {
        let present: Vec<usize> = (0..self.k).filter(|&c| self.truth(c) > 0).collect();
        present.iter().map(|&c| self.recall(c)).sum::<f64>() / present.len().max(1) as f64
    }

    fn macro_f1(&self) -> f64 {
        self.averages().0[2]
    }

    /// Precision, recall and F1: plain means, then weighted by support.
    fn averages(&self) -> ([f64; 3], [f64; 3]) {
        let present = self.present();
        let (mut plain, mut weighted) = ([0.0; 3], [0.0; 3]);
        for &c in &present {
            let weight = self.truth(c) as f64 / self.all();
            for (i, v) in [self.precision(c), self.recall(c), self.f1(c)]
                .into_iter()
                .enumerate()
            {
                plain[i] += v / present.len() as f64;
                weighted[i] += v * weight;
            }
        }
        (plain, weighted)
    }

    fn kappa(&self) -> f64 {
        let n = self.all();
        let agree: f64 = (0..self.k).map(|c| self.at(c, c) as f64).sum::<f64>() / n;
        let by_chance: f64 = (0..self.k)
            .map(|c| self.truth(c) as f64 * self.called(c) as f64)
            .sum::<f64>()
            / (n * n);
        if by_chance >= 1.0 {
            0.0
        } else {
            (agree - by_chance) / (1.0 - by_chance)
        }
    }

    fn mcc(&self) -> f64 {
        let n = self.all();
        let right: f64 = (0..self.k).map(|c| self.at(c, c) as f64).sum();
        let (mut both, mut truth, mut called) = (0.0, 0.0, 0.0);
        for c in 0..self.k {
            let (t, p) = (self.truth(c) as f64, self.called(c) as f64);
            both += t * p;
            truth += t * t;
            called += p * p;
        }
        let scale = ((n * n - called) * (n * n - truth)).sqrt();
        if scale > 0.0 {
            (right * n - both) / scale
        } else {
            0.0
        }
    }
}

fn ratio(top: usize, bottom: usize) -> f64 {
    if bottom == 0 {
        0.0
    } else {
        top as f64 / bottom as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Redrawing the matrix and redrawing the rows give intervals of the same place and width.
    #[test]
    fn redrawn_matrices_spread_as_redrawn_rows_do() {
        let n = 4000;
        let truth: Vec<u32> = (0..n)
            .map(|i| u32::from(i % 10 < 3) + u32::from(i % 50 == 0))
            .collect();
        let called: Vec<u32> = truth
            .iter()
            .enumerate()
            .map(|(i, &t)| if i % 7 == 0 { 1 } else { t })
            .collect();
        let whole = Table::new(&truth, &called, 3);
        let mut dice = dice(1, For::Interval, 0);
        let mut drawn = [Vec::new(), Vec::new()];
        for _ in 0..2000 {
            let mut table = Table {
                cells: vec![0; 9],
                k: 3,
            };
            whole.redraw(&mut dice, &mut table);
            assert_eq!(table.cells.iter().sum::<usize>(), n);
            drawn[0].push(table.kappa());
            let mut table = Table {
                cells: vec![0; 9],
                k: 3,
            };
            for _ in 0..n {
                let i = dice.below(n);
                table.cells[(truth[i] * 3 + called[i]) as usize] += 1;
            }
            drawn[1].push(table.kappa());
        }
        let [(m0, v0), (m1, v1)] = drawn.map(|d| mean_and_variance(&d));
        assert!((m0 - m1).abs() < 4.0 * (v1 / 1000.0).sqrt(), "{m0} {m1}");
        assert!((v0 / v1 - 1.0).abs() < 0.2, "{v0} {v1}");
    }
}
