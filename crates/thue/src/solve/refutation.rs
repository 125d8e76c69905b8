//! The proof that so many picks are not enough: what the Painter answers to everything, in pieces.
//!
//! Words of one length always have the same number of picks left. For every word that can come up and has more than
//! `leaf` picks left the proof names a symbol for each gap; words with exactly `leaf` picks left are listed without answers,
//! and whoever checks the proof searches them again. So the proof is small where the search was deep and needs no search
//! where it was wide. It is cut into pieces, files of text:
//!
//! ```text
//! wits-thue-refutation 1
//! variant square
//! symbols 5
//! depth 20
//! leaf 6
//! piece 1 of 7
//! 0 11
//! 01 221
//! …
//! 0120 ?
//! end 2000 0123456789abcdef
//! ```
//!
//! A line is a word, renamed by first appearance and read in the direction that gives the smaller word, and the symbol for
//! each gap, or `?` for a word to search. A piece is checked on its own but for one thing: that the
//! words it leads to are in some piece, which takes the words of the others and no search.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use rayon::prelude::*;
use wits_search::Budget;

use super::certificate::{BadCertificate, checksum};
use super::search::{Depth, Solver};
use super::small::Small;
use crate::words::{Variant, Word};

/// What the Painter answers in every gap of a word; nothing where the word is to be searched.
type Answers = Option<Vec<u8>>;

/// A piece of a proof that so many picks are not enough.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// What counts as a repetition.
    pub variant: Variant,
    /// How many symbols there are.
    pub symbols: usize,
    /// So many picks are claimed not to be enough.
    pub depth: u32,
    /// Words with so many picks left are searched again.
    pub leaf: u32,
    /// Which piece this is, from 1, and of how many.
    pub number: (usize, usize),
    /// The words of this piece.
    pub words: BTreeMap<Vec<u8>, Answers>,
}

const HEAD: &str = "wits-thue-refutation 1";

/// Writes the Painter's strategy against `depth` picks, which the solver has refuted, in so many pieces. The budget ends it
/// early with nothing; so does a strategy that the solver cannot find again.
pub fn refutation(
    solver: &Solver,
    depth: u32,
    leaf: u32,
    pieces: usize,
    budget: &Budget,
) -> Option<Vec<Piece>> {
    let leaf = leaf.clamp(1, depth);
    let mut strategy: Vec<(Vec<u8>, Answers)> = Vec::new();
    let mut level = vec![vec![0]];
    for left in (leaf + 1..=depth).rev() {
        let found: Option<Vec<Vec<Gap>>> = level
            .par_iter()
            .map(|word| gaps(solver, word, left, budget))
            .collect();
        let found = found?;
        let next = few(&found);
        let symbol = |gap: &Gap| {
            let kept = gap.iter().find(|(_, word)| next.contains(word));
            kept.map(|&(symbol, _)| symbol)
        };
        for (word, gaps) in level.into_iter().zip(&found) {
            let symbols: Option<Vec<u8>> = gaps.iter().map(symbol).collect();
            strategy.push((word, Some(symbols?)));
        }
        level = next.into_iter().cloned().collect();
    }
    let answered = strategy.len();
    strategy.extend(level.into_iter().map(|word| (word, None)));
    // Answers and searches are shared out apart, so that every piece has its part of both; neighbours stay
    // together, because their searches meet the same words.
    let pieces = pieces.max(1);
    let share = |all: &[(Vec<u8>, Answers)], i: usize| {
        let at = |i: usize| all.len() * i / pieces;
        all[at(i)..at(i + 1)].to_vec()
    };
    let (with, without) = strategy.split_at(answered);
    let piece = |i: usize| Piece {
        variant: solver.variant(),
        symbols: solver.symbols(),
        depth,
        leaf,
        number: (i + 1, pieces),
        words: share(with, i)
            .into_iter()
            .chain(share(without, i))
            .collect(),
    };
    Some((0..pieces).map(piece).collect())
}

/// The symbols that are known to hold in a gap, each with the word that it leads to.
type Gap = Vec<(u8, Vec<u8>)>;

/// For each gap of a word the symbols that are known to hold; one of them, found by search, where the table has lost them all.
fn gaps(solver: &Solver, word: &[u8], left: u32, budget: &Budget) -> Option<Vec<Gap>> {
    let gap = |gap: usize| {
        let fit = crate::fits::at(word, gap, solver.symbols(), solver.variant());
        let longer = |symbol: u8| {
            let mut child = word.to_vec();
            child.insert(gap, symbol);
            (symbol, child)
        };
        let known = |(_, child): &(u8, Vec<u8>)| solver.knows_refuted(child, left - 1);
        let holds =
            |(_, child): &(u8, Vec<u8>)| solver.at_depth(child, left - 1, budget) == Depth::Refuted;
        let all = || crate::fits::symbols(fit).map(longer);
        let mut found: Gap = all().filter(known).collect();
        if found.is_empty() {
            found.extend(all().find(holds));
        }
        for (_, child) in &mut found {
            *child = super::verify::standard(child);
        }
        (!found.is_empty()).then_some(found)
    };
    (0..=word.len()).map(gap).collect()
}

