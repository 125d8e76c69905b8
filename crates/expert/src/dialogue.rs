//! A conversation with a user: choose, answer, take back, be advised.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use wits_game::Message;
use wits_logic::{Event, Machine, Outcome, Proof, Trouble};

use crate::answers::{Entry, Kind, Reply};
use crate::base::{Base, RUN};
use crate::choice::{candidates, is_sign, next_question, next_sign};
use crate::paths::Advice;
use crate::repairs::{MOST_REMEDIES, Remedy};
use crate::words::WORDS;

/// How the problem is found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// The user has not said yet.
    Open,
    /// By category and problem.
    Menu(String),
    /// From symptoms.
    Symptoms,
}

/// A conversation. It holds only what the user said, so it can be stored as it is, and everything
/// shown is worked out from it: changing an earlier answer is changing one entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// The base's identifier.
    pub base: String,
    /// The fingerprint of the base's text when the session began.
    pub mark: String,
    /// How the problem is found.
    pub start: Start,
    /// The problem chosen.
    pub problem: Option<String>,
    /// Answers in the order they were given.
    pub answers: Vec<(String, Reply)>,
    /// Names of advice that did not help.
    pub declined: Vec<String>,
    /// Problems that were tried without success.
    pub tried: Vec<String>,
    /// The name of the advice that helped.
    pub helped: Option<String>,
}

/// What the conversation is at.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Turn {
    /// The user picks a category (or starts from symptoms).
    Category(Vec<Entry>),
    /// The user picks a problem.
    Problem(Vec<Entry>),
    /// A question.
    Question {
        /// Its identifier.
        id: String,
        /// Its wording.
        text: String,
        /// Expected bits.
        bits: f64,
        /// The problem it is about; nothing while the problem is still looked for.
        problem: Option<String>,
        /// What kind of answer it wants.
        kind: Kind,
        /// Whether "don't know" is one.
        unknown: bool,
    },
    /// Advice; then "did it help?".
    Advice {
        /// The problem it is for.
        problem: String,
        /// What to do.
        advice: Advice,
        /// Its proof.
        proof: Proof,
    },
    /// The user said that it helped.
    Solved(String),
    /// Nothing (else) fits; other candidates with their probability.
    Nothing(Vec<(Entry, f64)>),
}

/// What the engine did to come to where a conversation stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Steps {
    /// The problem that is looked at.
    pub problem: String,
    /// The goal.
    pub goal: String,
    /// The events.
    pub events: Vec<Event>,
    /// How many events were left out.
    pub dropped: u64,
}

/// Something the user said that does not fit. It changed nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum Misfit {
    /// No such entry in the menu; these are there.
    NotInMenu(String, Vec<String>),
    /// That question was never answered.
    NotAnswered(String),
    /// Nothing was advised.
    NoAdvice,
    /// Not a question now.
    NoQuestion,
    /// Another question is open: the one that was answered, and the wording of the one that is.
    OtherQuestion(String, String),
    /// Neither yes nor no nor don't know.
    NotYesNo(String),
    /// Not among the choices; these are there.
    NotAnOption(String, Vec<String>),
    /// Not a number, or not one between these.
    NotANumber(String, Option<[f64; 2]>),
    /// The rules cannot do without an answer to this question.
    MustKnow(String),
    /// Nothing was said yet.
    NothingToUndo,
    /// The base has changed since the session began.
    BaseChanged,
    /// The rules went wrong.
    Rules(Trouble),
}

