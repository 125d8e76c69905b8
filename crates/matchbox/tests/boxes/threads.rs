//! What the threads of boxes and of perfect players show.

use serde_json::Value;
use wits_game::{Seat, Seed, Turn};
use wits_matchbox::mini;
use wits_matchbox::{Edit, Machine, Preset, hexapawn, tictactoe};
use wits_play::{
    AnyDesk, AnyGame, AnyMatch, Budget, Choice, Limits, Recorder, Shelf, Spec, check_decision,
};
use wits_search::{Kind, Thread};

fn spec(text: &str) -> Spec {
    text.parse().expect("a spec")
}

/// Plays a game by lot, and checks the first `most` decisions on the way.
fn walk(game: &dyn AnyGame, by: &Spec, shelf: &Shelf, most: usize) -> Vec<Thread> {
    let mut table = game.begin(Seed::new(3), None);
    let mut threads = Vec::new();
    while let Turn::Of(seat) = table.turn()
        && threads.len() < most
    {
        let asked = if threads.len() < 2 { 3 } else { 1 };
        let limits = Limits::nodes(20_000);
        let thread = check_decision(game, table.as_ref(), by, shelf, limits, asked);
        threads.push(thread.unwrap_or_else(|breach| panic!("{breach}")));
        let options = table.options();
        let mv = table.dice(seat).pick(&options).cloned().expect("a move");
        table.play(seat, &mv, None).expect("legal");
    }
    threads
}

#[test]
fn every_decision_of_every_small_game_can_be_followed() {
    let entries = [
        hexapawn::entry().erase(),
        tictactoe::entry().erase(),
        mini::chomp().erase(),
        mini::nim().erase(),
        mini::tactix().erase(),
        mini::domineering().erase(),
        mini::notakto().erase(),
        mini::connect3().erase(),
        mini::mnk().erase(),
    ];
    let shelf = Shelf::new();
    for entry in entries {
        let game = entry
            .game(&Spec::named(entry.id()), &shelf)
            .expect("a game");
        // Who plays perfectly learns the whole game by heart each time.
        for (by, most) in [("matchbox", 20), ("perfect", 3)] {
            for thread in walk(&*game, &spec(by), &shelf, most) {
                assert!(!thread.header.summary.is_empty(), "{} {by}", entry.id());
            }
        }
    }
}

/// One machine through a whole game, each decision recorded.
fn game_of(machine: &Machine, shown: &str) -> Vec<Thread> {
    let game = hexapawn::entry().erase();
    let game = game.game(&spec("hexapawn"), &Shelf::new()).expect("a game");
    let mut shelf = Shelf::new();
    shelf.put("m.json", machine.to_text().into_bytes());
    let mut player = game
        .player(&spec(shown), Seat::SECOND, &shelf)
        .expect("a player");
    let mut table = game.begin(Seed::new(2), None);
    let mut threads = Vec::new();
    while let Turn::Of(white) = table.turn() {
        let last = table.options().pop().expect("a move");
        table.play(white, &last, None).expect("legal");
        if table.turn() != Turn::Of(Seat::SECOND) {
            break;
        }
        let mut recorder = Recorder::default();
        let desk = AnyDesk {
            budget: &Budget::endless(),
            dice: table.dice(Seat::SECOND),
            tell: &mut |_| {},
            record: Some(&mut recorder),
        };
        let choice = player.choose(table.as_ref(), desk);
        let text = match &choice {
            Choice::Move(text) => text.clone(),
            Choice::Resign => "resign".to_owned(),
        };
        threads.push(player.thread(recorder, &*game, table.as_ref(), Seed::new(2), &text));
        if choice == Choice::Resign {
            break;
        }
        table.play(Seat::SECOND, &text, None).expect("legal");
    }
    threads
}

/// A machine that has only one kind of bead in each box of its first move.
fn stubborn() -> Machine {
    let mut her = Preset::named("her")
        .expect("known")
        .machine()
        .expect("small");
    let keep = |her: &mut Machine, position: &str, bead: &str| {
        let at = her.cabinet().labelled(position).expect("a box");
        let moves = her.cabinet().labels()[at].moves.clone();
        let beads = moves.iter().map(|m| u32::from(m == bead) * 3).collect();
        her.edit(&Edit::Fill { at, beads }).expect("fits");
    };
    for label in her.cabinet().labels().to_vec() {
        if label.number == 2 {
            keep(&mut her, &label.position, &label.moves[0]);
        }
    }
    her
}

#[test]
fn boxes_on_the_way_beads_and_lessons_are_told() {
    let machine = stubborn();
    let threads = game_of(&machine, "matchbox:file=m.json,learn=true");
    let draws = |thread: &Thread| {
        let steps = thread.steps.iter();
        let of = steps.filter(|s| s.kind == Kind::Draw && s.data.contains_key("box"));
        of.map(|s| s.data["box"].clone()).collect::<Vec<Value>>()
    };
    assert_eq!(draws(&threads[0]).len(), 1);
    // The first box lies open on the way to the second.
    let (one, two) = (draws(&threads[0]), draws(&threads[1]));
    assert_eq!((two.len(), two.first()), (2, one.first()));
    let first = &threads[0];
    let text = first.text();
    assert!(text.contains("gained for"), "{text}");
    assert!(text.contains("lost for"), "{text}");
    let draw = first.steps.iter().rfind(|s| s.kind == Kind::Draw);
    let draw = &draw.expect("a draw").data;
    assert_eq!(draw["before"], 3);
    assert_eq!(draw["after"], 2);
    // What the note promises is what a lost game does.
    assert!(
        text.contains("3 beads for") && text.contains("2 for a loss"),
        "{text}"
    );
}

#[test]
fn an_empty_box_is_told_and_checked() {
    let mut machine = stubborn();
    for at in 0..machine.cabinet().len() {
        let beads = vec![0; machine.cabinet().labels()[at].moves.len()];
        machine.edit(&Edit::Fill { at, beads }).expect("fits");
    }
    let threads = game_of(&machine, "matchbox:file=m.json");
    assert_eq!(threads[0].footer.result, "resign");
    let game = hexapawn::entry().erase();
    let game = game.game(&spec("hexapawn"), &Shelf::new()).expect("a game");
    let report = wits_play::check::check(&*game, &threads[0]);
    assert!(report.ok(), "{report:?}");
    assert!(threads[0].header.summary.contains("is empty"));
}

/// Moves that a symmetry makes the same share their beads, and the thread says so.
#[test]
fn twins_are_told_as_one() {
    let entry = hexapawn::entry().erase();
    let game = entry
        .game(&spec("hexapawn"), &Shelf::new())
        .expect("a game");
    let mut table: Box<dyn AnyMatch> = game.begin(Seed::new(1), None);
    table.play(Seat::FIRST, "b1-b2", None).expect("legal");
    let by = spec("matchbox:scheme=full");
    let thread = check_decision(&*game, table.as_ref(), &by, &Shelf::new(), Limits::NONE, 9);
    let thread = thread.unwrap_or_else(|breach| panic!("{breach}"));
    let twins: Vec<&str> = thread
        .steps
        .iter()
        .filter(|s| s.text.contains("by symmetry"))
        .map(|s| s.text.as_str())
        .collect();
    // a3-a2 and c3-c2, a3xb2 and c3xb2.
    assert_eq!(twins.len(), 2, "{}", thread.text());
}
