//! `wits thread`: what can be done with a thread besides showing it.

mod generate;

use std::fmt::Write as _;

use anyhow::Result;
use serde_json::{Value, json};
use wits_play::check::{Failure, Report, check, check_desk};
use wits_play::{Catalog, Spec};
use wits_search::{Thread, ThreadError, ThreadFault};

use crate::args::{ThreadCheckArgs, ThreadCommand};
use crate::out::Out;
use crate::{Answer, Problem, shelf};

/// `wits thread …`
pub(crate) fn run(catalog: &Catalog, command: &ThreadCommand, out: &Out) -> Result<Answer> {
    match command {
        ThreadCommand::Check(args) => check_file(catalog, args, out),
        ThreadCommand::Gallery(args) => crate::gallery::run(catalog, args, out),
    }
}

/// `wits thread check FILE`: replays a thread with the rules alone.
fn check_file(catalog: &Catalog, args: &ThreadCheckArgs, out: &Out) -> Result<Answer> {
    let Some(file) = &args.file else {
        return generate::run(catalog, args, out, args.generate.unwrap_or(0));
    };
    let bytes = std::fs::read(file).map_err(|e| Problem::file(file, &e))?;
    let text = String::from_utf8_lossy(&bytes);
    let report = match Thread::read_steps(&text) {
        Ok(thread) => checked(catalog, &thread)?,
        // The file is a thread, and a line of it cannot be: that is what was asked.
        Err(error) if !unreadable(&error) => broken(&text, &error),
        Err(error) => {
            return Err(Problem::new(
                "bad-thread",
                format!("`{}`, {error}", file.display()),
                "give a file that `wits watch --save FILE` wrote",
            )
            .into());
        }
    };
    let failures: Vec<Value> = report
        .failures
        .iter()
        .map(|failure| json!({"at": failure.at, "why": failure.why.to_string()}))
        .collect();
    let value = json!({
        "ok": report.ok(), "steps": report.steps, "checked": report.checked, "trusted": report.trusted,
        "failed": report.failures.len(), "failures": failures,
    });
    out.tell(&value, || {
        let mut text = format!(
            "{} steps: {} checked, {} taken on trust, {} failed\n",
            report.steps,
            report.checked,
            report.trusted,
            report.failures.len()
        );
        for Failure { at, why } in &report.failures {
            let _ = writeln!(text, "step {at}: {why}");
        }
        text
    })?;
    Ok(if report.ok() { Answer::Yes } else { Answer::No })
}

/// Checks a thread with the rules of its game, or by itself where it is about no game.
fn checked(catalog: &Catalog, thread: &Thread) -> Result<Report> {
    let header = &thread.header;
    // The first threads named no game beside their room.
    let name = match header.thread {
        1 if header.game.is_empty() => &header.room,
        _ => &header.game,
    };
    let game = (!name.is_empty()).then(|| name.parse()).transpose()?;
    let Some(spec) = game.filter(|spec: &Spec| catalog.entry(&spec.name).is_ok()) else {
        return Ok(check_desk(thread));
    };
    let shelf = shelf::fill(catalog, &spec, &[])?;
    let game = catalog.game(&spec, &shelf)?;
    Ok(check(&*game, thread))
}

/// Whether the file is no thread at all.
fn unreadable(error: &ThreadError) -> bool {
    error.line <= 1 || matches!(error.what, ThreadFault::Newer(_))
}

/// The report about a thread that breaks off at a line.
fn broken(text: &str, error: &ThreadError) -> Report {
    let line = text.lines().nth(error.line - 1).unwrap_or("");
    let step: Value = serde_json::from_str(line).unwrap_or(Value::Null);
    let why = wits_play::WORDS
        .say("check-broken")
        .with("line", error.line)
        .with("what", error.what.to_string());
    Report {
        steps: text.lines().count().saturating_sub(2) as u64,
        failures: vec![Failure {
            at: step["at"].as_u64().unwrap_or(0),
            why,
        }],
        ..Report::default()
    }
}
