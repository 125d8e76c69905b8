//! `wits arena`: machines of any game against each other, until the numbers say something.

mod args;
pub(crate) mod crew;
mod show;
mod sprt;
mod tune;
mod watch;

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::Result;
use serde_json::json;
use wits_arena::stats::Anchor;
use wits_arena::{ArenaError, Coordinator, File, Hall, Header, Stop, runs};
use wits_play::{Catalog, Shelf};
use wits_store::Store;

pub(crate) use args::Verb;
use args::{Place, RatingsArgs, RunArgs};
use crew::Crew;

use crate::out::{Out, Progress};
use crate::problem::Problem;
use crate::{Answer, serve, shelf};

/// Does what a verb asks.
pub(crate) fn run(verb: Verb, out: &Out) -> Result<Answer> {
    let catalog = crate::catalog();
    match verb {
        Verb::Run(args) => tournament(&catalog, &args, out),
        Verb::Sprt(args) => sprt::run(&catalog, &args, out),
        Verb::Tune(args) => tune::run(&catalog, &args, out),
        Verb::Status { name, nats, place } => {
            watch::status(name.as_deref(), nats.as_deref(), &place, out)
        }
        Verb::Stop { name, nats } => watch::stop(&name, &nats, out),
        Verb::Drain { worker, nats } => watch::drain(worker.as_deref(), &nats, out),
        Verb::Ratings(args) => ratings(&catalog, &args, out),
        Verb::Forget { name, place } => forget(&name, &place, out),
    }
}

impl From<ArenaError> for Problem {
    fn from(error: ArenaError) -> Problem {
        Problem::new(error.code(), error.to_string(), error.hint())
    }
}

/// An arena error as the command line reports it.
fn problem(error: ArenaError) -> anyhow::Error {
    Problem::from(error).into()
}

impl Place {
    fn open(&self) -> Result<Store> {
        serve::open_store(self.database.as_deref(), self.data.clone())
    }
}

/// Microseconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |d| d.as_micros() as i64)
}

/// A tournament that is ready to be played.
struct Ready {
    header: Header,
    shelf: Shelf,
    threads: Option<usize>,
}

/// Reads the file and the flags, fetches what players need, and checks everything.
fn ready(catalog: &Catalog, args: &RunArgs) -> Result<Ready> {
    let mut file = match &args.file {
        None => File::default(),
        Some(path) => read(path)?,
    };
    args.put_into(&mut file);
    if file.game.is_empty() {
        return Err(Problem::new(
            "usage",
            "no game is named",
            "give a tournament file, or `--game GAME --player SPEC --player SPEC`",
        )
        .into());
    }
    let (game, players) = file.specs().map_err(problem)?;
    let players: Vec<_> = players.iter().collect();
    let shelf = shelf::fill(catalog, &game, &players)?;
    let mut tournament = file.tournament(catalog, &shelf).map_err(problem)?;
    if args.file.is_none() && args.name.is_none() {
        // Without a name, the same flags are the same run.
        tournament.name = String::new();
        tournament.name = format!("{}-{}", game.name, &tournament.id()[..8]);
    }
    Ok(Ready {
        header: Header {
            tournament,
            begun: now(),
            anchor: file.anchor.clone(),
            anchor_rating: file.anchor_rating.unwrap_or(1000.0),
        },
        shelf,
        threads: file.threads,
    })
}

/// The text of a file, and its name without folder and ending.
fn text_of(path: &Path) -> Result<(String, String)> {
    let text = std::fs::read_to_string(path).map_err(|e| Problem::file(path, &e))?;
    let stem = path.file_stem().map_or_else(
        || "tournament".to_owned(),
        |s| s.to_string_lossy().into_owned(),
    );
    Ok((text, stem))
}

fn read(path: &Path) -> Result<File> {
    let (text, stem) = text_of(path)?;
    File::read(&text, &stem).map_err(problem)
}

