//! Threads, and the tables of the studies.

use serde_json::Value;

use crate::{ask, city, common};

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

#[test]
fn a_bench_that_is_stopped_prints_what_it_has() {
    let (folder, _, _) = city();
    let country = ["bench", "--country", "--size", "0.1"];
    let names = |told: &Value| -> Vec<String> {
        let figures = told["figures"].as_array().expect("figures").iter();
        let names = figures.filter_map(|f| Some(f["name"].as_str()?.to_owned()));
        names.collect()
    };
    let whole = names(&ask(folder.path(), &country, 0));
    for name in [
        "first answer from the packed file, process start included",
        "most memory of that process",
        "corridor, median",
        "changes of trips",
        "tripbased, pareto, median",
    ] {
        assert!(whole.iter().any(|n| n == name), "{name}: {whole:?}");
    }
    // The time is over before the first search ends; what was counted before it stays.
    let part = [country.as_slice(), &["--time", "0.001"]].concat();
    let part = names(&ask(folder.path(), &part, 0));
    assert!(part.len() > 3, "{part:?}");
    assert_eq!(part, whole[..part.len()], "the same figures, fewer of them");
    assert!(!part.iter().any(|n| n.contains("median")), "{part:?}");
}
