//! From one stop to another.

use serde::Serialize;

use crate::algo::{
    Aim, Bags, Corridor, ExpandedSearch, Follow, Heuristic, Mirrored, Price, Profiles, Raptor,
    Scan, Sweep, TimeDependent, TripBased, Unit, WalkingRaptor,
};
use crate::ask::{Algorithm, Graph, Objective};
use crate::journey::{Ends, Trail};
use crate::planner::{Layer, MOST_VEHICLES, Planner, unmirrored};
use crate::realtime::Alert;
use crate::time::{Date, NEVER, Time};
use crate::view::{Journey, tell};

/// A question: from these stops to those.
#[derive(Clone, PartialEq, Debug)]
pub struct Question {
    /// Where the journey may start, usually all stops of one name.
    pub from: Vec<u32>,
    /// Where it may end.
    pub to: Vec<u32>,
    /// Ready from this time on, or to be there by it.
    pub at: Time,
    /// Whether `at` is the latest arrival instead of the earliest departure.
    pub arrive_by: bool,
    /// What is best.
    pub by: Objective,
    /// How to look for it.
    pub algorithm: Algorithm,
}

impl Question {
    /// The earliest arrival from some stops to others.
    pub fn new(from: Vec<u32>, to: Vec<u32>, at: Time) -> Question {
        Question {
            from,
            to,
            at,
            arrive_by: false,
            by: Objective::Time,
            algorithm: Algorithm::Auto,
        }
    }
}

/// The answer to a question.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Answer {
    /// The journeys; none if there is no way within the days laid out.
    pub journeys: Vec<Journey>,
    /// Nodes, hops or calls that the search looked at.
    pub settled: usize,
    /// Microseconds of the search; the library reads no clock, so whoever asks fills it in.
    pub micros: u64,
    /// The algorithm that was used.
    pub algorithm: Algorithm,
    /// What was best.
    pub by: Objective,
    /// The day, where days have dates.
    pub date: Option<Date>,
    /// How many days were searched.
    pub days: i32,
    /// What somebody on these journeys should know, where a realtime feed says it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alerts: Vec<Alert>,
}

/// Why a question cannot be answered as asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error, Serialize)]
pub enum CannotAsk {
    /// The algorithm does not know the objective.
    #[error("`{algorithm}` cannot search by `{by}`; {hint}")]
    Algorithm {
        /// The algorithm.
        algorithm: Algorithm,
        /// The objective.
        by: Objective,
        /// What would do.
        hint: &'static str,
    },
}

/// Trails with their ends, the work done and the algorithm that did it.
pub(crate) type Searched = (Vec<(Ends, Trail)>, usize, Algorithm);

/// Searches with their memory, reused from query to query.
#[derive(Debug, Default)]
pub struct Searches {
    scan: Scan,
    raptor: Raptor,
    dependent: TimeDependent,
    expanded: ExpandedSearch,
    trips: TripBased,
    walking: WalkingRaptor,
    corridor: Corridor,
}

impl Planner {
    /// The best journeys.
    pub fn route(&self, question: &Question) -> Result<Answer, CannotAsk> {
        self.route_followed(question, &mut Searches::default(), &mut ())
    }

    /// The best journeys, while somebody follows the search.
    pub fn route_followed<F: Follow>(
        &self,
        question: &Question,
        searches: &mut Searches,
        follow: &mut F,
    ) -> Result<Answer, CannotAsk> {
        let (layer, searched) = self.found(question, searches, follow)?;
        Ok(self.answer(layer, question, searched))
    }

    /// Lays out what a question's search would otherwise make on its way, so that its time is that
    /// of the search.
    pub fn prepare(&self, question: &Question) {
        let mut layer = self.layer();
        if question.arrive_by {
            layer = layer.mirror();
        }
        layer.light_mirror();
        let (algorithm, by) = (chosen(question.algorithm, question.by), question.by);
        match algorithm {
            Algorithm::Dijkstra(Graph::Expanded) | Algorithm::Astar(Graph::Expanded, _)
                if !matches!(by, Objective::Pareto | Objective::ParetoWalking) =>
            {
                layer.expanded();
            }
            Algorithm::TripBased => {
                layer.changes();
            }
            Algorithm::Corridor => {
                self.bounds_on(layer);
            }
            _ => {}
        }
    }

