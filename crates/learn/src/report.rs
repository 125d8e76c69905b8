//! The report on Glass, repeated and corrected.
//!
//! A student's report of June 2023 ("Wprowadzenie do uczenia maszynowego", Wrocław University of
//! Science and Technology) compared 484 pipelines on the Glass data and named a winner. Here the
//! same gaps and the same split are made, the same grid is run, and what one run cannot show is
//! added: intervals, ties, the flattery of choosing the best, and other seeds.

use rayon::prelude::*;
use serde::Serialize;
use wits_game::Message;

use crate::bench::glass;
use crate::control::{Control, Progress};
use crate::cross::{answer, fold_seed};
use crate::dataset::Dataset;
use crate::distributions::t_critical;
use crate::error::LearnError;
use crate::grid::{GridPlan, GridResult, grid};
use crate::metrics::{Measured, Score, Scores, measure};
use crate::nested::{Nested, nested};
use crate::numbers::{mean, population_sd, sample_sd};
use crate::numpy::RandomState;
use crate::spec::Pipeline;
use crate::split::{Validation, holdout};
use crate::tune::{Curve, read_values, tune};
use crate::words::WORDS;

/// The report's winner.
pub const WINNER: &str = "knn:k=1 + quantile:output=uniform + random-forest:trees=100";
/// The same without a transformer.
const PLAIN: &str = "knn:k=1 + passthrough + random-forest:trees=100";

/// How much of the report is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportPlan {
    /// Seeds for the comparison of 95 and 100 per cent of the data.
    pub seeds: usize,
    /// Check the winner's score by nested cross-validation (five more grids).
    pub nested: bool,
    /// Draw the two parameter curves.
    pub curves: bool,
    /// The seed.
    pub seed: u64,
}

impl Default for ReportPlan {
    fn default() -> ReportPlan {
        ReportPlan {
            seeds: 20,
            nested: true,
            curves: true,
            seed: 1,
        }
    }
}

/// One of the report's statements beside what is found here.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Claim {
    /// What the report says.
    pub report: String,
    /// What is found.
    pub found: String,
    /// `holds`, `holds in part`, or `does not hold`.
    pub verdict: &'static str,
}

/// A pipeline's accuracy over many seeds, with and without gaps.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Paired {
    /// The pipeline.
    pub pipeline: String,
    /// Mean test accuracy with 5 % of the values removed, with the 95 % interval of the mean.
    pub with_gaps: Measured,
    /// Mean test accuracy on whole data, same splits.
    pub whole: Measured,
    /// Whole minus with gaps, paired by seed.
    pub difference: Measured,
    /// Standard deviation over seeds with gaps: how far one seed may lead astray.
    pub sd_with_gaps: f64,
    /// Standard deviation over seeds on whole data.
    pub sd_whole: f64,
    /// Every seed's accuracy: with gaps, whole.
    pub seeds: Vec<[f64; 2]>,
}

/// The report repeated.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GlassReport {
    /// The grid on the report's own training rows and gaps.
    pub grid: GridResult,
    /// Where the report's winner stands in it, from 1.
    pub winner_rank: usize,
    /// The winner's mean accuracy in it.
    pub winner_mean: f64,
    /// The winner on the report's own test rows with its own gaps (95 % of the data).
    pub test_with_gaps: Scores,
    /// The winner on the same rows without gaps.
    pub test_whole: Scores,
    /// The classes, in the order of the confusion matrices.
    pub classes: Vec<String>,
    /// The winner and its plain twin over many seeds.
    pub paired: Vec<Paired>,
    /// What choosing the best of 484 gives on rows the choice never saw.
    pub nested: Option<Nested>,
    /// The number of trees and the number of landmarks.
    pub curves: Vec<Curve>,
    /// The report's statements.
    pub claims: Vec<Claim>,
    /// The report's slips.
    pub slips: Vec<String>,
    /// Filled in by whoever has a clock.
    pub seconds: Option<f64>,
}

/// The report's own data: gaps and split of `RandomState(1)`.
fn own_split(data: &Dataset) -> (Dataset, crate::split::Fold) {
    let mut state = RandomState::new(1);
    let mut gaps = data.clone();
    for i in 0..gaps.x.rows() {
        for cell in gaps.x.row_mut(i) {
            if state.unit() < 0.05 {
                *cell = f64::NAN;
            }
        }
    }
    let fold = state.split(&data.y, 0.3);
    (gaps, fold)
}

