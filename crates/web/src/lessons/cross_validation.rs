//! What cross-validation hides: the winner of many is chosen by luck, too.

use std::sync::LazyLock;

use maud::html;
use wits_game::{Dice, Seed};
use wits_learn::{Dataset, Fitted, LearnError, Pipeline, Score, Validation, bench, holdout};
use wits_play::Budget;

use super::asked::{Asked, MOVE, late, refused};
use super::charts::{Bar, Line, bars, lines};
use super::guess::Guess;
use super::parts::{Live, choice, decimal, percent, slider};
use crate::pages::say;
use crate::recent::Recent;
use crate::{App, Fault, WORDS};

/// What the reader may say of the drawer, by how many points less the winner scores there.
const GUESSES: [(&str, f64); 4] = [
    ("more", f64::MIN),
    ("same", -1.0),
    ("less", 1.0),
    ("much", 5.0),
];

/// The guess that is right for a loss of so many points.
fn truth(loss: f64) -> &'static str {
    let fits = GUESSES.iter().rev().find(|(_, least)| loss >= *least);
    fits.map_or("more", |(name, _)| name)
}

/// Parts of the pipelines that compete; all are quick.
const TRANSFORMERS: [&str; 4] = ["passthrough", "standard", "minmax", "robust"];
const CLASSIFIERS: [&str; 8] = [
    "knn:k=1",
    "knn:k=3",
    "knn:k=5",
    "knn:k=9",
    "knn:k=15",
    "naive-bayes",
    "tree:depth=3",
    "tree:depth=6",
];

/// The pipelines, the first ones as different as possible.
fn pipelines(count: usize) -> Vec<String> {
    let all = (0..TRANSFORMERS.len() * CLASSIFIERS.len()).map(|i| {
        let (c, t) = (i % CLASSIFIERS.len(), i / CLASSIFIERS.len());
        format!(
            "median + {} + {}",
            TRANSFORMERS[(t + c) % TRANSFORMERS.len()],
            CLASSIFIERS[c]
        )
    });
    all.take(count).collect()
}

/// The same rows with their classes dealt anew: there is nothing left to learn.
fn shuffled(data: &Dataset, seed: u64) -> Dataset {
    let mut data = data.clone();
    let mut dice = Dice::new(Seed::new(seed));
    for i in (1..data.y.len()).rev() {
        data.y.swap(i, dice.below(i + 1));
    }
    data
}

/// The scores of one split: by cross-validation and in the drawer, pipeline by pipeline.
type Scores = Vec<(f64, f64)>;

/// What was worked out lately, by what was asked.
static KNOWN: LazyLock<Recent<Vec<Scores>>> = LazyLock::new(Recent::default);

/// One split: the score by cross-validation of every pipeline, and how each does on rows it never saw.
fn split(
    data: &Dataset,
    list: &[Pipeline],
    folds: usize,
    seed: u64,
    budget: &Budget,
) -> Result<Scores, Fault> {
    let wrong = |e: LearnError| {
        if matches!(e, LearnError::Stopped) {
            return late();
        }
        let why = WORDS.say("lesson-failed").with("what", e.to_string());
        refused("no-answer", why, WORDS.say("lesson-late-hint"))
    };
    let parts = holdout(&data.y, 0.5, seed).map_err(wrong)?;
    let (seen, unseen) = (data.pick(&parts.train), data.pick(&parts.test));
    let folds = Validation::folds(folds)
        .deal(&seen.y, seed)
        .map_err(wrong)?;
    let classes = data.classes().len();
    let score = |pipeline: &Pipeline, known: &Dataset, asked: &Dataset| {
        let fitted = Fitted::fit(pipeline, &known.x, &known.y, classes, seed).map_err(wrong)?;
        Ok::<f64, Fault>(Score::Accuracy.of(&asked.y, &fitted.predict(&asked.x), classes))
    };
    let mut scores = Vec::new();
    for pipeline in list {
        if budget.late() || budget.stopped() {
            return Err(late());
        }
        let mut inside = 0.0;
        for fold in &folds {
            inside += score(pipeline, &seen.pick(&fold.train), &seen.pick(&fold.test))?;
        }
        scores.push((
            inside / folds.len() as f64,
            score(pipeline, &seen, &unseen)?,
        ));
    }
    Ok(scores)
}

