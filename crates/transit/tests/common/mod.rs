//! What the tests share: small cities, the folder of real feeds, and a slow twin.
#![allow(dead_code, unreachable_pub, missing_docs, clippy::print_stdout)]

use std::path::PathBuf;
use std::sync::Arc;

use wits_game::{Dice, Seed};
use wits_transit::{
    CityPlan, Day, Disruption, LiveRun, Planner, Rules, Timetable, Walking, Walks, generate,
};

/// A file of the shared data folder; `None` (with a line saying so) where there is no such folder.
pub fn shared(name: &str) -> Option<Vec<u8>> {
    let mut root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    while !root.join("Cargo.lock").exists() {
        root = root.parent().expect("inside a workspace").to_owned();
    }
    let path = root.join("../shared/data/transit").join(name);
    let bytes = std::fs::read(&path).ok();
    if bytes.is_none() {
        let needed = std::env::var_os("WITS_REQUIRE_SHARED").is_some();
        assert!(!needed, "{} is missing", path.display());
        println!("skipped: {} is not here", path.display());
    }
    bytes
}

pub fn city(seed: u64, size: f64) -> Arc<Timetable> {
    Arc::new(generate(&CityPlan {
        seed: Seed::new(seed),
        size,
    }))
}

pub fn planner(seed: u64, size: f64, walking: Walking) -> Planner {
    Planner::new(city(seed, size), walking, None).expect("a city runs every day")
}

/// The slow twin: for each number of vehicles the earliest arrival at every stop, by trying every
/// run from every call to every later one. Knows nothing of routes, scans or queues.
pub fn twin(day: &Day, from: &[u32], at: i32, most: usize) -> Vec<Vec<i32>> {
    const FAR: i32 = i32::MAX / 4;
    let mut there = vec![FAR; day.stops];
    let mut ready = vec![FAR; day.stops];
    for &s in from {
        there[s as usize] = at;
        ready[s as usize] = at;
    }
    for &s in from {
        for w in day.walks.from(s) {
            there[w.to as usize] = there[w.to as usize].min(at + w.seconds);
            ready[w.to as usize] = ready[w.to as usize].min(at + w.seconds);
        }
    }
    let mut all = vec![there.clone()];
    for _ in 0..most {
        let mut next_there = there.clone();
        let mut next_ready = ready.clone();
        for run in 0..day.runs.len() as u32 {
            let index = day.runs[run as usize].route;
            let (route, stops) = (&day.routes[index as usize], day.stops_of(index));
            let calls = day.calls(run);
            for i in 0..stops.len() {
                if ready[stops[i] as usize] > calls[i].departure || !day.boards(route, i as u32) {
                    continue;
                }
                for j in (i + 1..stops.len()).filter(|&j| day.leaves(route, j as u32)) {
                    let (stop, arrival) = (stops[j], calls[j].arrival);
                    let (t, r) = (&mut next_there, &mut next_ready);
                    t[stop as usize] = t[stop as usize].min(arrival);
                    r[stop as usize] = r[stop as usize].min(arrival + day.walks.change(stop));
                    for w in day.walks.from(stop) {
                        t[w.to as usize] = t[w.to as usize].min(arrival + w.seconds);
                        r[w.to as usize] = r[w.to as usize].min(arrival + w.seconds);
                    }
                }
                break;
            }
        }
        let done = next_there == there && next_ready == ready;
        (there, ready) = (next_there, next_ready);
        all.push(there.clone());
        if done {
            break;
        }
    }
    all
}

pub fn day(table: &Timetable, walking: Walking) -> Day {
    disrupted(table, walking, &Disruption::default())
}

pub fn disrupted(table: &Timetable, walking: Walking, disruption: &Disruption) -> Day {
    Day::new(table, None, 2, Walks::new(table, walking), disruption).expect("a full day")
}

/// The same city where every third call lets nobody board, nobody leave, or neither.
pub fn restricted(table: &Timetable, seed: u64) -> Timetable {
    let mut dice = Dice::new(Seed::new(seed));
    let mut table = table.clone();
    let rules = (0..table.pattern_stops.len()).map(|_| match dice.below(9) {
        0 => Rules::new(true, false),
        1 => Rules::new(false, true),
        2 => Rules::PASSED,
        _ => Rules::OPEN,
    });
    table.pattern_rules = rules.collect();
    table
}

/// Some trips of the day cancelled, some late or early, some passing a stop.
pub fn troubled(table: &Timetable, seed: u64) -> Disruption {
    let mut dice = Dice::new(Seed::new(seed));
    let mut live = Vec::new();
    for trip in 0..table.trips.len() as u32 {
        let len = table.stops_of(table.trips[trip as usize].pattern).len();
        let mut run = LiveRun {
            trip,
            ..LiveRun::default()
        };
        match dice.below(8) {
            0 => run.cancelled = true,
            1 => {
                let late = dice.below(1500) as i32 - 300;
                let from = dice.below(len);
                run.late = (0..len)
                    .map(|i| if i < from { (0, 0) } else { (late, late + 20) })
                    .collect();
            }
            2 => run.passed = vec![dice.below(len) as u32],
            _ => continue,
        }
        live.push(run);
    }
    Disruption {
        live,
        ..Disruption::default()
    }
}
