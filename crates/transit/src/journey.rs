//! Journeys: rides on runs, and the walks between them.

use crate::day::Day;
use crate::time::NEVER;

/// A ride: a run, boarded and left at positions of its route.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ride {
    /// The run of the day.
    pub run: u32,
    /// Where it is boarded.
    pub board: u32,
    /// Where it is left.
    pub alight: u32,
}

/// The ends of a journey: from any of some stops, to any of others, from a time on.
///
/// Walks at both ends are worked out once: `access` and `egress` are the stops that can be
/// walked from and to, with seconds and centimetres, the given ones first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ends {
    /// Where the journey may start.
    pub from: Vec<u32>,
    /// Where it may end.
    pub to: Vec<u32>,
    /// When the passenger is ready.
    pub at: i32,
    /// Stops where a first vehicle can be boarded.
    pub access: Vec<(u32, i32, u32)>,
    /// Stops where a last vehicle can be left.
    pub egress: Vec<(u32, i32, u32)>,
}

impl Ends {
    /// Works out the walks at both ends.
    pub fn new(day: &Day, from: &[u32], to: &[u32], at: i32) -> Ends {
        Ends {
            from: from.to_vec(),
            to: to.to_vec(),
            at,
            access: spread(from, |s| day.walks.from(s)),
            // Walks are symmetric in time only by accident, so look from every stop that can
            // reach the target; closed walks are few.
            egress: gather(day, to),
        }
    }

    /// Seconds to walk the whole way without any vehicle, and centimetres.
    pub fn on_foot(&self) -> Option<(i32, u32)> {
        self.access
            .iter()
            .filter(|a| self.to.contains(&a.0))
            .map(|a| (a.1, a.2))
            .min()
    }
}

fn spread<'w>(
    stops: &[u32],
    walks: impl Fn(u32) -> &'w [crate::walk::Footpath],
) -> Vec<(u32, i32, u32)> {
    let mut list: Vec<(u32, i32, u32)> = stops.iter().map(|&s| (s, 0, 0)).collect();
    let given = list.len();
    for &stop in stops {
        for path in walks(stop) {
            match list.iter_mut().find(|l| l.0 == path.to) {
                None => list.push((path.to, path.seconds, path.cm)),
                Some(known) if (path.seconds, path.cm) < (known.1, known.2) => {
                    (known.1, known.2) = (path.seconds, path.cm);
                }
                Some(_) => {}
            }
        }
    }
    list[given..].sort_unstable();
    list
}

fn gather(day: &Day, to: &[u32]) -> Vec<(u32, i32, u32)> {
    let mut list: Vec<(u32, i32, u32)> = to.iter().map(|&s| (s, 0, 0)).collect();
    let given = list.len();
    for &target in to {
        for back in day.walks.towards(target) {
            match list.iter_mut().find(|l| l.0 == back.to) {
                None => list.push((back.to, back.seconds, back.cm)),
                Some(known) if (back.seconds, back.cm) < (known.1, known.2) => {
                    (known.1, known.2) = (back.seconds, back.cm);
                }
                Some(_) => {}
            }
        }
    }
    list[given..].sort_unstable();
    list
}

/// What a search found: when the passenger arrives and which vehicles they take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trail {
    /// Arrival at the target, walk included.
    pub arrival: i32,
    /// The rides in order; none if the whole way is walked.
    pub rides: Vec<Ride>,
}

impl Trail {
    /// The whole way on foot, if that is possible.
    pub fn walked(ends: &Ends) -> Option<Trail> {
        ends.on_foot().map(|(seconds, _)| Trail {
            arrival: ends.at + seconds,
            rides: Vec::new(),
        })
    }

    /// When the passenger must set out: the first departure less the walk to it.
    pub fn departure(&self, day: &Day, ends: &Ends) -> i32 {
        match self.rides.first() {
            None => ends.at,
            Some(ride) => {
                let stop = day.stops_of(day.runs[ride.run as usize].route)[ride.board as usize];
                let walk = ends.access.iter().find(|a| a.0 == stop).map_or(0, |a| a.1);
                day.calls(ride.run)[ride.board as usize].departure - walk
            }
        }
    }

