//! Places on a map: each has one name and one spot, and the sentence of a step names it.

use std::collections::HashMap;

use wits_game::Message;
use wits_search::Line;

use super::super::claim::number;
use super::super::{name, text};
use crate::WORDS;

/// A place as it was told first.
struct Place {
    label: String,
    spot: (Option<f64>, Option<f64>),
}

/// The places of a thread so far.
#[derive(Default)]
pub(super) struct Places {
    known: HashMap<String, Place>,
}

impl Places {
    /// Whether a step calls its place what it was called before, and its sentence names it and the place where it starts.
    pub(super) fn meet(&mut self, line: &Line) -> Result<(), Message> {
        let (Some(node), Some(label)) = (name(&line.data, "node"), text(&line.data, "label"))
        else {
            return Ok(());
        };
        let from = name(&line.data, "from").and_then(|from| self.known.get(&from));
        let get = |key: &str| number(line.data.get(key));
        let spot = (get("x"), get("y"));
        let named = line.text.contains(&label)
            && from.is_none_or(|from| line.text.contains(from.label.as_str()));
        let place = self.known.entry(node).or_insert_with(|| Place {
            label: label.clone(),
            spot,
        });
        if named && place.label == label && place.spot == spot {
            Ok(())
        } else {
            Err(WORDS.say("desk-label").with("step", line.text.as_str()))
        }
    }

    /// The name of a place.
    pub(super) fn called(&self, node: &str) -> Option<&str> {
        self.known.get(node).map(|place| place.label.as_str())
    }
}
