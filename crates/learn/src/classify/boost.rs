//! Gradient boosting of small regression trees (Friedman 2001), with the multinomial or, for two
//! classes, the binomial deviance.

use serde::{Deserialize, Serialize};

use super::Prepared;
use super::bayes::softmax;
use super::features::Features;
use crate::chance::{Dice, For, dice};
use crate::matrix::Matrix;

/// How to boost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) rounds: usize,
    pub(super) rate: f64,
    pub(super) depth: usize,
    pub(super) share: f64,
}

/// Rounds of small trees; each adds to the raw score of one class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Boosting {
    classes: usize,
    rate: f64,
    /// Raw scores before the first tree.
    start: Vec<f64>,
    /// Trees, round after round; one per class, or one in all where there are two classes.
    rounds: Vec<Vec<Small>>,
}

/// A small regression tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Small {
    columns: Vec<Option<u32>>,
    /// The threshold of a question, the value of a leaf.
    numbers: Vec<f64>,
    children: Vec<[u32; 2]>,
}

impl Small {
    fn leaf(&self, row: &[f64]) -> usize {
        let mut node = 0;
        while let Some(column) = self.columns[node] {
            let right = row[column as usize] > self.numbers[node];
            node = self.children[node][usize::from(right)] as usize;
        }
        node
    }

    fn is_whole(&self, width: usize) -> bool {
        let n = self.columns.len();
        n > 0
            && self.numbers.len() == n
            && self.children.len() == n
            && (0..n).all(|node| {
                self.columns[node].is_none_or(|column| {
                    let below = |c: u32| c as usize > node && (c as usize) < n;
                    (column as usize) < width && self.children[node].iter().all(|&c| below(c))
                })
            })
    }

    fn value(&self, row: &[f64]) -> f64 {
        self.numbers[self.leaf(row)]
    }
}

impl Boosting {
    pub(super) fn fit(rows: &Prepared<'_>, plan: &Plan, seed: u64) -> Boosting {
        let (n, classes) = (rows.y.len(), rows.classes);
        let counts = rows.counts();
        let log_share = |c: usize| libm::log((counts[c] as f64 / n as f64).max(1e-15));
        let two = classes == 2;
        let start: Vec<f64> = if two {
            vec![log_share(1) - log_share(0)]
        } else {
            (0..classes).map(log_share).collect()
        };
        let scores = start.len();
        let mut raw: Vec<f64> = (0..n).flat_map(|_| start.iter().copied()).collect();
        let mut rounds = Vec::with_capacity(plan.rounds);
        let mut trainer = Trainer::new(rows);
        for round in 0..plan.rounds as u64 {
            let mut dice = dice(seed, For::Fit, round);
            let drawn = draw(n, plan.share, &mut dice);
            let shares: Vec<Vec<f64>> = raw
                .chunks_exact(scores)
                .map(|r| if two { vec![sigmoid(r[0])] } else { softmax(r) })
                .collect();
            let mut trees = Vec::with_capacity(scores);
            for score in 0..scores {
                if rows.stopped() {
                    break;
                }
                let class = if two { 1 } else { score as u32 };
                let residual: Vec<f64> = (0..n)
                    .map(|i| f64::from(u8::from(rows.y[i] == class)) - shares[i][score])
                    .collect();
                let (mut tree, leaves) = trainer.grow(&residual, &drawn, plan.depth, &mut dice);
                set_leaves(&mut tree, &leaves, &residual, &drawn, scores);
                for i in 0..n {
                    let leaf = if drawn[i] {
                        leaves[i] as usize
                    } else {
                        tree.leaf(rows.x.row(i))
                    };
                    raw[i * scores + score] += plan.rate * tree.numbers[leaf];
                }
                trees.push(tree);
            }
            if rows.stopped() {
                break;
            }
            rounds.push(trees);
        }
        Boosting {
            classes,
            rate: plan.rate,
            start,
            rounds,
        }
    }

    /// Checks what came from a file.
    pub(crate) fn check(&self, width: usize, classes: usize) -> Result<(), String> {
        let scores = if classes == 2 { 1 } else { classes };
        let whole = self.classes == classes
            && self.start.len() == scores
            && self
                .rounds
                .iter()
                .all(|r| r.len() == scores && r.iter().all(|t| t.is_whole(width)));
        if whole {
            Ok(())
        } else {
            Err("its small trees are damaged".to_owned())
        }
    }

    /// The probability of each class for every row.
    pub fn probabilities(&self, x: &Matrix) -> Vec<Vec<f64>> {
        let shares = |raw: &Vec<f64>| {
            if self.classes == 2 {
                let p = sigmoid(raw[0]);
                vec![1.0 - p, p]
            } else {
                softmax(raw)
            }
        };
        self.raw(x).iter().map(shares).collect()
    }

