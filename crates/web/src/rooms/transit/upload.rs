//! A timetable that somebody brings: read, checked and packed in a sandbox.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wits_desk::Work;
use wits_sandbox::{Caps, Items};
use wits_transit::{Planner, Walking, pack};

use super::asked::Wrong;
use super::timetables::refused;
use crate::sandbox::Task;
use crate::{Fault, WORDS};

/// The item that a timetable travels in, both ways.
pub(super) const FEED: &str = "feed";

/// A file to be made into a timetable that can be trusted; what comes of it is the title.
#[derive(Serialize, Deserialize)]
pub(super) struct Validate;

impl Task for Validate {
    const ROOM: &'static str = "transit";
    const VERB: &'static str = "pack";
    const CAPS: Caps = Caps::new(400, Duration::from_secs(20));
    type Output = String;

    fn run(self, items: &mut Items, _: &mut Work<'_>) -> Result<String, Fault> {
        let bytes = items.remove(FEED).unwrap_or_default();
        let wrong = |wrong: Wrong| refused(&wrong);
        if !bytes.starts_with(&pack::MAGIC[..6]) {
            return Err(wrong(Wrong::of(&WORDS.say("transit-not-packed"))));
        }
        let table = pack::read(&bytes).map_err(|e| wrong(Wrong::of(&e)))?;
        let title = table.title.clone();
        // A timetable that cannot be planned with is refused before anything is replaced.
        Planner::new(Arc::new(table), Walking::Real, None).map_err(|e| wrong(Wrong::of(&e)))?;
        items.insert(FEED.to_owned(), bytes);
        Ok(title)
    }
}
