//! `thue run`: a game from the thesis's configuration file, typed by a person or played by machines; `thue share` is in `share`.

mod share;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Result;
use clap::{Args, Subcommand};
use serde_json::json;
use wits_game::Lang;
use wits_search::{Budget, Limits};
use wits_thue::report;
use wits_thue::thesis::{Console, Need, Properties};

use crate::args::Seeded;
use crate::out::Out;
use crate::problem::Problem;
use crate::{Answer, desk, input, stop};

/// Words without repetition
#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Play a game from the thesis's configuration file
    #[command(after_help = "Example: wits thue run thesis.properties --lang pl")]
    Run(RunArgs),
    /// Let workers check a refutation, piece by piece, through a queue
    #[command(
        after_help = "Example: wits thue share five-20 --nats nats://127.0.0.1:4222\nworkers, on any machine: wits worker --nats nats://127.0.0.1:4222"
    )]
    Share(ShareArgs),
}

pub(super) use share::Checks;
use share::ShareArgs;

#[derive(Args)]
pub(crate) struct RunArgs {
    /// The configuration file
    file: PathBuf,
    /// Where the transcript goes
    #[arg(long, value_name = "DIR", default_value = "output")]
    output: PathBuf,
    /// End the game after so many symbols
    #[arg(long, value_name = "M", default_value_t = 1000)]
    max_moves: usize,
    #[command(flatten)]
    seed: Seeded,
}

/// Does what a verb asks.
pub(crate) fn run(verb: Verb, out: &Out) -> Result<Answer> {
    match verb {
        Verb::Run(args) => console(&args, out),
        Verb::Share(args) => share::run(&args, out),
    }
}

fn console(args: &RunArgs, out: &Out) -> Result<Answer> {
    let text = fs::read_to_string(&args.file).map_err(|e| Problem::file(&args.file, &e))?;
    let properties = Properties::read(&text).map_err(|e| {
        Problem::new(
            "thue",
            e.to_string(),
            "correct the line; nothing was played",
        )
    })?;
    let seed = args.seed.or_fresh();
    if properties.overall {
        let think = properties.think.map_or(1.0, |t| t.as_secs_f64());
        let keep = args.output.join("overall.jsonl");
        fs::create_dir_all(&args.output).map_err(|e| Problem::file(&args.output, &e))?;
        let grid = [
            ("variant", properties.variant.to_string()),
            ("think", think.to_string()),
            ("max-moves", args.max_moves.to_string()),
            ("keep", keep.display().to_string()),
            ("seed", seed.to_string()),
        ];
        return desk::ask("thue", "overall", &grid, out);
    }
    let clock = Budget::with_stop(Limits::NONE, stop::flag());
    let mut game = Console::new(&properties, args.max_moves, Lang::spoken(), seed);
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
