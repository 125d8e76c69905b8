//! Ten million moves against the Painter that never loses.

use serde::Serialize;
use wits_game::{Dice, Seed};
use wits_search::Budget;

use crate::players::{Element, Scheme};
use crate::rope::Rope;
use crate::tight::Tight;
use crate::words::stretches;

/// How the Builder picks its gaps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MarathonBuilder {
    /// Any gap, each equally likely.
    Random,
    /// The two ends in turn.
    Ends,
    /// The last gap with the fewest fitting symbols, as far as a window around each new letter shows: squares of periods up to 32 are
    /// seen whole, of longer ones only those that lie in the window.
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
    let (grown, made) = run(moves, builder, seed, budget, &mut each);
    let mut word = Vec::with_capacity(made + 1);
    let mut deepest = 0;
    grown.each(|&element| {
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

/// The word of a marathon, in the structure that its Builder needs.
enum Grown {
    /// Gaps are found by number.
    Rope(Rope<Element>),
    /// The tightest gap is known.
    Tight(Tight<Element>),
}

impl Grown {
    fn each(&self, tell: impl FnMut(&Element)) {
        match self {
            Grown::Rope(rope) => rope.each(tell),
            Grown::Tight(tight) => tight.each(tell),
        }
    }
}

fn run(
    moves: usize,
    builder: MarathonBuilder,
    seed: Seed,
    budget: &Budget,
    each: &mut impl FnMut(usize),
) -> (Grown, usize) {
    // How many moves go by between two looks at the clock and two words to the listener.
    const STRIDE: usize = 1 << 14;
    let mut dice = Dice::new(seed);
    let mut rope = Rope::new();
    let mut tight = Tight::new(Scheme::SYMBOLS);
    let greedy = builder == MarathonBuilder::Greedy;
    if greedy {
        tight.insert(
            tight.tightest(),
            Scheme::symbol(Scheme::FIRST),
            Scheme::FIRST,
        );
    } else {
        rope.insert(0, Scheme::FIRST);
    }
    let grown = |rope, tight| {
        if greedy {
            Grown::Tight(tight)
        } else {
            Grown::Rope(rope)
        }
    };
    for made in 0..moves {
        if made % if greedy { STRIDE / 32 } else { STRIDE } == 0 {
            each(made);
            if budget.stopped() || budget.late() {
                return (grown(rope, tight), made);
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
            MarathonBuilder::Greedy => {
                let gap = tight.tightest();
                let (left, right) = tight.sides(gap);
                let element = Scheme::between(left, right);
                tight.insert(gap, Scheme::symbol(element), element);
                continue;
            }
        };
        let left = gap.checked_sub(1).and_then(|i| rope.get(i)).copied();
        let element = Scheme::between(left, rope.get(gap).copied());
        rope.insert(gap, element);
    }
    (grown(rope, tight), moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fits;
    use crate::words::Variant;

    /// Beyond so many moves the two are not compared.
    const LONG: usize = 20_000;

    /// The greedy Builder that looks at the whole word, before every move at first and before every five hundredth later, would pick the same
    /// gap; and every gap has as many fitting symbols as the window said.
    #[test]
    fn the_slow_twin_picks_the_same_gaps() {
        let mut tight = Tight::new(Scheme::SYMBOLS);
        let first = tight.tightest();
        tight.insert(first, Scheme::symbol(Scheme::FIRST), Scheme::FIRST);
        for made in 0..LONG {
            let gap = tight.tightest();
            if made < 2500 || made % 500 == 0 {
                let mut letters = Vec::with_capacity(made + 1);
                tight.each(|&element| letters.push(Scheme::symbol(element)));
                let fits = fits::all(&letters, Scheme::SYMBOLS, Variant::Square);
                let whole: Vec<u32> = fits.iter().map(|fit| fit.count_ones()).collect();
                let tightest = whole
                    .iter()
                    .rposition(|fit| Some(fit) == whole.iter().min());
                let (seen, picked) = tight.seen(gap);
                assert_eq!(Some(picked), tightest, "after {made} moves");
                assert_eq!(seen, whole, "after {made} moves");
            }
            let (left, right) = tight.sides(gap);
            let element = Scheme::between(left, right);
            tight.insert(gap, Scheme::symbol(element), element);
        }
    }

    #[test]
    fn nobody_beats_it() {
        for (builder, moves) in [
            (MarathonBuilder::Random, 60_000),
            (MarathonBuilder::Ends, 60_000),
            (MarathonBuilder::Greedy, 20_000),
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
        let (grown, _) = run(
            5000,
            MarathonBuilder::Random,
            Seed::new(2),
            &Budget::endless(),
            &mut |_| {},
        );
        let mut word = Vec::new();
        grown.each(|&e| word.push(Scheme::symbol(e)));
        assert!(stretches::square_free(&word));
        word[2500] = word[2501];
        assert!(!stretches::square_free(&word));
    }
}
