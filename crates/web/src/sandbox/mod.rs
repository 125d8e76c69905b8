//! Work on what visitors send: programs, queries, tables, timetables. It runs in a process of its
//! own, which is killed when its time is up, see [`wits_sandbox`].
//!
//! - [`Task`]: one kind of such work; `tasks` lists them all, for the child;
//! - `turns`: whose work may run now;
//! - [`App::confined`] runs a task for a visitor.

mod tasks;
mod turns;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use axum::http::StatusCode;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wits_desk::{Answer, Cost, Progress, Work};
use wits_game::{Lang, Message};
use wits_sandbox::{Caps, Failure, Items, Job, Output, Sandbox};
use wits_search::{Budget, Limits};

use crate::engine::Account;
use crate::think::Gone;
use crate::visitor::Visitor;
use crate::without;
use crate::{App, Fault, WORDS, log};

pub(crate) use tasks::{Named, named};
pub use tasks::{SANDBOX, sandbox};
pub(crate) use turns::Turns;

/// Which places a task takes: dear work must not keep small questions waiting, nor long work dear
/// work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// Somebody waits for a small answer.
    Quick,
    /// Somebody waits, and it takes much memory or many seconds.
    Dear,
    /// It takes minutes, and somebody looks on.
    Long,
}

impl Class {
    /// All of them.
    const ALL: [Class; 3] = [Class::Quick, Class::Dear, Class::Long];

    /// The most memory that a task may take, in bytes.
    pub(crate) const fn dearest(self) -> u64 {
        let mebibytes = match self {
            Class::Quick => Cost::QUICK.memory,
            Class::Dear => 336,
            Class::Long => 320,
        };
        mebibytes << 20
    }

    /// The memory that all of its tasks share, in bytes. Of small questions there is room for two of
    /// the dearest, so that those of one address leave room for any of another; dear and long work is
    /// done one after another where it takes as much as it may.
    const fn memory(self) -> u64 {
        match self {
            Class::Quick => 2 * self.dearest(),
            Class::Dear | Class::Long => self.dearest(),
        }
    }
}

/// The places of every class.
pub(crate) struct Places([Turns; 3]);

impl Places {
    /// So many sandboxes of each class at once.
    pub(crate) fn new(places: usize) -> Places {
        Places(Class::ALL.map(|class| Turns::new(places, class.memory(), class.dearest())))
    }

    /// Those of a class.
    fn of(&self, class: Class) -> &Turns {
        &self.0[class as usize]
    }

    /// How many run, and how many wait.
    pub(crate) fn load(&self) -> (usize, usize) {
        let loads = self.0.iter().map(Turns::load);
        loads.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
    }
}

/// One kind of untrusted work: what a sandbox is given is the value itself, as JSON.
pub(crate) trait Task: Serialize + DeserializeOwned + Send + 'static {
    /// The room it belongs to.
    const ROOM: &'static str;
    /// What it does there.
    const VERB: &'static str;
    /// What it may cost.
    const CAPS: Caps = Caps::new(Cost::QUICK.memory, Duration::from_secs(10));
    /// What this one may cost.
    fn caps(&self) -> Caps {
        Self::CAPS
    }

    /// Which places it takes.
    const CLASS: Class = Class::Quick;
    /// Which places this one takes.
    fn class(&self) -> Class {
        Self::CLASS
    }

    /// What comes of it.
    type Output: Serialize + DeserializeOwned + Send + 'static;

    /// Does it; this is the sandbox's side. Bytes that go with the answer are put into `items`.
    fn run(self, items: &mut Items, work: &mut Work<'_>) -> Result<Self::Output, Fault>;
}

/// What came of a task, as it travels.
type Told<T> = Result<T, FaultLine>;

/// A fault as it travels.
#[derive(Serialize, Deserialize)]
struct FaultLine {
    status: u16,
    code: String,
    message: String,
    hint: String,
}

impl From<Fault> for FaultLine {
    fn from(fault: Fault) -> FaultLine {
        FaultLine {
            status: fault.status.as_u16(),
            code: fault.code.into_owned(),
            message: fault.message.to_string(),
            hint: fault.hint.to_string(),
        }
    }
}

impl From<FaultLine> for Fault {
    fn from(line: FaultLine) -> Fault {
        let status = StatusCode::from_u16(line.status);
        Fault::new(
            status.unwrap_or(StatusCode::UNPROCESSABLE_ENTITY),
            line.code,
            Message::plain(line.message),
            Message::plain(line.hint),
        )
    }
}

/// Does a task here and now: what a child does, or a house without sandbox.
fn perform<T: Task>(task: T, mut items: Items, work: &mut Work<'_>) -> Output {
    let told: Told<T::Output> = task.run(&mut items, work).map_err(FaultLine::from);
    let items = if told.is_ok() { items } else { Items::new() };
    let data = serde_json::to_value(told).unwrap_or_default();
    Output {
        answer: Answer::yes(data),
        items,
    }
}

/// A task with what goes along: bytes, somebody who hears how far it is, a flag that asks it to end
/// with what it has.
pub(crate) struct Order<T> {
    pub(crate) task: T,
    pub(crate) items: Items,
    pub(crate) tell: Box<dyn FnMut(Progress) + Send>,
    pub(crate) stop: Arc<AtomicBool>,
}

impl<T> Order<T> {
    /// A task on its own.
    pub(crate) fn new(task: T) -> Order<T> {
        Order {
            task,
            items: Items::new(),
            tell: Box::new(|_| ()),
            stop: Arc::default(),
        }
    }

