//! Whose things are whose: what visitors keep, within their quotas.
//!
//! A thing has a title that its owner chose and an address that nobody can guess. The owner finds
//! it by either; others read and copy it by the address. What has no owner belongs to the house:
//! everybody reads it by its name, and no visitor changes it.

use std::time::Duration;

use axum::Json;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use maud::html;
use serde_json::json;
use wits_play::{Shelf, Spec, Value};
use wits_store::{Blob, Id, Item, Keeping, Limit, NewItem, OpenLimits, Over, Quota, Store};

use crate::fault::reads_pages;
use crate::pages::{back, frame, page, say};
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// How much visitors may keep and begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quotas {
    /// Bytes and things of a visitor, of an address, and of the house.
    pub kept: Quota,
    /// Games and dialogues that one visitor has begun and not finished.
    pub open: u64,
    /// The same of all visitors from one address.
    pub address_open: u64,
    /// Tournaments that are played at once.
    pub tournaments: usize,
    /// Of these, those of one visitor.
    pub visitor_tournaments: usize,
    /// Of these, those of all visitors from one address.
    pub address_tournaments: usize,
    /// How long things stay after their owner was last here.
    pub stay: Duration,
    /// How long things stay whose owner never came back.
    pub stranger_stay: Duration,
}

impl Default for Quotas {
    fn default() -> Quotas {
        Quotas {
            kept: Quota {
                bytes: 64 << 20,
                items: 200,
                address_bytes: 256 << 20,
                address_items: 4_000,
                house_bytes: 4 << 30,
            },
            open: 200,
            address_open: 4_000,
            tournaments: 4,
            visitor_tournaments: 2,
            address_tournaments: 3,
            stay: Duration::from_hours(90 * 24),
            stranger_stay: Duration::from_hours(24),
        }
    }
}

impl Quotas {
    fn open_limits(&self) -> OpenLimits {
        OpenLimits {
            visitor: self.open,
            address: self.address_open,
            house_bytes: self.kept.house_bytes,
        }
    }
}

/// A use is noted at most this often, in microseconds: a page that is looked at is not a write.
const NOTED: i64 = 60_000_000;

/// Something to keep for a visitor.
pub(crate) struct Put<'a> {
    pub(crate) kind: &'a str,
    /// The address of what is replaced; nothing for a new thing.
    pub(crate) name: Option<&'a str>,
    pub(crate) title: &'a str,
    pub(crate) bytes: Vec<u8>,
    pub(crate) over: Over<'a>,
}

/// A thing that was kept.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    /// Its address.
    pub(crate) name: String,
    /// What went to make room, by title.
    pub(crate) gone: Vec<String>,
}

/// A thing that was found: its name in the store, and whose it is.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) name: String,
    /// Nothing for what belongs to the house.
    pub(crate) item: Option<Item>,
}

impl Found {
    /// Whether a visitor may do anything with it.
    pub(crate) fn is_of(&self, visitor: Visitor) -> bool {
        let owner = self.item.as_ref().map(|item| item.owner.as_str());
        owner == Some(visitor.text().as_str())
    }

    /// Whether others may add to it.
    pub(crate) fn shared(&self) -> bool {
        self.item.as_ref().is_some_and(|item| item.shared)
    }
}

/// An address that nobody can guess, marked by a letter so that it is no number and no title.
fn address(kind: &str) -> Result<String, Fault> {
    let letter = kind.chars().next().unwrap_or('x');
    Ok(format!("{letter}-{}", Id::random()?))
}

/// Whether a text looks like the address of a thing; no title may.
pub(crate) fn is_address(text: &str) -> bool {
    let id = text.as_bytes().get(1) == Some(&b'-');
    id && text.get(2..).is_some_and(|id| id.parse::<Id>().is_ok())
}

/// Notes that a thing was used, so that others go first.
fn note(store: &Store, item: &Item, now: i64) -> Result<(), Fault> {
    if item.used.saturating_add(NOTED) < now {
        store.use_item(&item.kind, &item.name, now)?;
    }
    Ok(())
}

