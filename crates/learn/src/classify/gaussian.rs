//! The Gaussian kernel of one row with many, eight at a time.

use crate::expo::{LANES, exp};
use crate::matrix::Matrix;

/// Rows in blocks of eight, column by column.
#[derive(Clone, Debug)]
pub(super) struct Packed {
    rows: usize,
    columns: usize,
    cells: Vec<f64>,
}

impl Packed {
    /// These rows of a matrix, in this order.
    pub(super) fn new(x: &Matrix, rows: &[usize]) -> Packed {
        let columns = x.columns();
        let size = columns * LANES;
        let mut cells = vec![0.0; rows.len().div_ceil(LANES) * size];
        for (at, &i) in rows.iter().enumerate() {
            let start = at / LANES * size + at % LANES;
            for (j, &v) in x.row(i).iter().enumerate() {
                cells[start + j * LANES] = v;
            }
        }
        Packed {
            rows: rows.len(),
            columns,
            cells,
        }
    }

    /// `exp(-gamma |row - other|^2)` for every row.
    pub(super) fn gaussian(&self, row: &[f64], gamma: f64, out: &mut Vec<f32>) {
        out.clear();
        out.resize(self.rows.next_multiple_of(LANES), 1.0);
        if self.columns > 0 {
            fill(&self.cells, row, gamma, out);
        }
        out.truncate(self.rows);
    }
}

/// Blocks whose distances are computed before their exponentials, which need other registers.
const AT_ONCE: usize = 32;

#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"), dispatcher = "direct")]
fn fill(cells: &[f64], row: &[f64], gamma: f64, out: &mut [f32]) {
    let size = row.len() * LANES;
    let mut sums = [[0.0; LANES]; AT_ONCE];
    let stretches = cells.chunks(size * AT_ONCE);
    for (stretch, out) in stretches.zip(out.chunks_mut(LANES * AT_ONCE)) {
        for (block, total) in stretch.chunks_exact(size).zip(&mut sums) {
            let mut sums = [0.0; LANES];
            for (column, &v) in block.chunks_exact(LANES).zip(row) {
                for (sum, c) in sums.iter_mut().zip(column) {
                    *sum += (v - c) * (v - c);
                }
            }
            *total = sums;
        }
        for (sums, out) in sums.iter_mut().zip(out.chunks_exact_mut(LANES)) {
            for sum in sums.iter_mut() {
                *sum *= -gamma;
            }
            for (out, value) in out.iter_mut().zip(exp(sums)) {
                *out = value as f32;
            }
        }
    }
}
