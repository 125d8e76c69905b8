//! Checking a piece of a refutation.
//!
//! Nothing of the solver is used: which symbols fit comes from `holes`, tested against two sliding windows, and words are named
//! here. A word to search is searched depth first: the Builder tries every gap, the Painter every symbol, and words that
//! were refuted are remembered, for all pieces that are checked together.

use std::collections::{BTreeSet, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use serde::Serialize;
use wits_search::Budget;

use super::holes::{self, Fits};
use super::refutation::{Piece, name};
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

/// All the words of a proof, and what the check of its pieces has found out so far. Threads share it.
pub struct Proof {
    words: HashSet<u128>,
    /// Words that were searched and refuted; a word that finds no room is searched again.
    refuted: Vec<[AtomicU64; 2]>,
}

impl Proof {
    /// The proof of these pieces, with so many bytes to remember words that were searched.
    pub fn new<'a>(pieces: impl IntoIterator<Item = &'a Piece>, bytes: usize) -> Proof {
        let words = pieces.into_iter().flat_map(|piece| piece.words.keys());
        Proof {
            words: words.map(|word| standard(word)).collect(),
            refuted: (0..(bytes / 16).max(1))
                .into_par_iter()
                .map(|_| Default::default())
                .collect(),
        }
    }

    fn room(&self, word: u64) -> &[AtomicU64; 2] {
        let spread = word.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let spread = (spread ^ spread >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        // Of a number below 2^64 the part of it that the rooms are of 2^64.
        &self.refuted[((u128::from(spread) * self.refuted.len() as u128) >> 64) as usize]
    }

    fn knows(&self, word: u64) -> bool {
        word != 0
            && self
                .room(word)
                .iter()
                .any(|known| known.load(Ordering::Relaxed) == word)
    }

    /// The shorter of two words took more work: it keeps its room.
    fn remember(&self, word: u64) {
        let [first, second] = self.room(word);
        let old = first.load(Ordering::Relaxed);
        let keep = if old == 0 || word < old {
            first
        } else {
            second
        };
        keep.store(word, Ordering::Relaxed);
    }
}

/// Checks one piece: every word that an answer leads to must be a word of the proof.
pub fn check_piece(piece: &Piece, proof: &Proof, budget: &Budget) -> PieceVerdict {
    let mut check = Check {
        piece,
        proof,
        budget,
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

/// A word as a number, three bits a letter; a one above the letters tells the length.
fn number(letters: impl Iterator<Item = u8>) -> u128 {
    letters.fold(1, |number, c| number << 3 | u128::from(c))
}

/// The number of a word whose symbols are named in the order in which they appear, in the direction that gives the smaller
/// number.
fn standard(word: &[u8]) -> u128 {
    fn named<'a>(letters: impl Iterator<Item = &'a u8>) -> u128 {
        let (mut names, mut used) = ([u8::MAX; 8], 0);
        number(letters.map(|&c| {
            let name = &mut names[usize::from(c)];
            if *name == u8::MAX {
                *name = used;
                used += 1;
            }
            *name
        }))
    }
    named(word.iter()).min(named(word.iter().rev()))
}

/// The number, if it is one of those that can be remembered: words of at most 21 letters.
fn short(word: &[u8]) -> u64 {
    u64::try_from(standard(word)).unwrap_or(0)
}

enum Trouble {
    Stopped,
    Wrong(String),
}

fn wrong<T>(why: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Wrong(why.into()))
}

/// A gap, a symbol that fits into it, and the number of the word that it makes.
struct Answer {
    gap: usize,
    symbol: u8,
    word: u64,
}

struct Check<'a> {
    piece: &'a Piece,
    proof: &'a Proof,
    budget: &'a Budget,
    positions: u64,
}

