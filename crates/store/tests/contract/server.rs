//! A server of our own, or the one named in `WITS_TEST_POSTGRES`.

use crate::ground::Ground;
use crate::laws::id;
use crate::postgres::Server;
use ::postgres::{Client, NoTls};
use serde_json::json;
use std::env;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};
use wits_store::{Change, Error, Id, Options, Store, Which};

/// The server that all tests here share while any of them runs; none (with a line saying so) where
/// there are no PostgreSQL programs, unless `WITS_REQUIRE_POSTGRES` is set.
pub(crate) fn shared() -> Option<Arc<Server>> {
    static SHARED: Mutex<Weak<Server>> = Mutex::new(Weak::new());
    let mut shared = SHARED.lock().unwrap();
    if let Some(server) = shared.upgrade() {
        return Some(server);
    }
    let server = match env::var("WITS_TEST_POSTGRES") {
        Ok(url) => Server { url, own: None },
        Err(_) => Server::start()?,
    };
    let server = Arc::new(server);
    *shared = Arc::downgrade(&server);
    Some(server)
}

impl Server {
    fn sql(&self, sql: &str) {
        Client::connect(&self.url, NoTls)
            .unwrap()
            .batch_execute(sql)
            .unwrap();
    }

    /// An empty schema of its own on this server.
    pub(crate) fn ground(self: &Arc<Self>) -> Ground {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("wits_test_{}_{number}", std::process::id());
        self.sql(&format!("CREATE SCHEMA {name}"));
        let mark = if self.url.contains('?') { '&' } else { '?' };
        let place = format!("{}{mark}options=-csearch_path%3D{name}", self.url);
        Ground::new(
            Some(place),
            Schema {
                server: Arc::clone(self),
                name,
            },
        )
    }
}

struct Schema {
    server: Arc<Server>,
    name: String,
}

impl Drop for Schema {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.server
                .sql(&format!("DROP SCHEMA {} CASCADE", self.name));
        }
    }
}

const HASTY: Options = Options {
    patience: Duration::from_millis(200),
    connections: 2,
};

#[test]
fn a_lost_server_is_unavailable_and_works_again_when_back() {
    if env::var_os("WITS_TEST_POSTGRES").is_some() {
        eprintln!("skipped: somebody else's server is not ours to stop");
        return;
    }
    let Some(server) = Server::start() else {
        return;
    };
    let own = server.own.as_ref().unwrap();
    let store = Store::postgres_with(&server.url, HASTY).unwrap();
    store.create(id(1), "game", &json!({}), 1).unwrap();
    store.append(id(1), 0, &json!(0), 2).unwrap();
    for round in 1..4 {
        assert!(own.down());
        for _ in 0..3 {
            let error = store.append(id(1), round, &json!(round), 3).unwrap_err();
            assert!(
                matches!(error, Error::Unavailable { .. }) && error.is_temporary(),
                "{error}"
            );
            assert!(store.session(id(1)).is_err());
        }
        assert!(matches!(
            Store::postgres(&server.url),
            Err(Error::Unavailable { .. })
        ));
        own.up();
        store.append(id(1), round, &json!(round), 3).unwrap();
        // Restarted while nobody looked: the first call after it must not notice.
        assert!(own.down());
        own.up();
        assert_eq!(store.session(id(1)).unwrap().events, round + 1);
    }
}

#[test]
fn who_retries_through_crashes_writes_everything_once() {
    if env::var_os("WITS_TEST_POSTGRES").is_some() {
        return;
    }
    let Some(server) = Server::start() else {
        return;
    };
    let own = server.own.as_ref().unwrap();
    let store = Store::postgres_with(&server.url, HASTY).unwrap();
    store.create(id(1), "game", &json!({}), 1).unwrap();
    let (written, stop) = (AtomicU32::new(0), AtomicBool::new(false));
    std::thread::scope(|s| {
        s.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                let seq = written.load(Ordering::Relaxed);
                match store.append(id(1), seq.into(), &json!(seq), 2) {
                    Ok(()) => {}
                    // The commit whose answer was lost with the connection.
                    Err(Error::Taken { body, .. }) => assert_eq!(body, json!(seq)),
                    Err(error) => {
                        assert!(error.is_temporary(), "{error}");
                        std::thread::sleep(Duration::from_millis(5));
                        continue;
                    }
                }
                written.fetch_add(1, Ordering::Relaxed);
            }
        });
        for _ in 0..4 {
            let before = written.load(Ordering::Relaxed);
            let deadline = Instant::now() + Duration::from_secs(30);
            while written.load(Ordering::Relaxed) < before + 50 && Instant::now() < deadline {
                std::thread::yield_now();
            }
            assert!(own.down());
            own.up();
        }
        stop.store(true, Ordering::Relaxed);
    });
    let log: Vec<_> = store
        .events(id(1), 0)
        .unwrap()
        .into_iter()
        .map(|e| e.body)
        .collect();
    let wanted: Vec<_> = (0..written.into_inner()).map(|n| json!(n)).collect();
    assert!(wanted.len() >= 200);
    assert_eq!(log, wanted);
}

