//! Pairing strategies: Breaker's answer to every move, written on one line.
//!
//! A *pairing* of `1..=n` for `k` is a set of disjoint pairs such that every progression of `k` numbers
//! contains both members of some pair. Breaker answers each move on the partner, in the same colour; then every progression has
//! two numbers of one colour in the end, whatever Maker does. Somebody must move outside the pairs when numbers are left over, so the
//! argument needs an even number of them when Maker is to move: it decides games with Maker first and `n` even, and with
//! Breaker first and `n` odd, where Breaker begins with the number left over.
//!
//! - [`find`] finds a pairing or shows that there is none ([`search`]); [`known`] has those that took long to find;
//! - [`Pairing::check`] believes nothing: it looks for a pair in every progression;
//! - [`Pairing::answer`] plays it from any position, also after moves that were not its own.

mod book;
mod search;

use std::collections::HashMap;

use serde::Serialize;
use wits_search::Budget;

use crate::board::{Board, Paint};
use crate::series::{Series, all_series};
use crate::terms::{Side, Terms};

pub use book::known;
pub use search::{Found, MOST_NUMBERS, MOST_SERIES, find, find_among};

/// Partners for the numbers `1..=n`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Pairing {
    /// How many numbers.
    pub n: u32,
    /// How long the progressions are that contain a pair.
    pub k: u32,
    /// The pairs, the smaller number first, in order.
    pub pairs: Vec<(u32, u32)>,
    /// The number without a partner, where `n` is odd.
    pub spare: Option<u32>,
}

/// Pairs that are no pairing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadPairing {
    /// A number that is not on the board.
    #[error("`{0}` is not a number of the board")]
    Outside(u32),
    /// A number with two partners, or its own.
    #[error("`{0}` is in the pairing twice")]
    Twice(u32),
    /// A number that the pairing forgets.
    #[error("`{0}` has no partner and is not the number left over")]
    Missing(u32),
    /// A progression without a pair.
    #[error("the progression {0} contains no pair")]
    Unpaired(String),
}

impl Pairing {
    /// Makes the pairing whole: numbers that the given pairs leave out are paired in order.
    pub fn complete(n: u32, k: u32, mut pairs: Vec<(u32, u32)>) -> Pairing {
        let used = |x: u32, pairs: &[(u32, u32)]| pairs.iter().any(|&(a, b)| a == x || b == x);
        let rest: Vec<u32> = (1..=n).filter(|&x| !used(x, &pairs)).collect();
        for pair in rest.chunks_exact(2) {
            pairs.push((pair[0], pair[1]));
        }
        for pair in &mut pairs {
            *pair = (pair.0.min(pair.1), pair.0.max(pair.1));
        }
        pairs.sort_unstable();
        let spare = rest.chunks_exact(2).remainder().first().copied();
        Pairing { n, k, pairs, spare }
    }

    /// Checks the pairing from its definition, and says how many progressions it covers.
    ///
    /// This shares nothing with the search: it walks over all progressions and looks for a pair in each.
    pub fn check(&self) -> Result<u64, BadPairing> {
        let partner = self.partners()?;
        let mut progressions = 0;
        let mut step = 1;
        while (self.k - 1) * step < self.n {
            for start in 1..=self.n - (self.k - 1) * step {
                let numbers: Vec<u32> = (0..self.k).map(|i| start + i * step).collect();
                let paired = |x: &u32| partner[x].is_some_and(|y| numbers.contains(&y));
                if !numbers.iter().any(paired) {
                    return Err(BadPairing::Unpaired(Series { step, start }.text(self.k)));
                }
                progressions += 1;
            }
            step += 1;
        }
        Ok(progressions)
    }

    /// Checks the pairing against progressions of another board, such as a circle.
    pub fn covers(&self, progressions: &[Vec<u32>]) -> Result<(), BadPairing> {
        let partner = self.partners()?;
        let paired = |numbers: &[u32], x: &u32| partner[x].is_some_and(|y| numbers.contains(&y));
        let bare = |numbers: &&Vec<u32>| !numbers.iter().any(|x| paired(numbers, x));
        progressions.iter().find(bare).map_or(Ok(()), |numbers| {
            let text: Vec<String> = numbers.iter().map(ToString::to_string).collect();
            Err(BadPairing::Unpaired(text.join(", ")))
        })
    }