    /// The trails of the best journeys, on the layer where there are any.
    pub(crate) fn found<F: Follow>(
        &self,
        question: &Question,
        searches: &mut Searches,
        follow: &mut F,
    ) -> Result<(&Layer, Searched), CannotAsk> {
        let layer = self.layer();
        let searched = self.trails(layer, question, searches, follow)?;
        // The hour may be so late, or the line so rare, that two days are not enough.
        if searched.0.is_empty() && question.from != question.to {
            let week = self.week();
            return Ok((week, self.trails(week, question, searches, &mut ())?));
        }
        Ok((layer, searched))
    }

    /// What was found, for people.
    pub(crate) fn answer(&self, layer: &Layer, question: &Question, found: Searched) -> Answer {
        let (trails, settled, algorithm) = found;
        let journeys: Vec<Journey> = trails
            .iter()
            .map(|(ends, trail)| self.journey(layer, question, ends, trail))
            .collect();
        Answer {
            alerts: self.alerts_of(&journeys).into_iter().cloned().collect(),
            journeys,
            settled,
            micros: 0,
            algorithm,
            by: question.by,
            date: self.date(),
            days: layer.day.days,
        }
    }

    fn journey(&self, layer: &Layer, question: &Question, ends: &Ends, trail: &Trail) -> Journey {
        let mut journey = tell(&self.table, &layer.day, ends, trail);
        journey.cost = match question.by {
            Objective::Time | Objective::Pareto | Objective::ParetoWalking => {
                f64::from(journey.total_minutes)
            }
            Objective::Transfers | Objective::TransfersOnly => journey.vehicles as f64,
            Objective::Distance => journey.km,
            Objective::Weighted(m) => {
                f64::from(journey.total_minutes) + f64::from(m) * journey.transfers as f64
            }
        };
        journey
    }

    /// The trails of the best journeys, tidied, and the work done.
    pub(crate) fn trails<F: Follow>(
        &self,
        layer: &Layer,
        question: &Question,
        searches: &mut Searches,
        follow: &mut F,
    ) -> Result<Searched, CannotAsk> {
        let day = &layer.day;
        if question.from.iter().any(|s| question.to.contains(s)) {
            let ends = Ends::new(day, &question.from, &question.to, question.at.0);
            let stay = Trail {
                arrival: question.at.0,
                rides: Vec::new(),
            };
            return Ok((vec![(ends, stay)], 0, question.algorithm));
        }
        if question.arrive_by {
            return self.trails_by(layer, question, searches, follow);
        }
        let ends = Ends::new(day, &question.from, &question.to, question.at.0);
        let (trails, settled, algorithm) = search(self, layer, &ends, question, searches, follow)?;
        let exact = exact(question.by, algorithm);
        let trails = trails
            .into_iter()
            .map(|trail| {
                let trail = if exact {
                    fewer(layer, &ends, trail, question.by, searches)
                } else {
                    trail
                };
                // The report's passenger takes whatever comes first; ours leaves as late as possible.
                let late = exact && self.walking != crate::walk::Walking::Report;
                let trail = if late {
                    let walked = question.by == Objective::ParetoWalking;
                    Planner::tidy(layer, &ends, trail, walked)
                } else {
                    trail
                };
                (ends.clone(), trail)
            })
            .collect();
        Ok((trails, settled, algorithm))
    }

    /// "Arrive by": the same search in the mirror, where the latest departure is the earliest
    /// arrival.
    fn trails_by<F: Follow>(
        &self,
        layer: &Layer,
        question: &Question,
        searches: &mut Searches,
        follow: &mut F,
    ) -> Result<Searched, CannotAsk> {
        let mirror = layer.mirror();
        let back = Question {
            from: question.to.clone(),
            to: question.from.clone(),
            at: Time(mirror.day.flip(question.at.0)),
            arrive_by: false,
            ..question.clone()
        };
        let ends = Ends::new(&mirror.day, &back.from, &back.to, back.at.0);
        let (trails, settled, algorithm) = search(
            self,
            mirror,
            &ends,
            &back,
            searches,
            &mut Mirrored::new(follow, &mirror.day),
        )?;
        let trails = trails
            .into_iter()
            .map(|found| {
                let found = if exact(question.by, algorithm) {
                    fewer(mirror, &ends, found, question.by, searches)
                } else {
                    found
                };
                let departure = mirror.day.flip(found.arrival);
                let ends = Ends::new(&layer.day, &question.from, &question.to, departure);
                let found = unmirrored(&mirror.day, &found);
                let most = found.rides.len();
                let arrival = match found.rides.last() {
                    None => departure + ends.on_foot().map_or(0, |w| w.0),
                    Some(last) => {
                        let stop = layer.day.stops_of(layer.day.runs[last.run as usize].route)
                            [last.alight as usize];
                        let walk = ends.egress.iter().find(|e| e.0 == stop).map_or(0, |e| e.1);
                        layer.day.calls(last.run)[last.alight as usize].arrival + walk
                    }
                };
                let mut best = Trail { arrival, ..found };
                let fixed = matches!(
                    question.by,
                    Objective::Distance | Objective::TransfersOnly | Objective::ParetoWalking
                );
                if !fixed {
                    // Having left so late, be there as early as these many vehicles allow.
                    for t in searches.raptor.pareto(&layer.day, &ends, most, &mut ()) {
                        if t.arrival < best.arrival {
                            best = t;
                        }
                    }
                }
                (ends, best)
            })
            .filter(|(ends, _)| ends.at >= 0)
            .collect();
        Ok((trails, settled, algorithm))
    }
}

