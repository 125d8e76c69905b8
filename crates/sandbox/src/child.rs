//! What a child does: one job, then it ends.

use std::io::{self, BufReader, Stdin, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use wits_desk::{Progress, Refusal, Work};
use wits_game::{Lang, Message};
use wits_search::{Budget, Limits};

use crate::line::{ChildLine, JobLine, StopLine, read, read_items, sizes, write};
use crate::{Items, Job, Output, confine};

/// Stack of the thread that does the work.
const STACK: usize = 64 << 20;

/// Limits this process, reads one job from standard input, does it and writes what it came to on
/// standard output. The value is the exit code.
///
/// `run` is given the job and says how far it is through its `Work`.
pub fn serve_one<F>(run: F) -> u8
where
    F: FnOnce(Job, &mut Work<'_>) -> Result<Output, Refusal> + Send + 'static,
{
    confine::at_start();
    let mut input = BufReader::new(io::stdin());
    let Ok(job) = read_job(&mut input) else {
        return 2;
    };
    confine::for_job(job.caps);
    let stop = Arc::new(AtomicBool::new(false));
    let limits = Limits::time(job.caps.time());
    let budget = Budget::with_stop(limits, Arc::clone(&stop));
    let listening = std::thread::Builder::new().stack_size(256 << 10);
    if listening.spawn(move || listen(input, &stop)).is_err() {
        return 2;
    }
    let working = std::thread::Builder::new().stack_size(STACK);
    let done = working.spawn(move || work(job, budget, run));
    match done.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(()))) => 0,
        _ => 2,
    }
}

fn read_job(input: &mut BufReader<Stdin>) -> io::Result<Job> {
    let line: JobLine = read(input)?.ok_or(io::ErrorKind::UnexpectedEof)?;
    let items = read_items(input, &line.items)?;
    Ok(Job {
        room: line.room,
        verb: line.verb,
        args: line.args,
        items,
        lang: line.lang,
        caps: line.caps,
    })
}

/// Waits for the word to stop; the end of the input is the end of the process.
fn listen(mut input: BufReader<Stdin>, stop: &AtomicBool) {
    while let Ok(Some(StopLine { stop: true })) = read(&mut input) {
        stop.store(true, Ordering::Relaxed);
    }
    // The parent is gone, or does not wait any more.
    std::process::exit(3);
}

fn work<F>(job: Job, budget: Budget, run: F) -> io::Result<()>
where
    F: FnOnce(Job, &mut Work<'_>) -> Result<Output, Refusal>,
{
    let lang = Lang::of_code(&job.lang).unwrap_or(Lang::En);
    let mut tell = |progress: Progress| {
        let _ = say(&ChildLine::Progress(progress), &Items::new());
    };
    let mut work = Work::new(budget, &mut tell);
    let done = lang.speak(|| catch_unwind(AssertUnwindSafe(|| run(job, &mut work))));
    let done = done.unwrap_or_else(|_| Err(breakdown()));
    lang.speak(|| match done {
        Ok(Output { answer, items }) => {
            let line = ChildLine::Answer {
                answer,
                items: sizes(&items),
            };
            say(&line, &items)
        }
        Err(refusal) => say(&ChildLine::Error(refusal), &Items::new()),
    })
}

/// A panic inside the work. The parent has its own sentence for it.
fn breakdown() -> Refusal {
    Refusal::new("breakdown", Message::plain(""), Message::plain(""))
}

fn say(line: &ChildLine, items: &Items) -> io::Result<()> {
    let mut out = io::stdout().lock();
    write(&mut out, line, items)?;
    out.flush()
}
