//! How quick it is, in figures.

use serde::Serialize;
use wits_game::{Dice, Seed};

use crate::algo::{
    Aim, ExpandedSearch, Heuristic, Profiles, Raptor, Scan, TimeDependent, TripBased, Unit,
};
use crate::journey::Ends;
use crate::planner::{MOST_VEHICLES, Planner};
use crate::time::Time;
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
    /// What others need for the same, if we know.
    pub baseline: Option<f64>,
    /// Baseline divided by ours.
    pub ratio: Option<f64>,
}

/// Microseconds of the report's A* for a query on its feed.
const REPORT_ASTAR: f64 = 23_500.0;
/// Microseconds of a reference C++ library for the earliest arrival on Wrocław.
const REFERENCE_EARLIEST: f64 = 154.0;
/// The same for the Pareto set of arrival and changes, the middle of its range.
const REFERENCE_PARETO: f64 = 303.0;

impl Planner {
    /// Measures every search on the same random queries, journeys rebuilt, on one core. `clock`
    /// gives nanoseconds; the library has no clock of its own.
    pub fn bench(&self, queries: usize, seed: Seed, clock: &mut dyn FnMut() -> u64) -> Vec<Figure> {
        let served = self.served();
        if served.len() < 2 {
            return Vec::new();
        }
        let asked: Vec<Ends> = (0..queries)
            .map(|i| self.random_query(seed.nth(i as u64), &served))
            .collect();
        let few = &asked[..queries.min(100)];
        let (day, layer, table) = (self.day(), self.layer(), &self.table);
        let mut figures = Vec::new();
        let mut measure =
            |name: &str, asked: &[Ends], baseline: Option<f64>, one: &mut dyn FnMut(&Ends)| {
                one(&asked[0]);
                let before = clock();
                for ends in asked {
                    one(ends);
                }
                let value = (clock() - before) as f64 / 1000.0 / asked.len() as f64;
                figures.push(Figure {
                    name: name.to_owned(),
                    value,
                    unit: "µs",
                    baseline,
                    ratio: baseline.map(|b| b / value.max(0.001)),
                });
            };
        let mut scan = Scan::default();
        measure(
            "csa, earliest arrival",
            &asked,
            Some(REFERENCE_EARLIEST),
            &mut |e| {
                std::hint::black_box(scan.earliest(day, e, &mut ()));
            },
        );
        let mut raptor = Raptor::default();
        measure("raptor, pareto", &asked, Some(REFERENCE_PARETO), &mut |e| {
            std::hint::black_box(raptor.pareto(day, e, MOST_VEHICLES, &mut ()));
        });
        let changes = layer.changes();
        let mut trips = TripBased::default();
        measure(
            "tripbased, pareto",
            &asked,
            Some(REFERENCE_PARETO),
            &mut |e| {
                std::hint::black_box(trips.pareto(day, changes, e, MOST_VEHICLES, &mut ()));
            },
        );
        let mut dependent = TimeDependent::default();
        measure("dijkstra, time-dependent graph", &asked, None, &mut |e| {
            std::hint::black_box(dependent.earliest(day, e, None, &mut ()));
        });
        let graph = layer.expanded();
        let mut expanded = ExpandedSearch::default();
        measure("dijkstra, time-expanded graph", few, None, &mut |e| {
            std::hint::black_box(expanded.best(day, graph, e, Aim::Time, None, &mut ()));
        });
        measure(
            "astar:speed=20, time-expanded graph",
            few,
            Some(REPORT_ASTAR),
            &mut |e| {
                let left = Heuristic::Speed { kmh: 20.0 }.estimates(table, day, e, Unit::Seconds);
                std::hint::black_box(expanded.best(day, graph, e, Aim::Time, Some(&left), &mut ()));
            },
        );
        let mut profiles = Profiles::default();
        measure(
            "profile, all to one, whole day",
            &few[..few.len().min(20)],
            None,
            &mut |e| {
                profiles.fill(day, &e.to, 0, crate::time::DAY);
                std::hint::black_box(profiles.len());
            },
        );
        let mut dice = Dice::new(seed);
        let places: Vec<u32> = (0..16).map(|_| served[dice.below(served.len())]).collect();
        let question = TourQuestion {
            start: vec![places[0]],
            stops: places[1..].iter().map(|&s| vec![s]).collect(),
            at: Time::hm(8, 0),
            by: TourBy::Time,
            open: false,
            dwell: 0,
            method: Method::Exact,
        };
        measure(
            "exact tour of 15 stops by time",
            &few[..1],
            None,
            &mut |_| {
                let _ = std::hint::black_box(self.tour(&question));
            },
        );
        figures
    }
}
