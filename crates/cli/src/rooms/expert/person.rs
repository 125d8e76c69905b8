//! The person at the terminal, or behind a pipe, who is asked what a program wants to know.

use std::io::{IsTerminal, Write};

use anyhow::Result;
use wits_expert::{Base, Figure, Reply, WORDS};
use wits_logic::{Answer, Question, Wanted};

use crate::input;

/// A question as a person reads it: its wording, the choices, and how to answer.
pub(super) fn wording(base: Option<&Base>, question: &Question) -> String {
    if let Wanted::Line | Wanted::Term = question.wanted {
        return WORDS.say("person-line").to_string();
    }
    let text = base.map_or_else(
        || format!("{}?", question.term),
        |b| b.question(&question.term).text,
    );
    let mut lines = vec![text];
    let how = match &question.wanted {
        Wanted::YesNo => WORDS.say("person-yes-no"),
        Wanted::Choice(options) => {
            for (n, option) in options.iter().enumerate() {
                let reply = Reply::Choice(option.clone());
                let label = base.map_or_else(
                    || option.clone(),
                    |b| b.told(&question.term, &reply).to_string(),
                );
                lines.push(format!("{:>3}. {label}", n + 1));
            }
            WORDS.say("person-choice").with("most", options.len())
        }
        Wanted::Number => match base.and_then(|b| b.question(&question.term).range) {
            Some((low, high)) => WORDS
                .say("person-range")
                .with("low", low)
                .with("high", high),
            None => WORDS.say("person-number"),
        },
        Wanted::Line | Wanted::Term => WORDS.say("person-line"),
    };
    lines.push(how.to_string());
    lines.join("\n")
}

/// What was typed to a question, or what is wrong with it.
pub(super) fn read(base: Option<&Base>, question: &Question, line: &str) -> Result<Answer, String> {
    let said = line.trim();
    if let Wanted::Line | Wanted::Term = question.wanted {
        return Ok(Answer::Line(line.trim_end_matches(['\r', '\n']).to_owned()));
    }
    let word = Reply::read(said);
    let option = |options: &[String]| {
        let by_number = said.parse().ok().and_then(|n: usize| n.checked_sub(1));
        let by_number = by_number.filter(|n| *n < options.len());
        let label = |o: &String| {
            let reply = Reply::Choice(o.clone());
            base.map(|b| b.told(&question.term, &reply).to_string().to_lowercase())
        };
        let lower = said.to_lowercase();
        let same = |o: &String| o == said || label(o).is_some_and(|l| l == lower);
        by_number.or_else(|| options.iter().position(same))
    };
    let found = match (&question.wanted, &word) {
        (Wanted::YesNo, Some(Reply::Yes)) => Some(Answer::Yes),
        (Wanted::YesNo, Some(Reply::No)) => Some(Answer::No),
        (Wanted::Choice(options), _) => option(options).map(Answer::Option),
        (Wanted::Number, _) => Figure::read(said).map(|n| Answer::Number(n.value())),
        (Wanted::YesNo | Wanted::Line | Wanted::Term, _) => None,
    };
    let found = found.or_else(|| (word == Some(Reply::Unknown)).then_some(Answer::Unknown));
    let wrong = |says: wits_game::Message| {
        says.with("said", said.chars().take(60).collect::<String>())
            .to_string()
    };
    let Some(found) = found else {
        return Err(wrong(match &question.wanted {
            Wanted::YesNo => WORDS.say("not-a-reply"),
            Wanted::Choice(options) => WORDS
                .say("not-an-option")
                .with("choices", options.join(", ")),
            Wanted::Number | Wanted::Line | Wanted::Term => WORDS.say("not-a-number"),
        }));
    };
    if let (Answer::Number(x), Some((low, high))) =
        (&found, base.and_then(|b| b.question(&question.term).range))
        && !(low..=high).contains(x)
    {
        return Err(wrong(
            WORDS
                .say("not-in-range")
                .with("low", low)
                .with("high", high),
        ));
    }
    Ok(found)
}

/// A line of standard input for a program that reads it, or its end. Somebody at a terminal sees
/// what the program wrote so far, and its prompt.
fn feed(question: &Question, written: &str) -> Result<Answer> {
    if std::io::stdin().is_terminal() {
        let mut stderr = std::io::stderr();
        write!(stderr, "{written}{}", question.term)?;
        stderr.flush()?;
    }
    let line = input::line(&mut std::io::stdin().lock())?;
    Ok(line.map_or(Answer::End, |l| {
        Answer::Line(l.trim_end_matches(['\r', '\n']).to_owned())
    }))
}

/// Asks on standard error, so that standard output holds the result alone, and reads a line;
/// nothing when there is nobody to answer.
pub(super) fn ask(
    base: Option<&Base>,
    question: &Question,
    written: &str,
) -> Result<Option<Answer>> {
    if let Wanted::Line | Wanted::Term = question.wanted {
        return feed(question, written).map(Some);
    }
    let mut stderr = std::io::stderr();
    let mut stdin = std::io::stdin().lock();
    writeln!(stderr, "{}", wording(base, question))?;
    loop {
        write!(stderr, "> ")?;
        stderr.flush()?;
        let Some(line) = input::line(&mut stdin)? else {
            writeln!(stderr)?;
            return Ok(None);
        };
        if !std::io::stdin().is_terminal() {
            writeln!(stderr, "{}", line.trim())?;
        }
        match read(base, question, &line) {
            Ok(answer) => return Ok(Some(answer)),
            Err(wrong) => writeln!(stderr, "{wrong}")?,
        }
    }
}
