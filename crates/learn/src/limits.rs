//! What a table may have, so that a file of a stranger cannot take all memory.

use crate::error::{LearnError, TooLarge};

/// The most that a table may have of everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableLimits {
    /// Bytes of the file.
    pub bytes: usize,
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
    /// Rows times columns.
    pub cells: usize,
    /// Bytes of one cell.
    pub cell: usize,
    /// Different texts of one column.
    pub labels: usize,
}

impl TableLimits {
    /// For tables that are brought to a page.
    pub const PAGE: TableLimits = TableLimits {
        bytes: 32 << 20,
        rows: 1_000_000,
        columns: 2_000,
        cells: 10_000_000,
        cell: 64 << 10,
        labels: 100_000,
    };

    /// For the command line, where people read their own files.
    pub const TERMINAL: TableLimits = TableLimits {
        bytes: 2 << 30,
        rows: 100_000_000,
        columns: 50_000,
        cells: 1_000_000_000,
        cell: 1 << 20,
        labels: 10_000_000,
    };

    /// Refuses a quantity that is over its limit.
    pub(crate) fn check(found: usize, most: usize, what: TooLarge) -> Result<(), LearnError> {
        if found > most {
            return Err(LearnError::TooLarge { what, most });
        }
        Ok(())
    }
}
