//! A grid from check boxes.

use std::sync::Arc;

use axum::Form;
use axum::extract::{Extension, Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, html};
use wits_learn::{GridPlan, Kind, Score, Spec, chain_text, methods};

use super::asked::{Asked, Choice};
use super::files::{Desk, Subject};
use super::parts::{notes, tabs};
use super::runs::Order;
use super::{bad, wrong};
use crate::pages::{back, frame, page, say};
use crate::routes::blocking;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// The most fits of one grid.
const MOST_FITS: usize = 50_000;

/// The parts of a pipeline: kind, name of the check boxes, title, what is said about them.
const PARTS: [(Kind, &str, &str, &str); 3] = [
    (
        Kind::Imputer,
        "imputer",
        "learn-imputers",
        "learn-imputers-about",
    ),
    (
        Kind::Transformer,
        "transformer",
        "learn-transformers",
        "learn-transformers-about",
    ),
    (
        Kind::Classifier,
        "classifier",
        "learn-classifiers",
        "learn-classifiers-about",
    ),
];

/// The methods of a plan as texts.
fn texts(plan: &GridPlan, kind: Kind) -> Vec<String> {
    let specs = |list: &[Spec]| list.iter().map(Spec::to_string).collect();
    match kind {
        Kind::Imputer => specs(&plan.imputers),
        Kind::Transformer => plan.transformers.iter().map(|c| chain_text(c)).collect(),
        Kind::Classifier => specs(&plan.classifiers),
    }
}

/// Every method that has a box: those of the presets, a few more, and each method as it is.
fn boxes(kind: Kind) -> Vec<String> {
    let more: &[&str] = match kind {
        Kind::Imputer => &[],
        Kind::Transformer => &["standard + pca", "standard + pca:components=3"],
        Kind::Classifier => &["svc-rbf:gamma=scale", "knn:k=1"],
    };
    let mut all = texts(&GridPlan::quick(), kind);
    all.extend(texts(&GridPlan::report(), kind));
    all.extend(more.iter().map(|&m| m.to_owned()));
    all.extend(methods(kind).iter().map(|m| m.name.to_owned()));
    let mut seen: Vec<String> = Vec::new();
    // Two ways to write the same method are one box.
    all.retain(|text| {
        let full = in_full(kind, text);
        let fresh = !seen.contains(&full);
        seen.push(full);
        fresh
    });
    let mut list = all;
    let place = |text: &String| {
        let name = text.split([':', ' ']).next().unwrap_or("");
        methods(kind).iter().position(|m| m.name == name)
    };
    list.sort_by_key(|text| (place(text), text.contains('+')));
    list
}

/// A method or a chain of them with every parameter written out.
fn in_full(kind: Kind, text: &str) -> String {
    let step = |part: &str| match Spec::read(kind, part) {
        Ok(spec) => spec.in_full(),
        Err(_) => part.trim().to_owned(),
    };
    text.split('+').map(step).collect::<Vec<_>>().join(" + ")
}

/// The boxes of a kind, each with what it does where its method is met for the first time.
fn with_abouts(kind: Kind) -> Vec<(String, String)> {
    let name = |part: &str| part.trim().split(':').next().unwrap_or("").to_owned();
    let about = |part: &str| {
        let found = methods(kind).iter().find(|m| m.name == name(part));
        found.map_or(String::new(), |m| m.about().to_string())
    };
    let mut seen = Vec::new();
    let each = boxes(kind).into_iter().map(|text| {
        let names: Vec<String> = text.split('+').map(name).collect();
        if seen.contains(&names) {
            return (text, String::new());
        }
        seen.push(names);
        let says: Vec<String> = text.split('+').map(about).collect();
        (text.clone(), says.join(" → "))
    });
    each.collect()
}

/// `GET /learn/data/NAME/grid`
pub(super) async fn show(
    State(app): State<App>,
    Extension(desk): Extension<Arc<Desk>>,
    Path(name): Path<String>,
    Query(pairs): Query<Vec<(String, String)>>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let made = blocking(move || {
        let asked = Asked(pairs);
        let subject = Subject::open(&desk, &app.store, &name, &asked)?;
        let plan = match asked.one("preset") {
            Some("report") => GridPlan::report(),
            _ => GridPlan::quick(),
        };
        Ok(sheet(&subject, &plan))
    });
    let body = made.await.map_err(|f| f.for_reader(&headers))?;
    let title = say("learn-grid-title");
    Ok(page(visitor, frame(&title, &["learn-grid.js"], &body)))
}

fn sheet(subject: &Subject, plan: &GridPlan) -> Markup {
    let found = wits_learn::describe(&subject.opened.table, &subject.data, 0);
    html! {
        main.learn-page #main {
            h1 { (WORDS.say("learn-grid-of").with("name", &subject.opened.title)) }
            (tabs(&subject.opened, &subject.choice, "grid"))
            p { (say("learn-grid-lead")) }
            p.row {
                a.button.quiet href=(subject.page("grid", &[("preset", "quick")])) { (say("learn-preset-quick")) }
                a.button.quiet href=(subject.page("grid", &[("preset", "report")])) { (say("learn-preset-report")) }
            }
            @if subject.data.missing() == 0 { p.muted #idle { (say("learn-no-gaps")) } }
            (notes(&found.warnings))
            form #grid method="post" action=(subject.page("grid", &[])) data-count=(WORDS.say("learn-count")) data-fits=(MOST_FITS) data-gaps=(subject.data.missing()) {
                p #message.error role="alert" hidden {}
                div.learn-parts {
                    @for (kind, name, title, lead) in PARTS {
                        fieldset {
                            legend { (say(title)) }
                            p.muted { (say(lead)) }
                            @let chosen: Vec<String> = texts(plan, kind).iter().map(|t| in_full(kind, t)).collect();
                            @for (text, about) in with_abouts(kind) {
                                label.learn-check {
                                    input type="checkbox" name=(name) value=(text) checked[chosen.contains(&in_full(kind, &text))];
                                    span { code { (text) } " " small.muted { (about) } }
                                }
                            }
                            details {
                                summary { (say("learn-more-methods")) }
                                label for={ "more-" (name) } { (say("learn-more-about")) }
                                textarea id={ "more-" (name) } name=(name) rows="3" spellcheck="false" {}
                                (parameters(kind))
                            }
                        }
                    }
                }
                (dealing(&subject.choice))
                div.row.learn-go {
                    button.button.primary type="submit" { (say("learn-run")) }
                    output #count aria-live="polite" {}
                }
            }
        }
    }
}