/// Whether equally good journeys may be put in the place of what was found.
fn exact(by: Objective, algorithm: Algorithm) -> bool {
    !matches!(by, Objective::Distance | Objective::TransfersOnly)
        && !matches!(algorithm, Algorithm::Astar(_, h) if h != Heuristic::Bound)
}

/// Of journeys with the same arrival the one with the fewest vehicles.
fn fewer(
    layer: &Layer,
    ends: &Ends,
    trail: Trail,
    by: Objective,
    searches: &mut Searches,
) -> Trail {
    if by != Objective::Time || trail.rides.is_empty() {
        return trail;
    }
    let found = searches
        .raptor
        .pareto(&layer.day, ends, trail.rides.len(), &mut ());
    found
        .into_iter()
        .find(|t| t.arrival <= trail.arrival)
        .unwrap_or(trail)
}

/// The algorithm that looks for what is best.
fn chosen(algorithm: Algorithm, by: Objective) -> Algorithm {
    match (algorithm, by) {
        (Algorithm::Auto, Objective::Time) => Algorithm::Csa,
        (Algorithm::Auto, Objective::Distance) => Algorithm::Sweep,
        (Algorithm::Auto, Objective::TransfersOnly) => Algorithm::Dijkstra(Graph::Expanded),
        (Algorithm::Auto, _) => Algorithm::Raptor,
        // The time-dependent graph knows only arrivals; the expanded one knows every cost.
        (Algorithm::Dijkstra(_), by) if by != Objective::Time => {
            Algorithm::Dijkstra(Graph::Expanded)
        }
        (Algorithm::Astar(_, h), by) if by != Objective::Time => {
            Algorithm::Astar(Graph::Expanded, h)
        }
        (chosen, _) => chosen,
    }
}

