//! One query of the scratchpad, in the sandbox: answers with their proofs, how it ended, and the run
//! itself as data, so that the next answer begins where the last one was found.

use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use serde_json::json;
use wits_desk::{Progress, Work};
use wits_expert::query::{Answers, Found, Wish, ask_each, more_each};
use wits_logic::{Machine, Question, Reason, Suspended, Trouble, Wanted};
use wits_sandbox::Items;

use super::super::proof;
use super::super::query::{FUEL, MOST, answer_cells, heard};
use super::{Draft, LONGEST_GOAL};
use crate::Fault;
use crate::pages::say;
use crate::sandbox::Task;

/// The item that holds a run.
pub(super) const RUN: &str = "run";
/// A run that takes more than this is not kept; the next answer is then looked for from the start.
const LARGEST: usize = 256 << 10;

/// What came of a query, besides the answers themselves.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Ended {
    /// How it ended: a sentence, an error, the reasons of a failure.
    pub(super) html: String,
    /// The lines of the program that errors are at.
    pub(super) lines: Vec<usize>,
    /// Whether there may be more answers.
    pub(super) more: bool,
    /// Answers found so far, those of earlier requests among them.
    pub(super) found: usize,
    /// All answers, for a page that did not hear them one by one.
    pub(super) answers: Vec<String>,
}

impl Task for Draft {
    const ROOM: &'static str = "expert";
    const VERB: &'static str = "scratch";
    type Output = Ended;

    fn run(self, items: &mut Items, work: &mut Work<'_>) -> Result<Ended, Fault> {
        let kept = items.remove(RUN);
        let mut base = Machine::new();
        base.refuel(FUEL);
        let loaded = base.load("program", &self.program);
        if !loaded.errors.is_empty() {
            let html = html! { @for trouble in &loaded.errors { (trouble_html(trouble)) } };
            return Ok(Ended {
                html: html.into_string(),
                lines: loaded.errors.iter().filter_map(line).collect(),
                ..Ended::default()
            });
        }
        if !self.why.is_empty() {
            return Ok(why_not(&self, base, work));
        }
        let count = self.count.unwrap_or(20).clamp(1, MOST);
        let resumed = kept.and_then(|bytes| resume(&base, &bytes));
        // A run that was kept has found the answers before; a new one finds them again.
        let known = if resumed.is_some() { 0 } else { self.skip };
        let wish = Wish {
            limit: known + count,
            pause: true,
            proof: true,
            fuel: FUEL,
            said: self.said.lines().filter_map(heard).collect(),
            ..Wish::default()
        };
        let budget = work.budget().clone();
        let mut told = Vec::new();
        let mut each = |found: Found<'_>| {
            if found.number > known {
                let number = self.skip + found.number - known;
                let html = answer_html(number, found).into_string();
                work.tell(Progress {
                    done: number as u64,
                    total: None,
                    news: json!({ "answer": html }),
                });
                told.push(html);
            }
        };
        let (machine, answers) = if let Some(mut m) = resumed {
            let answers = more_each(&mut m, &wish, &budget, &mut each);
            (m, answers)
        } else {
            let mut m = base.clone();
            let answers = ask_each(&mut m, &self.goal, wish, &budget, &mut each);
            (m, answers)
        };
        let run = (answers.more).then(|| serde_json::to_vec(&machine.suspend(&base)).ok());
        if let Some(run) = run.flatten().filter(|bytes| bytes.len() <= LARGEST) {
            items.insert(RUN.to_owned(), run);
        }
        let found = self.skip + told.len();
        Ok(Ended {
            html: end_html(&self.said, found, &answers).into_string(),
            lines: answers.error.iter().filter_map(line).collect(),
            more: answers.more,
            found,
            answers: told,
        })
    }
}

/// A run that was kept, on the machine it began as.
fn resume(base: &Machine, bytes: &[u8]) -> Option<Machine> {
    let run: Suspended = serde_json::from_slice(bytes).ok()?;
    run.resume(base).ok()
}

