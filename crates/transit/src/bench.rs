//! How quick it is, in figures.

use std::fmt::Write;
use std::hint::black_box;

use serde::Serialize;
use wits_game::{Dice, Seed};

use crate::algo::{
    Aim, Corridor, ExpandedSearch, Heuristic, Price, Profiles, Raptor, Scan, Sweep, TimeDependent,
    TripBased, Unit, WalkingRaptor,
};
use crate::journey::Ends;
use crate::names::{NoStop, resolve};
use crate::planner::{MOST_VEHICLES, Planner};
use crate::time::{NEVER, NotATime, Time};
use crate::tour::{Method, TourBy, TourQuestion};

/// One measured figure.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Figure {
    /// What was measured.
    pub name: String,
    /// How much.
    pub value: f64,
    /// Of what.
    pub unit: &'static str,
    /// What the same queries cost the report's way, Dijkstra's algorithm on the time-expanded
    /// graph, in the same run.
    pub baseline: Option<f64>,
    /// Baseline divided by ours.
    pub ratio: Option<f64>,
}

/// A line of a query file that cannot be asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BadQuery {
    /// Not three fields.
    #[error("line {0}: a query is `from;to;HH:MM`, with names of stops or `#id`")]
    Fields(usize),
    /// No such stop.
    #[error("line {0}: {1}")]
    Stop(usize, NoStop),
    /// No such time.
    #[error("line {0}: {1}")]
    Time(usize, NotATime),
}

/// How often everything is measured; the quickest time counts, because what else the machine does
/// only ever adds.
const REPEATS: usize = 3;
/// Slow searches take this many of the queries.
const FEW: usize = 100;

impl Planner {
    /// Random queries as a query file writes them: `from;to;HH:MM`, a line each.
    pub fn query_lines(&self, queries: usize, seed: Seed) -> String {
        let served = self.served();
        let mut text = String::from("# from;to;HH:MM\n");
        let queries = if served.len() > 1 { queries } else { 0 };
        for i in 0..queries {
            let ends = self.random_query(seed.nth(i as u64), &served);
            let stop = |s: u32| {
                let code = &self.table.stops[s as usize].code;
                if code.is_empty() {
                    self.table.stop_name(s).to_owned()
                } else {
                    format!("#{code}")
                }
            };
            let (from, to) = (stop(ends.from[0]), stop(ends.to[0]));
            let _ = writeln!(text, "{from};{to};{}", Time(ends.at));
        }
        text
    }

    /// Reads a query file. Blank lines and lines that begin with `# ` are for people.
    pub fn read_queries(&self, text: &str) -> Result<Vec<Ends>, BadQuery> {
        let lines = (1..).zip(text.lines().map(str::trim));
        lines
            .filter(|(_, line)| !line.is_empty() && !line.starts_with("# "))
            .map(|(number, line)| {
                let fields: Vec<&str> = line.split(';').collect();
                let [from, to, at] = fields[..] else {
                    return Err(BadQuery::Fields(number));
                };
                let stops =
                    |text| resolve(&self.table, text).map_err(|e| BadQuery::Stop(number, e));
                let at: Time = at.parse().map_err(|e| BadQuery::Time(number, e))?;
                Ok(Ends::new(self.day(), &stops(from)?, &stops(to)?, at.0))
            })
            .collect()
    }

    /// Measures every search on the same queries, journeys rebuilt, on one core. Both clocks give
    /// nanoseconds (the library has none of its own): `busy` those that this thread has worked, so
    /// that a busy machine does not spoil the figure, `wall` those that have passed, for tours,
    /// which use all cores. `tell` hears of each figure as soon as it is known, and says whether to
    /// go on.
    pub fn bench(
        &self,
        asked: &[Ends],
        busy: &mut dyn FnMut() -> u64,
        wall: &mut dyn FnMut() -> u64,
        tell: &mut dyn FnMut(&Figure) -> bool,
    ) {
        if asked.is_empty() {
            return;
        }
        let few = &asked[..asked.len().min(FEW)];
        let (day, layer, table) = (self.day(), self.layer(), &self.table);
        let mut expanded = ExpandedSearch::default();
        let mut on_graph = |ends: &Ends, heuristic: Option<Heuristic>| {
            let left = heuristic.map(|h| h.estimates(table, day, ends, Unit::Seconds));
            let graph = layer.expanded();
            let found = expanded.best(day, graph, ends, Aim::Time, left.as_ref(), &mut ());
            std::hint::black_box(found);
        };
        let mut baseline = None;
        let mut go_on = true;
        let mut measure = |name: &str, asked: &[Ends], one: &mut dyn FnMut(&Ends)| {
            if !go_on {
                return;
            }
            one(&asked[0]);
            let mut once = || {
                let before = busy();
                asked.iter().for_each(&mut *one);
                (busy() - before) as f64 / 1000.0 / asked.len() as f64
            };
            let value = (0..REPEATS).map(|_| once()).fold(f64::INFINITY, f64::min);
            // Searches that were cut short say nothing of how long they take.
            if self.stopped() {
                go_on = false;
                return;
            }
            go_on = tell(&Figure {
                name: name.to_owned(),
                value,
                unit: "µs",
                baseline,
                ratio: baseline.map(|b: f64| b / value.max(0.001)),
            });
            // The first figure is the report's way, and all searches stand beside it.
            baseline = baseline.or(Some(value));
        };
        let kmh = Heuristic::Speed { kmh: 20.0 };
        measure("dijkstra:graph=expanded", few, &mut |e| on_graph(e, None));
        measure("astar:graph=expanded,speed=20", few, &mut |e| {
            on_graph(e, Some(kmh));
        });
        measure("astar:graph=expanded,bound", few, &mut |e| {
            on_graph(e, Some(Heuristic::Bound));
        });
        let mut dependent = TimeDependent::default();
        measure("dijkstra:graph=dependent", asked, &mut |e| {
            std::hint::black_box(dependent.earliest(day, e, None, &mut ()));
        });
        measure("astar:graph=dependent,bound", few, &mut |e| {
            let left = Heuristic::Bound.estimates(table, day, e, Unit::Seconds);
            std::hint::black_box(dependent.earliest(day, e, Some(&left.stop), &mut ()));
        });
        let mut scan = Scan::default();
        measure("csa", asked, &mut |e| {
            std::hint::black_box(scan.earliest(day, e, &mut ()));
        });
        let mut raptor = Raptor::default();
        measure("raptor, pareto", asked, &mut |e| {
            std::hint::black_box(raptor.pareto(day, e, MOST_VEHICLES, &mut ()));
        });
        let mut trips = TripBased::default();
        measure("tripbased, pareto", asked, &mut |e| {
            let changes = layer.changes();
            std::hint::black_box(trips.pareto(day, changes, e, MOST_VEHICLES, &mut ()));
        });
        let mut walking = WalkingRaptor::default();
        measure("raptor, pareto-walking", few, &mut |e| {
            std::hint::black_box(walking.pareto(day, e, MOST_VEHICLES, &mut ()));
        });
        measure("sweep, pareto", &few[..few.len().min(20)], &mut |e| {
            std::hint::black_box(Sweep::new(day, e, Price::Vehicles, NEVER).scanned);
        });
        let mut profiles = Profiles::default();
        measure(
            "profile-csa, whole day, all to one",
            &few[..few.len().min(20)],
            &mut |e| {
                profiles.fill(day, &e.to, 0, crate::time::DAY);
                std::hint::black_box(profiles.len());
            },
        );
        // A handful of queries is a rehearsal: tours would take longer than all of it.
        if asked.len() >= FEW {
            for stops in [15, 20] {
                if go_on {
                    let figure = self.bench_tour(stops, wall);
                    go_on = !self.stopped() && tell(&figure);
                }
            }
        }
    }

