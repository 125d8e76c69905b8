//! What a thread of the gallery tells twice: in its numbering, in its summary, in trials that go on, in the names of places.

use serde_json::{Value, json};
use wits_search::{Kind, Line, Thread};

use crate::forged::{MOST, Shown, add, gallery, refuses};

fn named(name: &str) -> Shown {
    let mut all = gallery().into_iter();
    all.find(|shown| shown.name == name).unwrap()
}

/// The numbers of the steps that are refused.
fn blamed(shown: &Shown, forged: &Thread) -> Vec<u64> {
    let report = shown.report(forged);
    report.failures.iter().map(|failure| failure.at).collect()
}

#[test]
fn a_step_that_was_taken_out_is_missed() {
    let mut tried = 0;
    for shown in gallery() {
        let steps = shown.thread.steps.len();
        for at in (0..steps - 1).step_by(1 + steps / MOST) {
            let mut forged = shown.thread.clone();
            let gone = forged.steps.remove(at);
            forged.footer.kept -= 1;
            *forged.footer.counts.get_mut(gone.kind.word()).unwrap() -= 1;
            let (all, next) = (blamed(&shown, &forged), forged.steps[at].at);
            // Where steps were left out anyway, one more is missed somewhere behind it.
            let known = match shown.thread.footer.dropped {
                0 => all.contains(&next),
                _ => !all.is_empty(),
            };
            assert!(known, "{}: {gone:?}: {all:?}", shown.name);
            tried += 1;
        }
        // A thread without its end: who reads one of a desk sees at most that something was promised.
        if shown.game.is_none() {
            continue;
        }
        let mut forged = shown.thread.clone();
        let gone = forged.steps.pop().unwrap();
        forged.footer.kept -= 1;
        *forged.footer.counts.get_mut(gone.kind.word()).unwrap() -= 1;
        assert!(!shown.report(&forged).ok(), "{}: {gone:?}", shown.name);
    }
    assert!(tried > 500, "only {tried} were tried");
}

/// A text with its n-th digit changed, where it has so many.
fn misread(text: &str, n: usize) -> Option<String> {
    let (at, digit) = text.match_indices(|c: char| c.is_ascii_digit()).nth(n)?;
    let other = (digit.parse::<u8>().unwrap() + 1) % 10;
    Some(format!("{}{other}{}", &text[..at], &text[at + 1..]))
}

/// Their moves are small numbers, and so are the numbers that tell of them: one reads like another.
const SMALL: [&str; 5] = [
    "othello-first",
    "thue-greedy",
    "thue-levels12",
    "thue-perfect",
    "thue-solitaire-greedy",
];

#[test]
fn a_summary_with_other_numbers_is_refused() {
    let (mut tried, mut missed) = (0, Vec::new());
    for shown in gallery() {
        let mut forged = shown.thread.clone();
        let digits = |c: char| char::from_digit(c.to_digit(10).map_or(0, |d| (d + 1) % 10), 10);
        let other = |c: char| {
            if c.is_ascii_digit() {
                digits(c).unwrap()
            } else {
                c
            }
        };
        forged.header.summary = forged.header.summary.chars().map(other).collect();
        if forged.header.summary == shown.thread.header.summary {
            continue;
        }
        let all = blamed(&shown, &forged);
        let last = forged.steps.last().unwrap().at;
        if all != [last] && !SMALL.contains(&shown.name.as_str()) {
            missed.push(format!("{}: {}", shown.name, forged.header.summary));
        }
        tried += 1;
    }
    assert!(missed.is_empty(), "{missed:#?}");
    assert!(tried > 100, "only {tried} were tried");
}

