//! The verbs of the Thue room: words without repetition, and the insertion game solved and measured.

mod args;
mod refute;

use std::fmt::Write as _;
use std::fs;
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::Result;
use serde_json::json;
use wits_game::Lang;
use wits_search::{Budget, Limits, Recorder, ThreadHeader};
use wits_thue::marathon::marathon;
use wits_thue::solve::{Certificate, Solver, verify};
use wits_thue::thesis::{Console, Experiment, Grid, Need, Played, Properties, tables};
use wits_thue::words::{Variant, extremal, find};
use wits_thue::{Word, report};

use crate::out::{Out, Progress};
use crate::problem::Problem;
use crate::shelf::write_whole;
use crate::{Answer, input, matches, stop};

pub(crate) use args::Verb;
use args::{
    CountArgs, ExtremalArgs, FindArgs, Free, GapsArgs, MarathonArgs, OverallArgs, RunArgs,
    TablesArgs, Tongue, ValueArgs, VerifyArgs, WordsArgs,
};

/// Does what a verb asks.
pub(crate) fn run(verb: Verb, out: &Out) -> Result<Answer> {
    match verb {
        Verb::Find(args) => show_found(&args, out),
        Verb::Gaps(args) => show_gaps(&args, out),
        Verb::Words(args) => show_words(&args, out),
        Verb::Count(args) => show_count(&args, out),
        Verb::Extremal(args) => show_extremal(&args, out),
        Verb::Value(args) => value(&args, out),
        Verb::Refute(args) => refute::refute(&args, out),
        Verb::Verify(args) if refute::is_refutation(&args.file) => refute::verify(&args, out),
        Verb::Verify(args) => check(&args, out),
        Verb::Marathon(args) => long_run(&args, out),
        Verb::Run(args) => console(&args, out),
        Verb::Tables(args) => chapter(&args, out),
        Verb::Overall(args) => overall(&args, out),
    }
}

fn wrong(error: impl std::fmt::Display, hint: &str) -> Problem {
    Problem::new("thue", error.to_string(), hint)
}

fn budget(time: Option<f64>) -> Budget {
    let limits = time.map_or(Limits::NONE, |s| Limits::time(Duration::from_secs_f64(s)));
    Budget::with_stop(limits, stop::flag())
}

fn show_found(args: &FindArgs, out: &Out) -> Result<Answer> {
    let found = report::found(&args.word, args.kind, args.limit);
    if let Some(path) = &args.thread {
        let mut recorder = Recorder::new(4000);
        find::first_watched(&args.word, args.kind, &mut recorder);
        let header = ThreadHeader {
            subject: args.word.to_string(),
            by: format!("find:kind={}", args.kind),
            title: format!("two windows slide over {}", args.word),
            ..ThreadHeader::new("thue", "board")
        };
        let result = found.start.map_or_else(
            || "none".to_owned(),
            |s| format!("{s}+{}", found.length.unwrap_or(0)),
        );
        let thread = recorder.finish(&header, &result, Lang::En);
        write_whole(path, thread.text().as_bytes())?;
    }
    out.tell(&found, || {
        let mut text = match (found.start, found.period) {
            (Some(start), Some(period)) => format!(
                "{} at {start}, period {period}: {} <-> {}\n{} in all\n",
                args.kind,
                slice(&args.word, start, args.kind.pairs(period)),
                slice(&args.word, start + period, args.kind.pairs(period)),
                found.count
            ),
            _ => format!("no {}\n", args.kind),
        };
        for run in &found.runs {
            let _ = writeln!(
                text,
                "run of period {} at {}, {} letters",
                run.period, run.start, run.length
            );
        }
        match found.irreducible {
            Some(true) => text += "irreducible in Thue's sense over its alphabet\n",
            Some(false) => text += "reducible in Thue's sense over its alphabet\n",
            None => {}
        }
        text + &report::conventions()
    })?;
    Ok(Answer::Yes)
}

fn slice(word: &Word, from: usize, count: usize) -> String {
    Word::new(word[from..from + count].to_vec())
        .map(|w| w.to_string())
        .unwrap_or_default()
}

