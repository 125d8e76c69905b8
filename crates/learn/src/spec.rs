//! Methods as text: `name:key=value,...`, checked against one table of what there is.
//!
//! The table ([`methods`]) drives reading, writing, help and the forms on the page, so a method
//! or a parameter is named in one place only.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use wits_game::Message;

use crate::error::{LearnError, closest};
use crate::methods::{CLASSIFIERS, IMPUTERS, TRANSFORMERS};
use crate::words::WORDS;

/// Where in a pipeline a method stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Fills missing values.
    Imputer,
    /// Changes the features.
    Transformer,
    /// Predicts the class.
    Classifier,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Imputer => "imputer",
            Kind::Transformer => "transformer",
            Kind::Classifier => "classifier",
        }
    }
}

/// What a parameter may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Allowed {
    /// A whole number from the first to the second, or one of these words.
    Whole(usize, usize, &'static [&'static str]),
    /// A number from the first to the second, or one of these words.
    Real(f64, f64, &'static [&'static str]),
    /// One of these words.
    Word(&'static [&'static str]),
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, words) = match self {
            Allowed::Whole(least, most, words) => {
                let number = WORDS.say("allowed-whole").with("least", *least);
                (number.with("most", *most), words)
            }
            Allowed::Real(least, most, words) => {
                let number = WORDS.say("allowed-real").with("least", *least);
                (number.with("most", *most), words)
            }
            Allowed::Word(words) => {
                let one = WORDS.say("allowed-word").with("all", words.join(", "));
                return write!(f, "{one}");
            }
        };
        write!(f, "{number}")?;
        words
            .iter()
            .try_for_each(|word| write!(f, "{}", WORDS.say("allowed-or").with("word", *word)))
    }
}

/// One parameter of a method.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Its name in a spec.
    pub name: &'static str,
    /// What it is when nothing is said.
    pub default: &'static str,
    /// What it may be.
    pub allowed: Allowed,
    /// The key of one line about it.
    pub(crate) about: &'static str,
    /// It is written out only where it is not the default, even in full.
    pub(crate) quiet: bool,
}

impl Param {
    /// One line about it.
    pub fn about(&self) -> Message {
        WORDS.say(self.about)
    }
}

/// One method: an imputer, a transformer or a classifier.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    /// Its name in a spec.
    pub name: &'static str,
    /// The key of one line about it.
    pub(crate) about: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
}

impl Method {
    /// One line about it.
    pub fn about(&self) -> Message {
        WORDS.say(self.about)
    }
}

