//! `wits worker`: plays jobs of tournaments that are led elsewhere.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use serde_json::json;
use wits_arena::{ArenaError, Hall, VERSION, Worker, work};
use wits_play::Shelf;
use wits_queue::Queue;

use super::arena::crew::{away, open, salt, warn};
use crate::out::Out;
use crate::problem::Problem;
use crate::{Answer, matches, serve, stop};

/// How long one attempt to reach the server may take.
const ATTEMPT: Duration = Duration::from_secs(5);
/// How long an idle thread asks for a job before it looks whether it should leave.
const WAIT: Duration = Duration::from_secs(1);

#[derive(Args)]
pub(crate) struct WorkerArgs {
    /// The NATS server that carries jobs and results
    #[arg(long, value_name = "URL")]
    nats: String,
    /// How many jobs at once (0: one for each core)
    #[arg(long, value_name = "T", default_value_t = 0)]
    threads: usize,
    /// What tables and `wits arena status` call it; host and process number if left out
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Programs that tournaments may seat here: the executable files of this folder, by name
    #[arg(long, value_name = "DIR")]
    programs: Option<std::path::PathBuf>,
}

/// Does what is asked.
pub(crate) fn run(args: &WorkerArgs, out: &Out) -> Result<Answer> {
    let name = match &args.name {
        Some(name) if !name.is_empty() && name.chars().all(plain) => name.clone(),
        Some(name) => {
            let message = format!("`{name}` cannot be the name of a worker");
            let hint = "use letters, digits and hyphens only";
            return Err(Problem::new("usage", message, hint).into());
        }
        None => own_name(),
    };
    let threads = matches::threads(args.threads);
    let drain = stop::flag();
    let Some(queue) = reach(&args.nats, &drain)? else {
        return tell(&name, wits_arena::Worked::default(), out);
    };
    out.say(format!(
        "worker {name} of wits {VERSION}, {threads} jobs at once; Ctrl-C: finish what is in hand and leave"
    ))?;
    let catalog = serve::with_programs(wits_catalog::all(), args.programs.as_deref())?;
    let hall = Hall::new(catalog, Shelf::new());
    let checks = super::thue::Checks::default();
    let worker = Worker {
        hall: &hall,
        queue: &queue,
        name: &name,
        threads,
        wait: WAIT,
        salt: salt(),
        drain: &drain,
        halt: &AtomicBool::new(false),
        aside: &|parcel| checks.serve(&queue, parcel, &name),
        fetch: &|file| std::fs::read(file).ok(),
        tell: &warn,
    };
    let worked = work(&worker).map_err(|error| match error {
        ArenaError::Refused(refused) => {
            let hint =
                "its jobs went back to the queue; bring this worker in line and start it again";
            Problem::new("refused", refused.to_string(), hint)
        }
        other => Problem::from(other),
    })?;
    tell(&name, worked, out)
}

/// Tries until the server is there, or somebody has enough.
fn reach(url: &str, drain: &AtomicBool) -> Result<Option<Queue>> {
    let mut said = false;
    while !drain.load(Ordering::Relaxed) {
        match open(url, ATTEMPT) {
            Ok(queue) => return Ok(Some(queue)),
            Err(error) if error.is_temporary() => {
                if !said {
                    warn(&format!("{error}; trying again"));
                    said = true;
                }
            }
            Err(error) => return Err(away(error)),
        }
    }
    Ok(None)
}

fn tell(name: &str, worked: wits_arena::Worked, out: &Out) -> Result<Answer> {
    let value = json!({"worker": name, "jobs": worked.jobs, "games": worked.games});
    out.tell(&value, || {
        format!(
            "left after {} jobs with {} games",
            worked.jobs, worked.games
        )
    })?;
    Ok(Answer::Left)
}

fn plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-'
}

/// The name of this machine and the number of this process.
fn own_name() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname")
        .ok()
        .or_else(|| std::env::var("HOSTNAME").ok())
        .or_else(|| std::env::var("COMPUTERNAME").ok())
        .unwrap_or_else(|| "worker".to_owned());
    let host: String = host.trim().chars().filter(|&c| plain(c)).take(40).collect();
    format!("{host}-{}", std::process::id())
}