/// The same by its address; what has no owner stays anyway.
pub(crate) fn note_use(store: &Store, kind: &str, name: &str, now: i64) -> Result<(), Fault> {
    match store.item(kind, name)? {
        Some(item) => note(store, &item, now),
        None => Ok(()),
    }
}

/// Somebody else's, or the house's.
pub(crate) fn not_yours() -> Fault {
    let (why, hint) = (WORDS.say("not-yours"), WORDS.say("not-yours-hint"));
    Fault::new(StatusCode::FORBIDDEN, "not-yours", why, hint)
}

impl App {
    /// Keeps a thing for a visitor, in the place of what it replaces.
    pub(crate) fn keep(&self, visitor: Visitor, put: Put<'_>) -> Result<Kept, Fault> {
        self.gate.admit()?;
        let name = match put.name {
            Some(name) => name.to_owned(),
            None => address(put.kind)?,
        };
        let blob = Blob {
            kind: put.kind.to_owned(),
            name,
            hash: Shelf::hash(&put.bytes),
            bytes: put.bytes,
            at: self.now(),
        };
        let new = NewItem {
            blob: &blob,
            title: put.title,
            over: put.over,
            pinned: false,
        };
        let quotas = &self.config.quotas;
        match visitor.owning(|owner| self.store.keep(new, owner, &quotas.kept))? {
            Keeping::Kept(gone) => Ok(Kept {
                name: blob.name,
                gone: gone.into_iter().map(shown).collect(),
            }),
            Keeping::Foreign => Err(not_yours()),
            Keeping::Taken => {
                let why = WORDS.say("name-taken").with("name", put.title);
                let hint = WORDS.say("name-taken-hint");
                Err(Fault::new(StatusCode::CONFLICT, "name-taken", why, hint))
            }
            Keeping::Full(limit) => Err(full(limit, quotas)),
        }
    }

    /// The thing that a visitor means: by its address, by one's own title, or the house's by name.
    pub(crate) fn find(
        &self,
        visitor: Visitor,
        kind: &str,
        text: &str,
    ) -> Result<Option<Found>, Fault> {
        let store = &self.store;
        let mut item = store.item(kind, text)?;
        if item.is_none() {
            item = store.find_item(&visitor.text(), kind, text)?;
        }
        if let Some(item) = item {
            note(store, &item, self.now())?;
            let name = item.name.clone();
            let item = Some(item);
            return Ok(Some(Found { name, item }));
        }
        Ok(store.has_blob(kind, text)?.then(|| Found {
            name: text.to_owned(),
            item: None,
        }))
    }

    /// Refuses what would take room where the house has none left.
    pub(crate) fn has_room(&self) -> Result<(), Fault> {
        let quotas = &self.config.quotas;
        if self.store.size()? < quotas.kept.house_bytes {
            return Ok(());
        }
        Err(full(Limit::House, quotas))
    }

