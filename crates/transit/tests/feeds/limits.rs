//! What strangers send: feeds that would take all memory or all day are refused with a sentence.

use std::cell::Cell;
use std::fmt::Write as _;
use std::io::Read;
use std::rc::Rc;
use std::sync::Arc;

use crate::common;
use crate::zip::{files, zip};
use wits_search::{Budget, Limits};
use wits_transit::{
    Archive, BadFeed, Builder, Calendar, FeedLimits, Globe, Halt, Mode, NoService, Planner,
    Projection, Quantity, Remedy, Timetable, Unreadable, Walking, graph_csv, gtfs, pack, read_feed,
    read_feed_within, validate,
};

const FLAT: Projection = Projection::Ellipsoid;

fn halt(what: Quantity, limits: FeedLimits) -> Halt {
    let most = limits.of(what);
    Halt::TooLarge { what, most }
}

fn read(bytes: &[u8], limits: FeedLimits) -> Result<Timetable, Unreadable> {
    read_feed_within(bytes, "x", FLAT, 2, limits, &Budget::endless()).map(|read| read.0)
}

#[test]
fn a_zip_is_read_like_its_files() {
    let plain: Vec<_> = files().into_iter().map(|(n, b)| (n, b, None)).collect();
    let table = read(&zip(&plain), FeedLimits::PAGE).unwrap();
    assert_eq!((table.stops.len(), table.trips.len()), (2, 1));
}

#[test]
fn a_zip_that_unpacks_to_too_much_is_refused_before_it_is_unpacked() {
    let mut all: Vec<_> = files().into_iter().map(|(n, b)| (n, b, None)).collect();
    let line = b"t,08:00:00,08:00:00,a,1\n";
    all[4].1.extend(line.repeat((300 << 20) / line.len()));
    let bomb = zip(&all);
    assert!(bomb.len() < 2 << 20, "{} bytes", bomb.len());
    let refused = read(&bomb, FeedLimits::PAGE);
    let expected = halt(Quantity::Unpacked, FeedLimits::PAGE);
    assert_eq!(refused, Err(Unreadable::Halt(expected)));
    // One that says that it is small is damaged as soon as more comes out.
    all[4].2 = Some(1000);
    let lie = read(&zip(&all), FeedLimits::PAGE);
    let inside = |e: &Unreadable| e.to_string().contains("`stop_times.txt`");
    assert!(lie.is_err_and(|e| inside(&e)));
}

/// A file without an end, and how much of it was read.
struct Endless(&'static [u8], Rc<Cell<usize>>);

impl Read for Endless {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        for byte in &mut *out {
            *byte = self.0[self.1.get() % self.0.len()];
            self.1.set(self.1.get() + 1);
        }
        Ok(out.len())
    }
}

#[test]
fn an_endless_file_is_read_no_further_than_the_limits() {
    let endless: [(&str, &[u8], Quantity); 3] = [
        (
            "stop_times.txt",
            b"t,08:00:00,08:00:00,a,1\n",
            Quantity::Rows,
        ),
        ("stops.txt", b"a,a,51,17\n", Quantity::Rows),
        ("shapes.txt", b"s,1,51,17\n", Quantity::Memory),
    ];
    let limits = FeedLimits {
        rows: 100_000,
        memory: 1 << 20,
        ..FeedLimits::PAGE
    };
    for (name, line, what) in endless {
        let read = Rc::new(Cell::new(0));
        let mut all: Vec<(String, Box<dyn Read>)> = Vec::new();
        for (file, bytes) in files() {
            let head = bytes.iter().position(|b| *b == b'\n').unwrap() + 1;
            let head: Box<dyn Read> = if file == name {
                let head = std::io::Cursor::new(bytes[..head].to_vec());
                Box::new(head.chain(Endless(line, Rc::clone(&read))))
            } else {
                Box::new(std::io::Cursor::new(bytes))
            };
            all.push((file.to_owned(), head));
        }
        if name == "shapes.txt" {
            let head = &b"shape_id,shape_pt_sequence,shape_pt_lat,shape_pt_lon\n"[..];
            let file = head.chain(Endless(line, Rc::clone(&read)));
            all.push((name.to_owned(), Box::new(file)));
        }
        let archive = Archive::readers(all);
        let refused = gtfs::read(archive, "x", FLAT, limits, &Budget::endless());
        let refused = refused.map(|read| read.0.trips.len());
        let unpacked = halt(what, limits);
        // Rows of stop_times are kept, so that memory may run out before the rows do.
        let memory = halt(Quantity::Memory, limits);
        assert!(
            refused == Err(BadFeed::Halt(unpacked)) || refused == Err(BadFeed::Halt(memory)),
            "{name}: {refused:?}"
        );
        assert!(read.get() < 4 << 20, "{name}: {} bytes read", read.get());
    }
}

