//! What is measured, beside what the thesis needed and what the slow twin needs.

use serde::Serialize;
use wits_game::{Dice, Seed};
use wits_search::Budget;

use crate::fits;
use crate::game::Insertion;
use crate::marathon::{MarathonBuilder, marathon};
use crate::players::scores::Rules;
use crate::players::{naive, play_round};
use crate::solve::Solver;
use crate::words::Variant;

/// One figure.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Figure {
    /// What was done.
    pub name: String,
    /// How long it took, or how fast it went.
    pub value: f64,
    /// The unit of the value and the baseline.
    pub unit: &'static str,
    /// What it is compared with.
    pub baseline: Option<f64>,
    /// How many times faster.
    pub ratio: Option<f64>,
}

fn timed<T>(mut work: impl FnMut() -> T) -> f64 {
    // The best of three: what else the machine does only ever adds.
    let once = |work: &mut dyn FnMut() -> T| {
        let clock = Budget::endless();
        std::hint::black_box(work());
        clock.elapsed().as_secs_f64()
    };
    (0..3)
        .map(|_| once(&mut work))
        .fold(f64::INFINITY, f64::min)
}

fn against(
    name: String,
    seconds: f64,
    unit: &'static str,
    scale: f64,
    baseline: Option<f64>,
) -> Figure {
    let ratio = baseline.map(|b| b / seconds);
    Figure {
        name,
        value: seconds * scale,
        unit,
        baseline: baseline.map(|b| b * scale),
        ratio,
    }
}

/// Measures everything; `each` hears every figure as it comes.
pub fn figures(mut each: impl FnMut(&Figure)) -> Vec<Figure> {
    let mut all = Vec::new();
    let mut add = |figure: Figure| {
        each(&figure);
        all.push(figure);
    };
    // The longest games of the thesis and how long they took there.
    for (builder, painter, moves, thesis) in [
        (1, 1, 213, 47_075.0),
        (0, 1, 236, 531.0),
        (0, 2, 220, 93_600.0),
    ] {
        let game = Insertion {
            max_moves: moves - 1,
            ..Insertion::new(Variant::Square, 5)
        };
        let seed = (0..200)
            .map(Seed::new)
            .find(|&s| play_round(&game, builder, painter, s, None).moves >= moves);
        let seed = seed.unwrap_or_default();
        let seconds = timed(|| play_round(&game, builder, painter, seed, None));
        add(against(
            format!(
                "Builder {builder}, Painter {painter}, {moves} moves, 5 symbols (baseline: thesis)"
            ),
            seconds,
            "ms",
            1e3,
            Some(thesis),
        ));
    }
    add(twin());
    let word = play_round(
        &Insertion {
            max_moves: 199,
            ..Insertion::new(Variant::Square, 6)
        },
        0,
        1,
        Seed::new(1),
        None,
    )
    .last
    .word;
    let fast = timed(|| {
        (0..100)
            .map(|_| fits::all(&word, 6, Variant::Square))
            .collect::<Vec<_>>()
    }) / 100.0;
    let slow = timed(|| fits::all_naive(&word, 6, Variant::Square));
    add(against(
        format!(
            "fitting symbols of all gaps, {} letters (baseline: slow twin)",
            word.len()
        ),
        fast,
        "us",
        1e6,
        Some(slow),
    ));
    let moves = 500_000;
    let seconds = timed(|| {
        marathon(
            moves,
            MarathonBuilder::Random,
            Seed::new(1),
            &Budget::endless(),
            |_| {},
        )
    });
    add(Figure {
        name: "marathon against a random Builder, word checked".into(),
        value: moves as f64 / seconds,
        unit: "moves/s",
        baseline: None,
        ratio: None,
    });
    let mut depth = 0;
    let seconds = timed(|| {
        let mut solver =
            Solver::new(Variant::Square, 5, 1 << 26).expect("five symbols are allowed");
        let value = solver.value(14, 1, &Budget::endless(), |_, _| {});
        depth = value.map_or(0, |v| v.refuted_depth);
    });
    add(Figure {
        name: format!("squares, 5 symbols, depth {depth} refuted on one thread"),
        value: seconds,
        unit: "s",
        baseline: None,
        ratio: None,
    });
    all
}

/// A game that the slow twin can do: its choices, decision by decision, along the fast one's game.
fn twin() -> Figure {
    let moves = 24;
    let game = Insertion {
        max_moves: moves,
        ..Insertion::new(Variant::Square, 5)
    };
    let rules = Rules {
        variant: game.variant,
        symbols: game.symbols,
    };
    let long = |s: &Seed| play_round(&game, 1, 1, *s, None).moves >= moves;
    let seed = (0..50).map(Seed::new).find(long).unwrap_or_default();
    let fast = timed(|| play_round(&game, 1, 1, seed, None));
    let round = play_round(&game, 1, 1, seed, None);
    let clock = Budget::endless();
    let mut word = vec![0u8];
    let mut dice = Dice::new(seed);
    for pair in round.decisions.chunks(2) {
        std::hint::black_box(naive::gap(rules, &word, 1, &mut dice));
        let gap = pair[0].choice as usize;
        if let Some(paint) = pair.get(1) {
            std::hint::black_box(naive::symbol(rules, &word, gap, 1, &mut dice));
            word.insert(gap, paint.choice as u8);
        }
    }
    against(
        format!("Builder 1, Painter 1, {moves} moves (baseline: slow twin)"),
        fast,
        "ms",
        1e3,
        Some(clock.elapsed().as_secs_f64()),
    )
}
