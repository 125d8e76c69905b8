//! The transit room over HTTP: answers in words, threads, suggestions, and one's own timetable.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;

use serde_json::json;
use wits_game::Seed;
use wits_play::{Catalog, Shelf};
use wits_store::Store;
use wits_transit::{CityPlan, generate, pack};
use wits_web::testing::Client;
use wits_web::{App, Config, Door};

/// A house without games on a free port.
fn house<T>(store: &Arc<Store>, visit: impl FnOnce(SocketAddr) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let config = Config {
        listen: "127.0.0.1:0".parse().unwrap(),
        ..Config::default()
    };
    let app = App::new(
        config,
        Catalog::new(Vec::new()),
        Shelf::new(),
        Arc::clone(store),
    );
    let door = runtime.block_on(Door::open(app)).unwrap();
    let answer = visit(door.address);
    runtime.block_on(door.close());
    answer
}

/// Sends bytes as the page sends a file; gives the status and the body.
fn upload(address: SocketAddr, cookie: &str, bytes: &[u8]) -> (u16, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    let head = format!(
        "POST /transit/feed HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\nCookie: {cookie}\r\nAccept: application/json\r\nContent-Type: application/octet-stream\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        bytes.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let _ = stream.write_all(bytes);
    let mut text = String::new();
    let _ = stream.read_to_string(&mut text);
    let status = text
        .split(' ')
        .nth(1)
        .and_then(|s| s.parse().ok())
        .unwrap_or(0);
    (status, text)
}

#[test]
fn questions_are_answered_in_words_and_mistakes_named() {
    let store = Arc::new(Store::memory().unwrap());
    house(&store, |address| {
        let mut client = Client::new(address);
        let page = client.get("/transit").unwrap();
        assert_eq!(page.status, 200);
        let found = client.get("/transit/stops?q=ostrow").unwrap().json();
        let name = found["stops"][0]["name"].as_str().unwrap().to_owned();
        assert!(name.to_lowercase().contains("ostr"), "{name}");
        let map = client.get("/transit/map").unwrap().json();
        assert!(map["stops"].as_array().unwrap().len() > 500);
        for (path, part) in [
            ("/transit?from=Mostka&to=Rybka&at=08:00", "tr-journey"),
            ("/transit?from=Mostka&to=Mostka&at=08:00", "there already"),
            ("/transit?from=Mostka&to=Rybka&at=25:61", "25:61"),
            (
                "/transit?from=Mostka&to=Rybka&date=1999-01-01",
                "1999-01-01",
            ),
            ("/transit?from=Mostka&to=Rybka&by=comfort", "comfort"),
            ("/transit/reach?stop=Mostka&minutes=9999", "from 5 to 120"),
            (
                "/transit/tour?start=Mostka&via=Rybka%3BZvonice&at=08:00",
                "tour-result",
            ),
            ("/transit/board?stop=Mostka", "tr-board"),
            ("/transit/board?stop=Mostkk", "Did you mean"),
        ] {
            let page = client.get(path).unwrap();
            assert_eq!(page.status, 200, "{path}");
            assert!(page.body.contains(part), "{path}: {}", page.body);
        }
        let thread = client
            .get("/transit/thread?from=Mostka&to=Rybka&algorithm=raptor")
            .unwrap();
        let to = thread.header("location").unwrap().to_owned();
        let thread = client.get(&to).unwrap();
        assert!(thread.body.starts_with("{\"thread\":2"), "{}", thread.body);
        let refused = client.get(&to.replace("raptor", "magic")).unwrap();
        assert_eq!(refused.status, 422);
        assert!(
            refused.json()["error"]["message"]
                .as_str()
                .unwrap()
                .contains("magic")
        );
    });
}

#[test]
fn a_timetable_of_ones_own_stays_with_its_visitor_and_over_a_restart() {
    let store = Arc::new(Store::memory().unwrap());
    let plan = CityPlan {
        seed: Seed::new(77),
        size: 0.05,
    };
    let mut table = generate(&plan);
    table.title = "My own village".to_owned();
    let bytes = pack::write(&table);
    let cookie = house(&store, |address| {
        let mut client = Client::new(address);
        let page = client.get("/transit").unwrap();
        let cookie = page.header("set-cookie").unwrap();
        let cookie = cookie.split(';').next().unwrap().to_owned();
        let (status, text) = upload(address, &cookie, b"no timetable");
        assert!(
            status == 422 && text.contains("wits transit pack"),
            "{text}"
        );
        let (status, text) = upload(address, &cookie, &bytes[..bytes.len() / 2]);
        assert_eq!(status, 422, "{text}");
        assert!(
            !client
                .get("/transit")
                .unwrap()
                .body
                .contains("My own village")
        );
        let (status, text) = upload(address, &cookie, &bytes);
        assert!(status == 200 && text.contains("My own village"), "{text}");
        assert!(
            client
                .get("/transit")
                .unwrap()
                .body
                .contains("My own village")
        );
        let mut other = Client::new(address);
        assert!(
            !other
                .get("/transit")
                .unwrap()
                .body
                .contains("My own village")
        );
        cookie
    });
    house(&store, |address| {
        let mut client = Client::new(address);
        let page = client
            .send("GET", "/transit", &[("cookie", &cookie)], "")
            .unwrap();
        assert!(page.body.contains("My own village"));
        let headers = [("cookie", cookie.as_str())];
        let gone = client
            .send("POST", "/transit/feed/forget", &headers, "")
            .unwrap();
        assert_eq!(gone.status, 303);
        let page = client
            .send("GET", "/transit", &[("cookie", &cookie)], "")
            .unwrap();
        assert!(!page.body.contains("My own village"));
    });
}

#[test]
fn verbs_are_about_the_visitors_timetable_and_answered_in_the_house() {
    let store = Arc::new(Store::memory().unwrap());
    let plan = CityPlan {
        seed: Seed::new(77),
        size: 0.05,
    };
    let mut table = generate(&plan);
    table.title = "My own village".to_owned();
    let bytes = pack::write(&table);
    house(&store, |address| {
        let mut client = Client::new(address);
        let page = client.get("/transit").unwrap();
        let cookie = page.header("set-cookie").unwrap();
        let cookie = cookie.split(';').next().unwrap().to_owned();
        let ask = |client: &mut Client, verb: &str, asked: serde_json::Value| {
            let path = format!("/api/transit/{verb}");
            client.post(&path, &asked).unwrap()
        };
        // Nobody's timetable: the generated city, as the library answers.
        let city = wits_transit::Planner::new(
            Arc::new(generate(&CityPlan::default())),
            wits_transit::Walking::Real,
            None,
        )
        .unwrap();
        let stops = |name: &str| wits_transit::names::resolve(&city.table, name).unwrap();
        let at = "08:00".parse().unwrap();
        let own = city.isochrone(&stops("Mostka"), at, 20, 0);
        let asked = json!({"stop": "Mostka", "at": "08:00", "minutes": 20});
        let reply = ask(&mut client, "isochrone", asked);
        assert_eq!(reply.json(), serde_json::to_value(own).unwrap());
        let asked = json!({"from": "Mostka", "to": "Rybka", "at": "08:00", "by": "pareto"});
        let question = wits_transit::Question {
            by: wits_transit::Objective::Pareto,
            ..wits_transit::Question::new(stops("Mostka"), stops("Rybka"), at)
        };
        let own = serde_json::to_value(city.route(&question).unwrap()).unwrap();
        let found = ask(&mut client, "route", asked).json();
        assert_eq!(found["journeys"], own["journeys"]);
        // A proof is made in a sandbox, and checked in another.
        let asked = "/desk/transit/route?from=Mostka&to=Rybka&at=08:00&certify=true";
        let page = client.get(asked).unwrap();
        assert!(page.body.contains("the certificate holds"), "{}", page.body);
        let proof = client
            .get(&format!("{asked}&keep=certificate"))
            .unwrap()
            .body;
        let asked = json!({"file": {"text": proof}});
        assert_eq!(ask(&mut client, "verify", asked).json()["valid"], true);
        for (verb, asked, code) in [
            (
                "route",
                json!({"from": "Mostka", "to": "Rybka"}),
                "missing-parameter",
            ),
            (
                "route",
                json!({"from": "Mostkk", "to": "Rybka", "at": "08:00"}),
                "unknown-stop",
            ),
            (
                "profile",
                json!({"from": "Mostka", "to": "Rybka", "feed": "none"}),
                "missing",
            ),
            ("describe", json!({"date": "1999-01-01"}), "no-service"),
            (
                "whynot",
                json!({"from": "Mostka", "to": "Rybka", "at": "08:00", "line": "?"}),
                "unknown-line",
            ),
        ] {
            let reply = ask(&mut client, verb, asked);
            assert_eq!(
                reply.json()["error"]["code"],
                code,
                "{verb}: {}",
                reply.body
            );
        }
        // One's own timetable, once it is there; by its address for others, too.
        let (status, text) = upload(address, &cookie, &bytes);
        assert_eq!(status, 200, "{text}");
        let told = ask(&mut client, "describe", json!({})).json();
        assert_eq!(told["title"], "My own village");
        let mut other = Client::new(address);
        other.get("/transit").unwrap();
        assert_ne!(
            ask(&mut other, "describe", json!({})).json()["title"],
            "My own village"
        );
        let name = store.blobs("timetable").unwrap().remove(0).name;
        let told = ask(&mut other, "describe", json!({"feed": name})).json();
        assert_eq!(told["title"], "My own village");
    });
}
