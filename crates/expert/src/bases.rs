//! The bases that come with the program, and their wording in other languages.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use wits_game::Lang;

/// Name and text of each base.
pub const BASES: &[(&str, &str)] = &[
    ("printer", include_str!("../bases/printer.pl")),
    ("bicycle", include_str!("../bases/bicycle.pl")),
];

/// A base to start from.
pub const TEMPLATE: &str = include_str!("../bases/template.pl");

/// What the strings of the bases are in other languages, a line `English = other` for each.
const WORDING: &[(Lang, &str)] = &[
    (Lang::Pl, include_str!("../bases/pl.txt")),
    (Lang::Cs, include_str!("../bases/cs.txt")),
];

/// The text of a base by name.
pub fn built_in(name: &str) -> Option<&'static str> {
    BASES.iter().find(|(n, _)| *n == name).map(|(_, t)| *t)
}

/// The same base with its strings in the language that is spoken. Rules and names stay as they are,
/// so a conversation goes the same way in every language.
pub fn built_in_spoken(name: &str) -> Option<&'static str> {
    let lang = Lang::spoken();
    let other = others().iter().find(|o| o.name == name && o.lang == lang);
    other.map_or_else(|| built_in(name), |other| Some(&other.text))
}

/// The base to start from, its strings in the language that is spoken.
pub fn template_spoken() -> &'static str {
    let lang = Lang::spoken();
    let other = others()
        .iter()
        .find(|o| o.name == "template" && o.lang == lang);
    other.map_or(TEMPLATE, |other| &other.text)
}

/// All texts that are worded in other languages.
fn worded() -> impl Iterator<Item = (&'static str, &'static str)> {
    BASES.iter().copied().chain([("template", TEMPLATE)])
}

/// The English text of a base that comes with the program, given its text in any language.
pub(crate) fn original(text: &str) -> &str {
    let other = others().iter().find(|other| other.text == text);
    other.and_then(|other| built_in(other.name)).unwrap_or(text)
}

/// A base in another language.
struct Other {
    name: &'static str,
    lang: Lang,
    text: String,
}

fn others() -> &'static [Other] {
    static ALL: OnceLock<Vec<Other>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = Vec::new();
        for &(lang, wording) in WORDING {
            let words: BTreeMap<&str, &str> = wording
                .lines()
                .filter(|line| !line.starts_with('#'))
                .filter_map(|line| line.split_once(" = "))
                .collect();
            for (name, text) in worded() {
                let text = reworded(text, |string| words.get(string).copied());
                all.push(Other { name, lang, text });
            }
        }
        all
    })
}

/// A program with its strings replaced where `word` knows another; comments stay as they are.
fn reworded<'a>(program: &'a str, word: impl Fn(&'a str) -> Option<&'a str>) -> String {
    let mut out = String::with_capacity(program.len() + program.len() / 4);
    let mut rest = program;
    while let Some(at) = rest.find(['"', '%']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let end = if from.starts_with('%') {
            from.find('\n').unwrap_or(from.len())
        } else {
            string_end(from)
        };
        let (piece, tail) = from.split_at(end);
        let inner = piece.strip_prefix('"').and_then(|p| p.strip_suffix('"'));
        match inner.and_then(&word) {
            Some(other) => {
                out.push('"');
                out.push_str(other);
                out.push('"');
            }
            None => out.push_str(piece),
        }
        rest = tail;
    }
    out.push_str(rest);
    out
}

/// Where the string ends with which a text begins.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Base, samples};

    #[test]
    fn strings_are_replaced_and_nothing_else() {
        let word = |s: &str| (s == "a \\\"b\\\"").then_some("x");
        let text = "p(\"a \\\"b\\\"\", 'q'). % \"a\nr(\"a\").";
        assert_eq!(reworded(text, word), "p(\"x\", 'q'). % \"a\nr(\"a\").");
    }

    #[test]
    fn every_base_is_the_same_base_in_every_language() {
        for &(name, text) in BASES {
            let english = Base::read(name, text).unwrap();
            for lang in [Lang::Pl, Lang::Cs] {
                let text = lang.speak(|| built_in_spoken(name)).unwrap();
                let base = Base::read(name, text).unwrap();
                assert_eq!(
                    base.mark, english.mark,
                    "a conversation may change its language"
                );
                assert_ne!(base.title, english.title);
                assert_eq!(base.questions.len(), english.questions.len());
                for (a, b) in base.questions.iter().zip(&english.questions) {
                    assert_eq!(a.id, b.id);
                    assert_ne!(a.text, b.text, "{} in {}", a.id, lang.code());
                }
                for (a, b) in base.problems.iter().zip(&english.problems) {
                    assert_eq!(a.id, b.id);
                    assert_ne!(a.label, b.label, "{} in {}", a.id, lang.code());
                }
                for sample in &base.samples {
                    assert_eq!(samples::run(&base, sample), Ok(()), "{}", sample.name);
                }
            }
        }
    }

    #[test]
    fn no_wording_is_left_over_or_left_out() {
        for &(lang, wording) in WORDING {
            let known: Vec<&str> = wording
                .lines()
                .filter(|line| !line.starts_with('#'))
                .map(|line| line.split_once(" = ").unwrap().0)
                .collect();
            let used = std::cell::RefCell::new(std::collections::BTreeSet::new());
            for (_, text) in worded() {
                reworded(text, |string| {
                    assert!(
                        known.contains(&string),
                        "`{string}` has no text in {lang:?}"
                    );
                    used.borrow_mut().insert(string);
                    None
                });
            }
            for string in known {
                assert!(used.borrow().contains(string), "nobody says `{string}`");
            }
        }
    }
}
