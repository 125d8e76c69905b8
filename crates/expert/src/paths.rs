//! Every way a conversation about a problem can go.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};
use wits_logic::{Answer, Checked, Machine, Outcome, Proof, Question, Term, Wanted, check};

use crate::answers::{Case, Entry, Kind, Span};
use crate::base::{Asks, Base, BaseError, RUN};
use crate::busy::Busy;
use crate::explain::rules_used;
use crate::repairs::{MOST_REMEDIES, Remedy};
use crate::words::WORDS;

/// A piece of advice, as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Advice {
    /// Its name, as `writeq` writes it.
    pub name: String,
    /// What to do, step by step.
    pub steps: Vec<String>,
}

/// One complete answer path: the questions in the order the rules ask them, and the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Path {
    /// Questions and the case that the answer falls under.
    pub answers: Vec<(String, Case)>,
    /// The first advice reached.
    pub advice: Option<Advice>,
    /// What the judge says about its proof.
    pub judged: Result<Checked, String>,
    /// Clauses of `fix/2` used, by position.
    pub rules: Vec<usize>,
    /// Further advice that also fits.
    pub others: Vec<Advice>,
    /// Parts that the proof speaks of.
    pub parts: Vec<String>,
}

/// One way a conversation can go, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Way {
    /// The problem.
    pub problem: String,
    /// Questions with what was answered.
    pub answers: Vec<(String, String)>,
    /// Name of the advice it reaches.
    pub advice: Option<String>,
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let answers = self.answers.iter();
        let answers: Vec<String> = answers.map(|(q, a)| format!("{q}={a}")).collect();
        let answers = match answers.len() {
            0 => WORDS.say("lint-at-once").to_string(),
            _ => answers.join(", "),
        };
        let advice = self.advice.clone();
        let advice = advice.unwrap_or_else(|| WORDS.say("lint-nothing").to_string());
        write!(f, "{}: {answers} -> {advice}", self.problem)
    }
}

impl Base {
    /// Every way a conversation about a known problem can go, in the order of the file.
    pub fn ways(&self) -> Vec<Way> {
        let mut out = Vec::new();
        for problem in &self.problems {
            for path in self.paths(&problem.id) {
                let answers = path.answers.iter();
                let answers = answers.map(|(q, case)| (q.clone(), self.case(q, case).to_string()));
                out.push(Way {
                    problem: problem.id.clone(),
                    answers: answers.collect(),
                    advice: path.advice.as_ref().map(|a| a.name.clone()),
                });
            }
        }
        out
    }
}

/// Most paths of one problem.
const MOST: usize = 4096;
/// Most questions in one conversation.
const LONGEST: usize = 40;

