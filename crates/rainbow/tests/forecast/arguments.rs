//! Pairings and the potential: found, checked, played, and compared with the exact outcomes.

use std::collections::HashSet;

use wits_game::{Dice, Seat, Seed, Stream};
use wits_play::{Shelf, Spec};
use wits_rainbow::exact::Solver;
use wits_rainbow::forecast::{By, Reason, forecast, solve};
use wits_rainbow::hold::hold;
use wits_rainbow::pairing::{BadPairing, Found, Pairing, find, known};
use wits_rainbow::potential::{Weights, answer, own_colour, potential};
use wits_rainbow::{Board, Paint, Side, entry};
use wits_search::{Budget, Limits};

use super::terms;

/// Where pairings end: two SAT programs found the same for k up to 6.
const LAST: [(u32, u32); 4] = [(3, 4), (4, 10), (5, 16), (6, 27)];

#[test]
fn pairings_end_where_they_are_known_to_end() {
    for (k, last) in LAST {
        for n in k..=last {
            let found = find(n, k, &Budget::endless());
            let pairing = found.pairing().unwrap();
            let count = wits_rainbow::series_count(n, k);
            assert_eq!(pairing.check(), Ok(count), "n={n} k={k}");
            assert_eq!(pairing.spare.is_some(), n % 2 == 1);
        }
        for n in [last + 1, last + 2, 60, 500] {
            let found = find(n, k, &Budget::endless());
            assert!(
                matches!(found, Found::None { .. }),
                "n={n} k={k}: {found:?}"
            );
        }
    }
    let short = find(39, 7, &Budget::start(Limits::nodes(10)));
    assert_eq!(short, Found::Unknown { nodes: 10 });
}

/// The long search for 38 and 39 numbers is not repeated: `solve` and `forecast` said "not known" once.
#[test]
fn known_pairings_decide_at_once() {
    for (k, last) in LAST.into_iter().chain([(7, 39)]) {
        for n in 2..=last {
            let pairing = known(n, k).unwrap();
            assert_eq!(
                pairing.check(),
                Ok(wits_rainbow::series_count(n, k)),
                "n={n} k={k}"
            );
        }
        assert_eq!(known(last + 1, k), None);
    }
    let budget = Budget::start(Limits::nodes(1_000));
    for (n, first) in [(38, Side::Maker), (39, Side::Breaker)] {
        let terms = terms(n, 7, 10, first);
        assert_eq!(forecast(&terms, &budget).reason, Reason::Pairing, "{n}");
        let solved = solve(&terms, &budget);
        assert_eq!(
            (solved.winner, solved.by),
            (Some(Side::Breaker), Some(By::Pairing))
        );
    }
}

/// All sets of disjoint pairs, without any idea.
fn exists_plainly(n: u32, k: u32, left: &[u32], pairs: &mut Vec<(u32, u32)>) -> bool {
    let Some((&x, rest)) = left.split_first() else {
        return Pairing::complete(n, k, pairs.clone()).check().is_ok();
    };
    if exists_plainly(n, k, rest, pairs) {
        return true;
    }
    (0..rest.len()).any(|i| {
        let mut others = rest.to_vec();
        pairs.push((x, others.remove(i)));
        let found = exists_plainly(n, k, &others, pairs);
        pairs.pop();
        found
    })
}

#[test]
fn a_search_without_ideas_agrees() {
    for k in 2..=5 {
        for n in k..=9 {
            let all: Vec<u32> = (1..=n).collect();
            let plain = exists_plainly(n, k, &all, &mut Vec::new());
            let found = find(n, k, &Budget::endless());
            assert_eq!(found.pairing().is_some(), plain, "n={n} k={k}");
        }
    }
}

