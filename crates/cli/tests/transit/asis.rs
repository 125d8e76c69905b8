//! Feeds as they are: who may board and leave, headways, ways in stations, vehicles that are late, and
//! large files.

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;

use serde_json::{Value, json};
use wits_web::testing::Client;

use crate::common::Server;
use crate::{ask, city, common};

const EXACT: [&str; 4] = ["csa", "raptor", "tripbased", "dijkstra"];

/// Three lines from Alpha: 1 over Beta to Gamma, where nobody may leave at Beta; 2 to Beta by headway;
/// 3 to Gamma, where nobody may board at Alpha on its first trip.
fn files(exact_times: u32) -> Vec<(&'static str, String)> {
    let frequencies = format!(
        "trip_id,start_time,end_time,headway_secs,exact_times\nt2,6:00:00,10:00:00,600,{exact_times}\n"
    );
    let rows = "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type\n\
        t1,8:00:00,8:00:00,a,10,0,0\nt1,8:10:00,8:10:00,b,20,0,1\nt1,8:20:00,8:20:00,c,30,0,0\n\
        t2,0:00:00,0:00:00,a,1,,\nt2,0:15:00,0:15:00,b,2,,\n\
        t3,7:55:00,7:55:00,a,1,1,0\nt3,8:05:00,8:05:00,c,2,0,0\n\
        t4,8:30:00,8:30:00,a,1,0,0\nt4,8:40:00,8:40:00,c,2,0,0\n";
    let plain = [
        (
            "agency.txt",
            "agency_id,agency_name,agency_timezone\nm,Municipal,Europe/Warsaw\n",
        ),
        (
            "stops.txt",
            "stop_id,stop_name,stop_lat,stop_lon\na,Alpha,51,17\nb,Beta,51.05,17\nc,Gamma,51.1,17\n",
        ),
        (
            "routes.txt",
            "route_id,agency_id,route_short_name,route_type\nr1,m,1,0\nr2,m,2,3\nr3,m,3,3\n",
        ),
        (
            "trips.txt",
            "route_id,service_id,trip_id\nr1,wd,t1\nr2,wd,t2\nr3,wd,t3\nr3,wd,t4\n",
        ),
        (
            "calendar.txt",
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nwd,1,1,1,1,1,0,0,20240101,20241231\n",
        ),
        (
            "pathways.txt",
            "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional\np,a,b,1,1\n",
        ),
        ("stop_times.txt", rows),
    ];
    let plain = plain
        .into_iter()
        .map(|(name, text)| (name, text.to_owned()));
    plain.chain([("frequencies.txt", frequencies)]).collect()
}

fn write(folder: &Path, name: &str, exact_times: u32) {
    let feed = folder.join(name);
    std::fs::create_dir(&feed).expect("a folder");
    for (name, text) in files(exact_times) {
        std::fs::write(feed.join(name), text).expect("written");
    }
}

/// Line, departure and arrival of the first ride.
fn first(told: &Value) -> [&str; 3] {
    let leg = &told["journeys"][0]["legs"][0];
    ["line", "departure", "arrival"].map(|key| leg[key].as_str().expect("a text"))
}

#[test]
fn who_may_board_and_leave_headways_and_pathways_count() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    write(here, "often", 0);
    write(here, "exact", 1);
    for algorithm in EXACT {
        let route = |feed, to, at| {
            let asked = ["route", "Alpha", to, "--at", at, "--feed", feed];
            ask(here, &[&asked[..], &["--algorithm", algorithm]].concat(), 0)
        };
        // Line 1 passes Beta at 8:10 and lets nobody out.
        let beta = route("often", "Beta", "8:00");
        assert_eq!(first(&beta), ["2", "08:00", "08:15"], "{algorithm}");
        // Line 3 comes at 7:55 and lets nobody in.
        let gamma = route("often", "Gamma", "7:50");
        assert_eq!(first(&gamma), ["1", "08:00", "08:20"], "{algorithm}");
        // A headway that is no timetable says how often, one that is says nothing.
        assert_eq!(beta["journeys"][0]["legs"][0]["headway"], 10);
        let exact = route("exact", "Beta", "8:00");
        assert_eq!(first(&exact), ["2", "08:00", "08:15"]);
        assert_eq!(exact["journeys"][0]["legs"][0]["headway"], Value::Null);
    }
    let asked = ["route", "Alpha", "Beta", "--at", "8:00", "--feed", "often"];
    let shown = common::run(here, &[&["transit"][..], &asked].concat(), "");
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(shown.contains("about every 10 min"), "{shown}");
    let told = ask(here, &["check", "often"], 0);
    let found = told["findings"].to_string();
    for part in ["pathways.txt", "inside a station", "every so often"] {
        assert!(found.contains(part), "{part}: {found}");
    }
}

