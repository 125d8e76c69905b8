//! Every thread of the gallery, with one thing changed at a time: what the sentence beside it, the dice, the moves around it or
//! the rules contradict is refused.

use std::path::PathBuf;

use serde_json::{Value, json};
use wits_play::check::{Report, check, check_desk};
use wits_play::{AnyGame, Backup, Shelf, Spec};
use wits_search::{Kind, Line, Thread};

/// A thread of the gallery, and its game where it is about one.
pub(crate) struct Shown {
    pub(crate) name: String,
    pub(crate) thread: Thread,
    pub(crate) game: Option<std::sync::Arc<dyn AnyGame>>,
}

impl Shown {
    pub(crate) fn report(&self, thread: &Thread) -> Report {
        match &self.game {
            Some(game) => check(&**game, thread),
            None => check_desk(thread),
        }
    }

    /// The steps that may be named for a false one: itself, what is told of the same thing later or of all at once, the ends of
    /// the nodes above it, and the decision.
    fn blamed(&self, at: usize) -> Vec<u64> {
        let steps = &self.thread.steps;
        let opened = |id: &Value| {
            let mut opens = steps.iter().filter(|step| step.kind == Kind::Open);
            opens.find(|step| step.data.get("id") == Some(id))
        };
        let mut blamed = vec![steps[at].at];
        let mut here = steps[at].data.get("id").cloned();
        if steps[at].kind == Kind::Cell {
            // The other side of a pairing follows at once.
            let next = (at + 1..).zip(&steps[at + 1..]);
            let same = |(n, step): &(usize, &Line)| {
                let about = here.is_some() && step.data.get("id") == here.as_ref();
                *n == at + 1 || about || step.kind == Kind::Count
            };
            blamed.extend(next.filter(same).map(|(_, step)| step.at));
        }
        while let Some(id) = here.filter(|id| !id.is_null()) {
            let of = |step: &&Line| step.data.get("id") == Some(&id);
            let ends = steps.iter().filter(|step| step.kind == Kind::Close);
            blamed.extend(ends.filter(of).map(|step| step.at));
            here = opened(&id).and_then(|open| open.data.get("parent").cloned());
        }
        let choices = steps.iter().filter(|step| step.kind == Kind::Choose);
        blamed.extend(choices.map(|step| step.at));
        blamed
    }

    /// The thread with some of its steps changed, one at a time: those that `change` gives something false for. Gives how
    /// many were tried, and those that nobody noticed or that something else was blamed for.
    fn unnoticed(&self, most: usize, change: impl Fn(&mut Line) -> bool) -> (usize, Vec<String>) {
        let falsified = |at: usize| {
            let mut forged = self.thread.clone();
            let step = &mut forged.steps[at];
            let done = change(step);
            done.then_some(forged)
        };
        let all: Vec<usize> = (0..self.thread.steps.len())
            .filter(|&at| falsified(at).is_some())
            .collect();
        let some = all.iter().step_by(1 + all.len() / most);
        let (mut tried, mut missed) = (0, Vec::new());
        for &at in some {
            let forged = falsified(at).unwrap();
            tried += 1;
            let (report, blamed) = (self.report(&forged), self.blamed(at));
            if !report.failures.iter().any(|f| blamed.contains(&f.at)) {
                missed.push(format!("{}: {:?}", self.name, forged.steps[at]));
            }
        }
        (tried, missed)
    }
}

pub(crate) fn gallery() -> Vec<Shown> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../web/gallery");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    let read = |path: &PathBuf| {
        let thread = Thread::read(&std::fs::read_to_string(path).unwrap()).unwrap();
        let game = thread.header.game.parse::<Spec>().ok();
        let game = game.map(|game| wits_catalog::all().game(&game, &Shelf::new()).unwrap());
        Shown {
            name: path.file_stem().unwrap().to_str().unwrap().to_owned(),
            thread,
            game,
        }
    };
    files.iter().map(read).collect()
}

/// So many steps of each thread are changed.
pub(crate) const MOST: usize = 8;

/// Changes steps of all threads that `which` picks; nothing may pass, and enough must be tried.
pub(crate) fn refuses(
    least: usize,
    which: impl Fn(&Shown) -> bool,
    change: impl Fn(&mut Line) -> bool,
) {
    let (mut tried, mut missed) = (0, Vec::new());
    for shown in gallery().iter().filter(|shown| which(shown)) {
        let (some, passed) = shown.unnoticed(MOST, &change);
        tried += some;
        missed.extend(passed);
    }
    assert!(
        missed.is_empty(),
        "{} of {tried}:\n{}",
        missed.len(),
        missed.join("\n")
    );
    assert!(tried >= least, "only {tried} were tried");
}

