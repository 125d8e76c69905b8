//! The gallery of the page *Threads*: one sound thread of every machine and some of every desk, small enough to embed.

use std::collections::BTreeSet;
use std::path::Path;

use wits_play::{Shelf, Spec, check};
use wits_search::Thread;

/// The rooms with a desk.
const DESKS: [&str; 4] = ["transit", "expert", "learn", "arena"];
/// Games in which boxes of beads sit down on a small board: in the other ones every end is the same for both sides, or a
/// position cannot be written.
const BOXED: [&str; 3] = ["othello", "rainbow", "thue-append"];
/// The largest file, in bytes.
const LARGEST: usize = 150_000;

#[test]
fn the_gallery_has_one_sound_thread_of_every_machine() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/gallery");
    let mut wanted = BTreeSet::new();
    let (mut all, mut wrong) = (0, Vec::new());
    for entry in wits_catalog::all().entries() {
        let cards = entry.players();
        let machines = cards.iter().map(|card| card.id).filter(|id| *id != "human");
        let boxes = BOXED.contains(&entry.id()).then_some("matchbox");
        for machine in machines.chain(boxes) {
            let name = format!("{}-{machine}.thread", entry.id());
            let Ok(text) = std::fs::read_to_string(folder.join(&name)) else {
                wrong.push(format!("{name} is missing"));
                continue;
            };
            let thread = Thread::read(&text).unwrap();
            let spec: Spec = thread.header.game.parse().unwrap();
            assert_eq!(spec.name, entry.id(), "{name}");
            let game = entry.game(&spec, &Shelf::new()).unwrap();
            let report = check::check(&*game, &thread);
            if let Some(failure) = report.failures.first() {
                wrong.push(format!("{name}, step {}: {}", failure.at, failure.why));
            }
            if report.checked < 3 {
                wrong.push(format!("{name} is taken on trust: {report:?}"));
            }
            // A machine that leaves the decision to another rule is no example of itself.
            let (rule, summary) = (machine, &thread.header.summary);
            if ["perfect", "potential", "pairing", "levels12"].contains(&rule)
                && [
                    "not solved",
                    "no proof",
                    "too far",
                    "no pairing",
                    "Played as",
                ]
                .iter()
                .any(|instead| summary.contains(instead))
            {
                wrong.push(format!("{name} is decided by another rule: {summary}"));
            }
            if thread.steps.len() < 3 || thread.header.summary.is_empty() {
                wrong.push(format!("{name} says nothing"));
            }
            if text.len() > LARGEST {
                wrong.push(format!("{name} is too large"));
            }
            all += text.len();
            wanted.insert(name);
        }
    }
    let mut desks = BTreeSet::new();
    for file in std::fs::read_dir(&folder).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if wanted.contains(&name) {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let thread = Thread::read(&text).unwrap();
        let desk = DESKS.iter().find(|desk| **desk == thread.header.room);
        let Some(desk) = desk else {
            wrong.push(format!("{name} is of no machine and no desk"));
            continue;
        };
        desks.insert(*desk);
        let report = check::check_desk(&thread);
        if let Some(failure) = report.failures.first() {
            wrong.push(format!("{name}, step {}: {}", failure.at, failure.why));
        }
        if text.contains("left_out") {
            wrong.push(format!("{name} breaks off"));
        }
        if thread.steps.len() < 8 || thread.header.summary.is_empty() || text.len() > LARGEST {
            wrong.push(format!("{name} says nothing, or too much"));
        }
        all += text.len();
    }
    let silent = DESKS.iter().filter(|desk| !desks.contains(**desk));
    wrong.extend(silent.map(|desk| format!("there is no thread of {desk}")));
    let how = "write it anew: wits thread gallery crates/web/gallery";
    assert!(
        wrong.is_empty() && all < 4_000_000,
        "{all} bytes\n{}\n{how}",
        wrong.join("\n")
    );
}
