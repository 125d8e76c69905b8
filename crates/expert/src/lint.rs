//! Checking a base: what an author would want to know before a user finds it.

mod clauses;
mod declarations;
mod holds;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use wits_game::Message;
use wits_logic::{Fuel, Machine, Term, Trouble, Written};

pub(crate) use self::clauses::goals;
use self::clauses::{Clauses, Doubt};

use crate::answers::{Case, Kind, Reply};
use crate::base::{ALL_PATHS, Base, BaseError, RUN, Sample, is_declaration};
use crate::busy::{self, Busy};
use crate::choice::is_sign;
use crate::paths::atoms;
use crate::words::WORDS;

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Short name of the rule that found it.
    pub rule: String,
    /// A sentence.
    pub message: Message,
    /// Line in the file, if there is one.
    pub line: Option<usize>,
    /// Column, if there is one.
    pub column: Option<usize>,
    /// The line with a pointer under it, for errors in the text.
    pub pointer: Option<String>,
    /// How the declaration it is about begins, where it is about one.
    #[serde(skip)]
    about: Option<String>,
}

impl Finding {
    /// The same finding about a declaration.
    fn about(mut self, declaration: &str, name: &str) -> Finding {
        self.about = Some(format!("{declaration}({name}"));
        self
    }
}

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// Things that are wrong.
    pub errors: Vec<Finding>,
    /// Things that look wrong.
    pub warnings: Vec<Finding>,
    /// Whether the text says that it is a base (`base/3`).
    pub base: bool,
    /// Complete answer paths.
    pub paths: usize,
    /// Paths that end in advice with an accepted proof.
    pub advised: usize,
    /// Rules of `fix/2` used by some path, and how many there are.
    pub rules: (usize, usize),
    /// Parts named by some rule or problem, and how many there are.
    pub parts: (usize, usize),
    /// Answers that some sample conversation gives, and how many can be given.
    pub sampled: (usize, usize),
}

fn finding(rule: &str, message: Message) -> Finding {
    Finding {
        rule: rule.to_owned(),
        message,
        line: None,
        column: None,
        pointer: None,
        about: None,
    }
}

fn placed(rule: &str, t: &Trouble) -> Finding {
    Finding {
        line: t.place.as_ref().map(|p| p.line),
        column: t.place.as_ref().map(|p| p.column),
        pointer: t.place.as_ref().map(|p| p.pointer()),
        ..finding(rule, WORDS.say("wrong").with("what", &t.message))
    }
}

/// Checks the text of a base.
pub fn check(name: &str, text: &str) -> Report {
    let mut out = Report::default();
    let mut machine = Machine::new();
    machine.refuel(RUN);
    let loaded = machine.load(name, text);
    out.errors
        .extend(loaded.errors.iter().map(|e| placed("syntax", e)));
    out.warnings
        .extend(loaded.warnings.iter().map(|w| placed("once", w)));
    let clauses = Clauses::of(&machine);
    out.base = clauses.get("base", 3).is_some();
    if !out.errors.is_empty() {
        return out;
    }
    let mut doubts = clauses::doubts(&machine, &clauses);
    if !out.base {
        // A program that is no base: anybody may ask for any of its predicates.
        doubts.retain(|d| d.rule != "unreachable");
        report(&doubts, &mut out);
        return out;
    }
    declarations::doubled(&clauses, &mut out);
    declarations::rates(&clauses, &mut out);
    let mut base = match Base::declared(name, text) {
        Ok(b) => b,
        Err(e) => {
            out.errors.push(broken(&e));
            report(&doubts, &mut out);
            place(text, &mut out);
            return out;
        }
    };
    // A problem whose rules do not end says nothing about the others.
    let before = out.errors.len();
    let mut fuel = ALL_PATHS;
    let explored = base.explore(|e| {
        for e in further(name, text, e, &mut fuel) {
            let found = broken(&e);
            if !out.errors.contains(&found) {
                out.errors.push(found);
            }
        }
        Ok(())
    });
    debug_assert!(explored.is_ok(), "errors are findings");
    let whole = out.errors.len() == before;
    declarations::signs(&base, &clauses, &mut out);
    declarations::options(&base, &clauses, &mut out);
    ways(&base, &mut out);
    if whole {
        // Only all paths together tell what none of them uses.
        declarations::wordings(&base, &clauses, &mut out);
        rules(&base, &doubts, &mut out);
    }
    report(&doubts, &mut out);
    questions(&base, whole, &mut out);
    parts(&base, whole, &mut out);
    samples(&base, &mut out);
    orders(&clauses, &mut out);
    place(text, &mut out);
    out
}

