//! Machine files, edits with undo, comparison, and machines as players.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::sync::Arc;

use proptest::prelude::*;
use wits_game::{Game, Seat, Seed, Turn};
use wits_matchbox::hexapawn::{Hexapawn, Perfect};
use wits_matchbox::player::Matchbox;
use wits_matchbox::{
    Bench, Edit, Machine, Opponent, Preset, Scheme, Subject, Verdict, differences, school,
};
use wits_play::{Budget, Choice, Desk, Match, Player, Recorder, Shelf, Spec};

fn her() -> Machine {
    Preset::named("her").unwrap().machine().unwrap()
}

#[test]
fn files_survive() {
    for name in ["her", "him", "menace", "menace2"] {
        for scheme in [Scheme::None, Scheme::Gardner, Scheme::Full] {
            let machine = Preset::named(name)
                .unwrap()
                .with_scheme(scheme)
                .machine()
                .unwrap();
            let read = Machine::read(&machine.to_text());
            assert_eq!(read.as_ref(), Ok(&machine), "{name} {scheme}");
            assert_eq!(
                Machine::read(&machine.to_json().to_string()).unwrap(),
                machine
            );
        }
    }
    let text = her().to_text();
    assert_eq!(text.lines().count(), 24 + 12, "one line per box:\n{text}");
}

/// What to replace in HER's file, by what, and what the error must say.
const SLIPS: &[(&str, &str, &str, &str)] = &[
    (
        "\"matchbox\": 1",
        "\"matchbox\": 9",
        "version",
        "line 2: the file has version 9",
    ),
    (
        "hexapawn:rows=3,cols=3",
        "chess",
        "other-game",
        "line 4: `chess` is not a game that boxes learn",
    ),
    (
        "hexapawn:rows=3,cols=3",
        "hexapawn:rows=4,cols=3",
        "unknown-position",
        "never comes up for Black",
    ),
    (
        "BBB/W--/-WW b",
        "BBB/WW-/-WW b",
        "unknown-position",
        "line 11: box `BBB/WW-/-WW b`: no such box",
    ),
    (
        "\"b3xa2\": 1",
        "\"b3xa2\": -1",
        "negative",
        "line 11: box `BBB/W--/-WW b`: -1 beads for `b3xa2`",
    ),
    (
        "\"b3xa2\": 1",
        "\"b3xa2\": 99999999999",
        "too-many",
        "are too many",
    ),
    (
        "\"b3xa2\": 1",
        "\"a3-a1\": 1",
        "unknown-bead",
        "there is no bead `a3-a1`",
    ),
    (
        "\"b3xa2\": 1",
        "\"b3-b2\": 1",
        "twice",
        "the bead `b3-b2` is there twice",
    ),
    (
        "\"b3xa2\": 1",
        "\"b3xa2\": 1.5",
        "not-a-machine",
        "line 11: the file is not a machine",
    ),
    ("\"seat\": 2", "\"seat\": 7", "not-a-machine", "line 5"),
    ("\"seat\": 2", "\"chair\": 2", "not-a-machine", "line 5"),
    ("{", "", "not-a-machine", "is not a machine"),
];

#[test]
fn slips_of_the_pen_are_named_with_their_line() {
    let good = her().to_text();
    for (from, to, code, says) in SLIPS {
        assert!(good.contains(from), "{from}\n{good}");
        let error = Machine::read(&good.replacen(from, to, 1)).unwrap_err();
        assert_eq!(error.code, *code, "{to}: {error}");
        assert!(error.to_string().contains(says), "{to}: {error}");
    }
    let error = Machine::read_for(&good, "tictactoe")
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("plays `hexapawn:rows=3,cols=3`, not `tictactoe`"),
        "{error}"
    );
}

#[test]
fn a_missing_box_is_an_empty_one() {
    let text = her().to_text();
    let line = text.lines().find(|l| l.contains("BBB/W--/-WW b")).unwrap();
    let machine = Machine::read(&text.replace(&format!("{line}\n"), "")).unwrap();
    assert_eq!((machine.empty_boxes(), machine.cabinet().len()), (1, 24));
}

