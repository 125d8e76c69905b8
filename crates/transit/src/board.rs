//! The departure board of a stop.

use serde::Serialize;

use crate::planner::Planner;
use crate::time::Time;
use crate::timetable::Mode;

/// One row of a departure board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Row {
    /// When it leaves.
    pub departure: Time,
    /// Its line.
    pub line: String,
    /// What kind of vehicle it is.
    pub mode: Mode,
    /// Where it ends.
    pub towards: String,
    /// The stops on the way that most lines call at, at most three.
    pub via: Vec<String>,
    /// The stop it leaves from, where a name has several.
    pub stop: u32,
    /// The feed's id of that stop.
    pub code: String,
    /// The trip of the timetable.
    pub trip: u32,
    /// Minutes by which it departs later than planned, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<i32>,
}

impl Planner {
    /// What leaves from some stops at a time or later, in order, at most `most` vehicles. Vehicles
    /// that end there are not shown.
    pub fn board(&self, stops: &[u32], at: Time, most: usize) -> Vec<Row> {
        let (day, table) = (self.day(), &*self.table);
        let mut found: Vec<(i32, u32, u32, u32)> = Vec::new();
        for &stop in stops {
            for &(index, position) in day.routes_at(stop) {
                let route = &day.routes[index as usize];
                if position + 1 == route.len || !day.boards(route, position) {
                    continue;
                }
                let Some(first) = day.board(route, position, at.0) else {
                    continue;
                };
                // More than `most` of one route cannot be among the first `most` of all.
                let last = (route.first_run + route.runs).min(first.saturating_add(most as u32));
                for run in first..last {
                    let departure = day.call(route, run, position).departure;
                    found.push((departure, route.line, run, position));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found.truncate(most);
        let busy = table.lines_at();
        let row = |(departure, line, run, position): (i32, u32, u32, u32)| {
            let stops = day.stops_of(day.runs[run as usize].route);
            let line = &table.lines[line as usize];
            let inner = position as usize + 1..stops.len() - 1;
            let mut via: Vec<usize> = inner.collect();
            via.sort_by_key(|&i| (std::cmp::Reverse(busy[stops[i] as usize].len()), i));
            via.truncate(3);
            via.sort_unstable();
            Row {
                departure: Time(departure),
                line: line.name.clone(),
                mode: line.mode,
                towards: table.stop_name(stops[stops.len() - 1]).to_owned(),
                via: via
                    .iter()
                    .map(|&i| table.stop_name(stops[i]).to_owned())
                    .collect(),
                stop: stops[position as usize],
                code: table.stops[stops[position as usize] as usize].code.clone(),
                trip: day.runs[run as usize].trip,
                late: crate::view::late(table, day, run, position),
            }
        };
        found.into_iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::{CityPlan, Planner, Time, Walking, generate};

    #[test]
    fn the_board_is_the_list_of_hops_from_there() {
        let plan = CityPlan {
            size: 0.1,
            ..CityPlan::default()
        };
        let planner = Planner::new(Arc::new(generate(&plan)), Walking::Real, None).unwrap();
        let served = planner.served();
        let mut seen = 0;
        for &stop in served.iter().step_by(7) {
            for (at, most) in [(Time::hm(7, 55), 25), (Time::hm(23, 30), 9)] {
                let board = planner.board(&[stop], at, most);
                let hops = planner.day().connections.iter();
                let all: Vec<i32> = hops
                    .filter(|c| c.from == stop && c.departure >= at.0)
                    .map(|c| c.departure)
                    .take(most)
                    .collect();
                let told: Vec<i32> = board.iter().map(|row| row.departure.0).collect();
                assert_eq!(told, all, "stop {stop}");
                seen += told.len();
            }
        }
        assert!(seen > 100);
    }
}
