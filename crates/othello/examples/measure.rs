//! Measures the room on this machine: `cargo run --release -p wits-othello --example measure`.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program for people"
)]

use std::time::Instant;

use wits_game::{Dice, Game, Seed};
use wits_othello::endgame::Solver;
use wits_othello::engine::Engine;
use wits_othello::perft::{Passes, perft};
use wits_othello::teach::{Teacher, plain};
use wits_othello::{Heuristic, Othello, Position, Square, ffo};
use wits_play::{AnyDesk, Shelf, Spec};
use wits_search::{Budget, Limits, Recorder};

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
    if want("engine") {
        engine();
    }
    if want("recording") {
        recording();
    }
    if what.iter().any(|w| w == "endings") {
        endings();
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

/// What endings of its own games cost: score and result, by empty squares and moves.
fn endings() {
    println!("empties  score  spread  result  spread  moves  (geometric means of positions)");
    let (mut xs, mut ys) = (Vec::new(), Vec::new());
    for empties in 8..=19 {
        let mut logs = [Vec::new(), Vec::new(), Vec::new()];
        for seed in 0..40 {
            let mut engine = Engine::new();
            let mut p = wits_othello::engine::duel::opening(Seed::new(seed), 10);
            while !p.over() && p.taken().count_ones() < 64 - empties {
                let budget = Budget::start(Limits::nodes(400));
                let found = engine.think(&p, (60, 8), 1, &budget, &mut |_| ());
                p = p.played(found.ideas[0].line[0]);
            }
            if p.over() {
                continue;
            }
            let moves = p.moves().count_ones() + p.passed().moves().count_ones();
            let cost = |wide: bool| {
                let mut solver = Solver::new(16);
                let endless = Budget::endless();
                if wide {
                    solver.score(p.own(), p.other(), &endless);
                } else {
                    solver.within(p.own(), p.other(), -1, 1, &endless);
                }
                (solver.nodes() as f64).ln()
            };
            logs[0].push(cost(true));
            logs[1].push(cost(false));
            logs[2].push(f64::from(moves.max(4)).ln());
        }
        let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
        let spread = |v: &[f64]| {
            let m = mean(v);
            (v.iter().map(|x| (x - m) * (x - m)).sum::<f64>() / v.len() as f64).sqrt()
        };
        let means = [mean(&logs[0]), mean(&logs[1]), mean(&logs[2])];
        xs.extend(logs[2].iter().map(|x| x - means[2]));
        ys.extend(logs[0].iter().map(|y| y - means[0]));
        println!(
            "{empties:7} {:8.0} {:6.2} {:8.0} {:6.2} {:6.1}",
            means[0].exp(),
            spread(&logs[0]),
            means[1].exp(),
            spread(&logs[1]),
            means[2].exp()
        );
    }
    let slope =
        xs.iter().zip(&ys).map(|(x, y)| x * y).sum::<f64>() / xs.iter().map(|x| x * x).sum::<f64>();
    println!("cost grows with moves to the power of {slope:.2}");
}

/// Positions of random games after so many moves.
fn positions(count: u64, moves: usize) -> Vec<Position> {
    let one = |n| {
        let mut dice = Dice::new(Seed::new(n));
        let mut p = Position::START;
        for _ in 0..moves {
            let open: Vec<Square> = Square::all(p.moves()).collect();
            let Some(&square) = dice.pick(&open) else {
                break;
            };
            p = p.played(square);
        }
        p
    };
    (0..count).map(one).collect()
}

/// The engine alone, for a count of instructions.
fn engine() {
    let mut engine = Engine::new();
    let mut nodes = 0;
    for p in positions(3, 20).into_iter().chain(positions(3, 46)) {
        let budget = Budget::start(Limits::nodes(30_000));
        nodes += engine.think(&p, (60, 14), 1, &budget, &mut |_| ()).nodes;
    }
    println!("engine: {nodes} positions");
}

/// What it costs to record a decision of the engine.
fn recording() {
    let game = wits_othello::entry()
        .erase()
        .game(&Spec::named("othello"), &Shelf::new())
        .unwrap();
    let spec: Spec = "engine:book=false".parse().unwrap();
    for (n, p) in positions(4, 20)
        .into_iter()
        .chain(positions(2, 44))
        .enumerate()
    {
        let text = Othello::default().notation(&p).unwrap();
        let table = game.begin_from(&text, Seed::new(1), None).unwrap();
        let seat = table.turn().seat().unwrap();
        let run = |recorder: Option<&mut Recorder>| {
            let mut player = game.player(&spec, seat, &Shelf::new()).unwrap();
            let budget = Budget::start(Limits::nodes(400_000));
            let desk = AnyDesk {
                budget: &budget,
                dice: table.dice(seat),
                tell: &mut |_| {},
                record: recorder,
            };
            let start = Instant::now();
            let choice = player.choose(table.as_ref(), desk);
            (start.elapsed(), choice, player)
        };
        // The machine is never quiet: the best of some runs.
        let (mut plain, choice, _) = run(None);
        for _ in 0..5 {
            plain = plain.min(run(None).0);
        }
        for limit in [4_000, 100_000] {
            let mut recorder = Recorder::new(limit);
            let (mut watched, same, player) = run(Some(&mut recorder));
            assert!(same == choice, "recording changed the decision");
            for _ in 0..5 {
                watched = watched.min(run(Some(&mut Recorder::new(limit))).0);
            }
            let thread = player.thread(recorder, &*game, table.as_ref(), Seed::new(1), "");
            let mut counts = thread.steps.iter().rev();
            let nodes = counts.find_map(|step| step.data.get("nodes")?.as_u64());
            println!(
                "position {n}, {} looked at: {plain:.1?} alone, {watched:.1?} recorded, {} steps, {} kB",
                nodes.unwrap_or(0),
                thread.steps.len(),
                thread.text().len() / 1000
            );
        }
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
