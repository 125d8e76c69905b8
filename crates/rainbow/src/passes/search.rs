//! Depth-first search with a table: Maker's heaviest move first, and after a move of Maker the pass first.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use serde::Serialize;
use wits_search::Budget;

use super::position::{Lines, Position, Seen};
use super::table::{Entry, Table};
use crate::exact::ones;
use crate::terms::Side;

/// Who wins where Breaker may pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Outcome {
    /// How many numbers.
    pub n: u32,
    /// How long a rainbow must be.
    pub k: u32,
    /// Who moves first.
    pub first: Side,
    /// Who wins.
    pub winner: Side,
    /// Where Maker wins: as many colours as this are enough.
    pub colours: Option<u32>,
    /// Where Maker wins: the number he begins with, also after a pass.
    pub opening: Option<u32>,
    /// Positions looked at.
    pub nodes: u64,
    /// Positions proved, up to renaming colours and reading backwards.
    pub positions: u64,
}

/// Solves boards on which Breaker may pass, and remembers what it has proved.
pub struct Solver {
    lines: Lines,
    table: Table,
    nodes: Arc<AtomicU64>,
    most: usize,
}

impl Solver {
    /// The table is left to grow to about this many positions unless told otherwise.
    pub const MOST_POSITIONS: usize = 20_000_000;

    /// The longest board that fits.
    pub const LONGEST: u32 = super::position::MOST_NUMBERS;

    /// A solver that remembers up to so many positions; each takes about 40 bytes. Nothing where the board is too long or has no progression.
    pub fn sized(n: u32, k: u32, positions: usize) -> Option<Solver> {
        Some(Solver {
            lines: Lines::new(n, k)?,
            table: Table::default(),
            nodes: Arc::default(),
            most: positions,
        })
    }

    /// How many positions are proved.
    pub fn positions(&self) -> usize {
        self.table.len()
    }

    /// The number of positions looked at, for somebody who wants to see it grow.
    pub fn counter(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.nodes)
    }

    /// Who wins, or nothing if the budget or the table ends first. What was proved until then is kept, so asking again goes on.
    ///
    /// All threads search the same position, each takes Breaker's replies in another order, and what one has proved the others need not.
    pub fn solve(&mut self, first: Side, threads: usize, budget: &Budget) -> Option<Outcome> {
        let start = Position::start(&self.lines);
        let over = AtomicBool::new(false);
        let (solver, over) = (&*self, &over);
        let found = std::thread::scope(|scope| {
            let search = |worker| Search {
                solver,
                budget,
                over,
                worker,
                nodes: 0,
            };
            let run = move |worker| {
                let found = search(worker).value(&start, first == Side::Maker);
                if found.is_some() {
                    over.store(true, Ordering::Relaxed);
                }
                found
            };
            let others: Vec<_> = (1..threads.max(1) as u64)
                .map(|worker| scope.spawn(move || run(worker)))
                .collect();
            let own = run(0);
            let joined = others
                .into_iter()
                .filter_map(|thread| thread.join().expect("a search does not panic"));
            joined.fold(own, |own, other| own.or(Some(other)))
        })?;
        let won = found.won();
        // Before anything else Breaker passes, so the start with Maker to move is proved in either case.
        let opening = self.look(&start, true).filter(|entry| entry.won());
        Some(Outcome {
            n: self.lines.n,
            k: self.lines.k,
            first,
            winner: if won { Side::Maker } else { Side::Breaker },
            colours: won.then(|| u32::from(found.moves).max(self.lines.k)),
            opening: opening
                .filter(|_| won)
                .map(|entry| u32::from(entry.best) + 1),
            nodes: self.nodes.load(Ordering::Relaxed),
            positions: self.table.len() as u64,
        })
    }

    /// Maker's move in a position, as the checker asks for it: `colours[i]` is that of number `i + 1`, nothing where it has none. The
    /// checker may come to positions that the search saw no need to look at; those are searched now.
    pub(super) fn answer(&self, colours: &[Option<u8>], budget: &Budget) -> Option<u32> {
        let position = Position::of(&self.lines, colours);
        let mut search = Search {
            solver: self,
            budget,
            over: &AtomicBool::new(false),
            worker: 0,
            nodes: 0,
        };
        let entry = search.value(&position, true)?;
        entry.won().then(|| u32::from(entry.best))
    }

    /// Numbers and length of the progressions.
    pub(super) const fn board(&self) -> (u32, u32) {
        (self.lines.n, self.lines.k)
    }

    /// What is known without searching.
    fn look(&self, position: &Position, maker: bool) -> Option<Entry> {
        let (key, backwards) = position.key(&self.lines, maker);
        let entry = self.table.get(key)?;
        Some(self.turned(entry, backwards))
    }

    fn store(&self, position: &Position, maker: bool, entry: Entry) -> Entry {
        let (key, backwards) = position.key(&self.lines, maker);
        let entry = self.table.put(key, self.turned(entry, backwards));
        self.turned(entry, backwards)
    }

    /// The entry of the position read backwards, if it was.
    fn turned(&self, entry: Entry, backwards: bool) -> Entry {
        if !backwards {
            return entry;
        }
        Entry {
            zone: self.lines.backwards(entry.zone),
            best: self.lines.n as u8 - 1 - entry.best,
            ..entry
        }
    }

    /// Writes what was proved, to be taken up later.
    pub fn save(&self, to: &mut impl Write) -> io::Result<()> {
        to.write_all(&self.name())?;
        self.table.save(to)
    }

    /// Takes up what was proved before on the same board.
    pub fn resume(&mut self, from: &mut impl Read) -> io::Result<()> {
        let mut name = vec![0; self.name().len()];
        from.read_exact(&mut name)?;
        if name != self.name() {
            let why = "this is not a kept search of this board";
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        self.table.load(from)
    }

    fn name(&self) -> Vec<u8> {
        let (n, k) = self.board();
        format!("wits-rainbow-passes 1\nn {n:2} k {k:2}\n").into_bytes()
    }
}

