//! The book of a sweep: how everything that it found was come by, so that journeys can be read back.

use super::csa::ride;
use crate::day::Day;
use crate::journey::Ride;

/// How something was reached: boarded and left by which hops, and what came before.
#[derive(Clone, Copy, Debug)]
pub(super) struct How {
    pub(super) enter: u32,
    pub(super) exit: u32,
    pub(super) before: u32,
}

/// All that was found, each by its number.
#[derive(Clone, Debug, Default)]
pub(super) struct Book(Vec<How>);

impl Book {
    /// The number of what is reached without any vehicle.
    pub(super) const NONE: u32 = u32::MAX;

    /// The number of the next entry.
    pub(super) fn next(&self) -> u32 {
        self.0.len() as u32
    }

    /// Writes an entry down.
    pub(super) fn enter(&mut self, how: How) {
        self.0.push(how);
    }

    /// The rides that end with an entry, the first one first.
    pub(super) fn rides(&self, day: &Day, mut how: u32) -> Vec<Ride> {
        let mut rides = Vec::new();
        while let Some(step) = self.0.get(how as usize) {
            rides.push(ride(day, step.enter, step.exit));
            how = step.before;
        }
        rides.reverse();
        rides
    }
}
