//! Feeds as they are: who may board and leave, headways, colours, ways in stations, and trips as
//! a realtime feed says that they run.

use std::sync::Arc;

use prost::Message;
use wits_search::Budget;
use wits_transit::realtime::message::*;
use wits_transit::realtime::{self, BadRealtime, Realtime};
use wits_transit::{
    FeedLimits, Objective, Planner, Projection, Question, Searches, Time, Timetable, Walking,
    names, pack, read_folder,
};

/// Three lines from Alpha: 1 over Beta to Gamma, where nobody may leave at Beta; 2 to Beta, about every ten
/// minutes; 3 to Gamma, where nobody may board at Alpha on its first trip.
fn files() -> Vec<(String, Vec<u8>)> {
    [
        ("agency.txt", "agency_id,agency_name,agency_timezone\nm,Municipal,Europe/Warsaw\n"),
        ("stops.txt", "stop_id,stop_name,stop_lat,stop_lon\na,Alpha,51,17\nb,Beta,51.05,17\nc,Gamma,51.1,17\n"),
        ("routes.txt", "route_id,agency_id,route_short_name,route_type,route_color,route_text_color\nr1,m,1,0,FF8800,000000\nr2,m,2,3,,\nr3,m,3,3,004488,\n"),
        ("trips.txt", "route_id,service_id,trip_id\nr1,wd,t1\nr2,wd,t2\nr3,wd,t3\nr3,wd,t4\n"),
        ("calendar.txt", "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nwd,1,1,1,1,1,0,0,20240101,20241231\n"),
        ("stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type\n\
          t1,8:00:00,8:00:00,a,10,0,0\nt1,8:10:00,8:10:00,b,20,0,1\nt1,8:20:00,8:20:00,c,30,0,0\n\
          t2,0:00:00,0:00:00,a,1,,\nt2,0:15:00,0:15:00,b,2,,\n\
          t3,7:55:00,7:55:00,a,1,1,0\nt3,8:05:00,8:05:00,c,2,0,0\n\
          t4,8:30:00,8:30:00,a,1,2,0\nt4,8:40:00,8:40:00,c,2,0,0\n"),
        ("frequencies.txt", "trip_id,start_time,end_time,headway_secs,exact_times\nt2,6:00:00,10:00:00,600,0\n"),
        ("pathways.txt", "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional\np,a,b,1,1\n"),
    ]
    .map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()))
    .to_vec()
}

fn table() -> Timetable {
    read_folder(files(), "live", Projection::Ellipsoid)
        .unwrap()
        .0
}

fn ask(planner: &Planner, from: &str, to: &str, at: Time) -> wits_transit::Answer {
    let stop = |name: &str| names::resolve(&planner.table, name).unwrap();
    let question = Question {
        by: Objective::Pareto,
        ..Question::new(stop(from), stop(to), at)
    };
    let (answer, proof) = planner.prove(&question, &mut Searches::default()).unwrap();
    planner.verify(&proof).unwrap();
    answer
}

fn lines(answer: &wits_transit::Answer) -> Vec<(String, String, String)> {
    let all = answer.journeys.iter().flat_map(|j| &j.legs);
    all.map(|l| {
        (
            l.line.clone(),
            l.departure.to_string(),
            l.arrival.to_string(),
        )
    })
    .collect()
}

fn plain() -> Planner {
    Planner::new(Arc::new(table()), Walking::Real, None).unwrap()
}

#[test]
fn nobody_boards_or_leaves_where_the_feed_forbids_it() {
    let planner = plain();
    let way = |line: &str, from: &str, to: &str| (line.to_owned(), from.to_owned(), to.to_owned());
    // Line 1 passes Beta at 8:10 and lets nobody out; line 2 is there at 8:15.
    let to_beta = ask(&planner, "Alpha", "Beta", Time::hm(8, 0));
    assert_eq!(lines(&to_beta), [way("2", "08:00", "08:15")]);
    // Line 3 comes at 7:55 and lets nobody in.
    let to_gamma = ask(&planner, "Alpha", "Gamma", Time::hm(7, 50));
    assert_eq!(lines(&to_gamma), [way("1", "08:00", "08:20")]);
    let board = planner.board(
        &names::resolve(&planner.table, "Alpha").unwrap(),
        Time::hm(7, 51),
        9,
    );
    assert!(
        board
            .iter()
            .all(|row| (row.line.as_str(), row.departure) != ("3", Time::hm(7, 55)))
    );
}

