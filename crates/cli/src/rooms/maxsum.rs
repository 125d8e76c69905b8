//! `wits maxsum`: the largest fragment in cubic, quadratic and linear time.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use wits_matchbox::growth::{amount, table};
use wits_matchbox::maxsum::{
    Method, RaceRules, careful, overflowing_numbers, race, random_numbers,
};
use wits_matchbox::svg::growth_chart;

use crate::Answer;
use crate::args::{Seeded, seconds};
use crate::out::Out;
use crate::problem::Problem;
use crate::shelf::write_whole;

#[derive(Args)]
pub(crate) struct MaxsumArgs {
    /// How many random numbers
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(0..=100_000_000))]
    n: u32,
    /// Your own numbers, separated by commas or spaces
    #[arg(
        long,
        value_name = "NUMBERS",
        allow_hyphen_values = true,
        conflicts_with = "n"
    )]
    numbers: Option<String>,
    /// A file with your own numbers
    #[arg(long, value_name = "FILE", conflicts_with_all = ["n", "numbers"])]
    file: Option<PathBuf>,
    /// Numbers whose sum does not fit into 64 bits
    #[arg(long, conflicts_with_all = ["n", "numbers", "file"])]
    overflow: bool,
    #[command(flatten)]
    seed: Seeded,
    /// Seconds one method may take; a slower one is predicted, not run
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "2")]
    time: f64,
    /// The size that the forecast is for
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    target: u64,
    /// Draw measured time against n here
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Times are measured on one thread; the option is here so that scripts can give it everywhere
    #[arg(long, value_name = "T", hide = true)]
    threads: Option<usize>,
}

fn parsed(text: &str) -> Result<Vec<i64>> {
    let parts = text
        .split(|c: char| c == ',' || c == ';' || c.is_whitespace())
        .filter(|p| !p.is_empty());
    parts
        .map(|part| {
            part.parse::<i64>().map_err(|_| {
                let message = format!("`{part}` is not a whole number of 64 bits");
                Problem::new("not-a-number", message, "write numbers such as 3,-1,4").into()
            })
        })
        .collect()
}

/// `wits maxsum`
pub(crate) fn run(args: &MaxsumArgs, out: &Out) -> Result<Answer> {
    let seed = args.seed.or_fresh();
    let numbers = match (&args.numbers, &args.file) {
        (Some(text), _) => parsed(text)?,
        (_, Some(file)) => {
            parsed(&std::fs::read_to_string(file).map_err(|e| Problem::file(file, &e))?)?
        }
        _ if args.overflow => overflowing_numbers(),
        _ => random_numbers(args.n as usize, 1000, seed),
    };
    let started = Instant::now();
    let rules = RaceRules {
        patience: args.time,
        target: args.target as f64,
    };
    let found = race(&numbers, rules, &mut || started.elapsed().as_secs_f64());
    if let Some(svg) = &args.svg {
        write_whole(
            svg,
            growth_chart("largest fragment: time against n", &found.growth, "s").as_bytes(),
        )?;
    }
    let shown = careful(Method::Linear, &numbers);
    let mut value = serde_json::to_value(&found)?;
    value["seed"] = seed.number().into();
    value["unchecked"] = shown.unchecked.into();
    out.tell(&value, || {
        let mut text = match (found.first, found.last) {
            (Some(first), Some(last)) => format!(
                "largest fragment: {} from index {first} to {last} of {} numbers\n",
                shown.fragment.sum, found.n
            ),
            _ => format!("largest fragment: empty, sum 0, of {} numbers\n", found.n),
        };
        if let Some(overflow) = shown.overflow {
            let _ = writeln!(
                text,
                "{overflow}: without a check the answer would have been {}",
                shown.unchecked
            );
        }
        for (method, seconds) in Method::ALL.iter().zip([
            found.seconds.cubic,
            found.seconds.quadratic,
            found.seconds.linear,
        ]) {
            let took = seconds.map_or_else(
                || "too slow: predicted, not run".to_owned(),
                |s| amount(s, "s"),
            );
            let _ = writeln!(text, "{:>10}  {took}", method.name());
        }
        text + &table(&found.growth, "s")
    })?;
    Ok(Answer::Yes)
}
