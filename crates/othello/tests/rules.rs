//! Counts, special games and notation.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;

use wits_game::{Game, Seat, Turn};
use wits_othello::notation::{Replay, Side, board_text, grid, read_board};
use wits_othello::perft::{Passes, distinct, perft, perft_merged};
use wits_othello::{NoMove, Othello, Position, Square, Start};

/// Depth, leaves where a pass is a ply, leaves where it is free.
const COUNTS: &str = include_str!("start.perft");

fn counts() -> Vec<(u32, u64, u64)> {
    let rows = COUNTS
        .lines()
        .filter(|l| !l.starts_with('#') && !l.trim().is_empty());
    rows.map(|l| {
        let mut n = l
            .split_whitespace()
            .map(|w| w.replace(',', "").parse::<u64>().unwrap());
        (
            n.next().unwrap() as u32,
            n.next().unwrap(),
            n.next().unwrap(),
        )
    })
    .collect()
}

#[test]
fn perft_is_known_in_both_conventions() {
    let (own, other) = (Position::START.own(), Position::START.other());
    let rows = counts();
    assert!(rows.len() >= 15);
    for (depth, ply, free) in rows {
        if depth <= 9 {
            assert_eq!(perft(own, other, depth, Passes::Ply), ply, "{depth}");
            assert_eq!(perft(own, other, depth, Passes::Free), free, "{depth}");
        }
        if depth <= 11 {
            assert_eq!(
                perft_merged(own, other, depth, Passes::Ply, 2),
                ply,
                "{depth}"
            );
            assert_eq!(
                perft_merged(own, other, depth, Passes::Free, 1),
                free,
                "{depth}"
            );
        }
    }
}

#[test]
fn merging_counts_passes_and_early_ends() {
    for seed in 0..8 {
        let p = wits_othello::reach::random_board(51, wits_game::Seed::new(seed));
        for passes in [Passes::Ply, Passes::Free] {
            for depth in [5, 12, 13] {
                assert_eq!(
                    perft_merged(p.own(), p.other(), depth, passes, 2),
                    perft(p.own(), p.other(), depth, passes),
                    "{p:?} {passes:?} {depth}"
                );
            }
        }
    }
}

/// `cargo test --release -p wits-othello --test rules -- --ignored`
#[test]
#[ignore = "a minute in release mode"]
fn perft_is_known_deeper() {
    let (own, other) = (Position::START.own(), Position::START.other());
    for (depth, ply, free) in counts().into_iter().filter(|(d, ..)| (12..=13).contains(d)) {
        assert_eq!(
            perft_merged(own, other, depth, Passes::Ply, 2),
            ply,
            "{depth}"
        );
        assert_eq!(
            perft_merged(own, other, depth, Passes::Free, 2),
            free,
            "{depth}"
        );
    }
}

#[test]
fn distinct_positions_are_known() {
    let merged = [1, 1, 3, 14, 60, 322, 1_773, 10_649, 67_245];
    let all = [1, 4, 12, 54, 236, 1_288, 7_092, 42_614, 269_352];
    for (moves, (merged, all)) in merged.into_iter().zip(all).enumerate() {
        assert_eq!(distinct(moves as u32, true), merged, "{moves}");
        assert_eq!(distinct(moves as u32, false), all, "{moves}");
    }
}

fn replay(text: &str) -> Replay {
    Replay::read(&Othello::default(), text).unwrap()
}

#[test]
fn special_games_end_as_known() {
    for (text, score, tournament, passes) in [
        ("e6f4e3f6g5d6e7f5c5", (13, 0), (64, 0), 0),
        ("f5d6c5f4e7f6g5e6e3", (13, 0), (64, 0), 0),
        ("f5f4c3e6f7g6g4e8g8g5h5", (14, 1), (63, 1), 0),
        (
            "f5f4c3f6g7f7f3h7f8b2h6e7h8e3d7g3f2f1a1c5",
            (12, 12),
            (32, 32),
            0,
        ),
        (
            "f5f6e6f4g7c6f3g2f2f7b7a8h2f1f8h3e2h1c4d2",
            (12, 12),
            (32, 32),
            0,
        ),
        (
            "f5d6c6b6b7f6b5a6e6a8b8f3f7g6g2c8h6h1d3b4",
            (12, 12),
            (32, 32),
            0,
        ),
        (
            "f5d6c4g5d7c7h5d8b8b7b6a7b5a6a5b4b3c6e8f8c8a8e7a4b2a2c2d2d1e2f2c5c3a1a3e6d3f6f7f1g2h2e3f4b1g1c1e1g8g7f3h1h3h4h6",
            (0, 59),
            (0, 64),
            23,
        ),
        (
            "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1f7e2g3h4f1e1f2g1b1f8g8b3h3b2h5b7a3a4a1a2c1h2h1g2b8a8g7h8h7h6",
            (32, 32),
            (32, 32),
            0,
        ),
    ] {
        let game = replay(text);
        assert!(game.over, "{text}");
        assert_eq!(game.last().score(), score, "{text}");
        assert_eq!(game.last().tournament_score(), tournament, "{text}");
        // The pass count of the eleven-move game is not part of the facts.
        if score != (14, 1) && score != (12, 12) {
            assert_eq!(game.passes, passes, "{text}");
        }
        assert_eq!(game.transcript(), text);
    }
}

