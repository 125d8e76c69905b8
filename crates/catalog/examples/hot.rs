//! The hot paths of the house, each alone, for counting its instructions (see `.ci/instructions`):
//! `cargo build --release -p wits-catalog --example hot && valgrind --tool=cachegrind --cache-sim=no target/release/examples/hot NAME`.
//!
//! Everything is seeded and runs on one thread, so that the count is the same every time.

use std::hint::black_box;
use std::sync::Arc;

use wits_game::{Dice, Game, Seed};
use wits_logic::Machine;
use wits_matchbox::tictactoe::TicTacToe;
use wits_matchbox::{Opponent, Preset, school};
use wits_othello::Position;
use wits_othello::endgame::Solver;
use wits_othello::perft::{Passes, perft};
use wits_play::{Budget, Limits};
use wits_scrabble::generate::Method;
use wits_scrabble::{Engine, Lexicon, TileSet, bench};
use wits_search::tree::{MctsOptions, Payoffs, alphabeta, mcts};
use wits_transit::{CityPlan, Planner, Question, Time, Walking, generate};

/// Every path by name.
const PATHS: &[(&str, fn())] = &[
    ("spine-alphabeta", spine_alphabeta),
    ("spine-mcts", spine_mcts),
    ("othello-perft", othello_perft),
    ("othello-ending", othello_ending),
    ("matchbox-school", matchbox_school),
    ("logic-reverse", logic_reverse),
    ("scrabble-games", scrabble_games),
    ("transit-journeys", transit_journeys),
];

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    match PATHS.iter().find(|(path, _)| *path == name) {
        Some((_, run)) => run(),
        None => {
            for (path, _) in PATHS {
                #[expect(clippy::print_stdout, reason = "the list is the answer")]
                {
                    println!("{path}");
                }
            }
        }
    }
}

fn spine_alphabeta() {
    let start = TicTacToe.start();
    let endless = Budget::endless();
    drop(black_box(alphabeta(
        &TicTacToe,
        &start,
        &Payoffs,
        8,
        &endless,
        &mut (),
    )));
}

fn spine_mcts() {
    let budget = Budget::start(Limits::nodes(3_000));
    let (start, options) = (TicTacToe.start(), MctsOptions::default());
    let mut dice = Dice::new(Seed::new(1));
    black_box(mcts(
        &TicTacToe,
        &start,
        &options,
        &mut dice,
        &budget,
        &mut |_| {},
        &mut (),
    ));
}

fn othello_perft() {
    let p = Position::START;
    black_box(perft(p.own(), p.other(), 8, Passes::Ply));
}

/// A random game until twelve squares are left, solved.
fn othello_ending() {
    let mut dice = Dice::new(Seed::new(4));
    let mut p = Position::START;
    while (p.own() | p.other()).count_ones() < 52 && !p.over() {
        let open: Vec<_> = wits_othello::Square::all(p.moves()).collect();
        match dice.pick(&open) {
            Some(&square) => p = p.played(square),
            None => break,
        }
    }
    let mut solver = Solver::new(12);
    black_box(solver.score(p.own(), p.other(), &Budget::endless()));
}

fn matchbox_school() {
    let Ok(preset) = Preset::named("menace") else {
        return;
    };
    let Ok(machine) = preset.machine() else {
        return;
    };
    let mut cabinets = [None, None];
    cabinets[preset.seat.index()] = Some(&**machine.cabinet());
    let Ok(chart) = preset.subject.chart(cabinets) else {
        return;
    };
    let (opponent, seed) = (Opponent::Random, Seed::new(1));
    black_box(school(&chart, &machine, &opponent, 2_000, seed));
}

fn logic_reverse() {
    let mut machine = Machine::new();
    machine.load(
        "reverse",
        "app([], L, L).\napp([H|T], L, [H|R]) :- app(T, L, R).\nrev([], []).\nrev([H|T], R) :- rev(T, S), app(S, [H], R).\nnumbers(N, N, [N]) :- !.\nnumbers(I, N, [I|T]) :- J is I + 1, numbers(J, N, T).\nrun :- numbers(1, 200, L), rev(L, _).\n",
    );
    if machine.query("run.").is_ok() {
        black_box(machine.solve());
    }
}

/// Best-move games with some thousand words that follow a pattern.
fn scrabble_games() {
    let Some(tiles) = TileSet::named("english") else {
        return;
    };
    let (hard, soft) = ("BDGMNRST", "AEIO");
    let mut words: Vec<String> = vec![String::new()];
    let mut all = Vec::new();
    for place in 0..5 {
        let letters = if place % 2 == 0 { hard } else { soft };
        words = words
            .iter()
            .flat_map(|word| letters.chars().map(move |c| format!("{word}{c}")))
            .collect();
        if place > 0 {
            all.extend(words.iter().cloned());
        }
    }
    let letters = all.iter().filter_map(|word| tiles.read_word(word).ok());
    let Ok(lexicon) = Lexicon::new("pattern", &tiles, letters.collect::<Vec<_>>()) else {
        return;
    };
    let engine = Engine::new(lexicon);
    black_box(bench::greedy_games(&engine, Method::Dawg, 2, Seed::new(1)));
}

fn transit_journeys() {
    let town = generate(&CityPlan {
        seed: Seed::new(1),
        size: 0.05,
    });
    let Ok(planner) = Planner::new(Arc::new(town), Walking::Real, None) else {
        return;
    };
    let served = planner.served();
    for n in 1..6 {
        let to = served[served.len() * n / 6];
        let question = Question::new(vec![served[0]], vec![to], Time::hm(8, 0));
        let _ = black_box(planner.route(&question));
    }
}
