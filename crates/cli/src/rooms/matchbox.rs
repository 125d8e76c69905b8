//! The verbs of the matchbox room: boxes, beads, schools.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use clap::{Args, Subcommand};
use serde_json::json;
use wits_matchbox::player::start_beads;
use wits_matchbox::svg::{View, labels, learning_curve, wall};
use wits_matchbox::{
    Boxes, Chart, Course, Exact, Learning, Machine, NotExact, Opponent, Preset, Punish, Rival,
    Scheme, Summary, TooLarge, differences, school, train,
};

use crate::args::{Seeded, seconds};
use crate::out::{Out, Progress};
use crate::problem::Problem;
use crate::shelf::write_whole;
use crate::{Answer, matches, stop};

/// Machines made of boxes and beads
#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Count the boxes and beads of a machine
    #[command(after_help = "Example: wits matchbox boxes --machine her --scheme gardner")]
    Boxes(Kind),
    /// Make a new machine and save it
    #[command(
        after_help = "Examples:\n  wits matchbox new her.json --machine her\n  wits matchbox new big.json --game hexapawn:rows=4,cols=3 --side 2 --scheme full"
    )]
    New(NewArgs),
    /// Show what a machine knows; perfect moves are marked
    #[command(
        after_help = "Examples:\n  wits matchbox show her.json\n  wits matchbox show her.json --svg wall.svg"
    )]
    Show(ShowArgs),
    /// Compare two machines box by box (exit code 1 if they differ)
    #[command(after_help = "Example: wits matchbox diff her.json twin.json")]
    Diff {
        /// A machine
        left: PathBuf,
        /// Another machine
        right: PathBuf,
    },
    /// Print labels for real matchboxes on A4 pages
    #[command(after_help = "Example: wits matchbox labels --machine her labels.svg")]
    Labels(LabelsArgs),
    /// Count every way to learn by losing the last bead, exactly
    #[command(
        after_help = "Examples:\n  wits matchbox losses --machine her --scheme gardner\n  wits matchbox losses --machine her --scheme full --opponent random"
    )]
    Losses(LossesArgs),
    /// Send many machines to school and draw their learning curve
    #[command(
        after_help = "Examples:\n  wits matchbox train --machine her --opponent perfect --machines 10000 --games 100 --seed 1\n  wits matchbox train --machine menace --opponent random --machines 1000 --games 1000 --svg curve.svg\n  wits matchbox train --file her.json --opponent punishing --games 100 --save taught.json\n  wits matchbox train --machine menace --opponent random --learner q --machines 200 --games 1000"
    )]
    Train(TrainArgs),
}

/// Which machine, and how it is taught.
#[derive(Args)]
pub(crate) struct Kind {
    /// her, him, menace, or menace2 for MENACE as the second player
    #[arg(long, value_name = "M", default_value = "her")]
    machine: String,
    /// Another board, such as hexapawn:rows=4,cols=3, or any small game of two, such as rainbow:n=5,k=3,c=3
    #[arg(long, value_name = "GAMESPEC")]
    game: Option<String>,
    /// Which side of that board, 1 or 2
    #[arg(long, value_name = "SEAT", default_value = "2", requires = "game")]
    side: wits_game::Seat,
    /// How mirror images share boxes: none, gardner or full
    #[arg(long, value_name = "S")]
    scheme: Option<Scheme>,
    /// Beads of each colour to begin with, by its own move, such as 4/3/2/1
    #[arg(long, value_name = "BEADS")]
    start: Option<String>,
    /// Beads added to every used box for a win
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    win: Option<i32>,
    /// Beads added to every used box for a draw
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    draw: Option<i32>,
    /// Beads added for a loss; negative takes some out
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    loss: Option<i32>,
    /// Which used boxes a loss touches: last or all
    #[arg(long, value_name = "WHICH", value_parser = ["last", "all"])]
    punish: Option<String>,
    /// At most so many beads of a colour in a box
    #[arg(long, value_name = "N")]
    cap: Option<u32>,
}

fn large(error: &TooLarge) -> Problem {
    Problem::new("too-large", error.to_string(), "take fewer rows or columns")
}

