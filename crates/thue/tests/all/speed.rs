//! The speed bars, on the machine that runs the tests: with room for a busy one.

use std::sync::OnceLock;
use std::time::Instant;

use wits_game::Seed;
use wits_thue::fits;
use wits_thue::game::Insertion;
use wits_thue::players::{Round, play_round};
use wits_thue::words::Variant;

/// Seconds this thread was running: on a busy machine the wall clock counts the others' work, too.
fn cpu() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let wall = START.get_or_init(Instant::now).elapsed().as_secs_f64();
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = stat.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    nanos.map_or(wall, |n| n * 1e-9)
}

/// A round with at least so many moves, cut there, and the time it takes on average.
fn timed(builder: u32, painter: u32, moves: usize) -> (f64, Round) {
    let game = Insertion {
        max_moves: moves - 1,
        ..Insertion::new(Variant::Square, 5)
    };
    let long = |seed: &Seed| play_round(&game, builder, painter, *seed, None).moves >= moves;
    let seed = (0..200)
        .map(Seed::new)
        .find(long)
        .expect("one of the first games is as long");
    // The clock ticks every few milliseconds, so short games are played many times.
    let (start, mut games) = (cpu(), 0.0);
    loop {
        let round = play_round(&game, builder, painter, seed, None);
        games += 1.0;
        if cpu() - start > 0.2 {
            return ((cpu() - start) / games, round);
        }
    }
}

#[test]
fn the_bars() {
    // Thesis: 13 h 04 min, 8 min 51 s and 26 h.
    for (builder, painter, moves, bar) in [(1, 1, 213, 0.3), (0, 1, 236, 0.005), (0, 2, 220, 0.8)] {
        let (seconds, round) = timed(builder, painter, moves);
        println!(
            "B{builder} P{painter}, {} moves: {:.2} ms (bar {:.0} ms)",
            round.moves,
            seconds * 1e3,
            bar * 1e3
        );
        // Four times the bar: the tests of many crates share two cores.
        assert!(seconds < 4.0 * bar, "B{builder} P{painter}: {seconds} s");
    }
}

#[test]
fn masks() {
    for n in [200, 1000] {
        let game = Insertion {
            max_moves: n - 1,
            ..Insertion::new(Variant::Square, 6)
        };
        let word = play_round(&game, 0, 1, Seed::new(1), None).last.word;
        let start = cpu();
        for _ in 0..1000 {
            std::hint::black_box(fits::all(&word, 6, Variant::Square));
        }
        let all = (cpu() - start) / 1000.0;
        let start = cpu();
        for _ in 0..100 {
            std::hint::black_box(fits::children(&word, 6, Variant::Square));
        }
        println!(
            "{} letters: all gaps {:.1} us, children {:.1} us",
            word.len(),
            all * 1e6,
            (cpu() - start) * 1e4
        );
    }
}

/// Ten million moves and the check of the word.
#[test]
#[ignore = "takes about half a minute"]
fn a_long_marathon() {
    use wits_search::Budget;
    use wits_thue::marathon::{MarathonBuilder, marathon};
    for builder in [MarathonBuilder::Random, MarathonBuilder::Ends] {
        let start = Instant::now();
        let end = marathon(
            10_000_000,
            builder,
            Seed::new(1),
            &Budget::endless(),
            |_| {},
        );
        println!("{end:?}, {:.1} s", start.elapsed().as_secs_f64());
        assert!(end.square_free && end.moves == 10_000_000);
    }
    let start = Instant::now();
    let end = marathon(
        3000,
        MarathonBuilder::Greedy,
        Seed::new(1),
        &Budget::endless(),
        |_| {},
    );
    println!("{end:?}, {:.1} s", start.elapsed().as_secs_f64());
    assert!(end.square_free);
}