pub(crate) fn add(line: &mut Line, key: &str, by: f64) -> bool {
    let Some(value) = line.data.get(key).and_then(Value::as_f64) else {
        return false;
    };
    line.data[key] = json!(value + by);
    true
}

#[test]
fn a_value_of_a_tree_that_its_sentence_does_not_tell_is_refused() {
    let tree = |shown: &Shown| shown.thread.header.lens == "tree";
    refuses(300, tree, |line| {
        matches!(line.kind, Kind::Close | Kind::Improve | Kind::Choose) && add(line, "value", 1.0)
    });
    refuses(300, tree, |line| {
        matches!(line.kind, Kind::Close | Kind::Improve | Kind::Choose) && add(line, "value", -0.5)
    });
}

#[test]
fn a_bound_called_exact_is_refused_wherever_it_comes_from() {
    for proved in [false, true] {
        refuses(
            140,
            |_| true,
            |line| {
                let bound = line.data.get("is").and_then(Value::as_str);
                let bound = matches!(bound, Some("at least" | "at most"));
                if !bound || !matches!(line.kind, Kind::Close | Kind::Cell | Kind::Choose) {
                    return false;
                }
                line.data["is"] = json!("exact");
                // Whoever forges it well leaves nothing beside it that says otherwise.
                if proved && line.data.contains_key("proved") {
                    line.data["proved"] = json!(true);
                }
                true
            },
        );
    }
}

/// A shorter look that is mostly right, a judgement and a rule prove nothing, whatever the sentence says.
#[test]
fn a_judgement_called_exact_is_refused() {
    refuses(
        120,
        |_| true,
        |line| {
            let unsure = line.data.get("judged") == Some(&json!(true))
                || matches!(
                    line.data.get("by").and_then(Value::as_str),
                    Some("selective" | "rule")
                );
            if line.kind != Kind::Close || !unsure || line.data["value"].is_null() {
                return false;
            }
            line.data["is"] = json!("exact");
            line.data["proved"] = json!(true);
            for bound in ["at most ", "at least ", ": the rest was not looked at"] {
                line.text = line.text.replace(bound, "");
            }
            true
        },
    );
}

/// Sentences that end a move here do not name it, or its name is a number, or part of another move's.
const UNNAMED: [&str; 7] = [
    "hexapawn-matchbox",
    "notakto-matchbox",
    "othello-first",
    "rainbow-matchbox",
    "rainbow-potential",
    "tactix",
    "thue",
];

#[test]
fn moves_that_change_places_are_refused() {
    let (mut tried, mut passed) = (0, Vec::new());
    for shown in gallery().iter().filter(|shown| shown.game.is_some()) {
        let opens: Vec<usize> = (0..shown.thread.steps.len())
            .filter(|&at| {
                let step = &shown.thread.steps[at];
                step.kind == Kind::Open && step.data["move"].is_string()
            })
            .collect();
        let data = |at: usize| &shown.thread.steps[at].data;
        for &one in opens.iter().step_by(1 + opens.len() / MOST) {
            let sibling = |&&two: &&usize| two != one && data(two)["parent"] == data(one)["parent"];
            let Some(&two) = opens.iter().find(sibling) else {
                continue;
            };
            let mut forged = shown.thread.clone();
            forged.steps[one].data["move"] = data(two)["move"].clone();
            forged.steps[two].data["move"] = data(one)["move"].clone();
            let at = [shown.thread.steps[one].at, shown.thread.steps[two].at];
            let report = shown.report(&forged);
            let named = report.failures.iter().any(|f| at.contains(&f.at));
            assert!(named, "{}: {:?}", shown.name, forged.steps[one]);
            // The sentences change places, too; those that end the two still tell of the others.
            let (a, b) = (
                forged.steps[one].text.clone(),
                forged.steps[two].text.clone(),
            );
            forged.steps[one].text = b;
            forged.steps[two].text = a;
            let report = shown.report(&forged);
            let at = [shown.blamed(one), shown.blamed(two)].concat();
            let silent = UNNAMED.iter().any(|name| shown.name.starts_with(name));
            if !silent && !report.failures.iter().any(|f| at.contains(&f.at)) {
                passed.push(format!("{}: {:?}", shown.name, forged.steps[one]));
            }
            tried += 1;
        }
    }
    assert!(tried > 300, "only {tried} were tried");
    assert!(
        passed.is_empty(),
        "{} of {tried}: {passed:#?}",
        passed.len()
    );
}

