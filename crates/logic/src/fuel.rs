//! Fuel: work is charged where it is done, and memory is counted where it is taken.
//!
//! A call costs one step. What a builtin does besides, such as walking a list or copying a term, is
//! counted in cells and charged as if it were calls. The count is settled between two calls, and
//! inside steps that can take long.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use wits_search::Budget;

use crate::cell::*;
use crate::machine::{Leave, Machine};
use crate::run::Thrown;

/// Cells that cost as much as one call.
const CELLS_A_STEP: u64 = 16;
/// Cells looked at before the count is settled: well under a millisecond of work.
const PRESSING: u64 = 1 << 16;
/// Calls between two looks at fuel, time and memory.
const GRANT: u64 = 4096;

/// Thrown by a builtin that ran out of steps or time: no `catch/3` sees it, and the builtin runs
/// again when the machine goes on.
pub(crate) const OUT_OF_STEPS: Thrown = Thrown(mark(0));

/// Work done since it was last settled. The counters are atomic only because a machine is shared
/// between threads to be cloned; they are never written from two.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Between runs nothing is given up.
    running: AtomicBool,
    cells: AtomicU64,
    /// The heap size at which the next call takes the slow path; 0 once much work is unsettled.
    brink: AtomicUsize,
    /// The count at which a long step looks at fuel and time.
    look_at: AtomicU64,
    /// Cells that may be counted before fuel ends.
    allowed: AtomicU64,
    /// A long step was given up: what it gives is not its result.
    stopped: AtomicBool,
    budget: Option<Budget>,
}

impl Clone for Tally {
    fn clone(&self) -> Self {
        Tally {
            running: AtomicBool::new(false),
            cells: AtomicU64::new(self.cells.load(Ordering::Relaxed)),
            brink: AtomicUsize::new(0),
            look_at: AtomicU64::new(0),
            allowed: AtomicU64::new(self.allowed.load(Ordering::Relaxed)),
            stopped: AtomicBool::new(false),
            budget: self.budget.clone(),
        }
    }
}

impl Tally {
    /// Counts work, in cells looked at or written.
    #[inline]
    pub(crate) fn spend(&self, cells: usize) {
        let sum = self
            .cells
            .load(Ordering::Relaxed)
            .saturating_add(cells as u64);
        self.cells.store(sum, Ordering::Relaxed);
        if sum >= PRESSING {
            self.brink.store(0, Ordering::Relaxed);
        }
    }

    /// Counts work inside a long step; whether the step is to be given up. What called it comes back
    /// to the machine, which then leaves without using the result.
    #[inline]
    pub(crate) fn give_up(&self, cells: usize) -> bool {
        self.spend(cells);
        self.is_over()
    }

    /// Whether steps or time have run out; looks now and then.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.stopped()
            || (self.cells.load(Ordering::Relaxed) >= self.look_at.load(Ordering::Relaxed)
                && self.over())
    }

    #[cold]
    fn over(&self) -> bool {
        if !self.running.load(Ordering::Relaxed) {
            return false;
        }
        let sum = self.cells.load(Ordering::Relaxed);
        self.look_at.store(sum + PRESSING, Ordering::Relaxed);
        let over = sum > self.allowed.load(Ordering::Relaxed) || self.late();
        self.stopped.store(over, Ordering::Relaxed);
        over
    }

    fn late(&self) -> bool {
        let spent = |b: &Budget| b.stopped() || b.late();
        self.budget.as_ref().is_some_and(spent)
    }

    /// Whether a long step was given up.
    #[inline(always)]
    pub(crate) fn stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    #[inline(always)]
    pub(crate) fn brink(&self) -> usize {
        self.brink.load(Ordering::Relaxed)
    }

    /// Whether the count should be settled soon.
    #[inline(always)]
    pub(crate) fn pressing(&self) -> bool {
        self.brink() == 0
    }
}

