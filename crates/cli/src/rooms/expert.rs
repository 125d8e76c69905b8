//! The expert room's verbs: questions to a program, checks of a base, and the diagnosis itself.

mod person;
mod repl;
mod talk;

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Subcommand;
use serde_json::json;
use wits_expert::query::{Answers, FUEL, Wish, query_person};
use wits_expert::{BASES, Base, TEMPLATE, WORDS, built_in, lint};
use wits_logic::{Event, Fuel, Proof, Question, Reason, Verdict};

use crate::Answer;
use crate::out::Out;
use crate::problem::Problem;
use crate::shelf::write_whole;

/// What the expert room can be asked.
#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Ask a program something: all solutions, the steps, the proof
    #[command(
        after_help = "Examples:\n  wits expert query printer \"part_parent(X, printer).\"\n  wits expert query family.pl \"ancestor(X, ann).\" --proof\n  printf 'n\\ny\\n' | wits expert query printer \"fix(jam, Advice).\"\n\nWhat the program asks is asked on standard error and answered on standard input,\none answer a line: y, n, ? (don't know), the number of a choice, or a number.\nWhat the program reads with read/1 and the like comes from standard input."
    )]
    Query {
        /// A Prolog file, or the name of a base that comes with the program
        file: String,
        /// The goal, with its full stop
        #[arg(allow_hyphen_values = true)]
        goal: String,
        /// Print at most this many solutions
        #[arg(long, default_value_t = 50, value_name = "N")]
        limit: usize,
        /// Show the steps, at most this many
        #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1000")]
        trace: Option<usize>,
        /// Show the proof of every solution, or why there is none
        #[arg(long)]
        proof: bool,
        /// Stop after this many calls
        #[arg(long, value_name = "N", default_value_t = FUEL.steps)]
        steps: u64,
        /// Stop when this much memory is in use, in MB
        #[arg(long, value_name = "MB", default_value_t = (FUEL.cells >> 17) as u64, value_parser = clap::value_parser!(u64).range(1..=65_536))]
        memory: u64,
        /// Write the steps here as a thread that `wits replay` and the page can show
        #[arg(long, value_name = "FILE")]
        thread: Option<PathBuf>,
    },
    /// Look for mistakes in a knowledge base; exit code 1 if there are any
    #[command(
        after_help = "Examples:\n  wits expert check printer\n  wits expert check bicycle --paths"
    )]
    Check {
        /// A knowledge base, or the name of one that comes with the program
        file: String,
        /// List every way a conversation can go: the answers, and the advice at the end
        #[arg(long)]
        paths: bool,
    },
    /// Find out what is wrong: choose, answer y, n or ?, ask why, undo
    #[command(
        after_help = "Examples:\n  wits expert ask printer\n  wits expert ask printer --session printer.json"
    )]
    Ask {
        /// A knowledge base, or the name of one that comes with the program
        #[arg(default_value = "printer")]
        file: String,
        /// Write a report of the conversation here
        #[arg(long, value_name = "FILE")]
        report: Option<PathBuf>,
        /// Keep the conversation in this file, and go on from it if it is there
        #[arg(long, value_name = "FILE")]
        session: Option<PathBuf>,
    },
    /// Ask a program one goal after the other
    #[command(after_help = "Example: wits expert repl printer")]
    Repl {
        /// A Prolog file, or the name of a base that comes with the program
        file: String,
    },
    /// Run the tables of conformance cases; exit code 1 if an answer differs
    #[command(
        after_help = "Examples:\n  wits expert conformance\n  wits expert conformance --unsupported"
    )]
    Conformance {
        /// List the cases that are known not to be supported
        #[arg(long)]
        unsupported: bool,
    },
    /// Print a knowledge base to begin with
    #[command(after_help = "Example: wits expert template > mine.pl")]
    Template,
}

