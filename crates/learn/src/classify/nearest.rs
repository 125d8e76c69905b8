//! Finding the nearest rows: a k-d tree where there are few columns (Friedman, Bentley, Finkel
//! 1977), one pass over all rows in blocks where there are many.
//!
//! Both look with bounds that never call a row too far that is near enough, and compute the
//! distances of the rows left in one way. So they find the same rows as a plain loop does: the
//! `k` smallest by distance, the earlier row where distances are equal.

use crate::dense::means;
use crate::matrix::{Matrix, squared_distance};

/// Up to this many columns a tree looks at fewer rows than there are.
const TREE_COLUMNS: usize = 8;
/// Rows in a leaf of the tree.
const LEAF: usize = 16;
/// Rows in a block, and questions asked of a block at once.
const LANES: usize = 16;
const LINES: usize = 4;
/// Blocks that are compared with every question of a group before the next ones: 32 of 16 rows
/// of 20 columns are 40 KB.
const STRETCH: usize = 32;

/// Training rows, arranged to be searched.
#[derive(Clone, Debug)]
pub(super) enum Search {
    Tree(Tree),
    Blocks(Blocks),
}

impl Search {
    pub(super) fn new(x: &Matrix) -> Search {
        if x.columns() <= TREE_COLUMNS && x.rows() > 4 * LEAF {
            Search::Tree(Tree::new(x))
        } else {
            Search::Blocks(Blocks::new(x))
        }
    }

    /// The nearest training rows of each of these.
    pub(super) fn nearest(&self, x: &Matrix, rows: &[&[f64]], k: usize) -> Vec<Nearest> {
        match self {
            Search::Tree(tree) => rows.iter().map(|row| tree.nearest(x, row, k)).collect(),
            Search::Blocks(blocks) => blocks.nearest(x, rows, k),
        }
    }
}

/// The smallest few of a stream, as a heap with the largest kept on top. Of equal distances the
/// earlier row is smaller.
#[derive(Clone, Debug)]
pub(crate) struct Nearest {
    kept: Vec<(usize, f64)>,
}

impl Nearest {
    pub(crate) fn new(size: usize) -> Nearest {
        Nearest {
            kept: vec![(usize::MAX, f64::INFINITY); size],
        }
    }

    /// What a distance must not exceed to matter.
    pub(crate) fn limit(&self) -> f64 {
        self.kept[0].1
    }

    pub(crate) fn offer(&mut self, distance: f64, row: usize) {
        let less = |a: (usize, f64), b: (usize, f64)| a.1 < b.1 || (a.1 <= b.1 && a.0 < b.0);
        let offered = (row, distance);
        if !less(offered, self.kept[0]) {
            return;
        }
        let mut hole = 0;
        loop {
            let (left, right) = (2 * hole + 1, 2 * hole + 2);
            if left >= self.kept.len() {
                break;
            }
            let right_larger = right < self.kept.len() && less(self.kept[left], self.kept[right]);
            let larger = if right_larger { right } else { left };
            if !less(offered, self.kept[larger]) {
                break;
            }
            self.kept[hole] = self.kept[larger];
            hole = larger;
        }
        self.kept[hole] = offered;
    }

    /// Rows with squared distances, nearest first.
    pub(crate) fn sorted(mut self) -> Vec<(usize, f64)> {
        self.kept
            .sort_unstable_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        self.kept
    }
}

/// A k-d tree: rows are halved at the median of the widest column until few are left.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    /// Row numbers, every node's in one stretch.
    order: Vec<u32>,
    /// Heap order: the children of `n` are `2n + 1` and `2n + 2`.
    nodes: Vec<(u32, u32)>,
    /// Least and greatest value of every column, node by node.
    boxes: Vec<f64>,
}

impl Tree {
    fn new(x: &Matrix) -> Tree {
        let (n, p) = (x.rows(), x.columns());
        let mut tree = Tree {
            order: (0..n as u32).collect(),
            nodes: Vec::new(),
            boxes: Vec::new(),
        };
        let levels = (n / LEAF).max(1).ilog2();
        let count = (1usize << (levels + 1)) - 1;
        tree.nodes.resize(count, (0, n as u32));
        tree.boxes.resize(count * 2 * p, 0.0);
        for node in 0..count {
            let (start, end) = tree.nodes[node];
            let rows = &mut tree.order[start as usize..end as usize];
            let edges = &mut tree.boxes[node * 2 * p..(node + 1) * 2 * p];
            let (low, high) = edges.split_at_mut(p);
            low.fill(f64::INFINITY);
            high.fill(f64::NEG_INFINITY);
            for &i in &*rows {
                for ((l, h), &v) in low.iter_mut().zip(&mut *high).zip(x.row(i as usize)) {
                    (*l, *h) = (l.min(v), h.max(v));
                }
            }
            if 2 * node + 2 < count {
                let width = |j: usize| high[j] - low[j];
                let widest = (1..p).fold(0, |a, b| if width(b) > width(a) { b } else { a });
                let middle = rows.len() / 2;
                rows.select_nth_unstable_by(middle, |&a, &b| {
                    let value = |i: u32| x.at(i as usize, widest);
                    value(a).total_cmp(&value(b)).then(a.cmp(&b))
                });
                let middle = start + middle as u32;
                tree.nodes[2 * node + 1] = (start, middle);
                tree.nodes[2 * node + 2] = (middle, end);
            }
        }
        tree
    }

