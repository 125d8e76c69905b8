//! Feeds: read, described, packed, and odd ones.

use std::path::Path;

use crate::{ask, city};

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
        ("bare", "file"),
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
