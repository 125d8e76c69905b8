//! Suspended calls: what is to be done after a call, taken off the stacks as data and put back.

use std::sync::Arc;

use crate::cell::*;
use crate::code::{Instr, Op};
use crate::live::{is_read, walk};
use crate::machine::*;
use crate::program::Program;
use crate::run::Thrown;
use crate::stored::Stored;
use crate::tables::{Frame, Suspension};

/// Slots of the environment under which the clauses of a tabled goal run: the number of the table,
/// where its part of the proof log begins, the watched goal it belongs to; then the variables of the
/// goal.
pub(crate) const TABLE_SLOTS: usize = 3;

/// What can happen after a return to an address.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// The slots that are read.
    slots: Arc<[u16]>,
    /// Whether the call stands where one answer, or the end of all answers, makes a difference.
    bars: bool,
    /// Whether small integers among the slots are choice points to cut back to.
    levels: bool,
}

impl Machine {
    /// Takes what is to be done after a call off the stacks, down to the clause of a tabled goal.
    /// `vars` are the variables of the call, `goal` is the call itself, for an error.
    pub(crate) fn take_suspension(
        &mut self,
        prog: &Program,
        goal: Cell,
        vars: &[Cell],
        (cp, e): (usize, usize),
        record: u32,
    ) -> Result<Suspension, Thrown> {
        let (mut cp, mut e) = (cp, e);
        let mut frames = Vec::new();
        let mut slots: Vec<Cell> = Vec::new();
        while cp != TABLE_ADD {
            let size = (self.stack[e + 1] >> 32) as usize;
            let shape = self.shape(prog, cp, size - FRAME);
            if shape.bars || e == 0 {
                return Err(self.permission_error("commit", "incomplete_table", goal));
            }
            slots.extend(shape.slots.iter().map(|&s| {
                let cell = self.stack[e + FRAME + s as usize];
                // A level means something only where it was noted.
                if shape.levels && tag(cell) == INT {
                    LEVEL
                } else {
                    cell
                }
            }));
            frames.push(Frame {
                cp: cp as u32,
                size: size as u32,
                node: self.stack[e + 2] as u32,
                slots: shape.slots,
            });
            cp = self.stack[e] as u32 as usize;
            e = (self.stack[e] >> 32) as usize;
        }
        let at = e + FRAME;
        let end = e + (self.stack[e + 1] >> 32) as usize;
        let [owner, log, watched] = [0, 1, 2].map(|n| small_value(self.stack[at + n]) as u32);
        let owner_vars = &self.stack[at + TABLE_SLOTS..end];
        let mut cells: Vec<Cell> = Vec::with_capacity(vars.len() + owner_vars.len() + slots.len());
        cells.extend_from_slice(vars);
        cells.extend_from_slice(owner_vars);
        let owner_vars = owner_vars.len() as u32;
        cells.extend(slots);
        let mut words: Box<[u64]> = Box::new([]);
        if self.recording {
            let base = log as usize;
            words = self.log[base..].into();
            let mut at = base;
            while let Some(range) = self.log_cells(at) {
                at = range.end;
                cells.extend_from_slice(&self.log[range]);
            }
            for f in &mut frames {
                f.node = f.node.wrapping_sub(log);
            }
        }
        let limit = self.fuel.cells;
        self.store
            .save_from(0, &mut cells, &mut Vec::new(), limit)
            .map_err(|e| self.too_big(e))?;
        Ok(Suspension {
            owner,
            cells: Stored(cells.into_boxed_slice()),
            vars: vars.len() as u32,
            owner_vars,
            frames,
            log: words,
            start: log,
            record: record.wrapping_sub(log),
            watched,
        })
    }

    /// Puts a suspended call back on top of the current environment; gives where its cells begin.
    /// The address to go on at is the continuation.
    pub(crate) fn put_suspension<const REC: bool>(&mut self, what: &Suspension) -> usize {
        let base = self.store.load_block(&what.cells.0);
        let log = self.log.len() as u32;
        self.b0 = self.choices.len();
        self.allocate(TABLE_SLOTS + what.owner_vars as usize);
        let at = self.e + FRAME;
        self.stack[at] = small(i64::from(what.owner));
        self.stack[at + 1] = small(i64::from(log));
        self.stack[at + 2] = small(i64::from(what.watched));
        let mut cells = base + what.vars as usize;
        for n in 0..what.owner_vars as usize {
            self.stack[at + TABLE_SLOTS + n] = self.store.cells[cells + n];
        }
        cells += what.owner_vars as usize;
        cells += what.frames.iter().map(|f| f.slots.len()).sum::<usize>();
        if REC {
            self.put_log(what, cells);
        }
        self.cp = TABLE_ADD;
        for f in what.frames.iter().rev() {
            cells -= f.slots.len();
            self.put_frame(f, cells);
            if REC {
                self.stack[self.e + 2] = u64::from(f.node.wrapping_add(log));
            }
        }
        base
    }

