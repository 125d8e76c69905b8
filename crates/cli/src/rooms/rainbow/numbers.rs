//! The numbers: aw(n, k), its tables, counting and checking colourings.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;
use clap::Args;
use serde_json::json;
use wits_rainbow::Series;
use wits_rainbow::drawing::draw;
use wits_rainbow::numbers::{self, Colouring, Method, Table};
use wits_search::Limits;

use super::{budget, wrong};
use crate::args::seconds;
use crate::out::{Out, Progress};
use crate::problem::Problem;
use crate::shelf::write_whole;
use crate::{Answer, matches};

#[derive(Args)]
pub(crate) struct AwArgs {
    /// How many numbers
    #[arg(long, value_name = "N")]
    n: u64,
    /// How long a rainbow is
    #[arg(long, value_name = "K")]
    k: u64,
    /// Search also where there is a closed form
    #[arg(long)]
    search: bool,
    /// Draw the witness into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Seconds it may take
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<f64>,
}

#[derive(Args)]
pub(crate) struct TableArgs {
    /// How long a rainbow is: one length, or a range such as 4-10
    #[arg(long, value_name = "K", value_parser = lengths)]
    k: (u64, u64),
    /// Up to which n
    #[arg(long, value_name = "N")]
    to: u64,
    /// Print comma-separated values
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Seconds it may take
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<f64>,
    /// How many lengths at once (0: one for each core)
    #[arg(long, value_name = "T", default_value_t = 0)]
    threads: usize,
}

/// `4` or `4-10`.
fn lengths(text: &str) -> Result<(u64, u64), String> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    match (from.trim().parse(), to.trim().parse()) {
        (Ok(from), Ok(to)) if from <= to => Ok((from, to)),
        _ => Err("give a length such as 4, or a range such as 4-10".to_owned()),
    }
}

#[derive(Args)]
pub(crate) struct CountArgs {
    /// How many numbers
    #[arg(long, value_name = "N")]
    n: u32,
    /// How long a rainbow is
    #[arg(long, value_name = "K")]
    k: u32,
    /// Exactly how many colours
    #[arg(long, value_name = "R")]
    r: u32,
    /// Seconds it may take
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<f64>,
}

