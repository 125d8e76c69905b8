//! The logic engine beside SWI-Prolog, where that is installed: the same programs, the same run.

use std::process::Command;
use std::time::Instant;

use wits_expert::bench::{Task, run};

use super::Figure;

/// The figures of the expert room.
pub(super) fn figures() -> Vec<Figure> {
    let start = Instant::now();
    // What else the machine does is no part of it, here as there.
    let mut now = || worked_seconds().unwrap_or_else(|| start.elapsed().as_secs_f64());
    let figures = run(&mut now, &mut swi);
    let figure = |f: wits_expert::bench::Figure| {
        let name = match f.baseline {
            Some(_) if !f.name.contains("baseline") => {
                format!("{} (baseline: SWI-Prolog, same run)", f.name)
            }
            _ => f.name,
        };
        Figure {
            room: String::new(),
            name,
            value: f.value,
            unit: f.unit.to_owned(),
            baseline: f.baseline,
            ratio: f.ratio,
        }
    };
    figures.into_iter().map(figure).collect()
}

/// Seconds that this thread has worked, where the system says so. Linux brings the figure up to date
/// only when the thread is switched or a tick is over, so it is asked to be switched.
pub(crate) fn worked_seconds() -> Option<f64> {
    std::thread::yield_now();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanos: u64 = told.split_whitespace().next()?.parse().ok()?;
    Some(nanos as f64 / 1e9)
}

/// Seconds of processor time of the best of some runs of SWI-Prolog; nothing where it is missing.
fn swi(task: &Task, runs: u32) -> Option<f64> {
    let folder = std::env::temp_dir().join(format!("wits-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).ok()?;
    let file = folder.join("task.pl");
    let answer = std::fs::write(&file, &task.program).ok().and_then(|()| {
        let path = file.display().to_string().replace('\'', "\\'");
        let load = format!("load_files('{path}', [silent(true)])");
        let one = "statistics(cputime, A), G, statistics(cputime, B), T is B - A";
        let goal = match &task.goal {
            Some(goal) => format!(
                "{load}, G = ignore({goal}), findall(T, (between(1, {runs}, _), {one}), L), min_list(L, M), print(M), nl"
            ),
            // A file that is loaded again is loaded anew.
            None => format!(
                "G = {load}, findall(T, (between(1, {runs}, _), {one}, unload_file('{path}')), L), min_list(L, M), print(M), nl"
            ),
        };
        let out = Command::new("swipl")
            .args(["-q", "-g", &goal, "-t", "halt"])
            .output()
            .ok()?;
        String::from_utf8_lossy(&out.stdout).trim().parse().ok()
    });
    // What could not be removed is in the system's folder for such things.
    let _ = std::fs::remove_dir_all(&folder);
    answer
}
