//! Journeys as people and scripts read them.

use serde::Serialize;

use crate::day::Day;
use crate::journey::{Ends, Trail};
use crate::time::{DAY, Time};
use crate::timetable::Timetable;

/// A journey, told.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Journey {
    /// First departure, less the walk to it.
    pub departure: Time,
    /// Arrival at the target.
    pub arrival: Time,
    /// Minutes from the first departure to the arrival.
    pub minutes: i32,
    /// Minutes from the asked time to the arrival (for "arrive by": from the departure to it).
    pub total_minutes: i32,
    /// Vehicles boarded.
    pub vehicles: usize,
    /// Changes between them.
    pub transfers: usize,
    /// Kilometres, stop by stop in straight lines, walks included.
    pub km: f64,
    /// Metres on foot.
    pub walk_metres: u64,
    /// What the objective counted: minutes, vehicles or kilometres.
    pub cost: f64,
    /// Shortest time to spare at a change, in minutes; none without changes.
    pub buffer: Option<i32>,
    /// Rides and walks in order.
    pub legs: Vec<Leg>,
}

/// One ride or walk.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Leg {
    /// The line, or `walk`.
    pub line: String,
    /// Who runs it.
    pub company: String,
    /// Where it ends for everybody, not only for this passenger.
    pub towards: String,
    /// From this stop.
    pub from: String,
    /// To this stop.
    pub to: String,
    /// Departure.
    pub departure: Time,
    /// Arrival.
    pub arrival: Time,
    /// Kilometres.
    pub km: f64,
    /// Every stop on the way, the first and last included.
    pub stops: Vec<Calling>,
    /// The trip of the timetable, so that it can be delayed or cancelled; none for a walk.
    pub trip: Option<u32>,
    /// Minutes by which it departs later than the timetable says, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<i32>,
    /// About every how many minutes it runs, where the feed has no timetable for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headway: Option<i32>,
}

/// A stop on the way.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Calling {
    /// Its name.
    pub name: String,
    /// Its index in the timetable.
    pub stop: u32,
    /// Arrival (of a vehicle at its first stop: departure).
    pub arrival: Time,
    /// Departure.
    pub departure: Time,
}

/// Whole minutes, rounded up: 61 seconds are two minutes on a timetable.
pub(crate) fn minutes(seconds: i32) -> i32 {
    (seconds + 59).div_euclid(60)
}

pub(crate) fn km(cm: u64) -> f64 {
    ((cm as f64 / 100.0).round()) / 1000.0
}

/// Minutes by which a run departs from a position later than planned (earlier, if negative), if
/// it does.
pub(crate) fn late(table: &Timetable, day: &Day, run: u32, position: u32) -> Option<i32> {
    let of = day.runs[run as usize];
    let planned = table.times_of(of.trip).nth(position as usize)?.1 + of.day * DAY;
    let late = day.calls(run)[position as usize].departure - planned;
    (late != 0).then(|| (late + 30).div_euclid(60))
}

