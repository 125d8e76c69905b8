//! Every thread of the gallery, with one thing changed at a time: what the sentence beside it, the dice, the moves around it or
//! the rules contradict is refused.

use std::path::PathBuf;

use serde_json::{Value, json};
use wits_play::check::{Report, check, check_desk};
use wits_play::{AnyGame, Backup, Shelf, Spec};
use wits_search::{Kind, Line, Thread};

/// A thread of the gallery, and its game where it is about one.
struct Shown {
    name: String,
    thread: Thread,
    game: Option<std::sync::Arc<dyn AnyGame>>,
}

impl Shown {
    fn report(&self, thread: &Thread) -> Report {
        match &self.game {
            Some(game) => check(&**game, thread),
            None => check_desk(thread),
        }
    }

    /// The thread with some of its steps changed, one at a time: those that `change` gives something false for. Gives how
    /// many were tried, and those that nobody noticed.
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
            if self.report(&forged).ok() {
                missed.push(format!("{}: {:?}", self.name, forged.steps[at]));
            }
        }
        (tried, missed)
    }
}

fn gallery() -> Vec<Shown> {
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
const MOST: usize = 8;

/// Changes steps of all threads that `which` picks; nothing may pass, and enough must be tried.
fn refuses(least: usize, which: impl Fn(&Shown) -> bool, change: impl Fn(&mut Line) -> bool) {
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

fn add(line: &mut Line, key: &str, by: f64) -> bool {
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
    refuses(
        140,
        |_| true,
        |line| {
            let bound = line.data.get("is").and_then(Value::as_str);
            let bound = matches!(bound, Some("at least" | "at most"));
            if line.kind == Kind::Close && bound {
                line.data["is"] = json!("exact");
                return true;
            }
            false
        },
    );
}

#[test]
fn moves_that_change_places_are_refused() {
    let mut tried = 0;
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
            tried += 1;
        }
    }
    assert!(tried > 300, "only {tried} were tried");
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
    refuses(40, desk, |line| {
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