/// Why the query has no answer that is like this, or that it has.
fn why_not(draft: &Draft, mut machine: Machine, work: &Work<'_>) -> Ended {
    fn bare(text: &str) -> &str {
        let text = text.trim_end();
        text.strip_suffix('.').unwrap_or(text)
    }
    // New lines: either text may end in a comment.
    let goal = format!("{}\n, ({}\n).", bare(&draft.why), bare(&draft.goal));
    let wish = Wish {
        limit: 1,
        pause: true,
        proof: true,
        fuel: FUEL,
        said: draft.said.lines().filter_map(heard).collect(),
        ..Wish::default()
    };
    let answers = ask_each(&mut machine, &goal, wish, work.budget(), &mut |_| ());
    let proof = answers.proofs.first();
    let verdict = answers.checks.first().and_then(Option::as_ref);
    let html = html! {
        @if let Some(trouble) = &answers.error {
            (trouble_html(trouble))
        } @else if let Some(proof) = proof {
            p { (say("scratch-holds")) }
            (proof::checked(None, proof, verdict))
        } @else if answers.reasons.is_empty() {
            p { (say("expert-false")) }
        } @else {
            (reasons_html(&answers.reasons))
        }
    };
    Ended {
        html: html.into_string(),
        ..Ended::default()
    }
}

/// The line of the program that an error is at.
fn line(trouble: &Trouble) -> Option<usize> {
    let place = trouble.place.as_ref()?;
    (place.file == "program").then_some(place.line)
}

/// One answer: what was written before it, its bindings, its proof with what the checker says of that,
/// and a field to ask why it is not another one (with scripts only).
fn answer_html(n: usize, found: Found<'_>) -> Markup {
    let row = found.row;
    let equations = row
        .iter()
        .filter_map(|(name, value)| Some(format!("{name} = {}", value.as_str()?)));
    let equations: Vec<String> = equations.collect();
    html! {
        li {
            @if !found.output.is_empty() { pre.expert-output { (found.output) } }
            div.scratch-answer {
                span.muted { (n) } " "
                @if row.is_empty() { b { (say("expert-true")) } } @else { (answer_cells(row)) }
            }
            @if let Some((found, verdict)) = found.evidence {
                details {
                    summary { (say("expert-proof")) span.sr-only { " " (n) } }
                    (proof::checked(None, found, verdict))
                }
            }
            details.scratch-why-not hidden data-whole[row.is_empty()] {
                summary { (say("scratch-why-not")) span.sr-only { " " (n) } }
                div.row {
                    input type="text" maxlength=(LONGEST_GOAL) autocomplete="off" spellcheck="false" aria-label=(say("scratch-why-not")) value=(equations.join(", "));
                    button.button type="button" { (say("expert-ask")) }
                }
                div aria-live="polite" {}
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
fn end_html(said: &str, found: usize, answers: &Answers) -> Markup {
    let output = &answers.output[answers.rest..];
    html! {
        input type="hidden" name="said" value=(said);
        @if !output.is_empty() { pre.expert-output { (output) } }
        @if let Some(question) = &answers.asked {
            (question_html(said, question))
        } @else if let Some(trouble) = &answers.error {
            (trouble_html(trouble))
        } @else if found == 0 {
            p { b { (say("expert-false")) } }
            @if !answers.reasons.is_empty() {
                details open {
                    summary { (say("expert-false-why")) }
                    (reasons_html(&answers.reasons))
                }
            }
        } @else if answers.more {
            p.muted { (say("scratch-more")) }
        } @else {
            p.muted { (say("scratch-all")) }
        }
    }
}

/// The reasons of a failure.
pub(in super::super) fn reasons_html(reasons: &[Reason]) -> Markup {
    html! {
        ul.expert-told {
            @for reason in reasons {
                li { (reason.text) @if !reason.path.is_empty() { " " span.muted { (say("expert-inside")) " " code { (reason.path.join(" → ")) } } } }
            }
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
