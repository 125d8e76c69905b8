//! The search of the middle game: principal variation search over a shared table, by one thread.

use wits_search::Budget;

use super::log::{End, Log};
use super::probcut::{self, Errors};
use super::seen::{Places, Seen, Side, places};
use super::table::{Memory, Table};
use super::{DISC, Judgement, patterns};
use crate::cpu::{best_level, on_every_cpu};
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
    pub const USUAL: Selection = Selection { margin: 700 };

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
pub(super) struct Here {
    own: u64,
    other: u64,
    seen: Seen,
    side: Side,
}

impl Here {
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "compiled for each level of CPU; measured"
    )]
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
            log,
        }
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
        sought(self, &here, depth, (alpha, beta))
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
}

/// Searches with the best instructions of this CPU.
#[multiversion::multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"), dispatcher = "direct")]
fn sought<L: Log>(s: &mut Seeker<'_, L>, here: &Here, depth: u32, window: (i32, i32)) -> i32 {
    best_level!(seek(s, here, depth, window, false))
}

on_every_cpu! {
    /// How many replies a position leaves, corners twice.
    #[inline]
    fn mobility(next: u64, mine: u64) -> i32 {
        let replies = board::moves(next, mine);
        replies.count_ones() as i32 + 2 * (replies & bits::CORNERS).count_ones() as i32
    }

    #[inline]
    fn judged<L: Log>(s: &Seeker<'_, L>, here: &Here) -> i32 {
        s.judgement
            .value_seen(here.own, here.other, &here.seen, here.side)
    }

    /// A move inside the tree.
    #[inline]
    fn child<L: Log>(
        s: &mut Seeker<'_, L>,
        (square, next): (u8, &Here),
        depth: u32,
        (alpha, beta): (i32, i32),
    ) -> i32 {
        s.log.open(square, (alpha, beta), s.nodes);
        let value = seek(s, next, depth, (alpha, beta), false);
        s.close(value);
        value
    }

    pub(in crate::engine) fn seek<L: Log>(
        s: &mut Seeker<'_, L>,
        here: &Here,
        depth: u32,
        (alpha, beta): (i32, i32),
        passed: bool,
    ) -> i32 {
        let (own, other) = (here.own, here.other);
        s.nodes += 1;
        s.stopped |= s.budget.spent(s.nodes);
        if s.stopped {
            return alpha;
        }
        let open = board::moves(own, other);
        if open == 0 {
            if passed {
                s.log.end(End::Over);
                return DISC * final_score(own, other, 64);
            }
            return -seek(s, &here.passed(), depth, (-beta, -alpha), true);
        }
        if depth == 0 {
            s.log.end(End::Judged);
            return judged(s, here);
        }
        if depth == 1 {
            return last_ply(s, here, open, (alpha, beta));
        }
        let memory = s.table.find(own, other);
        let mut first = 64;
        if let Some(memory) = memory {
            first = memory.best;
            if u32::from(memory.depth) >= depth && memory.trust <= s.trust() {
                let (low, high) = (i32::from(memory.low), i32::from(memory.high));
                if low >= beta || low == high {
                    s.log.end(End::Table);
                    return low;
                }
                if high <= alpha {
                    s.log.end(End::Table);
                    return high;
                }
            }
        }
        if let Some(bound) = foretold(s, here, depth, (alpha, beta)) {
            s.log.end(End::Selective);
            return bound;
        }
        let mut tries = [Try::default(); 34];
        let count = sorted(s, here, open, first, depth, &mut tries);
        if depth >= 3 {
            for t in &tries[..count] {
                if let Some(memory) = s.table.find(t.own, t.other)
                    && u32::from(memory.depth) >= depth - 1
                    && memory.trust <= s.trust()
                {
                    let sure = -i32::from(memory.high);
                    if sure >= beta {
                        s.log.end(End::Reply);
                        return sure;
                    }
                }
            }
        }
        let mut low = alpha;
        let mut best = -2 * WIDEST;
        let mut lead = 64;
        for (i, t) in tries[..count].iter().enumerate() {
            let next = here.after(s.places, usize::from(t.square), other & !t.own);
            let mut value;
            if i == 0 {
                value = -child(s, (t.square, &next), depth - 1, (-beta, -low));
            } else {
                value = -child(s, (t.square, &next), depth - 1, (-low - 1, -low));
                if value > low && value < beta {
                    value = -child(s, (t.square, &next), depth - 1, (-beta, -low));
                }
            }
            if s.stopped {
                return alpha;
            }
            if value > best {
                best = value;
                lead = t.square;
                if best >= beta {
                    if i + 1 < count {
                        s.log.end(End::Cut);
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
            trust: s.trust(),
            best: lead,
        };
        s.table.keep(own, other, memory, s.age);
        best
    }

    /// One move before the horizon: no table, no order but the corners first.
    fn last_ply<L: Log>(
        s: &mut Seeker<'_, L>,
        here: &Here,
        open: u64,
        (alpha, beta): (i32, i32),
    ) -> i32 {
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
                    s.log.open(square as u8, window, s.nodes);
                }
                let flips = board::flips(square, here.own, here.other);
                let next = here.after(s.places, square, flips);
                s.nodes += 1;
                let value = if board::moves(next.own, next.other) == 0 {
                    -seek(s, &next, 0, (-beta, -alpha.max(best)), false)
                } else {
                    s.log.end(End::Judged);
                    -judged(s, &next)
                };
                if L::ON {
                    s.close(-value);
                }
                best = best.max(value);
                if best >= beta {
                    if L::ON && left != 0 {
                        s.log.end(End::Cut);
                    }
                    return best;
                }
            }
        }
        best
    }

    /// A bound, if a shallow search shows that the deep one would leave the window.
    fn foretold<L: Log>(
        s: &mut Seeker<'_, L>,
        here: &Here,
        depth: u32,
        (alpha, beta): (i32, i32),
    ) -> Option<i32> {
        let selection = s.selection?;
        let shallow = probcut::shallow(depth);
        if shallow == 0 || beta - alpha != 1 {
            return None;
        }
        let (mean, sigma) = s.errors.of(patterns::phase(here.own, here.other), depth);
        let margin = selection.margin * sigma / 1000;
        let now = judged(s, here);
        let (above, below) = (beta + margin - mean, alpha - margin - mean);
        s.log.aside(true);
        let mut found = None;
        // A look at the position itself says on which side a cut is likely.
        if now >= beta && above < WIDEST {
            let value = seek(s, here, shallow, (above - 1, above), false);
            found = (value >= above).then_some(beta);
        } else if now <= alpha && below > -WIDEST {
            let value = seek(s, here, shallow, (below, below + 1), false);
            found = (value <= below).then_some(alpha);
        }
        s.log.aside(false);
        found.filter(|_| !s.stopped)
    }

    /// The legal moves with their positions, the most promising first.
    fn sorted<L: Log>(
        s: &Seeker<'_, L>,
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
            let flips = board::flips(usize::from(square), here.own, here.other);
            let (next, mine) = (here.other & !flips, here.own | flips | 1 << square);
            let key = if square == first {
                i32::MIN
            } else if depth >= 3 {
                let there = here.after(s.places, usize::from(square), flips);
                judged(s, &there) + 60 * mobility(next, mine)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_are_read_as_shares() {
        assert_eq!(Selection { margin: 0 }.percent(), 50);
        assert_eq!(Selection { margin: 1100 }.percent(), 86);
    }
}
