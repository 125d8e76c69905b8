//! Bases by name: those that come with the program, and those that were written here.

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use wits_expert::{BASES, BaseError, built_in, built_in_spoken};
use wits_play::Shelf;
use wits_store::{Blob, Store};

use super::refusal;
use crate::app::now;
use crate::{Fault, WORDS};

/// What kind of thing a base is in the store.
const KIND: &str = "expert-base";
/// The longest name.
pub(super) const LONGEST: usize = 40;

/// The text of a base.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Script {
    pub(super) name: String,
    pub(super) body: String,
    pub(super) hash: String,
    /// Whether it comes with the program, and cannot be changed.
    pub(super) fixed: bool,
}

/// Whether a text is a name: what an address holds as it is.
pub(super) fn fits(name: &str) -> bool {
    let letter = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    (1..=LONGEST).contains(&name.len()) && name.bytes().all(letter)
}

/// There is no base of a name.
pub(super) fn missing() -> Fault {
    refusal(
        StatusCode::NOT_FOUND,
        "no-base",
        "expert-missing",
        "expert-missing-hint",
    )
}

/// The text of a name.
pub(super) fn text(store: &Store, name: &str) -> Result<Script, Fault> {
    if let Some(text) = built_in_spoken(name) {
        return Ok(Script {
            name: name.to_owned(),
            body: text.to_owned(),
            hash: Shelf::hash(text.as_bytes()),
            fixed: true,
        });
    }
    if !fits(name) {
        return Err(missing());
    }
    let blob = store.blob(KIND, name)?.ok_or_else(missing)?;
    Ok(Script {
        name: name.to_owned(),
        body: String::from_utf8_lossy(&blob.bytes).into_owned(),
        hash: blob.hash,
        fixed: false,
    })
}

/// The names of all bases, those of the program first.
pub(super) fn names(store: &Store) -> Result<Vec<String>, Fault> {
    let mut out: Vec<String> = BASES.iter().map(|(name, _)| (*name).to_owned()).collect();
    out.extend(store.blobs(KIND)?.into_iter().map(|info| info.name));
    Ok(out)
}

/// Keeps a text under a name, in place of what had the hash `was`; nothing for a new name.
pub(super) fn put(store: &Store, name: &str, text: &str, was: Option<&str>) -> Result<(), Fault> {
    if !fits(name) || built_in(name).is_some() {
        let shown: String = name.chars().take(60).collect();
        return Err(Fault::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "bad-name",
            WORDS.say("expert-bad-name").with("name", shown),
            WORDS.say("expert-bad-name-hint"),
        ));
    }
    let blob = Blob {
        kind: KIND.to_owned(),
        name: name.to_owned(),
        bytes: text.as_bytes().to_vec(),
        hash: Shelf::hash(text.as_bytes()),
        at: now(),
    };
    if store.swap_blob(&blob, was)? {
        return Ok(());
    }
    Err(Fault::new(
        StatusCode::CONFLICT,
        "changed",
        WORDS.say("expert-taken").with("name", name),
        WORDS.say("expert-taken-hint"),
    ))
}

/// Throws a base away that was written here.
pub(super) fn delete(store: &Store, name: &str) -> Result<(), Fault> {
    text(store, name)?;
    store.delete_blob(KIND, name)?;
    Ok(())
}

/// A base that cannot be used, as a refusal.
pub(super) fn unusable(error: &BaseError) -> Fault {
    Fault::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        "bad-base",
        error.says(),
        WORDS.say("expert-bad-base-hint"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bases_are_kept_once_and_those_of_the_program_stay() {
        let store = Store::memory().unwrap();
        assert_eq!(
            put(&store, "printer", "x", None).unwrap_err().code,
            "bad-name"
        );
        assert_eq!(put(&store, "A b", "x", None).unwrap_err().code, "bad-name");
        put(&store, "mine", "one.", None).unwrap();
        assert_eq!(
            put(&store, "mine", "two.", None).unwrap_err().code,
            "changed"
        );
        let kept = text(&store, "mine").unwrap();
        put(&store, "mine", "two.", Some(&kept.hash)).unwrap();
        assert_eq!(text(&store, "mine").unwrap().body, "two.");
        assert_eq!(names(&store).unwrap(), ["printer", "bicycle", "mine"]);
        delete(&store, "mine").unwrap();
        assert_eq!(text(&store, "mine").unwrap_err().code, "no-base");
    }
}
