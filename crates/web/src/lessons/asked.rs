//! What a reader changed on a lesson: the fields of its form, as they stand in the address.

use std::fmt::Write as _;
use std::str::FromStr;

use axum::http::StatusCode;

use crate::{Fault, WORDS};

/// The longest text of a field that is looked at.
const LONGEST: usize = 300;

/// The fields of an address.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked(Vec<(String, String)>);

impl Asked {
    /// The fields as they came, cut where they are too long to be meant.
    pub(super) fn new(pairs: Vec<(String, String)>) -> Asked {
        let cut = |text: String| text.trim().chars().take(LONGEST).collect();
        Asked(
            pairs
                .into_iter()
                .take(32)
                .map(|(name, text)| (name, cut(text)))
                .collect(),
        )
    }

    /// The same fields for another address.
    pub(super) fn at(&self, path: &str) -> String {
        let pairs: Vec<(&str, &str)> = self.0.iter().map(|(n, t)| (&**n, &**t)).collect();
        address(path, &pairs)
    }

    /// What stands in a field, if it was filled in.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(key, _)| key == name);
        found
            .map(|(_, text)| text.as_str())
            .filter(|text| !text.is_empty())
    }

    /// A number within bounds, or the usual one where the field is empty.
    pub(super) fn number<T>(
        &self,
        name: &'static str,
        usual: T,
        least: T,
        most: T,
    ) -> Result<T, Fault>
    where
        T: FromStr + PartialOrd + Copy + ToString,
    {
        let Some(text) = self.text(name) else {
            return Ok(usual);
        };
        let number = text.parse::<T>().ok().filter(|n| *n >= least && *n <= most);
        number.ok_or_else(|| {
            let why = WORDS
                .say("lesson-bad-number")
                .with("text", short(text))
                .with("name", name);
            let hint = WORDS
                .say("lesson-bad-number-hint")
                .with("least", least.to_string());
            refused("bad-number", why, hint.with("most", most.to_string()))
        })
    }

    /// One of some words, the first where the field is empty.
    pub(super) fn one_of(
        &self,
        name: &'static str,
        words: &[&'static str],
    ) -> Result<&'static str, Fault> {
        let Some(text) = self.text(name) else {
            return Ok(words[0]);
        };
        words
            .iter()
            .find(|word| **word == text)
            .copied()
            .ok_or_else(|| {
                let why = WORDS
                    .say("lesson-bad-word")
                    .with("text", short(text))
                    .with("name", name);
                refused(
                    "bad-word",
                    why,
                    WORDS
                        .say("lesson-bad-word-hint")
                        .with("words", words.join(", ")),
                )
            })
    }
}

/// A request that a lesson cannot follow.
pub(super) fn refused(
    code: &'static str,
    why: wits_game::Message,
    hint: wits_game::Message,
) -> Fault {
    Fault::new(StatusCode::UNPROCESSABLE_ENTITY, code, why, hint)
}

/// A lesson that did not end in its time.
pub(super) fn late() -> Fault {
    refused(
        "late",
        WORDS.say("lesson-late"),
        WORDS.say("lesson-late-hint"),
    )
}

fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

/// An address with fields.
pub(super) fn address(path: &str, pairs: &[(&str, &str)]) -> String {
    let mut address = path.to_owned();
    for (i, (name, text)) in pairs.iter().enumerate() {
        let value: String = form_urlencoded::byte_serialize(text.as_bytes()).collect();
        let name: String = form_urlencoded::byte_serialize(name.as_bytes()).collect();
        let _ = write!(address, "{}{name}={value}", if i == 0 { '?' } else { '&' });
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_bounds_and_words_are_known() {
        let asked = Asked::new(vec![
            ("n".into(), " 7 ".into()),
            ("bad".into(), "9e9x".into()),
        ]);
        assert_eq!(asked.number("n", 3, 1, 9).unwrap(), 7);
        assert_eq!(asked.number("m", 3, 1, 9).unwrap(), 3);
        assert!(asked.number("n", 3, 1, 6).is_err());
        assert!(asked.number("bad", 3.0, 1.0, 9.0).is_err());
        assert_eq!(asked.one_of("m", &["a", "b"]).unwrap(), "a");
        assert!(asked.one_of("bad", &["a", "b"]).is_err());
    }
}
