//! Following a search: what the searches tell while they run.

use crate::day::Day;

/// Somebody who may follow a search. For `()` every call is empty and compiles to nothing.
pub trait Follow {
    /// Whether anybody is looking.
    const ON: bool;

    /// A stop is settled: the passenger can be there at this time, and not sooner (or not with a
    /// lower cost).
    fn visit(&mut self, stop: u32, time: i32, cost: i64);

    /// A better way to a stop was found, from another stop.
    fn relax(&mut self, from: u32, to: u32, time: i32, cost: i64);

    /// A better way to the target was found.
    fn improve(&mut self, time: i32, cost: i64);

    /// The end: the arrival, or nothing.
    fn choose(&mut self, arrival: Option<i32>);
}

/// Tells a search in the mirror of a day with the times of the day itself.
#[derive(Debug)]
pub struct Mirrored<'a, F> {
    follow: &'a mut F,
    mirror: &'a Day,
}

impl<'a, F: Follow> Mirrored<'a, F> {
    /// Who follows, and the mirrored day.
    pub fn new(follow: &'a mut F, mirror: &'a Day) -> Self {
        Mirrored { follow, mirror }
    }
}

impl<F: Follow> Follow for Mirrored<'_, F> {
    const ON: bool = F::ON;

    #[inline]
    fn visit(&mut self, stop: u32, time: i32, cost: i64) {
        self.follow.visit(stop, self.mirror.flip(time), cost);
    }
    #[inline]
    fn relax(&mut self, from: u32, to: u32, time: i32, cost: i64) {
        self.follow.relax(from, to, self.mirror.flip(time), cost);
    }
    #[inline]
    fn improve(&mut self, time: i32, cost: i64) {
        self.follow.improve(self.mirror.flip(time), cost);
    }
    #[inline]
    fn choose(&mut self, arrival: Option<i32>) {
        self.follow
            .choose(arrival.map(|time| self.mirror.flip(time)));
    }
}

impl Follow for () {
    const ON: bool = false;

    #[inline]
    fn visit(&mut self, _: u32, _: i32, _: i64) {}
    #[inline]
    fn relax(&mut self, _: u32, _: u32, _: i32, _: i64) {}
    #[inline]
    fn improve(&mut self, _: i32, _: i64) {}
    #[inline]
    fn choose(&mut self, _: Option<i32>) {}
}
