//! The report's tournaments with few games: what must hold of their order does hold.
//!
//! The files are those of `tournaments/`, only the number of games is smaller.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::common::{catalog, hall, header};
use wits_arena::{Coordinator, File, Table, run};
use wits_play::Shelf;
use wits_store::Store;

fn text(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("tournaments").join(format!("{name}.toml"));
    std::fs::read_to_string(path).unwrap()
}

/// Plays a file of ours with fewer games, and perhaps without some players.
fn small(name: &str, games: u32, without: &[&str]) -> Table {
    let mut file = File::read(&text(name), name).unwrap();
    file.games = Some(games);
    file.players.retain(|p| !without.contains(&p.name()));
    let tournament = file.tournament(&catalog(), &Shelf::new()).unwrap();
    let store = Store::memory().unwrap();
    let mut coordinator = Coordinator::begin(&store, header(tournament)).unwrap();
    let stop = AtomicBool::new(false);
    let mut each = |_: &Coordinator<'_>| ControlFlow::Continue(());
    run(&mut coordinator, &hall(), 2, &stop, &|| 1, &mut each).unwrap();
    coordinator.table()
}

/// The rating of the player whose name ends so.
fn rating(table: &Table, end: &str) -> f64 {
    let row = table.rows.iter().find(|r| r.name.ends_with(end));
    row.unwrap_or_else(|| panic!("nobody is called {end}"))
        .rating
        .elo
}

/// Everybody of each group stands above everybody of the next.
fn falls(table: &Table, groups: &[&[&str]]) {
    for pair in groups.windows(2) {
        for above in pair[0] {
            for below in pair[1] {
                let (a, b) = (rating(table, above), rating(table, below));
                assert!(a > b, "{above} {a:.0} should stand above {below} {b:.0}");
            }
        }
    }
}

#[test]
fn naive_strategies() {
    let table = small("othello-naive", 400, &[]);
    falls(
        &table,
        &[&["corners-greedy"], &["first", "score-greedy"], &["random"]],
    );
}

#[test]
fn cutting_changes_nothing() {
    let table = small("othello-minimax-alphabeta", 20, &[]);
    let cell = table.cross[0][1].unwrap();
    assert_eq!(cell.wins, cell.losses, "every pairing is split");
    let (mm, ab) = (table.of(0).unwrap(), table.of(1).unwrap());
    assert!(ab.nodes_per_move < mm.nodes_per_move);
}

#[test]
fn deeper_is_stronger() {
    let table = small("othello-depth", 16, &["alphabeta:depth=5,eval=korman"]);
    let depth = |d: u32| rating(&table, &format!("depth={d},eval=korman"));
    for d in 1..4 {
        assert!(depth(d + 1) > depth(d) + 50.0, "depth {d}");
    }
}

#[test]
fn matrices() {
    let table = small("othello-matrices", 40, &[]);
    falls(&table, &[&["w-korman"], &["w-sannid"], &["w-maggs"]]);
}

/// The report's rating puts corners owned below mobility, its own win rates above; ours agree with
/// the win rates, so only the three tiers are asked for.
#[test]
fn elementary_heuristics() {
    let table = small("othello-heuristics", 10, &[]);
    falls(
        &table,
        &[
            &["corn-close", "=stab", "cur-mob", "edge-stab", "corn-own"],
            &["pot-mob", "int-stab", "max-disc"],
            &["min-disc"],
        ],
    );
}

#[test]
fn full_tournament() {
    let table = small("othello-full", 20, &[]);
    falls(
        &table,
        &[
            &[
                "le051", "le064", "le148", "le162", "le215", "=korman", "iago",
            ],
            &["w-korman"],
            &["=stab"],
            &["cur-mob", "corn-close"],
            &["corners-greedy"],
            &["random"],
        ],
    );
}
