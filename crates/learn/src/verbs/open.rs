//! `learn open`: a run that was kept, as it was shown.

use wits_desk::{Answer, Cost, Param, Served, Verb};
use wits_game::Figure;

use super::compare::comparison_blocks;
use super::cv::cv_blocks;
use super::grid::grid_blocks;
use super::refusal_in;
use super::tune::curve_blocks;
use crate::run::{Found, Run};
use crate::words::WORDS;

pub(super) fn verb() -> Verb {
    let run = Param::file("run", &WORDS, "param-run").positional();
    Verb {
        id: "open",
        about: WORDS.say("verb-open"),
        params: vec![run.shown_as("RUN")],
        examples: &["wits learn open run.json"],
        served: Served::Everywhere,
        cost: Cost::READING,
        run: |args, shelf, _| {
            let name = args.text("run");
            let run = Run::from_json(&shelf.text(name)?);
            let run = run.map_err(|e| refusal_in(name, &e))?;
            let (found, blocks) = match &run.found {
                Found::Grid { result, nested } => {
                    let mut answer = Answer::of(result);
                    answer.data["nested"] = Answer::of(nested).data;
                    (answer, grid_blocks(result, nested.as_ref()))
                }
                Found::Cv(found) => (Answer::of(found), cv_blocks(found, &run.schema.classes)),
                Found::Tune(curve) => (Answer::of(curve), curve_blocks(curve)),
                Found::Compare(found) => (Answer::of(found), comparison_blocks(found)),
            };
            let made = WORDS
                .say("made-by")
                .with("version", &run.made_with)
                .with("rows", Figure::whole(run.rows))
                .with("missing", Figure::whole(run.missing))
                .with("data", &run.data);
            let mut answer = found.say(made);
            answer.blocks.extend(blocks);
            Ok(answer)
        },
    }
}
