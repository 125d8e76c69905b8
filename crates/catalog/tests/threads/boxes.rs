//! Boxes and beads in every small open game of two, from the rules alone.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use wits_game::{Seat, Seed};
use wits_matchbox::graph::everywhere;
use wits_matchbox::{
    Boxes, Course, Graph, Machine, NoGraph, Opponent, Preset, Rival, Scheme, Subject, chances,
    train,
};
use wits_play::contract::{Laws, check_player};
use wits_play::{AnyGame, AnyPlayer, Runner, Shelf, Spec};

fn game(spec: &str) -> Arc<dyn AnyGame> {
    let spec: Spec = spec.parse().unwrap();
    wits_catalog::all().game(&spec, &Shelf::new()).unwrap()
}

fn graph(spec: &str) -> Graph {
    Graph::of(&game(spec)).unwrap_or_else(|why| panic!("{spec}: {why}"))
}

/// Small variants of games that have no boxes of their own.
const SMALL: [&str; 4] = [
    "rainbow:n=5,k=3,c=3",
    "rainbow:n=4,k=3,c=3,first=breaker",
    "othello:size=4",
    "thue-append:symbols=3,goal=8",
];

/// How many symmetries the rules have: those of the board, times the names of colours or symbols where these mean nothing.
#[test]
fn symmetries_are_found_in_the_rules() {
    for (spec, symmetries) in [
        ("tictactoe", 8),
        ("hexapawn", 2),
        ("notakto", 8),
        ("domineering:rows=3,cols=3", 4),
        ("connect3:rows=3,cols=3", 2),
        ("mnk:rows=3,cols=3", 8),
        // Each of the two rows can exchange its ends and its middle, and the rows each other: more than the board's own four.
        ("mnk:rows=2,cols=4", 32),
        ("chomp:rows=3,cols=4", 1),
        // 3 is in every progression (123, 234, 345, 135), so the other numbers go round: eight images of 1, 2, 4, 5, and
        // three colours that can change their names.
        ("rainbow:n=5,k=3,c=3", 48),
        // A half turn and two diagonals keep the four discs.
        ("othello:size=4", 4),
    ] {
        assert_eq!(graph(spec).images(), symmetries, "{spec}");
    }
}

#[test]
fn boxes_of_a_graph_are_those_of_its_own_room() {
    for own in [
        "tictactoe",
        "notakto",
        "connect3",
        "mnk:rows=3,cols=3",
        "domineering:rows=3,cols=3",
    ] {
        let room = Subject::named(own).unwrap();
        for seat in [Seat::FIRST, Seat::SECOND] {
            let preset = Preset::of(room.clone(), seat);
            let found = Preset::of(Subject::Graph(graph(own)), seat);
            for scheme in [Scheme::None, Scheme::Full] {
                let boxes = |preset: &Preset| {
                    let machine = preset.clone().with_scheme(scheme).machine().unwrap();
                    let choices = machine.cabinet().labels().iter();
                    // Some rooms keep a box where there is one move only.
                    choices.filter(|label| label.moves.len() > 1).count()
                };
                let merged = scheme == Scheme::Full && preset.twins != found.twins;
                if !merged {
                    assert_eq!(boxes(&preset), boxes(&found), "{own} {scheme}");
                }
            }
        }
    }
    let menace = Preset::of(Subject::Graph(graph("tictactoe")), Seat::FIRST);
    let menace = Boxes::from(&menace.machine().unwrap());
    assert_eq!(menace.by_move, [1, 12, 108, 183]);
}

/// What the first seat gets at the start when both play best, as the rooms' own solvers have it.
#[test]
fn labels_know_what_positions_are_worth() {
    for (spec, value) in [
        ("rainbow:n=4,k=3,c=3", -1),
        ("rainbow:n=5,k=3,c=3", 1),
        ("rainbow:n=4,k=3,c=3,first=breaker", 1),
        ("othello:size=4", -1),
    ] {
        let graph = graph(spec);
        let seats = [Seat::FIRST, Seat::SECOND];
        let starts = seats.map(|seat| {
            let preset = Preset::of(Subject::Graph(graph.clone()), seat);
            let cabinet = preset.cabinet().unwrap();
            let first = cabinet.labels().first().cloned();
            first.filter(|label| label.number == 1).map(|l| l.value)
        });
        let start = match starts {
            [Some(value), _] => value,
            [None, Some(value)] => -value,
            [None, None] => panic!("{spec} has no first box"),
        };
        assert_eq!(start, value, "{spec}");
    }
}

