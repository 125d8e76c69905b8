//! Growing one classification tree (Breiman, Friedman, Olshen, Stone 1984).
//!
//! Columns come sorted. A split looks at rows as keys (rank, class, weight) in one machine word: a
//! large node filters the sorted column, a small one sorts its own keys; both give the same order
//! of ranks, so the same split.

use crate::chance::Dice;
use crate::classify::Prepared;
use crate::classify::features::Features;
use crate::classify::tree::Tree;

/// How the purity of a node is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purity {
    Gini,
    Entropy,
}

/// What a tree may do.
#[derive(Clone, Debug)]
pub(super) struct Growth {
    pub(super) purity: Purity,
    pub(super) depth: usize,
    pub(super) min_split: usize,
    pub(super) min_leaf: usize,
    /// Columns tried at a split.
    pub(super) features: usize,
    /// One random threshold per column rather than the best.
    pub(super) random_thresholds: bool,
}

/// A chosen split: rows of rank at most `rank` go left, or without ranks those up to the threshold.
#[derive(Clone, Copy, Debug)]
struct Split {
    column: usize,
    rank: u32,
    threshold: f64,
    worth: f64,
}

struct Task {
    node: usize,
    start: usize,
    end: usize,
    depth: usize,
}

/// What a tree looks at: sorted columns for the best threshold, plain ones for a random one.
#[derive(Clone, Copy)]
enum Columns<'a> {
    Sorted(&'a Features),
    Plain(&'a [f64]),
}

pub(super) struct Grower<'a> {
    columns_of: Columns<'a>,
    y: &'a [u32],
    weights: Option<&'a [u32]>,
    growth: &'a Growth,
    classes: usize,
    /// Rows, every node's in one stretch.
    rows: Vec<u32>,
    /// The node that each row is in; rows outside the sample are nowhere.
    home: Vec<u32>,
    keys: Vec<u64>,
    columns: Vec<usize>,
    left: Vec<u32>,
    right: Vec<u32>,
    /// `n ln n` for entropy.
    logs: Vec<f64>,
    spare: Vec<u32>,
    /// The values of a node's rows in one column.
    values: Vec<f64>,
    /// Rows of each class on the left of the best random split so far.
    best_left: Vec<u32>,
    prepared: &'a Prepared<'a>,
}

const NOWHERE: u32 = u32::MAX;

