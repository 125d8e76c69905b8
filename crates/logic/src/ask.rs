//! Questions to the person: the machine stops and says what it wants to know.

use serde::{Deserialize, Serialize};

use crate::cell::*;
use crate::machine::{Leave, Machine};
use crate::program::Program;
use crate::run::{Flow, Res};
use crate::stored::Stored;
use crate::writer::{Style, show};

/// What kind of answer is wanted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wanted {
    /// Yes, no or don't know.
    YesNo,
    /// One of these, as terms.
    Choice(Vec<String>),
    /// A number.
    Number,
    /// A line of text for standard input; the question's term is the prompt.
    Line,
    /// A term with its full stop for standard input, on one line or more.
    Term,
}

/// A question the machine waits for an answer to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The question's term, as `writeq` writes it: its identity.
    pub term: String,
    /// What kind of answer is wanted.
    pub wanted: Wanted,
    pub(crate) key: Stored,
    pub(crate) options: Vec<Stored>,
}

/// An answer of the person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Yes.
    Yes,
    /// No.
    No,
    /// Don't know.
    Unknown,
    /// One of the options, counted from 0.
    Option(usize),
    /// A number.
    Number(f64),
    /// A line of text, without its end.
    Line(String),
    /// No more text comes.
    End,
}

/// An answer that does not fit the question.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotAnAnswer {
    /// Nothing was asked.
    #[error("nothing was asked")]
    NothingAsked,
    /// Yes, no or don't know was wanted.
    #[error("answer yes, no or don't know")]
    YesNo,
    /// There is no such option.
    #[error("choose a number from 1 to {0}")]
    Option(usize),
    /// A number was wanted.
    #[error("answer with a number")]
    Number,
    /// A line of text was wanted.
    #[error("answer with a line of text")]
    Line,
}

impl Machine {
    /// The question the machine waits for, if it does.
    pub fn question(&self) -> Option<&Question> {
        self.asked.as_ref()
    }

    /// Answers the open question; the run goes on with the next call to [`Machine::solve`].
    /// A wrong answer changes nothing.
    pub fn answer(&mut self, answer: Answer) -> Result<(), NotAnAnswer> {
        let Some(q) = &self.asked else {
            return Err(NotAnAnswer::NothingAsked);
        };
        match (&q.wanted, &answer) {
            (Wanted::YesNo, Answer::Yes | Answer::No | Answer::Unknown)
            | (Wanted::Number, Answer::Unknown) => {}
            (Wanted::YesNo, _) => return Err(NotAnAnswer::YesNo),
            (Wanted::Choice(options), Answer::Option(n)) if *n < options.len() => {}
            (Wanted::Choice(options), Answer::Unknown) if !options.is_empty() => {}
            (Wanted::Choice(options), _) => return Err(NotAnAnswer::Option(options.len())),
            (Wanted::Number, Answer::Number(x)) if x.is_finite() => {}
            (Wanted::Number, _) => return Err(NotAnAnswer::Number),
            (Wanted::Line | Wanted::Term, Answer::Line(_) | Answer::End) => {
                self.take_line(&answer);
            }
            (Wanted::Line | Wanted::Term, _) => return Err(NotAnAnswer::Line),
        }
        if let Some(q) = self.asked.take() {
            self.answers.push((q.key, answer));
        }
        Ok(())
    }

    /// Answers given so far: question term and answer, in the order they were given.
    pub fn answers(&self) -> Vec<(String, Answer)> {
        let mut store = crate::store::Store::default();
        self.answers
            .iter()
            .map(|(key, a)| {
                let c = store.load(&key.0);
                (
                    show(&store, &self.atoms, &self.ops, &Style::quoted(), c),
                    a.clone(),
                )
            })
            .collect()
    }

    /// Tells the machine an answer before it is asked. A line of text is read in its turn.
    ///
    /// # Errors
    /// When `term` is not a term.
    pub fn foretell(&mut self, term: &str, answer: Answer) -> Result<(), crate::Trouble> {
        self.take_line(&answer);
        let (c, _) = self.read_term(term)?;
        let limit = self.room();
        if let Ok(key) = self.store.save(c, limit) {
            self.answers.retain(|(k, _)| *k != key);
            self.answers.push((key, answer));
        }
        Ok(())
    }

    /// Forgets all answers.
    pub fn forget_answers(&mut self) {
        self.answers.clear();
        self.asked = None;
        self.forget_input();
    }

