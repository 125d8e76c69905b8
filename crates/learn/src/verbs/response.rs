//! `learn response`: how what a model says of one row follows each of its columns.

use wits_desk::{Answer, Block, Cell, Cost, Param, Refusal, Served, Table, Verb};
use wits_game::{Figure, Message};

use super::{data, drawing, drawings_param, head, heads, long, pipeline, pipeline_param, refusal};
use crate::draw;
use crate::model::train_controlled;
use crate::respond::{Response, responses};
use crate::words::WORDS;

pub(super) fn verb() -> Verb {
    let mut params = data::params();
    params.push(pipeline_param("pipeline", "param-pipeline"));
    params.push(Param::int("row", 1, 100_000_000, 1, &WORDS, "param-row"));
    params.push(drawings_param("param-out-response"));
    Verb {
        id: "response",
        about: WORDS.say("verb-response"),
        params,
        examples: &["wits learn response iris --pipeline \"standard + logistic\" --row 71"],
        served: Served::Everywhere,
        cost: Cost::LONG,
        run: |args, shelf, work| {
            let (pipeline, rows) = (
                pipeline(args.text("pipeline"))?,
                data::rows(args, shelf, work)?,
            );
            let (row, seed) = (args.int("row") as usize, args.int("seed") as u64);
            let Some(at) = rows.rows.iter().position(|&r| r == row) else {
                let why = WORDS.say("no-row").with("row", Figure::whole(row));
                return Err(Refusal::new("bad-value", why, WORDS.say("no-row-hint")));
            };
            let model = long(work, |control| {
                train_controlled(&rows, &pipeline, seed, control)
            })?;
            let found = responses(&model, &rows, rows.x.row(at)).map_err(|e| refusal(&e))?;
            let truth = &rows.classes()[rows.y[at] as usize];
            let said = model.predict_one(rows.x.row(at)).map_err(|e| refusal(&e))?;
            let says = WORDS
                .say("response-of")
                .with("row", Figure::whole(row))
                .with("said", said.class)
                .with("truth", truth);
            let svg = draw::responses(&found, rows.classes());
            let answer = Answer::of(&found).say(says);
            let answer = answer.with(Block::Table(ranges(&found, rows.classes())));
            Ok(answer.with(drawing("responses", head("draw-responses"), svg)))
        },
    }
}

/// From where to where the probability of each class goes as a column changes.
fn ranges(found: &[Response], classes: &[String]) -> Table {
    let mut table = Table::new("responses", head("draw-responses"), heads(&["column"]));
    table.columns.extend(classes.iter().map(Message::plain));
    for one in found {
        let mut row = vec![Cell::text(&one.column)];
        row.extend((0..classes.len()).map(|class| {
            let shares = one.shares.iter().map(|s| s[class]);
            let low = shares.clone().fold(f64::INFINITY, f64::min);
            Cell::shares([low, shares.fold(0.0, f64::max)])
        }));
        table = table.row(row);
    }
    table
}
