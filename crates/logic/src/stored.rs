//! Terms kept off the heap: bags of solutions, clauses, balls thrown, global variables.
//!
//! A stored term is a block of cells whose addresses count from the block's own start, so putting
//! it back on the heap is one pass of additions.

use serde::{Deserialize, Serialize};

use crate::cell::*;
use crate::rational::PATIENCE;
use crate::store::Store;

/// A term that does not depend on any heap.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Stored(pub(crate) Box<[Cell]>);

impl std::borrow::Borrow<[Cell]> for Stored {
    fn borrow(&self) -> &[Cell] {
        &self.0
    }
}

/// Whether a block has no variables.
pub(crate) fn is_ground(block: &[Cell]) -> bool {
    let mut i = 0;
    while let Some(&c) = block.get(i) {
        match tag(c) {
            REF => return false,
            HDR => i += blob_words(c),
            _ => {}
        }
        i += 1;
    }
    true
}

/// Why a copy was given up.
enum Unfinished {
    TooBig,
    Knotted,
}

/// The copy would not fit the memory allowed.
#[derive(Debug)]
pub(crate) struct TooBig;

impl Store {
    /// Copies a term off the heap.
    pub(crate) fn save(&mut self, term: Cell, limit: usize) -> Result<Stored, TooBig> {
        let mut out = Vec::with_capacity(16);
        self.save_into(term, &mut out, limit)?;
        Ok(Stored(out.into_boxed_slice()))
    }

    /// Copies a term off the heap, appending its block to `out`; addresses count from the start
    /// of the block. Small terms are copied as trees; what turns out to be cyclic, or larger than the
    /// heap it comes from, is copied part by part, each once.
    pub(crate) fn save_into(
        &mut self,
        term: Cell,
        out: &mut Vec<Cell>,
        limit: usize,
    ) -> Result<(), TooBig> {
        let base = out.len();
        out.push(term);
        self.save_from(base, out, &mut Vec::new(), limit)
    }

    /// Copies the terms from `base` to the end of `out` off the heap into one block that begins
    /// there; the addresses of their variables are added to `vars` in the order they are met.
    pub(crate) fn save_from(
        &mut self,
        base: usize,
        out: &mut Vec<Cell>,
        vars: &mut Vec<usize>,
        limit: usize,
    ) -> Result<(), TooBig> {
        let (one, many) = match out[base..] {
            [one] => ([one], Vec::new()),
            ref many => ([REF], many.to_vec()),
        };
        let roots = if many.is_empty() { &one[..] } else { &many[..] };
        let roots = if out.len() == base { &[][..] } else { roots };
        let first = vars.len();
        let mut done = self.copy_cells(roots, base, out, limit, PATIENCE, &mut [], vars);
        if let Err(Unfinished::Knotted) = done {
            out.truncate(base);
            out.extend_from_slice(roots);
            vars.truncate(first);
            let mut copies = vec![0; self.cells.len()];
            done = self.copy_cells(roots, base, out, limit, usize::MAX, &mut copies, vars);
        }
        self.tally.spend(out.len() - base);
        if done.is_err() {
            out.truncate(base);
        }
        done.map_err(|_| TooBig)
    }

    /// Breadth first, with a mark left in each variable met until the end. `copies` tells where each
    /// compound term went, plus 1; it is empty where that is not asked for. Beyond `doubt` cells the
    /// term is looked at for cycles.
    #[allow(clippy::too_many_arguments)]
    fn copy_cells(
        &mut self,
        roots: &[Cell],
        base: usize,
        out: &mut Vec<Cell>,
        limit: usize,
        mut doubt: usize,
        copies: &mut [u32],
        vars: &mut Vec<usize>,
    ) -> Result<(), Unfinished> {
        let mut marked: Vec<(usize, usize)> = Vec::new();
        let mut i = base;
        let mut done = Ok(());
        while i < out.len() {
            let raw = out[i];
            match tag(raw) {
                FUN => {
                    i += 1;
                    continue;
                }
                HDR if blob_kind(raw) == MARK => {
                    out[i] = make(REF, blob_words(raw));
                    i += 1;
                    continue;
                }
                HDR => {
                    i += 1 + blob_words(raw);
                    continue;
                }
                _ => {}
            }
            let mut c = raw;
            while tag(c) == REF {
                let next = self.cells[addr(c)];
                if next == c {
                    break;
                }
                c = next;
            }
            let here = out.len() - base;
            out[i] = match tag(c) {
                REF => {
                    self.cells[addr(c)] = mark(i - base);
                    marked.push((addr(c), i - base));
                    make(REF, i - base)
                }
                HDR => make(REF, blob_words(c)),
                LST | STR | BLB => {
                    let a = addr(c);
                    match copies.get_mut(a) {
                        Some(0) | None => {
                            let words = match tag(c) {
                                LST => 2,
                                STR => 1 + functor_arity(self.cells[a]),
                                _ => 1 + blob_words(self.cells[a]),
                            };
                            if let Some(to) = copies.get_mut(a) {
                                *to = here as u32 + 1;
                            }
                            out.extend_from_slice(&self.cells[a..a + words]);
                            make(tag(c), here)
                        }
                        Some(to) => make(tag(c), *to as usize - 1),
                    }
                }
                _ => c,
            };
            i += 1;
            let taken = out.len() - base;
            if taken > doubt {
                // Without the marks, the heap is as it was.
                for &(at, _) in &marked {
                    self.cells[at] = make(REF, at);
                }
                if doubt > PATIENCE || roots.iter().any(|&r| self.is_cyclic(r)) {
                    return Err(Unfinished::Knotted);
                }
                doubt = self.cells.len().max(PATIENCE + 1);
                for &(at, to) in &marked {
                    self.cells[at] = mark(to);
                }
            }
            if taken > limit {
                done = Err(Unfinished::TooBig);
                break;
            }
        }
        for (at, _) in marked {
            self.cells[at] = make(REF, at);
            vars.push(at);
        }
        done
    }

    /// Puts a stored term back on the heap, with fresh variables.
    pub(crate) fn load(&mut self, block: &[Cell]) -> Cell {
        if let [only] = block
            && matches!(tag(*only), ATM | INT)
        {
            return *only;
        }
        let base = self.load_block(block);
        self.cells[base]
    }

    /// Puts the cells of a block on the heap; gives where they begin.
    pub(crate) fn load_block(&mut self, block: &[Cell]) -> usize {
        let base = self.cells.len();
        self.tally.spend(block.len());
        self.cells.reserve(block.len());
        let shift = (base as u64) << 3;
        let mut i = 0;
        while i < block.len() {
            let c = block[i];
            match tag(c) {
                REF | STR | LST | BLB => self.cells.push(c + shift),
                HDR => {
                    let n = blob_words(c);
                    self.cells.extend_from_slice(&block[i..=i + n]);
                    i += n;
                }
                _ => self.cells.push(c),
            }
            i += 1;
        }
        base
    }

    /// A copy of a term with fresh variables.
    pub(crate) fn copy(&mut self, term: Cell, limit: usize) -> Result<Cell, TooBig> {
        let c = self.deref(term);
        if matches!(tag(c), ATM | INT) {
            return Ok(c);
        }
        let mut block = Vec::new();
        self.save_into(c, &mut block, limit)?;
        Ok(self.load(&block))
    }
}
