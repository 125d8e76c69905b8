//! Journeys, tours and what-if: the promised keys, and every objective.

use serde_json::Value;

use crate::{ask, city};

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
fn every_journey_carries_a_certificate_that_another_command_checks() {
    let (folder, from, to) = city();
    let feed = ["--feed", "city.wits"];
    let verify = |code: i32| {
        let words = [["verify", "proof.json"].as_slice(), &feed].concat();
        ask(folder.path(), &words, code)
    };
    let base = ["route", &from, &to, "--at", "08:00"];
    let keep = ["--certify", "--certificate", "proof.json"];
    for by in [
        "time",
        "transfers",
        "distance",
        "weighted:5",
        "pareto",
        "pareto-walking",
        "transfers-only",
    ] {
        for more in [["--by", by].as_slice(), &["--by", by, "--arrive-by"]] {
            let told = ask(folder.path(), &[&base, more, &feed, &keep].concat(), 0);
            assert_eq!(told["certified"], true, "{more:?}");
            let checked = verify(0);
            assert_eq!(checked["valid"], true, "{more:?}: {checked}");
            assert_eq!(
                checked["answers"],
                told["journeys"].as_array().map_or(0, Vec::len)
            );
            // A journey that is not there is refused in words of what this certificate counts.
            let file = folder.path().join("proof.json");
            let mut proof: Value =
                serde_json::from_slice(&std::fs::read(&file).expect("kept")).expect("JSON");
            let kept = proof.clone();
            proof["answers"][0][3][0][0] = u32::MAX.into();
            std::fs::write(&file, proof.to_string()).expect("written");
            let time = if more.len() == 3 {
                "that departure"
            } else {
                "that arrival"
            };
            let counted = match by {
                "distance" => "and length",
                "pareto-walking" => ", number of vehicles and way on foot",
                _ => "and number of vehicles",
            };
            let flaw = verify(1)["flaw"].as_str().expect("a flaw").to_owned();
            assert!(flaw.starts_with("journey 1 of "), "{by}: {flaw}");
            assert!(flaw.contains(time), "{by}: {flaw}");
            assert!(flaw.ends_with(counted), "{by}: {flaw}");
            std::fs::write(&file, kept.to_string()).expect("written");
        }
    }
    // The same day with other walks is another question.
    let words = [
        "verify",
        "proof.json",
        "--feed",
        "city.wits",
        "--walk",
        "none",
    ];
    let other = ask(folder.path(), &words, 1);
    assert_eq!(other["valid"], false);
    let file = folder.path().join("proof.json");
    let text = std::fs::read_to_string(&file).expect("kept");
    let mut proof: Value = serde_json::from_str(&text).expect("JSON");
    let claims = proof["claims"].as_array_mut().expect("claims");
    let claim = claims
        .iter_mut()
        .find(|c| c != &&serde_json::json!([]))
        .expect("a claim");
    claim.as_array_mut().expect("labels").remove(0);
    std::fs::write(&file, proof.to_string()).expect("written");
    let tampered = verify(1);
    assert_eq!(tampered["valid"], false);
    assert!(
        tampered["flaw"]
            .as_str()
            .is_some_and(|f| f.contains("denies")),
        "{tampered}"
    );
    std::fs::write(&file, &text[..text.len() / 2]).expect("written");
    assert_eq!(verify(2)["error"]["code"], "bad-certificate");
    std::fs::remove_file(&file).expect("removed");
    assert_eq!(verify(2)["error"]["code"], "file");
}

#[test]
fn profiles_and_circles_carry_certificates_and_tours_say_that_they_do_not() {
    let (folder, from, to) = city();
    let feed = ["--feed", "city.wits"];
    let keep = ["--certify", "--certificate", "many.json"];
    let file = folder.path().join("many.json");
    let verify = |code: i32| {
        let words = [["verify", "many.json"].as_slice(), &feed].concat();
        ask(folder.path(), &words, code)
    };
    let circle = ["isochrone", &from, "--at", "08:00", "--minutes", "40"];
    for asked in [
        ["profile", &from, &to].as_slice(),
        &circle,
        &[circle.as_slice(), &["--window", "10"]].concat(),
    ] {
        let plain = ask(folder.path(), &[asked, &feed].concat(), 0);
        let mut told = ask(folder.path(), &[asked, &feed, &keep].concat(), 0);
        assert_eq!(told["certified"], true, "{asked:?}");
        told.as_object_mut().expect("an object").remove("certified");
        assert_eq!(told, plain, "{asked:?}");
        let checked = verify(0);
        assert_eq!(checked["valid"], true, "{asked:?}: {checked}");
        assert!(checked["answers"].as_u64() > Some(1), "{checked}");
        let text = std::fs::read_to_string(&file).expect("kept");
        let good: Value = serde_json::from_str(&text).expect("JSON");
        let refused = |change: &dyn Fn(&mut Value)| {
            let mut bad = good.clone();
            change(&mut bad);
            std::fs::write(&file, bad.to_string()).expect("written");
            let told = verify(1);
            assert_eq!(told["valid"], false);
            told["flaw"].as_str().expect("a flaw").to_owned()
        };
        let gone = refused(&|proof| {
            proof["answers"].as_array_mut().expect("a list").remove(1);
        });
        assert!(gone.contains("denies"), "{gone}");
        let sooner = |proof: &mut Value| {
            let arrival = &mut proof["answers"][0][2];
            *arrival = (arrival.as_i64().expect("a time") - 1).into();
        };
        let wrong = refused(&sooner);
        assert!(wrong.starts_with("journey 1 of "), "{wrong}");
        assert!(wrong.ends_with("that departure and arrival"), "{wrong}");
        let altered = refused(&|proof| proof["answers"][1][3][0][0] = u32::MAX.into());
        assert!(altered.starts_with("journey 2 of "), "{altered}");
    }
    let tour = ["tour", &from, "--via", &to, "--at", "08:00", "--certify"];
    let told = ask(folder.path(), &[tour.as_slice(), &feed].concat(), 2);
    assert_eq!(told["error"]["code"], "cannot-ask");
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
        for key in ["arrival", "cost"] {
            let first = |told: &Value| told["journeys"][0][key].clone();
            assert_eq!(first(&told), first(&coded), "{by}");
        }
        let algorithm = coded["algorithm"].as_str().expect("a name");
        assert!(algorithm.starts_with("dijkstra:"), "{code}: {algorithm}");
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
