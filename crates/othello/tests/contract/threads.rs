//! What the machines of this room leave behind: the law of threads, sentences, and *why not*.

use std::collections::BTreeMap;

use serde_json::Value;
use wits_game::{Game, Seat, Seed};
use wits_othello::{Othello, endgame, entry};
use wits_play::contract::{Laws, check_player};
use wits_play::{
    AnyDesk, AnyGame, AnyMatch, Budget, Choice, Decision, Limits, Recorder, Shelf, Spec,
};
use wits_search::{Kind, Thread};

/// A game of the room.
pub(crate) fn room(spec: &str) -> std::sync::Arc<dyn AnyGame> {
    entry()
        .erase()
        .game(&spec.parse().unwrap(), &Shelf::new())
        .unwrap()
}

/// A position of the large board after some moves.
pub(crate) fn after(game: &dyn AnyGame, moves: &str) -> Box<dyn AnyMatch> {
    let mut table = game.begin(Seed::new(1), None);
    for text in moves.split_whitespace() {
        let seat = table.turn().seat().unwrap();
        table.play(seat, text, None).unwrap();
    }
    table
}

/// What a machine decides in a position, and its thread.
pub(crate) fn watch(
    game: &dyn AnyGame,
    table: &dyn AnyMatch,
    by: &str,
    (limits, steps): (Limits, usize),
) -> Thread {
    record(game, table, by, limits, Recorder::new(steps))
}

fn record(
    game: &dyn AnyGame,
    table: &dyn AnyMatch,
    by: &str,
    limits: Limits,
    mut recorder: Recorder,
) -> Thread {
    let seat = table.turn().seat().unwrap();
    let spec: Spec = by.parse().unwrap();
    let mut player = game.player(&spec, seat, &Shelf::new()).unwrap();
    let budget = Budget::start(limits);
    let desk = AnyDesk {
        budget: &budget,
        dice: table.dice(seat),
        tell: &mut |_| {},
        record: Some(&mut recorder),
    };
    let Choice::Move(result) = player.choose(table, desk) else {
        panic!("{by} resigns")
    };
    player.thread(recorder, game, table, Seed::new(1), &result)
}

#[test]
fn every_variant_keeps_the_law_of_threads() {
    let laws = Laws {
        threads: true,
        ..Laws::default()
    };
    for spec in [
        "othello",
        "othello:size=4",
        "othello:size=6,start=reversi",
        "othello:start=parallel,nomove=free",
        "othello:size=4,nomove=lose",
    ] {
        let game = room(spec);
        for by in [
            "first",
            "score-greedy",
            "corners-greedy",
            "engine",
            "engine:book=false",
            "engine:level=3",
        ] {
            for seat in Seat::all(2) {
                check_player(&*game, &by.parse().unwrap(), seat, &Shelf::new(), &laws)
                    .unwrap_or_else(|breach| panic!("{spec} {by}: {breach}"));
            }
        }
    }
}

/// A position of an opening.
const OPENING: &str = "f5 f6 e6 d6 c5 b4";

#[test]
fn rules_of_thumb_say_what_they_compared() {
    let game = room("othello");
    let start = after(&*game, "");
    let whole = (Limits::NONE, 1_000);
    let first = watch(&*game, &*start, "first", whole);
    assert_eq!(
        first.header.summary,
        "Went through the legal squares from a1 on: 4. d3 comes first, and nothing else counts. c4 would have been next."
    );
    let table = after(&*game, OPENING);
    let greedy = watch(&*game, &*table, "score-greedy", whole);
    for step in greedy.steps.iter().filter(|s| s.kind == Kind::Close) {
        let Some(numbers) = step.data.get("numbers") else {
            continue;
        };
        assert_eq!(numbers["turned"], step.data["value"]);
    }
    let best = greedy.steps.last().unwrap().data["value"].as_f64();
    let most = greedy.steps.iter().filter(|s| s.kind == Kind::Close);
    let most = most
        .filter_map(|s| s.data.get("value")?.as_f64())
        .fold(0.0, f64::max);
    assert_eq!(best, Some(most));
    let corners = watch(&*game, &*start, "corners-greedy", whole);
    let drawn = corners.steps.iter().find(|s| s.kind == Kind::Draw).unwrap();
    assert_eq!(drawn.data["among"].as_array().map(Vec::len), Some(4));
    assert_eq!(
        drawn.data["drawn"],
        Value::from(corners.footer.result.as_str())
    );
    // Black may take a1, and other squares in the middle.
    let board = format!("-OX{}OX------XO{} X", "-".repeat(24), "-".repeat(27));
    let corner = game.begin_from(&board, Seed::new(1), None).unwrap();
    let taken = watch(&*game, &*corner, "corners-greedy", whole);
    assert_eq!(taken.footer.result, "a1");
    assert!(
        taken.header.summary.contains("a1 is the only corner"),
        "{}",
        taken.header.summary
    );
}