    /// A distance that no row of a node is nearer than: the sum runs over the same columns in
    /// the same order as a row's own, and none of its terms is larger, so rounding keeps the order.
    fn bound(&self, node: usize, row: &[f64]) -> f64 {
        let p = row.len();
        let (low, high) = self.boxes[node * 2 * p..(node + 1) * 2 * p].split_at(p);
        let outside = |((&v, &l), &h): ((&f64, &f64), &f64)| {
            let d = if v < l {
                v - l
            } else if v > h {
                v - h
            } else {
                0.0
            };
            d * d
        };
        row.iter().zip(low).zip(high).map(outside).sum()
    }

    fn nearest(&self, x: &Matrix, row: &[f64], k: usize) -> Nearest {
        let mut near = Nearest::new(k);
        let mut open = vec![(0usize, self.bound(0, row))];
        while let Some((node, bound)) = open.pop() {
            if bound > near.limit() {
                continue;
            }
            let left = 2 * node + 1;
            if left < self.nodes.len() {
                let children = [left, left + 1].map(|child| (child, self.bound(child, row)));
                let [a, b] = children;
                // The nearer one is looked at first.
                open.extend(if a.1 <= b.1 { [b, a] } else { [a, b] });
                continue;
            }
            let (start, end) = self.nodes[node];
            for &i in &self.order[start as usize..end as usize] {
                let i = i as usize;
                near.offer(squared_distance(row, x.row(i)), i);
            }
        }
        near
    }
}

/// Rows in single precision, in blocks of lanes, around their mean.
///
/// `|a - b|^2 = |a|^2 + |b|^2 - 2ab`, computed in single precision with a bound of its error,
/// tells which rows are surely too far; the distances of the others are computed in full.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    centre: Vec<f64>,
    /// Block by block: the squared lengths of its rows, then column by column their values.
    cells: Vec<f32>,
    longest: f64,
}

impl Blocks {
    fn new(x: &Matrix) -> Blocks {
        let n = x.rows();
        let centre = means(x);
        let size = (x.columns() + 1) * LANES;
        let mut cells = vec![0.0f32; n.div_ceil(LANES) * size];
        let mut longest = 0.0f64;
        for (b, block) in cells.chunks_exact_mut(size).enumerate() {
            for lane in 0..LANES {
                let i = b * LANES + lane;
                if i >= n {
                    block[lane] = f32::INFINITY;
                    continue;
                }
                let mut length = 0.0;
                for (j, (v, c)) in x.row(i).iter().zip(&centre).enumerate() {
                    let v = v - c;
                    length += v * v;
                    block[(j + 1) * LANES + lane] = v as f32;
                }
                block[lane] = length as f32;
                longest = longest.max(length);
            }
        }
        Blocks {
            centre,
            cells,
            longest: longest.sqrt(),
        }
    }

    fn nearest(&self, x: &Matrix, rows: &[&[f64]], k: usize) -> Vec<Nearest> {
        let size = (x.columns() + 1) * LANES;
        let mut near = vec![Nearest::new(k); rows.len()];
        let asked: Vec<Question> = rows.iter().map(|row| self.question(row)).collect();
        let mut sums = vec![[[0.0f32; LANES]; LINES]; STRETCH];
        for (s, stretch) in self.cells.chunks(STRETCH * size).enumerate() {
            for (group, four) in asked.chunks(LINES).enumerate() {
                // A group that is not full asks its last question several times.
                let values = |t: usize| &four[t.min(four.len() - 1)].values[..];
                let values = [values(0), values(1), values(2), values(3)];
                products(stretch, size, values, &mut sums);
                for (t, question) in four.iter().enumerate() {
                    let at = group * LINES + t;
                    let (row, near) = (rows[at], &mut near[at]);
                    let mut reach = question.reach(near.limit());
                    for (b, sums) in sums[..stretch.len() / size].iter().enumerate() {
                        // Whatever cannot be compared is looked at.
                        if sums[t].iter().all(|&v| v > reach) {
                            continue;
                        }
                        let start = (s * STRETCH + b) * LANES;
                        for (i, &v) in (start..x.rows()).zip(&sums[t]) {
                            if v > reach {
                                continue;
                            }
                            near.offer(squared_distance(row, x.row(i)), i);
                            reach = question.reach(near.limit());
                        }
                    }
                }
            }
        }
        near
    }

