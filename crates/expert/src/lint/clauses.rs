//! Looking over every clause of a base: which can never be needed, never be chosen or never hold.
//!
//! Everything here is read from the text alone and errs on the quiet side: what cannot be decided
//! is taken to be possible.

use std::collections::{BTreeMap, BTreeSet};

use wits_game::Message;
use wits_logic::{Bindings, Machine, Owner, Term, Written, letter};

use super::holds::{Search, State};
use crate::base::DECLARATIONS;
use crate::words::WORDS;

/// What is meant for queries only.
const QUERIES: (&str, usize) = ("for_queries", 1);

/// Name and arity.
pub(super) type Name = (String, usize);

/// Something about one clause.
pub(super) struct Doubt {
    /// Short name of the rule that found it.
    pub(super) rule: &'static str,
    /// Whether it is an error.
    pub(super) wrong: bool,
    pub(super) message: Message,
    /// The clause: its predicate and its position there.
    pub(super) clause: (Name, usize),
    /// Line and column.
    pub(super) place: Option<(usize, usize)>,
}

/// The clauses of a base by predicate.
pub(super) struct Clauses {
    pub(super) list: Vec<(Name, Vec<Written>)>,
    index: BTreeMap<Name, usize>,
}

impl Clauses {
    pub(super) fn of(machine: &Machine) -> Clauses {
        let mut list = machine.written();
        list.iter_mut()
            .flat_map(|p| &mut p.1)
            .for_each(name_variables);
        let index = (list.iter().enumerate())
            .map(|(n, (name, _))| (name.clone(), n))
            .collect();
        Clauses { list, index }
    }

    pub(super) fn get(&self, name: &str, arity: usize) -> Option<&[Written]> {
        let at = *self.index.get(&(name.to_owned(), arity))?;
        Some(&self.list[at].1)
    }
}

/// Gives the variables of a clause names to be read: A, B, … in order of appearance, those that
/// occur once with a dash before it.
fn name_variables(clause: &mut Written) {
    let (head, body) = (clause.head.variables(), clause.body.variables());
    let all: Vec<String> = head.into_iter().chain(body).map(str::to_owned).collect();
    let mut names = all.clone();
    let mut seen = BTreeSet::new();
    names.retain(|n| seen.insert(n.clone()));
    let name = |v: &str| {
        let place = names.iter().position(|n| n == v).unwrap_or(0);
        let once = all.iter().filter(|n| *n == v).count() == 1;
        Term::Var(format!("{}{}", if once { "_" } else { "" }, letter(place)))
    };
    clause.head = clause.head.with_variables(&name);
    clause.body = clause.body.with_variables(&name);
}

/// Everything that can be said about the clauses, in the order of the text.
pub(super) fn doubts(machine: &Machine, clauses: &Clauses) -> Vec<Doubt> {
    let mut out = Vec::new();
    undefined(machine, clauses, &mut out);
    impossible(machine, clauses, &mut out);
    shadowed(clauses, &mut out);
    unreachable(machine, clauses, &mut out);
    // One clause, one finding: the first that was looked for says most.
    let mut seen = BTreeSet::new();
    out.retain(|d| seen.insert(d.clause.clone()));
    out.sort_by_key(|d| d.place);
    out
}

fn doubt(
    rule: &'static str,
    name: &Name,
    position: usize,
    clause: &Written,
    message: Message,
) -> Doubt {
    Doubt {
        rule,
        wrong: rule == "undefined",
        message: message
            .with("name", format!("{}/{}", name.0, name.1))
            .with("rule", position + 1),
        clause: (name.clone(), position),
        place: clause.place.as_ref().map(|p| (p.line, p.column)),
    }
}

/// The goals of a body, whatever they are inside of; goals of meta-predicates are not looked into.
pub(crate) fn goals<'a>(body: &'a Term, out: &mut Vec<&'a Term>) {
    match body.parts() {
        Some(("," | ";" | "|" | "->" | "*->", [x, y])) => {
            goals(x, out);
            goals(y, out);
        }
        Some(("\\+" | "call" | "once" | "ignore" | "not", [x]) | (":", [_, x])) => goals(x, out),
        _ => out.push(body),
    }
}

/// Goals that nobody defines.
fn undefined(machine: &Machine, clauses: &Clauses, out: &mut Vec<Doubt>) {
    for (name, list) in &clauses.list {
        for (n, clause) in list.iter().enumerate() {
            let mut all = Vec::new();
            goals(&clause.body, &mut all);
            let unknown = all.into_iter().find(|g| {
                g.parts()
                    .is_some_and(|(n, a)| machine.owner(n, a.len()) == Owner::Nobody)
            });
            if let Some((goal, args)) = unknown.and_then(Term::parts) {
                let says = WORDS.say("lint-undefined");
                let says = says.with("goal", format!("{goal}/{}", args.len()));
                out.push(doubt("undefined", name, n, clause, says));
            }
        }
    }
}

/// Clauses whose conditions can never hold together.
fn impossible(machine: &Machine, clauses: &Clauses, out: &mut Vec<Doubt>) {
    let mut search = Search::new(machine, clauses);
    for (name, list) in &clauses.list {
        for (n, clause) in list.iter().enumerate() {
            let body = super::conjunction(&clause.body);
            // A clause that is meant to fail says so.
            if body
                .iter()
                .any(|g| matches!(g.parts(), Some(("fail" | "false", []))))
            {
                continue;
            }
            if let Some(says) = search.trouble(&body) {
                let rule = if says.1 { "no-match" } else { "contradictory" };
                out.push(doubt(rule, name, n, clause, says.0));
            }
        }
    }
}