    /// An answer in a word, as programs see it.
    fn answer_word(&self, answer: &Answer, options: &[Cell]) -> String {
        let style = Style::quoted();
        match answer {
            Answer::Yes => "yes".to_owned(),
            Answer::No => "no".to_owned(),
            Answer::Option(n) => match options.get(*n) {
                Some(&option) => show(&self.store, &self.atoms, &self.ops, &style, option),
                None => "unknown".to_owned(),
            },
            Answer::Number(x) => x.to_string(),
            Answer::Line(text) => text.clone(),
            Answer::Unknown | Answer::End => "unknown".to_owned(),
        }
    }

    /// The stored answer to a question, or the stop that asks it.
    pub(crate) fn consult_person(
        &mut self,
        term: Cell,
        wanted: Wanted,
        options: &[Cell],
    ) -> Result<Result<Answer, Leave>, crate::run::Thrown> {
        let limit = self.room();
        let key = match self.store.save(term, limit) {
            Ok(k) => k,
            Err(e) => return Err(self.too_big(e)),
        };
        let said = self.answers.iter().find(|(k, _)| *k == key);
        if let Some(a) = said.map(|(_, a)| a.clone()) {
            if self.watching.is_some() {
                let text = show(&self.store, &self.atoms, &self.ops, &Style::quoted(), term);
                let said = self.answer_word(&a, options);
                self.watch_ask(&text, Some(&said));
            }
            return Ok(Ok(a));
        }
        let mut kept = Vec::new();
        for &o in options {
            match self.store.save(o, limit) {
                Ok(k) => kept.push(k),
                Err(e) => return Err(self.too_big(e)),
            }
        }
        let text = show(&self.store, &self.atoms, &self.ops, &Style::quoted(), term);
        self.watch_ask(&text, None);
        let q = Question {
            term: text,
            wanted,
            key,
            options: kept,
        };
        self.asked = Some(q.clone());
        Ok(Err(Leave::Asked(q)))
    }
}

/// `ask(Q)`: true if the answer is yes.
pub(crate) fn ask1(m: &mut Machine, _: &Program) -> Res {
    let q = m.regs[0];
    match m.consult_person(q, Wanted::YesNo, &[])? {
        Ok(a) => Ok((a == Answer::Yes).into()),
        Err(leave) => Ok(Flow::Again(leave)),
    }
}

/// `ask(Q, A)`: A is `yes`, `no` or `unknown`.
pub(crate) fn ask2(m: &mut Machine, _: &Program) -> Res {
    let q = m.regs[0];
    match m.consult_person(q, Wanted::YesNo, &[])? {
        Ok(a) => {
            let word = match a {
                Answer::Yes => "yes",
                Answer::No => "no",
                _ => "unknown",
            };
            let w = m.atom(word);
            Ok(m.store.unify(m.regs[1], w).into())
        }
        Err(leave) => Ok(Flow::Again(leave)),
    }
}

/// `choose(Q, Options, X)`: X is the option picked, or `unknown`.
pub(crate) fn choose3(m: &mut Machine, _: &Program) -> Res {
    let (q, list) = (m.regs[0], m.regs[1]);
    let Some(items) = m.store.items(list) else {
        return Err(m.type_error("list", list));
    };
    if items.is_empty() {
        return Ok(Flow::No);
    }
    let texts = items
        .iter()
        .map(|&c| show(&m.store, &m.atoms, &m.ops, &Style::quoted(), c))
        .collect();
    match m.consult_person(q, Wanted::Choice(texts), &items)? {
        Ok(Answer::Option(n)) if n < items.len() => Ok(m.store.unify(m.regs[2], items[n]).into()),
        Ok(_) => {
            let w = m.atom("unknown");
            Ok(m.store.unify(m.regs[2], w).into())
        }
        Err(leave) => Ok(Flow::Again(leave)),
    }
}

/// `number(Q, N)`: N is the number told, or `unknown`.
pub(crate) fn number2(m: &mut Machine, _: &Program) -> Res {
    let q = m.regs[0];
    match m.consult_person(q, Wanted::Number, &[])? {
        Ok(Answer::Number(x)) => {
            let whole = x.fract() == 0.0 && x.abs() < 9e15;
            let c = if whole {
                m.store.int(x as i64)
            } else {
                m.store.float(x)
            };
            Ok(m.store.unify(m.regs[1], c).into())
        }
        Ok(_) => {
            let w = atom(crate::atoms::known::UNKNOWN);
            Ok(m.store.unify(m.regs[1], w).into())
        }
        Err(leave) => Ok(Flow::Again(leave)),
    }
}
