//! The teaching engine: the classical search with a heuristic, as the report has it, and fast.
//!
//! Values are for Black: a won game is worth more than any heuristic, a lost one less, a draw
//! nothing. Depth counts moves; a forced pass costs none. Among moves of equal value the *last*
//! legal square is preferred, then the others from a1 on. [`plain`] is that definition, word by word;
//! [`Teacher`] gives the same value and the same move from far fewer positions.

use crate::heuristics::{Heuristic, Moves};
use crate::{Position, Square, bits};
use wits_game::Seat;

/// What a search of the teaching engine found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Lesson {
    /// The move; none when the game is over.
    pub best: Option<Square>,
    /// The value for Black.
    pub value: f64,
    /// How many positions were visited, the root included.
    pub nodes: u64,
}

fn ended(p: &Position) -> f64 {
    let (black, white) = p.score();
    match black.cmp(&white) {
        std::cmp::Ordering::Greater => f64::INFINITY,
        std::cmp::Ordering::Less => f64::NEG_INFINITY,
        std::cmp::Ordering::Equal => 0.0,
    }
}

/// The order of the report: the last legal square, then the others from a1 on.
fn ordered(moves: u64) -> impl Iterator<Item = Square> {
    let last = Square::at(63usize.wrapping_sub(moves.leading_zeros() as usize));
    let rest = last.map_or(0, |last| moves & !last.bit());
    last.into_iter().chain(Square::all(rest))
}

/// Plain minimax, or plain alpha-beta if `cut`: no ordering, no memory. The definition that
/// everything faster is tested against, and what node counts are reported for.
pub fn plain(p: &Position, heuristic: Heuristic, depth: u32, cut: bool) -> Lesson {
    let mut nodes = 0;
    let window = (f64::NEG_INFINITY, f64::INFINITY);
    let (value, best) = visit(p, heuristic, depth, cut, window, &mut nodes);
    Lesson { best, value, nodes }
}

fn visit(
    p: &Position,
    heuristic: Heuristic,
    depth: u32,
    cut: bool,
    (mut alpha, mut beta): (f64, f64),
    nodes: &mut u64,
) -> (f64, Option<Square>) {
    *nodes += 1;
    let moves = p.moves();
    if moves == 0 {
        return (ended(p), None);
    }
    if depth == 0 {
        return (heuristic.value(p), None);
    }
    let black = p.turn == Seat::FIRST;
    let mut best: Option<(f64, Square)> = None;
    for square in ordered(moves) {
        let (value, _) = visit(
            &p.played(square),
            heuristic,
            depth - 1,
            cut,
            (alpha, beta),
            nodes,
        );
        let better = best.is_none_or(|(b, _)| if black { value > b } else { value < b });
        if better {
            best = Some((value, square));
        }
        if cut {
            if black {
                alpha = alpha.max(value);
            } else {
                beta = beta.min(value);
            }
            if beta <= alpha {
                break;
            }
        }
    }
    best.map_or((ended(p), None), |(value, square)| (value, Some(square)))
}

/// One remembered position: bounds of its value for the side to move at a depth.
#[derive(Clone, Copy)]
struct Memory {
    own: u64,
    other: u64,
    low: f64,
    high: f64,
    depth: u8,
    black: bool,
    best: u8,
}

const NOTHING: Memory = Memory {
    own: 0,
    other: 0,
    low: f64::NEG_INFINITY,
    high: f64::INFINITY,
    depth: 0,
    black: false,
    best: 64,
};

/// What helps alpha-beta along. None of it changes a value or a choice, so each can be left out to see
/// what it saves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Aids {
    /// Good moves are tried first.
    pub ordering: bool,
    /// Positions that were searched are remembered.
    pub table: bool,
    /// A shallow search goes before a deep one.
    pub deepening: bool,
}

impl Aids {
    /// Everything that helps.
    pub const ALL: Aids = Aids {
        ordering: true,
        table: true,
        deepening: true,
    };
}

/// A faster engine with the value and the choice of [`plain`]: it deepens step by step, tries good
/// moves first and remembers positions. Values are exact where they matter, so none of this shows.
pub struct Teacher {
    heuristic: Heuristic,
    aids: Aids,
    table: Vec<Memory>,
    nodes: u64,
}

