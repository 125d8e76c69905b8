//! Every way a machine can learn by losing its last bead, counted exactly.
//!
//! With one bead of each colour and Gardner's teaching, a machine is the set of beads it has lost.
//! Only a bead that leads to a lost position can be the last one drawn before a loss (from any other
//! position the machine still has a bead that holds it), so the states are the sets of those:
//! 2^19 for the 24 boxes. Each loss takes one bead out, and a machine that can no longer lose stays
//! as it is. So the sets form a chain that only moves forward, and everything about it is a sum.

mod expect;

use serde::Serialize;
use wits_game::Seat;

use crate::chart::{Chart, NO_BOX};
use crate::machine::Machine;
use crate::opponent::Advice;
use crate::survey::Stand;

pub use expect::{Expectation, Rival};

/// A machine that is too large to look at in all its states.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotExact {
    /// Too many beads that can be lost.
    #[error(
        "{beads} beads can be lost, that is 2^{beads} states; exact work ends at 2^{MOST_LOSING}: take a smaller board or another scheme"
    )]
    TooMany {
        /// How many beads can be lost.
        beads: usize,
    },
    /// A box does not begin with one bead of each colour, or teaching does more than take the last.
    #[error(
        "exact work is for machines with one bead of each colour that lose their last bead only"
    )]
    OtherTeaching,
    /// The machine begins in a lost position, so it can never be perfect.
    #[error("this side loses against best play: the machine never stops losing")]
    Hopeless,
    /// The chances have more digits than the work is prepared for.
    #[error(
        "the chances in a game of {plies} moves with {widest} choices are too fine for exact work; take a smaller board"
    )]
    TooFine {
        /// How long a game can last.
        plies: u32,
        /// The most choices at one move.
        widest: usize,
    },
}

/// The most beads that can be lost for which every state is looked at.
pub const MOST_LOSING: usize = 24;

/// What can happen to a machine, whoever it plays; in the words that scripts read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Losses {
    /// What people call the machine.
    pub machine: String,
    /// How many boxes.
    pub boxes: usize,
    /// How many beads can be lost.
    pub losing: usize,
    /// The fewest losses after which it can be perfect.
    pub min: u32,
    /// The most losses after which it can become perfect.
    pub max: u32,
    /// How many different sets of lost beads a machine can end with, for `min` losses and each number
    /// after it up to `max`.
    pub final_sets: Vec<u64>,
    /// How many sets of lost beads can come up at all.
    pub states: u64,
}

/// A machine laid out for exact work.
#[derive(Debug)]
pub struct Exact<'a> {
    chart: &'a Chart,
    machine: &'a Machine,
    seat: Seat,
    /// For each bead of the machine its place in the sets, or [`KEPT`].
    bits: Vec<u8>,
    /// For each box the beads of it that can be lost, and how many cannot.
    boxes: Vec<(u32, u32)>,
    losing: usize,
    perfect: Advice,
    /// The chance of the whole: divisible by every product of choices in a game.
    whole: u128,
}

/// Says that a bead is never lost.
const KEPT: u8 = u8::MAX;

/// The one bead, as it were, of a move without a choice.
const FORCED: &[u8] = &[KEPT];

