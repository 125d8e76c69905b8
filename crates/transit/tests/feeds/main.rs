//! Feeds of all kinds, whole and broken.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]
#[path = "../common/mod.rs"]
mod common;
mod limits;
mod live;
mod zip;

use std::fmt::Write as _;
use std::sync::Arc;

use wits_game::{Dice, Seed};
use wits_search::Budget;
use wits_transit::{
    BadFeed, FeedLimits, Planner, Projection, Question, Remedy, Time, Timetable, Unreadable,
    Walking, gtfs, names, pack, read_feed, read_folder,
};

#[test]
fn packing_loses_nothing_and_damage_is_noticed() {
    let table = common::city(5, 0.3);
    let bytes = pack::write(&table);
    let again = pack::read(&bytes).unwrap();
    assert_eq!(
        (&again.trips, &again.runs, &again.names),
        (&table.trips, &table.runs, &table.names)
    );
    assert_eq!(
        (&again.stops, &again.patterns, &again.calendar),
        (&table.stops, &table.patterns, &table.calendar)
    );
    let mut dice = Dice::new(Seed::new(5));
    for _ in 0..200 {
        let mut hurt = bytes.clone();
        let at = dice.below(hurt.len());
        hurt[at] ^= 1 << dice.below(8);
        assert!(pack::read(&hurt).is_err());
        assert!(pack::read(&bytes[..dice.below(bytes.len())]).is_err());
    }
}

/// The report's table of connections, written from a timetable.
fn as_graph_csv(table: &Timetable, shuffled: bool) -> String {
    let mut rows = Vec::new();
    for (index, trip) in (0u32..).zip(&table.trips).filter(|(_, t)| t.service == 0) {
        let stops = table.stops_of(trip.pattern);
        let calls: Vec<(i32, i32)> = table.times_of(index).collect();
        let line = &table.lines[table.line_of(index) as usize];
        for i in 0..stops.len() - 1 {
            let clock = |t: i32| format!("{:02}:{:02}:00", t / 3600 % 24, t / 60 % 60);
            let (a, b) = (stops[i], stops[i + 1]);
            let place = |s: u32| table.stops[s as usize].at.unwrap();
            rows.push(format!(
                "{},{},{},{},{},{},{},{},{},{}",
                line.company,
                line.name,
                clock(calls[i].1),
                clock(calls[i + 1].0),
                table.stop_name(a),
                table.stop_name(b),
                place(a).lat,
                place(a).lon,
                place(b).lat,
                place(b).lon
            ));
        }
    }
    if shuffled {
        Dice::new(Seed::new(1)).shuffle(&mut rows);
    }
    let mut text = String::from(
        ",Unnamed: 0,company,line,departure_time,arrival_time,start_stop,end_stop,start_stop_lat,start_stop_lon,end_stop_lat,end_stop_lon\n",
    );
    for (i, row) in rows.iter().enumerate() {
        writeln!(text, "{i},{i},{row}").unwrap();
    }
    text
}

#[test]
fn the_report_s_table_gives_the_same_journeys_in_any_order() {
    let table = common::city(7, 0.05);
    let plain = Planner::new(table.clone(), Walking::Real, None).unwrap();
    for shuffled in [false, true] {
        let text = as_graph_csv(&table, shuffled);
        let (read, _) = read_feed(text.as_bytes(), "graph", Projection::Ellipsoid, 3).unwrap();
        let planner = Planner::new(Arc::new(read), Walking::Real, None).unwrap();
        let mut compared = 0;
        for (a, b) in [(0, 9), (3, 20), (11, 2), (5, 30)] {
            let name = |i: usize| plain.table.names[i % plain.table.names.len()].clone();
            let go = |p: &Planner| {
                let stop = |n: &str| names::resolve(&p.table, n).unwrap();
                let question = Question::new(stop(&name(a)), stop(&name(b)), Time::hm(9, 0));
                p.route(&question)
                    .unwrap()
                    .journeys
                    .first()
                    .map(|j| j.arrival)
            };
            assert_eq!(go(&plain), go(&planner), "shuffled: {shuffled}");
            compared += 1;
        }
        assert_eq!(compared, 4);
    }
}

fn feed(stop_times: &str) -> Vec<(String, Vec<u8>)> {
    [
        ("stops.txt", "stop_id,stop_name,stop_lat,stop_lon\na,Alpha,51,17\nb,Beta,51.01,17\nb,Beta again,51,17\nc,Gamma,,\n"),
        ("routes.txt", "route_id,route_short_name,route_type\n1,1,3\n"),
        ("trips.txt", "route_id,service_id,trip_id\n1,wd,t1\n1,never,t2\n9,wd,t3\n1,wd,t4\n"),
        ("calendar.txt", "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nwd,1,1,1,1,1,0,0,20240101,20241231\n"),
        ("stop_times.txt", stop_times),
    ]
    .map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()))
    .to_vec()
}

