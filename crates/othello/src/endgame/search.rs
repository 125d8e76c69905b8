//! The search above the last four squares.

use std::sync::Arc;

use wits_search::{Budget, Limits};

use super::last::{Last, quarter};
use super::table::Table;
use super::{final_score, guess};
use crate::bits;
use crate::engine::log::{End, Log};
use crate::engine::patterns::Patterns;
use crate::engine::table::{Memory as Shared, Table as SharedTable};
use crate::stable::stable_of;

/// Below this many empty squares there is no table and no costly ordering.
const SHALLOW: u32 = 7;
/// From this many empty squares on, a reply already known to be good enough cuts at once.
const LOOK_AHEAD: u32 = 11;
/// From this many empty squares on, moves are ordered by a look one ply further.
const CAREFUL: u32 = 13;
/// From this many empty squares on, the fitted patterns are asked for the order of moves.
const JUDGED: u32 = 13;
/// From this many empty squares on, the score is looked for near a guess first.
const GUESSED: u32 = 16;
/// So near: a narrow window costs much less than the whole one.
const NEAR: i32 = 4;
/// From this many empty squares on, solvers that work together tell each other what they found.
const TOGETHER: u32 = 13;

/// What a size of board means for the order of moves.
struct Shape {
    corners: u64,
    /// The four quarters of the board.
    quarters: [u64; 4],
    /// How dear squares are for ordering: corners first, squares beside empty corners last.
    taste: [i32; 64],
    /// The quarter that each square lies in.
    around: [u64; 64],
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
    table: Table,
    /// What solvers that work together know of large positions.
    common: Option<Arc<SharedTable>>,
    /// What positions of the large board look like; for the order of moves only.
    patterns: Option<Arc<Patterns>>,
    shape: &'static Shape,
    area: u64,
    squares: i32,
    nodes: u64,
    /// The count of nodes at which the present search ends.
    limit: u64,
    stopped: bool,
}

