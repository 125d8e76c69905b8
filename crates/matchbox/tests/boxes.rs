//! Box and bead counts, against the published ones.

#[path = "boxes/mini.rs"]
mod mini;
#[path = "boxes/plain.rs"]
mod plain;
#[path = "boxes/threads.rs"]
mod threads;

use wits_matchbox::{Boxes, Preset, Scheme};
use wits_play::Shelf;
use wits_play::contract::{Laws, check_entry};

/// Machine, scheme, boxes by move, beads, losing beads.
type Counted = (&'static str, Scheme, &'static [usize], u64, Option<usize>);
const COUNTS: &[Counted] = &[
    ("her", Scheme::None, &[3, 20, 14], 90, Some(32)),
    ("her", Scheme::Gardner, &[2, 11, 11], 55, Some(19)),
    ("her", Scheme::Full, &[2, 10, 7], 45, Some(16)),
    ("him", Scheme::Gardner, &[1, 5, 14, 2], 0, None),
    ("menace", Scheme::Full, &[1, 12, 108, 183], 0, None),
];

#[test]
fn boxes_and_beads_as_published() {
    for &(name, scheme, by_move, beads, losing) in COUNTS {
        let machine = Preset::named(name)
            .unwrap()
            .with_scheme(scheme)
            .machine()
            .unwrap();
        let boxes = Boxes::from(&machine);
        assert_eq!(boxes.by_move, by_move, "{name} {scheme}: {boxes:?}");
        assert_eq!(boxes.boxes, by_move.iter().sum::<usize>());
        if beads > 0 {
            assert_eq!(
                (boxes.beads, Some(boxes.losing)),
                (beads, losing),
                "{name} {scheme}"
            );
        }
    }
    for (name, scheme, count) in [("him", Scheme::None, 33), ("him", Scheme::Full, 18)] {
        let machine = Preset::named(name)
            .unwrap()
            .with_scheme(scheme)
            .machine()
            .unwrap();
        assert_eq!(machine.cabinet().len(), count, "{name} {scheme}");
    }
}

/// Marks are where something can be known: one bead keeps the value and another does not.
#[test]
fn beads_are_marked_where_there_is_a_choice() {
    let machine = Preset::named("her").unwrap().machine().unwrap();
    let mut plain = 0;
    for label in machine.cabinet().labels() {
        let beads = 0..label.moves.len();
        let best = beads.clone().filter(|&bead| label.is_best(bead)).count();
        let alike = label.worth.iter().all(|&worth| worth == label.value);
        assert_eq!(best == 0, alike, "{label:?}");
        assert!(best < label.moves.len(), "{label:?}");
        plain += usize::from(alike);
    }
    assert!(plain > 0, "HER has boxes in which nothing is decided");
}

#[test]
fn the_games_keep_the_contract() {
    for entry in [
        wits_matchbox::hexapawn::entry().erase(),
        wits_matchbox::tictactoe::entry().erase(),
        wits_matchbox::mini::chomp().erase(),
        wits_matchbox::mini::nim().erase(),
        wits_matchbox::mini::tactix().erase(),
        wits_matchbox::mini::domineering().erase(),
        wits_matchbox::mini::notakto().erase(),
        wits_matchbox::mini::connect3().erase(),
        wits_matchbox::mini::mnk().erase(),
    ] {
        let checked = check_entry(&*entry, &Shelf::new(), &Laws::default());
        assert_eq!(
            checked.map_err(|breach| breach.to_string()),
            Ok(()),
            "{}",
            entry.id()
        );
    }
}
