//! Studies over many queries: whether searches agree, what boldness costs, what the report printed.

use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::Result;
use serde_json::json;

use super::args::{AgreeArgs, DescribeArgs, FeedArgs, SpeedsArgs};
use super::{day_line, tell, yes};
use crate::out::{Out, Progress};
use crate::{Answer, matches, stop};

pub(super) fn agree(args: &AgreeArgs, out: &Out) -> Result<Answer> {
    let planner = args.feed.planner()?;
    let seed = args.seed.or_fresh();
    let begin = Instant::now();
    let slow = args.slow.unwrap_or(100).min(args.queries);
    let (progress, stop) = (Progress::start(), stop::flag());
    let going = |done: usize| {
        if done.is_multiple_of(100) {
            progress.show(done as u64, args.queries as u64, "queries");
        }
        !stop.load(Ordering::Relaxed)
    };
    let told = wits_transit::with_threads(matches::threads(args.threads), || {
        planner.agree_watched(args.queries, slow, seed, &going)
    });
    progress.done();
    let mut value = serde_json::to_value(&told)?;
    value["seed"] = json!(seed);
    value["seconds"] = json!(begin.elapsed().as_secs_f64());
    value["stopped"] = json!(told.queries < args.queries);
    out.tell(&value, || {
        let head = format!(
            "{}{} queries ({} of them for the slow searches too), {} answered, seed {seed}: {} disagreements\n{}\n",
            day_line(&planner),
            told.queries,
            told.slow_queries,
            told.answered,
            told.disagreements,
            told.algorithms.join(", ")
        );
        told.examples.iter().fold(head, |text, one| {
            let name = |stop| planner.table.stop_name(stop);
            text + &format!("{} → {} at {}: {}\n", name(one.from), name(one.to), one.at, one.who)
        })
    })?;
    Ok(yes(told.disagreements == 0))
}

pub(super) fn describe(args: &DescribeArgs, out: &Out) -> Result<Answer> {
    let planner = args.planner()?;
    let told = planner.describe();
    out.tell(&told, || tell::description(&told))?;
    Ok(Answer::Yes)
}

pub(super) fn speeds(args: &SpeedsArgs, out: &Out) -> Result<Answer> {
    let planner = args.feed.planner()?;
    let seed = args.seed.or_fresh();
    let told = planner.speeds(args.queries, seed, &args.speeds);
    let mut value = serde_json::to_value(&told)?;
    value["seed"] = json!(seed);
    out.tell(&value, || tell::boldness(&told))?;
    Ok(Answer::Yes)
}

pub(super) fn report(args: &FeedArgs, out: &Out) -> Result<Answer> {
    let planner = args.planner()?;
    let told = planner.report();
    out.tell(&json!({"date": planner.date(), "printed": told}), || {
        told.iter().fold(day_line(&planner), |text, one| {
            text + &format!(
                "figure {}: {}\n  report: {}\n  ours:   {}\n",
                one.figure, one.asked, one.report, one.ours
            )
        })
    })?;
    Ok(yes(told.iter().any(|one| one.ours_value.is_some())))
}