#[test]
fn too_large_boards_say_how_large() {
    let subject = Subject::named("hexapawn:rows=8,cols=8").unwrap();
    let error = Preset::of(subject, Seat::SECOND)
        .machine()
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("more than 200000 positions, at most"),
        "{error}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Undoing everything gives the machine back, redoing everything the edited one.
    #[test]
    fn undo_is_exact(edits in prop::collection::vec((0usize..26, 0usize..5, 0u32..50), 1..30)) {
        let machine = her();
        let mut bench = Bench::new(machine.clone());
        let mut made = 0;
        for (at, bead, count) in edits {
            let edit = match count % 5 {
                0 => Edit::Reset,
                1 => Edit::Fill { at, beads: vec![count; bead] },
                _ => Edit::Set { at, bead, count },
            };
            let before = bench.machine().clone();
            if bench.edit(&edit).is_ok() {
                made += 1;
            } else {
                prop_assert_eq!(&before, bench.machine(), "a refused edit changes nothing");
            }
        }
        let edited = bench.machine().clone();
        for _ in 0..made {
            prop_assert!(bench.undo());
        }
        prop_assert!(!bench.undo());
        prop_assert_eq!(bench.machine(), &machine);
        while bench.redo() {}
        prop_assert_eq!(bench.machine(), &edited);
    }
}

#[test]
fn clones_are_compared() {
    let one = her();
    let mut two = one.called("twin");
    assert_eq!(differences(&one, &two).unwrap(), []);
    two.edit(&Edit::Set {
        at: 3,
        bead: 0,
        count: 7,
    })
    .unwrap();
    let found = differences(&one, &two).unwrap();
    assert_eq!(
        (found.len(), found[0].at, found[0].left, found[0].right),
        (1, 3, 1, 7)
    );
    let him = Preset::named("him").unwrap().machine().unwrap();
    assert!(differences(&one, &him).is_err());
}

/// A game of Hexapawn between two players; the moves, and what the second seat got.
fn play(
    first: &mut dyn Player<Hexapawn>,
    second: &mut dyn Player<Hexapawn>,
    seed: u64,
) -> (Match<Hexapawn>, i32) {
    let mut table = Match::new(Arc::new(Hexapawn::CLASSIC), Seed::new(seed), None);
    while let Turn::Of(seat) = table.turn() {
        let player: &mut dyn Player<Hexapawn> = if seat == Seat::FIRST {
            &mut *first
        } else {
            &mut *second
        };
        let budget = Budget::endless();
        let mut desk = Desk {
            budget: &budget,
            dice: table.dice(seat),
            tell: &mut |_| {},
            record: None,
        };
        match player.choose(&Hexapawn::CLASSIC, table.state(), &mut desk) {
            Choice::Move(step) => drop(table.play_move(&step, None).unwrap().clone()),
            Choice::Resign => drop(table.end(seat, wits_game::End::Resigned).unwrap().clone()),
        }
    }
    let Turn::Over(outcome) = table.turn() else {
        unreachable!()
    };
    second.learn(
        &Hexapawn::CLASSIC,
        &table.seen(Seat::SECOND),
        &outcome,
        Seat::SECOND,
    );
    (table, outcome.payoff(Seat::SECOND))
}

#[test]
fn a_trained_her_is_never_beaten_by_perfect_play() {
    let preset = Preset::named("her").unwrap();
    let fresh = preset.machine().unwrap();
    let chart = preset
        .subject
        .chart([None, Some(&**fresh.cabinet())])
        .unwrap();
    for seed in 0..5 {
        let machine = school(&chart, &fresh, &Opponent::Punishing, 300, Seed::new(seed));
        let mut her = Matchbox::new(machine, false);
        for game in 0..100 {
            let mut white = Perfect::new(Hexapawn::CLASSIC, 10, 10_000);
            let (table, payoff) = play(&mut white, &mut her, seed * 1000 + game);
            assert_eq!(payoff, 1, "{:?}", table.events());
        }
    }
}