#[test]
fn why_not_has_an_answer_for_every_legal_move() {
    let game = room("othello");
    for by in [
        "first",
        "score-greedy",
        "corners-greedy",
        "engine",
        "engine:level=2",
    ] {
        let table = after(&*game, OPENING);
        let thread = watch(&*game, &*table, by, (Limits::nodes(3_000), 4_000));
        let spec: Spec = by.parse().unwrap();
        let decision = Decision {
            game: &*game,
            table: &*table,
            by: &spec,
            shelf: &Shelf::new(),
            thread: &thread,
        };
        for mv in table.options() {
            let why = decision
                .why_not(&mv, &Budget::start(Limits::nodes(1_000)))
                .unwrap();
            assert_eq!(why.line[0], mv, "{by}");
            let text = why.text.to_string();
            assert!(text.contains(&mv) && !text.contains('{'), "{by}: {text}");
        }
    }
}

/// The positions of a random game in which there is something to choose.
fn game_of(game: &dyn AnyGame, seed: u64) -> Vec<Box<dyn AnyMatch>> {
    let mut table = game.begin(Seed::new(seed), None);
    let mut all = Vec::new();
    while let Some(seat) = table.turn().seat() {
        let options = table.options();
        if options.len() > 1 {
            all.push(table.copy());
        }
        let text = table.dice(seat).pick(&options).cloned().unwrap();
        table.play(seat, &text, None).unwrap();
    }
    all
}

#[test]
fn the_threads_of_the_engine_pass_their_check() {
    let game = room("othello");
    for (seed, by, nodes) in [
        (1, "engine:book=false", 400),
        (2, "engine:book=false,selective=false", 2_000),
        (3, "engine:book=false", 6_000),
        (4, "engine:level=1", 2_000),
        (5, "engine:level=6", 2_000),
    ] {
        for table in game_of(&*game, seed).iter().step_by(13) {
            for steps in [200, 4_000, 20_000] {
                let thread = watch(&*game, &**table, by, (Limits::nodes(nodes), steps));
                let at = &thread.header.subject;
                let report = wits_play::check::check_from(&*game, &**table, &thread);
                assert!(
                    report.ok(),
                    "{by} {nodes} {steps} {at}: {:?}",
                    report.failures
                );
                wits_play::contract::follows(&*game, &**table, &thread)
                    .unwrap_or_else(|breach| panic!("{by} {at}: {breach}"));
            }
        }
    }
}

#[test]
fn a_win_that_is_proved_without_its_discs_says_so() {
    let game = room("othello");
    let mut wins = 0;
    for seed in 1..12 {
        let tables = game_of(&*game, seed);
        let near = |table: &&dyn AnyMatch| (10..16).contains(&empties(*table));
        for table in tables.iter().map(AsRef::as_ref).filter(near) {
            let limits = Limits::nodes(1_000);
            let thread = watch(&*game, table, "engine:book=false", (limits, 4_000));
            let (at, summary) = (&thread.header.subject, &thread.header.summary);
            let report = wits_play::check::check_from(&*game, table, &thread);
            assert!(report.ok(), "{at}: {:?}", report.failures);
            assert!(!summary.contains("only legal move"), "{at}: {summary}");
            wins += usize::from(summary.starts_with("Proved who wins"));
            // What was looked at in all is no less than what was looked at below the moves.
            let nodes = |of: &Value| of["nodes"].as_u64().unwrap();
            let rounds = thread.steps.iter().filter(|s| s.data.contains_key("moves"));
            let below = |row: &Value| row.as_array().unwrap().iter().map(nodes).sum::<u64>();
            for round in rounds {
                assert!(below(&round.data["moves"]) <= round.data["nodes"].as_u64().unwrap());
            }
        }
    }
    assert!(wins > 3, "{wins}");
}

