//! What the threads of this room's players show.

use std::sync::Arc;

use wits_game::{Seed, Turn};
use wits_play::{AnyEntry, AnyGame, Limits, Shelf, Spec, check_decision};
use wits_search::{Kind, Thread};
use wits_thue::game::{entry, solitaire_entry};

fn game(entry: &Arc<dyn AnyEntry>, spec: &str) -> Arc<dyn AnyGame> {
    let spec = spec.parse().expect("a spec");
    entry.game(&spec, &Shelf::new()).expect("a game")
}

fn decide(game: &dyn AnyGame, at: &str, by: &str, limits: Limits) -> Thread {
    let table = game.begin_from(at, Seed::new(4), None).expect("a position");
    let by: Spec = by.parse().expect("a spec");
    let thread = check_decision(game, table.as_ref(), &by, &Shelf::new(), limits, 3);
    thread.unwrap_or_else(|breach| panic!("{breach}"))
}

/// Game, positions, players: every decision keeps the law, and every move can be asked about.
#[test]
fn every_decision_can_be_followed() {
    let both = ["0", "010", "0102@2", "0120@4", "01021@0"];
    let players = ["greedy", "nested", "nested:level=2"];
    for spec in ["thue", "thue:symbols=3", "thue:symbols=4,variant=overlap"] {
        let game = game(&entry().erase(), spec);
        for at in both {
            for by in players {
                let thread = decide(&*game, at, by, Limits::nodes(4_000));
                assert!(thread.steps.len() >= 8, "{by} at {at}: {}", thread.text());
            }
        }
    }
    for (spec, at) in [
        ("thue", "010"),
        ("thue:symbols=3", "0"),
        ("thue:symbols=3", "0120@4"),
    ] {
        let game = game(&entry().erase(), spec);
        decide(&*game, at, "perfect", Limits::nodes(4_000));
    }
    let alone = game(&solitaire_entry().erase(), "thue-solitaire");
    for at in ["0", "010", "0102@2", "0102010@7", "0102010@3"] {
        for by in ["greedy", "nested"] {
            decide(&*alone, at, by, Limits::NONE);
        }
    }
}

/// A round of twelve symbols by the scheme, and one that it did not paint.
#[test]
fn the_scheme_tells_its_row() {
    let game = game(&entry().erase(), "thue:symbols=12");
    let shelf = Shelf::new();
    let by: Spec = "levels12".parse().expect("a spec");
    let mut table = game.begin(Seed::new(9), None);
    let mut by_row = 0;
    for _ in 0..24 {
        let Turn::Of(seat) = table.turn() else { break };
        if seat == wits_game::Seat::FIRST {
            let options = table.options();
            let gap = table.dice(seat).pick(&options).cloned().expect("a gap");
            table.play(seat, &gap, None).expect("legal");
            continue;
        }
        let thread = check_decision(&*game, table.as_ref(), &by, &shelf, Limits::NONE, 12);
        let thread = thread.unwrap_or_else(|breach| panic!("{breach}"));
        by_row += usize::from(thread.text().contains("whose row reads"));
        assert!(thread.header.summary.contains("only the scheme promises"));
        table
            .play(seat, &thread.footer.result, None)
            .expect("legal");
    }
    assert!(by_row > 2, "{by_row}");
    let other = decide(&*game, "0121@2", "levels12", Limits::NONE);
    assert!(
        other
            .steps
            .iter()
            .any(|s| s.text.contains("was not painted"))
    );
}

/// What the solver proves is what a plain search of the whole game finds.
#[test]
fn the_strategy_says_what_a_plain_search_says() {
    let game = game(&entry().erase(), "thue:symbols=3,max_moves=6");
    for at in ["0", "010@1", "0102", "01021@5"] {
        let value = |by: &str| {
            let thread = decide(&*game, at, by, Limits::NONE);
            let choose = thread.steps.iter().rfind(|s| s.kind == Kind::Choose);
            choose.expect("a choice").data["value"].clone()
        };
        assert_eq!(value("perfect"), value("alphabeta:depth=16"), "{at}");
    }
}
