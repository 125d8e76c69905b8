//! The generators by name, as a command asks for them.

use std::str::FromStr;

use super::generators;
use super::morphism::{Morphism, MorphismError};

/// Where letters come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// Thue-Morse by the parity of ones.
    ThueMorse,
    /// Thue-Morse by its automaton.
    ThueMorseAutomaton,
    /// Thue's word of 1906.
    Thue1906,
    /// Prouhet's word on so many letters.
    Prouhet(u8),
    /// The Morse block `u_n`, or `v_n` if the flag is set.
    Block(u32, bool),
    /// The word that grows from `a` under a morphism: Thue's of 1912, Thue-Morse's own, or any given by rules.
    Grown(Morphism),
}

/// A generator that is not there, or letters that it does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// No such name.
    #[error(
        "`{0}` is not a generator; give thue-morse, thue-morse-automaton, thue-morse-morphism, thue-1906, thue-1912, keranen, dekking, prouhet-K, u-N, v-N, or rules such as a->ab,b->ba"
    )]
    Unknown(String),
    /// Rules that make no word.
    #[error(transparent)]
    Morphism(#[from] MorphismError),
    /// A block that ends earlier.
    #[error("the block has only {0} letters")]
    Beyond(u128),
    /// Too many letters at once.
    #[error("at most {MOST} letters are written at once")]
    TooMany,
}

/// The most letters that are written at once.
pub const MOST: usize = 10_000_000;

impl FromStr for Source {
    type Err = SourceError;

    fn from_str(text: &str) -> Result<Source, SourceError> {
        if text.contains("->") {
            return Ok(Source::Grown(text.parse()?));
        }
        let unknown = || SourceError::Unknown(text.to_owned());
        let number = |prefix: &str| {
            text.strip_prefix(prefix)
                .and_then(|n| n.parse::<u32>().ok())
        };
        Ok(match text {
            "thue-morse" => Source::ThueMorse,
            "thue-morse-automaton" => Source::ThueMorseAutomaton,
            "thue-morse-morphism" => Source::Grown(generators::thue_morse_morphism()),
            "thue-1906" => Source::Thue1906,
            "thue-1912" => Source::Grown(generators::thue_1912()),
            "keranen" => Source::Grown(generators::keranen()),
            "dekking" => Source::Grown(generators::dekking()),
            _ => match (number("prouhet-"), number("u-"), number("v-")) {
                (Some(k @ 2..=26), ..) => Source::Prouhet(k as u8),
                (_, Some(n @ 0..=120), _) => Source::Block(n, false),
                (.., Some(n @ 0..=120)) => Source::Block(n, true),
                _ => return Err(unknown()),
            },
        })
    }
}

impl Source {
    /// Some letters from an index on.
    pub fn letters(&self, from: u128, count: usize) -> Result<Vec<u8>, SourceError> {
        if count > MOST {
            return Err(SourceError::TooMany);
        }
        let end = from
            .checked_add(count as u128)
            .ok_or(SourceError::TooMany)?;
        if let Source::Block(n, _) = self
            && end > 1 << n
        {
            return Err(SourceError::Beyond(1 << n));
        }
        (from..end).map(|i| self.letter(i)).collect()
    }

    fn letter(&self, index: u128) -> Result<u8, SourceError> {
        Ok(match self {
            Source::ThueMorse => generators::thue_morse(index),
            Source::ThueMorseAutomaton => generators::thue_morse_automaton(index),
            Source::Thue1906 => generators::thue_1906(index),
            Source::Prouhet(k) => generators::prouhet(*k, index),
            Source::Block(_, flip) => generators::thue_morse(index) ^ u8::from(*flip),
            Source::Grown(morphism) => morphism.letter(0, index)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let text = |name: &str, from: u128, count| -> Result<String, SourceError> {
            let source: Source = name.parse()?;
            Ok(source
                .letters(from, count)?
                .iter()
                .map(|&c| char::from(b'a' + c))
                .collect())
        };
        for name in [
            "thue-morse",
            "thue-morse-automaton",
            "thue-morse-morphism",
            "prouhet-2",
            "u-5",
            "a->ab,b->ba",
        ] {
            assert_eq!(text(name, 0, 13).unwrap(), "abbabaabbaaba", "{name}");
        }
        assert_eq!(text("v-3", 0, 8).unwrap(), "baababba");
        assert_eq!(text("prouhet-3", 0, 9).unwrap(), "abcbcacab");
        assert_eq!(text("thue-1906", 0, 8).unwrap(), "abacbabc");
        assert_eq!(text("thue-1912", 0, 5).unwrap(), "abcab");
        assert_eq!(text("keranen", 85, 5).unwrap(), "bcdbd");
        assert_eq!(text("dekking", 0, 8).unwrap(), "aabcaabc");
        assert!(text("thue-1912", 10u128.pow(12), 50).is_ok());
        assert_eq!(text("u-3", 4, 5), Err(SourceError::Beyond(8)));
        assert!(matches!(
            text("thue-1913", 0, 1),
            Err(SourceError::Unknown(_))
        ));
        assert!(matches!(text("a->b", 0, 1), Err(SourceError::Morphism(_))));
    }
}
