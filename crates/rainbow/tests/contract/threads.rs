//! What the threads of this room's players show.

use wits_game::{Seed, Turn};
use wits_play::{Limits, Shelf, Spec, check_decision};
use wits_rainbow::entry;
use wits_search::{Kind, Thread};

/// Walks through a game by lot, and checks what a player decides in every `each`-th position of its seat.
fn walk(game: &str, by: &str, each: u32, limits: Limits) -> Vec<Thread> {
    let entry = entry().erase();
    let shelf = Shelf::new();
    let spec: Spec = by.parse().unwrap();
    let game = entry.game(&game.parse().unwrap(), &shelf).unwrap();
    let card = entry.players();
    let roles = &card.iter().find(|card| card.id == spec.name).unwrap().roles;
    let mut table = game.begin(Seed::new(4), None);
    let mut threads = Vec::new();
    while let Turn::Of(seat) = table.turn() {
        if roles.allow(seat) && table.ply() / 2 % each == 0 {
            let thread = check_decision(&*game, table.as_ref(), &spec, &shelf, limits, 2);
            threads.push(thread.unwrap_or_else(|breach| panic!("{breach}")));
        }
        let options = table.options();
        let mv = table.dice(seat).pick(&options).cloned().unwrap();
        table.play(seat, &mv, None).unwrap();
    }
    assert!(!threads.is_empty(), "{by}");
    threads
}

#[test]
fn every_level_and_hint_can_be_followed() {
    for level in 0..=4 {
        for name in ["level", "hint"] {
            let by = format!("{name}:level={level}");
            for game in ["rainbow", "rainbow:n=9,k=3,c=3,first=breaker"] {
                for thread in walk(game, &by, 4, Limits::nodes(300)) {
                    let summary = &thread.header.summary;
                    assert!(summary.starts_with("The rule: "), "{summary}");
                }
            }
        }
    }
}

/// Boards whose series nobody lists are told by the drawn one.
#[test]
fn the_largest_boards_are_told_by_the_drawn_series() {
    let game = "rainbow:n=400,k=3,c=60".parse().unwrap();
    let game = entry().erase().game(&game, &Shelf::new()).unwrap();
    let table = game.begin(Seed::new(4), None);
    for by in ["level:level=1", "level:level=4"] {
        let (by, limits) = (by.parse().unwrap(), Limits::nodes(9));
        let thread = check_decision(&*game, table.as_ref(), &by, &Shelf::new(), limits, 0);
        let thread = thread.unwrap_or_else(|breach| panic!("{breach}"));
        assert!((10..2_000).contains(&thread.steps.len()), "{by}");
    }
}

#[test]
fn looks_ahead_can_be_followed() {
    for game in ["rainbow", "rainbow:n=26,k=4,c=6,first=breaker"] {
        for by in ["strong:nodes=300", "perfect:nodes=300"] {
            for thread in walk(game, by, 3, Limits::NONE) {
                assert!(thread.steps.len() > 4, "{by}: {}", thread.text());
            }
        }
    }
    // Nothing can be looked at.
    walk("rainbow", "strong:nodes=1", 6, Limits::nodes(1));
    // Too large to write the series out: the fourth level and hint play.
    walk("rainbow:n=1200,k=3,c=4", "strong", 9_999, Limits::nodes(9));
}

/// What a strategy of a short board says is what a plain search of the whole game finds.
#[test]
fn solved_boards_show_a_true_strategy() {
    for game in ["rainbow:n=6,k=3,c=3", "rainbow:n=5,k=3,c=3,first=breaker"] {
        for seed in 0..3 {
            let spec = game.parse().unwrap();
            let game = entry().erase().game(&spec, &Shelf::new()).unwrap();
            let mut table = game.begin(Seed::new(seed), None);
            while let Turn::Of(seat) = table.turn() {
                let decide = |by: &str| {
                    let (by, shelf) = (by.parse().unwrap(), Shelf::new());
                    let thread =
                        check_decision(&*game, table.as_ref(), &by, &shelf, Limits::NONE, 3);
                    thread.unwrap_or_else(|breach| panic!("{breach}"))
                };
                let thread = decide("perfect");
                let value = |thread: &Thread| {
                    let choose = thread.steps.iter().rfind(|s| s.kind == Kind::Choose);
                    choose.unwrap().data["value"].as_f64()
                };
                if table.ply() > 1 {
                    assert_eq!(value(&thread), value(&decide("alphabeta:depth=9")));
                }
                let proved = thread.steps.iter().filter(|s| s.data.get("is").is_some());
                assert!(proved.count() > 3, "{}", thread.text());
                let options = table.options();
                let mv = table.dice(seat).pick(&options).cloned().unwrap();
                table.play(seat, &mv, None).unwrap();
            }
        }
    }
}