/// Repeats the report.
pub fn report(plan: &ReportPlan, control: &Control<'_>) -> Result<GlassReport, LearnError> {
    let data = glass();
    let (gaps, fold) = own_split(&data);
    let training = gaps.pick(&fold.train);
    let mut grid_plan = GridPlan::report();
    grid_plan.seed = plan.seed;
    let found = grid(&training, &grid_plan, control)?;
    control.go_on()?;
    let winner: Pipeline = WINNER.parse()?;
    let rank = found
        .pipelines
        .iter()
        .position(|l| l.pipeline().parse::<Pipeline>().is_ok_and(|p| p == winner))
        .ok_or_else(|| LearnError::BadPlan(WORDS.say("plan-winner")))?;
    let own_test = |rows: &Dataset| -> Result<Scores, LearnError> {
        let (fitted, predicted) = answer(&winner, rows, &fold, plan.seed, control.stop)?;
        let truth: Vec<u32> = fold.test.iter().map(|&i| data.y[i]).collect();
        let shares = fitted.probabilities(&rows.x.pick(&fold.test));
        Ok(measure(
            &truth,
            &predicted,
            shares.as_deref(),
            data.classes(),
            plan.seed,
        ))
    };
    let (test_with_gaps, test_whole) = (own_test(&gaps)?, own_test(&data)?);
    let paired = vec![
        over_seeds(&data, &winner, plan.seeds, control)?,
        over_seeds(&data, &PLAIN.parse()?, plan.seeds, control)?,
    ];
    let nested = if plan.nested {
        Some(nested(
            &training,
            &grid_plan,
            Validation::folds(5),
            control,
        )?)
    } else {
        None
    };
    let mut curves = Vec::new();
    if plan.curves {
        for (parameter, values) in [("trees", "1..150:10"), ("n_quantiles", "1..50:4")] {
            let validation = Validation::Folds {
                folds: 5,
                repeats: 3,
                shuffle: true,
            };
            let values = read_values(values)?;
            curves.push(tune(
                &training, &winner, parameter, &values, validation, plan.seed, control,
            )?);
        }
    }
    let winner_mean = found.pipelines[rank].mean;
    let mut report = GlassReport {
        grid: found,
        winner_rank: rank + 1,
        winner_mean,
        test_with_gaps,
        test_whole,
        classes: data.classes().to_vec(),
        paired,
        nested,
        curves,
        claims: Vec::new(),
        slips: slips(),
        seconds: None,
    };
    report.claims = claims(&report);
    Ok(report)
}

fn over_seeds(
    data: &Dataset,
    pipeline: &Pipeline,
    seeds: usize,
    control: &Control<'_>,
) -> Result<Paired, LearnError> {
    let done = std::sync::atomic::AtomicUsize::new(0);
    let pairs = (0..seeds as u64)
        .into_par_iter()
        .map(|seed| {
            control.go_on()?;
            let fold = holdout(&data.y, 0.3, seed)?;
            let truth: Vec<u32> = fold.test.iter().map(|&i| data.y[i]).collect();
            let score = |rows: &Dataset| -> Result<f64, LearnError> {
                let (_, predicted) =
                    answer(pipeline, rows, &fold, fold_seed(seed, 0), control.stop)?;
                Ok(Score::Accuracy.of(&truth, &predicted, data.classes().len()))
            };
            let pair = [score(&data.with_missing(0.05, seed))?, score(data)?];
            let done = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
            (control.tell)(&Progress {
                done,
                total: seeds,
                cell: None,
            });
            Ok(pair)
        })
        .collect::<Result<Vec<[f64; 2]>, LearnError>>()?;
    let with: Vec<f64> = pairs.iter().map(|p| p[0]).collect();
    let whole: Vec<f64> = pairs.iter().map(|p| p[1]).collect();
    let gaps: Vec<f64> = pairs.iter().map(|p| p[1] - p[0]).collect();
    Ok(Paired {
        pipeline: pipeline.to_string(),
        with_gaps: mean_interval(&with),
        whole: mean_interval(&whole),
        difference: mean_interval(&gaps),
        sd_with_gaps: population_sd(&with),
        sd_whole: population_sd(&whole),
        seeds: pairs,
    })
}

/// The mean over seeds with its t interval. Splits of one data set overlap, so this says how well
/// the mean over splits of *these* rows is known, not how other glass would fare.
fn mean_interval(values: &[f64]) -> Measured {
    let centre = mean(values);
    let n = values.len() as f64;
    if values.len() < 2 {
        return Measured {
            value: centre,
            interval: [centre, centre],
        };
    }
    let half = t_critical(0.95, n - 1.0) * sample_sd(values) / n.sqrt();
    Measured {
        value: centre,
        interval: [centre - half, centre + half],
    }
}

