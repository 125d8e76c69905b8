//! Any goal to any base: solutions as a table, proofs that fold out, the reasons of a failure, and
//! the engine's steps.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, PreEscaped, html};
use serde::{Deserialize, Serialize};
use wits_desk::Work;
use wits_expert::query::{Answers, Wish, ask_each};
use wits_expert::{Base, Figure, Reply, STEPS};
use wits_logic::{Answer, Fuel, Machine, Wanted};
use wits_sandbox::Items;

use super::proof;
use super::shelf::{self, Script};
use crate::pages::{frame, page, say};
use crate::routes::blocking;
use crate::sandbox::Task;
use crate::visitor::Visitor;
use crate::without::without;
use crate::{App, Fault, WORDS};

/// The longest goal.
const LONGEST: usize = 2000;
/// Solutions in a table, unless more are asked for, and at most.
const USUAL: usize = 20;
pub(super) const MOST: usize = 500;
/// What one query may cost.
pub(super) const FUEL: Fuel = Fuel {
    steps: 50_000_000,
    cells: 8 << 20,
};

fn fuel() -> Fuel {
    let (steps, cells) = (usize::MAX as u64, 1 << 40);
    if without("endless-goals") {
        Fuel { steps, ..FUEL }
    } else if without("greedy-goals") {
        Fuel { steps, cells }
    } else {
        FUEL
    }
}

/// Goals to begin with, for any base.
const EXAMPLES: [&str; 4] = [
    "part_parent(Part, Whole).",
    "part_tag(Part, Tag).",
    "problem(Problem, Label, Category).",
    "fix(Problem, advice(Name, Steps)).",
];

/// What the form says. Answers to questions come as `said=question-yes`, `said=question-#2` (the
/// second choice) or `said=question-:2.5`, as often as needed.
#[derive(Clone, Default)]
struct Asked {
    base: String,
    goal: String,
    limit: usize,
    said: Vec<(String, Answer)>,
}

/// An answer as it stands in an address.
pub(super) fn word(answer: &Answer) -> String {
    match answer {
        Answer::Yes => "yes".to_owned(),
        Answer::No => "no".to_owned(),
        Answer::Unknown => "unknown".to_owned(),
        Answer::Option(n) => format!("#{}", n + 1),
        Answer::Number(x) => format!(":{x}"),
        Answer::Line(text) => format!("={text}"),
        Answer::End => "=".to_owned(),
    }
}

/// An answer read back, with its question.
pub(super) fn heard(text: &str) -> Option<(String, Answer)> {
    // A line for the program to read may hold anything, so its question tells it apart.
    if let Some((question, line)) = text.split_once("-=")
        && question.starts_with("'$input'(")
    {
        return Some((question.to_owned(), Answer::Line(line.to_owned())));
    }
    if let Some((question, number)) = text.rsplit_once("-:") {
        let number = Figure::read(number)?;
        return Some((question.to_owned(), Answer::Number(number.value())));
    }
    let (question, word) = text.rsplit_once('-')?;
    let answer = match (word.strip_prefix('#'), Reply::read(word)) {
        (Some(n), _) => Answer::Option(n.parse::<usize>().ok()?.checked_sub(1)?),
        (_, Some(Reply::Yes)) => Answer::Yes,
        (_, Some(Reply::No)) => Answer::No,
        (_, Some(_)) => Answer::Unknown,
        _ => return None,
    };
    Some((question.to_owned(), answer))
}

impl Asked {
    fn read(pairs: Vec<(String, String)>) -> Asked {
        let mut asked = Asked {
            base: "printer".to_owned(),
            limit: USUAL,
            ..Asked::default()
        };
        let mut open = None;
        for (key, value) in pairs {
            match key.as_str() {
                "base" => asked.base = value,
                "goal" => asked.goal = value.trim().chars().take(LONGEST).collect(),
                "limit" => asked.limit = value.parse().unwrap_or(USUAL).clamp(1, MOST),
                "said" => asked.said.extend(heard(&value)),
                // A number that was typed, to the question that came with it.
                "question" => open = Some(value),
                "number" => {
                    let number = Figure::read(&value).map(|n| Answer::Number(n.value()));
                    asked.said.extend(open.take().zip(number));
                }
                "line" => {
                    let line: String = value.chars().take(LONGEST).collect();
                    asked
                        .said
                        .extend(open.take().map(|q| (q, Answer::Line(line))));
                }
                _ => {}
            }
        }
        asked
    }