fn show_gaps(args: &GapsArgs, out: &Out) -> Result<Answer> {
    let symbols = usize::from(args.symbols);
    args.word
        .within(symbols)
        .map_err(|e| wrong(e, "give a larger alphabet with --symbols"))?;
    let gaps = report::gaps(&args.word, symbols, args.variant)
        .map_err(|e| wrong(e, "give a word without repetition"))?;
    out.tell(&gaps, || {
        let mut text = String::new();
        for (gap, symbols) in gaps.symbols.iter().enumerate() {
            let shown: Vec<String> = symbols.iter().map(ToString::to_string).collect();
            let shown = if shown.is_empty() {
                "dead".to_owned()
            } else {
                shown.join(" ")
            };
            let _ = writeln!(text, "gap {gap:>4}: {shown}");
        }
        format!(
            "{text}{} fit in all, {} gaps are dead\n{}",
            gaps.total,
            gaps.dead.len(),
            report::conventions()
        )
    })?;
    Ok(Answer::Yes)
}

fn show_words(args: &WordsArgs, out: &Out) -> Result<Answer> {
    let word = args
        .generator
        .letters(args.from, args.count)
        .map_err(|e| wrong(e, "see `wits thue words --help`"))?;
    let letters = report::letters(&word, args.from);
    out.tell(&letters, || {
        let yes = |free: bool| if free { "free of" } else { "not free of" };
        format!(
            "{}\n{} squares, {} overlaps",
            letters.letters,
            yes(letters.square_free),
            yes(letters.overlap_free)
        )
    })?;
    Ok(Answer::Yes)
}

fn show_count(args: &CountArgs, out: &Out) -> Result<Answer> {
    let variant = match args.kind {
        Free::SquareFree => Variant::Square,
        Free::OverlapFree => Variant::Overlap,
    };
    let count = report::counted(variant, usize::from(args.symbols), usize::from(args.length))
        .ok_or_else(|| {
            Problem::new(
                "too-large",
                "the number is too large to hold",
                "ask for shorter words",
            )
        })?;
    out.tell(&count, || {
        count.count.to_string().trim_matches('"').to_owned()
    })?;
    Ok(Answer::Yes)
}

fn show_extremal(args: &ExtremalArgs, out: &Out) -> Result<Answer> {
    let words = extremal::extremal(usize::from(args.symbols), usize::from(args.length));
    let shown: Vec<String> = words
        .iter()
        .map(|w| w.letters().unwrap_or_else(|| w.to_string()))
        .collect();
    out.tell(&json!({"words": shown, "count": shown.len()}), || {
        if shown.is_empty() {
            "there is none (up to renaming)".to_owned()
        } else {
            shown.join("\n")
        }
    })?;
    Ok(if shown.is_empty() {
        Answer::No
    } else {
        Answer::Yes
    })
}

/// How often what is known is kept.
const KEEP_EVERY: Duration = Duration::from_mins(10);