    fn question(&self, row: &[f64]) -> Question {
        let centred: Vec<f64> = row.iter().zip(&self.centre).map(|(v, c)| v - c).collect();
        let square: f64 = centred.iter().map(|v| v * v).sum();
        // Every operation errs by at most one part in 2^24, of nothing larger than both lengths
        // together squared; the number of operations that one sum goes through is p + 4. Twice
        // that is taken, and something for numbers that are too small to be held.
        let both = square.sqrt() + self.longest;
        let operations = 2.0 * (row.len() as f64 + 8.0);
        let error = operations * (f64::from(f32::EPSILON) * both * both + 1e-37);
        let held = both < 1e15;
        Question {
            values: centred.iter().map(|&v| -2.0 * v as f32).collect(),
            slack: if held { error - square } else { f64::INFINITY },
        }
    }
}

struct Question {
    /// Minus twice the row, around the mean.
    values: Vec<f32>,
    /// What is added to a squared distance to compare it with sums.
    slack: f64,
}

impl Question {
    /// Sums beyond this belong to rows that are too far.
    fn reach(&self, limit: f64) -> f32 {
        let reach = limit + self.slack;
        // Rounding to single precision must not make it smaller.
        (reach + reach.abs() * 2e-7) as f32
    }
}

/// The squared lengths of the rows of blocks less twice their products with four others.
///
/// A product may be fused with its sum here: the bound of the error covers both ways, and no
/// result depends on it.
#[multiversion::multiversion(targets("x86_64+avx2+fma"), dispatcher = "direct")]
fn products(
    blocks: &[f32],
    size: usize,
    values: [&[f32]; LINES],
    out: &mut [[[f32; LANES]; LINES]],
) {
    for (block, out) in blocks.chunks_exact(size).zip(out) {
        let (lengths, columns) = block.split_at(LANES);
        let mut sums = [[0.0; LANES]; LINES];
        for line in &mut sums {
            line.copy_from_slice(lengths);
        }
        for (j, column) in columns.chunks_exact(LANES).enumerate() {
            let factors = values.map(|values| values[j]);
            for (line, v) in sums.iter_mut().zip(factors) {
                for (sum, &c) in line.iter_mut().zip(column) {
                    multiversion::target::match_target! {
                        "x86_64+avx2+fma" => { *sum = v.mul_add(c, *sum); }
                        _ => { *sum += v * c; }
                    }
                }
            }
        }
        *out = sums;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::sample;

    fn plain(x: &Matrix, row: &[f64], k: usize) -> Vec<(usize, f64)> {
        let mut all: Vec<(usize, f64)> = (0..x.rows())
            .map(|i| (i, squared_distance(row, x.row(i))))
            .collect();
        all.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        all.truncate(k);
        all
    }

    /// Trees and blocks find what a plain loop finds, ties, far offsets and tiny values included.
    #[test]
    fn every_search_equals_a_plain_loop() {
        for (n, p, scale, shift, step) in [
            (300, 2, 1.0, 0.0, 0.0),
            (300, 2, 1.0, 0.0, 0.5),
            (1500, 5, 1.0, 1e9, 0.0),
            (300, 8, 1e-25, 0.0, 0.0),
            (517, 9, 1.0, -3e5, 1.0),
            (1200, 20, 1e20, 0.0, 0.0),
            (1200, 20, 1.0, 0.0, 2.0),
            (40, 3, 1.0, 0.0, 1.0),
        ] {
            let (x, _) = sample(n, p, 3, 5);
            let cells = x.cells().iter().map(|&v| {
                // Steps make many rows equally far.
                let v = if step > 0.0 {
                    (v / step).round() * step
                } else {
                    v
                };
                v * scale + shift
            });
            let x = Matrix::new(n, p, cells.collect());
            for k in [1, 5, 40] {
                let rows: Vec<&[f64]> = (0..21).map(|i| x.row(i * 13 % n)).collect();
                for search in [Search::Tree(Tree::new(&x)), Search::Blocks(Blocks::new(&x))] {
                    let found = search.nearest(&x, &rows, k);
                    for (row, near) in rows.iter().zip(found) {
                        assert_eq!(near.sorted(), plain(&x, row, k), "{n} {p} {scale} {k}");
                    }
                }
            }
        }
    }
}
