//! The scratchpad: a program on the left, a query on the right, answers as they come.
//!
//! The page works as a plain form; with scripts the answers arrive one by one over an event stream,
//! and closing the stream ends the work. The run that found the last answer is kept for a while, so
//! that the next one goes on from there.

pub(super) mod run;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Form;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, header};
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Response, Sse};
use futures_util::stream::unfold;
use maud::{PreEscaped, html};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::sync::mpsc::unbounded_channel;
use wits_desk::Progress;

use self::run::Ended;
use crate::pages::{frame, page, say};
use crate::sandbox::Order;
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
    /// What an answer should be like, to be told why there is none.
    why: String,
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
        self.why = self.why.trim().chars().take(LONGEST_GOAL).collect();
        self.said = self.answered();
        self
    }

    /// The name of the run that found this many answers for a visitor.
    fn kept(&self, visitor: Visitor, found: usize) -> String {
        let mut hash = Sha256::new();
        for part in [&self.program, &self.goal, &self.said] {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        let hash = crate::seal::hex(&hash.finalize());
        format!("{} {hash} {found}", visitor.text())
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
    visitor.may_compute()?;
    let ended = perform(&app, visitor, Order::new(draft.clone())).await;
    let ended = ended.map_err(|f| f.for_reader(&headers))?;
    Ok(sheet(visitor, &draft, Some(&ended)))
}

/// Goes on with the run that found the answers before, if it is still there, and keeps the run.
async fn perform(app: &App, visitor: Visitor, order: Order<Draft>) -> Result<Ended, Fault> {
    let draft = order.task.clone();
    let kept = (draft.skip > 0).then(|| app.runs.get(&draft.kept(visitor, draft.skip)));
    let order = match kept.flatten() {
        Some(run) => order.with(run::RUN, run.to_vec()),
        None => order,
    };
    let (ended, mut items) = app.confined_with(visitor.account(), order).await?;
    if let Some(run) = items.remove(run::RUN) {
        app.runs.put(draft.kept(visitor, ended.found), run);
    }
    Ok(ended)
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
        let last = match perform(&app, visitor, order).await {
            Ok(ended) => json!({"html": ended.html, "lines": ended.lines, "more": ended.more}),
            Err(fault) => {
                let (message, hint) = (fault.message.to_string(), fault.hint.to_string());
                let html = html! { div.error role="alert" { p { (message) } p { (hint) } } };
                json!({"html": html.into_string(), "lines": [], "more": false})
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
        main.expert-page.scratch #main data-offline=(say("expert-offline")) data-stopped=(say("scratch-stopped")) {
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
                            ol.expert-lines aria-hidden="true" data-wrong=[ended.map(|e| lines(&e.lines))] {}
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

/// The numbers of lines in an attribute.
fn lines(lines: &[usize]) -> String {
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    lines.join(" ")
}
