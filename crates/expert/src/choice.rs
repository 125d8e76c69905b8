//! Which question to ask next: the one that tells most for its cost.

use std::collections::BTreeMap;

use crate::base::Base;
use crate::paths::Path;

/// What is known: question and whether it was answered yes (don't know counts as not yes).
pub(crate) type Known = BTreeMap<String, bool>;

/// The chance of a path, given what is known. Answers are taken as independent.
pub(crate) fn chance(base: &Base, path: &Path, known: &Known) -> f64 {
    let one = |(q, yes): &(String, bool)| match known.get(q) {
        Some(k) => f64::from(u8::from(k == yes)),
        None if *yes => base.question(q).rate,
        None => 1.0 - base.question(q).rate,
    };
    path.answers.iter().map(one).product()
}

/// The chance of each advice, given what is known.
fn outlook(base: &Base, paths: &[Path], known: &Known) -> BTreeMap<String, f64> {
    let mut out = BTreeMap::new();
    for p in paths {
        let chance = chance(base, p, known);
        if chance > 0.0 {
            // Advice is told apart by its steps: one name can cover several procedures.
            let key = p
                .advice
                .as_ref()
                .map_or(String::new(), |a| format!("{}{:?}", a.name, a.steps));
            *out.entry(key).or_insert(0.0) += chance;
        }
    }
    out
}

/// Bits of uncertainty in weights that need not add up to one.
pub(crate) fn entropy(weights: impl Iterator<Item = f64> + Clone) -> f64 {
    let total: f64 = weights.clone().sum();
    if total <= 0.0 {
        return 0.0;
    }
    weights
        .filter(|w| *w > 0.0)
        .map(|w| {
            let p = w / total;
            -p * libm::log2(p)
        })
        .sum()
}

/// Expected bits that a question about advice brings.
pub(crate) fn gain(base: &Base, paths: &[Path], known: &Known, question: &str) -> f64 {
    let before = entropy(outlook(base, paths, known).values().copied());
    let rate = base.question(question).rate;
    let mut after = 0.0;
    for (yes, chance) in [(true, rate), (false, 1.0 - rate)] {
        let mut k = known.clone();
        k.insert(question.to_owned(), yes);
        after += chance * entropy(outlook(base, paths, &k).values().copied());
    }
    before - after
}

/// Questions that could still matter: on some path that agrees with what is known.
pub(crate) fn open_questions(paths: &[Path], known: &Known) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for p in paths {
        if p.answers
            .iter()
            .any(|(q, yes)| known.get(q).is_some_and(|k| k != yes))
        {
            continue;
        }
        for (q, _) in &p.answers {
            if !known.contains_key(q) && !out.contains(q) {
                out.push(q.clone());
            }
        }
    }
    out
}

/// The best of some questions by gain over cost; the first one wins a tie.
pub(crate) fn best(
    base: &Base,
    questions: &[String],
    gain: impl Fn(&str) -> f64,
) -> Option<(String, f64)> {
    let mut best: Option<(String, f64, f64)> = None;
    for q in questions {
        let bits = gain(q);
        let worth = bits / base.question(q).cost;
        if best.as_ref().is_none_or(|(_, w, _)| worth > w + 1e-12) {
            best = Some((q.clone(), worth, bits));
        }
    }
    best.map(|(q, _, bits)| (q, bits))
}

/// The best next question about a problem, with the bits it is expected to bring.
pub fn next_question(
    base: &Base,
    problem: &str,
    known: &BTreeMap<String, bool>,
) -> Option<(String, f64)> {
    let paths = base.paths(problem);
    let open = open_questions(paths, known);
    best(base, &open, |q| gain(base, paths, known, q))
}

/// How likely an observed sign is when the problem should (not) show it.
const RELIABLE: f64 = 0.95;

/// Problems by probability, given the signs answered; the likeliest first.
pub fn candidates(
    base: &Base,
    known: &BTreeMap<String, bool>,
    tried: &[String],
) -> Vec<(String, f64)> {
    let weigh = |signs: &[String], weight: f64| {
        known
            .iter()
            .filter(|(q, _)| is_sign(base, q))
            .fold(weight, |w, (q, yes)| {
                w * if signs.contains(q) == *yes {
                    RELIABLE
                } else {
                    1.0 - RELIABLE
                }
            })
    };
    let mut out: Vec<(String, f64)> = base
        .problems
        .iter()
        .filter(|p| !tried.contains(&p.id))
        .map(|p| (p.id.clone(), weigh(&p.signs, p.weight)))
        .collect();
    let total: f64 = out.iter().map(|c| c.1).sum();
    for c in &mut out {
        c.1 /= total.max(f64::MIN_POSITIVE);
    }
    out.sort_by(|a, b| b.1.total_cmp(&a.1));
    out
}

/// The candidates if one more sign were answered.
pub(crate) fn after_sign(
    base: &Base,
    known: &Known,
    tried: &[String],
    question: &str,
    yes: bool,
) -> Vec<(String, f64)> {
    let mut then = known.clone();
    then.insert(question.to_owned(), yes);
    candidates(base, &then, tried)
}

/// Whether a question tells problems apart.
pub(crate) fn is_sign(base: &Base, question: &str) -> bool {
    base.problems
        .iter()
        .any(|p| p.signs.iter().any(|s| s == question))
}

/// The sign that best tells the problems apart, with its expected bits.
pub fn next_sign(
    base: &Base,
    known: &BTreeMap<String, bool>,
    unsure: &[String],
    tried: &[String],
) -> Option<(String, f64)> {
    let now = candidates(base, known, tried);
    let before = entropy(now.iter().map(|c| c.1));
    let open: Vec<String> = base
        .questions
        .iter()
        .map(|q| q.id.clone())
        .filter(|q| is_sign(base, q) && !known.contains_key(q) && !unsure.contains(q))
        .collect();
    let bits = |q: &str| {
        let shows = |p: &str| {
            base.problem(p)
                .is_some_and(|p| p.signs.iter().any(|s| s == q))
        };
        let yes: f64 = now
            .iter()
            .map(|(p, c)| c * if shows(p) { RELIABLE } else { 1.0 - RELIABLE })
            .sum();
        let mut after = 0.0;
        for (value, chance) in [(true, yes), (false, 1.0 - yes)] {
            let then = after_sign(base, known, tried, q, value);
            after += chance * entropy(then.iter().map(|c| c.1));
        }
        before - after
    };
    best(base, &open, bits).filter(|(_, b)| *b > 0.02)
}
