//! One pass over all hops that keeps, for every stop, a bag of what it takes to be ready there:
//! when, after how many vehicles, and how far on foot. None of a bag beats another.
//!
//! Invariant: when a hop is looked at, the bag of the stop where it begins holds every way of being
//! ready there by then, except those that a journey already found beats at the target.
//!
//! With three wishes a stop has no staircase (see [`crate::algo::Sweep`]), and a vehicle may carry
//! several ways of having come aboard at once.

use super::book::{Book, How};
use super::follow::Follow;
use crate::day::Day;
use crate::journey::{Ends, Trail};

/// A way of being somewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    /// From when on.
    pub time: i32,
    /// Vehicles taken so far.
    pub vehicles: u32,
    /// Centimetres on foot so far.
    pub walked: u32,
    how: u32,
}

impl Way {
    fn beats(&self, other: &Way) -> bool {
        self.time <= other.time && self.vehicles <= other.vehicles && self.walked <= other.walked
    }
}

/// Somebody on a vehicle: what it took to come aboard, where, and after which way.
#[derive(Clone, Copy, Debug)]
struct Aboard {
    vehicles: u32,
    walked: u32,
    enter: u32,
    before: u32,
}

/// The bags of all stops, and what reached the target.
#[derive(Clone, Debug, Default)]
pub struct Bags {
    /// For each stop the ways of being ready there that may be of use.
    pub ready: Vec<Vec<Way>>,
    /// Arrivals at the target that no other beats: fewest vehicles first, then earliest.
    pub ends: Vec<Way>,
    book: Book,
    /// Hops that were looked at.
    pub scanned: usize,
}

impl Bags {
    /// Sweeps from the asked time to the end of the day.
    pub fn new(day: &Day, ends: &Ends) -> Bags {
        Bags::followed(day, ends, &mut ())
    }

    /// The same for somebody who follows it. A stop counts as settled when somebody first boards there, or begins there; what is counted
    /// is vehicles.
    pub fn followed<F: Follow>(day: &Day, ends: &Ends, follow: &mut F) -> Bags {
        let mut settled = vec![false; if F::ON { day.stops } else { 0 }];
        let mut bags = Bags {
            ready: vec![Vec::new(); day.stops],
            ..Bags::default()
        };
        let start = |seconds: i32, walked: u32| Way {
            time: ends.at + seconds,
            vehicles: 0,
            walked,
            how: Book::NONE,
        };
        for &(stop, seconds, cm) in &ends.access {
            put(&mut bags.ready[stop as usize], start(seconds, cm));
            if F::ON && !std::mem::replace(&mut settled[stop as usize], true) {
                follow.visit(stop, ends.at + seconds, 0);
            }
        }
        bags.ends
            .extend(ends.on_foot().map(|(seconds, cm)| start(seconds, cm)));
        // By call: who is aboard when the vehicle comes to it. Hops that take no time may be met
        // again, which must change nothing.
        let mut aboard: Vec<Vec<Aboard>> = vec![Vec::new(); day.times.len()];
        let first = day.first_connection(ends.at);
        for (index, hop) in (first as u32..).zip(&day.connections[first..]) {
            bags.scanned += 1;
            // Bags may grow long, so the budget is looked at more often.
            if bags.scanned.is_multiple_of(64) && day.watch.over() {
                break;
            }
            let call = day.calls_of[index as usize] as usize;
            let mut on = aboard[call].clone();
            let rules = day.hop_rules(index as usize);
            for way in &bags.ready[hop.from as usize] {
                if way.time <= hop.departure && rules.boards() {
                    if F::ON && !std::mem::replace(&mut settled[hop.from as usize], true) {
                        follow.visit(hop.from, way.time, way.vehicles.into());
                    }
                    let boarded = Aboard {
                        vehicles: way.vehicles + 1,
                        walked: way.walked,
                        enter: index,
                        before: way.how,
                    };
                    join(&mut on, boarded);
                }
            }
            on.retain(|a| {
                let there = a.after(hop.arrival, 0, Book::NONE);
                !bags.ends.iter().any(|end| end.beats(&there))
            });
            for a in on.iter().filter(|_| rules.leaves()) {
                let how = bags.book.next();
                let change = a.after(hop.arrival + day.walks.change(hop.to), 0, how);
                let cost = i64::from(a.vehicles);
                let mut used = put(&mut bags.ready[hop.to as usize], change);
                if used {
                    follow.relax(hop.from, hop.to, hop.arrival, cost);
                }
                for walk in day.walks.from(hop.to) {
                    let way = a.after(hop.arrival + walk.seconds, walk.cm, how);
                    let better = put(&mut bags.ready[walk.to as usize], way);
                    if better {
                        follow.relax(hop.to, walk.to, hop.arrival + walk.seconds, cost);
                    }
                    used |= better;
                }
                if let Some(e) = ends.egress.iter().find(|e| e.0 == hop.to) {
                    let better = put(&mut bags.ends, a.after(hop.arrival + e.1, e.2, how));
                    if better {
                        follow.improve(hop.arrival + e.1, cost);
                    }
                    used |= better;
                }
                if used {
                    bags.book.enter(How {
                        enter: a.enter,
                        exit: index,
                        before: a.before,
                    });
                }
            }
            aboard[call + 1] = on;
        }
        bags.ends
            .sort_unstable_by_key(|w| (w.vehicles, w.time, w.walked));
        bags
    }

    /// The journey that ends with a way.
    pub fn trail(&self, day: &Day, end: &Way) -> Trail {
        Trail {
            arrival: end.time,
            rides: self.book.rides(day, end.how),
        }
    }

    /// All journeys that no other beats.
    pub fn trails(&self, day: &Day) -> Vec<Trail> {
        self.ends.iter().map(|end| self.trail(day, end)).collect()
    }
}

impl Aboard {
    fn after(&self, time: i32, cm: u32, how: u32) -> Way {
        Way {
            time,
            vehicles: self.vehicles,
            walked: self.walked + cm,
            how,
        }
    }
}

/// Puts a way into a bag unless it is beaten; removes those it beats.
fn put(bag: &mut Vec<Way>, new: Way) -> bool {
    if bag.iter().any(|known| known.beats(&new)) {
        return false;
    }
    bag.retain(|known| !new.beats(known));
    bag.push(new);
    true
}

/// The same for those on one vehicle.
fn join(on: &mut Vec<Aboard>, new: Aboard) {
    let beats = |a: &Aboard, b: &Aboard| a.vehicles <= b.vehicles && a.walked <= b.walked;
    if !on.iter().any(|known| beats(known, &new)) {
        on.retain(|known| !beats(&new, known));
        on.push(new);
    }
}
