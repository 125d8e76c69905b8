//! Writing a base: the text with its errors at the line, the linter, and the samples at one click.

use std::sync::Arc;

use axum::Form;
use axum::extract::rejection::FormRejection;
use axum::extract::{Extension, Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, html};
use serde_json::json;
use wits_expert::lint::{self, Finding, Report};
use wits_expert::{BASES, Base, samples, template_spoken};

use super::shelf::{self, Bases, Script};
use super::{network, think};
use crate::keep::{TEXT, download};
use crate::pages::{frame, page, say};
use crate::routes::answer;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// The name of the page for a new base.
const NEW: &str = "new";

/// What the form says.
type Fields = Result<Form<Vec<(String, String)>>, FormRejection>;

/// Name, text and the hash it was read with.
struct Draft {
    name: String,
    text: String,
    was: String,
}

fn draft(form: Fields) -> Result<Draft, Fault> {
    let Form(fields) = form.map_err(|e| Fault::unreadable(e.body_text()))?;
    let field = |name: &str| {
        let found = fields.iter().find(|(key, _)| key == name);
        found.map_or(String::new(), |(_, value)| value.clone())
    };
    Ok(Draft {
        name: field("name").trim().to_owned(),
        // Browsers end lines with a carriage return when they send a text.
        text: field("text").replace("\r\n", "\n"),
        was: field("was"),
    })
}

/// A base that was looked over.
struct Checked {
    report: Report,
    base: Option<Arc<Base>>,
}

fn look_over(bases: &Bases, name: &str, text: &str) -> Checked {
    Checked {
        report: lint::check(name, text),
        base: bases.read(name, text).ok(),
    }
}

/// `GET /expert/base/NAME`; `new` starts from the template.
pub(super) async fn show(
    State(app): State<App>,
    Extension(bases): Extension<Arc<Bases>>,
    Path(name): Path<String>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let house = app.clone();
    let work = think(&app, visitor, move |_| {
        let text = if name == NEW {
            Script {
                name: String::new(),
                body: template_spoken().to_owned(),
                hash: String::new(),
                fixed: false,
            }
        } else {
            shelf::text(&house.store, &name)?
        };
        let shown = if text.name.is_empty() {
            NEW
        } else {
            &text.name
        };
        let checked = look_over(&bases, shown, &text.body);
        Ok((text, checked))
    });
    let (text, checked) = work.await.map_err(|f| f.for_reader(&headers))?;
    Ok(sheet(visitor, &text, &checked))
}

/// `POST /expert/check`: the same page with what the linter says; nothing is kept.
pub(super) async fn check(
    State(app): State<App>,
    Extension(bases): Extension<Arc<Bases>>,
    visitor: Visitor,
    headers: HeaderMap,
    form: Fields,
) -> Result<Response, Fault> {
    let work = async {
        let draft = draft(form)?;
        think(&app, visitor, move |_| {
            let name = if shelf::fits(&draft.name) {
                draft.name.as_str()
            } else {
                NEW
            };
            let checked = look_over(&bases, name, &draft.text);
            let text = Script {
                name: draft.name,
                body: draft.text,
                hash: draft.was,
                fixed: false,
            };
            Ok((text, checked))
        })
        .await
    };
    let (text, checked) = work.await.map_err(|f| f.for_reader(&headers))?;
    Ok(sheet(visitor, &text, &checked))
}

/// `POST /expert/base`: keeps a text, finished or not.
pub(super) async fn save(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    form: Fields,
) -> Result<Response, Fault> {
    let work = async {
        let draft = draft(form)?;
        let house = app.clone();
        think(&app, visitor, move |_| {
            let was = Some(draft.was.as_str()).filter(|w| !w.is_empty());
            shelf::put(&house.store, &draft.name, &draft.text, was)?;
            Ok(draft.name)
        })
        .await
    };
    let name = work.await.map_err(|f| f.for_reader(&headers))?;
    let to = format!("/expert/base/{name}");
    Ok(answer(
        &headers,
        visitor,
        &to,
        json!({ "name": name, "page": to }),
    ))
}

/// `POST /expert/base/NAME/delete`
pub(super) async fn delete(
    State(app): State<App>,
    Path(name): Path<String>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let house = app.clone();
    let work = think(&app, visitor, move |_| shelf::delete(&house.store, &name));
    work.await.map_err(|f| f.for_reader(&headers))?;
    Ok(answer(
        &headers,
        visitor,
        "/expert",
        json!({ "page": "/expert" }),
    ))
}

/// `GET /expert/base/NAME/file`
pub(super) async fn file(
    State(app): State<App>,
    Path(name): Path<String>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let house = app.clone();
    let work = think(&app, visitor, move |_| shelf::text(&house.store, &name));
    let text = work.await.map_err(|f| f.for_reader(&headers))?;
    Ok(download(TEXT, &format!("{}.pl", text.name), text.body))
}

/// A name that nothing has, to begin with.
fn suggested(text: &Script) -> String {
    match text.name.as_str() {
        "" => "mine".to_owned(),
        name if text.fixed => format!("my-{name}"),
        name => name.to_owned(),
    }
}

