//! The list of tasks, for a child that was told one by name.

use serde_json::Value;
use wits_desk::{Refusal, Work};
use wits_game::Message;
use wits_sandbox::{Items, Job, Output, serve_one};

use super::{Task, perform};
use crate::rooms;

/// How a task is read from its arguments and done.
type Run = fn(Value, Items, &mut Work<'_>) -> Result<Output, Refusal>;

/// A task by its room and verb.
pub(crate) struct Named {
    room: &'static str,
    verb: &'static str,
    run: Run,
}

/// The entry of a task in the list.
pub(crate) fn named<T: Task>() -> Named {
    const {
        assert!(
            T::CAPS.memory <= T::CLASS.dearest(),
            "dearer than its class allows"
        );
    }
    Named {
        room: T::ROOM,
        verb: T::VERB,
        run: |args, items, work| {
            let task: T = serde_json::from_value(args).map_err(|e| unknown(&e.to_string()))?;
            Ok(perform(task, items, work))
        },
    }
}

fn unknown(what: &str) -> Refusal {
    let says = Message::plain(format!("`{what}` is no job of this program"));
    Refusal::new("unknown-job", says, Message::plain(""))
}

/// The hidden verb by which the program does untrusted work.
pub const SANDBOX: &str = "sandbox";

/// What the hidden verb [`SANDBOX`] does: limits this process, does one job from standard input,
/// and ends. The value is the exit code.
pub fn sandbox() -> u8 {
    serve_one(|job: Job, work| {
        let tasks = rooms::tasks();
        let found = tasks
            .iter()
            .find(|one| one.room == job.room && one.verb == job.verb);
        let found = found.ok_or_else(|| unknown(&format!("{} {}", job.room, job.verb)))?;
        (found.run)(job.args, job.items, work)
    })
}
