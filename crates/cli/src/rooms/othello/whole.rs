//! Solving a small board from the start, with a file that lets the next run go on.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use serde_json::json;
use wits_othello::whole::{Entry, Far, Ledger, Plan, solve};

use super::{budget, variant};
use crate::Answer;
use crate::args::seconds;
use crate::matches::threads;
use crate::out::{Out, Progress};
use crate::problem::Problem;

/// Which board, and where what is solved is kept.
#[derive(clap::Args)]
pub(crate) struct WholeArgs {
    /// Rows and columns: 4, or 6 (minutes on many cores, an hour on one)
    #[arg(long, default_value_t = 4, value_parser = size)]
    size: usize,
    /// What the game starts from
    #[arg(long, value_parser = ["othello", "parallel"], default_value = "othello")]
    start: String,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<f64>,
    /// Keep what is solved in this file and go on from it (6 rows: a file in the data folder unless given)
    #[arg(long)]
    file: Option<PathBuf>,
    /// How many threads (0: one for each core)
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

fn size(text: &str) -> Result<usize, String> {
    match text {
        "4" => Ok(4),
        "6" => Ok(6),
        _ => Err("take 4 or 6".to_owned()),
    }
}

/// `wits othello solve-board`
pub(super) fn run(args: &WholeArgs, out: &Out) -> anyhow::Result<Answer> {
    let game = variant(args.size, &args.start);
    let path = args.file.clone().or_else(|| {
        let name = format!("othello-{}-{}.solved", args.size, args.start);
        (args.size > 4).then(|| crate::data::directory(None).join(name))
    });
    let ledger = match path.as_deref() {
        Some(path) if path.exists() => read(path, &game)?,
        _ => Ledger::new(&game),
    };
    let known = ledger.len();
    let file = path
        .as_deref()
        .map(|path| begin(path, &ledger))
        .transpose()?
        .map(Mutex::new);
    if known > 0 && !out.json {
        writeln!(io::stderr(), "{known} positions are solved already")?;
    }
    let (progress, begun) = (Progress::start(), Instant::now());
    let broken = Mutex::new(None);
    let limit = budget(args.time);
    let keep = |entry: &Entry| {
        let Some(file) = &file else { return };
        let put = |f: &mut File| f.write_all(entry.line().as_bytes());
        let wrote = file.lock().map_or(Ok(()), |mut f| put(&mut f));
        if let Err(error) = wrote {
            // A disc that is full must not go unnoticed for hours.
            limit.stop();
            broken.lock().map(|mut b| *b = Some(error)).ok();
        }
    };
    let tell = |far: Far| {
        let note = format!(
            "at least {}? {} positions solved, {:.1} billion looked at",
            far.least,
            far.solved + known as u64,
            far.nodes as f64 / 1e9
        );
        progress.show((far.share * 1e6) as u64, 1_000_000, &note);
    };
    let plan = Plan::of(args.size, threads(args.threads));
    let solved = solve(&game, plan, ledger, &limit, &keep, &tell);
    progress.done();
    if let (Some(error), Some(path)) = (broken.into_inner().ok().flatten(), &path) {
        return Err(Problem::file(path, &error).into());
    }
    let seconds = begun.elapsed().as_secs_f64();
    let Some(solved) = solved else {
        let message = match &path {
            Some(path) => format!(
                "not solved yet; what is solved is kept in `{}`",
                path.display()
            ),
            None => "not solved within the limit".to_owned(),
        };
        return Err(Problem::new("timeout", message, "run the same command again to go on").into());
    };
    let (score, best) = (solved.score, solved.best.map(|s| s.to_string()));
    let winner = match score.signum() {
        1 => "first",
        -1 => "second",
        _ => "draw",
    };
    let squares = (args.size * args.size) as i32;
    let (black, white) = (
        i32::midpoint(squares, score),
        i32::midpoint(squares, -score),
    );
    let json = json!({
        "size": args.size, "start": args.start, "score": score, "winner": winner, "black": black,
        "white": white, "best": best, "nodes": solved.nodes, "known": known, "seconds": seconds,
    });
    out.tell(&json, || {
        let nodes = solved.nodes;
        format!("best play ends {black}-{white}; {nodes} positions in {seconds:.2} s")
    })?;
    Ok(Answer::Yes)
}

fn read(path: &Path, game: &wits_othello::Othello) -> anyhow::Result<Ledger> {
    let text = std::fs::read_to_string(path).map_err(|e| Problem::file(path, &e))?;
    let wrong = |e: wits_othello::whole::BadLedger| {
        let message = format!("`{}`: {e}", path.display());
        Problem::new(
            "bad-file",
            message,
            "give another file with --file, or remove this one",
        )
    };
    Ok(Ledger::read(game, &text).map_err(wrong)?)
}

/// Opens the file to add to it: begun anew, or cut where its last whole line ends.
fn begin(path: &Path, ledger: &Ledger) -> anyhow::Result<File> {
    let open = || -> io::Result<File> {
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)?;
        }
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        if file.metadata()?.len() == 0 {
            file.write_all(ledger.head().as_bytes())?;
        } else {
            let text = std::fs::read(path)?;
            let whole = text
                .iter()
                .rposition(|b| *b == b'\n')
                .map_or(0, |at| at + 1);
            file.set_len(whole as u64)?;
        }
        Ok(file)
    };
    open().map_err(|e| Problem::file(path, &e).into())
}
