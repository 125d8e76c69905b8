//! Measures the room on this machine: `cargo run --release -p wits-othello --example measure`.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program for people"
)]

use std::time::Instant;

use wits_game::{Dice, Seed};
use wits_othello::endgame::Solver;
use wits_othello::perft::{Passes, perft};
use wits_othello::teach::{Teacher, plain};
use wits_othello::{Heuristic, Position, Square, ffo};
use wits_search::Budget;

fn main() {
    let what: Vec<String> = std::env::args().skip(1).collect();
    let all = what.is_empty();
    let want = |name: &str| all || what.iter().any(|w| w == name);
    if want("perft") {
        let start = Instant::now();
        let leaves = perft(
            Position::START.own(),
            Position::START.other(),
            11,
            Passes::Ply,
        );
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "perft 11: {leaves} in {seconds:.2} s, {:.0} M/s",
            leaves as f64 / seconds / 1e6
        );
    }
    if want("teach") {
        teach();
    }
    if want("ffo") {
        let mut solver = Solver::new(20);
        let mut total = 0.0;
        for problem in ffo::suite().iter().filter(|p| p.number <= 44) {
            let before = solver.nodes();
            let start = Instant::now();
            let p = problem.position;
            let score = solver
                .score(p.own(), p.other(), &Budget::endless())
                .unwrap();
            let seconds = start.elapsed().as_secs_f64();
            total += seconds;
            let nodes = solver.nodes() - before;
            println!(
                "#{}: {score:+} (known {:+}), {nodes} nodes, {seconds:.2} s, {:.1} M/s",
                problem.number,
                problem.score(),
                nodes as f64 / seconds / 1e6
            );
        }
        println!("together {total:.2} s");
    }
}

fn teach() {
    let mut dice = Dice::new(Seed::new(1));
    let mut boards = Vec::new();
    while boards.len() < 60 {
        let mut p = Position::START;
        let moves = 15 + dice.below(30);
        for _ in 0..moves {
            let open: Vec<Square> = Square::all(p.moves()).collect();
            let Some(&s) = dice.pick(&open) else { break };
            p = p.played(s);
        }
        if !p.over() {
            boards.push(p);
        }
    }
    let mut teacher = Teacher::new(Heuristic::Korman);
    let start = Instant::now();
    let mut nodes = 0;
    for p in &boards {
        nodes += teacher.decide(p, 5).nodes;
    }
    let fast = start.elapsed().as_secs_f64() / boards.len() as f64;
    let start = Instant::now();
    let mut plain_nodes = 0;
    for p in &boards {
        plain_nodes += plain(p, Heuristic::Korman, 5, true).nodes;
    }
    let slow = start.elapsed().as_secs_f64() / boards.len() as f64;
    println!(
        "korman depth 5: {:.3} ms a decision ({nodes} nodes), plain {:.3} ms ({plain_nodes} nodes)",
        fast * 1e3,
        slow * 1e3
    );
    for (h, depth) in [(Heuristic::Korman, 5), (Heuristic::Le162, 3)] {
        let mut teacher = Teacher::new(h);
        let start = Instant::now();
        let games = 10;
        for _ in 0..games {
            let mut p = Position::START;
            while let Some(s) = teacher.decide(&p, depth).best {
                p = p.played(s);
            }
        }
        let each = start.elapsed().as_secs_f64() / f64::from(games);
        println!("{h} depth {depth}: {:.2} ms a game", each * 1e3);
    }
}
