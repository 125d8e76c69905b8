//! Tours: what is called the best order so far costs no more than any before it.

use wits_game::Message;
use wits_search::{Kind, Line};

use super::super::claim::{Known, number};
use super::super::{name, sentence, text};
use super::Laws;
use crate::WORDS;

/// Minutes are compared up to this.
const NEAR: f64 = 1e-6;

/// A search for the order of a tour.
pub(super) struct Tour {
    /// The least cost of an order so far.
    least: f64,
    /// Where the stretch before ended, what that place is called, and when.
    last: Option<(String, String, f64)>,
}

impl Default for Tour {
    fn default() -> Tour {
        Tour {
            least: f64::INFINITY,
            last: None,
        }
    }
}

impl Tour {
    /// A stretch of the tour begins where and no earlier than the one before it ended.
    fn stretch(&mut self, line: &Line) -> Result<Known, Message> {
        let (Some(to), Some(time)) = (name(&line.data, "node"), number(line.data.get("cost")))
        else {
            return Ok(Known::Trusted);
        };
        if !sentence::holds_time(&line.text, time) {
            return Err(sentence::wrong(line));
        }
        let from = name(&line.data, "from");
        let called = text(&line.data, "label").unwrap_or_default();
        let last = self.last.replace((to, called, time));
        // A place may have several posts under one name: who arrives at one may leave from another.
        if let Some((at, called, before)) = last
            && (from.is_some_and(|from| from != at && !sentence::names(&line.text, &called))
                || time < before)
        {
            return Err(WORDS.say("desk-stretch").with("step", line.text.as_str()));
        }
        Ok(Known::Checked)
    }
}

impl Laws for Tour {
    fn step(&mut self, line: &Line) -> Result<Known, Message> {
        let get = |key: &str| number(line.data.get(key));
        let best = match line.kind {
            Kind::Visit => {
                let Some(best) = get("best") else {
                    return self.stretch(line);
                };
                let told = [get("cost"), Some(best)].into_iter().flatten();
                if told
                    .into_iter()
                    .any(|cost| !sentence::holds(&line.text, cost))
                {
                    return Err(sentence::wrong(line));
                }
                self.least = get("cost").map_or(self.least, |cost| self.least.min(cost));
                best
            }
            Kind::Improve | Kind::Choose => match get("value") {
                Some(value) if self.least.is_finite() => value,
                _ => return Ok(Known::Trusted),
            },
            _ => return Ok(Known::Trusted),
        };
        if (best - self.least).abs() < NEAR {
            Ok(Known::Checked)
        } else {
            let why = WORDS.say("desk-best").with("step", line.text.as_str());
            Err(why.with("best", self.least))
        }
    }
}
