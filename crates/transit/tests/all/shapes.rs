//! Ways along streets and rails, as the feed draws them.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]
use crate::common;

use std::sync::Arc;

use wits_transit::{Planner, Projection, Question, Time, Walking, read_feed, read_folder};

/// One tram from Alpha over Beta to Gamma, which goes round a corner between the first two.
fn corner() -> Planner {
    let files = [
        ("stops.txt", "stop_id,stop_name,stop_lat,stop_lon\na,Alpha,51,17\nb,Beta,51.01,17.02\nc,Gamma,51.02,17.02\n"),
        ("routes.txt", "route_id,route_short_name,route_type\n1,1,0\n"),
        ("trips.txt", "route_id,service_id,trip_id,shape_id\n1,wd,t1,s\n"),
        ("calendar.txt", "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nwd,1,1,1,1,1,0,0,20240101,20241231\n"),
        ("shapes.txt", "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\ns,51.02,17.02,9\ns,51,17,1\ns,51,17.02,2\n"),
        ("stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt1,08:00:00,08:00:00,a,1\nt1,08:05:00,08:05:00,b,2\nt1,08:09:00,08:09:00,c,3\n"),
    ]
    .map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()))
    .to_vec();
    let (table, _) = read_folder(files, "corner", Projection::Ellipsoid).unwrap();
    Planner::new(Arc::new(table), Walking::Real, None).unwrap()
}

/// The ways of the rides of one journey.
fn ridden(planner: &Planner, from: u32, to: u32) -> Vec<Vec<f64>> {
    let question = Question::new(vec![from], vec![to], Time::hm(7, 0));
    let answer = planner.route(&question).unwrap();
    let legs = answer.journeys.first().map(|j| j.legs.as_slice());
    let rides = legs.unwrap_or_default().iter().filter(|l| l.trip.is_some());
    rides.map(|leg| planner.drawn(leg).unwrap()).collect()
}

#[test]
fn a_ride_goes_round_the_corner() {
    let planner = corner();
    let spot = |s: u32| {
        let stop = &planner.table.stops[s as usize];
        (f64::from(stop.x), f64::from(stop.y))
    };
    let ways = ridden(&planner, 0, 1);
    let [way] = ways.as_slice() else {
        panic!("{ways:?}")
    };
    let (a, b) = (spot(0), spot(1));
    // Alpha, the corner east of it and south of Beta, Beta.
    let expected = [a.0, a.1, b.0, a.1, b.0, b.1];
    assert_eq!(way.len(), expected.len(), "{way:?}");
    for (found, meant) in way.iter().zip(expected) {
        assert!((found - meant).abs() < 0.01, "{way:?} {expected:?}");
    }
    // The other hop is straight, and only the bent one is sent as a bend of the network.
    assert_eq!(ridden(&planner, 1, 2)[0].len(), 4);
    let network = planner.network();
    assert_eq!(network.bends.len(), 1);
    let (index, bend) = &network.bends[0];
    let (from, to, ..) = network.stretches[*index as usize];
    assert_eq!((from, to, bend.len()), (0, 1, 6));
}

#[test]
fn a_real_city_is_drawn_along_its_streets() {
    let Some(bytes) = common::shared("vilnius_2015-09_gtfs.zip") else {
        return;
    };
    let (table, _) = read_feed(&bytes, "Vilnius", Projection::Ellipsoid, 2).unwrap();
    let planner = Planner::new(Arc::new(table), Walking::Real, None).unwrap();
    let network = planner.network();
    let place = |s: u32| {
        let (_, x, y, _) = network.stops[s as usize];
        (x.unwrap(), y.unwrap())
    };
    let bent = network.bends.len() as f64 / network.stretches.len() as f64;
    assert!(bent > 0.5, "{bent}");
    let (mut straight, mut along) = (0.0, 0.0);
    for (index, bend) in &network.bends {
        let (a, b, ..) = network.stretches[*index as usize];
        let (a, b) = (place(a), place(b));
        let far = |p: (f64, f64), i: usize| (p.0 - bend[i]).hypot(p.1 - bend[i + 1]);
        let last = bend.len() - 2;
        // A way begins at one of its stops and ends at the other, whichever the direction.
        let ends = (far(a, 0) + far(b, last)).min(far(b, 0) + far(a, last));
        assert!(ends < 1.0, "stretch {index}: {ends} km off");
        straight += (a.0 - b.0).hypot(a.1 - b.1);
        along += bend
            .windows(4)
            .step_by(2)
            .map(|w| (w[0] - w[2]).hypot(w[1] - w[3]))
            .sum::<f64>();
    }
    // Streets are longer than straight lines, but not by much.
    assert!(
        along > straight * 0.98 && along < straight * 1.6,
        "{along} {straight}"
    );
}
