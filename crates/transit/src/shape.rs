//! The way of a vehicle along streets and rails, where a feed draws it.
//!
//! A feed gives a whole trip's way as points, without saying where its stops lie on it. The
//! stops are laid on the way in their order so that the sum of squared distances is least:
//! a loop that passes a stop twice is told apart by the stops before and after it.

use crate::geo::{Globe, Plane};
use crate::planner::Planner;
use crate::timetable::Timetable;
use crate::view::Leg;

/// A point in local kilometres, east and north.
pub type Point = (f64, f64);

/// A stop farther than this from its way shows that the two do not belong together.
const FARTHEST: f64 = 0.5;
/// Bends that leave the straight line by less than this are not worth sending to a page.
const FINE: f64 = 0.004;

/// A place on a way: a segment, and the share of it that lies behind.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
struct Spot {
    segment: usize,
    share: f64,
}

/// The nearest spot of a segment not before `from`, and its squared distance.
fn nearest(a: Point, b: Point, at: Point, from: f64) -> (f64, f64) {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = dx * dx + dy * dy;
    let share = if length > 0.0 {
        (((at.0 - a.0) * dx + (at.1 - a.1) * dy) / length).clamp(from, 1.0)
    } else {
        from
    };
    let (x, y) = (a.0 + share * dx - at.0, a.1 + share * dy - at.1);
    (share, x * x + y * y)
}

/// Lays stops on a way in their order; none where one of them would be too far off.
fn lay(way: &[Point], stops: &[Point]) -> Option<Vec<Spot>> {
    let segments = way.len().checked_sub(1).filter(|&n| n > 0)?;
    // best[s]: least cost of all stops so far with the last one on segment s; `from[i][s]`
    // remembers the segment of the stop before, which is never a later one.
    let mut best: Vec<(f64, f64)> = Vec::new();
    let mut from: Vec<Vec<u32>> = Vec::with_capacity(stops.len());
    for (index, &stop) in stops.iter().enumerate() {
        let mut next = Vec::with_capacity(segments);
        let mut before = Vec::with_capacity(segments);
        let mut least: Option<(f64, u32)> = None;
        for s in 0..segments {
            let fresh = nearest(way[s], way[s + 1], stop, 0.0);
            if index == 0 {
                next.push((fresh.1, fresh.0));
                before.push(0);
                continue;
            }
            // Either the stop before lies on an earlier segment, or on this one and not after.
            let after = nearest(way[s], way[s + 1], stop, best[s].1);
            let here = (best[s].0 + after.1, after.0, s as u32);
            let chosen = match least {
                Some((cost, segment)) if cost + fresh.1 <= here.0 => {
                    (cost + fresh.1, fresh.0, segment)
                }
                _ => here,
            };
            next.push((chosen.0, chosen.1));
            before.push(chosen.2);
            if least.is_none_or(|(cost, _)| best[s].0 < cost) {
                least = Some((best[s].0, s as u32));
            }
        }
        best = next;
        from.push(before);
    }
    let mut segment = (0..segments).min_by(|&a, &b| best[a].0.total_cmp(&best[b].0))?;
    let mut chosen = vec![0; stops.len()];
    for index in (0..stops.len()).rev() {
        chosen[index] = segment;
        segment = from[index][segment] as usize;
    }
    let mut spots: Vec<Spot> = Vec::with_capacity(stops.len());
    for (&segment, &stop) in chosen.iter().zip(stops) {
        let behind = spots
            .last()
            .filter(|last| last.segment == segment)
            .map_or(0.0, |last| last.share);
        let (share, far) = nearest(way[segment], way[segment + 1], stop, behind);
        if far > FARTHEST * FARTHEST {
            return None;
        }
        spots.push(Spot { segment, share });
    }
    Some(spots)
}

fn point(way: &[Point], spot: Spot) -> Point {
    let (a, b) = (way[spot.segment], way[spot.segment + 1]);
    (
        a.0 + spot.share * (b.0 - a.0),
        a.1 + spot.share * (b.1 - a.1),
    )
}

/// The way between two spots.
fn cut(way: &[Point], start: Spot, end: Spot) -> Vec<Point> {
    let mut points = vec![point(way, start)];
    points.extend_from_slice(&way[start.segment + 1..=end.segment]);
    points.push(point(way, end));
    simpler(&points)
}

