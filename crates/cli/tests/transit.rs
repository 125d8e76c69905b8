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

#[test]
fn every_objective_has_an_answer_and_the_reports_codes_are_understood() {
    let (folder, from, to) = city();
    let ask_by = |more: &[&str]| -> Value {
        let base = ["route", &from, &to, "--feed", "city.wits", "--at", "08:00"];
        ask(folder.path(), &[base.as_slice(), more].concat(), 0)
    };
    let best = |told: &Value, key: &str| told["journeys"][0][key].as_f64().expect("a number");
    let time = ask_by(&["--by", "time"]);
    for (by, code) in [("time", "dt"), ("transfers", "dp"), ("distance", "dd")] {
        let told = ask_by(&["--by", by]);
        let coded = ask_by(&["--by", code]);
        assert_eq!(told["journeys"], coded["journeys"], "{by}");
        assert!(
            best(&told, "total_minutes") >= best(&time, "total_minutes"),
            "{by}"
        );
    }
    assert!(best(&ask_by(&["--by", "distance"]), "km") <= best(&time, "km"));
    let few = ask_by(&["--by", "transfers"]);
    let only = ask_by(&["--by", "transfers-only"]);
    assert_eq!(
        few["journeys"][0]["vehicles"],
        only["journeys"][0]["vehicles"]
    );
    assert!(best(&only, "total_minutes") >= best(&few, "total_minutes"));
    let weighted = ask_by(&["--by", "weighted:5"]);
    assert!(
        best(&weighted, "cost") <= best(&time, "total_minutes") + 5.0 * best(&time, "transfers")
    );
    let walking = ask_by(&["--by", "pareto-walking"]);
    let count = |told: &Value| told["journeys"].as_array().map_or(0, Vec::len);
    assert!(count(&walking) >= count(&ask_by(&["--by", "pareto"])));
    let arrival = time["journeys"][0]["arrival"]
        .as_str()
        .expect("a time")
        .to_owned();
    let base = [
        "route",
        &from,
        &to,
        "--feed",
        "city.wits",
        "--at",
        &arrival,
        "--arrive-by",
    ];
    let back = ask(folder.path(), &base, 0);
    assert!(back["journeys"][0]["departure"].as_str() >= time["journeys"][0]["departure"].as_str());
    assert!(back["journeys"][0]["arrival"].as_str() <= Some(arrival.as_str()));
    // Several stops behind semicolons make a tour, as in the report.
    let several = format!("{to};{from}");
    let tour = [
        "route",
        &to,
        &several,
        "--feed",
        "city.wits",
        "--at",
        "08:00",
        "--by",
        "p",
    ];
    assert!(
        ask(folder.path(), &tour, 0)["order"]
            .as_array()
            .is_some_and(|o| o.len() == 4)
    );
}

