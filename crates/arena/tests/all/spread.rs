//! Jobs over a queue, with workers that die, lie and refuse.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::common::{hall, header, table, timeless, tournament};
use wits_arena::{
    Answer, ArenaError, Coordinator, Job, Leading, Refused, Stop, Worked, Worker, spread, work,
};
use wits_play::Shelf;
use wits_queue::{Order, Parcel, Queue};
use wits_store::Store;

const SMALL: &str = r#"
game = "tictactoe"
players = ["random", "alphabeta:depth=2", "mcts:nodes=30"]
games = 40
random-plies = 1
seed = 7
"#;

const SOON: Duration = Duration::from_millis(100);
const LONG: Duration = Duration::from_mins(1);

/// Leads a run while `others` do what they like; an honest worker comes when they are done.
fn lead(
    text: &str,
    others: impl Fn(&Queue) + Sync,
) -> Result<(Stop, wits_arena::Table), ArenaError> {
    let store = Store::memory().unwrap();
    let mut coordinator = Coordinator::begin(&store, header(tournament(text))).unwrap();
    let queue = Queue::here();
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            others(&queue);
            honest(&queue, &over)
        });
        let leading = Leading {
            queue: &queue,
            shelf: &Shelf::new(),
            place: "test",
            salt: 1,
            stop: &AtomicBool::new(false),
            silence: SOON,
            now: &|| 2,
            tell: &|_| {},
        };
        let end = spread(&mut coordinator, &leading, &mut |_| {
            ControlFlow::Continue(())
        });
        over.store(true, Ordering::Relaxed);
        end
    })
    .map(|end| {
        coordinator.reload().unwrap();
        (end, coordinator.table())
    })
}

fn honest(queue: &Queue, over: &AtomicBool) -> Result<Worked, ArenaError> {
    work(&Worker {
        hall: &hall(),
        queue,
        name: "honest",
        threads: 2,
        wait: SOON,
        salt: 1,
        drain: over,
        halt: over,
        aside: &|_| None,
        fetch: &|_| None,
        tell: &|_| {},
    })
}

fn result(of: &Parcel, body: Vec<u8>) -> Parcel {
    Parcel { body, ..of.clone() }
}

#[test]
fn whatever_becomes_of_jobs_the_table_is_the_same() {
    let expected = timeless(table(SMALL, 2));
    let (end, torn) = lead(SMALL, |queue| {
        // Some are dropped by a worker that died, some are answered with nonsense.
        for n in 0..12 {
            let held = queue.take(LONG).unwrap().unwrap();
            if n % 2 == 0 {
                let nonsense = result(&held.parcel, b"nonsense".to_vec());
                queue.finish(held, &nonsense).unwrap();
            }
        }
        // Some are played by two, and both hand in.
        for _ in 0..6 {
            let held = queue.take(LONG).unwrap().unwrap();
            let job: Job = serde_json::from_slice(&held.parcel.body).unwrap();
            let played = hall().play(&job, &AtomicBool::new(false)).unwrap();
            let answer = Answer::Played(wits_arena::Completed {
                job: job.id,
                worker: "twice".to_owned(),
                result: played,
            });
            let parcel = held.parcel.clone();
            let body = serde_json::to_vec(&answer).unwrap();
            queue.finish(held, &result(&parcel, body.clone())).unwrap();
            if queue.send(std::slice::from_ref(&parcel)).unwrap() == 1 {
                let again = queue.take(LONG).unwrap().unwrap();
                let body = result(&again.parcel, body.clone());
                queue.finish(again, &body).unwrap();
            }
        }
    })
    .unwrap();
    assert_eq!(end, Stop::Finished);
    assert_eq!(timeless(torn), expected);
}

#[test]
fn a_job_that_nobody_can_play_ends_the_run_with_the_reason() {
    let ended = lead(SMALL, |queue| {
        let held = queue.take(LONG).unwrap().unwrap();
        let answer = Answer::Refused {
            worker: "ann".to_owned(),
            why: "there is no such player".to_owned(),
        };
        let body = result(&held.parcel, serde_json::to_vec(&answer).unwrap());
        queue.finish(held, &body).unwrap();
    });
    let error = ended.err().unwrap().to_string();
    assert!(
        error.contains("no such player") && error.contains("`ann`"),
        "{error}"
    );
}

#[test]
fn a_worker_of_another_version_leaves_and_its_job_goes_back() {
    let store = Store::memory().unwrap();
    let coordinator = Coordinator::begin(&store, header(tournament(SMALL))).unwrap();
    let mut job = coordinator.pending().remove(0);
    job.version = "0.0.1".to_owned();
    let queue = Queue::here();
    let body = serde_json::to_vec(&job).unwrap();
    let parcel = Parcel {
        run: job.run,
        job: job.id,
        body,
    };
    queue.send(&[parcel]).unwrap();
    let left = honest(&queue, &AtomicBool::new(false)).err().unwrap();
    assert!(
        matches!(&left, ArenaError::Refused(Refused::Version { job, .. }) if job == "0.0.1"),
        "{left}"
    );
    assert_eq!(
        queue.waiting().unwrap().jobs,
        1,
        "somebody else may play it"
    );
}

#[test]
fn a_worker_that_is_told_to_leave_finishes_first() {
    let store = Store::memory().unwrap();
    let coordinator = Coordinator::begin(&store, header(tournament(SMALL))).unwrap();
    let jobs = coordinator.pending();
    let parcels: Vec<Parcel> = jobs
        .into_iter()
        .map(|job| Parcel {
            body: serde_json::to_vec(&job).unwrap(),
            run: job.run,
            job: job.id,
        })
        .collect();
    let run = parcels[0].run.clone();
    let queue = Queue::here();
    queue.send(&parcels).unwrap();
    let worked = std::thread::scope(|scope| {
        let working = scope.spawn(|| honest(&queue, &AtomicBool::new(false)));
        let first = queue.results(&run, LONG, 1).unwrap();
        assert_eq!(first.len(), 1);
        drop(first);
        assert_eq!(queue.order(None, Order::Drain, SOON).unwrap().len(), 1);
        working.join().unwrap().unwrap()
    });
    let waiting = queue.waiting().unwrap();
    assert_eq!(waiting.taken, 0, "nothing is left half done");
    assert_eq!(worked.jobs, waiting.results);
    assert_eq!(
        waiting.jobs + waiting.results,
        parcels.len() as u64,
        "none is lost"
    );
    assert_eq!(queue.roll_call(SOON).unwrap(), []);
}
