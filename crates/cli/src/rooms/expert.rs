//! The expert room's verbs: questions to a program, checks of a base, and the diagnosis itself.

use std::fmt::Write as _;
use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Subcommand;
use serde_json::json;
use wits_expert::query::{Answers, Wish, ask as ask_machine, query};
use wits_expert::{BASES, Base, Entry, Reply, Session, TEMPLATE, Turn, built_in, how, lint, why};
use wits_logic::Machine;

use crate::Answer;
use crate::out::Out;
use crate::problem::Problem;
use crate::shelf::write_whole;

/// What the expert room can be asked.
#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Ask a program something: all solutions, the steps, the proof
    #[command(
        after_help = "Examples:\n  wits expert query printer \"part_parent(X, printer).\"\n  wits expert query family.pl \"ancestor(X, ann).\" --proof"
    )]
    Query {
        /// A Prolog file, or the name of a base that comes with the program
        file: String,
        /// The goal, with its full stop
        goal: String,
        /// Print at most this many solutions
        #[arg(long, default_value_t = 50, value_name = "N")]
        limit: usize,
        /// Show the steps, at most this many
        #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1000")]
        trace: Option<usize>,
        /// Show the proof of every solution
        #[arg(long)]
        proof: bool,
    },
    /// Look for mistakes in a knowledge base; exit code 1 if there are any
    #[command(after_help = "Example: wits expert check printer")]
    Check {
        /// A knowledge base, or the name of one that comes with the program
        file: String,
    },
    /// Find out what is wrong: choose, answer y, n or ?, ask why, undo
    #[command(after_help = "Example: wits expert ask printer")]
    Ask {
        /// A knowledge base, or the name of one that comes with the program
        #[arg(default_value = "printer")]
        file: String,
        /// Write a report of the conversation here
        #[arg(long, value_name = "FILE")]
        report: Option<PathBuf>,
    },
    /// Ask a program one goal after the other
    #[command(after_help = "Example: wits expert repl printer")]
    Repl {
        /// A Prolog file, or the name of a base that comes with the program
        file: String,
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
        } => {
            let wish = Wish {
                limit,
                trace,
                proof,
                ..Wish::default()
            };
            let answers = query(&file, &text_of(&file)?, &goal, wish);
            tell(&answers, out)
        }
        Verb::Check { file } => check(&file, out),
        Verb::Ask { file, report } => Talk::begin(&file, out)?.go(report.as_deref()),
        Verb::Repl { file } => repl(&file, out),
        Verb::Template => {
            out.tell(&json!({ "template": TEMPLATE }), || TEMPLATE.to_owned())?;
            Ok(Answer::Yes)
        }
    }
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
        _ => Err(Problem::new(
            "query",
            answers
                .error
                .as_ref()
                .map_or_else(String::new, ToString::to_string),
            "mend the goal or the program and ask again",
        )
        .into()),
    }
}

fn show(answers: &Answers) -> String {
    let mut text = answers.output.clone();
    for event in &answers.steps {
        let port = format!("{:?}", event.port).to_lowercase();
        let _ = writeln!(text, "{port:>6}: {}", event.goal);
    }
    for (n, solution) in answers.solutions.iter().enumerate() {
        let pairs: Vec<String> = solution
            .iter()
            .map(|(name, value)| format!("{name} = {}", value.as_str().unwrap_or_default()))
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
            for (depth, node) in proof.lines() {
                let _ = writeln!(text, "  {:indent$}{}", "", node.goal, indent = 2 * depth);
            }
        }
    }
    if answers.status == "false" {
        text.push_str("false\n");
    }
    if answers.more {
        text.push_str("… there are more; raise --limit\n");
    }
    text
}

fn check(file: &str, out: &Out) -> Result<Answer> {
    let report = lint::check(file, &text_of(file)?);
    out.tell(&report, || {
        let mut text = String::new();
        for (kind, findings) in [("error", &report.errors), ("warning", &report.warnings)] {
            for finding in findings {
                let place = finding.line.map_or(String::new(), |line| format!("{file}:{line}: "));
                let _ = writeln!(text, "{kind}: {place}{} ({})", finding.message, finding.rule);
                if let Some(pointer) = &finding.pointer {
                    let _ = writeln!(text, "{pointer}");
                }
            }
        }
        let _ = writeln!(
            text,
            "{} answer paths, {} end in proved advice; {} of {} rules and {} of {} parts are used; {} errors, {} warnings",
            report.paths, report.advised, report.rules.0, report.rules.1, report.parts.0, report.parts.1, report.errors.len(), report.warnings.len()
        );
        text
    })?;
    Ok(if report.errors.is_empty() {
        Answer::Yes
    } else {
        Answer::No
    })
}

