//! Tours: what is called the best order so far costs no more than any before it.

use wits_game::Message;
use wits_search::{Kind, Line};

use super::super::claim::{Known, number};
use super::super::{name, sentence, text};
use super::Laws;
use super::places::Places;
use crate::WORDS;

/// Minutes are compared up to this.
const NEAR: f64 = 1e-6;

/// A search for the order of a tour.
pub(super) struct Tour {
    /// Nothing was left out of the thread.
    whole: bool,
    /// The least cost of an order so far.
    least: f64,
    /// What the order before cost, and the order itself.
    before: Option<(f64, String)>,
    /// Where the stretch before ended, what that place is called, and when.
    last: Option<(String, String, f64)>,
    places: Places,
    /// What is said before the first stretch.
    opening: String,
}

impl Tour {
    pub(super) fn new(whole: bool) -> Tour {
        Tour {
            whole,
            least: f64::INFINITY,
            before: None,
            last: None,
            places: Places::default(),
            opening: String::new(),
        }
    }

    /// A stretch of the tour begins where and no earlier than the one before it ended.
    fn stretch(&mut self, line: &Line) -> Result<Known, Message> {
        let (Some(to), Some(time)) = (name(&line.data, "node"), number(line.data.get("cost")))
        else {
            return Ok(Known::Trusted);
        };
        if !sentence::holds_time(&line.text, time) {
            return Err(sentence::wrong(line));
        }
        self.places.meet(line)?;
        let from = name(&line.data, "from");
        let called = text(&line.data, "label").unwrap_or_default();
        let last = self.last.replace((to, called, time));
        let Some((at, called, before)) = last else {
            return Ok(Known::Trusted);
        };
        // A place may have several posts under one name: who arrives at one may leave from another.
        if time < before || !line.text.contains(&called) {
            return Err(WORDS.say("desk-stretch").with("step", line.text.as_str()));
        }
        Ok(if from == Some(at) {
            Known::Checked
        } else {
            Known::Trusted
        })
    }

    /// An order is the one before it with two stops swapped, and goes on from what that one cost.
    fn turn(&mut self, line: &Line, cost: Option<f64>) -> Result<(), Message> {
        let order = text(&line.data, "node").unwrap_or_default();
        let from = number(line.data.get("from"));
        let before = self.before.take();
        self.before = cost.map(|cost| (cost, order.clone()));
        let Some((value, earlier)) = before.filter(|_| self.whole) else {
            return Ok(());
        };
        let (old, new): (Vec<&str>, Vec<&str>) = (stops(&earlier), stops(&order));
        let moved: Vec<(&str, &str)> = old
            .iter()
            .copied()
            .zip(new.iter().copied())
            .filter(|(old, new)| old != new)
            .collect();
        let swapped = match moved[..] {
            [] => true,
            [(a, b), (c, d)] => a == d && b == c && line.text.contains(a) && line.text.contains(b),
            _ => false,
        };
        let goes_on = from.is_none_or(|from| (from - value).abs() < NEAR);
        if swapped && goes_on && old.len() == new.len() {
            Ok(())
        } else {
            Err(WORDS.say("desk-swap").with("step", line.text.as_str()))
        }
    }

    /// What a tour without other orders costs: where that is told in minutes, it is the time since its start.
    fn lasts(&self, line: &Line, value: f64) -> Result<Known, Message> {
        let Some((.., end)) = &self.last else {
            return Ok(Known::Trusted);
        };
        if !sentence::holds(&line.text, value) {
            return Err(sentence::wrong(line));
        }
        let start = end - 60.0 * value;
        if sentence::holds_time(&self.opening, start) {
            Ok(Known::Checked)
        } else if self.opening.contains(':') && line.text.contains(" min") {
            Err(WORDS.say("desk-start").with("step", line.text.as_str()))
        } else {
            Ok(Known::Trusted)
        }
    }
}

/// The stops of an order.
fn stops(order: &str) -> Vec<&str> {
    order.split(" → ").collect()
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
                self.turn(line, get("cost"))?;
                self.least = get("cost").map_or(self.least, |cost| self.least.min(cost));
                best
            }
            Kind::Improve | Kind::Choose => match get("value") {
                Some(value) if self.least.is_finite() => value,
                Some(value) => return self.lasts(line, value),
                None => return Ok(Known::Trusted),
            },
            Kind::Note if self.opening.is_empty() => {
                line.text.clone_into(&mut self.opening);
                return Ok(Known::Trusted);
            }
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
