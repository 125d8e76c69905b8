//! The proof of a value as a file: what the Builder does against everything.
//!
//! ```text
//! wits-thue-certificate 1
//! variant square
//! symbols 3
//! picks 4
//! refuted 3
//! 0 0
//! 01 0
//! 010 1
//! 012 1
//! 0120 …
//! end 5 0123456789abcdef
//! ```
//!
//! Each line in the middle is a word, renamed so that its symbols appear in order and read in the direction
//! that gives the smaller word, and the gap to pick. Where the Builder's win is unknown there are no such lines and no `picks`.
//! The last line counts them and closes the file with a checksum, so that a file cut short is noticed.

use std::collections::BTreeMap;
use std::fmt;

use wits_search::Budget;

use super::verify::standard;
use super::{Solver, Value};
use crate::words::{Variant, Word};

/// A Builder's strategy, or the depth that is not enough.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// What counts as a repetition.
    pub variant: Variant,
    /// How many symbols there are.
    pub symbols: usize,
    /// Within how many picks the Builder wins, the fatal one counted.
    pub picks: Option<u32>,
    /// So many picks are claimed not to be enough.
    pub refuted: u32,
    /// For each position that can come up, up to renaming and reading backwards: the gap to pick.
    pub strategy: BTreeMap<Word, usize>,
}

/// A file that is no certificate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct BadCertificate {
    /// Which line, counted from one.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

impl Certificate {
    /// The certificate of a value that this solver found. The budget ends it early with nothing.
    pub fn build(solver: &Solver, value: &Value, budget: &Budget) -> Option<Certificate> {
        let mut strategy = BTreeMap::new();
        if let Some(picks) = value.builder_picks {
            let mut open = vec![(vec![0u8], picks)];
            while let Some((word, depth)) = open.pop() {
                let word = standard(&word);
                let name = Word::new(word.clone()).ok()?;
                if strategy.contains_key(&name) {
                    continue;
                }
                // Words of one length always have the same picks left, so each is met at one depth only.
                let gap = solver.winning_gap(&word, depth, budget)?;
                strategy.insert(name, gap);
                let fit = crate::fits::at(&word, gap, value.symbols, value.variant);
                for symbol in crate::fits::symbols(fit) {
                    let mut longer = word.clone();
                    longer.insert(gap, symbol);
                    open.push((longer, depth - 1));
                }
            }
        }
        Some(Certificate {
            variant: value.variant,
            symbols: value.symbols,
            picks: value.builder_picks,
            refuted: value.refuted_depth,
            strategy,
        })
    }

    /// Reads a certificate; whether what it says is true is for [`super::verify`] to find out.
    pub fn read(text: &str) -> Result<Certificate, BadCertificate> {
        let bad = |line: usize, what: &str| BadCertificate {
            line,
            what: what.to_owned(),
        };
        let lines: Vec<&str> = text.lines().collect();
        let Some((last, body)) = lines.split_last() else {
            return Err(bad(1, "the file is empty"));
        };
        let mut lines = body
            .iter()
            .enumerate()
            .map(|(i, line)| (i + 1, line.trim()));
        if lines.next().map(|(_, line)| line) != Some(HEAD) {
            return Err(bad(
                1,
                "this is not a certificate of this program; it would begin with `wits-thue-certificate 1`",
            ));
        }
        let mut certificate = Certificate {
            variant: Variant::Square,
            symbols: 0,
            picks: None,
            refuted: 0,
            strategy: BTreeMap::new(),
        };
        for (number, line) in lines {
            let Some((key, value)) = line.split_once(' ') else {
                return Err(bad(number, "two words are expected"));
            };
            let count = || {
                value
                    .parse::<u32>()
                    .map_err(|_| bad(number, "a number is expected after the first word"))
            };
            match key {
                "variant" => {
                    certificate.variant = value
                        .parse()
                        .map_err(|_| bad(number, "there is no such variant"))?;
                }
                "symbols" => certificate.symbols = count()? as usize,
                "picks" => certificate.picks = Some(count()?),
                "refuted" => certificate.refuted = count()?,
                word => {
                    let word: Word = word
                        .parse()
                        .map_err(|e: crate::WordError| bad(number, &e.to_string()))?;
                    if certificate
                        .strategy
                        .insert(word, count()? as usize)
                        .is_some()
                    {
                        return Err(bad(number, "this word has a line already"));
                    }
                }
            }
        }
        let number = body.len() + 1;
        let end: Vec<&str> = last.split_whitespace().collect();
        let ["end", count, sum] = end[..] else {
            return Err(bad(
                number,
                "the file is cut short: its last line is not `end`",
            ));
        };
        if count.parse() != Ok(certificate.strategy.len()) {
            return Err(bad(
                number,
                "lines are missing: the count at the end differs",
            ));
        }
        if sum != format!("{:016x}", checksum(&certificate.body())) {
            return Err(bad(number, "the checksum differs: the file was changed"));
        }
        if certificate.symbols == 0 || certificate.symbols > Word::MOST_SYMBOLS {
            return Err(bad(
                number,
                "the number of symbols is missing or not 1 to 64",
            ));
        }
        Ok(certificate)
    }

    fn body(&self) -> String {
        use std::fmt::Write;
        let mut text = format!(
            "{HEAD}\nvariant {}\nsymbols {}\n",
            self.variant, self.symbols
        );
        if let Some(picks) = self.picks {
            let _ = writeln!(text, "picks {picks}");
        }
        let _ = writeln!(text, "refuted {}", self.refuted);
        for (word, gap) in &self.strategy {
            let _ = writeln!(text, "{word} {gap}");
        }
        text
    }
}

const HEAD: &str = "wits-thue-certificate 1";

/// FNV-1a: notices accidents; it is no seal against forgery, the check of the strategy is.
pub(super) fn checksum(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let body = self.body();
        writeln!(
            f,
            "{body}end {} {:016x}",
            self.strategy.len(),
            checksum(&body)
        )
    }
}
