//! Timetables, tables, models, programs, tournaments.

use std::sync::Arc;

use wits_arena::File;
use wits_arena::stats::Counts;
use wits_arena::tune::TuneFile;
use wits_expert::Base;
use wits_fuzz::stored_zip;
use wits_game::Seed;
use wits_learn::{Dataset, Model, Pipeline, ReadOptions, Roles, read_table, read_values, train};
use wits_logic::{Fuel, Machine, Outcome};
use wits_transit::{
    CityPlan, Objective, Planner, Projection, Proof, Question, Searches, Time, Timetable, Walking,
    generate, pack, read_feed, read_folder,
};

use crate::{Parser, bytes, file, text};

const IRIS: &str = "a,b,class\n1.5,2,x\n2.5,3,y\n1.4,,x\n2.6,3.1,y\n1.6,2.2,x\n2.7,2.9,y\n";
const GRAPH: &str = ",id,company,line,departure_time,arrival_time,start_stop,end_stop,start_stop_lat,start_stop_lon,end_stop_lat,end_stop_lon\n0,0,MPK,A,20:52:00,20:53:00,Zajezdnia,Inna,51.1,17.0,51.2,17.1\n";

pub(crate) fn parsers() -> Vec<Parser> {
    let mut all = vec![
        text(
            "csv",
            1,
            &[IRIS, "x;y\n1,5;a\n2,5;b\n", "1\t2\t3\n4\t5\t6\n"],
            |t| {
                read_table(t.as_bytes(), &ReadOptions::default()).is_ok_and(|table| {
                    let _ = Dataset::new(&table, &Roles::default());
                    true
                })
            },
        ),
        model(),
        text(
            "pipeline",
            1,
            &[
                "mean + standard + knn:k=3",
                "median + pca + tree:depth=10,criterion=gini",
            ],
            |t| t.parse::<Pipeline>().is_ok(),
        ),
        text("values", 1, &["1..9:2", "1,2,3"], |t| {
            read_values(t).is_ok_and(|values| values.len() < 1_000_000)
        }),
        text("time", 1, &["08:15", "25:10"], |t| {
            t.parse::<Time>().is_ok()
        }),
        bytes("tournament", 1, tournaments("othello"), |b| {
            File::read(&String::from_utf8_lossy(b), "x").is_ok()
        }),
        bytes("tuning", 1, tournaments("tune"), |b| {
            TuneFile::read(&String::from_utf8_lossy(b), "x").is_ok()
        }),
        text("counts", 1, &["1,2,3", "1,2,3,4,5"], |t| {
            t.parse::<Counts>().is_ok()
        }),
        prolog(),
        text(
            "prolog-query",
            4,
            &[
                "member(X, [1,2,3]).",
                "X is 2 + 3 * 4.",
                "atom_length(abc, N).",
            ],
            |t| {
                let mut machine = Machine::new();
                machine.refuel(FUEL);
                machine.query(t).is_ok() && !matches!(machine.solve(), Outcome::Error(_))
            },
        ),
        bytes(
            "knowledge-base",
            40,
            vec![
                file("crates/expert/bases/bicycle.pl"),
                file("crates/expert/bases/template.pl"),
            ],
            |b| Base::read("x", &String::from_utf8_lossy(b)).is_ok(),
        ),
    ];
    all.extend(timetables());
    all
}

const FUEL: Fuel = Fuel {
    steps: 200_000,
    cells: 4 << 20,
};

fn tournaments(start: &str) -> Vec<Vec<u8>> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tournaments");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with(start))
        .collect();
    names.sort();
    names
        .iter()
        .map(|name| file(&format!("tournaments/{name}")))
        .collect()
}

fn prolog() -> Parser {
    let program = "% a list\n:- dynamic(seen/1).\napp([], L, L).\napp([H|T], L, [H|R]) :- app(T, L, R).\nword(\"text\", 'quoted atom', 0'a, 1.5e3, 0xff).\n:- op(700, xfx, ===>).\na ===> b.\nrule --> [x], rule ; [].\n/* done */\n";
    text("prolog", 4, &[program], |t| {
        let mut machine = Machine::new();
        machine.refuel(FUEL);
        machine.load("x", t).errors.is_empty()
    })
}

