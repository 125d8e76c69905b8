//! A machine: boxes with beads in them.

use std::cmp::Ordering;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use wits_game::Dice;
use wits_search::{Kind, Step, Watch};

use crate::WORDS;
use crate::cabinet::{Cabinet, Label};
use crate::teaching::{Teaching, Verdict};

/// A bead that was drawn and lies before its box until the end of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Drawn {
    /// The number of the box.
    #[serde(rename = "box")]
    pub at: usize,
    /// Which of its moves.
    pub bead: usize,
}

/// How many games a machine was taught by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Taught {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

/// A machine made of boxes and beads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Machine {
    pub(crate) name: String,
    pub(crate) cabinet: Arc<Cabinet>,
    pub(crate) teaching: Teaching,
    pub(crate) beads: Vec<u32>,
    pub(crate) taught: Taught,
}

/// Beads of each colour in a new box. Own moves are every second move of the game, so 1 and 2 are both the first.
fn filled(teaching: &Teaching, label: &Label) -> u32 {
    teaching.beads((label.number as usize - 1) / 2)
}

impl Machine {
    /// A machine that was never taught.
    pub fn fresh(name: impl Into<String>, cabinet: Arc<Cabinet>, teaching: Teaching) -> Machine {
        let mut beads = Vec::with_capacity(cabinet.slots());
        for label in cabinet.labels() {
            beads.extend(label.moves.iter().map(|_| filled(&teaching, label)));
        }
        Machine {
            name: name.into(),
            cabinet,
            teaching,
            beads,
            taught: Taught::default(),
        }
    }

    /// How many beads of each colour a box had when the machine was new.
    pub(crate) fn start_beads(&self, label: &Label) -> u32 {
        filled(&self.teaching, label)
    }

    /// The same machine under another name.
    pub fn called(&self, name: impl Into<String>) -> Machine {
        Machine {
            name: name.into(),
            ..self.clone()
        }
    }

    /// What people call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its boxes.
    pub fn cabinet(&self) -> &Arc<Cabinet> {
        &self.cabinet
    }

    /// How it is taught.
    pub fn teaching(&self) -> &Teaching {
        &self.teaching
    }

    /// How many games it was taught by.
    pub fn taught(&self) -> Taught {
        self.taught
    }

    /// The beads of all boxes, box by box.
    pub fn all_beads(&self) -> &[u32] {
        &self.beads
    }

    /// The beads of a box, by move.
    pub fn beads(&self, at: usize) -> &[u32] {
        let label = &self.cabinet.labels()[at];
        &self.beads[label.first..label.first + label.moves.len()]
    }

    /// All beads together.
    pub fn total(&self) -> u64 {
        self.beads.iter().map(|&n| u64::from(n)).sum()
    }

    /// How many boxes hold no bead: where the machine resigns.
    pub fn empty_boxes(&self) -> usize {
        (0..self.cabinet.len())
            .filter(|&at| self.beads(at).iter().all(|&n| n == 0))
            .count()
    }

    /// How many beads there are that give a position away which is not lost.
    pub fn bad_beads(&self) -> u64 {
        let bad = |(at, label): (usize, &Label)| {
            let beads = self.beads(at).iter().enumerate();
            beads
                .filter(|(k, _)| label.gives_away(*k))
                .map(|(_, &n)| u64::from(n))
                .sum::<u64>()
        };
        self.cabinet.labels().iter().enumerate().map(bad).sum()
    }

    /// Shakes a box and draws a bead; nothing if it is empty.
    pub fn draw(&self, at: usize, dice: &mut Dice) -> Option<Drawn> {
        let beads = self.beads(at);
        let total: u64 = beads.iter().map(|&n| u64::from(n)).sum();
        if total == 0 {
            return None;
        }
        let mut ticket = dice.below(total as usize) as u64;
        let bead = beads.iter().position(|&n| {
            let hit = ticket < u64::from(n);
            ticket = ticket.saturating_sub(u64::from(n));
            hit
        })?;
        Some(Drawn { at, bead })
    }

    /// Teaches the machine by a finished game, and tells every bead that is added or taken out.
    pub fn teach(&mut self, drawn: &[Drawn], verdict: Verdict, watch: &mut impl Watch) {
        match verdict {
            Verdict::Win => self.taught.wins += 1,
            Verdict::Draw => self.taught.draws += 1,
            Verdict::Loss => self.taught.losses += 1,
        }
        for (i, one) in drawn.iter().enumerate() {
            let label = &self.cabinet.labels()[one.at];
            let slot = label.first + one.bead;
            let before = self.beads[slot];
            let change = self.teaching.change(verdict, i + 1 == drawn.len());
            let after = self.teaching.changed(before, change);
            self.beads[slot] = after;
            watch.step(|| self.told(*one, verdict, before, after));
        }
    }

    /// The step of a thread that tells what teaching did to one bead.
    fn told(&self, one: Drawn, verdict: Verdict, before: u32, after: u32) -> Step {
        let label = &self.cabinet.labels()[one.at];
        let (key, count) = match after.cmp(&before) {
            Ordering::Greater => ("teach-add", after - before),
            Ordering::Less => ("teach-take", before - after),
            Ordering::Equal => ("teach-back", 1),
        };
        let empty = self.beads(one.at).iter().all(|&n| n == 0);
        let key = if empty { "teach-empty" } else { key };
        let says = WORDS
            .say(key)
            .with("count", count)
            .with("move", &label.moves[one.bead])
            .with("box", one.at + 1)
            .with("left", after);
        Step::new(Kind::Teach, says)
            .data("box", one.at)
            .data("position", label.position.as_str())
            .data("bead", label.moves[one.bead].as_str())
            .data("change", i64::from(after) - i64::from(before))
            .data("left", after)
            .data("verdict", serde_json::to_value(verdict).unwrap_or_default())
    }
}
