//! The Othello room: words of bits beside arrays, the teaching engine beside the plain one, and what each of
//! its aids saves.

use std::hint::black_box;

use wits_game::{Dice, Seed};
use wits_othello::array::Board;
use wits_othello::endgame::Solver;
use wits_othello::perft::{Passes, perft, perft_merged};
use wits_othello::teach::{Aids, Teacher, plain};
use wits_othello::{Heuristic, Position, Square, bits, ffo};
use wits_search::Budget;

use super::{Figure, best, timed};
use crate::matches::threads;

/// Positions from the middle of random games.
fn boards(count: usize) -> Vec<Position> {
    let mut dice = Dice::new(Seed::new(1));
    let mut boards = Vec::new();
    while boards.len() < count {
        let mut p = Position::START;
        for _ in 0..15 + dice.below(30) {
            let open: Vec<Square> = Square::all(p.moves()).collect();
            let Some(&square) = dice.pick(&open) else {
                break;
            };
            p = p.played(square);
        }
        if !p.over() {
            boards.push(p);
        }
    }
    boards
}

/// A rate, where more is better.
fn rate(name: String, value: f64, unit: &str, baseline: Option<f64>) -> Figure {
    Figure {
        room: String::new(),
        name,
        value,
        unit: unit.to_owned(),
        ratio: baseline.map(|b| value / b),
        baseline,
    }
}

/// Nanoseconds, where less is better.
fn each(name: &str, seconds: f64, baseline: f64, count: usize) -> Figure {
    let nanos = |s: f64| s * 1e9 / count as f64;
    Figure {
        room: String::new(),
        name: name.to_owned(),
        value: nanos(seconds),
        unit: "ns".to_owned(),
        baseline: Some(nanos(baseline)),
        ratio: Some(baseline / seconds),
    }
}

/// All figures of the room.
pub(super) fn figures() -> Vec<Figure> {
    let mut all = array_and_bits();
    all.extend(counting());
    all.extend(teaching());
    all.extend(ablation());
    all.push(ending());
    all
}

/// The report's figures 10 and 11: making a move and finding moves, array against bits.
fn array_and_bits() -> Vec<Figure> {
    let positions = boards(2_000);
    let arrays: Vec<Board> = positions.iter().map(Board::from).collect();
    let first = |p: &Position| Square::first(p.moves()).unwrap_or_else(|| unreachable!("not over"));
    let squares: Vec<Square> = positions.iter().map(first).collect();
    let count = positions.len();
    let fast = best(5, || {
        for (p, s) in positions.iter().zip(&squares) {
            black_box(black_box(p).after(*s));
        }
    });
    let slow = best(5, || {
        for (b, s) in arrays.iter().zip(&squares) {
            black_box(black_box(b).after(*s));
        }
    });
    let fast_moves = best(5, || {
        for p in &positions {
            let p = black_box(p);
            black_box(bits::moves(p.own(), p.other()));
        }
    });
    let slow_moves = best(5, || {
        for b in &arrays {
            drop(black_box(black_box(b).moves()));
        }
    });
    vec![
        each(
            "making a move, figure 10 (baseline: array)",
            fast,
            slow,
            count,
        ),
        each(
            "finding moves, figure 11 (baseline: array)",
            fast_moves,
            slow_moves,
            count,
        ),
    ]
}

fn counting() -> Vec<Figure> {
    let p = Position::START;
    let seconds = best(3, || {
        black_box(perft(black_box(p.own()), p.other(), 10, Passes::Ply));
    });
    let slow = best(3, || {
        black_box(black_box(Board::from(&p)).perft(7));
    });
    let cores = threads(0);
    let merged = best(1, || {
        black_box(perft_merged(
            black_box(p.own()),
            p.other(),
            13,
            Passes::Ply,
            cores,
        ));
    });
    let (speed, plainly) = (24_571_284.0 / seconds / 1e6, 55_092.0 / slow / 1e6);
    let name = "perft 10, one thread, no table (baseline: array)".to_owned();
    vec![
        rate(name, speed, "million leaves/s", Some(plainly)),
        timed(
            &format!("perft 13, symmetric positions merged, {cores} threads"),
            merged,
            None,
        ),
    ]
}

