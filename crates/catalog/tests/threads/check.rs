//! The checker: it passes what the machines record, and refuses every kind of false step by name.

use serde_json::{Value, json};
use wits_game::Seed;
use wits_play::check::{Report, check};
use wits_play::{
    AnyDesk, AnyGame, Backup, Budget, Choice, Decision, Limits, Recorder, Shelf, Spec,
};
use wits_search::{Kind, Thread};

/// The thread of one decision after some moves.
pub(crate) fn watch(game: &str, by: &str, moves: &str) -> (std::sync::Arc<dyn AnyGame>, Thread) {
    let game: Spec = game.parse().unwrap();
    let game = wits_catalog::all().game(&game, &Shelf::new()).unwrap();
    let mut table = game.begin(Seed::new(1), None);
    for text in moves.split_whitespace() {
        let seat = table.turn().seat().unwrap();
        table.play(seat, text, None).unwrap();
    }
    let seat = table.turn().seat().unwrap();
    let spec: Spec = by.parse().unwrap();
    let mut player = game.player(&spec, seat, &Shelf::new()).unwrap();
    let mut recorder = Recorder::new(1_000_000);
    let budget = Budget::endless();
    let desk = AnyDesk {
        budget: &budget,
        dice: table.dice(seat),
        tell: &mut |_| {},
        record: Some(&mut recorder),
    };
    let Choice::Move(result) = player.choose(table.as_ref(), desk) else {
        panic!("{by} resigns")
    };
    let thread = player.thread(recorder, &*game, table.as_ref(), Seed::new(1), &result);
    (game, thread)
}

/// Whether a report names one of these steps.
fn names(report: &Report, steps: &[u64]) -> bool {
    report.failures.iter().any(|f| steps.contains(&f.at))
}

/// The step that closes a node.
fn closing(thread: &Thread, id: &Value) -> Option<u64> {
    let closes = thread.steps.iter().filter(|s| s.kind == Kind::Close);
    closes
        .into_iter()
        .find(|s| s.data.get("id") == Some(id))
        .map(|s| s.at)
}

/// The node above a node.
fn parent(thread: &Thread, id: &Value) -> Value {
    let opens = thread.steps.iter().filter(|s| s.kind == Kind::Open);
    let open = opens.into_iter().find(|s| s.data.get("id") == Some(id));
    open.map_or(Value::Null, |s| s.data["parent"].clone())
}

pub(crate) const WATCHED: [(&str, &str, &str); 8] = [
    ("tictactoe", "alphabeta", "a1 b2 c3"),
    ("tictactoe", "minimax", "a1 b2 c3 c1"),
    ("tictactoe", "perfect", "a1 b2"),
    ("tictactoe", "perfect", "a1 a2"),
    ("hexapawn", "alphabeta:depth=20", ""),
    ("hexapawn", "perfect", ""),
    ("hexapawn:rows=4,cols=3", "alphabeta:depth=5", ""),
    ("tictactoe", "mcts", "a1"),
];

#[test]
fn an_untouched_thread_passes() {
    for (game, by, moves) in WATCHED {
        let (rules, thread) = watch(game, by, moves);
        let report = check(&*rules, &thread);
        assert!(report.ok(), "{game} {by}: {:?}", report.failures);
        let least = match thread.header.backup {
            Backup::Max => report.trusted,
            _ => report.trusted / 2,
        };
        assert!(report.checked > least, "{game} {by}: {report:?}");
        assert_eq!(report.steps, thread.steps.len() as u64);
        // What is read back from the file is the same thread.
        let read = Thread::read(&thread.text()).unwrap();
        assert_eq!(check(&*rules, &read), report);
    }
}

