//! The desk's thread: a grid filling cell by cell, in the order it was planned.
//!
//! Cells of a running grid arrive in whatever order threads finish them ([`crate::Progress`]); the
//! thread is written from the finished grid, so the same run always leaves the same thread.

use wits_game::Lang;
use wits_search::{Kind, Recorder, Step, Thread, ThreadHeader, Watch};

use crate::grid::GridResult;
use crate::words::WORDS;

fn share(x: f64) -> String {
    format!("{x:.3}")
}

/// The most steps of a grid's thread that are kept.
const STEPS: usize = 20_000;

/// The thread of a finished grid over a table of this name.
pub fn grid_thread(result: &GridResult, table: &str) -> Thread {
    let mut recorder = Recorder::new(STEPS);
    watch_grid(result, &mut recorder);
    let mut header = ThreadHeader::new("learn", "grid");
    table.clone_into(&mut header.subject);
    header.by = format!("grid:pipelines={}", result.pipelines.len());
    header.seed = result.seed;
    header.title = WORDS.say("thread-title").to_string();
    let best = &result.pipelines[result.best];
    header.summary = WORDS
        .say("thread-summary")
        .with("all", result.pipelines.len() as u64)
        .with("pipeline", best.pipeline())
        .with("mean", share(best.mean))
        .with("baseline", share(result.baseline))
        .with("count", result.indistinguishable as u64)
        .to_string();
    let answer = format!("{} {}", best.pipeline(), share(best.mean));
    recorder.finish(&header, &answer, Lang::spoken())
}

/// Tells a finished grid step by step: every cell, every improvement, the choice, and how many
/// pipelines it cannot be told from.
pub fn watch_grid(result: &GridResult, watch: &mut impl Watch) {
    watch.step(|| {
        let says = WORDS.say("baseline").with("mean", share(result.baseline));
        Step::new(Kind::Note, says).data("baseline", result.baseline)
    });
    let mut planned: Vec<usize> = (0..result.pipelines.len()).collect();
    planned.sort_by_key(|&k| result.pipelines[k].place);
    let mut best = f64::NEG_INFINITY;
    for k in planned {
        let line = &result.pipelines[k];
        watch.step(|| {
            let says = WORDS
                .say("cell")
                .with("pipeline", line.pipeline())
                .with("mean", share(line.mean))
                .with("low", share(line.interval[0]))
                .with("high", share(line.interval[1]));
            Step::new(Kind::Cell, says)
                .data("row", format!("{} + {}", line.imputer, line.transformer))
                .data("column", line.classifier.clone())
                .data("value", line.mean)
                .data("interval", line.interval.to_vec())
        });
        if line.mean > best {
            best = line.mean;
            watch.step(|| {
                let says = WORDS
                    .say("improve")
                    .with("pipeline", line.pipeline())
                    .with("mean", share(line.mean));
                Step::new(Kind::Improve, says)
                    .data("answer", line.pipeline())
                    .data("value", line.mean)
            });
        }
    }
    for failure in &result.failed {
        watch.step(|| {
            let says = WORDS
                .say("failed")
                .with("pipeline", failure.pipeline.clone())
                .with("why", failure.why.clone());
            Step::new(Kind::Cut, says).data("answer", failure.pipeline.clone())
        });
    }
    watch.step(|| {
        let says = WORDS
            .say("ties")
            .with("count", result.indistinguishable.to_string())
            .with("all", result.pipelines.len().to_string());
        Step::new(Kind::Note, says).data("count", result.indistinguishable)
    });
    let line = &result.pipelines[result.best];
    watch.step(|| {
        let says = WORDS
            .say("choose")
            .with("pipeline", line.pipeline())
            .with("mean", share(line.mean))
            .with("low", share(line.interval[0]))
            .with("high", share(line.interval[1]));
        Step::new(Kind::Choose, says)
            .data("answer", line.pipeline())
            .data("value", line.mean)
    });
}
