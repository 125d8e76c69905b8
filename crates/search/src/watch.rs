//! Watching a machine think.

use crate::{Step, Summary};

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
    fn room(&self) -> usize {
        (**self).room()
    }
}
