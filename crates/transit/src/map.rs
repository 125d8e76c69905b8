//! What a map of the timetable needs: places, and the hops between them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::planner::Planner;
use crate::shape::Point;
use crate::time::Date;
use crate::timetable::Mode;
use crate::view::Leg;

/// The most stretches that lie under the thread of a search: more cannot be told apart.
const MOST_STROKES: usize = 5000;

/// The network of a day, small enough to be sent to a page.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Network {
    /// Where the timetable comes from.
    pub title: String,
    /// The day, where days have dates.
    pub date: Option<Date>,
    /// West, south, east and north edge in kilometres.
    pub frame: [f64; 4],
    /// Names of stops.
    pub names: Vec<String>,
    /// Lines: what is written on the vehicle, its kind, and the colours that the feed gives it and
    /// the text on it, as `#rrggbb`.
    pub lines: Vec<(String, Mode, Option<String>, Option<String>)>,
    /// Stops in the order of the timetable: index of the name, kilometres east and north (none
    /// where the place is unknown), lines that call there.
    pub stops: Vec<Dot>,
    /// Stretches between two stops that vehicles use without stopping: the stops, the kind of
    /// most vehicles, how many there are in a day, both directions together, and the line of most.
    pub stretches: Vec<Stretch>,
    /// Ways along streets and rails of the stretches that are not straight, where the feed draws
    /// them: index of the stretch, then kilometres east and north of each point.
    pub bends: Vec<(u32, Vec<f64>)>,
}

/// A stretch on the map: two stops, kind, vehicles, line.
pub type Stretch = (u32, u32, Mode, u32, u32);

/// A colour as pages write it.
pub fn hex(colour: u32) -> String {
    format!("#{colour:06x}")
}

/// A stop on the map: index of its name, kilometres east and north, lines that call there.
pub type Dot = (u32, Option<f64>, Option<f64>, Vec<u32>);

/// Kilometres to the metre: more is noise on a map.
fn km(value: f32) -> Option<f64> {
    value.is_finite().then(|| metre(f64::from(value)))
}

fn metre(km: f64) -> f64 {
    (km * 1000.0).round() / 1000.0
}

/// Points as numbers, east and north in turn.
pub(crate) fn flat(way: &[Point]) -> Vec<f64> {
    way.iter().flat_map(|p| [metre(p.0), metre(p.1)]).collect()
}

impl Planner {
    /// The way of a ride along streets and rails for a map, where the feed draws it:
    /// kilometres east and north of each point in turn.
    pub fn drawn(&self, leg: &Leg) -> Option<Vec<f64>> {
        self.way(leg).map(|way| flat(&way))
    }

    /// The edges of the map around all stops with service: west, south, east, north.
    pub fn frame(&self) -> [f64; 4] {
        self.frame_of(self.served().into_iter())
    }

    /// The edges of the map around some stops.
    pub(crate) fn frame_of(&self, stops: impl Iterator<Item = u32>) -> [f64; 4] {
        let mut frame = [
            f64::INFINITY,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NEG_INFINITY,
        ];
        for stop in stops {
            let s = &self.table.stops[stop as usize];
            if let (Some(x), Some(y)) = (km(s.x), km(s.y)) {
                frame = [
                    frame[0].min(x),
                    frame[1].min(y),
                    frame[2].max(x),
                    frame[3].max(y),
                ];
            }
        }
        if frame[0].is_finite() {
            frame
        } else {
            [-1.0, -1.0, 1.0, 1.0]
        }
    }

    /// The stretches of the day, each with its vehicles; see [`Network::stretches`].
    fn stretches(&self) -> Vec<Stretch> {
        let day = self.day();
        let mut runs: BTreeMap<(u32, u32), BTreeMap<u32, u32>> = BTreeMap::new();
        for (index, route) in (0u32..).zip(&day.routes) {
            let today = (route.first_run..route.first_run + route.runs)
                .filter(|&run| day.runs[run as usize].day == 0)
                .count() as u32;
            for hop in day.stops_of(index).windows(2).filter(|_| today > 0) {
                let key = (hop[0].min(hop[1]), hop[0].max(hop[1]));
                *runs.entry(key).or_default().entry(route.line).or_default() += today;
            }
        }
        runs.into_iter()
            .filter(|((a, b), _)| a != b)
            .map(|((a, b), lines)| {
                let total = lines.values().sum();
                let mode = |line: u32| self.table.lines[line as usize].mode;
                let of = |m: Mode| {
                    let own = lines.iter().filter(|l| mode(*l.0) == m);
                    own.map(|l| *l.1).sum::<u32>()
                };
                let most = Mode::ALL.into_iter().rev().max_by_key(|&m| of(m));
                let line = lines.iter().rev().max_by_key(|l| l.1).map_or(0, |l| *l.0);
                (a, b, most.unwrap_or(Mode::Other), total, line)
            })
            .collect()
    }

