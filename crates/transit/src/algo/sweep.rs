//! One pass over all hops that keeps, for every stop, what it costs to be ready there by when.
//!
//! Costs add up along the way (vehicles boarded, centimetres travelled); time does not enter
//! them. What is left for each stop is a staircase: later is cheaper. Every objective reads its
//! answer from the staircase at the target, and the staircases of all stops are the proof that
//! nothing better exists; see [`crate::certificate`].

use serde::{Deserialize, Serialize};

use super::book::{Book, How};
use super::follow::Follow;
use crate::day::Day;
use crate::journey::{Ends, Ride, Trail};

/// What is paid for along the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Price {
    /// One for each vehicle boarded.
    Vehicles,
    /// One for each centimetre travelled or walked.
    Centimetres,
}

impl Price {
    pub(crate) fn board(self) -> i64 {
        i64::from(self == Price::Vehicles)
    }

    pub(crate) fn way(self, cm: u32) -> i64 {
        if self == Price::Centimetres {
            i64::from(cm)
        } else {
            0
        }
    }
}

/// A step of a staircase: ready from this time on at this cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stair {
    /// From when on.
    pub time: i32,
    /// At what cost.
    pub cost: i64,
    /// How the passenger came here: an entry of the sweep's own book.
    how: u32,
}

#[derive(Clone, Copy, Debug)]
struct Aboard {
    cost: i64,
    enter: u32,
    before: u32,
}

/// The staircases of all stops, and what reached the target.
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    /// For each stop, times rising and costs falling.
    pub stairs: Vec<Vec<Stair>>,
    /// Arrivals at the target that no other beats in both time and cost: times rising, costs
    /// falling.
    pub ends: Vec<Stair>,
    book: Book,
    /// Hops that were looked at.
    pub scanned: usize,
}

impl Sweep {
    /// Sweeps from the asked time to the last hop that departs before `until`.
    pub fn new(day: &Day, ends: &Ends, price: Price, until: i32) -> Sweep {
        Sweep::followed(day, ends, price, until, &mut ())
    }

    /// The same for somebody who follows it. A stop counts as settled when somebody first boards there, or begins there.
    pub fn followed<F: Follow>(
        day: &Day,
        ends: &Ends,
        price: Price,
        until: i32,
        follow: &mut F,
    ) -> Sweep {
        let mut settled = vec![false; if F::ON { day.stops } else { 0 }];
        let mut sweep = Sweep {
            stairs: vec![Vec::new(); day.stops],
            ..Sweep::default()
        };
        for &(stop, walk, cm) in &ends.access {
            let stair = Stair {
                time: ends.at + walk,
                cost: price.way(cm),
                how: Book::NONE,
            };
            climb(&mut sweep.stairs[stop as usize], stair);
            if F::ON && !std::mem::replace(&mut settled[stop as usize], true) {
                follow.visit(stop, stair.time, stair.cost);
            }
        }
        if let Some((seconds, cm)) = ends.on_foot() {
            climb(
                &mut sweep.ends,
                Stair {
                    time: ends.at + seconds,
                    cost: price.way(cm),
                    how: Book::NONE,
                },
            );
        }
        let mut egress = vec![u32::MAX; day.stops];
        for (index, e) in (0u32..).zip(&ends.egress) {
            egress[e.0 as usize] = index;
        }
        let nobody = Aboard {
            cost: i64::MAX,
            enter: Book::NONE,
            before: Book::NONE,
        };
        // By call: who is aboard when the vehicle comes to it. Hops that take no time may be met
        // again, which must change nothing.
        let mut aboard = vec![nobody; day.times.len()];
        let start = day.first_connection(ends.at);
        for (index, hop) in (start as u32..).zip(&day.connections[start..]) {
            if hop.departure >= until {
                break;
            }
            sweep.scanned += 1;
            if day.watch.over_at(sweep.scanned) {
                break;
            }
            let call = day.calls_of[index as usize] as usize;
            let mut on = aboard[call];
            let rules = day.hop_rules(index as usize);
            if rules.boards()
                && let Some(stair) = at(&sweep.stairs[hop.from as usize], hop.departure)
            {
                let cost = stair.cost + price.board();
                if F::ON && !std::mem::replace(&mut settled[hop.from as usize], true) {
                    follow.visit(hop.from, stair.time, stair.cost);
                }
                if cost < on.cost {
                    on = Aboard {
                        cost,
                        enter: index,
                        before: stair.how,
                    };
                }
            }
            if on.cost == i64::MAX {
                continue;
            }
            if price == Price::Centimetres {
                on.cost += price.way(day.distance_cm(hop.from, hop.to));
            }
            aboard[call + 1] = on;
            if !rules.leaves() {
                continue;
            }
            let how = sweep.book.next();
            let mut used = climb(
                &mut sweep.stairs[hop.to as usize],
                Stair {
                    time: hop.arrival + day.walks.change(hop.to),
                    cost: on.cost,
                    how,
                },
            );
            if used {
                follow.relax(hop.from, hop.to, hop.arrival, on.cost);
            }
            for walk in day.walks.from(hop.to) {
                let (time, cost) = (hop.arrival + walk.seconds, on.cost + price.way(walk.cm));
                let stair = Stair { time, cost, how };
                let better = climb(&mut sweep.stairs[walk.to as usize], stair);
                if better {
                    follow.relax(hop.to, walk.to, time, cost);
                }
                used |= better;
            }
            if let Some(e) = ends.egress.get(egress[hop.to as usize] as usize) {
                let (time, cost) = (hop.arrival + e.1, on.cost + price.way(e.2));
                let better = climb(&mut sweep.ends, Stair { time, cost, how });
                if better {
                    follow.improve(time, cost);
                }
                used |= better;
            }
            if used {
                sweep.book.enter(How {
                    enter: on.enter,
                    exit: index,
                    before: on.before,
                });
            }
        }
        sweep
    }

    /// The journey that ends with a stair.
    pub fn trail(&self, day: &Day, end: &Stair) -> Trail {
        Trail {
            arrival: end.time,
            rides: merged(self.book.rides(day, end.how)),
        }
    }
}

/// A run that is left and boarded again at once was never left.
fn merged(rides: Vec<Ride>) -> Vec<Ride> {
    let mut out: Vec<Ride> = Vec::with_capacity(rides.len());
    for ride in rides {
        match out.last_mut() {
            Some(last) if last.run == ride.run && last.alight == ride.board => {
                last.alight = ride.alight;
            }
            _ => out.push(ride),
        }
    }
    out
}

/// The stair in force at a time: the last one that has begun.
fn at(stairs: &[Stair], time: i32) -> Option<&Stair> {
    // The stair wanted is nearly always among the last few.
    stairs.iter().rev().find(|s| s.time <= time)
}

/// Adds a stair unless an earlier or equal one costs no more; removes those it makes useless.
fn climb(stairs: &mut Vec<Stair>, new: Stair) -> bool {
    let after = stairs
        .iter()
        .rposition(|s| s.time <= new.time)
        .map_or(0, |i| i + 1);
    if after > 0 && stairs[after - 1].cost <= new.cost {
        return false;
    }
    // Equal times: the old one costs more, so it goes as well.
    let from = if after > 0 && stairs[after - 1].time == new.time {
        after - 1
    } else {
        after
    };
    let useless = stairs[from..]
        .iter()
        .take_while(|s| s.time == new.time || s.cost >= new.cost)
        .count();
    stairs.splice(from..from + useless, [new]);
    true
}
