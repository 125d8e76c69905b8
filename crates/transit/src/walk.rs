//! Walking between stops.

use serde::{Deserialize, Serialize};

use wits_search::Budget;

use crate::limits::{FeedLimits, Gate, Halt, Quantity};
use crate::timetable::Timetable;

/// Which walks a passenger may take.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Walking {
    /// Stops near each other, by distance and speed, and what the feed says about changes.
    #[default]
    Real,
    /// The report's: one minute between any two stops of the same name, however far apart.
    Report,
    /// None: change at the same stop only.
    None,
}

impl std::str::FromStr for Walking {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "real" => Ok(Walking::Real),
            "report" => Ok(Walking::Report),
            "none" => Ok(Walking::None),
            _ => Err(format!(
                "`{text}` is no walking model; choose `real`, `report` or `none`"
            )),
        }
    }
}

/// How far apart two stops may be to walk between them, metres as the crow flies.
const NEAR: f64 = 200.0;
/// The same for stops of one name or one station.
const SAME_NAME: f64 = 500.0;
/// How wide a place, within which everybody can walk, may grow.
const WIDEST: f64 = 500.0;
/// Streets are longer than the crow's flight.
const DETOUR: f64 = 1.3;
/// Metres per second on foot (4.5 km/h).
const PACE: f64 = 1.25;

/// A minute on foot, as the report has it. A vehicle that leaves in that very minute is gone, so
/// it is one second more.
const REPORT_WALK: i32 = 61;

/// The most pairs of near stops: so many in all, and so many more for each stop. In the centre of
/// a large city a stop has about ten others near it.
const PAIRS: usize = 4_000_000;
const PAIRS_A_STOP: usize = 16;

/// A walk that is still being worked out: where to, seconds, centimetres.
type Edge = (u32, i32, u32);

/// One walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Footpath {
    /// Where it leads.
    pub to: u32,
    /// How long it takes, seconds (at least one).
    pub seconds: i32,
    /// How long it is, centimetres.
    pub cm: u32,
}

/// All walks, closed: whoever can walk from a to b and from b to c can walk from a to c in no
/// more time. Symmetric searches rely on both directions being there.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Walks {
    first: Vec<u32>,
    paths: Vec<Footpath>,
    into_first: Vec<u32>,
    into_paths: Vec<Footpath>,
    /// Seconds to change vehicle at one stop.
    change: Vec<i32>,
}

impl Walks {
    /// The walks of a model on a timetable.
    ///
    /// # Panics
    ///
    /// Where there are more walks than the command line allows; [`Walks::within`] refuses them.
    pub fn new(table: &Timetable, model: Walking) -> Walks {
        let budget = Budget::endless();
        let mut gate = Gate::new(FeedLimits::TERMINAL, &budget);
        Walks::within(table, model, &mut gate).expect("fewer walks than any machine can hold")
    }

    /// The walks of a model on a timetable, counted by a gate: where thousands of stops lie in one
    /// place there is a walk for every pair of them.
    pub fn within(table: &Timetable, model: Walking, gate: &mut Gate<'_>) -> Result<Walks, Halt> {
        let n = table.stops.len();
        let before = gate.held();
        gate.hold((n * (4 + size_of::<Vec<Edge>>())) as u64)?;
        let mut change = vec![0; n];
        let mut edges: Vec<Vec<Edge>> = vec![Vec::new(); n];
        match model {
            Walking::None => {}
            Walking::Report => {
                let mut by_name = vec![Vec::new(); table.names.len()];
                for (index, stop) in (0u32..).zip(&table.stops) {
                    by_name[stop.name as usize].push(index);
                }
                for group in &by_name {
                    for &a in group {
                        gate.work(group.len() as u64)?;
                        gate.hold((group.len() * size_of::<Edge>()) as u64)?;
                        edges[a as usize].extend(
                            group
                                .iter()
                                .filter(|&&b| a != b)
                                .map(|&b| (b, REPORT_WALK, table.distance_cm(a, b))),
                        );
                    }
                }
            }
            Walking::Real => near(table, &mut edges, &mut change, gate)?,
        }
        if model == Walking::Real {
            close(&mut edges, gate)?;
        }
        let count: usize = edges.iter().map(Vec::len).sum();
        gate.hold((2 * count * size_of::<Footpath>()) as u64)?;
        gate.work(4 * count as u64)?;
        let mut first = Vec::with_capacity(n + 1);
        let mut paths = Vec::new();
        for list in &mut edges {
            first.push(paths.len() as u32);
            list.sort_unstable();
            paths.extend(
                list.iter()
                    .map(|&(to, seconds, cm)| Footpath { to, seconds, cm }),
            );
        }
        first.push(paths.len() as u32);
        let mut walks = Walks {
            first,
            paths,
            change,
            ..Walks::default()
        };
        (walks.into_first, walks.into_paths) = walks.turned();
        // What was needed on the way is gone; the walks themselves stay.
        gate.release(gate.held() - before);
        gate.hold(walks.bytes())?;
        Ok(walks)
    }