impl Search<'_> {
    /// Why some goals, all of which are needed, cannot hold; whether one of them alone cannot.
    fn trouble(&mut self, goals: &[&Term]) -> Option<(Message, bool)> {
        let fails = |s: &mut Self, goals: &[&Term]| {
            let mut state = State::default();
            !goals.iter().all(|g| s.holds(g, &mut state, 0))
        };
        for goal in goals {
            if fails(self, &[goal]) {
                let says = WORDS.say("lint-no-match").with("goal", goal.to_string());
                return Some((says, true));
            }
            // Ways of which one is enough: each should be possible.
            if let Some((";" | "|", ways)) = goal.parts() {
                for way in ways {
                    let found = self.trouble(&super::conjunction(way));
                    if found.is_some() {
                        return found;
                    }
                }
            }
        }
        let end = (1..=goals.len()).find(|&n| fails(self, &goals[..n]))?;
        let last = goals[end - 1];
        let with = (goals[..end - 1].iter()).find(|g| fails(self, &[g, last]));
        let says = match with {
            Some(other) => WORDS
                .say("lint-contradictory")
                .with("first", other.to_string()),
            None => WORDS.say("lint-contradictory-all"),
        };
        Some((says.with("second", last.to_string()), false))
    }
}

/// Whether the first head matches whatever the second does.
fn covers(general: &Term, special: &Term) -> bool {
    let general = general.with_variables(&|v| Term::Var(format!("{v}'")));
    let fixed = |v: &str| Term::Compound("$fixed".to_owned(), vec![Term::Atom(v.to_owned())]);
    Bindings::new().unify(&general, &special.with_variables(&fixed))
}

fn has_variables(t: &Term) -> bool {
    !super::vars(t).is_empty()
}

/// Clauses after one that leaves nothing for them.
fn shadowed(clauses: &Clauses, out: &mut Vec<Doubt>) {
    for (name, list) in &clauses.list {
        let mut facts: BTreeMap<String, usize> = BTreeMap::new();
        // Earlier clauses that may cover others: those that commit at once, and facts for all.
        let mut wide: Vec<(usize, bool)> = Vec::new();
        for (n, clause) in list.iter().enumerate() {
            let first = super::conjunction(&clause.body)[0].parts();
            let (fact, cut) = (first == Some(("true", &[])), first == Some(("!", &[])));
            let told = fact.then(|| clause.head.to_string());
            let same = told.as_ref().and_then(|t| facts.get(t)).copied();
            let covered = wide
                .iter()
                .copied()
                .find(|&(k, _)| covers(&list[k].head, &clause.head));
            if let Some((k, commits)) = same.map(|k| (k, false)).or(covered) {
                let says = WORDS.say(match (commits, same) {
                    (true, _) => "lint-after-cut",
                    (false, Some(_)) => "lint-twice",
                    (false, None) => "lint-covered",
                });
                let line = list[k].place.as_ref().map_or(0, |p| p.line);
                out.push(doubt("shadowed", name, n, clause, says.with("line", line)));
            } else if cut || (fact && has_variables(&clause.head)) {
                wide.push((n, cut));
            }
            if let Some(told) = told {
                facts.entry(told).or_insert(n);
            }
        }
    }
}

/// Predicates that nothing leads to.
fn unreachable(machine: &Machine, clauses: &Clauses, out: &mut Vec<Doubt>) {
    let mut reached: BTreeSet<Name> = DECLARATIONS.map(|(n, a)| (n.to_owned(), a)).into();
    for clause in clauses.get(QUERIES.0, QUERIES.1).unwrap_or_default() {
        if let Some((_, [indicator])) = clause.head.parts()
            && let Some(("/", [n, a])) = indicator.parts()
            && let (Some(n), Some(a)) = (n.text(), a.number())
        {
            reached.insert((n, a as usize));
        }
    }
    let mut work: Vec<Name> = reached.iter().cloned().collect();
    // Once a goal is called that only the run knows, every name may be one.
    let mut anything = false;
    while let Some(name) = work.pop() {
        let mut found: BTreeSet<Name> = BTreeSet::new();
        for clause in clauses.get(&name.0, name.1).unwrap_or_default() {
            let mut all = Vec::new();
            goals(&clause.body, &mut all);
            for goal in all {
                let Some((n, args)) = goal.parts() else {
                    anything = true;
                    continue;
                };
                found.insert((n.to_owned(), args.len()));
                if machine.owner(n, args.len()) == Owner::Engine {
                    // It may call what it is given, with more arguments.
                    let mut names = BTreeSet::new();
                    for argument in args {
                        functors(argument, &mut names);
                    }
                    let called = |(k, _): &&(Name, Vec<Written>)| names.contains(k.0.as_str());
                    found.extend(clauses.list.iter().filter(called).map(|(k, _)| k.clone()));
                    anything |= n == "call" && matches!(args.first(), Some(Term::Var(_)));
                }
            }
        }
        work.extend(found.into_iter().filter(|n| reached.insert(n.clone())));
    }
    if anything {
        return;
    }
    for (name, list) in clauses.list.iter().filter(|(n, _)| !reached.contains(n)) {
        let says = WORDS.say("lint-not-needed");
        out.push(doubt("unreachable", name, 0, &list[0], says));
    }
}

/// The names of a term and of everything inside it.
fn functors<'a>(t: &'a Term, out: &mut BTreeSet<&'a str>) {
    let mut stack = vec![t];
    while let Some(t) = stack.pop() {
        match t {
            Term::Atom(n) => {
                out.insert(n);
            }
            Term::Compound(n, args) => {
                out.insert(n);
                stack.extend(args);
            }
            Term::List(items, tail) => {
                stack.extend(items);
                stack.extend(tail.iter().map(|t| &**t));
            }
            _ => {}
        }
    }
}
