//! Which rule it is that does not end.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use wits_logic::{Machine, Term, Written};

use crate::lint::goals;

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