#[test]
fn a_changed_value_is_refused() {
    for (game, by, moves) in WATCHED {
        let (rules, thread) = watch(game, by, moves);
        if thread.header.backup != Backup::Max {
            continue;
        }
        let mut tried = 0;
        for index in (0..thread.steps.len()).step_by(1 + thread.steps.len() / 97) {
            let step = &thread.steps[index];
            let Some(value) = step.data.get("value").and_then(Value::as_f64) else {
                continue;
            };
            if step.kind != Kind::Close {
                continue;
            }
            // What a leaf says by judgement or by a table is taken on trust.
            let id = &step.data["id"];
            let leaf = !thread
                .steps
                .iter()
                .any(|s| s.data.get("parent") == Some(id));
            let trusted = leaf && (step.data.contains_key("by") || step.data["is"] == "estimate");
            if trusted {
                continue;
            }
            // A bound that says less than it could stays true until somebody rests on it; one that says more is false.
            let change = if step.data["is"] == "at most" {
                -1.0
            } else {
                1.0
            };
            let mut forged = thread.clone();
            forged.steps[index].data["value"] = json!(value + change);
            let report = check(&*rules, &forged);
            let above = parent(&thread, id);
            let mut steps = vec![step.at];
            steps.extend(closing(&thread, &above));
            assert!(names(&report, &steps), "{by}: {step:?}: {report:?}");
            tried += 1;
        }
        assert!(tried > 5, "{game} {by}: {tried}");
    }
}

#[test]
fn a_bound_called_exact_is_refused() {
    for (game, by, moves) in WATCHED {
        let (rules, thread) = watch(game, by, moves);
        for index in (0..thread.steps.len()).step_by(1 + thread.steps.len() / 97) {
            let step = &thread.steps[index];
            let bound = matches!(
                step.data.get("is").and_then(Value::as_str),
                Some("at least" | "at most")
            );
            if step.kind != Kind::Close || !bound || step.data.contains_key("by") {
                continue;
            }
            let mut forged = thread.clone();
            forged.steps[index].data["is"] = json!("exact");
            let report = check(&*rules, &forged);
            assert!(names(&report, &[step.at]), "{by}: {step:?}: {report:?}");
        }
    }
}

#[test]
fn a_dropped_child_is_refused() {
    for (game, by, moves) in WATCHED {
        let (rules, thread) = watch(game, by, moves);
        if thread.header.backup != Backup::Max {
            continue;
        }
        let opens: Vec<Value> = thread
            .steps
            .iter()
            .filter(|s| s.kind == Kind::Open && s.data["move"].is_string())
            .map(|s| s.data["id"].clone())
            .collect();
        for id in opens.iter().step_by(1 + opens.len() / 40) {
            let above = parent(&thread, id);
            let mut gone = vec![id.clone()];
            let mut forged = thread.clone();
            forged.steps.retain(|step| {
                let of = |key: &str| step.data.get(key).is_some_and(|of| gone.contains(of));
                let drop = of("id") || (step.kind == Kind::Open && of("parent"));
                if drop && step.kind == Kind::Open {
                    gone.push(step.data["id"].clone());
                }
                !drop
            });
            forged.footer.kept = forged.steps.len() as u64;
            forged.footer.dropped = thread.footer.kept - forged.footer.kept;
            let report = check(&*rules, &forged);
            let at = closing(&thread, &above).unwrap();
            assert!(names(&report, &[at]), "{by}: without {id}: {report:?}");
        }
    }
}

#[test]
fn a_swapped_move_is_refused() {
    for (game, by, moves) in WATCHED {
        let (rules, thread) = watch(game, by, moves);
        let first = |n: usize| {
            let opens = thread.steps.iter().enumerate();
            let mut opens =
                opens.filter(|(_, s)| s.kind == Kind::Open && s.data["move"].is_string());
            opens.nth(n).map(|(index, _)| index).unwrap()
        };
        // A move that is tried twice, and one that is none.
        for (index, text) in [(first(0), "z9"), (first(1), "z9")] {
            let mut forged = thread.clone();
            forged.steps[index].data["move"] = json!(text);
            let report = check(&*rules, &forged);
            let at = thread.steps[index].at;
            assert!(names(&report, &[at]), "{by}: {report:?}");
            let why = report.failures[0].why.to_string();
            assert!(why.contains("z9"), "{why}");
        }
        let roots: Vec<usize> = thread
            .steps
            .iter()
            .enumerate()
            .filter(|(_, s)| s.kind == Kind::Open && s.data["parent"] == 0)
            .filter(|(_, s)| s.data["move"].is_string())
            .map(|(index, _)| index)
            .collect();
        if let [one, two, ..] = roots[..] {
            let mut forged = thread.clone();
            forged.steps[two].data["move"] = thread.steps[one].data["move"].clone();
            let report = check(&*rules, &forged);
            assert!(names(&report, &[thread.steps[two].at]), "{by}: {report:?}");
        }
    }
}

