//! Machines as the store keeps them, and changes by hand that can be taken back.

use std::fmt;

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use wits_game::Seat;
use wits_matchbox::{BadMachine, Edit, Machine, TooLarge};
use wits_play::Shelf;
use wits_store::{Blob, Over, Store};

use super::refusal;
use crate::app::now;
use crate::own::{Put, is_address, not_yours};
use crate::told::told;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// Machines lie where players look for their files.
const ITEM: &str = "item";
/// What was done to them by hand lies beside.
const BENCH: &str = "matchbox-bench";
/// So many changes by hand can be taken back.
const REMEMBERED: usize = 200;
/// What can be taken back takes at most so many bytes.
const LARGEST_BENCH: usize = 128 * 1024;
/// How often a change is tried again when somebody else was quicker.
const TRIES: usize = 5;

/// What a visitor may do with a machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Access {
    /// It is the visitor's own.
    Owner,
    /// Its owner shares it: others teach it.
    Teacher,
    /// It is somebody else's or the house's: others look at it, play against it and copy it.
    Reader,
}

/// A kept machine, as one visitor sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Name {
    /// What stands in the address of its page.
    shown: String,
    /// What the store and players' specs call it.
    key: String,
    /// What its owner calls it.
    title: String,
    access: Access,
    shared: bool,
}

impl Name {
    /// The longest name.
    pub(super) const LONGEST: usize = 40;

    /// Whether a text is a name: what an address and a player's spec can hold as it is.
    pub(super) fn fits(text: &str) -> bool {
        let letter = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        (1..=Name::LONGEST).contains(&text.len()) && text.bytes().all(letter)
    }

    /// The machine that a visitor means by an address.
    pub(super) fn find(app: &App, visitor: Visitor, text: &str) -> Result<Name, Fault> {
        let found = if Name::fits(text) {
            app.find(visitor, ITEM, text)?
        } else {
            None
        };
        let found = found.ok_or_else(Name::unknown)?;
        let access = if found.is_of(visitor) {
            Access::Owner
        } else if found.shared() {
            Access::Teacher
        } else {
            Access::Reader
        };
        let shared = found.shared();
        let title = found.item.map(|item| item.title);
        Ok(Name {
            shared,
            shown: text.to_owned(),
            title: title.unwrap_or_else(|| found.name.clone()),
            key: found.name,
            access,
        })
    }

    /// Reads the title for a new machine.
    pub(super) fn of_form(text: &str) -> Result<String, Fault> {
        if Name::fits(text) && !is_address(text) {
            return Ok(text.to_owned());
        }
        let shown: String = text.chars().take(60).collect();
        Err(Fault::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "bad-name",
            WORDS.say("matchbox-bad-name").with("name", shown),
            WORDS.say("matchbox-bad-name-hint"),
        ))
    }

    fn unknown() -> Fault {
        refusal(
            StatusCode::NOT_FOUND,
            "no-machine",
            "matchbox-missing",
            "matchbox-missing-hint",
        )
    }

    /// What its owner calls it.
    pub(super) fn text(&self) -> &str {
        &self.title
    }

    /// What the store calls it.
    pub(super) fn key(&self) -> &str {
        &self.key
    }

    /// The address of its page.
    pub(super) fn page(&self) -> String {
        format!("/matchbox/{}", self.shown)
    }

    /// Whether the visitor may do everything with it.
    pub(super) fn is_mine(&self) -> bool {
        self.access == Access::Owner
    }

    /// Whether others may teach it.
    pub(super) fn is_shared(&self) -> bool {
        self.shared
    }

    /// Whether the visitor may teach it.
    pub(super) fn is_taught(&self) -> bool {
        self.access != Access::Reader
    }

    /// Only its owner goes on.
    pub(super) fn mine(self) -> Result<Name, Fault> {
        if self.is_mine() {
            Ok(self)
        } else {
            Err(not_yours())
        }
    }

    /// Only who may teach it goes on.
    pub(super) fn taught(self) -> Result<Name, Fault> {
        if self.is_taught() {
            Ok(self)
        } else {
            Err(not_yours())
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.title)
    }
}

/// A machine and the hash of the bytes it was read from: whoever puts it back says what it was.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) machine: Machine,
    pub(super) hash: String,
}

