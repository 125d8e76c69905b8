//! Conversations that ask for a choice or a number.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;

use wits_expert::{
    Base, Case, Figure, History, Kind, Misfit, Reply, Said, Session, Turn, explain, lint,
    next_question, samples,
};

const TYRE: &str = include_str!("tyre.pl");

fn tyre() -> Base {
    Base::read("tyre.pl", TYRE).unwrap_or_else(|e| panic!("{e}"))
}

fn number(x: f64) -> Reply {
    Reply::Number(Figure::new(x).unwrap())
}

fn choice(option: &str) -> Reply {
    Reply::Choice(option.into())
}

#[test]
fn numbers_fall_into_the_cases_that_rules_tell_apart() {
    let b = tyre();
    let paths = b.paths("slow(tyre)");
    let mut spans = Vec::new();
    for p in paths {
        assert!(p.judged.is_ok(), "{:?} {:?}", p.answers, p.judged);
        assert_eq!(p.answers[0].0, "pressure");
        if let Case::Span(s) = &p.answers[0].1
            && !spans.contains(s)
        {
            spans.push(*s);
        }
    }
    let ends: Vec<_> = spans.iter().map(|s| (s.low, s.high, s.with)).collect();
    assert_eq!(
        ends,
        [
            (0.0, 4.0, (true, false)),
            (4.0, 8.0, (true, true)),
            (8.0, 10.0, (false, true))
        ]
    );
    // Below, above, don't know, and between: black twice, brown, white, don't know.
    assert_eq!(paths.len(), 8);
    let report = lint::check("tyre.pl", TYRE);
    assert!(report.errors.is_empty(), "{:#?}", report.errors);
    assert!(report.warnings.is_empty(), "{:#?}", report.warnings);
    assert_eq!(report.advised, 8);
    for s in &b.samples {
        assert_eq!(samples::run(&b, s), Ok(()), "{}", s.name);
    }
    let wrong = TYRE.replace("[pressure-9], release", "[pressure-7, wall-pink], release");
    let report = lint::check("tyre.pl", &wrong);
    assert!(report.errors[0].message.to_string().contains("light brown"));
}

/// Every number of a fine grid, every option, yes and no: what the rules advise, and how often.
fn worlds(b: &Base) -> Vec<(BTreeMap<String, Reply>, f64, String)> {
    let mut out = Vec::new();
    for n in 0..200 {
        let bar = 10.0 * (f64::from(n) + 0.5) / 200.0;
        for (wall, often) in [("black", 0.6), ("tan", 0.3), ("white", 0.1)] {
            for (rubs, yes) in [(Reply::Yes, 0.3), (Reply::No, 0.7)] {
                let mut s = Session::new(b);
                s.problem = Some("slow(tyre)".into());
                s.answers = vec![
                    ("pressure".into(), number(bar)),
                    ("wall".into(), choice(wall)),
                    ("rubs".into(), rubs),
                ];
                let Turn::Advice { advice, .. } = s.turn(b).unwrap() else {
                    panic!()
                };
                out.push((s.known(), often * yes / 200.0, advice.name));
            }
        }
    }
    out
}

fn entropy(worlds: &[&(BTreeMap<String, Reply>, f64, String)]) -> (f64, f64) {
    let mut sums: BTreeMap<&str, f64> = BTreeMap::new();
    for (_, chance, advice) in worlds {
        *sums.entry(advice).or_default() += chance;
    }
    let total: f64 = sums.values().sum();
    let bits = |s: &f64| -(s / total) * (s / total).log2();
    (sums.values().map(bits).sum(), total)
}

