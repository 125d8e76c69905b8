//! The scratchpad: a program on the left, a query on the right, answers as they come.
//!
//! The page works as a plain form; with scripts the answers arrive one by one over an event stream,
//! and closing the stream ends the work.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Form;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, header};
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Response, Sse};
use futures_util::stream::unfold;
use maud::{Markup, PreEscaped, html};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::mpsc::unbounded_channel;
use wits_desk::{Progress, Work};
use wits_expert::query::{Answers, Evidence, Wish, ask_each};
use wits_logic::{Machine, Question, Trouble, Wanted};
use wits_sandbox::Items;

use super::proof;
use super::query::{FUEL, MOST, answer_cells, heard};
use crate::pages::{frame, page, say};
use crate::sandbox::{Order, Task};
use crate::think::Gone;
use crate::visitor::Visitor;
use crate::{App, Fault};

/// The longest program and the longest query.
const LONGEST: usize = 64 << 10;
const LONGEST_GOAL: usize = 2000;

/// Programs to begin with: name, text, a query.
const EXAMPLES: [(&str, &str, &str); 4] = [
    (
        "family",
        include_str!("examples/family.pl"),
        "ancestor(X, zoe).",
    ),
    (
        "queens",
        include_str!("examples/queens.pl"),
        "queens(6, Rows).",
    ),
    (
        "zebra",
        include_str!("examples/zebra.pl"),
        "puzzle(Zebra, Water).",
    ),
    (
        "grammar",
        include_str!("examples/grammar.pl"),
        "phrase(sentence(Tree), [the, cat, sees, a, mouse]).",
    ),
];

/// What the form says.
#[derive(Clone, Default, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct Draft {
    program: String,
    goal: String,
    /// Answers that were seen already, and how many more are wanted.
    skip: usize,
    count: Option<usize>,
    /// The name of an example to begin with.
    example: String,
    /// What the program asked and was answered, one answer a line.
    said: String,
    /// The question that is open, and the answer: a word of [`query`](super::query), `again` for none,
    /// or `line` and `number` for what stands in `line`.
    question: String,
    reply: String,
    line: String,
}

impl Draft {
    /// The draft as it may be asked; an example where nothing was written.
    fn read(mut self) -> Draft {
        let named = EXAMPLES.iter().find(|one| one.0 == self.example);
        let bare = self.program.is_empty() && self.goal.is_empty();
        if let Some((_, program, goal)) = named.or(bare.then_some(&EXAMPLES[0])) {
            (*program).clone_into(&mut self.program);
            (*goal).clone_into(&mut self.goal);
        }
        // Browsers end lines with a carriage return when they send a text.
        self.program = self.program.replace("\r\n", "\n");
        self.program
            .truncate(self.program.floor_char_boundary(LONGEST));
        self.goal = self.goal.trim().chars().take(LONGEST_GOAL).collect();
        self.said = self.answered();
        self
    }

    /// What was answered, with the reply to the open question. Asking anew begins without answers.
    fn answered(&self) -> String {
        let line: String = self.line.chars().take(LONGEST_GOAL).collect();
        let word = match self.reply.as_str() {
            "" => return String::new(),
            "again" => return self.said.clone(),
            "line" => format!("={}", line.replace(['\r', '\n'], " ")),
            "number" => format!(":{}", line.trim()),
            word => word.to_owned(),
        };
        let mut said = self.said.replace('\r', "");
        said.truncate(said.floor_char_boundary(LONGEST));
        if !said.is_empty() && !said.ends_with('\n') {
            said.push('\n');
        }
        said + &self.question + "-" + &word
    }
}

/// What came of a query, besides the answers themselves.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Ended {
    /// How it ended: a sentence, an error, the reasons of a failure.
    html: String,
    /// The line of the program that an error is at.
    line: Option<usize>,
    /// Whether there may be more answers.
    more: bool,
    /// All answers, for a page that did not hear them one by one.
    answers: Vec<String>,
}

impl Task for Draft {
    const ROOM: &'static str = "expert";
    const VERB: &'static str = "scratch";
    type Output = Ended;

