//! Ten million moves against the Painter that never loses.

use serde::Serialize;
use wits_game::{Dice, Seed};
use wits_search::Budget;

use crate::fits;
use crate::players::{Element, Scheme};
use crate::rope::Rope;
use crate::words::{Variant, stretches};

/// How the Builder picks its gaps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MarathonBuilder {
    /// Any gap, each equally likely.
    Random,
    /// The two ends in turn.
    Ends,
    /// The last gap with the fewest fitting symbols; it looks at every gap, so a few thousand moves are many.
    Greedy,
}

/// A name of no builder.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a builder of the marathon; give random, ends or greedy")]
pub struct UnknownBuilder(String);

impl std::str::FromStr for MarathonBuilder {
    type Err = UnknownBuilder;

    fn from_str(text: &str) -> Result<Self, UnknownBuilder> {
        match text {
            "random" => Ok(MarathonBuilder::Random),
            "ends" => Ok(MarathonBuilder::Ends),
            "greedy" => Ok(MarathonBuilder::Greedy),
            _ => Err(UnknownBuilder(text.to_owned())),
        }
    }
}

/// What a marathon came to: the certificate is the check of the final word by code that knows nothing of the scheme.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Marathon {
    /// How many symbols were painted.
    pub moves: usize,
    /// Whether the final word has no square, as the near-linear checker of Main and Lorentz says.
    pub square_free: bool,
    /// How many different symbols the word uses.
    pub symbols_used: usize,
    /// How long the word is: one more than the moves.
    pub length: usize,
    /// The deepest level of the scheme.
    pub deepest: u32,
    /// A checksum of the word (FNV-1a of its symbols), to tell two runs apart.
    pub word_hash: String,
    /// Whether it was stopped before all moves were made.
    pub stopped: bool,
}

/// Plays so many moves, or until the budget ends, and checks the word. `each` hears now and then how many were made.
pub fn marathon(
    moves: usize,
    builder: MarathonBuilder,
    seed: Seed,
    budget: &Budget,
    mut each: impl FnMut(usize),
) -> Marathon {
    let (rope, made) = run(moves, builder, seed, budget, &mut each);
    let mut word = Vec::with_capacity(rope.len());
    let mut deepest = 0;
    rope.each(|&element| {
        deepest = deepest.max(element.level);
        word.push(Scheme::symbol(element));
    });
    let used = word.iter().fold(0u64, |set, &c| set | 1 << c);
    let hash = word.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, &c| {
        (hash ^ u64::from(c)).wrapping_mul(0x0100_0000_01b3)
    });
    Marathon {
        moves: made,
        square_free: stretches::square_free(&word),
        symbols_used: used.count_ones() as usize,
        length: word.len(),
        deepest,
        word_hash: format!("{hash:016x}"),
        stopped: made < moves,
    }
}

fn run(
    moves: usize,
    builder: MarathonBuilder,
    seed: Seed,
    budget: &Budget,
    each: &mut impl FnMut(usize),
) -> (Rope<Element>, usize) {
    // How many moves go by between two looks at the clock and two words to the listener.
    const STRIDE: usize = 1 << 14;
    let mut dice = Dice::new(seed);
    let mut rope = Rope::new();
    rope.insert(0, Scheme::FIRST);
    // The greedy Builder needs the word itself.
    let mut word = vec![Scheme::symbol(Scheme::FIRST)];
    for made in 0..moves {
        let stride = if builder == MarathonBuilder::Greedy {
            16
        } else {
            STRIDE
        };
        if made % stride == 0 {
            each(made);
            if budget.stopped() || budget.late() {
                return (rope, made);
            }
        }
        let gap = match builder {
            MarathonBuilder::Random => dice.below(rope.len() + 1),
            MarathonBuilder::Ends => {
                if made % 2 == 0 {
                    0
                } else {
                    rope.len()
                }
            }
            MarathonBuilder::Greedy => tightest(&word),
        };
        let left = gap.checked_sub(1).and_then(|i| rope.get(i)).copied();
        let element = Scheme::between(left, rope.get(gap).copied());
        rope.insert(gap, element);
        if builder == MarathonBuilder::Greedy {
            word.insert(gap, Scheme::symbol(element));
        }
    }
    (rope, moves)
}

fn tightest(word: &[u8]) -> usize {
    let fits = fits::all(word, Scheme::SYMBOLS, Variant::Square);
    let fewest = fits.iter().map(|fit| fit.count_ones()).min();
    fits.iter()
        .rposition(|fit| Some(fit.count_ones()) == fewest)
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_beats_it() {
        for (builder, moves) in [
            (MarathonBuilder::Random, 60_000),
            (MarathonBuilder::Ends, 60_000),
            (MarathonBuilder::Greedy, 600),
        ] {
            let end = marathon(moves, builder, Seed::new(1), &Budget::endless(), |_| {});
            assert!(end.square_free && !end.stopped, "{end:?}");
            assert_eq!((end.moves, end.length), (moves, moves + 1));
            assert!(end.symbols_used <= Scheme::SYMBOLS);
        }
    }

    /// The checker would notice: one symbol copied over its neighbour makes a square.
    #[test]
    fn the_check_can_fail() {
        let (rope, _) = run(
            5000,
            MarathonBuilder::Random,
            Seed::new(2),
            &Budget::endless(),
            &mut |_| {},
        );
        let mut word = Vec::new();
        rope.each(|&e| word.push(Scheme::symbol(e)));
        assert!(stretches::square_free(&word));
        word[2500] = word[2501];
        assert!(!stretches::square_free(&word));
    }
}
