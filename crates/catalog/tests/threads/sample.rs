//! What a thread keeps of a tree by lot stands for the rest of it, in games of the house.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use wits_game::Seed;
use wits_play::{AnyDesk, AnyGame, AnyMatch, Budget, Choice, Recorder, Shelf, Spec};
use wits_search::{Kind, Thread};

/// Searches whose whole trees can be kept, and how many random moves come before.
const TREES: [(&str, &str, u32); 4] = [
    ("othello", "alphabeta:depth=5", 12),
    ("othello:size=6", "minimax:depth=4", 6),
    ("rainbow", "alphabeta:depth=3", 4),
    ("rainbow:n=9,k=3,c=3", "minimax:depth=4", 2),
];

fn decide(game: &dyn AnyGame, table: &dyn AnyMatch, by: &Spec, steps: usize) -> Thread {
    let seat = table.turn().seat().unwrap();
    let mut player = game.player(by, seat, &Shelf::new()).unwrap();
    let mut recorder = Recorder::new(steps);
    let desk = AnyDesk {
        budget: &Budget::endless(),
        dice: table.dice(seat),
        tell: &mut |_| {},
        record: Some(&mut recorder),
    };
    let Choice::Move(chosen) = player.choose(table, desk) else {
        panic!("{by} resigns")
    };
    player.thread(recorder, game, table, Seed::new(1), &chosen)
}

/// The nodes of a thread: how deep each is, and whether moves were cut off there.
fn nodes(thread: &Thread) -> BTreeMap<u64, (u32, bool)> {
    let mut nodes: BTreeMap<u64, (u32, bool)> = BTreeMap::new();
    for step in &thread.steps {
        let number = |key: &str| step.data.get(key).and_then(Value::as_u64);
        match (step.kind, number("id")) {
            (Kind::Open, Some(id)) => {
                let above = number("parent").and_then(|parent| nodes.get(&parent));
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
fn what_is_sampled_of_large_games_stands_for_the_rest() {
    let mut rates = BTreeSet::new();
    for (spec, by, plies) in TREES {
        let (spec, by): (Spec, Spec) = (spec.parse().unwrap(), by.parse().unwrap());
        let game = wits_catalog::all().game(&spec, &Shelf::new()).unwrap();
        let first = wits_game::Seat::FIRST;
        let table = super::many::under_way(&*game, Seed::new(2), plies, first).unwrap();
        let thread = decide(&*game, &*table, &by, 4_000_000);
        assert_eq!(thread.footer.dropped, 0, "{spec} {by} is not kept whole");
        let whole = nodes(&thread);
        for limit in [300, 1_000, 4_000] {
            let thread = decide(&*game, &*table, &by, limit);
            let sample = thread.footer.sample.expect("the tree is larger than that");
            rates.insert(sample.one_in);
            // What is on the line that decided is kept in any case, and no part of the lot.
            let line = |step: &&wits_search::Line| step.data.contains_key("sampled");
            let line = thread.steps.iter().filter(line);
            let line: BTreeSet<u64> = line.filter_map(|s| s.data["id"].as_u64()).collect();
            let mut kept = nodes(&thread);
            kept.retain(|id, _| !line.contains(id));
            let count = |nodes: &BTreeMap<u64, (u32, bool)>, which: &dyn Fn(u32, bool) -> bool| {
                nodes.values().filter(|(d, cut)| which(*d, *cut)).count()
            };
            let name = format!("{spec} {by}, {limit} steps, {sample:?}");
            let near = |depth: u32, _| depth < sample.depth;
            assert_eq!(count(&kept, &near), count(&whole, &near), "{name}");
            let deeper = |depth: u32, _| depth > sample.depth;
            assert_eq!(count(&kept, &deeper), 0, "{name}");
            if sample.one_in == 0 {
                continue;
            }
            for refused in [true, false] {
                let here = |depth: u32, cut: bool| depth == sample.depth && cut == refused;
                let expected = count(&whole, &here) as f64 / sample.one_in as f64;
                let shown = count(&kept, &here) as f64;
                assert!(
                    (shown - expected).abs() <= 4.0 * expected.sqrt() + 1.0,
                    "{name}: {shown} are shown of about {expected} that should be (refused: {refused})"
                );
            }
        }
    }
    assert!(rates.range(2..).count() > 2, "{rates:?}");
}
