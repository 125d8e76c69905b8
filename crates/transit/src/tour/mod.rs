//! Tours: from a start through a list of stops in any order, and back.
//!
//! A stop of a tour is a name: it is visited when any of its posts is reached, and the way goes
//! on from any of them, as in the report.

mod exact;
mod matrix;
mod tabu;
mod thread;

use std::str::FromStr;

use serde::Serialize;

pub use exact::MOST_STOPS;
pub use tabu::{Sampling, Tabu, Turn};
pub use thread::said;

use crate::ask::{Algorithm, NotUnderstood, Objective};
use crate::planner::{Layer, Planner};
use crate::route::Question;
use crate::time::Time;
use crate::view::Journey;
use crate::watch::Watch;
use matrix::{Legs, Moving, Still};

/// A tour that ends within this time is looked for first.
const SAME_DAY: i32 = 14 * 3600;

/// What makes a tour best.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TourBy {
    /// Earliest end.
    #[default]
    Time,
    /// Fewest vehicles, however long it takes.
    Transfers,
    /// Shortest way, however long it takes.
    Distance,
}

/// How to look for the best order.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Method {
    /// Dynamic programming over sets of visited stops.
    #[default]
    Exact,
    /// Tabu search.
    Tabu(Tabu),
}

impl FromStr for TourBy {
    type Err = NotUnderstood;

    /// What makes a tour best, in words or in the report's codes.
    fn from_str(text: &str) -> Result<TourBy, NotUnderstood> {
        match text {
            "time" | "t" | "dt" => Ok(TourBy::Time),
            "transfers" | "p" | "dp" => Ok(TourBy::Transfers),
            "distance" | "d" | "dd" => Ok(TourBy::Distance),
            _ => Err(NotUnderstood::TourBy(text.to_owned())),
        }
    }
}

impl FromStr for Method {
    type Err = NotUnderstood;

    /// `exact`, or `tabu` with its options.
    fn from_str(text: &str) -> Result<Method, NotUnderstood> {
        let wrong = || NotUnderstood::Method(text.to_owned());
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let mut tabu = Tabu::default();
        for option in options.split(',').filter(|o| !o.is_empty()) {
            let (key, value) = option.split_once('=').ok_or_else(wrong)?;
            let count = || value.parse::<usize>().map_err(|_| wrong());
            let flag = || value.parse::<bool>().map_err(|_| wrong());
            let share = || {
                let share = value.parse::<f64>().ok();
                let share = share.filter(|s| (0.0..=1.0).contains(s));
                share.ok_or_else(wrong)
            };
            match key {
                "iterations" => tabu.iterations = Some(count()?),
                "patience" => tabu.patience = Some(count()?),
                "tenure" => tabu.tenure = Some(count()?),
                "aspiration" => tabu.aspiration = Some(share()?),
                "sample" => tabu.sampling = Some(Sampling::Random(share()?)),
                "hashed" => tabu.sampling = Some(Sampling::Hashed(count()?.max(2) as u64)),
                "shuffle" => tabu.shuffle = flag()?,
                "accept_worse" => tabu.accept_worse = flag()?,
                "seed" => tabu.seed = value.parse().map_err(|_| wrong())?,
                _ => return Err(wrong()),
            }
        }
        match name {
            "exact" if options.is_empty() => Ok(Method::Exact),
            "tabu" => Ok(Method::Tabu(tabu)),
            _ => Err(wrong()),
        }
    }
}

/// A tour that is wanted.
#[derive(Clone, PartialEq, Debug)]
pub struct TourQuestion {
    /// Posts of the start.
    pub start: Vec<u32>,
    /// Posts of each stop to visit.
    pub stops: Vec<Vec<u32>>,
    /// When the passenger is ready.
    pub at: Time,
    /// What is best.
    pub by: TourBy,
    /// Whether the tour ends at its last stop instead of the start.
    pub open: bool,
    /// Minutes to stay at each stop.
    pub dwell: i32,
    /// How to look for it.
    pub method: Method,
}

