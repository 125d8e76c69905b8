//! Which question to ask next: the one that tells most for its cost.

use std::collections::BTreeMap;

use crate::answers::{Case, Entry, Figure, Kind, Reply, Span};
use crate::base::Base;
use crate::paths::Path;

/// What is known: what was said to which question.
pub(crate) type Known = BTreeMap<String, Reply>;

/// How often an answer falls under a case, as far as the base tells.
fn usual(base: &Base, question: &str, case: &Case) -> f64 {
    let asked = base.question(question);
    let weight = |option: &str| asked.cases.iter().find(|c| c.0 == option).map(|c| c.1);
    match case {
        Case::Yes => asked.rate,
        Case::No => 1.0 - asked.rate,
        Case::Span(span) => span.share(base.range(question)),
        Case::Option(_) | Case::Unknown => {
            let name = match case {
                Case::Option(o) => o,
                _ => "unknown",
            };
            let total: f64 = asked.cases.iter().map(|c| c.1).sum();
            match base.kind(question) {
                Kind::Choice(options) if total <= 0.0 && name != "unknown" => {
                    1.0 / options.len() as f64
                }
                _ if total > 0.0 => weight(name).unwrap_or(0.0) / total,
                // Nobody is expected not to know.
                _ => 0.0,
            }
        }
    }
}

/// The chance of a path, given what is known. Answers are taken as independent.
pub(crate) fn chance(base: &Base, path: &Path, known: &Known) -> f64 {
    let one = |(q, case): &(String, Case)| match known.get(q) {
        Some(reply) => f64::from(u8::from(case.agrees(reply))),
        None => usual(base, q, case),
    };
    path.answers.iter().map(one).product()
}

/// The answers to a question that some paths tell apart: one of each kind, the case, how often.
pub(crate) fn answers(base: &Base, paths: &[Path], question: &str) -> Vec<(Reply, Case, f64)> {
    let cases: Vec<(Reply, Case)> = match base.kind(question) {
        Kind::YesNo => vec![(Reply::Yes, Case::Yes), (Reply::No, Case::No)],
        Kind::Choice(options) => {
            let one = |e: Entry| (Reply::Choice(e.id.clone()), Case::Option(e.id));
            let unknown = (Reply::Unknown, Case::Unknown);
            options.into_iter().map(one).chain([unknown]).collect()
        }
        Kind::Number(range) => {
            // Ends of the spans on all paths: on some a difference matters that others do not see.
            let mut spans: Vec<Span> = Vec::new();
            for (_, case) in paths
                .iter()
                .flat_map(|p| &p.answers)
                .filter(|a| a.0 == question)
            {
                if let Case::Span(s) = case {
                    spans.push(*s);
                }
            }
            let mut cuts: Vec<f64> = spans.iter().flat_map(|s| [s.low, s.high]).collect();
            cuts.retain(|c| c.is_finite());
            cuts.sort_by(f64::total_cmp);
            cuts.dedup();
            let ends = range.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
            let mut pieces: Vec<Span> = Vec::new();
            for piece in Span::pieces(ends, &cuts) {
                let side = |x: f64| -> Vec<bool> { spans.iter().map(|s| s.holds(x)).collect() };
                match pieces.last_mut() {
                    Some(last) if side(last.inside()) == side(piece.inside()) => {
                        *last = last.and(&piece);
                    }
                    _ => pieces.push(piece),
                }
            }
            let one = |s: Span| Some((Reply::Number(Figure::new(s.inside())?), Case::Span(s)));
            pieces.into_iter().filter_map(one).collect()
        }
    };
    let often = |(reply, case)| {
        let often = usual(base, question, &case);
        (reply, case, often)
    };
    let all: Vec<(Reply, Case, f64)> = cases.into_iter().map(often).collect();
    let total: f64 = all.iter().map(|a| a.2).sum();
    let share = |(reply, case, often)| (reply, case, often / total.max(f64::MIN_POSITIVE));
    all.into_iter().map(share).collect()
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
    let mut after = 0.0;
    for (reply, _, chance) in answers(base, paths, question) {
        let mut k = known.clone();
        k.insert(question.to_owned(), reply);
        after += chance * entropy(outlook(base, paths, &k).values().copied());
    }
    before - after
}

/// Whether a path agrees with what is known.
pub(crate) fn agrees(path: &Path, known: &Known) -> bool {
    let one = |(q, case): &(String, Case)| known.get(q).is_none_or(|reply| case.agrees(reply));
    path.answers.iter().all(one)
}

/// Questions that could still matter: on some path that agrees with what is known.
pub(crate) fn open_questions(paths: &[Path], known: &Known) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for p in paths.iter().filter(|p| agrees(p, known)) {
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
    known: &BTreeMap<String, Reply>,
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
    known: &BTreeMap<String, bool>,
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
