//! Whole tournaments: formats, faults, ties, resuming.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use crate::common::{catalog, hall, header, table, timeless, tournament};
use wits_arena::stats::Counts;
use wits_arena::{ArenaError, Completed, Coordinator, File, Plan, Stop, run};
use wits_play::Shelf;
use wits_store::Store;

const SMALL: &str = r#"
game = "tictactoe"
players = ["random", "alphabeta:depth=2", "mcts:nodes=30"]
games = 10
random-plies = 1
seed = 7
"#;

#[test]
fn the_table_does_not_depend_on_threads() {
    let one = timeless(table(SMALL, 1));
    assert_eq!(one, timeless(table(SMALL, 4)));
    assert_eq!(one.games, 30);
    assert_eq!(one.rows.len(), 3);
    assert_eq!(one.rows.last().unwrap().name, "random");
    let points: f64 = one.rows.iter().map(|r| r.points).sum();
    assert!((points - 30.0).abs() < 1e-9);
    for row in &one.rows {
        assert_eq!((row.results, row.games), (20, 20));
        assert_eq!(row.wins + row.draws + row.losses, 20);
        assert!(row.score_interval.0 <= row.score && row.score <= row.score_interval.1);
        assert!(row.nodes_per_move >= 1.0 && row.faults.total() == 0);
    }
    let cell = one.cross[0][1].unwrap();
    let back = one.cross[1][0].unwrap();
    assert_eq!((cell.wins, cell.draws), (back.losses, back.draws));
    assert!(matches!(cell.counts, Counts::Pairs(p) if p.iter().sum::<u64>() == 5));
    assert!((cell.superiority + back.superiority - 1.0).abs() < 1e-12);
}

#[test]
fn a_pairing_has_the_same_opening_in_both_seatings() {
    let t = tournament(SMALL);
    let store = Store::memory().unwrap();
    let coordinator = Coordinator::begin(&store, header(t)).unwrap();
    let jobs = coordinator.pending();
    assert_eq!(jobs.len(), 15);
    let stop = AtomicBool::new(false);
    let result = hall().play(&jobs[0], &stop).unwrap();
    let seatings: Vec<_> = result.games.iter().map(|g| g.seating.clone()).collect();
    assert_eq!(seatings, [[0, 1], [1, 0]]);
    // The same job gives the same games, and everything about it survives the wire.
    let wire: wits_arena::Job =
        serde_json::from_str(&serde_json::to_string(&jobs[0]).unwrap()).unwrap();
    assert_eq!(wire, jobs[0]);
    let again = hall().play(&wire, &stop).unwrap();
    let lines =
        |r: &wits_arena::JobResult| r.games.iter().map(|g| g.line.clone()).collect::<Vec<_>>();
    assert_eq!(lines(&again), lines(&result));
    let other = wits_arena::Job {
        version: "0.0.0".to_owned(),
        ..wire
    };
    let refused = hall().play(&other, &stop).unwrap_err().to_string();
    assert!(
        refused.contains("wits 0.0.0") && refused.contains("same version"),
        "{refused}"
    );
}

#[test]
fn a_game_is_played_again_with_its_moves() {
    let t = tournament(SMALL);
    let store = Store::memory().unwrap();
    let coordinator = Coordinator::begin(&store, header(t)).unwrap();
    let job = coordinator.pending().swap_remove(1);
    let stop = AtomicBool::new(false);
    let played = hall().play(&job, &stop).unwrap();
    let spec = job.game.parse().unwrap();
    let game = catalog().game(&spec, &Shelf::new()).unwrap();
    for (number, one) in played.games.iter().enumerate() {
        let (again, record) = hall().again(&job, number, &stop).unwrap();
        assert_eq!((&again.line, &again.payoffs), (&one.line, &one.payoffs));
        // What is written down replays to the same end.
        let record = record.unwrap();
        let table = game.replay(&record).unwrap();
        assert_eq!(table.turn().outcome().unwrap().payoffs, one.payoffs);
    }
    assert!(hall().again(&job, 2, &stop).is_err(), "there are two");
}

#[test]
fn who_breaks_the_rules_loses_and_is_named() {
    let text = r#"
game = "tictactoe"
players = ["random", "panics", "cheats", "hangs", "dawdles"]
format = "gauntlet"
games = 2
[limits]
move-time = 0.3
patience = 1.0
"#;
    let table = table(text, 4);
    let of = |name: &str| table.rows.iter().find(|r| r.name == name).unwrap();
    assert_eq!(of("random").wins, 8);
    assert_eq!(of("panics").faults.crash, 2);
    // Going first nothing is taken yet, so its first move is legal.
    assert_eq!(of("cheats").faults.illegal, 2);
    assert_eq!(of("hangs").faults.hang, 2);
    assert_eq!(of("dawdles").faults.late, 2);
    let told = table.faults.join("\n");
    for words in [
        "`panics` broke down and lost: the gears jammed",
        "`cheats` played an illegal move and lost",
        "`hangs` did not answer and lost",
        "`dawdles` overstepped its time and lost",
    ] {
        assert!(told.contains(words), "{words} in\n{told}");
    }
}

