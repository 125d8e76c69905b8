//! Who wins on which board, against the table of outcomes and an independent slow twin.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::HashMap;

use wits_game::{Game, Turn};
use wits_matchbox::hexapawn::{Answer, Board, Hexapawn, count, outcome};
use wits_play::Budget;

/// Rows, then F or S for one column, two columns and so on.
const TABLE: &[(u8, &str)] = &[
    (3, "FSSFFSFFSSFS"),
    (4, "SSSFSSF"),
    (5, "FSFSFS"),
    (6, "SSSFF"),
    (7, "FSFS"),
    (8, "SSSF"),
];

#[test]
fn outcomes_of_the_published_boards() {
    for &(rows, winners) in TABLE {
        for (cols, winner) in (1u8..).zip(winners.chars()) {
            let (answer, nodes) = outcome(rows, cols, &Budget::endless()).unwrap();
            let first = if answer == Answer::Wins { 'F' } else { 'S' };
            println!("{rows}x{cols} {first} {nodes}");
            assert_eq!(first, winner, "{rows} rows, {cols} columns");
        }
    }
}

/// The rules played out with nothing clever: who wins, games, plies.
fn twin(
    game: Hexapawn,
    board: Board,
    seen: &mut HashMap<Board, (bool, u128, u32, u32)>,
) -> (bool, u128, u32, u32) {
    if let Some(known) = seen.get(&board) {
        return *known;
    }
    let found = if let Turn::Over(outcome) = game.turn(&board) {
        (outcome.payoff(board.to_move()) > 0, 1, 0, 0)
    } else {
        let next: Vec<_> = game
            .options(&board)
            .iter()
            .map(|step| {
                let mut next = board;
                game.play(&mut next, step);
                twin(game, next, seen)
            })
            .collect();
        let wins = next.iter().any(|n| !n.0);
        let distance = if wins {
            next.iter().filter(|n| !n.0).map(|n| n.2).min().unwrap() + 1
        } else {
            next.iter().map(|n| n.2).max().unwrap() + 1
        };
        (
            wins,
            next.iter().map(|n| n.1).sum(),
            distance,
            next.iter().map(|n| n.3).max().unwrap() + 1,
        )
    };
    seen.insert(board, found);
    found
}

#[test]
fn solver_and_counts_agree_with_plain_rules_everywhere() {
    for (rows, cols) in [
        (3, 1),
        (3, 2),
        (3, 3),
        (3, 4),
        (4, 2),
        (4, 3),
        (5, 2),
        (5, 3),
        (6, 2),
        (9, 1),
    ] {
        let game = Hexapawn::new(rows, cols).unwrap();
        let mut seen = HashMap::new();
        twin(game, game.start(), &mut seen);
        let budget = Budget::endless();
        let mut solver = wits_matchbox::hexapawn::Solver::new(game, 12);
        for (board, &(wins, games, distance, longest)) in &seen {
            let answer = solver.ask(board, &budget);
            assert_eq!(answer == Answer::Wins, wins, "{}", game.write_board(board));
            if seen.len() < 3_000 {
                let counts = count(game, board, u64::MAX, &budget).unwrap();
                assert_eq!(
                    (counts.wins, counts.games, counts.distance, counts.longest),
                    (wins, Some(games), distance, longest),
                    "{}",
                    game.write_board(board)
                );
            }
        }
    }
}
