//! A knowledge base: a Prolog text with agreed declarations.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};
use wits_game::Message;
use wits_logic::{Answer, Fuel, Loaded, Machine, Term, Trouble};

use crate::answers::{Case, Entry, Figure, Kind, Reply};
use crate::busy::Busy;
use crate::dialogue::Misfit;
use crate::paths::{Path, Walk};
use crate::repairs::Repair;
use crate::words::WORDS;

/// The format of base files this crate reads.
pub const FORMAT: i64 = 1;

/// A part of the device: a node of the semantic network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Identifier.
    pub id: String,
    /// What people call it.
    pub label: String,
    /// What kinds of part it is.
    pub tags: Vec<String>,
    /// The part it sits in.
    pub parent: Option<String>,
}

/// A problem a user can have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Problem {
    /// Identifier: a term, as `writeq` writes it.
    pub id: String,
    /// The sentence in menus.
    pub label: String,
    /// Identifier of its category.
    pub category: String,
    /// How often it happens, compared with others.
    pub weight: f64,
    /// Questions that are answered yes when this is the problem.
    pub signs: Vec<String>,
}

/// A question that can be asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inquiry {
    /// Identifier: a term, as `writeq` writes it.
    pub id: String,
    /// The wording.
    pub text: String,
    /// What it costs the user to find out; a glance is 1.
    pub cost: f64,
    /// How often the answer is yes.
    pub rate: f64,
    /// How often each option is chosen, compared with the others.
    pub cases: Vec<(String, f64)>,
    /// Between what the number lies.
    pub range: Option<(f64, f64)>,
}

/// How a question is asked by the rules.
#[derive(Clone, Debug)]
pub(crate) struct Asks {
    pub(crate) kind: Kind,
    /// Whether the rules can do without an answer.
    pub(crate) unknown: bool,
    /// Whether it offers other options in other places.
    pub(crate) varies: bool,
}

/// A conversation that must come out as recorded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Its name.
    pub name: String,
    /// The problem chosen.
    pub problem: String,
    /// Questions with their answers: `yes`, `no`, `unknown`, an option or a number.
    pub answers: Vec<(String, String)>,
    /// Name of the advice it must reach.
    pub advice: String,
}

/// A knowledge base, ready to be asked.
#[derive(Clone, Debug)]
pub struct Base {
    /// Identifier.
    pub id: String,
    /// Title.
    pub title: String,
    /// Parts, in the order of the file.
    pub parts: Vec<Part>,
    /// Categories: identifier and label.
    pub categories: Vec<(String, String)>,
    /// Problems, generated ones included.
    pub problems: Vec<Problem>,
    /// Questions.
    pub questions: Vec<Inquiry>,
    /// Sample conversations.
    pub samples: Vec<Sample>,
    /// What loading reported.
    pub loaded: Loaded,
    /// Changes with the text: a saved session names it.
    pub mark: String,
    /// The machine with the program loaded.
    pub machine: Machine,
    pub(crate) paths: BTreeMap<String, Vec<Path>>,
    /// The questions that the rules ask, and how.
    pub(crate) asks: BTreeMap<String, Asks>,
    /// Numbers that rules compare with, in order.
    pub(crate) limits: Vec<f64>,
    /// What following advice costs and how often it helps, by patterns of names.
    pub(crate) repairs: Vec<(Term, Repair)>,
    /// What options are called: question, option, label.
    labels: BTreeMap<(String, String), String>,
}

/// A base that cannot be used.
#[derive(Clone, Debug, PartialEq)]
pub enum BaseError {
    /// The text is not a correct program.
    Program(Trouble),
    /// `base/3` is missing.
    NoHeader,
    /// Written for another format.
    OtherFormat(String),
    /// A declaration has the wrong shape.
    Shape(String),
    /// More problems than this.
    ManyProblems(usize),
    /// A problem with more answer paths than this.
    ManyPaths(String, usize),
    /// A problem that asks more questions than this in one conversation.
    ManyQuestions(String, usize),
    /// The rules of a problem do not end, or cost too much; where they were busy.
    Endless(String, Option<Busy>),
}

