//! The verbs of the transit room, with the keys that scripts rely on.

mod common;

use std::path::Path;

use serde_json::Value;

/// Runs a command in a folder and reads the one JSON object it prints.
fn ask(folder: &Path, args: &[&str], code: i32) -> Value {
    let args: Vec<&str> = ["transit"]
        .into_iter()
        .chain(args.iter().copied())
        .chain(["--json"])
        .collect();
    let output = common::run(folder, &args, "");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {text}");
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{args:?}: {e}: {text}"))
}

/// A folder with a small city in `city.wits`, and two of its stops that a journey joins.
fn city() -> (tempfile::TempDir, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let make = [
        "generate",
        "--size",
        "0.1",
        "--seed",
        "5",
        "-o",
        "city.wits",
    ];
    let made = ask(folder.path(), &make, 0);
    assert!(made["connections"].as_u64() > Some(1000), "{made}");
    let list = ["stops", "--feed", "city.wits", "--limit", "1000"];
    let stops = ask(folder.path(), &list, 0);
    let names: Vec<String> = stops["stops"]
        .as_array()
        .expect("stops")
        .iter()
        .filter(|stop| {
            stop["posts"][0]["lines"]
                .as_array()
                .is_some_and(|l| !l.is_empty())
        })
        .filter_map(|stop| stop["name"].as_str().map(ToOwned::to_owned))
        .collect();
    let (first, last) = (names[0].clone(), names[names.len() - 1].clone());
    (folder, first, last)
}

#[test]
fn routes_have_the_promised_keys_and_all_searches_agree() {
    let (folder, from, to) = city();
    let with = |more: &[&str]| -> Value {
        let base = ["route", &from, &to, "--feed", "city.wits", "--at", "08:00"];
        ask(folder.path(), &[base.as_slice(), more].concat(), 0)
    };
    let best = with(&["--by", "time", "--certify"]);
    assert_eq!(best["certified"], true);
    assert!(best["settled"].is_u64() && best["micros"].is_u64());
    let journey = &best["journeys"][0];
    for key in [
        "departure",
        "arrival",
        "minutes",
        "total_minutes",
        "vehicles",
        "transfers",
        "km",
    ] {
        assert!(!journey[key].is_null(), "{key}: {journey}");
    }
    for key in ["line", "from", "to", "departure", "arrival"] {
        assert!(journey["legs"][0][key].is_string(), "{key}: {journey}");
    }
    for algorithm in [
        "dijkstra",
        "astar:bound",
        "csa",
        "profile-csa",
        "raptor",
        "tripbased",
        "sweep",
    ] {
        let other = with(&["--algorithm", algorithm]);
        assert_eq!(
            other["journeys"][0]["arrival"], journey["arrival"],
            "{algorithm}"
        );
    }
    let pareto = with(&["--by", "pareto"]);
    assert_eq!(
        pareto["journeys"]
            .as_array()
            .map(|j| j.iter().any(|one| one["arrival"] == journey["arrival"])),
        Some(true)
    );
    let profile = ask(
        folder.path(),
        &["profile", &from, &to, "--feed", "city.wits"],
        0,
    );
    for key in ["departure", "arrival", "transfers"] {
        assert!(!profile["departures"][0][key].is_null(), "{profile}");
    }
    let study = [
        "agree",
        "--feed",
        "city.wits",
        "--queries",
        "50",
        "--slow",
        "5",
        "--seed",
        "1",
    ];
    let agreed = ask(folder.path(), &study, 0);
    assert_eq!(agreed["queries"], 50);
    assert_eq!(agreed["disagreements"], 0);
    assert!(agreed["algorithms"].as_array().is_some_and(|a| a.len() > 3));
}

#[test]
fn tours_circles_and_what_if() {
    let (folder, from, to) = city();
    let feed = ["--feed", "city.wits", "--at", "08:00"];
    let circle = [["isochrone", &from].as_slice(), &feed, &["--minutes", "60"]].concat();
    let reached = ask(folder.path(), &circle, 0);
    let list = reached["reached"].as_array().expect("stops");
    assert!(list.len() > 1);
    assert!(list.iter().all(|one| one["minutes"].as_i64() <= Some(60)));
    let middle = list[list.len() / 2]["stop"]
        .as_str()
        .expect("a name")
        .to_owned();
    let tour = [
        ["tour", &from, "--via", &to, "--via", &middle].as_slice(),
        &feed,
    ]
    .concat();
    let exact = ask(folder.path(), &tour, 0);
    assert_eq!(exact["optimal"], true);
    assert_eq!(exact["order"].as_array().map(Vec::len), Some(4));
    assert!(exact["arrival"].is_string() && exact["minutes"].is_i64() && exact["millis"].is_u64());
    let tabu = ask(
        folder.path(),
        &[tour.as_slice(), &["--method", "tabu"]].concat(),
        0,
    );
    assert!(tabu["minutes"].as_i64() >= exact["minutes"].as_i64());
    let best = ask(
        folder.path(),
        &[["route", &from, &to].as_slice(), &feed].concat(),
        0,
    );
    let legs = best["journeys"][0]["legs"].as_array().expect("legs");
    let line = legs
        .iter()
        .filter_map(|leg| leg["line"].as_str())
        .find(|line| *line != "walk")
        .expect("a vehicle");
    let cancelled = [["whatif", &from, &to, "--cancel", line].as_slice(), &feed].concat();
    let told = ask(folder.path(), &cancelled, 0);
    assert_eq!(told["before"]["arrival"], best["journeys"][0]["arrival"]);
    assert!(told["loss_minutes"].is_null() || told["loss_minutes"].as_i64() >= Some(0));
    let why = [["whynot", &from, &to, "--line", line].as_slice(), &feed].concat();
    assert_eq!(ask(folder.path(), &why, 0)["reason"], "used");
}

