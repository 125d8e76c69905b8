//! The game in which Breaker may pass.

use std::collections::HashMap;

use wits_rainbow::Side;
use wits_rainbow::exact;
use wits_rainbow::forecast::{By, Reason, forecast, solve};
use wits_rainbow::pairing::find;
use wits_rainbow::passes::{Solver, check, maker_wins};
use wits_rainbow::{Board, Terms, all_series};
use wits_search::{Budget, Limits};

/// Where pairings end.
const LAST: [(u32, u32); 3] = [(3, 4), (4, 10), (5, 16)];

fn terms(n: u32, k: u32, c: u32, first: Side) -> Terms {
    Terms::new(n.into(), k.into(), c.into(), first).unwrap()
}

fn solver(n: u32, k: u32) -> Solver {
    Solver::sized(n, k, 1_000_000).unwrap()
}

#[test]
fn outcomes_switch_where_pairings_end() {
    for (k, last) in LAST {
        for n in k..=last + 2 {
            for first in Side::BOTH {
                let outcome = solver(n, k).solve(first, 1, &Budget::endless()).unwrap();
                let paired = find(n, k, &Budget::endless()).pairing().is_some();
                assert_eq!(
                    outcome.winner == Side::Breaker,
                    paired,
                    "n={n} k={k} {first}"
                );
                assert_eq!(paired, n <= last);
            }
        }
    }
}

#[test]
fn strategies_stand_the_check() {
    for (k, n) in [(3, 5), (3, 8), (4, 11), (4, 14), (5, 17), (5, 19)] {
        for (first, threads) in [(Side::Maker, 1), (Side::Breaker, 2)] {
            let budget = Budget::endless();
            let mut solver = solver(n, k);
            let outcome = solver.solve(first, threads, &budget).unwrap();
            let checked = check(&solver, first, threads, &budget).unwrap();
            assert!(checked.answers > 0 && checked.colours <= n, "n={n} k={k}");
            assert!(outcome.colours.unwrap() <= n, "n={n} k={k}");
            assert!(outcome.opening.is_some_and(|x| (1..=n).contains(&x)));
        }
    }
    // Breaker's win is none of Maker's.
    let mut lost = solver(10, 4);
    lost.solve(Side::Maker, 1, &Budget::endless()).unwrap();
    assert!(check(&lost, Side::Maker, 1, &Budget::endless()).is_err());
}

/// Both sides may use any of so many colours, and nothing is known about the game.
struct Plain {
    k: u32,
    colours: u8,
    known: HashMap<(Vec<u8>, bool), bool>,
}

impl Plain {
    fn maker_wins(&mut self, cells: &mut Vec<u8>, maker: bool) -> bool {
        let n = cells.len() as u32;
        let rainbow = all_series(n, self.k).any(|series| {
            let seen: Vec<u8> = series
                .numbers(self.k)
                .map(|x| cells[x as usize - 1])
                .collect();
            let fresh = |i: usize| seen[i] > 0 && !seen[..i].contains(&seen[i]);
            (0..seen.len()).all(fresh)
        });
        if rainbow || cells.iter().all(|&cell| cell > 0) {
            return rainbow;
        }
        if let Some(&known) = self.known.get(&(cells.clone(), maker)) {
            return known;
        }
        // A pass of Breaker first; it is none of Maker's moves.
        let mut wins = !maker && self.maker_wins(cells, true);
        if maker || wins {
            'moves: for x in 0..cells.len() {
                for colour in 1..=self.colours {
                    if cells[x] > 0 {
                        continue 'moves;
                    }
                    cells[x] = colour;
                    let after = self.maker_wins(cells, !maker);
                    cells[x] = 0;
                    if after == maker {
                        wins = maker;
                        break 'moves;
                    }
                }
            }
        }
        self.known.insert((cells.clone(), maker), wins);
        wins
    }
}

#[test]
fn a_search_without_ideas_agrees() {
    for (n, k) in [
        (3, 2),
        (3, 3),
        (4, 3),
        (5, 3),
        (6, 3),
        (5, 4),
        (6, 4),
        (6, 5),
    ] {
        for first in Side::BOTH {
            let mut plain = Plain {
                k,
                colours: n as u8,
                known: HashMap::new(),
            };
            let maker = plain.maker_wins(&mut vec![0; n as usize], first == Side::Maker);
            let outcome = solver(n, k).solve(first, 1, &Budget::endless()).unwrap();
            assert_eq!(outcome.winner == Side::Maker, maker, "n={n} k={k} {first}");
        }
    }
}

#[test]
fn a_win_with_passes_is_a_win_without() {
    for (k, last) in LAST {
        for n in last + 1..=(last + 6).min(19) {
            for first in Side::BOTH {
                let terms = terms(n, k, n, first);
                let mut exact = exact::Solver::new(&terms).unwrap();
                let board = Board::new(terms);
                let solved = exact.solve(&board, &Budget::endless(), &mut ()).unwrap();
                assert_eq!(solved.winner, Side::Maker, "n={n} k={k} {first}");
            }
        }
    }
}

#[test]
fn long_boards_are_decided() {
    let budget = Budget::endless();
    for (k, last) in LAST {
        assert_eq!(maker_wins(last, k, &budget), None);
        let outcome = maker_wins(1_000_000, k, &budget).unwrap();
        assert_eq!((outcome.n, outcome.winner), (last + 1, Side::Maker));
    }
    assert_eq!(maker_wins(1000, 6, &budget), None);
    for (first, opening) in [(Side::Maker, true), (Side::Breaker, false)] {
        let terms = terms(1000, 5, 17, first);
        assert_eq!(forecast(&terms, &budget).reason, Reason::Passes);
        let solution = solve(&terms, &budget);
        assert_eq!(
            (solution.winner, solution.by, solution.best.is_some()),
            (Some(Side::Maker), Some(By::Search), opening)
        );
    }
    // With fewer colours than the longest line has moves nothing is claimed.
    let few = terms(1000, 5, 10, Side::Maker);
    assert_eq!(forecast(&few, &budget).reason, Reason::Open);
}

#[test]
fn a_search_is_taken_up_again() {
    let mut first = solver(17, 5);
    let short = Budget::start(Limits::nodes(5_000));
    assert_eq!(first.solve(Side::Maker, 1, &short), None);
    let mut kept = Vec::new();
    first.save(&mut kept).unwrap();
    let mut second = solver(17, 5);
    second.resume(&mut kept.as_slice()).unwrap();
    assert_eq!(second.positions(), first.positions());
    let outcome = second.solve(Side::Maker, 1, &Budget::endless()).unwrap();
    let fresh = solver(17, 5)
        .solve(Side::Maker, 1, &Budget::endless())
        .unwrap();
    assert_eq!(outcome.winner, fresh.winner);
    assert!(outcome.nodes < fresh.nodes);
    let refused = solver(18, 5).resume(&mut kept.as_slice()).unwrap_err();
    assert!(refused.to_string().contains("of this board"), "{refused}");
    assert!(Solver::sized(33, 9, 10).is_none() && Solver::sized(32, 3, 10).is_none());
}
