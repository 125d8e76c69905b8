//! The contract over every game of the house and everyone who can play it, and one playthrough
//! per game that must never change.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "threads/boxes.rs"]
mod boxes;
#[path = "threads/check.rs"]
mod check;
#[path = "threads/clock.rs"]
mod clock;
#[path = "threads/desks.rs"]
mod desks;
#[path = "threads/forbid.rs"]
mod forbid;
#[path = "threads/forged.rs"]
mod forged;
#[path = "threads/gallery.rs"]
mod gallery;
#[path = "threads/live.rs"]
mod live;
#[path = "threads/many.rs"]
mod many;
#[path = "threads/retold.rs"]
mod retold;
#[path = "threads/review.rs"]
mod review;
#[path = "threads/sample.rs"]
mod sample;
#[path = "threads/soon.rs"]
mod soon;
#[path = "threads/trim.rs"]
mod trim;
#[path = "threads/truth.rs"]
mod truth;

use std::fmt::Write as _;
use std::path::Path;

use wits_game::{Eyes, Seat, Seed};
use wits_play::contract::{Laws, check_entry};
use wits_play::{AnyPlayer, Limits, Runner, Shelf, Spec};

#[test]
fn every_entry_keeps_the_contract() {
    for entry in wits_catalog::all().entries() {
        check_entry(
            &**entry,
            &Shelf::new(),
            &Laws {
                games: 6,
                threads: true,
                ..Laws::default()
            },
        )
        .unwrap_or_else(|breach| panic!("{}: {breach}", entry.id()));
    }
}

#[test]
fn no_two_games_share_a_name() {
    let catalog = wits_catalog::all();
    let mut ids: Vec<&str> = catalog.entries().iter().map(|e| e.id()).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
}

/// One recorded playthrough per game: every move by `random` on one seed, and the last position.
/// A change here means that a seed no longer gives the same game. To accept one on purpose, run
/// the tests with `WITS_ACCEPT=1`.
#[test]
fn playthroughs_stay_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/playthroughs");
    for entry in wits_catalog::all().entries() {
        let game = entry.game(&Spec::named(entry.id()), &Shelf::new()).unwrap();
        let mut players: Vec<Box<dyn AnyPlayer>> = Seat::all(game.seats())
            .map(|seat| {
                game.player(&Spec::named("random"), seat, &Shelf::new())
                    .unwrap()
            })
            .collect();
        let mut sitting: Vec<&mut dyn AnyPlayer> = players
            .iter_mut()
            .map(|p| &mut **p as &mut dyn AnyPlayer)
            .collect();
        let runner = Runner {
            limits: Limits::NONE,
            max_moves: Some(200),
            ..Runner::default()
        };
        let finished = runner.run(&*game, &mut sitting, Seed::new(1), &Shelf::new());
        let table = game.replay(&finished.record).unwrap();
        let mut text = finished.record.text();
        let _ = writeln!(
            text,
            "payoffs {:?}: {}",
            finished.outcome.payoffs, finished.outcome.why
        );
        let _ = writeln!(text, "position {:?}", table.notation());
        let _ = writeln!(text, "scene {}", picture(&table.scene(Eyes::All)));
        let file = folder.join(format!("{}.txt", entry.id()));
        if std::env::var_os("WITS_ACCEPT").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&file, &text).unwrap();
        }
        let kept = std::fs::read_to_string(&file).unwrap_or_else(|_| {
            panic!(
                "{} has no playthrough yet; run with WITS_ACCEPT=1",
                entry.id()
            )
        });
        assert_eq!(text, kept, "{} plays another game for seed 1", entry.id());
    }
}

/// The picture in a few words: what lies where.
fn picture(scene: &wits_game::Scene) -> String {
    let cells: Vec<String> = scene
        .cells
        .iter()
        .filter_map(|cell| {
            cell.token
                .as_ref()
                .map(|t| format!("{}={}", cell.name, t.glyph))
        })
        .collect();
    format!("{} | {}", cells.join(" "), scene.caption)
}