    /// The partner of every number, if all of them are there once.
    fn partners(&self) -> Result<HashMap<u32, Option<u32>>, BadPairing> {
        let mut partner: HashMap<u32, Option<u32>> = HashMap::new();
        let ends = self
            .pairs
            .iter()
            .flat_map(|&(a, b)| [(a, Some(b)), (b, Some(a))]);
        for (x, other) in ends.chain(self.spare.map(|x| (x, None))) {
            if x == 0 || x > self.n {
                return Err(BadPairing::Outside(x));
            }
            if partner.insert(x, other).is_some() {
                return Err(BadPairing::Twice(x));
            }
        }
        if let Some(x) = (1..=self.n).find(|x| !partner.contains_key(x)) {
            return Err(BadPairing::Missing(x));
        }
        Ok(partner)
    }

    /// Whether Breaker wins by this pairing from the start.
    pub fn decides(&self, first: Side) -> bool {
        self.n.is_multiple_of(2) == (first == Side::Maker)
    }

    /// The partner of a number.
    pub fn partner(&self, number: u32) -> Option<u32> {
        self.pairs.iter().find_map(|&(a, b)| match number {
            x if x == a => Some(b),
            x if x == b => Some(a),
            _ => None,
        })
    }

    /// Whether Breaker, who has just moved, wins by this pairing: every live progression contains a pair
    /// without colours, and outside such pairs an even number of numbers is left.
    pub fn holds(&self, board: &Board) -> bool {
        let open = |x: u32| board.colour(x).is_none();
        let untouched = |x: u32| open(x) && self.partner(x).is_some_and(open);
        let loose = board.uncoloured().filter(|&x| !untouched(x)).count();
        if !loose.is_multiple_of(2) {
            return false;
        }
        let (n, k) = (board.terms().n(), board.terms().k());
        all_series(n, k).all(|series| {
            let inside = |x: u32| self.partner(x).is_some_and(|y| series.holds(k, y));
            series.numbers(k).any(|x| untouched(x) && inside(x)) || board.missing(series).is_none()
        })
    }

    /// A move of Breaker after which the pairing holds, and the partner it answers, if there is one.
    ///
    /// From the start and after every move of Maker there is one where [`Pairing::decides`] says so. It is
    /// found from the position alone, so it survives taking moves back, and after other moves it may still exist.
    pub fn answer(&self, board: &Board) -> Option<Answer> {
        if board.winner().is_some() || board.to_move() != Side::Breaker {
            return None;
        }
        let open = |x: u32| board.colour(x).is_none();
        // The partner of a coloured number in that number's colour comes first: that is the strategy.
        let partners = board.uncoloured().filter_map(|number| {
            let to = self.partner(number).filter(|&y| !open(y))?;
            let colour = board.colour(to)?;
            Some(Answer {
                paint: Paint { number, colour },
                to: Some(to),
            })
        });
        let loose = |x: &u32| self.partner(*x).is_none_or(|y| !open(y));
        let others = board.uncoloured().filter(loose).flat_map(|number| {
            let colours = board.palette().filter(|&colour| board.spread(colour) > 0);
            colours.chain([1]).map(move |colour| Answer {
                paint: Paint { number, colour },
                to: None,
            })
        });
        partners.chain(others).find(|answer| {
            let mut next = board.clone();
            next.paint(answer.paint);
            self.holds(&next)
        })
    }
}

/// Breaker's move by a pairing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The move.
    pub paint: Paint,
    /// The partner that was coloured before; nothing where a number outside the pairs is coloured.
    pub to: Option<u32>,
}

/// The pairing that decides a game for Breaker, if one is known or found within the budget.
pub fn decisive(terms: &Terms, budget: &Budget) -> Option<Pairing> {
    // The parity costs nothing, the search may.
    let fits = terms.n().is_multiple_of(2) == (terms.first() == Side::Maker);
    if !fits {
        return None;
    }
    known(terms.n(), terms.k()).or_else(|| match find(terms.n(), terms.k(), budget) {
        Found::Pairing { pairing, .. } => Some(pairing),
        _ => None,
    })
}
