//! Proof that an answer is best.
//!
//! A certificate is a claim about every stop: "whoever is ready here has been as slow, or has paid
//! as much, as one of these, or an answer is better already". If the claims hold at the start, and
//! no hop, change or walk leads from one claim to something that no other claim allows for, then
//! they hold for every journey, and in particular at the target. [`check`] tests that in one pass
//! over the hops. It shares no code with the searches.
//!
//! For "arrive by" the same is done on the day seen in a mirror, where the latest departure is the
//! earliest arrival. Many departures at once are the matter of [`departures`].

pub mod departures;

use serde::{Deserialize, Serialize};

use crate::algo::{Bags, Price, Sweep};
use crate::day::Day;
use crate::journey::{Ends, Ride, Trail};
use crate::time::NEVER;

/// In which sense an answer is best.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Best {
    /// Arrival, then price.
    Arrival,
    /// The price (vehicles or centimetres), then arrival.
    Price,
    /// The price, however late.
    Least,
    /// Arrival plus so many seconds per vehicle.
    Sum(i64),
    /// No arrival that is better in one of arrival and price and not worse in the other.
    Both,
    /// The same of arrival, price and way on foot.
    All,
}

/// A time, a price, and centimetres on foot (0 unless [`Best::All`] is wanted).
pub type Label = (i32, i64, i64);

impl Best {
    /// Whether an answer is at least as good as an arrival. Whatever comes later and costs more is
    /// then beaten, too.
    fn beats(self, answer: Label, found: Label) -> bool {
        let sum = |w: i64, l: Label| i64::from(l.0).saturating_add(w.saturating_mul(l.1));
        match self {
            Best::Arrival => (answer.0, answer.1) <= (found.0, found.1),
            Best::Price => (answer.1, answer.0) <= (found.1, found.0),
            Best::Least => answer.1 <= found.1,
            Best::Sum(w) => sum(w, answer) <= sum(w, found),
            Best::Both | Best::All => covers(answer, found),
        }
    }
}

/// Whether nothing about the first is worse than about the second.
fn covers(a: Label, b: Label) -> bool {
    a.0 <= b.0 && a.1 <= b.1 && a.2 <= b.2
}

/// The question, the claims, and the answers they prove.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Certificate {
    /// Where the journey may start.
    pub from: Vec<u32>,
    /// Where it may end.
    pub to: Vec<u32>,
    /// When the passenger is ready, seconds of the day.
    pub at: i32,
    /// How many days were laid out.
    pub days: i32,
    /// Whether this is about the day seen in a mirror, where journeys run from their end to their
    /// beginning.
    pub mirrored: bool,
    /// What is counted.
    pub price: Price,
    /// In which sense the answers are best.
    pub best: Best,
    /// For each stop: whoever is ready there is no better than one of these.
    pub claims: Vec<Vec<Label>>,
    /// The answers, none of which beats another.
    pub answers: Vec<Proved>,
}

/// Arrival, price, centimetres on foot, and rides (run, board, alight) of an answer.
pub type Proved = (i32, i64, i64, Vec<(u32, u32, u32)>);

/// What is wrong with a certificate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// A claim is too strong: there is a way to be ready that it does not allow for.
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
    /// An answer is not a journey of the timetable, or not with the times, the price and the way on
    /// foot that the certificate gives it (those of them that its kind counts).
    #[error("answer {0} is not a journey as the certificate describes it")]
    Answer(usize),
    /// An answer is not among the best.
    #[error("answer {0} is no better than another")]
    Spare(usize),
    /// Of many departures: a claim is too strong, or an answer is missing.
    #[error(
        "leaving at {departure}, stop {stop} can be reached by {time}, which the certificate denies"
    )]
    Missed {
        /// The stop.
        stop: u32,
        /// Leaving when.
        departure: i32,
        /// Being there when.
        time: i32,
    },
    /// The certificate is for another timetable.
    #[error("the certificate does not fit this timetable")]
    Shape,
}

/// The rides of a journey as certificates have them.
pub(crate) fn rides(trail: &Trail) -> Vec<(u32, u32, u32)> {
    let ride = |r: &Ride| (r.run, r.board, r.alight);
    trail.rides.iter().map(ride).collect()
}

/// Writes the certificate of some answers. They are proved if [`check`] says so.
pub fn certify(day: &Day, ends: &Ends, price: Price, best: Best, answers: &[Trail]) -> Certificate {
    let answers: Vec<Proved> = answers
        .iter()
        .map(|trail| {
            let (paid, walked) = cost(day, ends, price, best, trail);
            (trail.arrival, paid, walked, rides(trail))
        })
        .collect();
    let mut claims: Vec<Vec<Label>> = if best == Best::All {
        let way = |w: &crate::algo::Way| (w.time, i64::from(w.vehicles), i64::from(w.walked));
        let bags = Bags::new(day, ends).ready;
        bags.iter().map(|b| b.iter().map(way).collect()).collect()
    } else {
        let stair = |s: &crate::algo::Stair| (s.time, s.cost, 0);
        let stairs = Sweep::new(day, ends, price, NEVER).stairs;
        stairs
            .iter()
            .map(|b| b.iter().map(stair).collect())
            .collect()
    };
    // What an answer beats already needs no claim.
    for claim in &mut claims {
        claim.retain(|&c| !answers.iter().any(|a| best.beats((a.0, a.1, a.2), c)));
        claim.sort_unstable();
    }
    Certificate {
        from: ends.from.clone(),
        to: ends.to.clone(),
        at: ends.at,
        days: day.days,
        mirrored: day.is_mirror(),
        price,
        best,
        claims,
        answers,
    }
}