impl Machine {
    /// Ends every run when the budget does: [`crate::Outcome::OutOfSteps`] follows within
    /// milliseconds, also from inside a long builtin. Nodes and depth of the budget do not count.
    pub fn keep_to(&mut self, budget: Option<Budget>) {
        self.store.tally.budget = budget;
    }

    /// Lets [`Machine::solve`] come back after this many steps even though there is fuel left.
    pub fn pause_after(&mut self, steps: u64) {
        self.spend_credit();
        self.pause_at = self.steps.saturating_add(steps);
    }

    /// Steps that may still be used.
    pub fn steps_left(&self) -> u64 {
        self.fuel.steps.saturating_sub(self.steps())
    }

    /// Takes back the calls that were granted and not made.
    pub(crate) fn spend_credit(&mut self) {
        self.steps += u64::from(self.granted - self.credit);
        self.granted = 0;
        self.credit = 0;
    }

    fn charge_tally(&mut self) {
        let tally = &self.store.tally;
        let cells = tally.cells.load(Ordering::Relaxed);
        tally.cells.store(cells % CELLS_A_STEP, Ordering::Relaxed);
        let brink = self.eager.map_or(self.collect_at, |_| 1);
        tally.brink.store(brink, Ordering::Relaxed);
        tally.look_at.store(PRESSING, Ordering::Relaxed);
        let steps = cells / CELLS_A_STEP;
        let paid = steps.min(u64::from(self.credit));
        self.credit -= paid as u32;
        self.steps += steps - paid;
    }

    /// Begins or goes on with a run: nothing is given up yet.
    pub(crate) fn renew(&mut self) {
        let allowed = self.fuel.steps.saturating_sub(self.steps());
        let allowed = allowed.saturating_mul(CELLS_A_STEP);
        let tally = &self.store.tally;
        tally.allowed.store(allowed, Ordering::Relaxed);
        tally.stopped.store(false, Ordering::Relaxed);
        tally.running.store(true, Ordering::Relaxed);
    }

    /// Ends a run: what is done with its result is not part of it.
    pub(crate) fn rest(&mut self) {
        let tally = &self.store.tally;
        tally.stopped.store(false, Ordering::Relaxed);
        tally.running.store(false, Ordering::Relaxed);
    }

    /// Charges for the work done and grants calls, or says why the run must stop here.
    pub(crate) fn settle(&mut self) -> Option<Leave> {
        self.charge_tally();
        self.spend_credit();
        let left = self.fuel.steps.min(self.pause_at);
        let left = left.saturating_sub(self.steps);
        if left == 0 || self.store.tally.late() {
            return Some(Leave::Steps);
        }
        // While a cleanup runs nothing is collected: what could be given back waits until it has ended.
        let worth = !self.cleaning && (self.many_names() || self.much_program());
        if worth || self.words_used() > self.fuel.cells {
            return Some(Leave::Collect);
        }
        self.renew();
        let most = if self.watching.is_some() { 1 } else { GRANT };
        self.granted = left.min(most) as u32;
        self.credit = self.granted;
        None
    }

    /// Called now and then inside a long step.
    ///
    /// # Errors
    /// When steps or time have run out.
    #[inline]
    pub(crate) fn go_on(&mut self) -> Result<(), Thrown> {
        if self.store.tally.is_over() {
            return Err(OUT_OF_STEPS);
        }
        Ok(())
    }

    /// Words in use beyond what the program and the names took when the run began.
    pub fn words_used(&self) -> usize {
        let kept = self.program_words + self.atoms.words();
        self.cells_used() + kept.saturating_sub(self.kept_before)
    }

    /// Words that may still be taken.
    pub(crate) fn room(&self) -> usize {
        self.fuel.cells.saturating_sub(self.words_used())
    }

    /// Asks for words before they are taken.
    ///
    /// # Errors
    /// When there is no room for them.
    pub(crate) fn reserve(&mut self, words: usize) -> Result<(), Thrown> {
        if words > self.room() {
            return Err(self.resource_error("memory"));
        }
        self.store.tally.spend(words);
        self.go_on()
    }
}
