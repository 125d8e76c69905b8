//! The grid through the public API.

mod common;

use common::glass;
use wits_learn::bench;

#[test]
#[ignore = "measures time"]
fn bench_figures() {
    for work in bench::workloads() {
        let start = std::time::Instant::now();
        let accuracy = work.run().unwrap();
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{}: {seconds:.2} s (bar {}), accuracy {accuracy:.4}",
            work.name, work.bar
        );
    }
    std::fs::write("/tmp/peer/train.csv", bench::sample_csv(14_000, 20, 4, 1)).unwrap();
    std::fs::write("/tmp/peer/test.csv", bench::sample_csv(4_000, 20, 4, 2)).unwrap();
    std::fs::write("/tmp/peer/peer.py", bench::PEER).unwrap();
    let _ = glass();
}