/// The methods of one kind.
pub fn methods(kind: Kind) -> &'static [Method] {
    match kind {
        Kind::Imputer => IMPUTERS,
        Kind::Transformer => TRANSFORMERS,
        Kind::Classifier => CLASSIFIERS,
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Setting {
    Whole(usize),
    Real(f64),
    Word(&'static str),
}

/// A method with all its parameters known.
#[derive(Clone, Debug)]
pub struct Spec {
    kind: Kind,
    method: &'static Method,
    settings: Vec<Setting>,
    text: String,
}

impl PartialEq for Spec {
    fn eq(&self, other: &Spec) -> bool {
        self.kind == other.kind
            && self.method.name == other.method.name
            && self.settings == other.settings
    }
}

impl Spec {
    /// Reads a method of this kind.
    pub fn read(kind: Kind, text: &str) -> Result<Spec, LearnError> {
        let text = text.trim();
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name.trim(), Some(rest)),
            None => (text, None),
        };
        let list = methods(kind);
        let method = list
            .iter()
            .find(|m| m.name == name)
            .ok_or_else(|| LearnError::NoMethod {
                kind: kind.word(),
                name: name.to_owned(),
                known: quoted(list.iter().map(|m| m.name)),
                close: closest(name, list.iter().map(|m| m.name)),
            })?;
        let mut settings: Vec<Setting> = method
            .params
            .iter()
            .map(|p| setting(method.name, p, p.default))
            .collect::<Result<_, _>>()?;
        let mut given = vec![false; method.params.len()];
        for pair in rest
            .unwrap_or("")
            .split(',')
            .map(str::trim)
            .filter(|p| !p.is_empty())
        {
            let (key, value) = pair.split_once('=').ok_or_else(|| LearnError::BadSpec {
                text: text.to_owned(),
                why: WORDS.say("spec-pair").with("pair", pair),
            })?;
            let (key, value) = (key.trim(), value.trim().trim_matches('"'));
            let at = method
                .params
                .iter()
                .position(|p| p.name == key)
                .ok_or_else(|| {
                    let known = quoted(method.params.iter().map(|p| p.name));
                    LearnError::NoParameter {
                        method: method.name.to_owned(),
                        name: key.to_owned(),
                        known: if known.is_empty() {
                            "none".to_owned()
                        } else {
                            known
                        },
                        close: closest(key, method.params.iter().map(|p| p.name)),
                    }
                })?;
            if std::mem::replace(&mut given[at], true) {
                return Err(LearnError::BadSpec {
                    text: text.to_owned(),
                    why: WORDS.say("spec-twice").with("key", key),
                });
            }
            settings[at] = setting(method.name, &method.params[at], value)?;
        }
        let mut spec = Spec {
            kind,
            method,
            settings,
            text: String::new(),
        };
        spec.text = spec.written(&given);
        Ok(spec)
    }

    /// The method's name.
    pub fn name(&self) -> &'static str {
        self.method.name
    }

    /// Where in a pipeline it stands.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The text with every parameter written out, as records keep it.
    pub fn in_full(&self) -> String {
        let default = |p: &Param| setting(self.method.name, p, p.default).ok();
        let params = self.method.params.iter().zip(&self.settings);
        let shown = params.map(|(p, s)| !p.quiet || default(p) != Some(*s));
        self.written(&shown.collect::<Vec<_>>())
    }

    /// The same method with one parameter changed.
    pub fn with(&self, key: &str, value: &str) -> Result<Spec, LearnError> {
        let full = self.in_full();
        let (name, rest) = full.split_once(':').unwrap_or((&full, ""));
        let kept = rest
            .split(',')
            .filter(|pair| !pair.is_empty() && pair.split('=').next() != Some(key))
            .fold(String::new(), |all, pair| format!("{all}{pair},"));
        let mut changed = Spec::read(self.kind, &format!("{name}:{kept}{key}={value}"))?;
        let given: Vec<bool> = self
            .method
            .params
            .iter()
            .map(|p| p.name == key || self.text.contains(&format!("{}=", p.name)))
            .collect();
        changed.text = changed.written(&given);
        Ok(changed)
    }

    fn written(&self, shown: &[bool]) -> String {
        let pairs: Vec<String> = self
            .method
            .params
            .iter()
            .zip(&self.settings)
            .zip(shown)
            .filter(|&(_, &shown)| shown)
            .map(|((p, s), _)| match s {
                Setting::Whole(n) => format!("{}={n}", p.name),
                Setting::Real(x) => format!("{}={}", p.name, short(*x)),
                Setting::Word(w) => format!("{}={w}", p.name),
            })
            .collect();
        if pairs.is_empty() {
            self.method.name.to_owned()
        } else {
            format!("{}:{}", self.method.name, pairs.join(","))
        }
    }

    fn setting(&self, name: &str) -> Setting {
        let at = self
            .method
            .params
            .iter()
            .position(|p| p.name == name)
            .expect("only parameters of the method's own table are asked for");
        self.settings[at]
    }

    pub(crate) fn whole(&self, name: &str) -> usize {
        self.whole_or_word(name)
            .expect("a parameter without words is a number")
    }

    pub(crate) fn whole_or_word(&self, name: &str) -> Result<usize, &'static str> {
        match self.setting(name) {
            Setting::Whole(n) => Ok(n),
            Setting::Word(w) => Err(w),
            Setting::Real(_) => unreachable!("`{name}` is declared as a whole number"),
        }
    }

    pub(crate) fn real(&self, name: &str) -> f64 {
        self.real_or_word(name)
            .expect("a parameter without words is a number")
    }

    pub(crate) fn real_or_word(&self, name: &str) -> Result<f64, &'static str> {
        match self.setting(name) {
            Setting::Real(x) => Ok(x),
            Setting::Word(w) => Err(w),
            Setting::Whole(_) => unreachable!("`{name}` is declared as a number"),
        }
    }

    /// A word, where the method has such a parameter.
    pub(crate) fn word_if_any(&self, name: &str) -> Option<&'static str> {
        let at = self.method.params.iter().position(|p| p.name == name)?;
        match self.settings[at] {
            Setting::Word(w) => Some(w),
            _ => None,
        }
    }

    pub(crate) fn word(&self, name: &str) -> &'static str {
        match self.setting(name) {
            Setting::Word(w) => w,
            _ => unreachable!("`{name}` is declared as a word"),
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for Spec {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

fn short(x: f64) -> String {
    if x != 0.0 && x.abs() < 1e-3 {
        format!("{x:e}")
    } else {
        format!("{x}")
    }
}

fn quoted<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names
        .map(|n| format!("`{n}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

fn setting(method: &str, param: &Param, value: &str) -> Result<Setting, LearnError> {
    let refuse = || LearnError::BadValue {
        method: method.to_owned(),
        name: param.name.to_owned(),
        value: value.to_owned(),
        allowed: WORDS
            .say("allowed-is")
            .with("what", param.allowed.to_string())
            .to_string(),
    };
    let word = |words: &'static [&'static str]| {
        words
            .iter()
            .find(|&&w| w == value)
            .map(|&w| Setting::Word(w))
            .ok_or_else(refuse)
    };
    match param.allowed {
        Allowed::Word(words) => word(words),
        Allowed::Whole(least, most, words) => match value.parse::<usize>() {
            Ok(n) if (least..=most).contains(&n) => Ok(Setting::Whole(n)),
            Ok(_) => Err(refuse()),
            Err(_) => word(words),
        },
        Allowed::Real(least, most, words) => match value.parse::<f64>() {
            Ok(x) if x >= least && x <= most => Ok(Setting::Real(x)),
            Ok(_) => Err(refuse()),
            Err(_) => word(words),
        },
    }
}

/// An imputer, any number of transformers, a classifier.
#[derive(Clone, Debug, PartialEq)]
pub struct Pipeline {
    /// Fills missing values.
    pub imputer: Spec,
    /// Change the features, one after the other.
    pub transformers: Vec<Spec>,
    /// Predicts the class.
    pub classifier: Spec,
}

impl Pipeline {
    /// The transformers as one text, `standard + pca`.
    pub fn transformer(&self) -> String {
        chain_text(&self.transformers)
    }

    /// Every step with every parameter written out.
    pub fn in_full(&self) -> String {
        let mut parts = vec![self.imputer.in_full()];
        parts.extend(self.transformers.iter().map(Spec::in_full));
        parts.push(self.classifier.in_full());
        parts.join(" + ")
    }
}

/// Transformers as one text, `standard + pca`.
pub fn chain_text(chain: &[Spec]) -> String {
    if chain.is_empty() {
        return "passthrough".to_owned();
    }
    chain
        .iter()
        .map(Spec::to_string)
        .collect::<Vec<_>>()
        .join(" + ")
}

impl fmt::Display for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} + {} + {}",
            self.imputer,
            self.transformer(),
            self.classifier
        )
    }
}

