//! The checker over threads without a game, and over those of a game with secrets: what is false is refused by name.

use serde_json::{Value, json};
use wits_game::Seed;
use wits_play::check::{Report, check, check_desk};
use wits_play::{AnyDesk, AnyGame, Budget, Choice, Limits, Recorder, Shelf, Spec};
use wits_search::{Kind, Line, Thread};

/// A thread of the gallery.
fn gallery(name: &str) -> Thread {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../web/gallery");
    let text = std::fs::read_to_string(format!("{folder}/{name}.thread")).unwrap();
    Thread::read(&text).unwrap()
}

/// Changes one step, the n-th of those that `which` picks, and gives what the checker says of it.
fn forged(
    thread: &Thread,
    n: usize,
    which: impl Fn(&Line) -> bool,
    change: impl Fn(&mut Line),
) -> (u64, Thread) {
    let mut forged = thread.clone();
    let mut steps = forged.steps.iter_mut().filter(|step| which(step));
    let step = steps.nth(n).expect("there is such a step");
    change(step);
    let at = step.at;
    (at, forged)
}

fn named(report: &Report, at: u64, says: &str) {
    let failure = report.failures.iter().find(|failure| failure.at == at);
    let why = failure.map(|failure| failure.why.to_string());
    let told = why.as_ref().is_some_and(|why| why.contains(says));
    assert!(told, "step {at} should be refused ({says}): {report:?}");
}

fn is(kind: Kind) -> impl Fn(&Line) -> bool {
    move |line| line.kind == kind
}

fn later(key: &'static str, by: f64) -> impl Fn(&mut Line) {
    move |line| line.data[key] = json!(line.data[key].as_f64().unwrap() + by)
}

#[test]
fn a_journey_is_held_against_itself() {
    for name in ["dijkstra", "astar", "csa", "raptor", "profile-csa", "sweep"] {
        let thread = gallery(&format!("transit-{name}"));
        let report = check_desk(&thread);
        assert!(
            report.ok() && report.checked > report.trusted,
            "{name}: {report:?}"
        );
        // A place is settled earlier than it was reached.
        let reached = |line: &Line| line.kind == Kind::Visit && line.at > 60;
        let (at, early) = forged(&thread, 3, reached, later("time", -600.0));
        named(&check_desk(&early), at, "at that time");
        // A trip arrives before it left.
        let (at, back) = forged(&thread, 20, is(Kind::Relax), later("time", -9_000.0));
        named(&check_desk(&back), at, "not reached before");
        // The journey is said to arrive earlier.
        let (at, better) = forged(&thread, 0, is(Kind::Choose), later("time", -60.0));
        named(&check_desk(&better), at, "arrival");
        let change = |line: &mut Line| line.data["line"] = json!([1_000_000]);
        let (at, nowhere) = forged(&thread, 1, is(Kind::Choose), change);
        named(&check_desk(&nowhere), at, "not reached");
    }
    let thread = gallery("transit-dijkstra");
    let (at, swapped) = forged(&thread, 30, is(Kind::Visit), later("cost", -900.0));
    named(&check_desk(&swapped), at, "settled first");
}

#[test]
fn grids_tours_and_proofs_are_held_against_themselves() {
    for (name, says) in [
        ("learn-grid", "best so far"),
        ("arena-tournament", "best so far"),
        ("transit-tour-tabu", "best so far"),
    ] {
        let thread = gallery(name);
        let report = check_desk(&thread);
        assert!(report.ok() && report.checked > 0, "{name}: {report:?}");
        let (at, better) = forged(&thread, 0, is(Kind::Choose), later("value", 0.01));
        named(&check_desk(&better), at, says);
        let (at, better) = forged(&thread, 1, is(Kind::Improve), later("value", 0.01));
        named(&check_desk(&better), at, says);
        let mut cut = thread.clone();
        cut.steps.remove(3);
        assert!(
            !check_desk(&cut).ok(),
            "{name}: a step less, and nobody saw it"
        );
    }
    let thread = gallery("learn-grid");
    let (at, high) = forged(&thread, 2, is(Kind::Cell), later("value", 0.9));
    named(&check_desk(&high), at, "outside");
    let thread = gallery("expert-family");
    let report = check_desk(&thread);
    assert!(report.ok() && report.checked > 20, "{report:?}");
    let change = |line: &mut Line| line.data["goal"] = json!("sister(dana,zoe)");
    let (at, other) = forged(&thread, 2, is(Kind::Close), change);
    named(&check_desk(&other), at, "another goal");
    let change = |line: &mut Line| line.data["id"] = json!(1_000);
    let (at, other) = forged(&thread, 2, is(Kind::Close), change);
    named(&check_desk(&other), at, "never began");
    let later = |line: &Line| line.data.get("clause") == Some(&json!(2));
    let change = |line: &mut Line| line.data["clause"] = json!(0);
    let (at, other) = forged(&thread, 0, later, change);
    named(&check_desk(&other), at, "order");
    let (_, late) = forged(&thread, 0, is(Kind::Open), |line| line.kind = Kind::Choose);
    assert!(!check_desk(&late).ok());
}

