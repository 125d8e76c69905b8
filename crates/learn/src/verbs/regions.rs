//! `learn regions`: what a pipeline says over the plane of two features.

use wits_desk::{Answer, Cost, Param, Served, Verb};
use wits_game::Figure;

use super::{data, drawing, drawings_param, head, long, pipeline, pipeline_param};
use crate::draw;
use crate::regions::regions;
use crate::words::WORDS;

pub(super) fn verb() -> Verb {
    let mut params = data::params();
    params.push(pipeline_param("pipeline", "param-pipeline"));
    params.push(Param::text("pair", &WORDS, "param-pair-regions").shown_as("A,B"));
    params.extend(data::fold_params());
    params.push(drawings_param("param-out-regions"));
    Verb {
        id: "regions",
        about: WORDS.say("verb-regions"),
        params,
        examples: &["wits learn regions iris --pipeline \"standard + knn:k=5\""],
        served: Served::Everywhere,
        cost: Cost::LONG,
        run: |args, shelf, work| {
            let (pipeline, validation) =
                (pipeline(args.text("pipeline"))?, data::validation(args)?);
            let (rows, seed) = (data::rows(args, shelf, work)?, args.int("seed") as u64);
            let pair = args.text_if("pair");
            let pair = pair.map(|text| draw::named_pair(&rows, text));
            let found = long(work, |control| {
                regions(&rows, &pipeline, pair, validation, seed, control)
            })?;
            let says = WORDS
                .say("regions-found")
                .with("a", &found.features[0])
                .with("b", &found.features[1])
                .with("mean", Figure::share(found.accuracy.value))
                .with("low", Figure::share(found.accuracy.interval[0]))
                .with("high", Figure::share(found.accuracy.interval[1]))
                .with("baseline", Figure::share(found.baseline));
            let svg = draw::regions(&found);
            let answer = Answer::of(&found).say(says);
            Ok(answer.with(drawing("regions", head("draw-regions"), svg)))
        },
    }
}
