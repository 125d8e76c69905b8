//! Where most happens: the busiest places, and journeys worth trying first.

use std::collections::HashSet;

use wits_game::{Dice, Seed};

use crate::algo::Scan;
use crate::journey::Ends;
use crate::planner::Planner;
use crate::time::Time;

/// How many pairs of places are tried for examples.
const TRIED: u64 = 60;

impl Planner {
    /// The departures of the day from each place, which is all stops of one name: by index of the
    /// name.
    pub fn departures_by_name(&self) -> Vec<u32> {
        let (day, table) = (self.day(), &*self.table);
        let mut count = vec![0; table.names.len()];
        for (index, route) in (0u32..).zip(&day.routes) {
            let runs = route.first_run..route.first_run + route.runs;
            let today = runs.filter(|&run| day.runs[run as usize].day == 0).count() as u32;
            let stops = day.stops_of(index);
            for (position, &stop) in (0u32..).zip(&stops[..stops.len() - 1]) {
                if day.boards(route, position) {
                    count[table.stops[stop as usize].name as usize] += today;
                }
            }
        }
        count
    }

    /// The names of the places with most departures, and how many, most first.
    pub fn busiest(&self, most: usize) -> Vec<(&str, u32)> {
        let count = self.departures_by_name();
        let mut names: Vec<usize> = (0..count.len()).filter(|&n| count[n] > 0).collect();
        names.sort_by_key(|&n| (std::cmp::Reverse(count[n]), n));
        let busy = names.iter().take(most);
        busy.map(|&n| (self.table.names[n].as_str(), count[n]))
            .collect()
    }

    /// Pairs of places whose quickest journey at a time is about as long as that of most pairs:
    /// neither a hop nor an expedition. They are the same every time.
    pub fn typical_pairs(&self, at: Time, most: usize) -> Vec<(String, String)> {
        let served = self.served();
        let day = self.day();
        let mut scan = Scan::default();
        let mut found: Vec<(i32, u32, u32)> = Vec::new();
        let mut seen = HashSet::new();
        let tried = if served.len() > 1 { TRIED } else { 0 };
        for nth in 0..tried {
            let mut dice = Dice::new(Seed::new(1).nth(nth));
            let (from, to) = (
                served[dice.below(served.len())],
                served[dice.below(served.len())],
            );
            let name = |stop: u32| self.table.stops[stop as usize].name;
            // In a small timetable the same pair comes up again and again.
            if name(from) == name(to) || !seen.insert((name(from), name(to))) {
                continue;
            }
            let ends = Ends::new(day, &[from], &[to], at.0);
            if let Some(trail) = scan.earliest(day, &ends, &mut ())
                && !trail.rides.is_empty()
            {
                found.push((trail.arrival - at.0, from, to));
            }
        }
        found.sort_unstable();
        // Those in the middle, the middle one first.
        let middle = found.len() / 2;
        let mut order: Vec<usize> = (0..found.len()).collect();
        order.sort_by_key(|&i| (i.abs_diff(middle), i));
        let name = |stop: u32| self.table.stop_name(stop).to_owned();
        let pairs = order.iter().map(|&i| (name(found[i].1), name(found[i].2)));
        pairs.take(most).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Arc;

    use crate::{CityPlan, Planner, Time, Walking, generate};

    #[test]
    fn the_busiest_place_has_most_departures_of_all_its_stops() {
        let planner = Planner::new(
            Arc::new(generate(&CityPlan::default())),
            Walking::Real,
            None,
        )
        .unwrap();
        let (day, table) = (planner.day(), &planner.table);
        let hops = |name: &str| {
            let of = |c: &&crate::Connection| {
                table.stop_name(c.from) == name && day.runs[c.run as usize].day == 0
            };
            day.connections.iter().filter(of).count() as u32
        };
        let busiest = planner.busiest(2);
        for (name, departures) in &busiest {
            // Hops before midnight of the day before are none of its connections.
            assert_eq!(*departures, hops(name), "{name}");
        }
        assert!(busiest[0].1 >= busiest[1].1);
        let pairs = planner.typical_pairs(Time::hm(8, 0), 3);
        assert_eq!(pairs.len(), 3);
        assert_eq!(pairs, planner.typical_pairs(Time::hm(8, 0), 3));
        // As many as there are, each once.
        let all = planner.typical_pairs(Time::hm(8, 0), 60);
        let each: HashSet<_> = all.iter().collect();
        assert_eq!(each.len(), all.len());
        let town = CityPlan {
            size: 0.02,
            ..CityPlan::default()
        };
        let town = Planner::new(Arc::new(generate(&town)), Walking::Real, None).unwrap();
        let all = town.typical_pairs(Time::hm(8, 0), 60);
        let each: HashSet<_> = all.iter().collect();
        assert_eq!(each.len(), all.len());
    }
}