/// Plays what is left of a run, with progress on a terminal. `enough` may end it early.
fn play(
    coordinator: &mut Coordinator<'_>,
    hall: &Hall,
    crew: &Crew,
    enough: &dyn Fn(&Coordinator<'_>) -> bool,
) -> Result<Stop> {
    let progress = Progress::start();
    let total = coordinator.total();
    let mut note = String::new();
    let mut next = Instant::now();
    let end = crew.play(coordinator, hall, &mut |c| {
        // Standings cost more than results do, so they are made anew only now and then.
        if Instant::now() >= next {
            note = show::standings(c);
            next = Instant::now() + Duration::from_secs(1);
        }
        progress.show(c.done(), total.max(c.done()), &note);
        if enough(c) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    progress.done();
    let end = end.map_err(problem)?;
    // The table comes from what is on disk, not from what we remember.
    coordinator.reload().map_err(problem)?;
    Ok(end)
}

/// `wits arena run`
fn tournament(catalog: &Catalog, args: &RunArgs, out: &Out) -> Result<Answer> {
    let ready = ready(catalog, args)?;
    let crew = args.crew.ready(ready.threads)?;
    let store = args.place.open()?;
    if args.anew {
        crew.anew(&ready.header.tournament.id())?;
    }
    let begin = if args.anew {
        Coordinator::anew
    } else {
        Coordinator::begin
    };
    let started = Instant::now();
    let mut coordinator = begin(&store, ready.header).map_err(problem)?;
    let before = coordinator.done();
    let hall = Hall::new(catalog.clone(), ready.shelf);
    let end = play(&mut coordinator, &hall, &crew, &|_| false)?;
    let seconds = started.elapsed().as_secs_f64();
    let table = coordinator.table();
    let mut value = show::value(&coordinator, &table);
    value["seconds"] = json!(seconds);
    value["resumed"] = json!(before);
    out.tell(&value, || {
        let mut text = show::text(&coordinator, &table, out);
        if before > 0 {
            let _ = writeln!(
                text,
                "went on after {before} results that were there already"
            );
        }
        if end == Stop::Stopped {
            text += "stopped; the same command goes on with it\n";
        }
        text + &format!("{seconds:.2} s")
    })?;
    Ok(Answer::Yes)
}

/// `wits arena forget`
fn forget(name: &str, place: &Place, out: &Out) -> Result<Answer> {
    let store = place.open()?;
    let known = runs(&store).map_err(problem)?;
    if !known.iter().any(|(n, _)| n == name) {
        let known = known.into_iter().map(|(n, _)| n).collect();
        let name = name.to_owned();
        return Err(problem(ArenaError::Unknown { name, known }));
    }
    let results = Coordinator::forget(&store, name).map_err(problem)?;
    out.tell(&json!({"forgotten": name, "results": results}), || {
        format!("`{name}` and its {results} results are forgotten")
    })?;
    Ok(Answer::Yes)
}

/// `wits arena ratings`
fn ratings(catalog: &Catalog, args: &RatingsArgs, out: &Out) -> Result<Answer> {
    let store = args.place.open()?;
    let (title, table) = match (&args.name, &args.game) {
        (Some(name), _) => {
            let mut coordinator = Coordinator::open(&store, name).map_err(problem)?;
            if let Some(anchor) = &args.anchor {
                coordinator.set_anchor(anchor, args.anchor_rating);
            }
            (name.clone(), coordinator.table())
        }
        (None, Some(game)) => {
            let shelf = shelf::fill(catalog, game, &[])?;
            let game = catalog.game(game, &shelf)?.spec().to_owned();
            let ladder = wits_arena::Ladder::of(&store, &game).map_err(problem)?;
            if ladder.is_empty() {
                return Err(Problem::new(
                    "unknown-game",
                    format!("no tournament of `{game}` was played here"),
                    "start one with `wits arena run`, or look at `wits arena status`",
                )
                .into());
            }
            let anchor = args.anchor.as_ref().and_then(|name| ladder.place(name));
            let scale = anchor.map_or(Anchor::Mean(args.anchor_rating), |p| {
                Anchor::Player(p, args.anchor_rating)
            });
            return show::ladder(&game, &ladder.rows(scale), out);
        }
        (None, None) => {
            return Err(Problem::new(
                "usage",
                "no tournament is named",
                "give its name (see `wits arena status`), or `--game GAME` for the ladder over all tournaments",
            )
            .into());
        }
    };
    show::ratings(&title, &table, out)?;
    Ok(Answer::Yes)
}