    /// Bytes held by the walks.
    pub fn bytes(&self) -> u64 {
        let stops = self.first.len() + self.into_first.len() + self.change.len();
        let paths = self.paths.len() + self.into_paths.len();
        (stops * 4 + paths * size_of::<Footpath>()) as u64
    }

    /// The walks from a stop.
    pub fn from(&self, stop: u32) -> &[Footpath] {
        &self.paths[self.first[stop as usize] as usize..self.first[stop as usize + 1] as usize]
    }

    /// Seconds to change vehicle at a stop.
    pub fn change(&self, stop: u32) -> i32 {
        self.change[stop as usize]
    }

    /// How many walks there are.
    pub fn len(&self) -> usize {
        self.paths.len()
    }

    /// Whether nobody walks.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// The walks that lead to a stop; `to` is where they begin.
    pub fn towards(&self, stop: u32) -> &[Footpath] {
        let at = stop as usize;
        &self.into_paths[self.into_first[at] as usize..self.into_first[at + 1] as usize]
    }

    /// The same walks the other way round.
    pub(crate) fn reversed(&self) -> Walks {
        Walks {
            first: self.into_first.clone(),
            paths: self.into_paths.clone(),
            into_first: self.first.clone(),
            into_paths: self.paths.clone(),
            change: self.change.clone(),
        }
    }

    fn turned(&self) -> (Vec<u32>, Vec<Footpath>) {
        let n = self.change.len();
        let mut edges: Vec<Vec<Footpath>> = vec![Vec::new(); n];
        for from in 0..n as u32 {
            for path in self.from(from) {
                edges[path.to as usize].push(Footpath { to: from, ..*path });
            }
        }
        let mut first = vec![0];
        let mut paths = Vec::with_capacity(self.paths.len());
        for list in edges {
            paths.extend(list);
            first.push(paths.len() as u32);
        }
        (first, paths)
    }
}

/// Seconds for a walk of that many centimetres as the crow flies.
fn seconds(cm: u32) -> i32 {
    ((f64::from(cm) / 100.0 * DETOUR / PACE).ceil() as i32).max(1)
}

/// Gathers stops into places and links all stops of a place.
///
/// The nearest pairs are gathered first, those of one name or station before others, and a place
/// never grows wider than [`WIDEST`]: closing "near" under chains would otherwise make one place
/// of a whole city where stops are dense. What the feed says about changes is always linked.
fn near(
    table: &Timetable,
    edges: &mut [Vec<Edge>],
    change: &mut [i32],
    gate: &mut Gate<'_>,
) -> Result<(), Halt> {
    let cell = SAME_NAME / 1000.0;
    let mut cells: Vec<((i32, i32), u32)> = (0u32..)
        .zip(&table.stops)
        .filter(|(_, s)| s.x.is_finite() && s.y.is_finite())
        .map(|(i, s)| ((square(s.x, cell), square(s.y, cell)), i))
        .collect();
    cells.sort_unstable();
    let mut pairs: Vec<(bool, u32, u32, u32)> = Vec::new();
    for &((cx, cy), a) in &cells {
        for dx in -1..=1 {
            let low = cells.partition_point(|c| c.0 < (cx + dx, cy - 1));
            for &(_, b) in cells[low..].iter().take_while(|c| c.0 <= (cx + dx, cy + 1)) {
                gate.work(1)?;
                if a >= b {
                    continue;
                }
                let cm = table.distance_cm(a, b);
                let (s, t) = (&table.stops[a as usize], &table.stops[b as usize]);
                let station = |i: u32| table.stops[i as usize].station.unwrap_or(i);
                let apart = s.name != t.name && station(a) != station(b);
                let limit = if apart { NEAR } else { SAME_NAME };
                if f64::from(cm) <= limit * 100.0 {
                    pairs.push((apart, cm, a, b));
                }
            }
        }
        let most = PAIRS + PAIRS_A_STOP * table.stops.len();
        if pairs.len() > most {
            // So many stops in one place are no city.
            gate.check(Quantity::Memory, u64::MAX)?;
        }
    }
    gate.hold(size_of_val(&pairs[..]) as u64)?;
    pairs.sort_unstable();
    let mut places: Vec<u32> = (0..table.stops.len() as u32).collect();
    let mut members: Vec<Vec<u32>> = places.iter().map(|&s| vec![s]).collect();
    for (_, _, a, b) in pairs {
        let (p, q) = (places[a as usize], places[b as usize]);
        gate.work(1)?;
        if p == q {
            continue;
        }
        gate.work((members[p as usize].len() * members[q as usize].len()) as u64)?;
        let widest = members[p as usize]
            .iter()
            .flat_map(|&a| {
                members[q as usize]
                    .iter()
                    .map(move |&b| table.distance_cm(a, b))
            })
            .max()
            .unwrap_or(0);
        if f64::from(widest) <= WIDEST * 100.0 {
            let moved = std::mem::take(&mut members[q as usize]);
            for &stop in &moved {
                places[stop as usize] = p;
            }
            members[p as usize].extend(moved);
        }
    }
    for place in &members {
        for &a in place {
            gate.work(place.len() as u64)?;
            gate.hold((place.len() * size_of::<Edge>()) as u64)?;
            for &b in place.iter().filter(|&&b| b != a) {
                let cm = table.distance_cm(a, b);
                edges[a as usize].push((b, seconds(cm), (f64::from(cm) * DETOUR) as u32));
            }
        }
    }
    told_changes(table, edges, change, gate)
}