/// A node in the search: the mover's discs, the other's, the mover's moves.
#[derive(Clone, Copy)]
struct Node {
    own: u64,
    other: u64,
    moves: u64,
    black: bool,
}

impl Node {
    fn position(&self) -> Position {
        let turn = if self.black {
            Seat::FIRST
        } else {
            Seat::SECOND
        };
        Position::of(self.own, self.other, turn)
    }

    /// The node after a move; `Err` with Black's value if the game ends there.
    #[inline]
    fn after(&self, square: usize) -> Result<Node, f64> {
        let flips = bits::flips(square, self.own, self.other);
        let own = self.own | flips | 1 << square;
        let other = self.other & !flips;
        let moves = bits::moves(other, own);
        if moves != 0 {
            return Ok(Node {
                own: other,
                other: own,
                moves,
                black: !self.black,
            });
        }
        let moves = bits::moves(own, other);
        let next = Node {
            own,
            other,
            moves,
            black: self.black,
        };
        if moves != 0 {
            Ok(next)
        } else {
            Err(ended(&next.position()))
        }
    }
}

const CORNERS: u64 = bits::CORNERS;
/// Squares diagonal to corners, tried last.
const POISON: u64 = 0x0042_0000_0000_4200;
const SLOTS: usize = 1 << 14;

impl Teacher {
    /// An engine that judges by a heuristic.
    pub fn new(heuristic: Heuristic) -> Teacher {
        Teacher::with(heuristic, Aids::ALL)
    }

    /// An engine that judges by a heuristic and has only some aids.
    pub fn with(heuristic: Heuristic, aids: Aids) -> Teacher {
        Teacher {
            heuristic,
            aids,
            table: vec![NOTHING; SLOTS],
            nodes: 0,
        }
    }

    /// The move and value of [`plain`] at this depth. The count of nodes is its own.
    pub fn decide(&mut self, p: &Position, depth: u32) -> Lesson {
        self.nodes = 1;
        let moves = p.moves();
        if moves == 0 {
            return Lesson {
                best: None,
                value: ended(p),
                nodes: 1,
            };
        }
        if depth == 0 {
            return Lesson {
                best: None,
                value: self.heuristic.value(p),
                nodes: 1,
            };
        }
        let black = p.turn == Seat::FIRST;
        let root = Node {
            own: p.own(),
            other: p.other(),
            moves,
            black,
        };
        let ranks: Vec<Square> = ordered(moves).collect();
        let mut order: Vec<usize> = (0..ranks.len()).collect();
        if self.aids.ordering {
            order.sort_by_cached_key(|&i| Teacher::promise(&root, ranks[i].index()));
        }
        let mut best = (f64::NEG_INFINITY, ranks.len());
        let deepens = self.aids.deepening && depth > 3;
        let first = if deepens { 2 - depth % 2 } else { depth };
        for step in (first..=depth).step_by(2) {
            best = (f64::NEG_INFINITY, ranks.len());
            let mut values = vec![f64::NEG_INFINITY; ranks.len()];
            for &i in &order {
                // A move that comes before the best so far wins a tie, so for it equal is enough.
                let floor = if i < best.1 {
                    just_below(best.0)
                } else {
                    best.0
                };
                if floor >= f64::INFINITY {
                    continue;
                }
                let value = self.child(&root, ranks[i].index(), step, floor, f64::INFINITY);
                values[i] = value;
                if best.1 == ranks.len() || value > best.0 || (value >= best.0 && i < best.1) {
                    best = (value, i);
                }
            }
            let lead = best.1;
            order.sort_by(|&a, &b| {
                (b == lead)
                    .cmp(&(a == lead))
                    .then(values[b].total_cmp(&values[a]))
            });
        }
        let value = if black { best.0 } else { -best.0 };
        Lesson {
            best: ranks.get(best.1).copied(),
            value: value + 0.0,
            nodes: self.nodes,
        }
    }

    /// How promising a move looks: few replies, corners first. Smaller is tried earlier.
    #[inline]
    fn promise(node: &Node, square: usize) -> i32 {
        let flips = bits::flips(square, node.own, node.other);
        let own = node.own | flips | 1 << square;
        let other = node.other & !flips;
        let replies = bits::moves(other, own);
        let corners = (replies & CORNERS).count_ones() as i32;
        let bit = 1u64 << square;
        replies.count_ones() as i32 + 6 * corners - 12 * i32::from(bit & CORNERS != 0)
            + 4 * i32::from(bit & POISON != 0)
    }

