//! Can the Builder force the end within so many picks?

use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use serde::Serialize;
use wits_search::Budget;

use super::small::Small;
use super::table::{BadTable, Known, Table};
use crate::words::{Variant, find};

/// What is known about the value of a game.
///
/// `builder_picks` counts the fatal pick, `safe_paints` is one less, `final_length` one more: the
/// initial symbol and the fatal one are counted there, as in the thesis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Value {
    /// What counts as a repetition.
    pub variant: Variant,
    /// How many symbols there are.
    pub symbols: usize,
    /// How many picks the Builder needs, if that is known.
    pub builder_picks: Option<u32>,
    /// How many symbols the Painter can paint safely.
    pub safe_paints: Option<u32>,
    /// How long the word is at the end.
    pub final_length: Option<u32>,
    /// Whether the value is proved; else only the refuted depth is.
    pub proved: bool,
    /// So many picks are not enough.
    pub refuted_depth: u32,
    /// How many positions were looked at.
    pub positions: u64,
}

/// The answer for one depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Depth {
    /// The Builder can force the end within so many picks.
    Won,
    /// It cannot.
    Refuted,
    /// The budget ended first.
    Unknown,
}

/// A game that this solver cannot take.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SolverError {
    /// Too many symbols.
    #[error("the exact search takes 1 to {most} symbols, not {0}", most = Small::MOST_SYMBOLS)]
    Symbols(usize),
    /// The threads could not be started.
    #[error("the threads of the search could not be started: {0}")]
    Threads(String),
}

/// The search stopped before it knew.
struct Stopped;

/// An exact solver of one game. It can be asked again, stopped, saved and taken up again.
pub struct Solver {
    variant: Variant,
    symbols: usize,
    table: Table,
    refuted: u32,
    positions: Arc<AtomicU64>,
}

impl Solver {
    /// A solver whose table takes at most so many bytes.
    pub fn new(
        variant: Variant,
        symbols: usize,
        table_bytes: usize,
    ) -> Result<Solver, SolverError> {
        if symbols == 0 || symbols > Small::MOST_SYMBOLS {
            return Err(SolverError::Symbols(symbols));
        }
        Ok(Solver {
            variant,
            symbols,
            table: Table::new(table_bytes),
            refuted: 0,
            positions: Arc::default(),
        })
    }

    /// What counts as a repetition.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// How many symbols there are.
    pub fn symbols(&self) -> usize {
        self.symbols
    }