/// What a journey costs, and how far it is walked where that counts.
fn cost(day: &Day, ends: &Ends, price: Price, best: Best, trail: &Trail) -> (i64, i64) {
    let paid = match price {
        Price::Vehicles => trail.rides.len() as i64,
        Price::Centimetres => trail.cm(day, ends) as i64,
    };
    let walked = match best {
        Best::All => trail.walked_cm(day, ends) as i64,
        _ => 0,
    };
    (paid, walked)
}

/// Checks a certificate against the day it is about.
///
/// # Complexity
/// One pass over the hops from the asked time on; each looks at the claims of a few stops.
pub fn check(day: &Day, c: &Certificate) -> Result<(), Flaw> {
    let known = |stops: &[u32]| stops.iter().all(|&s| (s as usize) < day.stops);
    let fits = (c.claims.len(), c.days, c.mirrored) == (day.stops, day.days, day.is_mirror());
    let sane = (-NEVER..=NEVER).contains(&c.at) && !matches!(c.best, Best::Sum(w) if w < 0);
    if !fits || !sane || !known(&c.from) || !known(&c.to) {
        return Err(Flaw::Shape);
    }
    let ends = Ends::new(day, &c.from, &c.to, c.at);
    let board = i64::from(c.price == Price::Vehicles);
    let way = |cm: u32| i64::from(cm) * i64::from(c.price == Price::Centimetres);
    let foot = |cm: u32| i64::from(cm) * i64::from(c.best == Best::All);
    let beaten = |l: Label| c.answers.iter().any(|a| c.best.beats((a.0, a.1, a.2), l));
    // Ready at a stop: the claims must allow for it, or an answer be better already.
    let reach = |stop: u32, l: Label| {
        let (time, price) = (l.0, l.1);
        if c.claims[stop as usize].iter().any(|&k| covers(k, l)) || beaten(l) {
            return Ok(());
        }
        Err(Flaw::Claim { stop, time, price })
    };
    // At the target: an answer must be as good. In the mirror nobody leaves before midnight.
    let last = if c.mirrored { day.flip(0) } else { NEVER };
    let end = |l: Label| {
        let (time, price) = (l.0, l.1);
        if time > last || beaten(l) {
            return Ok(());
        }
        Err(Flaw::Target { time, price })
    };
    for &(stop, seconds, cm) in &ends.access {
        let start = (c.at + seconds, way(cm), foot(cm));
        reach(stop, start)?;
        if c.to.contains(&stop) {
            end(start)?;
        }
    }
    // By call: prices, and centimetres on foot, of those aboard when the vehicle comes to it.
    let mut aboard: Vec<Vec<(i64, i64)>> = vec![Vec::new(); day.times.len()];
    let first = day.first_connection(c.at);
    let hops = day.connections.iter().zip(&day.calls_of).enumerate();
    for (index, (hop, &call)) in hops.skip(first) {
        let rules = day.hop_rules(index);
        let mut on = aboard[call as usize].clone();
        let claims = &c.claims[hop.from as usize];
        let claims = claims.iter().filter(|_| rules.boards());
        for k in claims.filter(|k| k.0 <= hop.departure) {
            let new = (k.1.saturating_add(board), k.2);
            if !on.iter().any(|o| o.0 <= new.0 && o.1 <= new.1) {
                on.retain(|o| o.0 < new.0 || o.1 < new.1);
                on.push(new);
            }
        }
        for o in &mut on {
            o.0 = o.0.saturating_add(way(day.distance_cm(hop.from, hop.to)));
        }
        on.retain(|o| !beaten((hop.arrival, o.0, o.1)));
        for &(price, walked) in on.iter().filter(|_| rules.leaves()) {
            let then = |seconds: i32, cm: u32| {
                let (price, walked) = (
                    price.saturating_add(way(cm)),
                    walked.saturating_add(foot(cm)),
                );
                (hop.arrival + seconds, price, walked)
            };
            reach(hop.to, then(day.walks.change(hop.to), 0))?;
            for walk in day.walks.from(hop.to) {
                reach(walk.to, then(walk.seconds, walk.cm))?;
            }
            for e in ends.egress.iter().filter(|e| e.0 == hop.to) {
                end(then(e.1, e.2))?;
            }
        }
        aboard[call as usize + 1] = on;
    }
    for (index, (arrival, price, walked, rides)) in c.answers.iter().enumerate() {
        let ride = |&(run, board, alight): &(u32, u32, u32)| Ride { run, board, alight };
        let trail = Trail {
            arrival: *arrival,
            rides: rides.iter().map(ride).collect(),
        };
        let holds = trail.holds(day, &ends);
        if !holds || cost(day, &ends, c.price, c.best, &trail) != (*price, *walked) {
            return Err(Flaw::Answer(index));
        }
        let label = (*arrival, *price, *walked);
        let mut others = c.answers.iter().enumerate().filter(|o| o.0 != index);
        if others.any(|(_, a)| c.best.beats((a.0, a.1, a.2), label)) {
            return Err(Flaw::Spare(index));
        }
    }
    Ok(())
}