/// A tour.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Tour {
    /// Names in order, the start first (and last, unless the tour is open).
    pub order: Vec<String>,
    /// The same as indices into the stops that were asked for, without the start.
    #[serde(skip)]
    pub indices: Vec<usize>,
    /// First departure.
    pub departure: Time,
    /// Arrival at the end.
    pub arrival: Time,
    /// Minutes from the asked time to the end.
    pub minutes: i32,
    /// Vehicles boarded.
    pub vehicles: usize,
    /// Kilometres.
    pub km: f64,
    /// What was made small: seconds, vehicles or centimetres.
    pub cost: i64,
    /// Whether no order is better (proved).
    pub optimal: bool,
    /// Orders or states that were looked at.
    pub looked_at: u64,
    /// Iterations of a tabu search.
    pub iterations: usize,
    /// Best cost after each iteration of a tabu search.
    pub costs: Vec<i64>,
    /// What a tabu search did, iteration by iteration; for its thread.
    #[serde(skip)]
    pub turns: Vec<Turn>,
    /// Milliseconds; whoever asks fills it in.
    pub millis: u64,
    /// The journeys from stop to stop.
    pub legs: Vec<Journey>,
}

/// One line of a comparison.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Compared {
    /// What was switched on.
    pub method: String,
    /// Cost reached.
    pub cost: i64,
    /// Iterations.
    pub iterations: usize,
    /// How much worse than the optimum, in per cent.
    pub gap_percent: f64,
    /// Orders that were looked at.
    pub looked_at: u64,
    /// Microseconds; whoever asks fills it in.
    pub micros: u64,
    /// Best cost after each iteration.
    pub costs: Vec<i64>,
}

/// Why there is no tour.
#[derive(Debug, Clone, PartialEq, thiserror::Error, Serialize)]
pub enum NoTour {
    /// Nobody can get from one stop to another within the days laid out.
    #[error("there is no way from `{from}` to `{to}` within {days} days")]
    Unreachable {
        /// From here.
        from: String,
        /// To there.
        to: String,
        /// Days searched.
        days: i32,
    },
    /// Too many stops for the exact method.
    #[error("the exact method takes at most {most} stops, not {asked}; use `--method tabu`")]
    TooMany {
        /// How many were asked.
        asked: usize,
        /// How many are possible.
        most: usize,
    },
    /// Nothing to visit.
    #[error("a tour needs at least one stop to visit besides its start")]
    Empty,
}

impl Planner {
    /// The best tour.
    pub fn tour(&self, question: &TourQuestion) -> Result<Tour, NoTour> {
        let mut last = None;
        for layer in [self.layer(), self.week()] {
            let found = self.tour_on(layer, question);
            if !matches!(found, Err(NoTour::Unreachable { .. })) {
                return found;
            }
            last = Some(found);
            if layer.day.days == crate::planner::MANY_DAYS {
                break;
            }
        }
        last.expect("at least one layer was tried")
    }

    /// The tour in the order in which its stops are given, leg by leg, without looking for a
    /// better one.
    pub fn tour_as_given(&self, question: &TourQuestion) -> Result<Tour, NoTour> {
        let n = question.stops.len();
        if n == 0 {
            return Err(NoTour::Empty);
        }
        let given = || Found {
            order: (0..n).collect(),
            cost: 0,
            proved: false,
            looked_at: 1,
            turns: Vec::new(),
        };
        let places = places(question);
        let soon = self.told(self.layer(), question, &places, given());
        if matches!(soon, Err(NoTour::Unreachable { .. })) {
            return self.told(self.week(), question, &places, given());
        }
        soon
    }

    /// The start, of all departures of the day from the asked time on, that makes the tour
    /// shortest, and that tour. By time only.
    pub fn tour_best_start(&self, question: &TourQuestion) -> Result<Tour, NoTour> {
        let n = checked(question)?;
        let layer = self.week();
        let legs = Moving::new(
            &layer.day,
            &places(question),
            question.at.0,
            crate::time::NEVER,
            question.dwell * 60,
        );
        let mut best: Option<(i32, i32)> = None;
        for start in legs
            .departures(question.at.0, question.at.0 + crate::time::DAY)
            .into_iter()
            .rev()
        {
            let limit = best.map_or(crate::time::NEVER, |b| start + b.0);
            let found = exact::solve(
                &legs,
                n,
                question.open,
                i64::from(start),
                i64::from(limit),
                self.watch(),
            );
            if let Some((end, ..)) = found {
                let length = end as i32 - start;
                if best.is_none_or(|b| length < b.0) {
                    best = Some((length, start));
                }
            }
        }
        let at = best.map_or(question.at, |b| Time(b.1));
        self.tour_on(
            layer,
            &TourQuestion {
                at,
                ..question.clone()
            },
        )
    }

