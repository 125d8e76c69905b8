//! Checking a certificate with the plainest code there is.
//!
//! Nothing of the fast search is used here: repetitions are found by the two sliding windows, words are renamed letter by
//! letter, and the refuted depth is searched again by trying everything.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::Certificate;
use crate::words::{Variant, Word, find};

/// What a check found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Verdict {
    /// Whether everything that was checked holds.
    pub valid: bool,
    /// Within how many picks the strategy really wins.
    pub picks: Option<u32>,
    /// How many positions the strategy meets.
    pub positions: usize,
    /// The depth that was searched again and refuted; less than claimed where that would take too long.
    pub refuted: u32,
    /// What is wrong, if anything is.
    pub why: Option<String>,
}

/// Checks a certificate. The claim that fewer picks are not enough is searched again up to `again` picks.
pub fn verify(certificate: &Certificate, again: u32) -> Verdict {
    let mut check = Check {
        certificate,
        picks: BTreeMap::new(),
    };
    let mut verdict = Verdict {
        valid: true,
        picks: None,
        positions: 0,
        refuted: 0,
        why: None,
    };
    if let Some(claimed) = certificate.picks {
        match check.picks(&[0]) {
            Ok(picks) => {
                verdict.picks = Some(picks);
                if picks > claimed {
                    verdict.why = Some(format!("the strategy needs {picks} picks, not {claimed}"));
                }
            }
            Err(why) => verdict.why = Some(why),
        }
        if certificate.refuted + 1 != claimed && verdict.why.is_none() {
            verdict.why = Some(format!(
                "{claimed} picks are claimed, but only {} are refuted",
                certificate.refuted
            ));
        }
    }
    verdict.positions = check.picks.len();
    let mut memo = HashMap::new();
    for depth in 1..=certificate.refuted.min(again) {
        if plain_wins(
            &[0],
            depth,
            certificate.variant,
            certificate.symbols,
            &mut memo,
        ) {
            verdict.why = Some(format!(
                "{depth} picks are enough, although {} are claimed not to be",
                certificate.refuted
            ));
            break;
        }
        verdict.refuted = depth;
    }
    verdict.valid = verdict.why.is_none();
    verdict
}

struct Check<'a> {
    certificate: &'a Certificate,
    picks: BTreeMap<Vec<u8>, u32>,
}

impl Check<'_> {
    /// How many picks the strategy needs from a word.
    fn picks(&mut self, word: &[u8]) -> Result<u32, String> {
        let word = standard(word);
        if let Some(&picks) = self.picks.get(&word) {
            return Ok(picks);
        }
        let name = Word::new(word.clone()).map_err(|e| e.to_string())?;
        let Some(&gap) = self.certificate.strategy.get(&name) else {
            return Err(format!(
                "the strategy does not say what to do with `{name}`"
            ));
        };
        if gap > word.len() {
            return Err(format!("`{name}` has no gap {gap}"));
        }
        if Some(word.len() as u32) > self.certificate.picks {
            return Err(format!("`{name}` comes up after more picks than claimed"));
        }
        let mut most = 0;
        for symbol in 0..self.certificate.symbols {
            let mut longer = word.clone();
            longer.insert(gap, symbol as u8);
            if find::first(&longer, self.certificate.variant).is_none() {
                most = most.max(self.picks(&longer)?);
            }
        }
        self.picks.insert(word, most + 1);
        Ok(most + 1)
    }
}

/// The smaller of the word and its mirror image, symbols renamed in order of appearance.
pub(super) fn standard(word: &[u8]) -> Vec<u8> {
    let rename = |letters: &mut dyn Iterator<Item = &u8>| {
        let mut seen: Vec<u8> = Vec::new();
        letters
            .map(|c| {
                seen.iter().position(|s| s == c).unwrap_or_else(|| {
                    seen.push(*c);
                    seen.len() - 1
                }) as u8
            })
            .collect::<Vec<u8>>()
    };
    rename(&mut word.iter()).min(rename(&mut word.iter().rev()))
}

/// The slow twin of the solver.
fn plain_wins(
    word: &[u8],
    depth: u32,
    variant: Variant,
    symbols: usize,
    memo: &mut HashMap<(Vec<u8>, u32), bool>,
) -> bool {
    if depth == 0 {
        return false;
    }
    let key = (standard(word), depth);
    if let Some(&known) = memo.get(&key) {
        return known;
    }
    let won = (0..=word.len()).any(|gap| {
        let mut longer = word.to_vec();
        longer.insert(gap, 0);
        (0..symbols as u8).all(|symbol| {
            longer[gap] = symbol;
            find::first(&longer, variant).is_some()
                || plain_wins(&longer, depth - 1, variant, symbols, memo)
        })
    });
    memo.insert(key, won);
    won
}