#[test]
fn searches_and_tours_leave_threads() {
    let (folder, from, to) = city();
    let feed = ["--feed", "city.wits", "--at", "08:00"];
    let route = [
        [
            "route",
            &from,
            &to,
            "--algorithm",
            "dijkstra",
            "--thread",
            "route.thread",
        ]
        .as_slice(),
        &feed,
    ]
    .concat();
    let told = ask(folder.path(), &route, 0);
    let text = std::fs::read_to_string(folder.path().join("route.thread")).expect("a thread");
    let first: Value = serde_json::from_str(text.lines().next().expect("a header")).expect("JSON");
    assert_eq!(
        (&first["room"], &first["lens"]),
        (&"transit".into(), &"map".into())
    );
    let replayed = common::run(folder.path(), &["replay", "route.thread"], "");
    assert_eq!(replayed.status.code(), Some(0));
    let said = String::from_utf8_lossy(&replayed.stdout).into_owned();
    let arrival = told["journeys"][0]["arrival"].as_str().expect("a time");
    assert!(said.contains(arrival), "{said}");
    let reached = ask(
        folder.path(),
        &[["isochrone", &from, "--minutes", "90"].as_slice(), &feed].concat(),
        0,
    );
    let stops = reached["reached"].as_array().expect("stops");
    let via: Vec<&str> = (1..5)
        .map(|i| stops[i * stops.len() / 5]["stop"].as_str().expect("a name"))
        .collect();
    let all = via.join(";");
    let tour = [
        [
            "tour",
            &from,
            "--via",
            &all,
            "--method",
            "tabu:tenure=4",
            "--thread",
            "tour.thread",
        ]
        .as_slice(),
        &feed,
    ]
    .concat();
    let told = ask(folder.path(), &tour, 0);
    let text = std::fs::read_to_string(folder.path().join("tour.thread")).expect("a thread");
    let visits = text
        .lines()
        .filter(|l| l.contains("\"kind\":\"visit\""))
        .count();
    assert_eq!(told["iterations"].as_u64(), Some(visits as u64));
    let compared = ask(
        folder.path(),
        &[
            ["tour", &from, "--via", &all, "--compare"].as_slice(),
            &feed,
        ]
        .concat(),
        0,
    );
    let rows = compared["methods"].as_array().expect("rows");
    let names: Vec<&str> = rows.iter().filter_map(|r| r["method"].as_str()).collect();
    assert_eq!(
        names,
        [
            "basic",
            "+ length limit",
            "+ aspiration",
            "+ sampling",
            "exact"
        ]
    );
    assert!(rows.iter().all(|r| r["gap_percent"].as_f64() >= Some(0.0)));
    let start = ask(
        folder.path(),
        &[
            ["tour", &from, "--via", via[0], "--best-start"].as_slice(),
            &feed,
        ]
        .concat(),
        0,
    );
    assert_eq!(start["optimal"], true);
}

#[test]
fn studies_print_their_tables() {
    let (folder, from, to) = city();
    let speeds = [
        "speeds",
        "--feed",
        "city.wits",
        "--queries",
        "5",
        "--speeds",
        "5,40",
        "--seed",
        "1",
    ];
    let told = ask(folder.path(), &speeds, 0);
    assert_eq!(
        told["speeds"].as_array().map(Vec::len),
        Some(3),
        "Dijkstra and two speeds"
    );
    assert!(told["transfers"].as_array().is_some_and(|t| t.len() > 5));
    let bench = [
        "bench",
        "--feed",
        "city.wits",
        "--queries",
        "3",
        "--file",
        "queries.txt",
    ];
    let told = ask(folder.path(), &bench, 0);
    let names = told["figures"].as_array().expect("figures").len();
    assert!(names >= 10, "{told}");
    let kept = std::fs::read_to_string(folder.path().join("queries.txt")).expect("kept");
    assert_eq!(
        kept.lines()
            .filter(|l| l.matches(';').count() == 2 && !l.starts_with("# "))
            .count(),
        3
    );
    assert_eq!(ask(folder.path(), &bench, 0)["queries"], 3, "read back");
    // The printed queries of the report name stops that a generated city does not have.
    let told = ask(folder.path(), &["report", "--feed", "city.wits"], 1);
    assert!(told["printed"].as_array().is_some_and(|p| p.len() >= 3));
    let feed = ["--feed", "city.wits", "--at", "08:00"];
    let best = ask(
        folder.path(),
        &[["route", &from, &to].as_slice(), &feed].concat(),
        0,
    );
    let line = best["journeys"][0]["legs"]
        .as_array()
        .expect("legs")
        .iter()
        .filter_map(|l| l["line"].as_str())
        .find(|l| *l != "walk")
        .expect("a line");
    let late = ask(
        folder.path(),
        &[
            ["whatif", &from, &to, "--delay", &format!("{line}=30")].as_slice(),
            &feed,
        ]
        .concat(),
        0,
    );
    assert!(late["loss_minutes"].as_i64() >= Some(0), "{late}");
    let one = [["whatif", &from, &to, "--late", "1=20"].as_slice(), &feed].concat();
    let one = ask(folder.path(), &one, 0);
    assert!(
        (Some(0)..=late["loss_minutes"].as_i64().max(Some(24 * 60)))
            .contains(&one["loss_minutes"].as_i64()),
        "{one}"
    );
    let missed = ask(
        folder.path(),
        &[["whatif", &from, &to, "--miss", "1"].as_slice(), &feed].concat(),
        0,
    );
    assert!(missed["loss_minutes"].as_i64() >= Some(0), "{missed}");
}

