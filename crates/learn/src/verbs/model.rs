//! `learn train`, `evaluate`, `predict`: a pipeline fitted to all rows, kept, measured and used.

use serde_json::json;
use wits_desk::{
    Answer, Args, Block, Cell, Cost, File, Param, Picture, Refusal, Served, Shelf, Table, Verb,
    Work,
};
use wits_game::{Figure, Message};

use super::{
    data, head, heads, long, notes, pipeline, pipeline_param, refusal, refusal_in, scores,
};
use crate::classify::Classifier;
use crate::draw;
use crate::export::rust_source;
use crate::model::{Model, train_controlled};
use crate::table::Table as Rows;
use crate::words::WORDS;

/// How deep a tree is drawn.
const DEPTH: usize = 5;

pub(super) fn train() -> Verb {
    let mut params = data::params();
    params.push(pipeline_param("pipeline", "param-the-pipeline"));
    let out = Param::output("out", &WORDS, "param-out-model");
    params.push(out.required().short('o'));
    params.push(Param::output("rust", &WORDS, "param-rust"));
    params.push(Param::output("tree", &WORDS, "param-tree"));
    Verb {
        id: "train",
        about: WORDS.say("verb-train"),
        params,
        examples: &[
            "wits learn train glass --pipeline \"mean + tree:depth=4\" -o model.json --tree tree.svg",
            "wits learn train glass --pipeline random-forest:trees=20 -o model.json --rust model.rs",
        ],
        // A page offers its models as files; a script that asks for one has the data anyway.
        served: Served::Terminal,
        cost: Cost::LONG,
        run: |args, shelf, work| {
            let (pipeline, rows) = (
                pipeline(args.text("pipeline"))?,
                data::rows(args, shelf, work)?,
            );
            let seed = args.int("seed") as u64;
            let model = long(work, |control| {
                train_controlled(&rows, &pipeline, seed, control)
            })?;
            let seconds = work.seconds();
            let features = model.schema.features();
            let trained = WORDS
                .say("trained")
                .with("pipeline", pipeline.to_string())
                .with("rows", Figure::whole(model.rows))
                .with("seconds", Figure::Decimal(seconds, 2))
                .with("file", args.text("out"));
            let mut answer = Answer::yes(json!({
                "model": args.text("out"), "pipeline": model.pipeline, "rows": model.rows,
                "classes": model.schema.classes, "features": features, "seed": seed,
                "seconds": seconds, "warnings": rows.warnings,
            }))
            .say(trained)
            .with(file(
                "out",
                "model.json",
                "application/json",
                model.to_json(),
            ));
            if args.given("rust") {
                let source = rust_source(&model).map_err(|e| refusal(&e))?;
                answer = answer.with(file("rust", "model.rs", "text/plain", source));
            }
            if args.given("tree") {
                let Classifier::Tree(tree) = &model.fitted.classifier else {
                    let why = WORDS.say("no-tree").with("pipeline", pipeline.to_string());
                    return Err(Refusal::new("no-tree", why, WORDS.say("no-tree-hint")));
                };
                answer = answer.with(Block::Picture(Picture {
                    name: "tree".to_owned(),
                    title: head("title-tree"),
                    svg: draw::tree(tree, &features, &model.schema.classes, DEPTH),
                }));
            }
            answer.blocks.extend(notes(&rows.warnings));
            Ok(answer)
        },
    }
}

fn file(name: &str, file: &str, mime: &str, text: String) -> Block {
    Block::File(File {
        name: name.to_owned(),
        file: file.to_owned(),
        title: Message::plain(file),
        mime: mime.to_owned(),
        bytes: text.into_bytes(),
    })
}

/// A model and the rows it is used on.
fn use_params() -> Vec<Param> {
    let model = Param::file("model", &WORDS, "param-model").positional();
    let mut params = vec![model.shown_as("MODEL")];
    params.extend(data::read_params());
    params
}

fn load(args: &Args, shelf: &Shelf, work: &Work<'_>) -> Result<(Model, Rows), Refusal> {
    let name = args.text("model");
    let model = Model::from_json(&shelf.text(name)?).map_err(|e| refusal_in(name, &e))?;
    Ok((model, data::read(args, shelf, work)?))
}

pub(super) fn evaluate() -> Verb {
    let mut params = use_params();
    params.push(Param::output("svg", &WORDS, "param-svg-confusion"));
    Verb {
        id: "evaluate",
        about: WORDS.say("verb-evaluate"),
        params,
        examples: &["wits learn evaluate model.json new.csv --svg confusion.svg"],
        served: Served::Everywhere,
        cost: Cost::READING,
        run: |args, shelf, work| {
            let (model, rows) = load(args, shelf, work)?;
            let found = long(
                work,
                |control| Ok(model.evaluate_until(&rows, control.stop)),
            )?;
            let found = found.map_err(|e| refusal_in(args.text("data"), &e))?;
            let mut answer = Answer::of(&found).say(Message::plain(found.pipeline.to_string()));
            answer
                .blocks
                .extend(scores::blocks(&found.scores, &found.classes));
            answer.blocks.extend(notes(&found.warnings));
            if args.given("svg") {
                answer = answer.with(scores::picture(&found.scores, &found.classes, "Confusion"));
            }
            Ok(answer)
        },
    }
}

pub(super) fn predict() -> Verb {
    Verb {
        id: "predict",
        about: WORDS.say("verb-predict"),
        params: use_params(),
        examples: &["wits learn predict model.json new.csv"],
        served: Served::Everywhere,
        cost: Cost::READING,
        run: |args, shelf, work| {
            let (model, rows) = load(args, shelf, work)?;
            let found = long(work, |control| Ok(model.predict_until(&rows, control.stop)))?;
            let found = found.map_err(|e| refusal_in(args.text("data"), &e))?;
            let mut table = Table::new(
                "predicted",
                head("title-predicted"),
                heads(&["row", "class"]),
            );
            table
                .columns
                .extend(found.classes.iter().map(Message::plain));
            for row in &found.rows {
                let mut cells = vec![Cell::whole(row.row), Cell::text(&row.class)];
                let shares = row.probabilities.iter().flatten();
                cells.extend(shares.map(|share| Cell::decimal(*share, 4)));
                table = table.row(cells);
            }
            Ok(Answer::of(&found).with(Block::Table(table.for_programs())))
        },
    }
}
