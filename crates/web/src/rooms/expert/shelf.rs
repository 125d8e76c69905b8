//! Bases by name: those that come with the program, and those that were written here.

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use wits_expert::{BASES, BaseError, built_in, built_in_spoken};
use wits_play::Shelf;
use wits_store::Over;

use super::refusal;
use crate::own::{Put, is_address, not_yours};
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// What kind of thing a base is in the store.
const KIND: &str = "expert-base";
/// The longest name.
pub(super) const LONGEST: usize = 40;

/// The text of a base.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Script {
    /// What its address and the store call it.
    pub(super) name: String,
    /// What its owner calls it.
    pub(super) title: String,
    pub(super) body: String,
    pub(super) hash: String,
    /// Whether it comes with the program, and cannot be changed.
    pub(super) fixed: bool,
    /// Whether it is the visitor's own.
    pub(super) mine: bool,
}

impl Script {
    /// Whether this visitor cannot change it, only copy it.
    pub(super) fn locked(&self) -> bool {
        self.fixed || !self.mine
    }
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

/// The text that a visitor means by a name: one of the program, one's own by its title, or any by
/// its address.
pub(super) fn text(app: &App, visitor: Visitor, name: &str) -> Result<Script, Fault> {
    if let Some(text) = built_in_spoken(name) {
        return Ok(Script {
            name: name.to_owned(),
            title: name.to_owned(),
            body: text.to_owned(),
            hash: Shelf::hash(text.as_bytes()),
            fixed: true,
            mine: false,
        });
    }
    if !fits(name) {
        return Err(missing());
    }
    let found = app.find(visitor, KIND, name)?.ok_or_else(missing)?;
    let blob = app.store.blob(KIND, &found.name)?.ok_or_else(missing)?;
    Ok(Script {
        fixed: false,
        mine: found.is_of(visitor),
        title: found
            .item
            .map_or_else(|| name.to_owned(), |item| item.title),
        name: found.name,
        body: String::from_utf8_lossy(&blob.bytes).into_owned(),
        hash: blob.hash,
    })
}

/// The names of all bases of a visitor, those of the program first, then those of the house.
pub(super) fn names(app: &App, visitor: Visitor) -> Result<Vec<String>, Fault> {
    let mut out: Vec<String> = BASES.iter().map(|(name, _)| (*name).to_owned()).collect();
    out.extend(
        app.store
            .house_blobs(KIND)?
            .into_iter()
            .map(|info| info.name),
    );
    let own = app.store.items(&visitor.text())?;
    let own = own.into_iter().filter(|item| item.kind == KIND);
    let mut own: Vec<String> = own.map(|item| item.title).collect();
    own.retain(|title| !out.contains(title));
    own.sort();
    out.extend(own);
    Ok(out)
}

/// Keeps a visitor's text under a title, in place of what had the hash `was`; nothing for a new
/// one. Says what went to make room.
pub(super) fn put(
    app: &App,
    visitor: Visitor,
    name: &str,
    text: &str,
    was: Option<&str>,
) -> Result<Vec<String>, Fault> {
    if !fits(name) || built_in(name).is_some() || is_address(name) {
        let shown: String = name.chars().take(60).collect();
        return Err(Fault::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "bad-name",
            WORDS.say("expert-bad-name").with("name", shown),
            WORDS.say("expert-bad-name-hint"),
        ));
    }
    let taken = || {
        Fault::new(
            StatusCode::CONFLICT,
            "changed",
            WORDS.say("expert-taken").with("name", name),
            WORDS.say("expert-taken-hint"),
        )
    };
    let old = match was {
        Some(_) => {
            let old = app.store.find_item(&visitor.text(), KIND, name)?;
            Some(old.ok_or_else(taken)?.name)
        }
        None => None,
    };
    let put = Put {
        kind: KIND,
        name: old.as_deref(),
        title: name,
        bytes: text.as_bytes().to_vec(),
        over: was.map_or(Over::Nothing, Over::Hash),
    };
    match app.keep(visitor, put) {
        Ok(kept) => Ok(kept.gone),
        Err(fault) if fault.code == "name-taken" => Err(taken()),
        Err(fault) => Err(fault),
    }
}

/// Throws a visitor's base away.
pub(super) fn delete(app: &App, visitor: Visitor, name: &str) -> Result<(), Fault> {
    let text = text(app, visitor, name)?;
    if !app.store.discard(&text.name, &visitor.text())? {
        return Err(not_yours());
    }
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
    fn bases_are_ones_own_and_those_of_the_program_stay() {
        let store = std::sync::Arc::new(wits_store::Store::memory().unwrap());
        let (catalog, config) = (
            wits_play::Catalog::new(Vec::new()),
            crate::Config::default(),
        );
        let app = App::new(config, catalog, Shelf::new(), store);
        let me = Visitor::fresh(&app.seal, false, std::net::IpAddr::from([0, 0, 0, 0])).unwrap();
        let other = Visitor::fresh(&app.seal, false, std::net::IpAddr::from([0, 0, 0, 0])).unwrap();
        for name in ["printer", "A b"] {
            let fault = put(&app, me, name, "x", None).unwrap_err();
            assert_eq!(fault.code, "bad-name", "{name}");
        }
        put(&app, me, "mine", "one.", None).unwrap();
        assert_eq!(
            put(&app, me, "mine", "two.", None).unwrap_err().code,
            "changed"
        );
        put(&app, other, "mine", "three.", None).unwrap();
        let kept = text(&app, me, "mine").unwrap();
        put(&app, me, "mine", "two.", Some(&kept.hash)).unwrap();
        let theirs = text(&app, other, "mine").unwrap();
        assert_eq!((theirs.body.as_str(), theirs.mine), ("three.", true));
        assert_eq!(names(&app, me).unwrap(), ["printer", "bicycle", "mine"]);
        // By its address others read it, and that is all.
        let read = text(&app, other, &kept.name).unwrap();
        assert_eq!((read.body.as_str(), read.locked()), ("two.", true));
        assert_eq!(
            delete(&app, other, &kept.name).unwrap_err().code,
            "not-yours"
        );
        delete(&app, me, "mine").unwrap();
        assert_eq!(text(&app, me, "mine").unwrap_err().code, "no-base");
        assert_eq!(text(&app, other, "mine").unwrap().body, "three.");
    }
}
