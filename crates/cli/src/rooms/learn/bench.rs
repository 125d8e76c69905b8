//! The desk's figures, with scikit-learn doing the same work beside it where Python has it.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::Result;
use serde::Deserialize;
use wits_learn::bench::{PEER, Workload, workloads};

use crate::problem::Problem;
use crate::shelf::write_whole;

/// One piece of work, timed.
pub(crate) struct Measured {
    /// What it is, what it reached, and what it stands beside.
    pub(crate) name: String,
    /// How long it took.
    pub(crate) seconds: f64,
    /// How long the peer took.
    pub(crate) baseline: Option<f64>,
}

/// What the peer prints.
#[derive(Deserialize)]
struct Told {
    seconds: f64,
    accuracy: f64,
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
        let Some(name) = work.peer else {
            return Ok(None);
        };
        let mut command = Command::new(&self.python);
        command.arg(self.folder.join("peer.py")).arg(name);
        for (at, text) in work.files().iter().enumerate() {
            let path = self.folder.join(format!("{name}-{at}.csv"));
            write_whole(&path, text.as_bytes())?;
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

/// Measures every workload, or only those with something in their names.
pub(crate) fn measure(only: Option<&str>) -> Result<Vec<Measured>> {
    let wanted = |work: &Workload| only.is_none_or(|part| work.name.contains(part));
    if !workloads().iter().any(wanted) {
        let names = workloads().map(|work| format!("`{}`", work.name));
        let message = format!("no work has `{}` in its name", only.unwrap_or_default());
        let hint = format!("there are {}", names.join(", "));
        return Err(Problem::new("unknown-work", message, hint).into());
    }
    let peer = Peer::find()?;
    let mut all = Vec::new();
    for work in workloads().into_iter().filter(wanted) {
        let (start, before) = (Instant::now(), processor());
        let accuracy = work.run()?;
        let seconds = start.elapsed().as_secs_f64();
        // On a busy machine the clock says more about the others.
        let used = before.zip(processor()).map_or(String::new(), |(a, b)| {
            format!(", {:.2} s of processor", b - a)
        });
        let told = match &peer {
            Some(peer) => peer.run(&work)?,
            None => None,
        };
        let (baseline, beside) = match (told, work.recorded) {
            (Some(t), _) => {
                let beside = format!("scikit-learn {} now, accuracy {:.3}", t.version, t.accuracy);
                (Some(t.seconds), beside)
            }
            (None, Some(recorded)) => {
                let beside = "scikit-learn 1.9.1 as recorded, one core";
                (Some(recorded), beside.to_owned())
            }
            (None, None) => (
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
                "{}, accuracy {accuracy:.3}{used}{bar} (baseline: {beside})",
                work.name
            ),
            seconds,
            baseline,
        });
    }
    Ok(all)
}