/// A walk through all answers.
pub(crate) struct Walk<'a> {
    base: &'a Base,
    /// What the whole base may still use.
    fuel: u64,
    pub(crate) asks: BTreeMap<String, Asks>,
    problem: String,
    /// Paths of this problem so far.
    count: usize,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(base: &'a Base, fuel: u64) -> Walk<'a> {
        Walk {
            base,
            fuel,
            asks: BTreeMap::new(),
            problem: String::new(),
            count: 0,
        }
    }

    /// The steps that are left.
    pub(crate) fn left(&self) -> u64 {
        self.fuel
    }

    /// All answer paths of a problem, yes before no, options and numbers in their order.
    pub(crate) fn about(&mut self, problem: &str) -> Result<Vec<Path>, BaseError> {
        problem.clone_into(&mut self.problem);
        self.count = 0;
        let mut m = self.base.machine.clone();
        m.record_proofs(true);
        m.forget_answers();
        (m.query(&format!("fix({problem}, Advice)"))).map_err(BaseError::Program)?;
        self.from(m, 0)
    }

    /// The rest of every path from here.
    fn from(&mut self, mut m: Machine, asked: usize) -> Result<Vec<Path>, BaseError> {
        m.refuel(RUN);
        let before = m.steps();
        let outcome = m.solve();
        self.fuel = self.fuel.saturating_sub(m.steps() - before + 100);
        if self.fuel == 0 {
            return Err(BaseError::Endless(self.problem.clone(), None));
        }
        match outcome {
            Outcome::Asked(q) => self.ask(&m, &q, asked),
            Outcome::Solution(_) => {
                let mut fits = self.base.remedies(&mut m, &[], 1 + MOST_REMEDIES);
                let first = self.base.cheapest(fits.iter().map(|f| &f.advice));
                let Remedy { advice, proof } = fits.remove(first);
                let judged = match &proof {
                    Some(p) => check(&m, p).map_err(|e| e.to_string()),
                    None => Err("there is no proof".to_owned()),
                };
                // Where costs decide, a dearer repair has its turn when a cheaper one did not help.
                let later = fits.iter().filter_map(|f| f.proof.as_ref());
                let rules = proof.iter().chain(later).flat_map(rules_used).collect();
                let parts = (proof.as_ref()).map_or_else(Vec::new, |p| parts_of(self.base, p));
                let mut others: Vec<Advice> = fits.into_iter().map(|f| f.advice).collect();
                self.base.in_order(&mut others);
                self.end(Path {
                    answers: Vec::new(),
                    advice: Some(advice),
                    judged,
                    rules,
                    others,
                    parts,
                })
            }
            Outcome::Error(t) => Err(BaseError::Program(t)),
            Outcome::OutOfSteps | Outcome::OutOfMemory => {
                Err(BaseError::Endless(self.problem.clone(), Busy::of(&m)))
            }
            Outcome::Done | Outcome::Halted(_) => self.end(Path {
                answers: Vec::new(),
                advice: None,
                judged: Err("no advice".to_owned()),
                rules: Vec::new(),
                others: Vec::new(),
                parts: Vec::new(),
            }),
        }
    }

    fn end(&mut self, path: Path) -> Result<Vec<Path>, BaseError> {
        self.count += 1;
        if self.count > MOST {
            return Err(BaseError::ManyPaths(self.problem.clone(), MOST));
        }
        Ok(vec![path])
    }

    /// The paths behind each answer to a question.
    fn ask(&mut self, m: &Machine, q: &Question, asked: usize) -> Result<Vec<Path>, BaseError> {
        if asked == LONGEST {
            return Err(BaseError::ManyQuestions(self.problem.clone(), LONGEST));
        }
        let number = q.wanted == Wanted::Number;
        let cases = self.cases(q);
        let mut ways: Vec<(Case, Vec<Path>)> = Vec::new();
        for (case, answer) in cases {
            let mut n = m.clone();
            if n.answer(answer).is_err() {
                continue;
            }
            let rest = match self.from(n, asked + 1) {
                // Rules that reckon with a number cannot do without it.
                Err(BaseError::Program(_)) if number && case == Case::Unknown => {
                    if let Some(a) = self.asks.get_mut(&q.term) {
                        a.unknown = false;
                    }
                    continue;
                }
                rest => rest?,
            };
            // Numbers between which the rules see no difference are one case.
            if let (Some((Case::Span(last), before)), Case::Span(next)) = (ways.last_mut(), &case)
                && alike(before, &rest)
            {
                *last = last.and(next);
                continue;
            }
            ways.push((case, rest));
        }
        let mut out = Vec::new();
        for (case, rest) in ways {
            for mut path in rest {
                path.answers.insert(0, (q.term.clone(), case.clone()));
                out.push(path);
            }
        }
        Ok(out)
    }

    /// The cases of a question, each with an answer that falls under it.
    fn cases(&mut self, q: &Question) -> Vec<(Case, Answer)> {
        let unknown = (Case::Unknown, Answer::Unknown);
        let (kind, cases) = match &q.wanted {
            Wanted::YesNo => (
                Kind::YesNo,
                vec![(Case::Yes, Answer::Yes), (Case::No, Answer::No)],
            ),
            Wanted::Choice(options) => {
                let entry = |o: &String| Entry {
                    id: o.clone(),
                    label: self.base.label(&q.term, o),
                };
                let case = |(n, o): (usize, &String)| (Case::Option(o.clone()), Answer::Option(n));
                let cases = options.iter().enumerate().map(case);
                (
                    Kind::Choice(options.iter().map(entry).collect()),
                    cases.chain([unknown]).collect(),
                )
            }
            Wanted::Number => {
                let range = self.base.question(&q.term).range;
                let ends = range.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
                let pieces = Span::pieces(ends, &self.base.limits).into_iter();
                let cases = pieces.map(|s| (Case::Span(s), Answer::Number(s.inside())));
                (Kind::Number(range), cases.chain([unknown]).collect())
            }
            // What a program reads from standard input has no cases: it finds the end of the text.
            Wanted::Line | Wanted::Term => return vec![(Case::Unknown, Answer::End)],
        };
        let first = self.asks.entry(q.term.clone()).or_insert_with(|| Asks {
            kind: kind.clone(),
            unknown: true,
            varies: false,
        });
        first.varies |= first.kind != kind;
        cases
    }
}

