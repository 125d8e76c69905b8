//! `wits othello book`: grows a book of openings by the engine's own search.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use anyhow::Result;
use clap::Args;
use serde_json::json;
use wits_othello::engine::Judgement;
use wits_othello::engine::book::{Book, searcher};

use crate::Answer;
use crate::out::{Out, Progress};
use crate::problem::Problem;
use crate::shelf::write_whole;
use crate::stop;

#[derive(Args)]
pub(crate) struct BookArgs {
    /// The file of the book; one that is there grows on
    file: PathBuf,
    /// How many positions the book shall hold
    #[arg(long, default_value_t = 2500)]
    positions: usize,
    /// How many positions each search looks at
    #[arg(long, default_value_t = 500_000)]
    nodes: u64,
}

pub(crate) fn run(args: &BookArgs, out: &Out) -> Result<Answer> {
    let stopped = stop::flag();
    let mut search = searcher(Judgement::fitted(), args.nodes);
    let text = if args.file.exists() {
        std::fs::read_to_string(&args.file).map_err(|e| Problem::file(&args.file, &e))?
    } else {
        String::new()
    };
    // A file without positions could never grow.
    let mut book = if text.trim().is_empty() {
        Book::first(&mut search)
    } else {
        Book::read(&text).map_err(|e| {
            let hint = "give another file, or mend the line: moves, a space, hundredths of a disc";
            Problem::new("book", format!("`{}`: {e}", args.file.display()), hint)
        })?
    };
    let progress = Progress::start();
    let mut kept = book.len();
    while book.len() < args.positions && !stopped.load(Ordering::Relaxed) {
        progress.show(book.len() as u64, args.positions as u64, "positions");
        if book.grow(&mut search).is_none() {
            break;
        }
        if book.len() >= kept + 50 {
            write_whole(&args.file, book.write().as_bytes())?;
            kept = book.len();
        }
    }
    progress.done();
    let text = book.write();
    write_whole(&args.file, text.as_bytes())?;
    let start = wits_othello::Position::START;
    let first = book.advice(&start).first().copied();
    let value = json!({
        "file": args.file, "positions": book.len(), "bytes": text.len(), "nodes": args.nodes,
        "worth": first.map(|a| f64::from(a.1) / 100.0), "seconds": progress.seconds(),
    });
    out.tell(&value, || {
        let worth = first.map_or(0.0, |a| f64::from(a.1) / 100.0);
        format!(
            "{} positions in `{}`, {} bytes; the start is worth {worth:+.2} discs to Black by the book",
            book.len(),
            args.file.display(),
            text.len()
        )
    })?;
    Ok(
        if book.len() < args.positions && stopped.load(Ordering::Relaxed) {
            Answer::Wrong
        } else {
            Answer::Yes
        },
    )
}