    /// The number of positions looked at, for somebody who wants to see it grow while the search runs.
    pub fn counter(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.positions)
    }

    /// How many positions were looked at so far.
    pub fn positions(&self) -> u64 {
        self.positions.load(Ordering::Relaxed)
    }

    /// Finds the value by deepening from what is refuted, up to a depth, a budget and the longest word
    /// that keys can hold. `each` hears of every depth that was refuted.
    pub fn value(
        &mut self,
        most: u32,
        threads: usize,
        budget: &Budget,
        mut each: impl FnMut(u32, u64) + Send,
    ) -> Result<Value, SolverError> {
        let pool = pool(threads)?;
        let most = most.min(Small::MOST as u32 - 1);
        let mut won = None;
        for depth in self.refuted + 1..=most {
            match pool.install(|| self.at_depth(&[0], depth, budget)) {
                Depth::Won => {
                    won = Some(depth);
                    break;
                }
                Depth::Refuted => self.refuted = depth,
                Depth::Unknown => break,
            }
            each(depth, self.positions());
        }
        Ok(Value {
            variant: self.variant,
            symbols: self.symbols,
            builder_picks: won,
            safe_paints: won.map(|b| b - 1),
            final_length: won.map(|b| b + 1),
            proved: won.is_some(),
            refuted_depth: self.refuted,
            positions: self.positions(),
        })
    }

    /// Whether the Builder, to pick a gap in this word, can force the end within so many picks.
    pub fn at_depth(&self, word: &[u8], depth: u32, budget: &Budget) -> Depth {
        let small = Small::new(word).filter(|small| small.len() + depth as usize <= Small::MOST);
        match small
            .map(|small| self.wins(&small, &small.forbidden(self.variant), depth, depth, budget))
        {
            Some(Ok(true)) => Depth::Won,
            Some(Ok(false)) => Depth::Refuted,
            _ => Depth::Unknown,
        }
    }

    /// Whether the table says that so many picks are not enough for this word.
    pub(super) fn knows_refuted(&self, word: &[u8], depth: u32) -> bool {
        depth < 2 && !self.has_dead_gap(word)
            || Small::new(word)
                .is_some_and(|small| u32::from(self.table.get(small.key()).lost) >= depth)
    }

    fn has_dead_gap(&self, word: &[u8]) -> bool {
        Small::new(word).is_none_or(|small| self.dead(&small.forbidden(self.variant)) != 0)
    }

    /// Refutes one depth at once, without the depths before it.
    pub fn refute(
        &mut self,
        depth: u32,
        threads: usize,
        budget: &Budget,
    ) -> Result<Depth, SolverError> {
        let pool = pool(threads)?;
        let found = pool.install(|| self.at_depth(&[0], depth, budget));
        if found == Depth::Refuted {
            self.refuted = self.refuted.max(depth);
        }
        Ok(found)
    }

    /// The fewest picks with which the Builder forces the end from this word, if it is at most so many.
    pub fn picks(&self, word: &[u8], most: u32, budget: &Budget) -> Option<u32> {
        debug_assert!(
            find::first(word, self.variant).is_none(),
            "the word is free of repetitions"
        );
        for depth in 1..=most {
            match self.at_depth(word, depth, budget) {
                Depth::Won => return Some(depth),
                Depth::Refuted => {}
                Depth::Unknown => return None,
            }
        }
        None
    }

    /// Saves what is known, to be taken up later.
    pub fn save(&self, to: &mut impl Write) -> Result<(), BadTable> {
        self.table.save(&self.name(), self.refuted as u8, to)
    }

    /// Takes up a saved search of the same game.
    pub fn resume(&mut self, from: &mut impl Read) -> Result<(), BadTable> {
        self.refuted = u32::from(self.table.load(&self.name(), from)?);
        Ok(())
    }

    fn name(&self) -> String {
        format!("{} {}", self.variant, self.symbols)
    }

    /// `depth` picks are left of the `root` that were asked about.
    fn wins(
        &self,
        word: &Small,
        forbidden: &[u64; 8],
        depth: u32,
        root: u32,
        budget: &Budget,
    ) -> Result<bool, Stopped> {
        if self.dead(forbidden) != 0 {
            return Ok(true);
        }
        if depth < 2 {
            return Ok(false);
        }
        let key = word.key();
        let known = self.table.get(key);
        if known.won != 0 && u32::from(known.won) <= depth {
            return Ok(true);
        }
        if u32::from(known.lost) >= depth {
            return Ok(false);
        }
        let seen = self.positions.fetch_add(1, Ordering::Relaxed);
        if budget.spent(seen) {
            return Err(Stopped);
        }
        let mut gaps: Vec<(u32, usize)> = (0..=word.len())
            .map(|gap| {
                (
                    (0..self.symbols)
                        .filter(|&c| forbidden[c] >> gap & 1 == 0)
                        .count() as u32,
                    gap,
                )
            })
            .collect();
        gaps.sort_unstable();
        // Near the root every gap is work enough for a thread of its own; deeper the cost of sharing shows.
        let won = if root - depth < 4 && depth > 6 {
            let found = gaps.par_iter().try_for_each(|&(_, gap)| {
                match self.gap_wins(word, forbidden, gap, depth, root, budget) {
                    Ok(false) => Ok(()),
                    Ok(true) => Err(None),
                    Err(stopped) => Err(Some(stopped)),
                }
            });
            match found {
                Ok(()) => false,
                Err(None) => true,
                Err(Some(stopped)) => return Err(stopped),
            }
        } else {
            let mut won = false;
            for &(_, gap) in &gaps {
                if self.gap_wins(word, forbidden, gap, depth, root, budget)? {
                    won = true;
                    break;
                }
            }
            won
        };
        let known = if won {
            Known {
                won: depth as u8,
                lost: 0,
            }
        } else {
            Known {
                won: 0,
                lost: depth as u8,
            }
        };
        self.table.put(key, known);
        Ok(won)
    }

    /// Whether every symbol that fits into the gap loses within one pick less.
    fn gap_wins(
        &self,
        word: &Small,
        forbidden: &[u64; 8],
        gap: usize,
        depth: u32,
        root: u32,
        budget: &Budget,
    ) -> Result<bool, Stopped> {
        // Symbols the word does not have yet are all alike: the first of them stands for all.
        let symbols = self.symbols.min(word.used() + 1);
        let mut fits: u8 = (0..symbols)
            .filter(|&c| forbidden[c] >> gap & 1 == 0)
            .fold(0, |set, c| set | 1 << c);
        if depth > 2 {
            // An answer that is known to hold costs one look: it is taken before any other is judged, which also
            // leads different orders of the same picks to the same words.
            let every = fits;
            for symbol in (0..symbols).rev().filter(|c| every >> c & 1 == 1) {
                let known = self.table.get(word.with(gap, symbol as u8).key());
                if u32::from(known.lost) >= depth - 1 {
                    return Ok(false);
                }
                if known.won != 0 && u32::from(known.won) < depth {
                    fits &= !(1 << symbol);
                }
            }
        }
        let mut children = [(0u32, 0u8, [0u64; 8]); 8];
        let mut count = 0;
        // The last symbols first: they are the newest, and most often the Painter's answer.
        for symbol in (0..symbols).rev().filter(|c| fits >> c & 1 == 1) {
            let child = word.with(gap, symbol as u8).forbidden(self.variant);
            if depth == 2 && self.dead(&child) == 0 {
                return Ok(false);
            }
            let lost: u32 = child[..self.symbols]
                .iter()
                .map(|set| set.count_ones())
                .sum();
            children[count] = (lost, symbol as u8, child);
            count += 1;
        }
        if depth == 2 {
            return Ok(true);
        }
        let children = &mut children[..count];
        children.sort_unstable_by_key(|&(lost, symbol, _)| (lost, symbol));
        for (_, symbol, child) in children {
            if !self.wins(&word.with(gap, *symbol), child, depth - 1, root, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn dead(&self, forbidden: &[u64; 8]) -> u64 {
        forbidden[..self.symbols]
            .iter()
            .fold(u64::MAX, |all, set| all & set)
    }

    /// A gap with which the Builder forces the end within so many picks, if there is one.
    pub fn winning_gap(&self, word: &[u8], depth: u32, budget: &Budget) -> Option<usize> {
        let small = Small::new(word)?;
        let forbidden = small.forbidden(self.variant);
        let dead = self.dead(&forbidden);
        if dead != 0 {
            return Some(dead.trailing_zeros() as usize);
        }
        (0..=small.len()).find(|&gap| {
            depth >= 2
                && self
                    .gap_wins(&small, &forbidden, gap, depth, depth, budget)
                    .is_ok_and(|won| won)
        })
    }
}

/// Threads whose stacks take the deepest search.
fn pool(threads: usize) -> Result<rayon::ThreadPool, SolverError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.max(1))
        .stack_size(8 << 20)
        .build()
        .map_err(|e| SolverError::Threads(e.to_string()))
}

/// The word that stands for all that are the same up to renaming and reading backwards.
pub(super) fn canonical(word: &[u8]) -> Option<Vec<u8>> {
    Small::new(word).map(|small| Small::of_key(small.key()).letters().to_vec())
}
