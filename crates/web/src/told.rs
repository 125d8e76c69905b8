//! Errors of libraries that know no book, told in the reader's language.
//!
//! A library writes its errors in English, because most of its readers are programs and the people
//! who write them. Where such a sentence reaches a player, its pattern is found again among the keys
//! of the pages' book that begin with `told-`, and said anew with the same names and numbers.

use std::fmt::Display;
use std::sync::OnceLock;

use wits_game::Lang;

use crate::WORDS;

/// The sentence of an error in the language that is spoken; as it is, where the book does not have it.
pub(crate) fn told(error: impl Display) -> String {
    let sentence = error.to_string();
    let lang = Lang::spoken();
    if lang == Lang::En {
        return sentence;
    }
    again(&sentence, lang).unwrap_or(sentence)
}

/// One pattern: its key, and its English text cut into what is fixed and what is filled in.
struct Pattern {
    key: &'static str,
    /// What stands before each gap, and the gap's name.
    gaps: Vec<(&'static str, &'static str)>,
    /// What stands after the last gap.
    end: &'static str,
}

fn patterns() -> &'static [Pattern] {
    static ALL: OnceLock<Vec<Pattern>> = OnceLock::new();
    ALL.get_or_init(|| {
        let told = WORDS.keys().into_iter();
        let told = told.filter(|key| key.starts_with("told-"));
        let mut all: Vec<Pattern> = told
            .filter_map(|key| Some(Pattern::new(key, WORDS.text(Lang::En, key)?)))
            .collect();
        // The pattern with the most fixed text says most exactly what is meant.
        all.sort_by_key(|pattern| std::cmp::Reverse(pattern.fixed()));
        all
    })
}

impl Pattern {
    fn new(key: &'static str, text: &'static str) -> Pattern {
        let mut gaps = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{')
            && let Some((name, tail)) = after.split_once('}')
        {
            gaps.push((before, name));
            rest = tail;
        }
        Pattern {
            key,
            gaps,
            end: rest,
        }
    }

    fn fixed(&self) -> usize {
        self.end.len() + self.gaps.iter().map(|(text, _)| text.len()).sum::<usize>()
    }

    /// What fills the gaps of a sentence that has this pattern.
    fn fills<'a>(&self, sentence: &'a str) -> Option<Vec<(&'static str, &'a str)>> {
        let Some((first, _)) = self.gaps.first() else {
            return (sentence == self.end).then(Vec::new);
        };
        let mut rest = sentence.strip_prefix(first)?;
        let mut fills = Vec::new();
        for (i, (_, name)) in self.gaps.iter().enumerate() {
            let fill = match self.gaps.get(i + 1) {
                Some((text, _)) => {
                    let (fill, tail) = rest.split_once(text)?;
                    rest = tail;
                    fill
                }
                None => rest.strip_suffix(self.end)?,
            };
            fills.push((*name, fill));
        }
        Some(fills)
    }
}

fn again(sentence: &str, lang: Lang) -> Option<String> {
    let (pattern, fills) = patterns()
        .iter()
        .find_map(|pattern| Some((pattern, pattern.fills(sentence)?)))?;
    let mut message = WORDS.say(pattern.key);
    for (name, fill) in fills {
        // An error may carry another one inside.
        let inner = again(fill, lang).unwrap_or_else(|| fill.to_owned());
        message = message.with(name, inner);
    }
    Some(message.to(lang))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_said_anew_with_its_own_names() {
        let english = "`roud` is not a scheme; there are: none, gardner, full";
        assert_eq!(told(english), english);
        let polish = Lang::Pl.speak(|| told(english));
        assert!(
            polish.contains("`roud`") && polish.contains("schemat"),
            "{polish}"
        );
        assert_eq!(Lang::Cs.speak(|| told("never heard of")), "never heard of");
    }

    #[test]
    fn every_pattern_finds_its_own_sentence() {
        for pattern in patterns() {
            let sentence: String = pattern
                .gaps
                .iter()
                .map(|(text, name)| format!("{text}<{name}>"))
                .chain([pattern.end.to_owned()])
                .collect();
            let fills = pattern.fills(&sentence).unwrap_or_default();
            assert_eq!(fills.len(), pattern.gaps.len(), "{sentence}");
            assert!(pattern.fixed() >= 8, "{sentence} fits nearly everything");
            for lang in [Lang::Pl, Lang::Cs] {
                let said = again(&sentence, lang).unwrap_or_default();
                assert_ne!(said, sentence, "{}", pattern.key);
            }
        }
        assert!(patterns().len() > 30);
    }

    #[test]
    fn real_errors_of_libraries_have_patterns() {
        use wits_matchbox::{Preset, Scheme, Subject};
        let errors = [
            "x".parse::<Scheme>().err().map(|e| e.to_string()),
            Preset::named("x").err().map(|e| e.to_string()),
            Subject::named("x").err().map(|e| e.to_string()),
            "".parse::<wits_thue::Word>().err().map(|e| e.to_string()),
            "!".parse::<wits_thue::Word>().err().map(|e| e.to_string()),
            "x".parse::<wits_thue::Variant>()
                .err()
                .map(|e| e.to_string()),
            "".parse::<wits_rainbow::numbers::Colouring>()
                .err()
                .map(|e| e.to_string()),
            "a!".parse::<wits_rainbow::numbers::Colouring>()
                .err()
                .map(|e| e.to_string()),
            wits_othello::ggf::read("x").err().map(|e| e.to_string()),
            "25:99"
                .parse::<wits_transit::Time>()
                .err()
                .map(|e| e.to_string()),
            "x".parse::<wits_transit::Date>()
                .err()
                .map(|e| e.to_string()),
        ];
        for error in errors {
            let error = error.unwrap_or_default();
            assert!(again(&error, Lang::Pl).is_some(), "no pattern for: {error}");
        }
    }
}
