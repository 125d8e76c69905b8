//! `learn tune`: the score as one parameter, the number of rows, or one feature changes.

use serde_json::json;
use wits_desk::{Answer, Block, Cell, Cost, Param, Picture, Refusal, Served, Table, Verb};

use super::{data, head, heads, long, pipeline, pipeline_param, refusal, run_file};
use crate::draw;
use crate::run::Found;
use crate::tune::{Curve, Importance, importance, learning_curve, read_values, tune};
use crate::words::WORDS;

/// Shares of the training rows on a learning curve.
const SHARES: [f64; 10] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
/// How often each feature is shuffled.
const SHUFFLES: usize = 5;

pub(super) fn verb() -> Verb {
    let mut params = data::params();
    params.push(pipeline_param("pipeline", "param-start"));
    params.push(Param::text("parameter", &WORDS, "param-parameter").shown_as("NAME"));
    params.push(Param::text("values", &WORDS, "param-values").shown_as("VALUES"));
    params.push(Param::flag("learning", false, &WORDS, "param-learning"));
    params.push(Param::flag("importance", false, &WORDS, "param-importance"));
    params.extend(data::fold_params());
    params.push(Param::output("save", &WORDS, "param-save"));
    params.push(Param::output("svg", &WORDS, "param-svg"));
    Verb {
        id: "tune",
        about: WORDS.say("verb-tune"),
        params,
        examples: &[
            "wits learn tune glass --pipeline \"mean + standard + knn\" --parameter knn.k --values 1..15:2",
            "wits learn tune glass --pipeline random-forest --learning",
            "wits learn tune glass --pipeline random-forest --importance",
        ],
        served: Served::Everywhere,
        cost: Cost::LONG,
        run: |args, shelf, work| {
            let (start, rows) = (
                pipeline(args.text("pipeline"))?,
                data::rows(args, shelf, work)?,
            );
            let (validation, seed) = (data::validation(args)?, args.int("seed") as u64);
            let axes = ["parameter", "learning", "importance"];
            let chosen = axes.map(|name| args.given(name) && args.text(name) != "false");
            if chosen.iter().filter(|&&one| one).count() != 1 {
                let why = WORDS.say("one-axis");
                return Err(Refusal::new("bad-value", why, WORDS.say("one-axis-hint")));
            }
            let [_, learning, by_feature] = chosen;
            if by_feature {
                let found = long(work, |control| {
                    importance(&rows, &start, validation, SHUFFLES, seed, control)
                })?;
                let seconds = work.seconds();
                let data = json!({"pipeline": start, "importance": found, "seconds": seconds});
                let mut answer = Answer::yes(data).with(Block::Table(importances(&found)));
                if args.given("svg") {
                    answer = answer.with(picture("title-importance", draw::importances(&found)));
                }
                return Ok(answer);
            }
            let mut curve = if learning {
                long(work, |control| {
                    learning_curve(&rows, &start, &SHARES, validation, seed, control)
                })?
            } else {
                let values = read_values(args.text("values")).map_err(|e| refusal(&e))?;
                let name = args.text("parameter");
                long(work, |control| {
                    tune(&rows, &start, name, &values, validation, seed, control)
                })?
            };
            curve.seconds = Some(work.seconds());
            let mut answer = Answer::of(&curve);
            answer.blocks = curve_blocks(&curve);
            if args.given("svg") {
                answer = answer.with(picture("title-curve", draw::curve(&curve)));
            }
            if args.given("save") {
                answer = answer.with(run_file("tune", &rows, Found::Tune(curve)));
            }
            Ok(answer)
        },
    }
}

fn picture(title: &'static str, svg: String) -> Block {
    Block::Picture(Picture {
        name: "svg".to_owned(),
        title: head(title),
        svg,
    })
}

fn importances(found: &[Importance]) -> Table {
    let keys = ["feature", "drop", "interval"];
    let mut table = Table::new("importance", head("title-importance"), heads(&keys));
    for one in found {
        let (drop, interval) = (Cell::share(one.drop), Cell::shares(one.interval));
        table = table.row(vec![Cell::text(&one.feature), drop, interval]);
    }
    table
}

/// A curve as people see it.
pub(super) fn curve_blocks(curve: &Curve) -> Vec<Block> {
    let title = WORDS.say("curve-of");
    let title = title
        .with("pipeline", curve.pipeline.to_string())
        .with("axis", &curve.axis);
    let mut table = Table::new(
        "curve",
        title,
        heads(&["mark", "value", "mean", "interval"]),
    );
    for (at, point) in curve.points.iter().enumerate() {
        let mark = match (at == curve.best, point.indistinguishable) {
            (true, _) => "*",
            (false, true) => "=",
            (false, false) => "",
        };
        table = table.row(vec![
            Cell::text(mark),
            Cell::text(&point.value),
            Cell::share(point.mean),
            Cell::shares(point.interval),
        ]);
    }
    let mut blocks = vec![Block::Table(table), Block::Says(head("curve-marks"))];
    if curve.stopped {
        blocks.push(Block::Note(head("warn-curve-stopped")));
    }
    blocks
}