fn repl(file: &str, out: &Out) -> Result<Answer> {
    let mut machine = Machine::new();
    let loaded = machine.load(file, &text_of(file)?);
    if let Some(error) = loaded.errors.first() {
        return Err(Problem::new(
            "program",
            error.to_string(),
            "mend the program and load it again",
        )
        .into());
    }
    out.say("Type a goal with its full stop, such as  part(X).  An empty line or Ctrl-D ends.")?;
    let mut lines = std::io::stdin().lock().lines();
    loop {
        out.prompt("?- ")?;
        let Some(line) = lines.next().transpose()?.filter(|l| !l.trim().is_empty()) else {
            return Ok(Answer::Yes);
        };
        let answers = ask_machine(&mut machine, &line, Wish::default());
        let text = answers
            .error
            .as_ref()
            .map_or_else(|| show(&answers), ToString::to_string);
        out.say(text.trim_end())?;
    }
}

/// A conversation at the terminal.
struct Talk<'a> {
    base: Base,
    session: Session,
    out: &'a Out,
}

impl<'a> Talk<'a> {
    fn begin(file: &str, out: &'a Out) -> Result<Talk<'a>> {
        let base = Base::read(file, &text_of(file)?).map_err(|e| {
            Problem::new(
                "base",
                e.to_string(),
                format!("see all of it with `wits expert check {file}`"),
            )
        })?;
        let session = Session::new(&base);
        Ok(Talk { base, session, out })
    }

    fn go(mut self, report: Option<&Path>) -> Result<Answer> {
        let mut lines = std::io::stdin().lock().lines();
        self.out
            .say("Answer y, n or ?; or type: why, how, undo, quit.")?;
        loop {
            let turn = self.session.turn(&self.base).map_err(|e| {
                Problem::new(
                    "dialogue",
                    e.to_string(),
                    "type `wits expert check` to see what is wrong with the base",
                )
            })?;
            self.show(&turn)?;
            if matches!(turn, Turn::Solved(_) | Turn::Nothing(_)) {
                break;
            }
            self.out.prompt("> ")?;
            let Some(line) = lines.next().transpose()? else {
                break;
            };
            if !std::io::stdin().is_terminal() {
                self.out.say(&line)?;
            }
            if line.trim() == "quit" {
                break;
            }
            self.hear(&turn, line.trim())?;
        }
        if let Some(path) = report {
            write_whole(path, self.session.report(&self.base).as_bytes())?;
        }
        let value = json!({"session": self.session, "report": self.session.report(&self.base)});
        if self.out.json {
            self.out.tell(&value, String::new)?;
        }
        Ok(Answer::Yes)
    }

    fn menu(&self, entries: &[Entry]) -> Result<()> {
        for (n, entry) in entries.iter().enumerate() {
            self.out.say(format!("{:>3}. {}", n + 1, entry.label))?;
        }
        Ok(())
    }

    fn show(&self, turn: &Turn) -> Result<()> {
        match turn {
            Turn::Category(entries) | Turn::Problem(entries) => self.menu(entries),
            Turn::Question { text, .. } => self.out.say(text),
            Turn::Advice { advice, .. } => {
                self.out.say("Try this:")?;
                for step in &advice.steps {
                    self.out.say(format!("  - {step}"))?;
                }
                self.out.say("Did it help? (y/n)")
            }
            Turn::Solved(_) => self.out.say("Good. The conversation is over."),
            Turn::Nothing(others) => {
                self.out.say("Nothing else fits.")?;
                for (entry, chance) in others {
                    self.out
                        .say(format!("  {:.0}% {}", 100.0 * chance, entry.label))?;
                }
                Ok(())
            }
        }
    }

    /// Does what was typed; what does not fit is said, and nothing is lost.
    fn hear(&mut self, turn: &Turn, line: &str) -> Result<()> {
        let fits = match (turn, line) {
            (_, "undo") => {
                if !self.session.undo() {
                    self.out.say("There is nothing to take back.")?;
                }
                return Ok(());
            }
            (Turn::Question { id, .. }, "why") => {
                let problem = self.session.problem.clone().unwrap_or_default();
                for sentence in why(&self.base, &problem, &self.session.known(), id) {
                    self.out.say(format!("  {sentence}"))?;
                }
                return Ok(());
            }
            (Turn::Advice { proof, .. }, "how" | "why") => {
                for sentence in how(&self.base, proof) {
                    self.out.say(format!("  {sentence}"))?;
                }
                return Ok(());
            }
            (Turn::Category(entries) | Turn::Problem(entries), text) => {
                let chosen = text
                    .parse::<usize>()
                    .ok()
                    .and_then(|n| entries.get(n.wrapping_sub(1)));
                let id = chosen.map_or_else(|| text.to_owned(), |entry| entry.id.clone());
                self.session.choose(&self.base, &id)
            }
            (Turn::Question { .. }, text) => match Reply::read(text) {
                Some(reply) => self.session.reply(&self.base, reply),
                None => {
                    return self
                        .out
                        .say("Answer y, n or ? (don't know); or type why, undo, quit.");
                }
            },
            (Turn::Advice { .. }, text) => match Reply::read(text) {
                Some(Reply::Yes) => self.session.judge(&self.base, true),
                Some(Reply::No) => self.session.judge(&self.base, false),
                _ => return self.out.say("Answer y or n; or type how, undo, quit."),
            },
            (Turn::Solved(_) | Turn::Nothing(_), _) => Ok(()),
        };
        if let Err(misfit) = fits {
            self.out.say(misfit.to_string())?;
        }
        Ok(())
    }
}
