//! Lower bounds of travel times in a whole timetable, whatever the day.
//!
//! Stops are divided into some hundred cells of neighbours. For every cell and every stop it is known
//! how long the way from the stop to the nearest stop of the cell takes at least: every hop as quick as
//! any trip ever is, no waiting. The table is small (cells times stops, two bytes each), holds on
//! every day, and is kept in the packed file.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rayon::prelude::*;

use crate::time::NEVER;
use crate::timetable::Timetable;
use crate::walk::{Walking, Walks};

/// Seconds per unit of a stored bound; bounds are rounded down.
const UNIT: i32 = 4;
/// The largest cell, in stops.
const CELL: usize = 64;

/// Lower bounds; see the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The cell of each stop.
    pub(crate) cell: Vec<u16>,
    /// By cell, then by stop.
    pub(crate) least: Vec<u16>,
}

impl Bounds {
    /// Works out the bounds of a timetable, on all cores.
    pub fn new(table: &Timetable) -> Bounds {
        let cell = cells(table);
        let into = edges(table);
        let stops = table.stops.len();
        let count = cell.iter().max().map_or(0, |&last| last + 1);
        let rows: Vec<Vec<u16>> = (0..count)
            .into_par_iter()
            .map_init(BinaryHeap::new, |queue, target| {
                let mut left = vec![NEVER; stops];
                for stop in (0..stops).filter(|&s| cell[s] == target) {
                    left[stop] = 0;
                    queue.push(Reverse((0, stop as u32)));
                }
                while let Some(Reverse((time, at))) = queue.pop() {
                    if time > left[at as usize] {
                        continue;
                    }
                    for &(from, more) in &into[at as usize] {
                        if time + more < left[from as usize] {
                            left[from as usize] = time + more;
                            queue.push(Reverse((time + more, from)));
                        }
                    }
                }
                let units = left
                    .iter()
                    .map(|&t| (t / UNIT).min(i32::from(u16::MAX)) as u16);
                units.collect()
            })
            .collect();
        Bounds {
            cell,
            least: rows.concat(),
        }
    }

    /// The least seconds from each stop to the nearest of some targets.
    pub fn left(&self, to: &[u32], left: &mut Vec<i32>) {
        let stops = self.cell.len();
        left.clear();
        left.resize(stops, NEVER);
        let mut cells: Vec<u16> = to.iter().map(|&t| self.cell[t as usize]).collect();
        cells.sort_unstable();
        cells.dedup();
        for cell in cells {
            let row = &self.least[cell as usize * stops..][..stops];
            for (left, &units) in left.iter_mut().zip(row) {
                *left = (*left).min(i32::from(units) * UNIT);
            }
        }
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.least.len() / self.cell.len().max(1)
    }

    /// Whether the tables fit a number of stops.
    pub(crate) fn fits(&self, stops: usize) -> bool {
        let last = self.cell.iter().max().map_or(0, |&last| last as usize + 1);
        self.cell.len() == stops && self.least.len() == last * stops
    }
}

/// Divides stops into cells: the longer side of what they cover is halved until they are few.
fn cells(table: &Timetable) -> Vec<u16> {
    let place = |s: u32| {
        let stop = &table.stops[s as usize];
        let known = |v: f32| if v.is_finite() { v } else { 0.0 };
        [known(stop.x), known(stop.y)]
    };
    let mut cell = vec![0; table.stops.len()];
    let mut parts: Vec<Vec<u32>> = vec![(0..table.stops.len() as u32).collect()];
    let mut next = 0;
    while let Some(mut part) = parts.pop() {
        if part.len() <= CELL {
            for &s in &part {
                cell[s as usize] = next;
            }
            next += 1;
            continue;
        }
        let span = |axis: usize| {
            let all = part.iter().map(|&s| place(s)[axis]);
            let (low, high) = all.fold((f32::MAX, f32::MIN), |(l, h), v| (l.min(v), h.max(v)));
            high - low
        };
        let axis = usize::from(span(1) > span(0));
        part.sort_by(|&a, &b| place(a)[axis].total_cmp(&place(b)[axis]).then(a.cmp(&b)));
        let rest = part.split_off(part.len() / 2);
        parts.push(part);
        parts.push(rest);
    }
    cell
}

/// For each stop where one may come from, and the least seconds from there.
fn edges(table: &Timetable) -> Vec<Vec<(u32, i32)>> {
    let mut quickest: std::collections::HashMap<(u32, u32), i32> = std::collections::HashMap::new();
    let mut seen: std::collections::HashSet<(u32, u32)> = std::collections::HashSet::new();
    for trip in &table.trips {
        // Trips share patterns and running times: each pair is looked at once.
        if !seen.insert((trip.pattern, trip.run)) {
            continue;
        }
        let stops = table.stops_of(trip.pattern);
        let times = &table.runs[trip.run as usize..][..stops.len()];
        for (hop, time) in stops.windows(2).zip(times.windows(2)) {
            let seconds = time[1].0 - time[0].1;
            let least = quickest.entry((hop[0], hop[1])).or_insert(seconds);
            *least = (*least).min(seconds);
        }
    }
    let mut into: Vec<Vec<(u32, i32)>> = vec![Vec::new(); table.stops.len()];
    for ((from, to), seconds) in quickest {
        into[to as usize].push((from, seconds));
    }
    let walks = Walks::new(table, Walking::Real);
    for (stop, list) in (0u32..).zip(&mut into) {
        list.extend(walks.towards(stop).iter().map(|w| (w.to, w.seconds)));
        list.sort_unstable();
        list.dedup_by_key(|e| e.0);
    }
    into
}
