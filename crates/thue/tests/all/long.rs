//! Words as long as the players and the marathon meet them. What they cost is measured by `wits bench thue`.

use wits_game::{Dice, Seed};
use wits_search::Budget;
use wits_thue::marathon::{MarathonBuilder, marathon};
use wits_thue::words::Variant;
use wits_thue::{Word, fits};

/// The masks of all gaps, which take other ways below and above 512 and 2048 letters, are those of the single gaps; the totals
/// of the children are those of the children themselves.
#[test]
fn masks() {
    for letters in [200, 600, 2100] {
        let mut dice = Dice::new(Seed::new(1));
        let mut word = Word::new(vec![0]).unwrap();
        while word.len() < letters {
            let gap = dice.below(word.len() + 1);
            let fit: Vec<u8> = fits::symbols(fits::at(&word, gap, 6, Variant::Square)).collect();
            if !fit.is_empty() {
                word = word.with(gap, fit[dice.below(fit.len())]);
            }
        }
        let single: Vec<u64> = (0..=word.len())
            .map(|gap| fits::at(&word, gap, 6, Variant::Square))
            .collect();
        assert_eq!(fits::all(&word, 6, Variant::Square), single, "{letters}");
        let known = fits::children(&word, 6, Variant::Square);
        assert_eq!(known.fits, single, "{letters}");
        for gap in (0..=word.len()).step_by(37) {
            for symbol in fits::symbols(single[gap]) {
                let longer = fits::all(&word.with(gap, symbol), 6, Variant::Square);
                assert_eq!(
                    known.total(gap, symbol),
                    fits::total(&longer),
                    "{gap} {symbol}"
                );
            }
        }
    }
}

/// Ten million moves and the check of the word.
#[test]
#[ignore = "takes about half a minute"]
fn a_long_marathon() {
    for (builder, moves) in [
        (MarathonBuilder::Random, 10_000_000),
        (MarathonBuilder::Ends, 10_000_000),
        (MarathonBuilder::Greedy, 3000),
    ] {
        let end = marathon(moves, builder, Seed::new(1), &Budget::endless(), |_| {});
        assert!(end.square_free && end.moves == moves, "{end:?}");
    }
}
