//! One pipeline closely: its folds, its classes, its mistakes, and the model it makes.

use std::sync::Arc;

use axum::extract::{Extension, Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, html};
use wits_desk::Block;
use wits_learn::classify::Classifier;
use wits_learn::{CrossValidated, Pipeline, draw, rust_source};

use super::asked::Asked;
use super::files::{Desk, Subject};
use super::parts::{picture, tabs};
use super::{plots, scores, thinking, wrong};
use crate::desk::{blocks, keep as part_of};
use crate::keep::{CSV, JSON, SVG, TEXT, csv_line, download};
use crate::pages::{frame, page, say};
use crate::routes::blocking;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// What is looked at where nothing is named: quick, and good on most tables.
pub(super) const USUAL: &str = "mean + standard + random-forest:trees=100";
/// How deep a tree is drawn.
const DEPTH: usize = 5;

/// Opens the table of an address and reads its pipeline.
pub(super) async fn opened(
    app: &App,
    desk: &Arc<Desk>,
    name: String,
    asked: &Asked,
) -> Result<(Subject, Pipeline), Fault> {
    let pipeline = match asked.pipeline("pipeline")? {
        Some(pipeline) => pipeline,
        None => USUAL.parse().map_err(|e| wrong(&e))?,
    };
    let (app, desk, asked) = (app.clone(), Arc::clone(desk), asked.clone());
    let subject = blocking(move || Subject::open(&desk, &app.store, &name, &asked)).await?;
    Ok((subject, pipeline))
}

/// `GET /learn/data/NAME/pipeline`
pub(super) async fn show(
    State(app): State<App>,
    Extension(desk): Extension<Arc<Desk>>,
    Path(name): Path<String>,
    Query(pairs): Query<Vec<(String, String)>>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let asked = Asked(pairs);
    let made = async {
        let (subject, pipeline) = opened(&app, &desk, name, &asked).await?;
        let most = subject.data.classes().len() as u64 - 1;
        let chosen = match (asked.one("truth"), asked.one("predicted")) {
            (Some(_), Some(_)) => Some((
                asked.whole("truth", 0, 0, most)? as usize,
                asked.whole("predicted", 0, 0, most)? as usize,
            )),
            _ => None,
        };
        let checked = thinking::check(&app, visitor, &subject, &pipeline).await?;
        Ok((subject, pipeline, checked, chosen))
    };
    let (subject, pipeline, (question, answer, found), chosen) =
        made.await.map_err(|f: Fault| f.for_reader(&headers))?;
    let text = pipeline.to_string();
    let title = WORDS
        .say("learn-pipeline-title")
        .with("name", &subject.opened.title)
        .to_string();
    // The matrix whose cells lead to rows stands below.
    let other = |block: &&Block| !matches!(block, Block::Table(t) if t.name == "confusion");
    let shown: Vec<Block> = answer.blocks.iter().filter(other).cloned().collect();
    let body = html! {
        main.learn-page #main {
            h1 { (title) }
            (tabs(&subject.opened, &subject.choice, "pipeline"))
            (form(&subject, &text))
            (blocks(&shown, &|part| question.address(&[("keep", part)])))
            h2 { (say("learn-confusion")) }
            p { (say("learn-confusion-lead")) }
            (scores::confusion(&subject, &found, &text, chosen))
            (scores::rows(&subject, &found, &text, chosen))
            (plots::section(&subject, &text, plots::pair(&asked).as_deref()))
            h2 { (say("learn-keep")) }
            (downloads(&subject, &pipeline))
        }
    };
    Ok(page(visitor, frame(&title, &["learn-pipeline.js"], &body)))
}

/// The hidden fields that keep what was chosen from a table.
pub(super) fn hidden(subject: &Subject, but: &[&str]) -> Markup {
    let query = subject.choice.query(&[]);
    let pairs: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes())
        .into_owned()
        .collect();
    html! { @for (key, value) in pairs.iter().filter(|(key, _)| !but.contains(&key.as_str())) { input type="hidden" name=(key) value=(value); } }
}