/// What is wrong with a problem. A rule that does not end hides what the others come to, so they are looked for.
fn further(name: &str, text: &str, e: BaseError, fuel: &mut u64) -> Vec<BaseError> {
    match e {
        BaseError::Endless(problem, Some(first)) => busy::all(name, text, &problem, first, fuel)
            .into_iter()
            .map(|busy| BaseError::Endless(problem.clone(), Some(busy)))
            .collect(),
        other => vec![other],
    }
}

/// Why a base, or the rules for one of its problems, cannot be used.
fn broken(e: &BaseError) -> Finding {
    let rule = match e {
        BaseError::Program(t) => return placed("rules", t),
        BaseError::Endless(..) => "endless",
        BaseError::ManyProblems(_) | BaseError::ManyPaths(..) | BaseError::ManyQuestions(..) => {
            "too-large"
        }
        _ => "header",
    };
    let found = finding(rule, e.says());
    match e {
        BaseError::Endless(
            _,
            Some(Busy {
                place: Some((line, column)),
                ..
            }),
        ) => Finding {
            line: Some(*line),
            column: Some(*column),
            ..found
        },
        BaseError::Endless(p, _) | BaseError::ManyPaths(p, _) | BaseError::ManyQuestions(p, _) => {
            found.about("problem", p)
        }
        BaseError::OtherFormat(_) => found.about("base", ""),
        _ => found,
    }
}

/// Findings about declarations get the line of the declaration.
fn place(text: &str, out: &mut Report) {
    for f in out.errors.iter_mut().chain(&mut out.warnings) {
        if f.line.is_none() {
            f.line = f.about.as_ref().and_then(|about| declared(text, about));
        }
    }
}

/// The line on which something is declared: the first that begins with `about`, blanks aside.
fn declared(text: &str, about: &str) -> Option<usize> {
    let packed = |line: &str| -> String {
        let kept = line.chars().filter(|c| !c.is_whitespace());
        kept.take(about.len() + 1).collect()
    };
    let about: String = about.chars().filter(|c| !c.is_whitespace()).collect();
    let fits = |line: &str| {
        let line = packed(line);
        let rest = line.strip_prefix(&about);
        let whole = |r: &str| !r.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        rest.is_some_and(|r| about.ends_with('(') || whole(r))
    };
    text.lines().position(fits).map(|n| n + 1)
}

/// Problems without advice, unproved advice, contradictions.
fn ways(base: &Base, out: &mut Report) {
    out.paths = base.path_count();
    let contradictions: BTreeSet<(String, String)> = pairs(base, "contradicts");
    for p in &base.problems {
        let says = |key| WORDS.say(key).with("problem", &p.id);
        if !base.categories.iter().any(|(c, _)| *c == p.category) {
            let message = says("lint-category").with("category", &p.category);
            out.errors
                .push(finding("category", message).about("problem", &p.id));
        }
        for path in base.paths(&p.id) {
            let told: Vec<String> = path
                .answers
                .iter()
                .map(|(q, case)| format!("{q}: {}", base.case(q, case)))
                .collect();
            let told = if told.is_empty() {
                WORDS.say("lint-at-once").to_string()
            } else {
                told.join(", ")
            };
            let Some(a) = &path.advice else {
                let message = says("lint-no-advice").with("answers", told);
                out.errors
                    .push(finding("no-advice", message).about("problem", &p.id));
                continue;
            };
            let says = |key| says(key).with("advice", &a.name);
            match &path.judged {
                _ if a.steps.is_empty() => {
                    let found = finding("no-advice", says("lint-no-steps"));
                    out.errors.push(found.about("problem", &p.id));
                }
                Err(why) => {
                    let message = says("lint-unproved").with("why", why);
                    out.errors
                        .push(finding("unproved", message).about("problem", &p.id));
                }
                Ok(_) => out.advised += 1,
            }
            for b in &path.others {
                let pair = (a.name.clone(), b.name.clone());
                let flipped = (b.name.clone(), a.name.clone());
                if contradictions.contains(&pair) || contradictions.contains(&flipped) {
                    let message = says("lint-contradiction").with("other", &b.name);
                    let message = message.with("answers", &told);
                    out.errors
                        .push(finding("contradiction", message).about("problem", &p.id));
                } else if a.name == b.name && a.steps != b.steps {
                    let message = says("lint-ambiguous").with("answers", &told);
                    out.warnings
                        .push(finding("ambiguous", message).about("problem", &p.id));
                }
            }
        }
    }
}

