//! The search of the middle game: principal variation search over a shared table, by one thread.

use wits_search::Budget;

use super::log::{End, Log};
use super::probcut::{self, Errors};
use super::seen::{Places, Seen, Side, places};
use super::table::{Memory, Table};
use super::{DISC, Judgement, patterns};
use crate::endgame::final_score;
use crate::{Square, bits};

/// No position is worth more.
pub(super) const WIDEST: i32 = 7000;

/// How far a foretold worth must lie outside the window to be believed, in thousandths of a standard deviation.
/// The larger the more careful.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Selection {
    /// Thousandths of a standard deviation.
    pub margin: i32,
}

impl Selection {
    /// What the engine uses.
    pub const USUAL: Selection = Selection { margin: 1100 };

    /// How often a cut is right, in percent, if errors are normal.
    pub fn percent(self) -> u8 {
        let t = f64::from(self.margin) / 1000.0;
        (50.0 * (1.0 + libm::erf(t / std::f64::consts::SQRT_2))).round() as u8
    }
}

/// One thread of a search.
pub(super) struct Seeker<'a, L> {
    pub(super) judgement: &'a Judgement,
    pub(super) table: &'a Table,
    pub(super) errors: &'a Errors,
    places: &'static Places,
    pub(super) selection: Option<Selection>,
    pub(super) budget: &'a Budget,
    pub(super) age: u8,
    pub(super) nodes: u64,
    pub(super) stopped: bool,
    /// Inside a shallow search that foretells another, nothing is foretold again.
    probing: bool,
    /// Who follows it.
    pub(super) log: &'a mut L,
}

/// A move to try: smaller keys first.
#[derive(Clone, Copy, Default)]
struct Try {
    key: i32,
    square: u8,
    own: u64,
    other: u64,
}

/// A position inside the search: the mover's discs, the other's, and what their patterns show.
struct Here {
    own: u64,
    other: u64,
    seen: Seen,
    side: Side,
}

impl Here {
    #[inline]
    fn after(&self, places: &Places, square: usize, flips: u64) -> Here {
        Here {
            own: self.other & !flips,
            other: self.own | flips | 1 << square,
            seen: self.seen.after(places, square, flips, self.side),
            side: self.side.other(),
        }
    }

    fn passed(&self) -> Here {
        Here {
            own: self.other,
            other: self.own,
            seen: self.seen,
            side: self.side.other(),
        }
    }
}