    /// The tabu search with its parts switched on one by one, beside the exact optimum: the rows
    /// in the order basic, length limit, aspiration, sampling, exact.
    pub fn tour_compare(
        &self,
        question: &TourQuestion,
        tabu: &Tabu,
    ) -> Result<Vec<Compared>, NoTour> {
        self.tour_compare_timed(question, tabu, &mut || 0)
    }

    /// The same with a clock (microseconds) lent by the caller.
    pub fn tour_compare_timed(
        &self,
        question: &TourQuestion,
        tabu: &Tabu,
        clock: &mut dyn FnMut() -> u64,
    ) -> Result<Vec<Compared>, NoTour> {
        let n = question.stops.len();
        let basic = Tabu {
            tenure: None,
            aspiration: None,
            sampling: None,
            ..*tabu
        };
        let limited = Tabu {
            tenure: Some(tabu.tenure.unwrap_or(n)),
            ..basic
        };
        let aspiring = Tabu {
            aspiration: Some(tabu.aspiration.unwrap_or(0.1)),
            ..limited
        };
        let sampled = Tabu {
            sampling: Some(tabu.sampling.unwrap_or(Sampling::Random(0.75))),
            ..aspiring
        };
        let rows = [
            ("basic", Method::Tabu(basic)),
            ("+ length limit", Method::Tabu(limited)),
            ("+ aspiration", Method::Tabu(aspiring)),
            ("+ sampling", Method::Tabu(sampled)),
            ("exact", Method::Exact),
        ];
        let mut out = Vec::new();
        for (name, method) in rows {
            if method == Method::Exact && n > MOST_STOPS {
                continue;
            }
            let before = clock();
            let tour = self.tour(&TourQuestion {
                method,
                ..question.clone()
            })?;
            out.push(Compared {
                method: name.to_owned(),
                cost: tour.cost,
                iterations: tour.iterations,
                gap_percent: 0.0,
                looked_at: tour.looked_at,
                micros: clock() - before,
                costs: tour.costs,
            });
        }
        let start = if question.by == TourBy::Time {
            i64::from(question.at.0)
        } else {
            0
        };
        if let Some(best) = out
            .iter()
            .find(|r| r.method == "exact")
            .map(|r| r.cost - start)
        {
            for row in &mut out {
                let more = (row.cost - start - best) as f64;
                row.gap_percent = if best == 0 {
                    0.0
                } else {
                    more / best as f64 * 100.0
                };
            }
        }
        Ok(out)
    }

    fn tour_on(&self, layer: &Layer, question: &TourQuestion) -> Result<Tour, NoTour> {
        let n = checked(question)?;
        let places = places(question);
        let (start, dwell) = (question.at.0, question.dwell * 60);
        let solved = match question.by {
            TourBy::Time => {
                // Most tours end the same day. Tables up to then are quicker to make, and what
                // ends within them is best: whatever is left out arrives later.
                let until = start + SAME_DAY;
                let legs = Moving::new(&layer.day, &places, start, until, dwell);
                let soon = order(&legs, n, question, i64::from(start), self.watch());
                if let Some(found) = soon.filter(|found| found.cost <= i64::from(until)) {
                    Some(found)
                } else {
                    let all = crate::time::NEVER;
                    let legs = Moving::new(&layer.day, &places, start, all, dwell);
                    self.reachable(layer, &places, &|a, b| legs.reachable(a, b))?;
                    order(&legs, n, question, i64::from(start), self.watch())
                }
            }
            TourBy::Transfers | TourBy::Distance => {
                let legs = Still::new(&self.table, &layer.day, &places, question.by);
                self.reachable(layer, &places, &|a, b| legs.leg(a, b, 0).is_some())?;
                order(&legs, n, question, 0, self.watch())
            }
        };
        let Some(found) = solved else {
            return Err(self.stuck(layer, &places, 0, 1));
        };
        self.told(layer, question, &places, found)
    }