/// Few words that answer every gap: those without a choice, and then, where none of these answers, the word that would
/// answer the most gaps. Every word saved here saves the words below it, too.
fn few(words: &[Vec<Gap>]) -> BTreeSet<&Vec<u8>> {
    let gaps = || words.iter().flatten();
    let mut chosen = BTreeSet::new();
    let mut useful: BTreeMap<&Vec<u8>, u32> = BTreeMap::new();
    for gap in gaps() {
        if let [(_, word)] = gap.as_slice() {
            chosen.insert(word);
        }
        for (_, word) in gap {
            *useful.entry(word).or_default() += 1;
        }
    }
    for gap in gaps() {
        if gap.iter().any(|(_, word)| chosen.contains(word)) {
            continue;
        }
        let best = gap.iter().map(|(_, word)| word);
        chosen.extend(best.max_by_key(|word| useful[word]));
    }
    chosen
}

impl Piece {
    /// Whether a text begins as a piece does.
    pub fn is_one(text: &str) -> bool {
        text.starts_with(HEAD)
    }

    /// How many picks a word of this length has left.
    pub fn left(&self, word: &[u8]) -> Option<u32> {
        (self.depth + 1).checked_sub(word.len() as u32)
    }

    /// The piece as a file.
    pub fn text(&self) -> String {
        let (number, of) = self.number;
        let mut text = format!(
            "{HEAD}\nvariant {}\nsymbols {}\ndepth {}\nleaf {}\npiece {number} of {of}\n",
            self.variant, self.symbols, self.depth, self.leaf
        );
        for (word, answers) in &self.words {
            write_letters(&mut text, word);
            text.push(' ');
            match answers {
                Some(symbols) => write_letters(&mut text, symbols),
                None => text.push('?'),
            }
            text.push('\n');
        }
        let sum = checksum(&text);
        let _ = writeln!(text, "end {} {sum:016x}", self.words.len());
        text
    }

    /// Reads a piece; whether what it says is true is for [`super::check_piece`] to find out.
    pub fn read(text: &str) -> Result<Piece, BadCertificate> {
        let bad = |line: usize, what: &str| BadCertificate {
            line,
            what: what.to_owned(),
        };
        let lines: Vec<&str> = text.lines().collect();
        let last = lines.len();
        if lines.first() != Some(&HEAD) {
            return Err(bad(
                1,
                "this is no piece of a refutation; it would begin with `wits-thue-refutation 1`",
            ));
        }
        let Some(end) = lines.last().and_then(|line| line.strip_prefix("end ")) else {
            return Err(bad(
                last,
                "the file is cut short: its last line is not `end`",
            ));
        };
        let body = text.rfind("end ").map_or("", |at| &text[..at]);
        let field = |line: usize, name: &str| {
            let value = lines.get(line - 1).and_then(|text| text.strip_prefix(name));
            value
                .map(str::trim)
                .ok_or_else(|| bad(line, &format!("`{}` and a value are expected", name.trim())))
        };
        let count = |line: usize, name: &str, most: u32| {
            let value = field(line, name)?.parse::<u32>().ok();
            value
                .filter(|&value| value <= most)
                .ok_or_else(|| bad(line, &format!("a number up to {most} is expected")))
        };
        let variant = field(2, "variant ")?;
        let number = field(6, "piece ")?.split_once(" of ");
        let number = number.and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        let mut piece = Piece {
            variant: variant
                .parse()
                .map_err(|_| bad(2, "there is no such variant"))?,
            symbols: count(3, "symbols ", Small::MOST_SYMBOLS as u32)? as usize,
            depth: count(4, "depth ", Small::MOST as u32 - 1)?,
            leaf: count(5, "leaf ", Small::MOST as u32 - 1)?,
            number: number.ok_or_else(|| bad(6, "`piece 1 of 7` or the like is expected"))?,
            words: BTreeMap::new(),
        };
        for (at, line) in lines.iter().enumerate().take(last - 1).skip(6) {
            let wrong = |what: &str| bad(at + 1, what);
            let (word, answers) = line
                .split_once(' ')
                .ok_or_else(|| wrong("a word and its answers are expected"))?;
            let word = read_letters(word).ok_or_else(|| wrong("this is no word of digits"))?;
            let answers = match answers {
                "?" => None,
                text => Some(read_letters(text).ok_or_else(|| wrong("these are no symbols"))?),
            };
            if piece.words.insert(word, answers).is_some() {
                return Err(wrong("this word has a line already"));
            }
        }
        let claimed = format!("{} {:016x}", piece.words.len(), checksum(body));
        if end != claimed {
            return Err(bad(
                last,
                "the count or the checksum differs: the file was changed",
            ));
        }
        Ok(piece)
    }
}

fn write_letters(text: &mut String, letters: &[u8]) {
    text.extend(letters.iter().map(|&c| char::from(b'0' + c)));
}

fn read_letters(text: &str) -> Option<Vec<u8>> {
    let digit = |c: char| c.to_digit(8).map(|digit| digit as u8);
    let letters: Option<Vec<u8>> = text.chars().map(digit).collect();
    letters.filter(|letters| !letters.is_empty() && letters.len() <= Small::MOST)
}

/// The word of a line, as people write it.
pub(super) fn name(word: &[u8]) -> String {
    Word::new(word.to_vec()).map_or_else(|e| e.to_string(), |word| word.to_string())
}
