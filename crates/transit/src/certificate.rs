//! Proof that an answer is best.
//!
//! A certificate is a claim about every stop: "nobody can be ready here by this time at a lower
//! cost than this". If the claims hold at the start, and no hop, change or walk leads from one
//! claim to something better than another, then they hold for every journey, and in particular
//! at the target. [`check`] tests that in one pass over the hops. It shares no code with the
//! searches.

use serde::{Deserialize, Serialize};

use crate::algo::{Price, Sweep};
use crate::day::Day;
use crate::journey::{Ends, Ride, Trail};
use crate::time::NEVER;

/// In which sense an answer is best.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Best {
    /// Arrival, then vehicles.
    Arrival,
    /// The price (vehicles or centimetres), then arrival.
    Price,
    /// Arrival plus so many seconds per vehicle.
    Sum(i64),
    /// No arrival that is better in one of arrival and price and not worse in the other.
    Both,
}

impl Best {
    /// Whether an answer is at least as good as an arrival at some price.
    fn beats(self, answer: (i32, i64), found: (i32, i64)) -> bool {
        match self {
            Best::Arrival => answer <= found,
            Best::Price => (answer.1, answer.0) <= (found.1, found.0),
            Best::Sum(w) => i64::from(answer.0) + w * answer.1 <= i64::from(found.0) + w * found.1,
            Best::Both => answer.0 <= found.0 && answer.1 <= found.1,
        }
    }
}

/// The claims, and the answers they prove.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Certificate {
    /// What is counted.
    pub price: Price,
    /// In which sense the answers are best.
    pub best: Best,
    /// For each stop: from this time on the price is at least this. Times rise, prices fall.
    pub claims: Vec<Vec<(i32, i64)>>,
    /// Arrival and price of each answer, and its rides (run, board, alight).
    pub answers: Vec<Proved>,
}

/// Arrival, price and rides (run, board, alight) of an answer.
pub type Proved = (i32, i64, Vec<(u32, u32, u32)>);

/// What is wrong with a certificate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// A claim is too strong: there is a way to be ready earlier or cheaper.
    #[error("stop {stop} can be reached by {time} at price {price}, which the certificate denies")]
    Claim {
        /// The stop.
        stop: u32,
        /// When.
        time: i32,
        /// At what price.
        price: i64,
    },
    /// Something better than the answers may reach the target.
    #[error("the certificate does not exclude an arrival at {time} at price {price}")]
    Target {
        /// When.
        time: i32,
        /// At what price.
        price: i64,
    },
    /// An answer is not a journey of the timetable, or not with this arrival and price.
    #[error("answer {0} is not a journey with that arrival and price")]
    Answer(usize),
    /// The certificate is for another timetable.
    #[error("the certificate does not fit this timetable")]
    Shape,
}

/// Proves the best answers: works them out by a sweep and keeps its labels as claims.
pub fn certify(day: &Day, ends: &Ends, price: Price, best: Best) -> (Certificate, Vec<Trail>) {
    let sweep = Sweep::new(day, ends, price, NEVER);
    let all = &sweep.ends;
    let chosen: Vec<usize> = match best {
        Best::Arrival => (0..all.len().min(1)).collect(),
        Best::Price => (all.len().saturating_sub(1)..all.len()).collect(),
        Best::Sum(w) => (0..all.len())
            .min_by_key(|&i| (i64::from(all[i].time) + w * all[i].cost, all[i].cost))
            .into_iter()
            .collect(),
        Best::Both => (0..all.len()).collect(),
    };
    let trails: Vec<Trail> = chosen.iter().map(|&i| sweep.trail(day, &all[i])).collect();
    let rides = |t: &Trail| t.rides.iter().map(|r| (r.run, r.board, r.alight)).collect();
    let answers = chosen
        .iter()
        .zip(&trails)
        .map(|(&i, t)| (all[i].time, all[i].cost, rides(t)))
        .collect();
    let claims = sweep
        .stairs
        .iter()
        .map(|list| list.iter().map(|s| (s.time, s.cost)).collect())
        .collect();
    (
        Certificate {
            price,
            best,
            claims,
            answers,
        },
        trails,
    )
}

/// Checks a certificate for a question: from these stops at this time to those.
///
/// # Complexity
/// One pass over the hops from the asked time on; each looks at the claims of a few stops.
pub fn check(day: &Day, from: &[u32], to: &[u32], at: i32, c: &Certificate) -> Result<(), Flaw> {
    if c.claims.len() != day.stops
        || c.claims
            .iter()
            .any(|l| !l.is_sorted_by(|a, b| a.0 < b.0 && a.1 > b.1))
    {
        return Err(Flaw::Shape);
    }
    let board = i64::from(c.price == Price::Vehicles);
    let way = |cm: u32| {
        if c.price == Price::Centimetres {
            i64::from(cm)
        } else {
            0
        }
    };
    // What the certificate claims for a stop at a time, if it admits that one can be there.
    let claimed = |stop: u32, time: i32| {
        let list = &c.claims[stop as usize];
        list[..list.partition_point(|l| l.0 <= time)]
            .last()
            .map(|l| l.1)
    };
    // One arrival on foot or by vehicle: the claims must allow for it, and the answers beat it.
    let admit = |stop: u32, time: i32, ready: i32, price: i64| {
        let reach = |stop: u32, ready: i32, price: i64| match claimed(stop, ready) {
            Some(least) if least <= price => Ok(()),
            _ => Err(Flaw::Claim {
                stop,
                time: ready,
                price,
            }),
        };
        let end = |stop: u32, time: i32, price: i64| {
            let beaten = !to.contains(&stop)
                || c.answers
                    .iter()
                    .any(|a| c.best.beats((a.0, a.1), (time, price)));
            if beaten {
                Ok(())
            } else {
                Err(Flaw::Target { time, price })
            }
        };
        reach(stop, ready, price)?;
        end(stop, time, price)?;
        for walk in day.walks.from(stop) {
            reach(walk.to, time + walk.seconds, price + way(walk.cm))?;
            end(walk.to, time + walk.seconds, price + way(walk.cm))?;
        }
        Ok(())
    };
    for &stop in from {
        admit(stop, at, at, 0)?;
    }
    let mut aboard = vec![i64::MAX; day.times.len()];
    for (hop, &call) in day
        .connections
        .iter()
        .zip(&day.calls_of)
        .skip(day.first_connection(at))
    {
        let boarded = claimed(hop.from, hop.departure).map_or(i64::MAX, |price| price + board);
        let price = boarded.min(aboard[call as usize]);
        if price < i64::MAX {
            let price = price + way(day.distance_cm(hop.from, hop.to));
            aboard[call as usize + 1] = price;
            admit(
                hop.to,
                hop.arrival,
                hop.arrival + day.walks.change(hop.to),
                price,
            )?;
        }
    }
    for (index, (arrival, price, rides)) in c.answers.iter().enumerate() {
        let rides = rides
            .iter()
            .map(|&(run, board, alight)| Ride { run, board, alight })
            .collect();
        let (trail, ends) = (
            Trail {
                arrival: *arrival,
                rides,
            },
            Ends::new(day, from, to, at),
        );
        let paid = match c.price {
            Price::Vehicles => trail.rides.len() as i64,
            Price::Centimetres if trail.holds(day, &ends) => trail.cm(day, &ends) as i64,
            Price::Centimetres => -1,
        };
        if !trail.holds(day, &ends) || paid != *price {
            return Err(Flaw::Answer(index));
        }
    }
    Ok(())
}
