//! The search above the last four squares.

use wits_search::Budget;

use super::final_score;
use super::search::Solver;
use crate::bits;
use crate::cpu::{best_level, on_every_cpu};
use crate::engine::log::{End, Log};
use crate::engine::table::Memory as Shared;
use crate::stable::stable_of;

/// Up to this many empty squares there is no table and no costly ordering.
const SHALLOW: u32 = 7;
/// From this many empty squares on, moves that leave few replies come first; below, parity alone orders them.
const REPLIES: u32 = 6;
/// From this many empty squares on, a reply already known to be good enough cuts at once.
const LOOK_AHEAD: u32 = 10;
/// Up to this many empty squares a short list of moves is enough.
const FEW: u32 = 12;
/// From this many empty squares on, moves are ordered by a look one ply further.
const CAREFUL: u32 = 15;
/// From this many empty squares on, the fitted patterns are asked for the order of moves.
pub(super) const JUDGED: u32 = 12;
/// From this many empty squares on, positions are kept in the large table.
pub(super) const FAR: u32 = 11;
/// From this many empty squares on, solvers that work together tell each other what they found.
const TOGETHER: u32 = 13;

/// A move to try: its key (smaller first), its square and what it flips.
#[derive(Clone, Copy, Default)]
struct Try {
    key: i32,
    square: u8,
    flips: u64,
}

impl Try {
    /// The position after the move, for the other side.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "inside the innermost loops; measured")]
    const fn next(&self, (own, other): (u64, u64)) -> (u64, u64) {
        (other & !self.flips, own | self.flips | 1 << self.square)
    }
}

/// What the moves of a position came to.
enum Found {
    /// The best score and the move that reaches it.
    Moves(i32, u8),
    /// A bound that the table had.
    Known(i32),
    /// The budget ended.
    Stopped,
}

/// Brings the most promising of the moves that are left to the place `at`.
#[inline(always)]
#[expect(clippy::inline_always, reason = "inside the innermost loops; measured")]
fn pick(tries: &mut [Try], at: usize) -> Try {
    let mut least = at;
    for i in at + 1..tries.len() {
        if tries[i].key < tries[least].key {
            least = i;
        }
    }
    tries.swap(at, least);
    tries[at]
}

/// The quarters of the board with an odd number of empty squares.
#[inline]
fn odd_quarters(s: &Solver, empty: u64) -> u64 {
    let mut odd = 0;
    for quarter in s.shape.quarters {
        if (empty & quarter).count_ones() & 1 == 1 {
            odd |= quarter;
        }
    }
    odd
}

/// Searches a position inside a window with the best instructions of this CPU.
#[multiversion::multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"), dispatcher = "direct")]
pub(super) fn walk<L: Log>(
    s: &mut Solver,
    discs: (u64, u64),
    window: (i32, i32),
    budget: &Budget,
    log: &mut L,
) -> i32 {
    best_level!(search(s, discs, window, false, budget, log))
}

