//! The mini-games: exact values against theory and a plain search, symmetries, boxes.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::HashMap;

use wits_game::{Eyes, Game, Seat, Turn};
use wits_matchbox::mini::{Cells, Kind, Mini, Position};
use wits_matchbox::perfect::Perfect;
use wits_matchbox::{Boxed, Boxes, Preset, Subject};

fn game(kind: Kind, rows: u8, cols: u8) -> Mini {
    Mini::new(kind, rows, cols).unwrap()
}

/// What the first seat gets: plain minimax, no symmetry.
fn plain(game: &Mini, at: Position, known: &mut HashMap<Position, i32>) -> i32 {
    if let Some(&value) = known.get(&at) {
        return value;
    }
    let value = if let Turn::Over(outcome) = game.turn(&at) {
        outcome.payoff(Seat::FIRST)
    } else {
        let children = game.options(&at).into_iter().map(|cells| {
            let mut next = at;
            game.play(&mut next, &cells);
            plain(game, next, known)
        });
        let values: Vec<i32> = children.collect();
        let best = if game.turn(&at) == Turn::Of(Seat::FIRST) {
            values.into_iter().max()
        } else {
            values.into_iter().min()
        };
        best.unwrap()
    };
    known.insert(at, value);
    value
}

/// What the side to move gets, by the solver with symmetries.
fn solved(game: &Mini) -> i8 {
    Perfect::new(game).best(game, &game.start())[0].1
}

#[test]
fn values_are_those_of_theory() {
    // Chomp: the first player wins on every board of more than one square (strategy stealing).
    for (rows, cols) in [(1, 2), (2, 2), (2, 5), (3, 3), (3, 4), (4, 4)] {
        assert_eq!(solved(&game(Kind::Chomp, rows, cols)), 1, "{rows} {cols}");
    }
    // Nim: the exclusive or of the heaps (Bouton 1901).
    for (rows, cols) in [(1, 3), (2, 2), (2, 3), (3, 3), (3, 4), (3, 5), (4, 4)] {
        let heaps = (0..rows).map(|row| cols - rows + row + 1);
        let sum = heaps.fold(0, |sum, heap| sum ^ heap);
        let expected = if sum == 0 { -1 } else { 1 };
        assert_eq!(
            solved(&game(Kind::Nim, rows, cols)),
            expected,
            "{rows} {cols}"
        );
    }
    // Domineering (Conway; Berlekamp, Conway and Guy): 2x2, 3x3 and 4x4 are won by whoever begins, one column by the upright side.
    for (rows, cols, value) in [(2, 2, 1), (3, 3, 1), (4, 4, 1), (4, 1, 1), (1, 4, -1)] {
        assert_eq!(
            solved_first(&game(Kind::Domineering, rows, cols)),
            value,
            "{rows} {cols}"
        );
    }
    // Notakto on one board: the first player wins by the centre.
    let notakto = game(Kind::Notakto, 3, 3);
    let best = Perfect::new(&notakto).best(&notakto, &notakto.start());
    let texts: Vec<String> = best
        .iter()
        .map(|(m, ..)| notakto.write(&notakto.start(), m, Eyes::All))
        .collect();
    assert_eq!((best[0].1, texts), (1, vec!["b2".to_owned()]));
}

/// The value for the first seat, also where it cannot move at once.
fn solved_first(game: &Mini) -> i32 {
    match game.turn(&game.start()) {
        Turn::Over(outcome) => outcome.payoff(Seat::FIRST),
        _ => i32::from(solved(game)),
    }
}

#[test]
fn a_plain_search_agrees_everywhere() {
    for (kind, rows, cols, symmetries) in [
        (Kind::Chomp, 3, 3, 2),
        (Kind::Chomp, 3, 4, 1),
        (Kind::Nim, 3, 3, 1),
        (Kind::TacTix, 3, 3, 8),
        (Kind::TacTix, 3, 4, 4),
        (Kind::Domineering, 3, 3, 4),
        (Kind::Domineering, 3, 4, 4),
        (Kind::Notakto, 3, 3, 8),
        (Kind::Connect3, 3, 3, 2),
        (Kind::Connect3, 3, 4, 2),
    ] {
        let game = game(kind, rows, cols);
        assert_eq!(game.symmetries(), symmetries, "{}", game.spec());
        let mut known = HashMap::new();
        plain(&game, game.start(), &mut known);
        let perfect = Perfect::new(&game);
        for (at, &value) in &known {
            let text = game.notation(at).unwrap();
            assert_eq!(game.position(&text).as_ref(), Ok(at));
            for how in 0..game.symmetries() {
                assert_eq!(known.get(&game.turned(how, at)), Some(&value), "{text}");
                assert_eq!(game.turned(game.undone(how), &game.turned(how, at)), *at);
            }
            if let Turn::Of(seat) = game.turn(at) {
                let sign = if seat == Seat::FIRST { 1 } else { -1 };
                let best: Vec<(Cells, i8, u16)> = perfect.best(&game, at);
                assert_eq!(i32::from(best[0].1) * sign, value, "{} {text}", game.spec());
            }
        }
    }
}

#[test]
fn boxes_are_made_for_all_of_them() {
    for spec in [
        "chomp",
        "nim",
        "tactix",
        "notakto",
        "connect3",
        "domineering:rows=3,cols=3",
    ] {
        let subject = Subject::named(spec).unwrap();
        for seat in [Seat::FIRST, Seat::SECOND] {
            let machine = Preset::of(subject.clone(), seat).machine().unwrap();
            let counted = Boxes::from(&machine);
            assert!(counted.boxes > 0 && counted.beads > 0, "{spec} {counted:?}");
            assert!((0..counted.boxes).all(|at| machine.cabinet().scene(at).is_some()));
        }
    }
    for bad in [
        "chomp:rows=5,cols=5",
        "nim:rows=4,cols=3",
        "connect3:rows=2,cols=2",
        "chomp:size=3",
        "go",
    ] {
        assert!(Subject::named(bad).is_err(), "{bad}");
    }
}