impl Misfit {
    /// What does not fit, and what does.
    pub fn says(&self) -> Message {
        match self {
            Misfit::NotInMenu(_, choices) if choices.is_empty() => WORDS.say("nothing-to-choose"),
            Misfit::NotInMenu(said, choices) => {
                let says = WORDS.say("not-in-menu").with("said", said);
                says.with("choices", choices.join(", "))
            }
            Misfit::NotAnswered(q) => WORDS.say("not-answered").with("question", q),
            Misfit::NoAdvice => WORDS.say("no-advice-yet"),
            Misfit::NoQuestion => WORDS.say("no-question"),
            Misfit::OtherQuestion(q, now) => {
                let says = WORDS.say("other-question").with("question", q);
                says.with("now", now)
            }
            Misfit::NotYesNo(said) => WORDS.say("not-a-reply").with("said", said),
            Misfit::NotAnOption(said, choices) => {
                let says = WORDS.say("not-an-option").with("said", said);
                says.with("choices", choices.join(", "))
            }
            Misfit::NotANumber(said, None) => WORDS.say("not-a-number").with("said", said),
            Misfit::NotANumber(said, Some([low, high])) => {
                let says = WORDS.say("not-in-range").with("said", said);
                says.with("low", *low).with("high", *high)
            }
            Misfit::MustKnow(q) => WORDS.say("must-know").with("question", q),
            Misfit::NothingToUndo => WORDS.say("nothing-to-undo"),
            Misfit::BaseChanged => WORDS.say("base-changed"),
            Misfit::Rules(t) => WORDS.say("wrong").with("what", t.to_string()),
        }
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.says().fmt(f)
    }
}

impl std::error::Error for Misfit {}

impl Session {
    /// A new conversation about a base.
    pub fn new(base: &Base) -> Session {
        Session {
            base: base.id.clone(),
            mark: base.mark.clone(),
            start: Start::Open,
            problem: None,
            answers: Vec::new(),
            declined: Vec::new(),
            tried: Vec::new(),
            helped: None,
        }
    }

    /// Whether the session belongs to the base as it is now.
    pub fn fits(&self, base: &Base) -> bool {
        self.base == base.id && self.mark == base.mark
    }

    /// The same conversation on a changed base, with what still makes sense there.
    pub fn replay(&self, base: &Base) -> Session {
        let mut s = self.clone();
        s.base.clone_from(&base.id);
        s.mark.clone_from(&base.mark);
        s.answers.retain(|(q, reply)| {
            base.questions.iter().any(|d| d.id == *q) && base.fits(q, reply).is_ok()
        });
        if s.problem
            .as_ref()
            .is_some_and(|p| base.problem(p).is_none())
        {
            s.problem = None;
        }
        if let Start::Menu(c) = &s.start
            && !base.categories.iter().any(|(id, _)| id == c)
        {
            s.start = Start::Open;
        }
        s.tried.retain(|p| base.problem(p).is_some());
        s
    }

    /// What was answered to each question.
    pub fn known(&self) -> BTreeMap<String, Reply> {
        self.answers.iter().cloned().collect()
    }

    /// The answers that are yes or no, and the questions answered with neither.
    pub(crate) fn signs(&self) -> (BTreeMap<String, bool>, Vec<String>) {
        let known = (self.answers.iter()).filter(|a| matches!(a.1, Reply::Yes | Reply::No));
        let unsure = self.answers.iter().filter(|a| a.1 == Reply::Unknown);
        (
            known.map(|(q, r)| (q.clone(), *r == Reply::Yes)).collect(),
            unsure.map(|(q, _)| q.clone()).collect(),
        )
    }

    /// What comes next.
    pub fn turn(&self, base: &Base) -> Result<Turn, Misfit> {
        if !self.fits(base) {
            return Err(Misfit::BaseChanged);
        }
        if let Some(name) = &self.helped {
            return Ok(Turn::Solved(name.clone()));
        }
        if let Some(p) = &self.problem {
            return self.about(base, p);
        }
        match &self.start {
            Start::Open => Ok(Turn::Category(
                base.categories.iter().map(|(id, l)| entry(id, l)).collect(),
            )),
            Start::Menu(c) => Ok(Turn::Problem(
                base.problems
                    .iter()
                    .filter(|p| p.category == *c)
                    .map(|p| entry(&p.id, &p.label))
                    .collect(),
            )),
            Start::Symptoms => {
                let (known, unsure) = self.signs();
                let ranked = candidates(base, &known, &self.tried);
                let sure = ranked.first().is_some_and(|c| c.1 > 0.9);
                if !sure && let Some((q, bits)) = next_sign(base, &known, &unsure, &self.tried) {
                    return Ok(question(base, &q, bits, None));
                }
                match ranked.first() {
                    Some((p, chance)) if *chance > 0.9 => self.about(base, p),
                    Some(_) => Ok(Turn::Problem(
                        ranked
                            .iter()
                            .take_while(|c| c.1 > ranked[0].1 * 0.2)
                            .filter_map(|(id, _)| base.problem(id).map(|p| entry(id, &p.label)))
                            .collect(),
                    )),
                    None => Ok(self.nothing(base)),
                }
            }
        }
    }

