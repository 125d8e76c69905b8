//! Rational trees: terms that contain themselves.
//!
//! Walks begin as if every term were a finite tree, because nearly all are. A walk that takes longer
//! than a tree of usual size marks what it has met, so that it ends on cyclic terms and does not
//! repeat shared parts.

use crate::atoms::QuickMap;
use crate::cell::*;
use crate::store::{Look, Store};

/// Steps of a walk before it marks what it meets.
pub(crate) const PATIENCE: usize = 1 << 12;

/// Compound terms taken for equal while two terms are compared or unified: sets that only grow, so
/// that no pair is looked at twice (Huet 1976).
#[derive(Default)]
pub(crate) struct Same {
    parent: QuickMap<usize, usize>,
}

impl Same {
    fn root(&mut self, mut at: usize) -> usize {
        while let Some(&up) = self.parent.get(&at) {
            if let Some(&higher) = self.parent.get(&up) {
                self.parent.insert(at, higher);
            }
            at = up;
        }
        at
    }

    /// Takes two compound terms for equal; whether that is new.
    pub(crate) fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parent.insert(a, b);
        }
        a != b
    }
}

/// Which compound terms a walk has entered; it begins to remember after a while.
pub(crate) struct Entered {
    left: usize,
    bits: Vec<u64>,
}

impl Entered {
    pub(crate) fn new(patience: usize) -> Entered {
        Entered {
            left: patience,
            bits: Vec::new(),
        }
    }

    /// Whether the compound term at an address is to be entered.
    #[inline]
    pub(crate) fn enter(&mut self, store: &Store, at: usize) -> bool {
        if self.left > 0 {
            self.left -= 1;
            return true;
        }
        if self.bits.is_empty() {
            self.bits = vec![0; store.cells.len() / 64 + 1];
        }
        let (word, bit) = (at / 64, 1u64 << (at % 64));
        let new = self.bits[word] & bit == 0;
        self.bits[word] |= bit;
        new
    }
}

impl Store {
    /// Address of the first argument of a compound term, and their number.
    #[inline]
    pub(crate) fn span(&self, c: Cell) -> Option<(usize, usize)> {
        match self.look(c) {
            Look::Pair(a) => Some((a, 2)),
            Look::Compound(f, a) => Some((a, functor_arity(f))),
            _ => None,
        }
    }

    /// Whether a term contains itself.
    pub(crate) fn is_cyclic(&self, term: Cell) -> bool {
        // Most terms that are asked about are facts with plain arguments.
        let flat = |(a, n): (usize, usize)| {
            let mut args = self.cells[a..a + n].iter();
            args.all(|&c| self.span(c).is_none())
        };
        if self.span(term).is_none_or(flat) {
            return false;
        }
        // A small tree is gone through without any marks.
        let mut stack = Vec::with_capacity(32);
        stack.push(term);
        let mut left = 256;
        while let Some(c) = stack.pop() {
            if let Some((a, n)) = self.span(c) {
                left -= 1;
                if left == 0 {
                    return !self.back_edges(term, 1).is_empty();
                }
                stack.extend_from_slice(&self.cells[a..a + n]);
            }
        }
        false
    }

    /// The compound terms that a walk from left to right meets again inside themselves.
    pub(crate) fn knots(&self, term: Cell) -> Vec<Cell> {
        self.back_edges(term, usize::MAX)
    }

    /// Depth first, with two marks: entered, and left again. A term that is met while it has been
    /// entered and not been left contains itself. At most so many are told, each once.
    fn back_edges(&self, term: Cell, most: usize) -> Vec<Cell> {
        let words = self.cells.len() / 64 + 1;
        let (mut entered, mut left) = (vec![0u64; words], vec![0u64; words]);
        let mut out = Vec::new();
        // The end of a compound term is a mark with its address.
        let mut stack = vec![term];
        while let Some(c) = stack.pop() {
            if tag(c) == HDR {
                let at = blob_words(c);
                left[at / 64] |= 1 << (at % 64);
                continue;
            }
            let c = self.deref(c);
            let Some((a, n)) = self.span(c).filter(|s| s.1 > 0) else {
                continue;
            };
            let (word, bit) = (a / 64, 1u64 << (a % 64));
            if entered[word] & bit != 0 {
                if left[word] & bit == 0 && !out.contains(&c) {
                    out.push(c);
                    if out.len() == most {
                        break;
                    }
                }
                continue;
            }
            if self.tally.give_up(2 * n) {
                break;
            }
            entered[word] |= bit;
            stack.push(mark(a));
            stack.extend(self.cells[a..a + n].iter().rev());
        }
        out
    }

    /// Goes along a list: how many pairs there are and what follows the last; nothing for a list
    /// that never ends (Brent's algorithm).
    pub(crate) fn walk_list(&self, list: Cell) -> Option<(usize, Cell)> {
        let mut c = self.deref(list);
        let (mut n, mut rest, mut power) = (0, c, 1);
        while tag(c) == LST {
            n += 1;
            c = self.deref(self.cells[addr(c) + 1]);
            if c == rest {
                self.tally.spend(n);
                return None;
            }
            if n == power {
                (rest, power) = (c, 2 * power);
            }
        }
        self.tally.spend(n);
        Some((n, c))
    }
}
