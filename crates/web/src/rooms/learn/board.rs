//! The leaderboard: means with intervals, and who cannot be told from the best.

use maud::{Markup, html};
use wits_game::Figure;
use wits_learn::{Found, GridResult, Line, Nested, Run};

use super::parts::{between, figure, notes, per_cent, prose};
use super::runs::Live;
use crate::WORDS;
use crate::keep::csv_line;
use crate::pages::{say, written};

/// Lines shown before the fold.
const SHOWN: usize = 20;

/// Everything about a grid that is done.
pub(super) fn section(live: &Live, run: &Run, result: &GridResult, base: &str) -> Markup {
    let nested = match &run.found {
        Found::Grid { nested, .. } => nested.as_ref(),
        _ => None,
    };
    let best = &result.pipelines[result.best];
    html! {
        h2 { (say("learn-board")) }
        p #verdict {
            (prose(&WORDS.say("learn-verdict").with("pipeline", format!("`{}`", best.pipeline())).with("mean", per_cent(best.mean)).with("interval", between(best.interval)).to_string()))
            " " strong { (WORDS.say("learn-ties").with("count", result.indistinguishable).with("all", result.pipelines.len())) }
            " " (WORDS.say("learn-baseline").with("mean", per_cent(result.baseline)))
        }
        @if let Some(held) = &result.holdout {
            p #holdout { (WORDS.say("learn-held-out").with("rows", held.scores.rows).with("mean", per_cent(held.scores.accuracy.value)).with("interval", between(held.scores.accuracy.interval))) }
        }
        @if let Some(nested) = nested { (flattery(nested)) } @else { p.muted { (say("learn-no-nested")) } }
        (notes(&result.warnings))
        @if !result.unfinished.is_empty() {
            details.panel #unfinished { summary { (WORDS.say("learn-unfinished").with("count", result.unfinished.len())) }
                ul { @for one in &result.unfinished { li { code { (one.imputer) " + " (one.transformer) " + " (one.classifier) } ": " @for fold in &one.folds { (written(Figure::Decimal(*fold, 3))) " " } } } } }
        }
        @if !result.failed.is_empty() {
            details.panel { summary { (WORDS.say("learn-not-fitted").with("count", result.failed.len())) }
                ul { @for failure in &result.failed { li { code { (failure.pipeline) } ": " (failure.why) } } } }
        }
        (lines(live, result, &result.pipelines[..result.pipelines.len().min(SHOWN)], 0, "board"))
        @if result.pipelines.len() > SHOWN {
            details.panel { summary { (WORDS.say("learn-all-lines").with("count", result.pipelines.len() - SHOWN)) }
                (lines(live, result, &result.pipelines[SHOWN..], SHOWN, "rest")) }
        }
        p.row {
            a.button href={ (base) "/keep/run.json" } { (say("learn-keep-run")) }
            a.button.quiet href={ (base) "/keep/board.csv" } { (say("learn-keep-board")) }
            a.button.quiet href={ (base) "/keep/grid.thread" } { (say("learn-keep-thread")) }
        }
        h2 { (say("learn-bars")) }
        p.muted { (say("learn-bars-about")) }
        @for (name, title) in [("classifiers", "learn-classifiers"), ("transformers", "learn-transformers"), ("imputers", "learn-imputers")] {
            @let address = format!("{base}/keep/{name}.svg");
            (figure(&address, &address, &say(title), Some(&format!("{base}/keep/board.csv"))))
        }
        details.panel #thread {
            summary { (say("learn-thread-title")) }
            wits-thread src={ (base) "/keep/grid.thread" } {}
        }
    }
}

/// What choosing the best really gives.
fn flattery(nested: &Nested) -> Markup {
    html! {
        p #nested {
            (WORDS.say("learn-flattery").with("mean", per_cent(nested.mean)).with("interval", between(nested.interval)).with("points", format!("{:.1}", 100.0 * nested.optimism)))
        }
    }
}