    /// Length in centimetres, walks included.
    pub fn cm(&self, day: &Day, ends: &Ends) -> u64 {
        let (Some(first), Some(last)) = (self.rides.first(), self.rides.last()) else {
            return ends.on_foot().map_or(0, |w| u64::from(w.1));
        };
        let stop =
            |ride: &Ride, at: u32| day.stops_of(day.runs[ride.run as usize].route)[at as usize];
        let end = |list: &[(u32, i32, u32)], stop: u32| {
            list.iter()
                .find(|l| l.0 == stop)
                .map_or(0, |l| u64::from(l.2))
        };
        let mut total = end(&ends.access, stop(first, first.board))
            + end(&ends.egress, stop(last, last.alight));
        for ride in &self.rides {
            let route = &day.routes[day.runs[ride.run as usize].route as usize];
            let hops = &day.hops_cm[(route.first_stop + ride.board) as usize
                ..(route.first_stop + ride.alight) as usize];
            total += hops.iter().map(|&h| u64::from(h)).sum::<u64>();
        }
        for pair in self.rides.windows(2) {
            let (a, b) = (
                stop(&pair[0], pair[0].alight),
                stop(&pair[1], pair[1].board),
            );
            if a != b {
                total += day
                    .walks
                    .from(a)
                    .iter()
                    .find(|w| w.to == b)
                    .map_or(0, |w| u64::from(w.cm));
            }
        }
        total
    }

    /// Centimetres on foot.
    pub fn walked_cm(&self, day: &Day, ends: &Ends) -> u64 {
        let hop = |ride: &Ride| -> u64 {
            let route = &day.routes[day.runs[ride.run as usize].route as usize];
            let span = route.first_stop + ride.board..route.first_stop + ride.alight;
            let hops = &day.hops_cm[span.start as usize..span.end as usize];
            hops.iter().map(|&h| u64::from(h)).sum()
        };
        self.cm(day, ends) - self.rides.iter().map(hop).sum::<u64>()
    }

    /// Seconds spent waiting at changes, the shortest of them first of interest: a journey with a
    /// longer shortest buffer is safer.
    pub fn buffer(&self, day: &Day) -> i32 {
        let slack = |pair: &[Ride]| {
            let (a, b) = (&pair[0], &pair[1]);
            let from = day.stops_of(day.runs[a.run as usize].route)[a.alight as usize];
            let to = day.stops_of(day.runs[b.run as usize].route)[b.board as usize];
            let walk = transfer(day, from, to).unwrap_or(0);
            day.calls(b.run)[b.board as usize].departure
                - day.calls(a.run)[a.alight as usize].arrival
                - walk
        };
        self.rides.windows(2).map(slack).min().unwrap_or(NEVER)
    }

    /// Whether every ride exists, every change can be made, and the arrival is right.
    ///
    /// Shares no code with the searches.
    pub fn holds(&self, day: &Day, ends: &Ends) -> bool {
        let mut ready: Vec<(u32, i32)> = ends.access.iter().map(|a| (a.0, ends.at + a.1)).collect();
        let mut arrivals: Vec<(u32, i32)> = ready.clone();
        for ride in &self.rides {
            let Some(run) = day.runs.get(ride.run as usize) else {
                return false;
            };
            let (stops, calls) = (day.stops_of(run.route), day.calls(ride.run));
            if ride.board >= ride.alight || ride.alight as usize >= stops.len() {
                return false;
            }
            let route = &day.routes[run.route as usize];
            if !day.boards(route, ride.board) || !day.leaves(route, ride.alight) {
                return false;
            }
            let (from, to) = (stops[ride.board as usize], stops[ride.alight as usize]);
            let departure = calls[ride.board as usize].departure;
            if !ready
                .iter()
                .any(|&(stop, time)| stop == from && time <= departure)
            {
                return false;
            }
            let arrival = calls[ride.alight as usize].arrival;
            arrivals = std::iter::once((to, arrival))
                .chain(
                    day.walks
                        .from(to)
                        .iter()
                        .map(|w| (w.to, arrival + w.seconds)),
                )
                .collect();
            ready.clone_from(&arrivals);
            ready[0].1 += day.walks.change(to);
        }
        let end = arrivals
            .iter()
            .filter(|a| ends.to.contains(&a.0))
            .map(|a| a.1)
            .min();
        end == Some(self.arrival)
    }
}

/// Seconds from leaving a vehicle at one stop to boarding at another.
pub(crate) fn transfer(day: &Day, from: u32, to: u32) -> Option<i32> {
    if from == to {
        return Some(day.walks.change(from));
    }
    day.walks
        .from(from)
        .iter()
        .find(|w| w.to == to)
        .map(|w| w.seconds)
}