#[test]
fn broken_rows_are_counted_and_named() {
    let times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n\
        t1,08:00:00,08:00:00,a,1\nt1,,,c,2\nt1,08:20:00,08:10:00,b,3\n\
        t2,09:00:00,09:00:00,a,1\nt9,09:00:00,09:00:00,a,1\nt4,25:61,08:00,a,1\nt4,08:30,08:30,zz,2\nt4,24:30:00,24:30:00,b,x\n";
    let (table, diagnosis) = read_folder(feed(times), "broken", Projection::Ellipsoid).unwrap();
    assert_eq!(table.trips.len(), 1);
    let has = |file: &str, what: &str, remedy: Remedy| {
        diagnosis.findings.iter().any(|f| {
            f.file == file && f.what.contains(what) && f.remedy == remedy && f.first_line > 1
        })
    };
    assert!(has("stops.txt", "already given", Remedy::Dropped));
    assert!(has("stops.txt", "coordinates", Remedy::Noted));
    assert!(has("trips.txt", "no calendar", Remedy::Dropped));
    assert!(has("trips.txt", "routes.txt", Remedy::Dropped));
    assert!(has("stop_times.txt", "interpolated", Remedy::Repaired));
    assert!(has("stop_times.txt", "raised", Remedy::Repaired));
    assert!(has("stop_times.txt", "not in stops.txt", Remedy::Dropped));
    assert!(has("stop_times.txt", "no time", Remedy::Repaired));
    let planner = Planner::new(Arc::new(table), Walking::Real, None).unwrap();
    let sunday = Planner::new(
        planner.table.clone(),
        Walking::Real,
        "2024-01-07".parse().ok(),
    );
    assert!(sunday.unwrap_err().to_string().contains("2024-01-07"));
}

#[test]
fn rubbish_is_a_sentence() {
    assert!(matches!(
        read_feed(b"", "x", Projection::Ellipsoid, 1),
        Err(Unreadable::Format)
    ));
    assert!(matches!(
        read_feed(b"PK rubbish", "x", Projection::Ellipsoid, 1),
        Err(Unreadable::Feed(BadFeed::Archive(_)))
    ));
    let empty = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n";
    let none = read_folder(feed(empty), "empty", Projection::Ellipsoid);
    assert!(matches!(none, Err(Unreadable::Feed(BadFeed::Empty(_)))));
    let missing = gtfs::read(
        wits_transit::Archive::default(),
        "x",
        Projection::Ellipsoid,
        FeedLimits::TERMINAL,
        &Budget::endless(),
    );
    assert_eq!(missing.unwrap_err(), BadFeed::Missing("stops.txt"));
    let table = common::city(1, 0.1);
    let typo = format!("{}x", table.names[3]);
    let wrong = names::resolve(&table, &typo).unwrap_err().to_string();
    assert!(wrong.contains(&table.names[3]), "{wrong}");
    let bare = names::fold(&table.names[3]);
    assert!(
        names::find(&table, &bare, 3)
            .iter()
            .any(|c| c.name == table.names[3])
    );
}

#[test]
fn searches_agree_on_a_real_feed() {
    let Some(bytes) = common::shared("plzen_2026-02_gtfs.zip") else {
        return;
    };
    let (table, _) = read_feed(&bytes, "Plzeň", Projection::Ellipsoid, 2).unwrap();
    let planner = Planner::new(Arc::new(table), Walking::Real, None).unwrap();
    let result = planner.agree(400, 40, Seed::new(1));
    assert_eq!(result.disagreements, 0, "{:?}", result.examples);
    assert!(result.answered > 300);
}

/// Departures from one stop at given times of every day, as a timetable.
fn departures(times: &[i32]) -> Planner {
    use wits_transit::{Builder, Calendar, Globe, Mode};
    let mut builder = Builder::new("one street", Calendar::EveryDay);
    let at = |lat| Some(Globe { lat, lon: 17.0 });
    let (a, b) = (
        builder.stop("A", "", at(51.0)),
        builder.stop("B", "", at(51.1)),
    );
    let line = builder.line("1", "", Mode::Bus);
    for &time in times {
        builder.trip(
            line,
            0,
            None,
            &[(a, time, time), (b, time + 300, time + 300)],
        );
    }
    let table = Arc::new(builder.finish(Projection::Ellipsoid));
    Planner::new(table, Walking::Real, None).unwrap()
}

#[test]
fn the_night_gap_is_found_on_either_side_of_midnight() {
    let gap = |times: &[i32]| {
        let (from, to) = departures(times).describe().night_gap.unwrap();
        (from.0, to.0)
    };
    let hours = |hours: std::ops::RangeInclusive<i32>| hours.map(|h| h * 3600);
    // The last departure is at half past midnight of the next day, the first at four.
    let mut times: Vec<i32> = hours(4..=24).collect();
    times.push(24 * 3600 + 1800);
    let (from, to) = gap(&times);
    assert_eq!(
        (from.rem_euclid(86400), to.rem_euclid(86400)),
        (1800, 4 * 3600)
    );
    assert_eq!(to - from, 3 * 3600 + 1800);
    // The last one is before midnight.
    let times: Vec<i32> = hours(5..=22).collect();
    assert_eq!(gap(&times), (22 * 3600, 29 * 3600));
    // A pause at noon that is longer than the night.
    let times: Vec<i32> = hours(0..=9).chain(hours(16..=23)).collect();
    let (from, to) = gap(&times);
    assert_eq!((from.rem_euclid(86400), to - from), (9 * 3600, 7 * 3600));
}

#[test]
fn a_query_file_is_read_back_and_its_mistakes_are_named() {
    let planner = departures(&[3600, 7200]);
    let text = planner.query_lines(5, Seed::new(1));
    assert_eq!(planner.read_queries(&text).unwrap().len(), 5);
    for (line, part) in [
        ("A;B", "line 1"),
        ("A;Zzz;8:00", "Zzz"),
        ("A;B;8:99", "8:99"),
    ] {
        let error = planner.read_queries(line).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}
