//! Measures how well shallow searches foretell deep ones: `cargo run --release -p wits-othello --example probcut -- SAMPLES EVERY OUT`.
//!
//! SAMPLES is a file of positions that `wits othello train` kept; every EVERY-th is looked at.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program for people"
)]

use wits_othello::engine::Judgement;
use wits_othello::engine::probcut::measure;
use wits_othello::engine::train::Sample;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let bytes = std::fs::read(&args[0]).unwrap();
    let every: usize = args[1].parse().unwrap();
    let samples: Vec<Sample> = bytes
        .chunks(Sample::BYTES)
        .filter_map(Sample::read)
        .step_by(every)
        .collect();
    println!("{} positions", samples.len());
    let errors = measure(&Judgement::fitted(), &samples, &mut |_| true);
    std::fs::write(&args[2], errors.write()).unwrap();
}