impl BaseError {
    /// What is wrong, and what to do.
    pub fn says(&self) -> Message {
        let about = |key, problem: &String| WORDS.say(key).with("problem", problem);
        match self {
            BaseError::Program(t) => WORDS.say("wrong").with("what", t.to_string()),
            BaseError::NoHeader => WORDS.say("base-header").with("format", FORMAT),
            BaseError::OtherFormat(found) => {
                let says = WORDS.say("base-format").with("found", found);
                says.with("format", FORMAT)
            }
            BaseError::Shape(what) => WORDS.say("base-shape").with("what", what),
            BaseError::ManyProblems(most) => WORDS.say("base-problems").with("most", *most),
            BaseError::ManyPaths(p, most) => about("base-paths", p).with("most", *most),
            BaseError::ManyQuestions(p, most) => about("base-questions", p).with("most", *most),
            BaseError::Endless(p, None) => about("base-fuel", p),
            BaseError::Endless(p, Some(busy)) => about("base-endless", p).with("rule", &busy.name),
        }
    }
}

impl fmt::Display for BaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.says().fmt(f)
    }
}

impl std::error::Error for BaseError {}

/// What the program looks for in a base: name and arity.
pub(crate) const DECLARATIONS: [(&str, usize); 14] = [
    ("base", 3),
    ("part", 4),
    ("category", 2),
    ("problem", 3),
    ("weight", 2),
    ("question", 4),
    ("answer", 3),
    ("sign", 2),
    ("fix", 2),
    ("repair", 3),
    ("wording", 3),
    ("contradicts", 2),
    ("sample", 4),
    ("for_queries", 1),
];

/// Whether a predicate is a declaration.
pub(crate) fn is_declaration(name: &str, arity: usize) -> bool {
    DECLARATIONS.contains(&(name, arity))
}

/// Fuel for any single run over a base.
pub(crate) const RUN: Fuel = Fuel {
    steps: 5_000_000,
    cells: 2 << 20,
};
/// Steps for all answer paths of a base together.
pub(crate) const ALL_PATHS: u64 = 50_000_000;
/// Most problems, generated ones included.
const MOST_PROBLEMS: usize = 2000;

impl Base {
    /// Reads a base.
    pub fn read(name: &str, text: &str) -> Result<Base, BaseError> {
        let mut base = Base::declared(name, text)?;
        base.explore(Err)?;
        Ok(base)
    }

    /// Works out the answer paths of all problems. `wrong` hears what is wrong with one: it gives the
    /// error back to end the work, or goes on without that problem.
    pub(crate) fn explore(
        &mut self,
        mut wrong: impl FnMut(BaseError) -> Result<(), BaseError>,
    ) -> Result<(), BaseError> {
        let mut walk = Walk::new(self, ALL_PATHS);
        let mut paths = BTreeMap::new();
        for p in &self.problems {
            match walk.about(&p.id) {
                Ok(found) => drop(paths.insert(p.id.clone(), found)),
                Err(e) => wrong(e)?,
            }
        }
        self.asks = walk.asks;
        self.paths = paths;
        Ok(())
    }

    /// Reads what a base declares, without answer paths: enough to ask its program a goal, and much
    /// quicker.
    ///
    /// # Errors
    /// When it is no base that this program can use.
    pub fn declared(name: &str, text: &str) -> Result<Base, BaseError> {
        let mut m = Machine::new();
        m.refuel(RUN);
        let loaded = m.load(name, text);
        if let Some(e) = loaded.errors.first() {
            return Err(BaseError::Program(e.clone()));
        }
        let header = rows(&mut m, "base", 3)?;
        let Some([id, title, format]) = header.first().map(|r| &r[..]) else {
            return Err(BaseError::NoHeader);
        };
        let (id, format) = (id.to_string(), format.to_string());
        if format != FORMAT.to_string() {
            return Err(BaseError::OtherFormat(format));
        }
        let title = plain(title);
        let mut base = Base {
            id,
            title,
            parts: Vec::new(),
            categories: Vec::new(),
            problems: Vec::new(),
            questions: Vec::new(),
            samples: Vec::new(),
            loaded,
            mark: mark(crate::bases::original(text)),
            machine: m,
            paths: BTreeMap::new(),
            asks: BTreeMap::new(),
            limits: Vec::new(),
            repairs: Vec::new(),
            labels: BTreeMap::new(),
        };
        base.fill()?;
        base.limits = crate::paths::limits(&base.machine);
        Ok(base)
    }

