//! What the machines of this room leave behind: the law of threads, sentences, and *why not*.

use serde_json::Value;
use wits_game::{Seat, Seed};
use wits_othello::entry;
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
    let seat = table.turn().seat().unwrap();
    let spec: Spec = by.parse().unwrap();
    let mut player = game.player(&spec, seat, &Shelf::new()).unwrap();
    let mut recorder = Recorder::new(steps);
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
        for by in ["first", "score-greedy", "corners-greedy"] {
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
    for by in ["first", "score-greedy", "corners-greedy"] {
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
            let why = decision.why_not(&mv, Limits::nodes(1_000)).unwrap();
            assert_eq!(why.line[0], mv, "{by}");
            let text = why.text.to_string();
            assert!(text.contains(&mv) && !text.contains('{'), "{by}: {text}");
        }
    }
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