fn pairs(base: &Base, name: &str) -> BTreeSet<(String, String)> {
    let mut m = base.machine.clone();
    let query = format!("catch({name}(A, B), error(_, _), fail), R = A-B.");
    m.every(&query, "R")
        .unwrap_or_default()
        .iter()
        .filter_map(|t| match t.parts() {
            Some(("-", [a, b])) => Some((a.to_string(), b.to_string())),
            _ => None,
        })
        .collect()
}

/// Tells what is doubtful about clauses; a line that is complained about already is enough.
fn report(doubts: &[Doubt], out: &mut Report) {
    for d in doubts {
        let found = Finding {
            line: d.place.map(|p| p.0),
            column: d.place.map(|p| p.1),
            ..finding(d.rule, d.message.clone())
        };
        if (out.errors.iter()).any(|f| f.line.is_some() && f.line == found.line) {
            continue;
        }
        if d.wrong {
            out.errors.push(found);
        } else {
            out.warnings.push(found);
        }
    }
}

/// Rules of `fix/2` that no path uses, except those with a reason of their own.
fn rules(base: &Base, doubts: &[Doubt], out: &mut Report) {
    let used: BTreeSet<usize> = base
        .paths
        .values()
        .flatten()
        .flat_map(|p| p.rules.iter().copied())
        .collect();
    let all = base.machine.written();
    let fix = ("fix".to_owned(), 2);
    let Some((_, clauses)) = all.iter().find(|(name, _)| *name == fix) else {
        return;
    };
    out.rules = (used.len(), clauses.len());
    for (k, clause) in clauses.iter().enumerate() {
        let told = doubts.iter().any(|d| d.clause == (fix.clone(), k));
        let Some((_, [problem, _])) = clause.head.parts().filter(|_| !told && !used.contains(&k))
        else {
            continue;
        };
        let earlier = clauses[..k].iter().any(|c| match c.head.parts() {
            Some((_, [p, _])) => p == problem || matches!(p, Term::Var(_)),
            _ => false,
        });
        let key = if earlier {
            "lint-shadowed"
        } else {
            "lint-unreachable"
        };
        let message = WORDS.say(key).with("rule", k + 1);
        let message = message.with("problem", problem.to_string());
        out.warnings.push(Finding {
            line: clause.place.as_ref().map(|p| p.line),
            column: clause.place.as_ref().map(|p| p.column),
            ..finding("unreachable", message)
        });
    }
}

