//! The mini-games: exact values against theory and a plain search, symmetries, boxes.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::HashMap;

use wits_game::{Eyes, Game, Seat, Turn};
use wits_matchbox::mini::{Cells, Kind, Mini, Position};
use wits_matchbox::perfect::Perfect;
use wits_matchbox::tictactoe::{Board, TicTacToe};
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
        (Kind::Mnk, 2, 3, 4),
        (Kind::Mnk, 3, 3, 8),
        (Kind::Mnk, 3, 4, 4),
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

/// Tic-tac-toe on three by three is tic-tac-toe: the same moves, the same ends, the same best moves in every position, the same boxes.
#[test]
fn mnk_on_three_by_three_is_tic_tac_toe() {
    let (own, classic) = (Mini::mnk(3, 3, 3).unwrap(), TicTacToe);
    let (perfect, known) = (Perfect::new(&own), Perfect::new(&classic));
    let mut seen: HashMap<Board, Position> = HashMap::new();
    let mut open = vec![(own.start(), classic.start())];
    while let Some((at, board)) = open.pop() {
        if let Some(before) = seen.insert(board, at) {
            assert_eq!(before, at);
            continue;
        }
        let text = classic.notation(&board).unwrap();
        let written = own.notation(&at).unwrap();
        assert_eq!(written[..11].replace('.', "-"), text);
        let result = |turn: Turn| match turn {
            Turn::Over(outcome) => Err(outcome.payoffs),
            Turn::Of(seat) => Ok(seat),
            Turn::Chance => unreachable!("nothing is drawn"),
        };
        assert_eq!(
            result(own.turn(&at)),
            result(classic.turn(&board)),
            "{text}"
        );
        let mut judged = perfect.best(&own, &at).into_iter();
        for (square, worth, plies) in known.best(&classic, &board) {
            let (cells, own_worth, own_plies) = judged.next().unwrap();
            let name = own.write(&at, &cells, Eyes::All);
            assert_eq!(
                (name, own_worth, own_plies),
                (square.to_string(), worth, plies),
                "{text}"
            );
        }
        assert_eq!(judged.next(), None, "{text}");
        let squares = classic.options(&board);
        let cells = own.options(&at);
        assert_eq!(squares.len(), cells.len(), "{text}");
        for (square, cells) in squares.iter().zip(&cells) {
            assert_eq!(own.write(&at, cells, Eyes::All), square.to_string());
            let mut next = (at, board);
            own.play(&mut next.0, cells);
            classic.play(&mut next.1, square);
            open.push(next);
        }
    }
    assert_eq!(seen.len(), 5_478);
    let boxes = |spec: &str| {
        let preset = Preset::of(Subject::named(spec).unwrap(), Seat::FIRST);
        Boxes::from(&preset.machine().unwrap()).by_move
    };
    assert_eq!(boxes("mnk:rows=3,cols=3"), boxes("tictactoe"));
}

#[test]
fn marks_that_cannot_be_are_no_position() {
    let game = Mini::mnk(3, 4, 3).unwrap();
    assert!(game.position("XO../..../.... 1").is_ok());
    for bad in [
        "XX../..../.... 1",
        "XO../..../.... 2",
        "XO../.... 1",
        "XO../..../...? 1",
    ] {
        assert!(game.position(bad).is_err(), "{bad}");
    }
}

/// The lines count: three in a row on three by four, not on two by five.
#[test]
fn longer_boards_and_longer_rows_have_other_ends() {
    for (rows, cols, line, winner) in [
        (3, 3, 3, None),
        (3, 4, 3, Some(Seat::FIRST)),
        (3, 4, 4, None),
        (2, 6, 3, None),
        (1, 5, 3, None),
    ] {
        let solved = Mini::mnk(rows, cols, line).unwrap().solved();
        assert_eq!(solved.winner, winner, "{rows} {cols} {line}");
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
        "mnk",
        "mnk:rows=2,cols=5,line=4",
        "mnk:rows=3,cols=3",
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
        "connect3:line=3",
        "mnk:rows=3,cols=3,line=4",
        "mnk:rows=4,cols=4",
        "chomp:size=3",
        "go",
    ] {
        assert!(Subject::named(bad).is_err(), "{bad}");
    }
}
