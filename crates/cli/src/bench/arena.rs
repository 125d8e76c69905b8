//! How many games a second one, two and four workers play, and what the queue costs a job.
//!
//! Workers are threads on the queue of this process and, where this build speaks NATS and there is a
//! program `nats-server`, processes at a server on loopback.

use std::net::TcpListener;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use wits_arena::{
    ArenaError, Coordinator, File, Hall, Header, Leading, SILENCE, Tournament, Worker, spread, work,
};
use wits_play::Shelf;
use wits_queue::Queue;
use wits_store::Store;

use super::Figure;
use crate::problem::Problem;

/// Real games: two searches that look four moves ahead.
const GAMES: &str = r#"
game = "othello"
players = ["alphabeta:depth=4,eval=korman", "alphabeta:depth=4,eval=iago"]
games = 960
random-plies = 6
seed = 1
"#;

/// Games that cost nearly nothing, so that what is left is the price of carrying them.
const LIGHT: &str = r#"
game = "tictactoe"
players = ["random", { name = "other", spec = "random" }]
games = 4000
seed = 1
"#;

/// How long anything here may take to appear.
const PATIENCE: Duration = Duration::from_secs(20);

/// The figures of the arena.
pub(super) fn figures() -> Result<Vec<Figure>> {
    let mut figures = sizes()?;
    measure(
        "threads of this process",
        &mut figures,
        &|tournament, workers| Ok(here(tournament, workers)?),
    )?;
    if let Some(server) = Server::start() {
        measure(
            "processes over NATS",
            &mut figures,
            &|tournament, workers| server.time(tournament, workers),
        )?;
    }
    Ok(figures)
}

/// How large the messages of a job are.
fn sizes() -> Result<Vec<Figure>> {
    let games = tournament(GAMES)?;
    let store = store()?;
    let coordinator = Coordinator::begin(&store, header(&games)).map_err(problem)?;
    let jobs = coordinator.pending();
    let Some(job) = jobs.first() else {
        return Ok(Vec::new());
    };
    let played = hall().play(job, &AtomicBool::new(false));
    let result = played.map_err(|e| problem(e.into()))?;
    let figure = |name: &str, bytes: usize| Figure {
        room: String::new(),
        name: name.to_owned(),
        value: bytes as f64,
        unit: "bytes".to_owned(),
        baseline: None,
        ratio: None,
    };
    Ok(vec![
        figure("a job as it travels", serde_json::to_vec(job)?.len()),
        figure("a result as it travels", serde_json::to_vec(&result)?.len()),
    ])
}

/// Seconds for a tournament with so many workers.
type Timer<'a> = dyn Fn(&Tournament, usize) -> Result<f64> + 'a;

fn measure(what: &str, figures: &mut Vec<Figure>, time: &Timer<'_>) -> Result<()> {
    let games = tournament(GAMES)?;
    let played = f64::from(2 * games.pairings);
    let mut alone = None;
    for workers in [1, 2, 4] {
        let speed = played / time(&games, workers)?;
        figures.push(Figure {
            room: String::new(),
            name: format!("Othello games, {workers} workers, {what} (baseline: 1 worker)"),
            value: speed,
            unit: "games/s".to_owned(),
            baseline: alone,
            ratio: alone.map(|alone: f64| speed / alone),
        });
        alone = alone.or(Some(speed));
    }
    let light = tournament(LIGHT)?;
    let jobs = f64::from(light.pairings);
    let bare = bare(&light)?;
    let carried = time(&light, 1)?;
    figures.push(Figure {
        room: String::new(),
        name: format!("overhead of a job, 1 worker, {what} (beside playing it)"),
        value: (carried - bare).max(0.0) / jobs * 1e6,
        unit: "us".to_owned(),
        baseline: None,
        ratio: None,
    });
    Ok(())
}

fn problem(error: ArenaError) -> Problem {
    error.into()
}

fn tournament(text: &str) -> Result<Tournament, Problem> {
    let file = File::read(text, "bench").map_err(problem)?;
    let (catalog, shelf) = (wits_catalog::all(), Shelf::new());
    file.tournament(&catalog, &shelf).map_err(problem)
}

fn header(tournament: &Tournament) -> Header {
    Header {
        tournament: tournament.clone(),
        begun: 0,
        anchor: None,
        anchor_rating: 0.0,
    }
}

fn hall() -> Hall {
    Hall::new(wits_catalog::all(), Shelf::new())
}

fn store() -> Result<Store, Problem> {
    Store::memory().map_err(|e| problem(e.into()))
}

