//! Plays the engine against Korman at depth 5, or two settings of itself:
//! `cargo run --release -p wits-othello --example duel -- korman NODES PAIRS` or `-- select MARGIN NODES PAIRS`.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program for people"
)]

use std::time::{Duration, Instant};

use wits_game::{Dice, Seed};
use wits_othello::engine::duel::{Score, opening, pair};
use wits_othello::engine::levels::Level;
use wits_othello::engine::patterns::Patterns;
use wits_othello::engine::{Engine, Judgement, Selection};
use wits_othello::teach::{Teacher, plain};
use wits_othello::{Heuristic, Position, Square};
use wits_search::{Budget, Limits};

fn pick(engine: &mut Engine, p: &Position, nodes: u64, exact: u32, time: &mut Duration) -> Square {
    let start = Instant::now();
    let budget = Budget::start(Limits::nodes(nodes));
    let found = engine.think(p, (60, exact), 1, &budget, &mut |_| ());
    *time += start.elapsed();
    found.ideas[0].line[0]
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let plies: u32 = std::env::var("PLIES").map_or(6, |p| p.parse().unwrap());
    let number = |i: usize| -> u64 { args[i].parse().unwrap() };
    let (mut ta, mut tb) = (Duration::ZERO, Duration::ZERO);
    let mut score = Score::default();
    let exact = |nodes: u64| {
        if nodes < 3000 {
            8
        } else if nodes < 30000 {
            10
        } else {
            12
        }
    };
    match args[0].as_str() {
        "korman" => {
            let nodes = number(1);
            let mut engine = Engine::new();
            let mut teacher = Teacher::new(Heuristic::Korman);
            for seed in 0..number(2) {
                let start = opening(Seed::new(seed), plies);
                let s = pair(
                    &start,
                    &mut |p| pick(&mut engine, p, nodes, exact(nodes), &mut ta),
                    &mut |p| {
                        let begin = Instant::now();
                        let square = teacher.decide(p, 5).best.unwrap();
                        tb += begin.elapsed();
                        square
                    },
                );
                score = score.and(s);
            }
        }
        "select" => {
            let margin = number(1) as i32;
            let nodes = number(2);
            let (mut a, mut b) = (Engine::new(), Engine::new());
            a.select(Some(Selection { margin }));
            b.select(None);
            for seed in 0..number(3) {
                let start = opening(Seed::new(seed), plies);
                score = score.and(pair(
                    &start,
                    &mut |p| pick(&mut a, p, nodes, exact(nodes), &mut ta),
                    &mut |p| pick(&mut b, p, nodes, exact(nodes), &mut tb),
                ));
            }
        }
        "weights" => {
            let read = |i: usize| {
                let bytes = std::fs::read(&args[i]).unwrap();
                Judgement::Patterns(Patterns::read(&bytes).unwrap().into())
            };
            let nodes = number(3);
            let (mut a, mut b) = (Engine::with(read(1), 16), Engine::with(read(2), 16));
            for seed in 0..number(4) {
                let start = opening(Seed::new(seed), plies);
                score = score.and(pair(
                    &start,
                    &mut |p| pick(&mut a, p, nodes, exact(nodes), &mut ta),
                    &mut |p| pick(&mut b, p, nodes, exact(nodes), &mut tb),
                ));
            }
        }
        "ladder" => {
            // Each further argument is a level: depth,exact,loss; neighbours play each other.
            let pairs = number(1);
            let level = |text: &String| {
                let parts: Vec<f64> = text.split(',').map(|p| p.parse().unwrap()).collect();
                Level {
                    depth: parts[0] as u32,
                    exact: parts[1] as u32,
                    loss: parts[2],
                }
            };
            let levels: Vec<Level> = args[2..].iter().map(level).collect();
            for two in levels.windows(2) {
                let (mut a, mut b) = (Engine::new(), Engine::new());
                let mut score = Score::default();
                let mut dice = Dice::new(Seed::new(5));
                for seed in 0..pairs {
                    let start = opening(Seed::new(seed), plies);
                    let dice = std::cell::RefCell::new(&mut dice);
                    let pick = |level: Level, engine: &mut Engine, p: &Position| {
                        let budget = Budget::start(Limits::nodes(100_000));
                        let mut dice = dice.borrow_mut();
                        level
                            .pick(engine, p, &budget, &mut dice, &mut |_| ())
                            .0
                            .unwrap()
                    };
                    score = score.and(pair(&start, &mut |p| pick(two[1], &mut a, p), &mut |p| {
                        pick(two[0], &mut b, p)
                    }));
                }
                println!("{:?} over {:?}: {:.3}", two[1], two[0], score.share());
            }
            return;
        }
        "textbook" => {
            let nodes = number(1);
            let mut engine = Engine::new();
            for seed in 0..number(2) {
                let start = opening(Seed::new(seed), plies);
                let s = pair(
                    &start,
                    &mut |p| pick(&mut engine, p, nodes, exact(nodes), &mut ta),
                    &mut |p| {
                        let begin = Instant::now();
                        let square = plain(p, Heuristic::Korman, 5, true).best.unwrap();
                        tb += begin.elapsed();
                        square
                    },
                );
                score = score.and(s);
            }
        }
        _ => {}
    }
    println!(
        "{score:?} share {:.3}; first {ta:?}, second {tb:?}",
        score.share()
    );
}
