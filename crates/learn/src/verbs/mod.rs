//! The verbs of the desk: each reads its arguments, asks the library, and lays out what it found.

mod compare;
mod curves;
mod cv;
mod data;
mod describe;
mod explore;
mod grid;
mod model;
mod open;
mod regions;
mod report;
mod response;
mod scores;
mod transform;
mod tune;

use std::sync::{Mutex, mpsc};
use std::time::Duration;

use wits_desk::{Block, Call, File, Param, Picture, Progress, Refusal, Room, Work};
use wits_game::Message;
use wits_search::Budget;

use crate::control::{Control, with_threads};
use crate::dataset::Dataset;
use crate::error::LearnError;
use crate::run::{Found, Run};
use crate::spec::Pipeline;
use crate::table::Warning;
use crate::words::WORDS;

pub use describe::description_blocks;
pub use explore::exploration_blocks;

/// The room with everything that can be asked at every door.
pub fn room() -> Room {
    Room {
        id: "learn",
        about: WORDS.say("room"),
        verbs: vec![
            describe::verb(),
            explore::verb(),
            grid::verb(),
            tune::verb(),
            model::train(),
            model::evaluate(),
            model::predict(),
            compare::verb(),
            transform::verb(),
            cv::verb(),
            curves::verb(),
            regions::verb(),
            response::verb(),
            open::verb(),
            report::verb(),
        ],
    }
}

/// A column's head, a table's title.
fn head(key: &'static str) -> Message {
    WORDS.say(key)
}

fn heads(keys: &[&'static str]) -> Vec<Message> {
    keys.iter().map(|key| WORDS.say(key)).collect()
}

fn pipeline_param(name: &'static str, about: &'static str) -> Param {
    let offers = &[
        "mean + standard + random-forest:trees=100",
        "mean + standard + knn:k=3",
        "mean + naive-bayes",
        "mean + tree:depth=10",
    ];
    Param::text(name, &WORDS, about)
        .required()
        .shown_as("PIPELINE")
        .offering(offers)
}

/// A folder for drawings.
fn drawings_param(about: &'static str) -> Param {
    Param::output("out", &WORDS, about).folder().shown_as("DIR")
}

/// A drawing that goes into the folder of [`drawings_param`].
fn drawing(name: &str, title: Message, svg: String) -> Block {
    let name = format!("out/{name}.svg");
    Block::Picture(Picture { name, title, svg })
}

fn pipeline(text: &str) -> Result<Pipeline, Refusal> {
    text.parse().map_err(|error| refusal(&error))
}

/// What the library could not do, as every door says it.
pub fn refusal(error: &LearnError) -> Refusal {
    let (code, usual) = match error {
        LearnError::NoMethod { .. }
        | LearnError::NoParameter { .. }
        | LearnError::BadValue { .. }
        | LearnError::BadSpec { .. } => ("bad-pipeline", "bad-pipeline-hint"),
        LearnError::BadModel(_) | LearnError::OtherColumns { .. } => ("bad-model", "bad-data-hint"),
        LearnError::Stopped => ("stopped", "stopped-hint"),
        LearnError::TooLarge { .. } => ("too-large", "bad-data-hint"),
        _ => ("bad-data", "bad-data-hint"),
    };
    let hint = error.hint().unwrap_or_else(|| WORDS.say(usual));
    Refusal::new(code, error.message(), hint)
}

/// The same about a file.
fn refusal_in(file: &str, error: &LearnError) -> Refusal {
    let mut refusal = refusal(error);
    if *error == LearnError::Stopped {
        return refusal;
    }
    refusal.why = WORDS
        .say("in-file")
        .with("file", file)
        .with("why", refusal.why);
    refusal
}

/// Long work on the threads it may have, stopped when its time is up.
fn long<T: Send>(
    work: &mut Work<'_>,
    job: impl FnOnce(&Control<'_>) -> Result<T, LearnError> + Send,
) -> Result<T, Refusal> {
    let (threads, stop) = (work.threads(), work.budget().flag());
    let budget = work.budget().clone();
    let work = Mutex::new(work);
    let tell = |at: &crate::Progress| {
        // Whoever finds it busy leaves its news to the next: only the last count matters.
        let Ok(mut work) = work.try_lock() else {
            return;
        };
        if work.over() {
            work.budget().stop();
        }
        let news = at.cell.as_ref().map(serde_json::to_value);
        work.tell(Progress {
            done: at.done as u64,
            total: Some(at.total as u64),
            news: news.and_then(Result::ok).unwrap_or_default(),
        });
    };
    let control = Control {
        stop: &stop,
        tell: &tell,
    };
    in_time(&budget, || with_threads(threads, || job(&control)))
        .and_then(|found| found)
        .map_err(|error| refusal(&error))
}

/// Does a job that looks at the stop flag alone: when the time is up, the flag is raised. A single fit
/// may take minutes and tell nothing, so the clock is watched beside it.
pub fn in_time<T>(budget: &Budget, job: impl FnOnce() -> T) -> T {
    std::thread::scope(|scope| {
        let (done, over) = mpsc::channel::<()>();
        scope.spawn(move || {
            while over.recv_timeout(EVERY) == Err(mpsc::RecvTimeoutError::Timeout) {
                let time = budget.limits().time;
                if time.is_some_and(|most| budget.elapsed() >= most) {
                    budget.stop();
                }
            }
        });
        let found = job();
        // Dropped as well where the job panics, so that the watcher always ends.
        drop(done);
        found
    })
}

/// How often the clock is looked at.
const EVERY: Duration = Duration::from_millis(50);

fn notes(warnings: &[Warning]) -> impl Iterator<Item = Block> + '_ {
    let plain = |warning: &Warning| Block::Note(Message::plain(warning.text.clone()));
    warnings.iter().map(plain)
}

/// A run to be reopened later.
fn run_file(name: &str, data: &Dataset, found: Found) -> Block {
    Block::File(File {
        name: "save".to_owned(),
        file: format!("{name}.run.json"),
        title: head("file-run"),
        mime: "application/json".to_owned(),
        bytes: Run::new(data, found).to_json().into_bytes(),
    })
}

/// A question about the same data, asked as this one was.
fn call(args: &wits_desk::Args, verb: &str, says: Message, own: &[(&str, &str)]) -> Call {
    let mut pairs: Vec<(String, String)> = Vec::new();
    for name in data::NAMES.iter().chain(&data::FOLD_NAMES) {
        if args.given(name) {
            let values = args.list(name).into_iter();
            pairs.extend(values.map(|value| ((*name).to_owned(), value)));
        }
    }
    pairs.extend(own.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())));
    Call {
        says,
        room: "learn".to_owned(),
        verb: verb.to_owned(),
        args: pairs,
    }
}
