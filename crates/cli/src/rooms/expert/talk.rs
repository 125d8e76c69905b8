//! The diagnosis as a conversation at the terminal, or through a pipe.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::json;
use wits_expert::{
    Base, Entry, History, Kind, Misfit, Moment, Reply, Said, Session, Turn, WORDS, explain,
};
use wits_game::Message;

use super::text_of;
use crate::out::Out;
use crate::problem::Problem;
use crate::shelf::write_whole;
use crate::{Answer, input};

/// A conversation at the terminal.
pub(super) struct Talk<'a> {
    base: Base,
    history: History,
    /// What was said, where it is kept.
    kept: Option<(PathBuf, Kept)>,
    out: &'a Out,
}

/// A conversation as a file: how it began and what was said.
#[derive(Serialize, Deserialize)]
struct Kept {
    first: Session,
    moments: Vec<Moment>,
}

impl<'a> Talk<'a> {
    /// A conversation about a base; it goes on from the file that it is kept in, if there is one.
    pub(super) fn begin(file: &str, session: Option<PathBuf>, out: &'a Out) -> Result<Talk<'a>> {
        let base = Base::read(file, &text_of(file)?).map_err(|e| {
            let hint = format!("see all of it with `wits expert check {file}`");
            Problem::new("base", e.to_string(), hint)
        })?;
        let mut talk = Talk {
            history: History::new(Session::new(&base)),
            base,
            kept: None,
            out,
        };
        if let Some(path) = session {
            talk.resume(path)?;
        }
        Ok(talk)
    }

    /// Takes the conversation up where a file left it, and keeps it there from now on.
    fn resume(&mut self, path: PathBuf) -> Result<()> {
        if !path.exists() {
            let first = self.history.now().clone();
            let moments = Vec::new();
            self.kept = Some((path, Kept { first, moments }));
            return Ok(());
        }
        let text = std::fs::read_to_string(&path).map_err(|e| Problem::file(&path, &e))?;
        let kept: Kept = serde_json::from_str(&text).map_err(|e| {
            let says = format!("`{}` is not a conversation: {e}", path.display());
            Problem::new("bad-session", says, "name a new file to begin one")
        })?;
        if kept.first.base != self.base.id {
            let says = format!(
                "`{}` is a conversation about `{}`, not `{}`",
                path.display(),
                kept.first.base,
                self.base.id
            );
            let hint = "name its base, or another file";
            return Err(Problem::new("bad-session", says, hint).into());
        }
        self.history = History::new(kept.first.clone());
        for moment in kept.moments.iter().cloned() {
            self.history.recall(moment);
        }
        self.kept = Some((path, kept));
        self.say("talk-resumed")?;
        if !self.history.now().fits(&self.base) {
            self.say("talk-replayed")?;
            if let Ok(moment) = self.history.hear(&self.base, Said::Replay) {
                self.keep(moment)?;
            }
        }
        Ok(())
    }

    /// Takes in what was said, and writes it down where the conversation is kept.
    fn keep(&mut self, moment: Moment) -> Result<()> {
        if let Some((path, kept)) = &mut self.kept {
            kept.moments.push(moment.clone());
            write_whole(path, serde_json::to_string(kept)?.as_bytes())?;
        }
        self.history.recall(moment);
        Ok(())
    }

    pub(super) fn go(mut self, report: Option<&Path>) -> Result<Answer> {
        let mut keyboard = std::io::stdin().lock();
        self.say("talk-help")?;
        loop {
            let turn = self.history.now().turn(&self.base).map_err(|e| {
                let hint = "type `wits expert check` to see what is wrong with the base";
                Problem::new("dialogue", e.to_string(), hint)
            })?;
            self.show(&turn)?;
            if matches!(turn, Turn::Solved(_)) || matches!(&turn, Turn::Nothing(o) if o.is_empty())
            {
                break;
            }
            self.out.prompt("> ")?;
            let Some(line) = input::line(&mut keyboard)? else {
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
        let session = self.history.now();
        let text = session.report(&self.base);
        if let Some(path) = report {
            write_whole(path, text.as_bytes())?;
        }
        if self.out.json {
            let value = json!({ "session": session, "report": text });
            self.out.tell(&value, String::new)?;
        }
        Ok(Answer::Yes)
    }

    fn say(&self, key: &'static str) -> Result<()> {
        self.out.say(WORDS.say(key).to_string())
    }

    fn tell<'m>(&self, sentences: impl IntoIterator<Item = (usize, &'m Message)>) -> Result<()> {
        for (depth, says) in sentences {
            self.out.say(format!("  {}{says}", "  ".repeat(depth)))?;
        }
        Ok(())
    }

    fn show(&self, turn: &Turn) -> Result<()> {
        match turn {
            Turn::Category(_) | Turn::Problem(_) | Turn::Nothing(_) => {
                if let Turn::Nothing(others) = turn {
                    let left = !others.is_empty();
                    self.say(if left {
                        "talk-nothing"
                    } else {
                        "talk-nothing-left"
                    })?;
                }
                for (n, entry) in menu(turn).iter().enumerate() {
                    self.out.say(format!("{:>3}. {}", n + 1, entry.label))?;
                }
                Ok(())
            }
            Turn::Question {
                text,
                kind,
                unknown,
                ..
            } => {
                self.out.say(text)?;
                self.options(kind, *unknown)
            }
            Turn::Advice { advice, .. } => {
                self.say("talk-try")?;
                for step in &advice.steps {
                    self.out.say(format!("  - {step}"))?;
                }
                self.say("talk-helped")
            }
            Turn::Solved(_) => self.say("talk-solved"),
        }
    }

    /// Does what was typed; what does not fit is said, and nothing is lost.
    fn hear(&mut self, turn: &Turn, line: &str) -> Result<()> {
        if self.explain(turn, line)? {
            return Ok(());
        }
        let said = match self.meaning(turn, line) {
            Ok(said) => said,
            Err(says) => {
                self.out.say(says.to_string())?;
                return match turn {
                    Turn::Question { kind, unknown, .. } => self.hint(kind, *unknown),
                    _ => Ok(()),
                };
            }
        };
        match self.history.hear(&self.base, said) {
            Ok(moment) => self.keep(moment)?,
            Err(misfit) => self.misfit(&misfit)?,
        }
        Ok(())
    }

    /// The choices of a question with their numbers, and how to answer what is not yes or no.
    fn options(&self, kind: &Kind, unknown: bool) -> Result<()> {
        if let Kind::Choice(options) = kind {
            for (n, option) in options.iter().enumerate() {
                self.out.say(format!("{:>3}. {}", n + 1, option.label))?;
            }
        }
        if *kind == Kind::YesNo {
            return Ok(());
        }
        self.hint(kind, unknown)
    }

    /// How a question can be answered.
    fn hint(&self, kind: &Kind, unknown: bool) -> Result<()> {
        let or = if unknown {
            WORDS.say("talk-or-unknown").to_string()
        } else {
            String::new()
        };
        let says = match kind {
            Kind::YesNo => WORDS.say("talk-not-reply"),
            Kind::Choice(_) => WORDS.say("talk-choose"),
            Kind::Number(None) => WORDS.say("talk-number"),
            Kind::Number(Some((low, high))) => {
                let says = WORDS.say("talk-number-range");
                says.with("low", *low).with("high", *high)
            }
        };
        self.out.say(says.with("unknown", or).to_string())
    }

    /// The answer that was typed: the number of a choice, or what the base can read.
    fn typed(&self, question: &str, line: &str) -> Result<Reply, Misfit> {
        if let Kind::Choice(options) = self.base.kind(question)
            && let Some(option) = line.parse().ok().and_then(|n: usize| {
                let at = n.checked_sub(1)?;
                options.get(at)
            })
        {
            return Ok(Reply::Choice(option.id.clone()));
        }
        self.base.read_reply(question, line)
    }

    fn misfit(&self, misfit: &Misfit) -> Result<()> {
        self.out.say(misfit.to_string())
    }

    /// Tells what was asked about the conversation itself; `false` if it was something else.
    fn explain(&self, turn: &Turn, line: &str) -> Result<bool> {
        let (base, session) = (&self.base, self.history.now());
        match (turn, line) {
            (Turn::Question { .. }, "why") => {
                let why = explain::why(base, session, turn);
                self.tell(why.iter().map(|says| (0, says)))?;
            }
            (Turn::Advice { proof, .. }, "how" | "why") => {
                let how = explain::how(base, proof);
                self.tell(how.iter().map(|(depth, says)| (*depth, says)))?;
                let order = explain::order(base, session, turn);
                self.tell(order.iter().map(|says| (0, says)))?;
                let checked = explain::checked(base, session, turn);
                self.tell(checked.iter().map(|says| (0, says)))?;
            }
            (
                Turn::Question {
                    problem: Some(p), ..
                },
                "how",
            ) => {
                let how = explain::standing(base, session, p);
                if how.is_empty() {
                    self.say("talk-no-how")?;
                }
                self.tell(how.iter().map(|says| (0, says)))?;
            }
            (_, "how") => self.say("talk-no-how")?,
            (
                Turn::Category(_) | Turn::Problem(_) | Turn::Question { problem: None, .. },
                "why not",
            ) => {
                self.say("talk-why-not-problems")?;
                for (problem, why) in explain::rivals(base, session) {
                    self.out.say(format!("  {problem}"))?;
                    self.tell(why.iter().map(|says| (1, says)))?;
                }
            }
            (_, "why not") => {
                let others = explain::others(base, session, turn);
                if others.is_empty() {
                    self.say("talk-no-others")?;
                }
                for (advice, why) in &others {
                    self.out.say(format!("  {}", advice.steps.join(" ")))?;
                    self.tell(why.iter().map(|says| (1, says)))?;
                }
            }
            (_, "answers") => {
                if session.answers.is_empty() {
                    self.say("talk-no-answers")?;
                }
                for (n, (q, reply)) in session.answers.iter().enumerate() {
                    let text = base.question(q).text;
                    let told = base.told(q, reply);
                    self.out.say(format!("{:>3}. {text} {told}", n + 1))?;
                }
            }
            (_, "report") => self.out.say(session.report(base))?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// What was said, or a sentence that tells what can be.
    fn meaning(&self, turn: &Turn, line: &str) -> Result<Said, Message> {
        if line == "undo" {
            return Ok(Said::Undo);
        }
        if let Some(rest) = line.strip_prefix("change ") {
            let answers = &self.history.now().answers;
            let (number, word) = rest.trim().split_once(' ').unwrap_or((rest, ""));
            let at = number.parse().ok().and_then(|n: usize| n.checked_sub(1));
            let found = at.and_then(|n| answers.get(n)).filter(|_| !word.is_empty());
            let (question, _) = found.ok_or_else(|| WORDS.say("talk-not-change"))?;
            let reply = self.typed(question, word.trim()).map_err(|m| m.says())?;
            return Ok(Said::Change(question.clone(), reply));
        }
        match turn {
            Turn::Category(_) | Turn::Problem(_) | Turn::Nothing(_) => {
                let entries = menu(turn);
                let number = line.parse().ok().and_then(|n: usize| n.checked_sub(1));
                let lower = line.to_lowercase();
                let named = |e: &&Entry| e.id == line || e.label.to_lowercase() == lower;
                let by_name = || entries.iter().find(named);
                let entry = number.and_then(|n| entries.get(n)).or_else(by_name);
                entry.map(|e| Said::Choose(e.id.clone())).ok_or_else(|| {
                    let said: String = line.chars().take(60).collect();
                    let says = WORDS.say("talk-not-in-menu").with("said", said);
                    says.with("most", entries.len())
                })
            }
            Turn::Question { id, .. } => {
                let reply = self.typed(id, line).map_err(|m| m.says())?;
                Ok(Said::Reply(id.clone(), reply))
            }
            Turn::Advice { .. } => match Reply::read(line) {
                Some(Reply::Yes) => Ok(Said::Judge(true)),
                Some(Reply::No) => Ok(Said::Judge(false)),
                _ => Err(WORDS.say("talk-not-judge")),
            },
            Turn::Solved(_) => Err(WORDS.say("talk-solved")),
        }
    }
}

/// The entries to choose from; the way from symptoms comes last.
fn menu(turn: &Turn) -> Vec<Entry> {
    match turn {
        Turn::Category(entries) => {
            let symptoms = Entry {
                id: "symptoms".to_owned(),
                label: WORDS.say("symptoms").to_string(),
            };
            entries.iter().cloned().chain([symptoms]).collect()
        }
        Turn::Problem(entries) => entries.clone(),
        Turn::Nothing(others) => others.iter().map(|(e, _)| e.clone()).collect(),
        _ => Vec::new(),
    }
}
