//! The planner: a timetable, a day and a way of walking, ready for questions.

use std::sync::{Arc, OnceLock};

use wits_search::Budget;

use crate::algo::Changes;
use crate::algo::{Expanded, Raptor};
use crate::bounds::Bounds;
use crate::calendar::NoService;
use crate::day::{Day, Disruption};
use crate::journey::{Ends, Trail};
use crate::limits::{FeedLimits, Gate, Halt, Quantity};
use crate::realtime::{Alert, Realtime};
use crate::time::Date;
use crate::timetable::Timetable;
use crate::view::Journey;
use crate::walk::{Walking, Walks};
use crate::watch::Watch;

/// How many days are laid out at first, so that a late passenger may wait for the morning.
pub const DAYS: i32 = 2;
/// How many are laid out when that is not enough.
pub const MANY_DAYS: i32 = 8;
/// No journey worth taking needs more vehicles.
pub const MOST_VEHICLES: usize = 30;

/// A timetable on a day. Everything heavy is made once, when it is first needed.
#[derive(Debug)]
pub struct Planner {
    /// The timetable.
    pub table: Arc<Timetable>,
    /// How passengers walk.
    pub walking: Walking,
    /// What does not run as it should.
    pub disruption: Disruption,
    /// What passengers should know today.
    pub alerts: Arc<Vec<Alert>>,
    limits: FeedLimits,
    bounds: Arc<OnceLock<Arc<Bounds>>>,
    day: Layer,
    many: OnceLock<Option<Layer>>,
    shared_many: Arc<OnceLock<Option<Layer>>>,
}

/// A day, its mirror and what some searches prepare for it. What is made once is shared by all
/// layers of the day, whatever budget they are under.
#[derive(Debug)]
pub struct Layer {
    /// The day.
    pub day: Day,
    mirror: OnceLock<Box<Layer>>,
    /// The mirror without its list of hops, for those who need only routes.
    light: OnceLock<Box<Day>>,
    expanded: OnceLock<Arc<Expanded>>,
    changes: OnceLock<Arc<Changes>>,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    mirror: OnceLock<Layer>,
    light: OnceLock<Day>,
    expanded: OnceLock<Arc<Expanded>>,
    changes: OnceLock<Arc<Changes>>,
}

impl Layer {
    fn new(day: Day) -> Layer {
        Layer::with(day, Arc::default())
    }

    fn with(day: Day, shared: Arc<Shared>) -> Layer {
        Layer {
            day,
            mirror: OnceLock::new(),
            light: OnceLock::new(),
            expanded: OnceLock::new(),
            changes: OnceLock::new(),
            shared,
        }
    }

    /// The same layer; searches on it end when the watch says so.
    fn under(&self, watch: &Watch) -> Layer {
        Layer::with(self.day.under(watch), Arc::clone(&self.shared))
    }

    /// Something made once for all layers of the day, unless the watch ends the making: then
    /// nobody else gets to see it.
    fn once<T: Clone>(&self, place: &OnceLock<T>, make: impl FnOnce() -> T) -> T {
        if let Some(made) = place.get() {
            return made.clone();
        }
        let made = make();
        if self.day.watch.cut() {
            return made;
        }
        place.get_or_init(|| made).clone()
    }

    fn mirrored(&self, hops: bool) -> Day {
        let budget = self.day.watch.budget();
        let mut gate = Gate::new(FeedLimits::TERMINAL, &budget);
        let mirror = self.day.mirrored_within(hops, &mut gate);
        mirror.unwrap_or_else(|_| {
            self.day.watch.over();
            self.day.empty()
        })
    }

    /// The day with time running backwards.
    pub fn mirror(&self) -> &Layer {
        self.mirror.get_or_init(|| {
            let watch = &self.day.watch;
            if let Some(made) = self.shared.mirror.get() {
                return Box::new(made.under(watch));
            }
            let made = Layer::new(self.mirrored(true));
            if watch.cut() {
                return Box::new(made);
            }
            Box::new(self.shared.mirror.get_or_init(|| made).under(watch))
        })
    }

    pub(crate) fn light_mirror(&self) -> &Day {
        self.light.get_or_init(|| {
            let day = self.once(&self.shared.light, || self.mirrored(false));
            Box::new(day.under(&self.day.watch))
        })
    }

    /// The nodes of the time-expanded graph.
    pub fn expanded(&self) -> &Expanded {
        self.expanded
            .get_or_init(|| self.once(&self.shared.expanded, || Arc::new(Expanded::new(&self.day))))
    }

    /// The changes of the trip-based search.
    pub fn changes(&self) -> &Changes {
        self.changes
            .get_or_init(|| self.once(&self.shared.changes, || Arc::new(Changes::new(&self.day))))
    }
}