    /// The value of a move for the side that makes it.
    fn child(&mut self, node: &Node, square: usize, depth: u32, alpha: f64, beta: f64) -> f64 {
        self.nodes += 1;
        let next = match node.after(square) {
            Ok(next) => next,
            Err(black) => return if node.black { black } else { -black },
        };
        if next.black == node.black {
            self.search(&next, depth - 1, alpha, beta)
        } else {
            -self.search(&next, depth - 1, -beta, -alpha)
        }
    }

    /// The value for the side to move: exact inside the window, else a bound on its side.
    fn search(&mut self, node: &Node, depth: u32, mut alpha: f64, beta: f64) -> f64 {
        if depth == 0 {
            let others = bits::moves(node.other, node.own);
            let moves = if node.black {
                Moves {
                    black: node.moves,
                    white: others,
                }
            } else {
                Moves {
                    black: others,
                    white: node.moves,
                }
            };
            let value = self.heuristic.value_knowing(&node.position(), moves);
            return if node.black { value } else { -value };
        }
        let floor = alpha;
        let slot = slot(node);
        let known = self.table[slot];
        let hit = known.own == node.own && known.other == node.other && known.black == node.black;
        let mut first = 64;
        if hit && depth > 1 && self.aids.table {
            first = known.best;
            if u32::from(known.depth) == depth {
                if known.low >= beta || known.low >= known.high {
                    return known.low;
                }
                if known.high <= alpha {
                    return known.high;
                }
            }
        }
        let mut best = f64::NEG_INFINITY;
        let mut lead = 64u8;
        let mut tried = 0u64;
        let mut list = [(0i32, 0u8); 34];
        let mut count = 0;
        if !self.aids.ordering {
            let known = Square::at(usize::from(first)).map_or(0, |s| s.bit() & node.moves);
            let rest = Square::all(node.moves & !known);
            for square in Square::all(known).chain(rest) {
                list[count] = (0, square.index() as u8);
                count += 1;
            }
        } else if depth > 1 {
            for square in Square::all(node.moves) {
                let key = if square.index() == usize::from(first) {
                    i32::MIN
                } else {
                    Teacher::promise(node, square.index())
                };
                let mut at = count;
                while at > 0 && list[at - 1].0 > key {
                    list[at] = list[at - 1];
                    at -= 1;
                }
                list[at] = (key, square.index() as u8);
                count += 1;
            }
        } else {
            // At the last ply the heuristic decides; corners first is order enough.
            for set in [
                node.moves & CORNERS,
                node.moves & !(CORNERS | POISON),
                node.moves & POISON,
            ] {
                for square in Square::all(set) {
                    list[count] = (0, square.index() as u8);
                    count += 1;
                }
            }
        }
        for &(_, square) in &list[..count] {
            let narrow = tried > 0 && depth > 1 && just_above(alpha) < beta;
            let mut value = if narrow {
                self.child(node, usize::from(square), depth, alpha, just_above(alpha))
            } else {
                self.child(node, usize::from(square), depth, alpha, beta)
            };
            if narrow && value > alpha && value < beta {
                value = self.child(node, usize::from(square), depth, alpha, beta);
            }
            tried += 1;
            if value > best || lead == 64 {
                best = value;
                lead = square;
                alpha = alpha.max(value);
                if alpha >= beta {
                    break;
                }
            }
        }
        if depth > 1 && self.aids.table {
            let low = if best > floor {
                best
            } else {
                f64::NEG_INFINITY
            };
            let high = if best < beta { best } else { f64::INFINITY };
            self.table[slot] = Memory {
                own: node.own,
                other: node.other,
                low,
                high,
                depth: depth as u8,
                black: node.black,
                best: lead,
            };
        }
        best
    }
}

fn slot(node: &Node) -> usize {
    let mixed = node.own.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ node
            .other
            .wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
            .rotate_left(29);
    (mixed.wrapping_mul(0xff51_afd7_ed55_8ccd) >> 50) as usize & (SLOTS - 1)
}

/// The next number below, so that equal values fall inside the window.
fn just_below(x: f64) -> f64 {
    x.next_down()
}

fn just_above(x: f64) -> f64 {
    x.next_up()
}
