//! Candidates that are tried against each other: what is said of one once more is what was said of it last.

use std::collections::HashMap;

use serde_json::Value;
use wits_game::Message;
use wits_search::{Kind, Line};

use super::claim::{Known, number};
use super::sentence::{Shown, numbers};
use super::{name, text};
use crate::WORDS;

/// Averages are compared up to this.
const NEAR: f64 = 1e-6;

/// Wins in per cent are compared up to this: luck in the draws is set off against wins and points each by itself.
const SET_OFF: f64 = 3.0;

/// How one candidate stands.
#[derive(Clone, Copy)]
struct Stand {
    value: f64,
    count: f64,
    /// It was given up. What the others came to later still moves what it is compared at.
    dropped: bool,
}

impl Stand {
    fn same(&self, other: &Stand) -> bool {
        (self.value - other.value).abs() < NEAR && (self.count - other.count).abs() < NEAR
    }
}

/// All that was told of candidates so far.
#[derive(Default)]
pub(super) struct Trials {
    stands: HashMap<String, Stand>,
    /// The names of the candidates by their moves.
    moves: HashMap<String, String>,
    /// Some had more games in the end than the thread told of them on the way, so that the others may have moved, too.
    went_on: bool,
    /// Ends that differ from what was told before.
    differ: Vec<(u64, Message)>,
}

impl Trials {
    /// A candidate begins.
    pub(super) fn open(&mut self, line: &Line) {
        if let (Some(mv), Some(id)) = (text(&line.data, "move"), name(&line.data, "id")) {
            self.moves.insert(mv, id);
        }
    }

    /// Whether this step tells what trials came to.
    pub(super) fn about(line: &Line) -> bool {
        let has = |key: &str| line.data.contains_key(key);
        has("interval") && has("points") && has("id")
    }

    /// What trials came to: an average in the middle of its interval, as the sentence tells it; more of them each time, and the
    /// same when it is told again.
    pub(super) fn step(&mut self, line: &Line) -> Result<Known, Message> {
        let get = |key: &str| number(line.data.get(key));
        let wrong = |key: &'static str| Err(WORDS.say(key).with("step", line.text.as_str()));
        let count = get("count").or_else(|| get("visits"));
        let (Some(value), Some(points), Some(count)) = (get("value"), get("points"), count) else {
            return Ok(Known::Trusted);
        };
        let interval = line.data.get("interval").and_then(Value::as_array);
        let ends =
            interval.and_then(|ends| Some((ends.first()?.as_f64()?, ends.get(1)?.as_f64()?)));
        if ends.is_none_or(|(low, high)| low > high || (low + high - 2.0 * value).abs() > NEAR) {
            return wrong("check-interval");
        }
        let id = name(&line.data, "id").unwrap_or_default();
        let last = self.stands.get(&id).copied();
        if !tells(&line.text, value, points, count) {
            return wrong("check-words");
        }
        let dropped = line.kind == Kind::Cut || last.is_some_and(|last| last.dropped);
        let now = Stand {
            value,
            count,
            dropped,
        };
        self.stands.insert(id, now);
        match (line.kind, last) {
            (_, Some(last)) if count < last.count => wrong("check-again"),
            // What more games came to nobody else can say.
            (Kind::Cell, _) | (_, None) => Ok(Known::Trusted),
            (_, Some(last)) if count > last.count => {
                self.went_on = true;
                Ok(Known::Trusted)
            }
            (_, Some(last)) if last.same(&now) => Ok(Known::Checked),
            (_, Some(last)) if last.dropped => Ok(Known::Trusted),
            _ => {
                let why = WORDS.say("check-again").with("step", line.text.as_str());
                self.differ.push((line.at, why));
                Ok(Known::Trusted)
            }
        }
    }

    /// The ends that differ from what was told before, though nothing came after that.
    pub(super) fn wrong(&mut self) -> Vec<(u64, Message)> {
        if self.went_on {
            Vec::new()
        } else {
            std::mem::take(&mut self.differ)
        }
    }

    /// How many candidates were given up: those that the thread told of, and perhaps some at the very end.
    pub(super) fn given_up(&self) -> std::ops::RangeInclusive<usize> {
        let dropped = self.stands.values().filter(|stand| stand.dropped).count();
        let most = if self.went_on {
            self.stands.len()
        } else {
            dropped
        };
        dropped..=most
    }

    /// All candidates at once.
    pub(super) fn all(&self, line: &Line) -> Result<Known, Message> {
        let moves = line.data.get("moves").and_then(Value::as_array);
        let Some(moves) = moves.filter(|_| !self.stands.is_empty()) else {
            return Ok(Known::Trusted);
        };
        for one in moves {
            let get = |key: &str| number(one.get(key));
            let id = one.get("move").and_then(Value::as_str);
            let stand = id.and_then(|mv| self.stands.get(self.moves.get(mv)?));
            let Some(stand) = stand else {
                return Err(WORDS.say("check-again").with("step", line.text.as_str()));
            };
            let told = Stand {
                value: get("value").unwrap_or(stand.value),
                count: get("visits").unwrap_or(stand.count),
                ..*stand
            };
            if !stand.dropped && !stand.same(&told) {
                return Err(WORDS.say("check-again").with("step", line.text.as_str()));
            }
        }
        Ok(Known::Checked)
    }

    /// How many games there were in all.
    pub(super) fn games(&self) -> Option<f64> {
        let all = self.stands.values().map(|stand| stand.count).sum();
        (!self.stands.is_empty()).then_some(all)
    }
}

/// Whether a sentence tells the points and the number of trials, and how often it wins: an average counts wins in per cent, and
/// points a hundredth each; without wins, points alone.
fn tells(sentence: &str, value: f64, points: f64, count: f64) -> bool {
    let all = numbers(sentence);
    let any = |signed: bool, is: &dyn Fn(&Shown) -> bool| {
        all.iter().any(|shown| shown.signed == signed && is(shown))
    };
    let wins = value - points / 100.0;
    let near = |shown: &Shown| shown.readings().any(|told| (told - wins).abs() < SET_OFF);
    let won = (value - points).abs() < NEAR || any(false, &near);
    // What is shown as zero has no sign.
    let scored = any(true, &|shown| shown.is(points))
        || (points.abs() < 0.05 && any(false, &|shown| shown.is(points)));
    won && scored && any(false, &|shown| shown.is(count))
}