#[test]
fn results_count_once_in_any_order() {
    let t = tournament(SMALL);
    let plain = timeless(table(SMALL, 2));
    let store = Store::memory().unwrap();
    let mut coordinator = Coordinator::begin(&store, header(t)).unwrap();
    let stop = AtomicBool::new(false);
    let mut all: Vec<Completed> = coordinator
        .pending()
        .iter()
        .map(|job| Completed {
            job: job.id.clone(),
            worker: "w".to_owned(),
            result: hall().play(job, &stop).unwrap(),
        })
        .collect();
    all.reverse();
    let first = coordinator.accept(all[..9].to_vec(), 1).unwrap();
    assert_eq!((first.new, first.known, first.foreign), (9, 0, 0));
    // A result under a wrong name, and one of somebody who does not take part.
    let mut forged = all[0].clone();
    forged.job = "0123".to_owned();
    let mut stranger = all[0].clone();
    stranger.result.players = vec![0, 9];
    let mixed = [&all[5..], &[forged, stranger]].concat();
    let second = coordinator.accept(mixed, 2).unwrap();
    assert_eq!((second.new, second.known, second.foreign), (6, 4, 2));
    assert!(coordinator.pending().is_empty());
    let again = Coordinator::open(&store, "test").unwrap();
    assert_eq!(timeless(again.table()), plain);
    assert!(again.progress().finished);
}

#[test]
fn another_file_under_the_same_name_is_refused() {
    let store = Store::memory().unwrap();
    let mut coordinator = Coordinator::begin(&store, header(tournament(SMALL))).unwrap();
    let stop = AtomicBool::new(false);
    // Stop after the first batch.
    let end = run(&mut coordinator, &hall(), 1, &stop, &|| 2, &mut |_| {
        ControlFlow::Break(())
    });
    assert_eq!(end.unwrap(), Stop::Enough);
    let done = coordinator.done();
    assert!(done > 0);
    let changed = tournament(&SMALL.replace("seed = 7", "seed = 8"));
    let Err(error) = Coordinator::begin(&store, header(changed.clone())) else {
        panic!("it was mixed");
    };
    assert!(matches!(&error, ArenaError::Changed { results, .. } if *results == done));
    assert!(error.to_string().contains("another seed"), "{error}");
    assert!(error.hint().contains("--anew"));
    // The old one still goes on, and starting anew forgets it.
    assert_eq!(
        Coordinator::begin(&store, header(tournament(SMALL)))
            .unwrap()
            .done(),
        done
    );
    assert_eq!(
        Coordinator::anew(&store, header(changed)).unwrap().done(),
        0
    );
    assert!(Coordinator::open(&store, "nobody").is_err());
}

#[test]
fn swiss_rounds_pair_equals_who_have_not_met() {
    let text = r#"
game = "tictactoe"
players = ["random", "alphabeta:depth=1", "alphabeta:depth=2", "alphabeta:depth=9", "mcts:nodes=10"]
format = "swiss"
rounds = 3
games = 4
random-plies = 2
seed = 3
"#;
    let table = table(text, 2);
    let byes: u32 = table.rows.iter().map(|r| r.byes).sum();
    assert_eq!(byes, 3);
    assert!(
        table.rows.iter().all(|r| r.byes <= 1),
        "nobody sits out twice"
    );
    // Three rounds of two meetings: six of the ten pairs met, none twice.
    let met = table.cross.iter().flatten().flatten().count();
    assert_eq!(met, 12);
    assert_eq!(table.games, 24);
}

#[test]
fn a_knockout_has_one_winner() {
    let text = r#"
game = "tictactoe"
players = ["alphabeta:depth=9", "random", "mcts:nodes=50", { name = "twin", spec = "random" }, "alphabeta:depth=1"]
format = "knockout"
games = 4
seed = 5
"#;
    let table = table(text, 3);
    assert_eq!(table.rows[0].reached, Some(3));
    assert_eq!(table.rows[1].reached, Some(2));
    assert_ne!(table.rows[0].spec.split(':').next(), Some("random"));
    // Four matches at least, one for everybody who is out.
    let met = table.cross.iter().flatten().flatten().count();
    assert_eq!(met, 8);
}

