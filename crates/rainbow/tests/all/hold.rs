//! How well the fourth level can be held: every game against it, and a slow twin that plays on real boards.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::HashMap;
use std::time::Duration;

use wits_game::{Dice, Game, Seed};
use wits_play::{Choice, Desk, Player};
use wits_rainbow::hold::{Verdict, hold};
use wits_rainbow::players::{Level, Strong};
use wits_rainbow::{Board, Paint, Rainbow, Side, Terms};
use wits_search::{Budget, Limits};

fn verdict(terms: &Terms, threads: usize) -> Verdict {
    hold(terms, &Budget::endless(), threads, &|_| {}).unwrap()
}

/// Every number in every colour for Breaker, everything that the rule allows for Maker; no tricks.
fn slow(board: &Board, known: &mut HashMap<Vec<u16>, f64>) -> f64 {
    if let Some(winner) = board.winner() {
        return f64::from(u8::from(winner == Side::Breaker));
    }
    if let Some(&chance) = known.get(board.colours()) {
        return chance;
    }
    let mut after = |paint| {
        let mut next = board.clone();
        next.paint(paint);
        slow(&next, known)
    };
    let chance = match board.to_move() {
        Side::Maker => Level::replies(board)
            .into_iter()
            .map(|(paint, share)| share * after(paint))
            .sum(),
        Side::Breaker => board
            .uncoloured()
            .flat_map(|number| board.palette().map(move |colour| Paint { number, colour }))
            .map(after)
            .fold(0.0, f64::max),
    };
    known.insert(board.colours().to_vec(), chance);
    chance
}

#[test]
fn a_slow_twin_agrees_and_the_lines_are_real() {
    let mut seen = [0; 3];
    for (n, k, c) in [
        (4, 3, 3),
        (5, 3, 3),
        (6, 3, 4),
        (7, 3, 3),
        (8, 3, 3),
        (7, 4, 4),
        (8, 4, 4),
        (9, 4, 4),
        (6, 2, 3),
        (7, 3, 2),
        // Luck decides here: with Maker first, once in 192 games.
        (12, 4, 4),
    ] {
        for first in Side::BOTH {
            let terms = Terms::new(n, k, c, first).unwrap();
            let found = verdict(&terms, 1);
            let twin = slow(&Board::new(terms), &mut HashMap::new());
            assert!(
                found.exact && (found.chance - twin).abs() < 1e-9,
                "n={n} k={k} c={c} {first}: {found:?} {twin}"
            );
            let kind = usize::from(twin > 0.0) + usize::from(twin > 1.0 - 1e-9);
            seen[kind] += 1;
            assert_eq!(found.line.is_empty(), kind == 0 || c < k, "{found:?}");
            follow(&found);
        }
    }
    assert!(seen.iter().all(|&times| times > 0), "{seen:?}");
}

/// Plays a line: each move of Maker is one that level 4 may play, up to colours in no live series.
fn follow(found: &Verdict) {
    let mut board = Board::new(found.terms);
    for &paint in &found.line {
        if board.to_move() == Side::Maker {
            let may = Level::replies(&board).into_iter().any(|(reply, _)| {
                let alike = [reply.colour, paint.colour].map(|c| board.spread(c) == 0);
                reply.number == paint.number
                    && (reply.colour == paint.colour || alike == [true, true])
            });
            assert!(may, "{paint:?} in {found:?}");
        }
        assert_eq!((board.winner(), board.colour(paint.number)), (None, None));
        board.paint(paint);
    }
    let held = !found.line.is_empty();
    assert!(!held || board.winner() == Some(Side::Breaker), "{found:?}");
}

/// Rainbows of five in ten colours: the best Breaker always holds level 4 up to 20 numbers, on 21 if he begins, and never
/// on 22. (With 30 numbers it takes minutes: see the manual.)
#[test]
fn from_22_numbers_on_nobody_holds_level_4() {
    for (n, first, chance) in [
        (18, Side::Maker, 1.0),
        (18, Side::Breaker, 1.0),
        (21, Side::Maker, 0.522_677),
        (22, Side::Maker, 0.0),
        (22, Side::Breaker, 0.0),
    ] {
        let found = verdict(&Terms::new(n, 5, 10, first).unwrap(), 1);
        assert!(
            found.exact && (found.chance - chance).abs() < 1e-6,
            "{found:?}"
        );
        follow(&found);
    }
}

#[test]
fn threads_change_nothing() {
    for (n, k, first) in [
        (22, 5, Side::Breaker),
        (19, 5, Side::Maker),
        (12, 4, Side::Breaker),
    ] {
        let terms = Terms::new(n, k, 10, first).unwrap();
        let (one, three) = (verdict(&terms, 1), verdict(&terms, 3));
        assert_eq!((one.chance, one.exact), (three.chance, three.exact));
        if one.chance == 0.0 {
            // Nothing was cut off, so everything was seen by both.
            assert_eq!(one.positions, three.positions);
        }
    }
}

#[test]
fn chances_of_replies_sum_to_one_and_budgets_end() {
    let mut board = Board::new(Terms::new(30, 5, 10, Side::Maker).unwrap());
    while board.winner().is_none() {
        let replies = Level::replies(&board);
        let sum: f64 = replies.iter().map(|(_, chance)| chance).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{replies:?}");
        board.paint(replies[0].0);
    }
    let terms = Terms::new(30, 5, 10, Side::Maker).unwrap();
    for threads in [1, 3] {
        let short = Budget::start(Limits::nodes(100));
        let found = hold(&terms, &short, threads, &|_| {}).unwrap();
        assert!(!found.exact && found.chance == 0.0 && found.positions < 100);
        assert!(found.line.is_empty());
    }
    let long = Terms::new(31, 5, 10, Side::Maker).unwrap();
    assert_eq!(hold(&long, &Budget::endless(), 1, &|_| {}), None);
}

/// Wherever strong is when its time ends, it answers soon, with a legal move.
#[test]
fn strong_keeps_to_its_time() {
    let game = Rainbow::new(Terms::new(30, 5, 10, Side::Breaker).unwrap());
    let mut board = game.start();
    let mut strong = Strong::new(u64::MAX);
    for _ in 0..4 {
        let budget = Budget::start(Limits::time(Duration::from_millis(60)));
        let mut desk = Desk {
            budget: &budget,
            dice: Dice::new(Seed::new(5)),
            tell: &mut |_| {},
            record: None,
        };
        let choice = strong.choose(&game, &board, &mut desk);
        assert!(
            budget.elapsed() < Duration::from_secs(2),
            "{:?}",
            budget.elapsed()
        );
        let Choice::Move(paint) = choice else {
            panic!("resigned");
        };
        game.legal(&board, &paint).unwrap();
        game.play(&mut board, &paint);
    }
}
