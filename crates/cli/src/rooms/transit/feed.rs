//! Reading feeds from disk, and the generated city where no feed is named.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use wits_search::Budget;
use wits_transit::{
    Archive, CityPlan, Diagnosis, FeedLimits, Halt, NoService, Planner, Projection, Quantity,
    Timetable, Unreadable, generate, gtfs, read_feed,
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
    let code = match error {
        Unreadable::Halt(halt) => halt.code(),
        _ => "bad-feed",
    };
    problem(code, &format!("`{}`: {error}", path.display()))
}

/// Why no day can be planned with.
pub(super) fn unplanned(error: &NoService) -> anyhow::Error {
    let code = match error {
        NoService::Halt(halt) => halt.code(),
        _ => "no-service",
    };
    problem(code, &error.to_string())
}

/// Reads a feed: a file or a folder of GTFS files.
pub(super) fn read(
    path: &Path,
    projection: Projection,
) -> Result<Result<(Timetable, Diagnosis), Unreadable>> {
    let failed = |e: std::io::Error| Problem::file(path, &e);
    let title = path.file_stem().unwrap_or_default().to_string_lossy();
    let (limits, budget) = (FeedLimits::TERMINAL, Budget::endless());
    if !path.is_dir() {
        let most = limits.zipped;
        if std::fs::metadata(path).map_err(failed)?.len() > most {
            let what = Quantity::Zipped;
            return Ok(Err(Halt::TooLarge { what, most }.into()));
        }
        let bytes = std::fs::read(path).map_err(failed)?;
        return Ok(read_feed(&bytes, &title, projection, matches::threads(0)));
    }
    let mut files: Vec<(String, Box<dyn Read>)> = Vec::new();
    for entry in std::fs::read_dir(path).map_err(failed)? {
        let file = entry.map_err(failed)?.path();
        if file.extension().is_some_and(|ending| ending == "txt") {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let opened = std::fs::File::open(&file).map_err(|e| Problem::file(&file, &e))?;
            files.push((name.into_owned(), Box::new(opened)));
        }
    }
    let archive = Archive::readers(files);
    let read = gtfs::read(archive, &title, projection, limits, &budget);
    Ok(read.map_err(Unreadable::from))
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
        Planner::new(Arc::new(table), self.walk, self.date).map_err(|e| unplanned(&e))
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
