//! A run of figures that is kept: as JSON, beside an earlier one, and as a page.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::{Figure, ROOMS};
use crate::problem::Problem;
use crate::shelf::write_whole;

/// Figures, and where they were measured.
#[derive(Serialize, Deserialize)]
pub(super) struct Run {
    /// The program's version.
    pub(super) version: String,
    /// The processor, as the system names it.
    pub(super) processor: String,
    pub(super) cores: usize,
    pub(super) figures: Vec<Figure>,
}

impl Run {
    /// These figures, measured here.
    pub(super) fn here(figures: Vec<Figure>) -> Run {
        let known = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let processor = known
            .lines()
            .find_map(|line| line.strip_prefix("model name"))
            .map_or("unknown", |rest| rest.trim_start_matches([' ', '\t', ':']));
        Run {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            processor: processor.to_owned(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            figures,
        }
    }

    /// A run that was kept.
    pub(super) fn read(path: &Path) -> Result<Run> {
        let text = std::fs::read_to_string(path).map_err(|e| Problem::file(path, &e))?;
        let read = serde_json::from_str(&text);
        Ok(read.map_err(|e| {
            let message = format!("`{}` is no run of figures: {e}", path.display());
            Problem::new("bad-run", message, "keep one with `wits bench --save FILE`")
        })?)
    }

    /// Keeps this run.
    pub(super) fn keep(&self, path: &Path) -> Result<()> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        write_whole(path, text.as_bytes())
    }

    /// This run beside an earlier one.
    pub(super) fn beside(&self, earlier: &Run) -> Vec<Change> {
        let key = |f: &Figure| (f.room.clone(), f.name.clone());
        let before: BTreeMap<_, &Figure> = earlier.figures.iter().map(|f| (key(f), f)).collect();
        self.figures
            .iter()
            .filter_map(|now| {
                let then = before.get(&key(now)).filter(|f| f.unit == now.unit)?;
                let more = now.value / then.value;
                let better = if more_is_better(&now.unit) {
                    more
                } else {
                    1.0 / more
                };
                better.is_finite().then(|| Change {
                    room: now.room.clone(),
                    name: now.name.clone(),
                    before: then.value,
                    now: now.value,
                    unit: now.unit.clone(),
                    better,
                })
            })
            .collect()
    }

    /// The page `docs/performance.md`. Of a page that is there, only the rooms of this run change.
    pub(super) fn page(&self, there: Option<&str>) -> String {
        if let Some(there) = there.filter(|page| page.starts_with(TITLE)) {
            return self.renewed(there);
        }
        let mut text = format!(
            "{TITLE}\n\nWritten by `wits bench --markdown docs/performance.md`. Every figure below was printed by one run of `wits bench` (release build, version {}) on {} cores of `{}`. A ratio above 1 is better than the baseline, which was measured in the same run or is the limit that the figure must keep. \
             `wits bench --save FILE` keeps a run, `wits bench --against FILE` prints each figure as a ratio to a kept one, `wits bench ROOM --markdown FILE` measures one room anew, which then says so. Figures of two machines say nothing about each other; ratios do.\n",
            self.version, self.cores, self.processor
        );
        for room in ROOMS {
            if let Some(table) = self.table(room) {
                let _ = write!(text, "\n## {room}\n\n{table}");
            }
        }
        text
    }

    /// A page whose rooms of this run are measured anew; where is said under their names.
    fn renewed(&self, there: &str) -> String {
        let mut parts = there.trim_end().split("\n## ");
        let mut text = parts.next().unwrap_or_default().trim_end().to_owned() + "\n";
        let kept: BTreeMap<&str, &str> = parts.filter_map(|part| part.split_once('\n')).collect();
        for room in ROOMS {
            let (version, cores, processor) = (&self.version, self.cores, &self.processor);
            let fresh = self.table(room).map(|table| format!("Printed by one run of `wits bench {room}` (version {version}) on {cores} cores of `{processor}`.\n\n{table}"));
            let kept = kept.get(room).map(|part| format!("{}\n", part.trim()));
            if let Some(part) = fresh.or(kept) {
                let _ = write!(text, "\n## {room}\n\n{part}");
            }
        }
        text
    }