#[test]
fn the_checker_refuses_what_is_no_pairing() {
    let good = find(10, 4, &Budget::endless()).pairing().unwrap().clone();
    let change = |change: &dyn Fn(&mut Pairing)| {
        let mut bad = good.clone();
        change(&mut bad);
        bad.check().unwrap_err()
    };
    assert_eq!(change(&|p| p.pairs[0].1 = 11), BadPairing::Outside(11));
    let first = good.pairs[0].0;
    assert_eq!(change(&|p| p.pairs[1].0 = first), BadPairing::Twice(first));
    assert!(matches!(
        change(&|p| p.pairs.truncate(4)),
        BadPairing::Missing(_)
    ));
    // Two pairs exchange a partner: some progression must lose its pair, or the pairing had a choice there.
    let refused = (0..good.pairs.len() - 1).filter(|&i| {
        let mut bad = good.clone();
        let other = bad.pairs[i + 1].1;
        bad.pairs[i + 1].1 = std::mem::replace(&mut bad.pairs[i].1, other);
        matches!(bad.check(), Err(BadPairing::Unpaired(_)))
    });
    assert!(refused.count() > 0);
}

/// Every move of Maker, against the pairing's answers: Breaker wins every game.
fn beats_everything(pairing: &Pairing, board: &Board, seen: &mut HashSet<Vec<u16>>) {
    match (board.winner(), board.to_move()) {
        (Some(winner), _) => assert_eq!(winner, Side::Breaker, "{:?}", board.colours()),
        (None, Side::Breaker) => {
            let mut next = board.clone();
            next.paint(pairing.answer(board).unwrap().paint);
            assert!(pairing.holds(&next));
            beats_everything(pairing, &next, seen);
        }
        (None, Side::Maker) if seen.insert(board.colours().to_vec()) => {
            for number in board.uncoloured() {
                for colour in board.palette() {
                    let mut next = board.clone();
                    next.paint(Paint { number, colour });
                    beats_everything(pairing, &next, seen);
                }
            }
        }
        _ => {}
    }
}

#[test]
fn the_answers_beat_every_maker() {
    for (n, k, first) in [
        (4, 3, Side::Maker),
        (3, 3, Side::Breaker),
        (6, 4, Side::Maker),
        (7, 4, Side::Breaker),
    ] {
        let pairing = find(n, k, &Budget::endless()).pairing().unwrap().clone();
        assert!(pairing.decides(first) && !pairing.decides(first.other()));
        let board = Board::new(terms(n.into(), k.into(), k.into(), first));
        beats_everything(&pairing, &board, &mut HashSet::new());
    }
}

/// What an argument claims in a position, the solver confirms; the position may come about in any way.
#[test]
fn positions_that_an_argument_wins_are_won() {
    let mut confirmed = [0, 0];
    for seed in 0..400 {
        let mut dice = Dice::at(Seed::new(seed), Stream::Aside, 0);
        let first = Side::BOTH[dice.below(2)];
        let (n, k) = [(10, 4), (9, 4), (12, 5), (12, 6), (13, 7)][dice.below(5)];
        let mut board = Board::new(terms(n, k, k + 1, first));
        let pairing = find(n as u32, k as u32, &Budget::endless())
            .pairing()
            .unwrap()
            .clone();
        for _ in 0..dice.below(7) {
            let open: Vec<u32> = board.uncoloured().collect();
            let number = *dice.pick(&open).unwrap();
            let colour = dice.below(3) as u16 + 1;
            board.paint(Paint { number, colour });
        }
        if board.winner().is_some() {
            continue;
        }
        let by_pairing = match board.to_move() {
            Side::Maker => pairing.holds(&board),
            Side::Breaker => pairing.answer(&board).is_some(),
        };
        let by_potential = Weights::of(&board, own_colour(&board))
            .unwrap()
            .decides(board.to_move());
        if by_pairing || by_potential {
            let mut solver = Solver::new(board.terms()).unwrap();
            let solved = solver.solve(&board, &Budget::endless(), &mut ()).unwrap();
            assert_eq!(solved.winner, Side::Breaker, "{:?}", board.colours());
            confirmed[0] += u32::from(by_pairing);
            confirmed[1] += u32::from(by_potential);
        }
    }
    assert!(confirmed[0] > 20 && confirmed[1] > 20, "{confirmed:?}");
}

#[test]
fn the_potential_is_the_sum_over_all_halves() {
    for (n, k) in [(300, 30), (31, 7), (12, 12), (40, 9)] {
        for first in Side::BOTH {
            let terms = terms(n, k, k, first);
            let sum = potential(&terms);
            let weights = Weights::of(&Board::new(terms), 1).unwrap();
            assert!((weights.sum - sum.sum).abs() < 1e-9, "{n} {k}");
            assert_eq!(sum.decides, sum.sum < sum.bound);
        }
    }
}

