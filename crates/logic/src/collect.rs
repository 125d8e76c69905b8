//! Collecting unused terms: mark, then slide what is left together.
//!
//! Sliding keeps the order of cells, on which choice points rely. Runs only between a call and its
//! first clause, when exactly the argument registers are live.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

use crate::atoms::{Quick, QuickMap};
use crate::cell::*;
use crate::live::is_read;
use crate::machine::{FAIL, FRAME, Kind, LEAVE, Machine, Resume, TABLE_ADD};
use crate::program::Program;
use crate::store::{CHANGED, Change};

struct Marks {
    bits: Vec<u64>,
    /// Marked cells before each word of `bits`.
    before: Vec<u32>,
}

impl Marks {
    fn set(&mut self, at: usize) -> bool {
        let (w, b) = (at / 64, 1u64 << (at % 64));
        let new = self.bits[w] & b == 0;
        self.bits[w] |= b;
        new
    }

    fn get(&self, at: usize) -> bool {
        self.bits[at / 64] >> (at % 64) & 1 == 1
    }

    /// New address of the first marked cell at or after `at`.
    fn moved(&self, at: usize) -> usize {
        let (w, b) = (at / 64, at % 64);
        if w >= self.bits.len() {
            return self.before.last().map_or(0, |n| *n as usize);
        }
        self.before[w] as usize + (self.bits[w] & ((1u64 << b) - 1)).count_ones() as usize
    }

    fn moved_cell(&self, c: Cell) -> Cell {
        match tag(c) {
            REF | STR | LST | BLB => make(tag(c), self.moved(addr(c))),
            _ => c,
        }
    }
}

impl Machine {
    /// Collects; `program` may give back the code of erased clauses.
    pub(crate) fn collect(&mut self, program: Option<&mut Program>) {
        self.collections += 1;
        let arity = match self.resume {
            Resume::Enter(p) => self.program.preds[p as usize].arity,
            _ => 0,
        };
        let frames = self.frames();
        let live = self.live_slots(program.as_deref().unwrap_or(&self.program));
        let mut marks = Marks {
            bits: vec![0; self.store.cells.len().div_ceil(64) + 1],
            before: Vec::new(),
        };
        self.mark_all(&mut marks, arity, &live);
        let mut n = 0;
        marks.before = Vec::with_capacity(marks.bits.len() + 1);
        for w in &marks.bits {
            marks.before.push(n);
            n += w.count_ones();
        }
        marks.before.push(n);
        self.move_roots(&marks, arity, &frames);
        self.slide(&marks);
        let live = self.store.cells.len();
        // While proofs are recorded more stays reachable, and the log is gone through, too.
        let factor = if self.recording { 4 } else { 2 };
        self.collect_at = (live * factor + self.log.len() / 2).max(self.first_collection());
        if let Some(program) = program
            && !program.graves.is_empty()
        {
            let mut used: Vec<u32> = frames.iter().map(|&f| self.stack[f] as u32).collect();
            used.extend(self.choices.iter().map(|c| c.cp));
            used.extend(
                self.choices
                    .iter()
                    .filter(|c| c.kind == Kind::Else)
                    .map(|c| c.target),
            );
            used.extend(self.tables.addresses());
            self.tables.shapes.clear();
            used.push(self.cp as u32);
            used.sort_unstable();
            program.bury(|code, len| {
                let i = used.partition_point(|&u| u < code);
                used.get(i).is_some_and(|&u| u <= code + len)
            });
        }
    }

    /// Heap size at which the first collection is worth its time.
    pub(crate) fn first_collection(&self) -> usize {
        if self.recording { 1 << 21 } else { 1 << 20 }
    }

    /// The environments that can still be reached.
    pub(crate) fn frames(&self) -> Vec<usize> {
        let mut out = Vec::new();
        self.each_frame(|frame, _, new| {
            if new {
                out.push(frame);
            }
        });
        out
    }

    /// Goes through the environments that can still be reached, each with an address where the machine
    /// goes on in it, and whether it is met for the first time.
    fn each_frame(&self, mut tell: impl FnMut(usize, usize, bool)) {
        let mut seen = HashSet::with_hasher(BuildHasherDefault::<Quick>::default());
        let now = match self.resume {
            // A choice point says where.
            Resume::Backtrack => (self.e, FAIL),
            _ => (self.e, self.cp),
        };
        let later = self.choices.iter().rev().map(|c| match c.kind {
            Kind::Else => (c.e as usize, c.target as usize),
            // Its goal and its reason are kept with it.
            Kind::Cleanup => (c.e as usize, FAIL),
            _ => (c.e as usize, c.cp as usize),
        });
        for (mut e, mut at) in std::iter::once(now).chain(later) {
            loop {
                let new = seen.insert(e);
                tell(e, at, new);
                // Where it goes on behind an environment does not depend on the way to it.
                if e == 0 || !new {
                    break;
                }
                at = self.stack[e] as u32 as usize;
                e = (self.stack[e] >> 32) as usize;
            }
        }
    }

    pub(crate) fn slots(&self, frame: usize) -> std::ops::Range<usize> {
        let size = (self.stack[frame + 1] >> 32) as usize;
        frame + FRAME..frame + size
    }