#[test]
fn the_best_question_equals_brute_force() {
    let b = tyre();
    let all = worlds(&b);
    let situations = [
        vec![],
        vec![("pressure", number(6.0))],
        vec![("wall", choice("black"))],
        vec![("wall", choice("tan"))],
        vec![("rubs", Reply::Yes)],
        vec![("pressure", number(5.0)), ("wall", choice("black"))],
    ];
    for known in situations {
        let known: BTreeMap<String, Reply> =
            known.into_iter().map(|(q, r)| (q.to_owned(), r)).collect();
        // Worlds agree with a number when the rules cannot tell the two apart.
        let same = |q: &str, a: &Reply, b: &Reply| match (a, b) {
            (Reply::Number(x), Reply::Number(y)) if q == "pressure" => {
                let side = |x: f64| (x < 4.0, x > 8.0);
                side(x.value()) == side(y.value())
            }
            _ => a == b,
        };
        let left: Vec<_> = (all.iter())
            .filter(|w| known.iter().all(|(q, r)| same(q, &w.0[q], r)))
            .collect();
        let (before, total) = entropy(&left);
        let mut best: Option<(&str, f64, f64)> = None;
        for q in ["pressure", "wall", "rubs"] {
            if known.contains_key(q) {
                continue;
            }
            let mut after = 0.0;
            let mut seen: Vec<&Reply> = Vec::new();
            for w in &left {
                if seen.iter().any(|r| same(q, r, &w.0[q])) {
                    continue;
                }
                seen.push(&w.0[q]);
                let group: Vec<_> = (left.iter().copied())
                    .filter(|o| same(q, &o.0[q], &w.0[q]))
                    .collect();
                let (h, t) = entropy(&group);
                after += h * t / total;
            }
            let bits = before - after;
            let worth = bits / b.question(q).cost;
            if best.is_none_or(|(_, w, _)| worth > w + 1e-9) && bits > 1e-9 {
                best = Some((q, worth, bits));
            }
        }
        let found = next_question(&b, "slow(tyre)", &known).filter(|f| f.1 > 1e-9);
        let told = found.as_ref().map(|f| f.0.as_str());
        assert_eq!(told, best.map(|b| b.0), "{known:?} {found:?} {best:?}");
        if let (Some(found), Some(best)) = (&found, best) {
            assert!((found.1 - best.2).abs() < 0.01, "{found:?} {best:?}");
        }
    }
}

#[test]
fn answers_are_read_and_refused_with_what_fits() {
    let b = tyre();
    assert_eq!(b.read_reply("pressure", " 2,5 "), Ok(number(2.5)));
    assert_eq!(b.read_reply("wall", "Light Brown"), Ok(choice("tan")));
    assert_eq!(b.read_reply("wall", "tan"), Ok(choice("tan")));
    assert_eq!(b.read_reply("wall", "?"), Ok(Reply::Unknown));
    for (question, said, expected) in [
        ("pressure", "11", "from 0 to 10"),
        ("pressure", "-1", "from 0 to 10"),
        ("pressure", "much", "from 0 to 10"),
        ("pressure", "nan", "from 0 to 10"),
        ("pressure", "yes", "from 0 to 10"),
        ("wall", "green", "black, light brown, white"),
        ("wall", "yes", "black, light brown, white"),
        ("rubs", "3", "yes, no or don't know"),
    ] {
        let e = b.read_reply(question, said).unwrap_err().to_string();
        assert!(e.contains(expected) && e.contains(said), "{e}");
    }
}