    fn fill(&mut self) -> Result<(), BaseError> {
        let m = &mut self.machine;
        for r in rows(m, "part", 4)? {
            let tags = r[2]
                .items()
                .ok_or_else(|| BaseError::Shape(format!("{:?}", r[2])))?;
            let parent = r[3].to_string();
            self.parts.push(Part {
                id: r[0].to_string(),
                label: plain(&r[1]),
                tags: tags.iter().map(ToString::to_string).collect(),
                parent: (parent != "null").then_some(parent),
            });
        }
        for r in rows(m, "category", 2)? {
            self.categories.push((r[0].to_string(), plain(&r[1])));
        }
        let weights = rows(m, "weight", 2)?;
        let signs = rows(m, "sign", 2)?;
        let mut seen = BTreeSet::new();
        for r in rows(m, "problem", 3)? {
            let id = r[0].to_string();
            if !seen.insert(id.clone()) {
                continue;
            }
            if seen.len() > MOST_PROBLEMS {
                return Err(BaseError::ManyProblems(MOST_PROBLEMS));
            }
            let fits = |pattern: &Term| matches_term(pattern, &r[0]);
            let weight = weights
                .iter()
                .find(|w| fits(&w[0]))
                .and_then(|w| w[1].number())
                .unwrap_or(1.0);
            let mut own: Vec<String> = signs
                .iter()
                .filter(|s| fits(&s[0]))
                .map(|s| s[1].to_string())
                .collect();
            own.sort();
            own.dedup();
            let (label, category) = (plain(&r[1]), r[2].to_string());
            self.problems.push(Problem {
                id,
                label,
                category,
                weight,
                signs: own,
            });
        }
        for r in rows(m, "question", 4)? {
            let wrong = || BaseError::Shape(r[0].to_string());
            let mut one = Inquiry {
                id: r[0].to_string(),
                text: plain(&r[1]),
                cost: r[2].number().ok_or_else(wrong)?.max(0.01),
                rate: 0.5,
                cases: Vec::new(),
                range: None,
            };
            match (r[3].number(), r[3].parts(), r[3].items()) {
                (Some(rate), ..) => one.rate = rate.clamp(0.01, 0.99),
                (_, Some(("between", [low, high])), _) => {
                    let ends = low.number().zip(high.number());
                    one.range = Some(ends.filter(|(l, h)| l < h).ok_or_else(wrong)?);
                }
                (_, Some(("even", [])), _) => {}
                (_, _, Some(items)) => {
                    for item in items {
                        let pair = match item.parts() {
                            Some(("-", [option, weight])) => {
                                weight.number().map(|w| (option.to_string(), w.max(0.0)))
                            }
                            _ => None,
                        };
                        one.cases.push(pair.ok_or_else(wrong)?);
                    }
                }
                _ => return Err(wrong()),
            }
            self.questions.push(one);
        }
        for r in rows(m, "repair", 3)? {
            let wrong = || BaseError::Shape(format!("repair({}, …)", r[0]));
            let cost = r[1].number().filter(|c| *c >= 0.0).ok_or_else(wrong)?;
            let chance = r[2].number().ok_or_else(wrong)?;
            let repair = Repair {
                cost: cost.max(0.01),
                chance: chance.clamp(0.01, 0.99),
            };
            self.repairs.push((r[0].clone(), repair));
        }
        for r in rows(m, "answer", 3)? {
            let key = (r[0].to_string(), r[1].to_string());
            self.labels.insert(key, plain(&r[2]));
        }
        for r in rows(m, "sample", 4)? {
            let list = r[2].items().ok_or_else(|| BaseError::Shape(plain(&r[0])))?;
            let mut answers = Vec::new();
            for a in list {
                match a.parts() {
                    Some(("-", [q, v])) => answers.push((q.to_string(), v.to_string())),
                    _ => return Err(BaseError::Shape(a.to_string())),
                }
            }
            self.samples.push(Sample {
                name: plain(&r[0]),
                problem: r[1].to_string(),
                answers,
                advice: r[3].to_string(),
            });
        }
        Ok(())
    }

