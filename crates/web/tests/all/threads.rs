//! What a thread left out is searched again where a reader opens it, and comes to what the thread says.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;

use serde_json::{Value, json};
use wits_play::Catalog;
use wits_search::{Kind, Line, Thread};
use wits_store::Store;
use wits_web::testing::House;

/// Threads of the gallery from which subtrees were left out.
const SAMPLED: [&str; 6] = [
    "tictactoe-minimax",
    "rainbow-alphabeta",
    "rainbow-minimax",
    "thue-append-alphabeta",
    "thue-append-minimax",
    "thue-erase-minimax",
];
/// So many subtrees of each are opened.
const OPENED: usize = 3;

/// The moves from the root of a thread to each of its nodes.
fn lines(thread: &Thread) -> BTreeMap<u64, Vec<String>> {
    let mut lines: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for step in thread.steps.iter().filter(|step| step.kind == Kind::Open) {
        let Some(id) = step.data.get("id").and_then(Value::as_u64) else {
            continue;
        };
        let above = step.data.get("parent").and_then(Value::as_u64);
        let mut line = above.map_or_else(Vec::new, |above| lines[&above].clone());
        let mv = step.data.get("move").and_then(Value::as_str);
        line.extend(mv.map(str::to_owned));
        lines.insert(id, line);
    }
    lines
}

/// The value that a step tells for the seat that the other thread counts for.
fn told(step: &Line, turned: bool) -> f64 {
    let value = step.data["value"].as_f64().unwrap();
    if turned { -value } else { value }
}

#[test]
fn what_was_left_out_is_found_again() {
    let catalog = Catalog::new(vec![
        wits_matchbox::tictactoe::entry().erase(),
        wits_rainbow::entry().erase(),
        wits_thue::game::append::entry().erase(),
        wits_thue::game::erase::entry().erase(),
    ]);
    let house = House::open(catalog, Store::memory().unwrap(), |_| {});
    let mut me = house.guest();
    let mut opened = 0;
    for name in SAMPLED {
        let file = format!("{}/gallery/{name}.thread", env!("CARGO_MANIFEST_DIR"));
        let thread = Thread::read(&std::fs::read_to_string(file).unwrap()).unwrap();
        let header = &thread.header;
        let lines = lines(&thread);
        let left_out: Vec<&Line> = thread
            .steps
            .iter()
            .filter(|step| step.kind == Kind::Close && step.data.contains_key("inside"))
            .filter(|step| !lines[&step.data["id"].as_u64().unwrap()].is_empty())
            .collect();
        assert!(!left_out.is_empty(), "{name} is whole");
        for step in left_out
            .iter()
            .step_by(left_out.len().div_ceil(OPENED).max(1))
        {
            let line = &lines[&step.data["id"].as_u64().unwrap()];
            let node = json!({
                "game": header.game, "subject": header.subject, "line": line, "by": header.by,
            });
            let reply = me.post("/api/house/again", &node).unwrap();
            assert_eq!(reply.status, 200, "{name} {line:?}: {}", reply.body);
            let again = Thread::read(&reply.body).unwrap();
            let choose = again.steps.iter().rfind(|step| step.kind == Kind::Choose);
            let found = told(choose.unwrap(), again.header.seat != header.seat);
            let value = told(step, false);
            let holds = match step.data["is"].as_str().unwrap() {
                "at least" => found >= value,
                "at most" => found <= value,
                _ => (found - value).abs() < f64::EPSILON,
            };
            assert!(holds, "{name} {line:?}: {found}, and the thread: {step:?}");
            assert!(again.steps.len() > 3, "{name} {line:?}: {}", reply.body);
            opened += 1;
        }
    }
    assert!(opened >= 12, "only {opened} were opened");
}

/// A machine that looks no further than the moves that were made has nothing to search.
#[test]
fn nothing_is_below_the_horizon() {
    let catalog = Catalog::new(vec![wits_matchbox::tictactoe::entry().erase()]);
    let house = House::open(catalog, Store::memory().unwrap(), |_| {});
    let mut me = house.guest();
    let node = |line: Value| {
        let by = "alphabeta:depth=2";
        json!({"game": "tictactoe", "subject": "---/---/---", "line": line, "by": by})
    };
    for (line, status) in [
        (json!(["b2"]), 200),
        (json!(["b2", "a1"]), 422),
        (json!(["b2", "b2"]), 422),
    ] {
        let reply = me.post("/api/house/again", &node(line.clone())).unwrap();
        assert_eq!(reply.status, status, "{line}: {}", reply.body);
    }
}