fn value(args: &ValueArgs, out: &Out) -> Result<Answer> {
    let hint = "the exact search takes small alphabets";
    let mut solver = Solver::new(args.variant, args.symbols, args.memory as usize * (1 << 20))
        .map_err(|e| wrong(e, hint))?;
    if let Some(path) = args.keep.as_deref().filter(|path| path.exists()) {
        let file = fs::File::open(path).map_err(|e| Problem::file(path, &e))?;
        solver
            .resume(&mut BufReader::new(file))
            .map_err(|e| wrong(e, "give another file with --keep; this one was not touched"))?;
    }
    let whole = budget(args.time);
    let progress = Progress::start();
    let threads = matches::threads(args.threads);
    // The search runs in slices, so that a crash loses at most one of them.
    let found = loop {
        let slice = args
            .keep
            .as_ref()
            .map_or(Limits::NONE, |_| Limits::time(whole.elapsed() + KEEP_EVERY));
        let part = whole.within(slice);
        let found = watched(&progress, &solver.counter(), args.depth, |reached| {
            solver.value(args.depth, threads, &part, |depth, _| {
                reached.store(depth, Ordering::Relaxed);
            })
        })
        .map_err(|e| wrong(e, hint))?;
        if let Some(path) = &args.keep {
            keep(&solver, path)?;
        }
        if found.proved
            || found.refuted_depth >= args.depth
            || whole.stopped()
            || whole.late()
            || args.keep.is_none()
        {
            break found;
        }
    };
    progress.done();
    if let Some(path) = &args.certificate {
        let certificate = Certificate::build(&solver, &found, &budget(None)).ok_or_else(|| {
            Problem::new(
                "stopped",
                "the certificate was not finished",
                "run it again without a limit",
            )
        })?;
        write_whole(path, certificate.to_string().as_bytes())?;
    }
    let mut json = serde_json::to_value(found)?;
    json["seconds"] = progress.seconds().into();
    out.tell(&json, || {
        let text = match found.builder_picks {
            Some(picks) => format!(
                "the Builder needs {picks} picks: {} safe paints, final length {}, proved",
                picks - 1,
                picks + 1
            ),
            None => format!(
                "{} picks are not enough; the Painter has at least {0} safe paints",
                found.refuted_depth
            ),
        };
        format!(
            "{text}\n{} positions\n{}",
            found.positions,
            report::conventions()
        )
    })?;
    Ok(Answer::Yes)
}

/// Shows how far a search is while it works: the depth it has refuted and the positions it has seen.
fn watched<T>(
    progress: &Progress,
    positions: &AtomicU64,
    most: u32,
    work: impl FnOnce(&AtomicU32) -> T,
) -> T {
    let (reached, over) = (AtomicU32::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                let depth = reached.load(Ordering::Relaxed);
                let seen = positions.load(Ordering::Relaxed);
                let note = format!("picks refuted, {seen} positions");
                progress.show(u64::from(depth), u64::from(most), &note);
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        let done = work(&reached);
        over.store(true, Ordering::Relaxed);
        done
    })
}

/// Writes what the solver knows beside the old file first, so that a crash leaves one of the two whole.
fn keep(solver: &Solver, path: &Path) -> Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let beside = Path::new(&beside);
    let file = fs::File::create(beside).map_err(|e| Problem::file(beside, &e))?;
    solver
        .save(&mut BufWriter::new(&file))
        .map_err(|e| wrong(e, "check the disk"))?;
    file.sync_all()
        .and_then(|()| fs::rename(beside, path))
        .map_err(|e| Problem::file(path, &e))?;
    Ok(())
}

fn check(args: &VerifyArgs, out: &Out) -> Result<Answer> {
    let text = fs::read_to_string(&args.file).map_err(|e| Problem::file(&args.file, &e))?;
    let hint = "the file was not touched; make it again with `wits thue value --certificate`";
    let certificate = Certificate::read(&text).map_err(|e| wrong(e, hint))?;
    let verdict = verify(&certificate, args.again);
    out.tell(&verdict, || match &verdict.why {
        Some(why) => format!("not valid: {why}"),
        None => format!(
            "valid: {}, {} positions; {} picks were searched again and are not enough",
            verdict.picks.map_or_else(
                || "no win is claimed".to_owned(),
                |p| format!("the Builder wins within {p} picks")
            ),
            verdict.positions,
            verdict.refuted
        ),
    })?;
    Ok(if verdict.valid {
        Answer::Yes
    } else {
        Answer::No
    })
}

fn long_run(args: &MarathonArgs, out: &Out) -> Result<Answer> {
    let seed = args.seed.or_fresh();
    let progress = Progress::start();
    let show = |made: usize| progress.show(made as u64, args.moves, "moves");
    let end = marathon(
        args.moves as usize,
        args.builder,
        seed,
        &budget(args.time),
        show,
    );
    progress.done();
    let mut json = serde_json::to_value(&end)?;
    json["seconds"] = progress.seconds().into();
    json["seed"] = seed.number().into();
    out.tell(&json, || {
        let free = if end.square_free { "square-free, checked" } else { "NOT square-free" };
        format!(
            "{} moves, word of {} symbols (hash {}): {free}\n{} symbols used, {} levels deep, {:.1} s, seed {seed}",
            end.moves, end.length, end.word_hash, end.symbols_used, end.deepest, progress.seconds()
        )
    })?;
    Ok(if end.square_free {
        Answer::Yes
    } else {
        Answer::No
    })
}