/// Leaves out bends that nobody sees (Douglas and Peucker).
fn simpler(points: &[Point]) -> Vec<Point> {
    let mut keep = vec![false; points.len()];
    let last = points.len() - 1;
    (keep[0], keep[last]) = (true, true);
    let mut open = vec![(0, last)];
    while let Some((a, b)) = open.pop() {
        let far = |i: usize| nearest(points[a], points[b], points[i], 0.0).1;
        let widest = (a + 1..b).max_by(|&i, &j| far(i).total_cmp(&far(j)));
        if let Some(i) = widest.filter(|&i| far(i) > FINE * FINE) {
            keep[i] = true;
            open.extend([(a, i), (i, b)]);
        }
    }
    let kept = points.iter().zip(keep).filter(|(_, keep)| *keep);
    kept.map(|(point, _)| *point).collect()
}

impl Timetable {
    /// The ways between consecutive stops of a pattern in local kilometres; none where the feed
    /// draws none, or one that does not pass the stops.
    pub(crate) fn ways_of(&self, plane: &Plane, pattern: u32) -> Option<Vec<Vec<Point>>> {
        let shape = self.patterns[pattern as usize].shape?;
        let way: Vec<Point> = self.shapes[shape as usize]
            .iter()
            .map(|&(lat, lon)| {
                plane.place(Globe {
                    lat: f64::from(lat),
                    lon: f64::from(lon),
                })
            })
            .filter(|p| p.0.is_finite() && p.1.is_finite())
            .collect();
        let stops: Vec<Point> = self
            .stops_of(pattern)
            .iter()
            .map(|&s| &self.stops[s as usize])
            .map(|s| (f64::from(s.x), f64::from(s.y)))
            .collect();
        if stops.iter().any(|p| !p.0.is_finite() || !p.1.is_finite()) {
            return None;
        }
        let spots = lay(&way, &stops)?;
        Some(
            spots
                .windows(2)
                .map(|hop| cut(&way, hop[0], hop[1]))
                .collect(),
        )
    }
}

impl Planner {
    /// The way of a ride in local kilometres, where the feed draws it.
    pub fn way(&self, leg: &Leg) -> Option<Vec<Point>> {
        let pattern = self.table.trips[leg.trip? as usize].pattern;
        let ways = self.table.ways_of(&self.table.plane(), pattern)?;
        let stops = self.table.stops_of(pattern);
        let mut called = stops.windows(leg.stops.len());
        let first = called.position(|w| w.iter().eq(leg.stops.iter().map(|c| &c.stop)))?;
        let ridden = ways.into_iter().skip(first).take(leg.stops.len() - 1);
        Some(ridden.flatten().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::{Point, lay, point, simpler};

    /// A loop: east, north, back west over the same crossing, south.
    const LOOP: [Point; 6] = [
        (0.0, 0.0),
        (2.0, 0.0),
        (2.0, 1.0),
        (1.0, 1.0),
        (1.0, 0.0),
        (1.0, -1.0),
    ];

    #[test]
    fn a_crossing_that_is_passed_twice_is_told_apart_by_order() {
        let stops = [
            (0.1, 0.05),
            (1.0, 0.02),
            (1.5, 1.1),
            (1.0, 0.02),
            (1.0, -0.9),
        ];
        let spots = lay(&LOOP, &stops).unwrap();
        let segments: Vec<usize> = spots.iter().map(|s| s.segment).collect();
        assert_eq!(segments, [0, 0, 2, 3, 4]);
        assert!(spots.windows(2).all(|w| w[0] <= w[1]));
        for (spot, stop) in spots.iter().zip(stops) {
            let at = point(&LOOP, *spot);
            assert!((at.0 - stop.0).hypot(at.1 - stop.1) < 0.11, "{spot:?}");
        }
    }

    #[test]
    fn a_way_elsewhere_is_not_taken() {
        assert_eq!(lay(&LOOP, &[(0.0, 0.0), (9.0, 9.0)]), None);
        assert_eq!(lay(&LOOP[..1], &[(0.0, 0.0)]), None);
    }

    #[test]
    fn bends_that_are_seen_stay() {
        let points = [(0.0, 0.0), (1.0, 0.001), (2.0, 0.0), (2.0, 1.0)];
        assert_eq!(simpler(&points), [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0)]);
    }
}