fn lines(live: &Live, result: &GridResult, shown: &[Line], from: usize, name: &str) -> Markup {
    let low = result
        .pipelines
        .iter()
        .map(|l| l.interval[0])
        .fold(result.baseline, f64::min);
    let high = result
        .pipelines
        .iter()
        .map(|l| l.interval[1])
        .fold(0.0, f64::max);
    // Two regions of one page need two names.
    let label = match from {
        0 => say("learn-board"),
        _ => WORDS
            .say("learn-all-lines")
            .with("count", shown.len())
            .to_string(),
    };
    let (choice, data) = (&live.order.choice, &live.order.data);
    let page = |line: &Line, page: &str| {
        format!(
            "/learn/data/{data}/{page}?{}",
            choice.query(&[("pipeline", &line.pipeline())])
        )
    };
    let best = result.pipelines[result.best].pipeline();
    let contrast = |line: &Line| {
        let sides = [("a", best.as_str()), ("b", &line.pipeline())];
        format!("/learn/data/{data}/compare?{}", choice.query(&sides))
    };
    html! {
        div.learn-scroll tabindex="0" role="region" aria-label=(label) {
            table.data.learn-board id=(name) {
                thead { tr { @for key in ["learn-rank", "learn-tie", "learn-pipeline", "learn-mean-score", "learn-interval", "learn-spread", "learn-p-best"] { th scope="col" { (say(key)) } } } }
                tbody {
                    @for (at, line) in shown.iter().enumerate() {
                        tr.tie[line.indistinguishable] {
                            td { (from + at + 1) }
                            td { @if line.indistinguishable { span title=(say("learn-tie-about")) { "=" } span.sr-only { (say("learn-tie-about")) } } }
                            td { span.learn-beside { (per_cent(line.mean)) " " } a href=(page(line, "pipeline")) { code { (line.pipeline()) } } }
                            td { (per_cent(line.mean)) }
                            td { (whisker(line, result.baseline, low, high)) " " small.muted { (between(line.interval)) } }
                            td { (per_cent(line.sd)) }
                            td { @if from + at > 0 {
                                (written(Figure::Decimal(line.p, 3))) " "
                                a href=(contrast(line)) { (say("learn-why-not")) span.sr-only { ": " code { (line.pipeline()) } } }
                            } }
                        }
                    }
                }
            }
        }
    }
}

/// The interval as a line with the mean as a dot; the baseline as a dashed line.
fn whisker(line: &Line, baseline: f64, low: f64, high: f64) -> Markup {
    let x = |value: f64| {
        format!(
            "{:.1}",
            3.0 + 114.0 * (value - low) / (high - low).max(1e-9)
        )
    };
    html! {
        svg.learn-whisker viewBox="0 0 120 16" width="120" height="16" aria-hidden="true" {
            line.base x1=(x(baseline)) x2=(x(baseline)) y1="0" y2="16" {}
            line x1=(x(line.interval[0])) x2=(x(line.interval[1])) y1="8" y2="8" {}
            circle cx=(x(line.mean)) cy="8" r="3.5" {}
        }
    }
}

/// The leaderboard with every fold score.
pub(super) fn csv(result: &GridResult) -> String {
    let folds = result.pipelines.first().map_or(0, |l| l.folds.len());
    let mut head: Vec<String> = [
        "rank",
        "imputer",
        "transformer",
        "classifier",
        "mean",
        "sd",
        "low",
        "high",
        "p",
        "indistinguishable",
    ]
    .map(str::to_owned)
    .to_vec();
    head.extend((1..=folds).map(|f| format!("fold{f}")));
    let mut out = csv_line(&head);
    for (at, line) in result.pipelines.iter().enumerate() {
        let mut cells = vec![
            (at + 1).to_string(),
            line.imputer.clone(),
            line.transformer.clone(),
            line.classifier.clone(),
        ];
        cells.extend(
            [
                line.mean,
                line.sd,
                line.interval[0],
                line.interval[1],
                line.p,
            ]
            .map(|x| x.to_string()),
        );
        cells.push(line.indistinguishable.to_string());
        cells.extend(line.folds.iter().map(ToString::to_string));
        out += &csv_line(&cells);
    }
    out
}
