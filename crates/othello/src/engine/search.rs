//! Searching the middle of the game.

use wits_search::{Budget, Limits};

use super::{DISC, Judgement};
use crate::endgame::{Solver, final_score};
use crate::{Position, Square, bits};

/// How sure an idea is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// Judged at a horizon this many moves ahead.
    Estimate,
    /// Played out to the end.
    Exact,
}

/// A move with what it is worth to the side that makes it.
#[derive(Clone, PartialEq, Debug)]
pub struct Idea {
    /// The moves expected, the first one to be made now.
    pub line: Vec<Square>,
    /// Its worth in discs.
    pub discs: f64,
    /// How sure that is.
    pub known: Known,
}

/// What the engine thinks of a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Analysis {
    /// The best moves, best first.
    pub ideas: Vec<Idea>,
    /// How deep it looked; the number of empty squares where it played out to the end.
    pub depth: u32,
    /// How many positions it looked at.
    pub nodes: u64,
}

#[derive(Clone, Copy)]
struct Memory {
    own: u64,
    other: u64,
    low: i16,
    high: i16,
    depth: u8,
    best: u8,
}

const NOTHING: Memory = Memory {
    own: 0,
    other: 0,
    low: i16::MIN,
    high: i16::MAX,
    depth: 0,
    best: 64,
};
const WIDEST: i32 = 7000;

/// The strong engine. It keeps what it learned of positions from one move to the next.
pub struct Engine {
    judgement: Judgement,
    table: Vec<Memory>,
    solver: Solver,
    nodes: u64,
    stopped: bool,
}

impl Engine {
    /// An engine with the weights that come with this crate and tables of a common size.
    pub fn new() -> Engine {
        Engine::with(Judgement::fitted(), 16)
    }

    /// An engine with its judgement and tables of two to the power of `bits` places.
    pub fn with(judgement: Judgement, bits: u32) -> Engine {
        Engine {
            solver: Solver::new(bits),
            judgement,
            table: vec![NOTHING; 1 << bits],
            nodes: 0,
            stopped: false,
        }
    }

    /// Thinks about a position inside a budget: up to `depth` moves ahead, and to the end with
    /// at most `exact` empty squares. The best `count` moves get a worth of their own.
    pub fn think(
        &mut self,
        position: &Position,
        (depth, exact): (u32, u32),
        count: usize,
        budget: &Budget,
        tell: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        self.nodes = 0;
        self.stopped = false;
        let (own, other) = (position.own(), position.other());
        let open = bits::moves(own, other);
        let mut order: Vec<Square> = Square::all(open).collect();
        let mut analysis = Analysis::default();
        let Some(&first) = order.first() else {
            return analysis;
        };
        let idea = |square, discs, known| Idea {
            line: vec![square],
            discs,
            known,
        };
        analysis.ideas = vec![idea(first, 0.0, Known::Estimate)];
        let empties = 64 - position.taken().count_ones();
        // Where the end is in reach, a look ahead only orders the moves for the solver.
        let ahead = if empties <= exact {
            empties / 3
        } else {
            empties
        };
        let deepest = depth.min(ahead).max(1);
        let mut guess = 0;
        for step in 1..=deepest {
            let mut found: Vec<(i32, Square)> = Vec::new();
            let mut worst = -WIDEST;
            for &square in &order {
                let next = position.after(square);
                let wide = found.len() < count;
                let floor = if wide { -WIDEST } else { worst };
                let value = self.root(&next, step, floor, guess, found.is_empty(), budget);
                if self.stopped {
                    break;
                }
                if wide || value > worst {
                    let at = found.partition_point(|f| f.0 >= value);
                    found.insert(at, (value, square));
                    found.truncate(count.max(1));
                    worst = found.last().map_or(-WIDEST, |f| f.0);
                }
            }
            let complete = !self.stopped;
            if !complete && (found.is_empty() || step == 1) && step > 1 {
                break;
            }
            if let Some(&(best, lead)) = found.first() {
                // A step that was broken off counts only if it looked at the old favourite first.
                guess = best;
                let lines = found.iter().map(|&(v, s)| Idea {
                    line: self.line(position, s, step),
                    discs: f64::from(v) / f64::from(DISC),
                    known: Known::Estimate,
                });
                analysis.ideas = lines.collect();
                analysis.depth = step;
                for &(_, square) in found.iter().rev() {
                    order.retain(|s| *s != square);
                    order.insert(0, square);
                }
                debug_assert_eq!(order[0], lead);
            }
            analysis.nodes = self.nodes;
            if !complete || order.len() == 1 && count <= 1 && depth < 60 {
                break;
            }
            tell(&analysis);
        }
        if empties <= exact && !self.stopped {
            self.finish(position, &order, count, budget, &mut analysis);
        }
        analysis.nodes = self.nodes;
        tell(&analysis);
        analysis
    }

    /// Plays the position out exactly, if the budget lasts.
    fn finish(
        &mut self,
        position: &Position,
        order: &[Square],
        count: usize,
        budget: &Budget,
        analysis: &mut Analysis,
    ) {
        let mut found: Vec<(i32, Square)> = Vec::new();
        let mut worst = -64;
        for &square in order {
            let next = position.after(square);
            let wide = found.len() < count.max(1);
            let floor = if wide { -64 } else { worst };
            let left = budget
                .limits()
                .nodes
                .map_or(u64::MAX, |n| n.saturating_sub(self.nodes));
            let inner = budget.within(Limits::nodes(left));
            let before = self.solver.nodes();
            let score = self
                .solver
                .within(next.own(), next.other(), -64, -floor, &inner);
            self.nodes += self.solver.nodes() - before;
            let Some(score) = score.map(|s| -s) else {
                return;
            };
            if wide || score > worst {
                let at = found.partition_point(|f| f.0 >= score);
                found.insert(at, (score, square));
                found.truncate(count.max(1));
                worst = found.last().map_or(-64, |f| f.0);
            }
        }
        let ideas = found.iter().map(|&(score, square)| Idea {
            line: vec![square],
            discs: f64::from(score),
            known: Known::Exact,
        });
        analysis.ideas = ideas.collect();
        analysis.depth = 64 - position.taken().count_ones();
    }