impl<'a> Grower<'a> {
    pub(super) fn new(
        prepared: &'a Prepared<'a>,
        weights: Option<&'a [u32]>,
        growth: &'a Growth,
    ) -> Grower<'a> {
        let columns_of = if growth.random_thresholds {
            Columns::Plain(prepared.columns())
        } else {
            Columns::Sorted(prepared.sorted())
        };
        let n = prepared.y.len();
        let weight = |i: usize| weights.map_or(1, |w| w[i]);
        let mut rows: Vec<u32> = (0..n as u32).filter(|&i| weight(i as usize) > 0).collect();
        if growth.random_thresholds {
            // Splits keep the order, so in every node the rows of a class stay side by side and
            // counting them is one comparison each.
            rows.sort_by_key(|&i| prepared.y[i as usize]);
        }
        let total: usize = (0..n).map(|i| weight(i) as usize).sum();
        let logs = if growth.purity == Purity::Entropy {
            (0..=total)
                .map(|i| {
                    if i == 0 {
                        0.0
                    } else {
                        i as f64 * libm::log(i as f64)
                    }
                })
                .collect()
        } else {
            Vec::new()
        };
        let mut home = vec![NOWHERE; n];
        for &i in &rows {
            home[i as usize] = 0;
        }
        Grower {
            columns_of,
            y: &prepared.y,
            weights,
            growth,
            classes: prepared.classes,
            spare: Vec::with_capacity(rows.len()),
            keys: Vec::with_capacity(rows.len()),
            rows,
            home,
            columns: (0..prepared.x.columns()).collect(),
            left: vec![0; prepared.classes],
            right: vec![0; prepared.classes],
            values: Vec::new(),
            best_left: vec![0; prepared.classes],
            logs,
            prepared,
        }
    }

    pub(super) fn grow(mut self, dice: &mut Dice) -> Tree {
        let mut tree = Tree::empty(self.classes);
        let end = self.rows.len();
        let root = self.add(&mut tree, 0, end);
        let mut tasks = vec![Task {
            node: root,
            start: 0,
            end,
            depth: 0,
        }];
        while let Some(task) = tasks.pop() {
            if self.prepared.stopped() {
                break;
            }
            let counts = tree.counts(task.node).to_vec();
            let pure = counts.iter().filter(|&&c| c > 0).count() < 2;
            let rows = task.end - task.start;
            if pure
                || rows < self.growth.min_split
                || rows < 2 * self.growth.min_leaf
                || task.depth >= self.growth.depth
            {
                continue;
            }
            let Some(split) = self.split(&task, &counts, dice) else {
                continue;
            };
            let middle = self.part(&task, &split);
            let (left, right) = if self.growth.random_thresholds {
                let others = counts.iter().zip(&self.best_left).map(|(c, l)| c - l);
                let right = others.collect::<Vec<_>>();
                (tree.add(&self.best_left), tree.add(&right))
            } else {
                let left = self.add(&mut tree, task.start, middle);
                let right = self.add(&mut tree, middle, task.end);
                for &i in &self.rows[task.start..middle] {
                    self.home[i as usize] = left as u32;
                }
                for &i in &self.rows[middle..task.end] {
                    self.home[i as usize] = right as u32;
                }
                (left, right)
            };
            tree.split(task.node, split.column, split.threshold, left, right);
            let depth = task.depth + 1;
            tasks.push(Task {
                node: right,
                start: middle,
                end: task.end,
                depth,
            });
            tasks.push(Task {
                node: left,
                start: task.start,
                end: middle,
                depth,
            });
        }
        tree
    }

    fn weight(&self, i: u32) -> u32 {
        self.weights.map_or(1, |w| w[i as usize])
    }

    fn add(&self, tree: &mut Tree, start: usize, end: usize) -> usize {
        let mut counts = vec![0; self.classes];
        for &i in &self.rows[start..end] {
            counts[self.y[i as usize] as usize] += self.weight(i);
        }
        tree.add(&counts)
    }

    /// The best split over a random choice of columns. Constant columns count as tried, but the
    /// search goes on until one column could be split at all.
    fn split(&mut self, task: &Task, counts: &[u32], dice: &mut Dice) -> Option<Split> {
        let mut best: Option<Split> = None;
        let p = self.columns.len();
        for tried in 0..p {
            if tried >= self.growth.features && best.is_some() {
                break;
            }
            let pick = tried + dice.below(p - tried);
            self.columns.swap(tried, pick);
            let column = self.columns[tried];
            let found = if self.growth.random_thresholds {
                self.random(task, column, counts, dice)
            } else {
                self.best(task, column, counts)
            };
            if let Some(found) = found
                && best.is_none_or(|b| found.worth > b.worth)
            {
                best = Some(found);
                self.best_left.copy_from_slice(&self.left);
            }
        }
        best
    }

    /// The best threshold of one column; `None` where it is constant here.
    fn best(&mut self, task: &Task, column: usize, counts: &[u32]) -> Option<Split> {
        let Columns::Sorted(features) = self.columns_of else {
            unreachable!("the best threshold needs sorted columns")
        };
        self.collect(features, task, column);
        let first = (*self.keys.first()? >> 32) as u32;
        let last = (*self.keys.last()? >> 32) as u32;
        if first == last {
            return None;
        }
        self.left.fill(0);
        self.right.copy_from_slice(counts);
        let total: u32 = counts.iter().sum();
        let rows = self.keys.len();
        let mut square_right: i64 = counts.iter().map(|&c| i64::from(c) * i64::from(c)).sum();
        let (mut square_left, mut on_left) = (0i64, 0u32);
        let mut best: Option<(f64, u32, u32)> = None;
        let gini = self.growth.purity == Purity::Gini;
        for at in 0..rows - 1 {
            let key = self.keys[at];
            let class = (key >> 16 & 0xffff) as usize;
            let weight = (key & 0xffff) as u32;
            let (l, r, w) = (
                i64::from(self.left[class]),
                i64::from(self.right[class]),
                i64::from(weight),
            );
            square_left += w * (2 * l + w);
            square_right -= w * (2 * r - w);
            self.left[class] += weight;
            self.right[class] -= weight;
            on_left += weight;
            let (rank, next) = ((key >> 32) as u32, (self.keys[at + 1] >> 32) as u32);
            if rank == next || at + 1 < self.growth.min_leaf || rows - at - 1 < self.growth.min_leaf
            {
                continue;
            }
            let on_right = total - on_left;
            let worth = if gini {
                square_left as f64 / f64::from(on_left) + square_right as f64 / f64::from(on_right)
            } else {
                self.entropy(on_left, on_right)
            };
            if best.is_none_or(|(b, _, _)| worth > b) {
                best = Some((worth, rank, next));
            }
        }
        let (worth, rank, next) = best?;
        let values = &features.values[column];
        let (low, high) = (values[rank as usize], values[next as usize]);
        let middle = low / 2.0 + high / 2.0;
        let threshold = if middle >= high || !middle.is_finite() {
            low
        } else {
            middle
        };
        Some(Split {
            column,
            rank,
            threshold,
            worth,
        })
    }

    /// One random threshold of a column; `None` where it is constant here.
    fn random(
        &mut self,
        task: &Task,
        column: usize,
        counts: &[u32],
        dice: &mut Dice,
    ) -> Option<Split> {
        let Columns::Plain(columns) = self.columns_of else {
            unreachable!("random thresholds look at plain columns")
        };
        let values = &columns[column * self.y.len()..(column + 1) * self.y.len()];
        let rows = &self.rows[task.start..task.end];
        self.values.clear();
        self.values.extend(rows.iter().map(|&i| values[i as usize]));
        let least = self.values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = self
            .values
            .iter()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max);
        if least >= most {
            return None;
        }
        let mut threshold = least + dice.unit() * (most - least);
        if threshold >= most || threshold.is_nan() {
            threshold = least;
        }
        let (mut start, mut rows_left) = (0, 0);
        for (left, &count) in self.left.iter_mut().zip(counts) {
            let end = start + count as usize;
            let below = self.values[start..end].iter();
            *left = below.map(|&v| u32::from(v <= threshold)).sum();
            rows_left += *left as usize;
            start = end;
        }
        let rows = task.end - task.start;
        if rows_left < self.growth.min_leaf || rows - rows_left < self.growth.min_leaf {
            return None;
        }
        for ((r, &c), &l) in self.right.iter_mut().zip(counts).zip(&self.left) {
            *r = c - l;
        }
        let (on_left, on_right) = (self.left.iter().sum(), self.right.iter().sum());
        let worth = match self.growth.purity {
            Purity::Gini => {
                let squares = |side: &[u32]| -> f64 {
                    side.iter().map(|&c| f64::from(c) * f64::from(c)).sum()
                };
                squares(&self.left) / f64::from(on_left)
                    + squares(&self.right) / f64::from(on_right)
            }
            Purity::Entropy => self.entropy(on_left, on_right),
        };
        Some(Split {
            column,
            rank: 0,
            threshold,
            worth,
        })
    }

    fn entropy(&self, on_left: u32, on_right: u32) -> f64 {
        let side = |counts: &[u32], all: u32| -> f64 {
            counts.iter().map(|&c| self.logs[c as usize]).sum::<f64>() - self.logs[all as usize]
        };
        side(&self.left, on_left) + side(&self.right, on_right)
    }

    /// The node's rows as keys in ascending rank.
    fn collect(&mut self, features: &Features, task: &Task, column: usize) {
        let ranks = features.ranks(column);
        let (y, weights) = (self.y, self.weights);
        let key = |i: u32| {
            let weight = weights.map_or(1, |w| w[i as usize]);
            u64::from(ranks[i as usize]) << 32
                | u64::from(y[i as usize]) << 16
                | u64::from(weight.min(0xffff))
        };
        self.keys.clear();
        let rows = task.end - task.start;
        // Sorting costs about rows * log(rows) * 2, filtering one look at every row.
        let sorting = rows * (usize::BITS - rows.leading_zeros()) as usize * 2;
        if sorting > features.rows {
            let node = task.node as u32;
            let home = &self.home;
            self.keys.extend(
                features
                    .order(column)
                    .iter()
                    .filter(|&&i| home[i as usize] == node)
                    .map(|&i| key(i)),
            );
        } else {
            self.keys
                .extend(self.rows[task.start..task.end].iter().map(|&i| key(i)));
            self.keys.sort_unstable();
        }
    }

    /// Puts the rows that go left first and gives the place where the others start.
    fn part(&mut self, task: &Task, split: &Split) -> usize {
        match self.columns_of {
            Columns::Sorted(features) => {
                let ranks = features.ranks(split.column);
                self.part_by(task, |i| ranks[i as usize] <= split.rank)
            }
            Columns::Plain(columns) => {
                let values = &columns[split.column * self.y.len()..];
                self.part_by(task, |i| values[i as usize] <= split.threshold)
            }
        }
    }

    fn part_by(&mut self, task: &Task, goes_left: impl Fn(u32) -> bool) -> usize {
        self.spare.clear();
        let mut write = task.start;
        for at in task.start..task.end {
            let i = self.rows[at];
            if goes_left(i) {
                self.rows[write] = i;
                write += 1;
            } else {
                self.spare.push(i);
            }
        }
        self.rows[write..task.end].copy_from_slice(&self.spare);
        write
    }
}
