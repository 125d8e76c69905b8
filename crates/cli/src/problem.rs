//! The one place that turns what went wrong into words and an exit code.

use std::io::{self, Write};
use std::process::ExitCode;

use serde_json::json;
use wits_game::Illegal;
use wits_play::{BadRecord, SpecError};

use crate::out::Out;

/// Something was wrong: what, and what to do next.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct Problem {
    /// A short word for scripts.
    pub(crate) code: &'static str,
    /// What is wrong.
    pub(crate) message: String,
    /// What to do next.
    pub(crate) hint: String,
}

impl Problem {
    pub(crate) fn new(
        code: &'static str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Problem {
        Problem {
            code,
            message: message.into(),
            hint: hint.into(),
        }
    }

    /// A file that cannot be read or written.
    pub(crate) fn file(path: &std::path::Path, error: &io::Error) -> Problem {
        let message = format!("`{}` cannot be used: {error}", path.display());
        Problem::new("file", message, "check the name and the permissions")
    }
}

impl From<SpecError> for Problem {
    fn from(error: SpecError) -> Problem {
        Problem::new(error.code, error.why.to_string(), error.hint.to_string())
    }
}

impl From<Illegal> for Problem {
    fn from(illegal: Illegal) -> Problem {
        Problem::new("illegal", illegal.to_string(), "the game is unchanged")
    }
}

impl From<BadRecord> for Problem {
    fn from(bad: BadRecord) -> Problem {
        Problem::new(
            "bad-record",
            bad.to_string(),
            "the file was not touched; mend the line or use another file",
        )
    }
}

/// Says what was wrong. A reader that went away is no error.
pub(crate) fn report(error: &anyhow::Error, out: &Out) -> ExitCode {
    let pipe = error
        .downcast_ref::<io::Error>()
        .is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe);
    if pipe {
        return ExitCode::SUCCESS;
    }
    let problem = if let Some(problem) = error.downcast_ref::<Problem>() {
        (problem.code, problem.message.clone(), problem.hint.clone())
    } else if let Some(spec) = error.downcast_ref::<SpecError>() {
        (spec.code, spec.why.to_string(), spec.hint.to_string())
    } else {
        (
            "error",
            format!("{error:#}"),
            "run `wits help` to see what can be asked".to_owned(),
        )
    };
    print(problem, out.json);
    ExitCode::from(2)
}

/// Says what was wrong with the command line itself; shows help where that was asked for.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    if std::env::args().any(|arg| arg == "--json") {
        let text = error.to_string();
        let first = text
            .lines()
            .next()
            .unwrap_or_default()
            .trim_start_matches("error: ")
            .to_owned();
        let rest: Vec<&str> = text
            .lines()
            .skip(1)
            .map(str::trim)
            .filter(|l| !l.is_empty())
            .collect();
        print(("usage", first, rest.join("; ")), true);
    } else {
        let _ = error.print();
    }
    ExitCode::from(2)
}

fn print((code, message, hint): (&str, String, String), as_json: bool) {
    if as_json {
        let error = json!({"error": {"code": code, "message": message, "hint": hint}});
        let _ = writeln!(io::stdout(), "{error}");
    } else {
        let _ = writeln!(io::stderr(), "error: {message}\nhint: {hint}");
    }
}
