//! The lines that parent and child exchange. The bytes of items follow the line that announces them,
//! in the order of their names.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wits_desk::{Answer, Progress, Refusal};

use crate::{Caps, Items};

/// The longest line, and the most bytes of one item, that either side reads.
const MOST: u64 = 1 << 30;

/// A job as it travels.
#[derive(Serialize, Deserialize)]
pub(crate) struct JobLine {
    pub(crate) room: String,
    pub(crate) verb: String,
    pub(crate) args: Value,
    pub(crate) items: BTreeMap<String, u64>,
    pub(crate) lang: String,
    pub(crate) caps: Caps,
}

/// What the parent says after the job.
#[derive(Serialize, Deserialize)]
pub(crate) struct StopLine {
    pub(crate) stop: bool,
}

/// What the child says.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ChildLine {
    /// How far it is.
    Progress(Progress),
    /// What it came to.
    Answer {
        answer: Answer,
        items: BTreeMap<String, u64>,
    },
    /// Why it cannot be done.
    Error(Refusal),
}

/// The sizes of items, as a line announces them.
pub(crate) fn sizes(items: &Items) -> BTreeMap<String, u64> {
    let size = |(name, bytes): (&String, &Vec<u8>)| (name.clone(), bytes.len() as u64);
    items.iter().map(size).collect()
}

/// Writes a line and the bytes that follow it.
pub(crate) fn write(to: &mut dyn Write, line: &impl Serialize, items: &Items) -> io::Result<()> {
    let mut text = serde_json::to_vec(line)?;
    text.push(b'\n');
    to.write_all(&text)?;
    for bytes in items.values() {
        to.write_all(bytes)?;
    }
    to.flush()
}

/// The next line; nothing at the end.
pub(crate) fn read<T: DeserializeOwned>(from: &mut impl BufRead) -> io::Result<Option<T>> {
    let mut text = Vec::new();
    from.by_ref().take(MOST).read_until(b'\n', &mut text)?;
    if text.is_empty() {
        return Ok(None);
    }
    Ok(Some(serde_json::from_slice(&text)?))
}

/// The bytes that a line announced.
pub(crate) fn read_items(from: &mut impl Read, sizes: &BTreeMap<String, u64>) -> io::Result<Items> {
    let mut items = Items::new();
    for (name, &size) in sizes {
        // Not allocated before it arrives: a wrong size must not cost memory.
        let mut bytes = Vec::new();
        let read = from.by_ref().take(size.min(MOST)).read_to_end(&mut bytes)?;
        if read as u64 != size {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        items.insert(name.clone(), bytes);
    }
    Ok(items)
}
