//! `learn curves`: how good a pipeline's probabilities are.

use wits_desk::{Answer, Block, Cell, Cost, Served, Table, Verb};

use super::{data, drawing, drawings_param, head, heads, long, notes, pipeline, pipeline_param};
use crate::curves::{ProbabilityCurves, probability_curves};
use crate::draw;
use crate::words::WORDS;

pub(super) fn verb() -> Verb {
    let mut params = data::params();
    params.push(pipeline_param("pipeline", "param-pipeline"));
    params.extend(data::fold_params());
    params.push(drawings_param("param-out-curves"));
    Verb {
        id: "curves",
        about: WORDS.say("verb-curves"),
        params,
        examples: &["wits learn curves glass --pipeline \"mean + standard + logistic\""],
        served: Served::Everywhere,
        cost: Cost::LONG,
        run: |args, shelf, work| {
            let (pipeline, validation) =
                (pipeline(args.text("pipeline"))?, data::validation(args)?);
            let (rows, seed) = (data::rows(args, shelf, work)?, args.int("seed") as u64);
            let found = long(work, |control| {
                probability_curves(&rows, &pipeline, validation, seed, control)
            })?;
            let mut answer = Answer::of(&found);
            answer.blocks = vec![Block::Table(areas(&found)), Block::Table(bins(&found))];
            answer.blocks.extend(notes(&found.warnings));
            for (name, title, svg) in [
                ("roc", "draw-roc", draw::roc(&found)),
                (
                    "precision-recall",
                    "draw-precision-recall",
                    draw::precision_recall(&found),
                ),
                ("calibration", "draw-calibration", draw::calibration(&found)),
            ] {
                answer = answer.with(drawing(name, head(title), svg));
            }
            Ok(answer)
        },
    }
}

fn areas(found: &ProbabilityCurves) -> Table {
    let keys = [
        "class",
        "support",
        "auc",
        "interval",
        "average-precision",
        "interval",
    ];
    let mut table = Table::new("areas", head("title-areas"), heads(&keys));
    for one in &found.classes {
        table = table.row(vec![
            Cell::text(&one.class),
            Cell::whole(one.support),
            Cell::share(one.auc.value),
            Cell::shares(one.auc.interval),
            Cell::share(one.average_precision.value),
            Cell::shares(one.average_precision.interval),
        ]);
    }
    table
}

fn bins(found: &ProbabilityCurves) -> Table {
    let keys = ["class", "rows", "draw-given", "draw-found", "interval"];
    let mut table = Table::new("calibration", head("draw-calibration"), heads(&keys));
    table.folded = true;
    for one in &found.classes {
        for bin in &one.calibration {
            table = table.row(vec![
                Cell::text(&one.class),
                Cell::whole(bin.rows),
                Cell::share(bin.given),
                Cell::share(bin.found.value),
                Cell::shares(bin.found.interval),
            ]);
        }
    }
    table
}