/// Tells a trail.
pub(crate) fn tell(table: &Timetable, day: &Day, ends: &Ends, trail: &Trail) -> Journey {
    let mut legs = Vec::new();
    let mut at = ends.at;
    let stop_of =
        |run: u32, position: u32| day.stops_of(day.runs[run as usize].route)[position as usize];
    let mut here: Option<u32> = None;
    let departure = trail.departure(day, ends);
    for ride in &trail.rides {
        let run = day.runs[ride.run as usize];
        let calls = day.calls(ride.run);
        let board = stop_of(ride.run, ride.board);
        let from = match here {
            None => {
                at = departure;
                start_of(day, ends, board)
            }
            Some(stop) => stop,
        };
        if from != board {
            let walk = day.walks.from(from).iter().find(|w| w.to == board).copied();
            legs.push(walk_leg(
                table,
                from,
                board,
                at,
                walk.map_or(0, |w| w.seconds),
                walk.map_or(0, |w| w.cm),
            ));
        }
        let stops = day.stops_of(run.route);
        let span = ride.board as usize..=ride.alight as usize;
        let route = &day.routes[run.route as usize];
        let hops = &day.hops_cm
            [(route.first_stop + ride.board) as usize..(route.first_stop + ride.alight) as usize];
        let line = &table.lines[route.line as usize];
        let alight = stop_of(ride.run, ride.alight);
        legs.push(Leg {
            line: line.name.clone(),
            company: line.company.clone(),
            towards: table.stop_name(stops[stops.len() - 1]).to_owned(),
            from: table.stop_name(board).to_owned(),
            to: table.stop_name(alight).to_owned(),
            departure: Time(calls[ride.board as usize].departure),
            arrival: Time(calls[ride.alight as usize].arrival),
            km: km(hops.iter().map(|&h| u64::from(h)).sum()),
            stops: stops[span.clone()]
                .iter()
                .zip(&calls[span])
                .map(|(&stop, call)| Calling {
                    name: table.stop_name(stop).to_owned(),
                    stop,
                    arrival: Time(call.arrival),
                    departure: Time(call.departure),
                })
                .collect(),
            trip: Some(run.trip),
            late: late(table, day, ride.run, ride.board),
            headway: table.headway_of(run.trip).map(|h| minutes(h as i32)),
        });
        here = Some(alight);
        at = calls[ride.alight as usize].arrival;
    }
    let last = here.or_else(|| {
        let walked = |s: u32| {
            ends.to.contains(&s) || day.walks.from(s).iter().any(|w| ends.to.contains(&w.to))
        };
        ends.from.iter().copied().find(|&s| walked(s))
    });
    if let Some(stop) = last.filter(|s| !ends.to.contains(s)) {
        let walk = day
            .walks
            .from(stop)
            .iter()
            .filter(|w| ends.to.contains(&w.to))
            .min_by_key(|w| w.seconds);
        if let Some(walk) = walk {
            legs.push(walk_leg(table, stop, walk.to, at, walk.seconds, walk.cm));
        }
    }
    let vehicles = trail.rides.len();
    Journey {
        departure: Time(departure),
        arrival: Time(trail.arrival),
        minutes: minutes(trail.arrival - departure),
        total_minutes: minutes(trail.arrival - ends.at),
        vehicles,
        transfers: vehicles.saturating_sub(1),
        km: km(trail.cm(day, ends)),
        walk_metres: (trail.walked_cm(day, ends) + 50) / 100,
        cost: 0.0,
        buffer: (vehicles > 1).then(|| trail.buffer(day).div_euclid(60)),
        legs,
    }
}

/// The stop from which one walks to the first vehicle.
fn start_of(day: &Day, ends: &Ends, board: u32) -> u32 {
    if ends.from.contains(&board) {
        return board;
    }
    let walk = |from: u32| {
        day.walks
            .from(from)
            .iter()
            .find(|w| w.to == board)
            .map(|w| w.seconds)
    };
    ends.from
        .iter()
        .copied()
        .filter(|&s| walk(s).is_some())
        .min_by_key(|&s| walk(s))
        .unwrap_or(board)
}

fn walk_leg(table: &Timetable, from: u32, to: u32, at: i32, seconds: i32, cm: u32) -> Leg {
    let call = |stop: u32, time: i32| Calling {
        name: table.stop_name(stop).to_owned(),
        stop,
        arrival: Time(time),
        departure: Time(time),
    };
    Leg {
        line: "walk".to_owned(),
        company: String::new(),
        towards: String::new(),
        from: table.stop_name(from).to_owned(),
        to: table.stop_name(to).to_owned(),
        departure: Time(at),
        arrival: Time(at + seconds),
        km: km(u64::from(cm)),
        stops: vec![call(from, at), call(to, at + seconds)],
        trip: None,
        late: None,
        headway: None,
    }
}
