//! Studies: do the searches agree, what does a bold heuristic cost, what is in a feed.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use serde::Serialize;
use wits_game::{Dice, Seed};

use crate::algo::{
    Aim, Corridor, ExpandedSearch, Heuristic, Price, Raptor, Scan, Sweep, TimeDependent, TripBased,
    Unit,
};
use crate::ask::Graph;
use crate::journey::{Ends, Trail};
use crate::planner::{MOST_VEHICLES, Planner};
use crate::time::{NEVER, Time};

/// The result of comparing searches.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Agreement {
    /// Queries asked of the quick searches.
    pub queries: usize,
    /// Queries asked of the slow ones as well.
    pub slow_queries: usize,
    /// Queries on which any two differed, or a journey did not hold.
    pub disagreements: usize,
    /// The searches.
    pub algorithms: Vec<&'static str>,
    /// The first few queries with a difference.
    pub examples: Vec<Disagreement>,
    /// Queries for which there was a journey.
    pub answered: usize,
}

/// A query on which searches differed.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Disagreement {
    /// From this stop.
    pub from: u32,
    /// To this one.
    pub to: u32,
    /// At this time.
    pub at: Time,
    /// Which search differed from the connection scan or RAPTOR.
    pub who: &'static str,
}

/// One row of the study of speeds or of transfer heuristics.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Boldness {
    /// The heuristic.
    pub heuristic: Heuristic,
    /// Share of queries with a worse answer than the best.
    pub wrong: f64,
    /// Mean of what wrong answers cost more: minutes, or vehicles.
    pub mean_excess: f64,
    /// Mean of the minutes by which wrong answers are later.
    pub mean_late: f64,
    /// Mean of nodes settled.
    pub settled: f64,
    /// Nodes settled as a share of those of Dijkstra's algorithm.
    pub work: f64,
    /// The first query with a wrong answer: from, to, at.
    pub first_wrong: Option<(String, String, Time)>,
}

/// What assumed speeds and transfer heuristics do to A* on a population of queries.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Speeds {
    /// Queries.
    pub queries: usize,
    /// By assumed speed, slowest first (the report's figure 9 for one query).
    pub speeds: Vec<Boldness>,
    /// The heuristics for the number of vehicles.
    pub transfers: Vec<Boldness>,
}

/// Does something with so many threads at once; with the usual ones where they cannot be started.
pub fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}

const NAMES: [&str; 10] = [
    "csa",
    "raptor",
    "tripbased",
    "corridor",
    "dijkstra",
    "astar:graph=dependent,bound",
    "profile-csa",
    "sweep",
    "dijkstra:graph=expanded",
    "astar:graph=expanded,bound",
];

impl Planner {
    /// A random query between two stops with service, anywhere in the day.
    pub fn random_query(&self, seed: Seed, served: &[u32]) -> Ends {
        let mut dice = Dice::new(seed);
        let from = served[dice.below(served.len())];
        let mut to = from;
        while to == from && served.len() > 1 {
            to = served[dice.below(served.len())];
        }
        Ends::new(self.day(), &[from], &[to], dice.below(24 * 60) as i32 * 60)
    }

    /// Whether anything calls at one of some stops on the day or the next.
    pub fn calls_at(&self, stops: &[u32]) -> bool {
        let day = self.day();
        stops.iter().any(|&s| !day.routes_at(s).is_empty())
    }

    /// Stops where anything departs.
    pub fn served(&self) -> Vec<u32> {
        (0..self.day().stops as u32)
            .filter(|&s| !self.day().routes_at(s).is_empty())
            .collect()
    }

    /// Compares the exact searches on random queries: the quick ones on all, the slow ones on the
    /// first `slow`.
    pub fn agree(&self, queries: usize, slow: usize, seed: Seed) -> Agreement {
        self.agree_watched(queries, slow, seed, &|_| true)
    }

    /// The same, on all cores of the current pool. `going` is told how many queries are done, and
    /// says whether to go on; the answer counts those that were done.
    pub fn agree_watched(
        &self,
        queries: usize,
        slow: usize,
        seed: Seed,
        going: &(dyn Fn(usize) -> bool + Sync),
    ) -> Agreement {
        let served = self.served();
        let mut result = Agreement {
            queries: 0,
            slow_queries: 0,
            disagreements: 0,
            algorithms: NAMES.to_vec(),
            examples: Vec::new(),
            answered: 0,
        };
        if served.is_empty() {
            return result;
        }
        let layer = self.layer();
        layer.changes();
        layer.expanded();
        let done = AtomicUsize::new(0);
        let verdicts: Vec<(usize, bool, Option<Disagreement>)> = (0..queries)
            .into_par_iter()
            .map_init(Bench::default, |bench, i| {
                if self.watch().over() || !going(done.fetch_add(1, Ordering::Relaxed)) {
                    return None;
                }
                let ends = self.random_query(seed.nth(i as u64), &served);
                let (answered, who) = bench.compare(self, &ends, i < slow);
                let odd = who.map(|who| Disagreement {
                    from: ends.from[0],
                    to: ends.to[0],
                    at: Time(ends.at),
                    who,
                });
                Some((i, answered, odd))
            })
            .flatten()
            .collect();
        result.queries = verdicts.len();
        result.slow_queries = verdicts.iter().filter(|v| v.0 < slow).count();
        result.answered = verdicts.iter().filter(|v| v.1).count();
        let odd: Vec<Disagreement> = verdicts.into_iter().filter_map(|v| v.2).collect();
        result.disagreements = odd.len();
        result.examples = odd.into_iter().take(10).collect();
        result
    }