fn console(args: &RunArgs, out: &Out) -> Result<Answer> {
    let text = fs::read_to_string(&args.file).map_err(|e| Problem::file(&args.file, &e))?;
    let properties =
        Properties::read(&text).map_err(|e| wrong(e, "mend the line; nothing was played"))?;
    let seed = args.seed.or_fresh();
    if properties.overall {
        let think = properties.think.map_or(1.0, |t| t.as_secs_f64());
        let (variant, max_moves) = (properties.variant, args.max_moves);
        let keep = Some(args.output.join("overall.jsonl"));
        fs::create_dir_all(&args.output).map_err(|e| Problem::file(&args.output, &e))?;
        let grid = OverallArgs {
            variant,
            levels: 6,
            symbols: 7,
            think,
            max_moves,
            keep,
            seed: args.seed,
            time: None,
            threads: 0,
        };
        return overall(&grid, out);
    }
    let lang = match args.lang {
        Tongue::Pl => Lang::Pl,
        Tongue::En => Lang::En,
    };
    let clock = budget(None);
    let mut game = Console::new(&properties, args.max_moves, lang, seed);
    let mut said = 0;
    let mut keyboard = std::io::stdin().lock();
    loop {
        // What the person typed is on the screen already.
        game.prompt();
        for line in &game.lines()[said..] {
            out.say(line)?;
        }
        said = game.lines().len();
        match game.need() {
            Need::Nothing => break,
            Need::Machine => game.think(),
            Need::Gap | Need::Symbol => {
                let line = input::line(&mut keyboard)?.filter(|_| !clock.stopped());
                let Some(line) = line else {
                    return Err(Problem::new(
                        "input",
                        "the input ended before the game did",
                        "type a number, or let machines play with gameMode=pcPc",
                    )
                    .into());
                };
                let _ = game.answer(&line);
                said += 1;
            }
        }
    }
    game.finish(clock.elapsed().as_secs_f64());
    for line in &game.lines()[said..] {
        out.say(line)?;
    }
    let path = transcript(&args.output, game.lines())?;
    let position = game.position();
    let result = json!({
        "moves": position.thesis_moves(), "points": position.points(), "word": position.word.to_string(),
        "aborted": game.aborted(), "seed": seed.number(), "transcript": path.display().to_string(),
        "lines": game.lines(), "seconds": clock.elapsed().as_secs_f64(),
    });
    out.tell(&result, || {
        format!("{}: {}", path.display(), report::conventions())
    })?;
    Ok(Answer::Yes)
}

/// Writes the transcript into a new file of the output directory.
fn transcript(folder: &Path, lines: &[String]) -> Result<PathBuf> {
    fs::create_dir_all(folder).map_err(|e| Problem::file(folder, &e))?;
    let stamp = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| d.as_secs());
    for n in 0.. {
        let name = if n == 0 {
            format!("game-{stamp}.txt")
        } else {
            format!("game-{stamp}-{n}.txt")
        };
        let path = folder.join(name);
        match fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&path)
        {
            Ok(mut file) => {
                let text = lines.join("\n") + "\n";
                file.write_all(text.as_bytes())
                    .map_err(|e| Problem::file(&path, &e))?;
                return Ok(path);
            }
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(Problem::file(&path, &e).into()),
        }
    }
    unreachable!("numbers do not run out")
}

fn pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> Result<T> {
    let none = || {
        Problem::new(
            "threads",
            "the threads could not be started",
            "ask for fewer with --threads",
        )
    };
    Ok(wits_thue::with_threads(matches::threads(threads), work).ok_or_else(none)?)
}