fn questions(base: &Base, whole: bool, out: &mut Report) {
    let asked: BTreeSet<&String> = base
        .paths
        .values()
        .flatten()
        .flat_map(|p| p.answers.iter().map(|a| &a.0))
        .collect();
    for q in &base.questions {
        if whole && !asked.contains(&q.id) && !is_sign(base, &q.id) {
            let message = WORDS.say("lint-never-asked").with("question", &q.id);
            out.warnings
                .push(finding("never-asked", message).about("question", &q.id));
        }
    }
    for q in &asked {
        if !base.questions.iter().any(|d| d.id == **q) {
            let message = WORDS.say("lint-no-wording").with("question", *q);
            out.errors.push(finding("no-wording", message));
        }
    }
    for (q, asks) in &base.asks {
        let says = |key| WORDS.say(key).with("question", q);
        if asks.varies {
            out.errors
                .push(finding("varies", says("lint-varies")).about("question", q));
        }
        if !asks.unknown {
            let found = finding("must-know", says("lint-must-know"));
            out.warnings.push(found.about("question", q));
        }
        if asks.kind == Kind::Number(None) {
            let found = finding("no-range", says("lint-no-range"));
            out.warnings.push(found.about("question", q));
        }
    }
    // How many cases of questions occur in samples.
    let mut told: Vec<(&str, &Case)> = Vec::new();
    for (q, case) in base.paths.values().flatten().flat_map(|p| &p.answers) {
        if *case != Case::Unknown && !told.contains(&(q.as_str(), case)) {
            told.push((q, case));
        }
    }
    let mut said: Vec<(&str, Reply)> = Vec::new();
    for (q, word) in base.samples.iter().flat_map(|s| &s.answers) {
        said.extend(
            base.read_reply(q, word)
                .ok()
                .map(|reply| (q.as_str(), reply)),
        );
    }
    told.sort_by_key(|t| t.0);
    for (q, case) in told {
        let covered = |(other, reply): &(&str, Reply)| {
            // "Don't know" is less than a no.
            *other == q && *reply != Reply::Unknown && case.agrees(reply)
        };
        out.sampled.1 += 1;
        out.sampled.0 += usize::from(said.iter().any(covered));
    }
}

/// Cycles, unknown parents, parts that nothing mentions.
fn parts(base: &Base, whole: bool, out: &mut Report) {
    let parent: BTreeMap<&str, Option<&str>> = base
        .parts
        .iter()
        .map(|p| (p.id.as_str(), p.parent.as_deref()))
        .collect();
    for p in &base.parts {
        if let Some(q) = &p.parent
            && !parent.contains_key(q.as_str())
        {
            let message = WORDS.say("lint-parent").with("part", &p.id);
            out.errors
                .push(finding("parent", message.with("parent", q)).about("part", &p.id));
        }
        let mut at = Some(p.id.as_str());
        let mut steps = 0;
        while let Some(id) = at {
            at = parent.get(id).copied().flatten();
            steps += 1;
            if steps > base.parts.len() {
                let message = WORDS.say("lint-cycle").with("part", &p.id);
                out.errors
                    .push(finding("cycle", message).about("part", &p.id));
                break;
            }
        }
    }
    // What rules and problems name, and what proofs come by on the way.
    let clauses = program_clauses(base);
    let ids: Vec<Term> = (base.problems.iter())
        .filter_map(|p| base.machine.read_value(&p.id).ok())
        .collect();
    let mut words = BTreeSet::new();
    for term in clauses.iter().flat_map(|(h, b)| [h, b]).chain(&ids) {
        atoms(term, &mut words);
    }
    let proved = base.paths.values().flatten().flat_map(|p| &p.parts);
    words.extend(proved.map(String::as_str));
    let asked = asked(base);
    for term in &asked {
        atoms(term, &mut words);
    }
    // A part is needed as well if one inside it is; the length stops a cycle.
    for p in &base.parts {
        let mut at = p.id.as_str();
        for _ in 0..base.parts.len() {
            match parent.get(at).copied().flatten() {
                Some(outer) if words.contains(p.id.as_str()) => {
                    words.insert(outer);
                    at = outer;
                }
                _ => break,
            }
        }
    }
    let mut named = 0;
    for p in &base.parts {
        if words.contains(p.id.as_str()) {
            named += 1;
        } else if whole {
            let message = WORDS.say("lint-unused-part").with("part", &p.id);
            out.warnings
                .push(finding("unused-part", message).about("part", &p.id));
        }
    }
    out.parts = (named, base.parts.len());
}

/// What the predicates that people ask (`for_queries/1`) give.
fn asked(base: &Base) -> Vec<Term> {
    let mut m = base.machine.clone();
    m.refuel(Fuel {
        steps: 1_000_000,
        ..Fuel::default()
    });
    let query = "for_queries(N/A), functor(H, N, A), call(H).";
    m.every(query, "H").unwrap_or_default()
}