    /// Begins a session for a visitor, unless too many are open.
    pub(crate) fn begin_session(
        &self,
        visitor: Visitor,
        id: Id,
        kind: &str,
        header: &serde_json::Value,
    ) -> Result<(), Fault> {
        self.gate.admit()?;
        let quotas = &self.config.quotas;
        let limits = quotas.open_limits();
        let now = self.now();
        let begin = |owner: wits_store::Owner<'_>| {
            self.store.create_for(id, kind, header, owner, &limits, now)
        };
        match visitor.owning(begin)? {
            None => Ok(()),
            Some(Limit::House) => Err(full(Limit::House, quotas)),
            Some(limit) => {
                let most = match limit {
                    Limit::Visitor => quotas.open,
                    _ => quotas.address_open,
                };
                let key = match limit {
                    Limit::Visitor => "many-open",
                    _ => "many-open-address",
                };
                let why = WORDS.say(key).with("most", most);
                let hint = WORDS.say("many-open-hint");
                Err(Fault::new(
                    StatusCode::TOO_MANY_REQUESTS,
                    "many-open",
                    why,
                    hint,
                ))
            }
        }
    }

    /// Players name machines by title or address: from here on by address, and only who may teach
    /// one seats it as a learner.
    pub(crate) fn seat_machines(
        &self,
        visitor: Visitor,
        players: &mut [Spec],
    ) -> Result<(), Fault> {
        for spec in players {
            let Some(Value::Text(text)) = spec.value("file").cloned() else {
                continue;
            };
            let learns = spec.value("learn").is_some_and(|v| v.to_string() == "true");
            let Some(found) = self.find(visitor, "item", &text)? else {
                if learns {
                    // What is not there yet is built in its room, where it gets an owner.
                    let (why, hint) = ("matchbox-missing", "matchbox-missing-hint");
                    let (why, hint) = (WORDS.say(why), WORDS.say(hint));
                    return Err(Fault::new(StatusCode::NOT_FOUND, "no-machine", why, hint));
                }
                continue;
            };
            if learns && !found.is_of(visitor) && !found.shared() {
                return Err(not_yours());
            }
            for (_, value) in spec.args.iter_mut().filter(|(key, _)| key == "file") {
                *value = Value::Text(found.name.clone());
            }
        }
        Ok(())
    }

    /// Throws away what visitors left who were not here for long.
    pub(crate) fn expire(&self) -> Result<(), Fault> {
        let quotas = &self.config.quotas;
        let now = self.now();
        let before = |stay: Duration| now.saturating_sub_unsigned(stay.as_micros() as u64);
        self.store
            .expire(before(quotas.stay), before(quotas.stranger_stay))?;
        Ok(())
    }
}

/// What a thing is called on pages.
pub(crate) fn shown(item: Item) -> String {
    if item.title.is_empty() {
        item.name
    } else {
        item.title
    }
}

/// Bytes as people read them.
pub(crate) fn bytes(count: u64) -> String {
    let count = count as f64;
    match count {
        n if n >= 1e9 => format!("{:.1} GB", n / 1e9),
        n if n >= 1e6 => format!("{:.1} MB", n / 1e6),
        n if n >= 1e3 => format!("{:.1} kB", n / 1e3),
        n => format!("{n} B"),
    }
}

pub(crate) fn full(limit: Limit, quotas: &Quotas) -> Fault {
    let (key, most) = match limit {
        Limit::Visitor => ("quota-visitor", quotas.kept.bytes),
        Limit::Address => ("quota-address", quotas.kept.address_bytes),
        Limit::House => ("quota-house", quotas.kept.house_bytes),
    };
    let why = WORDS.say(key).with("most", bytes(most));
    Fault::new(
        StatusCode::INSUFFICIENT_STORAGE,
        "quota",
        why,
        WORDS.say("quota-hint"),
    )
}

/// After something was kept: its page; if things went to make room, that is said first.
pub(crate) fn kept(headers: &HeaderMap, visitor: Visitor, to: &str, gone: &[String]) -> Response {
    if gone.is_empty() {
        return back(headers, visitor, to);
    }
    let note = WORDS.say("quota-gone").with("things", gone.join(", "));
    if reads_pages(headers) {
        let title = say("quota-gone-title");
        let body = html! {
            main #main {
                h1 { (title) }
                p role="status" { (note) }
                p { a.button.primary href=(to) { (say("quota-go-on")) } " " a.button href="/mine" { (say("mine-title")) } }
            }
        };
        return page(visitor, frame(&title, &[], &body));
    }
    let mut response =
        Json(json!({"page": to, "gone": gone, "note": note.to_string()})).into_response();
    visitor.introduce(&mut response);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_no_titles() {
        let one = address("item").unwrap();
        assert!(is_address(&one) && one != address("item").unwrap());
        for text in ["her", "i-", "", "é-", &one[1..], &format!("{one}0")] {
            assert!(!is_address(text), "{text}");
        }
    }

    #[test]
    fn bytes_are_read_by_people() {
        assert_eq!(bytes(999), "999 B");
        assert_eq!(bytes(64 << 20), "67.1 MB");
        assert_eq!(bytes(4 << 30), "4.3 GB");
    }
}