fn sheet(visitor: Visitor, text: &Script, checked: &Checked) -> Response {
    let title = match &checked.base {
        Some(base) => base.title.clone(),
        None if text.name.is_empty() => say("expert-new"),
        None => text.name.clone(),
    };
    let kept = !text.name.is_empty() && (text.fixed || !text.hash.is_empty());
    let body = html! {
        main.expert-page.expert-editor #main {
            p.expert-where { a href="/expert" { (say("expert-title")) } }
            h1 { (title) }
            p.lead { (say(if text.fixed { "expert-editor-fixed" } else { "expert-editor-lead" })) }
            form #draft action="/expert/base" method="post" {
                input type="hidden" name="was" value=[(!text.fixed).then_some(&text.hash)];
                div.field {
                    label for="name" { (say("expert-name")) }
                    input #name name="name" type="text" required maxlength=(shelf::LONGEST) pattern="[a-z0-9\\-]+" value=(suggested(text)) readonly[!text.fixed && !text.hash.is_empty()];
                    small { (say("expert-name-about")) }
                }
                label for="text" { (say("expert-text")) }
                div.expert-code {
                    ol.expert-lines aria-hidden="true" {}
                    textarea #text name="text" rows="28" spellcheck="false" autocapitalize="off" autocomplete="off" wrap="off" required data-failed=(say("expert-offline")) { "\n" (text.body) }
                }
                div.row {
                    button.button.primary type="submit" { (say(if text.fixed { "expert-save-copy" } else { "expert-save" })) }
                    button.button type="submit" formaction="/expert/check" formnovalidate { (say("expert-check")) }
                    @if kept { a.button.quiet href={ "/expert/base/" (text.name) "/file" } { (say("expert-download")) } }
                }
                p #message role="alert" {}
            }
            div #results {
                (findings(&checked.report))
                @if let Some(base) = &checked.base {
                    (conversations(base, kept.then_some(&text.name)))
                    details.panel {
                        summary { (say("expert-network")) }
                        (network::picture(base, &std::collections::BTreeMap::new()))
                    }
                }
            }
            @if kept && !text.fixed {
                form action={ "/expert/base/" (text.name) "/delete" } method="post" {
                    button.button.quiet type="submit" { (say("expert-delete")) }
                }
            }
            @if checked.base.is_some() && kept {
                form.row action="/expert/talk" method="post" {
                    input type="hidden" name="base" value=(text.name);
                    button.button type="submit" { (say("expert-begin")) }
                    a.button.quiet href={ "/expert/query?base=" (text.name) } { (say("expert-query")) }
                }
            }
            p.muted { (say("expert-bases")) " " @for (name, _) in BASES { a href={ "/expert/base/" (name) } { (name) } " " } }
        }
    };
    page(visitor, frame(&title, &["expert.js"], &body))
}

/// What the linter says, each finding with its line where there is one.
fn findings(report: &Report) -> Markup {
    let list = |all: &[Finding], kind: &'static str| {
        html! {
            @for finding in all {
                li.(kind) data-line=[finding.line] {
                    b { (say(if kind == "wrong" { "expert-error" } else { "expert-warning" })) ": " }
                    @if let Some(line) = finding.line {
                        a.expert-goto href="#text" data-goto=(line) data-column=[finding.column] { (WORDS.say("expert-line").with("line", line)) } ": "
                    }
                    (finding.message) " " code.muted { (finding.rule) }
                    @if let Some(pointer) = &finding.pointer { pre { (pointer) } }
                }
            }
        }
    };
    let coverage = WORDS.say("expert-coverage").with("paths", report.paths);
    let coverage = coverage.with("advised", report.advised);
    let coverage = coverage.with("rules", report.rules.0);
    let coverage = coverage.with("all-rules", report.rules.1);
    let coverage = coverage.with("parts", report.parts.0);
    let coverage = coverage.with("all-parts", report.parts.1);
    html! {
        section #findings {
            h2 { (say("expert-findings")) }
            p role="status" {
                @if report.errors.is_empty() && report.warnings.is_empty() { (say("expert-findings-none")) }
                @else { (WORDS.say("expert-findings-count").with("errors", report.errors.len()).with("warnings", report.warnings.len())) }
                @if report.paths > 0 { " " (coverage) }
            }
            ul.expert-findings { (list(&report.errors, "wrong")) (list(&report.warnings, "doubt")) }
        }
    }
}

/// The sample conversations with what came of them.
fn conversations(base: &Base, name: Option<&String>) -> Markup {
    let ran: Vec<_> = base.samples.iter().map(|s| samples::run(base, s)).collect();
    let good = ran.iter().filter(|r| r.is_ok()).count();
    html! {
        section #samples {
            h2 { (say("expert-samples")) }
            div.row {
                button.button type="submit" form="draft" formaction="/expert/check#samples" formnovalidate { (say("expert-run-samples")) }
                span role="status" { (WORDS.say("expert-samples-ran").with("good", good).with("all", ran.len())) }
            }
            @if ran.is_empty() { p.muted { (say("expert-samples-none")) } }
            ul.expert-samples {
                @for (n, (sample, result)) in base.samples.iter().zip(&ran).enumerate() {
                    li.(if result.is_ok() { "good" } else { "wrong" }) {
                        span.mark aria-hidden="true" { (if result.is_ok() { "✓" } else { "✗" }) } " "
                        b { (sample.name) } " "
                        span.muted { (base.problem(&sample.problem).map_or(sample.problem.as_str(), |p| &p.label)) @for (q, a) in &sample.answers { " · " (q) ": " (a) } " → " (sample.advice) }
                        @if let Err(why) = result { p.error { (why) } }
                        @if let (Some(name), true) = (name, base.problem(&sample.problem).is_some()) {
                            form action="/expert/talk" method="post" {
                                input type="hidden" name="base" value=(name);
                                input type="hidden" name="sample" value=(n);
                                button.button.quiet.small type="submit" { (say("expert-walk")) span.sr-only { ": " (sample.name) } }
                            }
                        }
                    }
                }
            }
        }
    }
}