    /// The median of every quick search over some queries, each query measured by itself: in a
    /// country some are long and most are not. `tell` hears of each as soon as it is known, and
    /// says whether to go on.
    pub fn medians(
        &self,
        asked: &[Ends],
        busy: &mut dyn FnMut() -> u64,
        tell: &mut dyn FnMut(&Figure) -> bool,
    ) {
        let (day, layer) = (self.day(), self.layer());
        let (mut scan, mut raptor) = (Scan::default(), Raptor::default());
        let mut corridor = Corridor::default();
        let bounds = self.bounds_on(layer);
        let mut by_hops = |e: &Ends| drop(black_box(scan.earliest(day, e, &mut ())));
        let mut in_corridor = |e: &Ends| {
            let found = bounds.as_ref().and_then(|b| corridor.earliest(day, b, e));
            drop(black_box(found));
        };
        let mut by_rounds = |e: &Ends| {
            drop(black_box(raptor.pareto(day, e, MOST_VEHICLES, &mut ())));
        };
        let searches: [(&str, Asking<'_>); 3] = [
            ("csa, median", &mut by_hops),
            ("corridor, median", &mut in_corridor),
            ("raptor, pareto, median", &mut by_rounds),
        ];
        for (name, one) in searches {
            let value = median(asked, busy, one);
            let figure = Figure {
                name: name.to_owned(),
                value,
                unit: "ms",
                baseline: None,
                ratio: None,
            };
            if self.stopped() || !tell(&figure) {
                break;
            }
        }
    }

    /// The median of the trip-based search, which first works out all changes of the day.
    pub fn median_by_trips(&self, asked: &[Ends], busy: &mut dyn FnMut() -> u64) -> f64 {
        let (day, changes) = (self.day(), self.layer().changes());
        let mut trips = TripBased::default();
        median(asked, busy, &mut |e| {
            drop(black_box(trips.pareto(
                day,
                changes,
                e,
                MOST_VEHICLES,
                &mut (),
            )));
        })
    }

    /// An exact tour by time, on all cores.
    fn bench_tour(&self, stops: usize, wall: &mut dyn FnMut() -> u64) -> Figure {
        let (mut dice, served) = (Dice::new(Seed::new(1)), self.served());
        let places: Vec<u32> = (0..=stops)
            .map(|_| served[dice.below(served.len())])
            .collect();
        let question = TourQuestion {
            start: vec![places[0]],
            stops: places[1..].iter().map(|&s| vec![s]).collect(),
            at: Time::hm(8, 0),
            by: TourBy::Time,
            open: false,
            dwell: 0,
            method: Method::Exact,
        };
        let mut once = || {
            let before = wall();
            let _ = std::hint::black_box(self.tour(&question));
            (wall() - before) as f64 / 1e6
        };
        Figure {
            name: format!("exact tour of {stops} stops by time"),
            value: (0..REPEATS).map(|_| once()).fold(f64::INFINITY, f64::min),
            unit: "ms",
            baseline: None,
            ratio: None,
        }
    }
}

/// Asks one query.
type Asking<'a> = &'a mut dyn FnMut(&Ends);

/// The median of some queries in milliseconds, after a few that fill memory.
fn median(asked: &[Ends], busy: &mut dyn FnMut() -> u64, one: &mut dyn FnMut(&Ends)) -> f64 {
    asked.iter().take(3).for_each(&mut *one);
    let timed = |ends: &Ends| {
        let before = busy();
        one(ends);
        busy() - before
    };
    let mut times: Vec<u64> = asked.iter().map(timed).collect();
    times.sort_unstable();
    times
        .get(times.len() / 2)
        .map_or(f64::NAN, |&t| t as f64 / 1e6)
}