#[test]
fn a_value_that_only_the_summary_tells_is_refused() {
    let (mut tried, mut missed) = (0, Vec::new());
    for shown in gallery() {
        let summary = &shown.thread.header.summary;
        let digits = summary.matches(|c: char| c.is_ascii_digit()).count();
        for n in 0..digits {
            let other = misread(summary, n).unwrap();
            // The digits of values: those after a sign.
            let mut at = summary
                .match_indices(|c: char| c.is_ascii_digit())
                .nth(n)
                .unwrap()
                .0;
            let part = |c: u8| c.is_ascii_digit() || c == b'.';
            while at > 0 && part(summary.as_bytes()[at - 1]) {
                at -= 1;
            }
            let signed =
                summary[..at].ends_with([' ', '+', '-']) && summary[..at].ends_with(['+', '-']);
            let alone = summary[..at].trim_end_matches(['+', '-']).ends_with(' ');
            if !signed || !alone {
                continue;
            }
            let mut forged = shown.thread.clone();
            forged.header.summary = other;
            let what = &forged.header.summary;
            if shown.report(&forged).ok() && !SMALL.contains(&shown.name.as_str()) {
                missed.push(format!("{}: {what}", shown.name));
            }
            tried += 1;
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
    assert!(tried > 150, "only {tried} were tried");
}

#[test]
fn another_move_in_the_place_of_the_choice_is_refused_in_a_summary() {
    let mut tried = 0;
    for shown in gallery().iter().filter(|s| s.thread.header.lens == "tree") {
        let chosen = shown.thread.footer.result.as_str();
        let moves = shown
            .thread
            .steps
            .iter()
            .filter_map(|s| s.data.get("move")?.as_str());
        let mut others = moves.filter(|mv| !mv.contains(chosen) && mv.parse::<u32>().is_err());
        let Some(other) = others.next().filter(|_| chosen.parse::<u32>().is_err()) else {
            continue;
        };
        let mut forged = shown.thread.clone();
        forged.header.summary = forged.header.summary.replace(chosen, other);
        assert!(!shown.report(&forged).ok(), "{}: {other}", shown.name);
        tried += 1;
    }
    assert!(tried > 40, "only {tried} were tried");
}

#[test]
fn trials_that_say_something_else_than_before_are_refused() {
    let sim = |shown: &Shown| shown.name == "scrabble-sim";
    let shown = named("scrabble-sim");
    let report = shown.report(&shown.thread);
    assert!(report.ok() && report.checked > 35, "{report:?}");
    let told = |line: &Line| line.data.contains_key("interval");
    refuses(3, sim, |line| told(line) && add(line, "value", 1.0));
    refuses(3, sim, |line| told(line) && add(line, "points", 10.0));
    refuses(3, sim, |line| told(line) && add(line, "count", 1.0));
    // With its interval, and with its sentence, too.
    let moved = |line: &mut Line| {
        for end in line.data["interval"].as_array_mut().unwrap() {
            *end = json!(end.as_f64().unwrap() + 1.0);
        }
        add(line, "value", 1.0)
    };
    refuses(3, sim, |line| told(line) && moved(line));
    refuses(3, sim, |line| {
        if !told(line) || line.kind == Kind::Cell {
            return false;
        }
        let points = line.data["points"].as_f64().unwrap();
        let wins = line.data["value"].as_f64().unwrap() - points / 100.0;
        let told = |wins: f64| format!("wins {wins:.1}%");
        line.text = line.text.replace(&told(wins), &told(wins + 1.0));
        // One that was given up before may have moved on.
        !line.text.contains("behind") && moved(line)
    });
    refuses(3, sim, |line| {
        let moves = line.data.get_mut("moves").and_then(Value::as_array_mut);
        let Some(first) = moves.and_then(|moves| moves.first_mut()) else {
            return false;
        };
        first["value"] = json!(first["value"].as_f64().unwrap() + 1.0);
        line.kind == Kind::Count
    });
}

#[test]
fn another_choice_of_a_rule_with_numbers_is_refused() {
    let shown = named("scrabble-thesis");
    let thread = &shown.thread;
    let chosen = thread.footer.result.as_str();
    let at = thread
        .steps
        .iter()
        .position(|s| s.kind == Kind::Choose)
        .unwrap();
    let moves = thread
        .steps
        .iter()
        .filter_map(|s| s.data.get("move")?.as_str());
    for other in moves.filter(|mv| *mv != chosen).take(10) {
        let mut forged = thread.clone();
        let step = &mut forged.steps[at];
        step.data["answer"] = json!(other);
        step.data["line"] = json!([other]);
        step.text = step.text.replace(chosen, other);
        forged.footer.result = other.to_owned();
        let all = blamed(&shown, &forged);
        assert!(all.contains(&thread.steps[at].at), "{other}: {all:?}");
    }
}

/// A place in a thread, and what it is called.
fn places(thread: &Thread) -> Vec<(Value, String)> {
    let steps = thread.steps.iter();
    let place = |line: &Line| {
        let label = line.data.get("label")?.as_str()?;
        Some((line.data.get("node")?.clone(), label.to_owned()))
    };
    steps.filter_map(place).collect()
}

#[test]
fn a_place_that_is_another_one_is_refused() {
    for name in ["tripbased", "csa", "dijkstra", "raptor", "tour-exact"] {
        let name = format!("transit-{name}");
        let thread = named(&name).thread;
        let places = places(&thread);
        for key in ["node", "from"] {
            let desk = |shown: &Shown| shown.name == name;
            refuses(if name.contains("tour") { 1 } else { 6 }, desk, |line| {
                let Some(now) = line.data.get(key).cloned() else {
                    return false;
                };
                let another = |(node, label): &&(Value, String)| {
                    *node != now && !line.text.contains(label.as_str())
                };
                let Some((node, _)) = places.iter().find(another).filter(|_| line.at > 5) else {
                    return false;
                };
                // A later step that calls the place by another name is refused instead.
                line.data[key] = node.clone();
                key == "from" || places[0].0 != now
            });
        }
    }
}

#[test]
fn a_goal_below_another_goal_is_refused() {
    for name in ["expert-family", "expert-queens"] {
        let shown = named(name);
        let opens: Vec<usize> = (0..shown.thread.steps.len())
            .filter(|&at| {
                shown.thread.steps[at]
                    .data
                    .get("parent")
                    .is_some_and(Value::is_u64)
            })
            .collect();
        for &at in opens.iter().step_by(1 + opens.len() / 20) {
            let step = &shown.thread.steps[at];
            let parent = step.data["parent"].as_u64().unwrap();
            for other in [json!(parent + 1), json!(9_999), Value::Null] {
                let mut forged = shown.thread.clone();
                forged.steps[at].data["parent"] = other.clone();
                let all = blamed(&shown, &forged);
                let id = &step.data["id"];
                let same = |at: &u64| {
                    let mut steps = shown.thread.steps.iter();
                    steps.any(|s| s.at == *at && s.data.get("id") == Some(id))
                };
                assert!(
                    all.iter().any(same),
                    "{name}: {step:?} below {other}: {all:?}"
                );
            }
        }
    }
}

#[test]
fn a_tour_that_takes_another_time_is_refused() {
    let exact = |shown: &Shown| shown.name == "transit-tour-exact";
    refuses(1, exact, |line| add(line, "value", 60.0));
    refuses(1, exact, |line| {
        line.text = line.text.replace("1441", "1442");
        line.kind == Kind::Choose && add(line, "value", 1.0)
    });
    let tabu = |shown: &Shown| shown.name == "transit-tour-tabu";
    refuses(6, tabu, |line| {
        line.at > 1 && line.kind == Kind::Visit && add(line, "from", 30.0)
    });
    refuses(6, tabu, |line| {
        if line.kind != Kind::Visit || line.at < 2 {
            return false;
        }
        let order = line.data["node"].as_str().unwrap();
        let mut stops: Vec<&str> = order.split(" → ").collect();
        stops.rotate_left(1);
        line.data["node"] = json!(stops.join(" → "));
        true
    });
}