    /// The same with bytes under a name.
    pub(crate) fn with(mut self, name: &str, bytes: Vec<u8>) -> Order<T> {
        self.items.insert(name.to_owned(), bytes);
        self
    }
}

impl App {
    /// Does a task in a sandbox when its visitor's turn comes; it ends when the asker goes away.
    pub(crate) async fn confined<T: Task>(
        &self,
        visitor: Visitor,
        task: T,
    ) -> Result<T::Output, Fault> {
        visitor.may_compute()?;
        let order = Order::new(task);
        let done = self.confined_with(visitor.account(), order).await?;
        Ok(done.0)
    }

    /// The same with bytes in and out, progress, and a flag to stop it.
    pub(crate) async fn confined_with<T: Task>(
        &self,
        account: Account,
        order: Order<T>,
    ) -> Result<(T::Output, Items), Fault> {
        let caps = order.task.caps();
        let turns = self.places.of(order.task.class());
        let turn = turns.take(account, caps.memory).await?;
        let gone = Gone(Arc::clone(&order.stop));
        let (sandbox, lang) = (self.sandbox.clone(), Lang::spoken());
        let done = tokio::task::spawn_blocking(move || {
            let done = match sandbox {
                Some(sandbox) => outside(&sandbox, order, lang),
                None => Ok(inside(order, lang)),
            };
            // The turn ends with the process, not with the asker's patience.
            drop(turn);
            done
        });
        let done = done.await.map_err(|_| Fault::breakdown())?;
        drop(gone);
        let output = done.map_err(|failure| ended::<T>(failure, caps))?;
        let told: Told<T::Output> =
            serde_json::from_value(output.answer.data).map_err(|_| Fault::breakdown())?;
        Ok((told?, output.items))
    }
}

/// In a process of its own.
fn outside<T: Task>(sandbox: &Sandbox, mut order: Order<T>, lang: Lang) -> Result<Output, Failure> {
    let args = serde_json::to_value(&order.task).map_err(|e| Failure::Broken(e.to_string()))?;
    let job = Job {
        room: T::ROOM.to_owned(),
        verb: T::VERB.to_owned(),
        args,
        items: order.items,
        lang: lang.code().to_owned(),
        caps: without::caps(order.task.caps()),
    };
    let unheard = Arc::default();
    let stop = if without::stops_jobs() {
        &order.stop
    } else {
        &unheard
    };
    sandbox.run(job, stop, &mut order.tell)
}

/// In this process, within its time: for programs that embed the house and for tests.
fn inside<T: Task>(mut order: Order<T>, lang: Lang) -> Output {
    let budget = Budget::with_stop(
        Limits::time(order.task.caps().time()),
        Arc::clone(&order.stop),
    );
    let mut work = Work::new(budget, &mut order.tell);
    lang.speak(|| perform(order.task, order.items, &mut work))
}

/// The sentence for a job that a sandbox had to end.
fn ended<T: Task>(failure: Failure, caps: Caps) -> Fault {
    let seconds = caps.time().as_secs();
    let why = match &failure {
        Failure::Refused(_) => None,
        Failure::Time => Some("time"),
        Failure::Memory => Some("memory"),
        Failure::Stopped => Some("stopped"),
        Failure::Broken(_) => Some("broken"),
    };
    if let Some(why) = why {
        log::killed(T::ROOM, T::VERB, why);
    }
    let (status, code, why, hint) = match failure {
        Failure::Refused(refusal) => {
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            return Fault::new(status, refusal.code, refusal.why, refusal.hint);
        }
        Failure::Time => (
            StatusCode::UNPROCESSABLE_ENTITY,
            "time",
            WORDS.say("sandbox-time").with("seconds", seconds),
            "sandbox-time-hint",
        ),
        Failure::Memory => (
            StatusCode::UNPROCESSABLE_ENTITY,
            "memory",
            WORDS
                .say("sandbox-memory")
                .with("megabytes", caps.memory >> 20),
            "sandbox-memory-hint",
        ),
        Failure::Stopped => (
            StatusCode::UNPROCESSABLE_ENTITY,
            "stopped",
            WORDS.say("sandbox-stopped"),
            "sandbox-stopped-hint",
        ),
        Failure::Broken(_) => return Fault::breakdown(),
    };
    Fault::new(status, code, why, WORDS.say(hint))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The house may take a gigabyte more than at rest, whatever is sent to it.
    #[test]
    fn all_sandboxes_fit_into_a_gigabyte() {
        let all: u64 = Class::ALL.map(Class::memory).iter().sum();
        assert!(all < 1 << 30, "{} MiB", all >> 20);
    }

    #[tokio::test]
    async fn small_questions_of_one_address_leave_room_for_the_dearest_of_another() {
        let (places, dearest) = (Places::new(64), Class::Quick.dearest());
        let turns = places.of(Class::Quick);
        let take = async |last: u8, visitor: u128, memory: u64| {
            let address = [127, 0, 0, last].into();
            let turn = turns.take(Account { address, visitor }, memory);
            tokio::time::timeout(Duration::from_millis(50), turn)
                .await
                .ok()
        };
        for memory in [dearest, dearest / 2 + 1, dearest / 16] {
            let mut held = Vec::new();
            while let Some(turn) = take(2, held.len() as u128, memory).await {
                held.push(turn);
            }
            assert!(!held.is_empty());
            assert!(
                take(3, 1000, dearest).await.is_some(),
                "{memory} bytes each"
            );
        }
    }
}
