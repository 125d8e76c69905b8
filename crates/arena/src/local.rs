//! A whole run on the threads of this process.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use wits_play::Shelf;
use wits_queue::Queue;

use crate::{ArenaError, Coordinator, Hall, Leading, SILENCE, Stop, Worker, spread, work};

/// How long an idle thread waits before it looks whether it is still needed.
const LOOK: Duration = Duration::from_millis(20);

/// Plays what is left of a run on some threads. `now` tells the time in microseconds; `each` hears
/// of every batch that was written down and says whether to go on.
pub fn run(
    coordinator: &mut Coordinator<'_>,
    hall: &Hall,
    threads: usize,
    stop: &AtomicBool,
    now: &dyn Fn() -> i64,
    each: &mut dyn FnMut(&Coordinator<'_>) -> ControlFlow<()>,
) -> Result<Stop, ArenaError> {
    if coordinator.pending().is_empty() {
        return Ok(Stop::Finished);
    }
    let queue = Queue::here();
    let halt = AtomicBool::new(false);
    let worker = Worker {
        hall,
        queue: &queue,
        name: "here",
        threads: threads.clamp(1, 1024),
        wait: LOOK,
        salt: 0,
        drain: &halt,
        halt: &halt,
        aside: &|_| None,
        fetch: &|_| None,
        tell: &|_| {},
    };
    let leading = Leading {
        queue: &queue,
        // The threads have what the hall has.
        shelf: &Shelf::new(),
        silence: SILENCE,
        place: "here",
        salt: 0,
        stop,
        now,
        tell: &|_| {},
    };
    std::thread::scope(|scope| {
        let working = scope.spawn(|| work(&worker));
        let end = spread(coordinator, &leading, each);
        halt.store(true, Ordering::Relaxed);
        match working.join() {
            Ok(worked) => end.and_then(|end| worked.map(|_| end)),
            Err(_) => end,
        }
    })
}
