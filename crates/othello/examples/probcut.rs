//! Measures how well shallow searches foretell deep ones: `cargo run --release -p wits-othello --example probcut -- POSITIONS OUT`.
//!
//! The positions come from quick games of the engine against itself, three of each.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program for people"
)]

use wits_game::{Dice, Seed};
use wits_othello::engine::duel::opening;
use wits_othello::engine::probcut::measure;
use wits_othello::engine::train::Sample;
use wits_othello::engine::{Engine, Judgement};
use wits_search::{Budget, Limits};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let count: usize = args[0].parse().unwrap();
    let mut samples = Vec::new();
    let mut engine = Engine::new();
    for number in 0.. {
        if samples.len() >= count {
            break;
        }
        let seed = Seed::new(number);
        let mut dice = Dice::new(seed.nth(1));
        let chosen: Vec<usize> = (0..3).map(|_| 12 + dice.below(41)).collect();
        let mut p = opening(seed, 8);
        while !p.over() {
            if chosen.contains(&(p.taken().count_ones() as usize)) {
                samples.push(Sample {
                    own: p.own(),
                    other: p.other(),
                    worth: 0,
                    held_out: false,
                });
            }
            let budget = Budget::start(Limits::nodes(600));
            let found = engine.think(&p, (60, 8), 1, &budget, &mut |_| ());
            p = p.played(found.ideas[0].line[0]);
        }
    }
    println!("{} positions", samples.len());
    let errors = measure(&Judgement::fitted(), &samples);
    std::fs::write(&args[1], errors.write()).unwrap();
}