/// Every parameter of every method of a kind.
fn parameters(kind: Kind) -> Markup {
    html! {
        dl.learn-params {
            @for method in methods(kind) {
                @for param in method.params {
                    dt { code { (method.name) ":" (param.name) "=" (param.default) } }
                    dd.muted { (param.about()) ": " (param.allowed.to_string()) }
                }
            }
        }
    }
}

/// How rows are dealt and what counts.
fn dealing(choice: &Choice) -> Markup {
    html! {
        fieldset {
            legend { (say("learn-dealing")) }
            div.row {
                span.mb-pair { label for="folds" { (say("learn-folds")) } input #folds name="folds" type="number" min="2" max="50" value=(choice.folds); }
                span.mb-pair { label for="repeats" { (say("learn-repeats")) } input #repeats name="repeats" type="number" min="1" max="20" value=(choice.repeats); }
                span.mb-pair { label for="missing" { (say("learn-missing")) } input #missing name="missing" type="number" min="0" max="50" value=(choice.missing); }
                span.mb-pair { label for="holdout" { (say("learn-holdout")) } input #holdout name="holdout" type="number" min="0" max="50" value=(choice.holdout); }
                span.mb-pair { label for="seed" { (say("seed")) } input #seed name="seed" type="number" min="0" max="9007199254740991" value=(choice.seed); }
                span.mb-pair {
                    label for="score" { (say("learn-score")) }
                    select #score name="score" {
                        option value="accuracy" { (say("learn-accuracy")) }
                        option value="balanced-accuracy" { (say("learn-balanced")) }
                        option value="macro-f1" { (say("learn-macro-f1")) }
                    }
                }
            }
            label.learn-check { input type="checkbox" name="nested" value="1"; span { (say("learn-nested")) " " small.muted { (say("learn-nested-about")) } } }
        }
    }
}

/// `POST /learn/data/NAME/grid`
pub(super) async fn begin(
    State(app): State<App>,
    Extension(desk): Extension<Arc<Desk>>,
    Path(name): Path<String>,
    Query(pairs): Query<Vec<(String, String)>>,
    visitor: Visitor,
    headers: HeaderMap,
    Form(fields): Form<Vec<(String, String)>>,
) -> Result<Response, Fault> {
    let work = blocking(move || {
        // What the form says comes first; the address still knows the columns' roles.
        let asked = Asked(fields.into_iter().chain(pairs).collect());
        let subject = Subject::open(&desk, &app.store, &name, &asked)?;
        let order = order(&subject, &asked, visitor)?;
        desk.runs.begin(&app, &desk, order, visitor)
    });
    let id = work.await.map_err(|f| f.for_reader(&headers))?;
    Ok(back(&headers, visitor, &format!("/learn/runs/{id}")))
}

fn order(subject: &Subject, asked: &Asked, visitor: Visitor) -> Result<Order, Fault> {
    let list = |name: &str| -> Vec<String> {
        let mut all = asked.list(name, '\n');
        let mut seen = std::collections::BTreeSet::new();
        all.retain(|text| seen.insert(text.clone()));
        all
    };
    let score = match asked.one("score") {
        None | Some("accuracy") => Score::Accuracy,
        Some("balanced-accuracy") => Score::BalancedAccuracy,
        Some("macro-f1") => Score::MacroF1,
        Some(other) => {
            let shown: String = other.chars().take(40).collect();
            return Err(bad(
                "bad-score",
                WORDS.say("learn-bad-score").with("text", shown),
            ));
        }
    };
    let order = Order {
        data: subject.opened.name.clone(),
        title: subject.opened.title.clone(),
        choice: subject.choice.clone(),
        imputers: list("imputer"),
        transformers: list("transformer"),
        classifiers: list("classifier"),
        score,
        nested: asked.one("nested").is_some(),
        visitor: visitor.text(),
    };
    let plan = order.plan().map_err(|e| wrong(&e))?;
    let folds = (subject.choice.folds * subject.choice.repeats) as usize;
    let grids = 1 + if order.nested {
        subject.choice.folds as usize
    } else {
        0
    };
    let fits = plan.len() * folds * grids;
    if fits > MOST_FITS {
        let why = WORDS.say("learn-many-fits").with("fits", fits);
        return Err(bad("too-many-fits", why.with("most", MOST_FITS)));
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_has_a_box_and_every_preset_can_be_ticked() {
        for (kind, ..) in PARTS {
            let boxes = boxes(kind);
            let full: Vec<String> = boxes.iter().map(|b| in_full(kind, b)).collect();
            for plan in [GridPlan::quick(), GridPlan::report()] {
                for text in texts(&plan, kind) {
                    assert!(full.contains(&in_full(kind, &text)), "{text}");
                }
            }
            for method in methods(kind) {
                let named = |b: &String| b.split([':', ' ']).next() == Some(method.name);
                assert!(boxes.iter().any(named), "{}", method.name);
            }
        }
    }
}
