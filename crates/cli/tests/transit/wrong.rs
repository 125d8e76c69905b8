//! Bad input gets a sentence.

use crate::{ask, city, common};

#[test]
fn bad_input_is_a_sentence() {
    let (folder, from, to) = city();
    std::fs::write(folder.path().join("junk.zip"), "junk").expect("written");
    let base = ["--feed", "city.wits"];
    for (args, code, part) in [
        (
            vec!["route", &from, "Nowhere at all", "--at", "8:00"],
            "unknown-stop",
            "Nowhere",
        ),
        (
            vec!["route", &from, &to, "--at", "25:61"],
            "bad-value",
            "25:61",
        ),
        (
            vec!["route", &from, "--at", "8:00"],
            "missing",
            "the last stop",
        ),
        (
            vec![
                "route",
                &from,
                &to,
                "--at",
                "8:00",
                "--by",
                "pareto",
                "--algorithm",
                "csa",
            ],
            "cannot-ask",
            "csa",
        ),
        (
            vec!["route", &from, &to, "--at", "8:00", "--date", "1999-01-01"],
            "no-service",
            "1999-01-01",
        ),
        (
            vec![
                "whatif",
                &from,
                &to,
                "--at",
                "8:00",
                "--cancel",
                "no such line",
            ],
            "unknown-line",
            "no such line",
        ),
        (
            vec!["whynot", &from, &to, "--at", "8:00", "--line", "none"],
            "unknown-line",
            "none",
        ),
        (
            vec!["tour", &from, "--via", "", "--at", "8:00"],
            "unknown-stop",
            "no stop",
        ),
    ] {
        let told = ask(folder.path(), &[args.as_slice(), &base].concat(), 2);
        let error = &told["error"];
        assert_eq!(error["code"], code, "{args:?}: {error}");
        let message = error["message"].as_str().unwrap_or_default();
        assert!(message.contains(part), "{args:?}: {error}");
        assert!(error["hint"].is_string(), "{args:?}");
    }
    for (feed, code) in [("none.zip", "file"), ("junk.zip", "bad-feed")] {
        let told = ask(folder.path(), &["describe", feed], 2);
        assert_eq!(told["error"]["code"], code);
        assert!(
            told["error"]["message"]
                .as_str()
                .is_some_and(|m| m.contains(feed))
        );
    }
}

#[test]
fn words_that_cannot_be_understood_are_named() {
    let (folder, from, to) = city();
    let route = |more: &[&'static str]| -> Vec<String> {
        let base = ["route", &from, &to, "--at", "8:00"].map(ToOwned::to_owned);
        base.into_iter()
            .chain(more.iter().map(|m| (*m).to_owned()))
            .collect()
    };
    let owned = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
    let many = vec!["--via"; 1]
        .into_iter()
        .map(ToOwned::to_owned)
        .chain(std::iter::repeat_n(from.clone(), 22));
    let cases: Vec<(Vec<String>, &str, &str)> = vec![
        (route(&["--by", "comfort"]), "bad-value", "comfort"),
        (route(&["--algorithm", "magic"]), "bad-value", "magic"),
        (
            route(&["--algorithm", "astar:speed=0"]),
            "bad-value",
            "astar:speed=0",
        ),
        (route(&["--walk", "fly"]), "usage", "fly"),
        (route(&["--date", "tomorrow"]), "bad-value", "tomorrow"),
        (
            route(&["--by", "pareto-walking", "--algorithm", "tripbased"]),
            "cannot-ask",
            "tripbased",
        ),
        (
            route(&["--by", "distance", "--algorithm", "raptor"]),
            "cannot-ask",
            "raptor",
        ),
        (
            owned(&[
                "tour", &from, "--via", &to, "--at", "8:00", "--method", "luck",
            ]),
            "bad-value",
            "luck",
        ),
        (
            owned(&[
                "tour",
                &from,
                "--via",
                &to,
                "--at",
                "8:00",
                "--method",
                "tabu:sample=2",
            ]),
            "bad-value",
            "sample=2",
        ),
        (
            owned(&["tour", &from, "--at", "8:00"])
                .into_iter()
                .chain(many)
                .collect(),
            "no-tour",
            "22",
        ),
        (
            owned(&["whatif", &from, &to, "--at", "8:00", "--miss", "9"]),
            "no-ride",
            "9",
        ),
        (
            owned(&["whatif", &from, &to, "--at", "8:00", "--late", "7=5"]),
            "no-ride",
            "7",
        ),
        (
            owned(&["whatif", &from, &to, "--at", "8:00", "--delay", "4"]),
            "bad-value",
            "4",
        ),
        (
            owned(&[
                "isochrone",
                "Nowhere at all",
                "--at",
                "8:00",
                "--minutes",
                "10",
            ]),
            "unknown-stop",
            "Nowhere",
        ),
        (
            owned(&["profile", &from, "Nowhere at all"]),
            "unknown-stop",
            "Nowhere",
        ),
        (owned(&["speeds", "--speeds", "0"]), "bad-value", "0"),
    ];
    for (args, code, part) in cases {
        let words: Vec<&str> = args
            .iter()
            .map(String::as_str)
            .chain(["--feed", "city.wits"])
            .collect();
        let told = ask(folder.path(), &words, 2);
        assert_eq!(told["error"]["code"], code, "{args:?}: {told}");
        assert!(
            told["error"]["message"]
                .as_str()
                .is_some_and(|m| m.contains(part)),
            "{args:?}: {told}"
        );
    }
    let told = ask(
        folder.path(),
        &["generate", "--size", "5000", "-o", "x.wits"],
        2,
    );
    assert_eq!(told["error"]["code"], "bad-value");
    let told = common::run(
        folder.path(),
        &["bench", "thue", "--feed", "city.wits", "--json"],
        "",
    );
    assert!(String::from_utf8_lossy(&told.stdout).contains("only the room `transit`"));
}