#[test]
fn a_frequency_that_makes_millions_of_trips_is_refused() {
    let mut all: Vec<_> = files().into_iter().map(|(n, b)| (n, b, None)).collect();
    let mut text = String::from("trip_id,start_time,end_time,headway_secs\n");
    for _ in 0..100 {
        text.push_str("t,00:00:00,900:00:00,1\n");
    }
    all.push(("frequencies.txt", text.into_bytes(), None));
    let refused = read(&zip(&all), FeedLimits::PAGE);
    let expected = halt(Quantity::StopTimes, FeedLimits::PAGE);
    assert_eq!(refused, Err(Unreadable::Halt(expected)));
}

#[test]
fn departures_without_a_timetable_are_planned_and_noted() {
    let read = |exact: &str| {
        let mut all: Vec<_> = files().into_iter().map(|(n, b)| (n, b, None)).collect();
        let text = format!(
            "trip_id,start_time,end_time,headway_secs,exact_times\nt,08:00:00,09:00:00,600,{exact}\n"
        );
        all.push(("frequencies.txt", text.into_bytes(), None));
        let (table, diagnosis) = read_feed(&zip(&all), "x", FLAT, 1).unwrap();
        let noted = diagnosis.findings.iter();
        let noted = noted.filter(|one| one.file == "frequencies.txt").count();
        let starts: Vec<i32> = table.trips.iter().map(|trip| trip.start).collect();
        (starts, noted)
    };
    let (exact, quiet) = read("1");
    let eight = 8 * 3600;
    for at in (eight..eight + 3600).step_by(600) {
        assert!(exact.contains(&at), "{exact:?}");
    }
    assert_eq!(quiet, 0);
    for about in ["0", ""] {
        assert_eq!(read(about), (exact.clone(), 1));
    }
}

/// A timetable of one pattern, and trips that share one run.
fn wide(stops: u32, trips: u32) -> Timetable {
    let mut builder = Builder::new("wide", Calendar::EveryDay);
    let calls: Vec<(u32, i32, i32)> = (0..stops)
        .map(|i| (builder.stop("x", "", None), i as i32, i as i32))
        .collect();
    let line = builder.line("1", "", Mode::Bus);
    builder.trip(line, 0, None, &calls);
    let mut table = builder.finish(FLAT);
    let trip = table.trips[0];
    table.trips = vec![trip; trips as usize];
    table
}

#[test]
fn trips_times_stops_are_counted_before_anything_is_laid_out() {
    let limits = FeedLimits::PAGE;
    let expected = halt(Quantity::StopTimes, limits);
    for (stops, trips) in [(60_000, 60_000), (190_000, 500_000)] {
        let table = wide(stops, trips);
        let packed = pack::write(&table);
        assert!(packed.len() < 4 << 20);
        assert_eq!(read(&packed, limits), Err(Unreadable::Halt(expected)));
        let refused = Planner::within(
            Arc::new(table),
            Walking::Real,
            None,
            limits,
            &Budget::endless(),
        );
        assert_eq!(refused.err(), Some(NoService::Halt(expected)));
    }
    let small = FeedLimits {
        stops: 10,
        ..limits
    };
    let refused = read(&pack::write(&wide(11, 1)), small);
    let expected = halt(Quantity::Stops, small);
    assert_eq!(refused, Err(Unreadable::Halt(expected)));
    assert!(read(&pack::write(&wide(10, 1)), small).is_ok());
}

#[test]
fn memory_is_refused_before_it_is_taken() {
    let limits = FeedLimits {
        memory: 8 << 20,
        ..FeedLimits::PAGE
    };
    let table = Arc::new(wide(1000, 1000));
    let budget = Budget::endless();
    let refused = Planner::within(table, Walking::Real, None, limits, &budget);
    let expected = NoService::Halt(halt(Quantity::Memory, limits));
    assert_eq!(refused.err(), Some(expected));
}

#[test]
fn stops_in_one_place_are_refused() {
    let mut builder = Builder::new("heap", Calendar::EveryDay);
    let at = Globe::new(51.0, 17.0);
    let stops: Vec<u32> = (0..20_000)
        .map(|i| builder.stop(&i.to_string(), "", at))
        .collect();
    let line = builder.line("1", "", Mode::Bus);
    let calls: Vec<_> = (0i32..).zip(&stops[..2]).map(|(t, &s)| (s, t, t)).collect();
    builder.trip(line, 0, None, &calls);
    let table = Arc::new(builder.finish(FLAT));
    let budget = Budget::endless();
    let refused = Planner::within(table, Walking::Real, None, FeedLimits::PAGE, &budget);
    let expected = halt(Quantity::Memory, FeedLimits::PAGE);
    assert_eq!(refused.err(), Some(NoService::Halt(expected)));
}

