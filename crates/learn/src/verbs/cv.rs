//! `learn cv`: one pipeline, cross-validated.

use wits_desk::{Answer, Block, Cost, File, Param, Served, Verb};
use wits_game::{Figure, Lang};

use super::{call, data, head, long, notes, pipeline, pipeline_param, run_file, scores};
use crate::cross::{CrossValidated, cross_validate};
use crate::python::python_source;
use crate::run::Found;
use crate::words::WORDS;

/// Folds that are listed.
const LISTED: usize = 50;

pub(super) fn verb() -> Verb {
    let mut params = data::params();
    params.push(pipeline_param("pipeline", "param-pipeline"));
    params.extend(data::fold_params());
    params.push(Param::output("save", &WORDS, "param-save"));
    params.push(Param::output("svg", &WORDS, "param-svg-confusion"));
    params.push(Param::output("python", &WORDS, "param-python"));
    Verb {
        id: "cv",
        about: WORDS.say("verb-cv"),
        params,
        examples: &[
            "wits learn cv glass --pipeline \"mean + standard + knn:k=3\" --folds 5",
            "wits learn cv wine --pipeline \"standard + logistic\" --holdout 0.25",
        ],
        served: Served::Everywhere,
        cost: Cost::LONG,
        run: |args, shelf, work| {
            let text = args.text("pipeline");
            let (pipeline, validation) = (pipeline(text)?, data::validation(args)?);
            let ((rows, held), seed) = (data::split(args, shelf, work)?, args.int("seed") as u64);
            let found = long(work, |control| {
                let mut found = cross_validate(&rows, &pipeline, validation, seed, control)?;
                // Whoever stopped it wants what there is of it, not more work.
                if !control.stopped() {
                    let parts = (&rows, held.as_ref());
                    found.holdout = data::check(parts, &pipeline, seed, control)?;
                }
                Ok(found)
            })?;
            let mut answer = Answer::of(&found);
            answer.blocks = cv_blocks(&found, rows.classes());
            if args.given("svg") {
                answer = answer.with(scores::picture(&found.scores, rows.classes(), text));
            }
            if args.given("save") {
                let found = Found::Cv(Box::new(found.clone()));
                answer = answer.with(run_file("pipeline", &rows, found));
            }
            if args.given("python") {
                answer = answer.with(Block::File(File {
                    name: "python".to_owned(),
                    file: "pipeline.py".to_owned(),
                    title: head("file-python"),
                    mime: "text/x-python".to_owned(),
                    bytes: python_source(&pipeline, seed).into_bytes(),
                }));
            }
            let other = [("a", text), ("b", "mean + standard + knn:k=3")];
            let next = vec![
                call(args, "compare", head("next-compare"), &other),
                call(args, "curves", head("next-curves"), &[("pipeline", text)]),
            ];
            Ok(answer.with(Block::Next(next)))
        },
    }
}

/// A cross-validated pipeline as people see it.
pub(super) fn cv_blocks(found: &CrossValidated, classes: &[String]) -> Vec<Block> {
    let lang = Lang::spoken();
    let folds = found.folds.iter().take(LISTED);
    let folds: Vec<String> = folds.map(|f| Figure::share(*f).to(lang)).collect();
    let mean = WORDS
        .say("cv-mean")
        .with("pipeline", found.pipeline.to_string())
        .with("mean", Figure::share(found.mean))
        .with("low", Figure::share(found.interval[0]))
        .with("high", Figure::share(found.interval[1]))
        .with("sd", Figure::share(found.sd))
        .with("baseline", Figure::share(found.baseline));
    let mut blocks = vec![
        Block::Says(mean),
        Block::Says(WORDS.say("folds-each").with("folds", folds.join(" "))),
    ];
    blocks.extend(found.holdout.as_ref().map(scores::held_out));
    blocks.extend(scores::blocks(&found.scores, classes));
    blocks.extend(notes(&found.warnings));
    blocks
}