/// A file that is no machine, as a refusal.
pub(super) fn not_a_machine(bad: &BadMachine) -> Fault {
    Fault::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        bad.code,
        WORDS.say("matchbox-bad-file").with("what", told(bad)),
        WORDS.say("matchbox-bad-file-hint"),
    )
}

/// A board with too many positions, as a refusal.
pub(super) fn too_large(large: &TooLarge) -> Fault {
    Fault::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        "too-large",
        WORDS.say("matchbox-large").with("what", told(large)),
        WORDS.say("matchbox-large-hint"),
    )
}

/// The machine of a name.
pub(super) fn load(store: &Store, name: &Name) -> Result<Kept, Fault> {
    let blob = store.blob(ITEM, name.key())?.ok_or_else(Name::unknown)?;
    let text = String::from_utf8_lossy(&blob.bytes);
    let machine = Machine::read(&text).map_err(|bad| not_a_machine(&bad))?;
    Ok(Kept {
        machine,
        hash: blob.hash,
    })
}

/// The hash of what has a name now, without reading it as a machine.
pub(super) fn hash(store: &Store, name: &Name) -> Result<String, Fault> {
    let blob = store.blob(ITEM, name.key())?.ok_or_else(Name::unknown)?;
    Ok(blob.hash)
}

/// Puts a machine in place of what had the hash `was`. Gives its hash, or nothing if somebody else
/// was quicker.
pub(super) fn put(
    store: &Store,
    name: &Name,
    machine: &Machine,
    was: &str,
) -> Result<Option<String>, Fault> {
    let bytes = machine.to_text().into_bytes();
    let hash = Shelf::hash(&bytes);
    let blob = Blob {
        kind: ITEM.to_owned(),
        name: name.key().to_owned(),
        bytes,
        hash: hash.clone(),
        at: now(),
    };
    Ok(store.swap_blob(&blob, Some(was))?.then_some(hash))
}

/// Keeps a new machine of a visitor, under a title that none of theirs has yet.
pub(super) fn put_new(
    app: &App,
    visitor: Visitor,
    title: &str,
    machine: &Machine,
) -> Result<(Name, Vec<String>), Fault> {
    let put = Put {
        kind: ITEM,
        name: None,
        title,
        bytes: machine.to_text().into_bytes(),
        over: Over::Nothing,
    };
    let kept = app.keep(visitor, put)?;
    let name = Name {
        shown: title.to_owned(),
        key: kept.name,
        title: title.to_owned(),
        access: Access::Owner,
        shared: false,
    };
    Ok((name, kept.gone))
}

/// Throws a visitor's machine away, with what was done to it by hand.
pub(super) fn delete(app: &App, visitor: Visitor, name: &Name) -> Result<(), Fault> {
    // Only what can be read as a machine is this room's to throw away.
    load(&app.store, name)?;
    if !app.store.discard(name.key(), &visitor.text())? {
        return Err(not_yours());
    }
    Ok(())
}

/// Lets others teach a visitor's machine, or no longer.
pub(super) fn share(app: &App, visitor: Visitor, name: &Name, shared: bool) -> Result<(), Fault> {
    let done = app
        .store
        .share_item(ITEM, name.key(), &visitor.text(), shared)?;
    if done { Ok(()) } else { Err(not_yours()) }
}

/// What a list needs to know of a machine; reading that is much cheaper than building its boxes.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Head {
    #[serde(rename = "matchbox")]
    _version: u32,
    pub(super) name: String,
    pub(super) game: String,
    pub(super) seat: Seat,
    pub(super) scheme: String,
    pub(super) taught: wits_matchbox::Taught,
    boxes: Vec<serde::de::IgnoredAny>,
}

impl Head {
    pub(super) fn boxes(&self) -> usize {
        self.boxes.len()
    }
}