#[test]
fn headways_without_a_timetable_are_said_and_colours_and_pathways_noticed() {
    let (table, diagnosis) = read_folder(files(), "live", Projection::Ellipsoid).unwrap();
    let found: Vec<&str> = diagnosis.findings.iter().map(|f| f.what.as_str()).collect();
    for part in ["every so often", "inside a station", "by arrangement"] {
        assert!(
            found.iter().any(|what| what.contains(part)),
            "{part}: {found:?}"
        );
    }
    assert_eq!(table.lines[0].colours, Some((0xff_8800, 0)));
    // White reads well on dark blue, so that is what stands there where the feed says nothing.
    assert_eq!(table.lines[2].colours, Some((0x00_4488, 0xff_ffff)));
    let again = pack::read(&pack::write(&table)).unwrap();
    assert_eq!(
        again,
        Timetable {
            stops: again.stops.clone(),
            ..table.clone()
        }
    );
    let planner = Planner::new(Arc::new(again), Walking::Real, None).unwrap();
    let answer = ask(&planner, "Alpha", "Beta", Time::hm(8, 0));
    assert_eq!(answer.journeys[0].legs[0].headway, Some(10));
}

fn feed(entity: Vec<FeedEntity>) -> Vec<u8> {
    let header = FeedHeader {
        gtfs_realtime_version: "2.0".to_owned(),
        timestamp: Some(1_704_700_000),
    };
    FeedMessage {
        header: Some(header),
        entity,
    }
    .encode_to_vec()
}

fn trip(id: &str) -> TripDescriptor {
    TripDescriptor {
        trip_id: Some(id.to_owned()),
        ..TripDescriptor::default()
    }
}

fn update(trip: TripDescriptor, stop_time_update: Vec<StopTimeUpdate>) -> FeedEntity {
    FeedEntity {
        id: "u".to_owned(),
        trip_update: Some(TripUpdate {
            trip: Some(trip),
            stop_time_update,
            delay: None,
        }),
        ..FeedEntity::default()
    }
}

fn late(sequence: u32, seconds: i32) -> StopTimeUpdate {
    StopTimeUpdate {
        stop_sequence: Some(sequence),
        departure: Some(StopTimeEvent {
            delay: Some(seconds),
            time: None,
        }),
        ..StopTimeUpdate::default()
    }
}

fn live(bytes: &[u8]) -> (Planner, Realtime) {
    let table = Arc::new(table());
    let read = realtime::read(bytes, &table).unwrap();
    let (limits, budget) = (FeedLimits::TERMINAL, Budget::endless());
    let planner = Planner::live(table, Walking::Real, None, &read, limits, &budget).unwrap();
    (planner, read)
}

#[test]
fn a_late_trip_is_late_in_journeys_and_in_what_if() {
    let (planner, read) = live(&feed(vec![update(trip("t1"), vec![late(10, 300)])]));
    assert_eq!((read.count.moved, read.count.unknown), (1, 0));
    let answer = ask(&planner, "Alpha", "Gamma", Time::hm(8, 0));
    let leg = &answer.journeys[0].legs[0];
    assert_eq!(
        (leg.departure, leg.arrival),
        (Time::hm(8, 5), Time::hm(8, 25))
    );
    assert_eq!(leg.late, Some(5));
    // Without line 1 there is line 3 at 8:30: fifteen minutes later than the late one.
    let stop = |name: &str| names::resolve(&planner.table, name).unwrap();
    let question = Question::new(stop("Alpha"), stop("Gamma"), Time::hm(8, 0));
    let without = wits_transit::Disruption {
        cancelled_lines: planner.lines_named("1"),
        ..wits_transit::Disruption::default()
    };
    assert_eq!(
        planner.what_if(&question, &without).unwrap().loss_minutes,
        Some(15)
    );
}