    /// A problem by identifier.
    pub fn problem(&self, id: &str) -> Option<&Problem> {
        self.problems.iter().find(|p| p.id == id)
    }

    /// A question by identifier; one that was never declared gets its identifier as wording.
    pub fn question(&self, id: &str) -> Inquiry {
        self.questions
            .iter()
            .find(|q| q.id == id)
            .cloned()
            .unwrap_or_else(|| Inquiry {
                id: id.to_owned(),
                text: format!("{id}?"),
                cost: 1.0,
                rate: 0.5,
                cases: Vec::new(),
                range: None,
            })
    }

    /// What kind of answer a question wants.
    pub fn kind(&self, question: &str) -> Kind {
        self.asks
            .get(question)
            .map_or(Kind::YesNo, |a| a.kind.clone())
    }

    /// Whether "don't know" is an answer that the rules can do with.
    pub fn may_be_unknown(&self, question: &str) -> bool {
        self.asks.get(question).is_none_or(|a| a.unknown)
    }

    /// What an option is called.
    pub(crate) fn label(&self, question: &str, option: &str) -> String {
        let key = (question.to_owned(), option.to_owned());
        let plain = || option.trim_matches(['\'', '"']).replace('_', " ");
        self.labels.get(&key).cloned().unwrap_or_else(plain)
    }

    /// An answer as people say it.
    pub fn told(&self, question: &str, reply: &Reply) -> Message {
        match reply {
            Reply::Choice(o) => WORDS.say("wrong").with("what", self.label(question, o)),
            _ => reply.word(),
        }
    }

    /// A case as people say it.
    pub(crate) fn case(&self, question: &str, case: &Case) -> Message {
        match case {
            Case::Yes => WORDS.say("yes"),
            Case::No => WORDS.say("no"),
            Case::Unknown => WORDS.say("unknown"),
            Case::Option(o) => WORDS.say("wrong").with("what", self.label(question, o)),
            Case::Span(span) => span.says(),
        }
    }

    /// Reads what was said to a question: a word, an option by its name or label, a number.
    ///
    /// # Errors
    /// When it is not an answer to this question; says what is.
    pub fn read_reply(&self, question: &str, text: &str) -> Result<Reply, Misfit> {
        let said = text.trim();
        let reply = match self.kind(question) {
            Kind::YesNo => Reply::read(said),
            Kind::Choice(options) => {
                let lower = said.to_lowercase();
                let same = |e: &&Entry| e.id == said || e.label.to_lowercase() == lower;
                let option = options
                    .iter()
                    .find(same)
                    .map(|e| Reply::Choice(e.id.clone()));
                option.or_else(|| Reply::read(said).filter(|r| *r == Reply::Unknown))
            }
            Kind::Number(_) => Figure::read(said)
                .map(Reply::Number)
                .or_else(|| Reply::read(said).filter(|r| *r == Reply::Unknown)),
        };
        let reply = reply.ok_or_else(|| self.misfit(question, said))?;
        self.fits(question, &reply)?;
        Ok(reply)
    }

