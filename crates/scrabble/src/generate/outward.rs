//! Generation on the GADDAG (Gordon, 1994): from a tile on the board outwards, first back to where the word
//! begins, then on to where it ends.
//!
//! A play is found exactly once, from the first thing in the lane that it is built on: a run of tiles, or a
//! free square with tiles across the lane. What is built on an earlier thing is left to it.

use crate::board::{CENTRE, Direction, Place, SIDE, shown};
use crate::lexicon::{Edge, Graph};
use crate::play::Values;

use super::field::{Field, NONE};
use super::hand::Hand;
use super::lane::{Found, Lane, Sink, Sum, doubled};

/// Where a search in a lane begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Origin {
    /// Which way words run.
    pub(crate) direction: Direction,
    /// The row or column.
    pub(crate) lane: u8,
    /// The first place: the last tile of a run, or a free square.
    pub(crate) at: u8,
    /// Free places before this one belong to earlier origins.
    pub(crate) limit: u8,
}

impl Origin {
    /// The square, and which way words run from it.
    pub(crate) fn place(self) -> Place {
        Place {
            direction: self.direction,
            lane: usize::from(self.lane),
            start: usize::from(self.at),
        }
    }
}

/// Calls with every origin of the board.
pub(crate) fn origins(field: &Field, mut each: impl FnMut(Origin)) {
    if field.is_empty() {
        for direction in Direction::BOTH {
            let (lane, at) = direction.lane(CENTRE);
            each(Origin {
                direction,
                lane: lane as u8,
                at: at as u8,
                limit: 0,
            });
        }
        return;
    }
    for direction in Direction::BOTH {
        for number in 0..SIDE {
            origins_in(field, direction, number, &mut each);
        }
    }
}

/// Calls with every origin of one lane of a board that is not empty.
pub(crate) fn origins_in(
    field: &Field,
    direction: Direction,
    number: usize,
    mut each: impl FnMut(Origin),
) {
    let lane = Lane::of(field, direction, number);
    let mut limit = 0;
    let mut at = 0;
    while at < SIDE {
        let origin = Origin {
            direction,
            lane: number as u8,
            at: at as u8,
            limit: limit as u8,
        };
        if lane.tiles[at] != 0 {
            let mut end = at;
            while end + 1 < SIDE && lane.tiles[end + 1] != 0 {
                end += 1;
            }
            each(Origin {
                at: end as u8,
                ..origin
            });
            // The place after the run touches it, so it belongs to the run.
            limit = end + 2;
            at = end + 2;
            continue;
        }
        if lane.beside[at] != NONE && lane.free(at + 1) {
            each(origin);
            limit = at + 1;
        }
        at += 1;
    }
}

/// Says where the search of an origin turns back: where no play that is still within reach is worth so much.
pub(crate) trait Limits {
    /// Whether words that begin at a place or before it may be worth so much, with these tiles left.
    fn back(&self, at: usize, left: u8, floor: i32) -> bool;

    /// The same of words that begin at `start` and go on over a place.
    fn forth(&self, start: usize, at: usize, left: u8, floor: i32) -> bool;
}

/// Nowhere.
impl Limits for () {
    #[inline]
    fn back(&self, _at: usize, _left: u8, _floor: i32) -> bool {
        true
    }

    #[inline]
    fn forth(&self, _start: usize, _at: usize, _left: u8, _floor: i32) -> bool {
        true
    }
}

/// A search of one board with one hand.
pub(crate) struct Outward<'a, S> {
    pub(crate) edges: &'a [u32],
    pub(crate) root: u32,
    pub(crate) field: &'a Field,
    pub(crate) values: &'a Values,
    pub(crate) bonus: i32,
    pub(crate) hand: Hand,
    pub(crate) sink: S,
}

impl<'a, S: Sink> Outward<'a, S> {
    pub(crate) fn new(
        graph: &'a Graph,
        field: &'a Field,
        values: &'a Values,
        bonus: i32,
        hand: Hand,
        sink: S,
    ) -> Outward<'a, S> {
        Outward {
            edges: graph.raw(),
            root: graph.start().index() as u32,
            field,
            values,
            bonus,
            hand,
            sink,
        }
    }

    /// Finds every play that is built on an origin.
    pub(crate) fn search(&mut self, origin: Origin) {
        self.search_within(origin, &());
    }

    /// Finds the plays that are built on an origin, but turns back where the limits say so.
    pub(crate) fn search_within(&mut self, origin: Origin, limits: &impl Limits) {
        let lane = Lane::of(self.field, origin.direction, usize::from(origin.lane));
        let mut walk = Walk {
            edges: self.edges,
            values: self.values,
            bonus: self.bonus,
            lane,
            origin: usize::from(origin.at),
            limit: usize::from(origin.limit),
            strip: [0; SIDE],
            hand: &mut self.hand,
            sink: &mut self.sink,
            limits,
        };
        walk.back(usize::from(origin.at), self.root, Sum::START);
    }
}

