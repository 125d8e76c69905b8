//! What the header sums up: the numbers in it must be among what the steps and the last line say.
//!
//! Sentences differ from machine to machine and from language to language, so only their numbers are held, and in a tree the move.
//! In a tree, among beads, in a proof and in a list the steps tell every number. Where they show only a part of what was looked
//! at, two numbers of the first sentence, which says how much that was, are taken on trust, and one beside each legal move that
//! the thread has no value for.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde_json::{Map, Value};
use wits_game::Message;
use wits_search::{Kind, Line, Thread};

use super::claim::number;
use super::sentence::{Shown, masked, names, numbers};
use super::{Checker, name, text};
use crate::WORDS;

/// So many numbers of the first sentence may say how much was looked at where the steps show only a part of that.
const LOOKED_AT: usize = 2;

/// Keys of data that draw or join steps and tell nothing.
const DRAWN: [&str; 10] = [
    "id", "parent", "node", "from", "x", "y", "frame", "network", "goal", "plies",
];

/// What a thread tells that its summary may repeat.
#[derive(Default)]
pub(super) struct Told {
    /// Moves and answers. Digits in them are no numbers.
    names: BTreeSet<String>,
    /// Numbers with a sign: what something is worth.
    values: Vec<f64>,
    /// Other numbers.
    counts: Vec<f64>,
    /// Moves that it has no value for. One number beside each is taken on trust.
    unshown: Vec<String>,
    /// Something was looked at that the steps do not show.
    skipped: bool,
}

impl Told {
    pub(super) fn name(&mut self, name: &str) {
        // A move that is a number cannot be told from one.
        match name.parse() {
            Ok(number) => self.counts.push(number),
            Err(_) if !name.is_empty() => drop(self.names.insert(name.to_owned())),
            Err(_) => {}
        }
    }

    /// The numbers that a move consists of: a number and its colour.
    fn parts(&mut self, mv: &str) {
        let parts = mv.split('=').filter_map(|part| part.parse::<f64>().ok());
        self.counts.extend(parts);
    }

    pub(super) fn count(&mut self, count: f64) {
        self.counts.push(count);
    }

    pub(super) fn unshown(&mut self, mv: &str) {
        self.unshown.push(mv.to_owned());
    }

    pub(super) fn skipped(&mut self) {
        self.skipped = true;
    }

    /// What a text says in numbers.
    pub(super) fn text(&mut self, text: &str) {
        for shown in numbers(&masked(text, &self.names)) {
            let all = if shown.signed {
                &mut self.values
            } else {
                &mut self.counts
            };
            all.extend(shown.readings());
        }
    }

    /// A step that the summary may repeat.
    pub(super) fn step(&mut self, line: &Line) {
        self.text(&line.text);
        self.data(&line.data);
    }

    fn data(&mut self, data: &Map<String, Value>) {
        self.values.extend(number(data.get("value")));
        for (key, value) in data {
            match value {
                _ if DRAWN.contains(&key.as_str()) => {}
                Value::Number(number) => self.counts.extend(number.as_f64()),
                Value::Array(all) => self.counts.extend(all.iter().filter_map(Value::as_f64)),
                Value::Object(inside) => self.data(inside),
                _ => {}
            }
        }
    }

    /// What the first and the last line say themselves.
    pub(super) fn ends(&mut self, thread: &Thread) {
        let (header, footer) = (&thread.header, &thread.footer);
        self.name(&footer.result);
        for line in &thread.steps {
            if line.kind == Kind::Choose {
                self.name(&text(&line.data, "answer").unwrap_or_default());
            }
        }
        self.counts
            .extend(footer.counts.values().map(|&n| n as f64));
        for said in [&header.title, &header.subject, &footer.result] {
            self.text(said);
        }
        let settings = header.by.split(['=', ',', ':']);
        self.counts
            .extend(settings.filter_map(|s| s.parse::<f64>().ok()));
    }

    fn tells(&self, shown: &Shown) -> bool {
        let is = |value: &f64| shown.is(*value) || shown.is(100.0 * value);
        if shown.signed {
            return self.values.iter().any(|value| shown.states(*value));
        }
        self.counts.iter().any(|value| is(value) || is(&-value))
    }

