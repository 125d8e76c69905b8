//! Morphisms: every letter is replaced by a word, again and again.

use super::{Variant, Word, find};

/// A rule for each letter. Letters that have none stand for themselves.
///
/// ```
/// use wits_thue::words::morphism::Morphism;
/// let thue_morse: Morphism = "a->ab,b->ba".parse().unwrap();
/// assert_eq!(thue_morse.iterate(&[0], 3).unwrap().letters().unwrap(), "abbabaab");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Morphism {
    images: Vec<Vec<u8>>,
}

/// Rules that make no morphism, or one that does not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MorphismError {
    /// A rule that cannot be read.
    #[error("rule {number} `{text}` is not a rule; write letter->word, such as a->ab")]
    BadRule {
        /// Which rule, counted from one.
        number: usize,
        /// What was written.
        text: String,
    },
    /// Two rules for one letter.
    #[error("there are two rules for `{0}`")]
    Twice(char),
    /// The word would be too long to hold.
    #[error("the word would have more than {0} letters; ask for fewer steps")]
    TooLong(usize),
    /// The index is beyond the word.
    #[error("the word that grows from this letter has no letter {0}")]
    Beyond(u128),
    /// The image does not begin with the letter, so nothing infinite grows from it.
    #[error(
        "the image of `{0}` does not begin with `{0}` and grow, so no infinite word grows from it"
    )]
    NotProlongable(char),
}

/// Words longer than this are not written out.
const LONGEST: usize = 1 << 28;

impl Morphism {
    /// The morphism that sends letter `i` to the `i`-th word.
    pub fn new(images: Vec<Vec<u8>>) -> Morphism {
        let most = images
            .iter()
            .flatten()
            .map(|&c| usize::from(c) + 1)
            .max()
            .unwrap_or(0);
        let mut images = images;
        for letter in images.len()..most {
            images.push(vec![letter as u8]);
        }
        Morphism { images }
    }

    /// The image of a letter.
    pub fn image(&self, letter: u8) -> &[u8] {
        self.images
            .get(usize::from(letter))
            .map_or(&[], Vec::as_slice)
    }

    /// The word after replacing every letter.
    pub fn apply(&self, word: &[u8]) -> Result<Word, MorphismError> {
        let length: usize = word.iter().map(|&c| self.image(c).len()).sum();
        if length > LONGEST {
            return Err(MorphismError::TooLong(LONGEST));
        }
        let letters = word
            .iter()
            .flat_map(|&c| self.image(c).iter().copied())
            .collect();
        Ok(Word::new(letters).expect("images hold letters below 26"))
    }

    /// The word after replacing every letter so many times.
    pub fn iterate(&self, word: &[u8], times: usize) -> Result<Word, MorphismError> {
        let mut word = Word::new(word.to_vec()).expect("a morphism is given letters");
        for _ in 0..times {
            word = self.apply(&word)?;
        }
        Ok(word)
    }

    /// The letter at an index of the infinite word that grows from a letter, without writing it out.
    ///
    /// # Complexity
    /// The logarithm of the index, times the size of the alphabet.
    pub fn letter(&self, seed: u8, index: u128) -> Result<u8, MorphismError> {
        let image = self.image(seed);
        let shown = char::from(b'a' + seed.min(25));
        if image.first() != Some(&seed) || image.len() < 2 {
            return Err(MorphismError::NotProlongable(shown));
        }
        // lengths[m][c]: how long letter c becomes after m steps.
        let mut lengths: Vec<Vec<u128>> = vec![vec![1; self.images.len()]];
        while lengths[lengths.len() - 1][usize::from(seed)] <= index {
            let last = &lengths[lengths.len() - 1];
            let grown = |image: &Vec<u8>| {
                image
                    .iter()
                    .fold(0u128, |sum, &c| sum.saturating_add(last[usize::from(c)]))
            };
            let next: Vec<u128> = self.images.iter().map(grown).collect();
            if next == *last || lengths.len() > 4096 {
                return Err(MorphismError::Beyond(index));
            }
            lengths.push(next);
        }
        let (mut letter, mut rest) = (seed, index);
        for m in (0..lengths.len() - 1).rev() {
            for &c in self.image(letter) {
                let length = lengths[m][usize::from(c)];
                if rest < length {
                    letter = c;
                    break;
                }
                rest -= length;
            }
        }
        Ok(letter)
    }

