//! The last gap with the fewest fitting symbols, kept up to date while a word grows.
//!
//! The word lies in chunks; each letter knows how many symbols fit into the gap before it, each chunk the least of these numbers. A new
//! letter changes what fits only where a square could run through it: the gaps near it are judged anew from a window of the word.
//!
//! # Complexity
//! One pick looks at the least number of each chunk, the square root of the length at most; one insertion judges [`NEAR`] gaps on
//! either side from [`SEEN`] letters on either side. So a million moves cost about a million windows, not a million words.

use crate::fits;
use crate::words::Variant;

/// Gaps so far from a new letter are judged anew.
const NEAR: usize = 64;
/// Letters so far from a new letter are looked at: squares of a period up to half of [`NEAR`] are seen whole from every gap that is judged.
const SEEN: usize = 2 * NEAR;
/// How many letters a chunk holds before it is split.
const CHUNK: usize = 1024;

/// A letter with what the owner wants to know about it, and the gap before it.
#[derive(Clone, Copy, Debug)]
struct Cell<T> {
    symbol: u8,
    item: Option<T>,
    fits: u8,
}

#[derive(Clone, Debug)]
struct Chunk<T> {
    cells: Vec<Cell<T>>,
    least: u8,
}

impl<T> Chunk<T> {
    fn count(&mut self) {
        self.least = self
            .cells
            .iter()
            .map(|cell| cell.fits)
            .min()
            .unwrap_or(u8::MAX);
    }
}

/// A word that grows letter by letter, and its tightest gap.
#[derive(Clone, Debug)]
pub(crate) struct Tight<T> {
    chunks: Vec<Chunk<T>>,
    symbols: usize,
}

/// A gap: before which letter of which chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Gap {
    chunk: usize,
    cell: usize,
}

impl<T: Copy> Tight<T> {
    /// The empty word. The last cell is no letter: it stands for the gap after them all.
    pub(crate) fn new(symbols: usize) -> Tight<T> {
        let end = Cell {
            symbol: 0,
            item: None,
            fits: symbols as u8,
        };
        let chunk = Chunk {
            cells: vec![end],
            least: symbols as u8,
        };
        Tight {
            chunks: vec![chunk],
            symbols,
        }
    }

    /// The last gap with the fewest fitting symbols, as far as they are seen.
    pub(crate) fn tightest(&self) -> Gap {
        let least = self.chunks.iter().map(|chunk| chunk.least).min();
        let tight = |chunk: &Chunk<T>| Some(chunk.least) == least;
        let chunk = self.chunks.iter().rposition(tight).unwrap_or(0);
        let cells = &self.chunks[chunk].cells;
        let cell = cells.iter().rposition(|cell| Some(cell.fits) == least);
        Gap {
            chunk,
            cell: cell.unwrap_or(0),
        }
    }

    /// What stands on both sides of a gap.
    pub(crate) fn sides(&self, gap: Gap) -> (Option<T>, Option<T>) {
        let before = self.back(gap).next().and_then(|(_, cell)| cell.item);
        (before, self.chunks[gap.chunk].cells[gap.cell].item)
    }

    /// The cells before a gap, from the nearest.
    fn back(&self, gap: Gap) -> impl Iterator<Item = (Gap, &Cell<T>)> {
        (0..=gap.chunk).rev().flat_map(move |chunk| {
            let cells = &self.chunks[chunk].cells;
            let end = if chunk == gap.chunk {
                gap.cell
            } else {
                cells.len()
            };
            let at = move |cell| (Gap { chunk, cell }, &cells[cell]);
            (0..end).rev().map(at)
        })
    }

    /// The cells after a gap, from the nearest; the last is the end.
    fn ahead(&self, gap: Gap) -> impl Iterator<Item = (Gap, &Cell<T>)> {
        (gap.chunk..self.chunks.len()).flat_map(move |chunk| {
            let cells = &self.chunks[chunk].cells;
            let start = if chunk == gap.chunk { gap.cell } else { 0 };
            let at = move |cell| (Gap { chunk, cell }, &cells[cell]);
            (start..cells.len()).map(at)
        })
    }

    /// Puts a letter into a gap.
    pub(crate) fn insert(&mut self, gap: Gap, symbol: u8, item: T) {
        let cell = Cell {
            symbol,
            item: Some(item),
            fits: 0,
        };
        self.chunks[gap.chunk].cells.insert(gap.cell, cell);
        self.judge(gap);
        let chunk = &mut self.chunks[gap.chunk];
        if chunk.cells.len() > CHUNK {
            let mut right = Chunk {
                cells: chunk.cells.split_off(CHUNK / 2),
                least: 0,
            };
            right.count();
            chunk.count();
            self.chunks.insert(gap.chunk + 1, right);
        }
    }

    /// Judges the gaps around a letter anew.
    fn judge(&mut self, around: Gap) {
        let mut places: Vec<Gap> = self.back(around).take(SEEN).map(|(at, _)| at).collect();
        places.reverse();
        let middle = places.len();
        places.extend(self.ahead(around).take(SEEN + 1).map(|(at, _)| at));
        let word: Vec<u8> = places
            .iter()
            .map(|at| &self.chunks[at.chunk].cells[at.cell])
            .filter(|cell| cell.item.is_some())
            .map(|cell| cell.symbol)
            .collect();
        let fits = fits::all(&word, self.symbols, Variant::Square);
        let near = middle.saturating_sub(NEAR)..places.len().min(middle + NEAR + 1);
        let mut touched = around.chunk..around.chunk + 1;
        for (at, fit) in places[near.clone()].iter().zip(&fits[near]) {
            self.chunks[at.chunk].cells[at.cell].fits = fit.count_ones() as u8;
            touched = touched.start.min(at.chunk)..touched.end.max(at.chunk + 1);
        }
        for chunk in &mut self.chunks[touched] {
            chunk.count();
        }
    }

    /// How many symbols fit into each gap, as far as they are seen, and the number of a gap.
    #[cfg(test)]
    pub(crate) fn seen(&self, gap: Gap) -> (Vec<u32>, usize) {
        let cells = self.chunks.iter().flat_map(|chunk| &chunk.cells);
        let before = self.chunks[..gap.chunk].iter();
        let number = before.map(|chunk| chunk.cells.len()).sum::<usize>() + gap.cell;
        (cells.map(|cell| u32::from(cell.fits)).collect(), number)
    }

    /// Tells every item in order.
    pub(crate) fn each(&self, tell: impl FnMut(&T)) {
        let cells = self.chunks.iter().flat_map(|chunk| &chunk.cells);
        cells.filter_map(|cell| cell.item.as_ref()).for_each(tell);
    }
}
