//! Which rule it is that does not end.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use wits_logic::{Machine, Outcome, Term, Written};

use crate::base::{Base, BaseError};
use crate::lint::goals;
use crate::paths::Walk;

/// So many rules of one problem that do not end are told at most.
const MOST: usize = 8;

/// Where rules that do not end were busy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Busy {
    /// Name and arity of the predicate.
    pub name: String,
    /// Line and column of its rule.
    pub place: Option<(usize, usize)>,
}

type Name = (String, usize);

/// Who calls whom.
struct Calls(BTreeMap<Name, BTreeSet<Name>>);

impl Calls {
    fn of(written: &[(Name, Vec<Written>)]) -> Calls {
        let all = written.iter().map(|(name, clauses)| {
            let called = clauses.iter().flat_map(called).collect();
            (name.clone(), called)
        });
        Calls(all.collect())
    }

    /// Whether a call of `from` can lead to a call of `to`.
    fn leads(&self, from: &Name, to: &Name) -> bool {
        let mut seen = BTreeSet::new();
        let mut left = vec![from];
        while let Some(name) = left.pop() {
            for next in self.0.get(name).into_iter().flatten() {
                if next == to {
                    return true;
                }
                if seen.insert(next) {
                    left.push(next);
                }
            }
        }
        false
    }
}

/// The predicates that a clause calls.
fn called(clause: &Written) -> Vec<Name> {
    let mut inside = Vec::new();
    goals(&clause.body, &mut inside);
    let name = |g: &Term| g.parts().map(|(n, args)| (n.to_owned(), args.len()));
    inside.into_iter().filter_map(name).collect()
}

impl Busy {
    /// Name and arity as a program writes them.
    fn indicator(&self) -> Option<String> {
        let (name, arity) = self.name.rsplit_once('/')?;
        Some(format!("{}/{arity}", quoted(name)))
    }

    /// What a machine was busy with when it was stopped. Where it was stopped inside something that a
    /// loop calls, the loop is meant: the nearest caller that leads back to itself.
    pub(crate) fn of(m: &Machine) -> Option<Busy> {
        let (name, arity, place) = m.busy()?;
        let written = m.written();
        let calls = Calls::of(&written);
        let stopped = (name, arity);
        let mut seen = BTreeSet::from([stopped.clone()]);
        let mut left = VecDeque::from([stopped.clone()]);
        let mut found = stopped.clone();
        while let Some(name) = left.pop_front() {
            if calls.leads(&name, &name) {
                found = name;
                break;
            }
            let callers = calls.0.iter().filter(|(_, called)| called.contains(&name));
            for (caller, _) in callers {
                if seen.insert(caller.clone()) {
                    left.push_back(caller.clone());
                }
            }
        }
        let place = place.filter(|_| found == stopped).or_else(|| {
            let clauses = &written.iter().find(|(n, _)| *n == found)?.1;
            let back = |c: &&Written| {
                let mut called = called(c).into_iter();
                called.any(|n| n == found || calls.leads(&n, &found))
            };
            let rule = clauses.iter().find(back).or_else(|| clauses.first());
            rule?.place.clone()
        });
        Some(Busy {
            name: format!("{}/{}", found.0, found.1),
            place: place.map(|p| (p.line, p.column)),
        })
    }
}

/// Every rule of a problem that does not end, the first of which is known: each is taken out, and the problem is walked
/// through anew without it. The walks share an amount of steps.
pub(crate) fn all(name: &str, text: &str, problem: &str, first: Busy, fuel: &mut u64) -> Vec<Busy> {
    let mut found = vec![first];
    while found.len() < MOST {
        let Some(base) = without(name, text, &found) else {
            break;
        };
        let mut walk = Walk::new(&base, *fuel);
        let next = walk.about(problem);
        *fuel = walk.left();
        let Err(BaseError::Endless(_, Some(mut busy))) = next else {
            break;
        };
        // The text was read with a line before it.
        busy.place = busy.place.map(|(line, column)| (line - 1, column));
        if found.contains(&busy) {
            break;
        }
        found.push(busy);
    }
    found
}

/// A base without some of its rules.
fn without(name: &str, text: &str, rules: &[Busy]) -> Option<Base> {
    let indicators: BTreeSet<String> = rules.iter().map(Busy::indicator).collect::<Option<_>>()?;
    let listed: Vec<&str> = indicators.iter().map(String::as_str).collect();
    let open = format!(":- dynamic(({})).", listed.join(", "));
    let mut base = Base::declared(name, &format!("{open}\n{text}")).ok()?;
    for ((name, arity), clauses) in base.machine.written() {
        let named = format!("{name}/{arity}");
        let of = rules.iter().filter(|rule| rule.name == named);
        let places: Vec<(usize, usize)> = of.filter_map(|rule| rule.place).collect();
        let gone = |clause: &Written| {
            let place = clause.place.as_ref().map(|p| (p.line - 1, p.column));
            place.is_some_and(|place| places.contains(&place))
        };
        let numbers: Vec<String> = (clauses.iter().enumerate())
            .filter(|(_, clause)| gone(clause))
            .map(|(n, _)| (n + 1).to_string())
            .collect();
        if numbers.is_empty() {
            continue;
        }
        let erase = format!(
            "functor(Head, {}, {arity}), findall(R, clause(Head, _, R), Rs), \
             forall((member(N, [{}]), nth1(N, Rs, R)), erase(R))",
            quoted(&name),
            numbers.join(",")
        );
        base.machine.query(&erase).ok()?;
        let Outcome::Solution(_) = base.machine.solve() else {
            return None;
        };
    }
    Some(base)
}

/// An atom as a program writes it.
fn quoted(name: &str) -> String {
    format!("'{}'", name.replace('\\', "\\\\").replace('\'', "\\'"))
}