/// Whether two lists of paths come to the same by the same rules.
fn alike(a: &[Path], b: &[Path]) -> bool {
    let name = |a: &Option<Advice>| a.as_ref().map(|a| a.name.clone());
    let names = |all: &[Advice]| -> Vec<String> { all.iter().map(|a| a.name.clone()).collect() };
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| {
            a.answers == b.answers
                && name(&a.advice) == name(&b.advice)
                && a.judged.is_ok() == b.judged.is_ok()
                && a.rules == b.rules
                && names(&a.others) == names(&b.others)
        })
}

/// Most numbers that answers are cut at.
const MOST_LIMITS: usize = 40;

/// The numbers that rules compare with: those in comparisons, and those in facts of the rules' own.
pub(crate) fn limits(machine: &Machine) -> Vec<f64> {
    let mut found = Vec::new();
    for ((name, arity), clauses) in machine.written() {
        for clause in &clauses {
            if !crate::base::is_declaration(&name, arity) {
                found.extend(arguments(&clause.head).filter_map(Term::number));
            }
            let mut stack = vec![&clause.body];
            while let Some(goal) = stack.pop() {
                let (name, args) = goal.parts().unwrap_or_default();
                match name {
                    "<" | ">" | "=<" | ">=" | "=:=" | "=\\=" | "=" | "==" | "\\==" | "between" => {
                        found.extend(args.iter().filter_map(Term::number));
                    }
                    "," | ";" | "->" | "*->" | "\\+" | "call" | "once" => stack.extend(args),
                    _ => {}
                }
            }
        }
    }
    found.sort_by(f64::total_cmp);
    found.dedup();
    found.truncate(MOST_LIMITS);
    found
}

fn arguments(head: &Term) -> impl Iterator<Item = &Term> {
    head.parts().into_iter().flat_map(|(_, args)| args)
}

/// The parts that a proof speaks of, in the order of the base.
pub(crate) fn parts_of(base: &Base, proof: &Proof) -> Vec<String> {
    let mut named = BTreeSet::new();
    for node in &proof.nodes {
        atoms(&node.goal, &mut named);
    }
    let parts = base.parts.iter().filter(|p| named.contains(p.id.as_str()));
    parts.map(|p| p.id.clone()).collect()
}

/// The atoms in a term.
pub(crate) fn atoms<'a>(term: &'a Term, out: &mut BTreeSet<&'a str>) {
    let mut stack = vec![term];
    while let Some(t) = stack.pop() {
        match t {
            Term::Atom(name) => {
                out.insert(name);
            }
            Term::List(items, tail) => {
                stack.extend(items);
                stack.extend(tail.iter().map(|b| &**b));
            }
            Term::Compound(_, args) => stack.extend(args),
            _ => {}
        }
    }
}
