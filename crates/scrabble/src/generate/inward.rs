//! Generation on the DAWG (Appel and Jacobson, 1988), as in the thesis this room follows: left part, then
//! right part, from every anchor of every lane.

use crate::board::{SIDE, shown};
use crate::lexicon::{Graph, Node};
use crate::play::Values;
use crate::{Edge, Letter};

use super::field::{Field, NONE};
use super::hand::Hand;
use super::lane::{Found, Lane, Sink, Sum, doubled};
use crate::board::{Direction, PLAYED_BLANK};

/// Finds every play.
pub(crate) fn every(
    graph: &Graph,
    field: &Field,
    values: &Values,
    bonus: i32,
    hand: Hand,
    sink: &mut impl Sink,
) {
    let mut walk = Inward {
        graph,
        values,
        bonus,
        lane: Lane::of(field, Direction::Across, 0),
        anchor: 0,
        strip: [0; SIDE],
        hand,
        sink,
    };
    for direction in Direction::BOTH {
        for number in 0..SIDE {
            walk.lane = Lane::of(field, direction, number);
            // How many free places lie before, that no anchor of this lane claims.
            let mut room = 0;
            for at in 0..SIDE {
                if walk.lane.tiles[at] != 0 {
                    room = 0;
                    continue;
                }
                let anchor = if field.is_empty() {
                    number == SIDE / 2 && at == SIDE / 2
                } else {
                    walk.lane.beside[at] != NONE
                        || !walk.lane.free(at + 1)
                        || (at > 0 && !walk.lane.free(at - 1))
                };
                if anchor {
                    walk.from(at, room);
                    room = 0;
                } else {
                    room += 1;
                }
            }
        }
    }
}

struct Inward<'a, S> {
    graph: &'a Graph,
    values: &'a Values,
    bonus: i32,
    lane: Lane<'a>,
    anchor: usize,
    strip: [u8; SIDE],
    hand: Hand,
    sink: &'a mut S,
}

impl<S: Sink> Inward<'_, S> {
    /// Every play whose first anchor is this one.
    fn from(&mut self, anchor: usize, room: usize) {
        self.anchor = anchor;
        if anchor > 0 && !self.lane.free(anchor - 1) {
            // The left part lies on the board.
            let mut start = anchor;
            while start > 0 && !self.lane.free(start - 1) {
                start -= 1;
            }
            let (mut node, mut sum) = (self.graph.start(), Sum::START);
            for at in start..anchor {
                let tile = self.lane.tiles[at];
                let letter = Letter::new(shown(tile)).unwrap_or(Letter::SEPARATOR);
                let Some(edge) = self.graph.edge(node, letter) else {
                    return;
                };
                node = edge.node();
                sum = sum.through(self.values.of(tile));
            }
            self.right(anchor, node, sum, start);
            return;
        }
        self.left(self.graph.start(), &mut [0; SIDE], 0, room);
    }

    /// Left parts of every length from the hand. Where their letters will stand is known only when the left part
    /// is whole, so what they score is worked out then.
    fn left(&mut self, node: Node, part: &mut [u8; SIDE], length: usize, room: usize) {
        let start = self.anchor - length;
        let mut sum = Sum::START;
        for (at, &tile) in (start..self.anchor).zip(&part[..length]) {
            self.strip[at] = tile;
            sum = sum.with(&self.lane, at, self.values.of(tile));
        }
        self.right(self.anchor, node, sum, start);
        if length == room {
            return;
        }
        let graph = self.graph;
        for edge in graph.edges(node) {
            let letter = edge.letter();
            if self.hand.have & letter.bit() != 0 {
                self.hand.take(letter.code());
                part[length] = letter.code();
                self.left(edge.node(), part, length + 1, room);
                self.hand.back(letter.code());
            }
            if self.hand.blanks() > 0 {
                self.hand.take(0);
                part[length] = letter.code() | PLAYED_BLANK;
                self.left(edge.node(), part, length + 1, room);
                self.hand.back(0);
            }
        }
    }

    /// Goes on from a place to the end of the word.
    fn right(&mut self, at: usize, node: Node, sum: Sum, start: usize) {
        let graph = self.graph;
        if at >= SIDE {
            return;
        }
        let tile = self.lane.tiles[at];
        if tile != 0 {
            let letter = Letter::new(shown(tile)).unwrap_or(Letter::SEPARATOR);
            if let Some(edge) = graph.edge(node, letter) {
                self.strip[at] = 0;
                self.step(at, edge, sum.through(self.values.of(tile)), start);
            }
            return;
        }
        for edge in graph.edges(node) {
            let letter = edge.letter();
            if self.lane.fits[at] & letter.bit() == 0 {
                continue;
            }
            if self.hand.have & letter.bit() != 0 {
                self.hand.take(letter.code());
                self.strip[at] = letter.code();
                let sum = sum.with(&self.lane, at, self.values.of(letter.code()));
                self.step(at, edge, sum, start);
                self.hand.back(letter.code());
            }
            if self.hand.blanks() > 0 {
                self.hand.take(0);
                self.strip[at] = letter.code() | PLAYED_BLANK;
                self.step(at, edge, sum.with(&self.lane, at, 0), start);
                self.hand.back(0);
            }
        }
        self.strip[at] = 0;
    }

    fn step(&mut self, at: usize, edge: Edge, sum: Sum, start: usize) {
        let next = at + 1;
        if edge.accepts() && self.lane.free(next) && sum.laid > 0 && next - start > 1 {
            self.word(start, next, sum);
        }
        self.right(next, edge.node(), sum, start);
    }

    fn word(&mut self, start: usize, end: usize, sum: Sum) {
        let mut tiles = [0; SIDE];
        for (slot, at) in tiles.iter_mut().zip(start..end) {
            *slot = if self.lane.tiles[at] == 0 {
                self.strip[at]
            } else {
                0
            };
        }
        let tiles = &tiles[..end - start];
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
