//! Can the Builder force the end within so many picks?

use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use serde::Serialize;
use wits_search::Budget;

use super::lanes::{self, Forbidden, LANES, Lanes};
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
        let search = |small: Small| {
            let mut hunt = Hunt::new(self, depth, budget);
            let forbidden = hunt.forbidden(&small);
            hunt.wins(&small, &forbidden, depth)
        };
        match short(word, depth).map(search) {
            Some(Ok(true)) => Depth::Won,
            Some(Ok(false)) => Depth::Refuted,
            _ => Depth::Unknown,
        }
    }

    /// Whether the table says that so many picks are not enough for this word.
    pub(super) fn knows_refuted(&self, word: &[u8], depth: u32) -> bool {
        depth < 2 && !self.has_dead_gap(word)
            || Small::new(word).is_some_and(|small| u32::from(self.known(&small).lost) >= depth)
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

    /// A gap with which the Builder forces the end within so many picks, if there is one.
    pub fn winning_gap(&self, word: &[u8], depth: u32, budget: &Budget) -> Option<usize> {
        let small = short(word, depth)?;
        let mut hunt = Hunt::new(self, depth, budget);
        let forbidden = hunt.forbidden(&small);
        let dead = self.dead(&forbidden);
        if dead != 0 {
            return Some(dead.trailing_zeros() as usize);
        }
        (0..=small.len()).find(|&gap| {
            let gap = self.gap(&small, &forbidden, gap);
            depth >= 2 && hunt.gap_wins(&small, gap, depth).is_ok_and(|won| won)
        })
    }

    fn has_dead_gap(&self, word: &[u8]) -> bool {
        Small::new(word).is_none_or(|small| {
            self.dead(&lanes::forbidden(&small, self.symbols, self.variant)) != 0
        })
    }

    fn dead(&self, forbidden: &Forbidden) -> u32 {
        forbidden[..self.symbols]
            .iter()
            .fold(u32::MAX, |all, set| all & set)
    }

    /// The symbols that fit into a gap. Those that the word does not have yet are all alike: the first of them stands for all.
    fn fits(&self, word: &Small, forbidden: &Forbidden, gap: usize) -> u8 {
        (0..self.symbols.min(word.used() + 1))
            .filter(|&c| forbidden[c] >> gap & 1 == 0)
            .fold(0, |set, c| set | 1 << c)
    }

    fn known(&self, word: &Small) -> Known {
        word.key(self.symbols)
            .map_or(Known::default(), |key| self.table.get(key))
    }

    /// A gap with the symbols that fit into it.
    fn gap(&self, word: &Small, forbidden: &Forbidden, at: usize) -> Gap {
        let fits = self.fits(word, forbidden, at);
        let opened = word.opened(at);
        let mut keys = [0; Small::MOST_SYMBOLS];
        for symbol in symbols(fits) {
            keys[symbol] = opened.filled(at, symbol).key(self.symbols).unwrap_or(0);
        }
        Gap { at, fits, keys }
    }

    /// Asks the table about the symbols of a gap: whether one of them is known to hold; those that are known to lose
    /// are taken out.
    fn holds(&self, gap: &mut Gap, depth: u32) -> bool {
        for symbol in symbols(gap.fits) {
            let known = self.table.get(gap.keys[symbol]);
            if u32::from(known.lost) >= depth - 1 {
                return true;
            }
            if known.won != 0 && u32::from(known.won) < depth {
                gap.fits &= !(1 << symbol);
            }
        }
        false
    }
}

/// A gap of a word, and what may be put there.
#[derive(Clone, Copy)]
struct Gap {
    at: usize,
    /// The symbols that fit and are not known to lose.
    fits: u8,
    /// The key of the word that each of them makes; 0 where it has none.
    keys: [u64; Small::MOST_SYMBOLS],
}

/// The symbols of a set, the last ones first: they are the newest, and most often the Painter's answer.
fn symbols(set: u8) -> impl Iterator<Item = usize> {
    (0..8).rev().filter(move |c| set >> c & 1 == 1)
}

