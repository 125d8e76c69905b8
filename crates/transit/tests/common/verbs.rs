//! Every verb of the room: its data are the library's, and what is wrong is named.

use std::sync::Arc;

use serde_json::{Value, json};
use wits_desk::{Answer, Args, Block, Refusal, Shelf, Value as Given, Verdict, Work};
use wits_game::{Lang, Seed};
use wits_search::Budget;
use wits_transit::algo::Heuristic;
use wits_transit::{Algorithm, Objective, Planner, Question, Walking, generate, pack, verbs};
use wits_transit::{CityPlan, DAYS, Graph, Time, names};

const FEED: &str = "city.wits";

fn city() -> Planner {
    let plan = CityPlan {
        size: 0.1,
        ..CityPlan::default()
    };
    Planner::new(Arc::new(generate(&plan)), Walking::Real, None).unwrap()
}

/// Two stops that a journey with a change joins.
fn ends(planner: &Planner) -> [String; 2] {
    let served = planner.served();
    let name = |s: u32| planner.table.stop_name(s).to_owned();
    let from = served[0];
    let far = served.iter().rev().find(|&&to| {
        let asked = Question::new(vec![from], vec![to], "08:00".parse().unwrap());
        let found = planner.route(&asked).unwrap();
        found.journeys.first().is_some_and(|one| one.vehicles > 1)
    });
    [name(from), name(*far.unwrap())]
}

fn run(shelf: &Shelf, verb: &str, words: &[(&str, &str)]) -> Result<Answer, Refusal> {
    let room = verbs::room();
    let verb = room.verb(verb).unwrap();
    let pairs: Vec<(String, Given)> = words
        .iter()
        .map(|(k, v)| ((*k).to_owned(), Given::Text((*v).to_owned())))
        .collect();
    let args = Args::read(&format!("transit {}", verb.id), &pairs, &verb.params)?;
    let mut quiet = |_| {};
    let mut work = Work::new(Budget::endless(), &mut quiet);
    (verb.run)(&args, shelf, &mut work)
}

fn shelf(planner: &Planner) -> Shelf {
    let mut shelf = Shelf::new();
    shelf.put(FEED, pack::write(&planner.table));
    shelf
}

fn stops(planner: &Planner, name: &str) -> Vec<u32> {
    names::resolve(&planner.table, name).unwrap()
}

#[test]
fn data_are_what_the_library_finds() {
    let planner = city();
    let shelf = shelf(&planner);
    let [from, to] = &ends(&planner);
    let at = "08:00";
    let feed = ("feed", FEED);
    let both = [("from", from.as_str()), ("to", to.as_str()), feed];
    let asked = Question {
        by: Objective::Pareto,
        ..Question::new(
            stops(&planner, from),
            stops(&planner, to),
            at.parse().unwrap(),
        )
    };
    let ask = |verb: &str, words: &[(&str, &str)]| run(&shelf, verb, words).unwrap();
    let told = ask(
        "route",
        &[&both[..], &[("at", at), ("by", "pareto")]].concat(),
    );
    let own = json!(planner.route(&asked).unwrap());
    assert_eq!(told.data["journeys"], own["journeys"]);
    assert_eq!(told.data["settled"], own["settled"]);
    let journeys = own["journeys"].as_array().unwrap().len();
    let tables = told.blocks.iter().filter(|b| matches!(b, Block::Table(_)));
    assert_eq!(tables.count(), journeys);
    // A planner that is ready is taken as it is, and no feed is read.
    let mut ready = Shelf::new();
    ready.put_made("feed", Arc::new(city()));
    let again = run(
        &ready,
        "route",
        &[&both[..2], &[("at", at), ("by", "pareto")]].concat(),
    );
    assert_eq!(again.unwrap().data["journeys"], own["journeys"]);
    let (start, end) = (&asked.from, &asked.to);
    let told = ask("profile", &both);
    assert_eq!(told.data, json!(planner.profile(start, end)));
    let told = ask(
        "isochrone",
        &[("stop", from), ("at", at), ("minutes", "25"), feed],
    );
    assert_eq!(told.data, json!(planner.isochrone(start, asked.at, 25, 0)));
    let told = ask("describe", &[feed]);
    assert_eq!(
        told.data["connections"],
        json!(planner.describe())["connections"]
    );
    let first = &planner.route(&asked).unwrap().journeys[0];
    let ride = first.legs.iter().find(|leg| leg.trip.is_some()).unwrap();
    let line = ride.line.as_str();
    let early = Question {
        by: Objective::Time,
        ..asked.clone()
    };
    let told = ask(
        "whynot",
        &[&both[..], &[("at", at), ("line", line)]].concat(),
    );
    assert_eq!(told.data, json!(planner.why_not(&early, line).unwrap()));
    let told = ask(
        "whatif",
        &[&both[..], &[("at", at), ("cancel", line)]].concat(),
    );
    let none = wits_transit::Disruption {
        cancelled_lines: planner.lines_named(line),
        ..Default::default()
    };
    assert_eq!(told.data, json!(planner.what_if(&early, &none).unwrap()));
    let told = ask("stops", &[("name", from), feed]);
    assert_eq!(
        told.data["stops"],
        json!(names::find(&planner.table, from, 20))
    );
    let told = ask("stops", &[("limit", "3"), feed]);
    assert_eq!(told.data["stops"][2]["name"], json!(planner.table.names[2]));
    let told = ask(
        "agree",
        &[("queries", "7"), ("slow", "2"), ("seed", "5"), feed],
    );
    assert_eq!(
        (&told.data["queries"], &told.data["disagreements"]),
        (&json!(7), &json!(0))
    );
    let told = ask("check", &[feed]);
    assert_eq!(told.data["stops"], json!(planner.table.stops.len()));
    let told = ask("pack", &[feed, ("out", "again.wits")]);
    let packed = told.blocks.iter().find_map(|block| match block {
        Block::File(file) => Some(&file.bytes),
        _ => None,
    });
    assert_eq!(packed.unwrap(), &pack::write(&planner.table));
    let told = ask("report", &[feed]);
    assert_eq!(
        told.verdict,
        Verdict::No,
        "a generated city has none of those stops"
    );
}

