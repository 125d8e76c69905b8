//! Circles against programs without ideas.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use wits_rainbow::Side;
use wits_rainbow::circle::{circle, progressions};
use wits_search::Budget;

/// The most colours without a rainbow, over every way to share numbers out among colours.
fn most(n: usize, all: &[Vec<u32>], cells: &mut Vec<u32>) -> u32 {
    let used = cells.iter().max().copied().unwrap_or(0);
    if cells.len() == n {
        return if rainbow(all, cells) { 0 } else { used };
    }
    (1..=used + 1)
        .map(|colour| {
            cells.push(colour);
            let found = most(n, all, cells);
            cells.pop();
            found
        })
        .max()
        .unwrap()
}

/// Whether some progression has different colours only; 0 is none.
fn rainbow(all: &[Vec<u32>], cells: &[u32]) -> bool {
    all.iter().any(|numbers| {
        let mut colours: Vec<u32> = numbers.iter().map(|&x| cells[x as usize - 1]).collect();
        colours.sort_unstable();
        colours.dedup();
        colours.len() == numbers.len() && colours[0] != 0
    })
}

/// Whether Maker wins, by trying everything until the board is full.
fn maker_wins(all: &[Vec<u32>], cells: &[u32], maker: bool) -> bool {
    if rainbow(all, cells) {
        return true;
    }
    let open: Vec<usize> = (0..cells.len()).filter(|&x| cells[x] == 0).collect();
    if open.is_empty() {
        return false;
    }
    let mut tries = open.into_iter().flat_map(|x| {
        let used = cells.iter().max().copied().unwrap_or(0);
        (1..=used + 1).map(move |colour| (x, colour))
    });
    let mut board = cells.to_vec();
    tries.any(|(x, colour)| {
        board[x] = colour;
        let found = maker_wins(all, &board, !maker);
        board[x] = 0;
        found == maker
    }) == maker
}

#[test]
fn programs_without_ideas_agree() {
    for n in 3..=8u32 {
        for k in 3..=n {
            let found = circle(n.into(), k.into(), &Budget::endless()).unwrap();
            let all = progressions(n, k);
            let plain = most(n as usize, &all, &mut Vec::new());
            assert_eq!(found.aw, Some(plain + 1), "n={n} k={k}");
            let witness = found.witness.unwrap();
            assert!(!rainbow(&all, &witness), "n={n} k={k}");
            assert_eq!(witness.iter().max(), Some(&plain));
            for winner in found.winners.iter().filter(|_| n <= 6) {
                let maker = maker_wins(&all, &vec![0; n as usize], winner.first == Side::Maker);
                assert_eq!(winner.winner == Side::Maker, maker, "n={n} k={k}");
            }
            assert_eq!(found.winners.len(), 2);
            // A pairing wins with Maker first for even n, with Breaker first for odd n.
            if found.pairs.is_some() {
                let first = found.winners[(n % 2) as usize];
                assert_eq!(first.winner, Side::Breaker, "n={n} k={k}");
            }
        }
    }
}

/// For three numbers: 2, one more if n is even, and one for each odd prime factor below 17 (Young, 2018).
#[test]
fn the_theorem_for_three_holds() {
    for n in 3..=24u32 {
        let mut rest = n;
        let mut aw = 2 + u32::from(n % 2 == 0);
        for p in [3, 5, 7, 11, 13] {
            while rest % p == 0 {
                (rest, aw) = (rest / p, aw + 1);
            }
        }
        if rest.is_power_of_two() {
            let budget = Budget::endless();
            let all = progressions(n, 3);
            let found = circle(n.into(), 3, &budget).unwrap();
            assert_eq!(found.aw, Some(aw), "n={n}, {} progressions", all.len());
        }
    }
}