/// All rules (not facts) of the base.
fn program_clauses(base: &Base) -> Vec<(Term, Term)> {
    let mut m = base.machine.clone();
    let query = "current_predicate(N/A), functor(H, N, A), clause(H, B), B \\== true, R = r(H, B).";
    m.every(query, "R")
        .unwrap_or_default()
        .into_iter()
        .filter_map(|t| match t {
            Term::Compound(_, mut args) if args.len() == 2 => {
                let body = args.pop()?;
                Some((args.pop()?, body))
            }
            _ => None,
        })
        .collect()
}

fn samples(base: &Base, out: &mut Report) {
    let explored =
        |s: &&Sample| base.paths.contains_key(&s.problem) || base.problem(&s.problem).is_none();
    for s in base.samples.iter().filter(explored) {
        if let Err(why) = crate::samples::run(base, s) {
            let message = WORDS.say("lint-sample").with("sample", &s.name);
            out.errors.push(
                finding("sample", message.with("why", why))
                    .about("sample", &format!("\"{}\"", s.name)),
            );
        }
    }
}

/// Fewer facts than this are no search.
const FEW: usize = 3;

/// A goal that goes through everything before one that could have been looked up directly.
fn orders(clauses: &Clauses, out: &mut Report) {
    let of = |goal: &Term| {
        let (name, args) = goal.parts()?;
        clauses.get(name, args.len())
    };
    let all = clauses.list.iter();
    for ((name, arity), clause) in all.flat_map(|(n, l)| l.iter().map(move |c| (n, c))) {
        // What a rule is usually given: its first argument, unless it declares something.
        let given = clause.head.parts().and_then(|(_, args)| args.first());
        let given = given.filter(|_| name == "fix" || !is_declaration(name, *arity));
        let mut bound = given.map_or_else(BTreeSet::new, vars);
        let is_key = |bound: &BTreeSet<String>, t: &Term| match t {
            Term::Var(v) => bound.contains(v),
            Term::Atom(_) | Term::Int(_) | Term::Text(_) => true,
            _ => false,
        };
        for w in conjunction(&clause.body).windows(2) {
            let (a, b) = (w[0], w[1]);
            let (Some((_, wide)), Some((_, keyed))) = (a.parts(), b.parts()) else {
                continue;
            };
            let open = |t: &Term| matches!(t, Term::Var(v) if !bound.contains(v));
            let searched = |list: &[Written]| {
                list.len() >= FEW || list.iter().any(|c| c.body != Term::Atom("true".to_owned()))
            };
            if !wide.is_empty()
                && wide.iter().all(open)
                && of(a).is_some_and(searched)
                && of(b).is_some()
                && keyed.iter().any(|t| is_key(&bound, t))
                && !vars(a).is_disjoint(&vars(b))
            {
                let called = |t: &Term| {
                    let (name, args) = t.parts().unwrap_or_default();
                    format!("{name}/{}", args.len())
                };
                let message = WORDS
                    .say("lint-order")
                    .with("rule", format!("`{name}/{arity}`"));
                let message = message.with("first", called(a)).with("second", called(b));
                let message = message
                    .with("better", b.to_string())
                    .with("worse", a.to_string());
                out.warnings.push(Finding {
                    line: clause.place.as_ref().map(|p| p.line),
                    column: clause.place.as_ref().map(|p| p.column),
                    ..finding("order", message)
                });
            }
            bound.extend(vars(a));
        }
    }
}

fn conjunction(body: &Term) -> Vec<&Term> {
    let mut out = Vec::new();
    let mut stack = vec![body];
    while let Some(t) = stack.pop() {
        match t.parts() {
            Some((",", [a, b])) => {
                stack.push(b);
                stack.push(a);
            }
            _ => out.push(t),
        }
    }
    out
}

fn vars(t: &Term) -> BTreeSet<String> {
    t.variables().into_iter().map(str::to_owned).collect()
}
