//! Times the readers on a file.
#![allow(clippy::print_stdout, clippy::unwrap_used)]
use std::time::Instant;
use wits_transit::*;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let t = Instant::now();
    let bytes = std::fs::read(&path).unwrap();
    println!("file {:?}", t.elapsed());
    let (table, diagnosis) = read_feed(&bytes, "x", Projection::Ellipsoid, 2).unwrap();
    println!("read {:?}", t.elapsed());
    for f in &diagnosis.findings { println!("{f:?}"); }
    println!("stops {} names {} lines {} patterns {} trips {} conns {} runs {}", table.stops.len(), table.names.len(), table.lines.len(), table.patterns.len(), table.trips.len(), table.connections(), table.runs.len());
    let t = Instant::now();
    let packed = pack::write(&table);
    println!("pack {:?} {} bytes", t.elapsed(), packed.len());
    let t = Instant::now();
    let again = pack::read(&packed).unwrap();
    println!("unpack {:?}", t.elapsed());
    assert_eq!(again.trips, table.trips);
    for w in [Walking::None, Walking::Report, Walking::Real] {
        let t = Instant::now();
        let walks = Walks::new(&table, w);
        println!("walks {:?} {} {:?}", w, walks.len(), t.elapsed());
        let t = Instant::now();
        let day = Day::new(&table, None, 2, walks, &Disruption::default()).unwrap();
        println!("day {:?} {:?} conns {} routes {} runs {} bytes {}", day.date, t.elapsed(), day.connections.len(), day.routes.len(), day.runs.len(), day.bytes());
    }
}