/// Many splits: the winner's score where it was chosen, and where it was not.
pub(super) fn run(_: &App, asked: &Asked, budget: &Budget) -> Result<Live, Fault> {
    let count: usize = asked.number("pipelines", 12, 1, 32)?;
    let folds: usize = asked.number("folds", 3, 2, 5)?;
    let splits: u64 = asked.number("splits", 5, 1, 12)?;
    let labels = asked.one_of("labels", &["shuffled", "true"])?;
    let glass = bench::glass();
    let texts = pipelines(count);
    // A guess asks for the same scores once more.
    let name = format!("{count}/{folds}/{splits}/{labels}");
    let all = if let Some(known) = KNOWN.get(&name) {
        known
    } else {
        let list: Result<Vec<Pipeline>, _> = texts.iter().map(|t| t.parse()).collect();
        let list = list.map_err(|_| Fault::missing())?;
        let mut all = Vec::new();
        for seed in 1..=splits {
            let data = if labels == "shuffled" {
                shuffled(&glass, seed)
            } else {
                glass.clone()
            };
            all.push(split(&data, &list, folds, seed, budget)?);
        }
        KNOWN.put(name, all)
    };
    // How the best of the first n looks, for every n: luck grows with the choice.
    let mean = |n: usize, pick: fn(&(f64, f64)) -> f64| {
        let best = |scores: &Scores| {
            scores[..n]
                .iter()
                .copied()
                .max_by(|a, b| a.0.total_cmp(&b.0))
                .map_or(0.0, |s| pick(&s))
        };
        all.iter().map(best).sum::<f64>() / all.len() as f64
    };
    let line = |key: &'static str, pick: fn(&(f64, f64)) -> f64| Line {
        name: say(key),
        points: (1..=count).map(|n| (n as f64, mean(n, pick))).collect(),
    };
    let curves = [
        line("lesson-cv-inside", |s| s.0),
        line("lesson-cv-outside", |s| s.1),
    ];
    let (inside, outside) = (mean(count, |s| s.0), mean(count, |s| s.1));
    let truth = truth(100.0 * (inside - outside));
    let given = asked
        .text(MOVE)
        .filter(|g| GUESSES.iter().any(|(name, _)| name == g));
    // The winner of each halving, by its number among the pipelines.
    let rows: Vec<Bar> = (all.iter().enumerate())
        .filter_map(|(i, scores)| {
            let best = |a: &usize, b: &usize| scores[*a].0.total_cmp(&scores[*b].0);
            let winner = (0..count).max_by(best)?;
            let (by_folds, drawer) = scores[winner];
            Some(Bar {
                name: (i + 1).to_string(),
                value: if given.is_some() { drawer } else { by_folds },
                shown: match given {
                    None => percent(by_folds),
                    Some(_) => format!("{} → {}", percent(by_folds), percent(drawer)),
                },
                mark: given.is_some() && drawer < by_folds,
            })
        })
        .collect();
    let title = if given.is_some() {
        "lesson-cv-opened"
    } else {
        "lesson-cv-grid"
    };
    let table = bars(
        &say(title),
        [&say("lesson-halving"), &say("learn-accuracy")],
        &rows,
    );
    let guess = Guess::about(table.page)
        .keys(&GUESSES.map(|g| g.0))
        .right(given.map(|g| g == truth));
    let counts = glass.counts();
    let most = counts.iter().max().copied().unwrap_or(0) as f64 / glass.y.len().max(1) as f64;
    Ok(Live::default()
        .ask(guess)
        .say("pipelines", count)
        .say("folds", folds)
        .say("splits", splits)
        .say("rows", glass.y.len())
        .say("classes", glass.classes().len())
        .say("inside", percent(inside))
        .say("outside", percent(outside))
        .say("flattery", decimal(100.0 * (inside - outside), 1))
        .say("majority", percent(most))
        .say("labels", say(if labels == "shuffled" { "lesson-labels-shuffled" } else { "lesson-labels-true" }))
        .part("form", html! {
            (slider("pipelines", "lesson-pipelines", count, [1, 32, 1]))
            (slider("folds", "lesson-folds", folds, [2, 5, 1]))
            (slider("splits", "lesson-splits", splits, [1, 12, 1]))
            (choice("labels", "lesson-labels", labels, &[("shuffled", say("lesson-labels-shuffled")), ("true", say("lesson-labels-true"))]))
        })
        .part("curve", lines(&say("lesson-cv-curve"), [&say("lesson-pipelines"), &say("learn-accuracy")], &curves, (0.0, 1.0), &|v| format!("{:.0} %", 100.0 * v))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pipelines_are_all_different_and_can_be_read() {
        let list = pipelines(32);
        let distinct: std::collections::BTreeSet<&String> = list.iter().collect();
        assert_eq!(distinct.len(), 32);
        assert!(list.iter().all(|t| t.parse::<Pipeline>().is_ok()));
    }
}