/// The machines of a visitor and those of the house, by the address of their page.
pub(super) fn all(app: &App, visitor: Visitor) -> Result<Vec<(String, Head)>, Fault> {
    let own = app.store.items(&visitor.text())?;
    let own = own.into_iter().filter(|item| item.kind == ITEM);
    let mut names: Vec<(String, String)> = own.map(|item| (item.title, item.name)).collect();
    names.sort();
    let house = app.store.house_blobs(ITEM)?.into_iter();
    names.extend(house.map(|info| (info.name.clone(), info.name)));
    let mut out = Vec::new();
    for (shown, key) in names {
        let blob = app.store.blob(ITEM, &key)?.filter(|_| Name::fits(&shown));
        let Some(blob) = blob else { continue };
        if let Ok(head) = serde_json::from_slice(&blob.bytes) {
            out.push((shown, head));
        }
    }
    Ok(out)
}

/// What was done by hand, and what undoes it. It speaks of the machine with one hash only: once
/// the machine has learned, taking an old change back would take the lesson back, too.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Bench {
    hash: String,
    back: Vec<Edit>,
    forth: Vec<Edit>,
}

impl Bench {
    /// What can be taken back and made again on a machine as it is now.
    pub(super) fn load(store: &Store, name: &Name, hash: &str) -> Result<Bench, Fault> {
        let blob = store.blob(BENCH, name.key())?;
        let kept = blob.and_then(|b| serde_json::from_slice::<Bench>(&b.bytes).ok());
        Ok(kept.filter(|b| b.hash == hash).unwrap_or_default())
    }

    pub(super) fn can_undo(&self) -> bool {
        !self.back.is_empty()
    }

    pub(super) fn can_redo(&self) -> bool {
        !self.forth.is_empty()
    }

    /// Keeps it beside its machine, of the same owner; the oldest changes go when it grows large.
    fn save(&mut self, app: &App, visitor: Visitor, name: &Name) -> Result<(), Fault> {
        let written = |bench: &Bench| serde_json::to_vec(bench).unwrap_or_default();
        let mut bytes = written(self);
        while bytes.len() > LARGEST_BENCH && self.back.len() > 1 {
            self.back.drain(..self.back.len().div_ceil(2));
            bytes = written(self);
        }
        let put = Put {
            kind: BENCH,
            name: Some(name.key()),
            title: "",
            bytes,
            over: Over::Anything,
        };
        app.keep(visitor, put).map(drop)
    }
}

/// What a hand does.
pub(super) enum Deed {
    /// So many beads more of a colour, or fewer.
    Beads { at: usize, bead: usize, change: i32 },
    /// All boxes as they were at first.
    Reset,
    /// The last change back.
    Undo,
    /// A change that was taken back again.
    Redo,
}

/// Does something to a visitor's own machine.
pub(super) fn handle(app: &App, visitor: Visitor, name: &Name, deed: &Deed) -> Result<(), Fault> {
    let store = &app.store;
    for _ in 0..TRIES {
        let Kept { mut machine, hash } = load(store, name)?;
        let mut bench = Bench::load(store, name, &hash)?;
        let edit = match deed {
            Deed::Beads { at, bead, change } => {
                let known = *at < machine.cabinet().len();
                let beads = if known { machine.beads(*at) } else { &[] };
                let before = beads.get(*bead).copied().unwrap_or(0);
                Some(Edit::Set {
                    at: *at,
                    bead: *bead,
                    count: before.saturating_add_signed(*change).min(MOST_BY_HAND),
                })
            }
            Deed::Reset => Some(Edit::Reset),
            Deed::Undo => bench.back.pop(),
            Deed::Redo => bench.forth.pop(),
        };
        let Some(edit) = edit else {
            let why = if matches!(deed, Deed::Undo) {
                "matchbox-no-undo"
            } else {
                "matchbox-no-redo"
            };
            return Err(refusal(
                StatusCode::CONFLICT,
                "nothing-to-undo",
                why,
                "matchbox-no-undo-hint",
            ));
        };
        let undone = machine.edit(&edit).map_err(|bad| {
            Fault::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "bad-edit",
                WORDS.say("matchbox-bad-edit").with("what", told(bad)),
                WORDS.say("matchbox-bad-edit-hint"),
            )
        })?;
        match deed {
            Deed::Undo => bench.forth.push(undone),
            Deed::Redo => bench.back.push(undone),
            Deed::Beads { .. } | Deed::Reset => {
                bench.back.push(undone);
                bench.forth.clear();
            }
        }
        let surplus = bench.back.len().saturating_sub(REMEMBERED);
        bench.back.drain(..surplus);
        if let Some(hash) = put(store, name, &machine, &hash)? {
            bench.hash = hash;
            return bench.save(app, visitor, name);
        }
    }
    Err(changed_meanwhile())
}

