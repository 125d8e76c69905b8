//! What is in a feed: the report's analysis of its data, for any timetable.

use std::collections::HashMap;

use serde::Serialize;

use crate::planner::Planner;
use crate::time::{DAY, Date, Time};

/// Facts about a timetable and the day that is planned for.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Description {
    /// Where it comes from.
    pub title: String,
    /// The day, where days have dates.
    pub date: Option<Date>,
    /// Stops.
    pub stops: usize,
    /// Distinct names.
    pub names: usize,
    /// Lines.
    pub lines: usize,
    /// Trips, whatever the day.
    pub trips: usize,
    /// Hops of all trips.
    pub connections: usize,
    /// Hops that depart on the day.
    pub connections_of_day: usize,
    /// Hops of the day that take no time at all.
    pub instant_hops: usize,
    /// Stops where nothing departs on the day.
    pub stops_without_service: usize,
    /// The pair of names with the most hops in a day.
    pub most_parallel: Option<Pair>,
    /// The longest time without any departure that begins on the day or in the night after it:
    /// from, to.
    pub night_gap: Option<(Time, Time)>,
    /// Same-named stops that are farthest apart.
    pub widest_names: Vec<Width>,
    /// Lines with a trip that calls at two different stops of one name.
    pub lines_through_one_name_twice: Vec<(String, String)>,
    /// The two stops that are farthest apart.
    pub farthest: Option<Pair>,
    /// The fastest hop that takes any time.
    pub fastest: Option<Hop>,
}

/// Two stops and a number.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Pair {
    /// One.
    pub from: String,
    /// The other.
    pub to: String,
    /// Hops in a day, or kilometres.
    pub value: f64,
}

/// How far apart stops of one name are.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Width {
    /// The name.
    pub name: String,
    /// Metres between the two farthest.
    pub metres: f64,
    /// How many stops bear it.
    pub stops: usize,
}

/// A hop and its speed.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Hop {
    /// Line.
    pub line: String,
    /// From.
    pub from: String,
    /// To.
    pub to: String,
    /// Kilometres an hour, in a straight line.
    pub kmh: f64,
}

impl Planner {
    /// Describes the timetable.
    pub fn describe(&self) -> Description {
        let (table, day) = (&*self.table, self.day());
        let name = |s: u32| table.stop_name(s).to_owned();
        let today: Vec<_> = day
            .connections
            .iter()
            .filter(|c| c.departure < DAY)
            .collect();
        let mut parallel: HashMap<(u32, u32), u32> = HashMap::new();
        for c in &today {
            let key = (
                table.stops[c.from as usize].name,
                table.stops[c.to as usize].name,
            );
            *parallel.entry(key).or_default() += 1;
        }
        // Ties go to the smaller names, so that the answer does not depend on a hash.
        let most_parallel = parallel
            .iter()
            .map(|(&(a, b), &n)| (n, std::cmp::Reverse((a, b))))
            .max()
            .map(|(n, std::cmp::Reverse((a, b)))| Pair {
                from: table.names[a as usize].clone(),
                to: table.names[b as usize].clone(),
                value: f64::from(n),
            });
        let night_gap = day
            .connections
            .windows(2)
            // Last departures are often after midnight, so the night belongs to the day before it.
            .filter(|w| w[0].departure < DAY + DAY / 2)
            .max_by_key(|w| w[1].departure - w[0].departure)
            .map(|w| (Time(w[0].departure), Time(w[1].departure)));
        let speed = |c: &crate::day::Connection| {
            let seconds = f64::from(c.arrival - c.departure);
            f64::from(day.distance_cm(c.from, c.to)) / 100_000.0 / seconds * 3600.0
        };
        let fastest = today
            .iter()
            .filter(|c| c.arrival > c.departure)
            .max_by(|a, b| speed(a).total_cmp(&speed(b)))
            .map(|c| Hop {
                line: table.lines
                    [day.routes[day.runs[c.run as usize].route as usize].line as usize]
                    .name
                    .clone(),
                from: name(c.from),
                to: name(c.to),
                kmh: (speed(c) * 10.0).round() / 10.0,
            });
        Description {
            title: table.title.clone(),
            date: self.date(),
            stops: table.stops.len(),
            names: table.names.len(),
            lines: table.lines.len(),
            trips: table.trips.len(),
            connections: table.connections(),
            connections_of_day: today.len(),
            instant_hops: today.iter().filter(|c| c.arrival == c.departure).count(),
            stops_without_service: (0..day.stops as u32)
                .filter(|&s| day.routes_at(s).is_empty())
                .count(),
            most_parallel,
            night_gap,
            widest_names: self.widest(),
            lines_through_one_name_twice: self.doubled(),
            farthest: self.farthest(),
            fastest,
        }
    }

