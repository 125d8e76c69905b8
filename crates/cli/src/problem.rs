//! The one place that turns what went wrong into words and an exit code.

use std::borrow::Cow;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use serde_json::json;
use wits_game::Illegal;
use wits_play::{BadRecord, Refusal};

use crate::out::Out;

/// Something was wrong: what, and what to do next.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct Problem {
    /// A short word for scripts.
    pub(crate) code: Cow<'static, str>,
    /// What is wrong.
    pub(crate) message: String,
    /// What to do next.
    pub(crate) hint: String,
}

impl Problem {
    pub(crate) fn new(
        code: impl Into<Cow<'static, str>>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Problem {
        Problem {
            code: code.into(),
            message: message.into(),
            hint: hint.into(),
        }
    }

    /// A file that cannot be read or written.
    pub(crate) fn file(path: &std::path::Path, error: &io::Error) -> Problem {
        let usual = "check the name and the permissions";
        let (why, hint) = match error.kind() {
            io::ErrorKind::AlreadyExists if !path.is_dir() => {
                ("it is a file, and a folder is needed".to_owned(), usual)
            }
            io::ErrorKind::InvalidData => (
                "it is no UTF-8 text".to_owned(),
                "name another file, or save it as UTF-8",
            ),
            _ => (error.to_string(), usual),
        };
        let message = format!("`{}` cannot be used: {why}", path.display());
        Problem::new("file", message, hint)
    }

    /// The folder where the program keeps things cannot be made or used.
    pub(crate) fn data(path: &std::path::Path, error: &io::Error) -> Problem {
        Problem {
            hint: "name a folder that you may write to, with --data or in WITS_DATA".to_owned(),
            ..Problem::file(path, error)
        }
    }
}

impl From<Refusal> for Problem {
    fn from(error: Refusal) -> Problem {
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
        (
            problem.code.clone(),
            problem.message.clone(),
            problem.hint.clone(),
        )
    } else if let Some(spec) = error.downcast_ref::<Refusal>() {
        (
            spec.code.clone(),
            spec.why.to_string(),
            spec.hint.to_string(),
        )
    } else if let Some(io) = error.downcast_ref::<io::Error>() {
        // Files are named where they are used; what is left is standard output.
        (
            "output".into(),
            format!("the output cannot be written: {io}"),
            "make room where it goes, or send it elsewhere".to_owned(),
        )
    } else {
        (
            "error".into(),
            format!("{error:#}"),
            "run `wits help` to see what can be asked".to_owned(),
        )
    };
    let (code, message, hint) = problem;
    print((&code, message, hint), out.json);
    ExitCode::from(2)
}

/// Says what was wrong with the command line itself; shows help where that was asked for.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let text = plain(error);
    if std::env::args_os().any(|arg| arg == "--json") {
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
    } else if text == error.to_string() {
        // In colours, where there are any.
        let _ = error.print();
    } else {
        let _ = write!(io::stderr(), "{text}");
    }
    ExitCode::from(2)
}

/// What is wrong, in words about numbers instead of strings and their digits.
fn plain(error: &clap::Error) -> String {
    let below = matches!(
        error.get(ContextKind::InvalidValue),
        Some(ContextValue::String(value)) if value.starts_with('-')
    );
    let whole = if below {
        "give a whole number that is not below 0"
    } else {
        "give a whole number"
    };
    let words = [
        ("invalid digit found in string", whole),
        ("cannot parse integer from empty string", whole),
        (
            "number too large to fit in target type",
            "that is too large",
        ),
        (
            "number too small to fit in target type",
            "that is too small",
        ),
        ("invalid float literal", "give a number such as 0.5"),
        (
            "cannot parse float from empty string",
            "give a number such as 0.5",
        ),
        (
            "invalid socket address syntax",
            "give an address and a port such as 127.0.0.1:8080",
        ),
    ];
    words
        .iter()
        .fold(error.to_string(), |text, (from, to)| text.replace(from, to))
}

fn print((code, message, hint): (&str, String, String), as_json: bool) {
    if as_json {
        let error = json!({"error": {"code": code, "message": message, "hint": hint}});
        let _ = writeln!(io::stdout(), "{error}");
    } else {
        let _ = writeln!(io::stderr(), "error: {message}\nhint: {hint}");
    }
}