#[test]
fn it_learns_in_matches_and_tells_its_lesson() {
    let mut her = Matchbox::new(her(), true);
    let before = her.machine(Seat::SECOND).unwrap().total();
    let (mut losses, mut lessons) = (0, 0);
    for game in 0..300 {
        let mut white = wits_play::Random;
        let (table, payoff) = play(&mut white, &mut her, game);
        losses += u64::from(payoff < 0);
        lessons += her.lesson().len();
        assert!(her.lesson().iter().all(|step| step.kind.word() == "teach"));
        // The lesson can be found again from the record of the game alone.
        let moves: Vec<String> = table
            .moves(wits_game::Eyes::All)
            .map(|(_, text, _)| text.to_owned())
            .collect();
        let subject = Subject::Hexapawn(Hexapawn::CLASSIC);
        let drawn = subject
            .drawn(her.machine(Seat::SECOND).unwrap().cabinet(), &moves)
            .unwrap();
        assert_eq!(drawn.len(), her.lesson().len());
    }
    let after = her.machine(Seat::SECOND).unwrap();
    assert_eq!(before - after.total(), losses, "every loss costs one bead");
    assert!((5..=19).contains(&losses), "{losses}");
    assert!(lessons > 300);
    assert_eq!(after.taught().losses, losses);
    let memory = <Matchbox as Player<Hexapawn>>::memory(&her).unwrap();
    assert_eq!(Machine::read(&memory.to_string()).unwrap(), *after);
}

#[test]
fn an_empty_box_resigns_and_the_bead_before_it_goes() {
    let mut machine = her();
    let cabinet = machine.cabinet().clone();
    let at = cabinet.labels().iter().position(|l| l.number == 4).unwrap();
    machine
        .edit(&Edit::Fill {
            at,
            beads: vec![0; cabinet.labels()[at].moves.len()],
        })
        .unwrap();
    let state = Hexapawn::CLASSIC
        .position(&cabinet.labels()[at].position)
        .unwrap();
    let mut player = Matchbox::new(machine, true);
    let budget = Budget::endless();
    let mut recorder = Recorder::new(10);
    let dice = wits_game::Dice::new(Seed::new(1));
    let mut desk = Desk {
        budget: &budget,
        dice,
        tell: &mut |_| {},
        record: Some(&mut recorder),
    };
    assert_eq!(
        player.choose(&Hexapawn::CLASSIC, &state, &mut desk),
        Choice::Resign
    );
    // The first bead was drawn from box 0 and led here; the loss takes it.
    let mut machine = player.machine(Seat::SECOND).unwrap().clone();
    let mut steps: Vec<wits_search::Step> = Vec::new();
    machine.teach(
        &[wits_matchbox::Drawn { at: 0, bead: 1 }],
        Verdict::Loss,
        &mut steps,
    );
    assert_eq!(machine.beads(0)[1], 0);
    assert!(
        steps[0].says.to_string().contains("1 fewer"),
        "{}",
        steps[0].says
    );
}

#[test]
fn specs_of_machines() {
    let entry = wits_matchbox::hexapawn::entry().erase();
    let mut shelf = Shelf::new();
    shelf.put("her.json", her().to_text().into_bytes());
    shelf.put(
        "menace.json",
        Preset::named("menace")
            .unwrap()
            .machine()
            .unwrap()
            .to_text()
            .into_bytes(),
    );
    shelf.put("noise", vec![0xff, 0xfe]);
    let game = entry.game(&Spec::named("hexapawn"), &shelf).unwrap();
    let ask = |text: &str| {
        let spec: Spec = text.parse().unwrap();
        game.player(&spec, Seat::SECOND, &shelf)
            .map(|p| p.learns())
            .map_err(|e| e.to_string())
    };
    assert_eq!(ask("matchbox:file=her.json,learn=true"), Ok(true));
    assert_eq!(
        ask("matchbox:scheme=full,start=4/3/2/1,win=3,draw=1,loss=-1,punish=all,cap=20"),
        Ok(false)
    );
    assert_eq!(
        ask("matchbox:file=new.json,learn=true"),
        Ok(true),
        "a new file may be begun"
    );
    for (text, says) in [
        (
            "matchbox:file=nobody.json",
            "there is no machine called `nobody.json`",
        ),
        ("matchbox:file=menace.json", "the machine plays `tictactoe`"),
        ("matchbox:file=noise", "it is not text"),
        (
            "matchbox:file=her.json,scheme=full",
            "`scheme` is fixed by the machine",
        ),
        ("matchbox:start=4/0", "`4/0` is not a list of beads"),
    ] {
        let error = ask(text).unwrap_err();
        assert!(error.contains(says), "{text}: {error}");
    }
    let large = entry
        .game(&"hexapawn:rows=8,cols=8".parse().unwrap(), &shelf)
        .unwrap();
    let error = large
        .player(&Spec::named("matchbox"), Seat::FIRST, &shelf)
        .err()
        .unwrap();
    assert_eq!(error.code, "too-large");
}