    /// The same question once more, as an address.
    fn query(&self) -> String {
        let mut out = format!("base={}&goal={}", coded(&self.base), coded(&self.goal));
        if self.limit != USUAL {
            let _ = write!(out, "&limit={}", self.limit);
        }
        for (question, answer) in &self.said {
            let said = format!("{question}-{}", word(answer));
            let _ = write!(out, "&said={}", coded(&said));
        }
        out
    }

    /// The same question with one more answer.
    fn also(&self, question: &str, answer: Answer) -> Asked {
        let mut asked = self.clone();
        asked.said.push((question.to_owned(), answer));
        asked
    }

    fn wish(&self) -> Wish {
        Wish {
            limit: self.limit,
            proof: true,
            fuel: fuel(),
            said: self.said.clone(),
            ..Wish::default()
        }
    }
}

/// A text as it may stand in an address.
fn coded(text: &str) -> String {
    let mut out = String::new();
    for b in text.bytes() {
        if b.is_ascii_alphanumeric() || b"-_.~".contains(&b) {
            out.push(char::from(b));
        } else {
            let _ = write!(out, "%{b:02X}");
        }
    }
    out
}

/// What came of a query.
struct Found {
    answers: Answers,
    base: Option<Base>,
}

/// A machine with the program of a base; a program that is no base can be asked, too.
fn machine(text: &Script) -> Result<(Machine, Option<Base>), Fault> {
    if let Ok(base) = Base::declared(&text.name, &text.body) {
        return Ok((base.machine.clone(), Some(base)));
    }
    let mut m = Machine::new();
    m.refuel(FUEL);
    let loaded = m.load(&text.name, &text.body);
    match loaded.errors.into_iter().next() {
        Some(error) => Err(shelf::unusable(&wits_expert::BaseError::Program(error))),
        None => Ok((m, None)),
    }
}

/// A goal put to a base.
#[derive(Serialize, Deserialize)]
struct Posed {
    /// What the form said, as an address has it.
    query: String,
    script: Script,
}

impl Posed {
    fn new(asked: &Asked, script: Script) -> Posed {
        let query = asked.query();
        Posed { query, script }
    }

    fn asked(&self) -> Asked {
        let pairs = form_urlencoded::parse(self.query.as_bytes());
        Asked::read(pairs.into_owned().collect())
    }

    fn ask(&self, wish: Wish, work: &Work<'_>) -> Result<Found, Fault> {
        let (mut m, base) = machine(&self.script)?;
        let goal = self.asked().goal;
        let answers = ask_each(&mut m, &goal, wish, work.budget(), &mut |_| ());
        Ok(Found { answers, base })
    }
}

/// The answer to a goal, as a part of the page.
#[derive(Serialize, Deserialize)]
pub(super) struct Pose(Posed);

impl Task for Pose {
    const ROOM: &'static str = "expert";
    const VERB: &'static str = "query";
    type Output = String;

    fn run(self, _: &mut Items, work: &mut Work<'_>) -> Result<String, Fault> {
        let asked = self.0.asked();
        let found = self.0.ask(asked.wish(), work)?;
        Ok(result(&asked, &found).into_string())
    }
}

/// The engine's steps on the way to an answer, as a thread.
#[derive(Serialize, Deserialize)]
pub(super) struct Follow(Posed);

impl Task for Follow {
    const ROOM: &'static str = "expert";
    const VERB: &'static str = "query-thread";
    type Output = String;

    fn run(self, _: &mut Items, work: &mut Work<'_>) -> Result<String, Fault> {
        let asked = self.0.asked();
        let wish = Wish {
            trace: Some(STEPS),
            proof: false,
            ..asked.wish()
        };
        let answers = self.0.ask(wish, work)?.answers;
        let (base, goal) = (&asked.base, &asked.goal);
        let thread = wits_expert::thread(base, goal, &answers);
        Ok(thread.text())
    }
}

/// The base that a question is about.
async fn script(app: &App, visitor: Visitor, asked: &Asked) -> Result<Script, Fault> {
    let (house, name) = (app.clone(), asked.base.clone());
    blocking(move || shelf::text(&house, visitor, &name)).await
}

/// `GET /expert/query`
pub(super) async fn show(
    State(app): State<App>,
    Query(pairs): Query<Vec<(String, String)>>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let asked = Asked::read(pairs);
    let house = app.clone();
    let names = blocking(move || shelf::names(&house, visitor)).await;
    let names = names.map_err(|f| f.for_reader(&headers))?;
    let answered = async {
        let script = script(&app, visitor, &asked).await?;
        let posed = Pose(Posed::new(&asked, script));
        app.confined(visitor, posed).await
    };
    let found = if asked.goal.is_empty() {
        None
    } else {
        match answered.await {
            Err(fault) if fault.code == "run" => return Err(fault.for_reader(&headers)),
            other => Some(other),
        }
    };
    let title = say("expert-query");
    let body = html! {
        main.expert-page #main {
            p.expert-where { a href="/expert" { (say("expert-title")) } }
            h1 { (title) }
            p.lead { (say("expert-query-lead")) }
            (form(&asked, &names))
            @match &found {
                None => (examples(&asked)),
                Some(Err(fault)) => p.error #answer role="alert" { (fault.message) "; " (fault.hint) },
                Some(Ok(found)) => (PreEscaped(found)),
            }
        }
    };
    let scripts = ["thread.js", "expert.js"];
    Ok(page(visitor, frame(&title, &scripts, &body)))
}