impl<'a, L: Log> Seeker<'a, L> {
    pub(super) fn new(
        judgement: &'a Judgement,
        table: &'a Table,
        selection: Option<Selection>,
        budget: &'a Budget,
        age: u8,
        log: &'a mut L,
    ) -> Seeker<'a, L> {
        Seeker {
            judgement,
            table,
            errors: Errors::shipped(),
            places: places(),
            selection,
            budget,
            age,
            nodes: 0,
            stopped: false,
            probing: false,
            log,
        }
    }

    #[inline]
    fn judged(&self, here: &Here) -> i32 {
        self.judgement
            .value_seen(here.own, here.other, &here.seen, here.side)
    }

    fn trust(&self) -> u8 {
        u8::from(self.selection.is_some())
    }

    /// What a position is worth to its mover by a search of this depth, inside the window.
    pub(super) fn search(
        &mut self,
        own: u64,
        other: u64,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let here = Here {
            own,
            other,
            seen: Seen::of(own, other),
            side: Side::Ones,
        };
        self.seek(&here, depth, alpha, beta, false)
    }

    /// Looks at the position after a move of the root, as [`search`](Seeker::search) does.
    pub(super) fn look(
        &mut self,
        square: Square,
        (own, other): (u64, u64),
        depth: u32,
        (alpha, beta): (i32, i32),
    ) -> i32 {
        let number = square.index() as u8;
        self.log.open(number, (alpha, beta), self.nodes);
        let value = self.search(own, other, depth, alpha, beta);
        self.close(value);
        value
    }

    /// Tells that the open position has its value, unless the search was stopped.
    #[inline]
    fn close(&mut self, value: i32) {
        self.log.close((!self.stopped).then_some(value), self.nodes);
    }

    /// A move inside the tree.
    #[inline]
    fn child(&mut self, square: u8, next: &Here, depth: u32, (alpha, beta): (i32, i32)) -> i32 {
        self.log.open(square, (alpha, beta), self.nodes);
        let value = self.seek(next, depth, alpha, beta, false);
        self.close(value);
        value
    }

    fn seek(&mut self, here: &Here, depth: u32, alpha: i32, beta: i32, passed: bool) -> i32 {
        let (own, other) = (here.own, here.other);
        self.nodes += 1;
        self.stopped |= self.budget.spent(self.nodes);
        if self.stopped {
            return alpha;
        }
        let open = bits::moves(own, other);
        if open == 0 {
            if passed {
                self.log.end(End::Over);
                return DISC * final_score(own, other, 64);
            }
            return -self.seek(&here.passed(), depth, -beta, -alpha, true);
        }
        if depth == 0 {
            self.log.end(End::Judged);
            return self.judged(here);
        }
        if depth == 1 {
            return self.last_ply(here, open, alpha, beta);
        }
        let memory = self.table.find(own, other);
        let mut first = 64;
        if let Some(memory) = memory {
            first = memory.best;
            if u32::from(memory.depth) >= depth && memory.trust <= self.trust() {
                let (low, high) = (i32::from(memory.low), i32::from(memory.high));
                if low >= beta || low == high {
                    self.log.end(End::Table);
                    return low;
                }
                if high <= alpha {
                    self.log.end(End::Table);
                    return high;
                }
            }
        }
        if let Some(bound) = self.foretold(here, depth, alpha, beta) {
            self.log.end(End::Selective);
            return bound;
        }
        let mut tries = [Try::default(); 34];
        let count = self.sorted(here, open, first, depth, &mut tries);
        if depth >= 3 {
            for t in &tries[..count] {
                if let Some(memory) = self.table.find(t.own, t.other)
                    && u32::from(memory.depth) >= depth - 1
                    && memory.trust <= self.trust()
                {
                    let sure = -i32::from(memory.high);
                    if sure >= beta {
                        self.log.end(End::Reply);
                        return sure;
                    }
                }
            }
        }
        let mut low = alpha;
        let mut best = -2 * WIDEST;
        let mut lead = 64;
        for (i, t) in tries[..count].iter().enumerate() {
            let next = here.after(self.places, usize::from(t.square), other & !t.own);
            let mut value;
            if i == 0 {
                value = -self.child(t.square, &next, depth - 1, (-beta, -low));
            } else {
                value = -self.child(t.square, &next, depth - 1, (-low - 1, -low));
                if value > low && value < beta {
                    value = -self.child(t.square, &next, depth - 1, (-beta, -low));
                }
            }
            if self.stopped {
                return alpha;
            }
            if value > best {
                best = value;
                lead = t.square;
                if best >= beta {
                    if i + 1 < count {
                        self.log.end(End::Cut);
                    }
                    break;
                }
                low = low.max(best);
            }
        }
        let (least, most) = if best >= beta {
            (best as i16, i16::MAX)
        } else if best > alpha {
            (best as i16, best as i16)
        } else {
            (i16::MIN, best as i16)
        };
        let memory = Memory {
            low: least,
            high: most,
            depth: depth as u8,
            trust: self.trust(),
            best: lead,
        };
        self.table.keep(own, other, memory, self.age);
        best
    }

    /// One move before the horizon: no table, no order but the corners first.
    fn last_ply(&mut self, here: &Here, open: u64, alpha: i32, beta: i32) -> i32 {
        let mut best = -2 * WIDEST;
        let mut left = open;
        for set in [open & bits::CORNERS, open & !bits::CORNERS] {
            let mut rest = set;
            while rest != 0 {
                let square = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                if L::ON {
                    left &= !(1 << square);
                    let window = (-beta, -alpha.max(best));
                    self.log.open(square as u8, window, self.nodes);
                }
                let flips = bits::flips(square, here.own, here.other);
                let next = here.after(self.places, square, flips);
                self.nodes += 1;
                let value = if bits::moves(next.own, next.other) == 0 {
                    -self.seek(&next, 0, -beta, -alpha.max(best), false)
                } else {
                    self.log.end(End::Judged);
                    -self.judged(&next)
                };
                if L::ON {
                    self.close(-value);
                }
                best = best.max(value);
                if best >= beta {
                    if L::ON && left != 0 {
                        self.log.end(End::Cut);
                    }
                    return best;
                }
            }
        }
        best
    }

    /// A bound, if a shallow search shows that the deep one would leave the window.
    fn foretold(&mut self, here: &Here, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        let selection = self.selection?;
        let shallow = probcut::shallow(depth);
        if self.probing || shallow == 0 || beta - alpha != 1 {
            return None;
        }
        let (mean, sigma) = self.errors.of(patterns::phase(here.own, here.other), depth);
        let margin = selection.margin * sigma / 1000;
        let now = self.judged(here);
        let (above, below) = (beta + margin - mean, alpha - margin - mean);
        self.probing = true;
        self.log.aside(true);
        let mut found = None;
        // A look at the position itself says on which side a cut is likely.
        if now >= beta && above < WIDEST {
            let value = self.seek(here, shallow, above - 1, above, false);
            found = (value >= above).then_some(beta);
        } else if now <= alpha && below > -WIDEST {
            let value = self.seek(here, shallow, below, below + 1, false);
            found = (value <= below).then_some(alpha);
        }
        self.probing = false;
        self.log.aside(false);
        found.filter(|_| !self.stopped)
    }

    /// The legal moves with their positions, the most promising first.
    fn sorted(
        &self,
        here: &Here,
        open: u64,
        first: u8,
        depth: u32,
        tries: &mut [Try; 34],
    ) -> usize {
        let mut count = 0;
        let mut rest = open;
        while rest != 0 {
            let square = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            let flips = bits::flips(usize::from(square), here.own, here.other);
            let (next, mine) = (here.other & !flips, here.own | flips | 1 << square);
            let key = if square == first {
                i32::MIN
            } else if depth >= 3 {
                let there = here.after(self.places, usize::from(square), flips);
                self.judged(&there) + 60 * mobility(next, mine)
            } else {
                100 * mobility(next, mine) - 600 * i32::from(bits::CORNERS >> square & 1 == 1)
            };
            let mut at = count;
            while at > 0 && tries[at - 1].key > key {
                tries[at] = tries[at - 1];
                at -= 1;
            }
            tries[at] = Try {
                key,
                square,
                own: next,
                other: mine,
            };
            count += 1;
        }
        count
    }
}

/// How many replies a position leaves, corners twice.
fn mobility(next: u64, mine: u64) -> i32 {
    let replies = bits::moves(next, mine);
    replies.count_ones() as i32 + 2 * (replies & bits::CORNERS).count_ones() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_are_read_as_shares() {
        assert_eq!(Selection { margin: 0 }.percent(), 50);
        assert_eq!(Selection { margin: 1100 }.percent(), 86);
    }
}
