//! What being watchable costs: alpha-beta with nobody watching beside a twin that cannot be watched,
//! and beside one that is recorded.
#![allow(
    missing_docs,
    reason = "the macro of the bench writes functions without docs"
)]

#[path = "../tests/all/toys/mod.rs"]
mod toys;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use toys::maze::{Maze, Opinion};
use toys::nim::Nim;
use toys::twin::unwatched;
use wits_game::Game;
use wits_search::tree::{Payoffs, alphabeta};
use wits_search::{Budget, Recorder};

fn watching(bench: &mut Criterion) {
    let maze = Maze {
        seed: 5,
        seats: 2,
        ways: 6,
        length: 12,
        width: 1_000,
        chance: false,
    };
    let nim = Nim::new(&[4, 3, 2], 4).passes(1);
    let budget = Budget::endless();
    let mut group = bench.benchmark_group("maze");
    group.bench_function("twin that cannot be watched", |b| {
        b.iter(|| unwatched(&maze, black_box(&maze.start()), &Opinion, 9, &budget));
    });
    group.bench_function("watched by nobody", |b| {
        b.iter(|| {
            alphabeta(
                &maze,
                black_box(&maze.start()),
                &Opinion,
                9,
                &budget,
                &mut (),
            )
        });
    });
    group.bench_function("recorded", |b| {
        b.iter(|| {
            let mut recorder = Recorder::new(4_000);
            alphabeta(
                &maze,
                black_box(&maze.start()),
                &Opinion,
                9,
                &budget,
                &mut recorder,
            )
        });
    });
    group.finish();
    let mut group = bench.benchmark_group("nim");
    group.bench_function("twin that cannot be watched", |b| {
        b.iter(|| unwatched(&nim, black_box(&nim.start()), &Payoffs, 8, &budget));
    });
    group.bench_function("watched by nobody", |b| {
        b.iter(|| alphabeta(&nim, black_box(&nim.start()), &Payoffs, 8, &budget, &mut ()));
    });
    group.finish();
}

criterion_group!(benches, watching);
criterion_main!(benches);
