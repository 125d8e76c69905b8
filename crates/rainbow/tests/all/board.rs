//! The counts that a board keeps equal a recount from scratch, whatever is played.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proptest::prelude::*;
use wits_game::{Dice, Game, Seed};
use wits_rainbow::players::{Hint, Level};
use wits_rainbow::{Board, Paint, Rainbow, Series, Side, Terms, all_series};

/// What the document keeps in its queue: every series with its missing count, built from nothing.
fn recount(board: &Board) -> Vec<(Series, u32)> {
    let terms = board.terms();
    let missing = |series: &Series| {
        let mut colours: Vec<u16> = series
            .numbers(terms.k())
            .filter_map(|x| board.colour(x))
            .collect();
        let coloured = colours.len();
        colours.sort_unstable();
        colours.dedup();
        let live = colours.len() == coloured && u32::from(terms.c()) >= terms.k();
        live.then_some(terms.k() - coloured as u32)
    };
    all_series(terms.n(), terms.k())
        .filter_map(|s| missing(&s).map(|m| (s, m)))
        .collect()
}

fn check(board: &Board) {
    let terms = board.terms();
    let live = recount(board);
    for m in 0..=terms.k() {
        assert_eq!(
            board.live(m),
            live.iter().filter(|(_, missing)| *missing == m).count() as u64
        );
        for x in 1..=terms.n() {
            let holding = live
                .iter()
                .filter(|(s, missing)| *missing == m && s.holds(terms.k(), x));
            assert_eq!(
                board.holding(m)[x as usize - 1] as usize,
                holding.count(),
                "{m} {x}"
            );
        }
    }
    for x in 1..=terms.n() {
        let weight = live.iter().filter(|(s, _)| s.holds(terms.k(), x)).count();
        assert_eq!(board.weights()[x as usize - 1] as usize, weight);
    }
    for colour in board.palette() {
        let spread = live.iter().filter(|(s, _)| board.has(*s, colour)).count();
        assert_eq!(board.spread(colour) as usize, spread);
        assert_eq!(
            board.used(colour) as usize,
            board.colours().iter().filter(|&&c| c == colour).count()
        );
    }
    let rainbow = live
        .iter()
        .filter(|(_, missing)| *missing == 0)
        .map(|(s, _)| *s)
        .min();
    assert_eq!(board.rainbow(), rainbow);
    let winner = if rainbow.is_some() {
        Some(Side::Maker)
    } else {
        live.is_empty().then_some(Side::Breaker)
    };
    assert_eq!(board.winner(), winner);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn incremental_equals_recount(
        (n, k) in (2u64..28).prop_flat_map(|n| (Just(n), 2..=n)),
        c in 1u64..12,
        first in 0usize..2,
        seed in 0u64..1_000_000,
    ) {
        let terms = Terms::new(n, k, c, Side::BOTH[first]).unwrap();
        let game = Rainbow::new(terms);
        let mut board = game.start();
        let mut dice = Dice::new(Seed::new(seed));
        check(&board);
        while board.winner().is_none() {
            // Half of the games by lot, half by the rules that look at the counts.
            let style = if seed % 2 == 0 { 0 } else { (seed / 2 % 5) as u8 };
            let advice = match board.to_move() {
                Side::Maker => Level::new(style).unwrap().advise(&board, &mut dice),
                Side::Breaker => Hint::new(style.max(1)).unwrap().advise(&board, &mut dice),
            };
            let paint = advice.unwrap().paint;
            game.legal(&board, &paint).unwrap();
            board.paint(paint);
            check(&board);
            let json = serde_json::to_string(&board).unwrap();
            let back: Board = serde_json::from_str(&json).unwrap();
            prop_assert_eq!(back.rainbow(), board.rainbow());
            prop_assert_eq!(back, board.clone());
        }
    }
}

#[test]
fn long_series_take_the_other_way_of_looking() {
    let terms = Terms::new(60, 15, 20, Side::Maker).unwrap();
    let mut board = Board::new(terms);
    let mut dice = Dice::new(Seed::new(3));
    for _ in 0..25 {
        let open: Vec<u32> = board.uncoloured().collect();
        let paint = Paint {
            number: *dice.pick(&open).unwrap(),
            colour: dice.below(20) as u16 + 1,
        };
        board.paint(paint);
        check(&board);
    }
}

#[test]
fn positions_that_do_not_fit_are_refused() {
    for painted in ["[[0,1]]", "[[4,1]]", "[[1,0]]", "[[1,3]]", "[[1,1],[1,2]]"] {
        let json = format!(r#"{{"n":3,"k":2,"c":2,"first":"maker","painted":{painted}}}"#);
        assert!(serde_json::from_str::<Board>(&json).is_err(), "{painted}");
    }
}
