//! What addresses and forms say.

use serde::{Deserialize, Serialize};
use wits_learn::{Intake, Pipeline, Roles, Validation};

use super::files::MOST_LEARNED;
use super::{bad, wrong};
use crate::{Fault, WORDS};

/// The most folds, repeats and so on that a page takes.
const MOST_FOLDS: u64 = 50;
const MOST_REPEATS: u64 = 20;
/// Numbers that JavaScript and JSON keep whole.
const MOST_SEED: u64 = 9_007_199_254_740_991;

/// Fields in the order they came.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked(pub(super) Vec<(String, String)>);

impl Asked {
    /// A field that is not blank.
    pub(super) fn one(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// All fields of a name that are not blank.
    pub(super) fn all<'a, 'n>(
        &'a self,
        name: &'n str,
    ) -> impl Iterator<Item = &'a str> + use<'a, 'n> {
        let named = self.0.iter().filter(move |(key, _)| key == name);
        named
            .map(|(_, value)| value.trim())
            .filter(|v| !v.is_empty())
    }

    /// The lines, or words between commas, of all fields of a name.
    pub(super) fn list(&self, name: &str, between: char) -> Vec<String> {
        let parts = self
            .all(name)
            .flat_map(|v| v.split([between, '\n']))
            .map(str::trim);
        parts.filter(|p| !p.is_empty()).map(str::to_owned).collect()
    }

    /// A whole number within limits; the usual one where none was typed.
    pub(super) fn whole(&self, name: &str, usual: u64, from: u64, to: u64) -> Result<u64, Fault> {
        let Some(text) = self.one(name) else {
            return Ok(usual);
        };
        let number = text.parse().ok().filter(|n| (from..=to).contains(n));
        number.ok_or_else(|| not_a_number(text, &from.to_string(), &to.to_string()))
    }

    /// A pipeline, if one was typed.
    pub(super) fn pipeline(&self, name: &str) -> Result<Option<Pipeline>, Fault> {
        let read = |text: &str| text.parse().map_err(|e| wrong(&e));
        self.one(name).map(read).transpose()
    }
}

/// A refusal of something that is not a number within limits.
pub(super) fn not_a_number(text: &str, from: &str, to: &str) -> Fault {
    let shown: String = text.chars().take(40).collect();
    let why = WORDS.say("learn-bad-number").with("text", shown);
    bad("bad-number", why.with("from", from).with("to", to))
}

/// Fields as an address has them.
pub(super) fn query(pairs: &[(&str, &str)]) -> String {
    let mut out = form_urlencoded::Serializer::new(String::new());
    out.extend_pairs(pairs).finish()
}

/// What is learned from, and how rows are dealt: the part of every address of the desk.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Choice {
    /// The class column; guessed where none is named.
    pub(super) target: Option<String>,
    /// Columns that only label rows; guessed where nothing is said about them.
    pub(super) ids: Option<Vec<String>>,
    /// How many per cent of the values are removed at random.
    pub(super) missing: u64,
    /// How many per cent of the rows are kept aside.
    #[serde(default)]
    pub(super) holdout: u64,
    /// How many folds.
    pub(super) folds: u64,
    /// How often the folds are dealt.
    pub(super) repeats: u64,
    /// The seed.
    pub(super) seed: u64,
}

impl Choice {
    /// The longest column name that an address carries.
    const NAME: usize = 200;

    /// Reads the fields that say what is learned from.
    pub(super) fn read(asked: &Asked) -> Result<Choice, Fault> {
        let short = |name: &&str| name.len() <= Choice::NAME;
        let named: Vec<String> = asked.all("id").filter(short).map(str::to_owned).collect();
        Ok(Choice {
            target: asked.one("target").filter(short).map(str::to_owned),
            // Unticked boxes are not sent, so the form says that it was asked at all.
            ids: (asked.one("roles").is_some() || !named.is_empty()).then_some(named),
            missing: asked.whole("missing", 0, 0, 50)?,
            holdout: asked.whole("holdout", 0, 0, 50)?,
            folds: asked.whole("folds", 5, 2, MOST_FOLDS)?,
            repeats: asked.whole("repeats", 1, 1, MOST_REPEATS)?,
            seed: asked.whole("seed", 0, 0, MOST_SEED)?,
        })
    }

    /// The fields that say so again, and some more.
    pub(super) fn query(&self, more: &[(&str, &str)]) -> String {
        let plain = Choice::read(&Asked::default()).unwrap_or_else(|_| self.clone());
        let mut pairs: Vec<(&str, String)> = Vec::new();
        if let Some(target) = &self.target {
            pairs.push(("target", target.clone()));
        }
        if let Some(ids) = &self.ids {
            pairs.push(("roles", "1".to_owned()));
            pairs.extend(ids.iter().map(|id| ("id", id.clone())));
        }
        for (name, value, usual) in [
            ("missing", self.missing, plain.missing),
            ("holdout", self.holdout, plain.holdout),
            ("folds", self.folds, plain.folds),
            ("repeats", self.repeats, plain.repeats),
            ("seed", self.seed, plain.seed),
        ] {
            if value != usual {
                pairs.push((name, value.to_string()));
            }
        }
        let mut all: Vec<(&str, &str)> = pairs.iter().map(|(k, v)| (*k, v.as_str())).collect();
        all.extend(more);
        query(&all)
    }

    /// Which rows are learned from, as the library takes it.
    pub(super) fn intake(&self) -> Intake {
        Intake {
            roles: Roles {
                target: self.target.clone(),
                ids: self.ids.clone(),
            },
            most: MOST_LEARNED,
            missing: self.missing as f64 / 100.0,
            holdout: self.holdout as f64 / 100.0,
            seed: self.seed,
        }
    }

    /// How rows are dealt.
    pub(super) fn validation(&self) -> Validation {
        Validation::Folds {
            folds: self.folds as usize,
            repeats: self.repeats as usize,
            shuffle: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(pairs: &[(&str, &str)]) -> Asked {
        let own = |(k, v): &(&str, &str)| ((*k).to_owned(), (*v).to_owned());
        Asked(pairs.iter().map(own).collect())
    }

    #[test]
    fn what_an_address_says_can_be_said_again() {
        let pairs = [
            ("target", "kind of glass"),
            ("id", "a&b"),
            ("id", "c=d"),
            ("missing", "5"),
            ("holdout", "25"),
            ("seed", "7"),
        ];
        let choice = Choice::read(&asked(&pairs)).unwrap();
        let text = choice.query(&[("pipeline", "mean + knn")]);
        let again: Vec<(String, String)> = form_urlencoded::parse(text.as_bytes())
            .into_owned()
            .collect();
        let again = Asked(again);
        assert_eq!(Choice::read(&again).unwrap(), choice);
        assert_eq!(again.one("pipeline"), Some("mean + knn"));
        assert_eq!(Choice::read(&asked(&[])).unwrap().query(&[]), "");
    }

    #[test]
    fn numbers_outside_their_limits_are_refused() {
        for (name, value) in [
            ("folds", "1"),
            ("folds", "51"),
            ("missing", "-1"),
            ("holdout", "51"),
            ("seed", "x"),
        ] {
            let fault = Choice::read(&asked(&[(name, value)])).unwrap_err();
            assert_eq!(fault.code, "bad-number", "{name}={value}");
        }
    }
}