/// How games end that end within eleven moves: moves, score, how many.
#[test]
fn the_earliest_ends_are_known() {
    fn walk(p: Position, moves: u32, ends: &mut BTreeMap<(u32, (u32, u32)), u64>) {
        for square in Square::all(p.moves()) {
            let next = p.played(square);
            if next.over() {
                *ends.entry((moves + 1, next.score())).or_default() += 1;
            } else if moves + 1 < 10 {
                walk(next, moves + 1, ends);
            }
        }
    }
    let mut ends = BTreeMap::new();
    // The first move is the same up to symmetry: a quarter of all games starts f5.
    walk(Position::START.played("f5".parse().unwrap()), 1, &mut ends);
    let quarter: Vec<_> = ends.into_iter().collect();
    assert_eq!(quarter, [((9, (13, 0)), 57), ((10, (0, 14)), 89)]);
}

#[test]
fn transcripts_are_read_as_people_write_them() {
    let game = Othello::default();
    for text in ["f5d6c3", "F5 D6 C3", "1. f5 2. d6 3. c3", "f5,d6,c3"] {
        assert_eq!(
            Replay::read(&game, text).unwrap().transcript(),
            "f5d6c3",
            "{text}"
        );
    }
    for text in ["d3c5f6", "c4e3f6", "e6f4c3"] {
        assert_eq!(Replay::read(&game, text).unwrap().moves.len(), 3, "{text}");
    }
    // Written for the start with the colours' diagonal exchanged.
    assert_eq!(Replay::read(&game, "c5e6").unwrap().moves.len(), 2);
    for (text, says) in [
        ("f5f4f5", "move 3: `f5` already has a disc"),
        (
            "f5a1",
            "move 2: a disc of White on `a1` would turn over nothing",
        ),
        ("f5z9", "move 2: `z9` is not a square"),
        ("f5?", "move 2"),
    ] {
        let error = Replay::read(&game, text).unwrap_err().to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
}

#[test]
fn boards_are_read_in_every_alphabet() {
    let start = "---------------------------OX------XO---------------------------";
    let read = read_board(8, start).unwrap();
    assert_eq!((read.position, read.side), (Position::START, Side::Guessed));
    for text in [
        format!("{start} X"),
        start.replace('X', "*").replace('O', "o").replace('-', ".") + " *",
        start.replace('X', "1").replace('O', "2").replace('-', "0") + " 1",
        start.replace('X', "B").replace('O', "W") + " B",
        start.replace('X', "●").replace('O', "○") + "\nblack",
    ] {
        let read = read_board(8, &text).unwrap();
        assert_eq!(
            (read.position, read.side),
            (Position::START, Side::Given),
            "{text}"
        );
    }
    let lines = grid(8, &Position::START);
    assert_eq!(lines.lines().nth(3), Some("0 0 0 2 1 0 0 0"));
    assert_eq!(read_board(8, &lines).unwrap().position, Position::START);
    assert_eq!(board_text(8, &Position::START), start);
    let white = read_board(8, &format!("{start} O")).unwrap().position;
    assert_eq!(white.turn, Seat::SECOND);
    for wrong in [
        "",
        "X",
        &start[1..],
        &format!("{start} Q"),
        &start.replace('X', "Q"),
    ] {
        assert!(read_board(8, wrong).is_err(), "{wrong}");
    }
    let four = Othello::new(4, Start::Othello, NoMove::Pass).unwrap();
    let text = four.notation(&four.start()).unwrap();
    assert_eq!(text, "-----OX--XO----- X");
    assert_eq!(four.position(&text), Ok(four.start()));
}

#[test]
fn variants_start_and_end_by_their_rules() {
    let reversi = Othello::new(8, Start::Reversi, NoMove::Pass).unwrap();
    let mut p = reversi.start();
    assert_eq!((p.move_number(), reversi.options(&p).len()), (-3, 4));
    for text in ["d4", "e4", "e5", "d5"] {
        let square = reversi.read(&p, text).unwrap();
        reversi.legal(&p, &square).unwrap();
        reversi.play(&mut p, &square);
    }
    assert_eq!((p.move_number(), p.score()), (1, (2, 2)));
    let parallel = Othello::new(8, Start::Parallel, NoMove::Pass).unwrap();
    assert_eq!(parallel.options(&parallel.start()).len(), 4);

    // White has one disc and no move; Black could go on.
    let stuck = "XX------XXXO---------------------------------------------------- O";
    let p = read_board(8, stuck).unwrap().position;
    assert_eq!(p.moves(), 0);
    assert_eq!(Othello::default().turn(&p), Turn::Of(Seat::FIRST));
    let lose = Othello::new(8, Start::Othello, NoMove::Lose).unwrap();
    let Turn::Over(outcome) = lose.turn(&p) else {
        panic!("White cannot move")
    };
    assert_eq!(outcome.winner(), Some(Seat::FIRST));
    let free = Othello::new(8, Start::Othello, NoMove::Free).unwrap();
    assert_eq!(free.options(&p).len(), 64 - 6);
}

#[test]
fn refusals_name_the_rule() {
    let game = Othello::default();
    let p = game.start();
    let refuse = |text: &str| {
        game.read(&p, text)
            .and_then(|m| game.legal(&p, &m))
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        refuse("e4"),
        "`e4` already has a disc of Black; choose an empty square"
    );
    assert_eq!(
        refuse("a1"),
        "a disc of Black on `a1` would turn over nothing; Black may play d3 c4 f5 e6"
    );
    assert_eq!(refuse("z9"), "`z9` is not a square; squares are a1 to h8");
}
