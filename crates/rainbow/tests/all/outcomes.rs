//! Who wins under perfect play: the known table, and an independent solver that knows no tricks.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::HashMap;

use wits_rainbow::exact::Solver;
use wits_rainbow::{Board, Paint, Side, Terms, all_series};
use wits_search::{Budget, Limits};

fn solver(n: u64, k: u64, c: u64, first: Side) -> (Board, Solver) {
    let terms = Terms::new(n, k, c, first).unwrap();
    (Board::new(terms), Solver::new(&terms).unwrap())
}

fn winner(n: u64, k: u64, c: u64, first: Side) -> Side {
    let (board, mut solver) = solver(n, k, c, first);
    solver
        .solve(&board, &Budget::endless(), &mut ())
        .unwrap()
        .winner
}

#[test]
fn the_table_of_outcomes() {
    let mut rows = 0;
    for line in include_str!("../outcomes.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
    {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (k, first): (u64, Side) = (words[0].parse().unwrap(), words[1].parse().unwrap());
        for (n, letter) in (k..).zip(words[2].chars()) {
            let expected = if letter == 'M' {
                Side::Maker
            } else {
                Side::Breaker
            };
            // Up to 13 with every palette, then with the smallest and the largest.
            let palettes: Vec<u64> = if n <= 13 {
                (k..=n).collect()
            } else {
                vec![k, n]
            };
            for c in palettes {
                assert_eq!(
                    winner(n, k, c, first),
                    expected,
                    "n={n} k={k} c={c} {first} first"
                );
            }
            assert_eq!(winner(n, k, k - 1, first), Side::Breaker);
        }
        rows += 1;
    }
    assert_eq!(rows, 10);
    for n in 8..=13 {
        for k in 8..=n {
            for first in Side::BOTH {
                assert_eq!(winner(n, k, k, first), Side::Breaker);
            }
        }
    }
}

/// Plain minimax over colourings: every number, every colour, no symmetry, nothing left out.
struct Plain {
    n: usize,
    k: usize,
    c: u8,
    lines: Vec<Vec<usize>>,
    known: HashMap<(Vec<u8>, bool), bool>,
}

impl Plain {
    fn maker_wins(&mut self, cells: &[u8], maker: bool) -> bool {
        let rainbow = |line: &Vec<usize>| {
            let mut seen: Vec<u8> = line.iter().map(|&x| cells[x]).collect();
            seen.sort_unstable();
            seen.dedup();
            seen.len() == self.k && seen[0] != 0
        };
        if self.lines.iter().any(rainbow) {
            return true;
        }
        if cells.iter().all(|&colour| colour != 0) {
            return false;
        }
        let key = (cells.to_vec(), maker);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let mut result = !maker;
        'moves: for x in 0..self.n {
            for colour in 1..=self.c {
                if cells[x] == 0 {
                    let mut next = cells.to_vec();
                    next[x] = colour;
                    if self.maker_wins(&next, !maker) == maker {
                        result = maker;
                        break 'moves;
                    }
                }
            }
        }
        self.known.insert(key, result);
        result
    }
}

#[test]
fn a_solver_that_knows_no_tricks_agrees() {
    for (n, k, c) in [
        (3, 2, 2),
        (3, 3, 3),
        (4, 3, 3),
        (4, 3, 4),
        (5, 3, 3),
        (5, 4, 4),
        (6, 3, 3),
        (6, 3, 4),
        (6, 4, 4),
        (7, 3, 3),
        (7, 4, 4),
    ] {
        for first in Side::BOTH {
            let lines = all_series(n, k)
                .map(|s| s.numbers(k).map(|x| x as usize - 1).collect())
                .collect();
            let mut plain = Plain {
                n: n as usize,
                k: k as usize,
                c,
                lines,
                known: HashMap::new(),
            };
            let maker = plain.maker_wins(&vec![0; n as usize], first == Side::Maker);
            let side = if maker { Side::Maker } else { Side::Breaker };
            assert_eq!(
                winner(n.into(), k.into(), c.into(), first),
                side,
                "n={n} k={k} c={c} {first}"
            );
            // Positions along the way, too, with any colours on them.
            for ((cells, maker_moves), maker_wins) in plain.known.iter().filter(|(key, _)| {
                key.0
                    .iter()
                    .enumerate()
                    .map(|(i, &c)| (i + 1) * usize::from(c))
                    .sum::<usize>()
                    % 97
                    == 5
            }) {
                let painted = cells.iter().filter(|&&colour| colour != 0).count();
                let starter = if painted % 2 == 0 {
                    *maker_moves
                } else {
                    !*maker_moves
                };
                let starter = if starter { Side::Maker } else { Side::Breaker };
                let (mut board, mut solver) = solver(n.into(), k.into(), c.into(), starter);
                for (number, &colour) in (1..).zip(cells).filter(|(_, colour)| **colour != 0) {
                    board.paint(Paint {
                        number,
                        colour: colour.into(),
                    });
                }
                let solved = solver.solve(&board, &Budget::endless(), &mut ()).unwrap();
                assert_eq!(
                    solved.winner == Side::Maker,
                    *maker_wins,
                    "{cells:?} {maker_moves}"
                );
                if let Some(best) = solved.best {
                    board.paint(best);
                    let after = solver.solve(&board, &Budget::endless(), &mut ()).unwrap();
                    assert_eq!(after.winner, solved.winner, "{best:?} wins in {cells:?}");
                }
            }
        }
    }
}