    fn widest(&self) -> Vec<Width> {
        let table = &*self.table;
        let mut groups: Vec<Vec<u32>> = vec![Vec::new(); table.names.len()];
        for (index, stop) in (0u32..).zip(&table.stops) {
            groups[stop.name as usize].push(index);
        }
        let mut all: Vec<Width> = groups
            .iter()
            .zip(&table.names)
            .filter(|(g, _)| g.len() > 1)
            .map(|(group, name)| {
                let pairs = group
                    .iter()
                    .flat_map(|&a| group.iter().map(move |&b| (a, b)));
                let cm = pairs
                    .map(|(a, b)| table.distance_cm(a, b))
                    .max()
                    .unwrap_or(0);
                Width {
                    name: name.clone(),
                    metres: f64::from(cm) / 100.0,
                    stops: group.len(),
                }
            })
            .collect();
        all.sort_by(|a, b| b.metres.total_cmp(&a.metres).then(a.name.cmp(&b.name)));
        all.truncate(10);
        all
    }

    fn doubled(&self) -> Vec<(String, String)> {
        let table = &*self.table;
        let mut found: Vec<(String, String)> = Vec::new();
        for (index, pattern) in (0u32..).zip(&table.patterns) {
            let mut seen: HashMap<u32, u32> = HashMap::new();
            for &stop in table.stops_of(index) {
                let name = table.stops[stop as usize].name;
                if seen.insert(name, stop).is_some_and(|other| other != stop) {
                    let line = table.lines[pattern.line as usize].name.clone();
                    found.push((line, table.names[name as usize].clone()));
                }
            }
        }
        found.sort();
        found.dedup();
        found
    }

    /// The farthest pair of stops: both are corners of the convex hull.
    fn farthest(&self) -> Option<Pair> {
        let table = &*self.table;
        let served: Vec<u32> = self.served();
        let place = |s: u32| {
            (
                f64::from(table.stops[s as usize].x),
                f64::from(table.stops[s as usize].y),
            )
        };
        let mut hull: Vec<u32> = served
            .iter()
            .copied()
            .filter(|&s| place(s).0.is_finite())
            .collect();
        hull.sort_by(|&a, &b| {
            place(a)
                .0
                .total_cmp(&place(b).0)
                .then(place(a).1.total_cmp(&place(b).1))
        });
        let hull = convex(&hull, &place);
        let pairs = hull
            .iter()
            .flat_map(|&a| hull.iter().map(move |&b| (a, b)))
            .filter(|(a, b)| a < b);
        let (cm, a, b) = pairs.map(|(a, b)| (table.distance_cm(a, b), a, b)).max()?;
        Some(Pair {
            from: table.stop_name(a).to_owned(),
            to: table.stop_name(b).to_owned(),
            value: f64::from(cm) / 100_000.0,
        })
    }
}

/// The convex hull of sorted points (Andrew's monotone chain).
fn convex(sorted: &[u32], place: &impl Fn(u32) -> (f64, f64)) -> Vec<u32> {
    if sorted.len() < 3 {
        return sorted.to_vec();
    }
    let turns_right = |a: u32, b: u32, c: u32| {
        let (a, b, c) = (place(a), place(b), place(c));
        (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0) <= 0.0
    };
    let half = |points: &mut dyn Iterator<Item = u32>| {
        let mut chain: Vec<u32> = Vec::new();
        for p in points {
            while chain.len() >= 2 && turns_right(chain[chain.len() - 2], chain[chain.len() - 1], p)
            {
                chain.pop();
            }
            chain.push(p);
        }
        chain
    };
    let mut hull = half(&mut sorted.iter().copied());
    hull.extend(half(&mut sorted.iter().rev().copied()));
    hull.sort_unstable();
    hull.dedup();
    hull
}
