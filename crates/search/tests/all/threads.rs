//! Recorders with little room, and threads that come back from their text.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeMap;

use crate::toys::cards::HighCard;
use crate::toys::maze::{Maze, Opinion};
use crate::toys::nim::Nim;
use proptest::prelude::*;
use serde_json::Value;
use wits_game::{Dice, Eyes, Game, Lang, Seat, Seed};
use wits_search::tree::{
    DeepeningOptions, MctsOptions, Payoffs, alphabeta, deepening, ismcts, mcts, minimax,
};
use wits_search::{
    Budget, Kind, Limits, Recorder, Step, Thread, ThreadError, ThreadFault, ThreadHeader, WORDS,
    Watch,
};

fn finish(recorder: Recorder) -> Thread {
    recorder.finish(&ThreadHeader::new("toys", "tree"), "done", Lang::En)
}

/// What every thread of one whole search of a tree keeps, however small.
fn lawful(thread: &Thread, steps: &[Step], limit: usize) -> Result<(), TestCaseError> {
    prop_assert!(
        thread.steps.len() <= limit.max(8),
        "{} steps",
        thread.steps.len()
    );
    prop_assert_eq!(thread.footer.kept, thread.steps.len() as u64);
    prop_assert_eq!(
        thread.footer.kept + thread.footer.dropped,
        steps.len() as u64
    );
    let mut open: BTreeMap<u64, Option<u64>> = BTreeMap::new();
    let (mut opened, mut inside) = (0, 0);
    for line in &thread.steps {
        // Every step is one of the run, under its own number.
        let original = &steps[line.at as usize];
        prop_assert_eq!(line.kind, original.kind);
        let id = line.data.get("id").and_then(Value::as_u64);
        match line.kind {
            Kind::Open => {
                let parent = line.data["parent"].as_u64();
                prop_assert!(parent.is_none_or(|p| open.contains_key(&p)), "{:?}", line);
                open.insert(id.unwrap(), parent);
                opened += 1;
            }
            Kind::Close => {
                prop_assert!(open.remove(&id.unwrap()).is_some(), "{:?}", line);
                prop_assert!(open.values().all(|p| *p != id), "{:?}", line);
                if let Some(count) = line.data.get("inside") {
                    inside += count.as_u64().unwrap();
                    prop_assert!(line.text.ends_with(" inside"));
                }
            }
            Kind::Cut => prop_assert!(open.contains_key(&id.unwrap())),
            _ => {}
        }
    }
    prop_assert!(open.is_empty(), "left open: {:?}", open);
    // What is not shown is counted: nothing is lost without a word.
    let all = steps.iter().filter(|s| s.kind == Kind::Open).count() as u64;
    prop_assert_eq!(opened + inside, all);
    prop_assert_eq!(thread.steps.last().unwrap().kind, Kind::Choose);
    prop_assert!(Thread::read(&thread.text()).unwrap() == *thread);
    Ok(())
}