    /// The conversation about one problem: advice if the rules reach some, else the best question.
    fn about(&self, base: &Base, problem: &str) -> Result<Turn, Misfit> {
        let mut m = self.machine(base, problem).map_err(Misfit::Rules)?;
        loop {
            match m.solve() {
                Outcome::Solution(_) => {
                    // Without costs the first rule decides.
                    let most = if base.weighs_repairs() {
                        MOST_REMEDIES
                    } else {
                        1
                    };
                    // A question ends the list, and is asked only if the list is empty.
                    let mut ahead = m.clone();
                    let mut fits = base.remedies(&mut ahead, &self.declined, most);
                    if fits.is_empty() {
                        continue;
                    }
                    let first = base.cheapest(fits.iter().map(|f| &f.advice));
                    let Remedy { advice, proof } = fits.swap_remove(first);
                    return Ok(Turn::Advice {
                        problem: problem.to_owned(),
                        advice,
                        proof: proof.unwrap_or_default(),
                    });
                }
                Outcome::Asked(q) => {
                    let known = self.known();
                    let best = next_question(base, problem, &known);
                    let (id, bits) = best.unwrap_or((q.term, 0.0));
                    return Ok(question(base, &id, bits, Some(problem)));
                }
                Outcome::Error(t) => return Err(Misfit::Rules(t)),
                _ => return Ok(self.nothing(base)),
            }
        }
    }

    /// The machine that looks for advice with everything that was answered.
    pub(crate) fn machine(&self, base: &Base, problem: &str) -> Result<Machine, Trouble> {
        let mut m = base.machine.clone();
        m.refuel(RUN);
        m.forget_answers();
        m.record_proofs(true);
        for (q, r) in &self.answers {
            if let Some(answer) = base.answer(q, r) {
                m.foretell(q, answer)?;
            }
        }
        m.query(&format!("fix({problem}, Advice)"))?;
        Ok(m)
    }

    /// The steps by which the engine came to where the conversation stands: the goal, at most
    /// `most` events, and how many were left out. Nothing while no problem is looked at.
    ///
    /// # Errors
    /// When the rules go wrong.
    pub fn steps(&self, base: &Base, turn: &Turn, most: usize) -> Result<Option<Steps>, Misfit> {
        let problem = match turn {
            Turn::Question {
                problem: Some(p), ..
            }
            | Turn::Advice { problem: p, .. } => p,
            _ => match &self.problem {
                Some(p) => p,
                None => return Ok(None),
            },
        };
        let mut m = self.machine(base, problem).map_err(Misfit::Rules)?;
        m.record_proofs(false);
        m.watch(most);
        while let Outcome::Solution(_) = m.solve() {
            let advice = base.advised(&m);
            if advice.is_none_or(|a| !self.declined.contains(&a.name)) {
                break;
            }
        }
        let (events, dropped) = m.events();
        Ok(Some(Steps {
            problem: problem.clone(),
            goal: format!("fix({problem}, Advice)"),
            events,
            dropped,
        }))
    }

    fn nothing(&self, base: &Base) -> Turn {
        let (known, _) = self.signs();
        let mut tried = self.tried.clone();
        tried.extend(self.problem.clone());
        Turn::Nothing(
            candidates(base, &known, &tried)
                .into_iter()
                .take(5)
                .filter_map(|(id, c)| base.problem(&id).map(|p| (entry(&id, &p.label), c)))
                .collect(),
        )
    }

