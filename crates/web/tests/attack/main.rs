//! The house under load and under attack: each test is a row of `docs/security.md`.
//!
//! `WITS_WITHOUT=ROW` lifts the limit of one row, to see its test fail.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod floods;
mod guests;
mod inputs;
mod limits;
mod owners;
mod page;
mod places;
mod searches;
mod slow;
mod wire;

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use wits_play::{Catalog, Limits};
use wits_store::Store;
use wits_web::testing::{Client, House};
use wits_web::{Config, Rate};

/// A house of tic-tac-toe.
fn house(change: impl FnOnce(&mut Config)) -> House {
    let catalog = Catalog::new(vec![
        wits_matchbox::tictactoe::entry().erase(),
        wits_matchbox::hexapawn::entry().erase(),
    ]);
    House::open(catalog, Store::memory().unwrap(), |config| {
        change(config);
        lift(config);
    })
}

/// Takes one protection out, where somebody wants to see its test fail.
fn lift(config: &mut Config) {
    let all = Rate {
        burst: f64::INFINITY,
        per_second: f64::INFINITY,
    };
    let never = Duration::from_hours(1);
    match std::env::var("WITS_WITHOUT").unwrap_or_default().as_str() {
        "body-limit" | "endless-body" => config.body_limit = usize::MAX,
        "many-headers" => config.head_limit = usize::MAX / 4,
        "long-url" => config.url_limit = usize::MAX,
        "slow-headers" => config.header_time = never,
        "slow-body" => config.request_time = never,
        "idle-connections" => {
            config.connections = 100_000;
            config.header_time = never;
        }
        "connections-per-address" => config.per_address = usize::MAX,
        "unread-answers" => config.write_time = never,
        "streams-per-session" => config.per_session = usize::MAX,
        "streams-per-address" => config.streams = 256,
        "move-flood" => {
            config.rates.changes = all;
            config.rates.session = all;
            config.rates.address = all;
        }
        "flood-of-strangers" | "proxied-address" => config.rates.address = all,
        "tokens-per-address" => config.rates.tokens = all,
        "heavy-searches" => config.thinking = Limits::NONE,
        "few-uploads" => config.uploads = (10_000, u64::MAX >> 1),
        "left-games" => config.presence = never,
        "invited-only" => config.invite = None,
        "invitation-guesses" => config.rates.login = all,
        "storage-quota" | "disk-limit" => {
            config.quotas.kept.bytes = u64::MAX >> 1;
            config.quotas.kept.address_bytes = u64::MAX >> 1;
            config.quotas.kept.house_bytes = u64::MAX >> 1;
        }
        "open-games" => {
            config.quotas.open = u64::MAX >> 1;
            config.quotas.address_open = u64::MAX >> 1;
        }
        "tournament-slots" => config.quotas.visitor_tournaments = usize::MAX,
        "operator" => config.operator = None,
        _ => {}
    }
}

/// A new game; its address.
fn begin(client: &mut Client, seats: &[&str]) -> String {
    let body = json!({"game": "tictactoe", "seats": seats, "seed": 7});
    let reply = client.post("/games", &body).unwrap();
    assert_eq!(reply.status, 201, "{}", reply.body);
    reply.json()["page"].as_str().unwrap().to_owned()
}

fn play(client: &mut Client, page: &str, ply: u64, seat: u64, text: &str) -> (u16, Value) {
    let body = json!({"ply": ply, "seat": seat, "move": text});
    let reply = client.post(&format!("{page}/move"), &body).unwrap();
    (reply.status, reply.json())
}

/// Waits for a condition, with a deadline that a slow machine can keep.
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_mins(1);
    while !holds() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
