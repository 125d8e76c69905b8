//! The strong engine: exact where it says so, repeatable, and stronger than the teaching engine.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use wits_game::{Dice, Seed};
use wits_othello::endgame::exact;
use wits_othello::engine::{Engine, Judgement, Known};
use wits_othello::teach::Teacher;
use wits_othello::{Heuristic, Position, Square, ffo};
use wits_search::{Budget, Limits};

fn opening(seed: u64, moves: u32) -> Position {
    let mut dice = Dice::new(Seed::new(seed));
    let mut p = Position::START;
    for _ in 0..moves {
        let open: Vec<Square> = Square::all(p.moves()).collect();
        p = p.played(*dice.pick(&open).unwrap());
    }
    p
}

fn best(engine: &mut Engine, p: &Position, nodes: u64) -> Square {
    let budget = Budget::start(Limits::nodes(nodes));
    let found = engine.think(p, (60, 10), 1, &budget, &mut |_| ());
    found.ideas[0].line[0]
}

#[test]
fn the_shipped_weights_are_there() {
    assert!(matches!(Judgement::fitted(), Judgement::Patterns(_)));
}

/// Games won, drawn and lost against Korman at depth 5, from random openings, both ways round.
fn against_korman(mut engine: Engine, openings: u64, nodes: u64) -> [u32; 3] {
    let mut teacher = Teacher::new(Heuristic::Korman);
    let mut tally = [0; 3];
    for seed in 0..openings {
        for engine_first in [true, false] {
            let mut p = opening(seed, 6);
            let first = p.turn;
            while !p.over() {
                let engines = (p.turn == first) == engine_first;
                let square = if engines {
                    best(&mut engine, &p, nodes)
                } else {
                    teacher.decide(&p, 5).best.unwrap()
                };
                p = p.played(square);
            }
            let (black, white) = p.score();
            let diff = black as i32 - white as i32;
            let for_engine = if (first.index() == 0) == engine_first {
                diff
            } else {
                -diff
            };
            tally[(1 - for_engine.signum()) as usize] += 1;
        }
    }
    tally
}

#[test]
fn it_beats_korman_at_depth_five() {
    let tally = against_korman(Engine::new(), 6, 20_000);
    assert!(tally[0] >= 11, "{tally:?}");
}

#[test]
fn the_same_nodes_give_the_same_move() {
    for seed in 0..4 {
        let p = opening(seed, 20);
        let one = best(&mut Engine::new(), &p, 5_000);
        assert_eq!(best(&mut Engine::new(), &p, 5_000), one);
        assert!(p.moves() & one.bit() != 0);
    }
}

#[test]
fn endings_are_exact_with_every_move() {
    let mut engine = Engine::new();
    for seed in 0..6 {
        let p = opening(seed, 50);
        if p.over() {
            continue;
        }
        let known = exact(&p, &Budget::endless()).unwrap();
        let found = engine.think(&p, (4, 12), 34, &Budget::endless(), &mut |_| ());
        assert!(found.ideas.iter().all(|idea| idea.known == Known::Exact));
        let mut scores: Vec<(Square, i32)> = found
            .ideas
            .iter()
            .map(|i| (i.line[0], i.discs as i32))
            .collect();
        scores.sort_by_key(|&(square, score)| (std::cmp::Reverse(score), square));
        assert_eq!(scores, known.moves);
    }
}

#[test]
fn a_stopped_engine_still_has_a_move() {
    let p = ffo::suite()[9].position;
    let budget = Budget::endless();
    budget.stop();
    let found = Engine::new().think(&p, (60, 26), 1, &budget, &mut |_| ());
    assert!(p.moves() & found.ideas[0].line[0].bit() != 0);
}
