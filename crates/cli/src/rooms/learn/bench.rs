//! The desk's figures, with scikit-learn doing the same work beside it where Python has it: one core
//! each, in seconds of processor, because on a busy machine the clock says more about the others.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::Result;
use serde::Deserialize;
use wits_learn::bench::{PEER, Workload, workloads};
use wits_learn::{LearnError, with_threads};

use crate::out::Progress;
use crate::problem::Problem;
use crate::shelf::write_whole;
use crate::stop;

/// One piece of work, timed.
pub(crate) struct Measured {
    /// What it is, what it reached, and what it stands beside.
    pub(crate) name: String,
    /// Seconds of processor it took.
    pub(crate) seconds: f64,
    /// Seconds of processor the peer took.
    pub(crate) baseline: Option<f64>,
}

/// What the peer prints.
#[derive(Deserialize)]
struct Told {
    seconds: f64,
    accuracy: Option<f64>,
    version: String,
}

/// A Python that has scikit-learn: the one `WITS_PYTHON` names, or `python3`.
struct Peer {
    python: String,
    folder: PathBuf,
}

impl Peer {
    fn find() -> Result<Option<Peer>> {
        let python = std::env::var("WITS_PYTHON").unwrap_or_else(|_| "python3".to_owned());
        let found = Command::new(&python)
            .args(["-c", "import sklearn"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        if !found.is_ok_and(|status| status.success()) {
            return Ok(None);
        }
        let folder = std::env::temp_dir().join(format!("wits-bench-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|e| Problem::file(&folder, &e))?;
        write_whole(&folder.join("peer.py"), PEER.as_bytes())?;
        Ok(Some(Peer { python, folder }))
    }

    /// Has the peer do a piece of work on one core; nothing where it cannot.
    fn run(&self, work: &Workload) -> Result<Option<Told>> {
        let Some(peer) = work.peer() else {
            return Ok(None);
        };
        let name = match (peer.source.is_empty(), peer.predicts) {
            (true, _) => "grid",
            (false, true) => "predict",
            (false, false) => "transform",
        };
        let mut command = Command::new(&self.python);
        command.arg(self.folder.join("peer.py")).arg(name);
        command.arg(peer.columns.to_string());
        let mut files = peer.files;
        if !peer.source.is_empty() {
            files.push(peer.source.into_bytes());
        }
        for (at, bytes) in files.iter().enumerate() {
            let path = self.folder.join(format!("file-{at}"));
            write_whole(&path, bytes)?;
            command.arg(path);
        }
        // One core, as here.
        for pool in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"] {
            command.env(pool, "1");
        }
        let output = command.stderr(Stdio::null()).output();
        let told = output.ok().filter(|o| o.status.success());
        Ok(told.and_then(|o| serde_json::from_slice(&o.stdout).ok()))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Seconds of processor that this program has used so far, where Linux says so.
fn processor() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name in brackets may hold blanks; user and system time are the 12th and 13th after it.
    let (_, rest) = text.rsplit_once(')')?;
    let mut fields = rest.split_whitespace().skip(11);
    let user: f64 = fields.next()?.parse().ok()?;
    let system: f64 = fields.next()?.parse().ok()?;
    // Linux counts in hundredths of a second on every machine that this is built for.
    Some((user + system) / 100.0)
}

/// Seconds of processor that doing a piece of work once takes on one thread, and what it told. It is
/// repeated until half a second is spent.
fn timed(work: &Workload) -> Result<(f64, Option<f64>)> {
    let once = work.prepare();
    let spent = with_threads(1, || {
        let (clock, start) = (Instant::now(), processor());
        let spent = || match (start, processor()) {
            (Some(before), Some(now)) => now - before,
            _ => clock.elapsed().as_secs_f64(),
        };
        let mut times = 0.0;
        loop {
            let told = once()?;
            times += 1.0;
            let seconds = spent();
            if seconds >= 0.5 {
                return Ok((seconds / times, told));
            }
        }
    })?;
    spent.map_err(|e: LearnError| e.into())
}

/// Measures every workload, or only those with something in their names. Somebody who stops it has
/// those that were measured by then.
pub(crate) fn measure(only: Option<&str>, progress: &Progress) -> Result<Vec<Measured>> {
    let wanted = |work: &Workload| only.is_none_or(|part| work.name.contains(part));
    if !workloads().iter().any(wanted) {
        let message = format!("no work has `{}` in its name", only.unwrap_or_default());
        let hint = "write a method's name (`knn`), a number of rows (`14000`) or `grid`";
        return Err(Problem::new("unknown-work", message, hint).into());
    }
    let peer = Peer::find()?;
    let mut all = Vec::new();
    let (stop, works) = (stop::flag(), workloads());
    let works: Vec<Workload> = works.into_iter().filter(wanted).collect();
    for (done, work) in works.iter().enumerate() {
        if stop.load(Ordering::Relaxed) && !all.is_empty() {
            break;
        }
        progress.show(done as u64, works.len() as u64, &work.name);
        let (seconds, accuracy) = timed(work)?;
        let told = match &peer {
            Some(peer) => peer.run(work)?,
            None => None,
        };
        if told.is_none() && stop.load(Ordering::Relaxed) && !all.is_empty() {
            break;
        }
        let reached = |accuracy: Option<f64>| {
            accuracy.map_or(String::new(), |a| format!(", accuracy {a:.3}"))
        };
        let (baseline, beside) = match told {
            Some(t) => {
                let beside = format!("scikit-learn {}{}", t.version, reached(t.accuracy));
                (Some(t.seconds), beside)
            }
            None if peer.is_some() && work.peer().is_none() => (
                None,
                "none: scikit-learn gives no such intervals".to_owned(),
            ),
            None => (
                None,
                "none: scikit-learn was not there to answer".to_owned(),
            ),
        };
        let bar = work.bar.map_or(String::new(), |bar| {
            let kept = if seconds <= bar { "kept" } else { "missed" };
            format!(", bar of {bar} s {kept}")
        });
        all.push(Measured {
            name: format!(
                "{}, one core{}{bar} (baseline: {beside})",
                work.name,
                reached(accuracy)
            ),
            seconds,
            baseline,
        });
    }
    Ok(all)
}
