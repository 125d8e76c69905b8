//! Machines as the store keeps them, and changes by hand that can be taken back.

use std::fmt;

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use wits_game::Seat;
use wits_matchbox::{BadMachine, Edit, Machine, TooLarge};
use wits_play::Shelf;
use wits_store::{Blob, Store};

use super::refusal;
use crate::app::now;
use crate::told::told;
use crate::{Fault, WORDS};

/// Machines lie where players look for their files.
const ITEM: &str = "item";
/// What was done to them by hand lies beside.
const BENCH: &str = "matchbox-bench";
/// So many changes by hand can be taken back.
const REMEMBERED: usize = 200;
/// How often a change is tried again when somebody else was quicker.
const TRIES: usize = 5;

/// The name of a kept machine: what an address and a player's spec can hold as it is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Name(String);

impl Name {
    /// The longest name.
    pub(super) const LONGEST: usize = 40;

    /// Whether a text is a name.
    pub(super) fn fits(text: &str) -> bool {
        let letter = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        (1..=Name::LONGEST).contains(&text.len()) && text.bytes().all(letter)
    }

    /// Reads the name of a machine that should be there.
    pub(super) fn of_address(text: &str) -> Result<Name, Fault> {
        if Name::fits(text) {
            Ok(Name(text.to_owned()))
        } else {
            Err(Name::unknown())
        }
    }

    /// Reads the name for a new machine.
    pub(super) fn of_form(text: &str) -> Result<Name, Fault> {
        if Name::fits(text) {
            return Ok(Name(text.to_owned()));
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

    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// The address of its page.
    pub(super) fn page(&self) -> String {
        format!("/matchbox/{}", self.0)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
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
    let blob = store.blob(ITEM, name.text())?.ok_or_else(Name::unknown)?;
    let text = String::from_utf8_lossy(&blob.bytes);
    let machine = Machine::read(&text).map_err(|bad| not_a_machine(&bad))?;
    Ok(Kept {
        machine,
        hash: blob.hash,
    })
}

/// The hash of what has a name now, without reading it as a machine.
pub(super) fn hash(store: &Store, name: &Name) -> Result<String, Fault> {
    let blob = store.blob(ITEM, name.text())?.ok_or_else(Name::unknown)?;
    Ok(blob.hash)
}

/// Puts a machine in place of what had the hash `was`; nothing for a new name. Gives its hash, or
/// nothing if somebody else was quicker.
pub(super) fn put(
    store: &Store,
    name: &Name,
    machine: &Machine,
    was: Option<&str>,
) -> Result<Option<String>, Fault> {
    let bytes = machine.to_text().into_bytes();
    let hash = Shelf::hash(&bytes);
    let blob = Blob {
        kind: ITEM.to_owned(),
        name: name.text().to_owned(),
        bytes,
        hash: hash.clone(),
        at: now(),
    };
    Ok(store.swap_blob(&blob, was)?.then_some(hash))
}

/// Keeps a machine under a name that nothing has yet.
pub(super) fn put_new(store: &Store, name: &Name, machine: &Machine) -> Result<(), Fault> {
    if put(store, name, machine, None)?.is_some() {
        return Ok(());
    }
    Err(Fault::new(
        StatusCode::CONFLICT,
        "name-taken",
        WORDS.say("matchbox-taken").with("name", name.text()),
        WORDS.say("matchbox-taken-hint"),
    ))
}

/// Throws a machine away.
pub(super) fn delete(store: &Store, name: &Name) -> Result<(), Fault> {
    // Only what can be read as a machine is this room's to throw away.
    load(store, name)?;
    store.delete_blob(ITEM, name.text())?;
    store.delete_blob(BENCH, name.text())?;
    Ok(())
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

/// All kept machines by name.
pub(super) fn all(store: &Store) -> Result<Vec<(Name, Head)>, Fault> {
    let mut out = Vec::new();
    for info in store.blobs(ITEM)? {
        if !Name::fits(&info.name) {
            continue;
        }
        let Some(blob) = store.blob(ITEM, &info.name)? else {
            continue;
        };
        if let Ok(head) = serde_json::from_slice(&blob.bytes) {
            out.push((Name(info.name), head));
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
        let blob = store.blob(BENCH, name.text())?;
        let kept = blob.and_then(|b| serde_json::from_slice::<Bench>(&b.bytes).ok());
        Ok(kept.filter(|b| b.hash == hash).unwrap_or_default())
    }

    pub(super) fn can_undo(&self) -> bool {
        !self.back.is_empty()
    }

    pub(super) fn can_redo(&self) -> bool {
        !self.forth.is_empty()
    }

    fn save(&self, store: &Store, name: &Name) -> Result<(), Fault> {
        let bytes = serde_json::to_vec(self).map_err(|e| Fault::unreadable(e.to_string()))?;
        Ok(store.put_blob(&Blob {
            kind: BENCH.to_owned(),
            name: name.text().to_owned(),
            hash: Shelf::hash(&bytes),
            bytes,
            at: now(),
        })?)
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

/// Does something to a kept machine.
pub(super) fn handle(store: &Store, name: &Name, deed: &Deed) -> Result<(), Fault> {
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
        if let Some(hash) = put(store, name, &machine, Some(&hash))? {
            bench.hash = hash;
            return bench.save(store, name);
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

    fn her(store: &Store) -> Name {
        let name = Name::of_form("her").unwrap();
        let machine = Preset::named("her").unwrap().machine().unwrap();
        put_new(store, &name, &machine).unwrap();
        name
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
        let store = Store::memory().unwrap();
        let name = her(&store);
        let start = beads(&store, &name);
        let take = Deed::Beads {
            at: 0,
            bead: 1,
            change: -1,
        };
        handle(&store, &name, &take).unwrap();
        assert_eq!(beads(&store, &name)[1], start[1] - 1);
        handle(&store, &name, &Deed::Undo).unwrap();
        assert_eq!(beads(&store, &name), start);
        handle(&store, &name, &Deed::Redo).unwrap();
        assert_eq!(beads(&store, &name)[1], start[1] - 1);
        // None can be taken from none.
        handle(&store, &name, &take).unwrap();
        assert_eq!(beads(&store, &name)[1], 0);
        let Kept { machine, hash } = load(&store, &name).unwrap();
        let other = machine.called("taught");
        assert!(put(&store, &name, &other, Some(&hash)).unwrap().is_some());
        assert_eq!(
            handle(&store, &name, &Deed::Undo).unwrap_err().code,
            "nothing-to-undo"
        );
    }

    #[test]
    fn a_box_that_is_not_there_is_refused_and_a_name_is_given_once() {
        let store = Store::memory().unwrap();
        let name = her(&store);
        let before = hash(&store, &name).unwrap();
        for (at, bead) in [(24, 0), (0, 9), (usize::MAX, 0)] {
            let deed = Deed::Beads {
                at,
                bead,
                change: 1,
            };
            assert_eq!(handle(&store, &name, &deed).unwrap_err().code, "bad-edit");
        }
        let machine = Preset::named("him").unwrap().machine().unwrap();
        assert_eq!(
            put_new(&store, &name, &machine).unwrap_err().code,
            "name-taken"
        );
        assert_eq!(hash(&store, &name).unwrap(), before);
        delete(&store, &name).unwrap();
        assert_eq!(load(&store, &name).unwrap_err().code, "no-machine");
    }
}