#[test]
fn threads_that_were_thinned_pass_their_check() {
    let game = room("othello");
    let table = after(&*game, OPENING);
    for by in ["alphabeta:depth=4", "minimax:depth=3", "mcts:nodes=300"] {
        for steps in [64, 500, 2_000] {
            let thread = watch(&*game, &*table, by, (Limits::NONE, steps));
            let report = wits_play::check::check_from(&*game, &*table, &thread);
            assert!(report.ok(), "{by} {steps}: {:?}", report.failures);
        }
    }
}

/// A node of a thread: the moves that lead there, its parent, and its closing step.
struct Shown<'a> {
    path: Vec<&'a str>,
    parent: Option<u64>,
    close: &'a wits_search::Line,
}

/// The nodes below the last look of the engine at the root that came to something, by number.
fn last_round(thread: &Thread) -> (u64, BTreeMap<u64, Shown<'_>>) {
    let number = |step: &wits_search::Line, key: &str| step.data.get(key).and_then(Value::as_u64);
    let mut closes = BTreeMap::new();
    for step in thread.steps.iter().filter(|s| s.kind == Kind::Close) {
        closes.insert(number(step, "id").unwrap(), step);
    }
    let mut round = 0;
    let mut nodes: BTreeMap<u64, Shown<'_>> = BTreeMap::new();
    for step in thread.steps.iter().filter(|s| s.kind == Kind::Open) {
        let id = number(step, "id").unwrap();
        let parent = number(step, "parent");
        let close = closes[&id];
        if parent == Some(0) && !close.data["value"].is_null() {
            round = id;
            nodes.clear();
        }
        let path = parent.and_then(|parent| nodes.get(&parent));
        let mut path = path.map(|node| node.path.clone()).unwrap_or_default();
        path.extend(step.data["move"].as_str());
        nodes.insert(
            id,
            Shown {
                path,
                parent,
                close,
            },
        );
    }
    (round, nodes)
}

#[test]
fn what_the_engine_calls_exact_is_exact_and_bounds_hold() {
    let game = room("othello");
    let (mut exact, mut bounds) = (0, 0);
    for seed in 1..6 {
        let tables = game_of(&*game, seed);
        let Some(table) = tables.iter().rev().find(|table| empties(&***table) == 10) else {
            continue;
        };
        let thread = watch(
            &*game,
            &**table,
            "engine:book=false",
            (Limits::nodes(20_000), 3_000),
        );
        let seat = table.turn().seat().unwrap();
        let (_, nodes) = last_round(&thread);
        assert!(
            thread
                .header
                .summary
                .starts_with("Played the last 10 squares")
        );
        for node in nodes.values() {
            let value = node.close.data["value"].as_f64().unwrap() as i32;
            let mut there = table.copy();
            for text in &node.path {
                let mover = there.turn().seat().unwrap();
                there.play(mover, text, None).unwrap();
            }
            let position = Othello::default()
                .position(&there.notation().unwrap())
                .unwrap();
            let solved = endgame::exact(&position, &Budget::endless()).unwrap().score;
            let own = if position.turn == seat {
                solved
            } else {
                -solved
            };
            let at = &node.path;
            match node.close.data["is"].as_str().unwrap() {
                "exact" => {
                    assert_eq!(value, own, "{at:?}");
                    exact += 1;
                }
                "at least" => assert!(own >= value, "{at:?}: {own} is less than {value}"),
                "at most" => assert!(own <= value, "{at:?}: {own} is more than {value}"),
                other => panic!("{at:?} is {other}"),
            }
            bounds += 1;
        }
    }
    assert!(exact > 20 && bounds > 300, "{exact} of {bounds}");
}

fn empties(table: &dyn AnyMatch) -> usize {
    table.notation().unwrap().matches('-').count()
}