#[test]
fn another_choice_is_refused() {
    let (rules, thread) = watch("tictactoe", "perfect", "a1 b2 c3");
    let worse = thread
        .steps
        .iter()
        .filter(|s| s.kind == Kind::Close && s.data["value"].as_f64() == Some(-1.0))
        .map(|s| parent_move(&thread, &s.data["id"]))
        .find(|mv| mv.as_str().is_some_and(|mv| legal(&*rules, &thread, mv)))
        .unwrap();
    let mut forged = thread.clone();
    let last = forged.steps.len() - 1;
    forged.steps[last].data["answer"] = worse.clone();
    forged.footer.result = worse.as_str().unwrap().to_owned();
    let report = check(&*rules, &forged);
    assert!(names(&report, &[thread.steps[last].at]), "{report:?}");
}

fn parent_move(thread: &Thread, id: &Value) -> Value {
    let mut opens = thread.steps.iter().filter(|s| s.kind == Kind::Open);
    let open = opens.find(|s| s.data.get("id") == Some(id));
    open.map_or(Value::Null, |s| s.data["move"].clone())
}

fn legal(game: &dyn AnyGame, thread: &Thread, mv: &str) -> bool {
    let table = game.begin_from(&thread.header.subject, Seed::new(0), None);
    let mut table = table.unwrap();
    let seat = table.turn().seat().unwrap();
    table.play(seat, mv, None).is_ok()
}

/// A law of averages: one over no games is a number out of nothing.
#[test]
fn an_average_of_no_games_is_refused() {
    // A budget that ends inside the first game of a node.
    let unfinished = |nodes: u32| {
        let (rules, thread) = watch("tictactoe", &format!("mcts:nodes={nodes}"), "a1");
        let report = check(&*rules, &thread);
        assert!(report.ok(), "{report:?}");
        let at = thread.steps.iter().find(|step| {
            step.kind == Kind::Close && step.data["value"].is_null() && step.data["id"] != json!(0)
        });
        let at = at?.at;
        Some((rules, thread, at))
    };
    let (rules, thread, at) = (20..60).find_map(unfinished).unwrap();
    let mut forged = thread.clone();
    let step = forged.steps.iter_mut().find(|step| step.at == at).unwrap();
    step.data.insert("value".to_owned(), json!(0.0));
    step.data.insert("is".to_owned(), json!("estimate"));
    step.data.insert("visits".to_owned(), json!(0));
    let report = check(&*rules, &forged);
    assert!(names(&report, &[at]), "{report:?}");
    let why = report.failures[0].why.to_string();
    assert!(why.contains("no game was played"), "{why}");
}

#[test]
fn a_root_that_is_worth_more_than_its_most_visited_move_is_refused() {
    let (rules, mut thread) = watch("tictactoe", "mcts", "a1");
    let said = |value: f64| format!("{value:+.3}");
    let root = thread
        .steps
        .iter()
        .rposition(|step| step.kind == Kind::Close);
    let root = root.unwrap();
    let value = thread.steps[root].data["value"].as_f64().unwrap();
    // The decision and both sentences tell the same falsehood.
    for step in &mut thread.steps[root..] {
        if step.data.contains_key("value") {
            step.data.insert("value".to_owned(), json!(value + 0.25));
            step.text = step.text.replace(&said(value), &said(value + 0.25));
        }
    }
    let at = thread.steps[root].at;
    let report = check(&*rules, &thread);
    assert!(names(&report, &[at]), "{report:?}");
    let why = report.failures[0].why.to_string();
    assert!(why.contains("the most games"), "{why}");
}

#[test]
fn a_move_that_is_not_solved_has_no_value() {
    let game = wits_catalog::all().game(&Spec::named("thue"), &Shelf::new());
    let game = game.unwrap();
    let word = "3121024031424131424032";
    let table = game.begin_from(word, Seed::new(1), None).unwrap();
    let limits = Limits::nodes(100_000);
    let by = Spec::named("perfect");
    let thread = wits_play::check_decision(&*game, &*table, &by, &Shelf::new(), limits, 2);
    let thread = thread.unwrap();
    let closes = || thread.steps.iter().filter(|s| s.kind == Kind::Close);
    let unknown: Vec<_> = closes().filter(|s| s.text.contains("not solved")).collect();
    assert!(!unknown.is_empty(), "{}", thread.header.summary);
    assert!(unknown.iter().all(|s| s.data["value"].is_null()));
    let summary = &thread.header.summary;
    let all = format!(
        "{} of them are solved",
        table.options().len() - unknown.len()
    );
    assert!(summary.contains(&all), "{summary}");
}

