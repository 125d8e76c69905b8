//! Counting leaves beside the crate `magpie`: `cargo bench -p wits-othello --bench perft`.
//!
//! Both count on one thread without a table, and both take the moves of the last ply as a number.
#![allow(clippy::print_stdout, reason = "a program for people")]

use std::hint::black_box;
use std::time::Instant;

use magpie::othello::{Board, Stone};
use wits_othello::Position;
use wits_othello::array;
use wits_othello::perft::{Passes, perft};

/// The same count with the other crate; a pass is a ply.
fn theirs(board: &Board, stone: Stone, depth: u32) -> u64 {
    let moves = board.moves_for(stone);
    if moves.is_empty() {
        if board.moves_for(stone.flip()).is_empty() || depth == 1 {
            return 1;
        }
        return theirs(board, stone.flip(), depth - 1);
    }
    if depth == 1 {
        return u64::from(moves.count_set());
    }
    let after = |position| {
        let mut next = board.clone();
        next.play(stone, position);
        theirs(&next, stone.flip(), depth - 1)
    };
    moves.hot_bits().map(after).sum()
}

/// The best of three: million leaves a second.
fn speed(name: &str, leaves: u64, count: impl Fn() -> u64) -> f64 {
    let once = || {
        let start = Instant::now();
        assert_eq!(count(), leaves, "{name}");
        start.elapsed().as_secs_f64()
    };
    let seconds = (0..3).map(|_| once()).fold(f64::INFINITY, f64::min);
    let speed = leaves as f64 / seconds / 1e6;
    println!("{name:<34} {leaves:>12} leaves  {speed:>9.1} million a second");
    speed
}

fn main() {
    // `cargo test --benches` only asks whether this runs.
    let quick = std::env::args().any(|arg| arg == "--test");
    let (depth, leaves) = if quick { (6, 8_200) } else { (10, 24_571_284) };
    let start = Position::START;
    let ours = speed("wits, words of bits", leaves, || {
        perft(black_box(start.own()), start.other(), depth, Passes::Ply)
    });
    let peer = speed("magpie", leaves, || {
        theirs(black_box(&Board::standard()), Stone::Black, depth)
    });
    let (depth, leaves) = if quick { (4, 244) } else { (7, 55_092) };
    let plain = speed("wits, array of squares", leaves, || {
        black_box(array::Board::from(&start)).perft(depth)
    });
    println!(
        "{:.1} times magpie, {:.0} times the array",
        ours / peer,
        ours / plain
    );
}
