//! What was wrong with a feed, row by row.

use std::collections::BTreeMap;

use serde::Serialize;

/// What the reader did about it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Remedy {
    /// The row was used after a repair.
    Repaired,
    /// The row was left out.
    Dropped,
    /// The row was used as it is; the reader only remarks on it.
    Noted,
}

/// One kind of trouble in one file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// File inside the feed.
    pub file: String,
    /// What is wrong.
    pub what: String,
    /// What was done.
    pub remedy: Remedy,
    /// How many rows.
    pub rows: u64,
    /// The first line (1 is the header) where it was seen; 0 for the file as a whole.
    pub first_line: u64,
    /// The offending text of that line.
    pub example: String,
}

/// Everything that was wrong with a feed.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Diagnosis {
    /// Kinds of trouble, by file.
    pub findings: Vec<Finding>,
    /// Rows read in all files.
    pub rows: u64,
}

impl Diagnosis {
    /// How many rows were left out.
    pub fn dropped(&self) -> u64 {
        self.findings
            .iter()
            .filter(|f| f.remedy == Remedy::Dropped)
            .map(|f| f.rows)
            .sum()
    }
}

/// Collects findings while a file is read.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    found: BTreeMap<(&'static str, &'static str, Remedy), (u64, u64, String)>,
    pub(crate) rows: u64,
}

impl Notes {
    pub(crate) fn note(
        &mut self,
        file: &'static str,
        what: &'static str,
        remedy: Remedy,
        line: u64,
        example: &[u8],
    ) {
        let entry = self.found.entry((file, what, remedy)).or_insert_with(|| {
            let text: String = String::from_utf8_lossy(example).chars().take(80).collect();
            (0, line, text)
        });
        entry.0 += 1;
        if line < entry.1 {
            entry.1 = line;
            entry.2 = String::from_utf8_lossy(example).chars().take(80).collect();
        }
    }

    /// Adds the findings of a piece of a file whose first row is on a line.
    pub(crate) fn append(&mut self, piece: Notes, first_line: u64) {
        self.rows += piece.rows;
        for (key, (rows, row, example)) in piece.found {
            let (line, entry) = (first_line + row, self.found.entry(key));
            let entry = entry.or_insert_with(|| (0, line, example.clone()));
            entry.0 += rows;
            if line < entry.1 {
                (entry.1, entry.2) = (line, example);
            }
        }
    }

    pub(crate) fn diagnosis(self) -> Diagnosis {
        let findings = self
            .found
            .into_iter()
            .map(
                |((file, what, remedy), (rows, first_line, example))| Finding {
                    file: file.to_owned(),
                    what: what.to_owned(),
                    remedy,
                    rows,
                    first_line,
                    example,
                },
            )
            .collect();
        Diagnosis {
            findings,
            rows: self.rows,
        }
    }
}
