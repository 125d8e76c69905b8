//! What a reader changed on a lesson: the fields of its form, as they stand in the address.

use std::fmt::Write as _;
use std::str::FromStr;

use axum::http::StatusCode;

use maud::{Markup, html};

use crate::{Fault, WORDS};

/// The field of what a reader clicked: a guess, or a move on a board.
pub(super) const MOVE: &str = "move";

/// The field of the moves that lead to a position, on the board that makes one.
pub(super) const PICK: &str = "pick";

/// The longest text of a field that is looked at.
const LONGEST: usize = 300;

/// The fields of an address.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked(Vec<(String, String)>);

impl Asked {
    /// The fields as they came, cut where they are too long to be meant. What was clicked or taken back
    /// on a board that makes a position has become its `moves`.
    pub(super) fn new(pairs: Vec<(String, String)>) -> Asked {
        let cut = |text: String| text.trim().chars().take(LONGEST).collect();
        let pairs = pairs.into_iter().take(32);
        let asked = Asked(pairs.map(|(name, text)| (name, cut(text))).collect());
        let Some(picked) = asked.text(PICK) else {
            return asked;
        };
        let mut moves: Vec<&str> = picked.split([' ', '-']).filter(|m| !m.is_empty()).collect();
        match asked.text("back") {
            Some("all") => moves.clear(),
            Some(_) => drop(moves.pop()),
            None => moves.extend(asked.text(MOVE)),
        }
        let moves = format!("-{}", moves.join(" "));
        let gone = [PICK, MOVE, "back", "moves"];
        let rest = asked.0.iter().filter(|(name, _)| !gone.contains(&&**name));
        let settled = rest.cloned().chain([("moves".to_owned(), moves)]);
        Asked(settled.collect())
    }

    /// Whether nothing was changed.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The same fields for another address.
    pub(super) fn at(&self, path: &str) -> String {
        let pairs: Vec<(&str, &str)> = self.0.iter().map(|(n, t)| (&**n, &**t)).collect();
        address(path, &pairs)
    }

    /// The fields but some, as a form sends them along.
    pub(super) fn hidden(&self, but: &[&str]) -> Markup {
        let sent = self.0.iter().filter(|(name, _)| !but.contains(&&**name));
        html! { @for (name, text) in sent { input type="hidden" name=(name) value=(text); } }
    }

    /// An address with the fields but one.
    pub(super) fn without(&self, but: &str, path: &str) -> String {
        let rest = self.0.iter().filter(|(name, _)| name != but);
        Asked(rest.cloned().collect()).at(path)
    }

    /// An address with the fields and one more.
    pub(super) fn with(&self, name: &str, text: &str, path: &str) -> String {
        let rest = self.0.iter().filter(|(known, _)| known != name);
        let more = [(name.to_owned(), text.to_owned())];
        Asked(rest.cloned().chain(more).collect()).at(path)
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

    #[test]
    fn a_click_on_a_board_that_makes_a_position_becomes_a_move_of_it() {
        let moves = |fields: &[(&str, &str)]| {
            let pairs = fields.iter().map(|(n, t)| ((*n).into(), (*t).into()));
            let asked = Asked::new(pairs.collect());
            (
                asked.text("moves").map(str::to_owned),
                asked.text(MOVE).is_some(),
            )
        };
        let picked = |text: &str| (Some(text.to_owned()), false);
        assert_eq!(moves(&[("pick", "-"), ("move", "b2")]), picked("-b2"));
        assert_eq!(moves(&[("pick", "b2"), ("move", "a1")]), picked("-b2 a1"));
        assert_eq!(moves(&[("pick", "b2 a1"), ("back", "one")]), picked("-b2"));
        assert_eq!(moves(&[("pick", "b2 a1"), ("back", "all")]), picked("-"));
        assert_eq!(
            moves(&[("moves", "-b2"), ("move", "a1")]),
            (Some("-b2".into()), true)
        );
    }
}
