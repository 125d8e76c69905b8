//! Writing a base: the text with its errors at the line, the linter, and the samples at one click.

use axum::Form;
use axum::extract::rejection::FormRejection;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, PreEscaped, html};
use serde::{Deserialize, Serialize};
use serde_json::json;
use wits_desk::Work;
use wits_expert::lint::{self, Finding, Report};
use wits_expert::{BASES, Base, samples, template_spoken};
use wits_sandbox::Items;

use super::network;
use super::shelf::{self, Script};
use crate::keep::{TEXT, download};
use crate::own::{is_address, kept};
use crate::pages::{frame, page, say};
use crate::routes::{answer, blocking};
use crate::sandbox::{Order, Task};
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
    base: Option<Base>,
}

/// A text to be looked over; what comes of it is the title and the body of its page.
#[derive(Serialize, Deserialize)]
pub(super) struct LookOver(Script);

impl Task for LookOver {
    const ROOM: &'static str = "expert";
    const VERB: &'static str = "check";
    type Output = (String, String);

    fn run(self, _: &mut Items, _: &mut Work<'_>) -> Result<(String, String), Fault> {
        let text = self.0;
        let name = if shelf::fits(&text.name) {
            &text.name
        } else {
            NEW
        };
        let checked = Checked {
            report: lint::check(name, &text.body),
            base: Base::read(name, &text.body).ok(),
        };
        let (title, body) = sheet(&text, &checked);
        Ok((title, body.into_string()))
    }
}

/// The page of a text that was looked over.
async fn looked_over(app: &App, visitor: Visitor, text: Script) -> Result<Response, Fault> {
    // Our own texts cost little and are nobody's program: a first visitor may look at them, too.
    let ours = text.fixed || text.name.is_empty() && text.body == template_spoken();
    if !ours {
        visitor.may_compute()?;
    }
    let order = Order::new(LookOver(text));
    let ((title, body), _) = app.confined_with(visitor.account(), order).await?;
    let body = PreEscaped(body);
    Ok(page(visitor, frame(&title, &["expert.js"], &body)))
}

/// `GET /expert/base/NAME`; `new` starts from the template.
pub(super) async fn show(
    State(app): State<App>,
    Path(name): Path<String>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let house = app.clone();
    let work = async {
        let text = if name == NEW {
            Script {
                name: String::new(),
                title: String::new(),
                body: template_spoken().to_owned(),
                hash: String::new(),
                fixed: false,
                mine: true,
            }
        } else {
            blocking(move || shelf::text(&house, visitor, &name)).await?
        };
        looked_over(&app, visitor, text).await
    };
    work.await.map_err(|f: Fault| f.for_reader(&headers))
}

/// `POST /expert/check`: the same page with what the linter says; nothing is kept.
pub(super) async fn check(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    form: Fields,
) -> Result<Response, Fault> {
    let work = async {
        let draft = draft(form)?;
        let text = Script {
            name: draft.name.clone(),
            title: draft.name,
            body: draft.text,
            hash: draft.was,
            fixed: false,
            mine: true,
        };
        looked_over(&app, visitor, text).await
    };
    work.await.map_err(|f: Fault| f.for_reader(&headers))
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
        blocking(move || {
            let was = Some(draft.was.as_str()).filter(|w| !w.is_empty());
            let gone = shelf::put(&house, visitor, &draft.name, &draft.text, was)?;
            Ok((draft.name, gone))
        })
        .await
    };
    let (name, gone) = work.await.map_err(|f| f.for_reader(&headers))?;
    let to = format!("/expert/base/{name}");
    if !gone.is_empty() {
        return Ok(kept(&headers, visitor, &to, &gone));
    }
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
    let work = blocking(move || shelf::delete(&app, visitor, &name));
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
    let work = blocking(move || shelf::text(&app, visitor, &name));
    let text = work.await.map_err(|f| f.for_reader(&headers))?;
    Ok(download(TEXT, &format!("{}.pl", text.title), text.body))
}

/// A name that nothing has, to begin with.
fn suggested(text: &Script) -> String {
    match text.title.as_str() {
        "" => "mine".to_owned(),
        name if text.locked() => format!("my-{name}"),
        name => name.to_owned(),
    }
}

/// The title and the body of the editor.
fn sheet(text: &Script, checked: &Checked) -> (String, Markup) {
    let title = match &checked.base {
        Some(base) => base.title.clone(),
        None if text.name.is_empty() => say("expert-new"),
        None => text.title.clone(),
    };
    let kept = !text.name.is_empty() && (text.locked() || !text.hash.is_empty());
    let body = html! {
        main.expert-page.expert-editor #main {
            p.expert-where { a href="/expert" { (say("expert-title")) } }
            h1 { (title) }
            p.lead { (say(if text.locked() { "expert-editor-fixed" } else { "expert-editor-lead" })) }
            form #draft action="/expert/base" method="post" {
                input type="hidden" name="was" value=[(!text.locked()).then_some(&text.hash)];
                div.field {
                    label for="name" { (say("expert-name")) }
                    input #name name="name" type="text" required maxlength=(shelf::LONGEST) pattern="[a-z0-9\\-]+" value=(suggested(text)) readonly[!text.locked() && !text.hash.is_empty()];
                    small { (say("expert-name-about")) }
                }
                label for="text" { (say("expert-text")) }
                div.expert-code {
                    ol.expert-lines aria-hidden="true" {}
                    textarea #text name="text" rows="28" spellcheck="false" autocapitalize="off" autocomplete="off" wrap="off" required data-failed=(say("expert-offline")) { "\n" (text.body) }
                }
                div.row {
                    button.button.primary type="submit" { (say(if text.locked() { "expert-save-copy" } else { "expert-save" })) }
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
            @if kept && !text.locked() && is_address(&text.name) {
                p.muted { (say("expert-link-lead")) " " a href={ "/expert/base/" (text.name) } { "/expert/base/" (text.name) } }
            }
            @if kept && !text.locked() {
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
    (title, body)
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
