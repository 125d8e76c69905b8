//! Following a search: what the searches tell while they run.

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
