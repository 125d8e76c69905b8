//! Watching a machine think.

use crate::{Step, Summary, Worth};

/// Somebody who may follow a search step by step.
///
/// A search calls [`Watch::step`] with a closure, so that a search nobody watches builds no
/// sentences: for `()` the call is empty and [`Watch::ON`] is false at compile time.
pub trait Watch {
    /// Whether anybody is looking. Work done only for the watcher belongs behind this.
    const ON: bool;

    /// Something happened.
    fn step(&mut self, what: impl FnOnce() -> Step);

    /// The decision is made: what it came to, for the header of the thread. The last summary stands.
    #[inline]
    fn sum_up(&mut self, what: impl FnOnce() -> Summary) {
        let _ = what;
    }

    /// A move of the root, by its place among the game's options, has this value now: what a live view shows.
    #[inline]
    fn root(&mut self, at: usize, worth: Worth) {
        let _ = (at, worth);
    }

    /// About how many more steps can be kept; who has many may choose which to tell.
    #[inline]
    fn room(&self) -> usize {
        usize::MAX
    }
}

/// Nobody is looking.
impl Watch for () {
    const ON: bool = false;

    #[inline]
    fn step(&mut self, _what: impl FnOnce() -> Step) {}
}

/// A list keeps every step: for tests, and for short runs.
impl Watch for Vec<Step> {
    const ON: bool = true;

    fn step(&mut self, what: impl FnOnce() -> Step) {
        self.push(what());
    }
}

impl<W: Watch> Watch for &mut W {
    const ON: bool = W::ON;

    #[inline]
    fn step(&mut self, what: impl FnOnce() -> Step) {
        (**self).step(what);
    }

    #[inline]
    fn sum_up(&mut self, what: impl FnOnce() -> Summary) {
        (**self).sum_up(what);
    }

    #[inline]
    fn root(&mut self, at: usize, worth: Worth) {
        (**self).root(at, worth);
    }

    #[inline]
    fn room(&self) -> usize {
        (**self).room()
    }
}

/// A watcher that also hears the values of the root's moves as they come.
#[derive(Debug)]
pub struct Live<W, F> {
    /// Who follows the steps.
    pub watch: W,
    /// Who hears of a move, by its place among the options, and of its value.
    pub each: F,
}

impl<W: Watch, F: FnMut(usize, Worth)> Watch for Live<W, F> {
    const ON: bool = W::ON;

    #[inline]
    fn step(&mut self, what: impl FnOnce() -> Step) {
        self.watch.step(what);
    }

    #[inline]
    fn sum_up(&mut self, what: impl FnOnce() -> Summary) {
        self.watch.sum_up(what);
    }

    #[inline]
    fn root(&mut self, at: usize, worth: Worth) {
        (self.each)(at, worth);
    }

    #[inline]
    fn room(&self) -> usize {
        self.watch.room()
    }
}
