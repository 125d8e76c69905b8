//! Columns in sorted order, made once and shared by every tree.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::control::NEVER;
use crate::matrix::Matrix;

/// Every column's values, the rank of each row in it, and the rows in ascending order.
#[derive(Debug)]
pub struct Features {
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// Different values, ascending, per column.
    pub(super) values: Vec<Vec<f64>>,
    /// Rank among the different values, column after column.
    ranks: Vec<u32>,
    /// Rows in ascending order, column after column.
    orders: Vec<u32>,
}

impl Features {
    /// Sorts the columns.
    pub fn new(x: &Matrix) -> Features {
        Features::until(x, &NEVER)
    }

    /// The same, unless somebody raises the flag: from then on columns count as constant, which
    /// gives nothing to split.
    pub(super) fn until(x: &Matrix, stop: &AtomicBool) -> Features {
        let (rows, columns) = (x.rows(), x.columns());
        let mut ranks = vec![0; rows * columns];
        let mut orders = Vec::with_capacity(rows * columns);
        let mut values = Vec::with_capacity(columns);
        for j in 0..columns {
            if stop.load(Ordering::Relaxed) {
                values.push(vec![0.0]);
                orders.extend(0..rows as u32);
                continue;
            }
            // Adding zero turns a negative zero into a plain one.
            let column: Vec<f64> = (0..rows).map(|i| x.at(i, j) + 0.0).collect();
            let mut order: Vec<u32> = (0..rows as u32).collect();
            order.sort_unstable_by(|&a, &b| {
                column[a as usize]
                    .total_cmp(&column[b as usize])
                    .then(a.cmp(&b))
            });
            let mut different: Vec<f64> = Vec::new();
            for &i in &order {
                let value = column[i as usize];
                if different.last().is_none_or(|&last| value > last) {
                    different.push(value);
                }
                ranks[j * rows + i as usize] = different.len() as u32 - 1;
            }
            values.push(different);
            orders.extend(order);
        }
        Features {
            rows,
            columns,
            values,
            ranks,
            orders,
        }
    }

    /// The rank of every row in one column.
    pub(super) fn ranks(&self, column: usize) -> &[u32] {
        &self.ranks[column * self.rows..(column + 1) * self.rows]
    }

    /// The rows in ascending order of one column.
    pub(super) fn order(&self, column: usize) -> &[u32] {
        &self.orders[column * self.rows..(column + 1) * self.rows]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_as_constant_after_a_stop() {
        let (x, _) = crate::bench::sample(30, 4, 2, 1);
        let features = Features::until(&x, &AtomicBool::new(true));
        for j in 0..4 {
            assert_eq!(features.values[j], [0.0]);
            assert!(features.ranks(j).iter().all(|&rank| rank == 0));
            assert_eq!(features.order(j).len(), 30);
        }
    }
}