#[test]
fn version_1_on_a_server_is_upgraded_with_all_it_holds() {
    let Some(server) = shared() else { return };
    let ground = server.ground();
    ground.open().create(id(1), "game", &json!({}), 1).unwrap();
    let back = "DROP TABLE makers, items, visitors, results, scores, blobs;
        DROP INDEX tokens_by_token; UPDATE wits_schema SET version = 1";
    let mut other = Client::connect(ground.place.as_ref().unwrap(), NoTls).unwrap();
    other.batch_execute(back).unwrap();
    let store = ground.open();
    assert_eq!(store.count(Which::default()).unwrap(), 1);
    assert_eq!(store.count_results("cup").unwrap(), 0);
}

#[test]
fn locked_read_only_and_newer_servers_are_named() {
    let Some(server) = shared() else { return };
    let ground = server.ground();
    let place = ground.place.as_ref().unwrap();
    let store = ground.open_with(HASTY);
    store.create(id(1), "game", &json!({}), 1).unwrap();

    let mut other = Client::connect(place, NoTls).unwrap();
    other
        .batch_execute("BEGIN; SELECT * FROM sessions FOR UPDATE")
        .unwrap();
    let error = store.append(id(1), 0, &json!(0), 2).unwrap_err();
    assert!(matches!(error, Error::Busy), "{error}");
    assert_eq!(store.session(id(1)).unwrap().events, 0, "reading goes on");
    other.batch_execute("ROLLBACK").unwrap();
    store.append(id(1), 0, &json!(0), 2).unwrap();

    let read_only = format!("{place}%20-cdefault_transaction_read_only%3Don");
    let reader = Store::postgres(&read_only).unwrap();
    let error = reader.append(id(1), 1, &json!(1), 3).unwrap_err();
    assert!(matches!(error, Error::ReadOnly), "{error}");
    assert_eq!(reader.events(id(1), 0).unwrap().len(), 1);

    other
        .batch_execute("UPDATE wits_schema SET version = 99")
        .unwrap();
    let error = Store::postgres(place).unwrap_err();
    assert!(
        matches!(
            error,
            Error::NewerSchema {
                found: 99,
                known: 3
            }
        ),
        "{error}"
    );
    assert_eq!(store.count(Which::default()).unwrap(), 1);
}

#[test]
fn bad_addresses_are_named_without_their_password() {
    let quick = Options {
        patience: Duration::from_millis(500),
        connections: 1,
    };
    for url in [
        "postgres://eve:hunter2@127.0.0.1:1/wits",
        "postgres://eve:hunter2@[/wits",
    ] {
        let error = Store::open(url, quick).unwrap_err();
        assert!(
            !format!("{error} {error:?}").contains("hunter2"),
            "{error:?}"
        );
    }
}

#[test]
fn what_one_process_writes_the_others_are_told() {
    let Some(server) = shared() else { return };
    let ground = server.ground();
    let (ours, theirs) = (ground.open(), ground.open());
    assert!(ours.is_shared());
    // Other tests tell, too, on the same database.
    let games = [Id::random().unwrap(), Id::random().unwrap()];
    for game in games {
        ours.create(game, "game", &json!({}), 1).unwrap();
    }
    let going = AtomicBool::new(true);
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::scope(|s| {
        s.spawn(|| {
            ours.follow(
                || going.load(Ordering::Relaxed),
                |change| tell.send(change).unwrap(),
            );
        });
        let patience = Duration::from_secs(30);
        assert_eq!(told.recv_timeout(patience), Ok(Change::Any), "it listens");
        ours.append(games[0], 0, &json!(0), 2).unwrap();
        theirs.append(games[0], 1, &json!(1), 3).unwrap();
        assert!(theirs.append(games[0], 1, &json!(9), 3).is_err());
        theirs.claim(games[1], 0, "token").unwrap();
        theirs.claim(games[1], 0, "other").unwrap();
        theirs.append(games[1], 0, &json!(0), 4).unwrap();
        let mut heard = Vec::new();
        while heard.len() < 3 {
            match told.recv_timeout(patience).unwrap() {
                Change::Session(id) if games.contains(&id) => heard.push(id),
                _ => {}
            }
        }
        // Not what we wrote ourselves, and not what was refused.
        assert_eq!(heard, [games[0], games[1], games[1]]);
        going.store(false, Ordering::Relaxed);
    });
}