impl Planner {
    /// Lays out a day of a timetable. Without a date it is the first working day with full
    /// service.
    pub fn new(
        table: Arc<Timetable>,
        walking: Walking,
        date: Option<Date>,
    ) -> Result<Planner, NoService> {
        Planner::disrupted(table, walking, date, Disruption::default())
    }

    /// The same with lines or trips that do not run as they should.
    pub fn disrupted(
        table: Arc<Timetable>,
        walking: Walking,
        date: Option<Date>,
        disruption: Disruption,
    ) -> Result<Planner, NoService> {
        let (limits, budget) = (FeedLimits::TERMINAL, Budget::endless());
        Planner::disrupted_within(table, walking, date, disruption, limits, &budget)
    }

    /// Lays out a day of a timetable under limits, until a budget is spent.
    ///
    /// # Errors
    ///
    /// Where nothing runs on the day, where it would take more memory than the limits allow, or
    /// when the budget is spent.
    pub fn within(
        table: Arc<Timetable>,
        walking: Walking,
        date: Option<Date>,
        limits: FeedLimits,
        budget: &Budget,
    ) -> Result<Planner, NoService> {
        let none = Disruption::default();
        Planner::disrupted_within(table, walking, date, none, limits, budget)
    }

    /// The same with vehicles as a realtime feed says that they run.
    ///
    /// # Errors
    ///
    /// As [`Planner::within`].
    pub fn live(
        table: Arc<Timetable>,
        walking: Walking,
        date: Option<Date>,
        realtime: &Realtime,
        limits: FeedLimits,
        budget: &Budget,
    ) -> Result<Planner, NoService> {
        let disruption = Disruption {
            live: realtime.runs.clone(),
            ..Disruption::default()
        };
        let mut planner =
            Planner::disrupted_within(table, walking, date, disruption, limits, budget)?;
        let (table, date) = (&planner.table, planner.date());
        let today = realtime.alerts.iter().filter(|a| a.holds_on(table, date));
        planner.alerts = Arc::new(today.cloned().collect());
        Ok(planner)
    }

    /// What somebody on one of some journeys should know.
    pub fn alerts_of(&self, journeys: &[Journey]) -> Vec<&Alert> {
        let met = |a: &&Alert| journeys.iter().any(|j| a.concerns(&self.table, j));
        self.alerts.iter().filter(met).collect()
    }

    fn disrupted_within(
        table: Arc<Timetable>,
        walking: Walking,
        date: Option<Date>,
        disruption: Disruption,
        limits: FeedLimits,
        budget: &Budget,
    ) -> Result<Planner, NoService> {
        let mut gate = Gate::new(limits, budget);
        gate.check(Quantity::StopTimes, table.calls())?;
        let walks = Walks::within(&table, walking, &mut gate)?;
        let day = Day::within(&table, date, DAYS, walks, &disruption, &mut gate)?;
        Ok(Planner {
            table,
            walking,
            disruption,
            alerts: Arc::default(),
            limits,
            bounds: Arc::default(),
            day: Layer::new(day),
            many: OnceLock::new(),
            shared_many: Arc::default(),
        })
    }

    /// Asks something within a budget: `planner.ask(&budget, |planner| planner.route(&question))`.
    /// Every search looks at the budget as it goes and ends soon after it is spent.
    ///
    /// # Errors
    ///
    /// [`Halt::Stopped`] where the budget was spent before the answer was whole.
    pub fn ask<T>(&self, budget: &Budget, question: impl FnOnce(Planner) -> T) -> Result<T, Halt> {
        let watch = Watch::new(budget);
        let answer = question(self.under(&watch));
        if watch.cut() {
            return Err(Halt::Stopped);
        }
        Ok(answer)
    }

    /// Whether the budget it was asked under was spent before the last answer was whole.
    pub fn stopped(&self) -> bool {
        self.watch().cut()
    }

    pub(crate) fn under(&self, watch: &Watch) -> Planner {
        Planner {
            table: Arc::clone(&self.table),
            walking: self.walking,
            disruption: self.disruption.clone(),
            alerts: Arc::clone(&self.alerts),
            limits: self.limits,
            bounds: Arc::clone(&self.bounds),
            day: self.day.under(watch),
            many: OnceLock::new(),
            shared_many: Arc::clone(&self.shared_many),
        }
    }

    pub(crate) fn watch(&self) -> &Watch {
        &self.day.day.watch
    }

    /// The same timetable on the same day with a disruption, under the same limits and watch.
    pub(crate) fn with_disruption(&self, disruption: &Disruption) -> Result<Planner, NoService> {
        let budget = self.watch().budget();
        let (table, date) = (Arc::clone(&self.table), self.date());
        let both = self.disruption.and(disruption);
        let planner =
            Planner::disrupted_within(table, self.walking, date, both, self.limits, &budget);
        if planner.is_err() {
            self.watch().over();
        }
        let mut planner = planner?.under(self.watch());
        planner.alerts = Arc::clone(&self.alerts);
        Ok(planner)
    }