/// A move to try: its key (smaller first), square, and the position after it for the other side.
#[derive(Clone, Copy, Default)]
struct Try {
    key: i32,
    square: u8,
    own: u64,
    other: u64,
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
        let score = self.search(own, other, window, false, budget, log);
        (!self.stopped).then_some(score)
    }

    /// How many squares are empty. Unpacking the patterns takes longer than a small ending: they wait for a large one.
    fn prepare(&mut self, own: u64, other: u64) -> u32 {
        let empties = (self.area & !(own | other)).count_ones();
        if self.patterns.is_none() && self.squares == 64 && empties >= JUDGED {
            self.patterns = guess::patterns();
        }
        empties
    }

    /// The move that the table holds for a position.
    pub fn remembered(&self, own: u64, other: u64) -> Option<crate::Square> {
        let memory = self.table.find(own, other)?;
        crate::Square::at(usize::from(memory.best))
    }

    fn odd(&self, empty: u64) -> u64 {
        let mut odd = 0;
        for quarter in self.shape.quarters {
            if (empty & quarter).count_ones() & 1 == 1 {
                odd |= quarter;
            }
        }
        odd
    }

    /// A move inside the tree.
    #[inline]
    fn child<L: Log>(&mut self, t: &Try, window: (i32, i32), budget: &Budget, log: &mut L) -> i32 {
        log.open(t.square, window, self.nodes);
        let score = self.search(t.own, t.other, window, false, budget, log);
        log.close((!self.stopped).then_some(score), self.nodes);
        score
    }

    fn search<L: Log>(
        &mut self,
        own: u64,
        other: u64,
        (alpha, beta): (i32, i32),
        passed: bool,
        budget: &Budget,
        log: &mut L,
    ) -> i32 {
        let empty = self.area & !(own | other);
        let empties = empty.count_ones();
        if empties <= SHALLOW {
            log.end(End::Solver);
            let odd = self.odd(empty);
            return self.shallow(own, other, alpha, beta, (empties, odd), passed);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(1024) && (budget.stopped() || budget.late()) {
            self.stopped = true;
        }
        self.stopped |= self.nodes >= self.limit;
        if self.stopped {
            return alpha;
        }
        if let Some(bound) = self.stable_bound(own, other, alpha, empties) {
            log.end(End::Stable);
            return bound;
        }
        let open = bits::moves(own, other) & self.area;
        if open == 0 {
            if passed {
                log.end(End::Over);
                return final_score(own, other, self.squares);
            }
            return -self.search(other, own, (-beta, -alpha), true, budget, log);
        }
        let (mut low, mut high) = (alpha, beta);
        let mut first = 64;
        if let Some(memory) = self.table.find(own, other) {
            let (least, most) = (i32::from(memory.low), i32::from(memory.high));
            first = memory.best;
            if least >= high || least == most {
                log.end(End::Table);
                return least;
            }
            if most <= low {
                log.end(End::Table);
                return most;
            }
            if L::ON && (least > low || most < high) {
                // Told as the side that was to move first, if it has passed.
                let (least, most) = if passed {
                    (-most, -least)
                } else {
                    (least, most)
                };
                log.known(least, most);
            }
            low = low.max(least);
            high = high.min(most);
        }
        let common = self.common.as_ref().filter(|_| empties >= TOGETHER);
        if let Some(memory) = common.and_then(|c| c.find(own, other)) {
            if first == 64 {
                first = memory.best;
            }
            if i32::from(memory.low) >= high {
                log.end(End::Table);
                return i32::from(memory.low);
            }
            if i32::from(memory.high) <= low {
                log.end(End::Table);
                return i32::from(memory.high);
            }
        }
        let mut tries = [Try::default(); 34];
        let count = self.sorted(own, other, open, first, empties, &mut tries);
        let tries = &tries[..count];
        if empties >= LOOK_AHEAD {
            for t in tries {
                if let Some(memory) = self.table.find(t.own, t.other) {
                    let sure = -i32::from(memory.high);
                    if sure >= high {
                        log.end(End::Reply);
                        return sure;
                    }
                }
            }
        }
        let start = low;
        let mut best = -100;
        let mut lead = 64;
        for (i, t) in tries.iter().enumerate() {
            let mut score;
            if i == 0 {
                score = -self.child(t, (-high, -low), budget, log);
            } else {
                score = -self.child(t, (-low - 1, -low), budget, log);
                if score > low && score < high {
                    score = -self.child(t, (-high, -low), budget, log);
                }
            }
            if self.stopped {
                return alpha;
            }
            if score > best {
                best = score;
                lead = t.square;
                if best >= high {
                    if i + 1 < count {
                        log.end(End::Cut);
                    }
                    break;
                }
                low = low.max(best);
            }
        }
        let bounds = if best >= high {
            (best, self.squares)
        } else if best > start {
            (best, best)
        } else {
            (-self.squares, best)
        };
        self.table.keep(own, other, empties as u8, bounds, lead);
        if let Some(common) = self.common.as_ref().filter(|_| empties >= TOGETHER) {
            let memory = Shared {
                low: bounds.0 as i16,
                high: bounds.1 as i16,
                depth: empties as u8,
                trust: 0,
                best: lead,
            };
            common.keep(own, other, memory, 0);
        }
        best
    }

    /// A bound from discs that can never be flipped, where it cuts.
    #[inline]
    fn stable_bound(&self, own: u64, other: u64, alpha: i32, empties: u32) -> Option<i32> {
        // Stable discs are few while much is empty: not worth a look unless the bar is high.
        let worth = if empties < 10 {
            2 * empties as i32 - 4
        } else {
            2 * empties as i32
        };
        if self.squares != 64 || alpha < worth {
            return None;
        }
        let most = 64 - 2 * stable_of(other, own).count_ones() as i32;
        (most <= alpha).then_some(most)
    }

    /// The legal moves with their positions, the most promising first.
    fn sorted(
        &self,
        own: u64,
        other: u64,
        open: u64,
        first: u8,
        empties: u32,
        tries: &mut [Try; 34],
    ) -> usize {
        let odd = self.odd(self.area & !(own | other));
        let mut count = 0;
        let mut rest = open;
        while rest != 0 {
            let square = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let flips = bits::flips(square, own, other);
            let (next, mine) = (other & !flips, own | flips | 1 << square);
            let key = if square == usize::from(first) {
                i32::MIN
            } else {
                self.key(square, next, mine, odd, empties)
            };
            let new = Try {
                key,
                square: square as u8,
                own: next,
                other: mine,
            };
            let mut at = count;
            while at > 0 && tries[at - 1].key > key {
                tries[at] = tries[at - 1];
                at -= 1;
            }
            tries[at] = new;
            count += 1;
        }
        count
    }

    /// How soon to try a move: few replies for the opponent first.
    #[inline]
    fn key(&self, square: usize, next: u64, mine: u64, odd: u64, empties: u32) -> i32 {
        let empty = self.area & !(next | mine);
        let replies = bits::moves(next, mine) & self.area;
        let mobility = replies.count_ones() + (replies & self.shape.corners).count_ones();
        if next == 0 {
            return i32::MIN + 1;
        }
        let mut key = 64 * mobility as i32 - 2 * self.shape.taste[square];
        if odd >> square & 1 == 1 {
            key -= if empties < 12 { 24 } else { 12 };
        }
        if empties >= 9 {
            let frontier = (bits::around(mine) & empty).count_ones() as i32;
            key += 12 * frontier;
            if empties >= CAREFUL {
                let edge = (stable_of(mine, next)).count_ones() as i32;
                key -= 18 * edge;
                // The best answer leaves the mover few moves again.
                let own = bits::moves(mine, next) & self.area;
                key -= 10 * own.count_ones() as i32;
            }
            if let Some(patterns) = self.patterns.as_ref().filter(|_| empties >= JUDGED) {
                key += patterns.value(next, mine) / 5;
            }
        }
        key
    }

    /// Few empty squares: order by parity only, no table.
    fn shallow(
        &mut self,
        own: u64,
        other: u64,
        alpha: i32,
        beta: i32,
        (empties, odd): (u32, u64),
        passed: bool,
    ) -> i32 {
        let empty = self.area & !(own | other);
        if empties <= 4 {
            return self.few(own, other, alpha, beta, (empties, empty));
        }
        self.nodes += 1;
        if let Some(bound) = self.stable_bound(own, other, alpha, empties) {
            return bound;
        }
        let open = bits::moves(own, other) & self.area;
        if open == 0 {
            if passed {
                return final_score(own, other, self.squares);
            }
            return -self.shallow(other, own, -beta, -alpha, (empties, odd), true);
        }
        let mut best = -100;
        let mut low = alpha;
        let corners = self.shape.corners;
        for set in [
            open & odd & corners,
            open & odd & !corners,
            open & !odd & corners,
            open & !odd & !corners,
        ] {
            let mut rest = set;
            while rest != 0 {
                let square = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let flips = bits::flips(square, own, other);
                let (next, mine) = (other & !flips, own | flips | 1 << square);
                let at = self.shape.around[square & 63];
                let deeper = (empties - 1, odd ^ at);
                let score = -self.shallow(next, mine, -beta, -low, deeper, false);
                if score > best {
                    best = score;
                    if best >= beta {
                        return best;
                    }
                    low = low.max(best);
                }
            }
        }
        best
    }

    fn few(
        &mut self,
        own: u64,
        other: u64,
        alpha: i32,
        beta: i32,
        (empties, empty): (u32, u64),
    ) -> i32 {
        if empties == 4 {
            let mut list = [0; 4];
            let mut rest = empty;
            for x in &mut list {
                *x = rest.trailing_zeros() as u8;
                rest &= rest - 1;
            }
            let mut last = Last {
                squares: self.squares,
                nodes: &mut self.nodes,
            };
            return last.four(own, other, alpha, beta, list, false);
        }
        self.plain(own, other, empty, false)
    }

    /// Fewer than four squares at the root: no window is worth its while.
    fn plain(&mut self, own: u64, other: u64, empty: u64, passed: bool) -> i32 {
        self.nodes += 1;
        let mut open = bits::moves(own, other) & empty;
        if open == 0 {
            if passed {
                return final_score(own, other, self.squares);
            }
            return -self.plain(other, own, empty, true);
        }
        let mut best = -100;
        while open != 0 {
            let square = open.trailing_zeros() as usize;
            let flips = bits::flips(square, own, other);
            let bit = 1 << square;
            best = best.max(-self.plain(other & !flips, own | flips | bit, empty & !bit, false));
            open &= open - 1;
        }
        best
    }
}

/// The parity of quarters that [`Last`] uses is the one used here.
const _: () = assert!(quarter(0) == 1 && quarter(7) == 2 && quarter(56) == 4 && quarter(63) == 8);