#[test]
fn another_choice_is_refused_even_among_equals() {
    let mut tried = 0;
    for shown in gallery().iter().filter(|shown| shown.game.is_some()) {
        let thread = &shown.thread;
        let at = thread.steps.iter().position(|s| s.kind == Kind::Choose);
        let at = at.unwrap();
        let chosen = thread.footer.result.as_str();
        let others: Vec<&str> = thread
            .steps
            .iter()
            .filter(|s| s.kind == Kind::Open && s.data["parent"] == 0)
            .filter_map(|s| s.data["move"].as_str())
            .filter(|mv| *mv != chosen)
            .collect();
        for other in others.iter().take(3) {
            // Whoever forges it well changes the sentence and the line, too.
            let mut forged = thread.clone();
            let step = &mut forged.steps[at];
            step.data["answer"] = json!(other);
            let report = shown.report(&forged);
            assert!(!report.ok(), "{}: {other}", shown.name);
            let step = &mut forged.steps[at];
            step.data["line"] = json!([other]);
            step.text = step.text.replace(chosen, other);
            forged.footer.result = (*other).to_owned();
            // Where only a rule decided, and no dice, nothing but the rule itself could tell.
            let drawn = thread.steps.iter().any(|s| s.kind == Kind::Draw);
            if thread.header.backup != Backup::None || drawn {
                let report = shown.report(&forged);
                assert!(!report.ok(), "{}: {other} by itself", shown.name);
            }
            tried += 1;
        }
    }
    assert!(tried > 150, "only {tried} were tried");
}

#[test]
fn a_journey_a_tour_or_a_table_with_another_number_is_refused() {
    let desk = |shown: &Shown| shown.game.is_none();
    refuses(50, desk, |line| {
        matches!(line.kind, Kind::Visit | Kind::Relax) && add(line, "time", 120.0)
    });
    refuses(30, desk, |line| {
        let counted = line.kind == Kind::Relax && line.data.contains_key("cost");
        counted && line.data["cost"] != 0 && add(line, "cost", 7.0)
    });
    refuses(10, desk, |line| {
        let told = !line.data.contains_key("time");
        line.kind == Kind::Visit && told && add(line, "cost", 300.0)
    });
    refuses(10, desk, |line| {
        line.kind == Kind::Cell && add(line, "value", 0.05)
    });
}

#[test]
fn a_weight_that_its_numbers_do_not_give_is_refused() {
    let weighs = |shown: &Shown| {
        ["rainbow-level", "rainbow-hint", "othello-score-greedy"].contains(&shown.name.as_str())
    };
    for key in ["field", "spread", "turned"] {
        let least = if key == "turned" { 3 } else { 12 };
        refuses(least, weighs, |line| {
            let numbers = line.data.get_mut("numbers");
            let Some(number) = numbers.and_then(|numbers| numbers.get_mut(key)) else {
                return false;
            };
            *number = json!(number.as_f64().unwrap() + 3.0);
            line.kind == Kind::Close
        });
    }
}

#[test]
fn a_bead_for_another_move_than_was_played_is_refused() {
    let mut tried = 0;
    for shown in gallery().iter().filter(|s| s.name.ends_with("-matchbox")) {
        let thread = &shown.thread;
        let at = thread
            .steps
            .iter()
            .rposition(|step| step.kind == Kind::Draw && step.data.contains_key("drawn"));
        let at = at.unwrap_or_else(|| panic!("{} draws a bead", shown.name));
        let chosen = thread.footer.result.as_str();
        let moves = thread
            .steps
            .iter()
            .filter_map(|step| step.data.get("move")?.as_str());
        for other in moves.filter(|mv| *mv != chosen).take(2) {
            // The sentence names it, too.
            let mut forged = thread.clone();
            forged.steps[at].data["drawn"] = json!(other);
            assert!(!shown.report(&forged).ok(), "{}: {other}", shown.name);
            forged.steps[at].text = thread.steps[at].text.replace(chosen, other);
            let report = shown.report(&forged);
            assert!(!report.ok(), "{}: {other}, told so", shown.name);
            tried += 1;
        }
    }
    assert!(tried >= 8, "only {tried} were tried");
}