/// A field of a protocol buffer that holds bytes.
fn bytes(field: u8, inside: &[u8]) -> Vec<u8> {
    [&[field << 3 | 2, inside.len() as u8][..], inside].concat()
}

/// A field of a protocol buffer that holds a small number.
fn number(field: u8, value: u8) -> Vec<u8> {
    vec![field << 3, value]
}

/// A realtime feed: trip `t1` leaves its first stop two minutes late, and an alert is about line 1.
fn realtime() -> Vec<u8> {
    let header = bytes(1, &bytes(1, b"2.0"));
    let late = [number(1, 10), bytes(3, &number(1, 120))].concat();
    let update = [bytes(1, &bytes(1, b"t1")), bytes(2, &late)].concat();
    let update = [bytes(1, b"u"), bytes(3, &update)].concat();
    let says = bytes(1, &[bytes(1, b"Track works"), bytes(2, b"en")].concat());
    let alert = [bytes(5, &bytes(2, b"r1")), bytes(10, &says)].concat();
    let alert = [bytes(1, b"a"), bytes(5, &alert)].concat();
    [header, bytes(2, &update), bytes(2, &alert)].concat()
}

#[test]
fn a_realtime_file_moves_journeys_and_what_if() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    write(here, "often", 0);
    std::fs::write(here.join("trips.pb"), realtime()).expect("written");
    let about = ["Alpha", "Gamma", "--at", "8:00", "--feed", "often"];
    let live = ["--realtime", "trips.pb"];
    let with = |verb: &'static str, more: &[&str]| {
        ask(here, &[&[verb][..], &about, &live, more].concat(), 0)
    };
    for algorithm in EXACT {
        let told = with("route", &["--algorithm", algorithm]);
        assert_eq!(first(&told), ["1", "08:02", "08:22"], "{algorithm}");
        assert_eq!(told["journeys"][0]["legs"][0]["late"], 2);
        assert!(told["alerts"].to_string().contains("Track works"), "{told}");
    }
    let asked = [&["transit", "route"][..], &about, &live].concat();
    let shown = common::run(here, &asked, "");
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(
        shown.contains("Track works") && shown.contains("2 min late"),
        "{shown}"
    );
    // Line 3 at 8:30 is 18 minutes after the late one, and 20 after the timetable's.
    assert_eq!(with("whatif", &["--cancel", "1"])["loss_minutes"], 18);
    let asked = [&["whatif"][..], &about, &["--cancel", "1"]].concat();
    assert_eq!(ask(here, &asked, 0)["loss_minutes"], 20);
    // What is no realtime feed is refused with its name.
    std::fs::write(here.join("trips.pb"), "<html>not found</html>").expect("written");
    let asked = [&["route"][..], &about, &live].concat();
    let refused = ask(here, &asked, 2);
    assert!(refused["error"]["message"].is_string(), "{refused}");
}

#[test]
fn only_the_operator_names_an_address_of_a_realtime_feed() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    write(here, "often", 0);
    ask(here, &["pack", "often", "-o", "often.wits"], 0);
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/trips.pb", listener.local_addr().expect("bound"));
    let fetched = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("somebody asks");
        let _ = stream.read(&mut [0; 512]);
        let reply = [b"HTTP/1.0 200 OK\r\n\r\n".to_vec(), realtime()].concat();
        stream.write_all(&reply).expect("it listens");
        listener
    });
    let given = ["--timetable", "often.wits", "--realtime", &url];
    let server = Server::start(here, &given);
    let listener = fetched.join().expect("it was fetched");
    let mut client = Client::new(server.address);
    // The first page gives a visitor their cookie; the server plans for those who have one.
    client.get("/transit").expect("a page");
    let asked = "/transit?from=Alpha&to=Gamma&at=08:00";
    let page = client.get(asked).expect("a page").body;
    assert!(
        page.contains("08:02 → 08:22") && page.contains("Track works"),
        "{page}"
    );
    // A visitor who names one gets a refusal, and nobody is asked.
    listener.set_nonblocking(true).expect("a listener");
    let own = json!({"from": "Alpha", "to": "Gamma", "at": "08:00", "realtime": url});
    let reply = client.post("/api/transit/route", &own).expect("a reply");
    assert!(reply.status >= 400, "{}", reply.body);
    let page = client.get(&format!("{asked}&live={url}")).expect("a page");
    assert!(page.status < 500, "{}", page.body);
    assert!(
        listener.accept().is_err(),
        "a visitor's address was fetched"
    );
    // Without a timetable there is nothing that could be late.
    let output = common::run(here, &["serve", "--realtime", &url], "");
    assert_eq!(output.status.code(), Some(2));
}