impl FromStr for Pipeline {
    type Err = LearnError;

    /// Reads `IMPUTER + TRANSFORMER + ... + CLASSIFIER`. The last step is the classifier; without
    /// an imputer in front, `mean` is taken (it changes nothing where nothing is missing).
    fn from_str(text: &str) -> Result<Pipeline, LearnError> {
        let parts: Vec<&str> = text.split('+').map(str::trim).collect();
        if parts.iter().any(|p| p.is_empty()) {
            return Err(LearnError::BadSpec {
                text: text.to_owned(),
                why: WORDS.say("spec-steps"),
            });
        }
        let (last, front) = parts
            .split_last()
            .expect("splitting gives at least one part");
        let classifier = Spec::read(Kind::Classifier, last)?;
        let (imputer, transformers) = read_chain(front)?;
        let imputer = match imputer {
            Some(imputer) => imputer,
            None => Spec::read(Kind::Imputer, "mean")?,
        };
        Ok(Pipeline {
            imputer,
            transformers,
            classifier,
        })
    }
}

/// Reads `[IMPUTER +] TRANSFORMER + ...`, the part of a pipeline before its classifier.
pub fn read_steps(text: &str) -> Result<(Option<Spec>, Vec<Spec>), LearnError> {
    let parts: Vec<&str> = text.split('+').map(str::trim).collect();
    read_chain(&parts)
}

