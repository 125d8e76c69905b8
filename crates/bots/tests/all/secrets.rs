//! What a program is told depends on nothing that its eyes may not see.

use std::collections::HashMap;

use wits_bots::protocol::{Ask, Hello, line};
use wits_game::{Dice, Eyes, Seat, Seed, Stream, Turn};
use wits_play::{Event, Shelf, Spec, TimeControl};

use super::{Test, play, python};

pub(crate) const TESTS: &[Test] = &[
    (
        "a_cheat_learns_nothing_about_other_hands",
        a_cheat_learns_nothing,
    ),
    (
        "nothing_in_the_catalog_tells_more_than_its_eyes",
        nothing_tells_more,
    ),
    ("a_seed_stays_the_same_during_a_game", a_seed_stays_the_same),
];

/// Two deals that look the same from one seat must give that seat the same lines, byte by byte, so
/// that no program, however clever, can tell them apart.
fn a_cheat_learns_nothing() {
    let entry = wits_play::toys::tricks().erase();
    let game = entry.game(&Spec::named("tricks"), &Shelf::new()).unwrap();
    assert!(game.hidden());
    let mut seen: HashMap<String, Vec<(String, String)>> = HashMap::new();
    let mut compared = 0;
    for seed in 0..600 {
        let mut table = game.begin(Seed::new(seed), None);
        table.settle();
        let mut dice = Dice::at(Seed::new(9), Stream::Aside, 0);
        while let Turn::Of(seat) = table.turn() {
            let ask = line(&Ask::new(&*game, &*table, seat, "t".to_owned()));
            let eyes = Eyes::Seat(seat);
            let told = table.told(eyes).into_iter().map(|told| told.text);
            let looks = format!("{} {:?}", table.view(eyes), told.collect::<Vec<_>>());
            let whole = table.view(Eyes::All).to_string();
            let alike = seen.entry(looks).or_default();
            for (other, hands) in &*alike {
                assert_eq!(other, &ask, "the lines differ where the views do not");
                compared += u32::from(*hands != whole);
            }
            alike.push((ask, whole));
            let options = table.options();
            let mv = dice.pick(&options).unwrap();
            table.play(seat, mv, None).unwrap();
            table.settle();
        }
    }
    assert!(
        compared > 100,
        "only {compared} pairs of different hands looked the same"
    );
}

/// In every game: no line names the game's seed, and with hidden hands the position is the seat's own.
fn nothing_tells_more() {
    for entry in wits_catalog::all().entries() {
        let game = entry.game(&Spec::named(entry.id()), &Shelf::new()).unwrap();
        let seed = Seed::new(815_234_567_891);
        let mut table = game.begin(seed, None);
        table.settle();
        let Turn::Of(seat) = table.turn() else {
            continue;
        };
        let lines = wits_bots::first_turn(&*game, &*table, seat);
        assert!(
            !lines.concat().contains(&seed.number().to_string()),
            "{}",
            entry.id()
        );
        if game.hidden() {
            let ask: serde_json::Value = serde_json::from_str(&lines[1]).unwrap();
            assert_eq!(ask["notation"].as_str().map(str::to_owned), table.seen());
            for other in Seat::all(game.seats()).filter(|other| *other != seat) {
                assert_ne!(ask["view"], table.view(Eyes::Seat(other)), "{}", entry.id());
            }
        }
        let hello = Hello::new(&*game, seat, 1, None);
        assert_eq!(hello.seat as usize, seat.index() + 1);
    }
}

/// The seed was derived from the dice of the turn at which it was told, so that a turn that was sent again came with
/// another one.
fn a_seed_stays_the_same() {
    let spec = python(
        "import sys, json\n\
         for text in sys.stdin:\n\
         \x20   line = json.loads(text)\n\
         \x20   if 'hello' in line: seed = line['seed']; print(json.dumps({'name': 'test'}), flush=True)\n\
         \x20   if 'legal' in line: print(json.dumps({'move': line['legal'][seed % len(line['legal'])]}), flush=True)\n",
    );
    let game = super::game("tictactoe");
    let finished = play(&*game, &[&spec, &spec], TimeControl::None, 5);
    let mut seeds = HashMap::new();
    for (at, event) in finished.record.events.iter().enumerate() {
        let Event::Move { seat, text, .. } = event else {
            panic!("{event:?}");
        };
        let mut before = finished.record.clone();
        before.events.truncate(at);
        let table = game.replay(&before).unwrap();
        let lines = wits_bots::first_turn(&*game, &*table, *seat);
        let [hello, turn] =
            lines.map(|line| serde_json::from_str::<serde_json::Value>(&line).unwrap());
        let seed = hello["seed"].as_u64().unwrap();
        let legal = turn["legal"].as_array().unwrap();
        assert_eq!(legal[seed as usize % legal.len()], **text, "turn {at}");
        assert_eq!(*seeds.entry(*seat).or_insert(seed), seed, "turn {at}");
    }
    assert!(finished.record.events.len() >= 5 && seeds.len() == 2);
    assert_ne!(seeds[&Seat::FIRST], seeds[&Seat::SECOND]);
}
