//! Checking a thread of a desk: a journey, a proof, a grid, a tournament.
//!
//! There is no game to replay, so a thread is held against itself: what a step says must follow from the steps before it by the
//! laws of its kind of search. What only the data behind it could show (a departure, a clause, a fold) is taken on trust.

mod grid;
mod journey;
mod places;
mod proof;
mod tour;

use std::collections::HashSet;

use wits_game::Message;
use wits_search::{Kind, Line, Thread};

use super::claim::Known;
use super::summary::Told;
use super::{Failure, Report, counts_hold, gap, name, sentence, text};
use crate::WORDS;

/// The laws of one kind of thread.
trait Laws {
    /// Whether a step follows from those before it.
    fn step(&mut self, line: &Line) -> Result<Known, Message>;

    /// Numbers that follow from the steps, and that a summary may tell.
    fn told(&self) -> Vec<f64> {
        Vec::new()
    }
}

/// Nothing is known of this kind of thread but its form.
struct Form;

impl Laws for Form {
    fn step(&mut self, _line: &Line) -> Result<Known, Message> {
        Ok(Known::Trusted)
    }
}

/// Checks a thread that is about no game.
pub fn check_desk(thread: &Thread) -> Report {
    let header = &thread.header;
    let whole = thread.footer.dropped == 0;
    let places = || {
        let visits = thread.steps.iter().filter(|s| s.kind == Kind::Visit);
        visits.into_iter().any(|s| s.data.contains_key("time"))
    };
    let mut laws: Box<dyn Laws> = match header.lens.as_str() {
        "map" if places() => Box::new(journey::Journey::new(&header.by, whole)),
        "map" => Box::new(tour::Tour::new(whole)),
        "grid" => Box::<grid::Grid>::default(),
        "proof" => Box::new(proof::Proof::new(thread)),
        _ => Box::new(Form),
    };
    let mut report = Report {
        steps: thread.steps.len() as u64,
        ..Report::default()
    };
    let mut form = Order::default();
    for line in &thread.steps {
        let verdict = form.step(line).and_then(|()| laws.step(line));
        match verdict {
            Ok(Known::Checked) => report.checked += 1,
            Ok(Known::Trusted) => report.trusted += 1,
            Err(why) => report.failures.push(Failure { at: line.at, why }),
        }
    }
    let at = thread.steps.last().map_or(0, |line| line.at);
    if form
        .answer
        .is_some_and(|answer| !thread.footer.result.starts_with(&answer))
    {
        let why = WORDS
            .say("check-result")
            .with("result", &thread.footer.result);
        report.failures.push(Failure { at, why });
    }
    if !counts_hold(thread, false) {
        let why = WORDS.say("check-counts");
        report.failures.push(Failure { at, why });
    }
    if let Some(at) = gap(thread) {
        let why = WORDS.say("check-gap");
        report.failures.push(Failure { at, why });
    }
    if report.ok()
        && let Err(why) = summed_up(thread, &*laws)
    {
        report.failures.push(Failure { at, why });
    }
    report
}

/// Whether the summary says what the steps say.
fn summed_up(thread: &Thread, laws: &dyn Laws) -> Result<(), Message> {
    let visits = thread.steps.iter().any(|step| step.kind == Kind::Visit);
    if thread.header.lens == "map" && !visits {
        // The search itself is not shown, and nothing says when it starts.
        return Ok(());
    }
    let mut told = Told::default();
    told.ends(thread);
    for number in laws.told() {
        told.count(number);
    }
    for line in &thread.steps {
        if matches!(line.kind, Kind::Note | Kind::Improve | Kind::Choose) {
            told.step(line);
        }
    }
    told.hold(thread)
}

/// What every thread keeps: numbers that grow, ends that began, and the decision last.
#[derive(Default)]
struct Order {
    last: Option<u64>,
    opened: HashSet<String>,
    decided: bool,
    answer: Option<String>,
}

impl Order {
    fn step(&mut self, line: &Line) -> Result<(), Message> {
        if self.last.is_some_and(|last| last >= line.at) {
            return Err(WORDS.say("desk-order"));
        }
        self.last = Some(line.at);
        if self.decided && !matches!(line.kind, Kind::Choose | Kind::Count) {
            return Err(WORDS.say("check-after"));
        }
        let id = name(&line.data, "id");
        match line.kind {
            Kind::Open => self.opened.extend(id),
            Kind::Close if id.is_some_and(|id| !self.opened.contains(&id)) => {
                return Err(WORDS.say("desk-unopened").with("step", line.text.as_str()));
            }
            Kind::Choose => {
                self.decided = true;
                let told = text(&line.data, "answer");
                if told.as_ref().is_some_and(|a| !line.text.contains(a)) {
                    return Err(sentence::wrong(line));
                }
                self.answer = told.or(self.answer.take());
            }
            _ => {}
        }
        Ok(())
    }
}
