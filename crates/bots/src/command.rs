//! A command as people type it, split into words: no shell ever sees it.

use wits_game::Message;

use crate::WORDS;

/// A command that cannot be split into words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadCommand(pub Message);

/// Splits a command at blanks. Double or single quotes keep blanks together, and outside single quotes
/// a backslash takes the next character as it is. Nothing else has a meaning: no variables, no pipes.
///
/// ```
/// assert_eq!(wits_bots::split("python3 'my bot.py' --depth 3").unwrap(), ["python3", "my bot.py", "--depth", "3"]);
/// assert!(wits_bots::split("python3 'my bot.py").is_err());
/// ```
pub fn split(text: &str) -> Result<Vec<String>, BadCommand> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => {
                let Some(next) = chars.next() else {
                    return Err(BadCommand(WORDS.say("command-backslash")));
                };
                word.get_or_insert_default().push(next);
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(BadCommand(WORDS.say("command-quote")));
    }
    words.extend(word);
    if words.is_empty() {
        return Err(BadCommand(WORDS.say("command-empty")));
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_people_expect() {
        for (text, words) in [
            ("a", vec!["a"]),
            ("  a   b ", vec!["a", "b"]),
            (r#"a "b c" d"#, vec!["a", "b c", "d"]),
            (r#"a '' "" b"#, vec!["a", "", "", "b"]),
            (r"a\ b 'c\d' $HOME;rm|x", vec!["a b", "c\\d", "$HOME;rm|x"]),
            (r#"a"b"'c'"#, vec!["abc"]),
        ] {
            assert_eq!(split(text).unwrap(), words, "{text}");
        }
        for text in ["", "  ", "a '", "a \"b", "a\\"] {
            assert!(split(text).is_err(), "{text}");
        }
    }
}