    fn run(self, _: &mut Items, work: &mut Work<'_>) -> Result<Ended, Fault> {
        let mut machine = Machine::new();
        machine.refuel(FUEL);
        let loaded = machine.load("program", &self.program);
        if let Some(trouble) = loaded.errors.first() {
            return Ok(Ended {
                html: trouble_html(trouble).into_string(),
                line: trouble.place.as_ref().map(|place| place.line),
                ..Ended::default()
            });
        }
        let count = self.count.unwrap_or(20).clamp(1, MOST);
        let wish = Wish {
            limit: (self.skip + count).min(MOST),
            proof: true,
            fuel: FUEL,
            said: self.said.lines().filter_map(heard).collect(),
            ..Wish::default()
        };
        let budget = work.budget().clone();
        let mut told = Vec::new();
        let mut each = |n: usize, row: &Row, evidence: Option<Evidence<'_>>| {
            if n > self.skip {
                let html = answer_html(n, row, evidence).into_string();
                work.tell(Progress {
                    done: n as u64,
                    total: None,
                    news: json!({ "answer": html }),
                });
                told.push(html);
            }
        };
        let answers = ask_each(&mut machine, &self.goal, wish, &budget, &mut each);
        Ok(Ended {
            html: end_html(&self.said, &answers).into_string(),
            line: None,
            more: answers.more && answers.solutions.len() < MOST,
            answers: told,
        })
    }
}

/// The bindings of an answer.
type Row = serde_json::Map<String, Value>;

/// One answer: its bindings, its proof, and what the checker says of that.
fn answer_html(n: usize, row: &Row, found: Option<Evidence<'_>>) -> Markup {
    html! {
        li {
            div.scratch-answer {
                span.muted { (n) } " "
                @if row.is_empty() { b { (say("expert-true")) } } @else { (answer_cells(row)) }
            }
            @if let Some((found, verdict)) = found {
                details {
                    summary { (say("expert-proof")) span.sr-only { " " (n) } }
                    (proof::checked(None, found, verdict))
                }
            }
        }
    }
}

fn trouble_html(trouble: &Trouble) -> Markup {
    html! {
        div.error role="alert" {
            p { (trouble.message) }
            @if let Some(place) = &trouble.place { pre { (place) "\n" (place.pointer()) } }
            @if let Some(hint) = &trouble.hint { p { (hint) } }
        }
    }
}

/// How a query ended: what it wrote, what went wrong, or why there is no answer.
fn end_html(said: &str, answers: &Answers) -> Markup {
    html! {
        input type="hidden" name="said" value=(said);
        @if !answers.output.is_empty() { pre.expert-output { (answers.output) } }
        @if let Some(question) = &answers.asked {
            (question_html(said, question))
        } @else if let Some(trouble) = &answers.error {
            (trouble_html(trouble))
        } @else if answers.solutions.is_empty() {
            p { b { (say("expert-false")) } }
            @if !answers.reasons.is_empty() {
                details open {
                    summary { (say("expert-false-why")) }
                    ul.expert-told {
                        @for reason in &answers.reasons {
                            li { (reason.text) @if !reason.path.is_empty() { " " span.muted { (say("expert-inside")) " " code { (reason.path.join(" → ")) } } } }
                        }
                    }
                }
            }
        } @else if answers.more {
            p.muted { (say("scratch-more")) }
        } @else {
            p.muted { (say("scratch-all")) }
        }
    }
}

/// What the program asks, to be answered in the form that the query is in.
fn question_html(said: &str, question: &Question) -> Markup {
    let reads = matches!(question.wanted, Wanted::Line | Wanted::Term);
    // What a program reads is told apart by how much was answered before.
    let name = if reads {
        format!("'$input'({})", said.lines().count())
    } else {
        question.term.clone()
    };
    let reply = |word: &str, label: &str| html! { button.button type="submit" name="reply" value=(word) { (label) } };
    let typed = |kind: &str, word: &str, label: &str| {
        html! {
            div.field {
                label for="line" { (label) }
                input #line name="line" type=(kind) step="any" maxlength=(LONGEST_GOAL) autocomplete="off";
            }
            (reply(word, &say("expert-number-say")))
        }
    };
    html! {
        section.panel #question {
            h2 { (say("expert-asks")) }
            p { (question.term) }
            input type="hidden" name="question" value=(name);
            div.row {
                @match &question.wanted {
                    Wanted::YesNo => {
                        (reply("yes", &say("expert-yes"))) (reply("no", &say("expert-no")))
                        (reply("unknown", &say("expert-unknown")))
                    }
                    Wanted::Choice(options) => {
                        @for (n, option) in options.iter().enumerate() { (reply(&format!("#{}", n + 1), option)) }
                        (reply("unknown", &say("expert-unknown")))
                    }
                    Wanted::Number => {
                        (typed("number", "number", &say("expert-number")))
                        (reply("unknown", &say("expert-unknown")))
                    }
                    Wanted::Line | Wanted::Term => (typed("text", "line", &say("expert-read-line"))),
                }
            }
        }
    }
}

