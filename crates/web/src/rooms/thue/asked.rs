//! What the forms of the room ask for.

use serde::Deserialize;
use wits_thue::words::source::Source;
use wits_thue::{Variant, Word};

use super::bad;
use crate::told::told;
use crate::{Fault, WORDS};

/// The longest word that is shown.
pub(super) const LONGEST: usize = 400;

/// The fields as they come.
#[derive(Clone, Default, Deserialize)]
pub(super) struct Asked {
    /// A word as people write it.
    pub(super) word: Option<String>,
    /// How many symbols there are.
    pub(super) symbols: Option<String>,
    /// What counts as a repetition.
    pub(super) variant: Option<String>,
    /// The generator that makes the word instead.
    pub(super) make: Option<String>,
    /// The index of the first letter made.
    pub(super) from: Option<String>,
    /// How many letters are made.
    pub(super) count: Option<String>,
    /// The level of the Builder whose decision times are wanted.
    pub(super) builder: Option<String>,
    /// The level of the Painter in the same round.
    pub(super) painter: Option<String>,
}

/// A word under the rules of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Subject {
    /// The word.
    pub(super) word: Word,
    /// How many symbols there are.
    pub(super) symbols: usize,
    /// What counts as a repetition.
    pub(super) variant: Variant,
}

impl Subject {
    /// The address of the page with another word under the same rules.
    pub(super) fn with(&self, word: &Word) -> String {
        let (symbols, variant) = (self.symbols, self.variant);
        format!("/thue?word={word}&symbols={symbols}&variant={variant}#lab")
    }

    /// What asks for exactly this.
    pub(super) fn query(&self) -> String {
        let (word, symbols, variant) = (&self.word, self.symbols, self.variant);
        format!("word={word}&symbols={symbols}&variant={variant}")
    }
}

/// A field that is not blank.
fn given(field: Option<&String>) -> Option<&str> {
    field
        .map(|text| text.trim())
        .filter(|text| !text.is_empty())
}

/// A number between two bounds; the usual one where none was typed.
fn number(field: Option<&String>, usual: u128, least: u128, most: u128) -> Result<u128, Fault> {
    let Some(text) = given(field) else {
        return Ok(usual);
    };
    let number = text.parse().ok().filter(|n| (least..=most).contains(n));
    number.ok_or_else(|| {
        let shown: String = text.chars().take(40).collect();
        let why = WORDS.say("thue-bad-number").with("text", shown);
        bad(
            "bad-number",
            why.with("least", least.to_string())
                .with("most", most.to_string()),
        )
    })
}

impl Asked {
    fn letters(&self) -> Result<Option<Word>, Fault> {
        let wrong = |why: String| bad("bad-word", WORDS.say("thue-bad-word").with("why", why));
        if let Some(name) = given(self.make.as_ref()) {
            let source: Source = name.parse().map_err(|e| wrong(told(e)))?;
            let from = number(self.from.as_ref(), 0, 0, u128::MAX >> 1)?;
            let count = number(self.count.as_ref(), 60, 1, LONGEST as u128)? as usize;
            let letters = source.letters(from, count);
            let letters = letters.map_err(|e| wrong(told(e)))?;
            let word = Word::new(letters).map_err(|e| wrong(told(e)))?;
            return Ok(Some(word));
        }
        let Some(text) = given(self.word.as_ref()) else {
            return Ok(None);
        };
        let word: Word = text.parse().map_err(|e| wrong(told(e)))?;
        if word.len() > LONGEST {
            let why = WORDS.say("thue-too-long").with("length", word.len());
            return Err(bad("too-long", why.with("most", LONGEST)));
        }
        Ok(Some(word))
    }

    /// The word and the rules that are asked for, or an example with a dead gap.
    pub(super) fn subject(&self) -> Result<Subject, Fault> {
        let variant = match given(self.variant.as_ref()) {
            None => Variant::Square,
            Some(text) => text.parse().map_err(|e| {
                let why = WORDS.say("thue-bad-word").with("why", told(e));
                bad("bad-variant", why)
            })?,
        };
        let typed = self.letters()?;
        let own = typed.as_ref().map_or(0, Word::alphabet);
        let most = Word::MOST_SYMBOLS as u128;
        let symbols = number(self.symbols.as_ref(), own.max(3) as u128, 1, most)? as usize;
        let word = match typed {
            Some(word) => word,
            None if symbols >= 3 => Word::new(vec![0, 2, 1, 2]).unwrap_or_default(),
            None => Word::zero(),
        };
        word.within(symbols).map_err(|e| {
            let why = WORDS.say("thue-bad-word").with("why", told(e));
            bad("bad-word", why)
        })?;
        Ok(Subject {
            word,
            symbols,
            variant,
        })
    }

    /// The levels of the round whose decision times are asked for, if any are.
    pub(super) fn levels(&self) -> Result<Option<(u32, u32)>, Fault> {
        if given(self.builder.as_ref()).is_none() && given(self.painter.as_ref()).is_none() {
            return Ok(None);
        }
        let level = |field: Option<&String>| number(field, 1, 0, 2).map(|n| n as u32);
        Ok(Some((
            level(self.builder.as_ref())?,
            level(self.painter.as_ref())?,
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(word: &str, symbols: &str, variant: &str) -> Asked {
        let field = |text: &str| Some(text.to_owned());
        Asked {
            word: field(word),
            symbols: field(symbols),
            variant: field(variant),
            ..Asked::default()
        }
    }

    #[test]
    fn words_are_read_as_people_type_them() {
        let subject = asked(" abcb ", "", "").subject().unwrap();
        assert_eq!(subject.word.to_string(), "0121");
        assert_eq!((subject.symbols, subject.variant), (3, Variant::Square));
        assert_eq!(asked("0,11", "", "").subject().unwrap().symbols, 12);
        assert_eq!(asked("", "2", "overlap").subject().unwrap().word.len(), 1);
    }

    #[test]
    fn what_cannot_be_is_refused_with_a_reason() {
        for (word, symbols, variant, code) in [
            ("0!1", "", "", "bad-word"),
            ("0123", "3", "", "bad-word"),
            ("01", "65", "", "bad-number"),
            ("01", "0", "", "bad-number"),
            ("01", "many", "", "bad-number"),
            ("01", "3", "knot", "bad-variant"),
        ] {
            let fault = asked(word, symbols, variant).subject().unwrap_err();
            assert_eq!(fault.code, code, "{word} {symbols} {variant}");
        }
        let long = "01".repeat(LONGEST);
        assert_eq!(asked(&long, "", "").subject().unwrap_err().code, "too-long");
    }

    #[test]
    fn generators_make_words() {
        let made = |make: &str, count: &str| {
            let asked = Asked {
                make: Some(make.to_owned()),
                count: Some(count.to_owned()),
                ..Asked::default()
            };
            asked.subject().map(|s| s.word.to_string())
        };
        assert_eq!(made("thue-morse", "8").unwrap(), "01101001");
        assert_eq!(made("thue-1912", "5").unwrap(), "01201");
        assert_eq!(made("thue-1913", "5").unwrap_err().code, "bad-word");
        assert_eq!(made("thue-morse", "100000").unwrap_err().code, "bad-number");
    }
}