/// A GTFS folder of three stops and a line, one of its files replaced.
fn small_feed(folder: &Path, name: &str, file: &str, text: &str) {
    let feed = folder.join(name);
    std::fs::create_dir(&feed).expect("a folder");
    for (usual, content) in [
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
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\ns,1,1,1,1,1,0,0,20240401,20240430\n",
        ),
        ("trips.txt", "route_id,service_id,trip_id\nr,s,t\n"),
        (
            "stops.txt",
            "stop_id,stop_name,stop_lat,stop_lon\na,Łąka,51.1,17.0\nb,Brama,51.11,17.01\nc,Laka,51.2,17.2\n",
        ),
        (
            "stop_times.txt",
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,08:10:00,08:10:00,a,1\nt,08:20:00,08:20:00,b,2\n",
        ),
    ] {
        let content = if usual == file { text } else { content };
        std::fs::write(feed.join(usual), content).expect("written");
    }
}

#[test]
fn odd_feeds_and_stops_get_a_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    small_feed(here, "whole", "", "");
    small_feed(
        here,
        "empty",
        "stop_times.txt",
        "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n",
    );
    small_feed(
        here,
        "never",
        "calendar.txt",
        "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\ns,0,0,0,0,0,0,0,20240401,20240430\n",
    );
    small_feed(
        here,
        "nowhere",
        "stops.txt",
        "stop_id,stop_name,stop_lat,stop_lon\na,Łąka,,\nb,Brama,,\nc,Laka,,\n",
    );
    std::fs::create_dir(here.join("bare")).expect("a folder");
    for (feed, code) in [
        ("empty", "bad-feed"),
        ("bare", "bad-feed"),
        ("never", "no-service"),
    ] {
        let told = ask(
            here,
            &["route", "Brama", "#a", "--at", "8:00", "--feed", feed],
            2,
        );
        assert_eq!(told["error"]["code"], code, "{feed}: {told}");
        let message = told["error"]["message"].as_str().unwrap_or_default();
        assert!(
            message.len() > 10 && told["error"]["hint"].is_string(),
            "{told}"
        );
    }
    // The same letters name two stops: both are offered, with places and lines.
    let told = ask(
        here,
        &["route", "laka", "Brama", "--at", "8:00", "--feed", "whole"],
        2,
    );
    let error = told["error"].to_string();
    for part in ["Łąka", "Laka", "51.1000, 17.0000", "lines 4"] {
        assert!(error.contains(part), "{part}: {error}");
    }
    // A day on which the service does not run.
    let sunday = [
        "route",
        "Łąka",
        "Brama",
        "--at",
        "8:00",
        "--feed",
        "whole",
        "--date",
        "2024-04-07",
    ];
    let told = ask(here, &sunday, 2);
    assert!(
        told["error"]["message"]
            .as_str()
            .is_some_and(|m| m.contains("2024-04-07")),
        "{told}"
    );
    // A stop where nothing calls.
    let told = ask(
        here,
        &["route", "Brama", "Laka", "--at", "8:00", "--feed", "whole"],
        1,
    );
    assert_eq!(told["without_service"][0], "Laka");
    // Without coordinates everything but distances works.
    let told = ask(
        here,
        &[
            "route", "Łąka", "Brama", "--at", "8:00", "--feed", "nowhere",
        ],
        0,
    );
    assert_eq!(told["journeys"][0]["arrival"], "08:20");
    let told = ask(here, &["check", "nowhere"], 0);
    assert!(told["findings"].to_string().contains("stops.txt"), "{told}");
    assert_eq!(ask(here, &["check", "empty"], 1)["usable"], false);
    // A tour to a stop that nobody reaches.
    let told = ask(
        here,
        &[
            "tour", "Łąka", "--via", "#c", "--at", "8:00", "--feed", "whole",
        ],
        2,
    );
    assert_eq!(told["error"]["code"], "no-tour");
    let told = ask(
        here,
        &[
            "tour", "Łąka", "--via", ";", "--at", "8:00", "--feed", "whole",
        ],
        2,
    );
    assert_eq!(told["error"]["code"], "no-tour");
}

