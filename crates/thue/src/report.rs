//! What the laboratory's commands answer, with the keys that scripts rely on.

use serde::Serialize;
use wits_search::Budget;

use crate::fits;
use crate::words::count::{NotCounted, count};
use crate::words::irreducible::{TooClose, reducible};
use crate::words::stretches::{Stretch, all, free_of, runs, stretches};
use crate::words::{Repetition, Variant};

/// The repetitions of a word.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Found {
    /// Whether there is any of the kind.
    pub found: bool,
    /// Where the first one starts: shortest period, then leftmost.
    pub start: Option<usize>,
    /// Its period.
    pub period: Option<usize>,
    /// Its length.
    pub length: Option<usize>,
    /// All of the kind, by period and place, as far as the limit goes.
    pub all: Vec<Repetition>,
    /// How many there are in all.
    pub count: u64,
    /// All maximal runs, whatever the kind.
    pub runs: Vec<Stretch>,
    /// What counts as a repetition.
    pub kind: Variant,
    /// Whether the word is irreducible in Thue's sense over its own alphabet; only for words short enough to look.
    pub irreducible: Option<bool>,
    /// The occurrences that stand too close, if it is not.
    pub too_close: Option<TooClose>,
}

/// Words longer than this are not asked whether they are irreducible: that takes the square of the length.
const IRREDUCIBLE_MOST: usize = 50_000;

/// All repetitions of a kind, at most `limit` of them listed.
pub fn found(word: &[u8], kind: Variant, limit: usize) -> Found {
    let of_kind: Vec<Repetition> = all(word, kind).collect();
    let first = of_kind.first();
    let alphabet = word.iter().max().map_or(0, |&c| usize::from(c) + 1);
    let asked = word.len() <= IRREDUCIBLE_MOST;
    let too_close = if asked {
        reducible(word, alphabet.max(2))
    } else {
        None
    };
    Found {
        found: first.is_some(),
        start: first.map(|r| r.start),
        period: first.map(|r| r.period),
        length: first.map(|r| r.length),
        count: of_kind.len() as u64,
        all: of_kind.into_iter().take(limit).collect(),
        runs: runs(word),
        kind,
        irreducible: asked.then_some(too_close.is_none()),
        too_close,
    }
}

/// What fits into the gaps of a word.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Gaps {
    /// How many symbols fit into each gap.
    pub fits: Vec<u32>,
    /// Their sum.
    pub total: u64,
    /// The gaps into which nothing fits.
    pub dead: Vec<usize>,
    /// The fitting symbols themselves.
    pub symbols: Vec<Vec<u8>>,
    /// What counts as a repetition.
    pub variant: Variant,
}

/// A word in which there is nothing to insert: it has a repetition already.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the word has a repetition of period {} at {} already, so nothing fits anywhere", .0.period, .0.start)]
pub struct AlreadyRepeats(pub Repetition);

/// The fitting symbols of every gap.
pub fn gaps(word: &[u8], symbols: usize, variant: Variant) -> Result<Gaps, AlreadyRepeats> {
    if let Some(found) = crate::words::stretches::first(word, variant) {
        return Err(AlreadyRepeats(found));
    }
    let sets = fits::all(word, symbols, variant);
    Ok(Gaps {
        fits: sets.iter().map(|set| set.count_ones()).collect(),
        total: fits::total(&sets),
        dead: sets
            .iter()
            .enumerate()
            .filter(|(_, set)| **set == 0)
            .map(|(gap, _)| gap)
            .collect(),
        symbols: sets
            .iter()
            .map(|&set| fits::symbols(set).collect())
            .collect(),
        variant,
    })
}

/// Letters of a generated word.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Letters {
    /// The letters, from `a`.
    pub letters: String,
    /// The index of the first one.
    pub from: String,
    /// Whether the letters shown have no square.
    pub square_free: bool,
    /// Whether the letters shown have no overlap, `aaa` counted.
    pub overlap_free: bool,
    /// Whether the letters shown have no cube.
    pub cube_free: bool,
    /// Whether the letters shown have no abelian square; nothing where there are more than [`Letters::MOST_ABELIAN`].
    pub abelian_square_free: Option<bool>,
}

