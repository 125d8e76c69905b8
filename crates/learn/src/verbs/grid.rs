//! `learn grid`: every imputer with every transformer with every classifier.

use wits_desk::{Answer, Args, Block, Cell, Cost, File, Param, Refusal, Served, Table, Verb};
use wits_game::{Figure, Message};

use super::{
    data, drawing, drawings_param, head, heads, long, notes, pipeline, refusal, run_file, scores,
};
use crate::draw;
use crate::grid::{GridPlan, GridResult, grid};
use crate::metrics::Score;
use crate::nested::{Nested, nested};
use crate::run::Found;
use crate::spec::Kind;
use crate::watch::grid_thread;
use crate::words::WORDS;

/// Pipelines that are listed.
const LISTED: usize = 30;

pub(super) fn verb() -> Verb {
    let mut params = data::params();
    let preset = Param::choice(
        "preset",
        &["report", "quick"],
        "quick",
        &WORDS,
        "param-preset",
    );
    params.push(preset.shown_as("NAME"));
    for (name, about) in [
        ("imputer", "param-imputer"),
        ("transformer", "param-transformer"),
        ("classifier", "param-classifier"),
    ] {
        params.push(Param::text(name, &WORDS, about).many().shown_as("SPEC"));
    }
    params.extend(data::fold_params());
    let scores = ["accuracy", "balanced-accuracy", "macro-f1"];
    let score = Param::choice("score", &scores, "accuracy", &WORDS, "param-score");
    params.push(score.shown_as("SCORE"));
    params.push(Param::flag("nested", false, &WORDS, "param-nested"));
    params.push(Param::output("save", &WORDS, "param-save"));
    params.push(Param::output("watch", &WORDS, "param-watch"));
    params.push(drawings_param("param-out-bars"));
    Verb {
        id: "grid",
        about: WORDS.say("verb-grid"),
        params,
        examples: &[
            "wits learn grid glass --preset report --missing 0.05",
            "wits learn grid glass --imputer mean --transformer standard --transformer \"standard + pca\" --classifier knn:k=3 --save run.json",
        ],
        served: Served::Everywhere,
        cost: Cost::LONG,
        run: |args, shelf, work| {
            let (plan, (rows, held)) = (plan(args)?, data::split(args, shelf, work)?);
            let mut result = long(work, |control| grid(&rows, &plan, control))?;
            result.seconds = Some(work.seconds());
            // Whoever stopped the grid wants what there is of it, not more work.
            let on = !result.stopped;
            if on && held.is_some() {
                let best = pipeline(&result.pipelines[result.best].pipeline())?;
                let parts = (&rows, held.as_ref());
                result.holdout = long(work, |control| {
                    data::check(parts, &best, plan.seed, control)
                })?;
            }
            let nested = if on && args.flag("nested") {
                let validation = plan.validation;
                Some(long(work, |control| {
                    nested(&rows, &plan, validation, control)
                })?)
            } else {
                None
            };
            let mut answer = Answer::of(&result);
            answer.data["nested"] = Answer::of(&nested).data;
            answer.blocks = grid_blocks(&result, nested.as_ref());
            if args.given("out") {
                answer.blocks.extend(bars(&result));
            }
            if args.given("watch") {
                answer = answer.with(Block::File(File {
                    name: "watch".to_owned(),
                    file: "grid.thread".to_owned(),
                    title: head("file-thread"),
                    mime: "application/jsonl".to_owned(),
                    bytes: grid_thread(&result, args.text("data")).text().into_bytes(),
                }));
            }
            if args.given("save") {
                let result = Box::new(result);
                answer = answer.with(run_file("grid", &rows, Found::Grid { result, nested }));
            }
            Ok(answer)
        },
    }
}

