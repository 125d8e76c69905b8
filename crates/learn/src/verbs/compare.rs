//! `learn compare`: two pipelines on the same folds.

use wits_desk::{Answer, Block, Cell, Cost, Param, Served, Table, Verb};
use wits_game::Figure;

use super::{call, data, head, heads, long, notes, pipeline, pipeline_param, run_file};
use crate::cross::{Comparison, compare};
use crate::run::Found;
use crate::words::WORDS;

pub(super) fn verb() -> Verb {
    let mut params = data::params();
    params.push(pipeline_param("a", "param-a"));
    params.push(pipeline_param("b", "param-b"));
    params.extend(data::fold_params());
    params.push(Param::output("save", &WORDS, "param-save"));
    Verb {
        id: "compare",
        about: WORDS.say("verb-compare"),
        params,
        examples: &["wits learn compare glass --a \"standard + knn:k=3\" --b random-forest"],
        served: Served::Everywhere,
        cost: Cost::LONG,
        run: |args, shelf, work| {
            let (a, b) = (pipeline(args.text("a"))?, pipeline(args.text("b"))?);
            let validation = data::validation(args)?;
            let (rows, seed) = (data::rows(args, shelf, work)?, args.int("seed") as u64);
            let found = long(work, |control| {
                compare(&rows, &a, &b, validation, seed, control)
            })?;
            let mut answer = Answer::of(&found);
            answer.blocks = comparison_blocks(&found);
            if args.given("save") {
                let found = Found::Compare(Box::new(found.clone()));
                answer = answer.with(run_file("compare", &rows, found));
            }
            let next = [("a", "next-cv-a"), ("b", "next-cv-b")]
                .map(|(side, says)| call(args, "cv", head(says), &[("pipeline", args.text(side))]));
            Ok(answer.with(Block::Next(next.into())))
        },
    }
}

/// A comparison as people see it.
pub(super) fn comparison_blocks(found: &Comparison) -> Vec<Block> {
    let points = |x: f64| Figure::Signed(100.0 * x, 1);
    let verdict = match found.verdict.as_str() {
        "a" => "a-better",
        "b" => "b-better",
        _ => "no-telling",
    };
    let difference = WORDS
        .say("difference")
        .with("verdict", head(verdict))
        .with("mean", points(found.difference.mean))
        .with("low", points(found.difference.interval[0]))
        .with("high", points(found.difference.interval[1]))
        .with("p", Figure::Decimal(found.difference.p, 3));
    let only = WORDS
        .say("only-one-right")
        .with("a", Figure::whole(found.only_a.len()))
        .with("b", Figure::whole(found.only_b.len()));
    let keys = ["side", "pipeline", "mean", "interval", "sd"];
    let mut sides = Table::new("sides", head("title-sides"), heads(&keys));
    for (name, one) in [("A", &found.a), ("B", &found.b)] {
        sides = sides.row(vec![
            Cell::text(name),
            Cell::text(one.pipeline.to_string()),
            Cell::share(one.mean),
            Cell::shares(one.interval),
            Cell::share(one.sd),
        ]);
    }
    let mut folds = Table::new(
        "folds",
        head("title-folds"),
        heads(&["fold", "a", "b", "a-b"]),
    );
    folds.folded = true;
    for (at, (a, b)) in found.a.folds.iter().zip(&found.b.folds).enumerate() {
        let gap = Cell::Figure(points(a - b));
        folds = folds.row(vec![
            Cell::whole(at + 1),
            Cell::share(*a),
            Cell::share(*b),
            gap,
        ]);
    }
    let mut blocks = vec![
        Block::Says(difference),
        Block::Table(sides),
        Block::Says(only),
        Block::Table(folds),
    ];
    blocks.extend(notes(&found.a.warnings));
    blocks
}