/// Seconds of playing all jobs one after another, with no queue and no store.
fn bare(tournament: &Tournament) -> Result<f64, Problem> {
    let (store, hall) = (store()?, hall());
    let coordinator = Coordinator::begin(&store, header(tournament)).map_err(problem)?;
    let jobs = coordinator.pending();
    let never = AtomicBool::new(false);
    let start = Instant::now();
    for job in &jobs {
        hall.play(job, &never).map_err(|e| problem(e.into()))?;
    }
    Ok(start.elapsed().as_secs_f64())
}

/// Seconds of leading a run over a queue, by the pace between its first and its last results: finding
/// out who is there takes the same half second for every run.
fn lead(tournament: &Tournament, queue: &Queue) -> Result<f64, Problem> {
    let store = store()?;
    let mut coordinator = Coordinator::begin(&store, header(tournament)).map_err(problem)?;
    let leading = Leading {
        queue,
        shelf: &Shelf::new(),
        silence: SILENCE,
        place: "bench",
        salt: 1,
        stop: &AtomicBool::new(false),
        now: &|| 1,
        tell: &|_| {},
    };
    let start = Instant::now();
    let mut seen = Vec::new();
    spread(&mut coordinator, &leading, &mut |now| {
        seen.push((start.elapsed().as_secs_f64(), now.done()));
        ControlFlow::Continue(())
    })
    .map_err(problem)?;
    let whole = start.elapsed().as_secs_f64();
    let jobs = coordinator.done() as f64;
    Ok(match seen[..] {
        [(from, first), .., (to, last)] if last > first => {
            (to - from) / (last - first) as f64 * jobs
        }
        _ => whole,
    })
}

/// Workers as threads of this process.
fn here(tournament: &Tournament, workers: usize) -> Result<f64, Problem> {
    let queue = Queue::here();
    let over = AtomicBool::new(false);
    let hall = hall();
    std::thread::scope(|scope| {
        for place in 0..workers {
            let (queue, hall, over) = (&queue, &hall, &over);
            scope.spawn(move || {
                work(&Worker {
                    hall,
                    queue,
                    name: &format!("worker-{place}"),
                    threads: 1,
                    wait: Duration::from_millis(20),
                    salt: place as u64,
                    drain: over,
                    halt: over,
                    aside: &|_| None,
                    fetch: &|_| None,
                    tell: &|_| {},
                })
            });
        }
        let seconds = lead(tournament, &queue);
        over.store(true, Ordering::Relaxed);
        seconds
    })
}

/// A NATS server of our own on loopback.
struct Server {
    child: Option<Ended>,
    folder: PathBuf,
    url: String,
    queue: Queue,
}

/// A process that is ended when nobody needs it any more.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn quiet(command: &mut Command) -> Option<Child> {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null());
    quiet.stderr(Stdio::null()).spawn().ok()
}

impl Server {
    /// A server, where there is one and this build can use it.
    fn start() -> Option<Server> {
        let folder = std::env::temp_dir().join(format!("wits-bench-nats-{}", std::process::id()));
        let port = TcpListener::bind("127.0.0.1:0")
            .ok()?
            .local_addr()
            .ok()?
            .port();
        let url = format!("nats://127.0.0.1:{port}");
        let mut command = Command::new("nats-server");
        command.args(["--addr", "127.0.0.1", "--port", &port.to_string()]);
        command.args(["--jetstream", "--store_dir"]).arg(&folder);
        let child = Ended(quiet(&mut command)?);
        let queue = Queue::nats(&url, PATIENCE, 1).ok()?;
        Some(Server {
            child: Some(child),
            folder,
            url,
            queue,
        })
    }

    /// Workers as processes.
    fn time(&self, tournament: &Tournament, workers: usize) -> Result<f64> {
        let program = std::env::current_exe()?;
        let mut crew = Vec::new();
        for _ in 0..workers {
            let mut command = Command::new(&program);
            command.args(["worker", "--threads", "1", "--nats", &self.url]);
            crew.extend(quiet(&mut command).map(Ended));
        }
        let until = Instant::now() + PATIENCE;
        let listen = Duration::from_millis(200);
        while self
            .queue
            .roll_call(listen)
            .map_err(|e| problem(e.into()))?
            .len()
            < workers
        {
            if Instant::now() > until {
                let hint = "try again when the machine is less busy";
                return Err(Problem::new("bench", "the workers did not come", hint).into());
            }
        }
        Ok(lead(tournament, &self.queue)?)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // First the server, then what it wrote.
        drop(self.child.take());
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