/// One decision, one game of the engine against itself, and games at a low depth, beside plain alpha-beta.
fn teaching() -> Vec<Figure> {
    let positions = boards(60);
    let count = positions.len() as f64;
    let mut teacher = Teacher::new(Heuristic::Korman);
    let fast = best(3, || {
        for p in &positions {
            black_box(teacher.decide(black_box(p), 5));
        }
    });
    let slow = best(1, || {
        for p in &positions {
            black_box(plain(black_box(p), Heuristic::Korman, 5, true));
        }
    });
    let game = |decide: &mut dyn FnMut(&Position) -> Option<Square>| {
        let mut p = black_box(Position::START);
        while let Some(square) = decide(&p) {
            p = p.played(square);
        }
    };
    let quick = best(3, || game(&mut |p| teacher.decide(p, 5).best));
    let long = best(1, || {
        game(&mut |p| plain(p, Heuristic::Korman, 5, true).best);
    });
    let mut linear = Teacher::new(Heuristic::Le162);
    let games = best(5, || game(&mut |p| linear.decide(p, 3).best));
    let slow_games = best(3, || {
        game(&mut |p| plain(p, Heuristic::Le162, 3, true).best);
    });
    vec![
        timed(
            "Korman, depth 5, one decision (baseline: plain alpha-beta)",
            fast / count,
            Some(slow / count),
        ),
        timed(
            "Korman, depth 5, a game against itself (baseline: plain alpha-beta)",
            quick,
            Some(long),
        ),
        rate(
            "linear le162, depth 3 (baseline: plain alpha-beta)".to_owned(),
            1.0 / games,
            "games/s",
            Some(1.0 / slow_games),
        ),
    ]
}

/// What ordering, the table and deepening save, alone and together: nodes and time each.
fn ablation() -> Vec<Figure> {
    let (positions, depth) = (boards(30), 6);
    let aids = |ordering, table, deepening| Aids {
        ordering,
        table,
        deepening,
    };
    let mut base: Option<(f64, f64)> = None;
    let mut figures = Vec::new();
    for (name, aids) in [
        ("nothing", aids(false, false, false)),
        ("ordering", aids(true, false, false)),
        ("table", aids(false, true, false)),
        ("deepening", aids(false, false, true)),
        ("table and deepening", aids(false, true, true)),
        ("ordering and table", aids(true, true, false)),
        ("all three", Aids::ALL),
    ] {
        let mut nodes = 0;
        let seconds = best(2, || {
            let mut teacher = Teacher::with(Heuristic::Korman, aids);
            nodes = positions
                .iter()
                .map(|p| teacher.decide(black_box(p), depth).nodes)
                .sum();
        });
        let (nodes, count) = (nodes as f64, positions.len() as f64);
        let (base_nodes, base_seconds) = *base.get_or_insert((nodes, seconds));
        let label = format!("alpha-beta, Korman, depth {depth}, with {name}");
        figures.push(Figure {
            room: String::new(),
            name: format!("{label}: nodes a decision (baseline: nothing)"),
            value: nodes / count,
            unit: "nodes".to_owned(),
            baseline: Some(base_nodes / count),
            ratio: Some(base_nodes / nodes),
        });
        figures.push(timed(
            &format!("{label}: time a decision (baseline: nothing)"),
            seconds / count,
            Some(base_seconds / count),
        ));
    }
    figures
}

/// One position of the endgame suite; `wits othello ffo` has them all.
fn ending() -> Figure {
    let number = |p: &ffo::Problem| p.number == 40;
    let problem = ffo::suite().into_iter().find(number);
    let seconds = best(1, || {
        if let Some(p) = problem.as_ref().map(|p| p.position) {
            let mut solver = Solver::new(20);
            black_box(solver.score(black_box(p.own()), p.other(), &Budget::endless()));
        }
    });
    timed("FFO #40, exact, one thread", seconds, None)
}