/// A decision of a Scrabble machine, written and read back, so that only what the file says is known.
fn scrabble(by: &str) -> (std::sync::Arc<dyn AnyGame>, Thread) {
    let game = wits_catalog::all();
    let game = game.game(&Spec::named("scrabble"), &Shelf::new()).unwrap();
    let mut table = game.begin(Seed::new(3), None);
    table.settle();
    for _ in 0..2 {
        let seat = table.turn().seat().unwrap();
        let mv = table.options()[0].clone();
        table.play(seat, &mv, None).unwrap();
        table.settle();
    }
    let seat = table.turn().seat().unwrap();
    let by: Spec = by.parse().unwrap();
    let mut player = game.player(&by, seat, &Shelf::new()).unwrap();
    let mut recorder = Recorder::default();
    let desk = AnyDesk {
        budget: &Budget::start(Limits::nodes(2_000)),
        dice: table.dice(seat),
        tell: &mut |_| {},
        record: Some(&mut recorder),
    };
    let Choice::Move(result) = player.choose(table.as_ref(), desk) else {
        panic!("{by} resigns")
    };
    let thread = player.thread(recorder, &*game, table.as_ref(), Seed::new(3), &result);
    let hidden = table.events().first().map(|event| format!("{event:?}"));
    assert!(hidden.is_some() && !thread.header.subject.contains("bag"));
    (game, Thread::read(&thread.text()).unwrap())
}

#[test]
fn a_saved_scrabble_thread_is_replayed() {
    for by in ["greedy", "leave", "level", "thesis", "random"] {
        let (game, thread) = scrabble(by);
        let report = check(&*game, &thread);
        assert!(report.ok(), "{by}: {:?}", report.failures);
        let moves = |line: &Line| line.kind == Kind::Open && line.data["move"].is_string();
        let told = thread.steps.iter().filter(|line| moves(line)).count() as u64;
        assert!(report.checked > told, "{by}: {report:?}");
        let change = |line: &mut Line| line.data["move"] = json!("8H ZZYZX");
        let (at, illegal) = forged(&thread, 0, moves, change);
        named(&check(&*game, &illegal), at, "no legal move");
        let choose = is(Kind::Choose);
        let (at, other) = forged(&thread, 0, &choose, |l| {
            l.data["answer"] = json!("8H ZZYZX");
        });
        named(&check(&*game, &other), at, "no legal move");
    }
}

#[test]
fn a_forged_scrabble_thread_is_refused() {
    let (game, thread) = scrabble("leave");
    let score = |line: &Line, key: &str| line.data.get("numbers").and_then(|n| n[key].as_f64());
    let scored = |line: &Line| score(line, "score").is_some();
    let add = |key: &'static str| {
        move |line: &mut Line| {
            let told = line.data["numbers"][key].as_f64().unwrap();
            line.data["numbers"][key] = json!(told + 1.0);
        }
    };
    let (at, more) = forged(&thread, 1, scored, add("score"));
    named(&check(&*game, &more), at, "by the rules");
    let (at, more) = forged(&thread, 1, scored, add("leave"));
    named(&check(&*game, &more), at, "what is kept");
    let (at, more) = forged(&thread, 1, scored, later("value", 500.0));
    named(&check(&*game, &more), at, "can be worth");
    let place = |line: &Line| line.data.contains_key("bound");
    let (at, order) = forged(&thread, 1, place, later("bound", 500.0));
    named(&check(&*game, &order), at, "in the order");
    // The best play is not the one that was chosen.
    let best = thread.footer.result.clone();
    let other = thread.steps.iter().find_map(|line| {
        let mv = line.data.get("move").and_then(Value::as_str)?;
        (mv != best).then(|| mv.to_owned())
    });
    let mut worse = thread.clone();
    let last = worse.steps.last_mut().unwrap();
    last.data["answer"] = json!(other);
    worse.footer.result = other.unwrap();
    let at = last.at;
    named(&check(&*game, &worse), at, "better");
}