    /// How often A* goes wrong, and how much work it saves, for a list of assumed speeds (km/h)
    /// and for the report's heuristics on vehicles. Right is what [`Objective::Time`](crate::Objective::Time) and
    /// [`Objective::Transfers`](crate::Objective::Transfers) find without a heuristic: an answer
    /// with as few vehicles that arrives later is wrong.
    pub fn speeds(&self, queries: usize, seed: Seed, kmh: &[f64]) -> Speeds {
        let asked = self.random_queries(queries, seed);
        let time: Vec<Heuristic> = kmh.iter().map(|&kmh| Heuristic::Speed { kmh }).collect();
        let vehicles = [
            Heuristic::Bound,
            Heuristic::Distance {
                changes_per_km: 0.1,
            },
            Heuristic::Distance {
                changes_per_km: 0.3,
            },
            Heuristic::StopNodes { weight: 1.0 },
            Heuristic::PreferMajorStops { penalty: 1 },
            Heuristic::AvoidExpressLines { penalty: 1 },
        ];
        Speeds {
            queries: asked.len(),
            speeds: self.boldness(&asked, &time, Graph::Expanded, Aim::Time, Unit::Seconds),
            transfers: self.boldness(
                &asked,
                &vehicles,
                Graph::Expanded,
                Aim::Vehicles,
                Unit::Vehicles,
            ),
        }
    }

    /// The same for assumed speeds on the time-dependent graph, which is quicker to search.
    pub fn speeds_on_stops(&self, queries: usize, seed: Seed, kmh: &[f64]) -> Vec<Boldness> {
        let asked = self.random_queries(queries, seed);
        let time: Vec<Heuristic> = kmh.iter().map(|&kmh| Heuristic::Speed { kmh }).collect();
        self.boldness(&asked, &time, Graph::Dependent, Aim::Time, Unit::Seconds)
    }

    fn random_queries(&self, queries: usize, seed: Seed) -> Vec<Ends> {
        let served = self.served();
        if served.len() < 2 {
            return Vec::new();
        }
        (0..queries)
            .map(|i| self.random_query(seed.nth(i as u64), &served))
            .collect()
    }

    fn boldness(
        &self,
        asked: &[Ends],
        heuristics: &[Heuristic],
        graph: Graph,
        aim: Aim,
        unit: Unit,
    ) -> Vec<Boldness> {
        let day = self.day();
        // What is compared first, and the arrival, which decides among equals.
        let cost = |t: &Trail| match aim {
            Aim::Time => [t.arrival, t.arrival],
            _ => [t.rides.len() as i32, t.arrival],
        };
        let run = |heuristic: Heuristic| -> Vec<(Option<[i32; 2]>, usize)> {
            asked
                .par_iter()
                .map_init(Bench::default, |bench, ends| {
                    let left = heuristic.estimates(&self.table, day, ends, unit);
                    if graph == Graph::Dependent {
                        let search = &mut bench.dependent;
                        let found = search.earliest(day, ends, Some(&left.stop), &mut ());
                        return (found.as_ref().map(cost), search.settled);
                    }
                    let (search, graph) = (&mut bench.expanded, self.layer().expanded());
                    let found = search.best(day, graph, ends, aim, Some(&left), &mut ());
                    (found.as_ref().map(cost), search.settled)
                })
                .collect()
        };
        let truth = run(Heuristic::Disabled);
        let all: usize = truth.iter().map(|t| t.1).sum();
        let row = |heuristic: Heuristic, found: &[(Option<[i32; 2]>, usize)]| {
            let pairs = found.iter().zip(&truth).enumerate();
            let wrong: Vec<(usize, [i32; 2])> = pairs
                .filter_map(|(i, (f, t))| Some((i, f.0?, t.0?)))
                .filter(|(_, found, truth)| found > truth)
                .map(|(i, found, truth)| (i, [found[0] - truth[0], found[1] - truth[1]]))
                .collect();
            let mean = |at: usize, scale: f64| {
                let sum: f64 = wrong.iter().map(|w| f64::from(w.1[at])).sum();
                sum / scale / wrong.len().max(1) as f64
            };
            let scale = if aim == Aim::Time { 60.0 } else { 1.0 };
            let settled: usize = found.iter().map(|f| f.1).sum();
            let n = asked.len().max(1) as f64;
            let name = |s: u32| self.table.stop_name(s).to_owned();
            Boldness {
                heuristic,
                wrong: wrong.len() as f64 / n,
                mean_excess: mean(0, scale),
                mean_late: mean(1, 60.0),
                settled: settled as f64 / n,
                work: settled as f64 / all.max(1) as f64,
                first_wrong: wrong.first().map(|w| {
                    let ends = &asked[w.0];
                    (name(ends.from[0]), name(ends.to[0]), Time(ends.at))
                }),
            }
        };
        let mut rows = vec![row(Heuristic::Disabled, &truth)];
        rows.extend(heuristics.iter().map(|&h| row(h, &run(h))));
        rows
    }
}

