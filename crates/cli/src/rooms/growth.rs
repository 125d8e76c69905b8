//! `wits growth`: how fast methods grow, measured, fitted and foretold.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde_json::json;
use wits_game::{Game, Seed};
use wits_matchbox::growth::{Growth, Shape, measure, table};
use wits_matchbox::hexapawn::Hexapawn;
use wits_matchbox::maxsum::{RaceRules, race, random_numbers};
use wits_matchbox::svg::growth_chart;
use wits_search::Budget;
use wits_search::tree::{Payoffs, alphabeta, minimax};
use wits_thue::words::{Variant, find, source::Source, stretches};
use wits_transit::{CityPlan, Planner, Walking, generate};

use crate::Answer;
use crate::args::{Seeded, seconds};
use crate::out::Out;
use crate::problem::Problem;
use crate::shelf::write_whole;

/// What is measured.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum What {
    /// The largest fragment: cubic, quadratic and linear
    Maxsum,
    /// Repetitions in a word: sliding windows against divide and conquer
    Words,
    /// Looking ahead in Hexapawn: minimax against alpha-beta by depth
    Trees,
    /// Finding a way through a city: Dijkstra against A* by size
    Paths,
}

#[derive(Args)]
pub(crate) struct GrowthArgs {
    /// What to measure
    what: What,
    /// Seconds one measurement may take before it ends
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "0.5")]
    time: f64,
    /// The size that the forecast is for
    #[arg(long, value_name = "N")]
    target: Option<f64>,
    #[command(flatten)]
    seed: Seeded,
    /// Draw the chart here
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Measurements run on one thread; the option is here so that scripts can give it everywhere
    #[arg(long, value_name = "T", hide = true)]
    threads: Option<usize>,
}

/// `wits growth`
pub(crate) fn run(args: &GrowthArgs, out: &Out) -> Result<Answer> {
    let seed = args.seed.or_fresh();
    let (title, unit, growths) = match args.what {
        What::Maxsum => ("largest fragment: time against n", "s", maxsum(args, seed)),
        What::Words => (
            "repetitions in a word: time against length",
            "s",
            words(args)?,
        ),
        What::Trees => (
            "Hexapawn 4 x 4: positions against depth",
            "positions",
            trees(args),
        ),
        What::Paths => (
            "ways through a city: nodes settled against departures",
            "nodes",
            paths(args, seed)?,
        ),
    };
    if let Some(svg) = &args.svg {
        write_whole(svg, growth_chart(title, &growths, unit).as_bytes())?;
    }
    let value = json!({"title": title, "unit": unit, "seed": seed, "methods": growths});
    out.tell(&value, || format!("{title}\n{}", table(&growths, unit)))?;
    Ok(Answer::Yes)
}

fn maxsum(args: &GrowthArgs, seed: Seed) -> Vec<Growth> {
    let numbers = random_numbers(1 << 16, 1000, seed);
    let started = Instant::now();
    let rules = RaceRules {
        patience: args.time,
        target: args.target.unwrap_or(1e6),
    };
    race(&numbers, rules, &mut || started.elapsed().as_secs_f64()).growth
}

fn words(args: &GrowthArgs) -> Result<Vec<Growth>> {
    let source: Source = "thue-1906"
        .parse()
        .map_err(|e| Problem::new("word", format!("{e}"), "this is a fault of the program"))?;
    let word = source
        .letters(0, 1 << 20)
        .map_err(|e| Problem::new("word", format!("{e}"), "this is a fault of the program"))?;
    let sizes = || (8..=20).map(|e| 1u64 << e);
    let timed = |work: &dyn Fn(&[u8]) -> bool, n: u64| {
        let best = |_| {
            let start = Instant::now();
            assert!(work(&word[..n as usize]), "the word of 1906 has no square");
            start.elapsed().as_secs_f64()
        };
        (0..3).map(best).fold(f64::INFINITY, f64::min)
    };
    let target = args.target.unwrap_or(1e6);
    let windows = measure(sizes(), args.time, |n| {
        timed(&|w| find::first(w, Variant::Square).is_none(), n)
    });
    let halves = measure(sizes(), args.time, |n| timed(&stretches::square_free, n));
    Ok(vec![
        Growth::new("sliding windows", windows, target),
        Growth::new("divide, conquer", halves, target),
    ])
}

fn trees(args: &GrowthArgs) -> Vec<Growth> {
    let game = Hexapawn::new(4, 4).expect("a board of four by four is possible");
    let target = args.target.unwrap_or(20.0);
    let mut both = Vec::new();
    for name in ["minimax", "alphabeta"] {
        let clock = Instant::now();
        let mut samples = Vec::new();
        for depth in 1..=24u32 {
            let start = clock.elapsed().as_secs_f64();
            let budget = Budget::endless();
            let nodes = if name == "minimax" {
                minimax(&game, &game.start(), &Payoffs, depth, &budget, &mut ()).nodes
            } else {
                alphabeta(&game, &game.start(), &Payoffs, depth, &budget, &mut ()).nodes
            };
            // Where the whole game is seen, looking deeper costs nothing more: the law ends there.
            if samples
                .last()
                .is_some_and(|s: &wits_matchbox::growth::Sample| s.cost >= nodes as f64)
            {
                break;
            }
            samples.push(wits_matchbox::growth::Sample {
                n: f64::from(depth),
                cost: nodes as f64,
            });
            if clock.elapsed().as_secs_f64() - start > args.time {
                break;
            }
        }
        both.push(Growth::shaped(Shape::Exponential, name, samples, target));
    }
    both
}

fn paths(args: &GrowthArgs, seed: Seed) -> Result<Vec<Growth>> {
    let (mut plain, mut led) = (Vec::new(), Vec::new());
    for size in [0.05, 0.1, 0.2, 0.4, 0.8] {
        let clock = Instant::now();
        let city = Arc::new(generate(&CityPlan { seed, size }));
        let planner = Planner::new(city, Walking::Real, None)
            .map_err(|e| Problem::new("city", e.to_string(), "try another --seed"))?;
        let found = planner.speeds(40, seed, &[60.0]);
        let n = size * 100_000.0;
        let Some(row) = found
            .speeds
            .iter()
            .find(|row| row.work > 0.0 && row.work < 1.0)
        else {
            continue;
        };
        led.push(wits_matchbox::growth::Sample {
            n,
            cost: row.settled,
        });
        plain.push(wits_matchbox::growth::Sample {
            n,
            cost: row.settled / row.work,
        });
        if led.len() >= 3 && clock.elapsed().as_secs_f64() > 8.0 * args.time {
            break;
        }
    }
    let target = args.target.unwrap_or(1e6);
    Ok(vec![
        Growth::new("dijkstra", plain, target),
        Growth::new("astar, 60 km/h", led, target),
    ])
}
