//! Reachability: witnesses are games, refusals have reasons.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::time::Duration;

use wits_game::Seed;
use wits_othello::notation::{Replay, read_board};
use wits_othello::reach::{Reachable, random_board, reachable};
use wits_othello::{Othello, Position};
use wits_search::{Budget, Limits};

/// How many of some random boards get a witness, each checked by playing it.
fn found(moves: u32, boards: u64, seconds: u64) -> u64 {
    let game = Othello::default();
    let mut yes = 0;
    for seed in 0..boards {
        let p = random_board(moves, Seed::new(seed + 1000 * u64::from(moves)));
        let budget = Budget::start(Limits::time(Duration::from_secs(seconds)));
        let answer = reachable(&game, &p, false, &budget);
        assert_ne!(answer.reachable, Reachable::No, "{p:?}");
        if let Some(text) = answer.game {
            let last = Replay::read(&game, &text).unwrap().last();
            assert_eq!((last.black, last.white), (p.black, p.white));
            if !p.over() {
                assert_eq!(last.turn, p.turn);
            }
            yes += 1;
        }
    }
    yes
}

#[test]
fn random_boards_get_a_witness() {
    assert_eq!(found(5, 5, 20), 5);
    assert_eq!(found(10, 5, 20), 5);
    assert_eq!(found(20, 5, 20), 5);
    assert!(found(30, 5, 20) >= 4);
    assert!(found(45, 2, 10) >= 1);
}

#[test]
fn refusals_have_reasons() {
    let game = Othello::default();
    let budget = Budget::endless();
    let start = "---------------------------OX------XO---------------------------";
    for (board, says) in [
        (start.replacen('-', "X", 1), "touch none of the others"),
        (start.replace('O', "-"), "fewer than the four"),
        ("XXXXX".to_owned() + &"-".repeat(59), "d4 is empty"),
        // The colours of the start exchanged.
        (
            start.replace('X', "#").replace('O', "X").replace('#', "O"),
            "other colours than the start",
        ),
        // Five discs in one colour that no first move makes.
        (
            "-".repeat(19) + "X-------XX------XX" + &"-".repeat(27),
            "never leads to the start",
        ),
        // A disc on c4 would have flipped d4.
        (
            "-".repeat(26) + "XOX------XO" + &"-".repeat(27),
            "last one put down",
        ),
    ] {
        let p = read_board(8, &board).unwrap().position;
        let answer = reachable(&game, &p, true, &budget);
        assert_eq!(answer.reachable, Reachable::No, "{board}");
        assert!(
            answer.reason.to_string().contains(says),
            "{board}: {}",
            answer.reason
        );
    }
    let answer = reachable(&game, &Position::START, false, &budget);
    assert_eq!(
        (answer.reachable, answer.game.as_deref()),
        (Reachable::Yes, Some(""))
    );
}