fn form(subject: &Subject, text: &str) -> Markup {
    html! {
        form.learn-ask method="get" action=(subject.opened.page("pipeline", "")) {
            (hidden(subject, &["folds", "repeats"]))
            div.field.wide {
                label for="pipeline" { (say("learn-the-pipeline")) }
                input #pipeline name="pipeline" type="text" value=(text) spellcheck="false" required;
                small { (say("learn-pipeline-about")) }
            }
            div.row {
                span.mb-pair { label for="folds" { (say("learn-folds")) } input #folds name="folds" type="number" min="2" max="50" value=(subject.choice.folds); }
                span.mb-pair { label for="repeats" { (say("learn-repeats")) } input #repeats name="repeats" type="number" min="1" max="20" value=(subject.choice.repeats); }
                button.button.primary type="submit" { (say("learn-check")) }
            }
        }
    }
}

fn is_tree(pipeline: &Pipeline) -> bool {
    pipeline.classifier.name() == "tree"
}

fn downloads(subject: &Subject, pipeline: &Pipeline) -> Markup {
    let text = pipeline.to_string();
    let fields = [("pipeline", text.as_str())];
    let keep = |what: &str| subject.page(&format!("keep/{what}"), &fields);
    let trees = ["tree", "random-forest", "extra-trees"].contains(&pipeline.classifier.name());
    html! {
        p.row {
            a.button href=(keep("model.json")) { (say("learn-keep-model")) }
            a.button.quiet href=(keep("run.json")) { (say("learn-keep-run")) }
            a.button.quiet href=(keep("answers.csv")) { (say("learn-keep-answers")) }
            a.button.quiet href=(keep("confusion.svg")) { (say("learn-keep-confusion")) }
            a.button.quiet href=(keep("pipeline.py")) { (say("learn-keep-python")) }
            @if trees { a.button.quiet href=(keep("model.rs")) { (say("learn-keep-source")) } }
            @if is_tree(pipeline) { a.button.quiet href=(keep("tree.svg")) { (say("learn-keep-tree")) } }
        }
        p.muted { (say("learn-keep-about")) }
        @if is_tree(pipeline) {
            figure.learn-figure { div.learn-scroll tabindex="0" role="region" aria-label=(say("learn-tree")) { img src=(subject.page("keep/tree", &fields)) alt=(say("learn-tree")) loading="lazy"; } }
        }
        p.row {
            a.button href=(subject.page("what-if", &fields)) { (say("learn-to-what-if")) }
            a.button href=(subject.page("compare", &[("a", &text)])) { (say("learn-to-compare")) }
        }
    }
}

/// `GET /learn/data/NAME/keep/WHAT`: model, run, answers and drawings of a pipeline.
pub(super) async fn keep(
    State(app): State<App>,
    Extension(desk): Extension<Arc<Desk>>,
    Path((name, what)): Path<(String, String)>,
    Query(pairs): Query<Vec<(String, String)>>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let asked = Asked(pairs);
    let made = async {
        let (subject, pipeline) = opened(&app, &desk, name, &asked).await?;
        if ["model.json", "model.rs", "tree.svg", "tree"].contains(&what.as_str()) {
            let model = thinking::train(&app, &desk, visitor, &subject, &pipeline).await?;
            return blocking(move || {
                Ok(match (what.as_str(), &model.fitted.classifier) {
                    ("model.json", _) => download(JSON, "model.json", model.to_json()),
                    ("model.rs", _) => {
                        let source = rust_source(&model).map_err(|e| wrong(&e))?;
                        download(TEXT, "model.rs", source)
                    }
                    (_, Classifier::Tree(tree)) => {
                        let schema = &model.schema;
                        let svg = draw::tree(tree, &schema.features(), &schema.classes, DEPTH);
                        if what == "tree" {
                            picture(svg)
                        } else {
                            download(SVG, "tree.svg", svg)
                        }
                    }
                    _ => return Err(Fault::missing()),
                })
            })
            .await;
        }
        let (_, answer, found) = thinking::check(&app, visitor, &subject, &pipeline).await?;
        match what.as_str() {
            "run.json" => part_of(&answer.blocks, "save"),
            "confusion.svg" => part_of(&answer.blocks, "svg"),
            "pipeline.py" => part_of(&answer.blocks, "python"),
            "answers.csv" => {
                let csv = answers(&found, subject.data.classes());
                Ok(download(CSV, "answers.csv", csv))
            }
            _ => Err(Fault::missing()),
        }
    };
    made.await.map_err(|f: Fault| f.for_reader(&headers))
}

fn answers(found: &CrossValidated, classes: &[String]) -> String {
    let mut out = csv_line(["row", "truth", "predicted"]);
    for a in &found.answers {
        let class = |c: u32| classes[c as usize].clone();
        out += &csv_line(&[a.row.to_string(), class(a.truth), class(a.predicted)]);
    }
    out
}
