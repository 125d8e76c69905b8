//! The board as the generators read it: lane by lane, with what fits on every free square.
//!
//! A *cross-check* is the set of letters that fit on a square because of the word that would run across
//! the lane there (Appel and Jacobson, 1988). It changes only where a run of tiles grew, so after a
//! play it is worked out anew for the two ends of each run that the play touched, and nowhere else.

use crate::board::{Board, CENTRE, Direction, SIDE, SQUARES, shown};
use crate::lexicon::{Graph, Node};
use crate::play::{Play, Values};
use crate::{Letter, Lexicon};

/// The letters that fit, as a mask over codes.
pub type Fit = u64;

/// No word runs across the lane at this square.
pub(crate) const NONE: i16 = -1;

/// What a field asks about words: every letter that makes one between two runs of tiles.
pub trait Fitting {
    /// The letters that make a word when put between `before` and `after` (bytes on the board, not
    /// both empty), as a mask.
    fn fits(&self, before: &[u8], after: &[u8]) -> Fit;
}

impl Fitting for Lexicon {
    /// By walking the DAWG: the letters before, then each letter, then the letters after.
    fn fits(&self, before: &[u8], after: &[u8]) -> Fit {
        let graph = self.dawg();
        let Some(node) = walk(graph, graph.start(), before.iter().copied()) else {
            return 0;
        };
        graph.edges(node).fold(0, |fit, edge| {
            let ends = match after.split_last() {
                None => edge.accepts(),
                Some((&last, rest)) => walk(graph, edge.node(), rest.iter().copied())
                    .and_then(|node| graph.edge(node, letter(last)))
                    .is_some_and(crate::Edge::accepts),
            };
            if ends { fit | edge.letter().bit() } else { fit }
        })
    }
}

/// A GADDAG's graph, for a field that is kept up to date by it.
pub(crate) struct Outwards<'a>(pub(crate) &'a Graph);

impl Fitting for Outwards<'_> {
    /// Backwards from the end of the word: the letters after reversed, the letter, the letters before.
    /// Where nothing is after, the letters before reversed lead to a separator behind which the letters stand.
    fn fits(&self, before: &[u8], after: &[u8]) -> Fit {
        let graph = self.0;
        let reversed = |tiles: &'_ [u8]| tiles.iter().rev().copied().collect::<Short>();
        if after.is_empty() {
            return walk(graph, graph.start(), reversed(before))
                .and_then(|node| graph.edge(node, Letter::SEPARATOR))
                .map_or(0, |edge| accepted(graph, edge.node()));
        }
        let Some(node) = walk(graph, graph.start(), reversed(after)) else {
            return 0;
        };
        let Some((&first, rest)) = before.split_first() else {
            return accepted(graph, node);
        };
        graph.edges(node).fold(0, |fit, edge| {
            let ends = edge.letter() != Letter::SEPARATOR
                && walk(graph, edge.node(), reversed(rest))
                    .and_then(|node| graph.edge(node, letter(first)))
                    .is_some_and(crate::Edge::accepts);
            if ends { fit | edge.letter().bit() } else { fit }
        })
    }
}

/// The letters from a node on which a word ends.
fn accepted(graph: &Graph, node: Node) -> Fit {
    graph
        .edges(node)
        .filter(|edge| edge.accepts())
        .fold(0, |fit, edge| fit | edge.letter().bit())
}

fn letter(byte: u8) -> Letter {
    Letter::new(shown(byte)).unwrap_or(Letter::SEPARATOR)
}

fn walk(graph: &Graph, from: Node, bytes: impl IntoIterator<Item = u8>) -> Option<Node> {
    bytes.into_iter().try_fold(from, |node, byte| {
        Some(graph.edge(node, letter(byte))?.node())
    })
}

/// At most a lane of bytes, without the heap.
struct Short {
    bytes: [u8; SIDE],
    at: usize,
    length: usize,
}

impl FromIterator<u8> for Short {
    fn from_iter<I: IntoIterator<Item = u8>>(bytes: I) -> Short {
        let mut short = Short {
            bytes: [0; SIDE],
            at: 0,
            length: 0,
        };
        for byte in bytes.into_iter().take(SIDE) {
            short.bytes[short.length] = byte;
            short.length += 1;
        }
        short
    }
}

impl Iterator for Short {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        (self.at < self.length).then(|| {
            self.at += 1;
            self.bytes[self.at - 1]
        })
    }
}

/// A board with its cross-checks, kept up to date play by play.
#[derive(Clone, PartialEq, Eq)]
pub struct Field {
    board: Board,
    /// For each direction the tiles lane by lane: the board and the board transposed.
    pub(crate) tiles: [[u8; SQUARES]; 2],
    /// For each direction the letters that fit on each square.
    pub(crate) fits: [[Fit; SQUARES]; 2],
    /// For each direction what the tiles of the word across count, or [`NONE`].
    pub(crate) beside: [[i16; SQUARES]; 2],
    count: u16,
}