    /// The drawn ways of stretches; see [`Network::bends`].
    fn bends(&self, stretches: &[Stretch]) -> Vec<(u32, Vec<f64>)> {
        let table = &*self.table;
        let plane = table.plane();
        let mut drawn: BTreeMap<(u32, u32), Vec<Point>> = BTreeMap::new();
        for pattern in 0..table.patterns.len() as u32 {
            let hops = table.stops_of(pattern).windows(2);
            let key = |hop: &[u32]| (hop[0].min(hop[1]), hop[0].max(hop[1]));
            // Most patterns of a line share their stretches: what is drawn is not drawn again.
            if hops.clone().all(|hop| drawn.contains_key(&key(hop))) {
                continue;
            }
            for (hop, way) in hops.zip(table.ways_of(&plane, pattern).into_iter().flatten()) {
                drawn.entry(key(hop)).or_insert(way);
            }
        }
        let bent = (0u32..).zip(stretches).filter_map(|(index, &(a, b, ..))| {
            let way = drawn.get(&(a, b)).filter(|way| way.len() > 2)?;
            Some((index, flat(way)))
        });
        bent.collect()
    }

    /// The network for a map.
    pub fn network(&self) -> Network {
        let table = &*self.table;
        let lines_at = table.lines_at();
        let stretches = self.stretches();
        Network {
            bends: self.bends(&stretches),
            title: table.title.clone(),
            date: self.date(),
            frame: self.frame(),
            names: table.names.clone(),
            lines: table
                .lines
                .iter()
                .map(|l| {
                    let [paint, ink] = l.colours.map_or([None; 2], |c| [Some(c.0), Some(c.1)]);
                    (l.name.clone(), l.mode, paint.map(hex), ink.map(hex))
                })
                .collect(),
            stops: table
                .stops
                .iter()
                .zip(lines_at)
                .map(|(s, lines)| (s.name, km(s.x), km(s.y), lines))
                .collect(),
            stretches,
        }
    }

    /// The stretches as lines on the map, four numbers each: for the background of a thread.
    pub(crate) fn strokes(&self, [west, south, east, north]: [f64; 4]) -> Vec<f64> {
        let place = |stop: u32| {
            let s = &self.table.stops[stop as usize];
            Some((km(s.x)?, km(s.y)?))
        };
        let inside = |a: (f64, f64), b: (f64, f64)| {
            (a.0.max(b.0) >= west && a.0.min(b.0) <= east)
                && (a.1.max(b.1) >= south && a.1.min(b.1) <= north)
        };
        let drawn = |(a, b, _, vehicles, _): Stretch| {
            let (a, b) = (place(a)?, place(b)?);
            inside(a, b).then_some((vehicles, [a.0, a.1, b.0, b.1]))
        };
        let mut drawn: Vec<_> = self.stretches().into_iter().filter_map(drawn).collect();
        if drawn.len() > MOST_STROKES {
            drawn.sort_by_key(|one| Reverse(one.0));
            drawn.truncate(MOST_STROKES);
        }
        drawn.into_iter().flat_map(|one| one.1).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::{CityPlan, Planner, Walking, generate};

    #[test]
    fn every_hop_of_the_day_is_on_the_map() {
        let plan = CityPlan {
            size: 0.1,
            ..CityPlan::default()
        };
        let planner = Planner::new(Arc::new(generate(&plan)), Walking::Real, None).unwrap();
        let network = planner.network();
        assert_eq!(network.stops.len(), planner.table.stops.len());
        let day = planner.day();
        let hops = |today: bool| -> u32 {
            let runs = (0u32..).zip(&day.runs);
            runs.filter(|(_, run)| !today || run.day == 0)
                .map(|(run, _)| day.calls(run).len() as u32 - 1)
                .sum()
        };
        let drawn: u32 = network.stretches.iter().map(|s| s.3).sum();
        assert_eq!(drawn, hops(true));
        assert!(drawn < hops(false));
        let [west, south, east, north] = network.frame;
        for (_, x, y, _) in &network.stops {
            let (x, y) = (x.unwrap(), y.unwrap());
            assert!((west..=east).contains(&x) && (south..=north).contains(&y));
        }
    }
}
