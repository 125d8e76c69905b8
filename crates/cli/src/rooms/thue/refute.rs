//! Refutations in pieces: written by one command, checked piece by piece by another.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Result;
use serde_json::json;
use wits_thue::solve::{Depth, Piece, PieceVerdict, Solver, check_piece, complete, refutation};

use super::args::{RefuteArgs, VerifyArgs};
use super::{budget, pool, watched, wrong};
use crate::out::{Out, Progress};
use crate::problem::Problem;
use crate::shelf::write_whole;
use crate::{Answer, matches};

pub(super) fn refute(args: &RefuteArgs, out: &Out) -> Result<Answer> {
    let hint = "the exact search takes small alphabets";
    let mut solver = Solver::new(args.variant, args.symbols, args.memory as usize * (1 << 20))
        .map_err(|e| wrong(e, hint))?;
    let whole = budget(args.time);
    let progress = Progress::start();
    let threads = matches::threads(args.threads);
    let counter = solver.counter();
    let found = watched(&progress, &counter, args.depth, |_| {
        solver.refute(args.depth, threads, &whole)
    })
    .map_err(|e| wrong(e, hint))?;
    let searched = progress.seconds();
    let pieces = match found {
        Depth::Refuted => pool(threads, || {
            refutation(&solver, args.depth, args.leaf, args.pieces, &whole)
        })?,
        _ => None,
    };
    progress.done();
    let mut files = Vec::new();
    if let Some(pieces) = &pieces {
        fs::create_dir_all(&args.folder).map_err(|e| Problem::file(&args.folder, &e))?;
        for piece in pieces {
            let path = args.folder.join(format!("piece-{:03}.txt", piece.number.0));
            write_whole(&path, piece.text().as_bytes())?;
            files.push(path.display().to_string());
        }
    }
    let count = |answered: bool| {
        let words = pieces
            .iter()
            .flatten()
            .flat_map(|piece| piece.words.values());
        words
            .filter(|answers| answers.is_some() == answered)
            .count()
    };
    let outcome = match found {
        Depth::Refuted => "refuted",
        Depth::Won => "won",
        Depth::Unknown => "unknown",
    };
    let json = json!({
        "variant": args.variant, "symbols": args.symbols, "depth": args.depth, "outcome": outcome,
        "positions": solver.positions(), "answered": count(true), "to_search": count(false),
        "files": files, "search_seconds": searched, "seconds": progress.seconds(),
    });
    out.tell(&json, || match found {
        Depth::Won => format!("the Builder wins within {} picks", args.depth),
        Depth::Unknown => format!("not known: {} positions were not enough", solver.positions()),
        Depth::Refuted if files.is_empty() => "refuted, but the time ended before the proof was written".to_owned(),
        Depth::Refuted => format!(
            "{} picks are not enough: {} positions\nthe proof answers {} words and leaves {} to search, in {} pieces under {}",
            args.depth, solver.positions(), count(true), count(false), files.len(), args.folder.display()
        ),
    })?;
    Ok(if files.is_empty() {
        Answer::No
    } else {
        Answer::Yes
    })
}

/// Whether a path is a folder of pieces, or one of them.
pub(super) fn is_refutation(path: &Path) -> bool {
    path.is_dir() || fs::read_to_string(path).is_ok_and(|text| Piece::is_one(&text))
}

fn read(path: &Path) -> Result<Piece> {
    let text = fs::read_to_string(path).map_err(|e| Problem::file(path, &e))?;
    let hint = format!("make `{}` again with `wits thue refute`", path.display());
    Ok(Piece::read(&text).map_err(|e| wrong(e, &hint))?)
}

pub(super) fn verify(args: &VerifyArgs, out: &Out) -> Result<Answer> {
    let (folder, only) = if args.file.is_dir() {
        (args.file.clone(), None)
    } else {
        let folder = args
            .file
            .parent()
            .map(Path::to_path_buf)
            .unwrap_or_default();
        let folder = if folder.as_os_str().is_empty() {
            PathBuf::from(".")
        } else {
            folder
        };
        (folder, Some(read(&args.file)?.number.0))
    };
    let entries = fs::read_dir(&folder).map_err(|e| Problem::file(&folder, &e))?;
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .collect();
    paths.retain(|path| path.is_file() && is_refutation(path));
    paths.sort();
    let pieces: Vec<Piece> = paths.iter().map(|path| read(path)).collect::<Result<_>>()?;
    if let Err(why) = complete(&pieces) {
        let hint = "give the folder with all pieces of one proof and nothing else";
        return Err(wrong(why, hint).into());
    }
    let all: BTreeSet<Vec<u8>> = pieces
        .iter()
        .flat_map(|p| p.words.keys().cloned())
        .collect();
    let chosen: Vec<&Piece> = pieces
        .iter()
        .filter(|piece| only.is_none_or(|number| piece.number.0 == number))
        .collect();
    let progress = Progress::start();
    let done = AtomicU64::new(0);
    let time = budget(args.time);
    let verdicts: Vec<PieceVerdict> =
        wits_thue::each_on(matches::threads(args.threads), &chosen, |piece| {
            let verdict = check_piece(piece, &all, &time);
            progress.show(
                done.fetch_add(1, Ordering::Relaxed) + 1,
                chosen.len() as u64,
                "pieces",
            );
            verdict
        })
        .ok_or_else(|| {
            Problem::new(
                "threads",
                "the threads could not be started",
                "ask for fewer with --threads",
            )
        })?;
    progress.done();
    let valid = verdicts.iter().all(|verdict| verdict.valid == Some(true));
    let first = chosen[0];
    let json = json!({
        "valid": valid, "variant": first.variant, "symbols": first.symbols, "refuted": first.depth,
        "checked": verdicts.len(), "of": pieces.len(), "pieces": verdicts, "seconds": progress.seconds(),
    });
    out.tell(&json, || {
        let lines = verdicts.iter().map(|verdict| {
            let says = match verdict.valid {
                Some(true) => "holds".to_owned(),
                Some(false) => format!("is wrong: {}", verdict.why.as_deref().unwrap_or("")),
                None => "was not finished".to_owned(),
            };
            format!(
                "piece {} of {} {says} ({} words answered, {} searched, {} positions)\n",
                verdict.piece.0,
                verdict.piece.1,
                verdict.answered,
                verdict.searched,
                verdict.positions
            )
        });
        let text: String = lines.collect();
        match (valid, verdicts.len() == pieces.len()) {
            (true, true) => format!(
                "{text}{} picks are not enough for the Builder: every piece holds",
                first.depth
            ),
            (true, false) => format!("{text}the other pieces were read, not checked"),
            (false, _) => format!("{text}not proved"),
        }
    })?;
    Ok(if valid { Answer::Yes } else { Answer::No })
}