/// The preset with whatever lists were given in place of its own.
fn plan(args: &Args) -> Result<GridPlan, Refusal> {
    let mut plan = match args.text("preset") {
        "report" => GridPlan::report(),
        _ => GridPlan::quick(),
    };
    // A grid is read as a whole, so lists that were not given are filled with something.
    let list = |name: &str, usual: &str| match args.list(name) {
        none if none.is_empty() => vec![usual.to_owned()],
        given => given,
    };
    let own = GridPlan::new(
        &list("imputer", "mean"),
        &list("transformer", "passthrough"),
        &list("classifier", "majority"),
    );
    let own = own.map_err(|e| refusal(&e))?;
    if args.given("imputer") {
        plan.imputers = own.imputers;
    }
    if args.given("transformer") {
        plan.transformers = own.transformers;
    }
    if args.given("classifier") {
        plan.classifiers = own.classifiers;
    }
    plan.validation = data::validation(args)?;
    plan.score = match args.text("score") {
        "balanced-accuracy" => Score::BalancedAccuracy,
        "macro-f1" => Score::MacroF1,
        _ => Score::Accuracy,
    };
    plan.seed = args.int("seed") as u64;
    Ok(plan)
}

/// The bars of the methods.
pub(super) fn bars(result: &GridResult) -> impl Iterator<Item = Block> + '_ {
    let kinds = [
        ("imputers", Kind::Imputer),
        ("transformers", Kind::Transformer),
        ("classifiers", Kind::Classifier),
    ];
    kinds
        .into_iter()
        .map(|(name, kind)| drawing(name, Message::plain(name), draw::method_bars(result, kind)))
}

/// A leaderboard as people see it.
pub(super) fn grid_blocks(result: &GridResult, nested: Option<&Nested>) -> Vec<Block> {
    let keys = ["rank", "tie", "mean", "sd", "interval", "pipeline"];
    let mut table = Table::new("pipelines", head("title-pipelines"), heads(&keys));
    for (at, line) in result.pipelines.iter().enumerate().take(LISTED) {
        table = table.row(vec![
            Cell::whole(at + 1),
            Cell::text(if line.indistinguishable { "=" } else { "" }),
            Cell::share(line.mean),
            Cell::share(line.sd),
            Cell::shares(line.interval),
            Cell::text(line.pipeline()),
        ]);
    }
    let count = result.pipelines.len();
    let mut blocks = vec![Block::Table(table)];
    if count > LISTED {
        let more = WORDS
            .say("and-more")
            .with("n", Figure::whole(count - LISTED));
        blocks.push(Block::Says(more));
    }
    let ties = WORDS
        .say("grid-ties")
        .with("ties", Figure::whole(result.indistinguishable))
        .with("n", Figure::whole(count))
        .with("baseline", Figure::share(result.baseline));
    blocks.push(Block::Says(ties));
    if let Some(nested) = nested {
        let says = WORDS
            .say("nested-mean")
            .with("mean", Figure::share(nested.mean))
            .with("low", Figure::share(nested.interval[0]))
            .with("high", Figure::share(nested.interval[1]))
            .with("points", Figure::Decimal(100.0 * nested.optimism, 1));
        blocks.push(Block::Says(says));
    }
    blocks.extend(result.holdout.as_ref().map(scores::held_out));
    blocks.extend(unfinished(result));
    for failure in &result.failed {
        let says = WORDS.say("not-fitted");
        let says = says
            .with("pipeline", &failure.pipeline)
            .with("why", &failure.why);
        blocks.push(Block::Note(says));
    }
    if let Some(seconds) = result.seconds {
        let says = WORDS
            .say("took")
            .with("seconds", Figure::Decimal(seconds, 2));
        blocks.push(Block::Says(says));
    }
    blocks.extend(notes(&result.warnings));
    blocks
}

/// The folds of pipelines that were stopped between them.
fn unfinished(result: &GridResult) -> Option<Block> {
    let keys = ["mean", "folds-done", "pipeline"];
    let mut table = Table::new("unfinished", head("title-unfinished"), heads(&keys));
    for one in &result.unfinished {
        let (imputer, transformer) = (&one.imputer, &one.transformer);
        table = table.row(vec![
            Cell::share(one.mean),
            Cell::whole(one.folds.len()),
            Cell::text(format!("{imputer} + {transformer} + {}", one.classifier)),
        ]);
    }
    (!result.unfinished.is_empty()).then_some(Block::Table(table))
}
