//! What is said of journeys: units, hours, names that are nearly right, and how often A* is wrong.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use crate::{ask, common};

/// A feed of a line a trip, each trip two calls: stop and time of departure, stop and time of arrival.
fn feed(folder: &Path, names: &[&str], trips: &[[(usize, &str); 2]]) {
    let mut stops = String::from("stop_id,stop_name,stop_lat,stop_lon\n");
    for (n, name) in names.iter().enumerate() {
        writeln!(stops, "{n},{name},51.{n}5,17").expect("a text");
    }
    let mut routes = String::from("route_id,agency_id,route_short_name,route_type\n");
    let mut runs = String::from("route_id,service_id,trip_id\n");
    let mut calls = String::from("trip_id,arrival_time,departure_time,stop_id,stop_sequence\n");
    for (n, trip) in trips.iter().enumerate() {
        writeln!(routes, "{n},m,{n},3").expect("a text");
        writeln!(runs, "{n},w,{n}").expect("a text");
        for (at, (stop, time)) in trip.iter().enumerate() {
            writeln!(calls, "{n},{time},{time},{stop},{at}").expect("a text");
        }
    }
    let agency = "agency_id,agency_name,agency_timezone\nm,Municipal,Europe/Warsaw\n".to_owned();
    let calendar = "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nw,1,1,1,1,1,1,1,20240101,20241231\n".to_owned();
    let files = [
        ("agency.txt", agency),
        ("stops.txt", stops),
        ("routes.txt", routes),
        ("trips.txt", runs),
        ("calendar.txt", calendar),
        ("stop_times.txt", calls),
    ];
    std::fs::create_dir(folder.join("feed")).expect("a folder");
    for (name, text) in files {
        std::fs::write(folder.join("feed").join(name), text).expect("written");
    }
}

#[test]
fn costs_have_units_and_many_minutes_are_hours() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let trips = [
        [(0, "8:00:00"), (1, "8:10:00")],
        [(1, "16:06:00"), (2, "16:30:00")],
    ];
    feed(here, &["Alpha", "Beta", "Gamma"], &trips);
    let asked = ["route", "Alpha", "Gamma", "--at", "7:50", "--feed", "feed"];
    for (by, unit) in [
        ("time", "8 h 40 min".to_owned()),
        ("transfers", "2 vehicles".to_owned()),
        ("distance", "{} km".to_owned()),
    ] {
        let asked = [&asked[..], &["--by", by]].concat();
        let told = ask(here, &asked, 0);
        let one = &told["journeys"][0];
        let km = format!("{:.3}", one["km"].as_f64().expect("a length"));
        let cost = format!("cost {},", unit.replace("{}", &km));
        let shown = common::run(here, &[&["transit"][..], &asked].concat(), "");
        let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
        assert!(shown.contains(&cost), "{cost}: {shown}");
        let spare = one["buffer"].as_i64().expect("a buffer");
        let spare = format!("{} h {} min to spare", spare / 60, spare % 60);
        assert!(shown.contains(&spare), "{spare}: {shown}");
        // A thread ends with what was looked for: a length, where the shortest way was.
        let kept = [&asked[..], &["--thread", "way.thread"]].concat();
        ask(here, &kept, 0);
        let thread = std::fs::read_to_string(here.join("way.thread")).expect("a thread");
        let end: Value =
            serde_json::from_str(thread.lines().last().expect("an end")).expect("JSON");
        let result = if by == "distance" {
            format!("{km} km")
        } else {
            "16:30".to_owned()
        };
        assert_eq!(end["result"], result, "{by}: {end}");
    }
}

#[test]
fn figure_8_of_the_report_is_asked_with_the_name_that_the_feed_has() {
    let folder = tempfile::tempdir().expect("a folder");
    let trips = [[(0, "23:14:00"), (1, "28:20:00")]];
    feed(folder.path(), &["Grota-Roweckiego", "Psie Pole"], &trips);
    let told = ask(folder.path(), &["report", "--feed", "feed"], 0);
    let printed = told["printed"].as_array().expect("rows");
    let eighth = printed.iter().find(|one| one["figure"] == "8");
    let eighth = eighth.expect("figure 8");
    assert_eq!(eighth["ours_value"], 306.0, "{eighth}");
    let ours = eighth["ours"].as_str().expect("words");
    assert!(
        ours.starts_with("`Grota-Roweckiego` for `Grot-Roweckiego`: 23:14"),
        "{ours}"
    );
    // The other figures name stops that this feed does not have, and say so.
    let fifth = printed.iter().find(|one| one["figure"] == "5");
    assert_eq!(fifth.expect("figure 5")["ours_value"], Value::Null);
}

#[test]
fn preferences_that_lead_to_later_arrivals_are_wrong() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let make = [
        "generate",
        "--size",
        "0.2",
        "--seed",
        "5",
        "-o",
        "city.wits",
    ];
    ask(here, &make, 0);
    let asked = ["speeds", "--feed", "city.wits", "--queries", "5"];
    let told = ask(
        here,
        &[&asked[..], &["--speeds", "40", "--seed", "1"]].concat(),
        0,
    );
    let rows = told["transfers"].as_array().expect("rows");
    let row = |kind: &str| {
        let found = rows.iter().find(|one| one["heuristic"]["kind"] == kind);
        found.unwrap_or_else(|| panic!("{kind}: {told}"))
    };
    for kind in ["prefer-major-stops", "avoid-express-lines"] {
        let one = row(kind);
        assert!(one["wrong"].as_f64() > Some(0.0), "{one}");
        assert!(one["mean_late"].as_f64() > Some(0.0), "{one}");
        assert!(one["first_wrong"][0].is_string(), "{one}");
    }
    for kind in ["disabled", "bound"] {
        assert_eq!(row(kind)["wrong"], 0.0, "{kind}");
    }
}
