//! The scores of the thesis's nested players.
//!
//! The score of a word at level 1 is the number of symbols that fit, over all gaps. At level L it is that number
//! and the scores at level L-1 of all words that are one fitting symbol longer: a sum, not a minimax.

use wits_search::Budget;

use crate::fits::{self, Children};
use crate::words::Variant;

/// What a player may still look at.
pub struct Purse<'a> {
    budget: &'a Budget,
    /// How many positions were looked at.
    pub nodes: u64,
    /// Who hears of a gap or a symbol once its score is known.
    each: Option<&'a mut dyn FnMut(usize, u128)>,
}

impl<'a> Purse<'a> {
    /// Nothing looked at yet.
    pub fn new(budget: &'a Budget) -> Purse<'a> {
        Purse {
            budget,
            nodes: 0,
            each: None,
        }
    }

    /// The same for somebody who hears of each gap or symbol of the position once its score is known.
    pub fn heard(self, each: &'a mut dyn FnMut(usize, u128)) -> Purse<'a> {
        Purse {
            each: Some(each),
            ..self
        }
    }

    fn hear(&mut self, which: usize, score: u128) {
        if let Some(each) = &mut self.each {
            each(which, score);
        }
    }

    /// Pays for some positions; nothing if the budget is spent.
    fn pay(&mut self, nodes: u64) -> Option<()> {
        self.nodes += nodes;
        let limit = self
            .budget
            .limits()
            .nodes
            .is_some_and(|most| self.nodes > most);
        (!limit && !self.budget.stopped() && !self.budget.late()).then_some(())
    }
}

/// The rules as the scores need them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// What counts as a repetition.
    pub variant: Variant,
    /// How many symbols there are.
    pub symbols: usize,
}

impl Rules {
    /// The score of a word at a level of one or more; nothing if the budget is spent.
    pub fn score(self, word: &[u8], level: u32, purse: &mut Purse<'_>) -> Option<u128> {
        if level <= 1 {
            purse.pay(1)?;
            return Some(u128::from(fits::total(&fits::all(
                word,
                self.symbols,
                self.variant,
            ))));
        }
        let known = fits::children(word, self.symbols, self.variant);
        purse.pay(1)?;
        let mut sum = u128::from(known.here());
        self.each_child(word, &known, level - 1, purse, |_, _, score| sum += score)?;
        Some(sum)
    }

    /// The score of every word that is one fitting symbol longer.
    fn each_child(
        self,
        word: &[u8],
        known: &Children,
        level: u32,
        purse: &mut Purse<'_>,
        mut tell: impl FnMut(usize, u8, u128),
    ) -> Option<()> {
        let mut longer = word.to_vec();
        for (gap, &fit) in known.fits.iter().enumerate() {
            for symbol in fits::symbols(fit) {
                let score = if level == 1 {
                    purse.pay(1)?;
                    u128::from(known.total(gap, symbol))
                } else {
                    longer.insert(gap, symbol);
                    let score = self.score(&longer, level, purse)?;
                    longer.remove(gap);
                    score
                };
                tell(gap, symbol, score);
            }
        }
        Some(())
    }

    /// The Painter's scores: one for each symbol that fits into the gap.
    pub fn symbol_scores(
        self,
        word: &[u8],
        gap: usize,
        level: u32,
        purse: &mut Purse<'_>,
    ) -> Option<Vec<(u8, u128)>> {
        let fit = fits::at(word, gap, self.symbols, self.variant);
        let mut longer = word.to_vec();
        let mut scores = Vec::new();
        for symbol in fits::symbols(fit) {
            longer.insert(gap, symbol);
            let score = self.score(&longer, level, purse)?;
            purse.hear(symbol.into(), score);
            scores.push((symbol, score));
            longer.remove(gap);
        }
        Some(scores)
    }

    /// The Builder's scores: for each gap the sum over the symbols that fit there.
    pub fn gap_scores(self, word: &[u8], level: u32, purse: &mut Purse<'_>) -> Option<Vec<u128>> {
        let known = fits::children(word, self.symbols, self.variant);
        purse.pay(1)?;
        let mut scores = vec![0; known.fits.len()];
        // Gaps are told of as they are done; the searches below this one must not be heard.
        let mut each = purse.each.take();
        let mut done = 0;
        self.each_child(word, &known, level, purse, |gap, _, score| {
            if let Some(each) = each.as_mut().filter(|_| gap > done) {
                each(done, scores[done]);
            }
            done = gap;
            scores[gap] += score;
        })?;
        if let Some(each) = &mut each {
            each(done, scores[done]);
        }
        purse.each = each;
        Some(scores)
    }

    /// The greedy Builder's gap: the last of those with the fewest fitting symbols.
    pub fn greedy_gap(self, word: &[u8]) -> usize {
        let fits = fits::all(word, self.symbols, self.variant);
        let fewest = fits.iter().map(|fit| fit.count_ones()).min();
        fits.iter()
            .rposition(|fit| Some(fit.count_ones()) == fewest)
            .unwrap_or(0)
    }

    /// The greedy Painter's symbol: the smallest that fits.
    pub fn greedy_symbol(self, word: &[u8], gap: usize) -> Option<u8> {
        let fit = fits::at(word, gap, self.symbols, self.variant);
        fits::symbols(fit).next()
    }
}

/// Those with the best score, in their order; more is better if `most`.
pub fn best<T: Copy>(scores: impl Iterator<Item = (T, u128)> + Clone, most: bool) -> Vec<T> {
    let only = scores.clone().map(|(_, score)| score);
    let best = if most { only.max() } else { only.min() };
    scores
        .filter(|(_, score)| Some(*score) == best)
        .map(|(thing, _)| thing)
        .collect()
}