#[test]
fn feeds_are_read_described_and_packed() {
    let (folder, ..) = city();
    let told = ask(folder.path(), &["describe", "city.wits"], 0);
    assert!(told["stops"].as_u64() > Some(10));
    ask(folder.path(), &["pack", "city.wits", "-o", "again.wits"], 0);
    let read = |name: &str| std::fs::read(folder.path().join(name)).expect("packed");
    assert_eq!(read("city.wits"), read("again.wits"));
    let small = folder.path().join("small");
    std::fs::create_dir(&small).expect("a folder");
    for (name, text) in [
        (
            "agency.txt",
            "agency_id,agency_name,agency_url,agency_timezone\n1,A,http://a,UTC\n",
        ),
        (
            "routes.txt",
            "route_id,agency_id,route_short_name,route_type\nr,1,4,0\n",
        ),
        (
            "calendar.txt",
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\ns,1,1,1,1,1,1,1,20240401,20240430\n",
        ),
        ("trips.txt", "route_id,service_id,trip_id\nr,s,t\n"),
        (
            "stops.txt",
            "stop_id,stop_name,stop_lat,stop_lon\na,Łąka,51.1,17.0\nb,Brama,51.11,17.01\n",
        ),
        (
            "stop_times.txt",
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,24:10:00,24:10:00,a,1\nt,24:20:00,24:20:00,b,2\nt,25:61:00,25:61:00,b,3\n",
        ),
    ] {
        std::fs::write(small.join(name), text).expect("written");
    }
    let told = ask(folder.path(), &["check", "small"], 0);
    let found = told["findings"].as_array().expect("findings");
    assert!(
        found
            .iter()
            .any(|one| one["file"] == "stop_times.txt" && one["first_line"] == 4),
        "{told}"
    );
    let late = ["route", "laka", "brama", "--feed", "small", "--at", "23:50"];
    let told = ask(folder.path(), &late, 0);
    assert_eq!(told["journeys"][0]["arrival"], "00:20 +1");
    assert!(told["date"].is_string());
}

#[test]
fn bad_input_is_a_sentence() {
    let (folder, from, to) = city();
    std::fs::write(folder.path().join("junk.zip"), "junk").expect("written");
    let base = ["--feed", "city.wits"];
    for (args, code, part) in [
        (
            vec!["route", &from, "Nowhere at all", "--at", "8:00"],
            "unknown-stop",
            "Nowhere",
        ),
        (vec!["route", &from, &to, "--at", "25:61"], "usage", "25:61"),
        (
            vec!["route", &from, "--at", "8:00"],
            "missing",
            "the last stop",
        ),
        (
            vec![
                "route",
                &from,
                &to,
                "--at",
                "8:00",
                "--by",
                "pareto",
                "--algorithm",
                "csa",
            ],
            "cannot-ask",
            "csa",
        ),
        (
            vec!["route", &from, &to, "--at", "8:00", "--date", "1999-01-01"],
            "no-service",
            "1999-01-01",
        ),
        (
            vec![
                "whatif",
                &from,
                &to,
                "--at",
                "8:00",
                "--cancel",
                "no such line",
            ],
            "unknown-line",
            "no such line",
        ),
    ] {
        let told = ask(folder.path(), &[args.as_slice(), &base].concat(), 2);
        let error = &told["error"];
        assert_eq!(error["code"], code, "{args:?}: {error}");
        let message = error["message"].as_str().unwrap_or_default();
        assert!(message.contains(part), "{args:?}: {error}");
        assert!(error["hint"].is_string(), "{args:?}");
    }
    for (feed, code) in [("none.zip", "file"), ("junk.zip", "bad-feed")] {
        let told = ask(folder.path(), &["describe", feed], 2);
        assert_eq!(told["error"]["code"], code);
        assert!(
            told["error"]["message"]
                .as_str()
                .is_some_and(|m| m.contains(feed))
        );
    }
}