/// Does what the verb asks.
pub(crate) fn run(verb: Verb, out: &Out) -> Result<Answer> {
    match verb {
        Verb::Query {
            file,
            goal,
            limit,
            trace,
            proof,
            steps,
            memory,
            thread,
        } => {
            let cells = usize::try_from(memory << 17).unwrap_or(usize::MAX);
            let wish = Wish {
                limit,
                fuel: Fuel { steps, cells },
                trace: trace.or(thread.is_some().then_some(wits_expert::STEPS)),
                proof,
                ..Wish::default()
            };
            let text = text_of(&file)?;
            let mut base = None;
            let mut failed = None;
            let mut person = |question: &Question, written: &str| {
                // Only a program that asks is looked at as a base, for its wording.
                let base = base.get_or_insert_with(|| Base::read(&file, &text).ok());
                person::ask(base.as_ref(), question, written).unwrap_or_else(|e| {
                    failed = Some(e);
                    None
                })
            };
            let mut answers = query_person(&file, &text, &goal, wish, &mut person);
            if let Some(error) = failed {
                return Err(error);
            }
            if let Some(path) = thread {
                let thread = wits_expert::thread(&file, &goal, &answers);
                write_whole(&path, thread.text().as_bytes())?;
            }
            if trace.is_none() {
                answers.steps.clear();
                answers.dropped = 0;
            }
            tell(&answers, out)
        }
        Verb::Check { file, paths } => check(&file, paths, out),
        Verb::Ask {
            file,
            report,
            session,
        } => talk::Talk::begin(&file, session, out)?.go(report.as_deref()),
        Verb::Repl { file } => repl::Repl::begin(&file, out)?.go(),
        Verb::Conformance { unsupported } => conformance(unsupported, out),
        Verb::Template => {
            out.tell(&json!({ "template": TEMPLATE }), || TEMPLATE.to_owned())?;
            Ok(Answer::Yes)
        }
    }
}

/// Runs all cases and counts them by table.
fn conformance(unsupported: bool, out: &Out) -> Result<Answer> {
    let report = wits_logic::conformance::report();
    out.tell(&report, || {
        let mut text = String::new();
        for table in &report.tables {
            let _ = writeln!(
                text,
                "{:<12}{:>5} of {:>4}{}",
                table.name,
                table.passed,
                table.cases,
                match table.unsupported {
                    0 => String::new(),
                    n => format!("   {n} not supported"),
                }
            );
        }
        let _ = writeln!(
            text,
            "{:<12}{:>5} of {:>4}",
            "all", report.passed, report.cases
        );
        for case in &report.differences {
            let _ = writeln!(
                text,
                "differs: {}\n   expected {}\n   found    {}",
                case.goal, case.expected, case.found
            );
        }
        if unsupported {
            for case in &report.unsupported {
                let _ = writeln!(text, "not supported: {} ==> {}", case.goal, case.expected);
            }
        }
        text
    })?;
    Ok(if report.differences.is_empty() {
        Answer::Yes
    } else {
        Answer::No
    })
}

/// The text of a file, or of a base that comes with the program.
fn text_of(name: &str) -> Result<String> {
    let path = Path::new(name);
    if let (false, Some(text)) = (path.exists(), built_in(name)) {
        return Ok(text.to_owned());
    }
    let bytes = std::fs::read(path).map_err(|e| {
        let names: Vec<&str> = BASES.iter().map(|(name, _)| *name).collect();
        let hint = format!("name a file, or one of: {}", names.join(", "));
        Problem {
            hint,
            ..Problem::file(path, &e)
        }
    })?;
    String::from_utf8(bytes).map_err(|_| {
        Problem::new(
            "bad-file",
            format!("`{name}` is not text (UTF-8)"),
            "use a text file",
        )
        .into()
    })
}

/// What was found: `true` and `false` are answers, an error is one.
fn tell(answers: &Answers, out: &Out) -> Result<Answer> {
    out.tell(answers, || show(answers))?;
    match answers.status.as_str() {
        "true" => Ok(Answer::Yes),
        "false" => Ok(Answer::No),
        _ if out.json => Ok(Answer::Wrong),
        _ => {
            let error = answers.error.as_ref();
            let pointer = error
                .and_then(|t| t.place.as_ref())
                .map_or(String::new(), |p| format!("\n{}", p.pointer()));
            let hint = error.and_then(|t| t.hint.as_deref());
            Err(Problem::new(
                answers.code.unwrap_or("query"),
                error.map_or_else(String::new, |t| format!("{t}{pointer}")),
                hint.unwrap_or("mend the goal or the program and ask again"),
            )
            .into())
        }
    }
}

fn show(answers: &Answers) -> String {
    let mut text = answers.output.clone();
    for event in &answers.steps {
        let _ = writeln!(text, "{}", step_line(event));
    }
    if answers.dropped > 0 {
        let _ = writeln!(text, "… {} more steps; raise --trace", answers.dropped);
    }
    for (n, solution) in answers.solutions.iter().enumerate() {
        let pairs: Vec<String> = solution
            .iter()
            .map(|(name, value)| format!("{name} = {}", short(value.as_str().unwrap_or_default())))
            .collect();
        let _ = writeln!(
            text,
            "{}",
            if pairs.is_empty() {
                "true".to_owned()
            } else {
                pairs.join(", ")
            }
        );
        if let Some(proof) = answers.proofs.get(n) {
            text.push_str(&proof_lines(proof));
        }
        match answers.checks.get(n) {
            Some(Some(verdict)) => text.push_str(&verdict_line(verdict)),
            Some(None) => {
                let _ = writeln!(text, "  {}", WORDS.say("proof-too-large"));
            }
            None => {}
        }
    }
    if answers.status == "false" {
        text.push_str("false\n");
        text.push_str(&reason_lines(&answers.reasons));
    }
    if answers.more {
        text.push_str("… there are more; raise --limit\n");
    }
    text
}