fn chapter(args: &TablesArgs, out: &Out) -> Result<Answer> {
    let seed = args.seed.or_fresh();
    let experiment = Experiment {
        games: args.games,
        unbeaten: args.unbeaten,
        seed,
        ..Experiment::default()
    };
    let progress = Progress::start();
    let parts = Mutex::new(0);
    let found = pool(args.threads, || {
        tables(&experiment, |what| {
            let mut parts = parts.lock().expect("nobody panics holding it");
            *parts += 1;
            progress.show(*parts, 5, what);
        })
    })?;
    progress.done();
    if let Some(folder) = &args.figures {
        fs::create_dir_all(folder).map_err(|e| Problem::file(folder, &e))?;
        for figure in &found.figures {
            let save = |suffix: &str, svg: String| {
                write_whole(
                    &folder.join(format!("figure-{}{suffix}.svg", figure.number)),
                    svg.as_bytes(),
                )
            };
            save("", figure.chart().svg())?;
            save("-fits", figure.cause(true).svg())?;
            save("-positions", figure.cause(false).svg())?;
        }
    }
    let mut json = serde_json::to_value(&found)?;
    json["seed"] = seed.number().into();
    json["seconds"] = progress.seconds().into();
    out.tell(&json, || found.text())?;
    Ok(Answer::Yes)
}

fn overall(args: &OverallArgs, out: &Out) -> Result<Answer> {
    let seed = args.seed.or_fresh();
    let grid = Grid {
        variant: args.variant,
        levels: args.levels,
        symbols: usize::from(args.symbols),
        think: Duration::from_secs_f64(args.think),
        max_moves: args.max_moves,
        seed,
    };
    let kept = args.keep.as_deref().filter(|path| path.exists());
    let done: Vec<Played> = match kept {
        Some(path) => {
            let text = fs::read_to_string(path).map_err(|e| Problem::file(path, &e))?;
            let done = Grid::read(&text)
                .map_err(|e| wrong(e, "mend the line or give another file with --keep"))?;
            // A line that a crash cut short is dropped, so that the next one starts on its own.
            let whole: String = done
                .iter()
                .map(|p| serde_json::to_string(p).unwrap_or_default() + "\n")
                .collect();
            write_whole(path, whole.as_bytes())?;
            done
        }
        None => Vec::new(),
    };
    let file = match &args.keep {
        Some(path) => Some(
            fs::OpenOptions::new()
                .append(true)
                .create(true)
                .open(path)
                .map_err(|e| Problem::file(path, &e))?,
        ),
        None => None,
    };
    let (file, count, failed) = (
        Mutex::new(file),
        Mutex::new(done.len() as u64),
        AtomicBool::new(false),
    );
    let all = grid.cells().len() as u64;
    let progress = Progress::start();
    let budget = budget(args.time);
    let each = |played: &Played| {
        let line = serde_json::to_string(played).unwrap_or_default() + "\n";
        if let Some(file) = file.lock().expect("nobody panics holding it").as_mut()
            && file
                .write_all(line.as_bytes())
                .and_then(|()| file.sync_data())
                .is_err()
        {
            failed.store(true, Ordering::Relaxed);
        }
        let mut count = count.lock().expect("nobody panics holding it");
        *count += 1;
        progress.show(*count, all, "games");
    };
    let played = pool(args.threads, || grid.run(&done, &budget, each))?;
    progress.done();
    if failed.load(Ordering::Relaxed) {
        return Err(Problem::new(
            "file",
            "a finished game could not be kept",
            "check the disk and run it again",
        )
        .into());
    }
    let json = json!({"games": played, "count": played.len(), "of": all, "seed": seed.number(), "seconds": progress.seconds()});
    out.tell(&json, || {
        let mut text = String::from("symbols  builder  painter  moves\n");
        for game in &played {
            let mark = match (game.aborted, game.finished) {
                (true, _) => "  took too long",
                (_, false) => "  limit reached",
                _ => "",
            };
            let _ = writeln!(
                text,
                "{:>7}  {:>7}  {:>7}  {:>5}{mark}",
                game.cell.symbols, game.cell.builder, game.cell.painter, game.moves
            );
        }
        format!(
            "{text}{} of {all} games\n{}",
            played.len(),
            report::conventions()
        )
    })?;
    Ok(Answer::Yes)
}