    /// The figures of a room, if it has any.
    fn table(&self, room: &str) -> Option<String> {
        let mut rows = self.figures.iter().filter(|f| f.room == room).peekable();
        rows.peek()?;
        let mut text =
            "| figure | value | unit | baseline | ratio |\n| --- | ---: | --- | ---: | ---: |\n"
                .to_owned();
        for f in rows {
            let name = f.name.replace('|', "/");
            let (baseline, ratio) = (shown(f.baseline), shown(f.ratio));
            let value = shown(Some(f.value));
            let _ = writeln!(
                text,
                "| {name} | {value} | {} | {baseline} | {ratio} |",
                f.unit
            );
        }
        Some(text)
    }
}

/// The first line of the page.
const TITLE: &str = "# How fast it is";

/// A figure in both runs: how many times better it is now.
#[derive(Serialize)]
pub(super) struct Change {
    room: String,
    name: String,
    before: f64,
    now: f64,
    unit: String,
    pub(super) better: f64,
}

impl Change {
    pub(super) fn line(&self) -> String {
        let (before, now) = (shown(Some(self.before)), shown(Some(self.now)));
        format!(
            "{:>7.2} times  {:<10} {} ({before} then, {now} now, {})\n",
            self.better, self.room, self.name, self.unit
        )
    }
}

/// Rates grow when things get better; times and sizes shrink.
fn more_is_better(unit: &str) -> bool {
    unit.contains("/s") || unit.contains("per second") || unit == "times"
}

/// Four digits that count.
fn shown(value: Option<f64>) -> String {
    match value {
        None => String::new(),
        Some(v) if v == 0.0 || !v.is_finite() => format!("{v}"),
        Some(v) if v.abs() >= 1_000.0 => format!("{v:.0}"),
        Some(v) if v.abs() >= 10.0 => format!("{v:.1}"),
        Some(v) if v.abs() >= 0.1 => format!("{v:.2}"),
        Some(v) => format!("{v:.4}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::figure;
    use super::*;

    fn run(time: f64, rate: f64) -> Run {
        let mut figures = vec![
            figure("a search".to_owned(), time, "ms", None, 1.0),
            figure("games".to_owned(), rate, "games/s", Some(1.0), rate),
        ];
        for figure in &mut figures {
            figure.room = "spine".to_owned();
        }
        Run::here(figures)
    }

    #[test]
    fn better_is_above_one_for_times_and_rates() {
        let changes = run(5.0, 300.0).beside(&run(10.0, 100.0));
        let better: Vec<f64> = changes.iter().map(|c| c.better).collect();
        assert_eq!(better, [2.0, 3.0]);
    }

    #[test]
    fn a_kept_run_is_read_again_and_makes_a_page() {
        let text = serde_json::to_string(&run(5.0, 300.0)).expect("plain data");
        let read: Run = serde_json::from_str(&text).expect("what was written");
        let page = read.page(None);
        assert!(page.contains("## spine") && page.contains("| a search | 5.00 | ms |"));
        // A run of one room leaves the others as they are.
        let mut learn = run(7.0, 300.0);
        learn.figures.truncate(1);
        learn.figures[0].room = "learn".to_owned();
        let both = learn.page(Some(&page));
        assert!(both.starts_with(page.trim_end()), "{both}");
        assert!(both.contains("\n\n## learn\n\nPrinted by one run of `wits bench learn`"));
        assert_eq!(learn.page(Some(&both)), both);
        assert_eq!(
            run(5.0, 300.0).page(Some(&both)).matches("\n## ").count(),
            2
        );
        assert!(
            read.beside(&run(5.0, 300.0))
                .iter()
                .all(|c| (c.better - 1.0).abs() < 1e-9)
        );
    }
}
