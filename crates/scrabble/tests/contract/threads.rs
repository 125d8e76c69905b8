//! What the machines of this room leave behind: the law of threads in whole games, sentences, and *why not*.

use std::sync::Once;

use serde_json::Value;
use wits_game::Seed;
use wits_play::{AnyGame, AnyMatch, Limits, Shelf, Spec, check_decision};
use wits_scrabble::{Lexicon, entry, house};
use wits_search::{Kind, Thread};

use super::offer_small;

/// The short words of the shipped list: enough for games that come to their end.
fn offer_short() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let whole = Lexicon::embedded("english").unwrap();
        let words = whole.words().filter(|word| word.len() <= 4);
        let words: Vec<Vec<_>> = words.map(|word| word.to_vec()).collect();
        let engine = house::offer(Lexicon::new("short", whole.tiles(), words).unwrap());
        engine.warm().unwrap();
    });
}

fn room(spec: &str) -> std::sync::Arc<dyn AnyGame> {
    offer_small();
    offer_short();
    let spec: Spec = spec.parse().unwrap();
    entry().erase().game(&spec, &Shelf::new()).unwrap()
}

/// The positions of a game between machines, to its end.
fn game_of(game: &dyn AnyGame, by: &str, seed: u64) -> Vec<Box<dyn AnyMatch>> {
    let spec: Spec = by.parse().unwrap();
    let mut table = game.begin(Seed::new(seed), None);
    let mut all = Vec::new();
    loop {
        table.settle();
        let Some(seat) = table.turn().seat() else {
            return all;
        };
        all.push(table.copy());
        let mut player = game.player(&spec, seat, &Shelf::new()).unwrap();
        let budget = wits_play::Budget::start(Limits::nodes(50));
        let desk = wits_play::AnyDesk {
            budget: &budget,
            dice: table.dice(seat),
            tell: &mut |_| {},
            record: None,
        };
        let wits_play::Choice::Move(text) = player.choose(table.as_ref(), desk) else {
            return all;
        };
        table.play(seat, &text, None).unwrap();
    }
}

fn decided(game: &dyn AnyGame, table: &dyn AnyMatch, by: &str, nodes: u64) -> Thread {
    let spec: Spec = by.parse().unwrap();
    let limits = Limits::nodes(nodes);
    check_decision(game, table, &spec, &Shelf::new(), limits, 12)
        .unwrap_or_else(|breach| panic!("{by}: {breach}"))
}

const MACHINES: [&str; 9] = [
    "greedy",
    "leave",
    "thesis",
    "level:level=1",
    "level:level=3",
    "level:level=4",
    "level:level=5",
    "sim",
    "sim:candidates=4,rollouts=40",
];

#[test]
fn every_machine_keeps_the_law_through_whole_games() {
    for (spec, seed) in [("scrabble", 3), ("scrabble:challenge=double", 4)] {
        let game = room(spec);
        for table in &game_of(&*game, "greedy", seed) {
            for by in MACHINES {
                decided(&*game, &**table, by, 60);
            }
        }
    }
}

fn closes(thread: &Thread) -> impl Iterator<Item = &wits_search::Line> {
    thread.steps.iter().filter(|s| s.kind == Kind::Close)
}

#[test]
fn places_come_in_the_order_of_their_bounds_and_bounds_hold() {
    let game = room("scrabble");
    let mut places = 0;
    for table in &game_of(&*game, "leave", 5) {
        for by in ["greedy", "leave:ending=0"] {
            let thread = decided(&*game, &**table, by, 100);
            let mut last = f64::INFINITY;
            for step in thread.steps.iter().filter(|s| s.data.contains_key("bound")) {
                let bound = step.data["bound"].as_f64().unwrap();
                assert!(bound <= last, "{by}: {bound} after {last}");
                last = bound;
                let close = closes(&thread).find(|s| s.data["id"] == step.data["id"]);
                let best = close.unwrap().data["value"].as_f64();
                assert!(
                    best.is_none_or(|best| best <= bound),
                    "{by}: {best:?} over {bound}"
                );
                places += 1;
            }
        }
    }
    assert!(places > 30, "{places}");
}

#[test]
fn a_level_says_which_words_it_does_not_know_and_what_the_dice_chose_from() {
    let game = room("scrabble");
    let (mut unknown, mut drawn) = (0, 0);
    for table in &game_of(&*game, "level:level=2", 6) {
        let thread = decided(&*game, &**table, "level:level=1", 100);
        unknown += closes(&thread)
            .filter(|s| s.text.contains("does not know"))
            .count();
        for draw in thread.steps.iter().filter(|s| s.kind == Kind::Draw) {
            let among = draw.data["among"].as_array().unwrap();
            let result = Value::from(thread.footer.result.as_str());
            assert!(among.contains(&result) && draw.data["drawn"] == result);
            drawn += 1;
        }
    }
    assert!(unknown > 0 && drawn > 0, "{unknown} {drawn}");
}

#[test]
fn a_simulation_grows_and_gives_candidates_up() {
    let game = room("scrabble");
    let tables = game_of(&*game, "greedy", 7);
    let mut given_up = 0;
    for table in tables.iter().take(4) {
        let thread = decided(&*game, &**table, "sim:candidates=6,rollouts=200", 200);
        if !thread.header.summary.contains("draws") {
            continue;
        }
        let rounds: Vec<u64> = thread
            .steps
            .iter()
            .filter_map(|s| s.data.get("rounds")?.as_u64())
            .collect();
        assert!(rounds.starts_with(&[1, 2, 4, 8]), "{rounds:?}");
        assert!(rounds.is_sorted());
        given_up += thread
            .steps
            .iter()
            .filter(|s| s.kind == Kind::Cut && s.data["by"] == "behind")
            .count();
    }
    assert!(given_up > 0);
}

#[test]
fn the_end_of_a_game_keeps_the_law() {
    let game = room("scrabble:lexicon=short");
    let (mut solved, mut looked, mut prospects) = (0, 0, 0);
    for seed in 9..11 {
        let tables = game_of(&*game, "greedy", seed);
        for table in tables.iter().rev().take(7) {
            for by in ["leave", "sim:candidates=3,rollouts=12"] {
                let thread = decided(&*game, &**table, by, 300);
                let summary = &thread.header.summary;
                solved += usize::from(summary.starts_with("Solved"));
                looked += usize::from(summary.contains("into the rest of the game"));
                prospects += usize::from(summary.contains("last tile"));
            }
        }
    }
    assert!(
        solved > 0 && looked > 0 && prospects > 0,
        "{solved} solved, {looked} looked into, {prospects} with a last tile"
    );
}