    /// The raw scores of every row, before they become probabilities.
    pub(super) fn raw(&self, x: &Matrix) -> Vec<Vec<f64>> {
        (0..x.rows())
            .map(|i| {
                let mut raw = self.start.clone();
                for round in &self.rounds {
                    for (score, tree) in raw.iter_mut().zip(round) {
                        *score += self.rate * tree.value(x.row(i));
                    }
                }
                raw
            })
            .collect()
    }
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

fn draw(n: usize, share: f64, dice: &mut Dice) -> Vec<bool> {
    if share >= 1.0 {
        return vec![true; n];
    }
    let mut order: Vec<usize> = (0..n).collect();
    dice.shuffle(&mut order);
    let mut drawn = vec![false; n];
    order[..((share * n as f64) as usize).max(1)]
        .iter()
        .for_each(|&i| drawn[i] = true);
    drawn
}

/// One Newton step per leaf: the sum of residuals over the sum of their curvatures.
fn set_leaves(tree: &mut Small, leaves: &[u32], residual: &[f64], drawn: &[bool], scores: usize) {
    let mut top = vec![0.0; tree.columns.len()];
    let mut bottom = vec![0.0; tree.columns.len()];
    for (i, &r) in residual.iter().enumerate() {
        if drawn[i] {
            top[leaves[i] as usize] += r;
            bottom[leaves[i] as usize] += r.abs() * (1.0 - r.abs());
        }
    }
    let k = scores as f64;
    let factor = if scores == 1 { 1.0 } else { (k - 1.0) / k };
    for node in 0..tree.columns.len() {
        if tree.columns[node].is_none() {
            let flat = bottom[node] < 1e-150;
            tree.numbers[node] = if flat {
                0.0
            } else {
                factor * top[node] / bottom[node]
            };
        }
    }
}

/// Grows small trees on columns that stay sorted: a split parts every column's order, in place
/// and without mixing it, so no level ever sorts again.
struct Trainer<'a> {
    prepared: &'a Prepared<'a>,
    features: &'a Features,
    orders: Vec<u32>,
    spare: Vec<u32>,
    goes_left: Vec<bool>,
    columns: Vec<usize>,
}

impl<'a> Trainer<'a> {
    fn new(prepared: &'a Prepared<'a>) -> Trainer<'a> {
        let features = prepared.sorted();
        Trainer {
            prepared,
            features,
            orders: Vec::new(),
            spare: Vec::new(),
            goes_left: vec![false; features.rows],
            columns: (0..features.columns).collect(),
        }
    }

    /// A tree for these residuals, its leaves still without values, and the leaf of each row.
    fn grow(
        &mut self,
        residual: &[f64],
        drawn: &[bool],
        depth: usize,
        dice: &mut Dice,
    ) -> (Small, Vec<u32>) {
        let p = self.features.columns;
        self.orders.clear();
        for j in 0..p {
            self.orders.extend(
                self.features
                    .order(j)
                    .iter()
                    .filter(|&&i| drawn[i as usize]),
            );
        }
        let n = self.orders.len() / p;
        let mut tree = Small {
            columns: vec![None],
            numbers: vec![0.0],
            children: vec![[0, 0]],
        };
        let mut leaves = vec![0u32; residual.len()];
        let mut tasks = vec![(0usize, 0usize, n, 0usize)];
        while let Some((node, start, end, level)) = tasks.pop() {
            let grows = level < depth && end - start >= 2 && !self.prepared.stopped();
            let found = if grows {
                self.split(residual, n, start, end, dice)
            } else {
                None
            };
            let Some((column, rank, threshold)) = found else {
                for &i in &self.orders[start..end] {
                    leaves[i as usize] = node as u32;
                }
                continue;
            };
            let middle = self.part(n, start, end, column, rank);
            let left = tree.columns.len();
            for _ in 0..2 {
                tree.columns.push(None);
                tree.numbers.push(0.0);
                tree.children.push([0, 0]);
            }
            tree.columns[node] = Some(column as u32);
            tree.numbers[node] = threshold;
            tree.children[node] = [left as u32, left as u32 + 1];
            tasks.push((left + 1, middle, end, level + 1));
            tasks.push((left, start, middle, level + 1));
        }
        (tree, leaves)
    }

    fn split(
        &mut self,
        residual: &[f64],
        n: usize,
        start: usize,
        end: usize,
        dice: &mut Dice,
    ) -> Option<(usize, u32, f64)> {
        let rows = &self.orders[start..end];
        let total: f64 = rows.iter().map(|&i| residual[i as usize]).sum();
        let squares: f64 = rows.iter().map(|&i| residual[i as usize].powi(2)).sum();
        let count = (end - start) as f64;
        // Nothing left to explain.
        if squares / count - (total / count).powi(2) <= f64::EPSILON {
            return None;
        }
        dice.shuffle(&mut self.columns);
        let mut best: Option<(f64, usize, u32, u32)> = None;
        for &column in &self.columns {
            let order = &self.orders[column * n + start..column * n + end];
            let ranks = self.features.ranks(column);
            let mut sum = 0.0;
            for (at, pair) in order.windows(2).enumerate() {
                sum += residual[pair[0] as usize];
                let (rank, next) = (ranks[pair[0] as usize], ranks[pair[1] as usize]);
                if rank == next {
                    continue;
                }
                let on_left = (at + 1) as f64;
                let on_right = count - on_left;
                let gap = sum / on_left - (total - sum) / on_right;
                let worth = gap * gap * on_left * on_right;
                if best.is_none_or(|(b, ..)| worth > b) {
                    best = Some((worth, column, rank, next));
                }
            }
        }
        let (_, column, rank, next) = best?;
        let values = &self.features.values[column];
        let (low, high) = (values[rank as usize], values[next as usize]);
        let middle = low / 2.0 + high / 2.0;
        let threshold = if middle >= high || !middle.is_finite() {
            low
        } else {
            middle
        };
        Some((column, rank, threshold))
    }

    fn part(&mut self, n: usize, start: usize, end: usize, column: usize, rank: u32) -> usize {
        let ranks = self.features.ranks(column);
        let mut middle = start;
        for &i in &self.orders[column * n + start..column * n + end] {
            let left = ranks[i as usize] <= rank;
            self.goes_left[i as usize] = left;
            middle += usize::from(left);
        }
        for j in 0..self.features.columns {
            self.spare.clear();
            let order = &mut self.orders[j * n + start..j * n + end];
            let mut write = 0;
            for at in 0..order.len() {
                let i = order[at];
                if self.goes_left[i as usize] {
                    order[write] = i;
                    write += 1;
                } else {
                    self.spare.push(i);
                }
            }
            order[write..].copy_from_slice(&self.spare);
        }
        middle
    }
}