/// Every letter fits.
pub(crate) const ALL: Fit = !1;

impl Field {
    /// An empty board.
    pub fn new() -> Field {
        Field {
            board: Board::default(),
            tiles: [[0; SQUARES]; 2],
            fits: [[ALL; SQUARES]; 2],
            beside: [[NONE; SQUARES]; 2],
            count: 0,
        }
    }

    /// A board as it stands, all cross-checks worked out.
    pub fn of(board: &Board, words: &impl Fitting, values: &Values) -> Field {
        let mut field = Field::new();
        for (square, &tile) in board.squares().iter().enumerate() {
            if tile != 0 {
                field.put(square, tile);
            }
        }
        for square in 0..SQUARES {
            if field.board.tile(square) == 0 && field.board.touched(square) {
                for direction in Direction::BOTH {
                    let (lane, at) = direction.lane(square);
                    field.check(direction, lane, at, words, values);
                }
            }
        }
        field
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whether nothing has been laid.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The letters that fit on a free square for a word in this direction; all of them where nothing
    /// runs across.
    pub fn fit(&self, direction: Direction, square: usize) -> Fit {
        let (lane, at) = direction.lane(square);
        self.fits[direction as usize][lane * SIDE + at]
    }

    /// Whether a word must start or pass here: a free square beside a tile, or the centre of an
    /// empty board.
    pub fn anchor(&self, square: usize) -> bool {
        if self.is_empty() {
            square == CENTRE
        } else {
            self.board.tile(square) == 0 && self.board.touched(square)
        }
    }

    fn put(&mut self, square: usize, tile: u8) {
        self.board.put(square, tile);
        for direction in Direction::BOTH {
            let (lane, at) = direction.lane(square);
            let here = lane * SIDE + at;
            self.tiles[direction as usize][here] = tile;
            self.fits[direction as usize][here] = ALL;
            self.beside[direction as usize][here] = NONE;
        }
        self.count += 1;
    }

    /// Lays a play and works out the cross-checks that it changed.
    pub fn lay(&mut self, play: &Play, words: &impl Fitting, values: &Values) {
        for (square, tile) in play.laid() {
            self.put(square, tile);
        }
        let (along, across) = (play.direction, play.direction.turned());
        let lane = usize::from(play.lane);
        // The word itself runs across every lane of the other direction: what fits at its two ends.
        self.check_ends(across, lane, play.span(), along, words, values);
        for (square, _) in play.laid() {
            let (other, at) = across.lane(square);
            let (start, end) = self.board.run(across, other, at);
            self.check_ends(along, other, start..end, across, words, values);
        }
    }

    /// The cross-checks for words in `direction` at both ends of a run that lies in `lane` of `run`'s
    /// direction.
    fn check_ends(
        &mut self,
        direction: Direction,
        lane: usize,
        span: std::ops::Range<usize>,
        run: Direction,
        words: &impl Fitting,
        values: &Values,
    ) {
        let ends = [
            span.start.checked_sub(1),
            Some(span.end).filter(|&e| e < SIDE),
        ];
        for at in ends.into_iter().flatten() {
            let (own, place) = direction.lane(run.square(lane, at));
            self.check(direction, own, place, words, values);
        }
    }

    /// Works out one cross-check.
    fn check(
        &mut self,
        direction: Direction,
        lane: usize,
        at: usize,
        words: &impl Fitting,
        values: &Values,
    ) {
        let across = direction.turned();
        // The place in this lane is the lane across, and the other way round.
        let crossed = &self.tiles[across as usize][at * SIDE..(at + 1) * SIDE];
        let mut start = lane;
        while start > 0 && crossed[start - 1] != 0 {
            start -= 1;
        }
        let mut end = lane + 1;
        while end < SIDE && crossed[end] != 0 {
            end += 1;
        }
        let here = lane * SIDE + at;
        if end - start == 1 {
            self.fits[direction as usize][here] = ALL;
            self.beside[direction as usize][here] = NONE;
            return;
        }
        let (before, after) = (&crossed[start..lane], &crossed[lane + 1..end]);
        let points: i32 = before.iter().chain(after).map(|&b| values.of(b)).sum();
        let fit = words.fits(before, after);
        self.fits[direction as usize][here] = fit;
        self.beside[direction as usize][here] = points as i16;
    }
}

impl Default for Field {
    fn default() -> Field {
        Field::new()
    }
}

impl std::fmt::Debug for Field {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Field").field(&self.board).finish()
    }
}
