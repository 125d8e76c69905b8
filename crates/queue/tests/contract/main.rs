//! One contract for both forms of the queue, and what only a server can do: go away, forget, come back.
#![allow(clippy::print_stderr, clippy::unwrap_used, reason = "tests")]

mod laws;
#[cfg(feature = "nats")]
mod server;
#[cfg(feature = "nats")]
mod trouble;

use wits_queue::Queue;

#[test]
fn the_queue_inside_a_process_keeps_the_contract() {
    laws::check(&Queue::here);
}

#[cfg(feature = "nats")]
#[test]
fn the_queue_at_a_server_keeps_the_contract() {
    use std::time::Duration;
    let Some(_first) = server::NatsServer::start() else {
        return;
    };
    // A server for each law: its queue is one and the same for all.
    let servers = std::cell::RefCell::new(Vec::new());
    laws::check(&|| {
        let server = server::NatsServer::start().unwrap();
        let queue = Queue::nats(&server.url(), Duration::from_mins(1), 7).unwrap();
        servers.borrow_mut().push(server);
        queue
    });
}

#[cfg(not(feature = "nats"))]
#[test]
fn without_the_feature_it_says_how_to_build_it() {
    let error = Queue::nats("nats://127.0.0.1", std::time::Duration::ZERO, 0).err();
    let error = error.unwrap();
    assert!(error.to_string().contains("without NATS") && error.hint().contains("--features nats"));
}