#[test]
fn a_proof_has_a_size_and_a_budget_has_an_end() {
    let (board, mut solver1) = solver(9, 4, 4, Side::Maker);
    let size = solver1.proof(&board, &Budget::endless()).unwrap();
    assert!(
        size.positions > size.answers && size.answers > 0 && size.longest <= 9,
        "{size:?}"
    );
    let (board, mut solver2) = solver(19, 6, 19, Side::Maker);
    assert_eq!(
        solver2.solve(&board, &Budget::start(Limits::nodes(500)), &mut ()),
        None
    );
    assert!(solver2.positions() <= 500);
}

/// Many threads and a table that was kept and taken up again change nothing but the time.
#[test]
fn threads_and_kept_tables_agree() {
    for (n, k, first, expected) in [
        (12, 4, Side::Maker, Side::Maker),
        (14, 5, Side::Breaker, Side::Breaker),
        (15, 5, Side::Maker, Side::Breaker),
    ] {
        let terms = Terms::new(n, k, k, first).unwrap();
        let board = Board::new(terms);
        let mut solver = Solver::sized(&terms, 1_000_000).unwrap();
        solver.spread(&board, &Budget::endless(), 3);
        let solved = solver.solve(&board, &Budget::endless(), &mut ()).unwrap();
        let (_, mut alone) = self::solver(n, k, k, first);
        let plain = alone.solve(&board, &Budget::endless(), &mut ()).unwrap();
        assert_eq!((solved.winner, solved.best), (expected, plain.best));
        let mut bytes = Vec::new();
        solver.save(&mut bytes).unwrap();
        let mut again = Solver::sized(&terms, 1_000_000).unwrap();
        again.resume(&mut &bytes[..]).unwrap();
        assert_eq!(again.positions(), solver.positions());
        let few = Budget::start(Limits::nodes(100));
        assert_eq!(again.solve(&board, &few, &mut ()).unwrap().winner, expected);
        let (_, mut other) = self::solver(n + 1, k, k, first);
        assert!(other.resume(&mut &bytes[..]).is_err());
        assert!(again.resume(&mut &bytes[..bytes.len() / 2]).is_err());
    }
    let long = Terms::new(30, 6, 30, Side::Maker).unwrap();
    let mut solver = Solver::sized(&long, 100).unwrap();
    let board = Board::new(long);
    assert_eq!(solver.solve(&board, &Budget::endless(), &mut ()), None);
    // Positions that were begun when the table was full are still finished.
    assert!(
        (90..=130).contains(&solver.positions()),
        "{}",
        solver.positions()
    );
    assert!(Solver::new(&long).is_none());
}

#[test]
fn what_is_watched_is_what_happens() {
    let (board, mut solver1) = solver(8, 4, 4, Side::Breaker);
    let mut steps: Vec<wits_search::Step> = Vec::new();
    let watched = solver1
        .solve(&board, &Budget::endless(), &mut steps)
        .unwrap();
    let (_, mut solver2) = solver(8, 4, 4, Side::Breaker);
    assert_eq!(
        solver2.solve(&board, &Budget::endless(), &mut ()).unwrap(),
        watched
    );
    assert_eq!(watched.winner, Side::Maker);
    assert!(
        steps.len() > 10
            && steps
                .iter()
                .all(|step| !step.says.to_string().contains(['{', '(']))
    );
}