    /// Tells an order as journeys, one after the other.
    fn told(
        &self,
        layer: &Layer,
        question: &TourQuestion,
        places: &[Vec<u32>],
        found: Found,
    ) -> Result<Tour, NoTour> {
        let mut round = vec![0];
        round.extend(found.order.iter().map(|&i| i + 1));
        if !question.open {
            round.push(0);
        }
        let by = match question.by {
            TourBy::Time => Objective::Time,
            TourBy::Transfers => Objective::Transfers,
            TourBy::Distance => Objective::Distance,
        };
        let mut searches = crate::route::Searches::default();
        let mut legs: Vec<Journey> = Vec::new();
        let mut at = question.at;
        let mut cost = 0;
        for pair in round.windows(2) {
            let ask = Question {
                by,
                algorithm: Algorithm::Auto,
                ..Question::new(places[pair[0]].clone(), places[pair[1]].clone(), at)
            };
            let (trails, ..) = self
                .trails(layer, &ask, &mut searches, &mut ())
                .expect("auto knows all objectives");
            let Some((ends, trail)) = trails.first() else {
                return Err(self.stuck(layer, places, pair[0], pair[1]));
            };
            cost += match question.by {
                TourBy::Time => 0,
                TourBy::Transfers => trail.rides.len() as i64,
                TourBy::Distance => trail.cm(&layer.day, ends) as i64,
            };
            at = Time(trail.arrival + question.dwell * 60);
            legs.push(crate::view::tell(&self.table, &layer.day, ends, trail));
        }
        let arrival = legs.last().map_or(question.at, |l| l.arrival);
        if question.by == TourBy::Time {
            cost = i64::from(arrival.0);
        }
        let name = |i: usize| {
            places[i]
                .first()
                .map_or("", |&s| self.table.stop_name(s))
                .to_owned()
        };
        Ok(Tour {
            order: round.iter().map(|&i| name(i)).collect(),
            indices: found.order,
            departure: legs.first().map_or(question.at, |l| l.departure),
            arrival,
            minutes: crate::view::minutes(arrival.0 - question.at.0),
            vehicles: legs.iter().map(|l| l.vehicles).sum(),
            km: (legs.iter().map(|l| l.km).sum::<f64>() * 1000.0).round() / 1000.0,
            cost,
            // A bound that the timetable does not let us reach proves nothing.
            optimal: found.proved && cost == found.cost,
            looked_at: found.looked_at,
            costs: found.turns.iter().map(|turn| turn.best).collect(),
            iterations: found.turns.len(),
            turns: found.turns,
            millis: 0,
            legs,
        })
    }

    fn reachable(
        &self,
        layer: &Layer,
        places: &[Vec<u32>],
        can: &dyn Fn(usize, usize) -> bool,
    ) -> Result<(), NoTour> {
        for a in 0..places.len() {
            // A stop is lost if nothing leads to it; say so with the way from the start.
            if a > 0 && !(0..places.len()).any(|b| b != a && can(b, a)) {
                return Err(self.stuck(layer, places, 0, a));
            }
        }
        Ok(())
    }

    fn stuck(&self, layer: &Layer, places: &[Vec<u32>], from: usize, to: usize) -> NoTour {
        let name = |i: usize| {
            places[i]
                .first()
                .map_or("?", |&s| self.table.stop_name(s))
                .to_owned()
        };
        NoTour::Unreachable {
            from: name(from),
            to: name(to),
            days: layer.day.days,
        }
    }
}

/// The number of stops, if the method can take them.
fn checked(question: &TourQuestion) -> Result<usize, NoTour> {
    let n = question.stops.len();
    match question.method {
        _ if n == 0 => Err(NoTour::Empty),
        Method::Exact if n > MOST_STOPS => Err(NoTour::TooMany {
            asked: n,
            most: MOST_STOPS,
        }),
        _ => Ok(n),
    }
}

/// The start and then the stops.
fn places(question: &TourQuestion) -> Vec<Vec<u32>> {
    std::iter::once(question.start.clone())
        .chain(question.stops.iter().cloned())
        .collect()
}

/// What a method found: stops from 0 on, without the start.
pub(crate) struct Found {
    pub(crate) order: Vec<usize>,
    pub(crate) cost: i64,
    pub(crate) proved: bool,
    pub(crate) looked_at: u64,
    pub(crate) turns: Vec<Turn>,
}

fn order(
    legs: &impl Legs,
    n: usize,
    question: &TourQuestion,
    start: i64,
    watch: &Watch,
) -> Option<Found> {
    match question.method {
        Method::Exact => {
            // A good tour, quickly found, tells what need not be looked at.
            let good = tabu::solve(legs, n, question.open, start, &Tabu::default(), watch);
            let limit = good.map_or(i64::MAX, |tour| tour.cost + 1);
            exact::solve(legs, n, question.open, start, limit, watch).map(
                |(cost, order, looked_at)| Found {
                    order,
                    cost,
                    proved: true,
                    looked_at,
                    turns: Vec::new(),
                },
            )
        }
        Method::Tabu(options) => tabu::solve(legs, n, question.open, start, &options, watch),
    }
}
