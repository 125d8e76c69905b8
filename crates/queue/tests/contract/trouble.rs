//! A server that is not there, goes away, forgets, comes back.

use std::time::{Duration, Instant};

use wits_queue::{Queue, QueueError, Role, Sign};

use crate::laws::{LONG, parcel, take_results};
use crate::server::NatsServer;

/// Tries until it works: the server is coming back.
fn at_last<T>(mut attempt: impl FnMut() -> Result<T, QueueError>) -> T {
    let deadline = Instant::now() + Duration::from_mins(2);
    loop {
        match attempt() {
            Ok(value) => return value,
            Err(error) => {
                assert!(error.is_temporary(), "{error}");
                assert!(Instant::now() < deadline, "{error}");
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }
}

#[test]
fn a_killed_server_comes_back_with_everything() {
    let Some(mut server) = NatsServer::start() else {
        return;
    };
    let queue = Queue::nats(&server.url(), LONG, 1).unwrap();
    let here = queue
        .present(Sign::new("ann", Role::Worker, "1", 1))
        .unwrap();
    queue
        .send(&[parcel("cup", "a"), parcel("cup", "b")])
        .unwrap();
    let held = queue.take(LONG).unwrap().unwrap();
    let first = held.parcel.clone();
    server.kill();
    let error = queue.send(&[parcel("cup", "c")]).unwrap_err();
    assert!(matches!(error, QueueError::Away { .. }), "{error}");
    assert!(queue.take(Duration::from_millis(50)).is_err());
    server.up();
    // What was held is still ours to finish.
    let mut held = Some(held);
    at_last(|| match queue.finish(held.take().unwrap(), &first) {
        Ok(()) => Ok(()),
        Err(unfinished) => {
            held = Some(unfinished.0);
            Err(unfinished.1)
        }
    });
    // A job may come twice, since the server may have died before it wrote down what became of it.
    let mut taken = Vec::new();
    while !["a", "b"]
        .iter()
        .all(|job| *job == first.job || taken.contains(&(*job).to_owned()))
    {
        let next = at_last(|| queue.take(Duration::from_secs(1)));
        taken.extend(next.map(|held| held.parcel.job.clone()));
        assert!(taken.len() < 20, "{taken:?}");
    }
    assert_eq!(take_results(&queue, "cup", 1)[0].parcel, first);
    let signs = at_last(|| queue.roll_call(Duration::from_millis(500)));
    assert_eq!(signs, [here.sign()], "who was there is there again");
}

#[test]
fn a_server_that_forgot_everything_is_set_up_anew() {
    let Some(mut server) = NatsServer::start() else {
        return;
    };
    let queue = Queue::nats(&server.url(), LONG, 1).unwrap();
    queue.send(&[parcel("cup", "a")]).unwrap();
    server.kill();
    server.forget();
    server.up();
    assert_eq!(
        at_last(|| queue.send(&[parcel("cup", "a")])),
        1,
        "it was lost"
    );
    let held = at_last(|| queue.take(Duration::from_secs(1))).unwrap();
    assert_eq!(held.parcel.job, "a");
}

#[test]
fn what_is_wrong_with_an_address_is_said_without_its_password() {
    let quick = Duration::from_millis(300);
    let error = Queue::nats("http://127.0.0.1:4222", quick, 1)
        .err()
        .unwrap();
    assert!(matches!(error, QueueError::Address { .. }), "{error}");
    let error = Queue::nats("nats://eve:hunter2@127.0.0.1:1", quick, 1)
        .err()
        .unwrap();
    assert!(matches!(error, QueueError::Away { .. }), "{error}");
    assert!(!format!("{error} {error:?}").contains("hunter2"), "{error}");
    let Some(server) = NatsServer::start_with(false) else {
        return;
    };
    let error = Queue::nats(&server.url(), quick, 1).err().unwrap();
    assert!(matches!(error, QueueError::NoStreams { .. }), "{error}");
    assert!(error.hint().contains("--jetstream"));
}
