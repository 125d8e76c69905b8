//! The one error shape at the doors.

use std::borrow::Cow;
use std::fmt;

use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use wits_game::Message;

use crate::WORDS;
use crate::nearest::nearest;

/// Something that cannot be done as asked: what is wrong, and what to do next.
///
/// ```
/// use wits_desk::{Refusal, Spec};
/// let refusal = "othello:size".parse::<Spec>().unwrap_err();
/// assert_eq!(refusal.code, "bad-spec");
/// let line = serde_json::to_string(&refusal).unwrap();
/// let back: Refusal = serde_json::from_str(&line).unwrap();
/// assert_eq!(back.to_string(), refusal.to_string());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// A short word for scripts.
    pub code: Cow<'static, str>,
    /// What is wrong.
    pub why: Message,
    /// What is allowed, or what to do next.
    pub hint: Message,
}

impl Refusal {
    /// A refusal with its two sentences.
    pub fn new(code: impl Into<Cow<'static, str>>, why: Message, hint: Message) -> Refusal {
        let code = code.into();
        Refusal { code, why, hint }
    }

    /// A name that does not exist among those that do, with the nearest one.
    pub fn unknown(
        code: impl Into<Cow<'static, str>>,
        why: Message,
        name: &str,
        all: &[&str],
    ) -> Refusal {
        let list = all.join(", ");
        let hint = match nearest(name, all.iter().copied()) {
            Some(near) => WORDS
                .say("did-you-mean")
                .with("nearest", near)
                .with("all", list),
            None => WORDS.say("there-are").with("all", list),
        };
        Refusal::new(code, why, hint)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.why, self.hint)
    }
}

impl std::error::Error for Refusal {}

impl Serialize for Refusal {
    /// As every door writes it: `{"code", "message", "hint"}`, in the language that is spoken here.
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut object = to.serialize_struct("Refusal", 3)?;
        object.serialize_field("code", &self.code)?;
        object.serialize_field("message", &self.why)?;
        object.serialize_field("hint", &self.hint)?;
        object.end()
    }
}

impl<'de> Deserialize<'de> for Refusal {
    /// The sentences keep the language in which they were written.
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Refusal, D::Error> {
        #[derive(Deserialize)]
        struct Lines {
            code: String,
            message: Message,
            hint: Message,
        }
        let lines = Lines::deserialize(from)?;
        Ok(Refusal::new(lines.code, lines.message, lines.hint))
    }
}