#[test]
fn words_that_cannot_be_understood_are_named() {
    let (folder, from, to) = city();
    let route = |more: &[&'static str]| -> Vec<String> {
        let base = ["route", &from, &to, "--at", "8:00"].map(ToOwned::to_owned);
        base.into_iter()
            .chain(more.iter().map(|m| (*m).to_owned()))
            .collect()
    };
    let owned = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
    let many = vec!["--via"; 1]
        .into_iter()
        .map(ToOwned::to_owned)
        .chain(std::iter::repeat_n(from.clone(), 22));
    let cases: Vec<(Vec<String>, &str, &str)> = vec![
        (route(&["--by", "comfort"]), "usage", "comfort"),
        (route(&["--algorithm", "magic"]), "usage", "magic"),
        (
            route(&["--algorithm", "astar:speed=0"]),
            "usage",
            "astar:speed=0",
        ),
        (route(&["--walk", "fly"]), "usage", "fly"),
        (route(&["--date", "tomorrow"]), "usage", "tomorrow"),
        (
            route(&["--by", "pareto-walking", "--certify"]),
            "cannot-ask",
            "walks",
        ),
        (
            route(&["--by", "pareto-walking", "--algorithm", "tripbased"]),
            "cannot-ask",
            "tripbased",
        ),
        (
            route(&["--by", "distance", "--algorithm", "raptor"]),
            "cannot-ask",
            "raptor",
        ),
        (
            owned(&[
                "tour", &from, "--via", &to, "--at", "8:00", "--method", "luck",
            ]),
            "usage",
            "luck",
        ),
        (
            owned(&[
                "tour",
                &from,
                "--via",
                &to,
                "--at",
                "8:00",
                "--method",
                "tabu:sample=2",
            ]),
            "usage",
            "sample=2",
        ),
        (
            owned(&["tour", &from, "--at", "8:00"])
                .into_iter()
                .chain(many)
                .collect(),
            "no-tour",
            "22",
        ),
        (
            owned(&["whatif", &from, &to, "--at", "8:00", "--miss", "9"]),
            "no-ride",
            "9",
        ),
        (
            owned(&["whatif", &from, &to, "--at", "8:00", "--late", "7=5"]),
            "no-ride",
            "7",
        ),
        (
            owned(&["whatif", &from, &to, "--at", "8:00", "--delay", "4"]),
            "usage",
            "4",
        ),
        (
            owned(&[
                "isochrone",
                "Nowhere at all",
                "--at",
                "8:00",
                "--minutes",
                "10",
            ]),
            "unknown-stop",
            "Nowhere",
        ),
        (
            owned(&["profile", &from, "Nowhere at all"]),
            "unknown-stop",
            "Nowhere",
        ),
        (owned(&["speeds", "--speeds", "0"]), "usage", "0"),
    ];
    for (args, code, part) in cases {
        let words: Vec<&str> = args
            .iter()
            .map(String::as_str)
            .chain(["--feed", "city.wits"])
            .collect();
        let told = ask(folder.path(), &words, 2);
        assert_eq!(told["error"]["code"], code, "{args:?}: {told}");
        assert!(
            told["error"]["message"]
                .as_str()
                .is_some_and(|m| m.contains(part)),
            "{args:?}: {told}"
        );
    }
    let told = ask(
        folder.path(),
        &["generate", "--size", "5000", "-o", "x.wits"],
        2,
    );
    assert_eq!(told["error"]["code"], "usage");
    let told = common::run(
        folder.path(),
        &["bench", "thue", "--feed", "city.wits", "--json"],
        "",
    );
    assert!(String::from_utf8_lossy(&told.stdout).contains("only the room `transit`"));
}
