//! Machine levels against hint levels.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::atomic::AtomicBool;

use wits_game::Seed;
use wits_rainbow::matrix::{Machine, MatrixPlan};
use wits_rainbow::{Side, Terms};

#[test]
fn probe() {
    for first in Side::BOTH {
        let terms = Terms::new(30, 5, 10, first).unwrap();
        let mut breakers = Machine::levels();
        breakers.push(Machine::Strong(1000));
        let mut makers = Machine::levels();
        makers.push(Machine::Strong(1000));
        let plan = MatrixPlan {
            terms,
            makers,
            breakers,
            games: 60,
            seed: Seed::new(7),
        };
        let t = std::time::Instant::now();
        let m = plan.play(2, &AtomicBool::new(false), &|_| {}).unwrap();
        println!("{first} {:?}", t.elapsed());
        for row in &m.cells {
            println!(
                "{}",
                row.iter()
                    .map(|c| format!("{:.2} ", c.share))
                    .collect::<String>()
            );
        }
    }
}
