//! Times the searches on a feed.
#![allow(clippy::print_stdout, clippy::unwrap_used)]
use std::time::Instant;
use wits_game::{Dice, Seed};
use wits_transit::*;
use wits_transit::algo::*;
fn time(name: &str, queries: &[Ends], mut f: impl FnMut(&Ends) -> Vec<i32>) -> Vec<Vec<i32>> {
    let t = Instant::now();
    let out: Vec<Vec<i32>> = queries.iter().map(|q| f(q)).collect();
    println!("{name} {:?}", t.elapsed() / queries.len() as u32);
    out
}
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let (table, _) = read_feed(&bytes, "x", Projection::Ellipsoid, 2).unwrap();
    let walks = Walks::new(&table, std::env::args().nth(2).map_or(Walking::Real, |w| w.parse().unwrap()));
    println!("walks {}", walks.len());
    let day = Day::new(&table, None, 2, walks, &Disruption::default()).unwrap();
    let served: Vec<u32> = (0..day.stops as u32).filter(|&s| !day.routes_at(s).is_empty()).collect();
    let mut dice = Dice::new(Seed::new(1));
    let queries: Vec<Ends> = (0..10000).map(|_| {
        let (a, b) = (*dice.pick(&served).unwrap(), *dice.pick(&served).unwrap());
        Ends::new(&day, &[a], &[b], dice.below(24 * 60) as i32 * 60)
    }).collect();
    let mut scan = Scan::default();
    let few = &queries[..500];
    let one = |t: Option<Trail>| t.map(|t| t.arrival).into_iter().collect::<Vec<_>>();
    let a = time("csa", &queries, |q| one(scan.earliest(&day, q, &mut ())));
    for q in few { if let Some(t) = scan.earliest(&day, q, &mut ()) { assert!(t.holds(&day, q)); } }
    let mut raptor = Raptor::default();
    let p = time("raptor", &queries, |q| raptor.pareto(&day, q, 20, &mut ()).iter().map(|t| t.arrival).collect());
    for (x, y) in a.iter().zip(&p) { assert_eq!(x.first(), y.last()); }
    for q in few { for t in raptor.pareto(&day, q, 20, &mut ()) { assert!(t.holds(&day, q)); } }
    let mut td = TimeDependent::default();
    let d = time("td dijkstra", &queries, |q| one(td.earliest(&day, q, None, &mut ())));
    for (x, y) in a.iter().zip(&d) { assert_eq!(x.first(), y.last()); }
    for q in few { if let Some(t) = td.earliest(&day, q, None, &mut ()) { assert!(t.holds(&day, q)); } }
    let d = time("td astar bound", few, |q| { let e = Heuristic::Bound.estimates(&table, &day, q, Unit::Seconds); one(td.earliest(&day, q, Some(&e.stop), &mut ()))});
    for (x, y) in a.iter().zip(&d) { assert_eq!(x.first(), y.last()); }
    let s = time("sweep", few, |q| { let s = Sweep::new(&day, q, Price::Vehicles, time::NEVER); for e in &s.ends { assert!(s.trail(&day, e).holds(&day, q)); } s.ends.iter().rev().map(|e| e.time).collect() });
    for ((x, y), q) in p.iter().zip(&s).zip(few) { assert_eq!(x, y, "{q:?}"); }
    let g = Expanded::new(&day);
    let mut ex = ExpandedSearch::default();
    let few = &queries[..100];
    let d = time("expanded dijkstra", few, |q| one(ex.best(&day, &g, q, Aim::Time, None, &mut ())));
    for (x, y) in a.iter().zip(&d) { assert_eq!(x.first(), y.last()); }
    let d = time("expanded a* bound", few, |q| { let e = Heuristic::Bound.estimates(&table, &day, q, Unit::Seconds); one(ex.best(&day, &g, q, Aim::Time, Some(&e), &mut ()))});
    for (x, y) in a.iter().zip(&d) { assert_eq!(x.first(), y.last()); }
    let d = time("expanded dijkstra vehicles", few, |q| one(ex.best(&day, &g, q, Aim::Vehicles, None, &mut ())));
    for (x, y) in p.iter().zip(&d) { assert_eq!(x.first(), y.last()); }
    let d = time("expanded a* vehicles", few, |q| { let e = Heuristic::Bound.estimates(&table, &day, q, Unit::Vehicles); one(ex.best(&day, &g, q, Aim::Vehicles, Some(&e), &mut ()))});
    for (x, y) in p.iter().zip(&d) { assert_eq!(x.first(), y.last()); }
    let s = time("sweep cm", few, |q| { let s = Sweep::new(&day, q, Price::Centimetres, time::NEVER); s.ends.iter().rev().map(|e| e.time).collect() });
    let d = time("expanded dijkstra cm", few, |q| one(ex.best(&day, &g, q, Aim::Distance, None, &mut ())));
    for ((x, y), q) in s.iter().zip(&d).zip(few) { if x.first() != y.last() {
        let s = Sweep::new(&day, q, Price::Centimetres, time::NEVER);
        let a = s.trail(&day, s.ends.last().unwrap()); let b = ex.best(&day, &g, q, Aim::Distance, None, &mut ()).unwrap();
        println!("{:?}\n{:?} {} {} {}\n{:?} {} {}", q, a, a.cm(&day, q), s.ends.last().unwrap().cost, a.holds(&day, q), b, b.cm(&day, q), b.holds(&day, q));
    } }
}