#[test]
fn a_conversation_with_a_number_and_a_choice() {
    let b = tyre();
    let mut talk = History::new(Session::new(&b));
    let mut kept = Vec::new();
    let mut say = |talk: &mut History, said: Said| {
        let moment = talk.hear(&b, said)?;
        kept.push(serde_json::to_string(&moment).unwrap());
        talk.recall(moment);
        Ok::<(), Misfit>(())
    };
    say(&mut talk, Said::Choose("rolling".into())).unwrap();
    say(&mut talk, Said::Choose("slow(tyre)".into())).unwrap();
    let mut asked = Vec::new();
    loop {
        let turn = talk.now().turn(&b).unwrap();
        let Turn::Question { id, kind, .. } = &turn else {
            break;
        };
        assert!(!asked.contains(id), "{id} again");
        asked.push(id.clone());
        let why: Vec<String> = (explain::why(&b, talk.now(), &turn).iter())
            .map(ToString::to_string)
            .collect();
        let (reply, told) = match kind {
            Kind::Number(range) => {
                assert_eq!(*range, Some((0.0, 10.0)));
                (number(8.0), "If 4 to 8,")
            }
            Kind::Choice(options) => {
                assert_eq!(options[1].label, "light brown");
                (choice("tan"), "If light brown,")
            }
            Kind::YesNo => (Reply::No, "If no,"),
        };
        assert!(why.iter().any(|w| w.contains(told)), "{why:?}");
        // What is out of the question changes nothing.
        let before = talk.now().clone();
        let e = say(&mut talk, Said::Reply(id.clone(), number(99.0))).unwrap_err();
        assert!(!matches!(e, Misfit::Rules(_)), "{e}");
        assert_eq!(*talk.now(), before);
        say(&mut talk, Said::Reply(id.clone(), reply)).unwrap();
    }
    let Turn::Advice { advice, proof, .. } = talk.now().turn(&b).unwrap() else {
        panic!()
    };
    assert_eq!(advice.name, "wash");
    let how: Vec<String> = (explain::how(&b, &proof).iter())
        .map(|(_, m)| m.to_string())
        .collect();
    assert!(
        how.iter()
            .any(|h| h.contains("“light brown” to: Which colour")),
        "{how:?}"
    );
    assert!(
        how.iter()
            .any(|h| h.contains("“8” to: What does the gauge")),
        "{how:?}"
    );
    assert!(
        talk.now()
            .report(&b)
            .contains("Which colour is the wall of the tyre? light brown")
    );
    // An earlier answer changes the advice; undo brings it back, and storage loses nothing.
    say(&mut talk, Said::Change("pressure".into(), number(3.0))).unwrap();
    let pumped = talk.now().turn(&b).unwrap();
    assert!(matches!(&pumped, Turn::Advice { advice, .. } if advice.name == "pump"));
    let others = explain::others(&b, talk.now(), &pumped);
    let why_not: Vec<String> = others
        .iter()
        .flat_map(|o| &o.1)
        .map(ToString::to_string)
        .collect();
    assert!(why_not.iter().any(|w| w.contains("4 to 8")), "{why_not:?}");
    let mut again = History::new(Session::new(&b));
    for line in &kept {
        again.recall(serde_json::from_str(line).unwrap());
    }
    assert_eq!(again, talk);
    let moment = again.hear(&b, Said::Undo).unwrap();
    again.recall(moment);
    assert!(
        matches!(again.now().turn(&b).unwrap(), Turn::Advice { advice, .. } if advice.name == "wash")
    );
    // On a base with other choices, what still fits is kept.
    let text = TYRE.replace("[black, tan, white]", "[black, white, red]");
    let other = Base::read("tyre.pl", &text).unwrap();
    let replayed = again.now().replay(&other);
    assert_eq!(replayed.answers, [("pressure".to_owned(), number(8.0))]);
    assert!(
        matches!(replayed.turn(&other).unwrap(), Turn::Question { id, .. } if id != "pressure")
    );
}

#[test]
fn rules_that_need_a_number_do_not_take_dont_know() {
    let text = TYRE
        .replace(
            "fix(slow(_), advice(measure, [\"Borrow a gauge.\"])) :- number(pressure, unknown).",
            "",
        )
        .replace("number(pressure, P), number(P).", "number(pressure, P).")
        .replace(
            "sample(\"no gauge\", slow(tyre), [pressure-unknown], measure).",
            "",
        );
    let b = Base::read("tyre.pl", &text).unwrap();
    assert!(!b.may_be_unknown("pressure") && b.may_be_unknown("wall"));
    let e = b.read_reply("pressure", "?").unwrap_err();
    assert!(e.to_string().contains("What does the gauge show"), "{e}");
    let report = lint::check("tyre.pl", &text);
    assert!(report.errors.is_empty(), "{:#?}", report.errors);
    assert!(
        report
            .warnings
            .iter()
            .any(|w| w.rule == "must-know" && w.line.is_some())
    );
    // No range, and options that differ from rule to rule.
    let text = TYRE.replace("between(0, 10)", "even");
    let report = lint::check("tyre.pl", &text);
    assert!(report.warnings.iter().any(|w| w.rule == "no-range"));
    let other = "problem(other, \"Other.\", rolling).
        fix(other, advice(x, [\"X.\"])) :- choose(wall, [red, blue], _).";
    let report = lint::check("tyre.pl", &format!("{TYRE}\n{other}"));
    assert!(
        report.errors.iter().any(|w| w.rule == "varies"),
        "{:#?}",
        report.errors
    );
}
