//! Products of dense matrices, in blocks that stay in registers and cache.
//!
//! Only independent sums are computed side by side; each one adds its terms in the order of the
//! rows or columns and never fuses a product with a sum, so a result has the same bits on every
//! CPU and as the plain loop gives it.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::matrix::Matrix;

/// Rows that are worked on together: 64 of 24 columns are 12 KB.
const CHUNK: usize = 64;
/// Sums side by side in one line, and lines in a block.
const LANES: usize = 8;
const LINES: usize = 4;

/// The sum of the outer products of rows with themselves. Once the flag is raised no more rows are
/// added.
pub(crate) struct Gram<'s> {
    columns: usize,
    /// Columns with zeros up to a whole number of lanes.
    width: usize,
    sums: Vec<f64>,
    chunk: Vec<f64>,
    stop: &'s AtomicBool,
}

impl<'s> Gram<'s> {
    pub(crate) fn new(columns: usize, stop: &'s AtomicBool) -> Gram<'s> {
        let width = columns.next_multiple_of(LANES);
        Gram {
            columns,
            width,
            sums: vec![0.0; width * width],
            chunk: Vec::with_capacity(CHUNK * width),
            stop,
        }
    }

    /// Adds the outer product of one row.
    pub(crate) fn add(&mut self, row: impl IntoIterator<Item = f64>) {
        self.chunk.extend(row);
        self.chunk
            .resize(self.chunk.len().next_multiple_of(self.width), 0.0);
        if self.chunk.len() == CHUNK * self.width {
            if !self.stop.load(Ordering::Relaxed) {
                accumulate(&mut self.sums, &self.chunk, self.width);
            }
            self.chunk.clear();
        }
    }

    /// The sums, row by row, both triangles.
    pub(crate) fn finish(mut self) -> Vec<f64> {
        accumulate(&mut self.sums, &self.chunk, self.width);
        let p = self.columns;
        let mut all = vec![0.0; p * p];
        for a in 0..p {
            for b in 0..=a {
                all[a * p + b] = self.sums[a * self.width + b];
                all[b * p + a] = all[a * p + b];
            }
        }
        all
    }
}

/// Adds the outer products of a chunk of rows, the lower triangle in blocks.
#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"), dispatcher = "direct")]
fn accumulate(sums: &mut [f64], chunk: &[f64], width: usize) {
    for a in (0..width).step_by(LINES) {
        for b in (0..=a).step_by(LANES) {
            let mut block = [[0.0; LANES]; LINES];
            for (t, line) in block.iter_mut().enumerate() {
                let at = (a + t) * width + b;
                line.copy_from_slice(&sums[at..at + LANES]);
            }
            for row in chunk.chunks_exact(width) {
                let (left, right) = (&row[a..a + LINES], &row[b..b + LANES]);
                for (line, l) in block.iter_mut().zip(left) {
                    for (sum, r) in line.iter_mut().zip(right) {
                        *sum += l * r;
                    }
                }
            }
            for (t, line) in block.iter().enumerate() {
                let at = (a + t) * width + b;
                sums[at..at + LANES].copy_from_slice(line);
            }
        }
    }
}

/// Vectors that rows are multiplied with, ready for blocks: one sum per vector.
pub(crate) struct Projection {
    vectors: usize,
    width: usize,
    /// Entry by entry, every vector's one beside the other.
    entries: Vec<f64>,
}

impl Projection {
    pub(crate) fn new(vectors: &[Vec<f64>]) -> Projection {
        let width = vectors.len().next_multiple_of(LANES);
        let length = vectors.first().map_or(0, Vec::len);
        let mut entries = vec![0.0; width * length];
        for (k, vector) in vectors.iter().enumerate() {
            for (j, &v) in vector.iter().enumerate() {
                entries[j * width + k] = v;
            }
        }
        Projection {
            vectors: vectors.len(),
            width,
            entries,
        }
    }

    /// The inner products of every row, less the centre, with every vector.
    pub(crate) fn apply(&self, x: &Matrix, centre: &[f64]) -> Matrix {
        let mut out = vec![0.0; x.rows() * self.vectors];
        self.project(x.cells(), centre, &mut out);
        Matrix::new(x.rows(), self.vectors, out)
    }