impl Check<'_> {
    fn fits(&self, word: &[u8]) -> Fits {
        holes::fits(word, self.piece.symbols, self.piece.variant)
    }

    fn count(&mut self) -> Result<(), Trouble> {
        self.positions += 1;
        if self.budget.spent(self.positions) {
            return Err(Trouble::Stopped);
        }
        Ok(())
    }

    /// Every gap has an answer that makes no repetition and leads to a word of the proof.
    fn answers(&mut self, word: &[u8], symbols: &[u8]) -> Result<(), Trouble> {
        self.count()?;
        if standard(word) != number(word.iter().copied()) {
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
            if !self.proof.words.contains(&standard(&longer)) {
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
        if self.wins(word, &self.fits(word), self.piece.leaf)? {
            return wrong(format!("{} picks are enough", self.piece.leaf));
        }
        Ok(())
    }

    /// Whether the Builder forces the end within so many picks.
    fn wins(&mut self, word: &[u8], fits: &Fits, left: u32) -> Result<bool, Trouble> {
        if fits[..=word.len()].contains(&0) {
            return Ok(true);
        }
        if left < 2 {
            return Ok(false);
        }
        let own = short(word);
        if self.proof.knows(own) {
            return Ok(false);
        }
        self.count()?;
        let won = if left == 2 {
            self.wins_in_two(word, fits)
        } else {
            self.wins_later(word, fits, left)?
        };
        if !won && own != 0 {
            self.proof.remember(own);
        }
        Ok(won)
    }

    /// Whether some gap has no symbol after which every gap still has one.
    fn wins_in_two(&self, word: &[u8], fits: &Fits) -> bool {
        let mut longer = [0; holes::MOST_LETTERS];
        let longer = &mut longer[..=word.len()];
        (0..=word.len()).any(|gap| {
            insert(word, gap, longer);
            !bits(fits[gap]).any(|symbol| {
                longer[gap] = symbol;
                !self.fits(longer)[..=longer.len()].contains(&0)
            })
        })
    }

    /// Whether in some gap every symbol loses within one pick less.
    fn wins_later(&mut self, word: &[u8], fits: &Fits, left: u32) -> Result<bool, Trouble> {
        let mut longer = [0; holes::MOST_LETTERS];
        let longer = &mut longer[..=word.len()];
        let mut answers = Vec::with_capacity(64);
        for (gap, &fit) in fits[..=word.len()].iter().enumerate() {
            insert(word, gap, longer);
            for symbol in bits(fit) {
                longer[gap] = symbol;
                let word = short(longer);
                answers.push(Answer { gap, symbol, word });
            }
        }
        // Known answers first: they cost one look, and the looks do not wait for each other.
        let known: Vec<bool> = answers.iter().map(|a| self.proof.knows(a.word)).collect();
        let mut held = 0u32;
        for (answer, known) in answers.iter().zip(known) {
            held |= u32::from(known) << answer.gap;
        }
        for answers in answers.chunk_by(|a, b| a.gap == b.gap) {
            let gap = answers[0].gap;
            if held >> gap & 1 == 1 || answers.iter().any(|a| self.proof.knows(a.word)) {
                continue;
            }
            insert(word, gap, longer);
            let mut symbols: Vec<u8> = answers.iter().map(|answer| answer.symbol).collect();
            symbols.sort_by_key(|&symbol| distances(word, gap, symbol));
            let mut holds = false;
            for &symbol in symbols.iter().rev() {
                longer[gap] = symbol;
                let after = self.fits(longer);
                if !self.wins(longer, &after, left - 1)? {
                    holds = true;
                    break;
                }
            }
            if !holds {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The symbols of a set.
fn bits(set: u8) -> impl Iterator<Item = u8> {
    (0..8).filter(move |c| set >> c & 1 == 1)
}

/// How far the nearest letters of a kind are from a gap, how many there are, and how far the nearest ones on the other side
/// are. A symbol that is far away is most likely to hold.
fn distances(word: &[u8], gap: usize, symbol: u8) -> (usize, usize, usize) {
    let far = holes::MOST_LETTERS + 1;
    let nearest = |at: Option<usize>| at.unwrap_or(far);
    let before = nearest(word[..gap].iter().rev().position(|&c| c == symbol));
    let after = nearest(word[gap..].iter().position(|&c| c == symbol));
    let count = word.iter().map(|&c| usize::from(c == symbol)).sum();
    (before.min(after), count, before.max(after))
}

/// The word with a place open in a gap.
fn insert(word: &[u8], gap: usize, longer: &mut [u8]) {
    longer[..gap].copy_from_slice(&word[..gap]);
    longer[gap + 1..].copy_from_slice(&word[gap..]);
}