    /// The worth of a root move: a narrow window around the guess first.
    fn root(
        &mut self,
        next: &Position,
        depth: u32,
        floor: i32,
        guess: i32,
        first: bool,
        budget: &Budget,
    ) -> i32 {
        let (own, other) = (next.own(), next.other());
        if first && depth > 3 {
            let (low, high) = (guess - 300, guess + 300);
            let value = -self.search(own, other, depth - 1, -high, -low, false, budget);
            if self.stopped || (value > low && value < high) {
                return value;
            }
        } else if floor > -WIDEST {
            let value = -self.search(own, other, depth - 1, -floor - 1, -floor, false, budget);
            if self.stopped || value <= floor {
                return value;
            }
        }
        -self.search(
            own,
            other,
            depth - 1,
            -WIDEST,
            -floor.min(WIDEST),
            false,
            budget,
        )
    }

    fn place(&self, own: u64, other: u64) -> usize {
        let mixed = own.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ other.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(31);
        (mixed.wrapping_mul(0xff51_afd7_ed55_8ccd) >> 32) as usize & (self.table.len() - 1)
    }

    /// The moves that the table expects after a first one.
    fn line(&self, position: &Position, first: Square, most: u32) -> Vec<Square> {
        let mut line = vec![first];
        let mut p = position.played(first);
        while (line.len() as u32) < most {
            let memory = &self.table[self.place(p.own(), p.other())];
            let legal = Square::at(usize::from(memory.best)).filter(|s| {
                memory.own == p.own() && memory.other == p.other() && p.moves() & s.bit() != 0
            });
            let Some(square) = legal else { break };
            line.push(square);
            p = p.played(square);
        }
        line
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "a search carries its window along"
    )]
    fn search(
        &mut self,
        own: u64,
        other: u64,
        depth: u32,
        alpha: i32,
        beta: i32,
        passed: bool,
        budget: &Budget,
    ) -> i32 {
        self.nodes += 1;
        if budget.spent(self.nodes) {
            self.stopped = true;
        }
        if self.stopped {
            return alpha;
        }
        let open = bits::moves(own, other);
        if open == 0 {
            if passed {
                return DISC * final_score(own, other, 64);
            }
            return -self.search(other, own, depth, -beta, -alpha, true, budget);
        }
        if depth == 0 {
            return self.judgement.value(own, other);
        }
        let place = self.place(own, other);
        let memory = self.table[place];
        let hit = memory.own == own && memory.other == other;
        let mut first = 64;
        if hit {
            first = memory.best;
            if u32::from(memory.depth) == depth {
                let (low, high) = (i32::from(memory.low), i32::from(memory.high));
                if low >= beta || low == high {
                    return low;
                }
                if high <= alpha {
                    return high;
                }
            }
        }
        let mut tries = [(0i32, 0u8, 0u64, 0u64); 34];
        let mut count = 0;
        let mut rest = open;
        while rest != 0 {
            let square = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            let flips = bits::flips(usize::from(square), own, other);
            let (next, mine) = (other & !flips, own | flips | 1 << square);
            let promise = if square == first {
                -1_000_000
            } else if depth >= 4 {
                self.judgement.value(next, mine) / 8 + 20 * mobility(next, mine)
            } else if depth >= 2 {
                mobility(next, mine) * 16
            } else {
                0
            };
            let key = promise - 100 * i32::from(bits::CORNERS >> square & 1 == 1);
            let mut at = count;
            while at > 0 && tries[at - 1].0 > key {
                tries[at] = tries[at - 1];
                at -= 1;
            }
            tries[at] = (key, square, next, mine);
            count += 1;
        }
        if depth >= 3 {
            for &(_, _, next, mine) in &tries[..count] {
                let memory = &self.table[self.place(next, mine)];
                if memory.own == next
                    && memory.other == mine
                    && u32::from(memory.depth) == depth - 1
                {
                    let sure = -i32::from(memory.high);
                    if sure >= beta {
                        return sure;
                    }
                }
            }
        }
        let mut low = alpha;
        let mut best = -2 * WIDEST;
        let mut lead = 64;
        for (i, &(_, square, next, mine)) in tries[..count].iter().enumerate() {
            let mut value;
            if i == 0 {
                value = -self.search(next, mine, depth - 1, -beta, -low, false, budget);
            } else {
                value = -self.search(next, mine, depth - 1, -low - 1, -low, false, budget);
                if value > low && value < beta {
                    value = -self.search(next, mine, depth - 1, -beta, -low, false, budget);
                }
            }
            if self.stopped {
                return alpha;
            }
            if value > best {
                best = value;
                lead = square;
                if best >= beta {
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
        self.table[place] = Memory {
            own,
            other,
            low: least,
            high: most,
            depth: depth as u8,
            best: lead,
        };
        best
    }
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
}

/// How many replies a position leaves, corners twice.
fn mobility(next: u64, mine: u64) -> i32 {
    let replies = bits::moves(next, mine);
    replies.count_ones() as i32 + 2 * (replies & bits::CORNERS).count_ones() as i32
}