    /// The same for rows that are no matrix of their own.
    pub(crate) fn project(&self, cells: &[f64], centre: &[f64], out: &mut [f64]) {
        if self.vectors > 0 && !cells.is_empty() {
            project(cells, centre, &self.entries, self.width, out);
        }
    }
}

#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"), dispatcher = "direct")]
fn project(cells: &[f64], centre: &[f64], entries: &[f64], width: usize, out: &mut [f64]) {
    let p = centre.len();
    let vectors = out.len() / (cells.len() / p);
    let mut rows = [const { Vec::new() }; LINES];
    for row in &mut rows {
        row.resize(p, 0.0);
    }
    let parts = cells.chunks(LINES * p);
    for (part, out) in parts.zip(out.chunks_mut(LINES * vectors)) {
        // In the last part some rows are left over from the part before; they are not written.
        for (row, cells) in rows.iter_mut().zip(part.chunks_exact(p)) {
            for ((r, v), c) in row.iter_mut().zip(cells).zip(centre) {
                *r = v - c;
            }
        }
        let [r0, r1, r2, r3] = &rows;
        for k in (0..width).step_by(LANES) {
            let mut block = [[0.0; LANES]; LINES];
            let factors = r0.iter().zip(r1).zip(r2.iter().zip(r3));
            for (line, ((&a, &b), (&c, &d))) in entries.chunks_exact(width).zip(factors) {
                let line = &line[k..k + LANES];
                for (sums, v) in block.iter_mut().zip([a, b, c, d]) {
                    for (sum, e) in sums.iter_mut().zip(line) {
                        *sum += v * e;
                    }
                }
            }
            let kept = LANES.min(vectors - k);
            for (out, sums) in out.chunks_exact_mut(vectors).zip(&block) {
                out[k..k + kept].copy_from_slice(&sums[..kept]);
            }
        }
    }
}

/// The column means of rows, and the sum of outer products of what is left.
pub(crate) fn centre_and_gram(x: &Matrix, stop: &AtomicBool) -> (Vec<f64>, Vec<f64>) {
    let centre = means(x);
    let mut gram = Gram::new(x.columns(), stop);
    for row in rows_of(x) {
        gram.add(row.iter().zip(&centre).map(|(v, c)| v - c));
    }
    (centre, gram.finish())
}

/// The mean of every column.
pub(crate) fn means(x: &Matrix) -> Vec<f64> {
    let mut sums = vec![0.0; x.columns()];
    for row in rows_of(x) {
        for (sum, v) in sums.iter_mut().zip(row) {
            *sum += v;
        }
    }
    let n = x.rows().max(1) as f64;
    for s in &mut sums {
        *s /= n;
    }
    sums
}

/// The population variance of every column around its mean.
pub(crate) fn variances(x: &Matrix, means: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; x.columns()];
    for row in rows_of(x) {
        for ((sum, v), m) in sums.iter_mut().zip(row).zip(means) {
            *sum += (v - m) * (v - m);
        }
    }
    let n = x.rows().max(1) as f64;
    for s in &mut sums {
        *s /= n;
    }
    sums
}

/// Means and population variances of every column, class by class.
pub(crate) struct Groups {
    pub(crate) counts: Vec<usize>,
    pub(crate) means: Vec<Vec<f64>>,
    pub(crate) variances: Vec<Vec<f64>>,
}

impl Groups {
    pub(crate) fn of(x: &Matrix, y: &[u32], classes: usize) -> Groups {
        let p = x.columns();
        let mut counts = vec![0; classes];
        let mut means = vec![vec![0.0; p]; classes];
        for (row, &c) in rows_of(x).zip(y) {
            counts[c as usize] += 1;
            for (sum, v) in means[c as usize].iter_mut().zip(row) {
                *sum += v;
            }
        }
        let divide = |sums: &mut Vec<Vec<f64>>| {
            for (sums, &count) in sums.iter_mut().zip(&counts) {
                for s in sums.iter_mut() {
                    *s /= count.max(1) as f64;
                }
            }
        };
        divide(&mut means);
        let mut variances = vec![vec![0.0; p]; classes];
        for (row, &c) in rows_of(x).zip(y) {
            let sums = variances[c as usize].iter_mut();
            for ((sum, v), m) in sums.zip(row).zip(&means[c as usize]) {
                *sum += (v - m) * (v - m);
            }
        }
        divide(&mut variances);
        Groups {
            counts,
            means,
            variances,
        }
    }
}

fn rows_of(x: &Matrix) -> impl Iterator<Item = &[f64]> {
    x.cells().chunks_exact(x.columns().max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::sample;
    use crate::control::NEVER;
    use crate::matrix::dot;

    #[test]
    fn no_rows_are_added_after_a_stop() {
        let (x, _) = sample(CHUNK * 5 + 3, 9, 3, 7);
        let (_, gram) = centre_and_gram(&x, &AtomicBool::new(true));
        // The last rows, fewer than a chunk, are all that is left.
        assert!(gram[0] < centre_and_gram(&x, &NEVER).1[0] / 10.0);
    }

    /// Blocks give the very bits of plain loops, for every remainder of rows and columns.
    #[test]
    fn blocks_equal_plain_loops() {
        for (n, p) in [(1, 1), (3, 5), (63, 8), (64, 9), (65, 20), (200, 33)] {
            let (x, _) = sample(n, p, 3, 7);
            let (centre, gram) = centre_and_gram(&x, &NEVER);
            for a in 0..p {
                let column = x.column(a);
                assert!((centre[a] - crate::numbers::mean(&column)).abs() <= f64::EPSILON);
                for b in 0..p {
                    let mut sum = 0.0;
                    for i in 0..n {
                        sum += (x.at(i, a) - centre[a]) * (x.at(i, b) - centre[b]);
                    }
                    assert_eq!(gram[a * p + b].to_bits(), sum.to_bits(), "{n} {p} {a} {b}");
                }
            }
            let vectors: Vec<Vec<f64>> = (0..n.min(11)).map(|i| x.row(i).to_vec()).collect();
            let out = Projection::new(&vectors).apply(&x, &centre);
            for i in 0..n {
                let row: Vec<f64> = x.row(i).iter().zip(&centre).map(|(v, c)| v - c).collect();
                for (k, vector) in vectors.iter().enumerate() {
                    assert!((out.at(i, k) - dot(&row, vector)).abs() < 1e-300);
                }
            }
        }
    }
}
