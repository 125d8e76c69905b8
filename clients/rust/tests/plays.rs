//! The starters in Rust play the contract and beat a player that moves at random.
#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::time::Duration;

use wits_bots::trial::Trial;
use wits_bots::{Launch, SUPERVISOR, supervise};
use wits_game::Seed;
use wits_play::{Budget, Limits, Shelf, Spec};

fn main() -> std::process::ExitCode {
    if std::env::args()
        .nth(1)
        .is_some_and(|verb| verb == SUPERVISOR)
    {
        return supervise(std::env::args_os().skip(2)).into();
    }
    let random = env!("CARGO_BIN_EXE_random_bot");
    let greedy = env!("CARGO_BIN_EXE_greedy_bot");
    let alphabeta = env!("CARGO_BIN_EXE_alphabeta_bot");
    // Small boards and a short look ahead: the rules are the same.
    for game in ["othello:size=4", "thue:symbols=4", "hexapawn"] {
        for bot in [&[random][..], &[greedy], &[alphabeta, "2"]] {
            attempt(bot, game, 1);
        }
    }
    let won = attempt(&[alphabeta, "2"], "othello:size=6", 2);
    assert!(won >= 3, "{won} of 4 games won");
    std::process::ExitCode::SUCCESS
}

/// Plays the contract against a bot; how many games it won against a player that moves at random.
fn attempt(bot: &[&str], game: &str, games: u32) -> u32 {
    let shelf = Shelf::new();
    let spec: Spec = game.parse().unwrap();
    let words = bot.iter().map(|word| (*word).to_owned());
    let trial = Trial {
        game: wits_catalog::all().game(&spec, &shelf).unwrap(),
        shelf,
        launch: Launch::new(words.collect()),
        games,
        move_time: Duration::from_mins(1),
        seed: Seed::new(29),
    };
    let report = trial.run(&Budget::start(Limits::NONE)).unwrap();
    assert!(report.ok, "{bot:?} at {game}: {report:#?}");
    report.won
}