/// The fewest trial games that a machine of the catalog plays at its own settings.
const LEAST_TRIALS: u64 = 20;

#[test]
fn every_machine_of_trial_games_plays_some() {
    for entry in wits_catalog::all().entries() {
        for card in entry.players().iter().filter(|p| p.id.ends_with("mcts")) {
            let (_, thread) = watch(entry.id(), card.id, "");
            let rounds = thread.steps.iter().rev().find_map(|s| s.data.get("rounds"));
            let rounds = rounds.and_then(Value::as_u64).unwrap();
            let what = format!("{} in {} plays {rounds}", card.id, entry.id());
            assert!(rounds >= LEAST_TRIALS, "{what}");
        }
    }
}

#[test]
fn every_legal_move_can_be_asked_about() {
    let entries = wits_catalog::all();
    for entry in entries.entries() {
        let game = entry.game(&Spec::named(entry.id()), &Shelf::new()).unwrap();
        let mut table = game.begin(Seed::new(5), None);
        table.settle();
        let seat = table.turn().seat().unwrap();
        for card in entry.players() {
            if card.id == "human" || !card.roles.allow(seat) {
                continue;
            }
            let by = Spec::named(card.id);
            let mut player = game.player(&by, seat, &Shelf::new()).unwrap();
            let mut recorder = Recorder::default();
            let budget = Budget::start(Limits::nodes(300));
            let desk = AnyDesk {
                budget: &budget,
                dice: table.dice(seat),
                tell: &mut |_| {},
                record: Some(&mut recorder),
            };
            let Choice::Move(chosen) = player.choose(table.as_ref(), desk) else {
                continue;
            };
            let thread = player.thread(recorder, &*game, table.as_ref(), Seed::new(5), &chosen);
            let decision = Decision {
                game: &*game,
                table: table.as_ref(),
                by: &by,
                shelf: &Shelf::new(),
                thread: &thread,
            };
            for mv in table.options().iter().take(3) {
                let answer = decision
                    .why_not(mv, &Budget::start(Limits::nodes(300)))
                    .unwrap();
                assert_eq!(answer.chosen, chosen);
                assert_eq!(answer.line[0], *mv, "{}", card.id);
                let text = answer.text.to_string();
                assert!(!text.contains('{') && text.contains(mv), "{text}");
                let mut copy = table.copy();
                for reply in &answer.line {
                    copy.settle();
                    let seat = copy.turn().seat().unwrap();
                    copy.play(seat, reply, None).unwrap();
                }
            }
            assert!(decision.why_not("no move", &Budget::endless()).is_err());
        }
    }
}

/// A board with too many progressions is never searched, so no positions were counted.
#[test]
fn what_was_not_tried_is_not_told_as_tried() {
    let (rules, thread) = watch("rainbow", "perfect", "1=1");
    let summary = &thread.header.summary;
    assert!(summary.contains("too many progressions"), "{summary}");
    assert!(!summary.contains("1000000 positions"), "{summary}");
    assert!(check(&*rules, &thread).ok());
}

/// A win within a look ahead was once told as a weight of three hundred digits, and a hold as one of nothing.
#[test]
fn a_win_is_not_told_as_a_weight() {
    let mut decided = 0;
    for board in ["n=16,k=4,c=4", "n=12,k=4,c=4", "n=14,k=4,c=5"] {
        for by in ["strong", "pairing", "perfect"] {
            let (rules, thread) = watch(&format!("rainbow:{board}"), by, "8=1");
            let text = thread.text();
            let longest = text.split(|c: char| !c.is_ascii_digit()).map(str::len);
            let longest = longest.max().unwrap_or(0);
            assert!(longest < 25, "{board} {by}: {longest} digits");
            assert!(check(&*rules, &thread).ok(), "{board} {by}");
            decided += usize::from(text.contains("by force, as far as it looked"));
        }
    }
    assert!(decided > 0, "no win was in sight on these boards");
}
