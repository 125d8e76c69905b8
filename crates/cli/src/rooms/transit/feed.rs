//! Reading feeds from disk, and the generated city where no feed is named.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use wits_transit::{
    CityPlan, Diagnosis, Planner, Projection, Timetable, Unreadable, generate, read_feed,
    read_folder,
};

use super::args::{DescribeArgs, FeedArgs};
use crate::matches;
use crate::problem::Problem;

/// A sentence of the library as a problem: what comes after its first semicolon is the hint.
pub(super) fn problem(code: &'static str, text: &str) -> anyhow::Error {
    let usual = "`wits transit --help` shows examples";
    let (message, hint) = text.split_once("; ").unwrap_or((text, usual));
    Problem::new(code, message, hint).into()
}

/// Why a feed cannot be read, with its name.
pub(super) fn unreadable(path: &Path, error: &Unreadable) -> anyhow::Error {
    problem("bad-feed", &format!("`{}`: {error}", path.display()))
}

/// Reads a feed: a file or a folder of GTFS files.
pub(super) fn read(
    path: &Path,
    projection: Projection,
) -> Result<Result<(Timetable, Diagnosis), Unreadable>> {
    let failed = |e: std::io::Error| Problem::file(path, &e);
    let title = path.file_stem().unwrap_or_default().to_string_lossy();
    if !path.is_dir() {
        let bytes = std::fs::read(path).map_err(failed)?;
        return Ok(read_feed(&bytes, &title, projection, matches::threads(0)));
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(failed)? {
        let file = entry.map_err(failed)?.path();
        if file.extension().is_some_and(|ending| ending == "txt") {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let bytes = std::fs::read(&file).map_err(|e| Problem::file(&file, &e))?;
            files.push((name.into_owned(), bytes));
        }
    }
    files.sort();
    Ok(read_folder(files, &title, projection))
}

/// Reads a feed that must be usable.
pub(super) fn open(path: &Path, projection: Projection) -> Result<(Timetable, Diagnosis)> {
    read(path, projection)?.map_err(|error| unreadable(path, &error))
}

impl FeedArgs {
    /// The timetable that was named, or the generated city.
    pub(super) fn table(&self) -> Result<(Timetable, Diagnosis)> {
        if let Some(path) = &self.feed {
            return open(path, self.projection);
        }
        let plan = CityPlan {
            size: self.size,
            ..CityPlan::default()
        };
        Ok((generate(&plan), Diagnosis::default()))
    }

    /// The timetable on its day.
    pub(super) fn planner(&self) -> Result<Planner> {
        let (table, _) = self.table()?;
        Planner::new(Arc::new(table), self.walk, self.date)
            .map_err(|e| problem("no-service", &e.to_string()))
    }
}

impl DescribeArgs {
    /// The feed may stand alone or behind `--feed`.
    pub(super) fn planner(&self) -> Result<Planner> {
        let named = FeedArgs {
            feed: self.named.clone().or_else(|| self.feed.feed.clone()),
            ..self.feed
        };
        named.planner()
    }
}