fn form(asked: &Asked, names: &[String]) -> Markup {
    html! {
        form.expert-ask action="/expert/query" method="get" {
            div.field {
                label for="base" { (say("expert-base")) }
                select #base name="base" { @for name in names { option selected[*name == asked.base] { (name) } } }
            }
            div.field.wide {
                label for="goal" { (say("expert-goal")) }
                input #goal name="goal" type="text" maxlength=(LONGEST) autocomplete="off" spellcheck="false" required value=(asked.goal);
            }
            div.field {
                label for="limit" { (say("expert-limit")) }
                input #limit name="limit" type="number" min="1" max=(MOST) value=(asked.limit);
            }
            button.button.primary type="submit" { (say("expert-ask")) }
        }
    }
}

fn examples(asked: &Asked) -> Markup {
    html! {
        h2 { (say("expert-examples")) }
        ul.expert-examples {
            @for goal in EXAMPLES {
                @let like = Asked { goal: goal.to_owned(), ..asked.clone() };
                li { a href={ "/expert/query?" (like.query()) } { code { (goal) } } }
            }
        }
    }
}

fn result(asked: &Asked, found: &Found) -> Markup {
    let answers = &found.answers;
    html! {
        section #answer {
            @if !answers.output.is_empty() { pre.expert-output { (answers.output) } }
            @if !answers.solutions.is_empty() { (table(asked, found)) }
            @if let Some(question) = &answers.asked { (waiting(asked, found, &question.term, &question.wanted)) }
            @else if let Some(error) = &answers.error {
                div.error role="alert" {
                    p { (error.message) }
                    @if let Some(place) = &error.place { pre { (place) "\n" (place.pointer()) } }
                    @if let Some(hint) = &error.hint { p { (hint) } }
                }
            }
            @if answers.status == "false" {
                h2 { (say("expert-false")) }
                @if !found.answers.reasons.is_empty() {
                    p { (say("expert-false-why")) }
                    (super::scratch::run::reasons_html(&found.answers.reasons))
                }
            }
            details.panel #thread {
                summary { (say("expert-thread")) }
                p.muted { (say("expert-thread-about")) }
                wits-thread data-src={ "/expert/query/thread?" (asked.query()) } {}
            }
        }
    }
}