impl Kind {
    fn preset(&self) -> Result<Preset> {
        let unknown = |message: String| {
            Problem::new(
                "unknown-machine",
                message,
                "see `wits matchbox boxes --help`",
            )
        };
        let mut preset = match &self.game {
            None => Preset::named(&self.machine).map_err(|e| unknown(e.to_string()))?,
            Some(game) => Preset::of(wits_catalog::subject(game)?, self.side),
        };
        if let Some(scheme) = self.scheme {
            preset = preset.with_scheme(scheme);
        }
        let teaching = &mut preset.teaching;
        if let Some(start) = &self.start {
            teaching.start = start_beads(start)?;
        }
        teaching.win = self.win.unwrap_or(teaching.win);
        teaching.draw = self.draw.unwrap_or(teaching.draw);
        teaching.loss = self.loss.unwrap_or(teaching.loss);
        teaching.cap = self.cap.or(teaching.cap);
        match self.punish.as_deref() {
            Some("last") => teaching.punish = Punish::Last,
            Some(_) => teaching.punish = Punish::All,
            None => {}
        }
        Ok(preset)
    }

    fn fresh(&self) -> Result<Machine> {
        Ok(self.preset()?.machine().map_err(|e| large(&e))?)
    }
}

#[derive(Args)]
pub(crate) struct NewArgs {
    /// Where to save it
    file: PathBuf,
    #[command(flatten)]
    kind: Kind,
    /// What to call it
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Replace a file that is already there
    #[arg(long)]
    force: bool,
}