fn read_chain(parts: &[&str]) -> Result<(Option<Spec>, Vec<Spec>), LearnError> {
    let is_imputer = |part: &str| {
        let name = part.split(':').next().unwrap_or(part).trim();
        IMPUTERS.iter().any(|m| m.name == name)
    };
    let (imputer, rest) = match parts.split_first() {
        Some((first, rest)) if is_imputer(first) => (Some(Spec::read(Kind::Imputer, first)?), rest),
        _ => (None, parts),
    };
    let transformers = rest
        .iter()
        .map(|p| Spec::read(Kind::Transformer, p))
        .collect::<Result<_, _>>()?;
    Ok((imputer, transformers))
}

impl Serialize for Pipeline {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.in_full())
    }
}

impl<'de> Deserialize<'de> for Pipeline {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        for text in [
            "knn:k=1 + quantile:output=uniform + random-forest:trees=100",
            "mean + standard + pca:components=2 + svc-rbf:c=2,gamma=scale",
            "median + passthrough + naive-bayes:smoothing=1e-9",
            "mean + kbins:bins=3 + tree:depth=10,criterion=gini",
        ] {
            let pipeline: Pipeline = text.parse().unwrap();
            assert_eq!(pipeline.to_string().parse::<Pipeline>().unwrap(), pipeline);
            assert_eq!(pipeline.in_full().parse::<Pipeline>().unwrap(), pipeline);
        }
    }

    #[test]
    fn every_method_is_well_declared() {
        for kind in [Kind::Imputer, Kind::Transformer, Kind::Classifier] {
            for method in methods(kind) {
                let spec = Spec::read(kind, method.name).unwrap();
                assert_eq!(Spec::read(kind, &spec.in_full()).unwrap(), spec);
            }
        }
    }

    #[test]
    fn mistakes_are_named() {
        let told = |kind, text: &str| Spec::read(kind, text).unwrap_err().to_string();
        assert!(told(Kind::Transformer, "standart").contains("did you mean `standard`"));
        assert!(told(Kind::Classifier, "knn:kk=3").contains("has no parameter `kk`"));
        assert!(told(Kind::Classifier, "knn:k=0").contains("whole number from 1"));
        assert!(told(Kind::Classifier, "knn:k=1,k=2").contains("twice"));
        assert!(told(Kind::Classifier, "knn:k").contains("key=value"));
        assert!("mean + + knn".parse::<Pipeline>().is_err());
        assert!(told(Kind::Classifier, "naive-bayes:smoothing=nan").contains("number from"));
    }

    #[test]
    fn one_parameter_can_be_changed() {
        let spec = Spec::read(Kind::Classifier, "random-forest:trees=100").unwrap();
        assert_eq!(
            spec.with("trees", "7").unwrap().to_string(),
            "random-forest:trees=7"
        );
        assert!(spec.with("tree", "7").is_err());
    }
}