/// A Maker who always takes the heaviest half, and one who moves by lot: the sum stays below 1.
#[test]
fn the_potential_player_holds_its_sum() {
    for (n, k, first) in [
        (300, 30, Side::Maker),
        (60, 16, Side::Breaker),
        (50, 17, Side::Maker),
    ] {
        for seed in 0..2 {
            let mut dice = Dice::at(Seed::new(seed), Stream::Aside, 0);
            let terms = terms(n, k, 200, first);
            assert!(potential(&terms).decides);
            let mut board = Board::new(terms);
            let mut fresh = 1;
            while board.winner().is_none() {
                let paint = if board.to_move() == Side::Breaker {
                    let (paint, weights) = answer(&board).unwrap();
                    assert!(weights.decides(Side::Breaker), "{}", weights.sum);
                    paint
                } else {
                    let weights = Weights::of(&board, 1).unwrap();
                    let open: Vec<u32> = board.uncoloured().collect();
                    let number = match weights.heaviest().0 {
                        Some(heaviest) if seed == 0 => heaviest,
                        _ => *dice.pick(&open).unwrap(),
                    };
                    fresh = fresh % 199 + 1;
                    Paint {
                        number,
                        colour: fresh + 1,
                    }
                };
                board.paint(paint);
            }
            assert_eq!(board.winner(), Some(Side::Breaker));
        }
    }
}

#[test]
fn solve_forecast_and_hold_use_them() {
    for (n, k, c, first, by) in [
        (26, 6, 6, Side::Maker, By::Pairing),
        (27, 6, 27, Side::Breaker, By::Pairing),
        (300, 30, 200, Side::Maker, By::Potential),
        (41, 17, 20, Side::Maker, By::Potential),
    ] {
        let terms = terms(n, k, c, first);
        let solved = solve(&terms, &Budget::endless());
        assert_eq!(
            (solved.winner, solved.by),
            (Some(Side::Breaker), Some(by)),
            "n={n} k={k}"
        );
        assert_eq!(solved.best.is_some(), first == Side::Breaker);
        assert_eq!(solved.pairing.is_some(), by == By::Pairing);
        let told = forecast(&terms, &Budget::endless());
        assert_eq!(told.reason.by(), Some(by));
        assert!(!told.why.to_string().contains('{'), "{}", told.why);
        let held = hold(&terms, &Budget::endless(), 1, &|_| ()).unwrap();
        assert_eq!((held.chance, held.exact, held.by), (1.0, true, by));
    }
    // The other parity and the first board without a pairing are not claimed.
    let few = Budget::start(Limits::nodes(200_000));
    for (n, first) in [(28, Side::Maker), (29, Side::Breaker)] {
        let told = forecast(&terms(n, 6, 6, first), &few);
        assert_eq!((told.winner, told.reason), (None, Reason::Open), "n={n}");
    }
}

#[test]
fn the_players_win_what_their_arguments_promise() {
    let entry = entry().erase();
    for (game, player) in [
        ("rainbow:n=26,k=6,c=10,first=maker", "pairing"),
        ("rainbow:n=27,k=6,c=10,first=breaker", "pairing"),
        ("rainbow:n=60,k=16,c=20,first=breaker", "potential"),
    ] {
        let game = entry.game(&game.parse().unwrap(), &Shelf::new()).unwrap();
        for (seed, maker) in [(1, "level:level=4"), (2, "random"), (3, "strong:nodes=30")] {
            let seat = |spec: Spec, seat| game.player(&spec, seat, &Shelf::new()).unwrap();
            let mut maker_seat = seat(maker.parse().unwrap(), Seat::FIRST);
            let mut breaker_seat = seat(Spec::named(player), Seat::SECOND);
            let players: &mut [&mut dyn wits_play::AnyPlayer] =
                &mut [&mut *maker_seat, &mut *breaker_seat];
            let played =
                wits_play::Runner::default().run(&*game, players, Seed::new(seed), &Shelf::new());
            assert_eq!(
                played.outcome.winner(),
                Some(Seat::SECOND),
                "{player} against {maker}"
            );
        }
    }
}
