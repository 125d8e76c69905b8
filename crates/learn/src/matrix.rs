//! A table of numbers, row by row.

use serde::{Deserialize, Serialize};

/// Numbers in rows and columns; a missing value is NaN.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    cells: Vec<f64>,
}

impl Matrix {
    /// A matrix of zeros.
    pub fn zeros(rows: usize, columns: usize) -> Matrix {
        Matrix {
            rows,
            columns,
            cells: vec![0.0; rows * columns],
        }
    }

    /// A matrix from its cells, row after row.
    ///
    /// # Panics
    /// When the number of cells is not rows times columns.
    pub fn new(rows: usize, columns: usize, cells: Vec<f64>) -> Matrix {
        assert_eq!(
            cells.len(),
            rows * columns,
            "a matrix has rows times columns cells"
        );
        Matrix {
            rows,
            columns,
            cells,
        }
    }

    /// A matrix from rows of equal length.
    pub fn from_rows(rows: &[Vec<f64>]) -> Matrix {
        let columns = rows.first().map_or(0, Vec::len);
        Matrix::new(rows.len(), columns, rows.concat())
    }

    /// Whether the cells are as many as rows and columns say (a file may lie).
    pub(crate) fn is_whole(&self) -> bool {
        self.rows.checked_mul(self.columns) == Some(self.cells.len())
    }
    /// How many rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// One row.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.cells[i * self.columns..(i + 1) * self.columns]
    }

    /// One row, to write to.
    pub fn row_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.cells[i * self.columns..(i + 1) * self.columns]
    }

    /// One cell.
    pub fn at(&self, i: usize, j: usize) -> f64 {
        self.cells[i * self.columns + j]
    }

    /// Writes one cell.
    pub fn set(&mut self, i: usize, j: usize, value: f64) {
        self.cells[i * self.columns + j] = value;
    }

    /// One column, copied.
    pub fn column(&self, j: usize) -> Vec<f64> {
        (0..self.rows).map(|i| self.at(i, j)).collect()
    }

    /// All columns one after the other, copied in blocks of rows that stay in the cache.
    pub fn by_columns(&self) -> Vec<f64> {
        let mut out = vec![0.0; self.cells.len()];
        let rows: Vec<&[f64]> = self.cells.chunks_exact(self.columns.max(1)).collect();
        for (block, part) in rows.chunks(BLOCK).enumerate() {
            let start = block * BLOCK;
            for j in 0..self.columns {
                let at = j * self.rows + start;
                for (cell, row) in out[at..at + part.len()].iter_mut().zip(part) {
                    *cell = row[j];
                }
            }
        }
        out
    }

    /// The rows with these numbers, in this order.
    pub fn pick(&self, rows: &[usize]) -> Matrix {
        let mut cells = Vec::with_capacity(rows.len() * self.columns);
        for &i in rows {
            cells.extend_from_slice(self.row(i));
        }
        Matrix::new(rows.len(), self.columns, cells)
    }

    /// The columns with these numbers, in this order.
    pub fn pick_columns(&self, columns: &[usize]) -> Matrix {
        let mut cells = Vec::with_capacity(self.rows * columns.len());
        for i in 0..self.rows {
            let row = self.row(i);
            cells.extend(columns.iter().map(|&j| row[j]));
        }
        Matrix::new(self.rows, columns.len(), cells)
    }

    /// All cells, row after row.
    pub fn cells(&self) -> &[f64] {
        &self.cells
    }

    /// The first missing cell, if there is one: row and column.
    pub fn first_missing(&self) -> Option<(usize, usize)> {
        let at = self.cells.iter().position(|v| v.is_nan())?;
        Some((at / self.columns, at % self.columns))
    }

    /// Rows as nested lists, for JSON.
    pub fn to_rows(&self) -> Vec<Vec<f64>> {
        (0..self.rows).map(|i| self.row(i).to_vec()).collect()
    }
}

/// Rows that are looked at together when columns are read from rows.
pub(crate) const BLOCK: usize = 128;

/// The squared distance of two rows.
pub(crate) fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum()
}

/// The inner product of two rows.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