    /// Lower bounds of travel times, where they hold: on a day as it is printed, and forwards.
    /// They are those of the packed file, or worked out now.
    pub fn bounds_on(&self, layer: &Layer) -> Option<Arc<Bounds>> {
        let plain = self.walking == Walking::Real && self.disruption == Disruption::default();
        if !plain || layer.day.is_mirror() {
            return None;
        }
        let make = || match &self.table.bounds {
            Some(kept) => Arc::clone(kept),
            None => Arc::new(Bounds::new(&self.table)),
        };
        Some(Arc::clone(self.bounds.get_or_init(make)))
    }

    /// The day that is planned for, where days have dates.
    pub fn date(&self) -> Option<Date> {
        self.day.day.date
    }

    /// The day (and the next).
    pub fn day(&self) -> &Day {
        &self.day.day
    }

    /// The day and what searches prepare for it.
    pub fn layer(&self) -> &Layer {
        &self.day
    }

    /// A week from the day on, for what cannot be reached sooner. Where a week takes more memory
    /// than the limits allow it is the day itself.
    pub fn week(&self) -> &Layer {
        let week = self.many.get_or_init(|| {
            let watch = self.watch();
            if let Some(made) = self.shared_many.get() {
                return made.as_ref().map(|week| week.under(watch));
            }
            let budget = watch.budget();
            let mut gate = Gate::new(self.limits, &budget);
            let (walks, date) = (self.day.day.walks.clone(), self.date());
            let (table, disruption) = (&self.table, &self.disruption);
            let day = Day::within(table, date, MANY_DAYS, walks, disruption, &mut gate);
            let made = day.ok().map(Layer::new);
            if made.is_none() && watch.over() {
                return None;
            }
            let made = self.shared_many.get_or_init(|| made);
            made.as_ref().map(|week| week.under(watch))
        });
        week.as_ref().unwrap_or(&self.day)
    }

    /// The most agreeable of all journeys that are equally good: of those with the same arrival
    /// and at most as many vehicles the one that leaves last, with the longest buffers.
    /// With `walked` nothing may be walked further, either.
    pub fn tidy(layer: &Layer, ends: &Ends, trail: Trail, walked: bool) -> Trail {
        if trail.rides.is_empty() {
            return trail;
        }
        let (day, mirror) = (&layer.day, layer.light_mirror());
        let mut raptor = Raptor::default();
        let most = trail.rides.len();
        let farthest = trail.walked_cm(day, ends);
        let back = Ends::new(mirror, &ends.to, &ends.from, mirror.flip(trail.arrival));
        let mut best = trail;
        let mut offer = |candidate: Trail| {
            let rank = |t: &Trail| {
                (
                    t.rides.len(),
                    -t.departure(day, ends),
                    -t.buffer(day).min(600),
                )
            };
            if candidate.arrival == best.arrival
                && candidate.holds(day, ends)
                && (!walked || candidate.walked_cm(day, ends) <= farthest)
                && rank(&candidate) < rank(&best)
            {
                best = candidate;
            }
        };
        let mut latest = ends.at;
        for found in raptor.pareto(mirror, &back, most, &mut ()) {
            let found = unmirrored(mirror, &found);
            if found.rides.is_empty() {
                continue;
            }
            let last = found.rides[found.rides.len() - 1];
            let stop = day.stops_of(day.runs[last.run as usize].route)[last.alight as usize];
            let walk = ends.egress.iter().find(|e| e.0 == stop).map_or(0, |e| e.1);
            let arrival = day.calls(last.run)[last.alight as usize].arrival + walk;
            let found = Trail { arrival, ..found };
            latest = latest.max(found.departure(day, ends));
            offer(found);
        }
        // Boarding as early as possible on the way leaves more time at the changes.
        let again = Ends {
            at: latest,
            ..ends.clone()
        };
        for found in raptor.pareto(day, &again, most, &mut ()) {
            offer(found);
        }
        best
    }
}

/// A trail of the mirrored day as one of the day itself; its arrival is still to be set.
pub(crate) fn unmirrored(mirror: &Day, trail: &Trail) -> Trail {
    let rides = trail
        .rides
        .iter()
        .rev()
        .map(|ride| {
            let len = mirror.routes[mirror.runs[ride.run as usize].route as usize].len;
            crate::journey::Ride {
                run: mirror.twin(ride.run),
                board: len - 1 - ride.alight,
                alight: len - 1 - ride.board,
            }
        })
        .collect();
    Trail {
        arrival: trail.arrival,
        rides,
    }
}