/// Values are cut off at this length where people read them.
const LONGEST: usize = 10_000;

/// A value, or its beginning.
fn short(value: &str) -> Cow<'_, str> {
    match value.char_indices().nth(LONGEST) {
        Some((end, _)) => {
            let more = value[end..].chars().count();
            Cow::Owned(format!(
                "{} … ({more} more characters; --json writes them)",
                &value[..end]
            ))
        }
        None => Cow::Borrowed(value),
    }
}

/// One step as a line.
fn step_line(event: &Event) -> String {
    let port = format!("{:?}", event.port).to_lowercase();
    let clause = event
        .clause
        .map_or(String::new(), |(n, of)| format!("   (clause {n} of {of})"));
    let bindings: Vec<String> = (event.bindings.iter())
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    let bindings = match bindings.len() {
        0 => String::new(),
        _ => format!("   ({})", bindings.join(", ")),
    };
    format!("{port:>6}: {}{clause}{bindings}", event.goal)
}

/// A proof as indented lines, one goal each.
fn proof_lines(proof: &Proof) -> String {
    let mut text = String::new();
    for line in proof.lines() {
        let again = if line.again { "   (proved above)" } else { "" };
        let indent = 2 * line.depth;
        let _ = writeln!(text, "  {:indent$}{}{again}", "", line.node.goal);
    }
    text
}

/// What the independent checker says of a proof.
fn verdict_line(verdict: &Verdict) -> String {
    match (&verdict.why, verdict.trusted) {
        (Some(why), _) => format!("  not checked: {why}\n"),
        (None, 0) => "  checked: every step follows\n".to_owned(),
        (None, n) => format!("  checked: every step follows; goals of the library trusted: {n}\n"),
    }
}

/// Why there is no solution, one reason a line.
fn reason_lines(reasons: &[Reason]) -> String {
    let mut text = String::new();
    for reason in reasons {
        let inside = match reason.path.len() {
            0 => String::new(),
            _ => format!("   (in {})", reason.path.join(" → ")),
        };
        let _ = writeln!(text, "  {}{inside}", reason.text);
    }
    text
}

fn check(file: &str, paths: bool, out: &Out) -> Result<Answer> {
    let source = text_of(file)?;
    let report = lint::check(file, &source);
    // A base that cannot be read has no paths; the report says what is wrong with it.
    let base = paths.then(|| Base::read(file, &source).ok()).flatten();
    let ways = base.map_or_else(Vec::new, |base| base.ways());
    let mut value = serde_json::to_value(&report)?;
    if paths {
        value["ways"] = serde_json::to_value(&ways)?;
    }
    out.tell(&value, || {
        let mut text = String::new();
        for way in &ways {
            let _ = writeln!(text, "{way}");
        }
        for (kind, findings) in [("error", &report.errors), ("warning", &report.warnings)] {
            for finding in findings {
                let place = finding.line.map_or(String::new(), |line| format!("{file}:{line}: "));
                let _ = writeln!(text, "{kind}: {place}{} ({})", finding.message, finding.rule);
                if let Some(pointer) = &finding.pointer {
                    let _ = writeln!(text, "{pointer}");
                }
            }
        }
        let count = format!("{} errors, {} warnings", report.errors.len(), report.warnings.len());
        let unread = report.errors.iter().any(|f| f.rule == "syntax");
        let _ = if unread {
            writeln!(text, "{count}; the rest is looked over once the text can be read")
        } else if report.base {
            writeln!(
                text,
                "{} answer paths, {} end in proved advice; {} of {} rules and {} of {} parts are used; {} of {} answers are in samples; {count}",
                report.paths, report.advised, report.rules.0, report.rules.1, report.parts.0, report.parts.1, report.sampled.0, report.sampled.1
            )
        } else {
            writeln!(text, "a program without base/3; {count}")
        };
        text
    })?;
    Ok(if report.errors.is_empty() {
        Answer::Yes
    } else {
        Answer::No
    })
}