    /// Whether an answer fits its question.
    ///
    /// # Errors
    /// When it does not; says what does.
    pub fn fits(&self, question: &str, reply: &Reply) -> Result<(), Misfit> {
        let fits = match (self.kind(question), reply) {
            (_, Reply::Unknown) if !self.may_be_unknown(question) => {
                return Err(Misfit::MustKnow(self.question(question).text));
            }
            (_, Reply::Unknown) | (Kind::YesNo, Reply::Yes | Reply::No) => true,
            (Kind::Choice(options), Reply::Choice(o)) => options.iter().any(|e| e.id == *o),
            (Kind::Number(range), Reply::Number(n)) => {
                range.is_none_or(|(low, high)| n.value() >= low && n.value() <= high)
            }
            _ => false,
        };
        if fits {
            return Ok(());
        }
        Err(self.misfit(question, &self.told(question, reply).to_string()))
    }

    /// What is wrong with something that was said.
    fn misfit(&self, question: &str, said: &str) -> Misfit {
        let said: String = said.chars().take(60).collect();
        match self.kind(question) {
            Kind::YesNo => Misfit::NotYesNo(said),
            Kind::Choice(options) => {
                Misfit::NotAnOption(said, options.into_iter().map(|e| e.label).collect())
            }
            Kind::Number(range) => Misfit::NotANumber(said, range.map(|(l, h)| [l, h])),
        }
    }

    /// An answer as the engine takes it.
    pub(crate) fn answer(&self, question: &str, reply: &Reply) -> Option<Answer> {
        Some(match reply {
            Reply::Yes => Answer::Yes,
            Reply::No => Answer::No,
            Reply::Unknown => Answer::Unknown,
            Reply::Number(n) => Answer::Number(n.value()),
            Reply::Choice(o) => match self.kind(question) {
                Kind::Choice(options) => Answer::Option(options.iter().position(|e| e.id == *o)?),
                _ => return None,
            },
        })
    }

    /// The range of a number: as declared, or around what rules compare with.
    pub(crate) fn range(&self, question: &str) -> (f64, f64) {
        let low = self.limits.first().copied().unwrap_or(0.0);
        let high = self.limits.last().copied().unwrap_or(0.0);
        let around = (high - low).max(1.0);
        let range = self.question(question).range;
        range.unwrap_or((low - around, high + around))
    }

    /// The answer paths of a problem.
    pub fn paths(&self, problem: &str) -> &[Path] {
        self.paths.get(problem).map_or(&[], Vec::as_slice)
    }

    /// How many complete answer paths there are in all.
    pub fn path_count(&self) -> usize {
        self.paths.values().map(Vec::len).sum()
    }
}

/// All solutions of a declaration, as rows of terms; none if it does not exist.
pub(crate) fn rows(m: &mut Machine, name: &str, arity: usize) -> Result<Vec<Vec<Term>>, BaseError> {
    m.refuel(RUN);
    let vars: Vec<String> = (0..arity).map(|i| format!("V{i}")).collect();
    let goal = format!("{name}({})", vars.join(","));
    let query = format!(
        "catch({goal}, error(existence_error(procedure, {name}/{arity}), _), fail), R = [{}].",
        vars.join(",")
    );
    let found = m.every(&query, "R").map_err(BaseError::Program)?;
    Ok(found
        .into_iter()
        .filter_map(|t| t.items().map(<[Term]>::to_vec))
        .collect())
}

/// The text of a string or atom, or the term itself.
fn plain(t: &Term) -> String {
    t.text().unwrap_or_else(|| t.to_string())
}

/// One-way matching for patterns like `flat(_)`.
pub(crate) fn matches_term(pattern: &Term, t: &Term) -> bool {
    match (pattern, t) {
        (Term::Var(_), _) => true,
        (Term::Compound(n, wanted), Term::Compound(m, found)) => {
            n == m
                && wanted.len() == found.len()
                && wanted.iter().zip(found).all(|(p, t)| matches_term(p, t))
        }
        _ => pattern == t,
    }
}

/// A fingerprint of a text (FNV-1a, 64 bits).
fn mark(text: &str) -> String {
    let mut h: u64 = 0xcbf2_9ce4_8422_2325;
    for b in text.bytes() {
        h = (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{h:016x}")
}
