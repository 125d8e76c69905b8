//! The tests, by name.

mod clients;
mod engines;
mod faults;
mod schema;
mod secrets;

use std::panic::catch_unwind;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use wits_bots::{Admission, welcome};
use wits_game::Seed;
use wits_play::{AnyGame, AnyPlayer, Finished, Runner, Shelf, Spec, TimeControl};

type Test = (&'static str, fn());

/// Runs the tests whose names contain the filter.
pub(crate) fn run(filter: Option<&str>) -> ExitCode {
    let all: Vec<Test> = [
        faults::TESTS,
        secrets::TESTS,
        clients::TESTS,
        engines::TESTS,
    ]
    .concat();
    let wanted = all
        .iter()
        .filter(|(name, _)| filter.is_none_or(|text| name.contains(text)));
    let mut failed = Vec::new();
    let mut count = 0;
    for (name, test) in wanted {
        count += 1;
        let began = std::time::Instant::now();
        let well = catch_unwind(test).is_ok();
        say(&format!(
            "{name}: {} ({:.1?})",
            if well { "ok" } else { "FAILED" },
            began.elapsed()
        ));
        if !well {
            failed.push(name);
        }
    }
    say(&format!(
        "{count} tests, {} failed {failed:?}",
        failed.len()
    ));
    ExitCode::from(u8::from(!failed.is_empty()))
}

fn say(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// A game of the catalog in which programs may sit down.
pub(crate) fn game(spec: &str) -> Arc<dyn AnyGame> {
    let catalog = welcome(&wits_catalog::all(), &Admission::Any, None);
    catalog.game(&spec.parse().unwrap(), &Shelf::new()).unwrap()
}

/// A spec that runs some Python.
pub(crate) fn python(code: &str) -> Spec {
    let file = scratch(code);
    Spec::named("program").with("run", format!("python3 {}", file.display()))
}

/// A file that holds some code, under a name of its own.
pub(crate) fn scratch(code: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("wits-bots-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(format!("{}.py", Shelf::hash(code.as_bytes())));
    std::fs::write(&file, code).unwrap();
    file
}

/// A folder of the repository.
pub(crate) fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(name)
}

/// One game of some players.
pub(crate) fn play(
    game: &dyn AnyGame,
    players: &[&Spec],
    clock: TimeControl,
    seed: u64,
) -> Finished {
    let shelf = Shelf::new();
    let mut made: Vec<Box<dyn AnyPlayer>> = wits_game::Seat::all(game.seats())
        .zip(players)
        .map(|(seat, spec)| game.player(spec, seat, &shelf).unwrap())
        .collect();
    let mut seated: Vec<&mut dyn AnyPlayer> = made.iter_mut().map(|p| &mut **p as _).collect();
    let runner = Runner {
        clock,
        max_moves: Some(400),
        ..Runner::default()
    };
    runner.run(game, &mut seated, Seed::new(seed), &shelf)
}
