//! The words that can still come up: what is left of a lexicon near the end of a game.
//!
//! A word on the board is read along a lane: on squares that are taken it has the letters that lie there, on the others letters of the
//! tiles that are left. All words that fit so somewhere are kept, whoever lays which part of them, and nothing else: on this
//! board, with these tiles, the small lexicon finds the same plays as the whole one.

use crate::board::{Board, Direction, SIDE, shown};
use crate::tiles::{Letter, Word};

use super::graph::{Graph, Node};
use super::words::Lexicon;

/// Looks for words in one lane.
struct Lane<'a> {
    graph: &'a Graph,
    squares: [u8; SIDE],
    counts: [u8; 64],
    blanks: u8,
    word: Vec<Letter>,
    found: Vec<Word>,
}

impl Lane<'_> {
    /// Goes on at a square. Words that pass no tile are looked for once for the whole board, so until one is passed only `reach`
    /// counts: the square that must be come to.
    fn from(&mut self, at: usize, node: Node, reach: usize) {
        let free = at >= SIDE || self.squares[at] == 0;
        if at >= SIDE || node.is_leaf() {
            return;
        }
        let graph = self.graph;
        if !free {
            let letter = Letter::new(shown(self.squares[at])).unwrap_or(Letter::SEPARATOR);
            if let Some(edge) = graph.edge(node, letter) {
                self.step(at, edge, reach);
            }
            return;
        }
        for edge in graph.edges(node) {
            let code = usize::from(edge.letter().code());
            if self.counts[code] > 0 {
                self.counts[code] -= 1;
                self.step(at, edge, reach);
                self.counts[code] += 1;
            } else if self.blanks > 0 {
                self.blanks -= 1;
                self.step(at, edge, reach);
                self.blanks += 1;
            }
        }
    }

    fn step(&mut self, at: usize, edge: super::Edge, reach: usize) {
        self.word.push(edge.letter());
        let ends = at + 1 >= SIDE || self.squares[at + 1] == 0;
        if edge.accepts() && ends && at >= reach {
            self.found.extend(Word::new(&self.word));
        }
        self.from(at + 1, edge.node(), reach);
        self.word.pop();
    }
}

impl Lexicon {
    /// The words that can lie on a board after these tiles (a blank is zero) have been laid, and those that lie there. Nothing
    /// where there is none.
    pub fn pruned(&self, board: &Board, tiles: &[u8]) -> Option<Lexicon> {
        let mut lane = Lane {
            graph: self.dawg(),
            squares: [0; SIDE],
            counts: [0; 64],
            blanks: 0,
            word: Vec::with_capacity(SIDE),
            found: Vec::new(),
        };
        for &tile in tiles {
            match tile & 63 {
                0 => lane.blanks += 1,
                kind => lane.counts[usize::from(kind)] += 1,
            }
        }
        // Anywhere, on squares that are all free.
        lane.from(0, self.dawg().start(), 0);
        for direction in Direction::BOTH {
            for number in 0..SIDE {
                for at in 0..SIDE {
                    lane.squares[at] = board.tile(direction.square(number, at));
                }
                for start in 0..SIDE {
                    // A word begins where no tile lies before it, and comes to the next tile.
                    let before = start > 0 && lane.squares[start - 1] != 0;
                    let next = (start..SIDE).find(|&at| lane.squares[at] != 0);
                    if let (false, Some(next)) = (before, next) {
                        lane.from(start, self.dawg().start(), next);
                    }
                }
            }
        }
        let mut found = lane.found;
        found.sort_unstable();
        found.dedup();
        Lexicon::of_sorted(self.name(), self.tiles(), &found).ok()
    }
}
