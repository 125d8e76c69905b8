//! Searches that last: what is proved is kept now and then, and taken up again.

use std::io::{self, BufReader, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::json;
use wits_desk::{Answer, Args, Refusal, Shelf, Work};
use wits_game::{Figure, Message};
use wits_search::{Budget, Limits};

use super::say;
use crate::{exact, passes};

/// Bytes that a position takes in the table.
const POSITION: usize = 40;
/// How often what is proved is kept.
const EVERY: Duration = Duration::from_mins(10);

/// A search that goes on from what it has proved.
pub(super) trait Lasting: Send {
    /// How many positions are proved.
    fn proved(&self) -> usize;
    /// The number of positions looked at.
    fn seen(&self) -> Arc<AtomicU64>;
    /// Writes what was proved.
    fn write(&self, to: &mut dyn Write) -> io::Result<()>;
    /// Takes up what was proved before.
    fn take_up(&mut self, from: &mut dyn Read) -> io::Result<()>;
}

macro_rules! lasting {
    ($solver:ty) => {
        impl Lasting for $solver {
            fn proved(&self) -> usize {
                self.positions()
            }

            fn seen(&self) -> Arc<AtomicU64> {
                self.counter()
            }

            fn write(&self, mut to: &mut dyn Write) -> io::Result<()> {
                self.save(&mut to)
            }

            fn take_up(&mut self, mut from: &mut dyn Read) -> io::Result<()> {
                self.resume(&mut from)
            }
        }
    };
}

lasting!(exact::Solver);
lasting!(passes::Solver);

/// The most positions to remember: what is asked for, and no more than the door allows.
pub(super) fn room(args: &Args, work: &Work<'_>) -> usize {
    (args.int("positions") as usize).min((work.memory() << 20) / POSITION)
}

/// Where a search stands that is kept in a file.
pub(super) struct Standing {
    file: String,
    before: usize,
    now: usize,
    /// Whether there is no room for more.
    full: bool,
}

/// Searches in slices where what is proved is kept, so that a crash loses at most one of them. A step says what it found, and
/// whether that is the end.
pub(super) fn search<S: Lasting, T: Send>(
    solver: &mut S,
    (args, shelf): (&Args, &Shelf),
    work: &mut Work<'_>,
    mut step: impl FnMut(&mut S, &Budget) -> (T, bool) + Send,
) -> Result<(T, Option<Standing>), Refusal> {
    let (file, room) = (args.text_if("keep"), room(args, work));
    let mut before = 0;
    if let Some(file) = file.filter(|file| shelf.has(file)) {
        let taken = solver.take_up(&mut BufReader::new(shelf.open(file)?));
        taken.map_err(|error| {
            let why = say("not-taken-up").with("file", file);
            let why = why.with("why", error.to_string());
            Refusal::new("file", why, say("keep-hint"))
        })?;
        before = solver.proved();
    } else if let Some(file) = file {
        // A place where nothing can be written is refused before the search, not after it.
        shelf.keep(file, &mut |to: &mut dyn Write| solver.write(to))?;
    }
    let seen = solver.seen();
    loop {
        let slice = file.map_or(Limits::NONE, |_| {
            Limits::time(work.budget().elapsed() + EVERY)
        });
        let (found, done) = work.counting(&seen, Some(room as u64), |whole| {
            step(solver, &whole.within(slice))
        });
        let Some(file) = file else {
            return Ok((found, None));
        };
        shelf.keep(file, &mut |to: &mut dyn Write| solver.write(to))?;
        let now = solver.proved();
        let spent = work.over() || work.budget().spent(seen.load(Ordering::Relaxed));
        let full = now >= room;
        if done || spent || full {
            let standing = Standing {
                file: file.to_owned(),
                before,
                now,
                full,
            };
            return Ok((found, Some(standing)));
        }
    }
}

/// The answer with where the search stands, if it is kept.
pub(super) fn told(mut answer: Answer, standing: Option<Standing>, done: bool) -> Answer {
    let Some(Standing {
        file,
        before,
        now,
        full,
    }) = standing
    else {
        return answer;
    };
    answer.data["kept"] = json!({"file": file, "before": before, "positions": now});
    if before > 0 {
        let says = say("taken-up").with("positions", Figure::whole(before));
        answer = answer.say(says.with("file", &file));
    }
    let key = if done || full { "kept" } else { "kept-open" };
    let says = say(key).with("positions", Figure::whole(now));
    answer.say(says.with("file", file))
}

/// That a search did not end: the table was too small, or the time.
pub(super) fn unsolved(nodes: u64, proved: usize, room: usize) -> Message {
    let key = if proved >= room {
        "not-solved-full"
    } else {
        "not-solved"
    };
    say(key)
        .with("nodes", Figure::whole(nodes))
        .with("most", Figure::whole(room))
}