/// Runs the chosen search. Arrival and vehicles are then exact for exact searches.
pub(crate) fn search<F: Follow>(
    planner: &Planner,
    layer: &Layer,
    ends: &Ends,
    question: &Question,
    searches: &mut Searches,
    follow: &mut F,
) -> Result<(Vec<Trail>, usize, Algorithm), CannotAsk> {
    let by = question.by;
    let algorithm = chosen(question.algorithm, by);
    let day = &layer.day;
    let refuse = |hint| {
        Err(CannotAsk::Algorithm {
            algorithm,
            by,
            hint,
        })
    };
    let (found, settled) = match (algorithm, by) {
        (Algorithm::Csa, Objective::Time) => {
            let trail = searches.scan.earliest(day, ends, follow);
            (trail.into_iter().collect(), searches.scan.scanned)
        }
        (Algorithm::ProfileCsa, Objective::Time) => {
            let profiles = Profiles::new(day, &ends.to, ends.at);
            let arrival = ends
                .access
                .iter()
                .map(|a| profiles.arrival(a.0, ends.at + a.1))
                .min()
                .unwrap_or(NEVER);
            // The profile knows when; RAPTOR, told when to stop, says how.
            let found = searches.raptor.pareto(day, ends, MOST_VEHICLES, follow);
            let trail = found.into_iter().find(|t| t.arrival == arrival);
            (trail.into_iter().collect(), profiles.len())
        }
        (Algorithm::Corridor, Objective::Time) => {
            if let Some(bounds) = planner.bounds_on(layer) {
                let trail = searches.corridor.earliest(day, &bounds, ends);
                follow.choose(trail.as_ref().map(|t| t.arrival));
                (trail.into_iter().collect(), searches.corridor.scanned)
            } else {
                // Bounds are about the timetable as it is printed, forwards.
                let trail = searches.scan.earliest(day, ends, follow);
                (trail.into_iter().collect(), searches.scan.scanned)
            }
        }
        (Algorithm::Csa | Algorithm::ProfileCsa | Algorithm::Corridor, _) => {
            return refuse("it only knows `time`; use `raptor` or `sweep`");
        }
        (
            Algorithm::Raptor | Algorithm::TripBased,
            Objective::Distance | Objective::TransfersOnly,
        ) => {
            return refuse("use `sweep`, `dijkstra` or `astar`");
        }
        (Algorithm::Raptor, Objective::ParetoWalking) => {
            let search = &mut searches.walking;
            let found = search.pareto(day, ends, MOST_VEHICLES, follow);
            (found, search.scanned)
        }
        (Algorithm::Sweep, Objective::ParetoWalking) => {
            let bags = Bags::followed(day, ends, follow);
            (bags.trails(day), bags.scanned)
        }
        (Algorithm::TripBased, Objective::ParetoWalking) => {
            return refuse("use `raptor` or `sweep`, which count walks");
        }
        (Algorithm::Raptor, _) => {
            let found = searches.raptor.pareto(day, ends, MOST_VEHICLES, follow);
            (pick(found, by), searches.raptor.scanned)
        }
        (Algorithm::TripBased, _) => {
            let found = searches
                .trips
                .pareto(day, layer.changes(), ends, MOST_VEHICLES, follow);
            (pick(found, by), searches.trips.scanned)
        }
        (Algorithm::Sweep, Objective::Distance) => {
            let sweep = Sweep::followed(day, ends, Price::Centimetres, NEVER, follow);
            let trail = sweep.ends.last().map(|end| sweep.trail(day, end));
            follow.choose(trail.as_ref().map(|trail| trail.arrival));
            (trail.into_iter().collect(), sweep.scanned)
        }
        (Algorithm::Sweep, _) => {
            let sweep = Sweep::followed(day, ends, Price::Vehicles, NEVER, follow);
            let found = sweep
                .ends
                .iter()
                .rev()
                .map(|end| sweep.trail(day, end))
                .collect();
            let found = pick(found, by);
            follow.choose(found.first().map(|trail| trail.arrival));
            (found, sweep.scanned)
        }
        (Algorithm::Dijkstra(Graph::Dependent), _) => {
            let trail = searches.dependent.earliest(day, ends, None, follow);
            (trail.into_iter().collect(), searches.dependent.settled)
        }
        (Algorithm::Astar(Graph::Dependent, heuristic), _) => {
            let left = heuristic.estimates(&planner.table, day, ends, Unit::Seconds);
            let trail = searches
                .dependent
                .earliest(day, ends, Some(&left.stop), follow);
            (trail.into_iter().collect(), searches.dependent.settled)
        }
        (Algorithm::Dijkstra(Graph::Expanded) | Algorithm::Astar(Graph::Expanded, _), by) => {
            let aim = match by {
                Objective::Time => Aim::Time,
                Objective::Transfers => Aim::Vehicles,
                Objective::TransfersOnly => Aim::VehiclesOnly,
                Objective::Distance => Aim::Distance,
                Objective::Weighted(m) => Aim::Weighted(i64::from(m) * 60),
                Objective::Pareto => return refuse("use `raptor`, `tripbased` or `sweep`"),
                Objective::ParetoWalking => {
                    return refuse("use `raptor` or `sweep`, which count walks");
                }
            };
            let unit = match by {
                Objective::Distance => Unit::Centimetres,
                Objective::Transfers | Objective::TransfersOnly => Unit::Vehicles,
                _ => Unit::Seconds,
            };
            let left = match algorithm {
                Algorithm::Astar(_, h) => Some(h.estimates(&planner.table, day, ends, unit)),
                _ => None,
            };
            let graph = layer.expanded();
            let trail = searches
                .expanded
                .best(day, graph, ends, aim, left.as_ref(), follow);
            (trail.into_iter().collect(), searches.expanded.settled)
        }
        (Algorithm::Auto, _) => unreachable!("replaced above"),
    };
    Ok((found, settled, algorithm))
}

/// Reads an objective's answer from the Pareto set, fewest vehicles first.
fn pick(found: Vec<Trail>, by: Objective) -> Vec<Trail> {
    match by {
        Objective::Pareto | Objective::ParetoWalking => found,
        Objective::Transfers | Objective::TransfersOnly => found.into_iter().take(1).collect(),
        Objective::Weighted(m) => {
            let cost = |t: &Trail| i64::from(t.arrival) + i64::from(m) * 60 * t.rides.len() as i64;
            found.into_iter().min_by_key(cost).into_iter().collect()
        }
        Objective::Time | Objective::Distance => {
            found.into_iter().next_back().into_iter().collect()
        }
    }
}