/// The solutions as a table, a proof under each.
fn table(asked: &Asked, found: &Found) -> Markup {
    let answers = &found.answers;
    let mut columns: Vec<&String> = Vec::new();
    let mut seen = BTreeSet::new();
    for name in answers.solutions.iter().flat_map(|s| s.keys()) {
        if seen.insert(name) {
            columns.push(name);
        }
    }
    let more = Asked {
        limit: (asked.limit * 5).min(MOST),
        ..asked.clone()
    };
    html! {
        h2 {
            @if columns.is_empty() { (say("expert-true")) }
            @else { (WORDS.say(if answers.more { "expert-solutions-more" } else { "expert-solutions" }).with("count", answers.solutions.len())) }
        }
        div.mb-scroll tabindex="0" role="region" aria-label=(say("expert-solutions-table")) {
            table.data.expert-table {
                thead { tr { th scope="col" { "#" } @for name in &columns { th scope="col" { (name) } } th scope="col" { (say("expert-how")) } } }
                tbody {
                    @for (n, solution) in answers.solutions.iter().enumerate() {
                        tr {
                            td { (n + 1) }
                            @for name in &columns {
                                td { code { (short(solution.get(*name).and_then(|v| v.as_str()).unwrap_or_default())) } }
                            }
                            td {
                                @if let Some(found_proof) = answers.proofs.get(n) {
                                    details {
                                        summary { (say("expert-proof")) span.sr-only { " " (n + 1) } }
                                        (proof::checked(found.base.as_ref(), found_proof, answers.checks.get(n).and_then(Option::as_ref)))
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        @if answers.more {
            p {
                @if asked.limit < MOST { a.button.quiet href={ "/expert/query?" (more.query()) } { (say("expert-more")) } }
                @else { (WORDS.say("expert-most").with("most", MOST)) }
            }
        }
    }
}

/// The bindings of one answer in a line.
pub(super) fn answer_cells(row: &serde_json::Map<String, serde_json::Value>) -> Markup {
    html! {
        @for (n, (name, value)) in row.iter().enumerate() {
            @if n > 0 { ", " }
            code { (name) " = " (short(value.as_str().unwrap_or_default())) }
        }
    }
}

fn short(text: &str) -> String {
    if text.chars().count() > 400 {
        text.chars().take(399).chain(['…']).collect()
    } else {
        text.to_owned()
    }
}

/// The program asks something: answer and go on.
fn waiting(asked: &Asked, found: &Found, term: &str, wanted: &Wanted) -> Markup {
    let text = found.base.as_ref().map(|b| b.question(term).text);
    html! {
        section.panel #question {
            h2 { (say("expert-asks")) }
            p { (text.as_deref().unwrap_or(term)) " " code { (term) } }
            @let link = |answer: Answer, label: &str| html! {
                a.button href={ "/expert/query?" (asked.also(term, answer).query()) } { (label) }
            };
            @match wanted {
                Wanted::YesNo => div.row {
                    (link(Answer::Yes, &say("expert-yes")))
                    (link(Answer::No, &say("expert-no")))
                    (link(Answer::Unknown, &say("expert-unknown")))
                },
                Wanted::Choice(options) => div.row {
                    @for (n, option) in options.iter().enumerate() {
                        @let reply = Reply::Choice(option.clone());
                        @let label = found.base.as_ref().map_or_else(|| option.clone(), |b| b.told(term, &reply).to_string());
                        (link(Answer::Option(n), &label))
                    }
                    (link(Answer::Unknown, &say("expert-unknown")))
                },
                Wanted::Number => {
                    @let range = found.base.as_ref().and_then(|b| b.question(term).range);
                    form.row action="/expert/query" method="get" {
                        input type="hidden" name="base" value=(asked.base);
                        input type="hidden" name="goal" value=(asked.goal);
                        input type="hidden" name="limit" value=(asked.limit);
                        @for (q, a) in &asked.said { input type="hidden" name="said" value={ (q) "-" (word(a)) }; }
                        input type="hidden" name="question" value=(term);
                        div.field {
                            label for="number" { (say("expert-number")) }
                            input #number name="number" type="number" step="any" required min=[range.map(|r| r.0)] max=[range.map(|r| r.1)];
                        }
                        button.button type="submit" { (say("expert-number-say")) }
                        (link(Answer::Unknown, &say("expert-unknown")))
                    }
                }
                Wanted::Line | Wanted::Term => {
                    form.row action="/expert/query" method="get" {
                        input type="hidden" name="base" value=(asked.base);
                        input type="hidden" name="goal" value=(asked.goal);
                        input type="hidden" name="limit" value=(asked.limit);
                        @for (q, a) in &asked.said { input type="hidden" name="said" value={ (q) "-" (word(a)) }; }
                        input type="hidden" name="question" value={ "'$input'(" (asked.said.len()) ")" };
                        div.field {
                            label for="line" { (say("expert-read-line")) }
                            input #line name="line" type="text" autocomplete="off";
                        }
                        button.button type="submit" { (say("expert-number-say")) }
                    }
                }
            }
        }
    }
}

/// `GET /expert/query/thread`
pub(super) async fn thread(
    State(app): State<App>,
    Query(pairs): Query<Vec<(String, String)>>,
    visitor: Visitor,
) -> Result<Response, Fault> {
    let asked = Asked::read(pairs);
    let script = script(&app, visitor, &asked).await?;
    let posed = Follow(Posed::new(&asked, script));
    Ok(super::thread(app.confined(visitor, posed).await?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_the_same_after_its_address() {
        let mut asked = Asked::read(vec![
            ("base".into(), "bicycle".into()),
            ("goal".into(), "X = 'a b', Y = \"100%\".".into()),
            ("limit".into(), "7".into()),
            ("said".into(), "f(a)-no".into()),
            ("said".into(), "nonsense".into()),
        ]);
        assert_eq!(asked.said, [("f(a)".to_owned(), Answer::No)]);
        asked.said.push(("c".to_owned(), Answer::Option(2)));
        asked.said.push(("n-m".to_owned(), Answer::Number(-2.5)));
        asked.limit = 9;
        let uri = format!("/?{}", asked.query()).parse().unwrap();
        let Query(pairs) = Query::try_from_uri(&uri).unwrap();
        let again = Asked::read(pairs);
        assert_eq!((again.goal, again.limit), (asked.goal, 9));
        assert_eq!(again.said, asked.said);
    }
}