impl Letters {
    /// Longer words are not searched for abelian squares, which takes the square of the length.
    pub const MOST_ABELIAN: usize = 10_000;
}

/// Some letters with what is true of them.
pub fn letters(word: &[u8], from: u128) -> Letters {
    let stretches = stretches(word);
    let free = |variant| {
        let mut all = stretches.iter();
        !all.any(|s| s.repetitions(variant).next().is_some())
    };
    Letters {
        letters: word.iter().map(|&c| char::from(b'a' + c.min(25))).collect(),
        from: from.to_string(),
        square_free: stretches.is_empty(),
        overlap_free: free(Variant::Overlap),
        cube_free: free(Variant::Cube),
        abelian_square_free: (word.len() <= Letters::MOST_ABELIAN)
            .then(|| free_of(word, Variant::AbelianSquare)),
    }
}

/// How many words there are.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Count {
    /// The number; as text where JSON could not keep it exact.
    pub count: serde_json::Value,
    /// How long the words are.
    pub length: usize,
    /// How many symbols there are.
    pub symbols: usize,
}

/// Counts the words of a length.
pub fn counted(
    variant: Variant,
    symbols: usize,
    length: usize,
    budget: &Budget,
) -> Result<Count, NotCounted> {
    let number = count(variant, symbols, length, budget)?;
    let exact = u64::try_from(number).ok().filter(|&n| n < 1 << 53);
    Ok(Count {
        count: exact.map_or_else(|| number.to_string().into(), Into::into),
        length,
        symbols,
    })
}

/// The conventions of this room, for the foot of every output.
pub fn conventions() -> String {
    crate::WORDS.say("conventions").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Word;

    /// The keys are a promise to scripts.
    #[test]
    fn keys() {
        let word: Word = "abcabc".parse().unwrap();
        let json = serde_json::to_value(found(&word, Variant::Square, 10)).unwrap();
        assert_eq!(json["found"], true);
        assert_eq!(
            (&json["start"], &json["period"], &json["length"]),
            (&0.into(), &3.into(), &6.into())
        );
        assert_eq!(
            json["all"][0],
            serde_json::json!({"start": 0, "period": 3, "length": 6})
        );
        assert_eq!(
            json["runs"][0],
            serde_json::json!({"start": 0, "period": 3, "length": 6})
        );
        // The thesis's example: nothing fits into gap 1 of acbc with three symbols.
        let json = serde_json::to_value(
            gaps(&"acbc".parse::<Word>().unwrap(), 3, Variant::Square).unwrap(),
        )
        .unwrap();
        assert_eq!(json["dead"], serde_json::json!([1]));
        assert_eq!(json["fits"][1], 0);
        assert!(gaps(&word, 3, Variant::Square).is_err());
        assert_eq!(
            serde_json::to_value(counted(Variant::Square, 3, 6, &Budget::endless()).unwrap())
                .unwrap()["count"],
            42
        );
        let word = letters(&[0, 1, 0, 2], 0);
        assert_eq!((word.letters.as_str(), word.square_free), ("abac", true));
        for (word, overlaps, cubes, abelian) in [
            ([0, 1, 0, 2], true, true, true),
            ([0, 1, 1, 0], true, true, false),
            ([0, 0, 0, 1], false, false, false),
            ([0, 1, 2, 1], true, true, true),
        ] {
            let found = letters(&word, 0);
            let free = (
                found.overlap_free,
                found.cube_free,
                found.abelian_square_free,
            );
            assert_eq!(free, (overlaps, cubes, Some(abelian)), "{word:?}");
        }
        assert_eq!(letters(&[0; 10_001], 0).abelian_square_free, None);
    }
}