    /// Picks a category or a problem, or starts from symptoms (`symptoms`).
    pub fn choose(&mut self, base: &Base, id: &str) -> Result<(), Misfit> {
        if id == "symptoms" && self.problem.is_none() {
            self.start = Start::Symptoms;
            return Ok(());
        }
        let turn = self.turn(base)?;
        let menu: Vec<String> = match &turn {
            Turn::Category(list) | Turn::Problem(list) => {
                list.iter().map(|e| e.id.clone()).collect()
            }
            Turn::Nothing(list) => list.iter().map(|e| e.0.id.clone()).collect(),
            _ => Vec::new(),
        };
        if !menu.iter().any(|e| e == id) {
            return Err(Misfit::NotInMenu(id.to_owned(), menu));
        }
        if matches!(turn, Turn::Category(_)) {
            self.start = Start::Menu(id.to_owned());
            return Ok(());
        }
        if matches!(turn, Turn::Nothing(_)) {
            self.tried.extend(self.problem.take());
            self.declined.clear();
        }
        self.problem = Some(id.to_owned());
        Ok(())
    }

    /// Answers the question that is open.
    pub fn reply(&mut self, base: &Base, reply: Reply) -> Result<(), Misfit> {
        match self.turn(base)? {
            Turn::Question { id, .. } => {
                base.fits(&id, &reply)?;
                self.answers.push((id, reply));
                Ok(())
            }
            _ => Err(Misfit::NoQuestion),
        }
    }

    /// Answers a question by name; it must be the one that is open.
    pub fn reply_to(&mut self, base: &Base, question: &str, reply: Reply) -> Result<(), Misfit> {
        match self.turn(base)? {
            Turn::Question { id, text, .. } if id != question => {
                Err(Misfit::OtherQuestion(question.to_owned(), text))
            }
            _ => self.reply(base, reply),
        }
    }

    /// Says whether the advice helped; if not, the next candidate comes.
    pub fn judge(&mut self, base: &Base, helped: bool) -> Result<(), Misfit> {
        match self.turn(base)? {
            Turn::Advice {
                problem, advice, ..
            } => {
                if helped {
                    self.helped = Some(advice.name);
                    return Ok(());
                }
                self.declined.push(advice.name);
                if self.start == Start::Symptoms && matches!(self.turn(base)?, Turn::Nothing(_)) {
                    // From symptoms, the next most likely problem takes over.
                    self.problem = None;
                    self.tried.push(problem);
                    self.declined.clear();
                }
                Ok(())
            }
            _ => Err(Misfit::NoAdvice),
        }
    }

    /// Changes an earlier answer; later ones stay where they still matter.
    pub fn change(&mut self, base: &Base, question: &str, reply: Reply) -> Result<(), Misfit> {
        let Some(a) = self.answers.iter_mut().find(|a| a.0 == question) else {
            return Err(Misfit::NotAnswered(question.to_owned()));
        };
        base.fits(question, &reply)?;
        a.1 = reply;
        self.declined.clear();
        self.helped = None;
        if self.start == Start::Symptoms && is_sign(base, question) {
            // What the problem is follows from the signs.
            self.problem = None;
            self.tried.clear();
        }
        Ok(())
    }

    /// Goes back to the first menu; the answers are kept.
    pub fn reopen(&mut self) {
        self.start = Start::Open;
        self.problem = None;
        self.declined.clear();
        self.helped = None;
    }
}

fn entry(id: &str, label: &str) -> Entry {
    Entry {
        id: id.to_owned(),
        label: label.to_owned(),
    }
}

fn question(base: &Base, id: &str, bits: f64, problem: Option<&str>) -> Turn {
    Turn::Question {
        id: id.to_owned(),
        text: base.question(id).text,
        bits,
        problem: problem.map(str::to_owned),
        kind: base.kind(id),
        unknown: base.may_be_unknown(id),
    }
}
