//! Tables of aw(n, k).

use serde::Serialize;
use wits_search::Budget;

use super::search::{MOST_SEARCHED, Search};
use crate::terms::{BadTerms, range};

/// One line of a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Row {
    /// How many numbers.
    pub n: u64,
    /// The number.
    pub aw: u64,
    /// A colouring with one colour less and no rainbow.
    pub witness: Vec<u32>,
    /// Cells filled for this length.
    pub nodes: u64,
}

/// aw(n, k) for one `k` and `n` from `k` on, by search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Table {
    /// How long a rainbow is.
    pub k: u64,
    /// Up to which `n` was asked.
    pub to: u64,
    /// Whether all rows are there.
    pub complete: bool,
    /// The rows.
    pub rows: Vec<Row>,
    /// Cells filled in all.
    pub nodes: u64,
}

impl Table {
    /// Makes a table; `each` is told every row as soon as it is known. Rows are missing at the end if the
    /// budget ends first.
    ///
    /// # Errors
    /// When `k` is below 2 or `to` is not from `k` to [`MOST_SEARCHED`].
    pub fn make(
        k: u64,
        to: u64,
        budget: &Budget,
        mut each: impl FnMut(&Row),
    ) -> Result<Table, BadTerms> {
        range("k", k, 2, MOST_SEARCHED.into())?;
        range("to", to, k, MOST_SEARCHED.into())?;
        let mut search = Search::new(k as u32);
        let mut table = Table {
            k,
            to,
            complete: true,
            rows: Vec::new(),
            nodes: 0,
        };
        for n in 1..=to as u32 {
            let left = budget
                .limits()
                .nodes
                .map(|most| most.saturating_sub(table.nodes));
            let budget = left.map_or(budget.clone(), |left| {
                budget.within(wits_search::Limits::nodes(left))
            });
            let Some(most) = search.most(n, &budget) else {
                table.complete = false;
                break;
            };
            table.nodes += most.nodes;
            if u64::from(n) >= k {
                let aw = u64::from(most.colours) + 1;
                let row = Row {
                    n: n.into(),
                    aw,
                    witness: most.witness.clone(),
                    nodes: most.nodes,
                };
                each(&row);
                table.rows.push(row);
            }
        }
        Ok(table)
    }

    /// The table as comma-separated values, with a head line.
    pub fn csv(&self) -> String {
        let mut text = String::from("k,n,aw,nodes,witness\n");
        for row in &self.rows {
            let witness: Vec<String> = row.witness.iter().map(ToString::to_string).collect();
            let line = format!(
                "{},{},{},{},{}\n",
                self.k,
                row.n,
                row.aw,
                row.nodes,
                witness.join(" ")
            );
            text.push_str(&line);
        }
        text
    }
}