/// All searches with their memory.
#[derive(Default)]
struct Bench {
    scan: Scan,
    raptor: Raptor,
    trips: TripBased,
    corridor: Corridor,
    dependent: TimeDependent,
    expanded: ExpandedSearch,
}

impl Bench {
    /// Whether there is a journey, and who disagrees.
    fn compare(
        &mut self,
        planner: &Planner,
        ends: &Ends,
        slow: bool,
    ) -> (bool, Option<&'static str>) {
        let (day, layer) = (planner.day(), planner.layer());
        let sound = |t: &Option<Trail>| t.as_ref().is_none_or(|t| t.holds(day, ends));
        let first = self.scan.earliest(day, ends, &mut ());
        let arrival = first.as_ref().map(|t| t.arrival);
        let fair = |t: Option<Trail>| sound(&t) && t.map(|t| t.arrival) == arrival;
        let shape = |trails: &[Trail]| -> Vec<(i32, usize)> {
            trails.iter().map(|t| (t.arrival, t.rides.len())).collect()
        };
        let rounds = self.raptor.pareto(day, ends, MOST_VEHICLES, &mut ());
        let front = shape(&rounds);
        let trips = self
            .trips
            .pareto(day, layer.changes(), ends, MOST_VEHICLES, &mut ());
        let all_sound = |trails: &[Trail]| trails.iter().all(|t| t.holds(day, ends));
        let mut odd = if !sound(&first) {
            Some("csa")
        } else if !all_sound(&rounds) || front.last().map(|f| f.0) != arrival {
            Some("raptor")
        } else if !all_sound(&trips) || shape(&trips) != front {
            Some("tripbased")
        } else if !fair(self.dependent.earliest(day, ends, None, &mut ())) {
            Some("dijkstra")
        } else if let Some(bounds) = planner.bounds_on(layer)
            && !fair(self.corridor.earliest(day, &bounds, ends))
        {
            Some("corridor")
        } else {
            None
        };
        if odd.is_none() && slow {
            let seconds = Heuristic::Bound.estimates(&planner.table, day, ends, Unit::Seconds);
            let vehicles = Heuristic::Bound.estimates(&planner.table, day, ends, Unit::Vehicles);
            let graph = layer.expanded();
            let profiles = crate::algo::Profiles::new(day, &ends.to, ends.at);
            let sweep = Sweep::new(day, ends, Price::Vehicles, NEVER);
            let swept: Vec<Trail> = sweep
                .ends
                .iter()
                .rev()
                .map(|e| sweep.trail(day, e))
                .collect();
            let profiled = profiles.arrival(ends.from[0], ends.at);
            let few =
                |t: Option<Trail>| t.map(|t| (t.arrival, t.rides.len())) == front.first().copied();
            odd = if !fair(
                self.dependent
                    .earliest(day, ends, Some(&seconds.stop), &mut ()),
            ) {
                Some("astar:graph=dependent,bound")
            } else if (profiled < NEVER).then_some(profiled) != arrival {
                Some("profile-csa")
            } else if !all_sound(&swept) || shape(&swept) != front {
                Some("sweep")
            } else if !fair(
                self.expanded
                    .best(day, graph, ends, Aim::Time, None, &mut ()),
            ) || !few(self
                .expanded
                .best(day, graph, ends, Aim::Vehicles, None, &mut ()))
            {
                Some("dijkstra:graph=expanded")
            } else if !fair(self.expanded.best(
                day,
                graph,
                ends,
                Aim::Time,
                Some(&seconds),
                &mut (),
            )) || !few(self.expanded.best(
                day,
                graph,
                ends,
                Aim::Vehicles,
                Some(&vehicles),
                &mut (),
            )) {
                Some("astar:graph=expanded,bound")
            } else {
                None
            };
        }
        (arrival.is_some(), odd)
    }
}
