//! What advice says, what following it costs, and which of several pieces comes first.

use wits_logic::{Machine, Outcome, Owner, Proof, Term};

use crate::base::{Base, Part, RUN, matches_term};
use crate::paths::Advice;
use crate::sentences::spelt;

/// What following a piece of advice takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repair {
    /// What it costs, as questions cost; 1 if nothing is said.
    pub cost: f64,
    /// How often it helps; one half if nothing is said.
    pub chance: f64,
}

impl Repair {
    /// Cost for each time that it helps. Trying repairs in this order costs least on average: where
    /// two neighbours stand the other way round, swapping them saves something (Smith 1956).
    fn price(self) -> f64 {
        self.cost / self.chance
    }
}

/// A piece of advice that follows from what is known, with its proof.
pub(crate) struct Remedy {
    pub(crate) advice: Advice,
    pub(crate) proof: Option<Proof>,
}

/// Most pieces of advice that are weighed against each other.
pub(crate) const MOST_REMEDIES: usize = 16;

impl Base {
    /// A part by identifier.
    pub fn part(&self, id: &str) -> Option<&Part> {
        self.parts.iter().find(|p| p.id == id)
    }

    /// A goal in the words of the base (`wording/3`), where it has some for it.
    pub(crate) fn wording(&self, goal: &Term) -> Option<String> {
        let mut m = self.machine.clone();
        if m.owner("wording", 3) == Owner::Nobody {
            return None;
        }
        m.refuel(RUN);
        let goal = m.write_value(goal);
        let query = format!("wording(({goal}), F, A), !, format(string(S), F, A).");
        m.every(&query, "S").ok()?.first()?.text()
    }

    /// Advice as the rules give it: `advice(Name, Steps)`, or anything else as a sentence.
    pub(crate) fn advice(&self, term: &Term) -> Advice {
        let (name, steps) = match term.parts() {
            Some(("advice", [name, steps])) => (name, steps.items().unwrap_or_default()),
            _ => (term, std::slice::from_ref(term)),
        };
        Advice {
            name: name.to_string(),
            steps: steps.iter().map(|step| self.sentence(step)).collect(),
        }
    }

    /// A step as a sentence: its text, its wording, or its name spelt out with the labels of parts.
    fn sentence(&self, step: &Term) -> String {
        if let Term::Text(text) = step {
            return text.clone();
        }
        if let Some(told) = self.wording(step) {
            return told;
        }
        let label = |t: &Term| {
            let id = t.to_string();
            let part = self.part(&id).map(|p| p.label.clone());
            part.or_else(|| t.text()).unwrap_or(id).replace('_', " ")
        };
        match step.parts() {
            // Quoted atoms that are texts already.
            Some((name, [])) if name.contains(' ') => name.to_owned(),
            Some((name, args)) => {
                let args: Vec<String> = args.iter().map(label).collect();
                let said = format!("{} {}", spelt(name), args.join(", "));
                format!("{}.", said.trim_end())
            }
            None => step.text().unwrap_or_else(|| step.to_string()),
        }
    }

    /// The advice bound by the current solution.
    pub(crate) fn advised(&self, m: &Machine) -> Option<Advice> {
        let found = m.solution_terms().into_iter().find(|(n, _)| n == "Advice");
        found.map(|(_, term)| self.advice(&term))
    }

    /// The advice of the current solution and of at most so many with those after it that need no
    /// further question; what was declined is left out.
    pub(crate) fn remedies(
        &self,
        m: &mut Machine,
        declined: &[String],
        most: usize,
    ) -> Vec<Remedy> {
        let mut out = Vec::new();
        loop {
            let advice = self.advised(m);
            if let Some(advice) = advice.filter(|a| !declined.contains(&a.name)) {
                let wanted = out.is_empty() || self.weighs_repairs();
                let proof = if wanted { m.proof() } else { None };
                out.push(Remedy { advice, proof });
            }
            if out.len() >= most {
                return out;
            }
            match m.solve() {
                Outcome::Solution(_) => {}
                _ => return out,
            }
        }
    }

    /// What following a piece of advice takes, by its name.
    pub fn repair(&self, advice: &str) -> Repair {
        self.declared_repair(advice).unwrap_or(Repair {
            cost: 1.0,
            chance: 0.5,
        })
    }

    /// Whether the base says what following a piece of advice takes.
    pub(crate) fn declares_repair(&self, advice: &str) -> bool {
        self.declared_repair(advice).is_some()
    }

    fn declared_repair(&self, advice: &str) -> Option<Repair> {
        let name = self.machine.read_value(advice).ok()?;
        let fits = |r: &&(Term, Repair)| matches_term(&r.0, &name);
        self.repairs.iter().find(fits).map(|r| r.1)
    }

    /// Whether pieces of advice are given by what they cost; otherwise in the order of the rules.
    pub(crate) fn weighs_repairs(&self) -> bool {
        !self.repairs.is_empty()
    }

    /// The place of the advice to give first; among equals that of the first rule.
    pub(crate) fn cheapest<'a>(&self, all: impl Iterator<Item = &'a Advice>) -> usize {
        let mut best = (0, f64::INFINITY);
        for (n, advice) in all.enumerate() {
            let price = self.repair(&advice.name).price();
            if n == 0 || (self.weighs_repairs() && price < best.1) {
                best = (n, price);
            }
        }
        best.0
    }

    /// What trying pieces of advice one after the other costs on average, until one helps.
    pub(crate) fn expected_cost<'a>(&self, all: impl Iterator<Item = &'a Advice>) -> f64 {
        let mut reached = 1.0;
        let mut total = 0.0;
        for advice in all {
            let Repair { cost, chance } = self.repair(&advice.name);
            total += reached * cost;
            reached *= 1.0 - chance;
        }
        total
    }

    /// Puts pieces of advice in the order in which they are given.
    pub(crate) fn in_order(&self, all: &mut [Advice]) {
        if self.weighs_repairs() {
            let price = |a: &Advice| self.repair(&a.name).price();
            all.sort_by(|a, b| price(a).total_cmp(&price(b)));
        }
    }
}