#[test]
fn the_reports_codes_choose_dijkstra() {
    let planner = city();
    let shelf = shelf(&planner);
    let [from, to] = &ends(&planner);
    let both = [
        ("from", from.as_str()),
        ("to", to.as_str()),
        ("at", "08:00"),
        ("feed", FEED),
    ];
    for (code, by, graph) in [
        ("dt", "time", Graph::Dependent),
        ("dp", "transfers", Graph::Expanded),
        ("dd", "distance", Graph::Expanded),
    ] {
        let told = run(&shelf, "route", &[&both[..], &[("by", code)]].concat()).unwrap();
        let algorithm = Algorithm::Dijkstra(graph).to_string();
        assert_eq!(told.data["algorithm"], json!(algorithm), "{code}");
        assert_eq!(told.data["by"], json!(by), "{code}");
        let other = [("by", code), ("algorithm", "raptor")];
        let refused = run(&shelf, "route", &[&both[..], &other].concat()).unwrap_err();
        assert_eq!(refused.code, "cannot-ask", "{code}");
    }
    let told = run(&shelf, "route", &[&both[..], &[("by", "t")]].concat()).unwrap();
    assert_eq!(told.data["algorithm"], json!("csa"));
}

#[test]
fn proofs_are_kept_and_checked() {
    let planner = city();
    let mut shelf = shelf(&planner);
    let [from, to] = &ends(&planner);
    let both = [("from", from.as_str()), ("to", to.as_str()), ("feed", FEED)];
    let proof = [("certify", "true"), ("certificate", "proof.json")];
    for (verb, more) in [
        ("route", [both[0], both[1], ("at", "08:00")]),
        ("profile", both),
        (
            "isochrone",
            [("stop", from), ("at", "08:00"), ("minutes", "20")],
        ),
    ] {
        let words = [&more[..], &[both[2]], &proof].concat();
        let mut words = words;
        words.dedup();
        let told = run(&shelf, verb, &words).unwrap();
        assert_eq!(told.data["certified"], json!(true), "{verb}");
        let file = told.blocks.iter().find_map(|block| match block {
            Block::File(file) if file.name == "certificate" => Some(file.bytes.clone()),
            _ => None,
        });
        let mut kept: Value = serde_json::from_slice(&file.unwrap()).unwrap();
        shelf.put("proof.json", kept.to_string().into_bytes());
        let check = [("file", "proof.json"), ("feed", FEED)];
        let told = run(&shelf, "verify", &check).unwrap();
        assert_eq!(
            (told.verdict, &told.data["valid"]),
            (Verdict::Yes, &json!(true))
        );
        // One claim less is seen, and said in the reader's language.
        let claims = kept["claims"].as_array_mut().unwrap();
        let at = claims
            .iter()
            .position(|c| !c.as_array().unwrap().is_empty())
            .unwrap();
        claims[at] = json!([]);
        shelf.put("proof.json", kept.to_string().into_bytes());
        let told = run(&shelf, "verify", &check).unwrap();
        assert_eq!(told.verdict, Verdict::No, "{verb}");
        let Some(Block::Says(said)) = told.blocks.last() else {
            panic!("{verb} says nothing");
        };
        assert!(
            said.to(Lang::En)
                .contains(told.data["flaw"].as_str().unwrap())
        );
        assert!(
            said.to(Lang::Pl).starts_with("niepoprawny"),
            "{}",
            said.to(Lang::Pl)
        );
    }
}