/// A feed as an archive without compression, as large as it is.
fn stored(files: &[(&str, String)]) -> Vec<u8> {
    let (mut body, mut index) = (Vec::new(), Vec::new());
    for (name, text) in files {
        let start = (body.len() as u32).to_le_bytes();
        let size = (text.len() as u32).to_le_bytes();
        let length = (name.len() as u16).to_le_bytes();
        let head = [&[20, 0][..], &[0; 12], &size, &size, &length, &[0, 0]].concat();
        let name = name.as_bytes();
        body.extend([b"PK\x03\x04", &head[..], name, text.as_bytes()].concat());
        index.extend([b"PK\x01\x02\x14\x00", &head[..], &[0; 10], &start, name].concat());
    }
    let count = (files.len() as u16).to_le_bytes();
    let [at, size] = [body.len(), index.len()].map(|n| (n as u32).to_le_bytes());
    let end = [
        b"PK\x05\x06",
        &[0; 4][..],
        &count,
        &count,
        &size,
        &at,
        &[0, 0],
    ]
    .concat();
    [body, index, end].concat()
}

/// A tenth of a large feed: 2,800 stops, 40 MB of stop times.
fn large() -> Vec<(&'static str, String)> {
    let mut all = files(1);
    all.retain(|(name, _)| ["agency.txt", "calendar.txt"].contains(name));
    let mut stops = String::from("stop_id,stop_name,stop_lat,stop_lon\n");
    for n in 0..2800 {
        let (north, east) = (
            50.0 + f64::from(n / 50) * 0.01,
            15.0 + f64::from(n % 50) * 0.01,
        );
        writeln!(stops, "{n},Place {n},{north:.4},{east:.4}").expect("a text");
    }
    let mut routes = String::from("route_id,agency_id,route_short_name,route_type\n");
    let mut trips = String::from("route_id,service_id,trip_id\n");
    let mut calls = String::from("trip_id,arrival_time,departure_time,stop_id,stop_sequence\n");
    let time = |t: u32| format!("{:02}:{:02}:{:02}", t / 3600, t / 60 % 60, t % 60);
    for line in 0..112 {
        writeln!(routes, "{line},m,{line},3").expect("a text");
        let first = 25 * (line % 56) * 2 + 25 * (line / 56);
        for run in 0..340_u32 {
            let id = format!("operator:{line}:2024:{run:04}");
            writeln!(trips, "{line},wd,{id}").expect("a text");
            for at in 0..25_u32 {
                let t = time(4 * 3600 + run * 180 + at * (60 + 15 * (run % 3)));
                writeln!(calls, "{id},{t},{t},{},{at}", first + at).expect("a text");
            }
        }
    }
    all.extend([("stops.txt", stops), ("routes.txt", routes)]);
    all.extend([("trips.txt", trips), ("stop_times.txt", calls)]);
    all
}

#[test]
fn a_large_feed_takes_little_more_memory_than_it_is_long() {
    let folder = tempfile::tempdir().expect("a folder");
    let zip = stored(&large());
    assert!(zip.len() > 38_000_000, "{}", zip.len());
    std::fs::write(folder.path().join("large.zip"), &zip).expect("written");
    let asked = [
        "route",
        "Place 0",
        "Place 24",
        "--at",
        "8:00",
        "--feed",
        "large.zip",
    ];
    let told = ask(folder.path(), &asked, 0);
    assert!(told["journeys"][0]["arrival"].is_string(), "{told}");
    // 1 GB for 400 MB. Elsewhere nobody says how much memory a process takes.
    if let Some(bytes) = told["resident_bytes"].as_u64() {
        assert!(bytes < zip.len() as u64 * 5 / 2, "{bytes}");
    }
}

#[test]
fn what_was_prepared_is_kept_on_disk() {
    let (folder, from, to) = city();
    let size = |name: &str| {
        std::fs::metadata(folder.path().join(name))
            .expect("packed")
            .len()
    };
    let pack = ["pack", "city.wits", "-o", "ready.wits", "--prepare"];
    ask(folder.path(), &pack, 0);
    assert!(size("ready.wits") > size("city.wits"));
    let route = |feed: &str, algorithm: &str| {
        let asked = ["route", &from, &to, "--at", "8:00", "--feed", feed];
        let told = ask(
            folder.path(),
            &[&asked[..], &["--algorithm", algorithm]].concat(),
            0,
        );
        told["journeys"][0]["arrival"].clone()
    };
    assert_eq!(route("ready.wits", "corridor"), route("city.wits", "csa"));
    // Packed again without them, the bounds are gone.
    ask(
        folder.path(),
        &["pack", "ready.wits", "-o", "again.wits"],
        0,
    );
    assert!(size("again.wits") <= size("ready.wits"));
}