#[derive(Args)]
pub(crate) struct ShowArgs {
    /// The machine
    file: PathBuf,
    /// Draw the wall of boxes here
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct LabelsArgs {
    /// Where to write; further pages get -2, -3 and so on before the dot
    file: PathBuf,
    #[command(flatten)]
    kind: Kind,
    /// A machine's file instead of a kind
    #[arg(long, value_name = "FILE", conflicts_with = "machine")]
    of: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct LossesArgs {
    #[command(flatten)]
    kind: Kind,
    /// Also the exact means against random, perfect or punishing, as fractions
    #[arg(long, value_name = "O", value_parser = ["random", "perfect", "punishing"])]
    opponent: Option<String>,
    /// Seconds it may take
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<f64>,
    /// The work runs on one thread; the option is here so that scripts can give it everywhere
    #[arg(long, value_name = "T", hide = true)]
    threads: Option<usize>,
}

/// Who goes to school, against whom, and how long.
#[derive(Args)]
pub(crate) struct TrainArgs {
    #[command(flatten)]
    kind: Kind,
    /// A machine's file instead of a kind
    #[arg(long, value_name = "FILE", conflicts_with = "machine")]
    file: Option<PathBuf>,
    /// random, perfect, punishing, skilled:P, or a kind of machine such as him
    #[arg(long, value_name = "O", default_value = "random")]
    opponent: String,
    /// How they learn: beads, q, sarsa, bandit or gradient
    #[arg(long, value_name = "L", default_value = "beads")]
    learner: wits_matchbox::Method,
    /// How far a value moves towards what was seen; for bandits the weight of the bound
    #[arg(long, value_name = "R", requires = "learner")]
    rate: Option<f64>,
    /// The chance of a move by lot, for q and sarsa
    #[arg(long, value_name = "P", requires = "learner")]
    explore: Option<f64>,
    /// How many machines
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    machines: u64,
    /// How many games each
    #[arg(long, value_name = "G", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    #[command(flatten)]
    seed: Seeded,
    /// How many threads (0: one for each core); the result does not depend on it
    #[arg(long, value_name = "T", default_value_t = 0)]
    threads: usize,
    /// Seconds it may take; machines that were not done are left out
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<f64>,
    /// Draw the learning curve here
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Save one machine that went to this school here
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

/// Does what a verb asks.
pub(crate) fn run(verb: Verb, out: &Out) -> Result<Answer> {
    match verb {
        Verb::Boxes(kind) => boxes(&kind, out),
        Verb::New(args) => new(&args, out),
        Verb::Show(args) => show(&args, out),
        Verb::Diff { left, right } => diff(&left, &right, out),
        Verb::Labels(args) => print_labels(&args, out),
        Verb::Losses(args) => losses(&args, out),
        Verb::Train(args) => go_to_school(&args, out),
    }
}

fn read(path: &Path) -> Result<Machine> {
    let text = std::fs::read_to_string(path).map_err(|e| Problem::file(path, &e))?;
    let machine =
        Machine::read_by(&text, &|game| wits_catalog::subject(game).ok()).map_err(|bad| {
            let message = format!("`{}`: {bad}", path.display());
            Problem::new(
                bad.code,
                message,
                "the file was not touched; mend the line or make a new machine",
            )
        })?;
    Ok(machine)
}

/// The whole game as numbers, with the boxes of a machine and perhaps of its opponent.
fn chart(machine: &Machine, opponent: Option<&Machine>) -> Result<Chart> {
    let mut cabinets = [None, None];
    for one in [Some(machine), opponent].into_iter().flatten() {
        cabinets[one.cabinet().seat().index()] = Some(&**one.cabinet());
    }
    let subject = machine.cabinet().subject();
    Ok(subject.chart(cabinets).map_err(|e| large(&e))?)
}

fn boxes(kind: &Kind, out: &Out) -> Result<Answer> {
    let counted = Boxes::from(&kind.fresh()?);
    out.tell(&counted, || {
        format!(
            "{} for {} seat {}, scheme {}: {} boxes ({} by move), {} beads of {} colours, {} of them losing",
            counted.machine, counted.game, counted.seat, counted.scheme, counted.boxes,
            counted.by_move.iter().map(ToString::to_string).collect::<Vec<_>>().join(" + "),
            counted.beads, counted.colours, counted.losing,
        )
    })?;
    Ok(Answer::Yes)
}

fn new(args: &NewArgs, out: &Out) -> Result<Answer> {
    if args.file.exists() && !args.force {
        let message = format!("`{}` is already there", args.file.display());
        return Err(Problem::new("exists", message, "take another name, or add --force").into());
    }
    let machine = args.kind.fresh()?;
    let name = args
        .name
        .clone()
        .unwrap_or_else(|| machine.name().to_owned());
    let machine = machine.called(name);
    write_whole(&args.file, machine.to_text().as_bytes())?;
    let value = json!({"file": args.file, "name": machine.name(), "boxes": machine.cabinet().len(), "beads": machine.total()});
    out.tell(&value, || {
        format!(
            "{} with {} boxes and {} beads is in {}",
            machine.name(),
            machine.cabinet().len(),
            machine.total(),
            args.file.display()
        )
    })?;
    Ok(Answer::Yes)
}

fn show(args: &ShowArgs, out: &Out) -> Result<Answer> {
    let machine = read(&args.file)?;
    if let Some(svg) = &args.svg {
        write_whole(
            svg,
            wall(
                &machine,
                View {
                    knows: true,
                    counts: true,
                },
            )
            .as_bytes(),
        )?;
    }
    let mut perfect_moves = Vec::new();
    for label in machine.cabinet().labels() {
        let kept: Vec<&String> = (0..label.moves.len())
            .filter(|&k| label.worth[k] == label.value)
            .map(|k| &label.moves[k])
            .collect();
        perfect_moves.push(json!({"position": label.position, "value": label.value, "best": kept}));
    }
    let mut value = machine.to_json();
    value["empty_boxes"] = machine.empty_boxes().into();
    value["bad_beads"] = machine.bad_beads().into();
    value["knows"] = perfect_moves.into();
    out.tell(&value, || {
        let taught = machine.taught();
        let mut text = format!(
            "{} plays {} seat {}, scheme {}; taught by {} wins, {} draws, {} losses\n{} boxes, {} of them empty; {} beads, {} that give a position away\n",
            machine.name(), machine.cabinet().game(), machine.cabinet().seat(), machine.cabinet().scheme(),
            taught.wins, taught.draws, taught.losses, machine.cabinet().len(), machine.empty_boxes(), machine.total(), machine.bad_beads(),
        );
        for (at, label) in machine.cabinet().labels().iter().enumerate() {
            let beads: Vec<String> = label.moves.iter().zip(machine.beads(at)).enumerate()
                .map(|(k, (mv, n))| format!("{mv}{} {n}", if label.is_best(k) { "*" } else { "" }))
                .collect();
            let _ = writeln!(text, "{:>4}  move {}  {}   {}", at + 1, label.number, label.position, beads.join("  "));
        }
        text + "* keeps the value of the position, which another bead of the box does not\n"
    })?;
    Ok(Answer::Yes)
}

fn diff(left: &Path, right: &Path, out: &Out) -> Result<Answer> {
    let found = differences(&read(left)?, &read(right)?)
        .map_err(|e| Problem::new("other-boxes", e.to_string(), "compare machines of one kind"))?;
    out.tell(
        &json!({"same": found.is_empty(), "differences": found}),
        || {
            let lines = found.iter().map(|d| {
                format!(
                    "{:>4}  {}  {}: {} and {}\n",
                    d.at + 1,
                    d.position,
                    d.bead,
                    d.left,
                    d.right
                )
            });
            if found.is_empty() {
                "the same beads in every box".to_owned()
            } else {
                lines.collect()
            }
        },
    )?;
    Ok(if found.is_empty() {
        Answer::Yes
    } else {
        Answer::No
    })
}

fn print_labels(args: &LabelsArgs, out: &Out) -> Result<Answer> {
    let machine = match &args.of {
        Some(file) => read(file)?,
        None => args.kind.fresh()?,
    };
    let mut files = Vec::new();
    for (number, page) in labels(&machine).iter().enumerate() {
        let mut file = args.file.clone();
        if number > 0 {
            let stem = file
                .file_stem()
                .map_or_else(String::new, |s| s.to_string_lossy().into_owned());
            let dot = file
                .extension()
                .map_or_else(String::new, |e| format!(".{}", e.to_string_lossy()));
            file.set_file_name(format!("{stem}-{}{dot}", number + 1));
        }
        write_whole(&file, page.as_bytes())?;
        files.push(file);
    }
    out.tell(
        &json!({"pages": files, "labels": machine.cabinet().len()}),
        || {
            format!(
                "{} labels on {} pages of A4: {}",
                machine.cabinet().len(),
                files.len(),
                files
                    .iter()
                    .map(|f| f.display().to_string())
                    .collect::<Vec<_>>()
                    .join(", ")
            )
        },
    )?;
    Ok(Answer::Yes)
}

fn losses(args: &LossesArgs, out: &Out) -> Result<Answer> {
    let machine = args.kind.fresh()?;
    let chart = chart(&machine, None)?;
    let problem = |e: NotExact| {
        Problem::new(
            "not-exact",
            e.to_string(),
            "exact work is for machines such as --machine her",
        )
    };
    let exact = Exact::new(&chart, &machine).map_err(problem)?;
    let losses = exact.losses();
    let rival = match args.opponent.as_deref() {
        Some("random") => Some(Rival::Random),
        Some("perfect") => Some(Rival::Perfect),
        Some(_) => Some(Rival::Punishing),
        None => None,
    };
    let progress = Progress::start();
    let flag = stop::flag();
    let late = || {
        progress.show(0, 1, "fractions");
        flag.load(std::sync::atomic::Ordering::Relaxed)
            || args.time.is_some_and(|t| progress.seconds() > t)
    };
    let expected = rival.map(|rival| exact.expect(rival, &late));
    progress.done();
    if let Some(None) = expected {
        return Err(Problem::new(
            "stopped",
            "the time was over before the fractions were known",
            "give more --time, or --scheme full",
        )
        .into());
    }
    let expected = expected.flatten();
    let mut value = serde_json::to_value(&losses)?;
    if let Some(expected) = &expected {
        value["expected"] = serde_json::to_value(expected)?;
    }
    out.tell(&value, || {
        let mut text = format!(
            "{} with {} boxes: {} beads can be lost, {} sets of them can come up\nperfect after {} to {} losses; sets it can end with, by losses:\n",
            losses.machine, losses.boxes, losses.losing, losses.states, losses.min, losses.max,
        );
        for (n, sets) in (losses.min..).zip(&losses.final_sets) {
            let _ = writeln!(text, "{n:>5} losses  {sets:>6}");
        }
        if let Some(e) = &expected {
            let line = format!(
                    "against {:?} play: {:.6} games and {:.6} losses on average\n", e.opponent, e.games_about, e.losses_about);
            text += &line.to_lowercase();
            for (n, p) in (e.min..).zip(&e.distribution) {
                let _ = writeln!(text, "{n:>5} losses  {:>8.4} %", 100.0 * p);
            }
            let _ = writeln!(text, "games exactly {}\nlosses exactly {}", e.games, e.losses);
        }
        text
    })?;
    Ok(Answer::Yes)
}

/// Raises the stop flag when the time is over, as long as the work goes on.
fn with_time<T>(time: Option<f64>, work: impl FnOnce(&std::sync::atomic::AtomicBool) -> T) -> T {
    use std::sync::atomic::Ordering::Relaxed;
    let (flag, done) = (stop::flag(), std::sync::atomic::AtomicBool::new(false));
    std::thread::scope(|scope| {
        if let Some(seconds) = time {
            let (flag, done) = (&flag, &done);
            scope.spawn(move || {
                let clock = std::time::Instant::now();
                while !done.load(Relaxed) {
                    if clock.elapsed().as_secs_f64() > seconds {
                        flag.store(true, Relaxed);
                    }
                    std::thread::sleep(Duration::from_millis(5));
                }
            });
        }
        let result = work(&flag);
        done.store(true, Relaxed);
        result
    })
}

fn mean(summary: &Summary) -> String {
    match (summary.mean, summary.interval) {
        (Some(mean), Some([low, high])) => format!("{mean:.2} ({low:.2} to {high:.2})"),
        _ => "-".to_owned(),
    }
}

fn go_to_school(args: &TrainArgs, out: &Out) -> Result<Answer> {
    let machine = match &args.file {
        Some(file) => read(file)?,
        None => args.kind.fresh()?,
    };
    let opponent = match args.opponent.parse::<Opponent>() {
        Ok(opponent) => opponent,
        Err(unknown) => {
            let other = Preset::named(&args.opponent).map_err(|_| {
                Problem::new(
                    "unknown-opponent",
                    unknown.to_string(),
                    "a kind of machine also serves: her, him, menace, menace2",
                )
            })?;
            let other = other.machine().map_err(|e| large(&e))?;
            if other.cabinet().game() != machine.cabinet().game()
                || other.cabinet().seat() == machine.cabinet().seat()
            {
                return Err(Problem::new(
                    "unknown-opponent",
                    format!("{} cannot play against {}", other.name(), machine.name()),
                    "HER plays against HIM, menace against menace2",
                )
                .into());
            }
            Opponent::Machine {
                machine: Box::new(other),
                learn: true,
            }
        }
    };
    let other = match &opponent {
        Opponent::Machine { machine, .. } => Some(&**machine),
        _ => None,
    };
    let chart = chart(&machine, other)?;
    let seed = args.seed.or_fresh();
    let course = Course {
        threads: matches::threads(args.threads),
        learning: learning(args)?,
        ..Course::new(args.machines, args.games, seed)
    };
    let progress = Progress::start();
    let trained = with_time(args.time, |stop| {
        train(
            &chart,
            &machine,
            &opponent,
            &course,
            &|done| progress.show(done, args.machines, "machines"),
            stop,
        )
    });
    progress.done();
    if let Some(svg) = &args.svg {
        write_whole(svg, learning_curve(&trained).as_bytes())?;
    }
    if let Some(save) = &args.save {
        if course.learning.method != wits_matchbox::Method::Beads {
            return Err(Problem::new(
                "no-beads",
                format!("`{}` has no beads to save", course.learning.method),
                "leave out --save or --learner",
            )
            .into());
        }
        let taught = school(&chart, &machine, &opponent, args.games, seed.nth(0));
        write_whole(save, taught.to_text().as_bytes())?;
    }
    let mut value = serde_json::to_value(&trained)?;
    value["seconds"] = progress.seconds().into();
    out.tell(&value, || {
        let stopped = if trained.stopped { " (stopped early)" } else { "" };
        let mut text = format!(
            "{} by {} against {}: {} machines, {} games each, seed {}{stopped}\n   game     won   drawn    lost  perfect   losses so far (80 %)\n",
            trained.machine, trained.learner, trained.opponent, trained.machines, trained.games, trained.seed
        );
        let every = trained.curve.len().div_ceil(20).max(1);
        let shown = trained.curve.iter().enumerate().filter(|(i, _)| (i + 1) % every == 0 || *i == 0 || i + 1 == trained.curve.len());
        for (_, p) in shown {
            let _ = writeln!(text, "{:>7}  {:>5.1} %  {:>5.1} %  {:>5.1} %  {:>5.1} %   {} ({} to {})",
                p.game, 100.0 * p.win, 100.0 * p.draw, 100.0 * p.loss, 100.0 * p.perfect, p.losses.median, p.losses.low, p.losses.high
            );
        }
        let _ = writeln!(text, "perfect: {} machines, after {} losses and {} games on average\nlosses in the first {} games: {}",
            trained.perfect, mean(&trained.losses_to_perfect), mean(&trained.games_to_perfect), trained.first, mean(&trained.first_losses)
        );
        if trained.resigned > 0 {
            let _ = writeln!(text, "{} machines resigned their last game before an empty box", trained.resigned);
        }
        text + &format!("{:.2} s", progress.seconds())
    })?;
    Ok(Answer::Yes)
}

/// The way to learn that is asked for, with its numbers.
fn learning(args: &TrainArgs) -> Result<Learning> {
    let usual = Learning::new(args.learner);
    let (rate, explore) = (
        args.rate.unwrap_or(usual.rate),
        args.explore.unwrap_or(usual.explore),
    );
    let fits = (0.0..=10.0).contains(&rate) && (0.0..=1.0).contains(&explore);
    if !fits {
        return Err(Problem::new(
            "bad-value",
            "--rate goes from 0 to 10 and --explore from 0 to 1",
            "leave them out for the usual numbers",
        )
        .into());
    }
    Ok(Learning {
        rate,
        explore,
        ..usual
    })
}
