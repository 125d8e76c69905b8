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
pub(crate) fn house<T>(store: &Arc<Store>, visit: impl FnOnce(SocketAddr) -> T) -> T {
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
pub(crate) fn upload(address: SocketAddr, cookie: &str, bytes: &[u8]) -> (u16, String) {
    send(address, "/transit/feed?name=town.zip", cookie, bytes)
}

fn send(address: SocketAddr, path: &str, cookie: &str, bytes: &[u8]) -> (u16, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\nCookie: {cookie}\r\nAccept: application/json\r\nContent-Type: application/octet-stream\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
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

/// The JSON of a reply with its head.
pub(crate) fn body(text: &str) -> serde_json::Value {
    let (_, body) = text.split_once("\r\n\r\n").unwrap();
    serde_json::from_str(body).unwrap_or_else(|e| panic!("{e}: {text}"))
}

/// A visitor and their cookie.
pub(crate) fn visitor(address: SocketAddr) -> (Client, String) {
    let mut client = Client::new(address);
    let page = client.get("/transit").unwrap();
    let cookie = page.header("set-cookie").unwrap();
    let cookie = cookie.split(';').next().unwrap().to_owned();
    (client, cookie)
}

/// A zipped GTFS feed of two stops, with a row that cannot be used and a colour.
pub(crate) fn feed() -> Vec<u8> {
    let files = [
        (
            "agency.txt",
            "agency_id,agency_name,agency_timezone\nm,Municipal,Europe/Warsaw\n",
        ),
        (
            "stops.txt",
            "stop_id,stop_name,stop_lat,stop_lon\na,Alpha,51,17\nb,Beta,51.05,17\n",
        ),
        (
            "routes.txt",
            "route_id,agency_id,route_short_name,route_type,route_color\n1,m,7,3,123456\n",
        ),
        (
            "trips.txt",
            "route_id,service_id,trip_id\n1,w,t\n1,w,late\n9,w,odd\n",
        ),
        (
            "calendar.txt",
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nw,1,1,1,1,1,0,0,20240101,20241231\n",
        ),
        (
            "stop_times.txt",
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,08:00:00,08:00:00,a,1\nt,08:10:00,08:10:00,b,2\nlate,09:00:00,09:00:00,a,1\nlate,10:15:00,10:15:00,b,2\n",
        ),
    ];
    let (mut zip, mut directory) = (Vec::new(), Vec::new());
    for (name, text) in files {
        let start = zip.len() as u32;
        let size = (text.len() as u32).to_le_bytes();
        let mut head = vec![20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        head.extend(size);
        head.extend(size);
        head.extend((name.len() as u16).to_le_bytes());
        head.extend([0, 0]);
        zip.extend(b"PK\x03\x04");
        zip.extend(&head);
        zip.extend(name.as_bytes());
        zip.extend(text.as_bytes());
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&head);
        directory.extend([0; 10]);
        directory.extend(start.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (start, count) = (zip.len() as u32, (files.len() as u16).to_le_bytes());
    zip.extend(&directory);
    zip.extend(b"PK\x05\x06\0\0\0\0");
    zip.extend([count, count].concat());
    zip.extend((directory.len() as u32).to_le_bytes());
    zip.extend(start.to_le_bytes());
    zip.extend([0, 0]);
    zip
}

#[test]
fn a_zip_opens_with_its_diagnosis_and_a_link_that_others_read_until_it_is_gone() {
    let store = Arc::new(Store::memory().unwrap());
    house(&store, |address| {
        let (mut client, cookie) = visitor(address);
        let (status, text) = upload(address, &cookie, &feed());
        assert_eq!(status, 200, "{text}");
        let told = body(&text);
        assert_eq!(
            (told["title"].as_str(), told["stops"].as_u64()),
            (Some("town"), Some(2))
        );
        let said = told["said"].as_str().unwrap();
        assert!(
            said.contains("2 stops, 1 line, 2 trips") && said.contains("has 1 remark:"),
            "{said}"
        );
        let findings = told["findings"].to_string();
        assert!(
            findings.contains("the route is not in routes.txt"),
            "{findings}"
        );
        // The address cannot be guessed, and every link and form of the page carries it.
        let id = told["feed"].as_str().unwrap();
        assert!(id.len() > 20, "{id}");
        let page = client
            .get("/transit?from=Alpha&to=Beta&at=08:05")
            .unwrap()
            .body;
        assert!(
            page.contains(&format!("name=\"feed\" value=\"{id}\"")),
            "{page}"
        );
        for part in [
            "/transit/board?",
            "/transit/search?",
            "/desk/transit/whatif?",
            "/transit/map?",
        ] {
            let link = page.split('"').find(|link| link.starts_with(part)).unwrap();
            assert!(link.contains(&format!("feed={id}")), "{link}");
        }
        assert!(page.contains("data-colour=\"#123456\""), "{page}");
        // Over an hour is said in hours.
        assert!(page.contains("1 h 15 min"), "{page}");
        let (mut other, _) = visitor(address);
        let shared = format!("/transit?feed={id}&from=Alpha&to=Beta&at=07:55");
        let seen = other.get(&shared).unwrap().body;
        assert!(
            seen.contains("tr-journey") && !seen.contains("feed/forget"),
            "{seen}"
        );
        let found = other
            .get(&format!("/transit/stops?q=alp&feed={id}"))
            .unwrap()
            .json();
        assert_eq!(found["stops"][0]["name"], "Alpha");
        let headers = [("cookie", cookie.as_str())];
        client
            .send("POST", "/transit/feed/forget", &headers, "")
            .unwrap();
        let gone = other.get(&shared).unwrap();
        assert_eq!(gone.status, 200);
        assert!(
            gone.body.contains("timetable of this link is not here"),
            "{}",
            gone.body
        );
        assert!(gone.body.contains("data-network"), "the city is shown");
        assert_eq!(
            other
                .get(&format!("/transit/map?feed={id}"))
                .unwrap()
                .status,
            404
        );
    });
}

#[test]
fn a_day_outside_the_feed_keeps_the_map_and_offers_the_nearest() {
    let store = Arc::new(Store::memory().unwrap());
    house(&store, |address| {
        let (mut client, cookie) = visitor(address);
        upload(address, &cookie, &feed());
        let page = client
            .get("/transit?from=Alpha&to=Beta&at=07:55&date=2031-05-05")
            .unwrap()
            .body;
        assert!(page.contains("nothing runs on 2031-05-05"), "{page}");
        let unescape = |text: &str| text.replace("&amp;", "&");
        let offer = page.split("id=\"nearest\"").nth(1).unwrap();
        let offer = unescape(offer.split('"').nth(1).unwrap());
        assert!(
            offer.contains("date=2024-12-31") && offer.contains("from=Alpha"),
            "{offer}"
        );
        assert!(client.get(&offer).unwrap().body.contains("tr-journey"));
        let network = page.split("data-network=\"").nth(1).unwrap();
        let network = unescape(network.split('"').next().unwrap());
        assert_eq!(client.get(&network).unwrap().status, 200, "{network}");
    });
}

#[test]
fn earlier_and_later_than_midnight_are_other_days() {
    let store = Arc::new(Store::memory().unwrap());
    house(&store, |address| {
        let (mut client, cookie) = visitor(address);
        upload(address, &cookie, &feed());
        let mut link = |asked: &str, id: &str| {
            let page = client.get(asked).unwrap().body;
            let link = page.split(id).nth(1).unwrap_or_else(|| panic!("{page}"));
            let link = link.split("href=\"").nth(1).unwrap();
            link.split('"').next().unwrap().replace("&amp;", "&")
        };
        // The last vehicle has left: the next one runs on the morning after, and more come then.
        let asked = "/transit?from=Alpha&to=Beta&by=time&at=23:30&date=2024-01-02";
        let later = link(asked, "id=\"later\"");
        assert!(
            later.contains("at=08%3A01") && later.contains("date=2024-01-03"),
            "{later}"
        );
        assert!(later.contains("by=time"), "{later}");
        let earlier = link(asked, "id=\"earlier\"");
        assert!(
            earlier.contains("at=22%3A30") && earlier.contains("date=2024-01-02"),
            "{earlier}"
        );
        let early = "/transit?from=Alpha&to=Beta&at=00:30&date=2024-01-03";
        let earlier = link(early, "id=\"earlier\"");
        assert!(
            earlier.contains("at=23%3A30") && earlier.contains("date=2024-01-02"),
            "{earlier}"
        );
        // Where no day is asked for it is the one that is planned for, and the day after has a name.
        let open = link("/transit?from=Alpha&to=Beta&at=23:30", "id=\"later\"");
        assert!(open.contains("at=08%3A01&date=2024-01-02"), "{open}");
        let board = link(
            "/transit/board?stop=Alpha&at=23:00&date=2024-01-02",
            "tr-board",
        );
        assert!(board.contains("at=09%3A01&date=2024-01-03"), "{board}");
    });
}

#[test]
fn a_realtime_feed_makes_journeys_and_boards_late() {
    let store = Arc::new(Store::memory().unwrap());
    house(&store, |address| {
        let (mut client, cookie) = visitor(address);
        // Version 2.0; trip `t` departs 300 s late at its first call.
        let live = b"\x0a\x05\x0a\x032.0\x12\x16\x0a\x01x\x1a\x11\x0a\x03\x0a\x01t\x12\x0a\x1a\x03\x08\xac\x02\x22\x01a\x28\x00";
        let (status, text) = send(address, "/transit/live", &cookie, live);
        assert!(status == 422 && text.contains("timetable first"), "{text}");
        upload(address, &cookie, &feed());
        let (status, text) = send(address, "/transit/live", &cookie, b"no feed");
        assert_eq!(status, 422, "{text}");
        let (status, text) = send(address, "/transit/live", &cookie, live);
        assert_eq!(status, 200, "{text}");
        assert_eq!(body(&text)["count"]["moved"], 1, "{text}");
        let page = client
            .get("/transit?from=Alpha&to=Beta&at=07:55")
            .unwrap()
            .body;
        assert!(
            page.contains("08:05 → 08:15") && page.contains("5 min late"),
            "{page}"
        );
        let board = client
            .get("/transit/board?stop=Alpha&at=07:55")
            .unwrap()
            .body;
        assert!(
            board.contains("08:05") && board.contains("+5") && board.contains("10 min"),
            "{board}"
        );
        // Questions of the desk are about vehicles as they run, too.
        let id = store.blobs("realtime").unwrap().remove(0).name;
        let asked = format!("/desk/transit/route?from=Alpha&to=Beta&at=07:55&realtime={id}");
        assert!(client.get(&asked).unwrap().body.contains("5 min late"));
    });
}

#[test]
fn journeys_of_an_hour_are_in_order_and_each_can_be_asked_about() {
    let store = Arc::new(Store::memory().unwrap());
    house(&store, |address| {
        let (mut client, _) = visitor(address);
        let first = client.get("/transit").unwrap().body;
        let example = first.split("tr-examples").nth(1).unwrap();
        let example = example
            .split("href=\"")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap();
        let example = example.replace("&amp;", "&");
        let page = client.get(&example).unwrap().body;
        let cards: Vec<&str> = page.split("<article").skip(1).collect();
        assert!(cards.len() > 1, "{example}");
        let departures: Vec<&str> = cards
            .iter()
            .map(|card| {
                card.split("<h3>")
                    .nth(1)
                    .unwrap()
                    .split(' ')
                    .next()
                    .unwrap()
            })
            .collect();
        assert!(departures.is_sorted(), "{departures:?}");
        for part in ["id=\"earlier\"", "id=\"later\"", "tr-now", "keep=plot"] {
            assert!(page.contains(part), "{part}: {page}");
        }
        for card in &cards {
            for ask in ["prove", "cancel", "miss"] {
                let link = card.split(&format!("data-ask=\"{ask}\"")).nth(1).unwrap();
                let link = link.split('"').nth(1).unwrap().replace("&amp;", "&");
                let told = client.get(&link).unwrap();
                assert_eq!(told.status, 200, "{link}: {}", told.body);
                if ask == "prove" {
                    assert!(told.body.contains("the certificate holds"), "{link}");
                }
            }
        }
        // From the busiest place many lines leave that a journey does not use.
        let busy = client.get("/transit/board").unwrap().body;
        let busy = busy.split("/transit/board?stop=").nth(1).unwrap();
        let busy = busy.split(['"', '&']).next().unwrap();
        let page = client
            .get(&format!("/transit?from={busy}&to=Rybka&at=08:00"))
            .unwrap()
            .body;
        let why = page.split("data-ask=\"why-not\"").nth(1).unwrap();
        let why = why.split('"').nth(1).unwrap().replace("&amp;", "&");
        let told = client.get(&why).unwrap();
        assert_eq!(told.status, 200, "{why}: {}", told.body);
        let plot = page
            .split("src=\"")
            .find(|src| src.contains("keep=plot"))
            .unwrap();
        let plot = client
            .get(&plot.split('"').next().unwrap().replace("&amp;", "&"))
            .unwrap();
        assert!(plot.body.starts_with("<svg") && plot.body.contains("<circle"));
    });
}