/// One line that stands still: every call is in the same second. A ring comes back to its start.
fn instant(stops: u32, ring: bool) -> Result<Planner, NoService> {
    let mut builder = Builder::new("instant", Calendar::EveryDay);
    let mut calls: Vec<(u32, i32, i32)> = (0..stops)
        .map(|i| (builder.stop(&i.to_string(), "", None), 0, 0))
        .collect();
    if ring {
        calls.push(calls[0]);
    }
    let line = builder.line("1", "", Mode::Bus);
    builder.trip(line, 0, None, &calls);
    let table = Arc::new(builder.finish(FLAT));
    let budget = Budget::endless();
    Planner::within(table, Walking::Real, None, FeedLimits::PAGE, &budget)
}

#[test]
fn hops_that_take_no_time_cost_no_more_than_others() {
    // A chain is put in order in one pass; looking at all pairs would take an hour.
    let planner = instant(150_000, false).unwrap();
    let hops = &planner.day().connections;
    assert!(
        hops.windows(2)
            .all(|w| w[0].departure < w[1].departure || w[0].to == w[1].from)
    );
    // A small ring is repeated, a large one would be repeated for ever.
    assert!(instant(30, true).is_ok());
    let expected = halt(Quantity::Memory, FeedLimits::PAGE);
    assert_eq!(instant(20_000, true).err(), Some(NoService::Halt(expected)));
}

#[test]
fn places_are_numbers_on_the_globe() {
    let table = common::city(3, 0.05);
    for (lat, lon) in [
        (f64::NAN, 17.0),
        (51.0, f64::INFINITY),
        (f64::NEG_INFINITY, 17.0),
        (91.0, 17.0),
        (51.0, -180.1),
    ] {
        let mut bad = Timetable::clone(&table);
        bad.stops[1].at = Some(Globe { lat, lon });
        let refused = read(&pack::write(&bad), FeedLimits::PAGE).unwrap_err();
        assert!(refused.to_string().contains("coordinates"), "{refused}");
        let mut bad = Timetable::clone(&table);
        bad.shapes.push(vec![(lat as f32, lon as f32)]);
        let refused = read(&pack::write(&bad), FeedLimits::PAGE).unwrap_err();
        assert!(refused.to_string().contains("coordinates"), "{refused}");
    }
    let mut all: Vec<_> = files().into_iter().map(|(n, b)| (n, b, None)).collect();
    all[0].1.extend(b"c,Gamma,NaN,17\nd,Delta,51,inf\n");
    let shapes = b"shape_id,shape_pt_sequence,shape_pt_lat,shape_pt_lon\ns,1,51,17\ns,2,NaN,17\ns,3,51,-inf\n";
    all.push(("shapes.txt", shapes.to_vec(), None));
    let budget = Budget::endless();
    let zip = zip(&all);
    let (table, diagnosis) =
        read_feed_within(&zip, "x", FLAT, 1, FeedLimits::PAGE, &budget).unwrap();
    assert!(table.stops[2].at.is_none() && table.stops[3].at.is_none());
    assert_eq!(table.shapes, [[(51.0, 17.0)]]);
    let dropped = diagnosis.findings.iter().filter(|f| f.file == "shapes.txt");
    assert_eq!(
        dropped.map(|f| (f.remedy, f.rows)).collect::<Vec<_>>(),
        [(Remedy::Dropped, 2)]
    );
}

#[test]
fn changes_that_take_for_ever_are_no_changes() {
    let table = common::city(3, 0.05);
    let mut bad = Timetable::clone(&table);
    let seconds = Some(u32::MAX - 1);
    bad.changes.push(wits_transit::Change {
        from: 0,
        to: 1,
        seconds,
    });
    assert!(read(&pack::write(&bad), FeedLimits::PAGE).is_err());
}

#[test]
fn reading_and_planning_end_when_the_budget_is_spent() {
    let stopped = Budget::endless();
    stopped.stop();
    let late = Budget::start(Limits::time(std::time::Duration::ZERO));
    let table = common::city(3, 0.2);
    let packed = pack::write(&table);
    let mut text = String::from(
        "company,line,departure_time,arrival_time,start_stop,end_stop,start_stop_lat,start_stop_lon,end_stop_lat,end_stop_lon\n",
    );
    for i in 0..1000 {
        writeln!(text, "c,{i},08:00,08:01,A,B,51,17,51.1,17").unwrap();
    }
    assert!(graph_csv::looks_like(text.as_bytes()));
    let zip = zip(&files()
        .into_iter()
        .map(|(n, b)| (n, b, None))
        .collect::<Vec<_>>());
    for budget in [&stopped, &late] {
        for bytes in [&packed[..], text.as_bytes(), &zip] {
            let ended = read_feed_within(bytes, "x", FLAT, 2, FeedLimits::PAGE, budget);
            assert_eq!(ended, Err(Unreadable::Halt(Halt::Stopped)));
        }
        let planner = Planner::within(table.clone(), Walking::Real, None, FeedLimits::PAGE, budget);
        assert_eq!(planner.err(), Some(NoService::Halt(Halt::Stopped)));
    }
}

