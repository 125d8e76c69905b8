//! Large boards stay quick. The limits are those promised in the manual.
//!
//! Every game is played three times with the same dice and the least time of each move counts, so that a busy machine
//! does not fail the test; what is left is the work itself.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::time::{Duration, Instant};

use wits_game::{Dice, Game, Seed};
use wits_rainbow::players::{Hint, Level};
use wits_rainbow::{Board, Rainbow, Side, Terms};

/// The time of each move of a game between a level and a hint: choosing, playing, asking who is next.
fn one_game(terms: Terms, level: u8, hint: u8, most: u32) -> Vec<Duration> {
    let game = Rainbow::new(terms);
    let mut board = game.start();
    let mut dice = Dice::new(Seed::new(u64::from(level) * 10 + u64::from(hint)));
    let mut times = Vec::new();
    while board.winner().is_none() && board.coloured() < most {
        let start = Instant::now();
        let advice = match board.to_move() {
            Side::Maker => Level::new(level).unwrap().advise(&board, &mut dice),
            Side::Breaker => Hint::new(hint).unwrap().advise(&board, &mut dice),
        };
        let paint = advice.unwrap().paint;
        game.legal(&board, &paint).unwrap();
        game.play(&mut board, &paint);
        let _ = game.turn(&board);
        times.push(start.elapsed());
    }
    times
}

fn slowest_move(terms: Terms, level: u8, hint: u8, most: u32) -> Duration {
    let mut times = one_game(terms, level, hint, most);
    for _ in 0..2 {
        let again = one_game(terms, level, hint, most);
        assert_eq!(times.len(), again.len(), "same dice, same game");
        for (time, again) in times.iter_mut().zip(again) {
            *time = again.min(*time);
        }
    }
    times.into_iter().max().unwrap()
}

#[test]
fn the_screenshot_of_the_document_below_a_millisecond() {
    let terms = Terms::new(300, 30, 200, Side::Maker).unwrap();
    let start = (0..3).map(|_| {
        let clock = Instant::now();
        assert_eq!(Board::new(terms).live_total(), 1405);
        clock.elapsed()
    });
    assert!(start.min().unwrap() < Duration::from_millis(1));
    for (level, hint) in [(0, 4), (1, 1), (2, 2), (3, 3), (4, 4)] {
        let slowest = slowest_move(terms, level, hint, u32::MAX);
        assert!(
            slowest < Duration::from_millis(1),
            "level {level} hint {hint}: {slowest:?}"
        );
    }
}

#[test]
fn ten_thousand_numbers_are_no_wait() {
    for (c, level, hint) in [
        (3, 0, 4),
        (3, 1, 1),
        (3, 2, 2),
        (10, 3, 3),
        (10, 4, 4),
        (10, 0, 4),
    ] {
        let terms = Terms::new(10_000, 3, c, Side::Breaker).unwrap();
        let slowest = slowest_move(terms, level, hint, u32::MAX);
        assert!(
            slowest < Duration::from_millis(100),
            "level {level} hint {hint}: {slowest:?}"
        );
    }
}

#[test]
fn a_million_numbers_can_be_played() {
    let terms = Terms::new(1_000_000, 3, 5, Side::Maker).unwrap();
    for level in [0, 4] {
        assert!(slowest_move(terms, level, 4, 8) < Duration::from_secs(1));
    }
}
