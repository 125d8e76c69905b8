//! The earliest arrival in a country: RAPTOR in the corridor between start and target.
//!
//! Two things are known before the search proper. From below: how long the rest of the way takes at
//! least, by [`Bounds`] that are worked out once for a timetable. From above: some journey, found by
//! A* that trusts these bounds too much and so runs nearly straight to the target. Then RAPTOR may
//! leave out whatever cannot be at the target before that journey. What is left is a corridor.

use crate::algo::{Raptor, TimeDependent};
use crate::bounds::Bounds;
use crate::day::Day;
use crate::journey::{Ends, Trail};
use crate::planner::MOST_VEHICLES;
use crate::time::NEVER;

/// How much A* overrates the rest of the way when it looks for some journey.
const HASTE: i64 = 2;

/// What the search remembers, kept between queries.
#[derive(Clone, Debug, Default)]
pub struct Corridor {
    hasty: TimeDependent,
    raptor: Raptor,
    left: Vec<i32>,
    guess: Vec<i64>,
    /// Stops and calls that were looked at in the last query.
    pub scanned: usize,
}

impl Corridor {
    /// The earliest arrival, with as few vehicles as that allows.
    pub fn earliest(&mut self, day: &Day, bounds: &Bounds, ends: &Ends) -> Option<Trail> {
        bounds.left(&ends.to, &mut self.left);
        self.guess.clear();
        let guess = self.left.iter().map(|&left| i64::from(left) * HASTE);
        self.guess.extend(guess);
        let some = self.hasty.earliest(day, ends, Some(&self.guess), &mut ());
        let by = some.as_ref().map_or(NEVER, |trail| trail.arrival);
        // The journey itself must not be left out: its arrival may be the earliest.
        let found = self
            .raptor
            .within(day, ends, MOST_VEHICLES, &self.left, by.saturating_add(1));
        self.scanned = self.hasty.settled + self.raptor.scanned;
        found.into_iter().next_back().or(some)
    }
}
