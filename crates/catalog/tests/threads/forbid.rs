//! A machine that may not play a move decides among the others: never for that move, by a thread that the checker passes,
//! and in games that are played to the end for one of the best that remain.

use wits_game::{Game, Seat, Turn};
use wits_matchbox::tictactoe::TicTacToe;
use wits_play::check::check as replay;
use wits_play::{Budget, Decision, Limits, Shelf, Spec};

use crate::check::{WATCHED, watch};

/// What a position of tic-tac-toe is worth to a seat, by looking at everything below it.
pub(crate) fn worth(game: TicTacToe, state: <TicTacToe as Game>::State, seat: Seat) -> i32 {
    let mover = match game.turn(&state) {
        Turn::Over(outcome) => return outcome.payoff(seat),
        Turn::Of(mover) => mover,
        Turn::Chance => unreachable!("there is no chance here"),
    };
    let values = game.options(&state).into_iter().map(|mv| {
        let mut next = state;
        game.play(&mut next, &mv);
        worth(game, next, seat)
    });
    let best = if mover == seat {
        values.max()
    } else {
        values.min()
    };
    best.unwrap()
}

#[test]
fn what_is_forbidden_is_not_chosen() {
    for (name, by, moves) in WATCHED {
        let (game, thread) = watch(name, by, moves);
        let table = wits_play::position(&*game, &thread.header.subject).unwrap();
        let spec: Spec = by.parse().unwrap();
        let decision = Decision {
            game: &*game,
            table: &*table,
            by: &spec,
            shelf: &Shelf::new(),
            thread: &thread,
        };
        let options = table.options();
        for forbidden in options.iter().take(3) {
            let budget = Budget::start(Limits::nodes(3_000));
            let again = decision.without(forbidden, &budget);
            if options.len() == 1 {
                assert!(again.is_err(), "{name}: the only move");
                continue;
            }
            let again = again.unwrap();
            let chosen = &again.footer.result;
            assert!(
                chosen != forbidden && options.contains(chosen),
                "{name} {by}"
            );
            assert!(again.header.summary.contains(forbidden.as_str()));
            let report = replay(&*game, &again);
            assert!(report.ok(), "{name} {by}: {:?}", report.failures);
            assert!(report.checked > 0);
        }
        assert!(decision.without("nowhere", &Budget::endless()).is_err());
    }
}

#[test]
fn the_next_best_is_chosen() {
    let game = TicTacToe;
    for by in ["alphabeta", "minimax", "perfect"] {
        for moves in ["a1", "a1 b1", "b2 a1 c3", "a1 b2 c3 a2"] {
            let (any, thread) = watch("tictactoe", by, moves);
            let mut state = game.start();
            for text in moves.split_whitespace() {
                let mv = game.read(&state, text).unwrap();
                game.play(&mut state, &mv);
            }
            let seat = game.turn(&state).seat().unwrap();
            let table = wits_play::position(&*any, &thread.header.subject).unwrap();
            let spec: Spec = by.parse().unwrap();
            let decision = Decision {
                game: &*any,
                table: &*table,
                by: &spec,
                shelf: &Shelf::new(),
                thread: &thread,
            };
            let value = |text: &str| {
                let mut next = state;
                let mv = game.read(&state, text).unwrap();
                game.play(&mut next, &mv);
                worth(game, next, seat)
            };
            let again = decision.without(&thread.footer.result, &Budget::endless());
            let again = again.unwrap();
            let rest = table.options().into_iter();
            let rest = rest.filter(|mv| *mv != thread.footer.result);
            let best = rest.map(|mv| value(&mv)).max().unwrap();
            assert_eq!(value(&again.footer.result), best, "{by} after {moves}");
        }
    }
}