    /// Whether a morphism on three letters keeps every square-free word square-free: it is enough to
    /// look at the square-free words of up to five letters (Crochemore 1982).
    pub fn keeps_square_free(&self) -> bool {
        let mut layer: Vec<Vec<u8>> = vec![Vec::new()];
        for _ in 0..5 {
            let longer = layer
                .iter()
                .flat_map(|w| (0..3).map(move |c| [w.as_slice(), &[c]].concat()));
            layer = longer
                .filter(|w| find::at_end(w, Variant::Square).is_none())
                .collect();
            let broken = |w: &Vec<u8>| {
                let image: Vec<u8> = w
                    .iter()
                    .flat_map(|&c| self.image(c).iter().copied())
                    .collect();
                find::first(&image, Variant::Square).is_some()
            };
            if layer.iter().any(broken) {
                return false;
            }
        }
        true
    }
}

impl std::str::FromStr for Morphism {
    type Err = MorphismError;

    /// Reads `a->abcab,b->acabcb,c->acbcacb`.
    fn from_str(text: &str) -> Result<Morphism, MorphismError> {
        let mut images: Vec<Option<Vec<u8>>> = Vec::new();
        for (i, rule) in text.split([',', ';']).enumerate() {
            let bad = || MorphismError::BadRule {
                number: i + 1,
                text: rule.trim().chars().take(40).collect(),
            };
            let (from, to) = rule.split_once("->").ok_or_else(bad)?;
            let letter = |c: char| c.is_ascii_lowercase().then(|| c as u8 - b'a');
            let mut from = from.trim().chars();
            let (Some(shown), None) = (from.next(), from.next()) else {
                return Err(bad());
            };
            let source = usize::from(letter(shown).ok_or_else(bad)?);
            let image: Vec<u8> = to
                .trim()
                .chars()
                .map(letter)
                .collect::<Option<_>>()
                .ok_or_else(bad)?;
            if images.len() <= source {
                images.resize(source + 1, None);
            }
            if images[source].replace(image).is_some() {
                return Err(MorphismError::Twice(shown));
            }
        }
        let own = |(i, image): (usize, Option<Vec<u8>>)| image.unwrap_or_else(|| vec![i as u8]);
        Ok(Morphism::new(
            images.into_iter().enumerate().map(own).collect(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_access_is_the_word() {
        for rules in [
            "a->ab,b->ba",
            "a->abcab,b->acabcb,c->acbcacb",
            "a->ab,b->a",
            "a->aab,b->",
        ] {
            let morphism: Morphism = rules.parse().unwrap();
            let mut word = Word::zero();
            while word.len() < 300 {
                word = morphism.apply(&word).unwrap();
            }
            for (i, &c) in word.iter().enumerate() {
                assert_eq!(morphism.letter(0, i as u128), Ok(c), "{rules} {i}");
            }
        }
    }

    #[test]
    fn bad_rules_are_pointed_at() {
        for (rules, says) in [
            ("a->ab,b", "rule 2 `b`"),
            ("a->ab,a->b", "two rules for `a`"),
            ("aa->b", "rule 1"),
            ("a->A", "rule 1"),
            ("", "rule 1"),
        ] {
            let error = rules.parse::<Morphism>().unwrap_err().to_string();
            assert!(error.contains(says), "{rules}: {error}");
        }
        let fixed: Morphism = "a->a".parse().unwrap();
        assert_eq!(fixed.letter(0, 3), Err(MorphismError::NotProlongable('a')));
        let doubling: Morphism = "a->aa".parse().unwrap();
        assert_eq!(
            doubling.iterate(&[0], 40),
            Err(MorphismError::TooLong(LONGEST))
        );
    }
}
