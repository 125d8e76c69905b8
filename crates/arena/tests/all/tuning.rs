//! A whole tuning, killed after every step, against one that was left alone.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use crate::common::{catalog, hall, header};
use wits_arena::tune::{Phase, TuneFile, Tuner};
use wits_arena::{ArenaError, Coordinator, run};
use wits_play::Shelf;
use wits_store::Store;

const FILE: &str = r#"
game = "othello"
player = "linear:depth=1,corners-b=0,corners-m=0"
reference = "alphabeta:depth=1,eval=max-disc"
population = 8
generations = 3
rounds = 3
games = 2
random-plies = 6
seed = 5
[stop]
every = 2
elo1 = 900
games = 2
[validate]
games = 20
[[gene]]
param = "discs-b"
from = -1
to = 1
[[gene]]
param = "edge-b"
from = -1
to = 1
step = 0.3
"#;

fn file(text: &str) -> TuneFile {
    TuneFile::read(text, "small").unwrap()
}

/// Runs to the end; `torn`: everything in memory is thrown away after every tournament.
fn tune(text: &str, torn: bool) -> Tuner {
    let (catalog, shelf) = (catalog(), Shelf::new());
    let store = Store::memory().unwrap();
    let begin = || Tuner::begin(&store, file(text).tuning(&catalog, &shelf).unwrap()).unwrap();
    let mut tuner = begin();
    while let Some(tournament) = tuner.next(&catalog, &shelf).unwrap() {
        let mut coordinator = Coordinator::begin(&store, header(tournament)).unwrap();
        let stop = AtomicBool::new(false);
        let asked = tuner.clone();
        let mut each = |c: &Coordinator<'_>| {
            if asked.enough(&c.ledger()) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        run(&mut coordinator, &hall(), 2, &stop, &|| 1, &mut each).unwrap();
        tuner.tell(&coordinator.ledger());
        tuner.keep(&store, 1).unwrap();
        if torn {
            tuner = begin();
        }
    }
    tuner
}

#[test]
fn a_torn_tuning_ends_like_a_whole_one() {
    let whole = tune(FILE, false);
    assert_eq!(whole.phase, Phase::Done);
    assert_eq!(whole.history.len(), 3);
    for generation in &whole.history {
        assert_eq!(generation.best.len(), 5);
        assert!(generation.noise > 0.0 && generation.games > 0);
        assert!(generation.best[0].rating >= generation.best[4].rating);
    }
    let outcome = whole.outcome.clone().unwrap();
    assert_eq!(outcome.counts.total(), 10);
    assert_eq!(outcome.winner.name.len(), 5);
    assert!(outcome.winner.spec.contains("discs-b="));
    assert_eq!(whole, tune(FILE, true));
}

#[test]
fn other_methods_run_the_same_course() {
    for (method, population) in [("cma-es", 6), ("spsa", 4)] {
        // Slopes weigh more than bases, so few games can tell candidates apart.
        let steep = FILE
            .replace("discs-b", "discs-m")
            .replace("edge-b", "edge-m")
            .replace("step = 0.3", "step = 1");
        let text = steep.replace(
            "population = 8",
            &format!("method = \"{method}\"\npopulation = {population}\nagainst = [\"alphabeta:depth=1,eval=korman\", \"alphabeta:depth=1,eval=iago\"]"),
        );
        let tuner = tune(&text, false);
        assert!(tuner.outcome.is_some(), "{method}");
        let start: Vec<f64> = tuner.tuning.genes.iter().map(|g| g.start).collect();
        assert_ne!(tuner.best().unwrap().genome, start, "{method} moved");
    }
}

#[test]
fn it_stops_when_the_test_says_so_and_goes_on_when_asked() {
    // Against somebody who wants few discs nearly everything passes.
    let easy = FILE
        .replace("eval=max-disc", "eval=min-disc")
        .replace("elo1 = 900\ngames = 2", "elo1 = 50\ngames = 100")
        .replace("generations = 3", "generations = 9");
    let tuner = tune(&easy, false);
    assert!(
        tuner.stopped_early && tuner.history.len() < 9,
        "{}",
        tuner.history.len()
    );
    assert!(tuner.outcome.unwrap().better);
}

#[test]
fn bad_tunings_are_explained() {
    let (catalog, shelf) = (catalog(), Shelf::new());
    for (from, to, says) in [
        ("discs-b", "disks-b", "there are: depth, discs-m"),
        (
            "from = -1\nto = 1\nstep",
            "from = 1\nto = -1\nstep",
            "cannot be turned",
        ),
        ("population = 8", "method = \"luck\"", "not a way to tune"),
        ("games = 20", "games = 7", "even number"),
        ("elo1 = 900", "elo1 = -3", "elo0 below elo1"),
        ("edge-b", "discs-b", "turned twice"),
        ("max-disc", "max-dics", "max-disc"),
        ("seed = 5", "sead = 5", "sead"),
    ] {
        let result = TuneFile::read(&FILE.replacen(from, to, 1), "bad")
            .and_then(|f| f.tuning(&catalog, &shelf));
        let error: ArenaError = result.map(|_| ()).unwrap_err();
        let said = format!("{error} {}", error.hint());
        assert!(said.contains(says), "{says}: {said}");
    }
    let store = Store::memory().unwrap();
    let tuning = |text: &str| file(text).tuning(&catalog, &shelf).unwrap();
    let mut tuner = Tuner::begin(&store, tuning(FILE)).unwrap();
    let tournament = tuner.next(&catalog, &shelf).unwrap().unwrap();
    let mut coordinator = Coordinator::begin(&store, header(tournament)).unwrap();
    let stop = AtomicBool::new(false);
    run(&mut coordinator, &hall(), 2, &stop, &|| 1, &mut |_| {
        ControlFlow::Continue(())
    })
    .unwrap();
    tuner.tell(&coordinator.ledger());
    tuner.keep(&store, 1).unwrap();
    let other = Tuner::begin(&store, tuning(&FILE.replace("seed = 5", "seed = 6")));
    assert!(matches!(other, Err(ArenaError::Changed { .. })));
    // More generations are no other tuning.
    assert!(
        Tuner::begin(
            &store,
            tuning(&FILE.replace("generations = 3", "generations = 30"))
        )
        .is_ok()
    );
}