#[test]
fn times_since_1970_are_read_in_the_feed_s_time_zone() {
    // 8 January 2024, 8:07 in Warsaw.
    let event = StopTimeEvent {
        delay: None,
        time: Some(1_704_697_620),
    };
    let said = StopTimeUpdate {
        stop_id: Some("a".to_owned()),
        departure: Some(event),
        ..StopTimeUpdate::default()
    };
    let (planner, _) = live(&feed(vec![update(trip("t1"), vec![said])]));
    let answer = ask(&planner, "Alpha", "Gamma", Time::hm(8, 0));
    assert_eq!(answer.journeys[0].legs[0].departure, Time::hm(8, 7));
}

#[test]
fn cancelled_trips_and_passed_stops_are_not_planned_with() {
    let mut gone = trip("t1");
    gone.schedule_relationship = Some(3);
    let (planner, read) = live(&feed(vec![
        update(gone, vec![]),
        update(trip("nobody"), vec![]),
    ]));
    assert_eq!((read.count.cancelled, read.count.unknown), (1, 1));
    let answer = ask(&planner, "Alpha", "Gamma", Time::hm(8, 0));
    assert_eq!(answer.journeys[0].legs[0].line, "3");
    let passed = StopTimeUpdate {
        stop_id: Some("a".to_owned()),
        schedule_relationship: Some(1),
        ..StopTimeUpdate::default()
    };
    let (planner, read) = live(&feed(vec![update(trip("t1"), vec![passed])]));
    assert_eq!(read.count.passed, 1);
    let answer = ask(&planner, "Alpha", "Gamma", Time::hm(8, 0));
    assert_eq!(answer.journeys[0].legs[0].line, "3");
}

#[test]
fn a_headway_s_trip_is_found_by_its_start_and_a_day_by_its_date() {
    let mut eight = trip("t2");
    eight.start_time = Some("08:00:00".to_owned());
    eight.start_date = Some("20240101".to_owned());
    let mut other = eight.clone();
    other.start_date = Some("20240105".to_owned());
    let (planner, _) = live(&feed(vec![update(other, vec![late(1, 240)])]));
    assert_eq!(planner.date().unwrap().to_string(), "2024-01-01");
    let at =
        |planner: &Planner| ask(planner, "Alpha", "Beta", Time::hm(7, 55)).journeys[0].departure;
    assert_eq!(at(&planner), Time::hm(8, 0));
    let (planner, _) = live(&feed(vec![update(eight, vec![late(1, 240)])]));
    assert_eq!(at(&planner), Time::hm(8, 4));
}

#[test]
fn alerts_are_told_to_those_they_concern() {
    let say = |text: &str, language: &str| Translation {
        text: text.to_owned(),
        language: Some(language.to_owned()),
    };
    let alert = AlertMessage {
        informed_entity: vec![EntitySelector {
            route_id: Some("r1".to_owned()),
            ..EntitySelector::default()
        }],
        header_text: Some(TranslatedString {
            translation: vec![say("Track works", "en"), say("Roboty torowe", "pl")],
        }),
        ..AlertMessage::default()
    };
    let old = AlertMessage {
        active_period: vec![TimeRange {
            start: Some(1_000),
            end: Some(2_000),
        }],
        ..alert.clone()
    };
    let entity = |alert: AlertMessage| FeedEntity {
        id: "a".to_owned(),
        alert: Some(alert),
        ..FeedEntity::default()
    };
    let (planner, _) = live(&feed(vec![entity(alert), entity(old)]));
    let met = ask(&planner, "Alpha", "Gamma", Time::hm(8, 0)).alerts;
    assert_eq!(met.len(), 1);
    assert_eq!(
        (met[0].told("en"), met[0].told("pl")),
        ("Track works", "Roboty torowe")
    );
    assert!(
        ask(&planner, "Alpha", "Beta", Time::hm(8, 1))
            .alerts
            .is_empty()
    );
}

#[test]
fn what_is_no_realtime_feed_is_refused() {
    let table = table();
    for bytes in [
        &b"<html>not found</html>"[..],
        b"",
        b"\x0a\xff\xff\xff\xff\x0f",
    ] {
        let refused = realtime::read(bytes, &table);
        assert!(
            matches!(refused, Err(BadRealtime::Format(_))),
            "{refused:?}"
        );
    }
    let nameless = Timetable {
        trip_ids: wits_transit::Ids::default(),
        ..table
    };
    let refused = realtime::read(&feed(vec![update(trip("t1"), vec![])]), &nameless);
    assert_eq!(refused, Err(BadRealtime::NoIds));
}