/// More beads of a colour nobody puts in by hand.
const MOST_BY_HAND: u32 = 1_000_000;

/// Somebody else changed the machine.
pub(super) fn changed_meanwhile() -> Fault {
    refusal(
        StatusCode::CONFLICT,
        "changed",
        "matchbox-changed",
        "matchbox-changed-hint",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use wits_matchbox::Preset;

    fn house() -> (App, Visitor) {
        let store = std::sync::Arc::new(Store::memory().unwrap());
        let (catalog, config) = (
            wits_play::Catalog::new(Vec::new()),
            crate::Config::default(),
        );
        let app = App::new(config, catalog, Shelf::new(), store);
        let visitor =
            Visitor::fresh(&app.seal, false, std::net::IpAddr::from([0, 0, 0, 0])).unwrap();
        (app, visitor)
    }

    fn her(app: &App, visitor: Visitor) -> Name {
        let machine = Preset::named("her").unwrap().machine().unwrap();
        put_new(app, visitor, "her", &machine).unwrap().0
    }

    fn beads(store: &Store, name: &Name) -> Vec<u32> {
        load(store, name).unwrap().machine.beads(0).to_vec()
    }

    #[test]
    fn names_are_what_addresses_and_specs_can_hold() {
        for (text, fits) in [
            ("her", true),
            ("her-2", true),
            ("", false),
            ("Her", false),
            ("../her", false),
            ("her.json", false),
            ("<b>", false),
            ("a,learn=false", false),
        ] {
            assert_eq!(Name::fits(text), fits, "{text}");
        }
        assert!(!Name::fits(&"a".repeat(Name::LONGEST + 1)));
    }

    #[test]
    fn what_a_hand_does_can_be_taken_back_until_the_machine_learns() {
        let (app, me) = house();
        let store = &app.store;
        let name = her(&app, me);
        let start = beads(store, &name);
        let take = Deed::Beads {
            at: 0,
            bead: 1,
            change: -1,
        };
        handle(&app, me, &name, &take).unwrap();
        assert_eq!(beads(store, &name)[1], start[1] - 1);
        handle(&app, me, &name, &Deed::Undo).unwrap();
        assert_eq!(beads(store, &name), start);
        handle(&app, me, &name, &Deed::Redo).unwrap();
        assert_eq!(beads(store, &name)[1], start[1] - 1);
        // None can be taken from none.
        handle(&app, me, &name, &take).unwrap();
        assert_eq!(beads(store, &name)[1], 0);
        let Kept { machine, hash } = load(store, &name).unwrap();
        let other = machine.called("taught");
        assert!(put(store, &name, &other, &hash).unwrap().is_some());
        assert_eq!(
            handle(&app, me, &name, &Deed::Undo).unwrap_err().code,
            "nothing-to-undo"
        );
    }

    #[test]
    fn a_box_that_is_not_there_is_refused_and_a_name_is_given_once() {
        let (app, me) = house();
        let store = &app.store;
        let name = her(&app, me);
        let before = hash(store, &name).unwrap();
        for (at, bead) in [(24, 0), (0, 9), (usize::MAX, 0)] {
            let deed = Deed::Beads {
                at,
                bead,
                change: 1,
            };
            assert_eq!(handle(&app, me, &name, &deed).unwrap_err().code, "bad-edit");
        }
        let machine = Preset::named("him").unwrap().machine().unwrap();
        assert_eq!(
            put_new(&app, me, "her", &machine).unwrap_err().code,
            "name-taken"
        );
        assert_eq!(hash(store, &name).unwrap(), before);
        let other = Visitor::fresh(&app.seal, false, std::net::IpAddr::from([0, 0, 0, 0])).unwrap();
        assert_eq!(delete(&app, other, &name).unwrap_err().code, "not-yours");
        delete(&app, me, &name).unwrap();
        assert_eq!(load(store, &name).unwrap_err().code, "no-machine");
    }
}