/// How promising a symbol is: what is larger is tried first.
type Promise = (u32, u32, u32);

/// The farther the nearest letters of its kind, the better a symbol. Among equals the one that the word has most of: the Painter then
/// comes back to the same few words, which halves the search.
fn promise(opened: &Small, gap: usize, symbol: usize) -> Promise {
    let set = opened.places[symbol];
    let before = (set << (31 - gap)).leading_zeros();
    let after = (set >> gap).trailing_zeros();
    (before.min(after), set.count_ones(), before.max(after))
}

/// The search of one thread.
struct Hunt<'a> {
    solver: &'a Solver,
    /// How many picks were asked about.
    root: u32,
    budget: &'a Budget,
    /// Positions that the solver has not counted yet.
    uncounted: u64,
    /// So many are counted at once: threads that count one by one wait for each other.
    step: u64,
}

impl Drop for Hunt<'_> {
    fn drop(&mut self) {
        let count = &self.solver.positions;
        count.fetch_add(self.uncounted, Ordering::Relaxed);
    }
}

impl<'a> Hunt<'a> {
    fn new(solver: &'a Solver, root: u32, budget: &'a Budget) -> Hunt<'a> {
        let exact = budget.limits().nodes.is_some();
        Hunt {
            solver,
            root,
            budget,
            uncounted: 0,
            step: if exact { 1 } else { 256 },
        }
    }

    fn count(&mut self) -> Result<(), Stopped> {
        self.uncounted += 1;
        if self.uncounted < self.step {
            return Ok(());
        }
        let seen = self
            .solver
            .positions
            .fetch_add(self.uncounted, Ordering::Relaxed);
        self.uncounted = 0;
        if self.budget.spent(seen) || (self.step > 1 && self.budget.late()) {
            return Err(Stopped);
        }
        Ok(())
    }

    fn forbidden(&self, word: &Small) -> Forbidden {
        lanes::forbidden(word, self.solver.symbols, self.solver.variant)
    }

    /// Whether the Builder forces the end within so many picks.
    fn wins(&mut self, word: &Small, forbidden: &Forbidden, depth: u32) -> Result<bool, Stopped> {
        let solver = self.solver;
        if solver.dead(forbidden) != 0 {
            return Ok(true);
        }
        if depth < 2 {
            return Ok(false);
        }
        let key = word.key(solver.symbols);
        let known = key.map_or(Known::default(), |key| solver.table.get(key));
        if known.won != 0 && u32::from(known.won) <= depth {
            return Ok(true);
        }
        if u32::from(known.lost) >= depth {
            return Ok(false);
        }
        self.count()?;
        let won = if depth == 2 {
            self.wins_in_two(word, forbidden)
        } else {
            self.some_gap_wins(word, forbidden, depth)?
        };
        let (won_in, lost) = if won { (depth, 0) } else { (0, depth) };
        if let Some(key) = key {
            let known = Known {
                won: won_in as u8,
                lost: lost as u8,
            };
            solver.table.put(key, known);
        }
        Ok(won)
    }

    /// Whether some gap leaves the Painter only symbols after which another gap is dead. The gaps are judged together, each
    /// with one of its symbols, until every gap has one that holds.
    fn wins_in_two(&self, word: &Small, forbidden: &Forbidden) -> bool {
        let (symbols, variant) = (self.solver.symbols, self.solver.variant);
        let mut open = [(0u8, 0u8); LANES];
        let mut next = 0;
        let mut waiting: [(u8, u8); Small::MOST + 1] = [(0, 0); Small::MOST + 1];
        let mut count = 0;
        while next <= word.len() || count > 0 {
            let mut lanes = Lanes::new(word.len() + 1);
            let mut filled = 0;
            while !lanes.is_full() && (next <= word.len() || count > 0) {
                let (gap, fits) = if next <= word.len() {
                    next += 1;
                    (next - 1, self.solver.fits(word, forbidden, next - 1))
                } else {
                    count -= 1;
                    (usize::from(waiting[count].0), waiting[count].1)
                };
                if fits == 0 {
                    return true;
                }
                let symbol = fits.ilog2() as usize;
                lanes.push(&word.with(gap, symbol));
                open[filled] = (gap as u8, fits & !(1 << symbol));
                filled += 1;
            }
            let judged = lanes.forbidden(symbols, variant);
            for (&(gap, rest), &dead) in open[..filled].iter().zip(&judged.dead) {
                if dead != 0 {
                    waiting[count] = (gap, rest);
                    count += 1;
                }
            }
        }
        false
    }

    fn some_gap_wins(
        &mut self,
        word: &Small,
        forbidden: &Forbidden,
        depth: u32,
    ) -> Result<bool, Stopped> {
        let solver = self.solver;
        let mut gaps: Vec<Gap> = (0..=word.len())
            .map(|at| solver.gap(word, forbidden, at))
            .collect();
        solver.table.touch(
            gaps.iter()
                .flat_map(|gap| symbols(gap.fits).map(|c| gap.keys[c])),
        );
        // An answer that is known to hold costs one look: gaps that have one are done before any symbol is judged, which also
        // leads different orders of the same picks to the same words.
        gaps.retain_mut(|gap| !solver.holds(gap, depth));
        gaps.sort_unstable_by_key(|gap| (gap.fits.count_ones(), gap.at));
        // Near the root every gap is work enough for a thread of its own; deeper the cost of sharing shows.
        if self.root - depth < 5 && depth > 6 {
            let (root, budget) = (self.root, self.budget);
            let found = gaps.par_iter().try_for_each(|&gap| {
                let mut hunt = Hunt::new(solver, root, budget);
                match hunt.gap_wins(word, gap, depth) {
                    Ok(false) => Ok(()),
                    Ok(true) => Err(None),
                    Err(stopped) => Err(Some(stopped)),
                }
            });
            return match found {
                Ok(()) => Ok(false),
                Err(None) => Ok(true),
                Err(Some(stopped)) => Err(stopped),
            };
        }
        for gap in gaps {
            if self.gap_wins(word, gap, depth)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether every one of the symbols in the gap loses within one pick less.
    fn gap_wins(&mut self, word: &Small, mut gap: Gap, depth: u32) -> Result<bool, Stopped> {
        let solver = self.solver;
        // What was found since the gap was looked at may have settled it.
        if solver.holds(&mut gap, depth) {
            return Ok(false);
        }
        let opened = word.opened(gap.at);
        let mut lanes = Lanes::new(opened.len());
        for symbol in symbols(gap.fits) {
            lanes.push(&opened.filled(gap.at, symbol));
        }
        if lanes.is_empty() {
            return Ok(true);
        }
        let judged = lanes.forbidden(solver.symbols, solver.variant);
        let mut children = [(Promise::default(), 0usize, 0usize); LANES];
        for (lane, symbol) in symbols(gap.fits).enumerate() {
            children[lane] = (promise(&opened, gap.at, symbol), symbol, lane);
        }
        let children = &mut children[..gap.fits.count_ones() as usize];
        children.sort_unstable_by(|a, b| b.cmp(a));
        for &(_, symbol, lane) in children.iter() {
            let child = opened.filled(gap.at, symbol);
            if !self.wins(&child, &judged.of(lane), depth - 1)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The word, if it stays short enough for so many picks more.
fn short(word: &[u8], depth: u32) -> Option<Small> {
    Small::new(word).filter(|small| small.len() + depth as usize <= Small::MOST)
}

/// Threads whose stacks take the deepest search.
fn pool(threads: usize) -> Result<rayon::ThreadPool, SolverError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.max(1))
        .stack_size(8 << 20)
        .build()
        .map_err(|e| SolverError::Threads(e.to_string()))
}
