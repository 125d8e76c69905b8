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

/// A base whose advice is no text, with words of its own, costs, signs and weights.
const LAMP: &str = r#"base(lamp, "A lamp", 1).
part(lamp, "lamp", [], null).
part(bulb, "bulb", [], lamp).
category(c, "It").
problem(dark, "It is dark.", c).
problem(flickers, "It flickers.", c).
problem(hums, "It hums.", c).
weight(dark, 4).
question(room, "Is the whole room dark?", 1, 0.3).
question(noise, "Does it make a noise?", 1, 0.2).
question(age, "How old is the bulb, in months?", 1, between(0, 100)).
sign(dark, room).
sign(hums, noise).
worn(P) :- number(age, N), N >= 12, part(P, _, _, lamp).
known_as(bulb, glass).
fix(dark, replace(bulb)) :- worn(bulb).
fix(dark, screw_it_in).
fix(dark, advice(electrician, ["Call an electrician."])) :- \+ known_as(lamp, glass).
fix(flickers, advice(wait, ["Wait."])) :- \+ ask(room).
fix(flickers, 'Look at the fuse box.') :- ask(room).
fix(hums, advice(live, ["Live with it."])).
repair(replace(_), 3, 0.9).
repair(screw_it_in, 1, 0.2).
repair(electrician, 50, 0.95).
wording(worn(P), "the ~w is worn out", [L]) :- part(P, L, _, _).
wording(known_as(P, T), "the ~w is made of ~w", [L, T]) :- part(P, L, _, _).
"#;

fn told(all: &[(usize, wits_game::Message)]) -> Vec<String> {
    all.iter().map(|(_, says)| says.to_string()).collect()
}

#[test]
fn explanations_speak_the_words_of_the_base() {
    let base = Base::read("lamp.pl", LAMP).unwrap();
    let mut s = Session::new(&base);
    s.problem = Some("dark".to_owned());
    s.reply(&base, base.read_reply("age", "14").unwrap())
        .unwrap();
    let turn = s.turn(&base).unwrap();
    let Turn::Advice { advice, proof, .. } = &turn else {
        panic!("{turn:?}");
    };
    // Cost for each time it helps: 3.3 for the bulb, 5 for a try, 52.6 for the electrician.
    assert_eq!(
        (advice.name.as_str(), &advice.steps[..]),
        ("replace(bulb)", &["Replace bulb.".to_owned()][..])
    );
    let how = told(&explain::how(&base, proof));
    assert_eq!(
        how,
        [
            "Rule 1 (line 16) advises “Replace bulb.” for “It is dark.”",
            "the bulb is worn out (rule 1 of worn/1, line 14)",
            "You answered “14” to: How old is the bulb, in months?",
            "You answered 14, and 14 is at least 12",
            "“bulb” belongs to “lamp”",
        ]
    );
    let order: Vec<String> = explain::order(&base, &s, &turn)
        .iter()
        .map(ToString::to_string)
        .collect();
    // 3 + 0.1 * 1 + 0.1 * 0.8 * 50 = 7.1
    assert_eq!(order.len(), 4, "{order:?}");
    assert!(
        order[0].contains("“Replace bulb.” costs 3 and helps in 90 %"),
        "{order:?}"
    );
    assert!(order[3].contains("they cost 7.10 on average"), "{order:?}");
    let checked = explain::checked(&base, &s, &turn).unwrap().to_string();
    assert!(checked.contains("every step follows"), "{checked}");
    let others = explain::others(&base, &s, &turn);
    let tries = others
        .iter()
        .find(|(a, _)| a.name == "screw_it_in")
        .unwrap();
    assert_eq!(tries.0.steps, ["Screw it in."]);
    assert!(
        tries.1[0].to_string().contains("costs 1 and helps in 20 %"),
        "{:?}",
        tries.1
    );
    // What did not help makes room for the next by cost; a fact is told as a sentence.
    s.judge(&base, false).unwrap();
    let Turn::Advice { advice, proof, .. } = s.turn(&base).unwrap() else {
        panic!()
    };
    assert_eq!(advice.name, "screw_it_in");
    assert_eq!(
        told(&explain::how(&base, &proof)),
        ["“Screw it in.” is advised for “It is dark.” in any case"]
    );
    s.judge(&base, false).unwrap();
    let Turn::Advice { proof, .. } = s.turn(&base).unwrap() else {
        panic!()
    };
    let how = told(&explain::how(&base, &proof));
    assert_eq!(how[1], "It does not hold that the lamp is made of glass");
}

/// The order by cost for each time it helps is the cheapest of all orders.
#[test]
fn repairs_come_in_the_cheapest_order() {
    let base = Base::read("lamp.pl", LAMP).unwrap();
    let cost = |order: &[&str]| {
        let mut reached = 1.0;
        let mut total = 0.0;
        for name in order {
            let repair = base.repair(name);
            total += reached * repair.cost;
            reached *= 1.0 - repair.chance;
        }
        total
    };
    let best = cost(&["replace(bulb)", "screw_it_in", "electrician"]);
    for other in [
        ["replace(bulb)", "electrician", "screw_it_in"],
        ["screw_it_in", "replace(bulb)", "electrician"],
        ["screw_it_in", "electrician", "replace(bulb)"],
        ["electrician", "screw_it_in", "replace(bulb)"],
        ["electrician", "replace(bulb)", "screw_it_in"],
    ] {
        assert!(cost(&other) > best, "{other:?}");
    }
}

#[test]
fn problems_are_compared_before_one_is_chosen() {
    let base = Base::read("lamp.pl", LAMP).unwrap();
    let mut s = Session::new(&base);
    s.start = wits_expert::Start::Symptoms;
    let why = |s: &Session, label: &str| {
        let all = explain::rivals(&base, s);
        let (_, why) = all.iter().find(|(l, _)| l.starts_with(label)).unwrap();
        let why: Vec<String> = why.iter().map(ToString::to_string).collect();
        why.join(" ")
    };
    assert!(why(&s, "It is dark.").contains("likeliest so far"));
    assert!(why(&s, "It hums.").contains("4.0 times less often than “It is dark.”"));
    assert!(why(&s, "It hums.").contains("would tell the two apart"));
    s.answers
        .push(("room".to_owned(), base.read_reply("room", "yes").unwrap()));
    s.answers
        .push(("noise".to_owned(), base.read_reply("noise", "no").unwrap()));
    let hums = why(&s, "It hums.");
    assert!(
        hums.contains("“Is the whole room dark?” yes, but no is expected"),
        "{hums}"
    );
    assert!(
        hums.contains("“Does it make a noise?” no, but yes is expected"),
        "{hums}"
    );
}