fn run<W: Watch>(which: u8, maze: &Maze, nodes: u64, watch: &mut W) {
    let start = maze.start();
    let budget = Budget::start(Limits::nodes(nodes));
    match which {
        0 => drop(minimax(maze, &start, &Opinion, 6, &budget, watch)),
        1 => drop(alphabeta(maze, &start, &Opinion, 6, &budget, watch)),
        2 => {
            let options = DeepeningOptions {
                max_depth: 6,
                table_bits: 4,
                aspiration: Some(1.0),
                order: None,
            };
            drop(deepening(
                maze,
                &start,
                &Opinion,
                &options,
                &budget,
                &mut |_| (),
                watch,
            ));
        }
        _ => {
            let options = MctsOptions {
                rounds: 500,
                ..MctsOptions::default()
            };
            let dice = &mut Dice::new(Seed::new(maze.seed));
            drop(mcts(
                maze,
                &start,
                &options,
                dice,
                &budget,
                &mut |_| (),
                watch,
            ));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn threads_are_whole_however_small(
        seed in any::<u64>(), seats in 1..=3u8, which in 0..4u8, limit in 0..400usize, nodes in 0..3_000u64
    ) {
        let maze = Maze { seed, seats, ways: 4, length: 7, width: 30, chance: seed.is_multiple_of(3) };
        let mut all: Vec<Step> = Vec::new();
        run(which, &maze, nodes, &mut all);
        let mut recorder = Recorder::new(limit);
        run(which, &maze, nodes, &mut recorder);
        prop_assert_eq!(recorder.seen(), all.len() as u64);
        lawful(&finish(recorder), &all, limit)?;
        let mut roomy = Recorder::new(1_000_000);
        run(which, &maze, nodes, &mut roomy);
        let whole = finish(roomy);
        prop_assert_eq!(whole.steps.len(), all.len());
        prop_assert_eq!(whole.footer.dropped, 0);
    }

    #[test]
    fn loose_steps_are_thinned_evenly(limit in 8..300usize, count in 0..5_000u64) {
        let mut recorder = Recorder::new(limit);
        for n in 0..count {
            recorder.step(|| Step::new(Kind::Visit, WORDS.say("tree-count").with("nodes", n)).data("node", n));
            prop_assert!(recorder.held() <= limit);
        }
        recorder.step(|| Step::new(Kind::Choose, WORDS.say("tree-choose")).data("answer", 1));
        let thread = finish(recorder);
        prop_assert!(thread.steps.len() <= limit);
        prop_assert_eq!(thread.steps.last().unwrap().kind, Kind::Choose);
        let ats: Vec<u64> = thread.steps.iter().map(|s| s.at).filter(|&at| at < count).collect();
        let gaps: Vec<u64> = ats.windows(2).map(|w| w[1] - w[0]).collect();
        prop_assert!(gaps.windows(2).all(|w| w[0] == w[1]), "{:?}", ats);
        // At least a third of the room is used when there is enough to fill it.
        prop_assert!(ats.len() as u64 >= count.min(limit as u64 / 3));
    }
}

#[test]
fn the_principal_line_is_kept_to_its_end() {
    let nim = Nim::new(&[4, 3, 2], 4).passes(1);
    let mut recorder = Recorder::new(120);
    let budget = Budget::endless();
    let found = alphabeta(&nim, &nim.start(), &Payoffs, 8, &budget, &mut recorder);
    assert!(
        recorder.held() <= 120 && recorder.seen() > 9_000,
        "{}",
        recorder.seen()
    );
    let thread = finish(recorder);
    // From the root down, the last best child that was shown at each node spells the line.
    let mut best: BTreeMap<u64, u64> = BTreeMap::new();
    let mut parents: BTreeMap<u64, (u64, String)> = BTreeMap::new();
    for step in &thread.steps {
        let id = step.data.get("id").and_then(Value::as_u64);
        if step.kind == Kind::Open
            && let Some(parent) = step.data["parent"].as_u64()
        {
            let text = step.data["move"].as_str().unwrap().to_owned();
            parents.insert(id.unwrap(), (parent, text));
        }
        if step.kind == Kind::Close && step.data.get("best") == Some(&Value::Bool(true)) {
            best.insert(parents[&id.unwrap()].0, id.unwrap());
        }
    }
    let mut shown = Vec::new();
    let mut here = 0;
    while let Some(&next) = best.get(&here) {
        shown.push(parents[&next].1.clone());
        here = next;
    }
    let mut state = nim.start();
    let mut line = Vec::new();
    for mv in &found.line {
        line.push(nim.write(&state, mv, wits_game::Eyes::All));
        nim.play(&mut state, mv);
    }
    assert!(line.len() >= 5, "{line:?}");
    assert_eq!(shown, line);
    // Everything next to the root is there, and the cuts near it.
    let roots = parents.values().filter(|(parent, _)| *parent == 0).count();
    assert_eq!(roots, nim.options(&nim.start()).len());
}

fn small() -> Thread {
    let nim = Nim::new(&[2], 2);
    let mut recorder = Recorder::new(100);
    minimax(
        &nim,
        &nim.start(),
        &Payoffs,
        9,
        &Budget::endless(),
        &mut recorder,
    );
    finish(recorder)
}

#[test]
fn a_small_thread_reads_like_a_story() {
    let told: Vec<String> = small().steps.into_iter().map(|s| s.text).collect();
    assert_eq!(
        told,
        [
            "seat 1 to move",
            "try 1@0",
            "try 1@0",
            "1@0 ends the game: seat 2 took the last stone",
            "1@0 is worth -1, proved",
            "1@0 is the best so far, worth -1, proved",
            "try 2@0",
            "2@0 ends the game: seat 1 took the last stone",
            "2@0 is the best so far, worth +1, proved",
            "the position is worth +1, proved for seat 1",
            "4 positions so far",
            "choose 2@0, worth +1, proved",
        ]
    );
}

#[test]
fn a_broken_thread_says_which_line() {
    let text = small().text();
    let lines: Vec<&str> = text.lines().collect();
    let check = |lines: &[&str], line: usize, wrong: fn(&ThreadFault) -> bool| {
        let ThreadError { line: at, what } = Thread::read(&lines.join("\n")).unwrap_err();
        assert!(at == line && wrong(&what), "line {at}: {what}");
    };
    let last = lines.len();
    check(&[], 1, |w| {
        matches!(
            w,
            ThreadFault::Unreadable {
                expected: "the header",
                ..
            }
        )
    });
    check(&lines[1..], 1, |w| {
        matches!(w, ThreadFault::Unreadable { .. })
    });
    check(&lines[..last - 1], last - 1, |w| {
        *w == ThreadFault::Unfinished
    });
    let mut cut = lines.clone();
    cut[3] = &cut[3][..20];
    check(&cut, 4, |w| {
        matches!(
            w,
            ThreadFault::Unreadable {
                expected: "a step",
                ..
            }
        )
    });
    let newer = lines[0].replacen("\"thread\":2", "\"thread\":3", 1);
    check(&[&newer], 1, |w| *w == ThreadFault::Newer(3));
    let mut swapped = lines.clone();
    swapped.swap(2, 3);
    check(&swapped, 3, |w| matches!(w, ThreadFault::Unopened(_)));
    let mut missing = lines.clone();
    missing.remove(last - 2);
    check(&missing, last - 1, |w| {
        matches!(w, ThreadFault::Miscounted { .. })
    });
    let mut more = lines.clone();
    more.push("{}");
    check(&more, last + 1, |w| *w == ThreadFault::After);
    assert!(Thread::is_one(&text) && !Thread::is_one("{\"record\":1}\n"));
}

/// The depth of every node that steps open, and whether it was refused (cut) there.
fn depths<'a>(
    steps: impl Iterator<Item = (Kind, &'a serde_json::Map<String, Value>)>,
) -> BTreeMap<u64, (u32, bool)> {
    let mut nodes: BTreeMap<u64, (u32, bool)> = BTreeMap::new();
    for (kind, data) in steps {
        let number = |key: &str| data.get(key).and_then(Value::as_u64);
        match (kind, number("id")) {
            (Kind::Open, Some(id)) => {
                let above = number("parent").and_then(|p| nodes.get(&p));
                let depth = above.map_or(0, |(depth, _)| depth + 1);
                nodes.insert(id, (depth, false));
            }
            (Kind::Cut, Some(id)) => {
                if let Some(node) = nodes.get_mut(&id) {
                    node.1 = true;
                }
            }
            _ => {}
        }
    }
    nodes
}

#[test]
fn what_is_sampled_stands_for_the_rest() {
    for (limit, depth) in [(300, 7), (600, 7), (1_200, 8), (4_000, 8)] {
        let nim = Nim::new(&[5, 4, 3], 4).passes(1);
        let budget = Budget::endless();
        let mut all: Vec<Step> = Vec::new();
        alphabeta(&nim, &nim.start(), &Payoffs, depth, &budget, &mut all);
        let mut recorder = Recorder::new(limit);
        alphabeta(&nim, &nim.start(), &Payoffs, depth, &budget, &mut recorder);
        let thread = finish(recorder);
        let sample = thread.footer.sample.expect("the tree is larger than that");
        assert!(sample.one_in > 1, "{sample:?}");
        let whole = depths(all.iter().map(|s| (s.kind, &s.data)));
        let line: Vec<u64> = thread
            .steps
            .iter()
            .filter(|s| s.data.contains_key("sampled"))
            .filter_map(|s| s.data["id"].as_u64())
            .collect();
        let mut kept = depths(thread.steps.iter().map(|s| (s.kind, &s.data)));
        kept.retain(|id, _| !line.contains(id));
        let count = |nodes: &BTreeMap<u64, (u32, bool)>, which: &dyn Fn(u32, bool) -> bool| {
            nodes.values().filter(|(d, cut)| which(*d, *cut)).count()
        };
        // Above the sampled depth nothing is missing, and below it there is only the line.
        let near = |depth: u32, _| depth < sample.depth;
        assert_eq!(count(&kept, &near), count(&whole, &near));
        assert_eq!(count(&kept, &|depth, _| depth > sample.depth), 0);
        // At it, the share that was kept is the share that the footer says, of refused nodes as of others.
        for refused in [true, false] {
            let here = |depth: u32, cut: bool| depth == sample.depth && cut == refused;
            let expected = count(&whole, &here) as f64 / sample.one_in as f64;
            let shown = count(&kept, &here) as f64;
            assert!(
                (shown - expected).abs() <= 4.0 * expected.sqrt() + 1.0,
                "{shown} are shown of about {expected} that should be (refused: {refused})"
            );
        }
    }
}

/// The steps of trial games on a game without secrets, or on one with them.
fn trials(secrets: bool, nodes: u64) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let budget = Budget::start(Limits::nodes(nodes));
    let (options, mut dice) = (MctsOptions::default(), Dice::new(Seed::new(nodes)));
    if secrets {
        let dealt = HighCard.dealt(4, 2);
        let view = HighCard.view(&dealt, Eyes::Seat(Seat::FIRST));
        let (first, watch) = (Seat::FIRST, &mut steps);
        drop(ismcts(
            &HighCard,
            &view,
            first,
            &options,
            &mut dice,
            &budget,
            &mut |_| (),
            watch,
        ));
    } else {
        let nim = Nim::new(&[5, 4], 3);
        let found = mcts(
            &nim,
            &nim.start(),
            &options,
            &mut dice,
            &budget,
            &mut |_| (),
            &mut steps,
        );
        assert!(found.best.is_some());
    }
    steps
}

#[test]
fn an_average_is_one_of_at_least_one_game() {
    let mut unfinished = 0;
    for nodes in 0..200 {
        for secrets in [false, true] {
            let steps = trials(secrets, nodes);
            let (mut opened, mut closed) = (0, 0);
            for step in &steps {
                let value = step.data.get("value").is_some_and(|v| !v.is_null());
                let visits = step.data.get("visits").and_then(Value::as_u64);
                match step.kind {
                    Kind::Open => opened += 1,
                    Kind::Close => {
                        closed += 1;
                        assert_eq!(value, visits.is_some_and(|visits| visits > 0), "{step:?}");
                        unfinished += u32::from(!value);
                    }
                    Kind::Count => {
                        let moves = step.data.get("moves").and_then(Value::as_array);
                        for mv in moves.into_iter().flatten() {
                            assert!(mv["visits"].as_u64() > Some(0), "{step:?}");
                        }
                    }
                    Kind::Choose => {
                        let rounds = steps.iter().rev().find_map(|s| s.data.get("rounds"));
                        assert_eq!(value, rounds.and_then(Value::as_u64) > Some(0), "{step:?}");
                    }
                    _ => {}
                }
            }
            assert_eq!(opened, closed);
        }
    }
    assert!(unfinished > 100, "{unfinished} games were broken off");
}

#[test]
fn a_thread_keeps_to_its_bytes() {
    let nim = Nim::new(&[4, 3, 2], 4).passes(1);
    for bytes in [5_000, 20_000, 100_000] {
        let mut recorder = Recorder::new(4_000).bytes(bytes);
        let budget = Budget::endless();
        alphabeta(&nim, &nim.start(), &Payoffs, 8, &budget, &mut recorder);
        let thread = finish(recorder);
        let steps: usize = thread.lines[1..thread.lines.len() - 1]
            .iter()
            .map(|line| line.len() + 1)
            .sum();
        assert!(steps <= bytes, "{steps} bytes of {bytes}");
        assert!(steps * 4 > bytes, "only {steps} bytes of {bytes} are used");
        assert_eq!(thread.steps.last().unwrap().kind, Kind::Choose);
        assert!(Thread::read(&thread.text()).is_ok());
    }
}

#[test]
fn threads_of_the_first_version_still_open() {
    let old = r#"{"thread":1,"room":"tictactoe","subject":"---/---/---","by":"minimax:depth=1","seed":1,"lens":"tree","title":"X to move"}
{"at":0,"kind":"open","text":"X to move","data":{"id":0,"parent":null,"move":null}}
{"at":1,"kind":"close","text":"done","data":{"id":0,"value":0.0,"proved":false}}
{"end":true,"counts":{"close":1,"open":1},"kept":2,"dropped":0,"result":"a1"}
"#;
    let thread = Thread::read(old).unwrap();
    assert_eq!(thread.header.thread, 1);
    assert_eq!(thread.header.backup, wits_search::Backup::None);
    assert!(thread.header.summary.is_empty() && thread.footer.sample.is_none());
}