fn per_cent(x: f64) -> String {
    format!("{:.1} %", 100.0 * x)
}

/// A value with its interval.
fn measured(m: &Measured) -> Message {
    WORDS
        .say("measured")
        .with("value", per_cent(m.value))
        .with("low", per_cent(m.interval[0]))
        .with("high", per_cent(m.interval[1]))
}

impl Claim {
    fn new(report: &'static str, found: &Message, verdict: &'static str) -> Claim {
        Claim {
            report: WORDS.say(report).to_string(),
            found: found.to_string(),
            verdict,
        }
    }
}

fn claims(r: &GlassReport) -> Vec<Claim> {
    let best = &r.grid.pipelines[0];
    let winner = &r.grid.pipelines[r.winner_rank - 1];
    let pair = &r.paired[0];
    let gains: Vec<f64> = pair
        .seeds
        .iter()
        .zip(&r.paired[1].seeds)
        .map(|(quantile, plain)| quantile[0] - plain[0])
        .collect();
    let gain = mean_interval(&gains);
    let in_range = |x: f64, low: f64, high: f64| x >= low && x <= high;
    let verdict = |whole: bool, part: bool| {
        if whole {
            "holds"
        } else if part {
            "holds in part"
        } else {
            "does not hold"
        }
    };
    let say = |key| WORDS.say(key);
    // The report's own split, then what many seeds say.
    let over = |own: &Scores, over: &Measured, sd: f64| {
        say("found-split")
            .with("own", per_cent(own.accuracy.value))
            .with("seeds", pair.seeds.len())
            .with("over", measured(over))
            .with("sd", per_cent(sd))
    };
    let within =
        |x: f64, m: &Measured, sd: f64| in_range(x, m.value - 2.0 * sd, m.value + 2.0 * sd);
    let [cost_low, cost_high] = pair.difference.interval;
    let own = Measured {
        value: winner.mean,
        interval: winner.interval,
    };
    let mut list = vec![
        Claim::new(
            "claim-best",
            &say("found-best")
                .with("rank", r.winner_rank)
                .with("all", r.grid.pipelines.len())
                .with("ties", r.grid.indistinguishable)
                .with("best", best.pipeline()),
            verdict(
                r.winner_rank == 1 && r.grid.indistinguishable == 1,
                winner.indistinguishable,
            ),
        ),
        Claim::new(
            "claim-accuracy",
            &measured(&own),
            verdict(
                (winner.mean - 0.751).abs() < 0.02,
                in_range(0.751, winner.interval[0], winner.interval[1]),
            ),
        ),
        Claim::new(
            "claim-with-gaps",
            &over(&r.test_with_gaps, &pair.with_gaps, pair.sd_with_gaps),
            verdict(
                in_range(pair.with_gaps.value, 0.75, 0.80),
                within(0.77, &pair.with_gaps, pair.sd_with_gaps),
            ),
        ),
        Claim::new(
            "claim-whole",
            &over(&r.test_whole, &pair.whole, pair.sd_whole),
            verdict(
                in_range(pair.whole.value, 0.82, 0.87),
                within(0.84, &pair.whole, pair.sd_whole),
            ),
        ),
        Claim::new(
            "claim-cost",
            &say("found-cost").with("cost", measured(&pair.difference)),
            verdict(in_range(0.07, cost_low, cost_high), false),
        ),
        Claim::new(
            "claim-quantile",
            &say("found-quantile")
                .with("seeds", pair.seeds.len())
                .with("with", measured(&pair.with_gaps))
                .with("without", measured(&r.paired[1].with_gaps))
                .with("gain", measured(&gain)),
            verdict(gain.interval[0] > 0.0, gain.value > 0.005),
        ),
    ];
    if let Some(nested) = &r.nested {
        list.push(Claim::new(
            "claim-describes",
            &say("found-flattery")
                .with("all", r.grid.pipelines.len() + r.grid.failed.len())
                .with("inner", per_cent(mean(&nested.inner)))
                .with("outer", per_cent(nested.mean))
                .with("points", format!("{:.1}", 100.0 * nested.optimism)),
            verdict(nested.optimism < 0.005, nested.optimism < 0.02),
        ));
    }
    list
}

fn slips() -> Vec<String> {
    [
        "slip-pca",
        "slip-gamma",
        "slip-test",
        "slip-whole",
        "slip-luck",
        "slip-seed",
    ]
    .map(|key| WORDS.say(key).to_string())
    .to_vec()
}