    /// Whether the thread tells what its summary says.
    pub(super) fn hold(&self, thread: &Thread) -> Result<(), Message> {
        let header = &thread.header;
        let any = |kind: Kind| thread.steps.iter().any(|step| step.kind == kind);
        let whole = match header.lens.as_str() {
            "candidates" => !self.skipped || (any(Kind::Draw) && !any(Kind::Note)),
            "map" | "grid" => false,
            _ => true,
        };
        let wrong = |what: &str| Err(WORDS.say("check-summary").with("what", what));
        let mut chosen = thread.steps.iter().filter(|step| step.kind == Kind::Choose);
        let names_it = match header.lens.as_str() {
            "tree" => !chosen.any(|step| step.data.contains_key("by")),
            "beads" => any(Kind::Draw),
            "candidates" => whole && any(Kind::Draw),
            _ => false,
        };
        if names_it && !names(&header.summary, &thread.footer.result) {
            return wrong(&thread.footer.result);
        }
        // The ends of an interval rest on more than the shares that a table shows.
        let summary = if header.lens == "grid" {
            without_brackets(&header.summary)
        } else {
            header.summary.clone()
        };
        let mut looked_at = if whole { 0 } else { LOOKED_AT };
        for (at, sentence) in summary.split(". ").enumerate() {
            let beside = self.unshown.iter().filter(|mv| names(sentence, mv));
            let mut beside = beside.count();
            for shown in numbers(&masked(sentence, &self.names)) {
                if self.tells(&shown) {
                    continue;
                }
                let first = at == 0 && !shown.signed;
                let spare = if first { &mut looked_at } else { &mut beside };
                if *spare == 0 {
                    return wrong(&shown.written);
                }
                *spare -= 1;
            }
        }
        Ok(())
    }
}

impl Checker<'_> {
    /// Whether the summary says what the steps say of the root, of the choice, and of the other moves that it names.
    pub(super) fn summed_up(&self, thread: &Thread) -> Result<(), Message> {
        let summary = &thread.header.summary;
        let (Some(table), false) = (&self.table, summary.is_empty()) else {
            return Ok(());
        };
        let named = |mv: &str| {
            let part = mv
                .split('=')
                .next()
                .filter(|part| !self.tree && *part != mv);
            mv == thread.footer.result
                || names(summary, mv)
                || part.is_some_and(|part| names(summary, part))
        };
        let mut told = Told::default();
        told.ends(thread);
        let mut looks: HashSet<String> = HashSet::new();
        let mut moves: HashMap<String, String> = HashMap::new();
        let mut valued: HashMap<String, Option<f64>> = HashMap::new();
        let mut skipped = 0;
        for line in &thread.steps {
            let data = &line.data;
            let (id, parent) = (name(data, "id"), name(data, "parent"));
            let root = id.as_ref().is_some_and(|id| looks.contains(id));
            let mv = id.as_ref().and_then(|id| moves.get(id));
            match line.kind {
                Kind::Open if parent.is_none_or(|parent| looks.contains(&parent)) => {
                    let mv = text(data, "move");
                    if mv.as_deref().is_none_or(named) {
                        told.step(line);
                    }
                    match (id, mv) {
                        (Some(id), Some(mv)) => drop(moves.insert(id, mv)),
                        (Some(id), None) => drop(looks.insert(id)),
                        _ => {}
                    }
                }
                Kind::Close if root => told.step(line),
                Kind::Close => {
                    let Some(mv) = mv else { continue };
                    valued.insert(mv.clone(), number(data.get("value")));
                    if named(mv) {
                        told.parts(mv);
                        told.step(line);
                    }
                }
                Kind::Cut if root => {
                    skipped = skipped.max(data.get("rest").and_then(Value::as_u64).unwrap_or(0));
                    told.step(line);
                }
                Kind::Cut if mv.is_some_and(|mv| named(mv)) => told.step(line),
                // What trials came to on the way is not what they came to.
                Kind::Cell if text(data, "row").as_deref().is_some_and(named) => told.step(line),
                Kind::Count => {
                    told.step(line);
                    // How the moves stood after a round: each with its value, and what that is.
                    let rows = data.get("moves").and_then(Value::as_array);
                    for row in rows.into_iter().flatten().filter_map(Value::as_object) {
                        let claimed = row.contains_key("is");
                        if claimed && text(row, "move").as_deref().is_some_and(named) {
                            told.data(row);
                        }
                    }
                }
                Kind::Note | Kind::Draw | Kind::Choose => told.step(line),
                // A line that was the best for a time is no more than that.
                Kind::Improve if !self.tree => told.step(line),
                _ => {}
            }
        }
        let options = table.options();
        let shown = valued.len();
        let best = valued
            .values()
            .flatten()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max);
        let equals = valued
            .values()
            .filter(|value| **value == Some(best))
            .count();
        for count in [options.len(), shown, equals, looks.len()] {
            told.count(count as f64);
            told.count(count.saturating_sub(1) as f64);
        }
        told.count(options.len().saturating_sub(equals) as f64);
        told.count(skipped as f64);
        if skipped > 0 || thread.footer.dropped > 0 {
            told.skipped();
        }
        for count in self.trials.given_up() {
            told.count(count as f64);
        }
        for mv in options.iter().filter(|mv| named(mv)) {
            told.name(mv);
            if valued.get(mv).is_none_or(Option::is_none) {
                told.unshown(mv);
            }
        }
        told.hold(thread)
    }
}

/// A text without what stands in brackets.
fn without_brackets(text: &str) -> String {
    let mut depth = 0_usize;
    let outside = |c: &char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => return depth == 0,
        }
        false
    };
    text.chars().filter(outside).collect()
}