impl<'a> Exact<'a> {
    /// Lays a machine out. The chart must hold its boxes.
    pub fn new(chart: &'a Chart, machine: &'a Machine) -> Result<Exact<'a>, NotExact> {
        let teaching = machine.teaching();
        let plain = teaching.win == 0
            && teaching.draw == 0
            && teaching.loss == -1
            && teaching.punish == crate::teaching::Punish::Last
            && machine.all_beads().iter().all(|&n| n == 1);
        if !plain {
            return Err(NotExact::OtherTeaching);
        }
        let seat = machine.cabinet().seat();
        if chart.value(0, seat) < 0 {
            return Err(NotExact::Hopeless);
        }
        let (mut bits, mut boxes, mut losing) = (Vec::new(), Vec::new(), 0usize);
        for label in machine.cabinet().labels() {
            let (mut mask, mut kept) = (0u32, 0);
            for &worth in &label.worth {
                if worth < 0 && losing < 32 {
                    mask |= 1 << losing;
                    bits.push(losing as u8);
                } else {
                    kept += 1;
                    bits.push(KEPT);
                }
                losing += usize::from(worth < 0);
            }
            boxes.push((mask, kept));
        }
        if losing > MOST_LOSING {
            return Err(NotExact::TooMany { beads: losing });
        }
        let perfect = Advice::perfect(chart);
        let whole = whole(chart)?;
        Ok(Exact {
            chart,
            machine,
            seat,
            bits,
            boxes,
            losing,
            perfect,
            whole,
        })
    }

    /// How many beads a box has left; a move without a choice has no box and is as good as one bead.
    fn left(&self, at: u32, lost: u32) -> u32 {
        if at == NO_BOX {
            return 1;
        }
        let (mask, kept) = self.boxes[at as usize];
        kept + (mask & !lost).count_ones()
    }

    /// The beads of a position's box that are still there: their place in the sets, and where they lead.
    fn beads(&self, node: u32, lost: u32) -> impl Iterator<Item = (u8, u32)> {
        let place = self.chart.node(node);
        let first = place.first as usize;
        let (bits, draws) = if place.at == NO_BOX {
            (FORCED, &self.chart.moves(node)[..1])
        } else {
            let draws = self.chart.draws(node);
            (&self.bits[first..first + draws.len()], draws)
        };
        let here = move |bit: u8| bit == KEPT || lost >> bit & 1 == 0;
        bits.iter()
            .copied()
            .zip(draws.iter().copied())
            .filter(move |(bit, _)| here(*bit))
    }

    /// Whether the machine has lost when a position comes up: the game is over, or its box is empty.
    fn is_loss(&self, node: u32, lost: u32) -> bool {
        let here = self.chart.node(node);
        match here.stand {
            Stand::Over(payoff) => {
                (if self.seat == Seat::FIRST {
                    payoff
                } else {
                    -payoff
                }) < 0
            }
            Stand::Of(seat) => {
                seat == self.seat && here.at != NO_BOX && self.left(here.at, lost) == 0
            }
        }
    }

    fn mine(&self, node: u32) -> bool {
        self.chart.node(node).stand == Stand::Of(self.seat)
    }

    /// Whether the machine draws a bead in a position; a move without a choice is made without one.
    fn draws(&self, node: u32) -> bool {
        self.mine(node) && self.chart.node(node).at != NO_BOX
    }

    /// Whether the game can be lost from a position before the machine draws again.
    fn can_lose(&self, node: u32, lost: u32) -> bool {
        let next = || self.chart.moves(node).iter();
        self.is_loss(node, lost)
            || (!self.draws(node) && next().any(|&then| self.can_lose(then, lost)))
    }

    /// The beads that a loss can take out now, whoever plays, and the boxes that can be reached.
    fn removable(&self, lost: u32, reached: &mut [bool]) -> (u32, u32) {
        reached.fill(false);
        reached[0] = true;
        let (mut out, mut useful) = (0, 0);
        for node in 0..reached.len() as u32 {
            if !reached[node as usize] {
                continue;
            }
            if self.draws(node) {
                // An empty box matters, too: it resigns.
                useful |= self.boxes[self.chart.node(node).at as usize].0;
            }
            if self.is_loss(node, lost) {
                continue;
            }
            if !self.draws(node) {
                self.chart
                    .moves(node)
                    .iter()
                    .for_each(|&next| reached[next as usize] = true);
                continue;
            }
            for (bit, next) in self.beads(node, lost) {
                reached[next as usize] = true;
                if bit != KEPT && self.can_lose(next, lost) {
                    out |= 1 << bit;
                }
            }
        }
        (out, useful)
    }

    /// Looks at every set of lost beads that can come up.
    pub fn losses(&self) -> Losses {
        let mut seen = vec![false; 1 << self.losing];
        let mut reached = vec![false; self.chart.nodes().len()];
        let mut finals = vec![0u64; self.losing + 1];
        let mut states = 0;
        seen[0] = true;
        // A loss only adds to the set, so sets come in the order of their numbers.
        for lost in 0..1u32 << self.losing {
            if !seen[lost as usize] {
                continue;
            }
            states += 1;
            let (out, _) = self.removable(lost, &mut reached);
            if out == 0 {
                finals[lost.count_ones() as usize] += 1;
            }
            each(out, |bit| seen[(lost | 1 << bit) as usize] = true);
        }
        let some = |n: &u64| *n > 0;
        let min = finals.iter().position(some).unwrap_or(0);
        let max = finals.iter().rposition(some).unwrap_or(0);
        Losses {
            machine: self.machine.name().to_owned(),
            boxes: self.machine.cabinet().len(),
            losing: self.losing,
            min: min as u32,
            max: max as u32,
            final_sets: finals[min..=max].to_vec(),
            states,
        }
    }
}

fn each(mut mask: u32, mut visit: impl FnMut(u32)) {
    while mask != 0 {
        visit(mask.trailing_zeros());
        mask &= mask - 1;
    }
}

/// A number that can be divided by the number of choices at every move of any game in turn.
fn whole(chart: &Chart) -> Result<u128, NotExact> {
    let widest = (0..chart.nodes().len() as u32)
        .map(|n| chart.moves(n).len())
        .max()
        .unwrap_or(1);
    let mut longest = vec![0u32; chart.nodes().len()];
    for node in (0..chart.nodes().len() as u32).rev() {
        let next = chart
            .moves(node)
            .iter()
            .map(|&n| longest[n as usize] + 1)
            .max();
        longest[node as usize] = next.unwrap_or(0);
    }
    let plies = longest[0];
    let unit = (1..=widest as u128).fold(1u128, num_integer::lcm);
    let fine = NotExact::TooFine { plies, widest };
    // Sums of such parts must fit, too.
    unit.checked_pow(plies)
        .filter(|w| w.leading_zeros() > 16)
        .ok_or(fine)
}