#[test]
fn costs_have_units() {
    let planner = city();
    let shelf = shelf(&planner);
    let [from, to] = &ends(&planner);
    let both = [
        ("from", from.as_str()),
        ("to", to.as_str()),
        ("at", "08:00"),
        ("feed", FEED),
    ];
    for (by, unit) in [
        ("time", " min"),
        ("transfers", " vehicles"),
        ("distance", " km"),
    ] {
        let told = run(&shelf, "route", &[&both[..], &[("by", by)]].concat()).unwrap();
        let costs = told.blocks.iter().filter_map(|block| match block {
            Block::Says(said) => {
                let text = said.to(Lang::En);
                let cost = text.split_once("cost ")?.1.to_owned();
                Some(cost.split(',').next()?.to_owned())
            }
            _ => None,
        });
        let costs: Vec<String> = costs.collect();
        assert!(
            !costs.is_empty() && costs.iter().all(|c| c.ends_with(unit)),
            "{costs:?}"
        );
        let tour = [
            ("start", from.as_str()),
            ("via", to),
            ("at", "08:00"),
            ("compare", "true"),
        ];
        let told = run(
            &shelf,
            "tour",
            &[&tour[..], &[("by", by), ("feed", FEED)]].concat(),
        );
        let told = told.unwrap();
        let Some(Block::Table(table)) = told.blocks.last() else {
            panic!("no table");
        };
        assert!(
            table
                .rows
                .iter()
                .all(|row| row[1].shown().ends_with(unit.trim_end_matches('s'))
                    || row[1].shown().ends_with(unit)),
            "{table:?}"
        );
    }
}

#[test]
fn what_is_wrong_is_named() {
    let planner = city();
    let mut shelf = shelf(&planner);
    shelf.put("junk.zip", b"junk".as_slice());
    let [from, to] = &ends(&planner);
    let route = [
        ("from", from.as_str()),
        ("to", to.as_str()),
        ("at", "08:00"),
        ("feed", FEED),
    ];
    let tour = [
        ("start", from.as_str()),
        ("via", to.as_str()),
        ("at", "08:00"),
        ("feed", FEED),
    ];
    for (verb, base, own, code) in [
        ("route", route, vec![("by", "comfort")], "bad-value"),
        ("route", route, vec![("algorithm", "magic")], "bad-value"),
        ("route", route, vec![("date", "1999-01-01")], "no-service"),
        ("route", route, vec![("size", "0.5")], "bad-value"),
        ("route", route, vec![("certificate", "x.json")], "bad-value"),
        (
            "route",
            route,
            vec![("by", "pareto"), ("algorithm", "csa")],
            "cannot-ask",
        ),
        ("whatif", route, vec![], "missing-parameter"),
        (
            "whatif",
            route,
            vec![("miss", "1"), ("cancel", "4")],
            "bad-value",
        ),
        ("whatif", route, vec![("miss", "999")], "no-ride"),
        ("whatif", route, vec![("late", "1")], "bad-value"),
        (
            "whynot",
            route,
            vec![("line", "no such line")],
            "unknown-line",
        ),
        ("tour", tour, vec![("certify", "true")], "cannot-ask"),
        ("tour", tour, vec![("method", "luck")], "bad-value"),
        (
            "tour",
            tour,
            vec![("compare", "true"), ("best-start", "true")],
            "bad-value",
        ),
        ("tour", tour, vec![("via", " ")], "unknown-stop"),
    ] {
        let refused = run(&shelf, verb, &[&base[..], &own].concat()).unwrap_err();
        assert_eq!(refused.code, code, "{verb} {own:?}: {refused}");
        assert!(!refused.hint.to_string().is_empty());
    }
    let refused = run(&shelf, "describe", &[("feed", "junk.zip")]).unwrap_err();
    assert_eq!(refused.code, "bad-feed");
    assert!(refused.why.to_string().contains("junk.zip"), "{refused}");
    let refused = run(&shelf, "describe", &[("feed", "none.zip")]).unwrap_err();
    assert_eq!(refused.code, "file");
    let refused = run(&shelf, "speeds", &[("speeds", "10,0")]).unwrap_err();
    assert_eq!(refused.code, "bad-value");
}

#[test]
fn speeds_counts_as_wrong_what_by_transfers_shows() {
    let planner = city();
    let (seed, queries) = (Seed::new(3), 16);
    let told = planner.speeds(queries, seed, &[]);
    let served = planner.served();
    let best = |n: usize, algorithm: Algorithm| {
        let ends = planner.random_query(seed.nth(n as u64), &served);
        let question = Question {
            by: Objective::Transfers,
            algorithm,
            ..Question::new(ends.from, ends.to, Time(ends.at))
        };
        let found = planner.route(&question).unwrap();
        let first = found.journeys.first().filter(|_| found.days == DAYS);
        first.map(|one| (one.vehicles, one.arrival))
    };
    let truth: Vec<_> = (0..queries)
        .map(|n| best(n, Algorithm::Dijkstra(Graph::Expanded)))
        .collect();
    for row in &told.transfers {
        let bold = Algorithm::Astar(Graph::Expanded, row.heuristic);
        let wrong = (0..queries).filter(|&n| {
            let found = best(n, bold);
            found
                .zip(truth[n])
                .is_some_and(|(found, best)| found > best)
        });
        let counted = (row.wrong * queries as f64).round() as usize;
        assert_eq!(counted, wrong.count(), "{bold}");
    }
    let major = Heuristic::PreferMajorStops { penalty: 1 };
    let row = told.transfers.iter().find(|row| row.heuristic == major);
    assert!(row.unwrap().wrong > 0.0, "{told:?}");
}