#[test]
fn positions_that_are_not_shown_are_counted() {
    let game = room("othello");
    let table = &game_of(&*game, 4)[24];
    for steps in [300, 1_500] {
        let thread = watch(
            &*game,
            &**table,
            "engine:book=false",
            (Limits::nodes(12_000), steps),
        );
        let counts = thread
            .steps
            .iter()
            .rev()
            .find(|s| s.data.contains_key("moves"));
        let moves = counts.unwrap().data["moves"].as_array().unwrap();
        let (round, nodes) = last_round(&thread);
        let inside = |step: &wits_search::Line, key| step.data.get(key).and_then(Value::as_u64);
        for row in moves {
            let of = |n: &Shown<'_>| n.path.first().copied() == row["move"].as_str();
            let mut shown = 0;
            for (id, node) in nodes.iter().filter(|(_, node)| of(node)) {
                // A move that was looked at more than once is as many looks as are below it.
                let mut again = nodes.values().filter(|n| n.parent == Some(*id));
                shown += u64::from(!again.any(|n| n.path == node.path));
            }
            let mut roots = nodes.values().filter(|n| n.parent == Some(round));
            let root = roots.find(|n| of(n)).unwrap();
            let further = inside(root.close, "further").unwrap_or(0);
            let dropped = thread.footer.dropped > 0;
            let all = row["nodes"].as_u64().unwrap();
            assert!(
                shown + further == all || (dropped && shown + further <= all),
                "{row}: {shown} shown, {further} further"
            );
        }
    }
}

#[test]
fn the_engine_decides_the_same_watched_or_not() {
    let game = room("othello");
    for (seed, by, nodes) in [
        (6, "engine:book=false", 3_000),
        (7, "engine:level=4", 3_000),
    ] {
        for table in game_of(&*game, seed).iter().step_by(7) {
            let seat = table.turn().seat().unwrap();
            let spec: Spec = by.parse().unwrap();
            let ask = |record: Option<&mut Recorder>| {
                let mut player = game.player(&spec, seat, &Shelf::new()).unwrap();
                let mut thoughts = Vec::new();
                let mut tell = |thought: &_| thoughts.push(format!("{thought:?}"));
                let desk = AnyDesk {
                    budget: &Budget::start(Limits::nodes(nodes)),
                    dice: table.dice(seat),
                    tell: &mut tell,
                    record,
                };
                let choice = player.choose(&**table, desk);
                (choice, thoughts.len())
            };
            assert_eq!(ask(None), ask(Some(&mut Recorder::default())), "{by}");
        }
    }
}

#[test]
fn a_thread_of_few_bytes_keeps_the_law() {
    let game = room("othello");
    let tables = game_of(&*game, 3);
    for (at, by) in [
        (20, "engine:book=false"),
        (44, "engine"),
        (10, "engine:level=5"),
    ] {
        let table = &tables[at];
        let recorder = Recorder::new(4_000).bytes(150_000);
        let thread = record(&*game, &**table, by, Limits::nodes(20_000), recorder);
        let length = thread.text().len();
        assert!(length < 160_000, "{by}: {length} bytes");
        wits_play::contract::follows(&*game, &**table, &thread)
            .unwrap_or_else(|breach| panic!("{by}: {breach}"));
    }
}

/// The budget ends in the middle of a round that had looked at one move of three, and at some of more.
#[test]
fn a_round_that_was_cut_short_leaves_the_runner_up_of_the_one_before() {
    let game = room("othello");
    for (moves, nodes) in [("f5", 20_000), ("f5 f6 e6 f4", 6_000)] {
        let table = after(&*game, moves);
        let by = format!("engine:nodes={nodes},book=false");
        let thread = watch(&*game, &*table, &by, (Limits::NONE, 5_000));
        let summary = &thread.header.summary;
        let (_, says) = summary.split_once("was cut short; ").expect(summary);
        let depth: u64 = says.split(' ').next().unwrap().parse().unwrap();
        let mut rows = thread.steps.iter().filter(|step| {
            step.kind == Kind::Count && step.data.get("depth") == Some(&depth.into())
        });
        let row = rows.next().unwrap().data["moves"].as_array().unwrap();
        assert_eq!(row.len(), table.options().len(), "{moves}: a whole round");
        let value = |one: &Value| one["value"].as_f64().unwrap();
        let others = row.iter().filter(|one| one["move"] != thread.footer.result);
        let best = others.clone().map(value).fold(f64::NEG_INFINITY, f64::max);
        let named = |one: &&Value| {
            let mv = one["move"].as_str().unwrap();
            says.contains(&format!("the next best was {mv}:"))
        };
        let named = others.clone().find(named).expect(summary);
        assert!(value(named) >= best, "{moves}: {summary}");
    }
}