struct Walk<'a, S, L> {
    edges: &'a [u32],
    values: &'a Values,
    bonus: i32,
    lane: Lane<'a>,
    origin: usize,
    limit: usize,
    strip: [u8; SIDE],
    hand: &'a mut Hand,
    sink: &'a mut S,
    limits: &'a L,
}

/// The edge of a node along a letter.
#[inline]
fn find(edges: &[u32], node: u32, letter: u8) -> Option<u32> {
    let wanted = u32::from(letter);
    for &edge in &edges[node as usize..] {
        if edge >> Edge::LETTER == wanted {
            return Some(edge);
        }
        if edge & Edge::LAST != 0 {
            break;
        }
    }
    None
}

impl<S: Sink, L: Limits> Walk<'_, S, L> {
    /// Lays every letter that can stand at a place and leads on from a node, and calls with each.
    #[inline]
    fn lay(&mut self, at: usize, node: u32, sum: Sum, forth: Option<usize>) {
        let blank = self.hand.blanks() > 0;
        let fits = self.lane.fits[at];
        let able = if blank { fits } else { fits & self.hand.have };
        if able == 0 {
            return;
        }
        let edges = self.edges;
        for &edge in &edges[node as usize..] {
            let letter = (edge >> Edge::LETTER) as u8;
            if able >> letter & 1 == 1 {
                if self.hand.have >> letter & 1 == 1 {
                    self.hand.take(letter);
                    self.strip[at] = letter;
                    let sum = sum.with(&self.lane, at, self.values.of(letter));
                    self.laid(at, edge, sum, forth);
                    self.hand.back(letter);
                }
                if blank {
                    self.hand.take(0);
                    self.strip[at] = letter | crate::board::PLAYED_BLANK;
                    let sum = sum.with(&self.lane, at, 0);
                    self.laid(at, edge, sum, forth);
                    self.hand.back(0);
                }
            }
            if edge & Edge::LAST != 0 {
                break;
            }
        }
        self.strip[at] = 0;
    }

    #[inline]
    fn laid(&mut self, at: usize, edge: u32, sum: Sum, forth: Option<usize>) {
        match forth {
            None => self.backed(at, edge, sum),
            Some(start) => self.forthed(at, edge, sum, start),
        }
    }

    /// Goes back: this place is next to be filled.
    fn back(&mut self, at: usize, node: u32, sum: Sum) {
        if node == 0 {
            return;
        }
        let tile = self.lane.tiles[at];
        if tile == 0 {
            self.lay(at, node, sum, None);
        } else if let Some(edge) = find(self.edges, node, shown(tile)) {
            self.backed(at, edge, sum.through(self.values.of(tile)));
        }
    }

    /// This place was filled on the way back.
    #[inline]
    fn backed(&mut self, at: usize, edge: u32, sum: Sum) {
        let node = edge & Edge::NODE;
        if at > 0 && self.lane.tiles[at - 1] != 0 {
            self.back(at - 1, node, sum);
            return;
        }
        // The word can begin here. What lies after the origin is free: it was chosen so.
        if edge & Edge::ACCEPTS != 0 {
            self.word(at, self.origin + 1, sum);
        }
        if node == 0 || self.hand.size == 0 && self.lane.free(self.origin + 1) {
            return;
        }
        let first = self.edges[node as usize];
        // The separator sorts before all letters.
        let next = self.origin + 1;
        if first >> Edge::LETTER == 0
            && next < SIDE
            && (self.limits).forth(at, next, self.hand.left, self.sink.floor())
        {
            self.forth(next, first & Edge::NODE, sum, at);
        }
        if at > self.limit && (self.limits).back(at - 1, self.hand.left, self.sink.floor()) {
            self.back(at - 1, node, sum);
        }
    }

    /// Goes on: this place is next to be filled in a word that begins at `start`.
    fn forth(&mut self, at: usize, node: u32, sum: Sum, start: usize) {
        let tile = self.lane.tiles[at];
        if tile == 0 {
            self.lay(at, node, sum, Some(start));
        } else if let Some(edge) = find(self.edges, node, shown(tile)) {
            self.forthed(at, edge, sum.through(self.values.of(tile)), start);
        }
    }

    /// This place was filled on the way on.
    #[inline]
    fn forthed(&mut self, at: usize, edge: u32, sum: Sum, start: usize) {
        let next = at + 1;
        let free = self.lane.free(next);
        if free && edge & Edge::ACCEPTS != 0 {
            self.word(start, next, sum);
        }
        let node = edge & Edge::NODE;
        if next < SIDE
            && node != 0
            && !(free && self.hand.size == 0)
            && (self.limits).forth(start, next, self.hand.left, self.sink.floor())
        {
            self.forth(next, node, sum, start);
        }
    }

    #[inline]
    fn word(&mut self, start: usize, end: usize, sum: Sum) {
        if sum.laid == 0 || end - start < 2 {
            return;
        }
        let tiles = &self.strip[start..end];
        if doubled(&self.lane, sum.laid, tiles, start) {
            return;
        }
        self.sink.found(&Found {
            direction: self.lane.direction,
            lane: self.lane.number,
            start,
            tiles,
            score: sum.points(self.bonus),
            left: self.hand.left,
        });
    }
}
