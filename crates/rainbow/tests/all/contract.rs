//! The laws of the house.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "../contract/threads.rs"]
mod threads;

use wits_game::Seat;
use wits_play::contract::{Laws, check_entry, check_player};
use wits_play::{Shelf, Spec};
use wits_rainbow::entry;

#[test]
fn the_laws_hold() {
    check_entry(&*entry().erase(), &Shelf::new(), &Laws::default()).unwrap();
}

#[test]
fn they_hold_for_other_variants_and_all_levels() {
    let entry = entry().erase();
    let laws = Laws {
        games: 3,
        ..Laws::default()
    };
    for spec in [
        "rainbow:n=9,k=3,c=3,first=breaker",
        "rainbow:n=12,k=4,c=2",
        "rainbow:n=2,k=2,c=1",
        "rainbow:n=40,k=20,c=25",
    ] {
        let game = entry.game(&spec.parse().unwrap(), &Shelf::new()).unwrap();
        game.laws(&laws).unwrap();
        for level in 0..=4 {
            for (player, seat) in [("level", Seat::FIRST), ("hint", Seat::SECOND)] {
                let player = Spec::named(player).with("level", level.to_string());
                check_player(game.as_ref(), &player, seat, &Shelf::new(), &laws).unwrap();
            }
        }
    }
}

#[test]
fn bad_terms_name_the_parameter() {
    let entry = entry().erase();
    for (spec, says) in [
        (
            "rainbow:n=4,k=5",
            "`5` is not a value for `k`; `k` goes from 2 to 4 here",
        ),
        (
            "rainbow:k=1",
            "`1` is not a value for `k` of `rainbow`; give a whole number from 2",
        ),
        (
            "rainbow:c=0",
            "`0` is not a value for `c` of `rainbow`; give a whole number from 1 to 60000",
        ),
        ("rainbow:n=1000000,k=100", "`k` goes from 2 to 32 here"),
        ("rainbow:first=computer", "give one of: maker, breaker"),
    ] {
        let error = entry
            .game(&spec.parse().unwrap(), &Shelf::new())
            .err()
            .unwrap()
            .to_string();
        assert!(error.contains(says), "{spec}: {error}");
    }
    let game = entry
        .game(&"rainbow".parse().unwrap(), &Shelf::new())
        .unwrap();
    let mut table = game.begin(wits_game::Seed::new(1), None);
    for (text, says) in [
        ("31=1", "numbers go from 1 to 30"),
        ("3=11", "colours go from 1 to 10"),
        ("3", "write number=colour"),
        ("3=x", "write number=colour"),
    ] {
        let error = table.play(Seat::FIRST, text, None).unwrap_err().to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
    table.play(Seat::FIRST, "7 3", None).unwrap();
    let error = table
        .play(Seat::SECOND, "7=4", None)
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "number 7 already has colour 3; choose a number without one"
    );
    let wrong = game
        .player(&Spec::named("hint"), Seat::FIRST, &Shelf::new())
        .err()
        .unwrap();
    assert!(wrong.to_string().contains("2 (Breaker)"), "{wrong}");
}

/// The players of arguments, where their argument applies and where it does not.
#[test]
fn arguments_keep_the_law_of_threads() {
    let entry = entry().erase();
    let laws = Laws {
        threads: true,
        ..Laws::default()
    };
    for (spec, player) in [
        ("rainbow:n=26,k=6,c=6", "pairing"),
        ("rainbow:n=27,k=6,c=6,first=breaker", "pairing"),
        ("rainbow:n=30,k=5,c=10", "pairing"),
        ("rainbow:n=60,k=16,c=20,first=breaker", "potential"),
        ("rainbow:n=30,k=5,c=10", "potential"),
    ] {
        let game = entry.game(&spec.parse().unwrap(), &Shelf::new()).unwrap();
        check_player(
            game.as_ref(),
            &Spec::named(player),
            Seat::SECOND,
            &Shelf::new(),
            &laws,
        )
        .unwrap_or_else(|breach| panic!("{spec} {player}: {breach}"));
    }
}