    /// The slots whose terms are still needed, by environment; one may be told several times, since
    /// what comes next in it depends on how the machine gets back to it.
    ///
    /// Every other slot may hold what was there before going back to a choice point: the address of a
    /// term that is gone.
    fn live_slots(&self, program: &Program) -> Vec<(usize, Arc<[u16]>)> {
        let mut known: QuickMap<(usize, usize), Arc<[u16]>> = QuickMap::default();
        // The term that the query keeps.
        let mut out = vec![(0, Arc::from([0]))];
        self.each_frame(|frame, at, _| {
            let count = self.slots(frame).len();
            let slots = known.entry((at, count)).or_insert_with(|| match at {
                FAIL | LEAVE => Arc::from([]),
                // The engine's own environments are filled as soon as they are made.
                0..=TABLE_ADD => (0..count as u16).collect(),
                _ => (0..count)
                    .filter(|&slot| is_read(program, at, slot, |_| ()))
                    .map(|slot| slot as u16)
                    .collect(),
            });
            let again = (out.last()).is_some_and(|(f, s)| *f == frame && Arc::ptr_eq(s, slots));
            if !slots.is_empty() && !again {
                out.push((frame, slots.clone()));
            }
        });
        out
    }

    fn mark_all(&self, marks: &mut Marks, arity: usize, live: &[(usize, Arc<[u16]>)]) {
        marks.set(0);
        let mut work: Vec<Cell> = self.regs[..arity].to_vec();
        let drain = |work: &mut Vec<Cell>, marks: &mut Marks| {
            while let Some(c) = work.pop() {
                self.mark(c, work, marks);
            }
        };
        drain(&mut work, marks);
        for (frame, slots) in live {
            work.extend(
                slots
                    .iter()
                    .map(|&n| self.stack[frame + FRAME + n as usize]),
            );
            drain(&mut work, marks);
        }
        for &c in &self.saved {
            work.push(c);
            drain(&mut work, marks);
        }
        for (_, c) in &self.store.globals {
            work.push(*c);
            drain(&mut work, marks);
        }
        for change in &self.store.changes {
            match change {
                Change::Cell(_, old) | Change::Global(_, Some(old)) => work.push(*old),
                Change::Global(_, None) => {}
            }
            drain(&mut work, marks);
        }
        let mut at = 0;
        while let Some(range) = self.log_cells(at) {
            at = range.end;
            work.extend_from_slice(&self.log[range]);
            drain(&mut work, marks);
        }
    }

    fn mark(&self, c: Cell, work: &mut Vec<Cell>, marks: &mut Marks) {
        let cells = &self.store.cells;
        let a = addr(c);
        match tag(c) {
            REF if marks.set(a) => {
                work.push(cells[a]);
            }
            LST => {
                // The tail last, so that it is looked at first and long lists stay shallow.
                for i in [a, a + 1] {
                    if marks.set(i) {
                        work.push(cells[i]);
                    }
                }
            }
            STR => {
                let n = functor_arity(cells[a]);
                if marks.set(a) || n > 0 {
                    for (i, &c) in (a + 1..).zip(&cells[a + 1..=a + n]) {
                        if marks.set(i) {
                            work.push(c);
                        }
                    }
                }
            }
            BLB => {
                for i in a..=a + blob_words(cells[a]) {
                    marks.set(i);
                }
            }
            _ => {}
        }
    }

    fn move_roots(&mut self, marks: &Marks, arity: usize, frames: &[usize]) {
        for r in &mut self.regs[..arity] {
            *r = marks.moved_cell(*r);
        }
        for &f in frames {
            for i in self.slots(f) {
                self.stack[i] = marks.moved_cell(self.stack[i]);
            }
        }
        for c in &mut self.saved {
            *c = marks.moved_cell(*c);
        }
        for (_, c) in &mut self.store.globals {
            *c = marks.moved_cell(*c);
        }
        let mut at = 0;
        while let Some(range) = self.log_cells(at) {
            at = range.end;
            for c in &mut self.log[range] {
                *c = marks.moved_cell(*c);
            }
        }
        // The trail: entries for cells that are gone are dropped.
        let mut changes = std::mem::take(&mut self.store.changes).into_iter();
        let mut kept = 0;
        let mut choice = 0;
        for i in 0..=self.store.trail.len() {
            while choice < self.choices.len() && self.choices[choice].trail as usize == i {
                self.choices[choice].trail = kept as u32;
                choice += 1;
            }
            match self.store.trail.get(i) {
                Some(&CHANGED) => {
                    let change = match changes.next() {
                        Some(Change::Cell(at, old)) if marks.get(at as usize) => {
                            let at = marks.moved(at as usize) as u32;
                            Change::Cell(at, marks.moved_cell(old))
                        }
                        Some(Change::Global(key, old)) => {
                            Change::Global(key, old.map(|c| marks.moved_cell(c)))
                        }
                        _ => continue,
                    };
                    self.store.changes.push(change);
                    self.store.trail[kept] = CHANGED;
                    kept += 1;
                }
                Some(&at) if marks.get(at as usize) => {
                    self.store.trail[kept] = marks.moved(at as usize) as u32;
                    kept += 1;
                }
                _ => {}
            }
        }
        self.store.trail.truncate(kept);
        for c in &mut self.choices {
            c.heap = marks.moved(c.heap as usize) as u32;
        }
        self.store.hb = self.choices.last().map_or(0, |c| c.heap as usize);
    }

    fn slide(&mut self, marks: &Marks) {
        let cells = &mut self.store.cells;
        let mut to = 0;
        let mut raw = 0;
        for w in 0..marks.bits.len() {
            let mut bits = marks.bits[w];
            while bits != 0 {
                let from = w * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let c = cells[from];
                if raw > 0 {
                    raw -= 1;
                    cells[to] = c;
                } else {
                    if tag(c) == HDR {
                        raw = blob_words(c);
                    }
                    cells[to] = marks.moved_cell(c);
                }
                to += 1;
            }
        }
        cells.truncate(to);
    }
}
