//! Checking a piece of a refutation.
//!
//! Nothing of the solver is used. Which symbols fit comes from [`fits::all`], the code of the players, itself tested against two sliding
//! windows; words are renamed letter by letter. A word to search is searched depth first: the
//! Builder tries every gap, the Painter every symbol, and words that were refuted are remembered.

use std::collections::{BTreeSet, HashMap};

use serde::Serialize;
use wits_search::Budget;

use super::refutation::{Piece, name};
use super::verify::standard;
use crate::fits;
use crate::words::find;

/// What the check of a piece found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PieceVerdict {
    /// Which piece, from 1, and of how many.
    pub piece: (usize, usize),
    /// Whether everything in it holds; nothing where the budget ended first.
    pub valid: Option<bool>,
    /// How many words it answers.
    pub answered: usize,
    /// How many words were searched.
    pub searched: usize,
    /// How many positions these searches met.
    pub positions: u64,
    /// What is wrong, if anything is.
    pub why: Option<String>,
}

/// Checks one piece. `all` are the words of all pieces: every word that an answer leads to must be among them.
pub fn check_piece(piece: &Piece, all: &BTreeSet<Vec<u8>>, budget: &Budget) -> PieceVerdict {
    let mut check = Check {
        piece,
        all,
        budget,
        refuted: HashMap::new(),
        positions: 0,
    };
    let mut verdict = PieceVerdict {
        piece: piece.number,
        valid: Some(true),
        answered: 0,
        searched: 0,
        positions: 0,
        why: None,
    };
    for (word, answers) in &piece.words {
        let checked = match answers {
            Some(symbols) => check.answers(word, symbols),
            None => check.leaf(word),
        };
        match checked {
            Ok(()) if answers.is_some() => verdict.answered += 1,
            Ok(()) => verdict.searched += 1,
            Err(Trouble::Stopped) => {
                verdict.valid = None;
                break;
            }
            Err(Trouble::Wrong(why)) => {
                verdict.valid = Some(false);
                verdict.why = Some(format!("`{}`: {why}", name(word)));
                break;
            }
        }
    }
    verdict.positions = check.positions;
    verdict
}

/// Whether the pieces together are a proof, each of them holding: all there, of one game, and the first word answered.
pub fn complete(pieces: &[Piece]) -> Result<(), String> {
    let Some(first) = pieces.first() else {
        return Err("there is no piece".to_owned());
    };
    let game = |piece: &Piece| {
        (
            piece.variant,
            piece.symbols,
            piece.depth,
            piece.leaf,
            piece.number.1,
        )
    };
    if pieces.iter().any(|piece| game(piece) != game(first)) {
        return Err("the pieces are not of one proof".to_owned());
    }
    let there: BTreeSet<usize> = pieces.iter().map(|piece| piece.number.0).collect();
    if let Some(missing) = (1..=first.number.1).find(|i| !there.contains(i)) {
        return Err(format!("piece {missing} of {} is missing", first.number.1));
    }
    if !pieces
        .iter()
        .any(|piece| piece.words.contains_key(&vec![0]))
    {
        return Err("the word `0` has no line".to_owned());
    }
    Ok(())
}

enum Trouble {
    Stopped,
    Wrong(String),
}

fn wrong<T>(why: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Wrong(why.into()))
}

struct Check<'a> {
    piece: &'a Piece,
    all: &'a BTreeSet<Vec<u8>>,
    budget: &'a Budget,
    /// How many picks are not enough for a word.
    refuted: HashMap<Vec<u8>, u32>,
    positions: u64,
}

impl Check<'_> {
    /// Every gap has an answer that makes no repetition and leads to a word of the proof.
    fn answers(&mut self, word: &[u8], symbols: &[u8]) -> Result<(), Trouble> {
        self.positions += 1;
        if self.budget.spent(self.positions) {
            return Err(Trouble::Stopped);
        }
        if standard(word) != word {
            return wrong("it is not named by first appearance in the smaller direction");
        }
        if self
            .piece
            .left(word)
            .is_none_or(|left| left <= self.piece.leaf)
        {
            return wrong("it is too long to be answered");
        }
        if symbols.len() != word.len() + 1 {
            return wrong(format!(
                "it has {} gaps and {} answers",
                word.len() + 1,
                symbols.len()
            ));
        }
        for (gap, &symbol) in symbols.iter().enumerate() {
            if usize::from(symbol) >= self.piece.symbols {
                return wrong(format!("there is no symbol {symbol}"));
            }
            let mut longer = word.to_vec();
            longer.insert(gap, symbol);
            if find::first(&longer, self.piece.variant).is_some() {
                return wrong(format!("{symbol} in gap {gap} makes a repetition"));
            }
            if !self.all.contains(&standard(&longer)) {
                return wrong(format!(
                    "{symbol} in gap {gap} leads to a word without a line"
                ));
            }
        }
        Ok(())
    }

    /// The picks that are left are not enough, searched again.
    fn leaf(&mut self, word: &[u8]) -> Result<(), Trouble> {
        if self.piece.left(word) != Some(self.piece.leaf) {
            return wrong("its length is not that of a word to search");
        }
        if find::first(word, self.piece.variant).is_some() {
            return wrong("it has a repetition");
        }
        let fit = fits::all(word, self.piece.symbols, self.piece.variant);
        if self.wins(word, &fit, self.piece.leaf)? {
            return wrong(format!("{} picks are enough", self.piece.leaf));
        }
        Ok(())
    }

    /// Whether the Builder forces the end within so many picks.
    fn wins(&mut self, word: &[u8], fit: &[u64], left: u32) -> Result<bool, Trouble> {
        if fit.contains(&0) {
            return Ok(true);
        }
        if left < 2 {
            return Ok(false);
        }
        let key = standard(word);
        if self.refuted.get(&key).is_some_and(|&known| known >= left) {
            return Ok(false);
        }
        self.positions += 1;
        if self.budget.spent(self.positions) {
            return Err(Trouble::Stopped);
        }
        for (gap, &fit) in fit.iter().enumerate() {
            if self.gap_wins(word, gap, fit, left)? {
                return Ok(true);
            }
        }
        self.refuted.insert(key, left);
        Ok(false)
    }

    /// Whether every symbol that fits into the gap loses within one pick less.
    fn gap_wins(&mut self, word: &[u8], gap: usize, fit: u64, left: u32) -> Result<bool, Trouble> {
        let mut longer = word.to_vec();
        longer.insert(gap, 0);
        if left > 2 {
            // Known answers first: they cost one look.
            for symbol in fits::symbols(fit) {
                longer[gap] = symbol;
                let known = self.refuted.get(&standard(&longer));
                if known.is_some_and(|&known| known >= left - 1) {
                    return Ok(false);
                }
            }
        }
        let mut children: Vec<(u64, u8, Vec<u64>)> = Vec::new();
        for symbol in fits::symbols(fit) {
            longer[gap] = symbol;
            let after = fits::all(&longer, self.piece.symbols, self.piece.variant);
            if left == 2 {
                if !after.contains(&0) {
                    return Ok(false);
                }
                continue;
            }
            children.push((fits::total(&after), symbol, after));
        }
        if left == 2 {
            return Ok(true);
        }
        // The symbol after which most fits is most likely to hold.
        children.sort_by_key(|&(total, symbol, _)| (std::cmp::Reverse(total), symbol));
        for (_, symbol, after) in children {
            longer[gap] = symbol;
            if !self.wins(&longer, &after, left - 1)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
