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
    let catalog = wits_catalog::all();
    let shelf = Shelf::new();
    for bot in [
        env!("CARGO_BIN_EXE_random_bot"),
        env!("CARGO_BIN_EXE_greedy_bot"),
        env!("CARGO_BIN_EXE_alphabeta_bot"),
    ] {
        for game in ["othello:size=6", "thue", "hexapawn"] {
            let spec: Spec = game.parse().unwrap();
            let trial = Trial {
                game: catalog.game(&spec, &shelf).unwrap(),
                shelf: shelf.clone(),
                launch: Launch::new(vec![bot.to_owned()]),
                games: 2,
                move_time: Duration::from_mins(1),
                seed: Seed::new(29),
            };
            let report = trial.run(&Budget::start(Limits::NONE)).unwrap();
            assert!(report.ok, "{bot} at {game}: {report:#?}");
            if game.starts_with("othello") && bot.contains("alphabeta") {
                assert!(report.won >= 3, "{bot} at {game}: {report:#?}");
            }
        }
    }
    std::process::ExitCode::SUCCESS
}