    fn put_frame(&mut self, f: &Frame, cells: usize) {
        let caught = f.cp as usize == POP_CATCH;
        if caught {
            // The catcher and the recovery are in the frame.
            self.regs[0] = atom(crate::atoms::known::TRUE);
            self.regs[1] = self.store.cells[cells + 1];
            self.regs[2] = self.store.cells[cells + 2];
            self.push_catch();
        }
        let level = self.choices.len();
        self.allocate(f.size as usize - FRAME);
        for (n, &slot) in f.slots.iter().enumerate() {
            let cell = self.store.cells[cells + n];
            let cell = if cell == LEVEL {
                small(level as i64)
            } else {
                cell
            };
            self.stack[self.e + FRAME + slot as usize] = cell;
        }
        if caught {
            self.stack[self.e + FRAME] = small(level as i64 - 1);
            if let Some(c) = self.choices.last_mut() {
                c.target = self.e as u32;
            }
        }
        if f.cp as usize == EXIT {
            // The marker of the watched goal is not there any more.
            self.stack[self.e + FRAME + 1] = small(MAX_SMALL);
        }
        self.cp = f.cp as usize;
    }

    /// The part of the proof log that belongs to a suspended call; its records count from their own
    /// beginning.
    fn put_log(&mut self, what: &Suspension, mut cells: usize) {
        let base = self.log.len();
        let start = what.start;
        self.log.extend_from_slice(&what.log);
        let mut at = base;
        while let Some(range) = self.log_cells(at) {
            let word = self.log[at];
            let parent = (word >> 32) as u32;
            // The call of the clause is under nothing that is here.
            let moved = match parent.checked_sub(start) {
                Some(n) if parent != crate::engine::NOBODY => n + base as u32,
                _ => crate::engine::NOBODY,
            };
            self.log[at] = (u64::from(moved) << 32) | (word & 0xffff_ffff);
            at = range.end;
            for n in range {
                self.log[n] = self.store.cells[cells];
                cells += 1;
            }
        }
    }

    /// What can happen after a return to an address.
    fn shape(&mut self, prog: &Program, cp: usize, slots: usize) -> Shape {
        if let Some(known) = self.tables.shapes.get(&(cp as u32)) {
            return known.clone();
        }
        let shape = match cp {
            POP_CATCH | EXIT => Shape {
                slots: (0..slots as u16).collect(),
                bars: false,
                levels: false,
            },
            _ => Self::work_out(prog, cp, slots),
        };
        self.tables.shapes.insert(cp as u32, shape.clone());
        shape
    }

    fn work_out(prog: &Program, cp: usize, slots: usize) -> Shape {
        let mut used = Vec::new();
        let mut bars = cp == STOP || cp == FAIL;
        for slot in 0..slots {
            // A level noted before the call: a condition or a negation.
            let bar = |i: Instr| bars |= matches!(i.op, Op::CutTo | Op::SoftCut);
            if is_read(prog, cp, slot, bar) {
                used.push(slot as u16);
            }
        }
        let mut levels = false;
        if cp < prog.library_code as usize {
            // The library collects, commits and writes behind its calls.
            walk(prog, cp, |i| {
                bars |= matches!(
                    i.op,
                    Op::Builtin
                        | Op::ArgVarY
                        | Op::FunctorVarYY
                        | Op::CutEnv
                        | Op::NeckCut
                        | Op::CutTo
                        | Op::SoftCut
                        | Op::Fail
                );
                true
            });
            let and = &prog.preds[prog.helpers[crate::program::AND] as usize];
            let and = &prog.clauses[and.slots[0].id as usize];
            levels = (and.code..and.code + and.len).contains(&(cp as u32));
        }
        Shape {
            slots: used.into(),
            bars,
            levels,
        }
    }
}

/// Stands for a choice point to cut back to in a suspended call.
const LEVEL: Cell = small(MIN_SMALL);