/// What the feed says about a station holds for its platforms too.
fn told_changes(
    table: &Timetable,
    edges: &mut [Vec<Edge>],
    change: &mut [i32],
    gate: &mut Gate<'_>,
) -> Result<(), Halt> {
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); table.stops.len()];
    for (index, stop) in (0u32..).zip(&table.stops) {
        members[index as usize].push(index);
        if let Some(station) = stop.station.filter(|&s| s != index) {
            members[station as usize].push(index);
        }
    }
    for told in &table.changes {
        for &a in &members[told.from as usize] {
            for &b in &members[told.to as usize] {
                let (list, cm) = (&mut edges[a as usize], table.distance_cm(a, b));
                gate.work(1 + list.len() as u64)?;
                gate.hold(size_of::<Edge>() as u64)?;
                match told.seconds {
                    Some(s) if a == b => change[a as usize] = s as i32,
                    None if a == b => {}
                    None => list.retain(|e| e.0 != b),
                    // A bare "you can change here" leaves the time to us.
                    Some(s) => {
                        let s = if s == 0 { seconds(cm) } else { s as i32 };
                        let walked = (f64::from(cm) * DETOUR) as u32;
                        list.retain(|e| e.0 != b);
                        list.push((b, s.max(1), walked));
                    }
                }
            }
        }
    }
    Ok(())
}

fn square(km: f32, cell: f64) -> i32 {
    (f64::from(km) / cell).floor() as i32
}

/// Makes walks transitive: a shortest-path search from every stop over the given walks.
fn close(edges: &mut [Vec<Edge>], gate: &mut Gate<'_>) -> Result<(), Halt> {
    let n = edges.len();
    let mut best: Vec<(i32, u32)> = vec![(i32::MAX, 0); n];
    let mut closed = Vec::with_capacity(n);
    let mut queue = std::collections::BinaryHeap::new();
    for start in 0..n as u32 {
        let mut reached = Vec::new();
        best[start as usize] = (0, 0);
        queue.push(std::cmp::Reverse((0, 0, start)));
        while let Some(std::cmp::Reverse((time, cm, at))) = queue.pop() {
            if (time, cm) > best[at as usize] {
                continue;
            }
            if at != start {
                reached.push((at, time, cm));
            }
            gate.work(1 + edges[at as usize].len() as u64)?;
            for &(to, seconds, more) in &edges[at as usize] {
                let there = (time.saturating_add(seconds), cm.saturating_add(more));
                if there < best[to as usize] {
                    best[to as usize] = there;
                    queue.push(std::cmp::Reverse((there.0, there.1, to)));
                }
            }
        }
        best[start as usize] = (i32::MAX, 0);
        for &(at, ..) in &reached {
            best[at as usize] = (i32::MAX, 0);
        }
        gate.hold(size_of_val(&reached[..]) as u64)?;
        closed.push(reached);
    }
    for (list, new) in edges.iter_mut().zip(closed) {
        *list = new;
    }
    Ok(())
}