struct Search<'a> {
    solver: &'a Solver,
    budget: &'a Budget,
    /// Raised when a thread has the answer.
    over: &'a AtomicBool,
    worker: u64,
    nodes: u64,
}

impl Search<'_> {
    /// What a position is worth; nothing when the budget has ended.
    fn value(&mut self, position: &Position, maker: bool) -> Option<Entry> {
        match self.known(position, maker) {
            Some(entry) => Some(entry),
            None => self.expand(position, maker),
        }
    }

    /// What a look shows: the end of the game, the table, a pairing.
    fn known(&self, position: &Position, maker: bool) -> Option<Entry> {
        let lines = &self.solver.lines;
        match position.seen(lines, maker) {
            Seen::Maker { zone, moves, best } => return Some(Entry { zone, moves, best }),
            Seen::Breaker => return Some(Entry::LOST),
            Seen::Open => {}
        }
        let known = self.solver.look(position, maker);
        if known.is_none() && maker && position.paired(lines) {
            return Some(self.solver.store(position, true, Entry::LOST));
        }
        known
    }

    /// What a position is worth of which nothing is known.
    fn expand(&mut self, position: &Position, maker: bool) -> Option<Entry> {
        if self.budget.spent(self.nodes)
            || self.solver.positions() >= self.solver.most
            || self.over.load(Ordering::Relaxed)
        {
            return None;
        }
        self.nodes += 1;
        self.solver.nodes.fetch_add(1, Ordering::Relaxed);
        let entry = if maker {
            self.maker(position)?
        } else {
            self.breaker(position)?
        };
        Some(self.solver.store(position, maker, entry))
    }

    fn maker(&mut self, position: &Position) -> Option<Entry> {
        for x in position.moves(&self.solver.lines) {
            let after = self.value(&position.fresh(x), false)?;
            if after.won() {
                return Some(Entry {
                    zone: after.zone | 1 << x,
                    moves: after.moves + 1,
                    best: x as u8,
                });
            }
        }
        Some(Entry::LOST)
    }

    fn breaker(&mut self, position: &Position) -> Option<Entry> {
        let lines = &self.solver.lines;
        let pass = self.value(position, true)?;
        if !pass.won() {
            return Some(Entry::LOST);
        }
        let mut entry = Entry { best: 0, ..pass };
        let mut add = |zone: u32, moves: u8| {
            entry.zone |= zone;
            entry.moves = entry.moves.max(moves + 1);
        };
        let mut on = pass.zone & position.open;
        for x in ones(on) {
            // One look instead of one for each colour.
            let spoilt = position.spoilt(lines, x).seen(lines, true);
            if let Seen::Maker { zone, moves, .. } = spoilt {
                on &= !(1 << x);
                add(zone, moves);
            }
        }
        // A reply that is known to win, by a pairing perhaps, is found before any other is searched.
        let mut open = Vec::new();
        for reply in position.replies(lines, on) {
            let after = position.after(lines, reply);
            match self.known(&after, true) {
                Some(known) if !known.won() => return Some(Entry::LOST),
                Some(known) => add(known.zone, known.moves),
                None => open.push(after),
            }
        }
        if self.worker > 0 && !open.is_empty() {
            let (key, _) = position.key(lines, false);
            let mixed = (key as u64 ^ (key >> 64) as u64 ^ self.worker << 56)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let by = (mixed >> 32) as usize % open.len();
            open.rotate_left(by);
        }
        for after in open {
            let found = match self.solver.look(&after, true) {
                Some(known) => known,
                None => self.expand(&after, true)?,
            };
            if !found.won() {
                return Some(Entry::LOST);
            }
            add(found.zone, found.moves);
        }
        Some(entry)
    }
}