fn model() -> Parser {
    let table = read_table(IRIS.as_bytes(), &ReadOptions::default()).unwrap();
    let data = Dataset::new(&table, &Roles::default()).unwrap();
    let samples: Vec<Vec<u8>> = [
        "mean + standard + knn:k=1",
        "median + tree:depth=2",
        "mean + naive-bayes",
    ]
    .iter()
    .map(|p| {
        train(&data, &p.parse().unwrap(), 1)
            .unwrap()
            .to_json()
            .into_bytes()
    })
    .collect();
    bytes("model", 2, samples, move |b| {
        Model::from_json(&String::from_utf8_lossy(b)).is_ok_and(|model| {
            let _ = model.predict(&table);
            true
        })
    })
}

fn gtfs() -> Vec<(&'static str, Vec<u8>)> {
    let files = [
        (
            "agency.txt",
            "agency_id,agency_name,agency_url,agency_timezone\n1,A,http://a,Europe/Prague\n",
        ),
        (
            "stops.txt",
            "stop_id,stop_name,stop_lat,stop_lon\nA,Alpha,50.1,14.4\nB,Beta,50.11,14.41\nC,\"Gam, ma\",50.12,14.42\n",
        ),
        (
            "routes.txt",
            "route_id,agency_id,route_short_name,route_type\nR,1,7,0\n",
        ),
        (
            "trips.txt",
            "route_id,service_id,trip_id,shape_id\nR,W,T1,\nR,W,T2,\n",
        ),
        (
            "stop_times.txt",
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nT1,08:00:00,08:00:00,A,1\nT1,08:05:00,08:05:30,B,2\nT1,08:10:00,08:10:00,C,3\nT2,25:00:00,25:00:00,C,1\nT2,25:10:00,25:10:00,A,2\n",
        ),
        (
            "calendar.txt",
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nW,1,1,1,1,1,0,0,20260101,20261231\n",
        ),
        (
            "calendar_dates.txt",
            "service_id,date,exception_type\nW,20260501,2\n",
        ),
        (
            "frequencies.txt",
            "trip_id,start_time,end_time,headway_secs\nT1,06:00:00,07:00:00,600\n",
        ),
        (
            "transfers.txt",
            "from_stop_id,to_stop_id,transfer_type,min_transfer_time\nA,B,2,120\n",
        ),
    ];
    files
        .iter()
        .map(|(name, text)| (*name, text.as_bytes().to_vec()))
        .collect()
}

fn timetables() -> Vec<Parser> {
    let files = gtfs();
    // The whole feed as one text, `== NAME` before each file: so that a mutant may bend any of them.
    let mut joined = Vec::new();
    for (name, bytes) in &files {
        joined.extend(format!("== {name}\n").into_bytes());
        joined.extend(bytes);
    }
    let town = generate(&CityPlan {
        seed: Seed::new(1),
        size: 0.02,
    });
    let read = |b: &[u8]| read_feed(b, "x", Projection::Ellipsoid, 1).is_ok();
    vec![
        bytes("gtfs", 2, vec![joined], |b| {
            let text = String::from_utf8_lossy(b);
            let parts = text.split("== ").filter_map(|part| part.split_once('\n'));
            let files: Vec<(String, Vec<u8>)> = parts
                .map(|(name, body)| (name.to_owned(), body.as_bytes().to_vec()))
                .collect();
            read_folder(files, "x", Projection::Ellipsoid).is_ok()
        }),
        bytes("gtfs-zip", 2, vec![stored_zip(&files)], read),
        bytes("graph-csv", 2, vec![GRAPH.as_bytes().to_vec()], read),
        bytes("timetable-pack", 4, vec![pack::write(&town)], read),
        certificate(town),
    ]
}

/// Certificates of journeys arrive as JSON. One that was changed may still be read, and must then
/// be checked without breaking.
fn certificate(town: Timetable) -> Parser {
    let planner = Planner::new(Arc::new(town), Walking::Real, None).expect("a town runs every day");
    let proved = |by| {
        let question = Question {
            by,
            ..Question::new(vec![0], vec![9], Time::hm(20, 0))
        };
        let (_, certificate) = planner.prove(&question, &mut Searches::default()).unwrap();
        serde_json::to_string(&certificate).unwrap()
    };
    let [all, way] = [Objective::ParetoWalking, Objective::Distance].map(proved);
    let reach = planner.prove_isochrone(&[0], Time::hm(20, 0), 30, 3).1;
    let profile = planner.prove_profile(&[0], &[9]).1;
    let many = |proof| serde_json::to_string(&Proof::Departures(proof)).unwrap();
    let good = [all, way, many(reach), many(profile)];
    let good = good.each_ref().map(String::as_str);
    text("journey-certificate", 4, &good, move |t| {
        Proof::read(t).is_ok_and(|proof| planner.verify_proof(&proof).is_ok())
    })
}
