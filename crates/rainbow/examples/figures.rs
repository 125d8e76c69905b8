//! Prints the figures of the manual: machine levels against hints, and how the strong player holds the fourth level.
//!
//! `cargo run --release -p wits-rainbow --example figures -- GAMES` prints the whole matrix for n = 30;
//! with numbers behind `GAMES`, level 4 against hint 4 and strong on boards of these lengths.
#![allow(clippy::print_stdout, reason = "printing is what it is for")]

use std::sync::atomic::AtomicBool;

use wits_game::Seed;
use wits_rainbow::matrix::{Machine, MatrixPlan};
use wits_rainbow::{Side, Terms};

fn main() {
    let numbers: Vec<u64> = std::env::args()
        .skip(1)
        .filter_map(|text| text.parse().ok())
        .collect();
    let games = numbers.first().copied().unwrap_or(100);
    let strong = Machine::Strong(3_000);
    for &n in numbers.get(1..).unwrap_or(&[]) {
        for first in Side::BOTH {
            row(
                n,
                first,
                vec![Machine::Level(4)],
                vec![Machine::Level(4), strong],
                games,
            );
        }
    }
    if numbers.len() < 2 {
        for first in Side::BOTH {
            let with_strong = || Machine::levels().into_iter().chain([strong]).collect();
            row(30, first, with_strong(), with_strong(), games);
        }
    }
}

fn row(n: u64, first: Side, makers: Vec<Machine>, breakers: Vec<Machine>, games: u64) {
    let terms = Terms::new(n, 5, 10, first).expect("sensible terms");
    let plan = MatrixPlan {
        terms,
        makers,
        breakers,
        games,
        seed: Seed::new(7),
    };
    let Some(matrix) = plan.play(2, &AtomicBool::new(false), &|_| {}) else {
        return;
    };
    println!(
        "n={n} k=5 c=10, {first} first, {games} games, share won by Maker; columns: {}",
        matrix.breakers.join(" ")
    );
    for (maker, cells) in matrix.makers.iter().zip(&matrix.cells) {
        let shares: Vec<String> = cells
            .iter()
            .map(|cell| format!("{:.3} (mean {:.1} moves)", cell.share, cell.mean_moves))
            .collect();
        println!("  {maker}: {}", shares.join("  "));
    }
}