#[test]
fn a_validated_file_is_read_back_as_it_was() {
    let plain: Vec<_> = files().into_iter().map(|(n, b)| (n, b, None)).collect();
    let (limits, budget) = (FeedLimits::PAGE, Budget::endless());
    let city = pack::write(&common::city(3, 0.1));
    for bytes in [zip(&plain), city] {
        let table = read(&bytes, limits).unwrap();
        let valid = validate(&bytes, "x", FLAT, 1, limits, &budget).unwrap();
        assert_eq!(pack::read_within(&valid.packed, limits, &budget), Ok(table));
        assert!(valid.date.is_some() && valid.stops >= 2);
    }
    let none = validate(b"hello", "x", FLAT, 1, limits, &budget);
    assert_eq!(none.err(), Some(Unreadable::Format));
}

#[test]
fn every_question_ends_when_the_budget_is_spent() {
    use wits_game::Seed;
    use wits_transit::tour::{Method, Tabu, TourBy, TourQuestion};
    use wits_transit::{Algorithm, Disruption, Objective, Question, Time};

    let table = common::city(3, 0.2);
    let planner = Planner::new(table, Walking::Real, None).unwrap();
    let served = planner.served();
    let (from, to) = (vec![served[0]], vec![served[served.len() / 2]]);
    let question = Question::new(from.clone(), to.clone(), Time::hm(8, 0));
    let tour = |method, by| TourQuestion {
        start: from.clone(),
        stops: (1..8).map(|i| vec![served[i * served.len() / 8]]).collect(),
        at: Time::hm(8, 0),
        by,
        open: false,
        dwell: 0,
        method,
    };
    let stopped = Budget::endless();
    stopped.stop();
    let spent = Budget::start(Limits::time(std::time::Duration::ZERO));
    let names = [
        "csa",
        "raptor",
        "tripbased",
        "sweep",
        "dijkstra",
        "dijkstra:graph=expanded",
        "astar",
        "profile-csa",
    ];
    for budget in [&stopped, &spent] {
        let halted = Some(Halt::Stopped);
        for name in names {
            let algorithm: Algorithm = name.parse().unwrap();
            for arrive_by in [false, true] {
                let question = Question {
                    algorithm,
                    arrive_by,
                    ..question.clone()
                };
                let ended = planner.ask(budget, |p| p.route(&question).is_ok());
                assert_eq!(ended.err(), halted, "{name}");
            }
        }
        for by in [
            Objective::Pareto,
            Objective::ParetoWalking,
            Objective::Distance,
        ] {
            let question = Question {
                by,
                ..question.clone()
            };
            let ended = planner.ask(budget, |p| p.route(&question).is_ok());
            assert_eq!(ended.err(), halted, "{by:?}");
        }
        for by in [TourBy::Time, TourBy::Transfers, TourBy::Distance] {
            for method in [Method::Exact, Method::Tabu(Tabu::default())] {
                let ended = planner.ask(budget, |p| p.tour(&tour(method, by)).is_ok());
                assert_eq!(ended.err(), halted, "{by:?}");
            }
        }
        let ended = planner.ask(budget, |p| p.profile(&from, &to).departures.len());
        assert_eq!(ended.err(), halted);
        let ended = planner.ask(budget, |p| p.isochrone(&from, Time::hm(8, 0), 60, 60).stops);
        assert_eq!(ended.err(), halted);
        let none = Disruption::default();
        let ended = planner.ask(budget, |p| p.what_if(&question, &none).is_ok());
        assert_eq!(ended.err(), halted);
        let ended = planner.ask(budget, |p| p.why_not(&question, "1").is_ok());
        assert_eq!(ended.err(), halted);
        let ended = planner.ask(budget, |p| p.agree(1_000_000, 0, Seed::new(1)).queries);
        assert_eq!(ended.err(), halted);
    }
    // What a question that was cut short had begun is not kept for the next one.
    let whole = Budget::endless();
    for name in names {
        let question = Question {
            algorithm: name.parse().unwrap(),
            arrive_by: true,
            ..question.clone()
        };
        let found = planner
            .ask(&whole, |p| p.route(&question))
            .unwrap()
            .unwrap();
        let plain = Planner::new(Arc::clone(&planner.table), Walking::Real, None).unwrap();
        assert_eq!(Ok(found), plain.route(&question), "{name}");
    }
    let cost = |p: &Planner| p.tour(&tour(Method::Exact, TourBy::Time)).map(|t| t.cost);
    assert_eq!(planner.ask(&whole, |p| cost(&p)), Ok(cost(&planner)));
}
