//! Tours: what is called the best order so far costs no more than any before it.

use wits_game::Message;
use wits_search::{Kind, Line};

use super::super::claim::{Known, number};
use super::Laws;
use crate::WORDS;

/// Minutes are compared up to this.
const NEAR: f64 = 1e-6;

/// A search for the order of a tour.
pub(super) struct Tour {
    /// The least cost of an order so far.
    least: f64,
}

impl Default for Tour {
    fn default() -> Tour {
        Tour {
            least: f64::INFINITY,
        }
    }
}

impl Laws for Tour {
    fn step(&mut self, line: &Line) -> Result<Known, Message> {
        let get = |key: &str| number(line.data.get(key));
        let best = match line.kind {
            Kind::Visit => {
                let Some(best) = get("best") else {
                    // A stretch of the tour: when it arrives is in the timetable.
                    return Ok(Known::Trusted);
                };
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
