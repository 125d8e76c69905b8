//! The laws of the house.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod threads;

use wits_othello::entry;
use wits_play::Shelf;
use wits_play::contract::{Laws, check_entry};

#[test]
fn the_laws_hold() {
    check_entry(&*entry().erase(), &Shelf::new(), &Laws::default()).unwrap();
}

#[test]
fn they_hold_for_every_variant() {
    let entry = entry().erase();
    let laws = Laws {
        games: 3,
        ..Laws::default()
    };
    for size in [4, 6, 8] {
        for start in ["othello", "reversi", "parallel"] {
            for nomove in ["pass", "lose", "free"] {
                let spec = format!("othello:size={size},start={start},nomove={nomove}");
                let game = entry.game(&spec.parse().unwrap(), &Shelf::new()).unwrap();
                game.laws(&laws).unwrap();
            }
        }
    }
}