#[test]
fn games_without_boxes_say_why() {
    for (spec, why) in [
        ("thue-solitaire", NoGraph::Seats),
        ("scrabble", NoGraph::Chance),
        ("othello", NoGraph::Large),
        ("rainbow:n=3,k=3,c=2", NoGraph::Alike),
        ("thue:symbols=2", NoGraph::Alike),
        // The Grower gets the length of the word, which is never nothing.
        ("thue-erase:symbols=3,max_moves=5", NoGraph::Alike),
        ("thue-erase", NoGraph::Large),
    ] {
        assert_eq!(Graph::of(&game(spec)).err(), Some(why), "{spec}");
    }
    let catalog = everywhere(&wits_catalog::all());
    let large: Spec = "othello".parse().unwrap();
    let large = catalog.game(&large, &Shelf::new()).unwrap();
    let refused = large.player(&Spec::named("matchbox"), Seat::FIRST, &Shelf::new());
    let refused = refused.err().expect("too many positions");
    assert!(
        refused.to_string().contains("100000 positions"),
        "{refused}"
    );
}

#[test]
fn boxes_keep_the_law_in_every_small_game() {
    let catalog = everywhere(&wits_catalog::all());
    let laws = Laws {
        threads: true,
        ..Laws::default()
    };
    for text in SMALL {
        let spec: Spec = text.parse().unwrap();
        let entry = catalog.entry(&spec.name).unwrap();
        assert!(entry.players().iter().all(|card| card.id != "matchbox"));
        let cards = entry.unlisted();
        let card = cards.iter().find(|card| card.id == "matchbox").unwrap();
        let game = entry.game(&spec, &Shelf::new()).unwrap();
        for seat in Seat::all(game.seats()) {
            check_player(&*game, &Spec::named(card.id), seat, &Shelf::new(), &laws)
                .unwrap_or_else(|breach| panic!("{text}: {breach}"));
        }
    }
}

/// The whole way of a machine: made, sent to school, written, read, and seated with what it learned.
#[test]
fn a_machine_of_a_small_game_learns_and_is_kept() {
    let spec = "rainbow:n=5,k=3,c=3";
    let subject = Subject::Graph(graph(spec));
    let fresh = Preset::of(subject.clone(), Seat::FIRST).machine().unwrap();
    let chart = subject.chart([Some(&**fresh.cabinet()), None]).unwrap();
    let wins = |machine: &Machine| chances(&chart, machine, Rival::Random).win.approximate();
    let course = Course::new(400, 120, Seed::new(5));
    let never = AtomicBool::new(false);
    let done = train(&chart, &fresh, &Opponent::Random, &course, &|_| {}, &never);
    let share = |point: Option<&wits_matchbox::Point>| point.unwrap().win;
    let (first, last) = (share(done.curve.first()), share(done.curve.last()));
    assert!(last > first + 0.05, "{first} {last}");

    let catalog = everywhere(&wits_catalog::all());
    let table = catalog.game(&spec.parse().unwrap(), &Shelf::new()).unwrap();
    let mut shelf = Shelf::new();
    shelf.put("m.json", fresh.to_text().into_bytes());
    let by = "matchbox:file=m.json,learn=true".parse().unwrap();
    let mut pupil = table.player(&by, Seat::FIRST, &shelf).unwrap();
    let mut random = table
        .player(&Spec::named("random"), Seat::SECOND, &shelf)
        .unwrap();
    for round in 0..200 {
        let mut players = [&mut *pupil as &mut dyn AnyPlayer, &mut *random as _];
        Runner::default().run(&*table, &mut players, Seed::new(round), &shelf);
    }
    let kept = pupil.memory().unwrap().to_string();
    let named = |game: &str| (game == subject.spec()).then(|| subject.clone());
    let taught = Machine::read_by(&kept, &named).unwrap();
    assert_eq!(taught.taught().wins + taught.taught().losses, 200);
    assert!(
        wins(&taught) > wins(&fresh),
        "{} {}",
        wins(&taught),
        wins(&fresh)
    );
    assert!(Machine::read(&kept).is_err(), "nobody else knows its game");
}