#[test]
fn three_at_a_table_meet_in_every_seating_and_learners_live_one_life() {
    let text = r#"
game = "tricks"
players = ["random", "habit", { name = "twin", spec = "random" }, { name = "third", spec = "random" }]
games = 12
seed = 2
"#;
    let t = tournament(text);
    let plan = Plan::new(&t);
    assert_eq!(plan.meetings().len(), 4);
    let store = Store::memory().unwrap();
    let coordinator = Coordinator::begin(&store, header(t.clone())).unwrap();
    let jobs = coordinator.pending();
    // Three groups with the learner are one life each; the one without has two pairings.
    assert_eq!(jobs.len(), 5);
    assert!(jobs.iter().all(|j| j.seatings.len() == 6));
    let first = timeless(table(text, 1));
    assert_eq!(first, timeless(table(text, 3)));
    assert_eq!(first.games, 48);
    assert_eq!(first.rows.iter().map(|r| r.games).sum::<u64>(), 3 * 48);
}

#[test]
fn draws_go_where_the_rule_says() {
    // Two perfect players draw every game of tic-tac-toe.
    let with = |ties: &str| {
        table(
            &format!(
                r#"
game = "tictactoe"
players = [{{ name = "a", spec = "alphabeta:depth=9" }}, {{ name = "b", spec = "alphabeta:depth=9" }}, "random"]
games = 4
seed = 1
ties = "{ties}"
"#
            ),
            2,
        )
    };
    let half = with("half").cross[0][1].unwrap();
    assert_eq!((half.wins, half.draws, half.losses), (0, 4, 0));
    let time = with("time").cross[0][1].unwrap();
    assert_eq!(time.wins + time.losses + time.draws, 4);
    assert!(time.draws < 4, "one of them was quicker");
    let brightwell = with("brightwell").cross[0][1].unwrap();
    assert!(brightwell.wins == 4 || brightwell.losses == 4 || brightwell.draws == 4);
    let replay = with("replay");
    assert_eq!(replay.cross[0][1].unwrap().draws, 4, "at last they share");
}

#[test]
fn bad_files_are_explained() {
    let catalog = catalog();
    for (text, says) in [
        ("game = ", "not a tournament"),
        (
            "game = \"tictactoe\"\nplayers = []\ngmaes = 3",
            "unknown field `gmaes`",
        ),
        ("game = \"tictactoe\"\nplayers = [\"random\"]", "too few"),
        (
            "game = \"tictacto\"\nplayers = [\"random\", \"mcts\"]",
            "the game: ",
        ),
        (
            "game = \"tictactoe\"\nplayers = [\"random\", \"mtcs\"]",
            "player `mtcs`: ",
        ),
        (
            "game = \"tictactoe\"\nplayers = [\"random\", \"mcts:nods=3\"]",
            "nods",
        ),
        (
            "game = \"tictactoe\"\nplayers = [\"random\", \"human\"]",
            "player `human`",
        ),
        (
            "game = \"tictactoe\"\nplayers = [\"random\", \"random\"]",
            "entered twice",
        ),
        (
            "game = \"tictactoe\"\nplayers = [\"random\", \"mcts\"]\ngames = 3",
            "split into pairings of 2",
        ),
        (
            "game = \"tictactoe\"\nplayers = [\"random\", \"mcts\"]\nformat = \"league\"",
            "not a format",
        ),
        (
            "game = \"tictactoe\"\nplayers = [\"random\", \"mcts\"]\nties = \"coin\"",
            "rule for draws",
        ),
        (
            "game = \"tictactoe\"\nplayers = [\"random\", \"mcts\"]\nopenings = [\"b2 b2\"]",
            "opening 1 cannot be played",
        ),
        (
            "game = \"tictactoe\"\nplayers = [\"random\", \"mcts\"]\nanchor = \"mtcs\"",
            "not among the players",
        ),
        (
            "game = \"tictactoe\"\nplayers = [\"random\", \"mcts\"]\n[limits]\nthink = -1",
            "not a length of time",
        ),
        (
            "game = \"tricks\"\nplayers = [\"random\", \"habit\", {name=\"x\",spec=\"random\"}]\nformat = \"swiss\"",
            "for two",
        ),
    ] {
        let error = File::read(text, "t").and_then(|f| f.tournament(&catalog, &Shelf::new()));
        let error = error.map(|_| ()).unwrap_err();
        assert!(error.to_string().contains(says), "{text}\n{error}");
        assert!(!error.hint().is_empty());
    }
}

#[test]
fn openings_are_played_in_turn() {
    let text = r#"
game = "tictactoe"
players = ["alphabeta:depth=9", "random"]
openings = ["b2", "a1 b2", { position = "X-O/-X-/--O" }]
games = 6
"#;
    let t = tournament(text);
    let store = Store::memory().unwrap();
    let jobs = Coordinator::begin(&store, header(t)).unwrap().pending();
    assert_eq!(jobs[0].opening.moves, ["b2"]);
    assert_eq!(jobs[1].opening.moves.len(), 2);
    assert!(jobs[2].opening.position.is_some());
    assert_eq!(table(text, 1).games, 6);
}