on_every_cpu! {
    with crate::endgame::last as last;

    /// A move inside the tree.
    #[inline]
    fn child<L: Log>(
        s: &mut Solver,
        (square, next): (u8, (u64, u64)),
        window: (i32, i32),
        budget: &Budget,
        log: &mut L,
    ) -> i32 {
        log.open(square, window, s.nodes);
        let score = search(s, next, window, false, budget, log);
        log.close((!s.stopped).then_some(score), s.nodes);
        score
    }

    pub(in crate::endgame) fn search<L: Log>(
        s: &mut Solver,
        (own, other): (u64, u64),
        (alpha, beta): (i32, i32),
        passed: bool,
        budget: &Budget,
        log: &mut L,
    ) -> i32 {
        let empty = s.area & !(own | other);
        let empties = empty.count_ones();
        if empties <= SHALLOW {
            log.end(End::Solver);
            let odd = odd_quarters(s, empty);
            return shallow(s, (own, other), (alpha, beta), (empties, odd), passed);
        }
        s.nodes += 1;
        if s.nodes.is_multiple_of(1024) && (budget.stopped() || budget.late()) {
            s.stopped = true;
        }
        s.stopped |= s.nodes >= s.limit;
        if s.stopped {
            return alpha;
        }
        if let Some(bound) = stable_bound(s, own, other, alpha, empties) {
            log.end(End::Stable);
            return bound;
        }
        let open = board::moves(own, other) & s.area;
        if open == 0 {
            if passed {
                log.end(End::Over);
                return final_score(own, other, s.squares);
            }
            return -search(s, (other, own), (-beta, -alpha), true, budget, log);
        }
        let (mut low, mut high) = (alpha, beta);
        let mut first = 64;
        if let Some(memory) = s.known(own, other, empties) {
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
        let common = s.common.as_ref().filter(|_| empties >= TOGETHER);
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
        let start = low;
        let window = (low, high);
        let found = if empties <= FEW {
            tried::<{ FEW as usize }, L>(s, (own, other), window, (open, first, empties), budget, log)
        } else {
            tried::<34, L>(s, (own, other), window, (open, first, empties), budget, log)
        };
        let (best, lead) = match found {
            Found::Moves(best, lead) => (best, lead),
            Found::Known(bound) => return bound,
            Found::Stopped => return alpha,
        };
        let bounds = if best >= high {
            (best, s.squares)
        } else if best > start {
            (best, best)
        } else {
            (-s.squares, best)
        };
        let table = if empties < FAR {
            &mut s.near
        } else {
            &mut s.table
        };
        table.keep(own, other, empties as u8, bounds, lead);
        if let Some(common) = s.common.as_ref().filter(|_| empties >= TOGETHER) {
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

    /// Tries the moves of a position, the most promising first.
    #[inline]
    fn tried<const N: usize, L: Log>(
        s: &mut Solver,
        discs: (u64, u64),
        (mut low, high): (i32, i32),
        (open, first, empties): (u64, u8, u32),
        budget: &Budget,
        log: &mut L,
    ) -> Found {
        let mut tries = [Try::default(); N];
        let count = keyed(s, discs, open, first, empties, &mut tries);
        let tries = &mut tries[..count];
        if empties >= LOOK_AHEAD {
            for t in &*tries {
                let (own, other) = t.next(discs);
                if let Some(memory) = s.known(own, other, empties - 1) {
                    let sure = -i32::from(memory.high);
                    if sure >= high {
                        log.end(End::Reply);
                        return Found::Known(sure);
                    }
                }
            }
        }
        let mut best = -100;
        let mut lead = 64;
        for i in 0..count {
            let t = pick(tries, i);
            let next = (t.square, t.next(discs));
            let mut score;
            if i == 0 {
                score = -child(s, next, (-high, -low), budget, log);
            } else {
                score = -child(s, next, (-low - 1, -low), budget, log);
                if score > low && score < high {
                    score = -child(s, next, (-high, -low), budget, log);
                }
            }
            if s.stopped {
                return Found::Stopped;
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
        Found::Moves(best, lead)
    }

    /// A bound from discs that can never be flipped, where it cuts.
    #[inline]
    fn stable_bound(s: &Solver, own: u64, other: u64, alpha: i32, empties: u32) -> Option<i32> {
        // Stable discs are few while much is empty: not worth a look unless the bar is high.
        let worth = if empties < 10 {
            2 * empties as i32 - 4
        } else {
            2 * empties as i32
        };
        if s.squares != 64 || alpha < worth {
            return None;
        }
        let most = 64 - 2 * stable_of(other, own).count_ones() as i32;
        (most <= alpha).then_some(most)
    }

    /// The legal moves with their keys.
    #[inline]
    fn keyed(
        s: &Solver,
        (own, other): (u64, u64),
        open: u64,
        first: u8,
        empties: u32,
        tries: &mut [Try],
    ) -> usize {
        let odd = odd_quarters(s, s.area & !(own | other));
        let mut rest = open;
        let mut count = 0;
        for place in tries.iter_mut() {
            if rest == 0 {
                break;
            }
            let square = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let flips = board::flips(square, own, other);
            let key = if square == usize::from(first) {
                i32::MIN
            } else {
                let (next, mine) = (other & !flips, own | flips | 1 << square);
                key(s, square, next, mine, odd, empties)
            };
            *place = Try { key, square: square as u8, flips };
            count += 1;
        }
        count
    }

    /// How soon to try a move: few replies for the opponent first.
    #[inline]
    fn key(s: &Solver, square: usize, next: u64, mine: u64, odd: u64, empties: u32) -> i32 {
        let empty = s.area & !(next | mine);
        let replies = board::moves(next, mine) & s.area;
        let mobility = replies.count_ones() + (replies & s.shape.corners).count_ones();
        if next == 0 {
            return i32::MIN + 1;
        }
        let mut key = 64 * mobility as i32 - 2 * s.shape.taste[square];
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
                let own = board::moves(mine, next) & s.area;
                key -= 10 * own.count_ones() as i32;
            }
            if let Some(patterns) = s.patterns.as_ref().filter(|_| empties >= JUDGED) {
                key += patterns.value(next, mine) / 5;
            }
        }
        key
    }

    /// Few empty squares: no table, and with the fewest of them no order but parity.
    fn shallow(
        s: &mut Solver,
        (own, other): (u64, u64),
        (alpha, beta): (i32, i32),
        (empties, odd): (u32, u64),
        passed: bool,
    ) -> i32 {
        let empty = s.area & !(own | other);
        if empties <= 4 {
            return few(s, (own, other), (alpha, beta), (empties, empty));
        }
        s.nodes += 1;
        if let Some(bound) = stable_bound(s, own, other, alpha, empties) {
            return bound;
        }
        let open = board::moves(own, other) & s.area;
        if open == 0 {
            if passed {
                return final_score(own, other, s.squares);
            }
            return -shallow(s, (other, own), (-beta, -alpha), (empties, odd), true);
        }
        if empties >= REPLIES && open & (open - 1) != 0 {
            return by_replies(s, (own, other), (alpha, beta), (empties, odd), open);
        }
        let mut best = -100;
        let mut low = alpha;
        let corners = s.shape.corners;
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
                let flips = board::flips(square, own, other);
                let next = (other & !flips, own | flips | 1 << square);
                let deeper = (empties - 1, odd ^ s.shape.around[square & 63]);
                let score = -shallow(s, next, (-beta, -low), deeper, false);
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

    /// Some more empty squares: moves that leave few replies first.
    #[inline]
    fn by_replies(
        s: &mut Solver,
        (own, other): (u64, u64),
        (alpha, beta): (i32, i32),
        (empties, odd): (u32, u64),
        open: u64,
    ) -> i32 {
        let mut tries = [Try::default(); 8];
        let mut rest = open;
        let mut count = 0;
        for place in &mut tries {
            if rest == 0 {
                break;
            }
            let square = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let flips = board::flips(square, own, other);
            let replies = board::moves(other & !flips, own | flips | 1 << square) & s.area;
            let many = replies.count_ones() + (replies & s.shape.corners).count_ones();
            let key = 64 * many as i32 - 2 * s.shape.taste[square] - 40 * (odd >> square & 1) as i32;
            *place = Try { key, square: square as u8, flips };
            count += 1;
        }
        let tries = &mut tries[..count];
        let mut best = -100;
        let mut low = alpha;
        for i in 0..count {
            let t = pick(tries, i);
            let deeper = (empties - 1, odd ^ s.shape.around[usize::from(t.square & 63)]);
            let score = -shallow(s, t.next((own, other)), (-beta, -low), deeper, false);
            if score > best {
                best = score;
                if best >= beta {
                    return best;
                }
                low = low.max(best);
            }
        }
        best
    }

    fn few(
        s: &mut Solver,
        (own, other): (u64, u64),
        (alpha, beta): (i32, i32),
        (empties, empty): (u32, u64),
    ) -> i32 {
        if empties == 4 {
            let mut list = [0; 4];
            let mut rest = empty;
            for x in &mut list {
                *x = rest.trailing_zeros() as u8;
                rest &= rest - 1;
            }
            let window = (alpha, beta);
            return last::four(&mut s.nodes, s.squares, (own, other), window, list, false);
        }
        to_the_end(s, own, other, empty, false)
    }

    /// Fewer than four squares at the root: no window is worth its while.
    fn to_the_end(s: &mut Solver, own: u64, other: u64, empty: u64, passed: bool) -> i32 {
        s.nodes += 1;
        let mut open = board::moves(own, other) & empty;
        if open == 0 {
            if passed {
                return final_score(own, other, s.squares);
            }
            return -to_the_end(s, other, own, empty, true);
        }
        let mut best = -100;
        while open != 0 {
            let square = open.trailing_zeros() as usize;
            let flips = board::flips(square, own, other);
            let bit = 1 << square;
            best = best.max(-to_the_end(s, other & !flips, own | flips | bit, empty & !bit, false));
            open &= open - 1;
        }
        best
    }
}
