//! `learn report`: a student's report on Glass, repeated.

use std::fmt::Write as _;

use wits_desk::{Answer, Block, Cost, Param, Refusal, Served, Verb};
use wits_game::{Figure, Message};

use super::grid::bars;
use super::{drawing, drawings_param, long, refusal};
use crate::bench::glass;
use crate::draw;
use crate::report::{GlassReport, ReportPlan, report};
use crate::words::WORDS;

pub(super) fn verb() -> Verb {
    Verb {
        id: "report",
        about: WORDS.say("verb-report"),
        params: vec![
            Param::flag("glass", false, &WORDS, "param-glass"),
            Param::int("seeds", 1, 1_000, 20, &WORDS, "param-seeds"),
            Param::flag("no-nested", false, &WORDS, "param-no-nested"),
            Param::flag("no-curves", false, &WORDS, "param-no-curves"),
            Param::int("seed", 0, i64::MAX, 1, &WORDS, "param-seed"),
            Param::flag("table", false, &WORDS, "param-table"),
            drawings_param("param-out-figures"),
        ],
        examples: &[
            "wits learn report --glass",
            "wits learn report --glass --seeds 5 --no-nested --out drawings",
        ],
        // It takes minutes of all cores.
        served: Served::Terminal,
        cost: Cost::LONG,
        run: |args, _, work| {
            if !args.flag("glass") {
                let why = WORDS.say("no-report");
                return Err(Refusal::new("bad-value", why, WORDS.say("no-report-hint")));
            }
            let plan = ReportPlan {
                seeds: args.int("seeds") as usize,
                nested: !args.flag("no-nested"),
                curves: !args.flag("no-curves"),
                seed: args.int("seed") as u64,
            };
            let mut found = long(work, |control| report(&plan, control))?;
            found.seconds = Some(work.seconds());
            let mut answer = Answer::of(&found);
            answer = if args.flag("table") {
                answer.say(Message::plain(claims_table(&found)))
            } else {
                claims(&found, answer)
            };
            if args.given("out") {
                answer.blocks.extend(drawings(&found)?);
                answer.blocks.extend(bars(&found.grid));
            }
            Ok(answer)
        },
    }
}

fn claims(found: &GlassReport, mut answer: Answer) -> Answer {
    for claim in &found.claims {
        answer = answer.say(
            WORDS
                .say("claim")
                .with("report", &claim.report)
                .with("found", &claim.found)
                .with("verdict", claim.verdict),
        );
    }
    for slip in &found.slips {
        answer = answer.with(Block::Note(Message::plain(slip.clone())));
    }
    let seconds = Figure::Decimal(found.seconds.unwrap_or(0.0), 1);
    answer.say(WORDS.say("took").with("seconds", seconds))
}

fn drawings(found: &GlassReport) -> Result<Vec<Block>, Refusal> {
    let first = draw::first_look(&glass(), None).map_err(|e| refusal(&e))?;
    let mut all: Vec<(String, String)> = first.into_iter().map(|d| (d.name, d.svg)).collect();
    for (at, curve) in found.curves.iter().enumerate() {
        all.push((format!("curve-{}", at + 1), draw::curve(curve)));
    }
    for (name, scores) in [
        ("with-gaps", &found.test_with_gaps),
        ("whole", &found.test_whole),
    ] {
        let svg = draw::confusion(&found.classes, &scores.confusion, name);
        all.push((format!("confusion-{name}"), svg));
    }
    let picture = |(name, svg): (String, String)| drawing(&name, Message::plain(&name), svg);
    Ok(all.into_iter().map(picture).collect())
}

/// The report's statements as README shows them.
fn claims_table(found: &GlassReport) -> String {
    let mut text = "| the report says | found here | |\n| --- | --- | --- |".to_owned();
    for claim in &found.claims {
        let _ = write!(
            text,
            "\n| {} | {} | {} |",
            claim.report, claim.found, claim.verdict
        );
    }
    text
}
