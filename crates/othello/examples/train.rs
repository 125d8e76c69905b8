//! Fits the patterns that the crate ships: `cargo run --release -p wits-othello --example train -- OUT [GAMES] [DEPTH] [SEED] [FROM]`.
//!
//! Games are played on all cores; each worker has its own range of seeds, so the result depends on
//! the number of games and the seed only.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program for people"
)]

use wits_game::Seed;
use wits_othello::engine::Judgement;
use wits_othello::engine::patterns::Patterns;
use wits_othello::engine::train::{Games, Sample, fit, play};

/// Games are made in this many parts, whatever the number of cores.
const PARTS: u32 = 64;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, or: u32| args.get(i).and_then(|a| a.parse().ok()).unwrap_or(or);
    let out = args
        .first()
        .cloned()
        .unwrap_or_else(|| "patterns.bin".to_owned());
    let (games, depth, seed) = (number(1, 4000), number(2, 2), number(3, 1));
    // Without weights to begin with, games are played by the counts that were set by hand.
    let judgement = args.get(4).map_or(Judgement::Counts, |file| {
        let bytes = std::fs::read(file).unwrap();
        Judgement::Patterns(Patterns::read(&bytes).unwrap().into())
    });
    let next = std::sync::atomic::AtomicU32::new(0);
    let parts = std::sync::Mutex::new(vec![Vec::<Sample>::new(); PARTS as usize]);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let part = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    if part >= PARTS {
                        return;
                    }
                    let seed = Seed::new(u64::from(seed) * 1000 + u64::from(part));
                    let how = Games {
                        games: games / PARTS,
                        random: 16,
                        depth,
                        exact: 8,
                        seed,
                    };
                    let samples = play(&judgement, &how, &mut |_| true);
                    println!("part {part}: {} positions", samples.len());
                    parts.lock().unwrap()[part as usize] = samples;
                }
            });
        }
    });
    let samples: Vec<Sample> = parts.into_inner().unwrap().into_iter().flatten().collect();
    let (patterns, fit) = fit(
        &samples,
        12,
        Seed::new(u64::from(seed)),
        &mut |round, error| {
            println!("round {round}: mean error {error:.2} discs");
            true
        },
    );
    let bytes = patterns.write();
    println!("{fit:?}, {} bytes", bytes.len());
    std::fs::write(out, bytes).unwrap();
}
