//! The solver as others see it: scores, bounds and limits.

use std::sync::Arc;

use wits_search::{Budget, Limits};

use super::guess;
use super::last::quarter;
use super::table::{Memory, Table};
use super::walk::{FAR, JUDGED, walk};
use crate::bits;
use crate::engine::log::Log;
use crate::engine::patterns::Patterns;
use crate::engine::table::Table as SharedTable;

/// From this many empty squares on, the score is looked for near a guess first.
const GUESSED: u32 = 16;
/// Places of the table of small positions: 390 kilobytes.
const NEAR_BITS: u32 = 13;
/// So near: a narrow window costs much less than the whole one.
const NEAR: i32 = 4;
/// What a size of board means for the order of moves.
pub(super) struct Shape {
    pub(super) corners: u64,
    /// The four quarters of the board.
    pub(super) quarters: [u64; 4],
    /// How dear squares are for ordering: corners first, squares beside empty corners last.
    pub(super) taste: [i32; 64],
    /// The quarter that each square lies in.
    pub(super) around: [u64; 64],
}

impl Shape {
    const fn of(size: usize) -> Shape {
        let taste = [
            [18, 4, 16, 12],
            [4, 0, 6, 8],
            [16, 6, 14, 10],
            [12, 8, 10, 0],
        ];
        let last = size - 1;
        let mut shape = Shape {
            corners: 1 | 1 << last | 1 << (8 * last) | 1 << (9 * last),
            quarters: [0; 4],
            taste: [0; 64],
            around: [0; 64],
        };
        let mut i = 0;
        while i < 64 {
            let (r, c) = (i / 8, i % 8);
            if r < size && c < size {
                let (far, right) = (r >= size / 2, c >= size / 2);
                let (row, column) = (
                    if far { last - r } else { r },
                    if right { last - c } else { c },
                );
                shape.taste[i] = taste[row][column];
                shape.quarters[2 * far as usize + right as usize] |= 1 << i;
            }
            i += 1;
        }
        let mut i = 0;
        while i < 64 {
            let mut q = 0;
            while q < 4 {
                if shape.quarters[q] >> i & 1 == 1 {
                    shape.around[i] = shape.quarters[q];
                }
                q += 1;
            }
            i += 1;
        }
        shape
    }
}

static SMALL: Shape = Shape::of(4);
static MIDDLE: Shape = Shape::of(6);
static LARGE: Shape = Shape::of(8);

/// An exact solver. It keeps its table from one position to the next.
pub struct Solver {
    pub(super) table: Table,
    /// What is known of small positions: little enough to stay in the cache of a core.
    pub(super) near: Table,
    /// What solvers that work together know of large positions.
    pub(super) common: Option<Arc<SharedTable>>,
    /// What positions of the large board look like; for the order of moves only.
    pub(super) patterns: Option<Arc<Patterns>>,
    pub(super) shape: &'static Shape,
    pub(super) area: u64,
    pub(super) squares: i32,
    pub(super) nodes: u64,
    /// The count of nodes at which the present search ends.
    pub(super) limit: u64,
    pub(super) stopped: bool,
}

impl Solver {
    /// A solver for the large board with a table of two to the power of `bits` places, 48 bytes each.
    pub fn new(bits: u32) -> Solver {
        Solver::sized(bits, 8)
    }

    /// A solver for a board of 4, 6 or 8 rows.
    pub fn sized(bits: u32, size: usize) -> Solver {
        let area = bits::area(size);
        Solver {
            table: Table::new(bits),
            near: Table::new(bits.min(NEAR_BITS)),
            common: None,
            patterns: None,
            shape: match size {
                4 => &SMALL,
                6 => &MIDDLE,
                _ => &LARGE,
            },
            area,
            squares: area.count_ones() as i32,
            nodes: 0,
            limit: u64::MAX,
            stopped: false,
        }
    }

    /// Several solvers for a board of 4, 6 or 8 rows that share what they find out about large positions, each with a table of
    /// two to the power of `bits` places of its own.
    pub fn team(count: usize, bits: u32, size: usize) -> Vec<Solver> {
        let common = (count > 1).then(|| Arc::new(SharedTable::new(bits)));
        let one = |_| Solver {
            common: common.clone(),
            ..Solver::sized(bits, size)
        };
        (0..count).map(one).collect()
    }

    /// How many positions it has looked at so far.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The exact score for the side to move; nothing if the budget ended first.
    pub fn score(&mut self, own: u64, other: u64, budget: &Budget) -> Option<i32> {
        let empties = self.prepare(own, other);
        let patterns = self.patterns.as_deref().filter(|_| empties >= GUESSED);
        let Some(guess) = patterns.map(|p| guess::guess(p, own, other)) else {
            return self.within(own, other, -self.squares, self.squares, budget);
        };
        let most = budget.limits().nodes;
        let end = most.map_or(u64::MAX, |n| n.saturating_add(self.nodes));
        let (mut low, mut high) = (guess - NEAR, guess + NEAR);
        loop {
            let left = budget.within(Limits::nodes(end.saturating_sub(self.nodes)));
            let (from, to) = (low.max(-self.squares), high.min(self.squares));
            let score = self.within(own, other, from, to, &left)?;
            if score <= from && from > -self.squares {
                (low, high) = (score - 2 * NEAR, score + 1);
            } else if score >= to && to < self.squares {
                (low, high) = (score - 1, score + 2 * NEAR);
            } else {
                return Some(score);
            }
        }
    }

    /// The score for the side to move if it lies between the bounds, else a bound on that side.
    /// With bounds -1 and 1 this decides win, draw and loss. A limit of nodes counts from here.
    pub fn within(
        &mut self,
        own: u64,
        other: u64,
        alpha: i32,
        beta: i32,
        budget: &Budget,
    ) -> Option<i32> {
        self.follow((own, other), (alpha, beta), budget, &mut ())
    }

    /// Searches [inside](Solver::within) bounds, and lets somebody follow.
    pub(crate) fn follow<L: Log>(
        &mut self,
        (own, other): (u64, u64),
        window: (i32, i32),
        budget: &Budget,
        log: &mut L,
    ) -> Option<i32> {
        self.prepare(own, other);
        self.stopped = budget.stopped();
        self.limit = budget
            .limits()
            .nodes
            .map_or(u64::MAX, |n| n.saturating_add(self.nodes));
        let score = walk(self, (own, other), window, budget, log);
        (!self.stopped).then_some(score)
    }

    /// How many squares are empty. Unpacking the patterns takes longer than a small ending: they wait for a large one.
    fn prepare(&mut self, own: u64, other: u64) -> u32 {
        let empties = (self.area & !(own | other)).count_ones();
        if self.patterns.is_none() && self.squares == 64 && empties > JUDGED {
            self.patterns = guess::patterns();
        }
        empties
    }

    /// What is known of a position with so many empty squares.
    #[inline]
    pub(super) fn known(&self, own: u64, other: u64, empties: u32) -> Option<&Memory> {
        if empties < FAR {
            self.near.find(own, other)
        } else {
            self.table.find(own, other)
        }
    }

    /// The move that the table holds for a position.
    pub fn remembered(&self, own: u64, other: u64) -> Option<crate::Square> {
        let empties = (self.area & !(own | other)).count_ones();
        let memory = self.known(own, other, empties)?;
        crate::Square::at(usize::from(memory.best))
    }
}

/// The parity of quarters that the last squares use is the one used here.
const _: () = assert!(quarter(0) == 1 && quarter(7) == 2 && quarter(56) == 4 && quarter(63) == 8);