#[derive(Args)]
pub(crate) struct CheckArgs {
    /// Numbers with blanks or commas, or one letter or digit for each; `-` is uncoloured
    #[arg(allow_hyphen_values = true)]
    colouring: String,
    /// How long a rainbow is
    #[arg(long, value_name = "K")]
    k: u32,
    /// List at most this many
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,
    /// Draw the colouring with its rainbows into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

fn row(colours: &[u32]) -> String {
    let all: Vec<String> = colours.iter().map(ToString::to_string).collect();
    all.join(" ")
}

fn save_drawing(path: &Path, colours: &[u32], k: u32, arcs: &[Series]) -> Result<()> {
    let colours: Vec<u16> = colours.iter().map(|&colour| colour as u16).collect();
    write_whole(path, draw(&colours, k, arcs).as_bytes())
}

pub(super) fn aw(args: &AwArgs, out: &Out) -> Result<Answer> {
    let found = numbers::aw(args.n, args.k, args.search, &budget(args.time)).map_err(wrong)?;
    if let (Some(path), Some(witness)) = (&args.svg, &found.witness) {
        save_drawing(path, witness, args.k as u32, &[])?;
    }
    out.tell(&found, || {
        let head = match (found.aw, found.method) {
            (Some(aw), Method::Formula) => {
                format!("aw({}, {}) = {aw}, by the closed form", found.n, found.k)
            }
            (Some(aw), _) => format!(
                "aw({}, {}) = {aw}, by search: no colouring with {aw} colours is without a rainbow ({} cells filled)",
                found.n, found.k, found.nodes
            ),
            (None, _) => format!(
                "aw({}, {}) is from {} to {}; the search did not end ({} cells filled)",
                found.n, found.k, found.at_least, found.at_most, found.nodes
            ),
        };
        match &found.witness {
            Some(witness) if witness.len() <= 2_000 => {
                format!("{head}\n{} colours without a rainbow: {}", found.at_least - 1, row(witness))
            }
            _ => head,
        }
    })?;
    Ok(if found.aw.is_some() {
        Answer::Yes
    } else {
        Answer::No
    })
}

pub(super) fn table(args: &TableArgs, out: &Out) -> Result<Answer> {
    let (from, last) = args.k;
    let budget = budget(args.time);
    let lengths: Vec<u64> = (from..=last)
        .filter(|&k| k <= args.to || from == last)
        .collect();
    // Say what is wrong before any work is done.
    for &k in &lengths {
        Table::make(k, args.to, &budget.within(Limits::nodes(0)), |_| {}).map_err(wrong)?;
    }
    let rows: u64 = lengths.iter().map(|k| args.to + 1 - k).sum();
    let progress = Progress::start();
    let done = Mutex::new(0);
    let next = AtomicUsize::new(0);
    let tables = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..matches::threads(args.threads).min(lengths.len()) {
            scope.spawn(|| {
                while let Some(&k) = lengths.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let each = |row: &numbers::Row| {
                        if let Ok(mut done) = done.lock() {
                            *done += 1;
                            progress.show(*done, rows, &format!("aw({}, {k}) = {}", row.n, row.aw));
                        }
                    };
                    if let (Ok(table), Ok(mut tables)) =
                        (Table::make(k, args.to, &budget, each), tables.lock())
                    {
                        tables.push(table);
                    }
                }
            });
        }
    });
    progress.done();
    let mut tables = tables.into_inner().unwrap_or_default();
    tables.sort_by_key(|table| table.k);
    let complete = tables.iter().all(|table| table.complete);
    if args.csv {
        let lines: Vec<String> = tables.iter().map(Table::csv).collect();
        let head = lines
            .first()
            .and_then(|t| t.lines().next())
            .unwrap_or_default()
            .to_owned();
        let body: Vec<&str> = lines.iter().flat_map(|text| text.lines().skip(1)).collect();
        out.say(format!("{head}\n{}", body.join("\n")))?;
    } else {
        let text = || {
            tables.iter().fold(String::new(), |mut text, table| {
                let values: Vec<String> = table.rows.iter().map(|row| row.aw.to_string()).collect();
                let end = table.rows.last().map_or(table.k, |row| row.n);
                let _ = writeln!(
                    text,
                    "k={} n={}..{end}: {}{}",
                    table.k,
                    table.k,
                    values.join(" "),
                    if table.complete {
                        ""
                    } else {
                        " (stopped early)"
                    }
                );
                text
            })
        };
        if let ([one], true) = (tables.as_slice(), from == last) {
            out.tell(one, text)?;
        } else {
            let value = json!({"to": args.to, "complete": complete, "tables": tables, "seconds": progress.seconds()});
            out.tell(&value, text)?;
        }
    }
    Ok(if complete { Answer::Yes } else { Answer::No })
}

pub(super) fn count(args: &CountArgs, out: &Out) -> Result<Answer> {
    let counted = numbers::count(args.n, args.k, args.r, &budget(args.time)).map_err(wrong)?;
    out.tell(&counted, || {
        let least = if counted.complete { "" } else { "at least " };
        format!(
            "{least}{} colourings of 1..{} with exactly {} colours have no rainbow of {}, up to renaming",
            counted.count, counted.n, counted.r, counted.k
        )
    })?;
    Ok(if counted.complete {
        Answer::Yes
    } else {
        Answer::No
    })
}

pub(super) fn check(args: &CheckArgs, out: &Out) -> Result<Answer> {
    let colouring: Colouring = args
        .colouring
        .parse()
        .map_err(|bad: numbers::BadColouring| {
            let hint = "write it as `1 2 2 3` or `abbc`, with `-` for uncoloured";
            Problem::new("bad-colouring", bad.to_string(), hint)
        })?;
    let checked = numbers::check(&colouring, args.k, args.limit).map_err(wrong)?;
    if let Some(path) = &args.svg {
        let svg = draw(colouring.colours(), args.k, &checked.rainbows);
        write_whole(path, svg.as_bytes())?;
    }
    out.tell(&checked, || {
        let mut text = format!(
            "{} numbers, {} colours, {} rainbows of {}\n",
            checked.n, checked.colours, checked.count, checked.k
        );
        for series in &checked.rainbows {
            let _ = writeln!(text, "  {}", series.text(checked.k));
        }
        if checked.count > checked.rainbows.len() as u64 {
            let _ = writeln!(
                text,
                "  … and {} more",
                checked.count - checked.rainbows.len() as u64
            );
        }
        let longest = checked.longest;
        let series = Series {
            step: longest.step,
            start: longest.start,
        };
        let _ = write!(
            text,
            "the longest rainbow has {}: {}",
            longest.length,
            series.text(longest.length)
        );
        text
    })?;
    Ok(Answer::Yes)
}