/// `GET /expert/scratch`: nothing is run, an address only fills the page in.
pub(super) async fn show(Query(draft): Query<Draft>, visitor: Visitor) -> Response {
    sheet(visitor, &draft.read(), None)
}

/// `POST /expert/scratch`: the answers, one by one to whoever wants a stream, else as a page.
pub(super) async fn ask(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    Form(draft): Form<Draft>,
) -> Result<Response, Fault> {
    let draft = draft.read();
    let accept = headers.get(header::ACCEPT).and_then(|v| v.to_str().ok());
    if accept.is_some_and(|accept| accept.contains("text/event-stream")) {
        return Ok(stream(app, visitor, draft));
    }
    let ended = app.confined(visitor, draft.clone()).await;
    let ended = ended.map_err(|f| f.for_reader(&headers))?;
    Ok(sheet(visitor, &draft, Some(&ended)))
}

/// Answers as they come, then how it ended. Who closes the stream ends the work.
fn stream(app: App, visitor: Visitor, draft: Draft) -> Response {
    let (tell, heard) = unbounded_channel::<(&'static str, Value)>();
    let order = Order::new(draft);
    let gone = Gone(Arc::clone(&order.stop));
    let news = tell.clone();
    let order = Order {
        tell: Box::new(move |progress: Progress| {
            let _ = news.send(("answer", progress.news["answer"].clone()));
        }),
        ..order
    };
    tokio::spawn(async move {
        let last = match app.confined_with(visitor.account(), order).await {
            Ok((ended, _)) => json!({"html": ended.html, "line": ended.line, "more": ended.more}),
            Err(fault) => {
                let (message, hint) = (fault.message.to_string(), fault.hint.to_string());
                let html = html! { div.error role="alert" { p { (message) } p { (hint) } } };
                json!({"html": html.into_string(), "line": null, "more": false})
            }
        };
        let _ = tell.send(("end", last));
    });
    let events = unfold((heard, gone), |(mut heard, gone)| async move {
        let (name, data) = heard.recv().await?;
        let event = Event::default().event(name).json_data(data).ok()?;
        Some((Ok::<Event, Infallible>(event), (heard, gone)))
    });
    let alive = KeepAlive::new().interval(Duration::from_secs(15));
    let mut response = Sse::new(events).keep_alive(alive).into_response();
    visitor.introduce(&mut response);
    response
}

fn sheet(visitor: Visitor, draft: &Draft, ended: Option<&Ended>) -> Response {
    let title = say("scratch-title");
    let body = html! {
        main.expert-page.scratch #main data-offline=(say("expert-offline")) {
            p.expert-where { a href="/expert" { (say("expert-title")) } }
            h1 { (title) }
            p.lead { (say("scratch-lead")) }
            p.row.scratch-examples {
                span { (say("scratch-examples")) }
                @for (name, _, _) in EXAMPLES { a href={ "/expert/scratch?example=" (name) } { (name) } " " }
            }
            form #scratch action="/expert/scratch" method="post" {
                div.scratch-desk {
                    div {
                        label for="program" { (say("scratch-program")) }
                        div.expert-code {
                            ol.expert-lines aria-hidden="true" data-wrong=[ended.and_then(|e| e.line)] {}
                            div.scratch-paper {
                                pre.scratch-colours aria-hidden="true" {}
                                textarea #program name="program" rows="22" maxlength=(LONGEST) spellcheck="false" autocapitalize="off" autocomplete="off" wrap="off" { "\n" (draft.program) }
                            }
                        }
                    }
                    div {
                        label for="goal" { (say("scratch-goal")) }
                        textarea #goal name="goal" rows="2" maxlength=(LONGEST_GOAL) spellcheck="false" autocapitalize="off" autocomplete="off" required { (draft.goal) }
                        div.row {
                            button.button.primary type="submit" name="count" value="20" { (say("expert-ask")) " " kbd aria-hidden="true" { "Ctrl+↵" } }
                            button.button type="button" #next hidden { (say("scratch-next")) }
                            button.button type="button" #all hidden { (say("scratch-every")) }
                            button.button type="button" #stop hidden { (say("scratch-stop")) }
                            button.button.quiet type="button" #share hidden data-done=(say("scratch-shared")) { (say("scratch-share")) }
                        }
                        section #answers aria-live="polite" {
                            ol.scratch-answers { @if let Some(ended) = ended { @for one in &ended.answers { (PreEscaped(one)) } } }
                            div #end { @if let Some(ended) = ended { (PreEscaped(&ended.html)) } }
                        }
                    }
                }
            }
        }
    };
    let scripts = ["thread.js", "expert-scratch.js"];
    page(visitor, frame(&title, &scripts, &body))
}
